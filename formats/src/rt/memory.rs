//! Elements of slices by the `i64` of a kernel: checked where debug assertions are, and in safe code.

use crate::level::Number;

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
pub(super) fn debug_check(i: i64, len: usize) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

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
