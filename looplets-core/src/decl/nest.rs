//! Looplet nests as a declaration writes them.

use proc_macro2::Ident;

/// A looplet nest as declared; expressions are not yet resolved.
#[allow(clippy::large_enum_variant)]
#[derive(Clone)]
pub enum Nest {
    /// `{ let ..; nest }`
    Let(Vec<LetDecl>, Box<Nest>),
    /// `run(payload)`
    Run(Payload),
    /// `spike(body, tail)`
    Spike(Payload, Payload),
    /// `pipeline { ..stop => nest, .. => nest }`
    Pipeline(Vec<(Option<syn::Expr>, Nest)>),
    /// `stepper { .. }`
    Stepper(Box<StepperDecl>),
    /// `jumper { .. }`
    Jumper(Box<StepperDecl>),
    /// `unordered { .. }`: `stop` is one past the coordinate of the entry.
    Unordered(Box<StepperDecl>),
    /// `switch { cond => nest, _ => nest }`
    Switch(Vec<(Option<syn::Expr>, Nest)>),
    /// `shift(delta, nest)`
    Shift(syn::Expr, Box<Nest>),
    /// `lookup(|i| nest-or-payload)`
    Lookup(Ident, Box<Nest>),
}

impl Nest {
    /// Whether some element may be fill that is not stored.
    pub(super) fn has_fill(&self) -> bool {
        let fill = |p: &Payload| matches!(p, Payload::Fill);
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) | Nest::Lookup(_, n) => n.has_fill(),
            Nest::Run(p) => fill(p),
            Nest::Spike(a, b) => fill(a) || fill(b),
            Nest::Pipeline(all) => all.iter().any(|(_, n)| n.has_fill()),
            Nest::Switch(all) => all.iter().any(|(_, n)| n.has_fill()),
            Nest::Stepper(s) | Nest::Jumper(s) => s.body.has_fill(),
            Nest::Unordered(_) => true,
        }
    }
    /// The argument of a `jump`, if a stepper or jumper has one.
    pub(super) fn jump(&self) -> Option<&Ident> {
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) | Nest::Lookup(_, n) => n.jump(),
            Nest::Pipeline(all) => all.iter().find_map(|(_, n)| n.jump()),
            Nest::Switch(all) => all.iter().find_map(|(_, n)| n.jump()),
            Nest::Stepper(s) | Nest::Jumper(s) => {
                s.jump.as_ref().map(|(i, _)| i).or_else(|| s.body.jump())
            }
            Nest::Run(_) | Nest::Spike(..) | Nest::Unordered(_) => None,
        }
    }
    /// Whether entries in it are in no order.
    pub fn is_unordered(&self) -> bool {
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) | Nest::Lookup(_, n) => n.is_unordered(),
            Nest::Pipeline(all) => all.iter().any(|(_, n)| n.is_unordered()),
            Nest::Switch(all) => all.iter().any(|(_, n)| n.is_unordered()),
            Nest::Stepper(s) | Nest::Jumper(s) => s.body.is_unordered(),
            Nest::Unordered(_) => true,
            Nest::Run(_) | Nest::Spike(..) => false,
        }
    }
    /// Whether each element that is no fill has a step of its own.
    pub(super) fn lists_entries(&self) -> bool {
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) => n.lists_entries(),
            Nest::Run(p) => matches!(p, Payload::Fill),
            Nest::Pipeline(all) => all.iter().all(|(_, n)| n.lists_entries()),
            Nest::Switch(all) => all.iter().all(|(_, n)| n.lists_entries()),
            Nest::Stepper(s) | Nest::Jumper(s) => s.body.lists_entries(),
            Nest::Spike(body, _) => matches!(body, Payload::Fill),
            Nest::Unordered(_) => true,
            Nest::Lookup(..) => false,
        }
    }
    /// Whether it has a run of a child, which is the same at each coordinate of it.
    pub fn has_runs(&self) -> bool {
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) => n.has_runs(),
            Nest::Run(p) => !matches!(p, Payload::Fill),
            Nest::Pipeline(all) => all.iter().any(|(_, n)| n.has_runs()),
            Nest::Switch(all) => all.iter().any(|(_, n)| n.has_runs()),
            Nest::Stepper(s) | Nest::Jumper(s) => s.body.has_runs(),
            Nest::Spike(body, _) => !matches!(body, Payload::Fill),
            Nest::Unordered(_) | Nest::Lookup(..) => false,
        }
    }
    /// Whether it has a part that goes on in steps.
    pub(super) fn steps(&self) -> bool {
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) => n.steps(),
            Nest::Pipeline(all) => all.iter().any(|(_, n)| n.steps()),
            Nest::Switch(all) => all.iter().any(|(_, n)| n.steps()),
            Nest::Stepper(_) | Nest::Jumper(_) | Nest::Unordered(_) => true,
            Nest::Run(_) | Nest::Spike(..) | Nest::Lookup(..) => false,
        }
    }
    /// Whether a child in it is named by two numbers, `child[(a, b)]`.
    pub(super) fn gives_ranges(&self) -> bool {
        let range = |p: &Payload| matches!(p, Payload::Child(syn::Expr::Tuple(_)));
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) | Nest::Lookup(_, n) => n.gives_ranges(),
            Nest::Run(p) => range(p),
            Nest::Spike(a, b) => range(a) || range(b),
            Nest::Pipeline(all) => all.iter().any(|(_, n)| n.gives_ranges()),
            Nest::Switch(all) => all.iter().any(|(_, n)| n.gives_ranges()),
            Nest::Stepper(s) | Nest::Jumper(s) | Nest::Unordered(s) => s.body.gives_ranges(),
        }
    }
}

/// `let [mut] name [: Type] = value;` in a nest, and `at.first(..);` behind it, which moves such state to where it starts.
#[derive(Clone)]
pub struct LetDecl {
    /// Name.
    pub name: Ident,
    /// Whether it is state.
    pub mutable: bool,
    /// The type of state that is no number: only functions of the declaration look into it.
    pub ty: Option<syn::Type>,
    /// Value.
    pub value: syn::Expr,
    /// A statement that moves state of a type of its own before anything else is done. It is moved where it is: state
    /// that a function gives is copied, which processors cannot do ahead of what was just stored.
    pub then: Option<syn::Expr>,
}

/// A terminal of a nest.
#[derive(Clone)]
pub enum Payload {
    /// `fill`
    Fill,
    /// `child[position]`
    Child(syn::Expr),
    /// A value of a leaf.
    Value(syn::Expr),
}

/// A stepper or jumper as declared.
#[derive(Clone)]
pub struct StepperDecl {
    /// `for q in lo..hi`: the state is a position that counts up, one child each.
    pub range: Option<(Ident, syn::Expr, syn::Expr)>,
    /// `for (q, after) in lo..hi, group: e`: a child for each range of positions, which ends at `e`.
    pub group: Option<(Ident, syn::Expr)>,
    /// `while more`: whether there is a child left, if that is cheaper to ask than where it ends.
    pub more: Option<syn::Expr>,
    /// `seek(i): ..` With a range, the new position; without, statements.
    pub seek: Option<(Ident, syn::Expr)>,
    /// `jump(i): ..` in place of `seek`, for the names behind `|`.
    pub jump: Option<(Ident, syn::Expr)>,
    /// Whether it is called `leap(i)`: it costs the same however far it goes.
    pub jumps: bool,
    /// `stop: ..`
    pub stop: syn::Expr,
    /// `body: ..`
    pub body: Nest,
    /// `next: ..`, absent with a range.
    pub next: Option<syn::Expr>,
}
