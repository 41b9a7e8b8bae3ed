//! What stands between the brackets of an access: how it refers to loops, and what modifiers make of it.

use crate::cin::*;
use proc_macro2::Span;

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
    /// Any other expression: random access.
    Opaque(Expr),
}

/// What the modifiers of an index say (Looplets section 7), in the coordinates of the tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The coordinate is so many times the loop index, plus the shift.
    pub stride: Option<Expr>,
    /// Outside of these the access is `missing`.
    pub clips: Vec<Part>,
    /// Where the index may take the access.
    pub part: Part,
    /// Whether the loop may leave that part, so that each access outside of it is an error.
    pub checked: bool,
    /// The windows it looks through, each with the part that it must lie in.
    pub windows: Vec<(Part, (Expr, Expr))>,
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
        View { stride: None, clips, part: Part::Whole, checked: false, windows }
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
        let IndexKind::Affine(_, shift) = &self.kind else { return at.clone() };
        let scaled = match &self.view.stride {
            Some(s) => Expr::call(Op::Mul, [s.clone(), at.clone()]),
            None => at.clone(),
        };
        sum(&scaled, shift)
    }
    /// Every expression in it but the loop index.
    pub fn parts(&self) -> Vec<&Expr> {
        let kind = match &self.kind {
            IndexKind::Affine(_, e) | IndexKind::Opaque(e) => e,
        };
        let mut out = vec![kind];
        out.extend(&self.view.stride);
        for part in self.view.clips.iter().chain([&self.view.part]) {
            if let Part::Window(lo, hi) = part {
                out.extend([lo, hi]);
            }
        }
        out
    }
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
