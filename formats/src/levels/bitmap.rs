//! Bitmap: a child for every coordinate, and a bit that says whether it is stored.

use crate::level::grow;

crate::level! {
    /// A bit for each coordinate: which of the children, one per coordinate, are stored.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  *  .  .  *  .      tbl = [0b010010]
    ///             └run┘*└─run──┘*└run┘   a spike per bit that is set, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the words `tbl[p * w .. p * w + w]` with `w = len.div_ceil(64)`. Entry `i` is
    /// stored if bit `i % 64`, counted from the least, of word `i / 64` of these is set; its child is
    /// at position `p * len + i`. Invariant: `tbl` has `fibers * w` words, and no bit is set beyond
    /// `len`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes,
    /// then a run. Costs: `walk` passes over a word of zeros at once and is linear in `len / 64` and
    /// the entries; `gallop` skips what it leaves out for nothing; `locate` is constant. `runs` is a stepper of
    /// stretches of bits that are alike, in turn a lookup and a run: linear in `len / 64` and the stretches.
    pub struct Bitmap<Child> {
        len: usize,
        tbl: Vec<u64>,
        child: Child,
    }
    // SAFETY: fiber `p` has the words from `p * w` on, which `tbl` holds, and the searches stay within them;
    // no bit beyond `len` is set, and the child has a fiber for each coordinate of each fiber.
    unsafe invariant(fibers) { crate::levels::bitmap_invariant(len, fibers, tbl) }
    read walk, follow | gallop, lead(p) {
        let start = p * len;
        let words = (len + 63) / 64;
        let base = p * words;
        let until = crate::search::last_word(tbl, base, base + words);
        let end = if base < until {
            crate::search::bits_in(until - 1 - base) + crate::search::highest(tbl[until - 1])
        } else {
            0
        };
        let mut word = crate::search::next_word(tbl, base, until);
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
                        word = crate::search::next_word(tbl, word + 1, until);
                        bits = crate::search::word_at(tbl, word, until);
                    }
                    first = crate::search::bits_in(word - base);
                },
                stop: first + crate::search::lowest(bits) + 1,
                body: spike(fill, child[start + (first + crate::search::lowest(bits))]),
                next: {
                    bits = crate::search::without_lowest(bits);
                    if bits == 0 {
                        word = crate::search::next_word(tbl, word + 1, until);
                        bits = crate::search::word_at(tbl, word, until);
                        first = crate::search::bits_in(word - base);
                    }
                },
            },
            .. => run(fill),
        }
    }
    read runs(p) {
        let start = p * len;
        let base = p * ((len + 63) / 64);
        let until = base + (len + 63) / 64;
        let mut all = crate::search::all_like(crate::search::word_at(tbl, base, until), 0);
        let mut word = crate::search::next_unlike(tbl, base, until, all);
        let mut bits = crate::search::unlike(crate::search::word_at(tbl, word, until), all);
        let mut first = crate::search::bits_in(word - base);
        stepper {
            leap(i): {
                word = base + crate::search::word_of(i);
                all = crate::search::all_like(crate::search::word_at(tbl, word, until), i);
                bits = crate::search::without_below(
                    crate::search::unlike(crate::search::word_at(tbl, word, until), all), i);
                if bits == 0 {
                    word = crate::search::next_unlike(tbl, word + 1, until, all);
                    bits = crate::search::unlike(crate::search::word_at(tbl, word, until), all);
                }
                first = crate::search::bits_in(word - base);
            },
            stop: min(first + crate::search::lowest(bits), len),
            body: switch {
                all != 0 => lookup(|i| child[start + i]),
                _ => run(fill),
            },
            next: {
                all = -1 - all;
                bits = crate::search::unlike_behind(bits);
                if bits == 0 {
                    word = crate::search::next_unlike(tbl, word + 1, until, all);
                    bits = crate::search::unlike(crate::search::word_at(tbl, word, until), all);
                    first = crate::search::bits_in(word - base);
                }
            },
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
    words(p, w) { tbl[p * ((len + 63) / 64) + w] }
    join(tbl: entries);
    write locate(p, i) {
        exact,
        reserve(fibers) { crate::levels::grow_bitmap(len, fibers, tbl) },
        child: p * len + i,
        commit: { tbl[p * len.div_ceil(64) + i / 64] |= 1 << (i % 64) },
        words(w) {},
        finish(fibers) { crate::levels::cut_bitmap(len, fibers, tbl) },
        children: len,
        clear: { crate::levels::clear_bitmap(tbl, blank) },
    }
}

/// Makes `tbl` hold the words of `fibers` fibers.
#[doc(hidden)]
pub fn grow_bitmap(len: usize, fibers: usize, tbl: &mut Vec<u64>) -> Result<(), String> {
    grow(tbl, fibers.saturating_mul(len.div_ceil(64)), 0)
}

/// Makes `tbl` hold the words of `fibers` fibers and no more.
#[doc(hidden)]
pub fn cut_bitmap(len: usize, fibers: usize, tbl: &mut Vec<u64>) -> Result<(), String> {
    tbl.truncate(fibers.saturating_mul(len.div_ceil(64)));
    grow_bitmap(len, fibers, tbl)
}

/// Takes all entries out of a single fiber, and calls `blank` with the position of each.
#[doc(hidden)]
pub fn clear_bitmap(tbl: &mut [u64], mut blank: impl FnMut(usize)) {
    for (word, bits) in tbl.iter_mut().enumerate() {
        while *bits != 0 {
            blank(64 * word + bits.trailing_zeros() as usize);
            *bits &= *bits - 1;
        }
    }
}

/// The invariant of [`Bitmap`].
///
/// # Errors
/// The words are too many or too few, or a bit is set that is no coordinate's.
#[doc(hidden)]
pub fn bitmap_invariant(len: usize, fibers: usize, tbl: &[u64]) -> Result<usize, String> {
    let words = len.div_ceil(64);
    if fibers.checked_mul(words) != Some(tbl.len()) {
        return Err(format!("`tbl` has {} words for {fibers} fibers of size {len}", tbl.len()));
    }
    let rest = len % 64;
    if rest > 0 {
        let mut last = tbl.chunks_exact(words).map(|fiber| fiber[words - 1]);
        if let Some(p) = last.position(|word| word >> rest != 0) {
            return Err(format!("`tbl` has bits beyond {len}, the size, in fiber {p}"));
        }
    }
    let too_many = || format!("{fibers} fibers of size {len} exceed what can be addressed");
    fibers.checked_mul(len).ok_or_else(too_many)
}
