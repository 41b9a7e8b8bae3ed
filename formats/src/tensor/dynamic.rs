//! Entries that come and go: of tensors made of nodes (DynamicSparse leaves insertion and deletion to libraries).

use super::{rank, Tensor};
use crate::error::Error;
use crate::level::{Grows, Level};

impl<L: Level> Tensor<L> {
    /// The coordinates, if they are in the shape.
    fn inside<'a>(&self, coords: &'a [usize]) -> Result<&'a [usize], Error> {
        rank::<L>(coords.len())?;
        let shape = self.shape();
        match coords.iter().zip(&shape).position(|(c, n)| c >= n) {
            Some(dimension) => {
                let size = shape[dimension];
                Err(Error::Index { coords: coords.to_vec(), dimension, size })
            }
            None => Ok(coords),
        }
    }

    /// The value stored at `coords`, to be changed in place.
    ///
    /// Costs what `locate` of the levels costs. `None` if nothing is stored there, or `coords` are not in the shape.
    pub fn get_mut(&mut self, coords: impl AsRef<[usize]>) -> Option<&mut L::Value>
    where
        L: Grows,
    {
        let coords = self.inside(coords.as_ref()).ok()?;
        let q = self.root.seat(0, coords)?;
        self.root.values_mut()?.get_mut(q)
    }

    /// Stores `value` at `coords`, also if it is the fill; gives the value that was stored there.
    ///
    /// Costs what an insertion into the levels costs. Levels of arrays take no entries one by one:
    ///
    /// ```compile_fail,E0277
    /// # use looplets_formats as looplets;
    /// use looplets::*;
    /// let mut a: Csr<f64> = Tensor::new([3, 3]).unwrap();
    /// a.insert([1, 1], 2.0);
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Index`], and [`Error::Unstorable`] if there is no room, or the leaf has no such value
    /// (a pattern stores `true`): what was stored before still is.
    pub fn insert(
        &mut self,
        coords: impl AsRef<[usize]>,
        value: L::Value,
    ) -> Result<Option<L::Value>, Error>
    where
        L: Grows,
    {
        let coords = self.inside(coords.as_ref())?;
        if !L::storable(&value) {
            return Err(self.unstorable("the leaf has no entry that says so".to_owned()));
        }
        let found = self.root.seat(0, coords).is_some();
        let made = self.root.make(0, coords);
        let q = made.map_err(|reason| self.unstorable(reason))?;
        let Some(values) = self.root.values_mut() else { return Ok(found.then_some(value)) };
        let old = std::mem::replace(&mut values[q], value);
        Ok(found.then_some(old))
    }

    /// Takes the entry at `coords` out; gives the value that was stored there.
    ///
    /// What stands above it goes too if nothing else is left there: a tree of trees has no empty trees. An element of a
    /// dense dimension always is there, and cannot be taken out.
    ///
    /// Costs what a deletion from the levels costs.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Index`], and [`Error::Unstorable`] if a level cannot: what was stored before still is.
    pub fn remove(&mut self, coords: impl AsRef<[usize]>) -> Result<Option<L::Value>, Error>
    where
        L: Grows,
    {
        let coords = self.inside(coords.as_ref())?;
        let value = self.get(coords);
        match self.root.unmake(0, coords) {
            Ok(true) => Ok(value),
            Ok(false) => Ok(None),
            Err(reason) => Err(self.unstorable(reason)),
        }
    }

    /// Stores all of `entries`, as [`Tensor::insert`] does: of several at the same coordinates, the last.
    ///
    /// # Errors
    /// Those of [`Tensor::insert`]: entries before the one at fault are stored.
    pub fn extend<C: AsRef<[usize]>>(
        &mut self,
        entries: impl IntoIterator<Item = (C, L::Value)>,
    ) -> Result<(), Error>
    where
        L: Grows,
    {
        entries.into_iter().try_for_each(|(coords, value)| self.insert(coords, value).map(drop))
    }

    /// Takes out all entries of which `keep` says `false`; it is asked of each once, in ascending order.
    ///
    /// # Errors
    /// Those of [`Tensor::remove`].
    pub fn retain(&mut self, mut keep: impl FnMut(&[usize], &L::Value) -> bool) -> Result<(), Error>
    where
        L: Grows,
    {
        let mut goes = Vec::new();
        self.for_each(|coords, value| {
            if !keep(coords, value) {
                goes.push(coords.to_vec());
            }
        });
        goes.iter().try_for_each(|coords| self.remove(coords).map(drop))
    }

    fn unstorable(&self, reason: String) -> Error {
        Error::Unstorable { level: L::NAME, shape: self.shape(), reason }
    }
}
