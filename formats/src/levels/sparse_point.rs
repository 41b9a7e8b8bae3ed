//! SparsePoint: a single stored entry per fiber.

use crate::Index;

crate::level! {
    /// At most one stored entry per fiber (Finch's `SparsePoint`).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  .  .  *  .  .      crd = [3]   pos = [0, 1]
    ///             └──run─┘ *  └run┘     a spike, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the entries `pos[p]..pos[p + 1]`, one or none; entry `q` is at coordinate `crd[q]`,
    /// its child at position `q`. Invariant: that of `SparseList`, and no fiber has two entries.
    ///
    /// Looplets: a pipeline of a spike and a run, without a loop. Costs: constant. Appended to;
    /// a fiber that was given more than one entry is an error when the assembly ends.
    pub struct SparsePoint<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `crd` in order; the child has a fiber for each
    // entry, and the coordinate of an entry is below `len`.
    unsafe invariant(fibers) {
        crate::levels::sparse_list_invariant(len, fibers, pos, crd)
            .and_then(|entries| crate::levels::at_most_one(pos, crd).map(|()| entries))
    }
    read walk, follow, gallop, lead(p) {
        let q = pos[p];
        let stop = if q < pos[p + 1] { crd[q] + 1 } else { 0 };
        pipeline {
            ..stop => spike(fill, child[q]),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = pos[p];
        switch {
            q < pos[p + 1] && crd[q] == i => child[q],
            _ => fill,
        }
    }
    write append(p, i) {
        open: { crate::levels::begin_fiber(pos, p, crd.len()) },
        child: crd.len(),
        commit: { crd.push(Ix::from_i64(i as i64)) },
        finish(fibers) {
            crate::levels::begin_fiber(pos, fibers, crd.len())
                .and_then(|()| crate::levels::at_most_one(pos, crd))
        },
        children(fibers) { Some(crd.len()) },
    }
}

/// Checks that no fiber has two entries, where `pos` cuts the coordinates `crd` into fibers.
///
/// # Errors
/// The first fiber that has.
#[doc(hidden)]
pub fn at_most_one<Ix: crate::Index>(pos: &[usize], crd: &[Ix]) -> Result<(), String> {
    match pos.windows(2).position(|w| w[1] - w[0] > 1) {
        Some(p) => Err(format!(
            "fiber {p} has an entry at {:?} and another at {:?}, but there is room for one only",
            crd[pos[p]],
            crd[pos[p] + 1]
        )),
        None => Ok(()),
    }
}
