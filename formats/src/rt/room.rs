//! Room that a vector has for elements which are put there one after the other, or all at once, and memory for it.

use super::memory::debug_check;
use std::mem::MaybeUninit;

/// The room that a vector has after its elements, where others are put one after the other.
pub struct Room<'a, T> {
    vec: &'a mut Vec<T>,
    /// How many elements there were.
    from: usize,
    /// Where the next ones go.
    at: *mut T,
    most: usize,
}

/// The room for `most` that `vec` has after its elements: no more, so that it shows where `most` is too few.
///
/// # Panics
/// There is less.
#[inline(always)]
pub fn spare<T>(vec: &mut Vec<T>, most: i64) -> Room<'_, T> {
    let from = vec.len();
    let room: &mut [MaybeUninit<T>] = &mut vec.spare_capacity_mut()[..most as usize];
    let (at, most) = (room.as_mut_ptr().cast(), room.len());
    Room { vec, from, at, most }
}

/// The elements of `vec` with the room for `most` behind them, both told by where they are in it.
///
/// # Panics
/// There is less.
#[inline(always)]
pub fn with_spare<T>(vec: &mut Vec<T>, most: i64) -> Room<'_, T> {
    let most = vec.len() + most as usize;
    assert!(most <= vec.capacity());
    Room { from: 0, at: vec.as_mut_ptr(), most, vec }
}

/// The element `i` of the vector of [`with_spare`], one of those that it had or of those that were [`put`].
///
/// # Safety
/// There is one. That there could be is checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn made<'r, T>(room: &'r mut Room<'_, T>, i: i64) -> &'r mut T {
    debug_check(i, room.most);
    // SAFETY: the caller promises that the element was put, or was there before.
    unsafe { &mut *room.at.add(i as usize) }
}

/// The room for all elements of a vector that has none.
pub struct Unfilled<T> {
    at: *mut T,
    all: usize,
}

/// The room for the `all` elements of `vec`, which has none. It holds no borrow, so that the loops that fill it need keep no more than
/// where it begins.
///
/// # Panics
/// There is less, or there are elements.
#[inline(always)]
pub fn unfilled<T: Copy>(vec: &mut Vec<T>, all: i64) -> Unfilled<T> {
    assert!(vec.is_empty() && all as usize <= vec.capacity());
    Unfilled { at: vec.as_mut_ptr(), all: all as usize }
}

/// Writes element `i`.
///
/// # Safety
/// `i` is below the number of all, which is checked with debug assertions, and nothing was done with the vector since [`unfilled`].
#[inline(always)]
#[track_caller]
pub unsafe fn put_unfilled<T: Copy>(room: &mut Unfilled<T>, i: i64, value: T) {
    debug_check(i, room.all);
    // SAFETY: the caller promises that there is room for it.
    unsafe { room.at.add(i as usize).write(value) };
}

/// As [`put_unfilled`] for `count` elements from `i` on, those of `from` from `of` on; none if `count` is not above zero.
///
/// # Safety
/// The same, for each of them.
///
/// # Panics
/// If `from` has fewer.
#[inline(always)]
#[track_caller]
pub unsafe fn copy_unfilled<T: Copy>(
    room: &mut Unfilled<T>,
    i: i64,
    from: &[T],
    of: i64,
    count: i64,
) {
    let from = part(from, of, count);
    let Some(last) = from.len().checked_sub(1) else { return };
    debug_check(i, room.all);
    debug_check(i + last as i64, room.all);
    // SAFETY: the caller promises that there is room for them; a slice of initialised elements is no part of it.
    let to = unsafe { room.at.add(i as usize) };
    if from.len() < FEW {
        for (n, value) in from.iter().enumerate() {
            // SAFETY: the same.
            unsafe { to.add(n).write(*value) };
        }
    } else {
        // SAFETY: the same.
        unsafe { to.copy_from_nonoverlapping(from.as_ptr(), from.len()) };
    }
}

/// A call takes longer than to copy fewer elements one by one.
const FEW: usize = 8;

/// Copies `count` elements of `from`, from `of` on, to those of `to` from `at` on; none if `count` is not above zero.
///
/// # Panics
/// If there are fewer.
#[inline(always)]
#[track_caller]
pub fn copy_row<T: Copy>(to: &mut [T], at: i64, from: &[T], of: i64, count: i64) {
    let from = part(from, of, count);
    if from.is_empty() {
        return;
    }
    let to = &mut to[at as usize..][..from.len()];
    if from.len() < FEW {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    } else {
        to.copy_from_slice(from);
    }
}

/// `count` elements from `of` on; none if `count` is not above zero.
#[inline(always)]
#[track_caller]
fn part<T>(all: &[T], of: i64, count: i64) -> &[T] {
    match usize::try_from(count) {
        Ok(count @ 1..) => &all[of as usize..][..count],
        _ => &[],
    }
}

/// Takes up all elements of the room, which is that of `vec`.
///
/// # Safety
/// Each was written by [`put_unfilled`].
#[inline(always)]
pub unsafe fn filled_all<T: Copy>(vec: &mut Vec<T>, room: Unfilled<T>) {
    // SAFETY: the caller promises it; that there is room was checked.
    unsafe { vec.set_len(room.all) };
}

/// Writes element `i` of `room`. One that has something to drop is the vector's from then on, so that it is
/// dropped if a later one panics instead of being put.
///
/// # Safety
/// `i` elements were put before, and there is room for one more, which is checked with debug assertions. An element
/// that has nothing to drop may be put where one was put before.
#[inline(always)]
#[track_caller]
pub unsafe fn put<T>(room: &mut Room<'_, T>, i: i64, value: T) {
    debug_check(i, room.most);
    // SAFETY: the caller promises that there is room after the `i` elements that were put.
    unsafe { room.at.add(i as usize).write(value) };
    if std::mem::needs_drop::<T>() {
        // SAFETY: there were `from` elements, and the caller promises that `i` were put after them.
        unsafe { room.vec.set_len(room.from + i as usize + 1) };
    }
}

/// 1 if a run is a new one, 0 if it is `joined` with the last of `count`, which are some.
#[inline(always)]
pub fn new_run(count: i64, joined: bool) -> i64 {
    i64::from(!(joined & (count > 0)))
}

/// Takes up the first `count` elements of the room.
///
/// # Safety
/// Each was [`put`]. That there is room for them is checked with debug assertions.
#[inline(always)]
pub unsafe fn filled<T>(room: Room<'_, T>, count: i64) {
    debug_assert!(count >= 0 && count as usize <= room.most);
    // SAFETY: the caller promises it.
    unsafe { room.vec.set_len(room.from + count as usize) };
}

/// Makes room for `most` elements, if there is as much memory: it is only a hint.
#[inline(always)]
pub fn room<T>(vec: &mut Vec<T>, most: usize) {
    *vec = roomy(std::mem::take(vec), most);
}

#[inline(never)]
fn roomy<T>(mut vec: Vec<T>, most: usize) -> Vec<T> {
    let _ = vec.try_reserve_exact(most);
    vec
}

/// Makes room for `more` elements after those of `vec` in iteration `at` of a loop over `lo..hi`, and for those of the
/// iterations that follow, taken to be like those before.
///
/// # Errors
/// The reason, if the memory cannot be had.
#[inline(always)]
pub fn room_for_all<T>(
    vec: &mut Vec<T>,
    more: usize,
    (lo, at, hi): (i64, i64, i64),
) -> Result<(), String> {
    if more <= vec.capacity() - vec.len() {
        return Ok(());
    }
    let (larger, result) = foreseen(std::mem::take(vec), more, (at - lo, hi - lo));
    *vec = larger;
    result
}

/// How many times what is needed is asked for at most: in the first iteration, which may be unlike the others, once more
/// in each that follows, and ever.
const FORESEEN: std::ops::RangeInclusive<usize> = 8..=64;

#[cold]
#[inline(never)]
fn foreseen<T>(
    mut vec: Vec<T>,
    more: usize,
    (done, of): (i64, i64),
) -> (Vec<T>, Result<(), String>) {
    let needed = vec.len().saturating_add(more);
    // With an eighth on top, so that it does not fall short by little.
    let all = needed as f64 * (of as f64 / (done + 1) as f64) * 1.125;
    let times = FORESEEN.start().saturating_add(done as usize).min(*FORESEEN.end());
    let most = needed.saturating_mul(times);
    let wanted = (all as usize).min(most).max(vec.capacity() / 2 * 3);
    if wanted > needed && vec.try_reserve_exact(wanted - vec.len()).is_ok() {
        return (vec, Ok(()));
    }
    let result = crate::level::room(&mut vec, more);
    (vec, result)
}

/// Gives back room that is more than what is used.
#[inline(always)]
pub fn fit<T>(vec: &mut Vec<T>) {
    if vec.capacity() / 2 > vec.len() {
        *vec = fitting(std::mem::take(vec));
    }
}

#[inline(never)]
fn fitting<T>(mut vec: Vec<T>) -> Vec<T> {
    vec.shrink_to_fit();
    vec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_all_iterations() {
        // A thousand iterations of three entries each: the room is made in few steps, none of it for far too many.
        let mut vec: Vec<u32> = Vec::new();
        let mut capacities = Vec::new();
        for at in 5..1005 {
            room_for_all(&mut vec, 3, (5, at, 1005)).expect("memory for little");
            if capacities.last() != Some(&vec.capacity()) {
                capacities.push(vec.capacity());
            }
            vec.extend([1, 2, 3]);
        }
        assert!(capacities.len() <= 5, "{capacities:?}");
        assert!(vec.capacity() < 3 * 1000 * 3 / 2, "{capacities:?}");
        // The first iteration has all the entries, or the last one has.
        let mut vec: Vec<u32> = Vec::new();
        for (at, more) in [(0, 1000), (1, 1), (1 << 40, 0), ((1 << 40) - 1, 5000)] {
            room_for_all(&mut vec, more, (0, at, 1 << 40)).expect("memory for little");
            assert!(vec.capacity() - vec.len() >= more);
            vec.resize(vec.len() + more, 0);
        }
        assert!(vec.capacity() <= 8 * 7000, "{}", vec.capacity());
        // Too much to ask for, though what is needed is little, and what cannot be had at all.
        let mut vec: Vec<[u64; 1 << 20]> = Vec::new();
        room_for_all(&mut vec, 1, (0, i64::MAX / 4, i64::MAX / 2)).expect("memory for one");
        assert!(room_for_all(&mut vec, usize::MAX / 4, (0, 0, 1)).is_err());
    }

    #[test]
    fn room_is_filled() {
        let mut v = vec![String::from("a")];
        v.reserve(3);
        let mut room = spare(&mut v, 3);
        for i in 0..3 {
            // SAFETY: there is room for three.
            unsafe { put(&mut room, i, format!("{i}")) };
        }
        // SAFETY: three were put.
        unsafe { filled(room, 3) };
        assert_eq!(v, ["a", "0", "1", "2"]);
    }

    /// As where an operator panics between two entries.
    #[test]
    fn what_was_put_is_dropped_if_it_is_never_taken_up() {
        let one = std::rc::Rc::new(());
        let mut v = vec![one.clone()];
        v.reserve(3);
        let mut room = spare(&mut v, 3);
        // SAFETY: there is room for three.
        unsafe { put(&mut room, 0, one.clone()) };
        // SAFETY: as above, and one was put.
        unsafe { put(&mut room, 1, one.clone()) };
        assert_eq!(std::rc::Rc::strong_count(&one), 4);
        drop(v);
        assert_eq!(std::rc::Rc::strong_count(&one), 1);
    }

    #[cfg(debug_assertions)]
    #[test]
    #[should_panic(expected = "a kernel indexes element")]
    fn room_is_checked_with_debug_assertions() {
        let mut v: Vec<u8> = Vec::new();
        // SAFETY: none; the assertion stops it.
        unsafe { put(&mut spare(&mut v, 0), 0, 1) };
    }
}
