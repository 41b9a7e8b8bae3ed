//! PackBits: runs of equal entries and literal stretches in turn.

use super::sparse_block_list::child_offsets;
use super::sparse_list::positions;
use crate::Index;

crate::level! {
    /// Runs, literal stretches and gaps that together cover each fiber (Looplets figure 3, "PackBits"),
    /// as in TIFF images.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5  6  7
    ///             a  a  a  b  c  d  .  .   last = [2, 5, 7]   ofs = [0, 1, 4, 4]   pos = [0, 3]
    ///             └─run─┘  └lookup┘ └run   a segment each
    /// ```
    ///
    /// Fiber `p` has the segments `pos[p]..pos[p + 1]`; segment `q` ends with coordinate `last[q]` and
    /// has the child positions `ofs[q]..ofs[q + 1]`: a single one, which every element of it is; or one
    /// for each coordinate; or none, for fill. Invariant: `pos` as in `SparseList`; `ofs` starts at 0
    /// and does not descend; `last` ascends strictly within a fiber, and the last segment of a fiber
    /// ends at `len - 1`; a segment has no child, one, or as many as coordinates.
    ///
    /// Looplets: a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of switches between a run of
    /// fill, a run and a lookup. Costs: `walk` is linear in the segments and the lengths of the literal
    /// stretches, `gallop` logarithmic in the segments it skips, `locate` in all of a fiber's. Appended
    /// to in order: equal neighbours share a run, entries at single coordinates are gathered into
    /// literal stretches.
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
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        stepper {
            for q in start..end,
            seek(i): crate::search::lower_bound(last, q, end, i),
            jump(i): crate::search::gallop(last, q, end, i),
            stop: last[q] + 1,
            body: {
                let at = ofs[q];
                let behind = ofs[q + 1];
                let stop = last[q] + 1;
                switch {
                    behind == at => run(fill),
                    behind == at + 1 => run(child[at]),
                    _ => lookup(|i| child[behind - (stop - i)]),
                }
            },
        }
    }
    read locate(p, i) {
        let start = pos[p];
        let end = pos[p + 1];
        let q = crate::search::lower_bound(last, start, end, i);
        let at = ofs[q];
        let behind = ofs[q + 1];
        switch {
            behind == at => fill,
            behind == at + 1 => child[at],
            _ => child[behind - (last[q] + 1 - i)],
        }
    }
    split(p, i) { ofs[crate::levels::split_list(pos, last, p, i)] }
    join(pos: offsets, last: entries, ofs: offsets);
    write append(p, i) {
        exact,
        runs,
        open: { crate::levels::begin_segments(len, pos, last, ofs, p) },
        child: {
            crate::levels::gap_before(pos[p], last, ofs.len() - 1, i);
            ofs[ofs.len() - 1]
        },
        commit: { crate::levels::end_segment(pos[p], last, ofs, i) },
        extend: { crate::levels::extend_segment(pos[p], last, ofs, first, i) },
        finish(fibers) { crate::levels::begin_segments(len, pos, last, ofs, fibers) },
        children(fibers) { Some(ofs.last().copied().unwrap_or(0)) },
    }
}

/// The first coordinate that none of the segments `start..` of `last` covers.
fn covered<Ix: crate::Index>(start: usize, last: &[Ix]) -> usize {
    last.get(start..).and_then(<[Ix]>::last).map_or(0, |l| l.to_i64() as usize + 1)
}

/// Ends the fibers before `p` with fill and notes where fiber `p` starts.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
pub fn begin_segments<Ix: crate::Index>(
    len: usize,
    pos: &mut Vec<usize>,
    last: &mut Vec<Ix>,
    ofs: &mut Vec<usize>,
    p: usize,
) -> Result<(), String> {
    crate::level::grow(ofs, 1, 0)?;
    crate::level::grow(pos, 1, 0)?;
    // Fibers from `p` on were opened for entries that were not written, and closed as all fill.
    pos.truncate(p + 1);
    last.truncate(if pos.len() > p { pos[p] } else { ofs.len() - 1 });
    ofs.truncate(last.len() + 1);
    while pos.len() <= p {
        if covered(pos[pos.len() - 1], last) < len {
            crate::level::grow(last, last.len() + 1, Ix::from_i64(len as i64 - 1))?;
            crate::level::grow(ofs, last.len() + 1, ofs[ofs.len() - 1])?;
        }
        crate::level::grow(pos, pos.len() + 1, last.len())?;
    }
    Ok(())
}

/// The gap of a fiber before the entry that begins at `i`, if there is one, behind the `written`
/// segments of all fibers. It counts once the entry is written: until then `ofs` has no end of it.
#[doc(hidden)]
pub fn gap_before<Ix: crate::Index>(start: usize, last: &mut Vec<Ix>, written: usize, i: usize) {
    last.truncate(written);
    if covered(start, last) < i {
        crate::level::push(last, Ix::from_i64(i as i64 - 1));
    }
}

/// Writes the entry behind the segments of a fiber, which ends with coordinate `i`.
#[doc(hidden)]
pub fn end_segment<Ix: crate::Index>(
    start: usize,
    last: &mut Vec<Ix>,
    ofs: &mut Vec<usize>,
    i: usize,
) {
    let at = ofs[ofs.len() - 1];
    if ofs.len() == last.len() {
        crate::level::push(ofs, at);
    }
    let n = last.len();
    let first = covered(start, last);
    // Whether the segment before it has a child for each of its coordinates.
    let literal = n > start && ofs[n] - ofs[n - 1] == first - covered(start, &last[..n - 1]);
    if literal && first == i {
        last[n - 1] = Ix::from_i64(i as i64);
        ofs[n] = at + 1;
    } else {
        crate::level::push(last, Ix::from_i64(i as i64));
        crate::level::push(ofs, at + 1);
    }
}

/// Lengthens the run at the end of a fiber to end with `i`, if there are segments and they end right
/// before `first`. The last coordinate of a literal stretch becomes a run for it.
#[doc(hidden)]
pub fn extend_segment<Ix: crate::Index>(
    start: usize,
    last: &mut Vec<Ix>,
    ofs: &mut Vec<usize>,
    first: usize,
    i: usize,
) -> bool {
    let n = last.len();
    // Without a gap in between, which `ofs` has no end of.
    if n == start || ofs.len() == n || covered(start, last) != first {
        return false;
    }
    let at = ofs[n];
    match at - ofs[n - 1] {
        0 => return false,
        1 => last[n - 1] = Ix::from_i64(i as i64),
        _ => {
            last[n - 1] = Ix::from_i64(first as i64 - 2);
            ofs[n] = at - 1;
            crate::level::push(last, Ix::from_i64(i as i64));
            crate::level::push(ofs, at);
        }
    }
    true
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
            if children > 1 && children != size {
                return Err(format!(
                    "segment {q} has {children} entries for {size} coordinates: \
                     a run has one, a literal stretch one each, a gap none"
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
