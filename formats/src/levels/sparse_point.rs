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
    /// Looplets: a pipeline of a spike and a run, without a loop. Costs: constant. Appended to; a second
    /// entry of a fiber is refused.
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
    split(p, i) { crate::levels::split_list(pos, crd, p, i) }
    join(pos: offsets, crd: entries);
    write append(p, i) {
        open: { crate::levels::begin_fiber(pos, p, crd.len()) },
        each { crd: Ix::from_i64(i as i64) },
        entry: { crate::levels::room_for_one(p, &crd[pos[p]..], i) },
        finish(fibers) { crate::levels::end_fibers(pos, fibers, crd.len()) },
    }
}

/// Refuses an entry at `i` of fiber `p`, which has entries at `there`, if there are any.
///
/// # Errors
/// There are.
#[doc(hidden)]
pub fn room_for_one<Ix: crate::Index>(p: usize, there: &[Ix], i: usize) -> Result<(), String> {
    match there.first() {
        Some(first) => Err(format!(
            "fiber {p} has an entry at {first:?} and another at {i}, but there is room for one only"
        )),
        None => Ok(()),
    }
}

/// Checks that no fiber has two entries, where `pos` cuts the coordinates `crd` into fibers.
///
/// # Errors
/// The first fiber that has.
#[doc(hidden)]
pub fn at_most_one<Ix: crate::Index>(pos: &[usize], crd: &[Ix]) -> Result<(), String> {
    match pos.windows(2).position(|w| w[1] - w[0] > 1) {
        Some(p) => room_for_one(p, &crd[pos[p]..], crd[pos[p] + 1].to_i64() as usize),
        None => Ok(()),
    }
}
