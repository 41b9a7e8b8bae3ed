//! Searching coordinates that are in no order, by looking at all: many at a time, but at all.

use super::range;
use crate::level::Index;

/// The `q` in `lo..hi` with the least `crd[q]` that is at least `i`, the first of several; `hi` if there is
/// none, `lo` if the range is empty.
///
/// Linear in `hi - lo`.
///
/// # Panics
/// If a range that is not empty is not within `crd`.
#[inline(never)]
#[track_caller]
pub fn least_from<I: Index>(crd: &[I], lo: i64, hi: i64, i: i64) -> i64 {
    let s = range(crd, lo, hi);
    // Without a branch, so that many are compared at a time; which one it was is seen after.
    let from = |c: &I| if c.to_i64() < i { i64::MAX } else { c.to_i64() };
    let least = s.iter().map(from).fold(i64::MAX, i64::min);
    match s.iter().position(|c| c.to_i64() == least) {
        Some(k) if least >= i => lo + k as i64,
        _ => hi.max(lo),
    }
}

/// The first `q` in `lo..hi` with `crd[q] == i`; `hi` if there is none, `lo` if the range is empty.
///
/// Linear in `hi - lo`.
///
/// # Panics
/// If a range that is not empty is not within `crd`.
#[inline(never)]
#[track_caller]
pub fn position_of<I: Index>(crd: &[I], lo: i64, hi: i64, i: i64) -> i64 {
    let found = range(crd, lo, hi).iter().position(|c| c.to_i64() == i);
    found.map_or(hi.max(lo), |k| lo + k as i64)
}

/// One past the greatest of `crd[lo..hi]`; 0 if the range is empty.
///
/// Linear in `hi - lo`.
///
/// # Panics
/// If a range that is not empty is not within `crd`.
#[inline(never)]
#[track_caller]
pub fn end_of<I: Index>(crd: &[I], lo: i64, hi: i64) -> i64 {
    range(crd, lo, hi).iter().map(|c| c.to_i64() + 1).fold(0, i64::max)
}

/// One past `crd[q]`; if `q` is not below `hi`, past all coordinates.
///
/// # Panics
/// If `q` is below `hi` and not within `crd`.
#[inline]
#[track_caller]
pub fn after<I: Index>(crd: &[I], q: i64, hi: i64) -> i64 {
    range(crd, q, hi).first().map_or(crate::rt::LIMIT, |c| c.to_i64() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_looked_at() {
        for n in [0usize, 1, 2, 7, 16, 33] {
            // 5 shares no factor with 37, so that no coordinate comes twice.
            let crd: Vec<u8> = (0..n).map(|k| (k * 5 % 37) as u8).collect();
            for lo in 0..=n {
                for hi in 0..=n {
                    let part = crd.get(lo..hi).unwrap_or(&[]);
                    let none = hi.max(lo) as i64;
                    for i in [-1i64, 0, 1, 5, 17, 36, 37, 256, i64::MAX] {
                        let from = part.iter().filter(|c| i64::from(**c) >= i).min();
                        let place =
                            |c: &u8| (lo + part.iter().position(|d| d == c).unwrap()) as i64;
                        let (lo, hi) = (lo as i64, hi as i64);
                        assert_eq!(least_from(&crd, lo, hi, i), from.map_or(none, place));
                        let same = part.iter().find(|c| i64::from(**c) == i);
                        assert_eq!(position_of(&crd, lo, hi, i), same.map_or(none, place));
                    }
                    let end = part.iter().max().map_or(0, |c| i64::from(*c) + 1);
                    assert_eq!(end_of(&crd, lo as i64, hi as i64), end);
                    let next = part.first().map_or(crate::rt::LIMIT, |c| i64::from(*c) + 1);
                    assert_eq!(after(&crd, lo as i64, hi as i64), next);
                }
            }
        }
    }
}
