//! SparseBlockList: several stretches of consecutive coordinates per fiber.

use super::fibers::addressed;
use super::sparse_list::positions;
use crate::Index;

crate::level! {
    /// Sorted blocks of consecutive stored coordinates (Looplets figure 3, "variable block list", VBL).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  *  *  .  *  .      last = [2, 4]   ofs = [0, 2, 3]   pos = [0, 2]
    ///             └r┘└look┘└r┘└l┘└r┘    a run of fill and a lookup per block, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the blocks `pos[p]..pos[p + 1]`; block `q` ends with coordinate `last[q]` and has
    /// a coordinate for each of the child positions `ofs[q]..ofs[q + 1]`. Invariant: `pos` as in
    /// `SparseList`; `ofs` starts at 0 and ascends strictly; the blocks of a fiber are in order, do not
    /// overlap and end below `len`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of such pairs,
    /// then a run. Costs: the work on coordinates is linear in the blocks, whatever their lengths;
    /// `gallop` is logarithmic in the blocks it skips, `locate` in all of a fiber's. Appended to in
    /// order; an entry next to the one before extends its block.
    pub struct SparseBlockList<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        last: Vec<Ix>,
        ofs: Vec<usize>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `last` in order; `ofs` has one entry more than
    // `last`, so those at `q` and `q + 1` exist. A block is as long as it has children and lies within the
    // fiber, behind the block before it, so a coordinate of it is that of one of its children.
    unsafe invariant(fibers) {
        crate::levels::block_list_invariant(len, fibers, pos, last, ofs)
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
                body: {
                    let at = ofs[q];
                    let first = last[q] + 1 - (ofs[q + 1] - at);
                    pipeline {
                        ..first => run(fill),
                        .. => lookup(|i| child[at + (i - first)]),
                    }
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
            q < end && last[q] - i < ofs[q + 1] - ofs[q] => child[ofs[q + 1] - 1 - (last[q] - i)],
            _ => fill,
        }
    }
    split(p, i) { ofs[crate::levels::split_list(pos, last, p, i)] }
    join(pos: offsets, last: entries, ofs: offsets);
    write append(p, i) {
        exact,
        open: {
            crate::level::grow(ofs, 1, 0)
                .and_then(|()| crate::levels::begin_fiber(pos, p, last.len()))
        },
        child: ofs[last.len()],
        commit: {
            let block = last.len();
            let stored = ofs[block] + 1;
            if block > pos[p] && last[block - 1].to_i64() + 1 == i as i64 {
                last[block - 1] = Ix::from_i64(i as i64);
                ofs[block] = stored;
            } else {
                crate::level::push(last, Ix::from_i64(i as i64));
                crate::level::push(ofs, stored);
            }
        },
        finish(fibers) {
            crate::level::grow(ofs, 1, 0)
                .and_then(|()| crate::levels::begin_fiber(pos, fibers, last.len()))
        },
        children(fibers) { Some(ofs.last().copied().unwrap_or(0)) },
    }
}

/// The invariant of [`SparseBlockList`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn block_list_invariant<Ix: crate::Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    last: &[Ix],
    ofs: &[usize],
) -> Result<usize, String> {
    positions(fibers, pos, last.len(), "last")?;
    let count = child_offsets(ofs, last.len(), "block")?;
    // No coordinate is this large, so one more than any that passes is a number still.
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    for p in 0..fibers {
        let mut free = 0;
        for q in pos[p]..pos[p + 1] {
            let (end, size) = (last[q].to_i64(), (ofs[q + 1] - ofs[q]) as i64);
            if end >= len {
                return Err(format!("fiber {p} has coordinate {end}, but its size is {len}"));
            }
            if size == 0 {
                return Err(format!("block {q} has no entries"));
            }
            if end + 1 - size < free {
                return Err(format!(
                    "block {q}, with {size} entries up to coordinate {end}, begins before \
                     coordinate {free} of fiber {p}"
                ));
            }
            free = end + 1;
        }
    }
    Ok(count)
}

/// `ofs` cuts child positions into `count` parts; gives the number of positions.
pub(crate) fn child_offsets(ofs: &[usize], count: usize, what: &str) -> Result<usize, String> {
    if ofs.len().checked_sub(1) != Some(count) {
        return Err(format!(
            "`ofs` has {} entries, but {count} {what}s need one more than that many",
            ofs.len()
        ));
    }
    if ofs[0] != 0 {
        return Err(format!("`ofs` starts at {}, not at 0", ofs[0]));
    }
    match ofs.windows(2).position(|w| w[0] > w[1]) {
        Some(q) => Err(format!("`ofs` descends at {what} {q}")),
        None => addressed(ofs[count]),
    }
}
