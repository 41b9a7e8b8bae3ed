//! What is asked of values: literals in the type of a generic scalar, and when two are the same.

use crate::rt;
use num_complex::Complex;
use std::any::Any;

/// A scalar type that literals of a kernel can stand for when its type is a generic parameter.
///
/// Primitive numbers, `bool` and complex numbers have it; a kernel over `T: Value` is generic.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of numbers: it has no zero, which values that are not stored are",
    note = "implement `looplets::Value` for it, or name a fill of your own, `fill! {{ pub fill Nothing = none; }}`"
)]
pub trait Value: Clone + PartialEq + 'static {
    /// The least and the greatest value of a type of whole numbers; `None` of others. A literal that is no such value is
    /// refused where a kernel is compiled.
    const LIMITS: Option<(i128, i128)> = None;
    /// The additive identity, the fill that leaves have unless they say otherwise.
    const ZERO: Self;
    /// The number `n`, as a cast with `as` gives it.
    fn from_int(n: i128) -> Self;
    /// The number `x`, as a cast with `as` gives it.
    fn from_float(x: f64) -> Self;
    /// The index `i` beside a value of this type. One that the type cannot hold overflows, as arithmetic does.
    #[track_caller]
    fn from_index(i: i64) -> Self {
        Self::from_int(i128::from(i))
    }
    /// What adding it up `times` times gives; what does not fit overflows.
    #[track_caller]
    fn repeat(self, times: i64) -> Self
    where
        Self: std::ops::Mul<Output = Self>,
    {
        self * Self::from_index(times)
    }
    /// The number as what indices are compared as, if the type is one of whole numbers.
    fn to_coordinate(&self) -> Option<i64> {
        None
    }
}

macro_rules! number {
    ($($ty:ty),*; $own:tt) => {
        $(impl Value for $ty {
            number!{ $own }
            const ZERO: Self = 0 as $ty;
            fn from_int(n: i128) -> Self {
                n as $ty
            }
            fn from_float(x: f64) -> Self {
                x as $ty
            }
        })*
    };
    (real) => {};
    (whole) => {
        // Of 128 bits those below zero or above are no literals.
        #[allow(clippy::unnecessary_cast)]
        const LIMITS: Option<(i128, i128)> = Some((
            Self::MIN as i128,
            if Self::MAX as i128 > 0 { Self::MAX as i128 } else { i128::MAX },
        ));
        #[inline(always)]
        fn to_coordinate(&self) -> Option<i64> {
            Some(rt::index(*self))
        }
        #[inline(always)]
        #[track_caller]
        fn repeat(self, times: i64) -> Self {
            let sum = i128::from(times).checked_mul(self as i128);
            let fits = sum.is_some_and(|sum| Self::try_from(sum).is_ok());
            debug_assert!(fits, "attempt to multiply with overflow");
            self.wrapping_mul(times as Self)
        }
    };
    (narrow) => {
        #[inline(always)]
        #[track_caller]
        fn from_index(i: i64) -> Self {
            rt::narrow(i)
        }
        number! { whole }
    };
}

number!(u8, u16, u32, i8, i16, i32; narrow);
number!(u64, u128, usize, i64, i128, isize; whole);
number!(f32, f64; real);

impl Value for bool {
    const ZERO: Self = false;
    fn from_int(n: i128) -> Self {
        n != 0
    }
    fn from_float(x: f64) -> Self {
        x != 0.0
    }
}

impl Value for Complex<f64> {
    const ZERO: Self = Complex::new(0.0, 0.0);
    fn from_int(n: i128) -> Self {
        Complex::new(n as f64, 0.0)
    }
    fn from_float(x: f64) -> Self {
        Complex::new(x, 0.0)
    }
}

impl Value for Complex<f32> {
    const ZERO: Self = Complex::new(0.0, 0.0);
    fn from_int(n: i128) -> Self {
        Complex::new(n as f32, 0.0)
    }
    fn from_float(x: f64) -> Self {
        Complex::new(x as f32, 0.0)
    }
}

/// Whether storing `b` for `a` loses nothing: floats and complex numbers are the same if their bits are,
/// so that `-0.0` is not `0.0` and a NaN is itself; values of any other type if they are equal.
///
/// It tells what a tensor is made of: which values are fill, and which make a run.
#[inline]
pub fn identical<T: PartialEq + 'static>(a: &T, b: &T) -> bool {
    fn both<'a, U: 'static>(a: &'a dyn Any, b: &'a dyn Any) -> Option<(&'a U, &'a U)> {
        a.downcast_ref().zip(b.downcast_ref())
    }
    // A type is known when this is compiled, so that one of these is left.
    if let Some((a, b)) = both::<f64>(a, b) {
        return a.to_bits() == b.to_bits();
    }
    if let Some((a, b)) = both::<f32>(a, b) {
        return a.to_bits() == b.to_bits();
    }
    if let Some((a, b)) = both::<Complex<f64>>(a, b) {
        return identical(&a.re, &b.re) && identical(&a.im, &b.im);
    }
    if let Some((a, b)) = both::<Complex<f32>>(a, b) {
        return identical(&a.re, &b.re) && identical(&a.im, &b.im);
    }
    a == b
}

/// A value for a message, if its type is one of a number or a `bool`.
pub(crate) fn shown(value: &dyn Any) -> Option<String> {
    macro_rules! any_of {
        ($($ty:ty),*) => {
            None$(.or_else(|| value.downcast_ref::<$ty>().map(|v| format!("{v:?}"))))*
        };
    }
    any_of!(f64, f32, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, bool)
        .or_else(|| value.downcast_ref::<Complex<f64>>().map(ToString::to_string))
        .or_else(|| value.downcast_ref::<Complex<f32>>().map(ToString::to_string))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_identical_by_bits() {
        assert!(!identical(&-0.0, &0.0) && !identical(&-0.0f32, &0.0));
        assert!(identical(&f64::NAN, &f64::NAN) && !identical(&f64::NAN, &-f64::NAN));
        let c = |re, im| Complex::new(re, im);
        assert!(!identical(&c(0.0, -0.0), &c(0.0, 0.0)));
        assert!(identical(&c(f32::NAN, 1.0), &c(f32::NAN, 1.0)));
    }

    #[test]
    fn other_types_are_identical_if_equal() {
        assert!(identical(&3, &3) && !identical(&true, &false));
        assert!(identical(&"a".to_owned(), &"a".to_owned()));
        assert!(identical(&[0.0], &[-0.0]), "a type of its own says what is equal");
    }

    #[test]
    fn numbers_are_shown() {
        assert_eq!(shown(&-0.0).as_deref(), Some("-0.0"));
        assert_eq!(shown(&Complex::new(1.0, -2.0)).as_deref(), Some("1-2i"));
        assert_eq!(shown(&"a"), None);
    }
}
