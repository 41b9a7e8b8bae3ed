//! Entries that come and go: of tensors made of nodes (DynamicSparse leaves insertion and deletion to libraries).

use super::{rank, Entries, Fault, Last, Others, Tensor};
use crate::error::Error;
use crate::level::{Grows, Level};
use std::cmp::Ordering;

/// A batch is merged into lists of which it is at least this part, and inserted otherwise. An entry takes several times
/// as long to insert into a tree as to build: a batch is merged into trees if it is as much as they store.
const FEW: usize = 8;

/// The least batch that is merged.
const ENOUGH: usize = 64;

/// The tensor of these entries, of which later ones replace others.
fn made<L: Level>(entries: Entries<L::Value>) -> Result<Tensor<L>, Error> {
    Tensor::from_entries(entries, Last, Others::Follow).map_err(conflict)
}

/// Why entries could not be sorted: of those at the same coordinates, the last is kept.
fn conflict(fault: Fault) -> Error {
    match fault {
        Fault::Conflict(_, coords, _) => Error::Duplicate { coords },
        Fault::Other(error) => error,
    }
}

impl<L: Level> Tensor<L> {
    /// The coordinates, if they are in the shape.
    pub(super) fn inside<'a>(&self, coords: &'a [usize]) -> Result<&'a [usize], Error> {
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
        let made = self.root.make(0, coords);
        let (q, new) = made.map_err(|reason| self.unstorable(reason))?;
        let Some(values) = self.root.values_mut() else { return Ok((!new).then_some(value)) };
        let old = std::mem::replace(&mut values[q], value);
        Ok((!new).then_some(old))
    }

    /// Takes the entry at `coords` out; gives the value that was stored there.
    ///
    /// What stands above it goes too if nothing else is left there: a tree of trees has no empty trees. An element of a
    /// dense dimension below a tree is there as long as its row, and cannot be taken out.
    ///
    /// Costs what a deletion from the levels costs.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Index`], and [`Error::Unstorable`] if a level cannot or the element is stored in a dense
    /// dimension: what was stored before still is.
    pub fn remove(&mut self, coords: impl AsRef<[usize]>) -> Result<Option<L::Value>, Error>
    where
        L: Grows,
    {
        let coords = self.inside(coords.as_ref())?;
        if !L::GOES && self.root.seat(0, coords).is_some() {
            return Err(self.unstorable(format!(
                "the element at {coords:?} is one of a dense dimension, which has all of its elements: assign the fill to it"
            )));
        }
        self.root.unmake(0, coords).map_err(|reason| self.unstorable(reason))
    }

    /// Stores all of `entries`, as [`Tensor::insert`] does: of several at the same coordinates, the last.
    ///
    /// They are sorted first. If they are as many as those that are stored, or an eighth as many if a level is a list,
    /// the tensor is made anew of both, in time linear in both; else each is inserted, in ascending order.
    ///
    /// # Errors
    /// Those of [`Tensor::insert`]. If coordinates are at fault, nothing has changed.
    pub fn extend<C: AsRef<[usize]>>(
        &mut self,
        entries: impl IntoIterator<Item = (C, L::Value)>,
    ) -> Result<(), Error>
    where
        L: Grows,
    {
        let new = self.batch(entries)?;
        self.take_in(&new)
    }

    /// These entries in ascending order, if all can be stored: of several at the same coordinates, the last.
    pub(super) fn batch<C: AsRef<[usize]>>(
        &self,
        entries: impl IntoIterator<Item = (C, L::Value)>,
    ) -> Result<Entries<L::Value>, Error> {
        let mut new = Entries::new(&self.shape());
        for (coords, value) in entries {
            if !L::storable(&value) {
                return Err(self.unstorable("the leaf has no entry that says so".to_owned()));
            }
            new.push(self.inside(coords.as_ref())?, value)?;
        }
        new.sorted(Last).map_err(conflict)
    }

    /// Stores what [`Tensor::batch`] gave.
    pub(super) fn take_in(&mut self, new: &Entries<L::Value>) -> Result<(), Error>
    where
        L: Grows,
    {
        let (count, room) = (new.coordinates(), self.root.room());
        if count >= ENOUGH && count >= if L::LINEAR { room / FEW } else { room } {
            *self = made(self.merged(new)?)?;
            return Ok(());
        }
        let mut at = vec![0; L::RANK];
        for (e, value) in new.values.iter().enumerate() {
            at.iter_mut().zip(&new.columns).for_each(|(c, column)| *c = column[e]);
            self.insert(&at, value.clone())?;
        }
        Ok(())
    }

    /// What is stored and `new`, which ascends: in ascending order, and of two at the same coordinates the new one.
    fn merged(&self, new: &Entries<L::Value>) -> Result<Entries<L::Value>, Error>
    where
        L: Grows,
    {
        let mut both = Entries::new(&self.shape());
        both.room(self.root.room().saturating_add(new.values.len()))?;
        let mut e = 0;
        let take = |both: &mut Entries<L::Value>, e: usize| {
            both.columns.iter_mut().zip(&new.columns).for_each(|(to, from)| to.push(from[e]));
            both.stops.push(new.stops[e]);
            both.values.push(new.values[e].clone());
        };
        self.for_each(|coords, value| {
            let mut order = Ordering::Greater;
            while e < new.values.len() {
                order = new.columns.iter().map(|c| c[e]).cmp(coords.iter().copied());
                if order != Ordering::Less {
                    break;
                }
                take(&mut both, e);
                e += 1;
            }
            if e == new.values.len() || order == Ordering::Greater {
                both.push_run(coords, coords.last().map_or(0, |c| c + 1), value.clone());
            }
        });
        (e..new.values.len()).for_each(|e| take(&mut both, e));
        Ok(both)
    }

    /// Takes out all entries at `coords`, and passes over those that are not stored.
    ///
    /// They are sorted first. If they are half as many as those that are stored, or an eighth as many if a level is a
    /// list, the tensor is made anew of the others, in time linear in what is stored; else each is taken out.
    ///
    /// # Errors
    /// Those of [`Tensor::remove`]. If coordinates are at fault, nothing has changed.
    pub fn remove_all<C: AsRef<[usize]>>(
        &mut self,
        coords: impl IntoIterator<Item = C>,
    ) -> Result<(), Error>
    where
        L: Grows,
    {
        let gone = self.named(coords)?;
        self.without(&gone)
    }

    /// These coordinates in ascending order, each once.
    pub(super) fn named<C: AsRef<[usize]>>(
        &self,
        coords: impl IntoIterator<Item = C>,
    ) -> Result<Entries<()>, Error> {
        let mut all = Entries::new(&self.shape());
        for coords in coords {
            all.push(self.inside(coords.as_ref())?, ())?;
        }
        all.sorted(Last).map_err(conflict)
    }

    /// Takes out all entries of which `keep` says `false`; it is asked of each once, in ascending order.
    ///
    /// Linear in what is stored, and as [`Tensor::remove_all`].
    ///
    /// # Errors
    /// Those of [`Tensor::remove`].
    pub fn retain(&mut self, keep: impl FnMut(&[usize], &L::Value) -> bool) -> Result<(), Error>
    where
        L: Grows,
    {
        let gone = self.unkept(keep)?;
        self.without(&gone)
    }

    /// The coordinates of which `keep` says `false`, in ascending order.
    pub(super) fn unkept(
        &self,
        mut keep: impl FnMut(&[usize], &L::Value) -> bool,
    ) -> Result<Entries<()>, Error> {
        let mut gone = Entries::new(&self.shape());
        let mut pushed = Ok(());
        self.for_each(|coords, value| {
            if !keep(coords, value) && pushed.is_ok() {
                pushed = gone.push(coords, ());
            }
        });
        pushed?;
        Ok(gone)
    }

    /// Takes out the entries at these coordinates, which ascend.
    pub(super) fn without(&mut self, gone: &Entries<()>) -> Result<(), Error>
    where
        L: Grows,
    {
        let (count, room) = (gone.values.len(), self.root.room());
        if !L::GOES || count < ENOUGH || count < room / if L::LINEAR { FEW } else { 2 } {
            let mut at = vec![0; L::RANK];
            for e in 0..count {
                at.iter_mut().zip(&gone.columns).for_each(|(c, column)| *c = column[e]);
                self.remove(&at)?;
            }
            return Ok(());
        }
        let mut kept = Entries::new(&self.shape());
        kept.room(room)?;
        let mut e = 0;
        self.for_each(|coords, value| {
            let mut order = Ordering::Greater;
            while e < count {
                order = gone.columns.iter().map(|c| c[e]).cmp(coords.iter().copied());
                if order != Ordering::Less {
                    break;
                }
                e += 1;
            }
            if e == count || order == Ordering::Greater {
                kept.push_run(coords, coords.last().map_or(0, |c| c + 1), value.clone());
            }
        });
        *self = made(kept)?;
        Ok(())
    }

    fn unstorable(&self, reason: String) -> Error {
        Error::Unstorable { level: L::NAME, shape: self.shape(), reason }
    }

    /// Puts nodes and values in the order in which a walk meets them, next to each other, and gives the room of what is
    /// gone back.
    ///
    /// Linear in what is stored.
    ///
    /// # Errors
    /// [`Error::Unstorable`] if there is no memory for a copy: nothing has changed then.
    pub fn compact(&mut self) -> Result<(), Error>
    where
        L: Grows,
    {
        let mut all = Entries::new(&self.shape());
        let mut pushed = Ok(());
        self.for_each(|coords, value| {
            if pushed.is_ok() {
                pushed = all.push(coords, value.clone());
            }
        });
        pushed?;
        *self = made(all)?;
        Ok(())
    }
}
