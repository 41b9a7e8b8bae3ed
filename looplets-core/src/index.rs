//! What stands between the brackets of an access: how it refers to loops, and what modifiers make of it.

use crate::cin::*;
use proc_macro2::Span;

/// No loop runs so far that its index times this is near the limit of coordinates.
pub const SMALL: i128 = 1 << 20;

/// One index of an access.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// `var + shift`, or opaque.
    pub kind: IndexKind,
    /// What modifiers make of it.
    pub view: View,
    /// The protocol as written.
    pub protocol: Option<String>,
    /// Where it stands.
    pub span: SpanEq,
}

/// A span that never takes part in comparisons.
#[derive(Clone, Copy, Debug)]
pub struct SpanEq(pub Span);
impl PartialEq for SpanEq {
    fn eq(&self, _: &SpanEq) -> bool {
        true
    }
}

/// How an index refers to loops.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexKind {
    /// A loop index moved by what does not change in its loop; with a [`View::stride`], times that.
    Affine(VarId, Expr),
    /// A digit of a loop index: what `collapse` makes of the indices that it takes away.
    Digit(VarId, Digit),
    /// Any other expression: random access.
    Opaque(Expr),
}

impl IndexKind {
    /// The loop index that it is made of, if it is made of one.
    pub fn loop_of(&self) -> Option<VarId> {
        match self {
            IndexKind::Affine(v, _) | IndexKind::Digit(v, _) => Some(*v),
            IndexKind::Opaque(_) => None,
        }
    }
}

/// `(index + shift) / by`, and of that the remainder by `modulo`. Those of one index stand side by side, the
/// highest first, so that the levels that they index are one fiber.
#[derive(Clone, Debug, PartialEq)]
pub struct Digit {
    /// What is added to the index; the sum is not below 0.
    pub shift: Expr,
    /// The divisor.
    pub by: Expr,
    /// None for the highest.
    pub modulo: Option<Expr>,
}

impl Digit {
    /// The digit of the index `at`.
    pub fn of(&self, at: &Expr) -> Expr {
        let moved = sum(at, &self.shift);
        let quotient = match &self.by {
            Expr::Lit(Lit::Int(1)) => moved,
            by => Expr::call(Op::Div, [moved, by.clone()]),
        };
        match &self.modulo {
            Some(modulo) => Expr::call(Op::Rem, [quotient, modulo.clone()]),
            None => quotient,
        }
    }
}

/// What the modifiers of an index say (Looplets section 7), in the coordinates of the tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The coordinate is so many times the loop index, plus the shift.
    pub stride: Option<Expr>,
    /// Parts that the access may leave, and what it is outside of them.
    pub clips: Vec<(Part, Outside)>,
    /// Where the index may take the access.
    pub part: Part,
    /// Whether the loop may leave that part, so that each access outside of it is an error.
    pub checked: bool,
    /// A shape operator made it of the loop index: the operator gives the loop its extent, not the dimension.
    pub derived: bool,
    /// Whether it is known to lie in the dimension: the sizes that make it so are checked before all loops.
    pub inside: bool,
    /// The level is read again and again, once for so many of the loop index each: a digit with none above it.
    pub repeats: Option<Expr>,
    /// The loops each of whose iterations reads a group of elements that follow each other, outermost first.
    pub groups: Vec<Group>,
    /// What moves the index within its groups, if it is checked at run time whether they lie in the dimension.
    pub exact: Option<Expr>,
    /// The index as a program writes it, if it may be what it is taken for or not: it is where that is checked.
    pub written: Option<Expr>,
    /// The windows it looks through, each with the part that it must lie in.
    pub windows: Vec<(Part, (Expr, Expr))>,
    /// Where the access is read, if it is an error to leave the part there and nowhere else: all of these hold.
    pub only: Vec<Expr>,
}

/// A loop each of whose iterations reads `by` elements that follow each other: iteration `i` those from
/// `i * by + from` on.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The loop.
    pub index: VarId,
    /// How many elements a group has.
    pub by: Expr,
    /// Where group 0 starts.
    pub from: Expr,
    /// How many groups there are, if they make up the whole dimension.
    pub count: Option<Expr>,
    /// Whether the last of them ends where the dimension does.
    pub whole: bool,
}

impl Group {
    /// Where the group of iteration `i` starts.
    pub fn start(&self, i: &Expr) -> Expr {
        sum(&scaled(i, &self.by), &self.from)
    }
}

/// `e * by`, folded where that is plain.
pub fn scaled(e: &Expr, by: &Expr) -> Expr {
    match (e, by) {
        (e, Expr::Lit(Lit::Int(1))) => e.clone(),
        (Expr::Lit(Lit::Int(0)), _) => Expr::int(0),
        (e, by) => Expr::call(Op::Mul, [e.clone(), by.clone()]),
    }
}

/// What an access is outside of a part of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// `missing`: what `permit` gives.
    Missing,
    /// The fill: nobody asks, since a condition around it says where it is.
    Fill,
    /// An error.
    Refused,
}

/// A part of a dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// All of it.
    Whole,
    /// A window.
    Window(Expr, Expr),
    /// Anywhere, in it or not: what `permit` allows.
    Anywhere,
}

impl View {
    /// The dimension as it is.
    pub fn plain() -> View {
        let (clips, windows) = (Vec::new(), Vec::new());
        View {
            stride: None,
            clips,
            part: Part::Whole,
            checked: false,
            derived: false,
            inside: false,
            repeats: None,
            groups: Vec::new(),
            exact: None,
            written: None,
            windows,
            only: Vec::new(),
        }
    }
    /// Whether the access may be `missing` in itself.
    pub fn may_be_missing(&self) -> bool {
        self.clips.iter().any(|(_, outside)| *outside == Outside::Missing)
    }
}

impl Part {
    /// Its first coordinate and one past its last, in a dimension of size `len`.
    pub fn bounds(&self, len: &Expr) -> Option<(Expr, Expr)> {
        match self {
            Part::Whole => Some((Expr::int(0), len.clone())),
            Part::Window(lo, hi) => Some((lo.clone(), hi.clone())),
            Part::Anywhere => None,
        }
    }
}

impl Index {
    /// The coordinate at `at`, a value of the loop index.
    pub fn coordinate(&self, at: &Expr) -> Expr {
        let shift = match &self.kind {
            IndexKind::Affine(_, shift) => shift,
            IndexKind::Digit(_, digit) if self.view.clips.is_empty() => return digit.of(at),
            IndexKind::Digit(_, digit) => return divisible(&digit.of(at)),
            IndexKind::Opaque(_) => return at.clone(),
        };
        let scaled = match &self.view.stride {
            Some(s) => Expr::call(Op::Mul, [s.clone(), at.clone()]),
            None => at.clone(),
        };
        sum(&scaled, shift)
    }
    /// The loop index that it is unfurled along.
    pub fn along(&self) -> Option<VarId> {
        match &self.kind {
            IndexKind::Affine(v, _) => Some(*v),
            IndexKind::Digit(v, digit) => {
                (digit.modulo.is_none() || self.view.repeats.is_some()).then_some(*v)
            }
            IndexKind::Opaque(_) => None,
        }
    }
    /// Every expression in it but the loop index.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut out = match &self.kind {
            IndexKind::Affine(_, e) | IndexKind::Opaque(e) => vec![e],
            IndexKind::Digit(_, digit) => {
                [&digit.shift, &digit.by].into_iter().chain(&digit.modulo).collect()
            }
        };
        out.extend(self.view.stride.iter().chain(&self.view.repeats));
        out.extend(self.view.exact.iter().chain(&self.view.written).chain(&self.view.only));
        out.extend(self.view.groups.iter().flat_map(|g| [&g.by, &g.from]));
        for part in self.view.clips.iter().map(|(part, _)| part).chain([&self.view.part]) {
            if let Part::Window(lo, hi) = part {
                out.extend([lo, hi]);
            }
        }
        out
    }
}

/// `e`, which may be computed where sizes that it divides by are 0, and nothing is read.
pub fn divisible(e: &Expr) -> Expr {
    e.map(&mut |e| match e {
        Expr::Call(op @ (Op::Div | Op::Rem), args) if !matches!(args[1], Expr::Lit(_)) => {
            let by = Expr::call(Op::Max, [Expr::int(1), divisible(&args[1])]);
            Some(Expr::call(op.clone(), [divisible(&args[0]), by]))
        }
        _ => None,
    })
}

/// `a + b`, folded where that is plain.
pub fn sum(a: &Expr, b: &Expr) -> Expr {
    match (a, b) {
        (_, Expr::Lit(Lit::Int(n))) => a.plus(*n),
        (Expr::Lit(Lit::Int(n)), _) => b.plus(*n),
        (_, Expr::Call(op, args)) if *op == Op::Neg => difference(a, &args[0]),
        _ => Expr::call(Op::Add, [a.clone(), b.clone()]),
    }
}

/// `a - b`, folded where that is plain.
pub fn difference(a: &Expr, b: &Expr) -> Expr {
    match b {
        _ if a == b => Expr::int(0),
        Expr::Lit(Lit::Int(n)) => a.plus(-n),
        Expr::Call(op, args) if *op == Op::Neg => sum(a, &args[0]),
        _ if *a == Expr::int(0) => Expr::call(Op::Neg, [b.clone()]),
        _ => crate::prove::Affine::of(&Expr::call(Op::Sub, [a.clone(), b.clone()])).to_expr(),
    }
}
