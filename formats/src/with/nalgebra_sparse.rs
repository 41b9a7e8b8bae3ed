//! The matrices of nalgebra-sparse: `CsrMatrix`, `CscMatrix` and `CooMatrix`, whose indices are `usize`.

use super::compressed::{coordinates, numbers, Rows};
use crate::error::Error;
use crate::{Accumulate, Coo, Coo2, Csc, Csr, Element, Index, Singleton, Sum, Tensor, Value};
use ::nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};

/// The arrays move; columns are converted unless they are `usize` in the tensor.
///
/// # Errors
/// [`Error::Unstorable`] if a column does not fit the type of coordinates, and [`Error::TooLarge`] for a size over
/// `2^61`.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::Csr;
/// use nalgebra_sparse::CsrMatrix;
///
/// let a = CsrMatrix::try_from_csr_data(2, 3, vec![0, 1, 3], vec![2, 0, 1], vec![1.5, 2.5, 3.5]).unwrap();
/// let values = a.values().as_ptr();
/// let a: Csr<f64> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 1.5, 2.5, 3.5, 0.0]);
/// let a = CsrMatrix::from(a);
/// assert_eq!(a.values().as_ptr(), values);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index> TryFrom<CsrMatrix<T>> for Csr<T, Ix> {
    type Error = Error;

    fn try_from(a: CsrMatrix<T>) -> Result<Self, Error> {
        let shape = [a.nrows(), a.ncols()];
        let (pos, crd, val) = a.disassemble();
        Rows { shape, pos, crd, val }.tensor(Some, Some)
    }
}

impl<T: Value, Ix: Index> From<Csr<T, Ix>> for CsrMatrix<T> {
    fn from(a: Csr<T, Ix>) -> Self {
        let Rows { shape: [rows, cols], pos, crd, val } = Rows::of(a);
        let Ok(crd) = numbers(crd, |c: Ix| Some(c.to_i64() as usize)) else {
            unreachable!("every coordinate is a `usize`")
        };
        let made = CsrMatrix::try_from_csr_data(rows, cols, pos, crd, val);
        made.unwrap_or_else(|_| unreachable!("both have the same invariant"))
    }
}

/// The matrix is turned, in linear time; it moves into a [`Csc`].
///
/// # Errors
/// As for matrices by rows.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::Csr;
/// use nalgebra_sparse::CscMatrix;
///
/// let a = CscMatrix::try_from_csc_data(2, 2, vec![0, 1, 2], vec![1, 1], vec![1.5, 2.5]).unwrap();
/// let turned: Csr<f64> = a.clone().try_into()?;
/// assert_eq!(turned.to_dense(), [0.0, 0.0, 1.5, 2.5]);
/// let columns: Csr<f64> = a.transpose_as_csr().try_into()?;
/// assert_eq!(columns.to_dense(), [0.0, 1.5, 0.0, 2.5]);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index> TryFrom<CscMatrix<T>> for Csr<T, Ix> {
    type Error = Error;

    fn try_from(a: CscMatrix<T>) -> Result<Self, Error> {
        Csr::<T, usize>::try_from(a.transpose_as_csr())?.permute([1, 0])
    }
}

/// The arrays move; rows are converted unless they are `usize` in the tensor.
///
/// # Errors
/// As for matrices by rows.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::Csc;
/// use nalgebra_sparse::CscMatrix;
///
/// let a = CscMatrix::try_from_csc_data(2, 3, vec![0, 1, 1, 2], vec![1, 0], vec![1.5, 2.5]).unwrap();
/// let values = a.values().as_ptr();
/// let a: Csc<f64> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 0.0, 2.5, 1.5, 0.0, 0.0]);
/// let a = CscMatrix::from(a);
/// assert_eq!(a.values().as_ptr(), values);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value, Ix: Index> TryFrom<CscMatrix<T>> for Csc<T, Ix> {
    type Error = Error;

    fn try_from(a: CscMatrix<T>) -> Result<Self, Error> {
        Csr::try_from(a.transpose_as_csr()).map(Csc::from_transposed).map_err(Error::turned)
    }
}

impl<T: Value, Ix: Index> From<Csc<T, Ix>> for CscMatrix<T> {
    fn from(a: Csc<T, Ix>) -> Self {
        CsrMatrix::from(a.into_transposed()).transpose_as_csc()
    }
}

/// The matrix is turned. `CsrMatrix::from(a).transpose_as_csc()` takes the rows of `a` for columns, without a copy.
///
/// # Errors
/// [`Error::Unstorable`] if there is no memory for it.
impl<T: Value, Ix: Index> TryFrom<Csr<T, Ix>> for CscMatrix<T> {
    type Error = Error;

    fn try_from(a: Csr<T, Ix>) -> Result<Self, Error> {
        let turned: Csr<T, usize> = a.permute([1, 0])?;
        Ok(CsrMatrix::from(turned).transpose_as_csc())
    }
}

/// The arrays move if entries are in order and none is given twice. Else they are sorted; and those that are given
/// more than once are added, as that crate does.
///
/// # Errors
/// [`Error::Unstorable`] if a coordinate does not fit the type of coordinates, [`Error::Overflow`] if a sum does not fit
/// the type of values, and [`Error::TooLarge`] for a size over `2^61`.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::{Coo2, Csr};
/// use nalgebra_sparse::CooMatrix;
///
/// let mut a = CooMatrix::new(2, 2);
/// a.push(1, 0, 1.5);
/// a.push(0, 1, 2.5);
/// a.push(1, 0, 0.25);
/// let a: Coo2<f64> = a.try_into()?;
/// assert_eq!(a.to_dense(), [0.0, 2.5, 1.75, 0.0]);
/// let rows: Csr<f64> = a.convert()?;
/// # assert_eq!(rows.stored(), 2);
/// # Ok::<(), looplets::Error>(())
/// ```
impl<T: Value + Accumulate, Ix: Index> TryFrom<CooMatrix<T>> for Coo2<T, Ix> {
    type Error = Error;

    fn try_from(a: CooMatrix<T>) -> Result<Self, Error> {
        let shape = [a.nrows(), a.ncols()];
        let (rows, cols, val) = a.disassemble();
        let entries = rows.iter().zip(&cols);
        if !entries.clone().zip(entries.skip(1)).all(|(e, f)| e < f) {
            return Tensor::from_columns(shape, [&rows, &cols], val, Sum);
        }
        let rows = coordinates::<Ix, usize>(rows, &shape, Some)?;
        let cols = coordinates::<Ix, usize>(cols, &shape, Some)?;
        let below = Singleton::new(shape[1], cols, Element::new(val));
        Tensor::from_parts(Coo::new(shape[0], vec![0, rows.len()], rows, below))
    }
}

impl<T: Value, Ix: Index> From<Coo2<T, Ix>> for CooMatrix<T> {
    fn from(a: Coo2<T, Ix>) -> Self {
        let (m, _, rows, below) = a.into_root().into_parts();
        let (n, cols, leaf) = below.into_parts();
        let number = |c: Ix| Some(c.to_i64() as usize);
        let (Ok(rows), Ok(cols)) = (numbers(rows, number), numbers(cols, number)) else {
            unreachable!("every coordinate is a `usize`")
        };
        let made = CooMatrix::try_from_triplets(m, n, rows, cols, leaf.into_parts().0);
        made.unwrap_or_else(|_| unreachable!("coordinates are below the sizes"))
    }
}
