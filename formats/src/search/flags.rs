//! Seeking in maps of flags, bytes or bits, which is what their steppers do to find the next entry: many
//! flags at a time, so that what is not stored costs little.

use super::range;

/// The first `q` in `lo..hi` whose flag `tbl[q]` is not 0, or `hi` if there is none; `lo` if the
/// range is empty.
///
/// Looks at eight flags at a time.
///
/// # Panics
/// If a range that is not empty is not within `tbl`.
#[inline]
#[track_caller]
pub fn next_set(tbl: &[u8], lo: i64, hi: i64) -> i64 {
    let s = range(tbl, lo, hi);
    match s.first() {
        // Neighbours are often stored both.
        Some(&0) => lo + set_behind(s),
        _ => lo,
    }
}

/// Where in `s`, which begins with a 0, the first flag is that is not 0, or the length of `s`.
fn set_behind(s: &[u8]) -> i64 {
    let (words, rest) = s.as_chunks::<8>();
    for (k, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        if word != 0 {
            return (k * 8) as i64 + i64::from(word.trailing_zeros() / 8);
        }
    }
    let set = rest.iter().position(|&flag| flag != 0);
    set.map_or(s.len(), |k| words.len() * 8 + k) as i64
}

/// One past the last `q` in `lo..hi` whose flag `tbl[q]` is not 0, or `lo` if there is none.
///
/// # Panics
/// If a range that is not empty is not within `tbl`.
#[inline]
#[track_caller]
pub fn last_set(tbl: &[u8], lo: i64, hi: i64) -> i64 {
    let s = range(tbl, lo, hi);
    let (rest, words) = s.as_rchunks::<8>();
    let set = words.iter().rposition(|w| u64::from_ne_bytes(*w) != 0);
    let (from, tail) = set.map_or((0, rest), |k| (rest.len() + k * 8, &words[k][..]));
    tail.iter().rposition(|&flag| flag != 0).map_or(lo, |k| lo + (from + k + 1) as i64)
}

/// Whether bit `q` is set, as 1 or 0: the bit `q % 64`, counted from the least, of `tbl[q / 64]`.
///
/// # Panics
/// If there is no such bit.
#[inline]
#[track_caller]
pub fn bit(tbl: &[u64], q: i64) -> i64 {
    assert!(q >= 0, "bit {q} of a map");
    (tbl[q as usize / 64] >> (q % 64) & 1) as i64
}

/// Which word bit `q` is in.
#[inline(always)]
pub fn word_of(q: i64) -> i64 {
    q >> 6
}

/// Bit `q % 64` of a word, as 1 or 0.
#[inline(always)]
pub fn bit_of(word: i64, q: i64) -> i64 {
    word >> (q & 63) & 1
}

/// The first `q` in `lo..hi` whose [`bit`] is set, or `hi` if there is none; `lo` if the range is
/// empty.
///
/// A word of zeros is passed over at once.
///
/// # Panics
/// If a range that is not empty is not within the bits of `tbl`.
#[inline]
#[track_caller]
pub fn next_bit(tbl: &[u64], lo: i64, hi: i64) -> i64 {
    if lo >= hi {
        return lo;
    }
    let words = words(tbl, lo, hi);
    let first = words[0] >> (lo % 64);
    if first != 0 {
        return hi.min(lo + i64::from(first.trailing_zeros()));
    }
    let Some(k) = words.iter().skip(1).position(|&w| w != 0) else { return hi };
    hi.min((lo / 64 + k as i64 + 1) * 64 + i64::from(words[k + 1].trailing_zeros()))
}

/// The word with bit `lo`, without the bits before it, as a number of 64 bits; 0 if `lo..hi` is empty.
///
/// With [`lowest`] and [`without_lowest`] a stepper goes through a word without reading it again.
///
/// # Panics
/// If a range that is not empty does not begin within the bits of `tbl`.
#[inline]
#[track_caller]
pub fn bits_from(tbl: &[u64], lo: i64, hi: i64) -> i64 {
    match lo < hi {
        true => (words(tbl, lo, lo + 1)[0] & u64::MAX << (lo % 64)) as i64,
        false => 0,
    }
}

/// Which bit of a word is the lowest that is set; 64 if none is.
#[inline(always)]
pub fn lowest(word: i64) -> i64 {
    i64::from(word.trailing_zeros())
}

/// A word without the lowest bit that is set in it.
#[inline(always)]
pub fn without_lowest(word: i64) -> i64 {
    word & word.wrapping_sub(1)
}

/// One past the last `q` in `lo..hi` whose [`bit`] is set, or `lo` if there is none.
///
/// # Panics
/// If a range that is not empty is not within the bits of `tbl`.
#[inline]
#[track_caller]
pub fn last_bit(tbl: &[u64], lo: i64, hi: i64) -> i64 {
    if lo >= hi {
        return lo;
    }
    let words = words(tbl, lo, hi);
    let end = words.len() - 1;
    let last = words[end] & u64::MAX >> (63 - (hi - 1) % 64);
    let found = match last {
        0 => words[..end].iter().rposition(|&w| w != 0).map(|k| (k, words[k])),
        _ => Some((end, last)),
    };
    found.map_or(lo, |(k, w)| {
        let q = (lo / 64 + k as i64) * 64 + 64 - i64::from(w.leading_zeros());
        q.max(lo)
    })
}

/// The words with the bits `lo..hi`, which are some.
#[inline]
#[track_caller]
fn words(tbl: &[u64], lo: i64, hi: i64) -> &[u64] {
    assert!(
        lo >= 0 && (hi as u64).div_ceil(64) <= tbl.len() as u64,
        "searching the bits {lo}..{hi} of {} words",
        tbl.len()
    );
    &tbl[lo as usize / 64..(hi as usize).div_ceil(64)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    fn agree(flags: &[bool], lo: usize, hi: usize) {
        let bytes: Vec<u8> =
            flags.iter().enumerate().map(|(k, &f)| f as u8 * (k as u8 | 1)).collect();
        let mut bits = vec![0; flags.len().div_ceil(64)];
        flags.iter().enumerate().for_each(|(k, &f)| bits[k / 64] |= u64::from(f) << (k % 64));
        let next = (lo..hi).find(|&q| flags[q]).unwrap_or(hi) as i64;
        let last = (lo..hi).rev().find(|&q| flags[q]).map_or(lo, |q| q + 1) as i64;
        let (from, to) = (lo as i64, hi as i64);
        assert_eq!(next_set(&bytes, from, to), next, "{flags:?} {lo}..{hi}");
        assert_eq!(last_set(&bytes, from, to), last, "{flags:?} {lo}..{hi}");
        assert_eq!(next_bit(&bits, from, to), next, "{flags:?} {lo}..{hi}");
        assert_eq!(last_bit(&bits, from, to), last, "{flags:?} {lo}..{hi}");
        (lo..hi).for_each(|q| assert_eq!(bit(&bits, q as i64), i64::from(flags[q])));
        let mut word = bits_from(&bits, from, to);
        let ahead = flags.iter().enumerate().skip(lo).take(64 - lo % 64);
        for (q, _) in ahead.filter(|(_, set)| lo < hi && **set) {
            assert_eq!(lowest(word), q as i64 % 64);
            word = without_lowest(word);
        }
        assert_eq!((word, lowest(word)), (0, 64));
    }

    #[test]
    fn every_subset_of_ten() {
        for mask in 0u32..1 << 10 {
            let flags: Vec<bool> = (0..10).map(|b| mask >> b & 1 == 1).collect();
            for lo in 0..=10 {
                (lo..=10).for_each(|hi| agree(&flags, lo, hi));
            }
        }
    }

    #[test]
    fn over_several_words() {
        for step in [1, 7, 63, 64, 65, 150, 300] {
            let flags: Vec<bool> = (0..200).map(|k| k % step == step / 2).collect();
            for lo in [0, 1, 31, 32, 63, 64, 65, 127, 128, 199, 200] {
                for hi in [0, 1, 32, 63, 64, 65, 127, 128, 129, 199, 200] {
                    if lo <= hi {
                        agree(&flags, lo, hi);
                    }
                }
            }
        }
    }

    #[test]
    fn empty_ranges_are_answered_anywhere() {
        for (lo, hi) in [(0, 0), (9, 3), (1, 1), (i64::MAX, i64::MIN)] {
            assert_eq!(next_set(&[], lo, hi), lo);
            assert_eq!(last_set(&[], lo, hi), lo);
            assert_eq!(next_bit(&[], lo, hi), lo);
            assert_eq!(last_bit(&[], lo, hi), lo);
        }
    }

    #[test]
    fn ranges_outside_panic() {
        for (lo, hi) in [(-1, 1), (0, 65), (63, i64::MAX), (i64::MIN, i64::MAX), (64, 65)] {
            assert!(catch_unwind(|| next_set(&[0; 64], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| last_set(&[0; 64], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| next_bit(&[0], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| last_bit(&[0], lo, hi)).is_err(), "{lo}..{hi}");
        }
        for q in [-1, 64, i64::MIN, i64::MAX] {
            assert!(catch_unwind(|| bit(&[0], q)).is_err(), "{q}");
        }
    }
}
