//! What compiled kernels call: element access and index conversion, small enough to vanish.
//! Kernels compute indices as `i64`, so that shifts and windows may go below zero and above the
//! end before they are cut to an extent; these functions are where they become `usize` again.

mod counts;
mod memory;
mod panel;
pub mod parallel;
#[cfg(target_arch = "x86_64")]
mod processor;
mod reduce;
mod room;
mod rows;
mod skew;
mod ways;
mod words;

use crate::{Error, Index, Level, Tensor};
pub use counts::*;
pub use memory::*;
pub use panel::*;
#[cfg(target_arch = "x86_64")]
pub use processor::*;
pub use reduce::*;
pub use room::*;
pub use rows::*;
pub use skew::*;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
pub use ways::*;
pub use words::*;

/// The bound of the numbers that kernels compute indices with: the sum or difference of any
/// few indices within `±LIMIT` cannot overflow an `i64`.
pub const LIMIT: i64 = 1 << 61;

mod sealed {
    pub trait Sealed {}
    pub trait Same<T> {}
}

/// A whole number that can serve as an index.
///
/// The trait is sealed: what a kernel checks and what it then indexes with are two answers of one number.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no whole number, which positions and sizes are, and what the index of a loop is compared with",
    label = "a whole number is wanted here",
    note = "convert it, `x as usize`; to compare an index with a fraction, write `1.0 * i < x`"
)]
pub trait ToIndex: Copy + sealed::Sealed {
    /// The number, cut to `-LIMIT..=LIMIT`. No tensor has elements beyond it, so a number that
    /// was cut is still outside every dimension.
    fn to_index(self) -> i64;
}

macro_rules! to_index {
    (small: $($small:ty),*; large: $($large:ty),*) => {
        $(impl sealed::Sealed for $small {}
        impl ToIndex for $small {
            #[inline(always)]
            fn to_index(self) -> i64 {
                i64::from(self)
            }
        })*
        $(impl sealed::Sealed for $large {}
        impl ToIndex for $large {
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn to_index(self) -> i64 {
                match i64::try_from(self) {
                    Ok(i) => i.clamp(-LIMIT, LIMIT),
                    Err(_) if self < 0 => -LIMIT,
                    Err(_) => LIMIT,
                }
            }
        })*
    };
}

impl<T: ToIndex> sealed::Sealed for &T {}

impl<T: ToIndex> ToIndex for &T {
    #[inline(always)]
    fn to_index(self) -> i64 {
        (*self).to_index()
    }
}

to_index!(small: i8, i16, i32, u8, u16, u32; large: i64, i128, isize, u64, u128, usize);

/// A number of a type that does not hold all indices.
pub trait Narrow: Copy + sealed::Sealed {
    /// The last bits of `i`, of a number that is not this one if it does not fit.
    fn cut(i: i64) -> (Self, bool);
}

macro_rules! narrow {
    ($($ty:ty),*) => {
        $(impl Narrow for $ty {
            #[inline(always)]
            fn cut(i: i64) -> (Self, bool) {
                (i as $ty, <$ty>::try_from(i).is_ok())
            }
        })*
    };
}

narrow!(u8, i8, u16, i16, u32, i32);

/// An index as a value of a small type: what does not fit overflows, as arithmetic of that type does in Rust.
///
/// # Panics
/// With debug assertions, if it does not fit.
#[inline(always)]
#[track_caller]
pub fn narrow<T: Narrow>(i: i64) -> T {
    let (value, fits) = T::cut(i);
    debug_assert!(fits, "the index {i} does not fit the type that it is a value of");
    value
}

/// `c` as an index, cut to `±LIMIT`.
#[inline(always)]
pub fn index<I: ToIndex>(c: I) -> i64 {
    c.to_index()
}

/// The index `i` as a number of the type of what it stands beside.
#[inline(always)]
#[track_caller]
pub fn beside<T: crate::Value>(_: &T, i: i64) -> T {
    T::from_index(i)
}

/// The whole number `N` as a value of a type that the compiler did not know.
#[inline(always)]
pub fn whole<T: crate::Value, const N: i128>() -> T {
    const {
        if let Some((least, most)) = T::LIMITS {
            assert!(
                least <= N && N <= most,
                "a literal does not fit the type of the values beside it"
            );
        }
    }
    T::from_int(N)
}

/// The number `x` of a literal with a point as a value of a type that the compiler did not know.
#[inline(always)]
pub fn fraction<T: crate::Value>(x: f64) -> T {
    const { assert!(T::LIMITS.is_none(), "a literal with a point stands beside whole numbers") }
    T::from_float(x)
}

/// What a tensor that is stored by columns has its values in.
pub trait Stored {
    /// The transposed tensor.
    type Tensor;
}

impl<L: crate::Level> Stored for crate::ByColumns<L> {
    type Tensor = crate::Tensor<L>;
}

/// Comparisons of a value, of a type that only rustc knows, with an index: as coordinates if it is a whole number.
pub mod compared {
    use crate::Value;

    macro_rules! compared {
        ($($name:ident: $sign:tt, $bound:ident, $what:literal;)*) => {$(
            #[doc = $what]
            #[inline(always)]
            pub fn $name<T: Value + $bound>(value: &T, i: i64) -> bool {
                match value.to_coordinate() {
                    Some(own) => own $sign i,
                    None => *value $sign T::from_index(i),
                }
            }
        )*};
    }
    compared! {
        eq: ==, PartialEq, "Whether it is `i`.";
        ne: !=, PartialEq, "Whether it is not `i`.";
        lt: <, PartialOrd, "Whether it is less than `i`.";
        le: <=, PartialOrd, "Whether it is `i` or less.";
        gt: >, PartialOrd, "Whether it is greater than `i`.";
        ge: >=, PartialOrd, "Whether it is `i` or greater.";
    }
}

/// The product of two indices, cut to `±LIMIT`.
#[inline(always)]
pub fn times(a: i64, b: i64) -> i64 {
    a.saturating_mul(b).clamp(-LIMIT, LIMIT)
}

/// The product of two indices in the position of an element, which exists: only its value modulo 2^64 matters.
#[inline(always)]
pub fn place(a: i64, b: i64) -> i64 {
    // Sums of such would not overflow, but for positions of loops that do not run.
    if cfg!(debug_assertions) {
        times(a, b)
    } else {
        a.wrapping_mul(b)
    }
}

/// What arithmetic of integers gives that came to `n`, which their type does not have: it overflows.
#[inline(always)]
#[track_caller]
pub fn overflowed<T: crate::Value>(n: i128) -> T {
    if cfg!(debug_assertions) {
        panic!("attempt to compute with overflow");
    }
    T::from_int(n)
}

/// The size of a dimension as an index, cut to [`LIMIT`].
#[inline(always)]
pub fn dim(n: usize) -> i64 {
    index(n)
}

/// A level, and itself: that of a tensor, and that of the name in a header.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the format that the macro of its name declares",
    note = "an alias or a type of your own shadows an imported format: declare it with `level!`"
)]
pub trait Is<T>: sealed::Same<T> {}

impl<T> sealed::Same<T> for T {}
impl<T> Is<T> for T {}

const SHADOWED: &str = "the type of this format's name is not the one its declaration is of: \
     an alias or type shadows an imported format; declare it with `level!`";

/// Refuses, at compile time, a level that is not the one whose declaration a kernel was made from. What the
/// kernel calls of it are functions of the type `H`. Unchecked indexing rests on it.
#[inline(always)]
pub fn declared<L: Is<H>, H: crate::Vouched, const FINGERPRINT: u128>(_: &L) {
    const { assert!(H::DECLARATION == FINGERPRINT, "{}", SHADOWED) }
}

/// The same for a level that is not trusted, whose indices are checked: of another the values would be wrong.
#[inline(always)]
pub fn named<L: Is<H>, H: crate::Level, const FINGERPRINT: u128>(_: &L) {
    const { assert!(H::PRINT == FINGERPRINT, "{}", SHADOWED) }
}

/// Refuses, at compile time, tensors of which one has another type: what is known of the first then holds of all.
#[inline(always)]
pub fn alike<T>(_: &[&T]) {}

/// A size computed from an extent: an empty extent gives 0.
#[inline(always)]
pub fn size(n: i64) -> i64 {
    n.max(0)
}

/// How many elements a dense array of these sizes has, or the largest number if that is no number.
#[inline(always)]
pub fn elements(sizes: &[usize]) -> usize {
    sizes.iter().fold(1, |all, &n| all.saturating_mul(n))
}

/// Checks a computed index against its dimension, or the part `lo..hi` of it that it is read through.
///
/// # Errors
/// The index is outside.
#[inline(always)]
pub fn check_index(i: i64, lo: i64, hi: i64, tensor: &str, dimension: usize) -> Result<i64, Error> {
    if lo <= i && i < hi {
        Ok(i)
    } else {
        Err(Error::computed(tensor, dimension, i - lo, hi - lo))
    }
}

/// The least whole number that is at least `a / b`, for positive `b`.
#[inline(always)]
pub fn ceil_div(a: i64, b: i64) -> i64 {
    (a + (b - 1)).div_euclid(b)
}

/// Takes the entries out that a kernel has removed.
///
/// # Errors
/// Those of [`Tensor::remove_all`](crate::Tensor::remove_all).
#[doc(hidden)]
pub fn remove<L: crate::Grows, G: crate::Level>(
    tensor: &mut crate::Tensor<L>,
    gone: &crate::Tensor<G>,
) -> Result<(), Error> {
    let mut all = Vec::new();
    gone.for_each(|coords, _| all.push(coords.to_vec()));
    tensor.remove_all(all)
}

/// Checks that two dimensions that one index runs over have one size.
///
/// # Errors
/// They do not.
#[inline]
pub fn same_size(
    (tensor, dimension, found): (&str, usize, i64),
    index: &str,
    (other, other_dimension, expected): (&str, usize, i64),
) -> Result<(), Error> {
    if found == expected {
        return Ok(());
    }
    Err(Error::shape(
        (tensor, dimension, found as usize),
        index,
        (other, other_dimension, expected as usize),
    ))
}

/// Checks that dimensions that one loop runs over all have the same size as another.
///
/// # Errors
/// The first one that has not.
#[inline]
pub fn same_sizes(
    all: &[(&str, usize, i64)],
    index: &str,
    expected: (&str, usize, i64),
) -> Result<(), Error> {
    all.iter().try_for_each(|found| same_size(*found, index, expected))
}

/// Checks that what a loop over `run` reads or writes of a dimension, `coordinates`, lies within it. The bounds
/// of `coordinates` are cut to the range of coordinates, also if both of them are beyond it.
///
/// # Errors
/// It does not, and the loop runs.
#[inline]
pub fn within(
    (tensor, dimension, size): (&str, usize, i64),
    index: &str,
    run: Range<i64>,
    coordinates: Range<i64>,
) -> Result<(), Error> {
    let Range { start, end: stop } = coordinates;
    let cut = start >= LIMIT || stop <= -LIMIT;
    if run.is_empty() || (start >= stop && !cut) || (0 <= start && stop <= size) {
        return Ok(());
    }
    Err(Error::Extent {
        tensor: tensor.to_owned(),
        dimension,
        size: size.max(0) as usize,
        index: index.to_owned(),
        start,
        stop,
    })
}

/// The `bound` of an extent that lies within the range of coordinates, or is empty.
///
/// # Errors
/// A bound of an extent that is not empty was cut to that range.
#[inline]
pub fn reach(index: &str, bound: i64, start: i64, stop: i64) -> Result<i64, Error> {
    if start > stop || (-LIMIT < start && stop < LIMIT) {
        return Ok(bound);
    }
    Err(Error::Reach { index: index.to_owned() })
}

/// The product of two sizes, cut to the range of coordinates.
#[inline]
pub fn product(a: i64, b: i64) -> i64 {
    a.max(0).saturating_mul(b.max(0)).min(LIMIT)
}

/// What a shape operator asks of sizes, `values` of which stand for `{}` in `text`. One that is beyond the range of
/// coordinates was cut to it, so that no more can be said of it.
///
/// # Errors
/// It does not hold.
#[inline]
pub fn holds(holds: bool, operator: &str, text: &str, values: &[i64]) -> Result<(), Error> {
    if holds {
        return Ok(());
    }
    let shown = |v: &i64| match *v {
        LIMIT.. => "2^61 or more".to_owned(),
        v if v <= -LIMIT => "-2^61 or less".to_owned(),
        v => v.to_string(),
    };
    let reason = values.iter().fold(text.to_owned(), |t, v| t.replacen("{}", &shown(v), 1));
    Err(Error::Operator { operator: operator.to_owned(), reason })
}

/// The value, or a panic with the error's message.
///
/// # Panics
/// If `result` is an error.
#[inline(always)]
#[track_caller]
pub fn expect<T>(result: Result<T, Error>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail(&error),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn fail(error: &dyn std::fmt::Display) -> ! {
    panic!("{error}")
}

/// What a level says of the memory or of the entry that a kernel asked it to hold.
///
/// # Errors
/// It cannot, for the reason given.
#[inline(always)]
pub fn stored(level: &'static str, shape: &[i64], may: Result<(), String>) -> Result<(), Error> {
    match may {
        Ok(()) => Ok(()),
        Err(reason) => Err(unstorable(level, shape, reason)),
    }
}

#[cold]
#[inline(never)]
fn unstorable(level: &'static str, shape: &[i64], reason: String) -> Error {
    Error::Unstorable { level, shape: shape.iter().map(|&n| n as usize).collect(), reason }
}

/// Checks that a size fits the coordinate type `I` of a level.
///
/// # Errors
/// It does not.
#[inline(always)]
pub fn fits<I: Index>(level: &'static str, size: i64) -> Result<(), Error> {
    if size <= I::MAX {
        return Ok(());
    }
    let type_name = std::any::type_name::<I>();
    let reason = format!("size {size} does not fit the coordinate type {type_name}");
    Err(unstorable(level, &[size], reason))
}

/// Whether an entry may be appended to what a tensor holds already.
///
/// # Errors
/// Its coordinate is before one that is stored.
#[inline(always)]
pub fn after(first: usize, follow: usize) -> Result<(), String> {
    if first >= follow {
        return Ok(());
    }
    Err(not_after(first, follow))
}

#[cold]
#[inline(never)]
fn not_after(first: usize, follow: usize) -> String {
    format!("what is assigned at {first} does not come after what is stored, up to {}", follow - 1)
}

/// A tensor while a kernel has taken it apart to update it. If the kernel does not put it together
/// again, for an error or a panic in between, it is left valid, all fill; or, if its levels refuse to be
/// made, without elements.
pub struct Updating<'a, L: Level> {
    tensor: &'a mut Tensor<L>,
    shape: Vec<usize>,
    whole: bool,
}

impl<'a, L: Level> Updating<'a, L> {
    /// Takes the levels out of `tensor`, and leaves those of one without elements: a guard that is
    /// forgotten leaves that.
    ///
    /// # Panics
    /// If a tensor of its shape cannot be made, which it could when it was.
    pub fn take(tensor: &'a mut Tensor<L>) -> (Self, L) {
        let shape: Vec<usize> = tensor.shape().to_vec();
        let none = match all_fill(&vec![0; shape.len()]) {
            Ok(none) => none,
            Err(reason) => fail(&reason),
        };
        // SAFETY: what is put in place was checked by `all_fill`.
        let levels = std::mem::replace(unsafe { tensor.root_mut() }, none);
        (Updating { tensor, shape, whole: false }, levels)
    }

    /// Puts the tensor together again.
    pub fn finish(mut self, with: Tensor<L>) {
        *self.tensor = with;
        self.whole = true;
    }
}

impl<L: Level> Drop for Updating<'_, L> {
    fn drop(&mut self) {
        if self.whole {
            return;
        }
        // This may run for a panic, so that another one must not leave it.
        let made = catch_unwind(AssertUnwindSafe(|| all_fill(&self.shape)));
        // Where a level's own code refuses what it gave before, or there is no memory for what there was memory for,
        // what `take` put in place stays: a tensor without elements.
        if let Ok(Ok(root)) = made {
            // SAFETY: what is put in place was checked by `all_fill`.
            *unsafe { self.tensor.root_mut() } = root;
        }
    }
}

/// The levels of a tensor of fill, checked.
fn all_fill<L: Level>(shape: &[usize]) -> Result<L, String> {
    let mut root = L::empty(shape)?;
    root.reserve(1)?;
    root.open(0)?;
    root.finish(1)?;
    root.check(1)?;
    Ok(root)
}

/// How many elements a dense tensor of this shape has.
///
/// # Errors
/// More than can be addressed.
#[inline(always)]
pub fn all_elements(level: &'static str, shape: &[i64]) -> Result<i64, Error> {
    let all = shape.iter().try_fold(1i64, |all, &n| all.checked_mul(n));
    all.ok_or_else(|| uncountable(level, shape))
}

/// How many fibers a level needs below its own.
///
/// # Errors
/// More than can be addressed.
#[inline(always)]
pub fn count(level: &'static str, shape: &[i64], n: Option<usize>) -> Result<usize, Error> {
    match n {
        Some(n) => Ok(n),
        None => Err(uncountable(level, shape)),
    }
}

#[cold]
#[inline(never)]
fn uncountable(level: &'static str, shape: &[i64]) -> Error {
    unstorable(level, shape, String::from("the number of fibers exceeds what can be addressed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_is_forgotten_leaves_a_tensor_without_elements() {
        let mut a: crate::SparseVec<f64> = Tensor::from_dense([3], &[0.0, 1.0, 2.0]).unwrap();
        std::mem::forget(Updating::take(&mut a).0);
        assert_eq!((a.shape().to_vec(), a.stored()), (vec![0], 0));
        drop(Updating::take(&mut a));
        a = Tensor::from_dense([3], &[0.0, 1.0, 2.0]).unwrap();
        drop(Updating::take(&mut a));
        assert_eq!((a.shape().to_vec(), a.to_dense()), (vec![3], vec![0.0; 3]));
    }

    #[test]
    fn elements_are_counted() {
        assert_eq!([elements(&[]), elements(&[3, 2, 4]), elements(&[3, 0])], [1, 24, 0]);
        assert_eq!(elements(&[usize::MAX, 2]), usize::MAX);
        assert_eq!(elements(&[usize::MAX, 2, 0]), 0);
    }

    #[test]
    fn numbers_are_cut() {
        assert_eq!(index(-3i8), -3);
        assert_eq!(index(7usize), 7);
        assert_eq!(index(u64::MAX), LIMIT);
        assert_eq!(index(i64::MIN), -LIMIT);
        assert_eq!(index(i128::MIN), -LIMIT);
        assert_eq!(index(u128::MAX), LIMIT);
        assert_eq!(dim(usize::MAX), LIMIT);
        assert_eq!(dim(5), 5);
    }
}
