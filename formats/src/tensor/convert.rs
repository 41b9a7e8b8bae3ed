//! Conversion between formats: stored runs in, stored runs out.

use super::{volume, Entries, Others, Tensor};
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
        Tensor::from_sorted(&self.given(), Others::Fill)
    }

    /// What is stored, to make another tensor of: without what says no more than that it is fill.
    pub(super) fn given(&self) -> Entries<L::Value> {
        let (shape, fill) = (self.shape(), L::fill());
        let mut entries = Entries::new(&shape);
        let (mut filled, mut held) = (false, 0usize);
        self.for_each_run(|coords, stop, value| {
            let length = coords.last().map_or(1, |first| stop - first);
            let is_fill = identical(value, &fill);
            if !is_fill || length == 1 {
                entries.push_run(coords, stop, value.clone());
            }
            filled |= is_fill;
            held = held.saturating_add(length);
        });
        // Explicit fills say something only where the format could have left them out.
        if filled && volume(&shape).is_ok_and(|all| all == held) {
            entries = entries.only(|value| !identical(value, &fill));
        }
        entries
    }
}
