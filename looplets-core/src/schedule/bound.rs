//! Which costs are bounded by others, whatever sizes and entries are: constants do not count.
//!
//! A cost is a sum of products of powers of sizes and entries. A product is bounded by another if the quotient of both grows
//! in none of them. A tensor stores no more entries than the product of its sizes, so entries in a numerator
//! may be replaced by that. It is enough to look at each size: in logarithms the quotient is linear, and all of its
//! greatest values are where each number of entries is 1 or all there is room for.

use super::cost::{Atom, Cost};
use std::collections::{BTreeMap, BTreeSet};

/// A product of powers.
type Powers = BTreeMap<Atom, i32>;

/// How many products are looked at before a bound is taken not to hold.
const MOST_LOOKS: usize = 20_000;

/// Of how many terms each is compared with all others, to leave out what they bound.
const MOST_COMPARED: usize = 40;

/// What is known of the tensors: the sizes of each.
pub struct Facts<'a>(pub &'a [(String, Vec<Cost>)]);

/// What is multiplied in one term of a cost.
fn products(cost: &Cost) -> Vec<Powers> {
    cost.terms().map(|(_, powers)| powers.map(|(a, n)| (a.clone(), n)).collect()).collect()
}

/// `p` by so many of `atom` more.
fn with(p: &Powers, atom: &Atom, power: i32) -> Powers {
    let mut out = p.clone();
    *out.entry(atom.clone()).or_insert(0) += power;
    out.retain(|_, power| *power != 0);
    out
}

/// `p * q`, or `p / q`.
fn times(p: &Powers, q: &Powers, sign: i32) -> Powers {
    q.iter().fold(p.clone(), |p, (atom, power)| with(&p, atom, sign * power))
}

/// A least one or a sum in `p`, with the sign of its power, and `p` with that once less.
fn composite(p: &Powers) -> Option<(&Atom, i32, Powers)> {
    let (atom, power) = p.iter().find(|(a, _)| matches!(a, Atom::Least(_) | Atom::Group(_)))?;
    let sign = power.signum();
    Some((atom, sign, with(p, atom, -sign)))
}

impl Facts<'_> {
    /// Whether the cost `all` is no more than `by`, and a constant number of steps.
    pub fn bounded(&self, all: &Cost, by: &Cost) -> bool {
        let mut by = products(by);
        by.push(Powers::new());
        let mut looks = 0;
        products(all).iter().all(|p| self.product(p, &by, &mut looks))
    }

    /// The terms of `all` that others of them do not bound, each once, without numbers; of very many all that differ.
    pub fn leading(&self, all: &[&Cost]) -> Cost {
        let mut seen = BTreeSet::new();
        let mut all: Vec<Powers> = all.iter().flat_map(|c| products(c)).collect();
        all.retain(|p| seen.insert(p.clone()));
        if all.len() > MOST_COMPARED {
            return all.iter().fold(Cost::zero(), |sum, p| with_term(sum, &plain(p)));
        }
        let mut kept: Vec<Powers> = Vec::new();
        for (n, p) in all.iter().enumerate() {
            let mut looks = 0;
            let mut bounds =
                |p: &Powers, by: &Powers| self.product(p, std::slice::from_ref(by), &mut looks);
            let before = kept.iter().any(|other| bounds(p, other));
            let behind = all[n + 1..].iter().any(|other| bounds(p, other) && !bounds(other, p));
            if !before && !behind {
                kept.push(p.clone());
            }
        }
        kept.iter().fold(Cost::zero(), |sum, p| sum.plus(&plain(p)))
    }

    /// Whether the product `p` is no more than some of `by`.
    fn product(&self, p: &Powers, by: &[Powers], looks: &mut usize) -> bool {
        *looks += 1;
        if *looks > MOST_LOOKS {
            return false;
        }
        let Some((atom, sign, rest)) = composite(p) else {
            return by.iter().any(|q| self.below(p, q, looks));
        };
        let mut each = |q: &Powers| self.product(&times(&rest, q, sign), by, looks);
        match (atom, sign) {
            // To divide by a sum is to divide by each of its terms and more.
            (Atom::Group(cost), 1) => products(cost).iter().all(each),
            (Atom::Group(cost), _) => products(cost).iter().any(each),
            (Atom::Least(all), 1) => all.iter().any(|c| products(c).iter().all(&mut each)),
            (Atom::Least(all), _) => all.iter().all(|c| products(c).iter().any(&mut each)),
            _ => false,
        }
    }

    /// Whether the product `p`, of sizes and entries alone, is no more than `q`.
    fn below(&self, p: &Powers, q: &Powers, looks: &mut usize) -> bool {
        *looks += 1;
        if *looks > MOST_LOOKS {
            return false;
        }
        let Some((atom, sign, rest)) = composite(q) else {
            return self.grows_in_none(&times(p, q, -1));
        };
        let mut each = |r: &Powers| self.below(p, &times(&rest, r, sign), looks);
        match (atom, sign) {
            (Atom::Group(cost), 1) => products(cost).iter().any(each),
            (Atom::Group(cost), _) => products(cost).iter().all(each),
            (Atom::Least(all), 1) => all.iter().all(|c| products(c).iter().any(&mut each)),
            (Atom::Least(all), _) => all.iter().any(|c| products(c).iter().all(&mut each)),
            _ => false,
        }
    }

    fn grows_in_none(&self, quotient: &Powers) -> bool {
        let mut sizes = Powers::new();
        for (atom, power) in quotient {
            let Atom::Stored(tensor) = atom else {
                sizes = with(&sizes, atom, *power);
                continue;
            };
            if *power < 0 {
                continue;
            }
            // At most as many as there is room for.
            let Some((_, dims)) = self.0.iter().find(|(name, _)| name == tensor) else {
                return false;
            };
            for dim in dims {
                let [of] = &products(dim)[..] else { return false };
                sizes = (0..*power).fold(sizes, |all, _| times(&all, of, 1));
            }
            if dims.is_empty() {
                return false;
            }
        }
        sizes.values().all(|power| *power <= 0)
    }
}

/// The product `p`, without the numbers in what it is made of.
fn plain(p: &Powers) -> Cost {
    let bare = |c: &Cost| products(c).iter().fold(Cost::zero(), |sum, p| with_term(sum, &plain(p)));
    p.iter().fold(Cost::number(1.0), |all, (atom, power)| {
        let one = match atom {
            Atom::Least(costs) => Cost::least(costs.iter().map(bare)),
            Atom::Group(cost) => bare(cost),
            other => Cost::atom(other.clone()),
        };
        (0..power.unsigned_abs()).fold(all, |all, _| match *power > 0 {
            true => all.times(&one),
            false => all.over(&one),
        })
    })
}

/// `sum` and `term`, unless that is in it.
fn with_term(sum: Cost, term: &Cost) -> Cost {
    let own = products(term);
    let there = products(&sum);
    match own.iter().all(|p| there.contains(p)) {
        true => sum,
        false => sum.plus(term),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn len(index: &str) -> Cost {
        let dim = usize::from(index == "j");
        Cost::atom(Atom::Len { tensor: "a".into(), dim, index: index.into() })
    }
    fn stored(tensor: &str) -> Cost {
        Cost::atom(Atom::Stored(tensor.into()))
    }

    /// Of a matrix `a` over `i` and `j`, a vector `x` over `j`, and a tensor `u` of sizes that are not known.
    fn holds(all: &Cost, by: &Cost) -> bool {
        let dims = [
            ("a".to_owned(), vec![len("i"), len("j")]),
            ("x".to_owned(), vec![len("j")]),
            ("u".to_owned(), Vec::new()),
        ];
        Facts(&dims).bounded(all, by)
    }

    #[test]
    fn a_term_is_bounded_by_one_that_grows_as_it_does() {
        let (i, j, a) = (len("i"), len("j"), stored("a"));
        assert!(holds(&i.clone().plus(&a), &a.clone().plus(&len("i"))));
        assert!(!holds(&i, &a));
        assert!(!holds(&i.times(&j), &i.clone().plus(&j)));
        assert!(holds(&a.times(&Cost::number(900.0)), &a));
        assert!(holds(&Cost::number(900.0), &a), "constants do not count");
        assert!(holds(&Cost::zero(), &a));
        assert!(!holds(&a.times(&a), &a));
        assert!(holds(&a.times(&stored("x")).over(&j), &a), "`x` stores no more than `j` has");
        assert!(!holds(&a.times(&a).over(&j), &a));
    }

    #[test]
    fn a_tensor_stores_no_more_than_there_is_room_for() {
        let (i, j, a) = (len("i"), len("j"), stored("a"));
        assert!(holds(&a, &i.times(&j)));
        assert!(holds(&a.times(&stored("x")), &i.times(&j).times(&j)));
        assert!(!holds(&a.times(&stored("x")), &i.times(&j)));
        assert!(!holds(&stored("u"), &i.times(&j)));
        assert!(holds(&stored("u"), &stored("u")));
        assert!(!holds(&a, &i));
    }

    #[test]
    fn the_least_of_several_is_bounded_by_either_and_bounds_what_both_do() {
        let (i, j, a) = (len("i"), len("j"), stored("a"));
        let least = Cost::least([a.clone(), i.times(&j)]);
        assert!(holds(&least, &a));
        assert!(holds(&least.times(&i), &a.times(&i)));
        assert!(holds(&a, &least));
        let rows = Cost::least([i.clone(), a.clone()]);
        assert!(holds(&rows, &i));
        assert!(!holds(&i, &rows));
        assert!(!holds(&a, &rows));
        assert!(holds(&a.over(&rows).times(&rows), &a));
        assert!(holds(&a.over(&i), &a.over(&rows)));
        assert!(holds(&a.over(&rows), &a.over(&i)), "one step is always allowed");
        let sum = i.clone().plus(&j);
        assert!(holds(&a.over(&sum), &a.over(&i)));
        assert!(!holds(&a.over(&i), &a.over(&sum)));
    }

    #[test]
    fn what_others_bound_is_left_out() {
        let dims = [("a".to_owned(), vec![len("i"), len("j")])];
        let facts = Facts(&dims);
        let (i, a) = (len("i"), stored("a"));
        let twice = a.times(&Cost::number(2.0));
        let told = |all: &[&Cost]| facts.leading(all).to_string();
        assert_eq!(told(&[&i, &twice, &a, &Cost::number(7.0)]), "len(i) + stored(a)");
        assert_eq!(told(&[&a, &i.times(&len("j")), &i]), "len(i) * len(j)");
        assert_eq!(told(&[&Cost::number(3.0)]), "1");
        assert_eq!(told(&[]), "0");
        let rows = Cost::least([twice, i]);
        assert_eq!(told(&[&rows.times(&len("j"))]), "len(j) * min(stored(a), len(i))");
    }
}
