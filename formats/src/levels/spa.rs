//! Spa: the sparse accumulator, a dense row and a list of what was touched of it.

use crate::level::grow;
use crate::Index;

crate::level! {
    /// A flag for each coordinate, and a list of those that are set (the sparse accumulator of Gilbert,
    /// Moler and Schreiber, *Sparse matrices in MATLAB*, 1992, section 3.1.3).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  *  .  .  *  .      tbl = [f, t, f, f, t, f]
    ///             └run┘*└─run──┘*└run┘   crd = [1, 4, _, _, _, _]   num = [2]
    /// ```
    ///
    /// Fiber `p` has the entries `crd[p * len .. p * len + num[p]]`, with coordinates that ascend strictly;
    /// what else is in `crd` is not looked at. The child of entry `i` is at position `p * len + i`, and the
    /// flag `tbl[p * len + i]` says whether it is stored. Invariant: as said, with a flag and a place in
    /// `crd` for each coordinate of each fiber; `set` has a bit for each coordinate and for each word of
    /// these, all zero: lists are sorted by it.
    ///
    /// The format for a workspace in a loop: an entry is written in constant time, what was written is found
    /// and cleared in time linear in it, and put in order in that and one word for each 4,096 coordinates
    /// between the first and the last. [`BitTree`](crate::BitTree) takes an eighth of a byte for each
    /// coordinate besides the values, this more than five bytes; which of the two is faster depends on the rows.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a
    /// run. Costs: `walk` is linear in the entries; `gallop` logarithmic in what it skips; `locate` is
    /// constant.
    pub struct Spa<Child, Ix: Index = u32> {
        len: usize,
        tbl: Vec<bool>,
        num: Vec<usize>,
        crd: Vec<Ix>,
        set: Vec<u64>,
        child: Child,
    }
    // SAFETY: fiber `p` has `num[p]` entries, no more than the `len` places that `crd` has for it from
    // `p * len` on, and these are coordinates below `len`; `tbl` and the child have one for each coordinate. `commit`
    // runs for what `find` has not found, so that the list has a place left.
    unsafe invariant(fibers) { crate::levels::spa_invariant(len, fibers, tbl, num, crd, set) }
    read walk, follow | gallop, lead(p) {
        let start = p * len;
        let end = start + num[p];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): crate::search::lower_bound(crd, q, end, i),
                jump(i): crate::search::gallop(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[start + crd[q]]),
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = p * len + i;
        switch {
            tbl[q] != 0 => child[q],
            _ => fill,
        }
    }
    split(p, i) { p * len + i }
    write locate(p, i) {
        exact,
        reserve(fibers) { crate::levels::grow_spa(len, fibers, tbl, num, crd, set) },
        find: if tbl[p * len + i] != 0 { p * len + i } else { -1 },
        child: p * len + i,
        commit: {
            tbl[p * len + i] = true;
            crd[p * len + num[p]] = Ix::from_i64(i as i64);
            num[p] += 1;
        },
        sort(fibers) { crate::levels::sort_spa(len, fibers, num, crd, set) },
        finish(fibers) { crate::levels::cut_spa(len, fibers, tbl, num, crd, set) },
        children: len,
        clear: { crate::levels::clear_spa(tbl, num, crd, blank) },
    }
}

/// Makes the arrays hold `fibers` fibers.
#[doc(hidden)]
pub fn grow_spa<Ix: Index>(
    len: usize,
    fibers: usize,
    tbl: &mut Vec<bool>,
    num: &mut Vec<usize>,
    crd: &mut Vec<Ix>,
    set: &mut Vec<u64>,
) -> Result<(), String> {
    let places = fibers.saturating_mul(len);
    grow(tbl, places, false)?;
    grow(crd, places, Ix::from_i64(0))?;
    grow(num, fibers, 0)?;
    grow(set, words(len), 0)
}

/// How many words hold a bit for each of `len` coordinates, and one for each word of these.
fn words(len: usize) -> usize {
    let words = len.div_ceil(64);
    words + words.div_ceil(64)
}

/// Makes the arrays hold `fibers` fibers and no more.
#[doc(hidden)]
pub fn cut_spa<Ix: Index>(
    len: usize,
    fibers: usize,
    tbl: &mut Vec<bool>,
    num: &mut Vec<usize>,
    crd: &mut Vec<Ix>,
    set: &mut Vec<u64>,
) -> Result<(), String> {
    let places = fibers.saturating_mul(len);
    tbl.truncate(places);
    crd.truncate(places);
    num.truncate(fibers);
    grow_spa(len, fibers, tbl, num, crd, set)
}

/// Puts the entries of each fiber in order.
///
/// # Errors
/// None: it is in the place of a clause that may fail.
#[doc(hidden)]
pub fn sort_spa<Ix: Index>(
    len: usize,
    fibers: usize,
    num: &[usize],
    crd: &mut [Ix],
    set: &mut [u64],
) -> Result<(), String> {
    for (p, &count) in num.iter().enumerate().take(fibers) {
        let list = &mut crd[p * len..p * len + count];
        // To find that few are in order takes as long as to put those in order that are.
        match count {
            0..=FEW => insertion(list),
            _ if list.is_sorted() => {}
            _ => by_bits(list, set, len.div_ceil(64)),
        }
    }
    Ok(())
}

/// As many entries as are sorted faster one by one.
const FEW: usize = 24;

fn insertion<Ix: Index>(list: &mut [Ix]) {
    for k in 1..list.len() {
        let one = list[k];
        let mut at = k;
        while at > 0 && list[at - 1] > one {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = one;
    }
}

/// Sorts distinct coordinates: sets a bit for each in the first `words` of `set`, and above these a bit for
/// each word; reads them in order, and leaves zeros.
fn by_bits<Ix: Index>(list: &mut [Ix], set: &mut [u64], words: usize) {
    let (bits, above) = set.split_at_mut(words);
    let (mut least, mut most) = (usize::MAX, 0);
    for i in &*list {
        let word = i.to_i64() as usize / 64;
        bits[word] |= 1 << (i.to_i64() % 64);
        above[word / 64] |= 1 << (word % 64);
        least = least.min(word / 64);
        most = most.max(word / 64);
    }
    let mut places = list.iter_mut();
    for (group, word) in above.iter_mut().enumerate().take(most + 1).skip(least) {
        let mut in_group = std::mem::take(word);
        while in_group != 0 {
            let word = 64 * group + in_group.trailing_zeros() as usize;
            in_group &= in_group - 1;
            let mut left = std::mem::take(&mut bits[word]);
            while left != 0 {
                let i = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                if let Some(place) = places.next() {
                    *place = Ix::from_i64(i as i64);
                }
            }
        }
    }
}

/// Takes all entries out of a single fiber, and calls `blank` with the position of each.
#[doc(hidden)]
#[inline]
pub fn clear_spa<Ix: Index>(
    tbl: &mut [bool],
    num: &mut [usize],
    crd: &[Ix],
    mut blank: impl FnMut(usize),
) {
    let Some(count) = num.first_mut() else { return };
    for i in &crd[..std::mem::take(count)] {
        let i = i.to_i64() as usize;
        tbl[i] = false;
        blank(i);
    }
}

/// The invariant of [`Spa`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn spa_invariant<Ix: Index>(
    len: usize,
    fibers: usize,
    tbl: &[bool],
    num: &[usize],
    crd: &[Ix],
    set: &[u64],
) -> Result<usize, String> {
    let places =
        fibers.checked_mul(len).ok_or("the number of fibers exceeds what can be addressed")?;
    if tbl.len() != places || crd.len() != places || num.len() != fibers {
        return Err(format!(
            "`tbl` has {} flags, `crd` {} places and `num` {} numbers for {fibers} fibers of size {len}",
            tbl.len(),
            crd.len(),
            num.len()
        ));
    }
    if set.len() != words(len) || set.iter().any(|w| *w != 0) {
        return Err(format!("`set` is not {} words of zeros", words(len)));
    }
    for (p, &count) in num.iter().enumerate() {
        if count > len {
            return Err(format!("fiber {p} has {count} entries, but its size is {len}"));
        }
        let flags = &tbl[p * len..][..len];
        let mut free = 0;
        for i in &crd[p * len..][..count] {
            let at = i.to_i64();
            if at < free || at as u64 >= len as u64 {
                return Err(format!(
                    "the coordinates of fiber {p} do not ascend below {len} at {at}"
                ));
            }
            if !flags[at as usize] {
                return Err(format!("fiber {p} lists {at}, but `tbl` says that it is not stored"));
            }
            free = at + 1;
        }
        if flags.iter().filter(|f| **f).count() != count {
            return Err(format!("`tbl` has entries of fiber {p} that are not listed"));
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists `i` among the entries of fiber `p`, where it is not.
    fn touch(len: usize, tbl: &mut [bool], num: &mut [usize], crd: &mut [u32], p: usize, i: usize) {
        tbl[p * len + i] = true;
        crd[p * len + num[p]] = i as u32;
        num[p] += 1;
    }

    #[test]
    fn lists_are_sorted_and_cleared_whatever_their_length() {
        for len in [1, 63, 64, 65, 5000, 300_000] {
            for count in [0, 1, 2, FEW, FEW + 1, 200].map(|n: usize| n.min(len)) {
                let (mut tbl, mut num) = (Vec::new(), Vec::new());
                let (mut crd, mut set) = (Vec::<u32>::new(), Vec::new());
                grow_spa(len, 2, &mut tbl, &mut num, &mut crd, &mut set).unwrap();
                // A step that shares no factor with any of the sizes reaches each coordinate once.
                let mut want: Vec<_> = (0..count).map(|k| (k * 7919 + 11) % len).collect();
                for p in 0..2 {
                    for &i in &want {
                        touch(len, &mut tbl, &mut num, &mut crd, p, i);
                    }
                }
                sort_spa(len, 2, &num, &mut crd, &mut set).unwrap();
                want.sort_unstable();
                for p in 0..2 {
                    let list = crd[p * len..][..num[p]].iter().map(|i| *i as usize);
                    assert!(list.eq(want.iter().copied()), "{count} of {len}");
                }
                assert_eq!(spa_invariant(len, 2, &tbl, &num, &crd, &set), Ok(2 * len));
                let mut found = Vec::new();
                clear_spa(&mut tbl, &mut num, &crd, |q| found.push(q));
                assert_eq!(found, want);
                cut_spa(len, 1, &mut tbl, &mut num, &mut crd, &mut set).unwrap();
                assert!(tbl.iter().all(|f| !*f) && num == [0]);
            }
        }
    }
}
