//! What a level format is at run time: the contract between the tensors of this crate and the
//! code that a `level!` declaration generates. Compiled kernels do not come through here; it
//! serves construction, checking, conversion and input/output, for every format alike.

mod growth;
mod index;

#[doc(hidden)]
pub use crate::tensor::Spread;
pub use growth::{grow, push, room};
pub use index::{Index, Number};
use std::ops::Range;

/// What a walk by levels comes to: see [`Level::descend`].
#[doc(hidden)]
pub enum Seen<'a, V> {
    /// A child of a fiber of the level that `depth` levels stand above.
    Child {
        /// How many levels are above.
        depth: usize,
        /// Its coordinate, or those of neighbours that share it.
        coordinates: Range<usize>,
        /// Its position in the level below, or those of the entries that it is made of, if they are known.
        positions: Option<Range<usize>>,
    },
    /// The value of a leaf.
    Value(&'a V),
}

/// A level of a tensor: all fibers of one dimension, or, at the bottom, the leaf with the values.
///
/// A fiber is named by its position `p`; entry `i` of it leads to a position of the level below.
/// The root has exactly one fiber, at position 0. Rank, shape and fill are those of the whole
/// subtree from this level down.
///
/// # Assembly
/// `empty`, `reserve(1)`, `open(0)`, then for every stored entry in ascending order
/// `entry`, the child's own entries, `commit`; at the end `finish(1)`. The one who calls
/// `entry` finds the child reserved and opened at the position it returns. [`Level::build`] does
/// this for a sorted list. Assembly reports what it cannot store as the reason, a sentence
/// without a full stop, and leaves a level that may only be dropped.
pub trait Level: Sized {
    /// The type of the values in the leaf under this level.
    type Value: Clone + PartialEq + 'static;

    /// What names a fiber to read: a position, or the two ends of a range of entries.
    type Position: Copy;

    /// Whether a fiber of this level is a range of entries, named by its two ends.
    const BY_RANGE: bool = false;

    /// Whether [`Level::BY_RANGE`] holds of this level or of one below it.
    const RANGES: bool;

    /// The fiber made of the entries `first..end`; a level whose fibers have one number takes
    /// the first.
    fn position(first: usize, end: usize) -> Self::Position;

    /// Checks what must hold of fiber `p` and of all below it where fibers are ranges, whose
    /// order no level sees by itself.
    ///
    /// # Errors
    /// What does not hold.
    fn check_ranges(&self, p: Self::Position) -> Result<(), String>;

    /// The number of dimensions from this level down; 0 for a leaf.
    const RANK: usize;

    /// The name of the format, as a user writes it: `"SparseList"`.
    const NAME: &'static str;

    /// The fingerprint of the declaration, by which kernels know that a type is the one they were compiled for;
    /// 0 of a level that `level!` has not made.
    #[doc(hidden)]
    const PRINT: u128 = 0;

    /// Appends the sizes of this level's dimension and of those below it to `shape`.
    fn shape_into(&self, shape: &mut Vec<usize>);

    /// A level of `shape` (its length is [`Level::RANK`]) without any fiber.
    ///
    /// # Errors
    /// The reason, if a size does not fit the coordinate type or the format cannot have this
    /// shape. Nothing of a size that depends on `shape` is allocated.
    fn empty(shape: &[usize]) -> Result<Self, String>;

    /// Checks every invariant of this level as one that has `fibers` fibers, then its child.
    ///
    /// Linear in what is stored. Must not panic, whatever the parts hold.
    ///
    /// # Errors
    /// Which invariant does not hold, and where.
    fn check(&self, fibers: usize) -> Result<(), String>;

    /// The name of the level whose invariant does not hold, where [`check`](Self::check) fails.
    #[doc(hidden)]
    fn at_fault(&self, fibers: usize) -> &'static str {
        let _ = fibers;
        Self::NAME
    }

    /// Makes fibers `0..fibers` exist; those that are new are all fill. Never takes one away.
    ///
    /// Amortised linear in the number of new fibers, so that growing by one is cheap. A format
    /// whose size follows from its shape allocates here, by [`grow`].
    ///
    /// # Errors
    /// The reason, if they cannot be allocated.
    fn reserve(&mut self, fibers: usize) -> Result<(), String>;

    /// Fiber `p`, which exists and is all fill, is about to receive entries.
    /// Fibers are opened in ascending order, but one whose entries then were not written may be
    /// opened again, and so may those before it that received none.
    ///
    /// # Errors
    /// The reason, if memory cannot be had or the format cannot be assembled from entries.
    fn open(&mut self, p: usize) -> Result<(), String>;

    /// The position in the child of entry `i` of fiber `p`; the child is reserved and opened
    /// there. The entries of a fiber come in strictly ascending order.
    ///
    /// # Errors
    /// The reason, if the format cannot store such an entry or its memory cannot be allocated.
    fn entry(&mut self, p: usize, i: usize) -> Result<usize, String>;

    /// Entry `i` of fiber `p`, whose child is at `q`, has received all that is below it.
    ///
    /// # Errors
    /// The reason, if the format cannot store this entry.
    fn commit(&mut self, p: usize, i: usize, q: usize) -> Result<(), String>;

    /// How many child fibers `fibers` fibers have by now; a leaf has itself.
    fn below(&self, fibers: usize) -> usize;

    /// No more entries will come; there are `fibers` fibers, some of which were never opened.
    ///
    /// # Errors
    /// The reason, if memory cannot be had.
    fn finish(&mut self, fibers: usize) -> Result<(), String>;

    /// Calls `f` with the coordinates and value of each stored entry below fiber `p`, in
    /// ascending order. A leaf calls it once.
    ///
    /// `coords` holds the coordinates of the levels above; it is passed on with this level's and
    /// the lower ones appended, and is as it was when this returns. The second argument is one
    /// past the last coordinate, in the last dimension, that has the same stored value: a level
    /// of runs gives a run at once. (It is 0 for a leaf alone.)
    #[allow(clippy::type_complexity)]
    fn each(
        &self,
        p: Self::Position,
        coords: &mut Vec<usize>,
        f: &mut dyn FnMut(&[usize], usize, &Self::Value),
    );

    /// Calls `f` with each child of fiber `p`, in ascending order of coordinates, and goes on below those of which `f` says
    /// so; a leaf calls it with its value. `depth` levels stand above this one.
    ///
    /// What is seen are levels as they are stored, where [`Level::each`] has entries alone: a child is seen though nothing is
    /// stored below it, and one that is shared by neighbouring coordinates is seen once. Of a level that `level!` has not
    /// made it is what follows from the entries. Linear in what the fibers store that are visited.
    #[doc(hidden)]
    fn descend(
        &self,
        p: Self::Position,
        depth: usize,
        f: &mut dyn FnMut(Seen<'_, Self::Value>) -> bool,
    ) {
        // The path to the entry before, and how much of it `f` wanted to see more of.
        let (mut last, mut wanted): (Vec<usize>, usize) = (Vec::new(), 0);
        self.each(p, &mut Vec::new(), &mut |at, stop, value| {
            let same = at.iter().zip(&last).take_while(|(a, b)| a == b).count();
            if same > wanted {
                return;
            }
            last = at.to_vec();
            wanted = same;
            while wanted < at.len() {
                let end = if wanted + 1 == at.len() { stop } else { at[wanted] + 1 };
                let (depth, coordinates) = (depth + wanted, at[wanted]..end);
                if !f(Seen::Child { depth, coordinates, positions: None }) {
                    return;
                }
                wanted += 1;
            }
            f(Seen::Value(value));
        });
    }

    /// Appends the names of this level and of those below it, the leaf's among them, as far as they are known.
    #[doc(hidden)]
    fn names(names: &mut Vec<&'static str>) {
        names.push(Self::NAME);
    }

    /// Writes entries below fiber `p`, which is open.
    ///
    /// Entry `e` of `range` has coordinate `columns[d][e]` in dimension `d` counted from this
    /// level, and value `values[e]`; in the last dimension it reaches to `stops[e]`. Entries are
    /// sorted by coordinates and do not overlap.
    /// A leaf has no columns and writes `values[range.start]` at `p`, if `range` is not empty.
    ///
    /// A level that is no leaf splits `range` where `columns[0]` changes (see [`group`]), and
    /// for each part calls `entry`, the child's `build` with `&columns[1..]`, and `commit`.
    ///
    /// # Errors
    /// Those of [`Level::entry`].
    fn build(
        &mut self,
        p: usize,
        columns: &[Vec<usize>],
        stops: &[usize],
        values: &[Self::Value],
        range: Range<usize>,
    ) -> Result<(), String>;

    /// The leaf's values in the order of their positions, if it has an array of them.
    fn values_mut(&mut self) -> Option<&mut [Self::Value]>;

    /// The same values, to read. Levels made by `level!` have it where they have [`Level::values_mut`].
    fn values(&self) -> Option<&[Self::Value]> {
        None
    }

    /// Whether all levels, from this one on, store all coordinates.
    const FULL: bool = false;

    /// Whether each coordinate has a value in all levels, from this one on, be it one of many as in a run.
    const WHOLE: bool = false;

    /// The number of leaf values stored below `fibers` fibers.
    fn stored(&self, fibers: usize) -> usize;

    /// The format, of this level or one below, in which several entries are one that is stored once,
    /// as in each half of a symmetric matrix.
    const FOLDS: Option<&'static str> = None;

    /// Changes `coords`, those of an entry of a tensor, to those of the entry that is stored for it.
    /// This level's is `coords[dimension]`; it and those below may change coordinates up to their own.
    /// Tensors are assembled of entries that this leaves alone.
    fn fold(&self, coords: &mut [usize], dimension: usize) {
        let _ = (coords, dimension);
    }

    /// Whether the fibers of two levels can be made those of one, by [`Level::join`].
    const JOINS: bool = false;

    /// Whether one fiber can be joined with another that goes on where it ends.
    const JOINS_ALONG: bool = false;

    /// Adds the fibers of each of `next` behind those of this level; or, if `along`, where all have one
    /// fiber, makes them one: no coordinate of a level is before one of those before it.
    ///
    /// Linear in what is stored in `next`.
    ///
    /// # Panics
    /// Unless [`Level::JOINS`], or for `along` [`Level::JOINS_ALONG`].
    fn join(&mut self, next: Vec<Self>, along: bool) {
        let _ = (next, along);
        panic!("`{}` does not declare how fibers are joined", Self::NAME);
    }

    /// Whether two fibers can exchange what they hold, by [`Level::swap`]: what stands below a level whose entries move
    /// as others come and go.
    const SWAPS: bool = false;

    /// Exchanges what fibers `a` and `b` hold, in constant time or, of a level with a child for each coordinate, in that
    /// of as many exchanges.
    ///
    /// # Panics
    /// Unless [`Level::SWAPS`], or if there is no such fiber.
    fn swap(&mut self, a: usize, b: usize) {
        let _ = (a, b);
        panic!("`{}` does not declare how fibers are exchanged", Self::NAME);
    }

    /// How much is stored before coordinate `i` of fiber `p`, over all fibers: what parallel loops are
    /// cut by. Does not descend in `p` or `i`; a level that does not declare `split` counts its fibers.
    fn work(&self, p: usize, i: usize) -> usize {
        let _ = i;
        p
    }

    /// About how many entries all fibers have, by a sample of the words of a level that holds bits: [`Level::work`] counts the positions
    /// of such a level. None of others. Constant.
    fn counted(&self) -> Option<usize> {
        None
    }

    /// What [`Level::work`] says of the coordinate `at[0]` of fiber `p`, of `at[1]` in the fiber below that, and so on. None if
    /// a level does not say, or is made of nodes.
    #[doc(hidden)]
    fn work_at(&self, p: usize, at: &[usize]) -> Option<usize> {
        let _ = (p, at);
        None
    }

    /// Calls `each` with the coordinates of the entries of the fiber that [`Level::work_at`] finds, in order, if it finds it.
    #[doc(hidden)]
    fn visit_at(&self, p: usize, at: &[usize], each: &mut dyn FnMut(usize)) {
        let _ = (p, at, each);
    }

    /// Whether this level, or one that its `split` leads to, is made of nodes: what its fibers store is not in order.
    #[doc(hidden)]
    const NODES: bool = false;

    /// How much fiber `p` stores; one if the level does not say. Of nodes it is what roots count, so that of a tree of
    /// trees each tree is asked, and no entry below.
    #[doc(hidden)]
    fn weight(&self, p: usize) -> usize {
        let _ = p;
        1
    }

    /// What [`Level::weight`] says of each fiber of the level that [`Level::work`] counts the fibers of, if that is one
    /// made of nodes: sums of all before, one more than there are fibers.
    #[doc(hidden)]
    fn heaps(&self) -> Option<Vec<usize>> {
        None
    }

    /// What the entries of the only fiber of a level made of nodes store.
    #[doc(hidden)]
    fn spread(&self) -> Option<Spread> {
        None
    }

    /// The value of every entry that is not stored.
    fn fill() -> Self::Value;

    /// Whether the leaf can store `value` as an explicit entry. It can store all values but
    /// possibly its fill: a pattern has no entry that says `false`.
    fn storable(value: &Self::Value) -> bool;

    /// The value stored at `coords` (as many as [`Level::RANK`]) below fiber `p`.
    ///
    /// Linear in what the fiber stores unless the format does better.
    fn find(&self, p: Self::Position, coords: &[usize]) -> Option<Self::Value> {
        let mut found = None;
        self.each(p, &mut Vec::new(), &mut |at, stop, value| {
            let here = match (at.split_last(), coords.split_last()) {
                (Some((first, at)), Some((c, coords))) => at == coords && first <= c && *c < stop,
                _ => true,
            };
            if here {
                found = Some(value.clone());
            }
        });
        found
    }
}

/// A level whose entries come and go one by one: one made of nodes, and what may stand above and below it.
///
/// Implemented by `level!` for levels whose schema says how entries are inserted, for levels with a child for each
/// coordinate, and for leaves that say `swap`.
#[diagnostic::on_unimplemented(
    message = "the entries of `{Self}` do not come and go one by one",
    note = "levels made of nodes have them do so, such as `Bst` and `BTree`, below `Dense` or each other"
)]
pub trait Grows: Level {
    /// Whether the way to an entry of a fiber is linear in what the fiber stores, as in a list; else it is logarithmic.
    const LINEAR: bool;

    /// Whether an element may go: not one of a dense dimension.
    const GOES: bool;

    /// The position of the leaf's value at `coords` (as many as [`Level::RANK`]) below fiber `p`, which is made if there
    /// is none, and whether it was.
    ///
    /// # Errors
    /// The reason, if there is no room. Entries that were there before still are.
    fn make(&mut self, p: usize, coords: &[usize]) -> Result<(usize, bool), String>;

    /// The position of the leaf's value at `coords` below fiber `p`, if it is stored.
    fn seat(&self, p: usize, coords: &[usize]) -> Option<usize>;

    /// Takes the entry at `coords` below fiber `p` out, with what stands above it if nothing else is left there; gives
    /// its value, if there was one.
    ///
    /// # Errors
    /// The reason, if the level cannot: other entries still are there.
    fn unmake(&mut self, p: usize, coords: &[usize]) -> Result<Option<Self::Value>, String>;

    /// Whether nothing is stored below fiber `p`.
    fn vacant(&self, p: usize) -> bool;

    /// Takes all out that is stored below fiber `p`.
    fn erase(&mut self, p: usize);

    /// About how many entries are stored in all fibers, found without a look at any: positions that are free count.
    fn room(&self) -> usize;

    /// The value of a leaf at `p`, with the fill in its place.
    fn take(&mut self, p: usize) -> Self::Value {
        let _ = p;
        Self::fill()
    }
}

/// A level whose declaration says `unsafe invariant`: its author vouches that the invariant covers
/// every index that the declaration computes, and holds of what its `write` and `join` make.
///
/// # Safety
/// Implemented by `level!` only. `DECLARATION` is the fingerprint of the declaration, which kernels
/// compare with that of the tokens they were compiled from: a type is trusted only if it is the one
/// that the declaration is of, whatever its name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the format that the macro of its name declares",
    note = "an alias or a type of your own shadows an imported format: declare it with `level!`"
)]
pub unsafe trait Vouched {
    /// The fingerprint.
    const DECLARATION: u128;
}

/// The end of the group of equal coordinates that starts at `range.start` of `column`: the
/// entries of a [`Level::build`] that share one child.
///
/// # Panics
/// If `range` is empty or not within `column`.
#[inline]
pub fn group(column: &[usize], range: Range<usize>) -> usize {
    let (start, end) = (range.start, range.end);
    let i = column[start];
    start + 1 + column[start + 1..end].iter().take_while(|&&c| c == i).count()
}

/// Offsets that count up from 0, with those of `next` behind them; `along` one fiber, which gets longer.
pub fn join_offsets<T>(own: &mut Vec<T>, next: &[T], along: bool)
where
    T: Copy + Default + std::ops::Add<Output = T> + std::ops::AddAssign,
{
    match (along, own.last_mut(), next.last()) {
        (true, Some(last), Some(more)) => *last += *more,
        _ => {
            let before = own.last().copied().unwrap_or_default();
            own.extend(next.iter().skip(1).map(|n| before + *n));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_end_where_the_coordinate_changes() {
        let column = [1, 1, 2, 3, 3, 3];
        assert_eq!(group(&column, 0..6), 2);
        assert_eq!(group(&column, 0..1), 1);
        assert_eq!(group(&column, 2..6), 3);
        assert_eq!(group(&column, 3..5), 5);
    }
}
