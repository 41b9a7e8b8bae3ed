//! Triangular: packed triangles of square matrices, for which no coordinate needs to be stored.

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
    /// stored elements of the row.
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
    /// `len * (len - 1) / 2` elements.
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
}

/// The number of elements of a triangle of size `n` with its diagonal, and so of those before row `n`.
#[doc(hidden)]
#[inline(always)]
pub fn triangle(n: i64) -> i64 {
    n * (n + 1) / 2
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
