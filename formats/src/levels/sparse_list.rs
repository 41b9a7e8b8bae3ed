//! SparseList: sorted coordinates, the format that others call compressed.

use crate::Index;

crate::level! {
    /// The sorted coordinates of the stored entries of each fiber (Looplets figure 3, "sparse list").
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  *  .  .  *  .      crd = [1, 4]   pos = [0, 2]
    ///             └run┘*└─run──┘*└run┘   a spike per entry, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the entries `pos[p]..pos[p + 1]`; entry `q` is at coordinate `crd[q]`, its child
    /// at position `q`. Invariant: `pos` starts at 0, does not descend, ends at the length of `crd`;
    /// coordinates ascend strictly within a fiber and are below `len`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes,
    /// then a run. Costs: `walk` is linear in the entries; `gallop` logarithmic in what it skips;
    /// `locate` logarithmic in the entries. Appended to in order.
    pub struct SparseList<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `crd` in order, so `pos[p]`, `pos[p + 1]` and
    // `crd[q]` for `q` between them exist, and the child has a fiber for each `q`; coordinates are below
    // `len`.
    unsafe invariant(fibers) {
        crate::levels::sparse_list_invariant(len, fibers, pos, crd)
    }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): crate::search::lower_bound(crd, q, end, i),
                jump(i): crate::search::gallop(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let start = pos[p];
        let end = pos[p + 1];
        let q = crate::search::lower_bound(crd, start, end, i);
        switch {
            q < end && crd[q] == i => child[q],
            _ => fill,
        }
    }
    split(p, i) { crate::levels::split_list(pos, crd, p, i) }
    join(pos: offsets, crd: coordinates);
    write append(p, i) {
        open: { crate::levels::begin_fiber(pos, p, crd.len()) },
        each { crd: Ix::from_i64(i as i64) },
        thaw: {
            pos.truncate(1);
            crd.last().map_or(0, |c| c.to_i64() as usize + 1)
        },
        finish(fibers) { crate::levels::end_fibers(pos, fibers, crd.len()) },
    }
}

/// The invariant of [`SparseList`], shared by levels that hold sorted coordinates.
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn sparse_list_invariant<Ix: crate::Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    crd: &[Ix],
) -> Result<usize, String> {
    positions(fibers, pos, crd.len(), "crd")?;
    for p in 0..fibers {
        let fiber = &crd[pos[p]..pos[p + 1]];
        if let Some(k) = fiber.windows(2).position(|w| w[0] >= w[1]) {
            return Err(format!(
                "the coordinates of fiber {p} do not ascend: {:?} then {:?}",
                fiber[k],
                fiber[k + 1]
            ));
        }
        if let (Some(first), Some(last)) = (fiber.first(), fiber.last()) {
            if first.to_i64() < 0 || last.to_i64() as u64 >= len as u64 {
                return Err(format!("fiber {p} has coordinate {last:?}, but its size is {len}"));
            }
        }
    }
    Ok(crd.len())
}

/// `pos` cuts `count` entries into `fibers` fibers.
pub(crate) fn positions(
    fibers: usize,
    pos: &[usize],
    count: usize,
    what: &str,
) -> Result<(), String> {
    if pos.len().checked_sub(1) != Some(fibers) {
        return Err(format!(
            "`pos` has {} entries, but {fibers} fibers need one more than that many",
            pos.len()
        ));
    }
    if pos[0] != 0 || pos[fibers] != count {
        return Err(format!(
            "`pos` runs from {} to {}, but `{what}` has {count} entries",
            pos[0], pos[fibers]
        ));
    }
    match pos.windows(2).position(|w| w[0] > w[1]) {
        Some(p) => Err(format!("`pos` descends at fiber {p}")),
        None => Ok(()),
    }
}
