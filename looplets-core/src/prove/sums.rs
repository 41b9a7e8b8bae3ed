//! Sums of more than two terms, which the graph of differences holds as nodes of their own.

use super::difference::Node;

/// `sum of coefficient * node`, sorted by node.
pub type Terms = Vec<(Node, i64)>;

/// A node equal to a linear form of others that is no difference of two.
pub struct Composite {
    /// The node of the whole.
    pub node: Node,
    /// At least two, without common divisor, the first coefficient positive.
    pub terms: Terms,
    /// Not yet seen by the inference.
    pub pending: bool,
}

/// Two composites that share most of their terms: `this == sign * that + rest`.
pub struct Relation {
    /// The node of the one.
    pub this: Node,
    /// The node of the other.
    pub that: Node,
    /// 1 or -1.
    pub sign: i64,
    /// What they do not share; a node may occur twice.
    pub rest: Terms,
    /// Not yet seen by the inference.
    pub pending: bool,
}

/// Whether the terms are `x - y`, which needs no node of its own.
pub fn is_difference(key: &Terms) -> bool {
    matches!(&key[..], [(_, 1), (_, -1)])
}

/// The terms divided by their common divisor, the first coefficient positive; the divisor; and
/// whether the sign was kept.
pub fn primitive(terms: &Terms) -> (Terms, i64, bool) {
    let mut divisor = 0i64;
    for (_, c) in terms {
        let (mut a, mut b) = (divisor, c.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        divisor = a;
    }
    let positive = terms.first().is_none_or(|(_, c)| *c > 0);
    let by = if positive { divisor } else { -divisor };
    (terms.iter().map(|(n, c)| (*n, c / by)).collect(), divisor.max(1), positive)
}

/// `a - sign * b` if it is shorter than `a`; terms whose coefficients differ stay apart.
pub fn difference(a: &Terms, b: &Terms, sign: i64) -> Option<Terms> {
    let shared = b.iter().filter(|(n, c)| a.contains(&(*n, sign * c))).count();
    if 2 * shared <= b.len() {
        return None;
    }
    let mut rest = a.clone();
    for (node, c) in b {
        match rest.iter().position(|term| *term == (*node, sign * c)) {
            Some(at) => drop(rest.remove(at)),
            None => rest.push((*node, -sign * c)),
        }
    }
    Some(rest)
}
