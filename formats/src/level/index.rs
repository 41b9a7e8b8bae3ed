//! Coordinates as levels store them: types of unsigned numbers, and what of each is a coordinate.

use std::fmt::Debug;

mod sealed {
    pub trait Sealed {}
}

/// A coordinate as a level stores it: `u8`, `u16`, `u32`, `u64` or `usize`.
///
/// The trait is sealed, because unchecked indexing in kernels leans on these conversions.
pub trait Index: Number + Ord + Debug + Send + Sync + 'static + sealed::Sealed {
    /// One more than the largest coordinate that fits, and so the largest size of a dimension
    /// that is stored with this type.
    const MAX: i64;

    /// The coordinate as the signed number that all index arithmetic is done in.
    ///
    /// Coordinates are below [`Index::MAX`], so this loses nothing for a coordinate that came
    /// from [`Index::from_i64`]; a larger `u64` or `usize` saturates at `i64::MAX`, which is
    /// no valid coordinate of any dimension.
    fn to_i64(self) -> i64;

    /// The coordinate that stores `i`.
    ///
    /// # Panics
    /// If `i` is negative or at least [`Index::MAX`], in release builds too: a coordinate that
    /// wrapped would be a wrong tensor.
    fn from_i64(i: i64) -> Self;
}

/// What kernels compute with of what the arrays of levels hold: coordinates, positions, and flags.
#[doc(hidden)]
pub trait Number: Copy + sealed::Sealed {
    /// It as kernels compute with it: as [`Index::to_i64`] for all that a level's invariant admits, without the test
    /// for others; a flag as 1 or 0.
    fn wrapping(self) -> i64;
}

impl sealed::Sealed for bool {}
impl Number for bool {
    #[inline(always)]
    fn wrapping(self) -> i64 {
        i64::from(self)
    }
}

macro_rules! index {
    ($($t:ty: $max:expr),*) => {$(
        impl sealed::Sealed for $t {}
        impl Number for $t {
            #[inline(always)]
            fn wrapping(self) -> i64 {
                self as i64
            }
        }
        impl Index for $t {
            const MAX: i64 = $max;
            #[inline(always)]
            fn to_i64(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
            #[inline(always)]
            fn from_i64(i: i64) -> Self {
                match <$t>::try_from(i) {
                    Ok(c) if i < <$t as Index>::MAX => c,
                    _ => does_not_fit(i, stringify!($t)),
                }
            }
        }
    )*};
}

index!(u8: 1 << 8, u16: 1 << 16, u32: 1 << 32, u64: i64::MAX, usize: {
    if usize::BITS < 64 { 1 << (usize::BITS % 64) } else { i64::MAX }
});

#[cold]
#[inline(never)]
fn does_not_fit(i: i64, ty: &str) -> ! {
    panic!("coordinate {i} does not fit the coordinate type {ty}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits<I: Index>() {
        let last = I::MAX - 1;
        assert_eq!(I::from_i64(last).to_i64(), last);
        assert_eq!(I::from_i64(0).to_i64(), 0);
        for bad in [-1, i64::MIN, I::MAX, i64::MAX] {
            let made = std::panic::catch_unwind(|| I::from_i64(bad));
            assert!(made.is_err(), "{bad} became {made:?}");
        }
    }

    #[test]
    fn coordinates_fit_or_panic() {
        limits::<u8>();
        // A panic takes an interpreter seconds.
        if !cfg!(miri) {
            limits::<u16>();
            limits::<u32>();
            limits::<u64>();
            limits::<usize>();
        }
        assert_eq!(u8::MAX.to_i64(), 255);
        assert_eq!(<u8 as Index>::MAX, 256);
        assert_eq!(<u32 as Index>::MAX, 1 << 32);
        assert_eq!(u64::MAX.to_i64(), i64::MAX);
    }
}
