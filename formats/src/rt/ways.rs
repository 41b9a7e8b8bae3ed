//! Which of several ways a kernel takes: the one that costs least by the sizes and entries of its operands.

use crate::{Level, Tensor};
use std::cell::Cell;

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

/// Which of the ways of `kernel` is taken, which cost `costs` nanoseconds.
pub fn way(kernel: &'static str, costs: &[f64]) -> usize {
    let (mut taken, mut least) = (0, costs.first().map_or(0.0, |cost| cost / CHEAPER));
    for (n, cost) in costs.iter().enumerate().skip(1) {
        if *cost < least {
            (taken, least) = (n, *cost);
        }
    }
    if let Some(way) = PREFERRED.get() {
        taken = way.min(costs.len().saturating_sub(1));
    }
    LAST.set(Some(LastChoice { kernel, way: taken + 1, of: costs.len() }));
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

/// What the last kernel with several ways took that was called on this thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LastChoice {
    /// The name of its function.
    pub kernel: &'static str,
    /// The way, counted from 1 as `explain!` lists them.
    pub way: usize,
    /// How many there were.
    pub of: usize,
}

/// What the last kernel with several ways took that was called on this thread; `None` if none was.
///
/// A function whose loops are left out may be compiled in up to three ways, of which each call takes one by the sizes and
/// the stored entries of its operands. `explain!` lists the ways with their costs.
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
