//! Hash: entries in the order in which they came, found by their coordinates in constant time.

use super::sparse_list::positions;
use crate::level::grow;
use crate::search::home;
use crate::Index;

crate::level! {
    /// A table from coordinates to entries, which may be made in any order (Looplets section 4).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5      entry         q = 0  1
    ///             .  *  .  .  *  .      came in order  crd = [4, 1]   fib = [0, 0]
    ///             └run┘*└─run──┘*└run┘   read in order  ord = [1, 0]   pos = [0, 2]
    ///                                    found by hash  tbl = [0, 2, 1, 0]
    /// ```
    ///
    /// Entry `q` is at coordinate `crd[q]` of fiber `fib[q]`; its child is at position `q`. The entries
    /// of fiber `p`, sorted, are `ord[k]` for `k` in `pos[p]..pos[p + 1]`. A slot of `tbl` is 0 or one
    /// more than an entry, which stands at the slot its fiber and coordinate hash to, or at the first
    /// one after that, around the end, that was free. Invariant: `pos` as in `SparseList` cuts `ord`,
    /// which has each entry once, in the fiber it says, with coordinates that ascend strictly and are
    /// below `len`; `tbl` has each entry once, where a search finds it, and a number of slots that is a
    /// power of two and more than the entries.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes,
    /// then a run. Costs: `locate` is constant; `walk` is linear in the entries, in order through
    /// `ord`; `gallop` logarithmic in what it skips. Written in any order, and sorted at the end. The
    /// hash has no random state: equal programs make equal tensors.
    pub struct Hash<Child, Ix: Index = u32> {
        len: usize,
        tbl: Vec<usize>,
        fib: Vec<usize>,
        crd: Vec<Ix>,
        pos: Vec<usize>,
        ord: Vec<usize>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `ord` in order, and `ord` has entries that `crd`
    // has; a search in `tbl` ends within it and gives an entry or none; the child has a fiber for each
    // entry, and coordinates are below `len`.
    unsafe invariant(fibers) { crate::levels::hash_invariant(len, fibers, tbl, fib, crd, pos, ord) }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[ord[end - 1]] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for k in start..end,
                seek(i): crate::search::gallop_through(crd, ord, k, end, i),
                stop: crd[ord[k]] + 1,
                body: spike(fill, child[ord[k]]),
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = crate::search::hashed(tbl, fib, crd, p, i);
        switch {
            q >= 0 => child[q],
            _ => fill,
        }
    }
    write insert(p, i) {
        exact,
        find: crate::search::hashed(tbl, fib, crd, p, i),
        child: crd.len(),
        commit: { crate::levels::hash_insert(tbl, fib, crd, p, i) },
        finish(fibers) { crate::levels::hash_order(fibers, fib, crd, pos, ord) },
        children(fibers) { Some(crd.len()) },
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn hash_insert<Ix: Index>(
    tbl: &mut Vec<usize>,
    fib: &mut Vec<usize>,
    crd: &mut Vec<Ix>,
    p: usize,
    i: usize,
) {
    crate::level::push(fib, p);
    crate::level::push(crd, Ix::from_i64(i as i64));
    if tbl.len() >= 2 * crd.len() {
        return put(tbl, crd.len() - 1, p, i);
    }
    // Half of the slots are free at the most full, so that a search is short.
    let slots = (4 * crd.len()).next_power_of_two();
    tbl.clear();
    tbl.resize(slots, 0);
    for (q, (&p, i)) in fib.iter().zip(&*crd).enumerate() {
        put(tbl, q, p, i.to_i64() as usize);
    }
}

/// Enters entry `q`, of fiber `p` at `i`, in a table that has a free slot.
fn put(tbl: &mut [usize], q: usize, p: usize, i: usize) {
    let mask = tbl.len() - 1;
    let mut slot = home(p as u64, i as u64) & mask;
    while tbl[slot] != 0 {
        slot = (slot + 1) & mask;
    }
    tbl[slot] = q + 1;
}

/// Sorts the entries: by fiber, then by coordinate.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
pub fn hash_order<Ix: Index>(
    fibers: usize,
    fib: &[usize],
    crd: &[Ix],
    pos: &mut Vec<usize>,
    ord: &mut Vec<usize>,
) -> Result<(), String> {
    pos.clear();
    grow(pos, fibers.saturating_add(1), 0)?;
    ord.clear();
    grow(ord, crd.len(), 0)?;
    // First `pos[p]` is where fiber `p - 1` starts, and each of its entries moves it on.
    fib.iter().filter(|&&p| p + 2 <= fibers).for_each(|&p| pos[p + 2] += 1);
    for p in 2..=fibers {
        pos[p] += pos[p - 1];
    }
    for (q, &p) in fib.iter().enumerate() {
        let at =
            pos.get_mut(p + 1).ok_or_else(|| format!("entry {q} is in fiber {p} of {fibers}"))?;
        ord[*at] = q;
        *at += 1;
    }
    for p in 0..fibers {
        ord[pos[p]..pos[p + 1]].sort_unstable_by_key(|&q| crd[q]);
    }
    Ok(())
}

/// The invariant of [`Hash`].
///
/// # Errors
/// What does not hold, and where.
#[doc(hidden)]
pub fn hash_invariant<Ix: Index>(
    len: usize,
    fibers: usize,
    tbl: &[usize],
    fib: &[usize],
    crd: &[Ix],
    pos: &[usize],
    ord: &[usize],
) -> Result<usize, String> {
    let count = ordered_invariant((len, fibers), fib, crd, pos, ord)?;
    if count > 0 || !tbl.is_empty() {
        hash_table_invariant(tbl, fib, crd)?;
    }
    Ok(count)
}

/// Entries that have an order: how many there are.
pub(super) fn ordered_invariant<Ix: Index>(
    (len, fibers): (usize, usize),
    fib: &[usize],
    crd: &[Ix],
    pos: &[usize],
    ord: &[usize],
) -> Result<usize, String> {
    let count = crd.len();
    positions(fibers, pos, ord.len(), "ord")?;
    if fib.len() != count || ord.len() != count {
        return Err(format!(
            "`crd` has {count} entries, but `fib` has {} and `ord` has {}",
            fib.len(),
            ord.len()
        ));
    }
    // Entries of a fiber that ascend are not the same, so as many as there are is each one once.
    for p in 0..fibers {
        let mut free = 0;
        for &q in &ord[pos[p]..pos[p + 1]] {
            if fib.get(q) != Some(&p) {
                return Err(format!("`ord` has entry {q} in fiber {p}, where it is not"));
            }
            let i = crd[q].to_i64();
            if i < free {
                return Err(format!("the coordinates of fiber {p} do not ascend at {i}"));
            }
            if i as u64 >= len as u64 {
                return Err(format!("fiber {p} has coordinate {i}, but its size is {len}"));
            }
            free = i.saturating_add(1);
        }
    }
    Ok(count)
}

/// Each entry is in the table once, and no free slot comes between it and where a search starts.
fn hash_table_invariant<Ix: Index>(tbl: &[usize], fib: &[usize], crd: &[Ix]) -> Result<(), String> {
    let slots = tbl.len();
    if !slots.is_power_of_two() || slots <= crd.len() {
        return Err(format!("`tbl` has {slots} slots for {} entries", crd.len()));
    }
    let mut missing = Vec::new();
    grow(&mut missing, crd.len(), true)?;
    let free = tbl.iter().position(|&q| q == 0).ok_or("`tbl` has no free slot")?;
    let mask = slots - 1;
    let mut start = free + 1;
    for at in free + 1..free + slots {
        let slot = at & mask;
        let Some(q) = tbl[slot].checked_sub(1) else {
            start = at + 1;
            continue;
        };
        if missing.get(q) != Some(&true) {
            return Err(format!("`tbl` has entry {q} twice, or there is no such entry"));
        }
        missing[q] = false;
        let home = home(fib[q] as u64, crd[q].to_i64() as u64) & mask;
        if slot.wrapping_sub(home) & mask > at - start {
            return Err(format!("`tbl` has entry {q} where a search does not find it"));
        }
    }
    match missing.iter().position(|&m| m) {
        Some(q) => Err(format!("`tbl` does not have entry {q}")),
        None => Ok(()),
    }
}
