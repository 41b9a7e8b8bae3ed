//! The tensor as a user holds it: one fiber of a tree of levels whose invariants hold. Everything
//! here is written against the [`Level`] contract alone, so that a format from another crate has
//! all of it too.

mod by_columns;
mod columns;
mod concat;
mod convert;
mod display;
mod duplicates;
mod dynamic;
mod entries;
mod fold;
mod picture;
mod shapes;
mod slice;
#[cfg(test)]
mod tests;
mod versioned;
mod works;

pub use by_columns::ByColumns;
pub use columns::Coordinate;
pub use concat::{Operand, Operands};
pub(crate) use display::format_name;
pub use duplicates::{Accumulate, Conflict, Duplicates, Last, Refuse, Sum};
pub(crate) use entries::{Entries, Fault};
pub(crate) use fold::Others;
pub use picture::Picture;
pub use slice::{Span, Spans};
pub use versioned::Versioned;
pub use works::{Spread, Works};

use crate::error::Error;
use crate::level::Level;
use crate::value::identical;
use std::fmt;

/// A tensor whose format is the tree of levels `L`, one level per dimension and a leaf.
///
/// Dimensions and coordinates count from 0; dimension 0 is the outermost level's. An entry that
/// is not stored has the leaf's fill as its value.
#[derive(Clone, PartialEq)]
pub struct Tensor<L: Level> {
    // Satisfies `check(1)`: compiled kernels index without checks because of it.
    root: L,
}

impl<L: Level> Tensor<L> {
    /// The tensor of `shape` in which every entry is fill.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::TooLarge`], or [`Error::Unstorable`] if the format cannot have
    /// this shape or its memory cannot be allocated.
    pub fn new(shape: impl AsRef<[usize]>) -> Result<Self, Error> {
        let shape = shape.as_ref();
        Self::assemble(shape, |_| Ok(()))
    }

    /// The tensor with these levels.
    ///
    /// Linear in what is stored: every invariant is checked.
    ///
    /// # Errors
    /// [`Error::Invariant`] says which does not hold; [`Error::TooLarge`] for a size over
    /// `isize::MAX`.
    pub fn from_parts(root: L) -> Result<Self, Error> {
        whole(&root).map_err(|(level, reason)| Error::Invariant { level, reason })?;
        let tensor = Tensor { root };
        addressable(&tensor.shape())?;
        Ok(tensor)
    }

    /// The tensor with these levels, unchecked.
    ///
    /// # Safety
    /// `root.check(1)` would be `Ok`, and no size is over `isize::MAX`. Checked with debug
    /// assertions.
    pub unsafe fn from_parts_unchecked(root: L) -> Self {
        if cfg!(debug_assertions) {
            if let Err((level, reason)) = whole(&root) {
                panic!("not a valid `{level}`: {reason}");
            }
        }
        Tensor { root }
    }

    /// The outermost level.
    pub fn root(&self) -> &L {
        &self.root
    }

    /// The outermost level, to write.
    ///
    /// # Safety
    /// When the borrow ends `root.check(1)` must be `Ok` again, also if by a panic.
    #[doc(hidden)]
    pub unsafe fn root_mut(&mut self) -> &mut L {
        &mut self.root
    }

    /// The levels, as [`Tensor::from_parts`] takes them. Constant, as taking a level apart is: no array is copied.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Element, SparseList, SparseVec, Tensor};
    ///
    /// let x: SparseVec<f64> = Tensor::from_dense([4], &[0.0, 1.5, 0.0, 2.5])?;
    /// let (len, pos, crd, child) = x.into_root().into_parts();
    /// let (val,) = child.into_parts();
    /// assert_eq!((len, &crd, &val), (4, &vec![1, 3], &vec![1.5, 2.5]));
    /// let x: SparseVec<f64> = Tensor::from_parts(SparseList::new(len, pos, crd, Element::new(val)))?;
    /// # let _ = x;
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn into_root(self) -> L {
        self.root
    }

    /// The size of each dimension, outermost first.
    pub fn shape(&self) -> Vec<usize> {
        let mut shape = Vec::with_capacity(L::RANK);
        self.root.shape_into(&mut shape);
        shape
    }

    /// The number of entries that are stored, whatever their values. A run is one, and so is an entry that stands for several
    /// elements, as in a symmetric matrix; what fills up a block counts too.
    ///
    /// Linear in the positions, or in what is stored, at most.
    pub fn stored(&self) -> usize {
        self.root.stored(1)
    }

    /// How many entries are stored; about, where a level does not say how it is split, or only by
    /// whole fibers. As long as one [`Tensor::work`].
    #[doc(hidden)]
    pub fn entries(&self) -> usize {
        let mut shape = Vec::new();
        self.root.shape_into(&mut shape);
        shape.first().map_or(1, |&n| self.root.work(0, n))
    }

    /// How many entries are stored before coordinate `i` of the outermost dimension; about, where a
    /// level does not say how it is split. Parallel loops are cut by it.
    ///
    /// Takes as long as the levels' [`Level::work`]: of the built-in ones, the outermost is searched
    /// for `i` if it stores coordinates, in time logarithmic in how many, and all else is constant. Nodes are not in the
    /// order of coordinates: of levels made of nodes it takes as long as [`Tensor::works`], which is asked for many.
    /// `i` is at most the size of the dimension.
    pub fn work(&self, i: usize) -> usize {
        self.works().before(i)
    }

    /// What [`Tensor::work`] says of any number of coordinates, each in logarithmic time.
    ///
    /// Made in constant time, unless a level is made of nodes: if it is the outermost, in time linear in the entries of that
    /// level, else in the number of its fibers. Entries of trees below are counted, not visited; where there are trees
    /// below those trees, these are visited.
    #[doc(hidden)]
    pub fn works(&self) -> Works<'_, L> {
        Works::of(&self.root)
    }

    /// The value of every entry that is not stored.
    pub fn fill() -> L::Value {
        L::fill()
    }

    /// The stored values in the order of storage; `None` if the leaf has no array of them, as that of a
    /// pattern. Of levels made of nodes, places that are free are among them.
    ///
    /// Constant. Their coordinates are in the arrays of the levels, which [`Tensor::root`] leads to.
    ///
    /// ```
    /// # use looplets_formats as looplets;
    /// use looplets::{Csr, Tensor};
    ///
    /// let a: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 1.5, 0.0, 2.5, 0.0, 3.5])?;
    /// assert_eq!(a.values(), Some(&[1.5, 2.5, 3.5][..]));
    /// let rows = a.root().child();
    /// assert_eq!((rows.pos(), rows.crd()), (&[0, 1, 3][..], &[1, 0, 2][..]));
    /// # Ok::<(), looplets::Error>(())
    /// ```
    pub fn values(&self) -> Option<&[L::Value]> {
        self.root.values()
    }

    /// The stored values in the order of storage, to change them in place; `None` if the leaf
    /// has no array of them, as that of a pattern.
    pub fn values_mut(&mut self) -> Option<&mut [L::Value]> {
        self.root.values_mut()
    }

    /// The tensor of `shape` with these `(coordinates, value)` entries, in any order.
    ///
    /// What happens to an entry that is given more than once is `duplicates`' to say: [`Sum`],
    /// [`Refuse`], [`Last`], or a function that combines two values in the order of input.
    /// An entry whose value is the fill is stored explicitly if the leaf can do that. Where a format
    /// stores two entries as one, as `Symmetric` does, one that is not given follows the other.
    ///
    /// Linear if sorted or if the sizes are within a small multiple of the number of entries;
    /// otherwise `n log n`.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Index`], [`Error::Duplicate`], [`Error::Overflow`],
    /// [`Error::TooLarge`], and [`Error::Unstorable`] if the format cannot store them.
    pub fn from_triplets<C: AsRef<[usize]>>(
        shape: impl AsRef<[usize]>,
        triplets: impl IntoIterator<Item = (C, L::Value)>,
        duplicates: impl Duplicates<L::Value>,
    ) -> Result<Self, Error> {
        let shape = shape.as_ref();
        rank::<L>(shape.len())?;
        let mut entries = Entries::new(shape);
        for (coords, value) in triplets {
            entries.push(coords.as_ref(), value)?;
        }
        Self::from_entries(entries, duplicates, Others::Follow).map_err(Fault::told)
    }

    /// The tensor of `shape` with all these values, the last dimension's neighbours adjacent
    /// (row-major). It stores those that differ from fill, and what the format stores anyhow.
    ///
    /// # Errors
    /// [`Error::Rank`], [`Error::Length`], [`Error::TooLarge`], and [`Error::Unstorable`] if
    /// the format cannot store them.
    pub fn from_dense(shape: impl AsRef<[usize]>, values: &[L::Value]) -> Result<Self, Error> {
        let shape = shape.as_ref();
        rank::<L>(shape.len())?;
        if volume(shape)? != values.len() {
            return Err(Error::Length { shape: shape.to_vec(), found: values.len() });
        }
        let fill = L::fill();
        let mut entries = Entries::new(shape);
        let mut coords = vec![0; shape.len()];
        for value in values {
            if !identical(value, &fill) {
                entries.push(&coords, value.clone())?;
            }
            for (c, &n) in coords.iter_mut().zip(shape).rev() {
                *c += 1;
                if *c < n {
                    break;
                }
                *c = 0;
            }
        }
        Self::from_sorted(&entries, Others::Fill)
    }

    /// All values, row-major: entry `(i, j)` of shape `m x n` is at `i * n + j`.
    ///
    /// Linear in the number of elements of the shape.
    ///
    /// # Panics
    /// Where [`Tensor::try_to_dense`] gives an error.
    pub fn to_dense(&self) -> Vec<L::Value> {
        self.try_to_dense().unwrap_or_else(|error| panic!("{error}"))
    }

    /// All values, row-major: entry `(i, j)` of shape `m x n` is at `i * n + j`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if so many values cannot be allocated.
    pub fn try_to_dense(&self) -> Result<Vec<L::Value>, Error> {
        let shape = self.shape();
        let len = volume(&shape)?;
        let mut all = Vec::new();
        if crate::level::grow(&mut all, len, L::fill()).is_err() {
            return Err(Error::TooLarge { shape });
        }
        self.for_each(|coords, value| {
            let at = coords.iter().zip(&shape).fold(0, |at, (c, n)| at * n + c);
            all[at] = value.clone();
        });
        Ok(all)
    }

    /// Calls `f` with the coordinates and value of each stored entry, in ascending order of
    /// coordinates.
    pub fn for_each(&self, mut f: impl FnMut(&[usize], &L::Value)) {
        let mut each = Vec::with_capacity(L::RANK);
        self.for_each_run(|coords, stop, value| {
            let Some((&first, _)) = coords.split_last() else { return f(coords, value) };
            if first + 1 == stop {
                return f(coords, value);
            }
            for c in first..stop {
                each.clear();
                each.extend_from_slice(&coords[..coords.len() - 1]);
                each.push(c);
                f(&each, value);
            }
        });
    }

    /// Calls `f` with the coordinates, one past the last coordinate in the last dimension, and
    /// value of each stored run, in ascending order of coordinates.
    ///
    /// Linear in what is stored: a level of runs gives each run at once; other entries are runs
    /// of one. The second argument is 0 if there are no dimensions.
    pub fn for_each_run(&self, mut f: impl FnMut(&[usize], usize, &L::Value)) {
        self.root.each(L::position(0, 1), &mut Vec::with_capacity(L::RANK), &mut f);
    }

    /// The stored entries in ascending order of coordinates.
    pub fn triplets(&self) -> Vec<(Vec<usize>, L::Value)> {
        let mut all = Vec::with_capacity(self.stored());
        self.for_each(|coords, value| all.push((coords.to_vec(), value.clone())));
        all
    }

    /// The value at `coords`, stored or fill; `None` if they are outside the shape or not as
    /// many as it has dimensions.
    ///
    /// Takes as long as the levels' [`Level::find`]: up to linear in the number stored. For
    /// more than a few, compile a kernel.
    pub fn get(&self, coords: impl AsRef<[usize]>) -> Option<L::Value> {
        let (coords, shape) = (coords.as_ref(), self.shape());
        let inside = coords.len() == shape.len() && coords.iter().zip(&shape).all(|(c, n)| c < n);
        inside.then(|| self.root.find(L::position(0, 1), coords).unwrap_or_else(L::fill))
    }

    /// The tensor with these entries, which `entries` has checked to be inside its shape.
    pub(crate) fn from_entries(
        entries: Entries<L::Value>,
        duplicates: impl Duplicates<L::Value>,
        others: Others,
    ) -> Result<Self, Fault> {
        let sorted = entries.sorted(duplicates)?;
        Self::from_sorted(&sorted, others).map_err(Fault::Other)
    }

    /// The tensor with these entries: sorted, without duplicates, and inside the shape.
    pub(crate) fn from_sorted(entries: &Entries<L::Value>, others: Others) -> Result<Self, Error> {
        let Some(level) = L::FOLDS else { return Self::from_stored(entries) };
        let made = Self::from_stored(&Self::folded(level, entries)?)?;
        match others {
            Others::Fill => made.holds_no_more(level, entries),
            Others::Follow => Ok(made),
        }
    }

    /// The tensor with these entries, each of which is stored for itself.
    fn from_stored(entries: &Entries<L::Value>) -> Result<Self, Error> {
        let Entries { shape, columns, stops, values } = entries;
        let all = 0..values.len();
        if L::storable(&L::fill()) {
            return Self::assemble(shape, |root| root.build(0, columns, stops, values, all));
        }
        // What the leaf cannot store is its fill, so leaving it out changes nothing.
        let kept = entries.only(L::storable);
        let given = kept.coordinates();
        let all = 0..kept.values.len();
        let made = Self::assemble(shape, |root| {
            root.build(0, &kept.columns, &kept.stops, &kept.values, all)
        })?;
        made.holds_only(given)
    }

    /// The tensor, if it has as many entries as it was given: a leaf that cannot store its fill makes
    /// `true` of coordinates that a level stores beside them.
    fn holds_only(self, given: usize) -> Result<Self, Error> {
        let mut held = 0;
        // Of entries that are stored as one, one was given.
        self.for_each(|at, _| held += usize::from(self.is_stored_there(at)));
        if held == given {
            return Ok(self);
        }
        let reason = format!(
            "it stores {held} entries for {given} that were given, and its leaf has no value for the others"
        );
        Err(Error::Unstorable { level: L::NAME, shape: self.shape(), reason })
    }

    fn assemble(
        shape: &[usize],
        build: impl FnOnce(&mut L) -> Result<(), String>,
    ) -> Result<Self, Error> {
        rank::<L>(shape.len())?;
        addressable(shape)?;
        let made = L::empty(shape).and_then(|mut root| {
            root.reserve(1)?;
            root.open(0)?;
            build(&mut root)?;
            root.finish(1)?;
            Ok(root)
        });
        let root = made.map_err(|reason| Error::Unstorable {
            level: L::NAME,
            shape: shape.to_vec(),
            reason,
        })?;
        // Levels come from anywhere, and safe code gets here: what they assembled is checked
        // like what they were handed.
        Self::from_parts(root)
    }
}

impl<L: Level> fmt::Debug for Tensor<L>
where
    L::Value: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("format", &format_args!("{}", display::format_name::<L>()))
            .field("shape", &self.shape())
            .field("stored", &self.triplets())
            .finish()
    }
}

/// Checks every invariant of the levels of a tensor.
fn whole<L: Level>(root: &L) -> Result<(), (&'static str, String)> {
    root.check(1).map_err(|reason| (root.at_fault(1), reason))?;
    if L::RANGES {
        root.check_ranges(L::position(0, 1)).map_err(|reason| (L::NAME, reason))?;
    }
    Ok(())
}

pub(crate) fn rank<L: Level>(found: usize) -> Result<(), Error> {
    if found == L::RANK {
        return Ok(());
    }
    Err(Error::Rank { expected: L::RANK, found })
}

/// Checks that each size is one that a slice could have.
fn addressable(shape: &[usize]) -> Result<(), Error> {
    // Kernels compute with coordinates up to this.
    if shape.iter().all(|&n| n as u64 <= crate::rt::LIMIT as u64) {
        return Ok(());
    }
    Err(Error::TooLarge { shape: shape.to_vec() })
}

/// The number of elements.
fn volume(shape: &[usize]) -> Result<usize, Error> {
    // A zero anywhere makes the product zero, however large the others are.
    if shape.contains(&0) {
        return Ok(0);
    }
    let product = shape.iter().try_fold(1usize, |p, &n| p.checked_mul(n));
    product.ok_or_else(|| Error::TooLarge { shape: shape.to_vec() })
}
