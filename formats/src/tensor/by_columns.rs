//! Tensors that are stored the other way round, the last dimension outermost: matrices by columns.

use super::display::Shown;
use super::{volume, Duplicates, Entries, Fault, Others, Tensor};
use crate::error::Error;
use crate::level::Level;
use std::fmt;

/// A tensor whose levels have its dimensions the other way round: the outermost level is the last dimension. A matrix is
/// stored by columns.
///
/// ```text
///     0  1  2
///  0  a  .  b      ByColumns<Dense<SparseList<Element<_>>>>, which is Csc<_>:
///  1  .  c  d      pos = [0, 1, 2, 4]   crd = [0, 1, 0, 1]   val = [a, c, b, d]
/// ```
///
/// Kernels take it where they take a [`Tensor`], with indices as in mathematics: `a[i, j]` is row `i`, column `j`. Loops go
/// along columns then, and where they are left out the compiler orders them so. Sizes, coordinates and what messages say of
/// dimensions are those of the tensor, not of its levels.
///
/// What it stores is a [`Tensor`] of the same levels, the transposed one, which comes and goes at no cost:
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::{Csc, Csr, Sum, Tensor};
///
/// let a: Csc<f64> = Csc::from_triplets([2, 3], [([0, 2], 1.5), ([1, 0], 2.5)], Sum)?;
/// assert_eq!((a.shape(), a.get([1, 0])), (vec![2, 3], Some(2.5)));
/// let by_rows: Csr<f64> = a.to_tensor()?;
/// assert_eq!(by_rows.to_dense(), [0.0, 0.0, 1.5, 2.5, 0.0, 0.0]);
/// let transposed: Csr<f64> = a.into_transposed();
/// assert_eq!(transposed.shape(), [3, 2]);
/// # Ok::<(), looplets::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[repr(transparent)]
pub struct ByColumns<L: Level> {
    transposed: Tensor<L>,
}

impl<L: Level> ByColumns<L> {
    /// The tensor whose transposed one this is: element `(i, j)` of the one is `(j, i)` of the other. Constant.
    pub fn from_transposed(transposed: Tensor<L>) -> Self {
        ByColumns { transposed }
    }

    /// The same of what may be an error, which is told as one of this tensor.
    pub(crate) fn of_transposed(made: Result<Tensor<L>, Error>) -> Result<Self, Error> {
        made.map(Self::from_transposed).map_err(Error::turned)
    }

    /// The transposed tensor, as it is stored. Constant.
    pub fn transposed(&self) -> &Tensor<L> {
        &self.transposed
    }

    /// The transposed tensor, as it is stored, to write. Constant.
    pub fn transposed_mut(&mut self) -> &mut Tensor<L> {
        &mut self.transposed
    }

    /// The transposed tensor. Constant: no array is copied.
    pub fn into_transposed(self) -> Tensor<L> {
        self.transposed
    }

    /// The tensor of `shape` in which every entry is fill.
    ///
    /// # Errors
    /// As for [`Tensor::new`].
    pub fn new(shape: impl AsRef<[usize]>) -> Result<Self, Error> {
        Self::of_transposed(Tensor::new(reversed(shape.as_ref())))
    }

    /// The tensor of `shape` with these entries, in any order. As [`Tensor::from_triplets`], in time too.
    ///
    /// # Errors
    /// As for [`Tensor::from_triplets`].
    pub fn from_triplets<C: AsRef<[usize]>>(
        shape: impl AsRef<[usize]>,
        triplets: impl IntoIterator<Item = (C, L::Value)>,
        duplicates: impl Duplicates<L::Value>,
    ) -> Result<Self, Error> {
        let shape = shape.as_ref();
        super::rank::<L>(shape.len())?;
        let mut entries = Entries::new(shape);
        for (coords, value) in triplets {
            entries.push(coords.as_ref(), value)?;
        }
        let made = Tensor::from_entries(entries.turned(), duplicates, Others::Follow);
        Self::of_transposed(made.map_err(Fault::told))
    }

    /// The tensor of `shape` with all these values, row-major as for [`Tensor::from_dense`]: entry `(i, j)` of shape `m x n` is
    /// at `i * n + j`.
    ///
    /// # Errors
    /// As for [`Tensor::from_dense`].
    pub fn from_dense(shape: impl AsRef<[usize]>, values: &[L::Value]) -> Result<Self, Error> {
        let shape = shape.as_ref();
        super::rank::<L>(shape.len())?;
        if volume(shape)? != values.len() {
            return Err(Error::Length { shape: shape.to_vec(), found: values.len() });
        }
        let strides = strides(shape);
        let mut all = Vec::with_capacity(values.len());
        let mut coords = vec![0; shape.len()];
        for _ in 0..values.len() {
            let at: usize = coords.iter().zip(&strides).map(|(c, stride)| c * stride).sum();
            all.push(values[at].clone());
            // The first dimension is the innermost.
            for (c, &n) in coords.iter_mut().zip(shape) {
                *c += 1;
                if *c < n {
                    break;
                }
                *c = 0;
            }
        }
        Self::of_transposed(Tensor::from_dense(reversed(shape), &all))
    }

    /// The same tensor, which any other stores by rows. Linear in what is stored; see [`Tensor::permute`].
    ///
    /// # Errors
    /// As for [`Tensor::permute`].
    pub fn from_tensor<M>(tensor: &Tensor<M>) -> Result<Self, Error>
    where
        M: Level<Value = L::Value>,
    {
        super::rank::<L>(M::RANK)?;
        tensor.permute(backwards(M::RANK)).map(Self::from_transposed)
    }

    /// The same tensor stored by rows, in any format. Linear in what is stored; see [`Tensor::permute`].
    ///
    /// # Errors
    /// As for [`Tensor::permute`].
    pub fn to_tensor<M>(&self) -> Result<Tensor<M>, Error>
    where
        M: Level<Value = L::Value>,
    {
        super::rank::<M>(L::RANK)?;
        self.transposed.permute(backwards(L::RANK))
    }

    /// The size of each dimension, first the number of rows.
    pub fn shape(&self) -> Vec<usize> {
        reversed(&self.transposed.shape())
    }

    /// The number of values that are stored, as [`Tensor::stored`] counts them.
    pub fn stored(&self) -> usize {
        self.transposed.stored()
    }

    /// The value of what is not stored.
    pub fn fill() -> L::Value {
        Tensor::<L>::fill()
    }

    /// The stored values in the order in which they are stored, by columns, if they are in one array.
    pub fn values(&self) -> Option<&[L::Value]> {
        self.transposed.values()
    }

    /// The same, to write.
    pub fn values_mut(&mut self) -> Option<&mut [L::Value]> {
        self.transposed.values_mut()
    }

    /// All values, row-major: entry `(i, j)` of shape `m x n` is at `i * n + j`.
    ///
    /// Linear in the number of elements of the shape.
    ///
    /// # Panics
    /// Where [`ByColumns::try_to_dense`] gives an error.
    pub fn to_dense(&self) -> Vec<L::Value> {
        self.try_to_dense().unwrap_or_else(|error| panic!("{error}"))
    }

    /// All values, row-major.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if so many values cannot be allocated.
    pub fn try_to_dense(&self) -> Result<Vec<L::Value>, Error> {
        let shape = self.shape();
        let mut all = Vec::new();
        if crate::level::grow(&mut all, volume(&shape)?, L::fill()).is_err() {
            return Err(Error::TooLarge { shape });
        }
        let strides = strides(&shape);
        self.for_each(|coords, value| {
            let at: usize = coords.iter().zip(&strides).map(|(c, stride)| c * stride).sum();
            all[at] = value.clone();
        });
        Ok(all)
    }

    /// Calls `f` with the coordinates and the value of each stored entry, column by column.
    pub fn for_each(&self, mut f: impl FnMut(&[usize], &L::Value)) {
        let mut at = Vec::with_capacity(L::RANK);
        self.transposed.for_each(|coords, value| {
            at.clear();
            at.extend(coords.iter().rev());
            f(&at, value);
        });
    }

    /// The stored entries, column by column.
    pub fn triplets(&self) -> Vec<(Vec<usize>, L::Value)> {
        let mut all = self.transposed.triplets();
        all.iter_mut().for_each(|(coords, _)| coords.reverse());
        all
    }

    /// The value at `coords`, stored or fill; `None` if they are outside the shape or not as many as it has dimensions. In the
    /// time of [`Tensor::get`].
    pub fn get(&self, coords: impl AsRef<[usize]>) -> Option<L::Value> {
        self.transposed.get(reversed(coords.as_ref()))
    }
}

impl<L: Level> fmt::Debug for ByColumns<L>
where
    L::Value: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByColumns")
            .field("format", &format_args!("{}", super::format_name::<L>()))
            .field("shape", &self.shape())
            .field("stored", &self.triplets())
            .finish()
    }
}

/// As [`Tensor`] is shown.
impl<L: Level> fmt::Display for ByColumns<L>
where
    L::Value: fmt::Display,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("ByColumns<{}>", super::format_name::<L>());
        let each = &|f: &mut dyn FnMut(&[usize], &L::Value)| self.for_each(f);
        Shown { shape: self.shape(), name, stored: self.stored(), fill: L::fill(), each }.fmt(f)
    }
}

fn reversed(all: &[usize]) -> Vec<usize> {
    all.iter().rev().copied().collect()
}

/// The dimensions of a tensor from the last to the first.
fn backwards(rank: usize) -> Vec<usize> {
    (0..rank).rev().collect()
}

/// How far the neighbours of each dimension are apart, row-major.
fn strides(shape: &[usize]) -> Vec<usize> {
    let mut all = vec![1usize; shape.len()];
    for d in (1..shape.len()).rev() {
        all[d - 1] = all[d].saturating_mul(shape[d]);
    }
    all
}
