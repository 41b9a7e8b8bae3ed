//! A tensor that changes while others read it as it was: snapshots in constant time, of any format that takes entries.

use super::{Entries, Tensor};
use crate::error::Error;
use crate::level::Grows;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A copy that is so far behind that all changes it lacks are more than this part of what is stored is not kept: to make
/// them takes as long as a new copy.
const FAR: usize = 128;

/// Fewer changes than this are never too many.
const FEW: usize = 64;

/// A tensor of which snapshots are taken while it changes.
///
/// ```
/// # use looplets_formats as looplets;
/// use looplets::*;
/// level! { type Graph = Tensor<Dense<CTree<Pattern>>>; }
///
/// let mut graph = Versioned::new(Graph::new([4, 4])?);
/// graph.insert([0, 1], true)?;
/// let before = graph.snapshot();
/// let reader = std::thread::spawn(move || before.stored());
/// graph.extend([([1, 2], true), ([2, 3], true)])?;
/// assert_eq!((reader.join().unwrap(), graph.stored()), (1, 3));
/// # Ok::<(), Error>(())
/// ```
///
/// A kernel takes `&graph` and `&snapshot` where it takes a `&Tensor`.
///
/// A snapshot is a tensor like any other, whose arrays are whole: kernels over it run as fast as over one that never
/// changes. It may be sent to other threads and be held as long as they like; they take no lock, and nobody waits for them.
///
/// How: there are two or more copies of the tensor, as in left-right concurrency control (Ramalhete and Correia, *Left-Right:
/// A Concurrency Control Technique with Wait-Free Population Oblivious Reads*, 2015). Changes are made in a copy that
/// nobody reads, and noted. When the copy that is read is free, the changes noted since are made in it too.
///
/// ```text
/// snapshot()          ┌─ copy 1 ── read by others ──────────────┐ free: is given the changes a, b, c; then d
/// changes a, b, c     └─ copy 2 ── a b c ── snapshot() ── read by others ...
/// ```
///
/// Costs: a snapshot is a counter. A change is made once if there is no snapshot, and once for each copy if there are. The
/// first change under a snapshot copies the tensor, in time linear in it; so does a change for which no copy is free, or for
/// which the free one lacks more changes than the 128th part of what is stored, which take as long as a copy. So memory is that of as many copies as there are
/// versions that are held, and one.
pub struct Versioned<L: Grows> {
    now: Arc<Tensor<L>>,
    behind: Vec<Behind<L>>,
    /// What some copy in `behind` lacks, the last at the end.
    log: VecDeque<Change<L::Value>>,
    /// All that was noted so far.
    noted: Noted,
}

/// A copy that lacks changes.
struct Behind<L: Grows> {
    tensor: Arc<Tensor<L>>,
    has: Noted,
}

/// How much has been noted.
#[derive(Clone, Copy, Debug, Default)]
struct Noted {
    changes: usize,
    entries: usize,
}

/// What was done to a tensor.
enum Change<V> {
    Insert(SmallVec<[usize; 3]>, V),
    Remove(SmallVec<[usize; 3]>),
    Extend(Entries<V>),
    Without(Entries<()>),
    Compact,
}

impl<V: Clone> Change<V> {
    /// Does it; gives the value that was stored, where that is one.
    fn make<L: Grows<Value = V>>(&self, tensor: &mut Tensor<L>) -> Result<Option<V>, Error> {
        match self {
            Change::Insert(at, value) => tensor.insert(at, value.clone()),
            Change::Remove(at) => tensor.remove(at),
            Change::Extend(entries) => tensor.take_in(entries).map(|()| None),
            Change::Without(gone) => tensor.without(gone).map(|()| None),
            Change::Compact => tensor.compact().map(|()| None),
        }
    }

    /// How many entries it is about, of `stored`.
    fn entries(&self, stored: usize) -> usize {
        match self {
            Change::Insert(..) | Change::Remove(_) => 1,
            Change::Extend(entries) => entries.values.len(),
            Change::Without(gone) => gone.values.len(),
            Change::Compact => stored,
        }
    }
}

impl<L: Grows + Clone> Versioned<L> {
    /// A tensor that nobody else reads yet.
    pub fn new(tensor: Tensor<L>) -> Self {
        let (behind, log) = (Vec::new(), VecDeque::new());
        Versioned { now: Arc::new(tensor), behind, log, noted: Noted::default() }
    }

    /// The tensor as it is now, which it stays for who holds it.
    ///
    /// Constant time.
    pub fn snapshot(&self) -> Arc<Tensor<L>> {
        Arc::clone(&self.now)
    }

    /// The tensor; a copy if a snapshot of it is held.
    pub fn into_tensor(self) -> Tensor<L> {
        Arc::try_unwrap(self.now).unwrap_or_else(|shared| Tensor::clone(&shared))
    }

    /// How many copies there are in memory that this knows of: those that snapshots hold and may be used again, and the
    /// one that changes are made in.
    pub fn copies(&self) -> usize {
        1 + self.behind.len()
    }

    /// As [`Tensor::insert`].
    ///
    /// # Errors
    /// Those of [`Tensor::insert`].
    pub fn insert(
        &mut self,
        coords: impl AsRef<[usize]>,
        value: L::Value,
    ) -> Result<Option<L::Value>, Error> {
        let at = SmallVec::from_slice(self.now.inside(coords.as_ref())?);
        self.make(Change::Insert(at, value))
    }

    /// As [`Tensor::remove`].
    ///
    /// # Errors
    /// Those of [`Tensor::remove`].
    pub fn remove(&mut self, coords: impl AsRef<[usize]>) -> Result<Option<L::Value>, Error> {
        let at = SmallVec::from_slice(self.now.inside(coords.as_ref())?);
        self.make(Change::Remove(at))
    }

    /// As [`Tensor::extend`].
    ///
    /// # Errors
    /// Those of [`Tensor::extend`].
    pub fn extend<C: AsRef<[usize]>>(
        &mut self,
        entries: impl IntoIterator<Item = (C, L::Value)>,
    ) -> Result<(), Error> {
        let batch = self.now.batch(entries)?;
        self.make(Change::Extend(batch)).map(drop)
    }

    /// As [`Tensor::remove_all`].
    ///
    /// # Errors
    /// Those of [`Tensor::remove_all`].
    pub fn remove_all<C: AsRef<[usize]>>(
        &mut self,
        coords: impl IntoIterator<Item = C>,
    ) -> Result<(), Error> {
        let gone = self.now.named(coords)?;
        self.make(Change::Without(gone)).map(drop)
    }

    /// As [`Tensor::retain`].
    ///
    /// # Errors
    /// Those of [`Tensor::retain`].
    pub fn retain(&mut self, keep: impl FnMut(&[usize], &L::Value) -> bool) -> Result<(), Error> {
        let gone = self.now.unkept(keep)?;
        self.make(Change::Without(gone)).map(drop)
    }

    /// As [`Tensor::compact`].
    ///
    /// # Errors
    /// Those of [`Tensor::compact`].
    pub fn compact(&mut self) -> Result<(), Error> {
        self.make(Change::Compact).map(drop)
    }

    /// Changes the tensor in any way, as a kernel does that writes into it.
    ///
    /// Such a change cannot be noted, so no copy can be given it: the first change under a snapshot that comes behind it
    /// copies the tensor.
    pub fn update<R>(&mut self, change: impl FnOnce(&mut Tensor<L>) -> R) -> R {
        self.own();
        self.behind.clear();
        self.log.clear();
        change(Self::unshared(&mut self.now))
    }

    /// Makes a change, and notes it for copies that lack it.
    fn make(&mut self, change: Change<L::Value>) -> Result<Option<L::Value>, Error> {
        self.own();
        // If it fails half done, or by a panic, no copy could be given the same: then there are none.
        let behind = std::mem::take(&mut self.behind);
        let result = change.make(Self::unshared(&mut self.now));
        if result.is_ok() && !behind.is_empty() {
            self.behind = behind;
            self.noted.changes += 1;
            self.noted.entries += change.entries(self.now.root.room());
            self.log.push_back(change);
        }
        self.forget();
        result
    }

    /// Sees to it that nobody else reads `now`.
    fn own(&mut self) {
        if Arc::get_mut(&mut self.now).is_some() {
            return;
        }
        let copy = self.caught_up().unwrap_or_else(|| Arc::new(Tensor::clone(&self.now)));
        let read = std::mem::replace(&mut self.now, copy);
        self.behind.push(Behind { tensor: read, has: self.noted });
    }

    /// The tensor, which nobody else reads.
    ///
    /// # Panics
    /// If somebody does.
    fn unshared(now: &mut Arc<Tensor<L>>) -> &mut Tensor<L> {
        Arc::get_mut(now).expect("`own` has made it so")
    }

    /// A copy that was behind and nobody reads, with all changes that it lacked.
    fn caught_up(&mut self) -> Option<Arc<Tensor<L>>> {
        let free = |k: &usize| Arc::strong_count(&self.behind[*k].tensor) == 1;
        let newest = |k: &usize| self.behind[*k].has.changes;
        let k = (0..self.behind.len()).filter(free).max_by_key(newest)?;
        // Out of the list before it changes: if that ends by a panic, the copy is none.
        let mut copy = self.behind.swap_remove(k);
        let first = self.noted.changes - self.log.len();
        let tensor = Arc::get_mut(&mut copy.tensor)?;
        for change in self.log.iter().skip(copy.has.changes - first) {
            change.make(tensor).ok()?;
        }
        Some(copy.tensor)
    }

    /// Keeps no copy that is far behind, no more than one that nobody reads, and no change that all have.
    fn forget(&mut self) {
        let most = FEW.max(self.now.root.room() / FAR);
        self.behind.sort_unstable_by_key(|copy| std::cmp::Reverse(copy.has.changes));
        let (noted, mut free) = (self.noted.entries, 0);
        self.behind.retain(|copy| {
            free += usize::from(Arc::strong_count(&copy.tensor) == 1);
            let waits = Arc::strong_count(&copy.tensor) > 1 || free == 1;
            waits && noted - copy.has.entries <= most
        });
        let oldest = self.behind.last().map_or(self.noted.changes, |copy| copy.has.changes);
        let lacked = self.noted.changes - oldest;
        self.log.drain(..self.log.len() - lacked);
    }
}

impl<L: Grows + Clone> From<Tensor<L>> for Versioned<L> {
    fn from(tensor: Tensor<L>) -> Self {
        Versioned::new(tensor)
    }
}

impl<L: Grows> Deref for Versioned<L> {
    type Target = Tensor<L>;

    fn deref(&self) -> &Tensor<L> {
        &self.now
    }
}

impl<L: Grows> fmt::Debug for Versioned<L>
where
    L::Value: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.now.fmt(f)
    }
}
