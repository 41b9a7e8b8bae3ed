//! Tensors one behind the other: along a dimension that they have, or along a new one.

use super::shapes::{dimensions, fill_of, refused, result_of};
use super::{Entries, Others, Tensor};
use crate::error::{Error, Shape};
use crate::level::Level;

mod source {
    use super::{Entries, Error};

    /// Adds a run to entries.
    pub type Push<'a, V> =
        dyn FnMut(&mut Entries<V>, &[usize], usize, &V) -> Result<(), Error> + 'a;

    /// What is asked of an operand, whatever its format.
    pub trait Source {
        type Value;
        fn shape(&self) -> Vec<usize>;
        fn fill(&self) -> Self::Value;
        fn give(
            &self,
            entries: &mut Entries<Self::Value>,
            push: &mut Push<'_, Self::Value>,
        ) -> Result<(), Error>;
    }
}
use source::{Push, Source};

/// A tensor of any format with values of type `Value`, or a reference to one.
pub trait Operand: Source {}

impl<O: Source + ?Sized> Operand for O {}

impl<L: Level> Source for Tensor<L> {
    type Value = L::Value;
    fn shape(&self) -> Vec<usize> {
        self.shape()
    }
    fn fill(&self) -> L::Value {
        L::fill()
    }
    fn give(
        &self,
        entries: &mut Entries<L::Value>,
        push: &mut Push<'_, L::Value>,
    ) -> Result<(), Error> {
        self.give(entries, push)
    }
}

impl<O: Source + ?Sized> Source for &O {
    type Value = O::Value;
    fn shape(&self) -> Vec<usize> {
        (**self).shape()
    }
    fn fill(&self) -> O::Value {
        (**self).fill()
    }
    fn give(
        &self,
        entries: &mut Entries<O::Value>,
        push: &mut Push<'_, O::Value>,
    ) -> Result<(), Error> {
        (**self).give(entries, push)
    }
}

/// What [`Tensor::concat`] and [`Tensor::stack`] take: a tuple of tensors of any formats, up to eight; or an array,
/// slice or vector of any number of one format. Of tensors or of references to them.
pub trait Operands {
    /// The type of the tensors' values.
    type Value;
    #[doc(hidden)]
    fn operands(&self) -> Vec<&dyn Source<Value = Self::Value>>;
}

macro_rules! operands {
    ($(($first:ident $($name:ident)*))*) => {$(
        impl<$first: Operand, $($name: Operand<Value = $first::Value>),*> Operands for ($first, $($name,)*) {
            type Value = $first::Value;
            fn operands(&self) -> Vec<&dyn Source<Value = Self::Value>> {
                #[allow(non_snake_case)]
                let ($first, $($name,)*) = self;
                vec![$first, $($name),*]
            }
        }
    )*};
}
operands!((A)(A B)(A B C)(A B C D)(A B C D E)(A B C D E F)(A B C D E F G)(A B C D E F G H));

impl<O: Operand> Operands for [O] {
    type Value = O::Value;
    fn operands(&self) -> Vec<&dyn Source<Value = O::Value>> {
        self.iter().map(|operand| operand as &dyn Source<Value = O::Value>).collect()
    }
}

impl<O: Operand, const N: usize> Operands for [O; N] {
    type Value = O::Value;
    fn operands(&self) -> Vec<&dyn Source<Value = O::Value>> {
        self.as_slice().operands()
    }
}

impl<O: Operand> Operands for Vec<O> {
    type Value = O::Value;
    fn operands(&self) -> Vec<&dyn Source<Value = O::Value>> {
        self.as_slice().operands()
    }
}

impl<O: Operands + ?Sized> Operands for &O {
    type Value = O::Value;
    fn operands(&self) -> Vec<&dyn Source<Value = O::Value>> {
        (**self).operands()
    }
}

impl<L: Level> Tensor<L> {
    /// The tensors one behind the other along dimension `axis`: `axis` 0 puts the rows of matrices below
    /// each other (`vstack`), 1 side by side (`hstack`).
    ///
    /// Values and stored fills are kept as [`Tensor::convert`] keeps them. Linear in what the operands store, and
    /// runs stay runs; not sorted along dimension 0. Along others a stable sort by the dimensions before `axis`,
    /// by counting if sizes are within a small multiple of the number of entries.
    ///
    /// # Errors
    /// [`Error::Operator`] if there are no operands, if they have no dimension `axis` or differ in size in another,
    /// for a sum of sizes that no dimension can have, for a result of another number of dimensions than its
    /// format, or of another fill than an operand; and [`Error::Unstorable`] if the format cannot hold the result.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Coo2, Csr, DenseMat, Tensor};
    ///
    /// let a: Csr<f64> = Tensor::from_dense([1, 2], &[1., 0.])?;
    /// let b: Csr<f64> = Tensor::from_dense([2, 2], &[0., 2., 3., 0.])?;
    /// let c: Csr<f64> = Tensor::concat(0, [&a, &b, &a])?;
    /// assert_eq!((c.shape(), c.to_dense()), (vec![4, 2], vec![1., 0., 0., 2., 3., 0., 1., 0.]));
    /// // Of several formats.
    /// let d: DenseMat<f64> = Tensor::from_dense([1, 3], &[7., 8., 9.])?;
    /// let e: Coo2<f64> = Tensor::concat(1, (&a, &d))?;
    /// assert_eq!(e.to_dense(), [1., 0., 7., 8., 9.]);
    /// assert_eq!(
    ///     Csr::<f64>::concat(1, (&a, &b)).unwrap_err().to_string(),
    ///     "`concat` along dimension 1: tensor 1 has shape 2x2, and tensor 0 has 1x2"
    /// );
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn concat(axis: usize, operands: impl Operands<Value = L::Value>) -> Result<Self, Error> {
        let operator = format!("`concat` along dimension {axis}");
        let operands = operands.operands();
        let alike = |shape: &[usize], other: &[usize]| {
            let differs = |d: usize| d != axis && shape[d] != other[d];
            shape.len() == other.len() && !(0..shape.len()).any(differs)
        };
        let mut shape = first_of::<L>(&operator, &operands, alike)?;
        if axis >= shape.len() {
            let reason = format!("the tensors have {}", dimensions(shape.len()));
            return Err(refused(operator, reason));
        }
        let sum: u128 = operands.iter().map(|operand| operand.shape()[axis] as u128).sum();
        shape[axis] = match usize::try_from(sum) {
            Ok(size) if super::addressable(&[size]).is_ok() => size,
            _ => {
                let reason = format!("the sizes come to {sum}, more than a dimension can have");
                return Err(refused(operator, reason));
            }
        };
        result_of::<L>(&operator, shape.len())?;
        let mut entries = Entries::new(&shape);
        let (mut coords, mut before) = (shape.clone(), 0);
        for operand in operands {
            operand.give(&mut entries, &mut |entries, from, stop, value| {
                coords.copy_from_slice(from);
                coords[axis] += before;
                let moved = if axis + 1 == coords.len() { before } else { 0 };
                entries.push_run(&coords, stop + moved, value.clone());
                Ok(())
            })?;
            before += operand.shape()[axis];
        }
        // The entries of each operand ascend, and along `axis` so do the operands.
        Tensor::from_sorted(&entries.in_order(axis), Others::Fill)
    }

    /// The tensors, which have one shape, one behind the other along a new dimension: it is dimension `axis` of
    /// the result, in which coordinate `k` is tensor `k`. `axis` is at most the number of dimensions that the
    /// tensors have.
    ///
    /// Values, stored fills and costs are as for [`Tensor::concat`]. Where the new dimension is the last, runs
    /// are taken apart into their elements.
    ///
    /// # Errors
    /// [`Error::Operator`] if there are no operands, if their shapes differ or have no place for dimension
    /// `axis`, for a result of another number of dimensions than its format, or of another fill than an operand;
    /// [`Error::TooLarge`], and [`Error::Unstorable`] if the format cannot hold the result.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, SparseVec, Tensor};
    ///
    /// let rows = [[1., 0., 2.], [0., 0., 3.]];
    /// let rows: Vec<SparseVec<f64>> =
    ///     rows.iter().map(|row| Tensor::from_dense([3], row)).collect::<Result<_, _>>()?;
    /// let a: Csr<f64> = Tensor::stack(0, &rows)?;
    /// assert_eq!((a.shape(), a.to_dense()), (vec![2, 3], vec![1., 0., 2., 0., 0., 3.]));
    /// let columns: Csr<f64> = Tensor::stack(1, &rows)?;
    /// assert_eq!((columns.shape(), columns.to_dense()), (vec![3, 2], vec![1., 0., 0., 0., 2., 3.]));
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn stack(axis: usize, operands: impl Operands<Value = L::Value>) -> Result<Self, Error> {
        let operator = format!("`stack` along dimension {axis}");
        let operands = operands.operands();
        let mut shape = first_of::<L>(&operator, &operands, |shape, other| shape == other)?;
        if axis > shape.len() {
            let reason = format!("the result has {}", dimensions(shape.len() + 1));
            return Err(refused(operator, reason));
        }
        shape.insert(axis, operands.len());
        result_of::<L>(&operator, shape.len())?;
        let mut entries = Entries::new(&shape);
        let mut coords = shape.clone();
        for (k, operand) in operands.into_iter().enumerate() {
            coords[axis] = k;
            operand.give(&mut entries, &mut |entries, from, stop, value| {
                coords[..axis].copy_from_slice(&from[..axis]);
                coords[axis + 1..].copy_from_slice(&from[axis..]);
                match (axis == from.len(), axis) {
                    (false, _) => entries.push_run(&coords, stop, value.clone()),
                    (true, 0) => entries.push_run(&coords, k + 1, value.clone()),
                    (true, _) => return entries.push_each(&mut coords, axis - 1, stop, value),
                }
                Ok(())
            })?;
        }
        Tensor::from_sorted(&entries.in_order(axis), Others::Fill)
    }
}

/// The shape of the first operand, if all others are `alike` and no fill is another than that of `L`.
fn first_of<L: Level>(
    operator: &str,
    operands: &[&dyn Source<Value = L::Value>],
    alike: impl Fn(&[usize], &[usize]) -> bool,
) -> Result<Vec<usize>, Error> {
    let refused = |reason| refused(operator.to_owned(), reason);
    let Some(first) = operands.first().map(|first| first.shape()) else {
        return Err(refused("no tensors are given".to_owned()));
    };
    for (k, operand) in operands.iter().enumerate() {
        let shape = operand.shape();
        if !alike(&shape, &first) {
            let (shape, first) = (Shape(&shape), Shape(&first));
            let reason = format!("tensor {k} has shape {shape}, and tensor 0 has {first}");
            return Err(refused(reason));
        }
        fill_of::<L>(operator, &format!("tensor {k}"), &operand.fill())?;
    }
    Ok(first)
}
