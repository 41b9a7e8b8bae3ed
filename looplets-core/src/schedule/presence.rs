//! Where something is stored of an expression: a union of intersections of the positions of operands. A tensor that stands at one
//! position twice is stored there in both places or in neither, so its chance counts once.

use super::branches::same;
use super::cost::Cost;
use crate::ast::Index;
use proc_macro2::Ident;

/// How many intersections are looked at one by one; of more of them, chances are taken to be independent.
const MOST: usize = 64;

/// That something is stored of `tensor` at the coordinates `at`, outermost first: an entry, or a fiber that is not empty.
#[derive(Clone)]
pub struct Stored<'e> {
    tensor: &'e Ident,
    at: &'e [Index],
    chance: Cost,
}

impl Stored<'_> {
    /// Whether where this is stored, `other` is too: its coordinates are the first of these.
    fn implies(&self, other: &Stored<'_>) -> bool {
        self.tensor == other.tensor
            && self.at.len() >= other.at.len()
            && self.at.iter().zip(other.at).all(|(a, b)| same(&a.expr, &b.expr))
    }
}

/// All of which has to be stored, none of it implied by another.
pub type Together<'e> = Vec<Stored<'e>>;

fn implies(all: &[Stored<'_>], other: &[Stored<'_>]) -> bool {
    other.iter().all(|b| all.iter().any(|a| a.implies(b)))
}

/// Where something is there.
#[derive(Clone)]
pub enum Presence<'e> {
    /// Everywhere.
    Always,
    /// Where all of one of these is stored.
    Where(Vec<Together<'e>>),
    /// With a chance that is taken to depend on nothing.
    Likely(Cost),
}

impl<'e> Presence<'e> {
    /// Nowhere by itself.
    pub fn never() -> Self {
        Presence::Where(Vec::new())
    }
    /// Where `tensor` stores something at the coordinates `at`, which is so with `chance`.
    pub fn stored(tensor: &'e Ident, at: &'e [Index], chance: Cost) -> Self {
        Presence::Where(vec![vec![Stored { tensor, at, chance }]])
    }
    /// Where both are.
    pub fn both(self, other: Self) -> Self {
        match (self, other) {
            (Presence::Always, other) | (other, Presence::Always) => other,
            (Presence::Where(a), Presence::Where(b)) if a.len() * b.len() <= MOST => {
                let mut out = Vec::new();
                for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
                    let mut all = a.clone();
                    for one in b.iter().filter(|one| !implies(a, std::slice::from_ref(one))) {
                        all.retain(|own| !one.implies(own));
                        all.push(one.clone());
                    }
                    gather(&mut out, all);
                }
                Presence::Where(out)
            }
            (a, b) => match (a.chance(), b.chance()) {
                (Some(a), Some(b)) => Presence::Likely(a.times(&b)),
                _ => Presence::Always,
            },
        }
    }
    /// Where either is.
    pub fn either(self, other: Self) -> Self {
        match (self, other) {
            (Presence::Always, _) | (_, Presence::Always) => Presence::Always,
            (Presence::Where(mut a), Presence::Where(b)) if a.len() + b.len() <= MOST => {
                b.into_iter().for_each(|one| gather(&mut a, one));
                Presence::Where(a)
            }
            (a, b) => match (a.chance(), b.chance()) {
                (Some(a), Some(b)) if a == b => Presence::Likely(a),
                (Some(a), Some(b)) => Presence::Likely(a.plus(&b)),
                _ => Presence::Always,
            },
        }
    }
    /// How likely it is, each operand by itself; none where it always is.
    pub fn chance(&self) -> Option<Cost> {
        let one = |all: &Together<'_>| {
            all.iter().fold(Cost::number(1.0), |product, s| product.times(&s.chance))
        };
        match self {
            Presence::Always => None,
            Presence::Likely(chance) => Some(chance.clone()),
            Presence::Where(all) => {
                Some(all.iter().fold(Cost::zero(), |sum, part| sum.plus(&one(part))))
            }
        }
    }
}

/// Adds `part` to the union `all`, unless it lies within one of its parts.
fn gather<'e>(all: &mut Vec<Together<'e>>, part: Together<'e>) {
    if !all.iter().any(|other| implies(&part, other)) {
        all.retain(|other| !implies(other, &part));
        all.push(part);
    }
}

/// What a loop goes along: the entries of `tensor` in the fiber that the coordinates `at` choose, the last of which is the loop's own.
#[derive(Clone)]
pub struct Fiber<'e> {
    tensor: &'e Ident,
    at: &'e [Index],
}

impl<'e> Fiber<'e> {
    /// The fiber of `tensor` whose coordinates, with that of the entry, are `at`.
    pub fn new(tensor: &'e Ident, at: &'e [Index]) -> Self {
        Fiber { tensor, at }
    }
}

impl PartialEq for Fiber<'_> {
    fn eq(&self, other: &Self) -> bool {
        let alike = |a: &Index, b: &Index| same(&a.expr, &b.expr) && a.protocol == b.protocol;
        self.tensor == other.tensor
            && self.at.len() == other.at.len()
            && self.at.iter().zip(other.at).all(|(a, b)| alike(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;

    /// `a[i, k]` and the like: the name and its indices, each a letter.
    fn access(text: &str) -> (Ident, Vec<Index>) {
        let ident = |c: char| Ident::new(&c.to_string(), Span::call_site());
        let index = |c| Index { expr: crate::ast::Expr::Name(ident(c)), protocol: None };
        let mut letters = text.chars();
        (ident(letters.next().expect("a name")), letters.map(index).collect())
    }

    /// How likely all of `texts` are there, or one of them, with a chance of a half each.
    fn chance(texts: &[&str], both: bool) -> f64 {
        let all: Vec<_> = texts.iter().map(|text| access(text)).collect();
        let of = all.iter().map(|(name, at)| Presence::stored(name, at, Cost::number(0.5)));
        let joined =
            of.reduce(|a, b| if both { a.both(b) } else { a.either(b) }).expect("one at least");
        joined.chance().expect("not always").flat(&[]).at(&[])
    }

    #[test]
    fn one_position_is_one_event() {
        assert_eq!(chance(&["aik", "aik"], true), 0.5);
        assert_eq!(chance(&["aik", "aki"], true), 0.25);
        assert_eq!(chance(&["aik", "bik", "aik"], true), 0.25);
        assert_eq!(chance(&["aik", "aik"], false), 0.5);
        assert_eq!(chance(&["aik", "bik"], false), 1.0);
    }

    #[test]
    fn an_entry_is_in_a_fiber_that_is_not_empty() {
        assert_eq!(chance(&["ai", "aik"], true), 0.5);
        assert_eq!(chance(&["aik", "ai"], true), 0.5);
        assert_eq!(chance(&["aik", "ai", "aij"], true), 0.25);
        assert_eq!(chance(&["ai", "aik"], false), 0.5);
    }

    #[test]
    fn what_is_always_there_changes_no_product_and_every_sum() {
        let (name, at) = access("aik");
        let stored = || Presence::stored(&name, &at, Cost::number(0.5));
        assert!(Presence::Always.both(stored()).chance().is_some());
        assert!(Presence::Always.either(stored()).chance().is_none());
        assert!(stored().either(Presence::never()).chance().is_some());
    }
}
