//! The matrices and vectors of sprs: `CsMat`, `CsMatI`, `CsVec` and `CsVecI`, of any types of indices.

use super::compressed::{coordinates, numbers, vector, Rows};
use crate::error::Error;
use crate::{Csc, Csr, Element, Index, SparseList, SparseVec, Tensor, Value};
use ::sprs::{CsMatI, CsVecI, SpIndex};

/// A matrix by rows moves; one by columns (CSC) is turned, and moves into a [`Csc`]. See [the module above](super) for what is copied.
///
/// # Errors
/// [`Error::Unstorable`] if a column does not fit the type of coordinates, [`Error::Invariant`] if the matrix was not
/// made by safe code, and [`Error::TooLarge`] for a size over `2^61`.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::Csr;
/// use sprs::CsMat;
///
/// let a: CsMat<f64> = CsMat::new((2, 3), vec![0, 1, 3], vec![2, 0, 1], vec![1.5, 2.5, 3.5]);
/// let values = a.data().as_ptr();
/// let a: Csr<f64, usize> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 1.5, 2.5, 3.5, 0.0]);
/// let a: CsMat<f64> = a.try_into()?;
/// assert_eq!(a.data().as_ptr(), values);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T, Ix, I, P> TryFrom<CsMatI<T, I, P>> for Csr<T, Ix>
where
    T: Value,
    Ix: Index,
    I: SpIndex + 'static,
    P: SpIndex + 'static,
{
    type Error = Error;

    fn try_from(a: CsMatI<T, I, P>) -> Result<Self, Error> {
        let (by_rows, (rows, cols)) = (a.is_csr(), a.shape());
        // Offsets of a part of another matrix may begin above 0.
        let proper = (!a.indptr().is_proper()).then(|| a.proper_indptr().into_owned());
        let (pos, crd, val) = a.into_raw_storage();
        let pos = proper.unwrap_or(pos);
        if by_rows {
            let stored = Rows { shape: [rows, cols], pos, crd, val };
            return stored.tensor(SpIndex::try_index, SpIndex::try_index);
        }
        let stored = Rows { shape: [cols, rows], pos, crd, val };
        let turned: Csr<T, usize> = stored.tensor(SpIndex::try_index, SpIndex::try_index)?;
        turned.permute([1, 0])
    }
}

/// A matrix by columns moves; one by rows (CSR) is turned.
///
/// # Errors
/// As for [`Csr`].
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::Csc;
/// use sprs::CsMat;
///
/// let a: CsMat<f64> = CsMat::new_csc((2, 3), vec![0, 1, 1, 2], vec![1, 0], vec![1.5, 2.5]);
/// let values = a.data().as_ptr();
/// let a: Csc<f64, usize> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 2.5, 1.5, 0.0, 0.0]);
/// let a: CsMat<f64> = a.try_into()?;
/// assert_eq!((a.is_csc(), a.data().as_ptr()), (true, values));
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T, Ix, I, P> TryFrom<CsMatI<T, I, P>> for Csc<T, Ix>
where
    T: Value,
    Ix: Index,
    I: SpIndex + 'static,
    P: SpIndex + 'static,
{
    type Error = Error;

    fn try_from(a: CsMatI<T, I, P>) -> Result<Self, Error> {
        Csr::try_from(a.transpose_into()).map(Csc::from_transposed).map_err(Error::turned)
    }
}

/// The matrix by columns, of any types of indices.
///
/// # Errors
/// [`Error::Unstorable`] if coordinates, offsets or sizes do not fit the types of indices.
impl<T, Ix, I, P> TryFrom<Csc<T, Ix>> for CsMatI<T, I, P>
where
    T: Value,
    Ix: Index,
    I: SpIndex + 'static,
    P: SpIndex + 'static,
{
    type Error = Error;

    fn try_from(a: Csc<T, Ix>) -> Result<Self, Error> {
        CsMatI::try_from(a.into_transposed()).map(CsMatI::transpose_into).map_err(Error::turned)
    }
}

/// The matrix by rows, of any types of indices. `CsMat::transpose_into` makes columns of rows.
///
/// # Errors
/// [`Error::Unstorable`] if coordinates, offsets or sizes do not fit the types of indices.
impl<T, Ix, I, P> TryFrom<Csr<T, Ix>> for CsMatI<T, I, P>
where
    T: Value,
    Ix: Index,
    I: SpIndex + 'static,
    P: SpIndex + 'static,
{
    type Error = Error;

    fn try_from(a: Csr<T, Ix>) -> Result<Self, Error> {
        let rows = Rows::of(a).renumbered("CsMat", P::try_from_usize, I::try_from_usize)?;
        let Rows { shape: [m, n], pos, crd, val } = rows;
        CsMatI::try_new((m, n), pos, crd, val).map_err(|(_, _, _, reason)| Error::Unstorable {
            level: "CsMat",
            shape: vec![m, n],
            reason: reason.to_string(),
        })
    }
}

/// # Errors
/// As for matrices.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::SparseVec;
/// use sprs::CsVec;
///
/// let x = SparseVec::<f64>::try_from(CsVec::new(4, vec![1, 3], vec![1.5, 2.5]))?;
/// assert_eq!(x.to_dense(), [0.0, 1.5, 0.0, 2.5]);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index, I: SpIndex + 'static> TryFrom<CsVecI<T, I>> for SparseVec<T, Ix> {
    type Error = Error;

    fn try_from(x: CsVecI<T, I>) -> Result<Self, Error> {
        let len = x.dim();
        let (crd, val) = x.into_raw_storage();
        let crd = coordinates::<Ix, I>(crd, &[len], SpIndex::try_index)?;
        Tensor::from_parts(SparseList::new(len, vec![0, crd.len()], crd, Element::new(val)))
    }
}

/// # Errors
/// [`Error::Unstorable`] if coordinates or the size do not fit the type of indices.
impl<T: Value, Ix: Index, I: SpIndex + 'static> TryFrom<SparseVec<T, Ix>> for CsVecI<T, I> {
    type Error = Error;

    fn try_from(x: SparseVec<T, Ix>) -> Result<Self, Error> {
        let (len, crd, val) = vector(x);
        let unfit = |reason| Error::Unstorable { level: "CsVec", shape: vec![len], reason };
        let crd = numbers(crd, |c| I::try_from_usize(c.to_i64() as usize))
            .map_err(|c: Ix| unfit(format!("coordinate {c:?} does not fit its type of indices")))?;
        CsVecI::try_new(len, crd, val).map_err(|(_, _, reason)| unfit(reason.to_string()))
    }
}
