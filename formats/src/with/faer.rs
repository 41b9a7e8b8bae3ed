//! The matrices of faer: sparse ones by rows and by columns, and dense ones.

use super::compressed::Rows;
use crate::error::Error;
use crate::{ByColumns, Csc, Csr, Dense, DenseMat, Element, Fill, Index, Tensor, Value};
use ::faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseRowMat};
use ::faer::traits::{Index as Number, SignedIndex};
use ::faer::{Mat, MatRef};

/// The largest size that a matrix with these indices has.
fn largest<I: ::faer::Index>() -> usize {
    <I as Number>::Signed::MAX.zx()
}

/// The arrays move; columns are converted unless they are of one type, and so are offsets that are no `usize`. Of a
/// matrix with room between its rows, what is stored is copied.
///
/// # Errors
/// [`Error::Unstorable`] if a column does not fit the type of coordinates, [`Error::Invariant`] if those of a row do not
/// ascend, as an unsorted matrix may have them, and [`Error::TooLarge`] for a size over `2^61`.
///
/// ```
/// # use looplets_formats as looplets;
/// use faer::sparse::{SparseRowMat, Triplet};
/// use looplets::Csr;
///
/// let entries = [Triplet::new(1usize, 0usize, 1.5), Triplet::new(0, 2, 2.5)];
/// let a = SparseRowMat::try_new_from_triplets(2, 3, &entries).unwrap();
/// let values = a.val().as_ptr();
/// let a: Csr<f64, usize> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 2.5, 1.5, 0.0, 0.0]);
/// let a: SparseRowMat<usize, f64> = a.try_into()?;
/// assert_eq!(a.val().as_ptr(), values);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index, I: ::faer::Index> TryFrom<SparseRowMat<I, T>> for Csr<T, Ix> {
    type Error = Error;

    fn try_from(a: SparseRowMat<I, T>) -> Result<Self, Error> {
        let (symbolic, mut val) = a.into_parts();
        let (rows, cols, mut pos, count, mut crd) = symbolic.into_parts();
        let number = |i: I| Some(i.zx());
        let shape = [rows, cols];
        let Some(count) = count else {
            // There may be room behind the last row.
            let end = pos.last().map_or(0, |end| end.zx());
            crd.truncate(end);
            val.truncate(end);
            // So there may be in front of the first.
            let start = pos.first().map_or(0, |start| start.zx());
            if start > 0 {
                crd.drain(..start);
                val.drain(..start);
                pos.iter_mut().for_each(|p| *p = I::truncate(p.zx() - start));
            }
            return Rows { shape, pos, crd, val }.tensor(number, number);
        };
        let (mut offsets, mut taken) = (vec![0usize], Vec::new());
        let mut values = Vec::new();
        for (start, count) in pos.iter().zip(&count) {
            let row = start.zx()..start.zx() + count.zx();
            taken.extend_from_slice(&crd[row.clone()]);
            values.extend_from_slice(&val[row]);
            offsets.push(taken.len());
        }
        Rows { shape, pos: offsets, crd: taken, val: values }.tensor(Some, number)
    }
}

/// # Errors
/// [`Error::Unstorable`] if coordinates, offsets or sizes do not fit the type of indices.
impl<T: Value, Ix: Index, I: ::faer::Index> TryFrom<Csr<T, Ix>> for SparseRowMat<I, T> {
    type Error = Error;

    fn try_from(a: Csr<T, Ix>) -> Result<Self, Error> {
        let most = largest::<I>();
        let number = |i: usize| (i <= most).then(|| I::truncate(i));
        let rows = Rows::of(a).renumbered("SparseRowMat", number, number)?;
        let Rows { shape: [m, n], pos, crd, val } = rows;
        if m.max(n) > most || crd.len() > most {
            return Err(Error::Unstorable {
                level: "SparseRowMat",
                shape: vec![m, n],
                reason: format!("sizes of its type of indices are up to {most}"),
            });
        }
        Ok(SparseRowMat::new(SymbolicSparseRowMat::new_checked(m, n, pos, None, crd), val))
    }
}

/// The matrix is turned, in linear time; it moves into a [`Csc`].
///
/// # Errors
/// As for matrices by rows.
///
/// ```
/// # use looplets_formats as looplets;
/// use faer::sparse::{SparseColMat, Triplet};
/// use looplets::Csr;
///
/// let entries = [Triplet::new(1usize, 0usize, 1.5), Triplet::new(0, 2, 2.5)];
/// let a = SparseColMat::try_new_from_triplets(2, 3, &entries).unwrap();
/// let turned: Csr<f64> = a.clone().try_into()?;
/// assert_eq!(turned.to_dense(), [0.0, 0.0, 2.5, 1.5, 0.0, 0.0]);
/// let columns: Csr<f64> = a.into_transpose().try_into()?;
/// assert_eq!(columns.shape(), [3, 2]);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index, I: ::faer::Index> TryFrom<SparseColMat<I, T>> for Csr<T, Ix> {
    type Error = Error;

    fn try_from(a: SparseColMat<I, T>) -> Result<Self, Error> {
        Csr::<T, usize>::try_from(a.into_transpose())?.permute([1, 0])
    }
}

/// The matrix is turned. `SparseRowMat::try_from(a)?.into_transpose()` takes the rows of `a` for columns, without a
/// copy.
///
/// # Errors
/// [`Error::Unstorable`] if coordinates, offsets or sizes do not fit the type of indices.
impl<T: Value, Ix: Index, I: ::faer::Index> TryFrom<Csr<T, Ix>> for SparseColMat<I, T> {
    type Error = Error;

    fn try_from(a: Csr<T, Ix>) -> Result<Self, Error> {
        let turned: Csr<T, usize> = a.permute([1, 0])?;
        Ok(SparseRowMat::try_from(turned)?.into_transpose())
    }
}

/// The arrays move, as those of rows do into a [`Csr`].
///
/// # Errors
/// As for matrices by rows.
///
/// ```
/// # use looplets_formats as looplets;
/// use faer::sparse::{SparseColMat, Triplet};
/// use looplets::Csc;
///
/// let entries = [Triplet::new(1usize, 0usize, 1.5), Triplet::new(0, 2, 2.5)];
/// let a = SparseColMat::try_new_from_triplets(2, 3, &entries).unwrap();
/// let values = a.val().as_ptr();
/// let a: Csc<f64, usize> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 2.5, 1.5, 0.0, 0.0]);
/// let a: SparseColMat<usize, f64> = a.try_into()?;
/// assert_eq!(a.val().as_ptr(), values);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index, I: ::faer::Index> TryFrom<SparseColMat<I, T>> for Csc<T, Ix> {
    type Error = Error;

    fn try_from(a: SparseColMat<I, T>) -> Result<Self, Error> {
        Csr::try_from(a.into_transpose()).map(Csc::from_transposed).map_err(Error::turned)
    }
}

/// # Errors
/// [`Error::Unstorable`] if coordinates, offsets or sizes do not fit the type of indices.
impl<T: Value, Ix: Index, I: ::faer::Index> TryFrom<Csc<T, Ix>> for SparseColMat<I, T> {
    type Error = Error;

    fn try_from(a: Csc<T, Ix>) -> Result<Self, Error> {
        let rows = SparseRowMat::try_from(a.into_transposed()).map_err(Error::turned)?;
        Ok(rows.into_transpose())
    }
}

/// A copy: dense matrices of faer are stored by columns, and with gaps. That of a [`Mat`] is the same.
///
/// ```
/// # use looplets_formats as looplets;
/// use faer::{mat, Mat};
/// use looplets::DenseMat;
///
/// let a: DenseMat<f64> = mat![[1.0, 2.0], [3.0, 4.0]].into();
/// assert_eq!(a.values(), Some(&[1.0, 2.0, 3.0, 4.0][..]));
/// assert_eq!(Mat::from(&a)[(1, 0)], 3.0);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T, F> From<MatRef<'_, T>> for DenseMat<T, F>
where
    T: Clone + PartialEq + 'static,
    F: Fill<T>,
{
    fn from(a: MatRef<'_, T>) -> Self {
        let (m, n) = a.shape();
        let values = (0..m).flat_map(|i| (0..n).map(move |j| a[(i, j)].clone())).collect();
        let made = Tensor::from_parts(Dense::new(m, Dense::new(n, Element::new(values))));
        made.unwrap_or_else(|_| unreachable!("there are as many values as elements"))
    }
}

/// A copy, as of a reference.
impl<T, F> From<Mat<T>> for DenseMat<T, F>
where
    T: Clone + PartialEq + 'static,
    F: Fill<T>,
{
    fn from(a: Mat<T>) -> Self {
        a.as_ref().into()
    }
}

/// A copy by columns.
impl<T, F> From<&DenseMat<T, F>> for Mat<T>
where
    T: Clone + PartialEq + 'static,
    F: Fill<T>,
{
    fn from(a: &DenseMat<T, F>) -> Self {
        let (root, values) = (a.root(), a.root().child().child().val());
        let (m, n) = (root.len(), root.child().len());
        Mat::from_fn(m, n, |i, j| values[i * n + j].clone())
    }
}

/// A copy by columns; [`MatRef`] of a reference copies nothing.
impl<T, F> From<DenseMat<T, F>> for Mat<T>
where
    T: Clone + PartialEq + 'static,
    F: Fill<T>,
{
    fn from(a: DenseMat<T, F>) -> Self {
        Mat::from(&a)
    }
}

/// The same values, of which columns lie next to each other: nothing is copied.
///
/// ```
/// # use looplets_formats as looplets;
/// use faer::MatRef;
/// use looplets::{ByColumns, Dense, Element};
///
/// let a: ByColumns<Dense<Dense<Element<f64>>>> = ByColumns::from_dense([2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(MatRef::from(&a)[(1, 0)], 4.0);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<'a, T, F> From<&'a ByColumns<Dense<Dense<Element<T, F>>>>> for MatRef<'a, T>
where
    T: Clone + PartialEq + 'static,
    F: Fill<T>,
{
    fn from(a: &'a ByColumns<Dense<Dense<Element<T, F>>>>) -> Self {
        let root = a.transposed().root();
        let (n, m) = (root.len(), root.child().len());
        MatRef::from_column_major_slice(root.child().child().val(), m, n)
    }
}

/// The same values, of which rows lie next to each other: nothing is copied.
///
/// ```
/// # use looplets_formats as looplets;
/// use faer::MatRef;
/// use looplets::{DenseMat, Tensor};
///
/// let a: DenseMat<f64> = Tensor::from_dense([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(MatRef::from(&a)[(1, 0)], 3.0);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<'a, T, F> From<&'a DenseMat<T, F>> for MatRef<'a, T>
where
    T: Clone + PartialEq + 'static,
    F: Fill<T>,
{
    fn from(a: &'a DenseMat<T, F>) -> Self {
        let (root, values) = (a.root(), a.root().child().child().val());
        MatRef::from_row_major_slice(values, root.len(), root.child().len())
    }
}
