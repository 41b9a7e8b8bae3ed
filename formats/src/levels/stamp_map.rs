//! StampMap: a child for every coordinate, stored if its stamp is that of its fiber.

use crate::level::grow;

crate::level! {
    /// A stamp for each coordinate, and one for each fiber: a child is stored where the two are the same.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5      now  = [7]
    ///             .  *  .  .  *  .      seen = [0, 7, 3, 6, 7, 0]
    ///             └run┘*└─run──┘*└run┘   a spike per coordinate with the stamp 7, then a run of fill
    /// ```
    ///
    /// Entry `i` of fiber `p` is stored if `seen[p * len + i]` is `now[p]`; its child is at position `p * len + i`.
    /// Invariant: `seen` has `fibers * len` stamps, `now` one for each fiber, and none of these is 0.
    ///
    /// The format for a workspace in a loop that is only looked up: all its entries are gone once `now` is another number, so
    /// that an entry is stored, found and taken out again in constant time, and over a [`Pattern`](crate::Pattern) stored without
    /// a look at what is there. (Stamps of rows in place of flags are in Gustavson, *Two Fast Algorithms for Sparse
    /// Matrices*, 1978.) [`Spa`](crate::Spa) lists its entries beside, for a workspace that is gone through.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes,
    /// then a run. Costs: `walk` is linear in `len`; `gallop` skips what it leaves out for nothing; `locate` is constant.
    pub struct StampMap<Child> {
        len: usize,
        now: Vec<u32>,
        seen: Vec<u32>,
        child: Child,
    }
    // SAFETY: fiber `p` has the stamp `now[p]` and the stamps `p * len .. p * len + len`, which `seen` holds, and the
    // searches stay within them; the child has a fiber for each of these.
    unsafe invariant(fibers) { crate::levels::stamp_map_invariant(len, fibers, now, seen) }
    read walk, follow | gallop, lead(p) {
        let start = p * len;
        let end = crate::levels::last_stamped(seen, start, start + len, now[p]);
        let mut q = crate::levels::next_stamped(seen, start, end, now[p]);
        pipeline {
            ..end - start => stepper {
                while q < end,
                leap(i): { q = crate::levels::next_stamped(seen, start + i, end, now[p]); },
                stop: q + 1 - start,
                body: spike(fill, child[q]),
                next: { q = crate::levels::next_stamped(seen, q + 1, end, now[p]); },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = p * len + i;
        switch {
            seen[q] == now[p] => child[q],
            _ => fill,
        }
    }
    split(p, i) { p * len + i }
    write locate(p, i) {
        exact,
        stale,
        reserve(fibers) { crate::levels::grow_stamp_map(len, fibers, now, seen) },
        find: if seen[p * len + i] == now[p] { p * len + i } else { -1 },
        child: p * len + i,
        commit: { seen[p * len + i] = now[p] },
        finish(fibers) { crate::levels::cut_stamp_map(len, fibers, now, seen) },
        children: len,
        clear: { crate::levels::clear_stamp_map(now, seen) },
    }
}

/// The first `q` in `lo..hi` whose stamp is `now`, or `hi` if there is none; `lo` if the range is empty.
///
/// # Panics
/// If a range that is not empty is not within `seen`.
#[doc(hidden)]
#[inline]
pub fn next_stamped(seen: &[u32], lo: i64, hi: i64, now: i64) -> i64 {
    if lo >= hi {
        return lo;
    }
    let found = seen[lo as usize..hi as usize].iter().position(|s| i64::from(*s) == now);
    found.map_or(hi, |k| lo + k as i64)
}

/// One past the last `q` in `lo..hi` whose stamp is `now`, or `lo` if there is none.
///
/// # Panics
/// If a range that is not empty is not within `seen`.
#[doc(hidden)]
#[inline]
pub fn last_stamped(seen: &[u32], lo: i64, hi: i64, now: i64) -> i64 {
    if lo >= hi {
        return lo;
    }
    let found = seen[lo as usize..hi as usize].iter().rposition(|s| i64::from(*s) == now);
    found.map_or(lo, |k| lo + k as i64 + 1)
}

/// Makes the arrays hold the stamps of `fibers` fibers.
#[doc(hidden)]
pub fn grow_stamp_map(
    len: usize,
    fibers: usize,
    now: &mut Vec<u32>,
    seen: &mut Vec<u32>,
) -> Result<(), String> {
    grow(seen, fibers.saturating_mul(len), 0)?;
    grow(now, fibers, 1)
}

/// Makes the arrays hold the stamps of `fibers` fibers and no more.
#[doc(hidden)]
pub fn cut_stamp_map(
    len: usize,
    fibers: usize,
    now: &mut Vec<u32>,
    seen: &mut Vec<u32>,
) -> Result<(), String> {
    seen.truncate(fibers.saturating_mul(len));
    now.truncate(fibers);
    grow_stamp_map(len, fibers, now, seen)
}

/// Takes all entries out of a single fiber.
#[doc(hidden)]
#[inline]
pub fn clear_stamp_map(now: &mut [u32], seen: &mut [u32]) {
    let Some(now) = now.first_mut() else { return };
    *now = now.wrapping_add(1);
    // Once in 2^32 times each stamp may be one that was given before.
    if *now == 0 {
        seen.fill(0);
        *now = 1;
    }
}

/// The invariant of [`StampMap`].
///
/// # Errors
/// The stamps are too many or too few, or that of a fiber is 0.
#[doc(hidden)]
pub fn stamp_map_invariant(
    len: usize,
    fibers: usize,
    now: &[u32],
    seen: &[u32],
) -> Result<usize, String> {
    if fibers.checked_mul(len) != Some(seen.len()) {
        return Err(format!("`seen` has {} stamps for {fibers} fibers of size {len}", seen.len()));
    }
    if now.len() != fibers {
        return Err(format!("`now` has {} stamps for {fibers} fibers", now.len()));
    }
    match now.iter().position(|now| *now == 0) {
        Some(p) => {
            Err(format!("the stamp of fiber {p} is 0, which is that of what was never stored"))
        }
        None => Ok(seen.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_that_come_again_are_not_taken_for_new_ones() {
        let (mut now, mut seen) = (vec![u32::MAX - 1], vec![0, u32::MAX - 1, 1, 2]);
        clear_stamp_map(&mut now, &mut seen);
        assert_eq!((now[0], &seen[..]), (u32::MAX, &[0, u32::MAX - 1, 1, 2][..]));
        clear_stamp_map(&mut now, &mut seen);
        assert_eq!((now[0], &seen[..]), (1, &[0; 4][..]));
        clear_stamp_map(&mut [], &mut []);
    }

    #[test]
    fn stamps_are_searched_for_from_both_ends() {
        let seen = [1, 7, 2, 7, 3];
        assert_eq!(next_stamped(&seen, 0, 5, 7), 1);
        assert_eq!(next_stamped(&seen, 2, 5, 7), 3);
        assert_eq!(next_stamped(&seen, 4, 5, 7), 5);
        assert_eq!(next_stamped(&seen, 5, 5, 7), 5);
        assert_eq!(last_stamped(&seen, 0, 5, 7), 4);
        assert_eq!(last_stamped(&seen, 0, 1, 7), 0);
        assert_eq!(last_stamped(&seen, 9, 9, 7), 9);
    }
}
