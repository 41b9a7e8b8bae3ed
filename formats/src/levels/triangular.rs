//! Triangular: packed triangles of square matrices, for which no coordinate needs to be stored.

use std::cmp::Ordering;

crate::level! {
    /// The elements on and below the diagonal, row by row (Looplets figure 3, "triangular").
    ///
    /// ```text
    ///          j  0  1  2  3
    /// row 0       *  .  .  .      child positions  0
    /// row 1       *  *  .  .                       1  2
    /// row 2       *  *  *  .                       3  4  5
    /// row 3       *  *  *  *                       6  7  8  9
    ///             └lookup┘ └run
    /// ```
    ///
    /// It stands below the level of the rows, as in `Dense<LowerTriangular<Element<f64>>>`: fiber `p`
    /// is row `r = p % len` of triangle `p / len`, and stores coordinates `0..=r`. A triangle has
    /// `len * (len + 1) / 2` elements. Invariant: the fibers are whole triangles, and their elements
    /// can be addressed.
    ///
    /// Looplets: a pipeline of a lookup and a run. Costs: `locate` is constant, `walk` linear in the
    /// stored elements of the row. Written in any order; an entry outside the triangle is refused.
    pub struct LowerTriangular<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: a fiber is there only if `len` is not 0; the positions of its row lie within its triangle, and
    // the child has a fiber for each element of every triangle. No product overflows.
    unsafe invariant(fibers) { crate::levels::triangles(len, fibers, true) }
    read walk, follow(p) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len) + crate::levels::triangle(r);
        pipeline {
            ..r + 1 => lookup(|i| child[first + i]),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len) + crate::levels::triangle(r);
        switch {
            i <= r => child[first + i],
            _ => fill,
        }
    }
    write locate(p, i) {
        entry: { crate::levels::inside(i <= p % len, p % len, i) },
        child: crate::levels::lower_position(len, p, i),
        finish(fibers) { crate::levels::triangles(len, fibers, true).map(|_| ()) },
        children(fibers) { crate::levels::packed(len, fibers, true) },
    }
}

crate::level! {
    /// The elements below the diagonal, row by row.
    ///
    /// ```text
    ///          j  0  1  2  3
    /// row 0       .  .  .  .      child positions
    /// row 1       *  .  .  .                       0
    /// row 2       *  *  .  .                       1  2
    /// row 3       *  *  *  .                       3  4  5
    ///             └lookup┘ └run
    /// ```
    ///
    /// As [`LowerTriangular`], but row `r` stores coordinates `0..r`, and a triangle has
    /// `len * (len - 1) / 2` elements: none if `len` is 1, which is why room for an entry is made when
    /// it is written, and refused entries have room, too.
    pub struct StrictLowerTriangular<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: as for `LowerTriangular`.
    unsafe invariant(fibers) { crate::levels::triangles(len, fibers, false) }
    read walk, follow(p) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len - 1) + crate::levels::triangle(r - 1);
        pipeline {
            ..r => lookup(|i| child[first + i]),
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len - 1) + crate::levels::triangle(r - 1);
        switch {
            i < r => child[first + i],
            _ => fill,
        }
    }
    write insert(p, i) {
        entry: { crate::levels::inside(i < p % len, p % len, i) },
        child: crate::levels::strict_lower_position(len, p, i),
        finish(fibers) { crate::levels::triangles(len, fibers, false).map(|_| ()) },
        children(fibers) { crate::levels::packed(len, fibers, false) },
    }
}

crate::level! {
    /// The elements on and above the diagonal, row by row.
    ///
    /// ```text
    ///          j  0  1  2  3
    /// row 0       *  *  *  *      child positions  0  1  2  3
    /// row 1       .  *  *  *                          4  5  6
    /// row 2       .  .  *  *                             7  8
    /// row 3       .  .  .  *                                9
    ///             └run┘ └lookup
    /// ```
    ///
    /// As [`LowerTriangular`], but row `r` stores coordinates `r..len`. Looplets: a pipeline of a run
    /// and a lookup.
    pub struct UpperTriangular<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: as for `LowerTriangular`.
    unsafe invariant(fibers) { crate::levels::triangles(len, fibers, true) }
    read walk, follow(p) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len) + r * (len + 1) - crate::levels::triangle(r);
        pipeline {
            ..r => run(fill),
            .. => lookup(|i| child[first + (i - r)]),
        }
    }
    read locate(p, i) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len) + r * (len + 1) - crate::levels::triangle(r);
        switch {
            r <= i => child[first + (i - r)],
            _ => fill,
        }
    }
    write locate(p, i) {
        entry: { crate::levels::inside(p % len <= i, p % len, i) },
        child: crate::levels::upper_position(len, p, i),
        finish(fibers) { crate::levels::triangles(len, fibers, true).map(|_| ()) },
        children(fibers) { crate::levels::packed(len, fibers, true) },
    }
}

crate::level! {
    /// The elements above the diagonal, row by row.
    ///
    /// ```text
    ///          j  0  1  2  3
    /// row 0       .  *  *  *      child positions     0  1  2
    /// row 1       .  .  *  *                             3  4
    /// row 2       .  .  .  *                                5
    /// row 3       .  .  .  .
    ///             └run─┘ └lookup
    /// ```
    ///
    /// As [`UpperTriangular`], but row `r` stores coordinates `r + 1..len`, and a triangle has
    /// `len * (len - 1) / 2` elements.
    pub struct StrictUpperTriangular<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: as for `LowerTriangular`.
    unsafe invariant(fibers) { crate::levels::triangles(len, fibers, false) }
    read walk, follow(p) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len - 1) + r * len - crate::levels::triangle(r);
        pipeline {
            ..r + 1 => run(fill),
            .. => lookup(|i| child[first + (i - r - 1)]),
        }
    }
    read locate(p, i) {
        let r = p % len;
        let first = p / len * crate::levels::triangle(len - 1) + r * len - crate::levels::triangle(r);
        switch {
            r < i => child[first + (i - r - 1)],
            _ => fill,
        }
    }
    write insert(p, i) {
        entry: { crate::levels::inside(p % len < i, p % len, i) },
        child: crate::levels::strict_upper_position(len, p, i),
        finish(fibers) { crate::levels::triangles(len, fibers, false).map(|_| ()) },
        children(fibers) { crate::levels::packed(len, fibers, false) },
    }
}

/// The number of elements of a triangle of size `n` with its diagonal, and so of those before row `n`.
#[doc(hidden)]
#[inline(always)]
pub fn triangle(n: i64) -> i64 {
    // A shift, since to divide a signed number costs more, and `n` is not negative, or -1.
    (n * (n + 1)) >> 1
}

/// Refuses an entry of row `r` at `i` that is not stored.
///
/// # Errors
/// It is not `stored`.
#[doc(hidden)]
#[inline(always)]
pub fn inside(stored: bool, r: usize, i: usize) -> Result<(), String> {
    if stored {
        return Ok(());
    }
    let side = match i.cmp(&r) {
        Ordering::Less => "below",
        Ordering::Equal => "on",
        Ordering::Greater => "above",
    };
    Err(format!("the entry at {i} of row {r} lies {side} the diagonal, where none is stored: write the others alone, under a condition such as `j <= i`"))
}

/// Positions and coordinates as they are written with: `usize` where a tensor is assembled, `i64` in
/// kernels.
#[doc(hidden)]
pub trait Number: TryInto<i64> + TryFrom<i64> {}
impl Number for usize {}
impl Number for i64 {}

/// The position that `f` gives, as a signed number, for coordinate `i` of row `r` of a triangle of
/// size `len` that is `t`th.
#[inline(always)]
pub(super) fn position<N: Number>(
    [len, p, i]: [N; 3],
    f: impl FnOnce(i64, i64, i64, i64) -> i64,
) -> N {
    let [Ok(len), Ok(p), Ok(i)] = [len, p, i].map(N::try_into) else { lost() };
    N::try_from(f(len, p / len, p % len, i)).unwrap_or_else(|_| lost())
}

#[cold]
fn lost() -> ! {
    panic!("a position exceeds what can be addressed")
}

/// Where [`LowerTriangular`] has entry `i` of fiber `p`. An entry outside has the place of one inside: it
/// is refused only after a kernel has written it.
#[doc(hidden)]
#[inline(always)]
pub fn lower_position<N: Number>(len: N, p: N, i: N) -> N {
    position([len, p, i], |len, t, r, i| t * triangle(len) + triangle(r) + i.min(r))
}

/// Where [`UpperTriangular`] has entry `i` of fiber `p`.
#[doc(hidden)]
#[inline(always)]
pub fn upper_position<N: Number>(len: N, p: N, i: N) -> N {
    position([len, p, i], |len, t, r, i| {
        t * triangle(len) + r * (len + 1) - triangle(r) + (i.max(r) - r)
    })
}

/// Where [`StrictLowerTriangular`] has entry `i` of fiber `p`.
#[doc(hidden)]
pub fn strict_lower_position(len: usize, p: usize, i: usize) -> usize {
    position([len, p, i], |len, t, r, i| {
        let r = r.max(1);
        t * triangle(len - 1) + triangle(r - 1) + i.min(r - 1)
    })
}

/// Where [`StrictUpperTriangular`] has entry `i` of fiber `p`.
#[doc(hidden)]
pub fn strict_upper_position(len: usize, p: usize, i: usize) -> usize {
    position([len, p, i], |len, t, r, i| {
        let r = r.min(len - 2).max(0);
        t * triangle(len - 1) + r * len - triangle(r) + (i.max(r + 1) - (r + 1))
    })
}

/// The number of elements of as many triangles as have `fibers` rows, the last one whole.
#[doc(hidden)]
pub fn packed(len: usize, fibers: usize, diagonal: bool) -> Option<usize> {
    match len {
        0 => Some(0),
        _ => triangles(len, fibers.checked_next_multiple_of(len)?, diagonal).ok(),
    }
}

/// The invariant of levels that pack triangles, with or without a diagonal: the number of elements
/// of the triangles that have `fibers` rows in all.
///
/// # Errors
/// The rows are not those of whole triangles, or have too many elements.
#[doc(hidden)]
pub fn triangles(len: usize, fibers: usize, diagonal: bool) -> Result<usize, String> {
    // A triangle of size 0 has no row, so that whoever reads a row may divide by the size.
    let count = match fibers.checked_rem(len) {
        None if fibers == 0 => 0,
        Some(0) => fibers / len,
        _ => {
            return Err(format!(
                "{fibers} fibers are no whole number of triangles, which have {len} rows each"
            ))
        }
    };
    // Kernels compute positions as signed numbers and by way of twice the size of a triangle.
    let other = if diagonal { len.checked_add(1) } else { Some(len.saturating_sub(1)) };
    let twice = other.and_then(|n| n.checked_mul(len)).filter(|&n| n as u64 <= LIMIT);
    let all = twice.and_then(|n| count.checked_mul(n / 2)).filter(|&n| n as u64 <= LIMIT);
    all.ok_or_else(|| format!("{count} triangles of size {len} exceed what can be addressed"))
}

/// The bound of the numbers that kernels compute with.
const LIMIT: u64 = crate::rt::LIMIT as u64;
