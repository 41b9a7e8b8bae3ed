//! Lists of dense blocks: a format crate written with nothing but the public interface of `looplets`.

#![deny(warnings, missing_docs, unreachable_pub, rust_2018_idioms, clippy::all, clippy::pedantic)]

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

use looplets::Index;

looplets::level! {
    /// Several blocks of consecutive stored coordinates per fiber (variable block lists, VBL).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             *  *  .  .  *  .      last = [1, 4]   ofs = [0, 2, 3]   pos = [0, 2]
    ///             └blk┘       └b
    /// ```
    ///
    /// Fiber `p` has the blocks `pos[p]..pos[p + 1]`; block `b` ends with coordinate `last[b]`, and
    /// its children are at the positions `ofs[b]..ofs[b + 1]`.
    pub struct BlockList<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        last: Vec<Ix>,
        ofs: Vec<usize>,
        child: Child,
    }
    // SAFETY: every index below is one that `check` has found inside its array, or its child.
    unsafe invariant(fibers) { crate::check(len, fibers, pos, last, ofs) }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let stop = if start < end { last[end - 1] + 1 } else { 0 };
        pipeline {
            ..stop => stepper {
                for b in start..end,
                seek(i): crate::first_from(last, b, end, i),
                stop: last[b] + 1,
                body: {
                    let first = last[b] + 1 - (ofs[b + 1] - ofs[b]);
                    let q = ofs[b];
                    pipeline {
                        ..first => run(fill),
                        .. => lookup(|i| child[q + (i - first)]),
                    }
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let end = pos[p + 1];
        let b = crate::first_from(last, pos[p], end, i);
        switch {
            b < end && last[b] - i < ofs[b + 1] - ofs[b] => child[ofs[b + 1] - 1 - (last[b] - i)],
            _ => fill,
        }
    }
    write append(p, i) {
        open: { crate::open(pos, last.len(), ofs, p) },
        child: ofs.last().copied().unwrap_or(0),
        commit: { crate::commit(last, ofs, pos[p], i) },
        finish(fibers) { crate::open(pos, last.len(), ofs, fibers) },
        children(fibers) { Some(ofs.last().copied().unwrap_or(0)) },
    }
}

looplets::level! {
    /// A matrix whose rows are lists of blocks. A path of this crate and one of `looplets`, which
    /// must not depend on how a user's crate calls either.
    pub type Vbr<T, Ix = u32> =
        crate::looplets::Tensor<crate::looplets::Dense<crate::BlockList<crate::looplets::Element<T>, Ix>>>;
}

looplets::level! {
    /// An alias of an alias, all of whose parameters have defaults.
    pub type Blocked<T = f64, Ix = u16> = crate::Vbr<T, Ix>;
}

/// Formats under a module path.
pub mod formats {
    /// The same format by a shorter name.
    pub use crate::BlockList as Blk;
    pub use crate::{BlockList, Blocked};
}

/// The first block in `lo..hi` that ends at or after `i`: what a stepper seeks. Numbers of a
/// declaration's reads are `i64`, arrays are slices.
///
/// # Panics
/// If `lo..hi` is not within `last`.
#[doc(hidden)]
pub fn first_from<Ix: Index>(last: &[Ix], lo: i64, hi: i64, i: i64) -> i64 {
    if lo >= hi {
        return lo;
    }
    let at = |n: i64| usize::try_from(n).expect("positions are not negative");
    let found = last[at(lo)..at(hi)].partition_point(|l| l.to_i64() < i);
    lo + i64::try_from(found).expect("a slice is shorter than i64::MAX")
}

/// Makes the arrays hold the starts of fibers `0..=p`.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
pub fn open(
    pos: &mut Vec<usize>,
    blocks: usize,
    ofs: &mut Vec<usize>,
    p: usize,
) -> Result<(), String> {
    looplets::level::grow(ofs, 1, 0)?;
    // Starts behind `p` are those of fibers that were opened and got no entry.
    pos.truncate(p + 1);
    looplets::level::grow(pos, p + 1, blocks)
}

/// Adds coordinate `i` to the last block of the fiber that starts with block `start`, or begins one.
#[doc(hidden)]
pub fn commit<Ix: Index>(last: &mut Vec<Ix>, ofs: &mut Vec<usize>, start: usize, i: usize) {
    let i = i64::try_from(i).expect("coordinates are below isize::MAX");
    let end = ofs[ofs.len() - 1] + 1;
    match last.get_mut(start..).and_then(<[Ix]>::last_mut) {
        Some(l) if l.to_i64() + 1 == i => {
            *l = Ix::from_i64(i);
            *ofs.last_mut().expect("it has the end of every block") = end;
        }
        _ => {
            last.push(Ix::from_i64(i));
            ofs.push(end);
        }
    }
}

/// The invariant of [`BlockList`].
///
/// # Errors
/// What does not hold.
#[doc(hidden)]
pub fn check<Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    last: &[Ix],
    ofs: &[usize],
) -> Result<usize, String> {
    if pos.len().checked_sub(1) != Some(fibers) {
        return Err(format!("`pos` has {} entries for {fibers} fibers", pos.len()));
    }
    if ofs.len().checked_sub(1) != Some(last.len()) {
        return Err(format!("`ofs` has {} entries for {} blocks", ofs.len(), last.len()));
    }
    if pos[0] != 0 || pos[fibers] != last.len() || pos.windows(2).any(|w| w[0] > w[1]) {
        return Err("`pos` does not cut the blocks into fibers".to_owned());
    }
    if ofs[0] != 0 || ofs.windows(2).any(|w| w[0] >= w[1]) {
        return Err("`ofs` does not ascend from 0".to_owned());
    }
    let len = i64::try_from(len).unwrap_or(i64::MAX);
    for p in 0..fibers {
        let mut free = 0;
        for b in pos[p]..pos[p + 1] {
            let end = last[b].to_i64();
            if end >= len {
                return Err(format!("fiber {p} has coordinate {end}, but its size is {len}"));
            }
            let size = i64::try_from(ofs[b + 1] - ofs[b]).map_err(|e| e.to_string())?;
            if end + 1 - size < free {
                return Err(format!("block {b} of fiber {p} begins before coordinate {free}"));
            }
            free = end + 1;
        }
    }
    Ok(ofs[last.len()])
}
