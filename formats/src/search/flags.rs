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

/// The first word of `lo..hi` that is not 0, or `hi` if there is none; `lo` if the range is empty.
///
/// With [`word_at`], [`lowest`] and [`without_lowest`] a stepper reads each word once, and an entry
/// costs it no more than finding a bit and clearing it.
///
/// # Panics
/// If a range that is not empty is not within `tbl`.
#[inline(always)]
#[track_caller]
pub fn next_word(tbl: &[u64], lo: i64, hi: i64) -> i64 {
    let s = range(tbl, lo, hi);
    lo + s.iter().position(|&word| word != 0).unwrap_or(s.len()) as i64
}

/// One past the last word of `lo..hi` that is not 0, or `lo` if there is none.
///
/// # Panics
/// If a range that is not empty is not within `tbl`.
#[inline(always)]
#[track_caller]
pub fn last_word(tbl: &[u64], lo: i64, hi: i64) -> i64 {
    let s = range(tbl, lo, hi);
    lo + s.iter().rposition(|&word| word != 0).map_or(0, |k| k as i64 + 1)
}

/// Word `q` as a number of 64 bits; 0 from `hi` on.
///
/// # Panics
/// If `q` is below `hi` and there is no such word.
#[inline(always)]
#[track_caller]
pub fn word_at(tbl: &[u64], q: i64, hi: i64) -> i64 {
    if q < hi {
        tbl[q as usize] as i64
    } else {
        0
    }
}

/// The number of bits in `words` words.
#[inline(always)]
pub fn bits_in(words: i64) -> i64 {
    words << 6
}

/// One past the highest bit of a word that is set; 0 if none is.
#[inline(always)]
pub fn highest(word: i64) -> i64 {
    64 - i64::from(word.leading_zeros())
}

/// A word without the bits before bit `q % 64`.
#[inline(always)]
pub fn without_below(word: i64, q: i64) -> i64 {
    word & (-1 << (q & 63))
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

/// A word of bits that are all like bit `q % 64` of `word`.
#[inline(always)]
pub fn all_like(word: i64, q: i64) -> i64 {
    -bit_of(word, q)
}

/// Which bits of a word are not as those of `all`.
#[inline(always)]
pub fn unlike(word: i64, all: i64) -> i64 {
    word ^ all
}

/// The first word of `lo..hi` that is not `all`, or `hi` if there is none.
///
/// # Panics
/// If a range that is not empty is not within `tbl`.
#[inline(always)]
#[track_caller]
pub fn next_unlike(tbl: &[u64], lo: i64, hi: i64, all: i64) -> i64 {
    let s = range(tbl, lo, hi);
    lo + s.iter().position(|&word| word as i64 != all).unwrap_or(s.len()) as i64
}

/// Of the bits that are unlike those before the lowest of them: those behind that which are unlike it.
#[inline(always)]
pub fn unlike_behind(bits: i64) -> i64 {
    // From the lowest on all are the other way round; those before it stay 0.
    !bits & (bits | bits.wrapping_neg())
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
        // All words, by way of those that are not 0, from `lo` on.
        let until = last_word(&bits, 0, bits.len() as i64);
        let (mut w, mut found) = (word_of(from), Vec::new());
        let mut word = without_below(word_at(&bits, w, until), from);
        while w < until {
            while word != 0 {
                found.push((bits_in(w) + lowest(word)) as usize);
                word = without_lowest(word);
            }
            w = next_word(&bits, w + 1, until);
            word = word_at(&bits, w, until);
        }
        assert_eq!(lowest(word), 64);
        let ahead: Vec<usize> = (lo..flags.len()).filter(|&q| flags[q]).collect();
        assert_eq!(found, ahead);
        let end = flags.iter().rposition(|&f| f).map_or(0, |q| q as i64 + 1);
        let last = match until {
            0 => 0,
            _ => bits_in(until - 1) + highest(word_at(&bits, until - 1, until)),
        };
        assert_eq!(last, end);
    }

    #[test]
    fn every_subset_of_ten() {
        // An interpreter takes a part of them.
        let step = if cfg!(miri) { 29 } else { 1 };
        for mask in (0u32..1 << 10).step_by(step) {
            let flags: Vec<bool> = (0..10).map(|b| mask >> b & 1 == 1).collect();
            for lo in 0..=10 {
                (lo..=10).for_each(|hi| agree(&flags, lo, hi));
            }
        }
    }

    #[test]
    fn over_several_words() {
        let steps = [1, 64, 150, 7, 63, 65, 300];
        for step in &steps[..if cfg!(miri) { 2 } else { 7 }] {
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
            assert_eq!(next_word(&[], lo, hi), lo);
            assert_eq!(last_word(&[], lo, hi), lo);
            assert_eq!(word_at(&[], lo.max(hi), hi), 0);
        }
    }

    #[test]
    fn ranges_outside_panic() {
        for (lo, hi) in [(-1, 1), (0, 65), (63, i64::MAX), (i64::MIN, i64::MAX), (64, 65)] {
            assert!(catch_unwind(|| next_set(&[0; 64], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| last_set(&[0; 64], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| next_bit(&[0], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| last_bit(&[0], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| next_word(&[0; 64], lo, hi)).is_err(), "{lo}..{hi}");
            assert!(catch_unwind(|| last_word(&[0; 64], lo, hi)).is_err(), "{lo}..{hi}");
        }
        for q in [-1, 64, i64::MIN, i64::MAX] {
            assert!(catch_unwind(|| bit(&[0], q)).is_err(), "{q}");
        }
    }
}
