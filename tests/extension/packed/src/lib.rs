//! Coordinates packed into a byte each, with a table to skip by: a format crate that follows the guide.

#![deny(warnings, missing_docs, unreachable_pub, rust_2018_idioms, clippy::all)]

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

use looplets::Index;

/// The most entries of a block.
const BLOCK: usize = 32;

looplets::level! {
    /// Sorted coordinates in blocks, within which the distance to the next takes a byte.
    ///
    /// ```text
    /// coordinate   0 .. 7 .. 9 ..  700 701     first = [7, 700]   last = [9, 701]   ofs = [0, 2, 4]
    ///                   *    *       *   *     delta = [2, 0, 1, 0]   pos = [0, 2]
    ///              └────block─┘└────block┘     in each block, a spike per entry
    /// ```
    ///
    /// Fiber `p` has the blocks `pos[p]..pos[p + 1]`; block `b` has the entries `ofs[b]..ofs[b + 1]`, from
    /// coordinate `first[b]` to `last[b]`; `delta[q]` is the distance from entry `q` to the next one of
    /// its block, 0 for the last. The child of entry `q` is at position `q`.
    ///
    /// Costs: `walk` is linear in the entries; `gallop` skips blocks in logarithmic time; `locate` is
    /// logarithmic in the blocks. Appended to in order: a block ends with 32 entries or a distance that
    /// is no byte.
    pub struct Packed<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        first: Vec<Ix>,
        last: Vec<Ix>,
        ofs: Vec<usize>,
        delta: Vec<u8>,
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `last` in order; `first` has an entry for each
    // block and `ofs` one more, which cuts `delta` in order into blocks that are not empty; the child has a
    // fiber for each entry. The distances of a block lead from its first coordinate to its last, so that a
    // search in it ends within it, and its coordinates are below `len`.
    unsafe invariant(fibers) { crate::check(len, fibers, pos, first, last, ofs, delta) }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let stop = if start < end { last[end - 1] + 1 } else { 0 };
        pipeline {
            ..stop => stepper {
                for b in start..end,
                seek(i): crate::looplets::search::lower_bound(last, b, end, i),
                jump(i): crate::looplets::search::gallop(last, b, end, i),
                stop: last[b] + 1,
                body: {
                    let mut q = ofs[b];
                    let mut c = first[b];
                    stepper {
                        seek(i): {
                            q = crate::entry_from(delta, q, c, i);
                            c = crate::coordinate(delta, ofs[b], first[b], q);
                        },
                        stop: c + 1,
                        body: spike(fill, child[q]),
                        next: {
                            c = c + delta[q];
                            q = q + 1;
                        },
                    }
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = crate::find(first, last, ofs, delta, pos[p], pos[p + 1], i);
        switch {
            q >= 0 => child[q],
            _ => fill,
        }
    }
    write append(p, i) {
        open: { crate::begin(pos, ofs, p, last.len()) },
        child: delta.len(),
        commit: { crate::push(first, last, ofs, delta, pos[p], i) },
        finish(fibers) { crate::begin(pos, ofs, fibers, last.len()) },
        children(fibers) { Some(delta.len()) },
    }
}

looplets::level! {
    /// A packed vector.
    pub type PackedVec<T, Ix = u32> = crate::looplets::Tensor<crate::Packed<crate::looplets::Element<T>, Ix>>;
}

/// The first entry from `q`, which is at coordinate `c`, that is at `i` or behind. The block has one.
#[doc(hidden)]
pub fn entry_from(delta: &[u8], mut q: i64, mut c: i64, i: i64) -> i64 {
    while c < i {
        match delta[q as usize] {
            0 => break,
            d => c += i64::from(d),
        }
        q += 1;
    }
    q
}

/// The coordinate of entry `q` of the block that begins with entry `start` at coordinate `first`.
#[doc(hidden)]
pub fn coordinate(delta: &[u8], start: i64, first: i64, q: i64) -> i64 {
    delta[start as usize..q as usize].iter().fold(first, |c, d| c + i64::from(*d))
}

/// The entry at `i` of the blocks `lo..hi`, or -1.
#[doc(hidden)]
pub fn find<Ix: Index>(
    first: &[Ix],
    last: &[Ix],
    ofs: &[usize],
    delta: &[u8],
    lo: i64,
    hi: i64,
    i: i64,
) -> i64 {
    let b = looplets::search::lower_bound(last, lo, hi, i);
    if b >= hi {
        return -1;
    }
    let (start, begin) = (ofs[b as usize] as i64, first[b as usize].to_i64());
    let q = entry_from(delta, start, begin, i);
    if coordinate(delta, start, begin, q) == i {
        q
    } else {
        -1
    }
}

/// Makes the arrays hold the starts of fibers `0..=p`; the last begins behind `blocks`.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
pub fn begin(
    pos: &mut Vec<usize>,
    ofs: &mut Vec<usize>,
    p: usize,
    blocks: usize,
) -> Result<(), String> {
    pos.truncate(p + 1);
    looplets::level::grow(ofs, 1, 0)?;
    looplets::level::grow(pos, p + 1, blocks)
}

/// Appends an entry at `i` to the fiber that starts with block `start`.
#[doc(hidden)]
pub fn push<Ix: Index>(
    first: &mut Vec<Ix>,
    last: &mut Vec<Ix>,
    ofs: &mut Vec<usize>,
    delta: &mut Vec<u8>,
    start: usize,
    i: usize,
) {
    let (i, blocks, entries) = (i as i64, last.len(), delta.len());
    delta.push(0);
    if blocks > start && entries - ofs[blocks - 1] < BLOCK {
        if let Ok(distance) = u8::try_from(i - last[blocks - 1].to_i64()) {
            delta[entries - 1] = distance;
            last[blocks - 1] = Ix::from_i64(i);
            ofs[blocks] = entries + 1;
            return;
        }
    }
    first.push(Ix::from_i64(i));
    last.push(Ix::from_i64(i));
    ofs.push(entries + 1);
}

/// The invariant of [`Packed`].
///
/// # Errors
/// What does not hold.
#[doc(hidden)]
pub fn check<Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    first: &[Ix],
    last: &[Ix],
    ofs: &[usize],
    delta: &[u8],
) -> Result<usize, String> {
    let blocks = last.len();
    if pos.len().checked_sub(1) != Some(fibers) {
        return Err(format!("`pos` has {} entries for {fibers} fibers", pos.len()));
    }
    if pos[0] != 0 || pos[fibers] != blocks || pos.windows(2).any(|w| w[0] > w[1]) {
        return Err(format!("`pos` does not cut {blocks} blocks into fibers"));
    }
    if first.len() != blocks || ofs.len() != blocks + 1 {
        return Err(format!(
            "{} begins and {} offsets for {blocks} blocks",
            first.len(),
            ofs.len()
        ));
    }
    if ofs[0] != 0 || ofs[blocks] != delta.len() || ofs.windows(2).any(|w| w[0] >= w[1]) {
        return Err(format!("`ofs` does not cut {} entries into blocks", delta.len()));
    }
    for p in 0..fibers {
        let mut free = 0;
        for b in pos[p]..pos[p + 1] {
            let distances = &delta[ofs[b]..ofs[b + 1]];
            let (behind, between) = distances.split_last().expect("a block is not empty");
            if *behind != 0 || between.contains(&0) {
                return Err(format!("the coordinates of block {b} do not ascend"));
            }
            let (begin, end) = (first[b].to_i64(), last[b].to_i64());
            let found = between.iter().try_fold(begin, |c, d| c.checked_add(i64::from(*d)));
            if found != Some(end) {
                return Err(format!("block {b} does not lead from {begin} to {end}"));
            }
            if begin < free {
                return Err(format!("block {b} of fiber {p} begins before coordinate {free}"));
            }
            if end as u64 >= len as u64 {
                return Err(format!("fiber {p} has coordinate {end}, but its size is {len}"));
            }
            free = end.saturating_add(1);
        }
    }
    Ok(delta.len())
}
