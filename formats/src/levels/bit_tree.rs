//! BitTree: a bitmap, and bits that say which of its words are not zero.

use crate::level::grow;

crate::level! {
    /// A bit for each coordinate, and above these a bit for each word of them: which children, one per
    /// coordinate, are stored (the bit-trees of Rucker et al., *Capstan*, MICRO 2021).
    ///
    /// ```text
    /// coordinate  0 .. 63  64 .. 127  128 .. 191
    ///             5 zeros             * at 130       tbl = [0, 0, 0b100]   sum = [0b100]
    ///             └───────────run──────┘*└─run┘      a spike per bit that is set, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the words `tbl[p * w .. p * w + w]` with `w = len.div_ceil(64)`; entry `i` is stored if
    /// bit `i % 64` of word `i / 64` of these is set, and its child is at position `p * len + i`. Bit `k % 64`
    /// of `sum[k / 64]` is set if `tbl[k]` is not zero. Invariant: `tbl` has `fibers * w` words, `sum` a bit
    /// for each, and no bit is set beyond.
    ///
    /// The format for a workspace in a loop: an entry is written in constant time, reading gives the entries
    /// in order, and clearing visits only what is set.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a
    /// run. Costs: `walk` is linear in `len / 4096` and the entries; `locate` is constant.
    pub struct BitTree<Child> {
        len: usize,
        tbl: Vec<u64>,
        sum: Vec<u64>,
        child: Child,
    }
    // SAFETY: fiber `p` has the words from `p * w` on, which `tbl` holds and `sum` has bits for, and the
    // searches stay within them; no bit beyond `len` is set, and the child has a fiber for each coordinate.
    unsafe invariant(fibers) { crate::levels::bit_tree_invariant(len, fibers, tbl, sum) }
    read walk, follow | gallop, lead(p) {
        let start = p * len;
        let words = (len + 63) / 64;
        let base = p * words;
        let until = crate::search::last_bit(sum, base, base + words);
        let end = if base < until {
            crate::search::bits_in(until - 1 - base) + crate::search::highest(tbl[until - 1])
        } else {
            0
        };
        let mut word = crate::search::next_bit(sum, base, until);
        let mut bits = if word < until { tbl[word] } else { 0 };
        let mut first = crate::search::bits_in(word - base);
        pipeline {
            ..end => stepper {
                while bits != 0,
                leap(i): {
                    word = base + crate::search::word_of(i);
                    bits = crate::search::without_below(
                        crate::search::word_at(tbl, word, until), i);
                    if bits == 0 {
                        word = crate::search::next_bit(sum, word + 1, until);
                        bits = crate::search::word_at(tbl, word, until);
                    }
                    first = crate::search::bits_in(word - base);
                },
                stop: first + crate::search::lowest(bits) + 1,
                body: spike(fill, child[start + (first + crate::search::lowest(bits))]),
                next: {
                    bits = crate::search::without_lowest(bits);
                    if bits == 0 {
                        word = crate::search::next_bit(sum, word + 1, until);
                        bits = crate::search::word_at(tbl, word, until);
                        first = crate::search::bits_in(word - base);
                    }
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        switch {
            crate::search::bit_of(tbl[p * ((len + 63) / 64) + crate::search::word_of(i)], i) != 0
                => child[p * len + i],
            _ => fill,
        }
    }
    split(p, i) { p * len + i }
    sparse words(p, w) { tbl[p * ((len + 63) / 64) + w] }
    write locate(p, i) {
        exact,
        reserve(fibers) { crate::levels::grow_bit_tree(len, fibers, tbl, sum) },
        child: p * len + i,
        commit: {
            let word = p * len.div_ceil(64) + i / 64;
            tbl[word] |= 1 << (i % 64);
            sum[word / 64] |= 1 << (word % 64);
        },
        words(w) {
            let word = p * len.div_ceil(64) + w;
            sum[word / 64] |= 1 << (word % 64);
        },
        finish(fibers) { crate::levels::cut_bit_tree(len, fibers, tbl, sum) },
        children: len,
        clear: { crate::levels::clear_bit_tree(tbl, sum, blank) },
    }
}

/// Makes `tbl` and `sum` hold the words of `fibers` fibers.
#[doc(hidden)]
pub fn grow_bit_tree(
    len: usize,
    fibers: usize,
    tbl: &mut Vec<u64>,
    sum: &mut Vec<u64>,
) -> Result<(), String> {
    super::grow_bitmap(len, fibers, tbl)?;
    grow(sum, tbl.len().div_ceil(64), 0)
}

/// Makes `tbl` and `sum` hold the words of `fibers` fibers and no more.
#[doc(hidden)]
pub fn cut_bit_tree(
    len: usize,
    fibers: usize,
    tbl: &mut Vec<u64>,
    sum: &mut Vec<u64>,
) -> Result<(), String> {
    super::cut_bitmap(len, fibers, tbl)?;
    sum.truncate(tbl.len().div_ceil(64));
    grow(sum, tbl.len().div_ceil(64), 0)
}

/// Takes all entries out of a single fiber, and calls `blank` with the position of each.
#[doc(hidden)]
pub fn clear_bit_tree(tbl: &mut [u64], sum: &mut [u64], mut blank: impl FnMut(usize)) {
    for (k, words) in sum.iter_mut().enumerate() {
        while *words != 0 {
            let word = 64 * k + words.trailing_zeros() as usize;
            *words &= *words - 1;
            let mut bits = std::mem::take(&mut tbl[word]);
            while bits != 0 {
                blank(64 * word + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

/// The invariant of [`BitTree`].
///
/// # Errors
/// The words are too many or too few, a bit is set that is no coordinate's, or `sum` is wrong.
#[doc(hidden)]
pub fn bit_tree_invariant(
    len: usize,
    fibers: usize,
    tbl: &[u64],
    sum: &[u64],
) -> Result<usize, String> {
    let children = super::bitmap_invariant(len, fibers, tbl)?;
    if sum.len() != tbl.len().div_ceil(64) {
        return Err(format!("`sum` has {} words for {} words of `tbl`", sum.len(), tbl.len()));
    }
    for (k, word) in sum.iter().enumerate() {
        let below = tbl[64 * k..tbl.len().min(64 * k + 64)].iter().enumerate();
        let expected = below.fold(0u64, |bits, (b, &w)| bits | u64::from(w != 0) << b);
        if *word != expected {
            return Err(format!(
                "word {k} of `sum` does not say which words of `tbl` are not zero"
            ));
        }
    }
    Ok(children)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_visits_what_is_set() {
        let len = 10_000;
        let (mut tbl, mut sum) = (Vec::new(), Vec::new());
        grow_bit_tree(len, 1, &mut tbl, &mut sum).unwrap();
        let set = [0, 63, 64, 4095, 4096, 7000, 9999];
        for i in set {
            tbl[i / 64] |= 1 << (i % 64);
            sum[i / 4096] |= 1 << (i / 64 % 64);
        }
        assert_eq!(bit_tree_invariant(len, 1, &tbl, &sum), Ok(len));
        let mut found = Vec::new();
        clear_bit_tree(&mut tbl, &mut sum, |q| found.push(q));
        assert_eq!(found, set);
        assert!(tbl.iter().chain(&sum).all(|w| *w == 0));
    }
}
