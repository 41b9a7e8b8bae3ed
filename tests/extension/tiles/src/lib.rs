//! A dense head and a sparse tail in one fiber: a format crate that follows the guide.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, rust_2018_idioms, clippy::all)]

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

use looplets::Index;

looplets::level! {
    /// The first sixteen coordinates stored densely, the others as a sorted list: for indices that
    /// are ranks, where nearly everything is in front.
    ///
    /// ```text
    /// coordinate  0 1 2 .. 15  16 17 18 19     crd = [17, 18]   pos = [0, 2]
    ///             * * * *** *   .  *  *  .
    ///             └──lookup─┘  └─spikes┘└run
    /// ```
    ///
    /// Fiber `p` has the tail entries `pos[p]..pos[p + 1]`; entry `q` is at coordinate `crd[q]`. The
    /// children of a fiber follow one another, the head before the tail: with `h` the length of the
    /// head, that of coordinate `i` in it is at `p * h + pos[p] + i`, and that of entry `q` at
    /// `(p + 1) * h + q`.
    pub struct Headed<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        crd: Vec<Ix>,
        child: Child,
    }
    invariant(fibers) { crate::check(len, fibers, pos, crd) }
    read walk, follow | gallop, lead(p) {
        let head = min(16, len);
        let start = pos[p];
        let end = pos[p + 1];
        let before = p * head + start;
        let tail = (p + 1) * head;
        let stop = if start < end { crd[end - 1] + 1 } else { head };
        pipeline {
            ..head => lookup(|i| child[before + i]),
            ..stop => stepper {
                for q in start..end,
                seek(i): crate::looplets::search::lower_bound(crd, q, end, i),
                jump(i): crate::looplets::search::gallop(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[tail + q]),
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let head = min(16, len);
        let end = pos[p + 1];
        let q = crate::looplets::search::lower_bound(crd, pos[p], end, i);
        switch {
            i < head => child[p * head + pos[p] + i],
            q < end && crd[q] == i => child[(p + 1) * head + q],
            _ => fill,
        }
    }
    write append(p, i) {
        open: { crate::begin(pos, p, crd.len()) },
        child: crate::place(len, p, pos[p], crd.len(), i),
        commit: {
            if i >= 16 {
                crd.push(Ix::from_i64(i as i64));
            }
        },
        finish(fibers) { crate::begin(pos, fibers, crd.len()) },
        children(fibers) { crate::children(len, fibers, crd.len()) },
    }
}

looplets::level! {
    /// Rows with heads.
    pub type HeadedRows<T, Ix = u32> =
        crate::looplets::Tensor<crate::looplets::Dense<crate::Headed<crate::looplets::Element<T>, Ix>>>;
}

/// Where the child of coordinate `i` of fiber `p` goes, whose tail starts with entry `start`, if
/// `count` entries of tails are there.
#[doc(hidden)]
#[must_use]
pub fn place(len: usize, p: usize, start: usize, count: usize, i: usize) -> usize {
    let head = len.min(16);
    if i < head {
        p * head + start + i
    } else {
        (p + 1) * head + count
    }
}

/// How many children `fibers` fibers have.
#[doc(hidden)]
#[must_use]
pub fn children(len: usize, fibers: usize, count: usize) -> Option<usize> {
    fibers.checked_mul(len.min(16))?.checked_add(count)
}

/// Makes `pos` hold the starts of the tails of fibers `0..=p`.
///
/// # Errors
/// There is no memory.
#[doc(hidden)]
pub fn begin(pos: &mut Vec<usize>, p: usize, count: usize) -> Result<(), String> {
    pos.truncate(p + 1);
    looplets::level::grow(pos, p + 1, count)
}

/// The invariant of [`Headed`].
///
/// # Errors
/// What does not hold.
#[doc(hidden)]
pub fn check<Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    crd: &[Ix],
) -> Result<usize, String> {
    if pos.len().checked_sub(1) != Some(fibers) || pos[0] != 0 || pos[fibers] != crd.len() {
        return Err(format!("`pos` does not cut {} entries into {fibers} fibers", crd.len()));
    }
    for p in 0..fibers {
        let fiber = crd.get(pos[p]..pos[p + 1]).ok_or(format!("`pos` descends at fiber {p}"))?;
        if fiber.windows(2).any(|w| w[0] >= w[1]) {
            return Err(format!("the coordinates of fiber {p} do not ascend"));
        }
        let inside = |c: &Ix| c.to_i64() >= 16 && (c.to_i64() as u64) < len as u64;
        if let Some(c) = fiber.iter().find(|c| !inside(c)) {
            return Err(format!("fiber {p} has coordinate {c:?} in the tail of size {len}"));
        }
    }
    children(len, fibers, crd.len()).ok_or("too many entries".to_owned())
}
