//! Which costs are bounded by others, whatever sizes and entries are: constants do not count.
//!
//! A cost is a sum of products of powers of sizes and entries. A product is bounded by another if the quotient of both grows
//! in none of them. A tensor stores no more entries than the product of its sizes, so entries in a numerator
//! may be replaced by that. It is enough to look at each size: in logarithms the quotient is linear, and all of its
//! greatest values are where each number of entries is 1 or all there is room for.

use super::cost::{Atom, Cost};
use std::collections::{BTreeMap, BTreeSet};

/// How many products are looked at before a bound is taken not to hold.
const MOST_LOOKS: usize = 20_000;

/// Of how many terms each is compared with all others, to leave out what they bound.
const MOST_COMPARED: usize = 40;

/// What is known of the tensors: the sizes of each.
pub struct Facts<'a>(pub &'a [(String, Vec<Cost>)]);

impl Facts<'_> {
    /// Whether the cost `all` is no more than `by`, and a constant number of steps.
    pub fn bounded(&self, all: &Cost, by: &Cost) -> bool {
        let mut atoms = Atoms::default();
        let all = atoms.products(all);
        let mut by = atoms.products(by);
        by.push(Product::new());
        let bounds = atoms.bounds(self);
        let mut looks = 0;
        all.iter().all(|p| bounds.product(p, &by, &mut looks))
    }

    /// The terms of `all` that others of them do not bound, each once, without numbers; of very many all that differ.
    pub fn leading(&self, all: &[&Cost]) -> Cost {
        let mut seen = BTreeSet::new();
        let mut all: Vec<Powers> = all.iter().flat_map(|c| products(c)).collect();
        all.retain(|p| seen.insert(p.clone()));
        if all.len() > MOST_COMPARED {
            return all.iter().fold(Cost::zero(), |sum, p| with_term(sum, &plain(p)));
        }
        let mut atoms = Atoms::default();
        let numbered: Vec<Product> = all
            .iter()
            .map(|p| atoms.product(p.iter().map(|(atom, power)| (atom, *power))))
            .collect();
        let bounds = atoms.bounds(self);
        let mut kept: Vec<usize> = Vec::new();
        for (n, p) in numbered.iter().enumerate() {
            let mut looks = 0;
            let mut below =
                |p: &Product, by: &Product| bounds.product(p, std::slice::from_ref(by), &mut looks);
            let before = kept.iter().any(|other| below(p, &numbered[*other]));
            let behind = numbered[n + 1..].iter().any(|other| below(p, other) && !below(other, p));
            if !before && !behind {
                kept.push(n);
            }
        }
        kept.iter().fold(Cost::zero(), |sum, n| sum.plus(&plain(&all[*n])))
    }
}

/// A product of powers of atoms by their numbers in [`Atoms`], in order of the numbers, no power of which is 0. The search
/// for a bound makes many of them.
type Product = Vec<(usize, i32)>;

/// The atoms of the costs that are compared, each with what it is made of. An atom has a lower number than those that it is
/// part of.
#[derive(Default)]
struct Atoms {
    numbers: BTreeMap<Atom, usize>,
    parts: Vec<Part>,
}

/// What is asked of an atom.
enum Part {
    /// A size, or a factor of which nothing else is known.
    Size,
    /// The entries of a tensor, of which there are no more than `room`, if that is known.
    Stored { room: Option<Product> },
    /// A sum.
    Group(Vec<Product>),
    /// The least of some sums.
    Least(Vec<Vec<Product>>),
}

impl Atoms {
    fn products(&mut self, cost: &Cost) -> Vec<Product> {
        cost.terms().map(|(_, powers)| self.product(powers)).collect()
    }

    fn product<'a>(&mut self, powers: impl Iterator<Item = (&'a Atom, i32)>) -> Product {
        let mut out: Product = powers.map(|(atom, power)| (self.number(atom), power)).collect();
        out.sort_unstable();
        out
    }

    fn number(&mut self, atom: &Atom) -> usize {
        if let Some(number) = self.numbers.get(atom) {
            return *number;
        }
        let part = match atom {
            Atom::Least(all) => Part::Least(all.iter().map(|c| self.products(c)).collect()),
            Atom::Group(cost) => Part::Group(self.products(cost)),
            Atom::Stored(_) => Part::Stored { room: None },
            Atom::Len { .. } | Atom::Skew(_) => Part::Size,
        };
        let number = self.parts.len();
        self.parts.push(part);
        self.numbers.insert(atom.clone(), number);
        number
    }

    /// All atoms with what `facts` says of them.
    fn bounds(mut self, facts: &Facts<'_>) -> Bounds {
        for (tensor, dims) in facts.0.iter().filter(|(_, dims)| !dims.is_empty()) {
            let Some(&number) = self.numbers.get(&Atom::Stored(tensor.clone())) else { continue };
            let room =
                dims.iter().try_fold(Product::new(), |room, dim| match &self.products(dim)[..] {
                    [of] => Some(times(&room, of, 1)),
                    _ => None,
                });
            self.parts[number] = Part::Stored { room };
        }
        Bounds(self.parts)
    }
}

/// `p * q` for the sign 1, `p / q` for -1.
fn times(p: &Product, q: &Product, sign: i32) -> Product {
    let mut out = Product::with_capacity(p.len() + q.len());
    let (mut p, mut q) = (p.iter().peekable(), q.iter().peekable());
    loop {
        let next = match (p.peek(), q.peek()) {
            (Some(&&(m, power)), Some(&&(n, other))) if m == n => {
                p.next();
                q.next();
                (m, power + sign * other)
            }
            (Some(&&(m, power)), other) if other.is_none_or(|(n, _)| m < *n) => {
                p.next();
                (m, power)
            }
            (_, Some(&&(n, power))) => {
                q.next();
                (n, sign * power)
            }
            (_, None) => return out,
        };
        if next.1 != 0 {
            out.push(next);
        }
    }
}

/// What is asked of each atom, by its number.
struct Bounds(Vec<Part>);

impl Bounds {
    /// A least one or a sum in `p`, with the sign of its power, and `p` with that once less.
    fn composite(&self, p: &Product) -> Option<(&Part, i32, Product)> {
        let whole = |n: usize| matches!(self.0[n], Part::Group(_) | Part::Least(_));
        let (n, power) = *p.iter().find(|(n, _)| whole(*n))?;
        let sign = power.signum();
        Some((&self.0[n], sign, times(p, &vec![(n, 1)], -sign)))
    }

    /// Whether the product `p` is no more than some of `by`.
    fn product(&self, p: &Product, by: &[Product], looks: &mut usize) -> bool {
        *looks += 1;
        if *looks > MOST_LOOKS {
            return false;
        }
        let Some((part, sign, rest)) = self.composite(p) else {
            return by.iter().any(|q| self.below(p, q, looks));
        };
        let mut each = |q: &Product| self.product(&times(&rest, q, sign), by, looks);
        match (part, sign) {
            // To divide by a sum is to divide by each of its terms and more.
            (Part::Group(sum), 1) => sum.iter().all(each),
            (Part::Group(sum), _) => sum.iter().any(each),
            (Part::Least(all), 1) => all.iter().any(|sum| sum.iter().all(&mut each)),
            (Part::Least(all), _) => all.iter().all(|sum| sum.iter().any(&mut each)),
            (Part::Size | Part::Stored { .. }, _) => false,
        }
    }

    /// Whether the product `p`, of sizes and entries alone, is no more than `q`.
    fn below(&self, p: &Product, q: &Product, looks: &mut usize) -> bool {
        *looks += 1;
        if *looks > MOST_LOOKS {
            return false;
        }
        let Some((part, sign, rest)) = self.composite(q) else {
            return self.grows_in_none(&times(p, q, -1));
        };
        let mut each = |r: &Product| self.below(p, &times(&rest, r, sign), looks);
        match (part, sign) {
            (Part::Group(sum), 1) => sum.iter().any(each),
            (Part::Group(sum), _) => sum.iter().all(each),
            (Part::Least(all), 1) => all.iter().all(|sum| sum.iter().any(&mut each)),
            (Part::Least(all), _) => all.iter().any(|sum| sum.iter().all(&mut each)),
            (Part::Size | Part::Stored { .. }, _) => false,
        }
    }

    fn grows_in_none(&self, quotient: &Product) -> bool {
        let mut sizes = Product::new();
        for &(n, power) in quotient {
            let Part::Stored { room } = &self.0[n] else {
                sizes = times(&sizes, &vec![(n, power)], 1);
                continue;
            };
            // At most as many as there is room for, and at least one.
            match room {
                _ if power < 0 => {}
                None => return false,
                Some(room) => sizes = (0..power).fold(sizes, |all, _| times(&all, room, 1)),
            }
        }
        sizes.iter().all(|(_, power)| *power <= 0)
    }
}

/// A product of powers.
type Powers = BTreeMap<Atom, i32>;

/// What is multiplied in one term of a cost.
fn products(cost: &Cost) -> Vec<Powers> {
    cost.terms().map(|(_, powers)| powers.map(|(a, n)| (a.clone(), n)).collect()).collect()
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
