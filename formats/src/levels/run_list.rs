//! RunList: run-length encoding.

use super::sparse_list::positions;
use crate::Index;

crate::level! {
    /// Runs of equal entries that together cover each fiber (Looplets figure 3, "run-length").
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             a  a  a  b  b  c      last = [2, 4, 5]   pos = [0, 3]
    ///             └──a──┘  └b─┘  c
    /// ```
    ///
    /// Fiber `p` has the runs `pos[p]..pos[p + 1]`; run `q` ends with coordinate `last[q]` and every
    /// element in it is the child at position `q`. Invariant: `pos` as in `SparseList`; `last` ascends
    /// strictly within a fiber, and the last run of a fiber ends at `len - 1`.
    ///
    /// Looplets: a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of runs. Costs: `walk` is
    /// linear in the runs; `locate` logarithmic in them. Appended to in order, a run per coordinate
    /// and a run of fill per gap; built from sorted entries, equal neighbours share a run.
    pub struct RunList<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        last: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` cuts `last` in order; the runs of a fiber end at `len - 1`, so a search for a coordinate
    // below `len` finds one, and the child has a fiber for each.
    unsafe invariant(fibers) {
        crate::levels::run_list_invariant(len, fibers, pos, last)
    }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        stepper {
            for q in start..end,
            seek(i): crate::search::lower_bound(last, q, end, i),
            jump(i): crate::search::gallop(last, q, end, i),
            stop: last[q] + 1,
            body: run(child[q]),
        }
    }
    read locate(p, i) {
        let start = pos[p];
        let end = pos[p + 1];
        let q = crate::search::lower_bound(last, start, end, i);
        child[q]
    }
    split(p, i) { crate::levels::split_list(pos, last, p, i) }
    join(pos: offsets, last: entries);
    write append(p, i) {
        runs,
        covers,
        each { last: Ix::from_i64(i as i64) },
        open: { crate::levels::close_runs(len, pos, last, p) },
        child: {
            let covered = if last.len() > pos[p] { last[last.len() - 1].to_i64() as usize + 1 } else { 0 };
            if covered < i {
                crate::level::push(last, Ix::from_i64(i as i64 - 1));
            }
            last.len()
        },
        commit: { crate::level::push(last, Ix::from_i64(i as i64)) },
        extend: { crate::levels::extend_run(last, pos[p], first, i) },
        finish(fibers) { crate::levels::close_runs(len, pos, last, fibers) },
        children(fibers) { Some(last.len()) },
    }
}

/// Ends the fibers before `p` with runs of fill and notes where fiber `p` starts.
#[doc(hidden)]
pub fn close_runs<Ix: crate::Index>(
    len: usize,
    pos: &mut Vec<usize>,
    last: &mut Vec<Ix>,
    p: usize,
) -> Result<(), String> {
    crate::level::grow(pos, 1, 0)?;
    if pos.len() > p {
        // Fibers from `p` on were opened for entries that were not written, and closed as all fill.
        pos.truncate(p + 1);
        last.truncate(pos[p]);
    }
    while pos.len() <= p {
        let start = pos[pos.len() - 1];
        let covered =
            if last.len() > start { last[last.len() - 1].to_i64() as usize + 1 } else { 0 };
        if covered < len {
            crate::level::grow(last, last.len() + 1, Ix::from_i64(len as i64 - 1))?;
        }
        crate::level::grow(pos, pos.len() + 1, last.len())?;
    }
    Ok(())
}

/// Lengthens the last run to end with `i`, if it is one of the fiber that starts at `start` and ends
/// right before `first`.
#[doc(hidden)]
pub fn extend_run<Ix: crate::Index>(last: &mut [Ix], start: usize, first: usize, i: usize) -> bool {
    let runs = last.len();
    match last.last_mut() {
        Some(end) if start < runs && end.to_i64() as usize + 1 == first => {
            *end = Ix::from_i64(i as i64);
            true
        }
        _ => false,
    }
}

/// The invariant of [`RunList`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn run_list_invariant<Ix: crate::Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    last: &[Ix],
) -> Result<usize, String> {
    positions(fibers, pos, last.len(), "last")?;
    for p in 0..fibers {
        let fiber = &last[pos[p]..pos[p + 1]];
        if fiber.windows(2).any(|w| w[0] >= w[1]) || fiber.first().is_some_and(|l| l.to_i64() < 0) {
            return Err(format!("the runs of fiber {p} do not ascend"));
        }
        let covered = fiber.last().map_or(0, |l| l.to_i64() as u64 + 1);
        if covered != len as u64 {
            return Err(format!(
                "the runs of fiber {p} cover {covered} coordinates, but its size is {len}"
            ));
        }
    }
    Ok(last.len())
}
