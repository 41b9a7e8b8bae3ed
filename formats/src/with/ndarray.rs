//! The arrays of ndarray, of one to six dimensions: tensors all of whose levels are dense. Other formats are a
//! [`convert`](crate::Tensor::convert) away.
//!
//! ```
//! # use looplets_formats as looplets;
//! use looplets::{Csr, DenseMat};
//! use ndarray::{array, Array2, ArrayView2};
//!
//! let a = array![[1.0, 0.0], [3.0, 4.0]];
//! let values = a.as_ptr();
//! let a: DenseMat<f64> = a.into();
//! assert_eq!(a.to_dense(), [1.0, 0.0, 3.0, 4.0]);
//! let sparse: Csr<f64> = a.convert()?;
//! assert_eq!(sparse.stored(), 3);
//! assert_eq!(ArrayView2::try_from(&a)?[[1, 0]], 3.0);
//! // Nothing was copied all the way.
//! assert_eq!(Array2::try_from(a)?.as_ptr(), values);
//! # Ok::<(), looplets::Error>(())
//! ```

use crate::error::Error;
use crate::{Dense, Element, Fill, Tensor};
use ::ndarray::{Array, ArrayD, ArrayView, ArrayViewMut, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6};

/// All elements, in the order of rows: the vector of the array if they lie so.
fn elements<T: Clone, D: Dimension>(array: Array<T, D>) -> Vec<T> {
    if !array.is_standard_layout() {
        // In the order of their coordinates.
        return array.iter().cloned().collect();
    }
    let count = array.len();
    let (mut values, start) = array.into_raw_vec_and_offset();
    let start = start.filter(|_| count > 0).unwrap_or(0);
    values.truncate(start + count);
    values.drain(..start);
    values
}

/// Levels of these sizes, with the leaf.
macro_rules! levels {
    ($leaf:expr;) => { $leaf };
    ($leaf:expr; $size:ident $($rest:ident)*) => { Dense::new($size, levels!($leaf; $($rest)*)) };
    (type $leaf:ty;) => { $leaf };
    (type $leaf:ty; $size:ident $($rest:ident)*) => { Dense<levels!(type $leaf; $($rest)*)> };
}

/// What leads down to the leaf.
macro_rules! leaf {
    ($level:expr;) => { $level };
    ($level:expr; $size:ident $($rest:ident)*) => { leaf!($level.child(); $($rest)*) };
}

macro_rules! arrays {
    ($($dim:ident: $($size:ident)*;)*) => {$(
        /// The vector of the array moves if its elements lie in the order of rows (`is_standard_layout`); otherwise
        /// they are copied.
        ///
        /// # Panics
        /// For a size over `2^61`, which an array without elements may have.
        impl<T, F> From<Array<T, $dim>> for Tensor<levels!(type Element<T, F>; $($size)*)>
        where
            T: Clone + PartialEq + 'static,
            F: Fill<T>,
        {
            #[track_caller]
            fn from(array: Array<T, $dim>) -> Self {
                let shape = array.shape().to_vec();
                let [$($size),*] = shape[..] else { unreachable!("it has so many dimensions") };
                let values = Element::new(elements(array));
                Tensor::from_parts(levels!(values; $($size)*)).unwrap_or_else(|error| panic!("{error}"))
            }
        }

        /// As of an array with a fixed number of dimensions.
        ///
        /// # Errors
        /// [`Error::Rank`] if it has another number of dimensions.
        impl<T, F> TryFrom<ArrayD<T>> for Tensor<levels!(type Element<T, F>; $($size)*)>
        where
            T: Clone + PartialEq + 'static,
            F: Fill<T>,
        {
            type Error = Error;

            fn try_from(array: ArrayD<T>) -> Result<Self, Error> {
                let (found, expected) = (array.ndim(), [$(stringify!($size)),*].len());
                let array = array.into_dimensionality::<$dim>();
                array.map(Tensor::from).map_err(|_| Error::Rank { expected, found })
            }
        }

        /// The values move.
        ///
        /// # Errors
        /// [`Error::TooLarge`] if the product of all sizes but 0 is over `isize::MAX`, as may be where there are no
        /// elements.
        impl<T, F> TryFrom<Tensor<levels!(type Element<T, F>; $($size)*)>> for Array<T, $dim>
        where
            T: Clone + PartialEq + 'static,
            F: Fill<T>,
        {
            type Error = Error;

            fn try_from(a: Tensor<levels!(type Element<T, F>; $($size)*)>) -> Result<Self, Error> {
                let shape = a.shape();
                let level = a.into_root();
                $(let ($size, level) = level.into_parts();)*
                Array::from_shape_vec(($($size,)*), level.into_parts().0)
                    .map_err(|_| Error::TooLarge { shape })
            }
        }

        /// The same values: nothing is copied.
        ///
        /// # Errors
        /// As of a tensor by value.
        impl<'a, T, F> TryFrom<&'a Tensor<levels!(type Element<T, F>; $($size)*)>> for ArrayView<'a, T, $dim>
        where
            T: Clone + PartialEq + 'static,
            F: Fill<T>,
        {
            type Error = Error;

            fn try_from(a: &'a Tensor<levels!(type Element<T, F>; $($size)*)>) -> Result<Self, Error> {
                let shape = a.shape();
                let [$($size),*] = shape[..] else { unreachable!("it has so many dimensions") };
                let values = leaf!(a.root(); $($size)*).val();
                ArrayView::from_shape(($($size,)*), values).map_err(|_| Error::TooLarge { shape })
            }
        }

        /// The same values, to be changed: nothing is copied.
        ///
        /// # Errors
        /// As of a tensor by value.
        impl<'a, T, F> TryFrom<&'a mut Tensor<levels!(type Element<T, F>; $($size)*)>>
            for ArrayViewMut<'a, T, $dim>
        where
            T: Clone + PartialEq + 'static,
            F: Fill<T>,
        {
            type Error = Error;

            fn try_from(a: &'a mut Tensor<levels!(type Element<T, F>; $($size)*)>) -> Result<Self, Error> {
                let shape = a.shape();
                let [$($size),*] = shape[..] else { unreachable!("it has so many dimensions") };
                let values = a.values_mut().unwrap_or_default();
                ArrayViewMut::from_shape(($($size,)*), values).map_err(|_| Error::TooLarge { shape })
            }
        }
    )*};
}

arrays! {
    Ix1: m;
    Ix2: m n;
    Ix3: m n o;
    Ix4: m n o p;
    Ix5: m n o p q;
    Ix6: m n o p q r;
}
