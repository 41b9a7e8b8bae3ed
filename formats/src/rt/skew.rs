//! A look at some entries of the operands, where a kernel that may run in several ways is long enough for it: how many steps the
//! loops take that entries of one operand lead to.

use crate::{Level, Tensor};
use std::ops::Range;

/// The share of a kernel's time that is spent on the look, and what it takes to follow one entry to one fiber, in nanoseconds.
const SHARE: f64 = 0.03;
const LOOK: f64 = 400.0;
/// A fiber with more entries is searched, and not gone through.
const SHORT: usize = 64;
/// The fewest entries that say something, and the most that are looked at.
const FEWEST: f64 = 4.0;
const MOST: f64 = 64.0;

/// An operand of two dimensions whose fibers can be counted. What a format says of itself may be wrong: then nothing is known.
pub trait Sampled {
    /// How many entries are stored before coordinate `i` of the first dimension; none if that is not known.
    fn rows(&self, i: usize) -> Option<usize>;
    /// How many are stored before coordinate `j` of fiber `i`.
    fn before(&self, i: usize, j: usize) -> Option<usize>;
    /// Calls `each` with the coordinates of the entries of fiber `i`, in order.
    fn visit(&self, i: usize, each: &mut dyn FnMut(usize));
    /// The size of each dimension; none of other tensors than matrices.
    fn sizes(&self) -> Option<[usize; 2]>;
}

impl<L: Level> Sampled for Tensor<L> {
    fn rows(&self, i: usize) -> Option<usize> {
        self.root().work_at(0, &[i])
    }
    fn before(&self, i: usize, j: usize) -> Option<usize> {
        self.root().work_at(0, &[i, j])
    }
    fn visit(&self, i: usize, each: &mut dyn FnMut(usize)) {
        self.root().visit_at(0, &[i], each);
    }
    fn sizes(&self) -> Option<[usize; 2]> {
        self.shape().try_into().ok()
    }
}

/// How many entries are looked at, before one of the ways is taken that cost `costs` nanoseconds by chance.
pub fn samples(costs: &[f64]) -> usize {
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let may = least * SHARE / LOOK;
    // Sizes of nothing make no number.
    if may >= FEWEST {
        may.min(MOST) as usize
    } else {
        0
    }
}

/// The coordinates of `samples` entries of `of`, one in each equal share of them, or none.
pub fn entries(samples: usize, of: &dyn Sampled) -> Vec<[usize; 2]> {
    let Some([rows, columns]) = of.sizes() else { return Vec::new() };
    let entry = |n: usize| {
        let all = of.rows(rows).filter(|all| *all > 0)?;
        // Each in its share of the entries, at a place that has nothing to do with how long rows are.
        let within = u128::from((n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32);
        let place = ((((n as u128) << 32) + within) * all as u128 / samples as u128) >> 32;
        let place = place as usize;
        let i = first(rows, |i| Some(of.rows(i + 1)? > place))?;
        let own = fiber(of, columns, i)?;
        Some([i, coordinate(of, columns, i, own.clone(), place.checked_sub(own.start)?)?])
    };
    (0..samples).map(entry).collect::<Option<_>>().unwrap_or_default()
}

/// How many times the steps `about`, which are those by chance, a loop takes for each of `entries`: it goes along `fibers`, each
/// of an operand and chosen by coordinate 0 or 1 of the entry, and ends where one of them does. 1 if that cannot be told.
pub fn skew(entries: &[[usize; 2]], fibers: &[(&dyn Sampled, usize)], about: f64) -> f64 {
    let sized =
        |(of, by): &(_, usize)| Some(Fibers { of: *of, sizes: Sampled::sizes(*of)?, by: *by });
    let fibers: Option<Vec<Fibers<'_>>> = fibers.iter().map(sized).collect();
    let steps =
        fibers.and_then(|all| entries.iter().map(|at| steps(&all, at)).sum::<Option<f64>>());
    match steps {
        Some(steps) if !entries.is_empty() && about > 0.0 => steps / entries.len() as f64 / about,
        _ => 1.0,
    }
}

struct Fibers<'a> {
    of: &'a dyn Sampled,
    sizes: [usize; 2],
    /// Which coordinate of an entry chooses one.
    by: usize,
}

/// The steps along one of each of `fibers` for the entry at the coordinates `at`.
fn steps(fibers: &[Fibers<'_>], at: &[usize; 2]) -> Option<f64> {
    let (mut runs, mut stop) = (Vec::with_capacity(fibers.len()), usize::MAX);
    for Fibers { of, sizes, by } in fibers {
        let i = at[*by];
        // Whether sizes agree is looked at later.
        if i >= sizes[0] {
            return None;
        }
        let own = fiber(*of, sizes[1], i)?;
        if own.is_empty() {
            return Some(0.0);
        }
        if fibers.len() > 1 {
            stop = stop.min(coordinate(*of, sizes[1], i, own.clone(), own.len() - 1)? + 1);
        }
        runs.push(own);
    }
    let mut all = 0;
    for (Fibers { of, sizes, by }, own) in fibers.iter().zip(runs) {
        // What lies behind the end of another fiber is not gone through.
        let end = if stop < sizes[1] { of.before(at[*by], stop)? } else { own.end };
        all += end.min(own.end).saturating_sub(own.start);
    }
    Some(all as f64)
}

/// The entries of fiber `i`, which has `columns` coordinates; none of a format that does not tell entries apart, or fibers.
fn fiber(of: &dyn Sampled, columns: usize, i: usize) -> Option<Range<usize>> {
    let own = of.rows(i)?..of.rows(i + 1)?;
    let told = of.before(i, 0)?..of.before(i, columns)?;
    (told == own && own.start <= own.end).then_some(own)
}

/// The coordinate of entry `k` of fiber `i`, whose entries are `own` and which has `columns` coordinates.
fn coordinate(
    of: &dyn Sampled,
    columns: usize,
    i: usize,
    own: Range<usize>,
    k: usize,
) -> Option<usize> {
    if own.len() > SHORT {
        return first(columns, |j| Some(of.before(i, j + 1)? > own.start + k));
    }
    let (mut n, mut found) = (0, None);
    of.visit(i, &mut |j| {
        if n == k {
            found = Some(j);
        }
        n += 1;
    });
    found
}

/// The first of `n` numbers of which `holds` says so, or the last one; it does of all behind that.
fn first(n: usize, holds: impl Fn(usize) -> Option<bool>) -> Option<usize> {
    let (mut low, mut high) = (0, n.checked_sub(1)?);
    while low < high {
        let middle = low + (high - low) / 2;
        match holds(middle)? {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Csr, Refuse};

    /// A matrix of `n` rows with these entries.
    fn matrix(n: usize, at: impl IntoIterator<Item = [usize; 2]>) -> Csr<f64> {
        let entries: Vec<_> = at.into_iter().map(|at| (at, 1.0)).collect();
        Tensor::from_triplets([n, n], entries, Refuse).expect("places differ")
    }

    #[test]
    fn long_rows_that_many_lead_to_are_longer_than_by_chance() {
        // All lead to the first row, which is full; the others have that one entry.
        let a = matrix(100, (0..100).map(|i| [i, 0]).chain((1..100).map(|j| [0, j])));
        let about = 199.0 / 100.0;
        let found = skew(&entries(32, &a), &[(&a, 1)], about) * about;
        assert!((50.0..60.0).contains(&found), "{found}");
    }

    #[test]
    fn fibers_that_end_early_take_few_steps() {
        // Row `i` has what is left of it, and leads to rows that have nothing so far to the right.
        let a = matrix(60, (0..60).flat_map(|i| (0..i).map(move |j| [i, j])));
        let alone = skew(&entries(64, &a), &[(&a, 0)], 1.0);
        let both = skew(&entries(64, &a), &[(&a, 0), (&a, 1)], 1.0);
        let (mut count, mut exact_alone, mut exact_both) = (0.0, 0.0, 0.0);
        for i in 0..60_usize {
            for j in 0..i {
                count += 1.0;
                exact_alone += i as f64;
                exact_both += if j == 0 { 0.0 } else { 2.0 * j as f64 };
            }
        }
        assert!((alone / (exact_alone / count) - 1.0).abs() < 0.05, "{alone}");
        assert!((both / (exact_both / count) - 1.0).abs() < 0.15, "{both}");
    }

    #[test]
    fn regular_rows_are_seen_at_all_of_their_entries() {
        // The first entry of each row leads to an empty one, the second to one of ten.
        let n = 1 << 10;
        let rows = (0..n).flat_map(|i| match i {
            5 => (0..10).map(|j| [i, j]).collect(),
            _ => vec![[i, 2], [i, 5]],
        });
        let a = matrix(n, rows.filter(|[i, _]| *i != 2));
        let found = skew(&entries(64, &a), &[(&a, 1)], 1.0);
        assert!((4.0..6.0).contains(&found), "{found}");
    }

    #[test]
    fn formats_that_do_not_tell_entries_apart_are_left_to_chance() {
        let at = || {
            (0..100_usize)
                .flat_map(|i| (i.saturating_sub(2)..(i + 3).min(100)).map(move |j| [i, j]))
        };
        let csr = matrix(100, at());
        let band: crate::Tensor<crate::Dense<crate::SparseBand<crate::Element<f64>>>> =
            csr.convert().expect("a band");
        let steps = skew(&entries(32, &csr), &[(&csr, 0), (&csr, 1)], 1.0);
        assert!((8.0..11.0).contains(&steps), "{steps}");
        assert_eq!(skew(&entries(32, &csr), &[(&band, 0), (&band, 1)], 1.0), 1.0);
    }

    #[test]
    fn nothing_is_known_of_nothing() {
        let none = matrix(3, []);
        assert_eq!(skew(&entries(8, &none), &[(&none, 1)], 1.0), 1.0);
        let empty = matrix(0, []);
        assert_eq!(skew(&entries(8, &empty), &[(&empty, 1)], 0.0), 1.0);
        let one = matrix(3, [[2, 1]]);
        assert_eq!(skew(&entries(0, &one), &[(&one, 0)], 5.0), 1.0);
        assert_eq!(skew(&entries(8, &one), &[(&one, 1)], 1.0), 0.0);
    }

    #[test]
    fn short_kernels_are_not_held_up() {
        assert_eq!(samples(&[1e3, 1e9]), 0);
        assert_eq!(samples(&[1e9, f64::INFINITY]), 64);
        assert_eq!(samples(&[f64::NAN, f64::INFINITY]), 64);
        assert_eq!(samples(&[]), 64);
    }
}
