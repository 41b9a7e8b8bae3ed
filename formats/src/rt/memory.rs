//! Elements of slices by the `i64` of a kernel: checked where debug assertions are, and in safe code.

use crate::level::Number;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Element `i` of `s`.
///
/// # Safety
/// `0 <= i` and `i < s.len()`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn get<T: Clone>(s: &[T], i: i64) -> T {
    debug_check(i, s.len());
    // SAFETY: the caller promises that `i` is in range.
    unsafe { s.get_unchecked(i as usize) }.clone()
}

/// Element `i` of `s`, to write.
///
/// # Safety
/// `0 <= i` and `i < s.len()`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn get_mut<T>(s: &mut [T], i: i64) -> &mut T {
    debug_check(i, s.len());
    // SAFETY: the caller promises that `i` is in range.
    unsafe { s.get_unchecked_mut(i as usize) }
}

/// Writes element `i` of `s`.
///
/// # Safety
/// `0 <= i` and `i < s.len()`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn set<T>(s: &mut [T], i: i64, value: T) {
    // SAFETY: the contract is the same.
    unsafe { *get_mut(s, i) = value }
}

/// Element `i` of `s`, by reference.
///
/// # Safety
/// `0 <= i` and `i < s.len()`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn get_ref<T>(s: &[T], i: i64) -> &T {
    debug_check(i, s.len());
    // SAFETY: the caller promises that `i` is in range.
    unsafe { s.get_unchecked(i as usize) }
}

/// Element `i` of `s`.
///
/// # Panics
/// If `i` is not in range.
#[inline(always)]
#[track_caller]
pub fn get_checked<T: Clone>(s: &[T], i: i64) -> T {
    s[position(i)].clone()
}

/// Element `i` of `s`, by reference.
///
/// # Panics
/// If `i` is not in range.
#[inline(always)]
#[track_caller]
pub fn get_ref_checked<T>(s: &[T], i: i64) -> &T {
    &s[position(i)]
}

/// Element `i` of `s`, to write.
///
/// # Panics
/// If `i` is not in range.
#[inline(always)]
#[track_caller]
pub fn get_mut_checked<T>(s: &mut [T], i: i64) -> &mut T {
    &mut s[position(i)]
}

/// Writes element `i` of `s`.
///
/// # Panics
/// If `i` is not in range.
#[inline(always)]
#[track_caller]
pub fn set_checked<T>(s: &mut [T], i: i64, value: T) {
    s[position(i)] = value;
}

/// A position for checked indexing: what is no `usize` becomes one that no slice has.
#[inline(always)]
fn position(i: i64) -> usize {
    // A negative `i` wraps to over `isize::MAX`, which is longer than any slice of a sized
    // element; on 32 bits a large `i` has to be kept from wrapping into range.
    if cfg!(target_pointer_width = "64") {
        i as usize
    } else {
        usize::try_from(i).unwrap_or(usize::MAX)
    }
}

#[inline(always)]
#[track_caller]
fn debug_check(i: i64, len: usize) {
    debug_assert!(
        i >= 0 && (i as u64) < len as u64,
        "a kernel indexes element {i} of {len}: \
         the invariant of a format does not cover the index it computes"
    );
}

/// Coordinate or position `i` of `s`.
///
/// # Safety
/// `0 <= i` and `i < s.len()`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn coordinate<I: Number>(s: &[I], i: i64) -> i64 {
    // SAFETY: the contract is the same.
    unsafe { get(s, i) }.wrapping()
}

/// Whether the coordinates `a[q..q + 4]` and `b[r..r + 4]` are the same.
///
/// # Safety
/// `0 <= q` and `q + 4 <= a.len()`, and so for `r` and `b`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn alike_four<A: Number, B: Number>(a: &[A], q: i64, b: &[B], r: i64) -> bool {
    // SAFETY: the contract says that all eight exist.
    let differ = |k: i64| unsafe { coordinate(a, q + k) ^ coordinate(b, r + k) };
    (differ(0) | differ(1)) | (differ(2) | differ(3)) == 0
}

/// Coordinate or position `i` of `s`.
///
/// # Panics
/// If `i` is not in range.
#[inline(always)]
#[track_caller]
pub fn coordinate_checked<I: Number>(s: &[I], i: i64) -> i64 {
    get_checked(s, i).wrapping()
}

/// A position as arrays of levels hold it, which the kernel has computed within the invariant of the level. Checked with debug
/// assertions.
#[inline(always)]
#[track_caller]
pub fn as_position(i: i64) -> usize {
    debug_assert!(usize::try_from(i).is_ok(), "{i} is no position");
    i as usize
}

/// One past coordinate `i` of `s`, or more than any coordinate if `i` is not below `end`.
///
/// # Safety
/// If `i < end`, then `0 <= i` and `i < s.len()`. Checked with debug assertions.
#[inline(always)]
#[track_caller]
pub unsafe fn ends<I: Number>(s: &[I], i: i64, end: i64) -> i64 {
    if i < end {
        // SAFETY: the contract is the same.
        unsafe { coordinate(s, i) }.wrapping_add(1)
    } else {
        1 << 62
    }
}

/// `lanes`, by way of memory: LLVM then holds them in as few registers as they fit in, since it makes vectors
/// of what it finds stored side by side.
#[inline(always)]
pub fn together<T, const N: usize>(lanes: [T; N]) -> [T; N] {
    std::hint::black_box(lanes)
}

/// Nothing. Of a loop that reduces whole numbers into a row in registers LLVM would take several iterations at once, and
/// gather for each element of the row what these add to it, in place of adding to several elements at once.
#[inline(always)]
pub fn in_order() {
    std::hint::black_box(());
}

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

/// The sum of `terms`, or the largest number if that is no number. None is below 0.
#[inline(always)]
pub fn sum<const N: usize>(terms: [i64; N]) -> i64 {
    terms.into_iter().fold(0, i64::saturating_add)
}

/// The sum of all of `each` over `range`, of which those below 0 count for nothing, or the largest number if that
/// is no number.
#[inline(always)]
pub fn total<const N: usize>(range: Range<i64>, each: impl Fn(i64) -> [i64; N]) -> i64 {
    // Halves of so many numbers add up to a number, by additions that come in any order.
    blocks::<{ 1 << 24 }, N>(range, each)
}

#[inline(always)]
fn blocks<const BLOCK: i64, const N: usize>(
    range: Range<i64>,
    each: impl Fn(i64) -> [i64; N],
) -> i64 {
    const { assert!(N < 1 << 6) };
    let (mut from, mut total) = (range.start, 0_i64);
    while from < range.end {
        let to = from.saturating_add(BLOCK).min(range.end);
        let (mut low, mut high) = (0_i64, 0_i64);
        for i in from..to {
            for n in each(i) {
                low += n.max(0) & 0xffff_ffff;
                high += n.max(0) >> 32;
            }
        }
        total = total.saturating_add(high.saturating_mul(1 << 32)).saturating_add(low);
        from = to;
    }
    total
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
    use std::panic::catch_unwind;

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
    fn totals() {
        let numbers = [3, 0, i64::MAX, -5, 1 << 40, 7, i64::MIN, (1 << 33) + 1];
        for from in 0..=numbers.len() {
            for to in 0..=numbers.len() {
                let all = || from as i64..to as i64;
                let each = |i: i64| numbers[i as usize];
                let some = numbers.get(from..to).unwrap_or_default();
                let want = some.iter().fold(0_i64, |t, n| t.saturating_add((*n).max(0)));
                assert_eq!(total(all(), |i| [each(i)]), want, "{from}..{to}");
                assert_eq!(blocks::<2, 1>(all(), |i| [each(i)]), want, "{from}..{to} in blocks");
                let twice = blocks::<3, 2>(all(), |i| [each(i), each(i)]);
                assert_eq!(twice, want.saturating_mul(2), "{from}..{to} twice");
            }
        }
        assert_eq!(sum([3, 0, 1 << 40]), (1 << 40) + 3);
        assert_eq!(sum([1 << 62; 4]), i64::MAX);
        assert_eq!(total(i64::MAX - 2..i64::MAX, |_| [i64::MAX, 1]), i64::MAX);
    }

    #[test]
    fn elements() {
        let mut s = [10, 20, 30];
        for i in 0..3 {
            // SAFETY: `i` is below 3.
            unsafe {
                assert_eq!(get(&s, i), s[i as usize]);
                assert_eq!(*get_ref(&s, i), s[i as usize]);
                set(&mut s, i, 7);
                *get_mut(&mut s, i) += 1;
            }
            assert_eq!(get_checked(&s, i), 8);
            assert_eq!(*get_ref_checked(&s, i), 8);
            set_checked(&mut s, i, 1);
            *get_mut_checked(&mut s, i) += 1;
        }
        assert_eq!(s, [2, 2, 2]);
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

    #[test]
    fn checked_access_panics_outside() {
        for i in [-1, 3, i64::MIN, i64::MAX, 1 << 32, -(1 << 32)] {
            assert!(catch_unwind(|| get_checked(&[1, 2, 3], i)).is_err(), "{i}");
            assert!(catch_unwind(|| set_checked(&mut [1, 2, 3], i, 0)).is_err());
            // Elements without a size are the only ones a slice can have usize::MAX of.
            assert!(catch_unwind(|| get_checked(&[(); 3], i)).is_err(), "{i}");
        }
    }

    #[cfg(debug_assertions)]
    #[test]
    #[should_panic(expected = "a kernel indexes element 3 of 3")]
    fn unchecked_access_is_checked_with_debug_assertions() {
        // SAFETY: none; the assertion stops it.
        let _ = unsafe { get(&[1, 2, 3], 3) };
    }
}
