//! The conditions of the standard rules. Each looks at facts about classes and at nothing else.

use looplets_core::cin::Lit;
use looplets_core::simplify::{locals, Binding, Graph, Kind, Leaf, Node, Sym, Test};

/// The conditions by name, with the number of variables each looks at (0: any).
pub const ALL: &[(&str, usize, Test)] = &[
    ("above_all", 1, above_all),
    ("absorbs", 1, absorbs),
    ("at_most", 2, at_most),
    ("below_all", 1, below_all),
    ("boolean", 0, boolean),
    ("empty", 2, empty),
    ("exact", 0, exact),
    ("fits", 2, fits),
    ("fractional", 0, fractional),
    ("harmless", 0, harmless),
    ("idempotent", 1, idempotent),
    ("integer", 0, integer),
    ("invariant", 0, invariant),
    ("not_negative", 1, not_negative),
    ("not_positive", 1, not_positive),
    ("number", 0, number),
    ("positive", 0, positive),
    ("present", 0, present),
    ("scalar", 0, scalar),
    ("stored", 0, stored),
    ("total", 0, total),
    ("unbounded", 0, unbounded),
    ("unlimited", 0, unlimited),
    ("untouched", 0, untouched),
    ("unwritten", 0, unwritten),
    ("without", 2, without),
    ("writes_only", 2, writes_only),
];

fn all(
    g: &Graph,
    bound: &[&Binding],
    holds: impl Fn(&Graph, looplets_core::simplify::Id) -> bool,
) -> bool {
    bound.iter().all(|b| b.ids().iter().all(|id| holds(g, *id)))
}

/// Integers or bools that are never `missing`: mathematics holds for them, save where sums wrap.
pub fn exact(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g.is_exact(id))
}

/// As `exact`, and sums of them do not wrap: coordinates and numbers of them, no `u8`.
pub fn unlimited(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, Graph::is_unlimited)
}

/// None of them is known to be of an integer type whose sums and products wrap.
pub fn unbounded(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].kind != Kind::Int || !g[id].wraps)
}

/// Of an integer type, never `missing`.
pub fn integer(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].kind == Kind::Int && !g[id].missing)
}

/// The second needs no conversion to the type of the first that may fail: few types hold all indices.
pub fn fits(g: &Graph, b: &[&Binding]) -> bool {
    let (place, value) = (&g[b[0].id()], &g[b[1].id()]);
    !place.wraps || value.wraps || value.kind == Kind::Bool || value.constant.is_some()
}

/// None of them is known to be of an integer type.
pub fn fractional(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].kind != Kind::Int || g[id].missing)
}

/// Never `missing`, so that not evaluating it loses nothing.
pub fn present(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| !g[id].missing)
}

/// Infinity, or NaN, which loses against numbers too; never `missing`.
pub fn above_all(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].infinite.above && !g[id].missing)
}

/// Minus infinity, or NaN, which loses against numbers too; never `missing`.
pub fn below_all(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].infinite.below && !g[id].missing)
}

/// Known to be bools, never `missing`.
pub fn boolean(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].kind == Kind::Bool && !g[id].missing)
}

/// What is left is a number also when it stands alone: a lone bool would not be.
pub fn number(g: &Graph, b: &[&Binding]) -> bool {
    b.iter().all(|b| !matches!(b.ids(), [only] if g[*only].kind == Kind::Bool))
}

/// Evaluating it where the program would not is harmless, and it times 0 is 0: no memory is read,
/// and it is neither infinite nor NaN.
pub fn harmless(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| {
        let finite = match &g[id].constant {
            Some(Lit::Float(bits)) => f64::from_bits(*bits).is_finite(),
            _ => g.is_exact(id),
        };
        g[id].total && finite
    })
}

/// Evaluating it where the program would not is harmless: no memory is read, nothing is divided.
pub fn total(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g[id].total)
}

/// A scalar variable: updating it by nothing leaves no trace, as an entry of a tensor might.
pub fn scalar(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| g.variable(id).is_some())
}

/// The first, a variable, does not occur in the others.
pub fn invariant(g: &Graph, b: &[&Binding]) -> bool {
    let Some(index) = g.variable(b[0].id()) else {
        return false;
    };
    all(g, &b[1..], |g, id| !g[id].free.contains(index))
}

/// Writing the first, a place, changes neither the others nor where the place is.
pub fn untouched(g: &Graph, b: &[&Binding]) -> bool {
    let place = b[0].id();
    g.nodes(place).iter().all(|node| match node {
        Node::Leaf(Leaf::Var(v)) => unread(g, v.0, &b[1..]),
        Node::Leaf(Leaf::Access(a)) => unread(g, a.0, &b[1..]),
        Node::Call(Sym::LOAD, args) => {
            let index = Binding::One(args[1]);
            g[args[0]].reads.iter().all(|a| unread(g, a, &b[1..]) && unread(g, a, &[&index]))
        }
        _ => true,
    })
}

fn unread(g: &Graph, written: u32, b: &[&Binding]) -> bool {
    all(g, b, |g, id| !g[id].reads.iter().any(|read| g.overlap(written, read)))
}

/// The first, a statement, writes nothing that the second reads.
pub fn unwritten(g: &Graph, b: &[&Binding]) -> bool {
    g[b[0].id()].writes.iter().all(|written| unread(g, written, &b[1..]))
}

/// The operator of an assignment that makes no difference the second time (`=` is one).
pub fn idempotent(g: &Graph, b: &[&Binding]) -> bool {
    let op = g.operator(b[0].id());
    op.is_some_and(|op| *op == Sym::SET || op.is_idempotent())
}

/// A function that `missing` absorbs: all but those made to look at it.
pub fn absorbs(_: &Graph, b: &[&Binding]) -> bool {
    !matches!(b[0], Binding::Head(Sym::IFELSE | Sym::COALESCE))
}

/// A loop of these bounds has no iteration.
pub fn empty(g: &Graph, b: &[&Binding]) -> bool {
    g.same(b[0].id(), b[1].id()) || at_most(g, &[b[1], b[0]])
}

fn low(g: &Graph, b: &Binding) -> Option<i128> {
    b.ids().iter().try_fold(0i128, |sum, id| {
        let lo = g[*id].range.filter(|_| g.is_exact(*id))?.0;
        sum.checked_add(lo).filter(|_| lo != i128::MIN)
    })
}

fn high(g: &Graph, b: &Binding) -> Option<i128> {
    b.ids().iter().try_fold(0i128, |sum, id| {
        let hi = g[*id].range.filter(|_| g.is_exact(*id))?.1;
        sum.checked_add(hi).filter(|_| hi != i128::MAX)
    })
}

/// The first (or the sum of a rest) is known to be at most the second.
pub fn at_most(g: &Graph, b: &[&Binding]) -> bool {
    matches!((high(g, b[0]), low(g, b[1])), (Some(a), Some(b)) if a <= b)
}

/// The sum is known to be 0 or more.
pub fn not_negative(g: &Graph, b: &[&Binding]) -> bool {
    low(g, b[0]).is_some_and(|n| n >= 0)
}

/// The sum is known to be 0 or less.
pub fn not_positive(g: &Graph, b: &[&Binding]) -> bool {
    high(g, b[0]).is_some_and(|n| n <= 0)
}

fn owner(g: &Graph, leaf: u32, locals: &Binding) -> Option<bool> {
    let tensor = g.leaf(leaf).tensor?;
    Some(self::locals(g, locals.id()).contains(&tensor))
}

/// The first, a statement, writes parts of the tensors of the second and nothing else.
pub fn writes_only(g: &Graph, b: &[&Binding]) -> bool {
    g[b[0].id()].writes.iter().all(|leaf| owner(g, leaf, b[1]) == Some(true))
}

/// The first, a statement, names no part of the tensors of the second.
pub fn without(g: &Graph, b: &[&Binding]) -> bool {
    let known = &g[b[0].id()];
    known.reads.iter().chain(known.writes.iter()).all(|leaf| {
        // Rust tokens could name a workspace; indices and parameters are part of none.
        !g.leaf(leaf).raw && owner(g, leaf, b[1]) != Some(true)
    })
}

/// Read from what a tensor stores: neither a literal nor an access that may yet turn out to be fill.
pub fn stored(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| {
        let known = &g[id];
        let array = |leaf: u32| g.leaf(leaf).array;
        known.constant.is_none()
            && known.reads.iter().any(array)
            && !known.reads.iter().any(|leaf| g.leaf(leaf).access)
    })
}

/// Elements of arrays themselves, which no simplification makes anything else of.
pub fn loaded(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| {
        g.nodes(id).iter().any(|node| matches!(node, Node::Call(sym, _) if *sym == Sym::LOAD))
    })
}

/// A literal above zero.
pub fn positive(g: &Graph, b: &[&Binding]) -> bool {
    all(g, b, |g, id| match &g[id].constant {
        Some(Lit::Int(n)) => *n > 0,
        Some(Lit::Float(bits)) => f64::from_bits(*bits) > 0.0,
        _ => false,
    })
}
