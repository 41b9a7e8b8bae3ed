//! Coordinates as most programs hold them: an array for each dimension, of whole numbers of any type. And entries in
//! arrays of their own, where [`Tensor::triplets`] has a vector for each.

use super::shapes::refused;
use super::{rank, Duplicates, Entries, Fault, Others, Tensor};
use crate::error::{Error, Shape};
use crate::level::Level;

mod sealed {
    pub trait Sealed {}
}

/// A whole number that a coordinate can be: any primitive integer of up to 64 bits.
pub trait Coordinate: Copy + sealed::Sealed {
    /// The coordinate; `None` if it is below 0, or above what can be addressed.
    fn to_usize(self) -> Option<usize>;
    /// The number for coordinate `i`; `None` if the type has none.
    fn from_usize(i: usize) -> Option<Self>;
    /// The number, to be shown.
    fn to_i128(self) -> i128;
}

macro_rules! coordinate {
    ($($ty:ty)*) => {
        $(impl sealed::Sealed for $ty {}
        impl Coordinate for $ty {
            #[inline]
            fn to_usize(self) -> Option<usize> {
                usize::try_from(self).ok()
            }
            #[inline]
            fn from_usize(i: usize) -> Option<Self> {
                <$ty>::try_from(i).ok()
            }
            fn to_i128(self) -> i128 {
                self as i128
            }
        })*
    };
}
coordinate!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl<L: Level> Tensor<L> {
    /// The tensor of `shape` whose entry `e` has coordinate `columns[d][e]` in dimension `d`, and value `values[e]`:
    /// what other programs call coordinate lists, in any order.
    ///
    /// Coordinates are of any type of whole numbers, the same in all columns. What is said of duplicates, of explicit
    /// fill and of time is as for [`Tensor::from_triplets`].
    ///
    /// # Errors
    /// Those of [`Tensor::from_triplets`], [`Error::Rank`] if there is not a column for each dimension, and
    /// [`Error::Operator`] if one is not as long as `values` or has a number below 0.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, Sum, Tensor};
    ///
    /// let (rows, cols): (Vec<u32>, Vec<u32>) = (vec![1, 0, 1], vec![2, 1, 2]);
    /// let a: Csr<f64> = Tensor::from_columns([2, 3], [&rows, &cols], [0.5, 2.0, 1.0], Sum)?;
    /// assert_eq!(a.to_dense(), [0.0, 2.0, 0.0, 0.0, 0.0, 1.5]);
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn from_columns<C: AsRef<[I]>, I: Coordinate>(
        shape: impl AsRef<[usize]>,
        columns: impl IntoIterator<Item = C>,
        values: impl IntoIterator<Item = L::Value>,
        duplicates: impl Duplicates<L::Value>,
    ) -> Result<Self, Error> {
        let shape = shape.as_ref();
        rank::<L>(shape.len())?;
        let values: Vec<L::Value> = values.into_iter().collect();
        let given: Vec<C> = columns.into_iter().collect();
        rank::<L>(given.len())?;
        let operator = || format!("`from_columns` of {}", Shape(shape));
        let mut columns = Vec::with_capacity(given.len());
        for (d, column) in given.iter().enumerate() {
            let column = column.as_ref();
            if column.len() != values.len() {
                let (found, count) = (column.len(), values.len());
                let reason =
                    format!("dimension {d} has {found} coordinates, and there are {count} values");
                return Err(refused(operator(), reason));
            }
            let whole: Option<Vec<usize>> = column.iter().map(|c| c.to_usize()).collect();
            let Some(whole) = whole else {
                let bad = column.iter().position(|c| c.to_usize().is_none()).unwrap_or(0);
                let reason = format!(
                    "entry {bad} has coordinate {} in dimension {d}",
                    column[bad].to_i128()
                );
                return Err(refused(operator(), reason));
            };
            columns.push(whole);
        }
        for (dimension, (column, &size)) in columns.iter().zip(shape).enumerate() {
            if let Some(e) = column.iter().position(|&c| c >= size) {
                let coords = columns.iter().map(|column| column[e]).collect();
                return Err(Error::Index { coords, dimension, size });
            }
        }
        let entries = Entries::from_columns(shape.to_vec(), columns, values);
        Self::from_entries(entries, duplicates, Others::Follow).map_err(Fault::told)
    }

    /// The stored entries in ascending order of coordinates: a column of coordinates for each dimension, and the
    /// values, as [`Tensor::from_columns`] takes them.
    ///
    /// Linear in what is stored.
    ///
    /// # Errors
    /// [`Error::Operator`] if a coordinate does not fit the type.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, Tensor};
    ///
    /// let a: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 2.0, 0.0, 0.0, 0.0, 1.5])?;
    /// let (columns, values) = a.to_columns::<i32>()?;
    /// assert_eq!((columns, values), (vec![vec![0, 1], vec![1, 2]], vec![2.0, 1.5]));
    /// # Ok::<(), looplets::Error>(())
    /// ```
    #[allow(clippy::type_complexity)]
    pub fn to_columns<I: Coordinate>(&self) -> Result<(Vec<Vec<I>>, Vec<L::Value>), Error> {
        let stored = self.stored();
        let mut columns: Vec<Vec<I>> = (0..L::RANK).map(|_| Vec::with_capacity(stored)).collect();
        let mut values = Vec::with_capacity(stored);
        let mut wrong = None;
        self.for_each(|coords, value| {
            for (d, (column, &c)) in columns.iter_mut().zip(coords).enumerate() {
                match I::from_usize(c) {
                    Some(c) => column.push(c),
                    None => wrong = wrong.or(Some((d, c))),
                }
            }
            values.push(value.clone());
        });
        match wrong {
            None => Ok((columns, values)),
            Some((d, c)) => Err(refused(
                format!("`to_columns` of {}", Shape(&self.shape())),
                format!("coordinate {c} in dimension {d} does not fit the type"),
            )),
        }
    }

    /// The stored entries in ascending order of coordinates, as [`Tensor::from_triplets`] takes them: those of
    /// [`Tensor::triplets`] with an array for the coordinates of each, so that nothing is allocated for an entry.
    /// [`Tensor::for_each`] makes no list at all.
    ///
    /// Linear in what is stored. `N`, which is the number of dimensions, is checked when this is compiled:
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, Tensor};
    ///
    /// let a: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 2.0, 0.0, 0.0, 0.0, 1.5])?;
    /// for ([i, j], value) in a.to_triplets() {
    ///     assert_eq!(a.get([i, j]), Some(value));
    /// }
    /// # Ok::<(), looplets::Error>(())
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use looplets_formats as looplets;
    /// # use looplets::{Csr, Tensor};
    /// let a: Csr<f64> = Tensor::new([2, 3]).unwrap();
    /// for ([i], value) in a.to_triplets() {}
    /// ```
    pub fn to_triplets<const N: usize>(&self) -> Vec<([usize; N], L::Value)> {
        const { assert!(N == L::RANK, "a tensor has as many coordinates as dimensions") }
        let mut all = Vec::with_capacity(self.stored());
        self.for_each(|coords, value| {
            let mut at = [0; N];
            at.copy_from_slice(coords);
            all.push((at, value.clone()));
        });
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Csr, Element, Last, Refuse, SparseVec, Sum};

    #[test]
    fn columns_of_any_integers() {
        fn made<I>(numbers: [i64; 3]) -> Csr<f64>
        where
            I: Coordinate + TryFrom<i64>,
        {
            let column = || numbers.map(|i| I::try_from(i).ok().expect("a small number"));
            Tensor::from_columns([7, 7], [column(), column()], [0.5, -0.0, f64::NAN], Refuse)
                .expect("a matrix")
        }
        let want = made::<usize>([6, 0, 3]);
        assert_eq!(want.values().expect("values")[0].to_bits(), (-0.0f64).to_bits());
        let all = [
            made::<u8>([6, 0, 3]),
            made::<u16>([6, 0, 3]),
            made::<u32>([6, 0, 3]),
            made::<u64>([6, 0, 3]),
            made::<i8>([6, 0, 3]),
            made::<i16>([6, 0, 3]),
            made::<i32>([6, 0, 3]),
            made::<i64>([6, 0, 3]),
            made::<isize>([6, 0, 3]),
        ];
        for a in all {
            assert_eq!(format!("{a:?}"), format!("{want:?}"));
        }
    }

    #[test]
    fn columns_that_make_no_tensor() {
        let matrix = |rows: &[i32], cols: &[i32], values: &[f64]| {
            Csr::<f64>::from_columns([2, 3], [rows, cols], values.iter().copied(), Refuse)
                .map(|_| ())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            matrix(&[0, 1], &[0], &[1.0, 2.0]),
            "`from_columns` of 2x3: dimension 1 has 1 coordinates, and there are 2 values"
        );
        assert_eq!(
            matrix(&[0, -1], &[0, 1], &[1.0, 2.0]),
            "`from_columns` of 2x3: entry 1 has coordinate -1 in dimension 0"
        );
        assert!(matrix(&[0, 1], &[0, 3], &[1.0, 2.0]).contains("entry (1, 3) is outside"));
        assert!(matrix(&[1, 1], &[2, 2], &[1.0, 2.0]).contains("more than once"));
        let one = Csr::<f64>::from_columns([2, 3], [[0u64]], [1.0], Refuse);
        assert_eq!(one.unwrap_err(), Error::Rank { expected: 2, found: 1 });
        let far = SparseVec::<f64, u64>::from_columns([9], [[u64::MAX]], [1.0], Refuse);
        assert!(far.is_err());
    }

    #[test]
    fn columns_and_triplets_round_trip() {
        let a: Csr<f64> = Tensor::from_columns(
            [3, 300],
            [[2, 0, 2, 2], [299, 7, 0, 299]],
            [0.5, 1.5, f64::INFINITY, 2.0],
            Sum,
        )
        .expect("a matrix");
        let (columns, values) = a.to_columns::<u16>().expect("they fit");
        assert_eq!(columns, [[0, 2, 2], [7, 0, 299]]);
        let b = Csr::from_columns([3, 300], &columns, values, Refuse).expect("a matrix");
        assert_eq!(a, b);
        let c = Csr::from_triplets([3, 300], a.to_triplets::<2>(), Refuse).expect("a matrix");
        assert_eq!(a, c);
        let unfit = a.to_columns::<i8>().unwrap_err().to_string();
        assert!(unfit.contains("coordinate 299 in dimension 1 does not fit"), "{unfit}");
        let none = Csr::<f64>::from_columns([0, 3], [Vec::<u32>::new(), vec![]], [], Last);
        assert_eq!(none.expect("a matrix").to_triplets::<2>(), []);
        let scalar = Tensor::<Element<f64>>::from_columns([], [[0u8; 0]; 0], [2.5], Refuse);
        assert_eq!(scalar.expect("a scalar").to_triplets::<0>(), [([], 2.5)]);
    }
}
