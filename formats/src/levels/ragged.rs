//! Ragged: fibers that are dense up to an end of their own.

use super::fibers::addressed;
use super::sparse_list::positions;

crate::level! {
    /// The first coordinates of each fiber, as many as it likes (the ragged arrays of Fegade et al.).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             *  *  *  .  .  .      pos = [0, 3]
    ///             └lookup┘ └─run─┘
    /// ```
    ///
    /// Fiber `p` stores coordinates `0..n` with `n = pos[p + 1] - pos[p]`; the child of coordinate `i`
    /// is at position `pos[p] + i`. Invariant: `pos` starts at 0 and does not descend; `n` is `len`
    /// at the most.
    ///
    /// Looplets: a pipeline of a lookup and a run. Costs: `locate` is constant, `walk` linear in what
    /// is stored. Appended to in order; coordinates skipped before an entry hold the fill,
    /// and are refused if the leaf cannot.
    pub struct Ragged<Child> {
        len: usize,
        pos: Vec<usize>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and does not descend, so a coordinate below the difference
    // of a fiber's two is that of one of its children, and it is below `len`.
    unsafe invariant(fibers) {
        crate::levels::ragged_invariant(len, fibers, pos)
    }
    read walk, follow(p) {
        let q = pos[p];
        let stop = pos[p + 1] - q;
        pipeline {
            ..stop => lookup(|i| child[q + i]),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = pos[p];
        switch {
            i < pos[p + 1] - q => child[q + i],
            _ => fill,
        }
    }
    split(p, i) { pos[p] }
    join(pos: offsets);
    write append(p, i) {
        exact,
        open: { crate::levels::begin_fiber(pos, p, pos.last().copied().unwrap_or(0)) },
        child: pos[p] + i,
        entry: { crate::levels::skips::<Child>(p, pos.get(p + 1).map_or(0, |end| end - pos[p]), i) },
        commit: {
            pos.truncate(p + 1);
            crate::level::push(pos, pos[p] + i + 1);
        },
        finish(fibers) {
            crate::levels::begin_fiber(pos, fibers, pos.last().copied().unwrap_or(0))
        },
        children(fibers) { Some(pos.last().copied().unwrap_or(0)) },
    }
}

/// The invariant of [`Ragged`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn ragged_invariant(len: usize, fibers: usize, pos: &[usize]) -> Result<usize, String> {
    let count = pos.last().copied().unwrap_or(0);
    positions(fibers, pos, count, "child")?;
    match pos.windows(2).position(|w| w[1] - w[0] > len) {
        Some(p) => {
            Err(format!("fiber {p} stores {} entries, but its size is {len}", pos[p + 1] - pos[p]))
        }
        None => addressed(count),
    }
}
