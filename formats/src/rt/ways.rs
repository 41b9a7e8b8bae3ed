//! Which of several ways a kernel takes: the one that costs least by the sizes and entries of its operands.

use crate::{Level, Tensor};
use std::cell::Cell;
use std::fmt;

/// Sizes and entries of an operand.
pub struct Measured {
    shape: Vec<usize>,
    entries: usize,
}

/// Looks at an operand, in constant time for most formats ([`Tensor::entries`]).
pub fn measure<L: Level>(tensor: &Tensor<L>) -> Measured {
    let shape = tensor.shape();
    let room = || shape.first().map_or(1, |&n| tensor.root().work(0, n));
    let entries = tensor.root().counted().unwrap_or_else(room);
    Measured { shape, entries }
}

/// The most words that are looked at.
const WORDS: usize = 32;

/// About how many bits are set in `words`, as many as there are in each equal share of them at a place that has nothing to do with how long
/// rows are.
pub fn bits(words: &[u64]) -> usize {
    let count = |words: &[u64]| words.iter().map(|w| w.count_ones() as usize).sum::<usize>();
    if words.len() <= WORDS {
        return count(words);
    }
    let share = words.len() / WORDS;
    let place = |n: usize| share * n + (n + 1).wrapping_mul(0x9E37_79B9) % share;
    let seen: usize = (0..WORDS).map(|n| count(&words[place(n)..=place(n)])).sum();
    (seen as f64 * words.len() as f64 / WORDS as f64) as usize
}

/// Looks at an array: all its elements are entries.
pub fn measure_array<T>(array: &[T]) -> Measured {
    Measured { shape: vec![array.len()], entries: array.len() }
}

impl Measured {
    /// The size of a dimension.
    pub fn size(&self, dim: usize) -> f64 {
        self.shape.get(dim).map_or(1.0, |&n| n as f64)
    }
    /// How many entries are stored.
    pub fn entries(&self) -> f64 {
        self.entries as f64
    }
}

/// The least of some costs.
pub fn least(costs: &[f64]) -> f64 {
    costs.iter().copied().fold(f64::INFINITY, f64::min)
}

/// `x` to the power `n`; nothing is shared out among no one.
pub fn raised(x: f64, n: i32) -> f64 {
    match n < 0 {
        true => x.max(1.0).powi(n),
        false => x.powi(n),
    }
}

/// How many times cheaper than the first way another one must be to be taken.
const CHEAPER: f64 = 1.1;

/// Which of the ways of `kernel` is taken, which cost `costs` nanoseconds and in which was chosen what `schedules` say.
pub fn way(kernel: &'static str, schedules: &'static [&'static str], costs: &[f64]) -> usize {
    let (mut taken, mut least) = (0, costs.first().map_or(0.0, |cost| cost / CHEAPER));
    for (n, cost) in costs.iter().enumerate().skip(1) {
        if *cost < least {
            (taken, least) = (n, *cost);
        }
    }
    if let Some(way) = PREFERRED.get() {
        taken = way.min(costs.len().saturating_sub(1));
    }
    let mut now = [0.0; MOST_WAYS];
    now.iter_mut().zip(costs).for_each(|(now, cost)| *now = *cost);
    let last = LastChoice { kernel, way: taken + 1, of: costs.len(), schedules, costs: now };
    LAST.set(Some(last));
    taken
}

/// Has all kernels that are called on this thread take the way of this number, from 0 on, or the last one they have: tests go
/// through all ways of a kernel by it. By `None` each call chooses again.
#[doc(hidden)]
pub fn prefer(way: Option<usize>) {
    PREFERRED.set(way);
}

thread_local! {
    static LAST: Cell<Option<LastChoice>> = const { Cell::new(None) };
    static PREFERRED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The most ways that a kernel is compiled in.
const MOST_WAYS: usize = 3;

/// What the last kernel with several ways took that was called on this thread.
///
/// As text it is all ways, with what was chosen in each and what each was thought to cost for the operands of the call.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct LastChoice {
    /// The name of its function.
    pub kernel: &'static str,
    /// The way, counted from 1 as `explain!` lists them.
    pub way: usize,
    /// How many there were.
    pub of: usize,
    schedules: &'static [&'static str],
    costs: [f64; MOST_WAYS],
}

impl LastChoice {
    /// What was chosen in the way that was taken, as `explain!` lists it, such as `spread(x)`.
    pub fn schedule(&self) -> &'static str {
        self.schedules.get(self.way - 1).copied().unwrap_or_default()
    }
    /// What each way was thought to cost for the operands of the call, in nanoseconds, as `explain!` lists them. A way is taken
    /// before the first one if it is cheaper by a tenth.
    pub fn costs(&self) -> &[f64] {
        &self.costs[..self.of.min(MOST_WAYS)]
    }
}

impl fmt::Display for LastChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} took way {} of {}", self.kernel, self.way, self.of)?;
        for (n, (schedule, cost)) in self.schedules.iter().zip(self.costs()).enumerate() {
            let taken = if n + 1 == self.way { ", taken" } else { "" };
            write!(f, "\n    way {}: {schedule}: about {cost:.0} ns{taken}", n + 1)?;
        }
        Ok(())
    }
}

/// What the last kernel with several ways took that was called on this thread; `None` if none was.
///
/// A function whose loops are left out may be compiled in up to three ways, of which each call takes one by the sizes and
/// the stored entries of its operands. `explain!` lists the ways with their costs as formulas; printed, the last choice has
/// the same list with what they came to.
pub fn last_choice() -> Option<LastChoice> {
    LAST.get()
}

#[cfg(test)]
mod tests {
    use super::bits;

    #[test]
    fn few_words_are_counted_and_many_sampled() {
        assert_eq!(bits(&[]), 0);
        assert_eq!(bits(&[u64::MAX; 32]), 32 * 64);
        assert_eq!(bits(&[1, 0, 6]), 3);
        for words in [33, 64, 1_000, 100_003] {
            assert_eq!(bits(&vec![0; words]), 0);
            assert_eq!(bits(&vec![u64::MAX; words]), 64 * words);
            let some: Vec<u64> =
                (0..words as u64).map(|w| w.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
            let set: u32 = some.iter().map(|w| w.count_ones()).sum();
            let about = bits(&some) as f64 / f64::from(set);
            assert!((0.8..1.25).contains(&about), "{words}: {about}");
        }
    }
}
