//! SparseInterval: a single run of equal entries per fiber.

use crate::Index;

crate::level! {
    /// At most one run of equal entries per fiber (Finch's `SparseInterval`).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  .  a  a  a  .      first = [2]   last = [4]   pos = [0, 1]
    ///             └run┘ └──a──┘ └run
    /// ```
    ///
    /// Fiber `p` has the runs `pos[p]..pos[p + 1]`, one or none; run `q` has the coordinates
    /// `first[q]..=last[q]`, and every element in it is the child at position `q`. Invariant: that of
    /// `SparseRunList`, and no fiber has two runs.
    ///
    /// Looplets: a pipeline of three runs, without a loop. Costs: constant. Appended to; equal neighbours
    /// share the run; a fiber that was given any other entry besides is refused when the assembly ends.
    pub struct SparseInterval<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        first: Vec<Ix>,
        last: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `last` in order; there is a `first` and a fiber of
    // the child for each `last`. A run begins no later than it ends, and ends below `len`.
    unsafe invariant(fibers) {
        crate::levels::sparse_run_list_invariant(len, fibers, pos, first, last)
            .and_then(|runs| crate::levels::at_most_one(pos, last).map(|()| runs))
    }
    read walk, follow, gallop, lead(p) {
        let q = pos[p];
        let start = if pos[p + 1] > q { first[q] } else { 0 };
        let stop = if pos[p + 1] > q { last[q] + 1 } else { 0 };
        pipeline {
            ..start => run(fill),
            ..stop => run(child[q]),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = pos[p];
        let start = if pos[p + 1] > q { first[q] } else { 0 };
        let stop = if pos[p + 1] > q { last[q] + 1 } else { 0 };
        switch {
            start <= i && i < stop => child[q],
            _ => fill,
        }
    }
    split(p, i) { crate::levels::split_list(pos, last, p, i) }
    join(pos: offsets, first: entries, last: entries);
    write append(p, i) {
        exact,
        runs,
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
            // Only now is it known which entries joined the one before.
            crate::levels::begin_fiber(pos, fibers, last.len())
                .and_then(|()| crate::levels::at_most_one(pos, last))
        },
        children(fibers) { Some(last.len()) },
    }
}
