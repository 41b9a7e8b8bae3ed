//! SparseBand: one stretch of consecutive coordinates per fiber.

use super::sparse_list::positions;
use crate::Index;

crate::level! {
    /// One block of consecutive stored coordinates per fiber (Looplets figure 3, "sparse band").
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  .  *  *  *  .      start = [2]   pos = [0, 3]
    ///             └run┘ └lookup┘ └run
    /// ```
    ///
    /// Fiber `p` stores coordinates `start[p] .. start[p] + n` with `n = pos[p + 1] - pos[p]`; the
    /// child of the k-th is at position `pos[p] + k`. Invariant: `pos` as in `SparseList`, and the
    /// block ends within `len`.
    ///
    /// Looplets: a pipeline of a run, a lookup and a run. Costs: `locate` is constant, `walk` linear
    /// in the block. Appended to in order; coordinates skipped inside the block hold the fill,
    /// and are refused if the leaf cannot.
    pub struct SparseBand<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        start: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers, `start` one for each, and the block of a fiber lies within
    // `len` and has as many children as `pos` gives it.
    unsafe invariant(fibers) {
        let count = pos.last().copied().unwrap_or(0);
        crate::levels::band_invariant(len, fibers, pos, start, count)
    }
    read walk, follow(p) {
        let q = pos[p];
        let first = start[p];
        let stop = first + (pos[p + 1] - q);
        pipeline {
            ..first => run(fill),
            ..stop => lookup(|i| child[q + (i - first)]),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = pos[p];
        let first = start[p];
        let stop = first + (pos[p + 1] - q);
        switch {
            first <= i && i < stop => child[q + (i - first)],
            _ => fill,
        }
    }
    split(p, i) { pos[p] }
    join(pos: offsets, start: entries);
    write append(p, i) {
        exact,
        open: {
            start.truncate(p);
            crate::levels::begin_fiber(pos, p, pos.last().copied().unwrap_or(0))
                .and_then(|()| crate::level::grow(start, p, Ix::from_i64(0)))
        },
        child: match start.get(p) {
            Some(first) => pos[p] + (i - first.to_i64() as usize),
            None => pos[p],
        },
        entry: {
            let next = start.get(p).zip(pos.get(p + 1)).map_or(i, |(first, end)| {
                first.to_i64() as usize + (end - pos[p])
            });
            crate::levels::skips::<Child>(p, next, i)
        },
        commit: {
            if start.len() == p {
                crate::level::push(start, Ix::from_i64(i as i64));
            }
            let end = pos[p] + (i - start[p].to_i64() as usize) + 1;
            pos.truncate(p + 1);
            crate::level::push(pos, end);
        },
        finish(fibers) {
            start.truncate(fibers);
            crate::levels::begin_fiber(pos, fibers, pos.last().copied().unwrap_or(0))
                .and_then(|()| crate::level::grow(start, fibers, Ix::from_i64(0)))
        },
        children(fibers) { Some(pos.last().copied().unwrap_or(0)) },
    }
}

/// The invariant of [`SparseBand`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn band_invariant<Ix: crate::Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    start: &[Ix],
    count: usize,
) -> Result<usize, String> {
    positions(fibers, pos, count, "child")?;
    if start.len() != fibers {
        return Err(format!("`start` has {} entries for {fibers} fibers", start.len()));
    }
    for p in 0..fibers {
        let first = start[p].to_i64();
        let inside = usize::try_from(first)
            .ok()
            .and_then(|f| f.checked_add(pos[p + 1] - pos[p]))
            .is_some_and(|stop| stop <= len);
        if !inside {
            return Err(format!(
                "the block of fiber {p} starts at {first} with {} entries, but its size is {len}",
                pos[p + 1] - pos[p]
            ));
        }
    }
    Ok(count)
}
