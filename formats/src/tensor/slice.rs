//! Parts of tensors: a range and a step for each dimension.

use super::shapes::{dimensions, fill_of, refused, result_of};
use super::{Entries, Others, Tensor};
use crate::error::{Error, Shape};
use crate::level::Level;
use std::fmt;
use std::ops::{Bound, Range, RangeBounds};

/// Coordinates of a dimension, for [`Tensor::slice`]: those of a range, every so many of them, forwards or
/// backwards.
///
/// Any range of `usize` is one with step 1: `2..7`, `..=3`, `4..`, `..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    start: Bound<usize>,
    end: Bound<usize>,
    step: isize,
}

impl Span {
    /// Every `step`th coordinate of `range`. A step below 0 goes from the end of the range to its start, as
    /// `range.rev().step_by(-step)` does: `Span::new(.., -1)` is all coordinates in reverse, and
    /// `Span::new(1..6, -2)` is 5, 3, 1.
    pub fn new(range: impl RangeBounds<usize>, step: isize) -> Self {
        Span { start: range.start_bound().cloned(), end: range.end_bound().cloned(), step }
    }

    /// The coordinates of a dimension of size `size`.
    ///
    /// # Errors
    /// The reason, if the range is not inside.
    fn part(self, size: usize) -> Result<Part, String> {
        let start = match self.start {
            Bound::Included(start) => Some(start),
            Bound::Excluded(before) => before.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match self.end {
            Bound::Included(last) => last.checked_add(1),
            Bound::Excluded(end) => Some(end),
            Bound::Unbounded => Some(size),
        };
        let range = match (start, end) {
            (Some(start), Some(end)) if start <= end && end <= size => start..end,
            _ => return Err(format!("{self} is no part of a dimension of size {size}")),
        };
        let step = self.step.unsigned_abs();
        if step == 0 {
            return Err(format!("{self} has step 0"));
        }
        Ok(Part { len: range.len().div_ceil(step), range, step, reversed: self.step < 0 })
    }
}

impl<R: RangeBounds<usize>> From<R> for Span {
    fn from(range: R) -> Self {
        Span::new(range, 1)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.start {
            Bound::Included(start) => write!(f, "{start}..")?,
            Bound::Excluded(before) => write!(f, "{}..", before as u128 + 1)?,
            Bound::Unbounded => write!(f, "..")?,
        }
        match self.end {
            Bound::Included(last) => write!(f, "={last}")?,
            Bound::Excluded(end) => write!(f, "{end}")?,
            Bound::Unbounded => {}
        }
        match self.step {
            1 => Ok(()),
            step => write!(f, " by {step}"),
        }
    }
}

/// What [`Tensor::slice`] takes: a [`Span`], or a range, for each dimension. A tuple of them, which may be
/// of several types; an array, slice or vector; a single range for a vector.
pub trait Spans {
    /// One after the other.
    fn spans(self) -> Vec<Span>;
}

macro_rules! spans {
    (tuples: $(($($name:ident)*))*; ranges: $($range:ty),*) => {
        $(impl<$($name: Into<Span>),*> Spans for ($($name,)*) {
            fn spans(self) -> Vec<Span> {
                #[allow(non_snake_case)]
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        })*
        $(impl Spans for $range {
            fn spans(self) -> Vec<Span> {
                vec![self.into()]
            }
        })*
    };
}
spans! {
    tuples: () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H);
    ranges: Span, std::ops::RangeFull, Range<usize>, std::ops::RangeFrom<usize>, std::ops::RangeTo<usize>,
        std::ops::RangeInclusive<usize>, std::ops::RangeToInclusive<usize>
}

impl<S: Into<Span>> Spans for Vec<S> {
    fn spans(self) -> Vec<Span> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<S: Into<Span>, const N: usize> Spans for [S; N] {
    fn spans(self) -> Vec<Span> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<S: Into<Span> + Clone> Spans for &[S] {
    fn spans(self) -> Vec<Span> {
        self.iter().cloned().map(Into::into).collect()
    }
}

impl<S: Into<Span> + Clone, const N: usize> Spans for &[S; N] {
    fn spans(self) -> Vec<Span> {
        self.as_slice().spans()
    }
}

/// The coordinates of a dimension that a slice has.
struct Part {
    range: Range<usize>,
    step: usize,
    reversed: bool,
    len: usize,
}

impl Part {
    /// Where those of `coords`, which is not empty, are in the slice: next to each other.
    fn place(&self, coords: Range<usize>) -> Range<usize> {
        let (start, end) = (coords.start.max(self.range.start), coords.end.min(self.range.end));
        if start >= end {
            return 0..0;
        }
        // How far the first and one past the last are from the coordinate that the slice begins with.
        let (near, far) = match self.reversed {
            false => (start - self.range.start, end - self.range.start),
            true => (self.range.end - end, self.range.end - start),
        };
        match self.step {
            1 => near..far,
            step => near.div_ceil(step)..far.div_ceil(step),
        }
    }
}

impl<L: Level> Tensor<L> {
    /// The part of the tensor in a range of each dimension, or at every so many coordinates of it, forwards
    /// or backwards: see [`Span`].
    ///
    /// Values and stored fills are kept as [`Tensor::convert`] keeps them. Linear in what this tensor stores;
    /// runs stay runs. Where a dimension is reversed, a sort of what the result stores by that dimension and
    /// those before it, by counting if sizes are within a small multiple of the number of entries.
    ///
    /// # Errors
    /// [`Error::Operator`] if there is not one range for each dimension, if one is not inside its dimension or
    /// has step 0, for a result of another number of dimensions than its format, or of another fill; and
    /// [`Error::Unstorable`] if the format cannot hold the result.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, DenseMat, Span, SparseVec, Tensor};
    ///
    /// let a: Csr<i32> = Tensor::from_dense([3, 4], &[1, 0, 2, 0, 0, 3, 0, 4, 5, 0, 6, 0])?;
    /// let b: DenseMat<i32> = a.slice((1.., 0..3))?;
    /// assert_eq!((b.shape(), b.to_dense()), (vec![2, 3], vec![0, 3, 0, 5, 0, 6]));
    /// // The rows from the last to the first, and every other column.
    /// let c: Csr<i32> = a.slice((Span::new(.., -1), Span::new(.., 2)))?;
    /// assert_eq!(c.to_dense(), [5, 6, 0, 0, 1, 2]);
    /// let x: SparseVec<i32> = Tensor::from_dense([5], &[1, 0, 2, 3, 0])?;
    /// let y: SparseVec<i32> = x.slice(2..)?;
    /// assert_eq!(y.to_dense(), [2, 3, 0]);
    /// let refused: Result<Csr<i32>, _> = a.slice((.., 2..5));
    /// assert_eq!(
    ///     refused.unwrap_err().to_string(),
    ///     "`slice` of 3x4 in dimension 1: 2..5 is no part of a dimension of size 4"
    /// );
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn slice<M>(&self, spans: impl Spans) -> Result<Tensor<M>, Error>
    where
        M: Level<Value = L::Value>,
    {
        let (shape, spans) = (self.shape(), spans.spans());
        let operator = format!("`slice` of {}", Shape(&shape));
        if spans.len() != shape.len() {
            let (found, rank) = (spans.len(), dimensions(shape.len()));
            let ranges = if found == 1 { "range" } else { "ranges" };
            return Err(refused(operator, format!("{found} {ranges} given for {rank}")));
        }
        result_of::<M>(&operator, shape.len())?;
        fill_of::<M>(&operator, "the tensor", &L::fill())?;
        let mut parts = Vec::with_capacity(spans.len());
        for (d, (span, &size)) in spans.into_iter().zip(&shape).enumerate() {
            let part = span.part(size);
            parts.push(
                part.map_err(|reason| refused(format!("{operator} in dimension {d}"), reason))?,
            );
        }
        let to: Vec<usize> = parts.iter().map(|part| part.len).collect();
        let mut entries = Entries::new(&to);
        let mut coords = vec![0; to.len()];
        self.give(&mut entries, |entries, from, mut stop, value| {
            for (d, part) in parts.iter().enumerate() {
                let c = from[d];
                let place = part.place(c..if d + 1 == parts.len() { stop } else { c + 1 });
                if place.is_empty() {
                    return Ok(());
                }
                coords[d] = place.start;
                if d + 1 == parts.len() {
                    stop = place.end;
                }
            }
            entries.push_run(&coords, stop, value.clone());
            Ok(())
        })?;
        let leading = parts.iter().rposition(|part| part.reversed && part.len > 1);
        Tensor::from_sorted(&entries.in_order(leading.map_or(0, |d| d + 1)), Others::Fill)
    }
}
