//! Seeking in sorted coordinates, which is what a stepper or jumper does when a partner is ahead.
//! Both searches keep one contract, so that a format chooses by the distance it expects.

mod flags;
mod hashed;
mod unordered;

pub use flags::{
    all_like, bit, bit_of, bits_in, highest, last_bit, last_set, last_word, lowest, next_bit,
    next_set, next_unlike, next_word, unlike, unlike_behind, without_below, without_lowest,
    word_at, word_of,
};
pub use hashed::{gallop_through, hashed, home};
pub use unordered::{after, end_of, least_from, position_of};

use crate::level::Index;

/// Checks the range once, so that the searches may index unchecked within it.
#[inline(always)]
#[track_caller]
fn range<I>(crd: &[I], lo: i64, hi: i64) -> &[I] {
    if lo >= hi {
        return &[];
    }
    if lo < 0 || hi as u64 > crd.len() as u64 {
        outside(lo, hi, crd.len());
    }
    // SAFETY: 0 <= lo < hi <= crd.len().
    unsafe { crd.get_unchecked(lo as usize..hi as usize) }
}

/// Takes the bounds by value: a message that borrows them would keep them in memory in the loops of
/// those who search.
#[cold]
#[inline(never)]
#[track_caller]
fn outside(lo: i64, hi: i64, len: usize) -> ! {
    panic!("searching {lo}..{hi} of {len} coordinates")
}

/// The number of leading elements of `s` below `i`, by halving.
#[inline(always)]
fn count_below<I: Index>(s: &[I], i: i64) -> usize {
    let (mut base, mut n) = (0, s.len());
    // All before `base` are below `i`; the answer is in `base..=base + n`.
    while n > 1 {
        let half = n / 2;
        // SAFETY: base + n <= s.len() throughout and half >= 1, so base + half - 1 is inside.
        let below = unsafe { s.get_unchecked(base + half - 1) }.to_i64() < i;
        // An assignment without a branch: which half is taken cannot be predicted.
        base = if below { base + half } else { base };
        n -= half;
    }
    if n == 1 {
        // SAFETY: base + 1 <= s.len().
        base += usize::from(unsafe { s.get_unchecked(base) }.to_i64() < i);
    }
    base
}

/// The first `q` in `lo..hi` with `crd[q] >= i`, or `hi` if there is none; `lo` if the range is
/// empty.
///
/// `crd[lo..hi]` ascends. Logarithmic in `hi - lo`, and constant if one of the first entries is the answer,
/// which it often is: the stepper that seeks has just stopped there, or nearby.
///
/// # Panics
/// If a range that is not empty is not within `crd`. If the coordinates do not ascend the
/// answer is some `q` in `lo..=hi`.
#[inline]
#[track_caller]
pub fn lower_bound<I: Index>(crd: &[I], lo: i64, hi: i64, i: i64) -> i64 {
    let s = range(crd, lo, hi);
    // A stepper that was left behind has often a few entries to pass only.
    for (k, c) in s.iter().take(NEAR).enumerate() {
        if c.to_i64() >= i {
            return lo + k as i64;
        }
    }
    let near = s.len().min(NEAR);
    lo + (near + count_below(&s[near..], i)) as i64
}

/// How many entries [`lower_bound`] looks at one by one.
const NEAR: usize = 4;

/// [`lower_bound`] in time logarithmic in the distance `q - lo` to the answer: doubles its
/// steps from `lo` until it is past `i`, then halves.
///
/// # Panics
/// If a range that is not empty is not within `crd`.
#[inline(never)]
#[track_caller]
pub fn gallop<I: Index>(crd: &[I], lo: i64, hi: i64, i: i64) -> i64 {
    let s = range(crd, lo, hi);
    let n = s.len();
    // All before `base` are below `i`; `next` is the element looked at.
    let (mut base, mut next, mut step) = (0, 0, 1);
    while next < n {
        // SAFETY: next < n == s.len().
        if unsafe { s.get_unchecked(next) }.to_i64() >= i {
            break;
        }
        base = next + 1;
        next += step;
        // A slice has at most isize::MAX bytes, so neither doubling nor `next` overflows.
        step *= 2;
    }
    // `base` is one more than some `next < n`, or 0; and `next >= base`, since `step >= 1`.
    // SAFETY: so base <= n, and the window ends at n at the most and not before its start.
    let window = unsafe { s.get_unchecked(base..next.min(n).max(base)) };
    lo + (base + count_below(window, i)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn naive<I: Index>(crd: &[I], lo: i64, hi: i64, i: i64) -> i64 {
        let mut q = lo;
        while q < hi && crd[q as usize].to_i64() < i {
            q += 1;
        }
        q
    }

    fn all_ranges<I: Index>(crd: &[I], last: i64) {
        let n = crd.len() as i64;
        for lo in 0..=n {
            for hi in lo..=n {
                for i in -1..=last + 1 {
                    let want = naive(crd, lo, hi, i);
                    assert_eq!(lower_bound(crd, lo, hi, i), want, "{crd:?} {lo}..{hi} {i}");
                    assert_eq!(gallop(crd, lo, hi, i), want, "{crd:?} {lo}..{hi} {i}");
                }
            }
        }
    }

    #[test]
    fn every_subset_of_ten() {
        let step = if cfg!(miri) { 29 } else { 1 };
        for mask in (0u32..1 << 10).step_by(step) {
            let crd: Vec<u8> = (0..10).filter(|b| mask >> b & 1 == 1).collect();
            all_ranges(&crd, 10);
        }
    }

    #[test]
    fn longer_and_wider() {
        for n in 0..if cfg!(miri) { 12 } else { 70 } {
            let crd: Vec<u32> = (0..n).map(|k| k * 2 + 1).collect();
            all_ranges(&crd, 2 * i64::from(n) + 1);
        }
        let crd = [5u64, 1 << 40, u64::MAX];
        assert_eq!(gallop(&crd, 0, 3, i64::MAX), 2);
        assert_eq!(lower_bound(&crd, 0, 3, 6), 1);
    }

    #[test]
    fn empty_ranges_are_answered_anywhere() {
        assert_eq!(lower_bound(&[1u32], 1, 1, 5), 1);
        assert_eq!(lower_bound(&[1u32], 9, 3, 5), 9);
        assert_eq!(gallop::<u32>(&[], 0, 0, 5), 0);
    }

    #[test]
    fn ranges_outside_panic() {
        for (lo, hi) in [(-1, 1), (0, 4), (3, i64::MAX), (i64::MIN, i64::MAX), (5, 6)] {
            let found = catch_unwind(|| lower_bound(&[1u32, 2, 3], lo, hi, 2));
            assert!(found.is_err(), "{lo}..{hi}");
            let found = catch_unwind(|| gallop(&[1u32, 2, 3], lo, hi, 2));
            assert!(found.is_err(), "{lo}..{hi}");
        }
    }

    #[test]
    fn unsorted_coordinates_stay_in_range() {
        let crd = [9u8, 3, 7, 1, 8, 2, 2, 0, 5];
        for i in 0..10 {
            for q in [lower_bound(&crd, 1, 8, i), gallop(&crd, 1, 8, i)] {
                assert!((1..=8).contains(&q));
            }
        }
    }
}
