//! Symmetric: half of each square matrix, which stands for the other half.

use super::triangular::{position, triangle, Number};

crate::level! {
    /// The elements on and below the diagonal, row by row, each of which is its mirror image too
    /// (Looplets figure 3, "symmetric").
    ///
    /// ```text
    ///          j  0  1  2  3
    /// row 0       *  ′  ′  ′      child positions  0
    /// row 1       *  *  ′  ′                       1  2
    /// row 2       *  *  *  ′                       3  4  5
    /// row 3       *  *  *  *                       6  7  8  9
    ///             └─row──┘ └column
    /// ```
    ///
    /// It stands below the level of the rows, as in `Dense<Symmetric<Element<f64>>>`: fiber `p` is row
    /// `r = p % len` of matrix `p / len`. Entry `(i, j)` and entry `(j, i)` have one child, that of a
    /// [`LowerTriangular`](crate::LowerTriangular). Invariant: the fibers are whole matrices, and
    /// their elements can be addressed.
    ///
    /// Looplets: a pipeline of a lookup along the row and one down the column. Costs: `locate` is
    /// constant, `walk` linear in `len`; half of what `Dense` stores is stored. Kernels write it in any
    /// order, by the entries on and below the diagonal: one above it is refused, since it would be a
    /// second word on an element that has been given.
    ///
    /// Tensors made of entries may be given both halves, which must agree to the last bit.
    /// `from_triplets` takes an entry without its mirror image for both; to `from_dense` and `convert`
    /// what is not there is fill, and a matrix that is not symmetric is refused.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::*;
    ///
    /// finch! {
    ///     fn halve(a: &DenseMat<f64>) -> (s: Tensor<Dense<Symmetric<Element<f64>>>>) {
    ///         for i, j { if j <= i { s[i, j] = a[i, j] } }
    ///     }
    /// }
    /// let all = [1.0, 2.0, 2.0, 5.0];
    /// let s = halve(&Tensor::from_dense([2, 2], &all)?);
    /// assert_eq!((s.stored(), s.to_dense()), (3, all.to_vec()));
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub struct Symmetric<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: a fiber is there only if `len` is not 0; row `j` of the stored half has the coordinates up to
    // `j`, so that both `(r, i)` with `i <= r` and `(i, r)` with `r < i` are in it, and the child has a fiber
    // for each. No product overflows.
    unsafe invariant(fibers) { crate::levels::triangles(len, fibers, true) }
    read walk, follow(p) {
        let r = p % len;
        let base = p / len * crate::levels::triangle(len);
        let first = base + crate::levels::triangle(r);
        pipeline {
            ..r + 1 => lookup(|i| child[first + i]),
            .. => lookup(|i| child[base + crate::levels::triangle(i) + r]),
        }
    }
    read locate(p, i) { child[crate::levels::symmetric_position(len, p, i)] }
    write locate(p, i) {
        entry: { crate::levels::inside(i <= p % len, p % len, i) },
        child: crate::levels::symmetric_position(len, p, i),
        finish(fibers) { crate::levels::triangles(len, fibers, true).map(|_| ()) },
        children(fibers) { crate::levels::packed(len, fibers, true) },
        fold(at) { crate::levels::below_diagonal(len, at) },
    }
}

/// Where [`Symmetric`] has entry `i` of fiber `p`.
#[doc(hidden)]
#[inline(always)]
pub fn symmetric_position<N: Number>(len: N, p: N, i: N) -> N {
    position([len, p, i], |len, t, r, i| t * triangle(len) + triangle(r.max(i)) + r.min(i))
}

/// Changes the coordinates of an entry above the diagonal to those of its mirror image. The dimension
/// above may hold the rows of several matrices.
#[doc(hidden)]
pub fn below_diagonal(len: usize, at: &mut [usize]) {
    // Without a dimension above there is one row, of the matrix of one element.
    let [.., row, col] = at else { return };
    let r = *row % len;
    if *col > r {
        *row = *row - r + *col;
        *col = r;
    }
}
