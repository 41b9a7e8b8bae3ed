//! Vectors that get longer as a tensor is made: memory that cannot be had is an error and no end of the program, and a loop that
//! appends holds the vector in registers.

/// Lengthens `vec` to `len` by copies of `value`, or leaves it if it is as long already. It is as it was if a `clone`
/// panics.
///
/// Amortised: lengthening by one is cheap. Sizes come from files and users, so too large a
/// one is an error, where [`Vec::resize`] would end the program.
///
/// # Errors
/// The reason, if the memory cannot be had; of less than 64 KiB for a new vector the program ends, as with `vec!`.
#[inline(always)]
pub fn grow<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) -> Result<(), String> {
    if len <= vec.len() {
        return Ok(());
    }
    // Nearly always one more that there is room for: inside a loop that appends, no call.
    if len == vec.len() + 1 && vec.len() < vec.capacity() {
        push(vec, value);
        return Ok(());
    }
    let (longer, result) = lengthen(std::mem::take(vec), len, value);
    *vec = longer;
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Makes room for `more` elements after those of `vec`.
///
/// Amortised: asked for one at a time, it is cheap.
///
/// # Errors
/// The reason, if the memory cannot be had.
#[inline(always)]
pub fn room<T>(vec: &mut Vec<T>, more: usize) -> Result<(), String> {
    if more <= vec.capacity() - vec.len() {
        return Ok(());
    }
    let (larger, result) = enlarge(std::mem::take(vec), more);
    *vec = larger;
    result
}

#[cold]
#[inline(never)]
fn enlarge<T>(mut vec: Vec<T>, more: usize) -> (Vec<T>, Result<(), String>) {
    let result = vec.try_reserve(more).map_err(|_| {
        let (len, size) = (vec.len(), size_of::<T>());
        format!("there is no memory for {more} elements of {size} bytes after {len}")
    });
    (vec, result)
}

/// Takes and gives the vector by value: one whose address no call has been told is held in registers by
/// the loop that appends to it.
#[cold]
#[inline(never)]
fn lengthen<T: Clone>(mut vec: Vec<T>, len: usize, value: T) -> (Vec<T>, Lengthened) {
    let (old, more) = (vec.len(), len - vec.len());
    let size = size_of::<T>();
    let fresh = vec.capacity() == 0 && more > 1;
    let small = fresh && len.saturating_mul(size) < SMALL;
    if !small && vec.try_reserve(more).is_err() {
        return (vec, Ok(Err(format!("there is no memory for {len} elements of {size} bytes"))));
    }
    let filled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match fresh {
        true => {
            // There is as much memory as that, or the vector is a small one.
            drop(std::mem::take(&mut vec));
            vec = made(len, value);
        }
        false => filled(&mut vec, len, value),
    }));
    match filled {
        Ok(()) => (vec, Ok(Ok(()))),
        // Its owner has given it away, and is to have it back.
        Err(panic) => {
            vec.truncate(old);
            (vec, Err(panic))
        }
    }
}

/// A new vector of fewer bytes is made at once: where there is no memory for it the program ends, as it does with any `vec!`.
/// Memory for a larger one is asked for first, so that what there is not is an error; that takes long beside filling a small one.
const SMALL: usize = 1 << 16;

/// What came of it, or the panic of a `clone`.
type Lengthened = std::thread::Result<Result<(), String>>;

/// Lengthens a vector that has the room. A function of its own, since LLVM compiles what is cold for size,
/// and this is where the elements of dense outputs are written.
#[inline(never)]
fn filled<T: Clone>(vec: &mut Vec<T>, len: usize, value: T) {
    vec.resize(len, value);
}

/// A new vector. Allocators have zeros from the system, which makes pages zero as they are touched, so that each is touched
/// once; what they have had before is cleared by the fastest loop that the processor has.
#[inline(never)]
fn made<T: Clone>(len: usize, value: T) -> Vec<T> {
    vec![value; len]
}

/// Appends `value`, as [`Vec::push`] does, but so that a loop that appends holds the vector in registers.
///
/// Amortised constant.
#[inline(always)]
pub fn push<T>(vec: &mut Vec<T>, value: T) {
    if vec.len() == vec.capacity() {
        *vec = roomier(std::mem::take(vec));
    }
    let len = vec.len();
    // SAFETY: there is room for one more, as `len < vec.capacity()`: if there was none, `roomier` made some.
    unsafe {
        vec.as_mut_ptr().add(len).write(value);
        vec.set_len(len + 1);
    }
}

#[cold]
#[inline(never)]
fn roomier<T>(mut vec: Vec<T>) -> Vec<T> {
    vec.reserve(1);
    vec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_made_for_as_many_as_are_asked_for() {
        let mut v = vec![1u8, 2];
        for more in [0, 1, 7, 1_000] {
            room(&mut v, more).expect("a little");
            assert!(v.capacity() - v.len() >= more);
            assert_eq!(v, [1, 2]);
        }
        let before = v.capacity();
        room(&mut v, 1_000).expect("there is");
        assert_eq!(v.capacity(), before);
    }

    #[cfg_attr(miri, ignore = "asks for memory that an interpreter does not have")]
    #[test]
    fn growing_reports_what_it_cannot_have() {
        let mut v = vec![1u64];
        assert_eq!(grow(&mut v, 3, 7), Ok(()));
        assert_eq!(v, [1, 7, 7]);
        assert_eq!(grow(&mut v, 2, 9), Ok(()));
        assert_eq!(v.len(), 3);
        for len in [usize::MAX, usize::MAX / 8, isize::MAX as usize / 8] {
            assert!(grow(&mut v, len, 0).unwrap_err().contains("no memory"));
            assert!(room(&mut v, len).unwrap_err().contains("no memory"));
        }
        assert_eq!(v, [1, 7, 7]);
    }
}
