//! Tensors of the same entries at other coordinates. What is stored is moved, and sorted where that breaks its
//! order; what a format does with it is up to the same construction that conversion uses.

use super::{Entries, Others, Tensor};
use crate::error::{Coords, Error, Shape};
use crate::level::Level;
use crate::value::{identical, shown};

impl<L: Level> Tensor<L> {
    /// The tensor with its dimensions in another order: dimension `d` of the result is dimension `axes[d]`
    /// of this one. `[1, 0]` transposes a matrix.
    ///
    /// Values and stored fills are kept as [`Tensor::convert`] keeps them. Linear in what is stored, and a
    /// stable sort by counting, one pass for each dimension up to the last that moves to the front; `n log n`
    /// if sizes are more than a small multiple of the number of entries; no sort if the order of dimensions is
    /// that of `axes`. Runs stay runs if the last dimension stays last, and otherwise are taken apart into
    /// their elements.
    ///
    /// # Errors
    /// [`Error::Operator`] if `axes` does not name each dimension once, for a result of another number of
    /// dimensions than its format, or of another fill; [`Error::TooLarge`], and [`Error::Unstorable`] if the
    /// format cannot hold the result.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, Dcsr, Tensor};
    ///
    /// let a: Csr<f64> = Tensor::from_dense([2, 3], &[1., 0., 2., 0., 0., 3.])?;
    /// let t: Dcsr<f64> = a.permute([1, 0])?;
    /// assert_eq!((t.shape(), t.to_dense()), (vec![3, 2], vec![1., 0., 0., 0., 2., 3.]));
    /// let refused: Result<Csr<f64>, _> = a.permute([1, 1]);
    /// assert_eq!(
    ///     refused.unwrap_err().to_string(),
    ///     "`permute` of 2x3 to (1, 1): dimension 1 is given twice"
    /// );
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn permute<M>(&self, axes: impl AsRef<[usize]>) -> Result<Tensor<M>, Error>
    where
        M: Level<Value = L::Value>,
    {
        let (shape, axes) = (self.shape(), axes.as_ref());
        let operator = format!("`permute` of {} to {}", Shape(&shape), Coords(axes));
        if axes.len() != shape.len() {
            let (found, rank) = (dimensions(axes.len()), shape.len());
            return Err(refused(operator, format!("{found} given for {rank}")));
        }
        for (d, &axis) in axes.iter().enumerate() {
            if axis >= shape.len() {
                return Err(refused(operator, format!("there is no dimension {axis}")));
            }
            if axes[..d].contains(&axis) {
                return Err(refused(operator, format!("dimension {axis} is given twice")));
            }
        }
        result_of::<M>(&operator, axes.len())?;
        fill_of::<M>(&operator, "the tensor", &L::fill())?;
        let to: Vec<usize> = axes.iter().map(|&axis| shape[axis]).collect();
        let mut entries = Entries::new(&to);
        let mut coords = vec![0; to.len()];
        // Where the dimension of runs is in the result.
        let along = axes.iter().position(|axis| axis + 1 == axes.len());
        self.give(&mut entries, |entries, from, stop, value| {
            coords.iter_mut().zip(axes).for_each(|(c, &axis)| *c = from[axis]);
            match along {
                Some(d) if d + 1 < axes.len() => entries.push_each(&mut coords, d, stop, value),
                _ => {
                    entries.push_run(&coords, stop, value.clone());
                    Ok(())
                }
            }
        })?;
        // Dimensions that come in the order they had are sorted among each other.
        let ascending = axes.windows(2).rev().take_while(|pair| pair[0] < pair[1]).count();
        let leading = axes.len().saturating_sub(ascending + 1);
        Tensor::from_sorted(&entries.in_order(leading), Others::Fill)
    }

    /// The same elements in the same row-major order, as a tensor of `shape`.
    ///
    /// Values and stored fills are kept as [`Tensor::convert`] keeps them. Linear in what is stored, never
    /// sorted: the order of entries is the same. Runs stay runs, parted where they reach over an end of
    /// the new last dimension. Elements are counted in 128 bits, so that neither shape needs to be one that
    /// could be dense.
    ///
    /// # Errors
    /// [`Error::Operator`] if the shapes have not as many elements, for a result of another number of
    /// dimensions than its format, or of another fill; [`Error::TooLarge`], and [`Error::Unstorable`] if the
    /// format cannot hold the result.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, SparseVec, Tensor};
    ///
    /// let a: Csr<f64> = Tensor::from_dense([2, 3], &[1., 0., 2., 0., 0., 3.])?;
    /// let x: SparseVec<f64> = a.reshape([6])?;
    /// assert_eq!(x.triplets(), [(vec![0], 1.), (vec![2], 2.), (vec![5], 3.)]);
    /// let b: Csr<f64> = x.reshape([3, 2])?;
    /// assert_eq!(b.to_dense(), a.to_dense());
    /// let refused: Result<SparseVec<f64>, _> = a.reshape([7]);
    /// assert_eq!(refused.unwrap_err().to_string(), "`reshape` of 2x3 to 7: 6 elements cannot be 7");
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn reshape<M>(&self, shape: impl AsRef<[usize]>) -> Result<Tensor<M>, Error>
    where
        M: Level<Value = L::Value>,
    {
        let (from, to) = (self.shape(), shape.as_ref());
        let operator = format!("`reshape` of {} to {}", Shape(&from), Shape(to));
        result_of::<M>(&operator, to.len())?;
        let [Some(had), Some(has)] = [&from[..], to].map(elements) else {
            return Err(refused(operator, "more elements than 128 bits can count".to_owned()));
        };
        if had != has {
            return Err(refused(operator, format!("{had} elements cannot be {has}")));
        }
        fill_of::<M>(&operator, "the tensor", &L::fill())?;
        let mut entries = Entries::new(to);
        let mut coords = vec![0; to.len()];
        self.give(&mut entries, |entries, first, stop, value| {
            let at = first.iter().zip(&from).fold(0, |at, (&c, &n)| at * n as u128 + c as u128);
            push_at(entries, &mut coords, at, first.last().map_or(1, |c| stop - c), value)
        })?;
        Tensor::from_sorted(&entries, Others::Fill)
    }
}

/// Adds a run of `length` equal entries that begins at place `at` in row-major order: a run in each fiber of the
/// last dimension that it reaches. `coords` is overwritten.
///
/// # Errors
/// [`Error::TooLarge`] if there is no memory for them.
fn push_at<V: Clone>(
    entries: &mut Entries<V>,
    coords: &mut [usize],
    mut at: u128,
    mut length: usize,
    value: &V,
) -> Result<(), Error> {
    let Some(&last) = entries.shape.last() else {
        // The one element that a tensor without dimensions has.
        entries.push_run(coords, 0, value.clone());
        return Ok(());
    };
    if length > 1 {
        let fibers = (at % last as u128 + length as u128).div_ceil(last as u128);
        entries.room(usize::try_from(fibers).unwrap_or(usize::MAX))?;
    }
    while length > 0 {
        unravel(at, &entries.shape, coords);
        let first = coords[coords.len() - 1];
        let piece = length.min(last - first);
        entries.push_run(coords, first + piece, value.clone());
        at += piece as u128;
        length -= piece;
    }
    Ok(())
}

/// The coordinates of the element at place `at` in row-major order of `shape`, which has it.
fn unravel(at: u128, shape: &[usize], coords: &mut [usize]) {
    let places = coords.iter_mut().zip(shape).rev();
    match u64::try_from(at) {
        // Nearly always, and ten times as fast.
        Ok(mut at) => {
            places.for_each(|(c, &n)| (*c, at) = ((at % n as u64) as usize, at / n as u64))
        }
        Err(_) => {
            let mut at = at;
            places.for_each(|(c, &n)| (*c, at) = ((at % n as u128) as usize, at / n as u128));
        }
    }
}

/// The number of elements, if 128 bits hold it.
fn elements(shape: &[usize]) -> Option<u128> {
    // A zero anywhere makes the product zero, however large the others are.
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1u128, |all, &n| all.checked_mul(n as u128))
}

/// What an operator on shapes says of what it does not accept.
pub(super) fn refused(operator: String, reason: String) -> Error {
    Error::Operator { operator, reason }
}

/// Checks that format `M` has as many dimensions as a result.
pub(super) fn result_of<M: Level>(operator: &str, rank: usize) -> Result<(), Error> {
    if rank == M::RANK {
        return Ok(());
    }
    let (rank, name) = (dimensions(rank), super::format_name::<M>());
    let reason = format!("the result has {rank}, and its format `{name}` has {}", M::RANK);
    Err(refused(operator.to_owned(), reason))
}

/// Checks that what format `M` does not store is what an operand does not store.
pub(super) fn fill_of<M: Level>(
    operator: &str,
    operand: &str,
    fill: &M::Value,
) -> Result<(), Error> {
    let own = M::fill();
    if identical(fill, &own) {
        return Ok(());
    }
    let reason = match (shown(fill), shown(&own)) {
        (Some(fill), Some(own)) => {
            format!("the fill of {operand} is {fill}, and that of the result {own}")
        }
        _ => format!("the fill of {operand} is not that of the result"),
    };
    Err(refused(operator.to_owned(), format!("{reason}; `convert` changes fills")))
}

/// So many dimensions, in words.
pub(super) fn dimensions(n: usize) -> String {
    match n {
        1 => "1 dimension".to_owned(),
        n => format!("{n} dimensions"),
    }
}
