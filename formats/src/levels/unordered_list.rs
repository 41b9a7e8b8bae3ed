//! UnorderedList: the entries of a fiber in the order in which they came.

use super::sparse_list::positions;
use crate::level::grow;
use crate::Index;

crate::level! {
    /// The coordinates of the stored entries of each fiber, in any order: what others call unsorted rows.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5      entry         q = 0  1
    ///             .  *  .  .  *  .      came in order  crd = [4, 1]   pos = [0, 2]
    ///             └run┘*└─run──┘*└run┘   a spike per entry, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the entries `pos[p]..pos[p + 1]`; entry `q` is at coordinate `crd[q]`, its child at
    /// position `q`. Invariant: `pos` as in `SparseList` cuts `crd`; the coordinates of a fiber are below `len`
    /// and not the same. `at`, by which a fiber that is written finds its entries, is empty once nothing more
    /// is written.
    ///
    /// Made for products of sparse matrices whose rows nobody has to read in order, as those that are sorted
    /// later or sent elsewhere: an entry is made and found in constant time, and what is made is never moved.
    /// `convert` sorts. The fibers themselves are written in order, the entries of each in any.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a
    /// run; entries in no order (`scan`). Costs: `scan` is linear in the entries; each step of `walk` and of `gallop`, and
    /// `locate`, look through the entries of the fiber.
    /// While it is written, it takes a word for each coordinate of the dimension.
    pub struct UnorderedList<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        at: Vec<usize>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `crd` in order, and the searches give entries between
    // the two, or the end, which is not read; the child has a fiber for each entry; coordinates are below `len`.
    // `open` gives `at` a place for each coordinate, and only `finish` takes it, behind which nothing is written. What
    // `note` puts there for a coordinate is above `pos[p]` from then on, so that no entry of a fiber is made twice.
    unsafe invariant(fibers) {
        crate::levels::unordered_list_invariant(len, fibers, pos, crd, at)
    }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = crate::search::end_of(crd, start, end);
        let mut q = crate::search::least_from(crd, start, end, 0);
        let mut ahead = crate::search::after(crd, q, end);
        pipeline {
            ..last => stepper {
                while q < end,
                leap(i): {
                    q = crate::search::least_from(crd, start, end, i);
                    ahead = crate::search::after(crd, q, end);
                },
                stop: ahead,
                body: spike(fill, child[q]),
                next: {
                    q = crate::search::least_from(crd, start, end, ahead);
                    ahead = crate::search::after(crd, q, end);
                },
            },
            .. => run(fill),
        }
    }
    read scan(p) {
        unordered { for q in pos[p]..pos[p + 1], at: crd[q], body: child[q] }
    }
    read locate(p, i) {
        let end = pos[p + 1];
        let q = crate::search::position_of(crd, pos[p], end, i);
        switch {
            q < end => child[q],
            _ => fill,
        }
    }
    join(pos: offsets, crd: coordinates, at: entries);
    write insert(p, i) {
        open: { crate::levels::begin_unordered(len, pos, p, crd.len(), at) },
        // One more than the last entry at `i`, of whatever fiber.
        find: if at[i] > pos[p] { at[i] - 1 } else { -1 },
        each { crd: Ix::from_i64(i as i64) },
        note(q) { at[i] = q + 1; },
        sort(fibers) { crate::levels::end_fibers(pos, fibers, crd.len()) },
        finish(fibers) {
            at.clear();
            Ok(())
        },
    }
}

/// Starts fiber `p` after `count` entries.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
#[inline]
pub fn begin_unordered(
    len: usize,
    pos: &mut Vec<usize>,
    p: usize,
    count: usize,
    at: &mut Vec<usize>,
) -> Result<(), String> {
    super::begin_fiber(pos, p, count)?;
    grow(at, len, 0)
}

/// The invariant of [`UnorderedList`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn unordered_list_invariant<Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    crd: &[Ix],
    at: &[usize],
) -> Result<usize, String> {
    positions(fibers, pos, crd.len(), "crd")?;
    if !at.is_empty() {
        return Err("`at` is not empty, as if something were being written".to_owned());
    }
    let mut sorted = Vec::new();
    for p in 0..fibers {
        sorted.clear();
        sorted.extend_from_slice(&crd[pos[p]..pos[p + 1]]);
        sorted.sort_unstable();
        if let Some(k) = sorted.windows(2).position(|w| w[0] == w[1]) {
            return Err(format!("fiber {p} has two entries at {:?}", sorted[k]));
        }
        if let (Some(first), Some(last)) = (sorted.first(), sorted.last()) {
            if first.to_i64() < 0 || last.to_i64() as u64 >= len as u64 {
                return Err(format!("fiber {p} has coordinate {last:?}, but its size is {len}"));
            }
        }
    }
    Ok(crd.len())
}
