//! Strided and interval formats without any `unsafe`: a crate that only checks, and does not vouch.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

use looplets::{Index, level};

level! {
    /// Entries at equal distances, `start[p] + k * step[p]` for `k` below the count of fiber `p`.
    ///
    /// The children of fiber `p` are at the positions `pos[p]..pos[p + 1]`, one an entry. It is not
    /// assembled from entries, which rarely are periodic: it is built from its parts.
    pub struct Strided<Child> {
        len: usize,
        pos: Vec<usize>,
        start: Vec<usize>,
        step: Vec<usize>,
        child: Child,
    }
    invariant(fibers) { crate::strided(len, fibers, pos, start, step) }
    read walk(p) {
        let q = pos[p];
        let count = pos[p + 1] - q;
        let first = start[p];
        let step = step[p];
        let stop = if count > 0 { first + (count - 1) * step + 1 } else { 0 };
        pipeline {
            ..stop => stepper {
                for k in 0..count,
                seek(i): crate::entries_before(first, step, i),
                stop: first + k * step + 1,
                body: spike(fill, child[q + k]),
            },
            .. => run(fill),
        }
    }
    read follow(p) {
        let q = pos[p];
        let count = pos[p + 1] - q;
        let first = start[p];
        let step = step[p];
        let stop = first + count * step;
        pipeline {
            ..first => run(fill),
            ..stop => shift(first, lookup(|i| switch {
                i % step == 0 => child[q + i / step],
                _ => fill,
            })),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let q = pos[p];
        let count = pos[p + 1] - q;
        let first = start[p];
        let step = step[p];
        switch {
            first <= i && i < first + count * step && (i - first) % step == 0 => child[q + (i - first) / step],
            _ => fill,
        }
    }
}

level! {
    /// Intervals of equal entries with fill between them.
    ///
    /// Fiber `p` has the intervals `pos[p]..pos[p + 1]`; interval `q` is `first[q]..=last[q]`, and
    /// each of its elements is the child at position `q`.
    pub struct Intervals<Child, Ix: Index = u32> {
        len: usize,
        pos: Vec<usize>,
        first: Vec<Ix>,
        last: Vec<Ix>,
        child: Child,
    }
    invariant(fibers) { crate::intervals(len, fibers, pos, first, last) }
    read walk, follow(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let stop = if start < end { last[end - 1] + 1 } else { 0 };
        pipeline {
            ..stop => stepper {
                for q in start..end,
                seek(i): crate::first_from(last, q, end, i),
                stop: last[q] + 1,
                body: pipeline {
                    ..first[q] => run(fill),
                    .. => run(child[q]),
                },
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let end = pos[p + 1];
        let q = crate::first_from(last, pos[p], end, i);
        switch {
            q < end && first[q] <= i => child[q],
            _ => fill,
        }
    }
    write append(p, i) {
        runs,
        open: {
            // Starts behind `p` are those of fibers that were opened and got no entry.
            pos.truncate(p + 1);
            crate::looplets::level::grow(pos, p + 1, last.len())
        },
        child: {
            // An entry that was begun and not committed is begun again.
            first.truncate(last.len());
            first.push(Ix::from_i64(i as i64));
            last.len()
        },
        commit: { last.push(Ix::from_i64(i as i64)) },
        finish(fibers) {
            pos.truncate(fibers + 1);
            crate::looplets::level::grow(pos, fibers + 1, last.len())
        },
        children(fibers) { Some(last.len()) },
    }
}

/// How many entries of `first, first + step, ..` are below `i`.
#[doc(hidden)]
#[must_use]
pub fn entries_before(first: i64, step: i64, i: i64) -> i64 {
    if i <= first { 0 } else { (i - first + step - 1) / step }
}

/// The first interval in `lo..hi` that ends at or after `i`.
///
/// # Panics
/// If `lo..hi` is not within `last`.
#[doc(hidden)]
pub fn first_from<Ix: Index>(last: &[Ix], lo: i64, hi: i64, i: i64) -> i64 {
    (lo..hi)
        .find(|&q| last[usize::try_from(q).expect("positions are not negative")].to_i64() >= i)
        .unwrap_or(hi.max(lo))
}

fn cut(fibers: usize, pos: &[usize], count: usize) -> Result<(), String> {
    if pos.len().checked_sub(1) != Some(fibers) {
        return Err(format!("`pos` has {} entries for {fibers} fibers", pos.len()));
    }
    if pos[0] != 0 || pos[fibers] != count || pos.windows(2).any(|w| w[0] > w[1]) {
        return Err("`pos` does not cut the entries into fibers".to_owned());
    }
    Ok(())
}

/// The invariant of [`Strided`].
///
/// # Errors
/// What does not hold.
#[doc(hidden)]
pub fn strided(
    len: usize,
    fibers: usize,
    pos: &[usize],
    start: &[usize],
    step: &[usize],
) -> Result<usize, String> {
    cut(fibers, pos, pos.last().copied().unwrap_or(0))?;
    if start.len() != fibers || step.len() != fibers {
        return Err(format!("{} starts and {} steps for {fibers} fibers", start.len(), step.len()));
    }
    for p in 0..fibers {
        let count = pos[p + 1] - pos[p];
        if step[p] == 0 {
            return Err(format!("the step of fiber {p} is 0"));
        }
        let last =
            count.saturating_sub(1).checked_mul(step[p]).and_then(|n| n.checked_add(start[p]));
        if count > 0 && last.is_none_or(|l| l >= len) {
            return Err(format!("the entries of fiber {p} reach beyond its size, {len}"));
        }
    }
    Ok(pos[fibers])
}

/// The invariant of [`Intervals`].
///
/// # Errors
/// What does not hold.
#[doc(hidden)]
pub fn intervals<Ix: Index>(
    len: usize,
    fibers: usize,
    pos: &[usize],
    first: &[Ix],
    last: &[Ix],
) -> Result<usize, String> {
    cut(fibers, pos, last.len())?;
    if first.len() != last.len() {
        return Err(format!("{} intervals begin and {} end", first.len(), last.len()));
    }
    for p in 0..fibers {
        let mut free = 0;
        for q in pos[p]..pos[p + 1] {
            if first[q].to_i64() < free || last[q] < first[q] {
                return Err(format!("interval {q} of fiber {p} is out of order"));
            }
            free = last[q].to_i64().saturating_add(1);
        }
        if i64::try_from(len).is_ok_and(|len| free > len) {
            return Err(format!("fiber {p} has coordinate {}, but its size is {len}", free - 1));
        }
    }
    Ok(last.len())
}
