//! An array as it was read, before it has a format: what is asked of it may depend on what it is.

use super::header::Order;
use super::value::{DType, NumpyValue, Values};
use crate::error::Error;
use crate::fill::Zero;
use crate::level::Level;
use crate::levels::{Dense, Element};
use crate::tensor::{ByColumns, Tensor};
use crate::value::Value;
use std::any::{Any, TypeId};
use std::path::PathBuf;

/// An array read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub(crate) file: PathBuf,
    /// Its name in an archive; empty of a file of one array.
    pub(crate) name: String,
    pub(crate) order: Order,
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Values,
}

impl Array {
    /// The size of each dimension.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the values.
    pub fn dtype(&self) -> DType {
        self.values.dtype()
    }

    /// The order of the values in the file.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The values in the order of the file.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The array with its dimensions the other way round: the last one comes first. No value is moved.
    #[must_use]
    pub fn transposed(mut self) -> Self {
        self.shape.reverse();
        self.order = match self.order {
            Order::C => Order::Fortran,
            Order::Fortran => Order::C,
        };
        self
    }

    /// The values as `V`, row-major: the last dimension's neighbours are adjacent.
    ///
    /// They are moved if they are of this type and in this order; otherwise linear in their number.
    ///
    /// # Errors
    /// [`Error::Numpy`] if one of them cannot be a `V` without loss.
    pub fn into_values<V: NumpyValue>(self) -> Result<Vec<V>, Error> {
        let Array { file, name, order, shape, values } = self;
        let refused = |reason| Error::Numpy { file, array: name, reason };
        let values = values.convert().map_err(refused)?;
        Ok(match order {
            Order::C => values,
            Order::Fortran => row_major(values, &shape),
        })
    }

    /// The array as a tensor of as many dimensions. The format stores what differs from its fill, and what it stores anyhow.
    ///
    /// Of dense levels with zero as their fill, up to four of them, the values are those of [`Array::into_values`],
    /// moved.
    ///
    /// # Errors
    /// [`Error::Numpy`] if a value cannot be one of the format's without loss; [`Error::Rank`];
    /// [`Error::TooLarge`] or [`Error::Unstorable`] if the format cannot hold them.
    pub fn into_tensor<L: Level + 'static>(self) -> Result<Tensor<L>, Error>
    where
        L::Value: NumpyValue + Value,
    {
        if self.shape.len() != L::RANK {
            return Err(Error::Rank { expected: L::RANK, found: self.shape.len() });
        }
        let shape = self.shape.clone();
        let values = self.into_values::<L::Value>()?;
        // Types are known when this is compiled, so that one of these is left.
        type Leaf<L> = Element<<L as Level>::Value, Zero>;
        let root = match shape[..] {
            [] => as_level::<L, Leaf<L>, _>(values, Element::new),
            [n] => as_level::<L, Dense<Leaf<L>>, _>(values, |v| Dense::new(n, Element::new(v))),
            [m, n] => as_level::<L, Dense<Dense<Leaf<L>>>, _>(values, |v| {
                Dense::new(m, Dense::new(n, Element::new(v)))
            }),
            [l, m, n] => as_level::<L, Dense<Dense<Dense<Leaf<L>>>>, _>(values, |v| {
                Dense::new(l, Dense::new(m, Dense::new(n, Element::new(v))))
            }),
            [k, l, m, n] => as_level::<L, Dense<Dense<Dense<Dense<Leaf<L>>>>>, _>(values, |v| {
                Dense::new(k, Dense::new(l, Dense::new(m, Dense::new(n, Element::new(v)))))
            }),
            _ => Err(values),
        };
        match root {
            Ok(root) => Tensor::from_parts(root),
            Err(values) => Tensor::from_dense(shape, &values),
        }
    }
}

/// The level that `make` makes of `parts`, if that is an `L`; otherwise the parts.
pub(crate) fn as_level<L: 'static, M: 'static, P>(
    parts: P,
    make: impl FnOnce(P) -> M,
) -> Result<L, P> {
    if TypeId::of::<L>() != TypeId::of::<M>() {
        return Err(parts);
    }
    let mut made = Some(make(parts));
    let made: &mut dyn Any = &mut made;
    let same = made.downcast_mut::<Option<L>>().and_then(Option::take);
    Ok(same.unwrap_or_else(|| unreachable!("the types are the same")))
}

/// `values` of an array of `shape` in which the first dimension's neighbours are adjacent, so that the last one's are.
pub(crate) fn row_major<V: Clone>(values: Vec<V>, shape: &[usize]) -> Vec<V> {
    // At most one dimension has more than one element: both orders are the same.
    if shape.iter().filter(|&&n| n > 1).count() < 2 {
        return values;
    }
    let mut made = Vec::with_capacity(values.len());
    // How far apart neighbours of each dimension are.
    let steps: Vec<usize> = shape
        .iter()
        .scan(1, |step, n| {
            let this = *step;
            *step *= n;
            Some(this)
        })
        .collect();
    let mut at = vec![0; shape.len()];
    let mut from = 0;
    while made.len() < values.len() {
        made.push(values[from].clone());
        for d in (0..shape.len()).rev() {
            at[d] += 1;
            from += steps[d];
            if at[d] < shape[d] {
                break;
            }
            from -= shape[d] * steps[d];
            at[d] = 0;
        }
    }
    made
}

/// What [`super::read()`] can make of a file.
pub trait FromArray: Sized {
    /// Makes it of the array that was read.
    ///
    /// # Errors
    /// If the array cannot be that.
    fn from_array(array: Array) -> Result<Self, Error>;
}

impl FromArray for Array {
    fn from_array(array: Array) -> Result<Self, Error> {
        Ok(array)
    }
}

impl<L: Level + 'static> FromArray for Tensor<L>
where
    L::Value: NumpyValue + Value,
{
    fn from_array(array: Array) -> Result<Self, Error> {
        array.into_tensor()
    }
}

/// Of an array in Fortran order and dense levels the values are moved.
impl<L: Level + 'static> FromArray for ByColumns<L>
where
    L::Value: NumpyValue + Value,
{
    fn from_array(array: Array) -> Result<Self, Error> {
        Self::of_transposed(array.transposed().into_tensor())
    }
}
