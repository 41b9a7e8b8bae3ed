//! Looplet nests as data (Looplets section 3): what unfurling makes and the passes of lowering take apart.
//!
//! [`Kind`] is the one total order in which the passes run.

use crate::cin::*;
use crate::index::Outside;
use crate::kir::{map_begin, map_code, map_commit, Begin, Commit, Kir};
use std::rc::Rc;

/// What a looplet says of an element: which child fiber, which value, or nothing stored.
#[derive(Clone, PartialEq, Debug)]
pub enum Payload {
    /// The fill of the tensor, whatever indices are left.
    Fill,
    /// The child fiber at a position.
    Child(Expr),
    /// A value of a leaf.
    Value(Expr),
    /// The child fiber at a position, which makes up the group that starts at a coordinate of a level that is
    /// stretched.
    Group(Expr, Expr),
    /// A group of elements of the level itself, which go on where a loop over groups has come to.
    Part(Option<Rc<Resumed>>),
}

/// A fiber that a loop over groups of its elements has come to the middle of.
#[derive(Clone, PartialEq, Debug)]
pub struct Resumed {
    /// The nest, with the state of the loop over groups.
    pub nest: Looplet,
    /// The coordinate of the nest that the state stands at.
    pub start: Expr,
}

/// How a level is grouped: element `g` is the group of elements from `g * by + from` on.
#[derive(Clone, PartialEq, Debug)]
pub struct Grouped {
    /// How many elements a group has.
    pub by: Expr,
    /// Where group 0 starts, in coordinates of the body.
    pub from: Expr,
    /// Where the body starts, and one past its last coordinate.
    pub extent: [Expr; 2],
    /// Whether the last group ends where the body does.
    pub whole: bool,
    /// Whether each group that is visited is known to start where the body has elements.
    pub inside: bool,
    /// Where the current group starts, in coordinates of the whole nest.
    pub group: Expr,
    /// The nest from the current group on, once there is a state that has come there.
    pub rest: Option<Rc<Looplet>>,
    /// What the body stands in, outermost first.
    pub around: Vec<Around>,
}

/// What the body of a grouped nest stands in.
#[derive(Clone, PartialEq, Debug)]
pub enum Around {
    /// A phase that ends there, with those behind it.
    Phase(Option<Expr>, Vec<(Option<Expr>, Looplet)>),
    /// A shift.
    Shift(Expr),
}

/// How a level is stretched: its coordinate `c` is the group of `by` elements from `(c + moved) * by` on.
#[derive(Clone, PartialEq, Debug)]
pub struct Stretched {
    /// How many elements a group has.
    pub by: Expr,
    /// What is added to coordinates of the body.
    pub moved: Expr,
    /// One past the last coordinate of the body.
    pub stop: Expr,
}

/// A definition made before a nest.
#[derive(Clone, PartialEq, Debug)]
pub struct Def {
    /// Variable.
    pub var: VarId,
    /// Whether it is state.
    pub mutable: bool,
    /// Value.
    pub value: Expr,
}

/// A stepper or a jumper: children visited in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Stepper {
    /// Identity: a jumper demoted to a stepper keeps its state.
    pub id: u32,
    /// `for q in lo..hi`, if the state is a position that counts up.
    pub range: Option<(VarId, Expr, Expr)>,
    /// Whether there is a child left.
    pub more: Option<Expr>,
    /// Placeholder for the coordinate, and the code that moves the state to the child holding it.
    pub seek: Option<(VarId, Vec<Kir>)>,
    /// Whether `seek` costs the same however far it goes.
    pub jumps: bool,
    /// The first coordinate of the current child, if it is known otherwise than as the end of the one before.
    pub start: Option<Expr>,
    /// One past the last coordinate of the current child.
    pub stop: Expr,
    /// The current child.
    pub body: Looplet,
    /// Moves the state to the next child.
    pub next: Vec<Kir>,
}

/// Entries in no order, each at a coordinate of its own; fill elsewhere. They are gone through as they come, and from
/// the first whenever a region of a loop is: nothing is known of the coordinate behind one.
#[derive(Clone, PartialEq, Debug)]
pub struct Entries {
    /// The state, before the first entry.
    pub defs: Vec<Def>,
    /// How it moves: a child is one entry, and ends one past its coordinate.
    pub steps: Stepper,
}

/// What stands for the end of the current spike of a list that has none left: greater than any coordinate.
pub const BEYOND: i128 = 1 << 62;

/// One list of a union.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The cursor.
    pub union: u32,
    /// Where the list's current spike ends.
    pub ends: VarId,
    /// The element at the end of the current spike.
    pub child: Payload,
}

/// A looplet nest.
#[derive(Clone, PartialEq, Debug)]
pub enum Looplet {
    /// Definitions before, and the entry that it is, when it is a write.
    Thunk {
        /// Before.
        defs: Vec<Def>,
        /// Code before, after the definitions.
        before: Vec<Kir>,
        /// The nest.
        body: Box<Looplet>,
        /// The entry.
        after: Option<Rc<Entry>>,
    },
    /// The first case whose condition holds; the last condition is `true`.
    Switch(Vec<(Expr, Looplet)>),
    /// Every element the same.
    Run(Payload),
    /// The same but for the last element.
    Spike(Payload, Payload),
    /// Consecutive sub-extents; the last reaches to the end.
    Pipeline(Vec<(Option<Expr>, Looplet)>),
    /// A stepper that may be asked for more than one child at a time.
    Jumper(Rc<Stepper>),
    /// Unboundedly many children.
    Stepper(Rc<Stepper>),
    /// Entries in no order.
    Unordered(Rc<Entries>),
    /// Spikes of one list among many that are walked as one.
    Union(Member),
    /// The body with all extents moved.
    Shift(Expr, Box<Looplet>),
    /// Every `by`th element of the body, from `from` on.
    Stride {
        /// How far apart.
        by: Expr,
        /// The coordinate of element 0.
        from: Expr,
        /// One past the last coordinate of the body.
        stop: Expr,
        /// The body, in its own coordinates.
        body: Box<Looplet>,
    },
    /// A group of elements for each of the body.
    Stretch(Stretched, Box<Looplet>),
    /// An element for each group of elements of the body.
    Groups(Box<Grouped>, Box<Looplet>),
    /// The body over `lo..hi`; outside of it `missing` (Looplets section 7), fill, or an error for each
    /// element that is accessed all the same.
    Permit {
        /// What it is outside.
        outside: Outside,
        /// First element of the body.
        lo: Expr,
        /// One past its last.
        hi: Expr,
        /// The body.
        body: Box<Looplet>,
    },
    /// Element `i` is the nest with the placeholder standing for `i`.
    Lookup(VarId, Box<Looplet>),
}

/// An entry of a fiber that is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The tensor written.
    pub tensor: TensorId,
    /// Begins it, unless each coordinate has its place.
    pub begin: Option<Begin>,
    /// Code that refuses an entry that cannot be stored, right before it is written to.
    pub refusal: Vec<Kir>,
    /// Ends it, once it was written.
    pub commit: Commit,
    /// The arrays that were made longer where it began.
    pub lengthened: Vec<ArrayId>,
}

/// The passes, in the order in which they are tried: the first kind that occurs in the body of a
/// loop is lowered (Looplets section 6.2, with thunks before the kinds of the paper, and shifts and
/// strides pushed inwards on sight).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// See [`Looplet::Permit`]: nothing of its body is evaluated outside of it.
    Permit,
    /// See [`Looplet::Thunk`].
    Thunk,
    /// See [`Looplet::Shift`].
    Shift,
    /// See [`Looplet::Stride`].
    Stride,
    /// See [`Looplet::Stretch`].
    Stretch,
    /// See [`Looplet::Groups`].
    Groups,
    /// See [`Looplet::Switch`].
    Switch,
    /// See [`Looplet::Run`].
    Run,
    /// See [`Looplet::Unordered`]: before every kind that cuts the region at coordinates.
    Unordered,
    /// See [`Looplet::Spike`].
    Spike,
    /// See [`Looplet::Pipeline`].
    Pipeline,
    /// See [`Looplet::Jumper`].
    Jumper,
    /// See [`Looplet::Stepper`].
    Stepper,
    /// See [`Looplet::Union`].
    Union,
    /// See [`Looplet::Lookup`].
    Lookup,
}

impl Looplet {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Looplet::Thunk { .. } => Kind::Thunk,
            Looplet::Switch(_) => Kind::Switch,
            Looplet::Run(_) => Kind::Run,
            Looplet::Spike(..) => Kind::Spike,
            Looplet::Pipeline(_) => Kind::Pipeline,
            Looplet::Jumper(_) => Kind::Jumper,
            Looplet::Stepper(_) => Kind::Stepper,
            Looplet::Unordered(_) => Kind::Unordered,
            Looplet::Union(_) => Kind::Union,
            Looplet::Shift(..) => Kind::Shift,
            Looplet::Stride { .. } => Kind::Stride,
            Looplet::Stretch(..) => Kind::Stretch,
            Looplet::Groups(..) => Kind::Groups,
            Looplet::Permit { .. } => Kind::Permit,
            Looplet::Lookup(..) => Kind::Lookup,
        }
    }

    /// How many cases a region of it comes to: other operands have all of theirs in each.
    pub fn cases(&self) -> usize {
        match self {
            Looplet::Run(_) | Looplet::Union(_) | Looplet::Unordered(_) => 1,
            Looplet::Spike(..) => 2,
            Looplet::Switch(cases) => cases.iter().map(|(_, n)| n.cases()).sum(),
            Looplet::Pipeline(phases) => phases.iter().map(|(_, n)| n.cases()).sum(),
            Looplet::Jumper(s) | Looplet::Stepper(s) => s.body.cases(),
            Looplet::Thunk { body, .. }
            | Looplet::Shift(_, body)
            | Looplet::Stride { body, .. }
            | Looplet::Stretch(_, body)
            | Looplet::Groups(_, body)
            | Looplet::Permit { body, .. }
            | Looplet::Lookup(_, body) => body.cases(),
        }
    }

    /// Whether it is, or may be in some region, entries in no order.
    pub fn is_unordered(&self) -> bool {
        match self {
            Looplet::Unordered(_) => true,
            Looplet::Switch(cases) => cases.iter().any(|(_, n)| n.is_unordered()),
            Looplet::Pipeline(phases) => phases.iter().any(|(_, n)| n.is_unordered()),
            Looplet::Jumper(s) | Looplet::Stepper(s) => s.body.is_unordered(),
            Looplet::Thunk { body, .. }
            | Looplet::Shift(_, body)
            | Looplet::Stride { body, .. }
            | Looplet::Stretch(_, body)
            | Looplet::Groups(_, body)
            | Looplet::Permit { body, .. }
            | Looplet::Lookup(_, body) => body.is_unordered(),
            Looplet::Run(_) | Looplet::Spike(..) | Looplet::Union(_) => false,
        }
    }

    /// The kind through which entries in no order cannot be seen that stands around some.
    pub fn unordered_behind(&self) -> Option<Kind> {
        match self {
            Looplet::Stride { body, .. } | Looplet::Stretch(_, body) | Looplet::Groups(_, body) => {
                body.is_unordered().then(|| self.kind())
            }
            Looplet::Switch(cases) => cases.iter().find_map(|(_, n)| n.unordered_behind()),
            Looplet::Pipeline(phases) => phases.iter().find_map(|(_, n)| n.unordered_behind()),
            Looplet::Thunk { body, .. }
            | Looplet::Shift(_, body)
            | Looplet::Permit { body, .. }
            | Looplet::Lookup(_, body) => body.unordered_behind(),
            _ => None,
        }
    }

    /// A copy with every expression rewritten.
    pub fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Looplet {
        let payload = |p: &Payload, f: &mut dyn FnMut(&Expr) -> Option<Expr>| match p {
            Payload::Fill => Payload::Fill,
            Payload::Child(e) => Payload::Child(e.map(f)),
            Payload::Value(e) => Payload::Value(e.map(f)),
            Payload::Group(e, at) => Payload::Group(e.map(f), at.map(f)),
            Payload::Part(resumed) => {
                Payload::Part(resumed.as_ref().map(|resumed| Rc::new(resumed.map(f))))
            }
        };
        match self {
            Looplet::Thunk { defs, before, body, after } => Looplet::Thunk {
                defs: defs.iter().map(|d| Def { value: d.value.map(f), ..d.clone() }).collect(),
                before: map_code(before, f),
                body: Box::new(body.map(f)),
                after: after.as_ref().map(|entry| Rc::new(entry.map(f))),
            },
            Looplet::Switch(cases) => {
                Looplet::Switch(cases.iter().map(|(c, n)| (c.map(f), n.map(f))).collect())
            }
            Looplet::Run(p) => Looplet::Run(payload(p, f)),
            Looplet::Spike(a, b) => Looplet::Spike(payload(a, f), payload(b, f)),
            Looplet::Pipeline(phases) => Looplet::Pipeline(
                phases.iter().map(|(s, n)| (s.as_ref().map(|s| s.map(f)), n.map(f))).collect(),
            ),
            Looplet::Jumper(s) => Looplet::Jumper(Rc::new(s.map(f))),
            Looplet::Stepper(s) => Looplet::Stepper(Rc::new(s.map(f))),
            Looplet::Unordered(all) => Looplet::Unordered(Rc::new(all.map(f))),
            Looplet::Union(member) => {
                let child = payload(&member.child, f);
                Looplet::Union(Member { child, ..member.clone() })
            }
            Looplet::Shift(d, n) => Looplet::Shift(d.map(f), Box::new(n.map(f))),
            Looplet::Stride { by, from, stop, body } => Looplet::Stride {
                by: by.map(f),
                from: from.map(f),
                stop: stop.map(f),
                body: Box::new(body.map(f)),
            },
            Looplet::Stretch(by, body) => {
                let Stretched { by, moved, stop } = by;
                let by = Stretched { by: by.map(f), moved: moved.map(f), stop: stop.map(f) };
                Looplet::Stretch(by, Box::new(body.map(f)))
            }
            Looplet::Groups(by, body) => {
                Looplet::Groups(Box::new(by.map(f)), Box::new(body.map(f)))
            }
            Looplet::Permit { outside, lo, hi, body } => {
                let (lo, hi, body) = (lo.map(f), hi.map(f), Box::new(body.map(f)));
                Looplet::Permit { outside: *outside, lo, hi, body }
            }
            Looplet::Lookup(v, n) => Looplet::Lookup(*v, Box::new(n.map(f))),
        }
    }
}

impl Resumed {
    fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Resumed {
        Resumed { nest: self.nest.map(f), start: self.start.map(f) }
    }
}

impl Grouped {
    fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Grouped {
        Grouped {
            by: self.by.map(f),
            from: self.from.map(f),
            extent: self.extent.each_ref().map(|e| e.map(f)),
            whole: self.whole,
            inside: self.inside,
            group: self.group.map(f),
            rest: self.rest.as_ref().map(|rest| Rc::new(rest.map(f))),
            around: self.around.iter().map(|a| a.map(f)).collect(),
        }
    }
}

impl Around {
    fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Around {
        match self {
            Around::Phase(end, behind) => {
                let end = end.as_ref().map(|e| e.map(f));
                let phases = behind.iter();
                let behind = phases.map(|(e, n)| (e.as_ref().map(|e| e.map(f)), n.map(f)));
                Around::Phase(end, behind.collect())
            }
            Around::Shift(delta) => Around::Shift(delta.map(f)),
        }
    }
}

impl Entries {
    fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Entries {
        let defs = self.defs.iter().map(|d| Def { value: d.value.map(f), ..d.clone() });
        Entries { defs: defs.collect(), steps: self.steps.map(f) }
    }
}

impl Stepper {
    fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Stepper {
        Stepper {
            id: self.id,
            range: self.range.as_ref().map(|(q, a, b)| (*q, a.map(f), b.map(f))),
            more: self.more.as_ref().map(|e| e.map(f)),
            seek: self.seek.as_ref().map(|(i, code)| (*i, map_code(code, f))),
            jumps: self.jumps,
            start: self.start.as_ref().map(|e| e.map(f)),
            stop: self.stop.map(f),
            body: self.body.map(f),
            next: map_code(&self.next, f),
        }
    }
}

impl Entry {
    fn map(&self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Entry {
        Entry {
            tensor: self.tensor,
            begin: self.begin.as_ref().map(|b| map_begin(b, f)),
            refusal: map_code(&self.refusal, f),
            commit: map_commit(&self.commit, f),
            lengthened: self.lengthened.clone(),
        }
    }
}

/// The looplet nest of an access while the loop over its first index is lowered.
#[derive(Clone, Debug)]
pub struct Unfurled {
    /// The loop index.
    pub index: VarId,
    /// The nest, over the part of the extent that is being lowered.
    pub nest: Looplet,
    /// One past the last coordinate of the nest's own extent.
    pub stop: Expr,
    /// Where the nest's own extent starts.
    pub start: Expr,
    /// Whether what the format says of its extents may be relied upon.
    pub trusted: bool,
}
