//! Finding entries that are not stored in the order of their coordinates: by their hash, and in order by
//! way of a permutation.

use super::range;
use crate::level::Index;

/// [`gallop`](super::gallop) among the coordinates `crd[ord[k]]` for `k` in `lo..hi`, which ascend.
///
/// # Panics
/// If a range that is not empty is not within `ord`, or what `ord` names is not within `crd`.
#[inline]
#[track_caller]
pub fn gallop_through<I: Index>(crd: &[I], ord: &[usize], lo: i64, hi: i64, i: i64) -> i64 {
    let s = range(ord, lo, hi);
    let below = |q: usize| crd[q].to_i64() < i;
    // All before `base` are below `i`.
    let (mut base, mut step) = (0, 1);
    while base + step <= s.len() && below(s[base + step - 1]) {
        base += step;
        step *= 2;
    }
    let window = &s[base..s.len().min(base + step)];
    lo + (base + window.partition_point(|&q| below(q))) as i64
}

/// The entry of fiber `p` at coordinate `i`, or -1 if there is none.
///
/// Entry `q` is at coordinate `crd[q]` of fiber `fib[q]`. A slot of `tbl`, whose length is a power of
/// two, is 0 or `q + 1`; the search starts at the slot [`home`] and ends at one that is 0. It is
/// constant on the average, and ends also if no slot is 0.
///
/// # Panics
/// If `tbl` names an entry that is not within `fib` and `crd`.
#[inline]
#[track_caller]
pub fn hashed<I: Index>(tbl: &[usize], fib: &[usize], crd: &[I], p: i64, i: i64) -> i64 {
    let start = home(p as u64, i as u64);
    for at in 0..tbl.len() {
        let slot = start.wrapping_add(at) & (tbl.len() - 1);
        let Some(q) = tbl[slot].checked_sub(1) else { break };
        if crd[q].to_i64() == i && fib[q] as i64 == p {
            return q as i64;
        }
    }
    -1
}

/// Where [`hashed`] starts to search for coordinate `i` of fiber `p`, up to a multiple of the number
/// of slots.
///
/// A function of the numbers alone, the same on every machine whose `usize` is as wide.
#[inline]
pub fn home(p: u64, i: u64) -> usize {
    let mixed = p.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) ^ i;
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn through_a_permutation() {
        let crd = [40u8, 10, 30, 0, 20, 60, 50];
        let ord = [3, 1, 4, 2, 0, 6, 5];
        for lo in 0..=7 {
            for (hi, i) in (lo..=7).flat_map(|hi| (-1..70).map(move |i| (hi, i))) {
                let want = (lo..hi).find(|&k| i64::from(crd[ord[k as usize]]) >= i).unwrap_or(hi);
                assert_eq!(gallop_through(&crd, &ord, lo, hi, i), want, "{lo}..{hi} {i}");
            }
        }
        assert_eq!(gallop_through(&crd, &ord, 9, 3, 5), 9);
        let outside = std::panic::catch_unwind(|| gallop_through(&crd, &ord, 3, 8, 5));
        assert!(outside.is_err());
    }

    #[test]
    fn a_search_ends() {
        assert_eq!(hashed::<u8>(&[], &[], &[], 0, 0), -1);
        assert_eq!(hashed::<u8>(&[0, 0], &[], &[], 0, 0), -1);
        // Full of an entry that is another's.
        for slots in 1..9 {
            assert_eq!(hashed(&vec![1; slots], &[0], &[7u8], 0, 5), -1);
            assert_eq!(hashed(&vec![1; slots], &[0], &[7u8], 1, 7), -1);
            assert_eq!(hashed(&vec![1; slots], &[0], &[7u8], 0, 7), 0);
        }
    }

    #[test]
    fn neighbours_hash_apart() {
        for mask in [15, 255, 4095usize] {
            let slots = (mask as u64).div_ceil(2);
            for (dp, di) in [(0, 1), (1, 0), (1, 1), (0, 16), (16, 0)] {
                let mut used = vec![0; mask + 1];
                (0..slots).for_each(|k| used[home(k * dp, k * di) & mask] += 1);
                assert!(used.iter().all(|&n| n < 12), "{dp} {di}: {used:?}");
            }
        }
    }
}
