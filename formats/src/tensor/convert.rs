//! Conversion between formats: stored runs in, stored runs out.

use super::{Entries, Others, Tensor};
use crate::error::Error;
use crate::level::Level;
use crate::value::identical;

impl<L: Level> Tensor<L> {
    /// The same tensor in another format with the same type of values.
    ///
    /// Every element keeps its value to the last bit: `-0.0` is no `0.0`, and a NaN may be a fill. A
    /// format that holds some tensors only, as `Symmetric` does, refuses the others. Entries that hold
    /// the fill explicitly stay stored, unless this format stores every coordinate (as `Dense` and
    /// `RunList` do), where nothing tells them from the rest, or they come as a run.
    ///
    /// Linear in what both formats store: runs stay runs. Where the fills differ, every element is
    /// visited, since what one format leaves out the other has to store.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::TooLarge`], and [`Error::Unstorable`] if the other format cannot
    /// hold this tensor.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{RunList, Element, SparseVec, Tensor};
    ///
    /// let runs: Tensor<RunList<Element<f64>>> = Tensor::from_dense([6], &[0., 0., 5., 5., 0., 0.])?;
    /// let list: SparseVec<f64> = runs.convert()?;
    /// assert_eq!(list.stored(), 2);
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn convert<M>(&self) -> Result<Tensor<M>, Error>
    where
        M: Level<Value = L::Value>,
    {
        let (shape, fill) = (self.shape(), L::fill());
        super::rank::<M>(shape.len())?;
        if !identical(&fill, &M::fill()) {
            let all = self.try_to_dense()?;
            return Tensor::from_dense(shape, &all);
        }
        let mut entries = Entries::new(&shape);
        self.give(&mut entries, |entries, coords, stop, value| {
            entries.push_run(coords, stop, value.clone());
            Ok(())
        })?;
        Tensor::from_sorted(&entries, Others::Fill)
    }

    /// Calls `push` for each stored run as [`Tensor::for_each_run`] does, to add it to `entries` in some place;
    /// without what says no more than that it is fill.
    ///
    /// # Errors
    /// The first that `push` has.
    pub(super) fn give(
        &self,
        entries: &mut Entries<L::Value>,
        mut push: impl FnMut(&mut Entries<L::Value>, &[usize], usize, &L::Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let fill = L::fill();
        let before = entries.values.len();
        let (mut filled, mut pushed) = (false, Ok(()));
        self.for_each_run(|coords, stop, value| {
            let length = coords.last().map_or(1, |first| stop - first);
            let is_fill = identical(value, &fill);
            if pushed.is_ok() && (!is_fill || length == 1) {
                pushed = push(entries, coords, stop, value);
            }
            filled |= is_fill;
        });
        // Explicit fills say something only where the format could have left them out.
        if filled && L::WHOLE {
            entries.forget(before, |value| identical(value, &fill));
        }
        pushed
    }
}
