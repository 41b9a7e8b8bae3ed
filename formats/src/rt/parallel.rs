//! What parallel loops call: cutting an extent into chunks of about equal work, running them, and
//! joining what they made.
//!
//! How an extent is cut follows from the sizes and the stored entries alone, never from the number of
//! threads, and what chunks made is combined in their order: results are the same on every machine.

use crate::tensor::{Entries, Others};
use crate::{ByColumns, Error, Level, Tensor};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most chunks of a loop.
pub const MOST: usize = 64;

/// Work below which a loop is one chunk: it takes about as long as another thread to wake up.
static WORTH: AtomicUsize = AtomicUsize::new(1 << 17);

/// Sets how much work is worth more than one chunk, for tests.
#[doc(hidden)]
pub fn worth(units: usize) {
    WORTH.store(units, Ordering::Relaxed);
}

/// How often a thread looks whether the others have ended before it sleeps: for some 50 to 100 microseconds.
#[cfg(feature = "rayon")]
const PATIENCE: usize = 20_000;

/// A part `from..to` of an extent.
pub type Chunk = (i64, i64);

/// Cuts `lo..hi` into chunks of about equal work, at most [`MOST`], one at least.
///
/// `work(i)` is what lies before `i`: it does not descend. Every index is work of its own, `own` units; a
/// unit takes `weight` steps. A loop of little work is one chunk. Each chunk keeps `private` elements of its
/// own, which are steps too: there are no more chunks than have as many of others.
pub fn cuts(
    lo: i64,
    hi: i64,
    own: usize,
    private: usize,
    weight: usize,
    work: impl Fn(i64) -> usize,
) -> Vec<Chunk> {
    if hi <= lo {
        return vec![(lo, lo)];
    }
    let first = work(lo);
    let before = |i: i64| {
        let indices = ((i - lo) as usize).saturating_mul(own);
        work(i).saturating_sub(first).saturating_add(indices)
    };
    let all = before(hi);
    let (steps, worth) = (all.saturating_mul(weight), WORTH.load(Ordering::Relaxed).max(16));
    let count = match steps < worth {
        true => 1,
        false => (steps / (worth / 16)).min(steps / private.max(1)).clamp(1, MOST),
    };
    let mut from = lo;
    let mut chunks = Vec::with_capacity(count);
    for k in 1..=count {
        let share = (all as u128 * k as u128 / count as u128) as usize;
        let to = if k == count { hi } else { reached(from, hi, |i| before(i) >= share) };
        if to > from {
            chunks.push((from, to));
        }
        from = to;
    }
    chunks
}

/// The first `i` of `lo..hi` for which `there` holds, from which on it does; else `hi`.
fn reached(mut lo: i64, mut hi: i64, there: impl Fn(i64) -> bool) -> i64 {
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        match there(middle) {
            true => hi = middle,
            false => lo = middle + 1,
        }
    }
    lo
}

/// The parts of `array` that belong to the chunks, if it has an equal share for each of `len` indices.
///
/// # Panics
/// If a chunk that is not empty is not within `0..len`, or chunks are out of order.
pub fn split<'a, T>(array: &'a mut [T], len: i64, chunks: &[Chunk]) -> Vec<&'a mut [T]> {
    let each = if len > 0 { array.len() / len as usize } else { 0 };
    let (mut rest, mut at) = (array, 0);
    let mut parts = Vec::with_capacity(chunks.len());
    for &(from, to) in chunks {
        if to <= from {
            // An empty extent may lie anywhere.
            parts.push(&mut [][..]);
            continue;
        }
        let (_, behind) = std::mem::take(&mut rest).split_at_mut((from - at) as usize * each);
        let (part, behind) = behind.split_at_mut((to - from) as usize * each);
        parts.push(part);
        (rest, at) = (behind, to);
    }
    parts
}

/// Runs `each` on every part, in parallel; the results are in the order of the parts.
///
/// The calling thread works too, so that there is no waiting for others to wake where there is little to do.
/// What the others have left it awaits awake, for about as long as it would take to wake up: parts are
/// small, and a thread that sleeps is late. A thread of the pool has other work to do meanwhile.
///
/// # Panics
/// If one of them panics.
pub fn run<P: Send, R: Send>(parts: Vec<P>, each: impl Fn(P) -> R + Sync) -> Vec<R> {
    let others = threads().min(parts.len()).saturating_sub(1);
    if others == 0 {
        return parts.into_iter().map(each).collect();
    }
    let work: Vec<Mutex<(Option<P>, Option<R>)>> =
        parts.into_iter().map(|part| Mutex::new((Some(part), None))).collect();
    let next = AtomicUsize::new(0);
    together(others, || {
        while let Some(slot) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
            let part = lock(slot).0.take();
            let result = part.map(&each);
            lock(slot).1 = result;
        }
    });
    let results = work.into_iter().map(|slot| lock(&slot).1.take());
    results
        .map(|result| result.expect("the scope ends when every part was taken and run"))
        .collect()
}

#[cfg(feature = "rayon")]
fn threads() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "rayon"))]
fn threads() -> usize {
    1
}

/// Runs `worker` on the calling thread and on so many others, and awaits all.
#[cfg(feature = "rayon")]
fn together(others: usize, worker: impl Fn() + Sync) {
    let ended = AtomicUsize::new(0);
    rayon::in_place_scope(|scope| {
        let other = |_: &rayon::Scope<'_>| {
            worker();
            ended.fetch_add(1, Ordering::Release);
        };
        (0..others).for_each(|_| scope.spawn(other));
        worker();
        if rayon::current_thread_index().is_none() {
            let left = || ended.load(Ordering::Acquire) < others;
            (0..PATIENCE).take_while(|_| left()).for_each(|_| std::hint::spin_loop());
        }
    });
}

#[cfg(not(feature = "rayon"))]
fn together(_others: usize, worker: impl Fn() + Sync) {
    worker();
}

/// What is behind a lock; nobody panics while holding one.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Pairs the parts of chunks.
pub fn zip<A, B>(a: Vec<A>, b: Vec<B>) -> Vec<(A, B)> {
    a.into_iter().zip(b).collect()
}

/// What has a level of one fiber: a tensor, by rows or by columns.
pub trait Rooted {
    /// That level.
    type Root: Level;
}

impl<L: Level> Rooted for Tensor<L> {
    type Root = L;
}

impl<L: Level> Rooted for ByColumns<L> {
    type Root = L;
}

/// The level of one fiber that has what `parts` have, each in its chunk.
///
/// Coordinates of a part count from where its chunk begins if `moved`. `like` is the type of the tensor
/// and `shape` its shape. Linear in what is stored.
///
/// # Errors
/// [`Error::Unstorable`], [`Error::TooLarge`], where the format has no way to join fibers.
pub fn join<T: Rooted>(
    parts: Vec<(Chunk, T::Root)>,
    moved: bool,
    shape: &[i64],
    like: PhantomData<T>,
) -> Result<T::Root, Error> {
    let _ = like;
    joined(parts, moved, shape)
}

fn joined<L: Level>(parts: Vec<(Chunk, L)>, moved: bool, shape: &[i64]) -> Result<L, Error> {
    let shape: Vec<usize> = shape.iter().map(|&n| n.max(0) as usize).collect();
    let whole =
        !moved || parts.iter().map(|((from, to), _)| to - from).sum::<i64>() == shape[0] as i64;
    if whole && (L::JOINS_ALONG || parts.len() == 1) {
        let mut parts = parts.into_iter().map(|(_, level)| level);
        if let Some(mut all) = parts.next() {
            let others: Vec<L> = parts.collect();
            if !others.is_empty() {
                all.join(others, true);
            }
            return Ok(all);
        }
        return Tensor::new(shape).map(Tensor::into_root);
    }
    let mut entries = Entries::new(&shape);
    for ((from, to), level) in parts {
        let part = Tensor::from_parts(level)?;
        let (from, to) = (from as usize, to as usize);
        let mut at = Vec::new();
        part.for_each(|coords, value| {
            at.clear();
            at.extend_from_slice(coords);
            if moved {
                at[0] += from;
            }
            if L::FOLDS.is_some() {
                // Of entries that are one, the chunk of the other need not have seen this one.
                let mut stored = at.clone();
                part.root().fold(&mut stored, 0);
                if stored != at {
                    return;
                }
            }
            // What a format says of coordinates outside of the chunk, as of the last run, is fill.
            if (from..to).contains(&at[0]) {
                let stop = at[at.len() - 1] + 1;
                entries.push_run(&at, stop, value.clone());
            }
        });
    }
    Tensor::from_sorted(&entries, Others::Follow).map(Tensor::into_root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Csr, Element, RunList, SparseVec};

    #[test]
    fn chunks_cover_the_extent_in_order() {
        for hi in [-3i64, 0, 1, 2, 5, 1000, 100_000] {
            for weight in [0usize, 1, 7, 5000] {
                let chunks = cuts(0, hi, 1, 0, 1, |i| i as usize * weight);
                assert_eq!(chunks[0].0, 0);
                assert_eq!(chunks[chunks.len() - 1].1, hi.max(0));
                assert!(chunks.windows(2).all(|w| w[0].1 == w[1].0), "{chunks:?}");
                assert!(chunks.len() <= MOST);
                assert!(hi < 2 || chunks.iter().all(|(a, b)| a < b), "{chunks:?}");
            }
        }
    }

    #[test]
    fn chunks_have_about_equal_work() {
        // All work in the first tenth.
        let chunks = cuts(0, 1000, 1, 0, 1, |i| i.min(100) as usize * 10_000);
        assert_eq!(chunks.len(), MOST);
        assert!(chunks.iter().filter(|(from, _)| *from < 100).count() >= MOST - 1);
        // One index that is most of the work is a chunk.
        let chunks = cuts(0, 100, 1, 0, 1, |i| usize::from(i > 50) * 1_000_000);
        assert!(chunks.len() <= 3 && chunks.iter().any(|(from, to)| (*from..*to).contains(&50)));
    }

    #[test]
    fn private_copies_are_work() {
        assert_eq!(cuts(0, 1000, 1000, 500_000, 1, |_| 0).len(), 2);
        assert_eq!(cuts(0, 1000, 1000, 5_000_000, 1, |_| 0).len(), 1);
    }

    #[test]
    fn parts_of_an_array_are_those_of_the_chunks() {
        let mut array: Vec<i32> = (0..12).collect();
        let parts = split(&mut array, 6, &[(1, 2), (2, 5)]);
        assert_eq!(parts, [&[2, 3][..], &[4, 5, 6, 7, 8, 9][..]]);
        let mut none: [i32; 0] = [];
        assert_eq!(split(&mut none, 0, &[(0, 0)]), [&[] as &[i32]]);
    }

    fn list(n: usize, entries: &[(usize, f64)]) -> SparseVec<f64> {
        let entries = entries.iter().map(|&(i, v)| ([i], v));
        Tensor::from_triplets([n], entries, crate::Refuse).unwrap()
    }

    #[test]
    fn lists_are_joined_as_they_are() {
        let parts = vec![
            ((0, 3), list(9, &[(1, 1.0), (2, 0.0)]).into_root()),
            ((3, 5), list(9, &[]).into_root()),
            ((5, 9), list(9, &[(8, 3.0)]).into_root()),
        ];
        let all = Tensor::from_parts(joined(parts, false, &[9]).unwrap()).unwrap();
        assert_eq!(all, list(9, &[(1, 1.0), (2, 0.0), (8, 3.0)]));
    }

    #[test]
    fn rows_are_joined_with_their_positions() {
        let rows = |all: &[[f64; 3]]| -> Csr<f64> {
            Tensor::from_dense([all.len(), 3], all.as_flattened()).unwrap()
        };
        let (a, b) = ([[0.0, 1.0, 0.0], [2.0, 0.0, 3.0]], [[0.0, 0.0, 4.0]]);
        let parts = vec![((0, 2), rows(&a).into_root()), ((2, 3), rows(&b).into_root())];
        let all = Tensor::from_parts(joined(parts, true, &[3, 3]).unwrap()).unwrap();
        assert_eq!(all, rows(&[a[0], a[1], b[0]]));
        assert_eq!((0..4).map(|i| all.work(i)).collect::<Vec<_>>(), [0, 1, 3, 4]);
    }

    #[test]
    fn formats_that_do_not_join_are_built_again() {
        type Runs = Tensor<RunList<Element<f64>>>;
        let runs = |v: &[f64]| -> Runs { Tensor::from_dense([v.len()], v).unwrap() };
        let parts = vec![
            ((0, 2), runs(&[1.0, 1.0, 0.0, 0.0]).into_root()),
            ((2, 4), runs(&[0.0, 0.0, 1.0, 2.0]).into_root()),
        ];
        let all = Tensor::from_parts(joined(parts, false, &[4]).unwrap()).unwrap();
        assert_eq!(all, runs(&[1.0, 1.0, 1.0, 2.0]));
    }
}
