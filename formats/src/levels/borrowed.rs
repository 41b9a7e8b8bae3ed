//! Levels over arrays that somebody else holds: read as those that hold them, and never written.

use crate::error::Error;
use crate::{Dense, Fill, Index, Tensor, Zero};

crate::level! {
    /// [`Element`](crate::Element) over a borrowed array: the values of a tensor, one per position, with the fill `F` for
    /// everything not stored.
    ///
    /// Invariant: as many values as positions.
    pub struct ElementRef<'a, T, F = crate::Zero> {
        val: &'a [T],
    }
    leaf T = F;
    // SAFETY: there is a value for every position.
    unsafe invariant(fibers) {
        if val.len() == fibers {
            Ok(0)
        } else {
            Err(format!("there are {} values for {fibers} entries", val.len()))
        }
    }
    read value(p) { val[p] }
}
crate::level! {
    /// [`SparseList`](crate::SparseList) over borrowed arrays: the sorted coordinates of the stored entries of each fiber.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5
    ///             .  *  .  .  *  .      crd = [1, 4]   pos = [0, 2]
    ///             └run┘*└─run──┘*└run┘   a spike per entry, then a run of fill
    /// ```
    ///
    /// Invariant, looplets and costs are those of `SparseList`.
    pub struct SparseListRef<'a, Child, Ix: Index = u32> {
        len: usize,
        pos: &'a [usize],
        crd: &'a [Ix],
        child: Child,
    }
    // SAFETY: `pos` has one entry more than fibers and cuts `crd` in order, so `pos[p]`, `pos[p + 1]` and
    // `crd[q]` for `q` between them exist, and the child has a fiber for each `q`; coordinates are below
    // `len`.
    unsafe invariant(fibers) {
        crate::levels::sparse_list_invariant(len, fibers, pos, crd)
    }
    read walk, follow | gallop, lead(p) {
        let start = pos[p];
        let end = pos[p + 1];
        let last = if start < end { crd[end - 1] + 1 } else { 0 };
        pipeline {
            ..last => stepper {
                for q in start..end,
                seek(i): crate::search::lower_bound(crd, q, end, i),
                jump(i): crate::search::gallop(crd, q, end, i),
                stop: crd[q] + 1,
                body: spike(fill, child[q]),
            },
            .. => run(fill),
        }
    }
    read locate(p, i) {
        let start = pos[p];
        let end = pos[p + 1];
        let q = crate::search::lower_bound(crd, start, end, i);
        switch {
            q < end && crd[q] == i => child[q],
            _ => fill,
        }
    }
    split(p, i) { crate::levels::split_list(pos, crd, p, i) }
}
crate::level! {
    /// A dense vector over a borrowed array.
    pub type DenseVecRef<'a, T, F = crate::Zero> = crate::Tensor<crate::Dense<crate::ElementRef<'a, T, F>>>;
}
crate::level! {
    /// A dense matrix by rows over a borrowed array.
    pub type DenseMatRef<'a, T, F = crate::Zero> =
        crate::Tensor<crate::Dense<crate::Dense<crate::ElementRef<'a, T, F>>>>;
}
crate::level! {
    /// A sparse vector over borrowed arrays.
    pub type SparseVecRef<'a, T, Ix = u32, F = crate::Zero> =
        crate::Tensor<crate::SparseListRef<'a, crate::ElementRef<'a, T, F>, Ix>>;
}
crate::level! {
    /// Compressed sparse rows over borrowed arrays, or columns if the first index is that of columns.
    pub type CsrRef<'a, T, Ix = u32, F = crate::Zero> =
        crate::Tensor<crate::Dense<crate::SparseListRef<'a, crate::ElementRef<'a, T, F>, Ix>>>;
}
crate::level! {
    /// A graph over borrowed arrays: sorted neighbours, no values.
    pub type GraphRef<'a, Ix = u32> = crate::Tensor<crate::Dense<crate::SparseListRef<'a, crate::Pattern, Ix>>>;
}

impl<'a, T: Clone + PartialEq + 'static> DenseMatRef<'a, T>
where
    Zero: Fill<T>,
{
    /// The matrix of shape `[m, n]` whose element `(i, j)` is `values[i * n + j]`. Nothing is copied; constant.
    ///
    /// # Errors
    /// [`Error::Invariant`] if there are not `m * n` values, [`Error::TooLarge`].
    pub fn from_slice([m, n]: [usize; 2], values: &'a [T]) -> Result<Self, Error> {
        Tensor::from_parts(Dense::new(m, Dense::new(n, ElementRef::new(values))))
    }
}

impl<'a, T: Clone + PartialEq + 'static, Ix: Index> CsrRef<'a, T, Ix>
where
    Zero: Fill<T>,
{
    /// The matrix of shape `[m, n]` whose row `i` has the entries `offsets[i]..offsets[i + 1]`, of which each has its column
    /// and its value. Nothing is copied; linear in rows and entries, all of which are looked at once.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{finch, CsrRef};
    ///
    /// finch! { fn product(a: &CsrRef<'_, f64>, x: &[f64]) -> (y: Vec<f64>) { y[i] += a[i, j] * x[j] } }
    /// let (offsets, columns, values) = (vec![0, 2, 3], vec![0, 2, 1], vec![1.0, 2.0, 3.0]);
    /// let a = CsrRef::from_slices([2, 3], &offsets, &columns, &values)?;
    /// assert_eq!(product(&a, &[1.0, 10.0, 100.0]), [201.0, 30.0]);
    /// assert!(CsrRef::<f64>::from_slices([2, 2], &offsets, &columns, &values).is_err());
    /// # Ok::<(), looplets::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invariant`] if offsets do not cut the entries into `m` rows, columns of a row do not ascend or are not below
    /// `n`, or there are not as many values as columns, [`Error::TooLarge`].
    pub fn from_slices(
        [m, n]: [usize; 2],
        offsets: &'a [usize],
        columns: &'a [Ix],
        values: &'a [T],
    ) -> Result<Self, Error> {
        Tensor::from_parts(Dense::new(
            m,
            SparseListRef::new(n, offsets, columns, ElementRef::new(values)),
        ))
    }
}
