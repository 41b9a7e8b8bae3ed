//! PackBits: runs of equal entries and literal stretches in turn.

use super::sparse_block_list::child_offsets;
use super::sparse_list::positions;
use crate::Index;

crate::level! {
    /// Runs and literal stretches that together cover each fiber (Looplets figure 3, "PackBits"), as in
    /// TIFF images.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             a  a  a  b  c  d      last = [2, 5]   ofs = [0, 1, 4]   pos = [0, 2]
    ///             └─run─┘  └lookup┘
    /// ```
    ///
    /// Fiber `p` has the segments `pos[p]..pos[p + 1]`; segment `q` ends with coordinate `last[q]` and
    /// has the child positions `ofs[q]..ofs[q + 1]`: a single one that is every element of it, a run,
    /// or one for each coordinate, a literal stretch. Invariant: `pos` as in `SparseList`; `ofs` starts
    /// at 0 and ascends strictly; `last` ascends strictly within a fiber, and the last segment of a
    /// fiber ends at `len - 1`; a segment has one child or as many as coordinates.
    ///
    /// Looplets: a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of switches between a run and
    /// a lookup. Costs: `walk` is linear in the segments and the lengths of the literal stretches,
    /// `locate` logarithmic in the segments. Appended to in order: entries at single coordinates are
    /// gathered into literal stretches, one of two or more is a run, as is a gap, of fill; built from
    /// sorted entries, equal neighbours share a run.
    pub struct PackBits<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        last: Vec<Ix>,
        ofs: Vec<usize>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `last` in order; `ofs` has one entry more than
    // `last`, so those at `q` and `q + 1` exist. The segments of a fiber end at `len - 1`, so a search for a
    // coordinate below `len` finds one; a segment with more children than one has a child for each of its
    // coordinates.
    unsafe invariant(fibers) {
        crate::levels::pack_bits_invariant(len, fibers, pos, last, ofs)
    }
    read walk, follow(p) {
        let start = pos[p];
        let end = pos[p + 1];
        stepper {
            for q in start..end,
            seek(i): crate::search::lower_bound(last, q, end, i),
            stop: last[q] + 1,
            body: {
                let at = ofs[q];
                let behind = ofs[q + 1];
                let stop = last[q] + 1;
                switch {
                    behind - at == 1 => run(child[at]),
                    _ => lookup(|i| child[behind - (stop - i)]),
                }
            },
        }
    }
    read gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        jumper {
            for q in start..end,
            seek(i): crate::search::gallop(last, q, end, i),
            stop: last[q] + 1,
            body: {
                let at = ofs[q];
                let behind = ofs[q + 1];
                let stop = last[q] + 1;
                switch {
                    behind - at == 1 => run(child[at]),
                    _ => lookup(|i| child[behind - (stop - i)]),
                }
            },
        }
    }
    read locate(p, i) {
        let q = crate::search::lower_bound(last, pos[p], pos[p + 1], i);
        let behind = ofs[q + 1];
        switch {
            behind - ofs[q] == 1 => child[behind - 1],
            _ => child[behind - (last[q] + 1 - i)],
        }
    }
    write append(p, i) {
        runs,
        open: { crate::levels::close_segments(len, pos, last, ofs, p) },
        child: crate::levels::begin_segment(pos[p], last, ofs, i),
        commit: { crate::levels::end_segment(pos[p], last, ofs, i) },
        finish(fibers) { crate::levels::close_segments(len, pos, last, ofs, fibers) },
        children(fibers) { ofs.last().copied().or(Some(0)) },
    }
}

/// Where the segments `start..` of `last` end: the first coordinate that none of them covers.
fn covered<Ix: crate::Index>(start: usize, last: &[Ix]) -> usize {
    last.get(start..).and_then(<[Ix]>::last).map_or(0, |l| l.to_i64() as usize + 1)
}

/// Ends the fibers before `p` with runs of fill and notes where fiber `p` starts.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
pub fn close_segments<Ix: crate::Index>(
    len: usize,
    pos: &mut Vec<usize>,
    last: &mut Vec<Ix>,
    ofs: &mut Vec<usize>,
    p: usize,
) -> Result<(), String> {
    crate::level::grow(ofs, 1, 0)?;
    crate::level::grow(pos, 1, 0)?;
    // Fibers that were opened and got no entry, and the gap before an entry that was not written.
    pos.truncate(p + 1);
    last.truncate(if pos.len() > p { pos[p] } else { ofs.len() - 1 });
    ofs.truncate(last.len() + 1);
    while pos.len() <= p {
        if covered(pos[pos.len() - 1], last) < len {
            crate::level::grow(last, last.len() + 1, Ix::from_i64(len as i64 - 1))?;
            crate::level::grow(ofs, last.len() + 1, ofs[ofs.len() - 1] + 1)?;
        }
        crate::level::grow(pos, pos.len() + 1, last.len())?;
    }
    Ok(())
}

/// The position of the child of the entry that begins at `i`. A gap before it is a segment that
/// `last` has and `ofs` has not, until the entry is written.
#[doc(hidden)]
pub fn begin_segment<Ix: crate::Index>(
    start: usize,
    last: &mut Vec<Ix>,
    ofs: &[usize],
    i: usize,
) -> usize {
    let segments = ofs.len() - 1;
    last.truncate(segments);
    let gap = covered(start, last) < i;
    if gap {
        last.push(Ix::from_i64(i as i64 - 1));
    }
    ofs[segments] + usize::from(gap)
}

/// Writes the entry that was begun, which ends with coordinate `i`.
#[doc(hidden)]
pub fn end_segment<Ix: crate::Index>(
    start: usize,
    last: &mut Vec<Ix>,
    ofs: &mut Vec<usize>,
    i: usize,
) {
    if last.len() == ofs.len() {
        ofs.push(ofs[ofs.len() - 1] + 1);
    }
    let segments = last.len();
    let (first, behind) = (covered(start, last), ofs[segments] + 1);
    // The segment before, if there is one, and it has a child for each coordinate.
    let literal = segments > start
        && covered(start, &last[..segments - 1]) + ofs[segments] - ofs[segments - 1] == first;
    if literal && first == i {
        last[segments - 1] = Ix::from_i64(i as i64);
        ofs[segments] = behind;
    } else {
        last.push(Ix::from_i64(i as i64));
        ofs.push(behind);
    }
}

/// The invariant of [`PackBits`].
///
/// # Errors
/// What does not hold, and in which fiber.
#[doc(hidden)]
pub fn pack_bits_invariant<Ix: crate::Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    last: &[Ix],
    ofs: &[usize],
) -> Result<usize, String> {
    positions(fibers, pos, last.len(), "last")?;
    let count = child_offsets(ofs, last.len(), "segment")?;
    for p in 0..fibers {
        let mut covered = 0;
        for q in pos[p]..pos[p + 1] {
            let end = last[q].to_i64().saturating_add(1) as u64;
            if end <= covered {
                return Err(format!("the segments of fiber {p} do not ascend"));
            }
            let (children, size) = ((ofs[q + 1] - ofs[q]) as u64, end - covered);
            if children != 1 && children != size {
                return Err(format!(
                    "segment {q} has {children} entries for {size} coordinates: \
                     a run has one, a literal stretch one each"
                ));
            }
            covered = end;
        }
        if covered != len as u64 {
            return Err(format!(
                "the segments of fiber {p} cover {covered} coordinates, but its size is {len}"
            ));
        }
    }
    Ok(count)
}
