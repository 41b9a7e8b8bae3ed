//! Interleaved: entries in the order in which they came, fiber by fiber in between.

use super::hash::ordered_invariant;
use crate::level::grow;
use crate::Index;

crate::level! {
    /// Entries that come in any order of fibers, but in ascending order within each, as those of a matrix whose rows
    /// are gone through as columns.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5      entry         q = 0  1
    ///             .  *  .  .  *  .      came in order  crd = [1, 4]   fib = [0, 0]
    ///             └run┘*└─run──┘*└run┘   read in order  ord = [0, 1]   pos = [0, 2]   ends = [5]
    /// ```
    ///
    /// Entry `q` is at coordinate `crd[q]` of fiber `fib[q]`; its child is at position `q`. The entries of fiber `p`,
    /// sorted, are `ord[k]` for `k` in `pos[p]..pos[p + 1]`. Invariant: `pos` as in `SparseList` cuts `ord`, which has each
    /// entry once, in the fiber it says, with coordinates that ascend strictly and are below `len`; `ends[p]` is more than
    /// each coordinate of fiber `p`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a run. Costs: an
    /// entry behind all others of its fiber is made in constant time, one that is not is looked for among all there are;
    /// they are put in order by counting, in time linear in entries and fibers. `walk` is linear in the entries,
    /// `gallop` logarithmic in what it skips. There is no `locate`: entries are put in order when all are there.
    #[doc(hidden)]
    pub struct Interleaved<Child, Ix: Index = u32> {
        len: usize,
        fib: Vec<usize>,
        crd: Vec<Ix>,
        ends: Vec<usize>,
        pos: Vec<usize>,
        ord: Vec<usize>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `ord` in order, and `ord` has entries that `crd`
    // has; a search gives a place in `ord` between the two, or the end, which is not read; the child has a fiber for
    // each entry, and coordinates are below `len`. `reserve` gives `ends` a place for each fiber.
    unsafe invariant(fibers) {
        crate::levels::interleaved_invariant(len, fibers, fib, crd, ends, pos, ord)
    }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[ord[end - 1]] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for k in start..end,
                seek(i): crate::search::gallop_through(crd, ord, k, end, i),
                stop: crd[ord[k]] + 1,
                body: spike(fill, child[ord[k]]),
            },
            .. => run(fill),
        }
    }
    write insert(p, i) {
        exact,
        reserve(fibers) { grow(ends, fibers, 0) },
        find: if ends[p] <= i { -1 } else { crate::levels::among(fib, crd, p, i) },
        child: crd.len(),
        commit: {
            crate::level::push(fib, p);
            crate::level::push(crd, Ix::from_i64(i as i64));
            ends[p] = ends[p].max(i + 1);
        },
        finish(fibers) { crate::levels::hash_order(fibers, fib, crd, pos, ord) },
        children(fibers) { Some(crd.len()) },
    }
}

/// The entry of fiber `p` at `i`, or -1.
#[doc(hidden)]
#[cold]
pub fn among<Ix: Index>(fib: &[usize], crd: &[Ix], p: i64, i: i64) -> i64 {
    let found = fib.iter().zip(crd).rposition(|(f, c)| *f as i64 == p && c.to_i64() == i);
    found.map_or(-1, |q| q as i64)
}

/// The invariant of [`Interleaved`].
///
/// # Errors
/// What does not hold, and where.
#[doc(hidden)]
pub fn interleaved_invariant<Ix: Index>(
    len: usize,
    fibers: usize,
    fib: &[usize],
    crd: &[Ix],
    ends: &[usize],
    pos: &[usize],
    ord: &[usize],
) -> Result<usize, String> {
    let count = ordered_invariant((len, fibers), fib, crd, pos, ord)?;
    let within =
        |(p, i): (&usize, &Ix)| ends.get(*p).is_some_and(|end| (i.to_i64() as usize) < *end);
    match fib.iter().zip(crd).position(|entry| !within(entry)) {
        Some(q) => Err(format!("entry {q} is behind the end of its fiber")),
        None => Ok(count),
    }
}
