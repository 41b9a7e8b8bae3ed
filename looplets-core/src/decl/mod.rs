//! A format as tokens: what a `level!`, `fill!` or alias declaration says, parsed (D3.1).
//!
//! A declaration travels to `finch!` through the macro that bears the format's name; everything the
//! compiler ever learns about a format is in the structures of this module.

pub mod clause;
mod elements;
pub mod home;
pub mod identity;
pub mod operator;
pub mod parse;
pub mod rules;
pub mod schema;

use crate::cin::Lit;
pub use clause::{named, substitute, uses, with_length, Clause, Hold, Use};
pub use identity::{fingerprint, Fingerprint};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};

/// What a name in a format position stands for.
pub enum Decl {
    /// A level or a leaf.
    Level(Box<LevelDecl>),
    /// `pub type Csr<T> = Tensor<..>;`
    Alias(AliasDecl),
    /// `pub fill Zero = 0;`
    Fill(FillDecl),
    /// `pub fn gcd(a: u64, b: u64) -> u64 { .. } identity 0;`
    Operator(Box<operator::OperatorDecl>),
    /// `pub rules tropical { .. }`
    Rules(rules::RulesDecl),
    /// `pub misnamed CSR = "write Csr";`
    Misnamed(Misnamed),
}

/// A name that people try for a format, and what they should write.
pub struct Misnamed {
    vis: syn::Visibility,
    name: Ident,
    /// The cure.
    pub write: String,
}

impl Decl {
    /// Its name.
    pub fn name(&self) -> &Ident {
        match self {
            Decl::Level(l) => &l.name,
            Decl::Alias(a) => &a.name,
            Decl::Fill(f) => &f.name,
            Decl::Operator(o) => &o.name,
            Decl::Rules(r) => &r.name,
            Decl::Misnamed(m) => &m.name,
        }
    }
    /// Its visibility.
    pub fn vis(&self) -> &syn::Visibility {
        match self {
            Decl::Level(l) => &l.vis,
            Decl::Alias(a) => &a.vis,
            Decl::Fill(f) => &f.vis,
            Decl::Operator(o) => &o.vis,
            Decl::Rules(r) => &r.vis,
            Decl::Misnamed(m) => &m.vis,
        }
    }
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Decl::Level(_) | Decl::Alias(_) => "a format",
            Decl::Fill(_) => "a fill marker",
            Decl::Operator(_) => "an operator",
            Decl::Rules(_) => "a set of rules",
            Decl::Misnamed(_) => "another name of a format",
        }
    }
}

/// A value that declarations can speak of.
#[derive(Clone)]
pub enum Constant {
    /// A literal, and where it stands.
    Lit(Lit, Span),
    /// What a fill marker names.
    Marker(syn::Path),
}

/// The value of a Rust literal, negated if `minus`.
pub fn literal(lit: &syn::Lit, minus: bool) -> Option<Lit> {
    Some(match lit {
        syn::Lit::Int(n) => {
            let n: i128 = n.base10_parse().ok()?;
            Lit::Int(if minus { -n } else { n })
        }
        syn::Lit::Float(x) => {
            let x: f64 = x.base10_parse().ok()?;
            Lit::float(if minus { -x } else { x })
        }
        syn::Lit::Bool(b) if !minus => Lit::Bool(b.value),
        _ => return None,
    })
}

/// A generic parameter of a declaration.
#[derive(Clone)]
pub struct Param {
    /// `Child`, `Ix`, `N`
    pub name: Ident,
    /// The parameter as it stands in an `impl<..>`, without the default.
    pub decl: TokenStream,
    /// Its default.
    pub default: Option<TokenStream>,
    /// The type of a `const` parameter.
    pub constant: Option<TokenStream>,
}

/// A type alias of formats.
pub struct AliasDecl {
    /// Doc comments and attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Visibility.
    pub vis: syn::Visibility,
    /// Name.
    pub name: Ident,
    /// Parameters.
    pub params: Vec<Param>,
    /// What it stands for.
    pub target: TokenStream,
}

/// A fill marker: a type that names a compile-time value.
pub struct FillDecl {
    /// Doc comments and attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Visibility.
    pub vis: syn::Visibility,
    /// Name.
    pub name: Ident,
    /// Parameters.
    pub params: Vec<Param>,
    /// Types it is a fill of by a plain conversion: `: f32, f64`.
    pub types: Vec<syn::Type>,
    /// A literal, `inf`, `-inf`, `nan`, `missing`, or a parameter.
    pub value: TokenStream,
}

/// A level.
#[derive(Clone)]
pub struct LevelDecl {
    /// Name.
    pub name: Ident,
    /// Doc comments and attributes.
    pub attrs: Vec<syn::Attribute>,
    /// Visibility.
    pub vis: syn::Visibility,
    /// Parameters.
    pub params: Vec<Param>,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// `(fibers) { .. }` of the invariant: Rust that gives `Result<usize, String>`, the number of
    /// child fibers that `fibers` fibers need.
    pub invariant: Option<(Ident, TokenStream)>,
    /// `fiber((a, b)) { .. }`: Rust that gives `Result<(), String>`, what must hold of each fiber of a
    /// level whose fibers are ranges.
    pub fiber: Option<(Ident, Ident, TokenStream)>,
    /// `unsafe invariant`: the author vouches that the invariant covers every index computed.
    pub vouched: Option<Span>,
    /// Read protocols, the default one first; a leaf has one called `value`.
    pub reads: Vec<Read>,
    /// The write protocol.
    pub write: Option<Write>,
    /// The protocol by which entries that come in ascending order are appended, and linked once all are there: of a
    /// level that says how entries are inserted and how a fiber is built.
    pub in_order: Option<Write>,
    /// Value type and fill, for a leaf.
    pub leaf: Option<Leaf>,
    /// `split(p, i) { q }`: the child position where coordinate `i` of fiber `p` begins.
    pub split: Option<(Ident, Ident, TokenStream)>,
    /// `join(pos: offsets, crd: coordinates)`: what becomes of each field where fibers are joined.
    pub join: Option<Vec<(Ident, Joined)>>,
    /// `words(p, w) { array[position] }`: which children of a fiber are stored, 64 at a time.
    pub words: Option<Words>,
    /// The nodes that it is made of, in place of arrays of the author's.
    pub schema: Option<schema::Schema>,
    /// `swap(a, b) { .. }`: exchanges what two fibers hold.
    pub swap: Option<(Ident, Ident, TokenStream)>,
    /// The functions of the level's own type that its code calls.
    pub own: home::Own,
}

/// Where the bits are that say which coordinates of a fiber are stored.
#[derive(Clone)]
pub struct Words {
    /// The position of the fiber.
    pub p: Ident,
    /// The number of the word: it has the bits of coordinates `64 * w .. 64 * w + 64`, the least first.
    pub w: Ident,
    /// The array.
    pub array: Ident,
    /// The word's position in it.
    pub at: syn::Expr,
    /// `sparse words`: what walks the fiber passes over stretches of zeros at less than a word a step.
    pub sparse: bool,
}

/// What becomes of a field where the fibers of two levels become those of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joined {
    /// Arrays that count up through the fibers from 0, and end with how many there are.
    Offsets,
    /// An array that is concatenated.
    Entries,
    /// An array that is concatenated, of the coordinates of all that is stored: one fiber that ends
    /// where another begins can be joined with it.
    Coordinates,
    /// The size: a fiber of so many more coordinates is two, one behind the other.
    Sum,
}

/// What a field holds.
#[derive(Clone)]
pub enum FieldKind {
    /// The size of the dimension, `len: usize`.
    Len,
    /// Another number, `width: usize`.
    Scalar(syn::Type),
    /// `Vec<T>`, a slice in kernels.
    Array(syn::Type),
    /// The next level.
    Child,
}

/// A field.
#[derive(Clone)]
pub struct Field {
    /// Name.
    pub name: Ident,
    /// Type as declared.
    pub ty: syn::Type,
    /// What it holds.
    pub kind: FieldKind,
}

/// The leaf clause: `leaf T = F;`
#[derive(Clone)]
pub struct Leaf {
    /// Type of a value.
    pub value: syn::Type,
    /// Fill marker, a type.
    pub fill: TokenStream,
}

/// A read protocol under one or more names.
#[derive(Clone)]
pub struct Read {
    /// `walk`, `gallop`, ..
    pub names: Vec<Ident>,
    /// The position of the fiber, or the first of the entries it is made of.
    pub p: Ident,
    /// One past the last of those entries, if the fiber is a range of them: `walk((p, end))`.
    pub end: Option<Ident>,
    /// The coordinate, for `locate`.
    pub i: Option<Ident>,
    /// The looplet nest.
    pub nest: Nest,
}

impl Read {
    /// Whether the protocol answers at one given coordinate instead of describing the fiber.
    pub fn is_locate(&self) -> bool {
        self.i.is_some()
    }
}

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
    fn has_fill(&self) -> bool {
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
    fn jump(&self) -> Option<&Ident> {
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
    fn lists_entries(&self) -> bool {
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
    fn steps(&self) -> bool {
        match self {
            Nest::Let(_, n) | Nest::Shift(_, n) => n.steps(),
            Nest::Pipeline(all) => all.iter().any(|(_, n)| n.steps()),
            Nest::Switch(all) => all.iter().any(|(_, n)| n.steps()),
            Nest::Stepper(_) | Nest::Jumper(_) | Nest::Unordered(_) => true,
            Nest::Run(_) | Nest::Spike(..) | Nest::Lookup(..) => false,
        }
    }
    /// Whether a child in it is named by two numbers, `child[(a, b)]`.
    fn gives_ranges(&self) -> bool {
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

/// In which order a level takes its entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Ascending, each once; positions grow with them.
    Append,
    /// Any; positions are found or made.
    Insert,
    /// Any; positions follow from coordinates.
    Locate,
}

/// A write protocol.
#[derive(Clone)]
pub struct Write {
    /// `append`, `insert` or `locate`, `value` for a leaf.
    pub name: Ident,
    /// What the name says of the order.
    pub order: Order,
    /// Fiber position.
    pub p: Ident,
    /// Coordinate.
    pub i: Option<Ident>,
    /// `runs`: entries built from sorted data may share one, ended by `commit` with its last coordinate.
    pub runs: bool,
    /// `covers`, of `runs` that `each` lists: what lies before an entry that is written is a run of fill.
    pub covers: bool,
    /// Statements before the fiber's first entry.
    pub open: Option<TokenStream>,
    /// `Result<(), String>` that refuses an entry that was written; before `commit`.
    pub entry: Option<TokenStream>,
    /// Whether the entries `first..=i`, equal to the one before, were joined with it: a `bool`.
    pub extend: Option<TokenStream>,
    /// `(at) { statements }`: changes coordinates to those of the entry that is stored for them.
    pub fold: Option<(Ident, TokenStream)>,
    /// Reopens fiber 0 after `finish` and gives the first coordinate that may follow.
    pub thaw: Option<TokenStream>,
    /// Takes all entries out of the one fiber, in time proportional to what is stored; `blank(q)` is to be
    /// called for each child.
    pub clear: Option<TokenStream>,
    /// Not of `append`: the position of the entry's child if there is such an entry, else a number below 0.
    pub find: Option<syn::Expr>,
    /// Position of the entry's child.
    pub child: Option<syn::Expr>,
    /// Statements after the entry was written.
    pub commit: Option<TokenStream>,
    /// `(w) { statements }`, of `locate`: to store entries is to set their bits of the word `w` that the level's
    /// `words` names, and to run this behind that if any was set.
    pub words: Option<(Ident, TokenStream)>,
    /// `(fibers) { statements }`, not of `append`: puts entries in order, before they are read and before `finish`.
    pub sort: Option<(Ident, TokenStream)>,
    /// `(fibers) { statements }` once nothing more is written.
    pub finish: Option<(Ident, TokenStream)>,
    /// `(fibers) { expression }`, how many child fibers that many fibers have.
    pub children: Option<(Ident, TokenStream)>,
    /// `children: len`: each fiber has a child for each coordinate, from which `children` follows.
    pub one_child_each: bool,
    /// `(fibers) { statements }` of a leaf: fibers below the number exist, at fill.
    pub reserve: Option<(Ident, TokenStream)>,
    /// The array in which `commit` leaves pairs of positions of the child, whose fibers are to be exchanged.
    pub moves: Option<Ident>,
    /// What is done with entries that were appended once all are there, of a level that is made of nodes.
    pub link: Option<Link>,
    /// The element written, for a leaf with values.
    pub place: Option<syn::Expr>,
    /// An entry is one element in each of these arrays, with the value that it is made with; `child`, `commit`
    /// and `children` follow from it, in a leaf `reserve`, `finish` and `place`. Beside `commit` it says what that does
    /// above a leaf; of `runs` it says what a run is of coordinates `first..=i`, each in a place of its own.
    pub each: Vec<(Ident, syn::Expr)>,
}

/// How entries that were appended become nodes. Until then `reserve` of the protocol makes no fibers: these are but
/// places where entries begin.
#[derive(Clone)]
pub struct Link {
    /// `Result<(), String>`, before anything is appended.
    pub start: TokenStream,
    /// `(fibers) { Result<(), String> }`, once nothing more is.
    pub code: (Ident, TokenStream),
    /// The array in which that leaves pairs of positions of the child, whose fibers are to be exchanged.
    pub moves: Ident,
}

impl Write {
    /// Whether fibers are opened in ascending order, though entries may come in any.
    pub fn opens_in_order(&self) -> bool {
        self.order == Order::Insert && self.open.is_some()
    }
}

/// What stands for the path of this crate in code that declarations are completed by.
pub const CRATE: &str = "__looplets";

impl LevelDecl {
    /// Whether one fiber can be joined with one that goes on where it ends.
    pub fn joins_along(&self) -> bool {
        let moves = |how: &Joined| matches!(how, Joined::Coordinates | Joined::Sum);
        self.join.as_ref().is_some_and(|all| all.iter().any(|(_, how)| moves(how)))
    }
    /// Whether coordinates of a part are those of the whole less where the part begins.
    pub fn joins_by_size(&self) -> bool {
        self.join.as_ref().is_some_and(|all| all.iter().any(|(_, how)| *how == Joined::Sum))
    }
    /// Whether it says that a fiber has one child for each coordinate.
    pub fn one_child_each(&self) -> bool {
        self.write.as_ref().is_some_and(|w| w.one_child_each)
    }
    /// Whether it has nothing but a child for each coordinate, so that what is done to a fiber is done to its children.
    pub fn has_children_alone(&self) -> bool {
        let arrays = self.fields.iter().any(|f| matches!(f.kind, FieldKind::Array(_)));
        self.one_child_each() && !arrays
    }
    /// Whether `param` is a type of coordinates, which the size of the dimension must fit: one that counts links need not.
    pub fn counts_coordinates(&self, param: &Param) -> bool {
        let links = self.schema.as_ref().and_then(|s| s.links.as_ref());
        let same = self.schema.as_ref().is_some_and(|s| s.links == s.coordinates);
        let index = Ident::new("Index", param.name.span());
        mentions(&param.decl, &index) && (same || links != Some(&param.name))
    }
    /// Whether its fibers are ranges of entries, named by two numbers.
    pub fn ranges(&self) -> bool {
        self.reads.iter().any(|r| r.end.is_some())
    }
    /// Whether it leaves out elements that are fill.
    pub fn leaves_out(&self) -> bool {
        self.reads.iter().any(|r| r.nest.has_fill())
    }
    /// Whether what is read of it where no protocol stands goes on in steps, of entries or of runs.
    pub fn steps(&self) -> bool {
        self.reads.first().is_some_and(|r| r.nest.steps())
    }
    /// Whether what is read of it where no protocol stands is its entries one by one, with fill between them.
    pub fn lists_entries(&self) -> bool {
        self.reads.first().is_some_and(|r| r.nest.has_fill() && r.nest.lists_entries())
    }
    /// Whether the fibers of its child are.
    pub fn gives_ranges(&self) -> bool {
        self.reads.iter().any(|r| r.nest.gives_ranges())
    }
    /// The read protocol called `name`.
    pub fn read(&self, name: &str) -> Option<&Read> {
        self.reads.iter().find(|r| r.names.iter().any(|n| n == name))
    }
    /// What people are shown for `code`, if that is a call of a function of the level's own type.
    pub fn shown(&self, code: &TokenStream) -> Option<TokenStream> {
        let all: Vec<TokenTree> = code.clone().into_iter().collect();
        let home = all.iter().position(|t| matches!(t, TokenTree::Ident(i) if i == home::HOME))?;
        // What such a call gives may be assigned.
        let called = match &all[..home] {
            [] => true,
            [.., TokenTree::Punct(p)] => p.as_char() == '=',
            _ => false,
        };
        // `__Home :: name (..)`
        let TokenTree::Ident(name) = all.get(home + 3).filter(|_| called)? else { return None };
        let mut shown = self.own.get(&name.to_string())?.shown.clone();
        match &all[home + 4..] {
            [TokenTree::Group(_)] => {}
            // A statement ends as one.
            [TokenTree::Group(_), TokenTree::Punct(p)] if p.as_char() == ';' => {
                shown.extend([TokenTree::Punct(p.clone())]);
            }
            _ => return None,
        }
        Some(shown)
    }
    /// Every protocol name, for messages.
    pub fn protocols(&self) -> String {
        let names: Vec<String> =
            self.reads.iter().flat_map(|r| r.names.iter().map(|n| format!("`{n}`"))).collect();
        names.join(", ")
    }
}

/// Whether `name` occurs in `tokens`.
pub fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|t| match t {
        TokenTree::Ident(i) => i == *name,
        TokenTree::Group(g) => mentions(&g.stream(), name),
        _ => false,
    })
}
