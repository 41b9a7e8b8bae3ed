//! COO: a coordinate for every entry in every dimension, the format that triplets come in.

use crate::{Index, Level};

crate::level! {
    /// Entries sorted by their coordinates, in any number of dimensions: the outermost of them, over a
    /// [`Singleton`] for each further one. `Coo<Singleton<Singleton<Element<f64>>>>` has three.
    ///
    /// ```text
    /// row     0  1  2  3
    ///         *  .  *  .      crd = [0, 0, 2]   pos = [0, 3]
    ///         └g┘└run┘*└run   a spike per group of equal coordinates, then a run of fill
    /// ```
    ///
    /// Fiber `p` has the entries `pos[p]..pos[p + 1]`; entry `q` is at coordinate `crd[q]`. Neighbours
    /// with one coordinate are a group, whose child is the fiber made of their range; a child whose
    /// fibers are named by one number, as a leaf, needs groups of one. Invariant: `pos` as in
    /// `SparseList`; coordinates ascend within a fiber, strictly if the child needs it, and are below
    /// `len`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes,
    /// then a run. Costs: `walk` is linear in the entries, each of which it looks at to find the end
    /// of its group; `gallop` logarithmic in what it skips and in the group; `locate` logarithmic in
    /// the entries. Appended to in order.
    pub struct Coo<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `crd` in order; a search stays between the two,
    // so that ranges are not empty and the child has a fiber for each entry; coordinates are below `len`.
    unsafe invariant(fibers) {
        crate::levels::coo_invariant::<Child, Ix>(len, fibers, pos, crd)
    }
    read walk, follow(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for (q, after) in start..end,
                group: crate::levels::group_end(crd, q, end),
                seek(i): crate::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[(q, after)]),
            },
            .. => run(fill),
        }
    }
    read gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => jumper {
                for (q, after) in start..end,
                group: crate::levels::group_gallop(crd, q, end),
                seek(i): crate::search::gallop(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[(q, after)]),
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let end = pos[p + 1];
        let q = crate::search::lower_bound(crd, pos[p], end, i);
        let stop = crate::levels::group_gallop(crd, q, end);
        switch {
            q < end && crd[q] == i => child[(q, stop)],
            _ => fill,
        }
    }
    split(p, i) { crate::levels::split_list(pos, crd, p, i) }
    join(pos: offsets, crd: coordinates);
    write append(p, i) {
        exact,
        open: { crate::levels::begin_fiber(pos, p, crd.len()) },
        child: crd.len(),
        each { crd: Ix::from_i64(i as i64) },
        commit: { crate::levels::commit_group::<Child, Ix>(crd, below, i) },
        finish(fibers) { crate::levels::end_fibers(pos, fibers, crd.len()) },
        children(fibers) { Some(crd.len()) },
    }
}

crate::level! {
    /// A coordinate for every entry that a level above named: a further dimension of a [`Coo`].
    ///
    /// ```text
    /// entry       0  1  2
    /// of row      0  0  2      in the `crd` of the `Coo`
    /// coordinate  1  4  4      crd = [1, 4, 4]   fiber 0..2 is row 0, fiber 2..3 is row 2
    /// ```
    ///
    /// A fiber is a range of entries; entry `q` is at coordinate `crd[q]`, and its child as in `Coo`.
    /// Invariant: a coordinate for each entry, below `len`; in a fiber they ascend, strictly if the
    /// child is named by one number. Looplets and costs are those of `Coo`.
    pub struct Singleton<Child, Ix: Index = u32> {
        len: usize,
        crd: Vec<Ix>,
        child: Child,
    }
    // SAFETY: `crd` has each entry of every fiber, and so has the child; a search stays within the fiber;
    // coordinates are below `len`.
    unsafe invariant(fibers) { crate::levels::singleton_invariant(len, fibers, crd) }
    fiber((start, end)) { crate::levels::group_invariant::<Child, Ix>(crd, start, end) }
    read walk, follow((start, end)) {
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for (q, after) in start..end,
                group: crate::levels::group_end(crd, q, end),
                seek(i): crate::search::lower_bound(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[(q, after)]),
            },
            .. => run(fill),
        }
    }
    read gallop, lead((start, end)) {
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => jumper {
                for (q, after) in start..end,
                group: crate::levels::group_gallop(crd, q, end),
                seek(i): crate::search::gallop(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[(q, after)]),
            },
            .. => run(fill),
        }
    }
    read locate((start, end), i) {
        let q = crate::search::lower_bound(crd, start, end, i);
        let stop = crate::levels::group_gallop(crd, q, end);
        switch {
            q < end && crd[q] == i => child[(q, stop)],
            _ => fill,
        }
    }
    join(crd: entries);
    write append(p, i) {
        exact,
        child: crd.len(),
        each { crd: Ix::from_i64(i as i64) },
        commit: { crate::levels::commit_group::<Child, Ix>(crd, below, i) },
        children(fibers) { Some(crd.len()) },
    }
}

/// One past the last of the entries with the coordinate of entry `q`, which is found by looking at
/// each; `q` if it is not below `end`.
#[doc(hidden)]
#[inline]
pub fn group_end<Ix: Index>(crd: &[Ix], q: i64, end: i64) -> i64 {
    if q >= end {
        return q;
    }
    let ahead = &crd[q as usize..end as usize];
    let first = ahead[0];
    // Most groups of hypersparse rows are of one; those of full rows are long, and compared by eights.
    if ahead.get(1).is_none_or(|&c| c != first) {
        return q + 1;
    }
    let alike = |chunk: &[Ix; 8]| chunk.iter().fold(true, |all, &c| all & (c == first));
    let (eights, _) = ahead.as_chunks::<8>();
    let behind = eights.iter().take_while(|&chunk| alike(chunk)).count() * 8;
    let rest = ahead[behind..].iter().take_while(|&&c| c == first).count();
    q + (behind + rest) as i64
}

/// [`group_end`] in time logarithmic in the size of the group.
#[doc(hidden)]
#[inline]
pub fn group_gallop<Ix: Index>(crd: &[Ix], q: i64, end: i64) -> i64 {
    if q >= end {
        return q;
    }
    crate::search::gallop(crd, q, end, crd[q as usize].to_i64() + 1)
}

/// Gives the entries that have come since the last group the coordinate `i`: one if the child is
/// named by one number, else all up to the number of those `below`.
#[doc(hidden)]
#[inline]
pub fn commit_group<Child: Level, Ix: Index>(crd: &mut Vec<Ix>, below: usize, i: usize) {
    let count = if Child::BY_RANGE { below } else { crd.len() + 1 };
    crd.resize(count, Ix::from_i64(i as i64));
}

/// What must hold of the coordinates of a fiber, which is a range of entries.
///
/// # Errors
/// It is no range of the entries, or they do not ascend.
#[doc(hidden)]
pub fn group_invariant<Child: Level, Ix: Index>(
    crd: &[Ix],
    start: usize,
    end: usize,
) -> Result<(), String> {
    let fiber = crd.get(start..end).ok_or_else(|| format!("there is no fiber {start}..{end}"))?;
    let unique = !Child::BY_RANGE;
    let wrong = |w: &[Ix]| if unique { w[0] >= w[1] } else { w[0] > w[1] };
    match fiber.windows(2).position(wrong) {
        Some(k) => Err(format!(
            "the coordinates of entries {start}..{end} do not ascend: {:?} then {:?}",
            fiber[k],
            fiber[k + 1]
        )),
        None => Ok(()),
    }
}

/// The invariant of [`Singleton`], but for the order within each fiber.
///
/// # Errors
/// The coordinates are too many or too few, or not below `len`.
#[doc(hidden)]
pub fn singleton_invariant<Ix: Index>(
    len: usize,
    fibers: usize,
    crd: &[Ix],
) -> Result<usize, String> {
    if crd.len() != fibers {
        return Err(format!("`crd` has {} entries, but {fibers} are named", crd.len()));
    }
    match crd.iter().find(|c| c.to_i64() < 0 || c.to_i64() as u64 >= len as u64) {
        Some(c) => Err(format!("there is a coordinate {c:?}, but the size is {len}")),
        None => Ok(crd.len()),
    }
}

/// The invariant of [`Coo`].
///
/// # Errors
/// What does not hold, and where.
#[doc(hidden)]
pub fn coo_invariant<Child: Level, Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    crd: &[Ix],
) -> Result<usize, String> {
    super::sparse_list::positions(fibers, pos, crd.len(), "crd")?;
    singleton_invariant(len, crd.len(), crd)?;
    for p in 0..fibers {
        group_invariant::<Child, Ix>(crd, pos[p], pos[p + 1])?;
    }
    Ok(crd.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_end_where_the_coordinate_changes() {
        for sizes in [vec![1, 1, 2, 7], vec![8, 1], vec![9, 24, 3], vec![40], vec![16, 16]] {
            let crd: Vec<u32> = sizes
                .iter()
                .enumerate()
                .flat_map(|(c, &n)| std::iter::repeat_n(c as u32 * 3, n))
                .collect();
            for q in 0..=crd.len() {
                for end in 0..=crd.len() {
                    let same = |k: &usize| crd.get(*k) == crd.get(q);
                    let want = (q..end).take_while(same).last().map_or(q, |k| k + 1) as i64;
                    let (q, end) = (q as i64, end as i64);
                    assert_eq!(group_end(&crd, q, end), want, "{q}..{end} of {crd:?}");
                    assert_eq!(group_gallop(&crd, q, end), want, "{q}..{end} of {crd:?}");
                }
            }
        }
    }
}
