//! SparseRunList: runs of equal entries that leave out the fill.

use super::sparse_list::positions;
use crate::Index;

crate::level! {
    /// Runs of equal entries, with fill between them (Finch's `SparseRunList`).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  a  a  .  .  b      first = [1, 5]   last = [2, 5]   pos = [0, 2]
    ///             └r┘└─a─┘ └─r─┘ b      a run of fill and a run of an entry, in turn
    /// ```
    ///
    /// Fiber `p` has the runs `pos[p]..pos[p + 1]`; run `q` has the coordinates `first[q]..=last[q]`,
    /// and every element in it is the child at position `q`. Invariant: `pos` as in `SparseList`; as
    /// many `first` as `last`; a run ends no earlier than it begins, begins behind the one before it
    /// and ends below `len`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of such pairs
    /// of runs, then a run. Costs: `walk` is linear in the runs; `gallop` logarithmic in those it skips;
    /// `locate` logarithmic in all of a fiber's. Appended to in order; equal neighbours share a run.
    pub struct SparseRunList<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        first: Vec<Ix>,
        last: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `last` in order; there is a `first` and a fiber of
    // the child for each `last`. The runs of a fiber are in order and end below `len`.
    unsafe invariant(fibers) {
        crate::levels::sparse_run_list_invariant(len, fibers, pos, first, last)
    }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let stop = if start < end { last[end - 1] + 1 } else { 0 };
        pipeline {
            ..stop => stepper {
                for q in start..end,
                seek(i): crate::search::lower_bound(last, q, end, i),
                jump(i): crate::search::gallop(last, q, end, i),
                stop: last[q] + 1,
                body: pipeline {
                    ..first[q] => run(fill),
                    .. => run(child[q]),
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let start = pos[p];
        let end = pos[p + 1];
        let q = crate::search::lower_bound(last, start, end, i);
        switch {
            q < end && first[q] <= i => child[q],
            _ => fill,
        }
    }
    split(p, i) { crate::levels::split_list(pos, last, p, i) }
    join(pos: offsets, first: entries, last: entries);
    write append(p, i) {
        exact,
        runs,
        each { first: Ix::from_i64(first as i64), last: Ix::from_i64(i as i64) },
        open: { crate::levels::begin_fiber(pos, p, last.len()) },
        child: {
            // An entry that was begun and not written is begun again.
            first.truncate(last.len());
            crate::level::push(first, Ix::from_i64(i as i64));
            last.len()
        },
        commit: { crate::level::push(last, Ix::from_i64(i as i64)) },
        extend: { crate::levels::extend_run(last, pos[p], first, i) },
        finish(fibers) {
            first.truncate(last.len());
            crate::levels::begin_fiber(pos, fibers, last.len())
        },
        children(fibers) { Some(last.len()) },
    }
}

/// The invariant of [`SparseRunList`], shared by levels that hold runs.
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn sparse_run_list_invariant<Ix: crate::Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    first: &[Ix],
    last: &[Ix],
) -> Result<usize, String> {
    positions(fibers, pos, last.len(), "last")?;
    if first.len() != last.len() {
        return Err(format!("{} runs begin and {} end", first.len(), last.len()));
    }
    // No coordinate is this large, so one more than any that passes is a number still.
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    for p in 0..fibers {
        let mut free = 0;
        for q in pos[p]..pos[p + 1] {
            let (begin, end) = (first[q].to_i64(), last[q].to_i64());
            if end >= len {
                return Err(format!("fiber {p} has coordinate {end}, but its size is {len}"));
            }
            if begin < free {
                return Err(format!("run {q} begins before coordinate {free} of fiber {p}"));
            }
            if end < begin {
                return Err(format!("run {q} of fiber {p} begins at {begin} and ends at {end}"));
            }
            free = end + 1;
        }
    }
    Ok(last.len())
}
