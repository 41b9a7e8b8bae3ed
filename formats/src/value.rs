//! What a kernel needs of a generic scalar: literals in its type.

/// A scalar type that literals of a kernel can stand for when its type is a generic parameter.
///
/// Primitive numbers, `bool` and complex numbers have it; a kernel over `T: Value` is generic.
pub trait Value: Copy + PartialEq {
    /// The additive identity, the fill that leaves have unless they say otherwise.
    const ZERO: Self;
    /// The number `n`, as a cast with `as` gives it.
    fn from_int(n: i128) -> Self;
    /// The number `x`, as a cast with `as` gives it.
    fn from_float(x: f64) -> Self;
}

macro_rules! number {
    ($($ty:ty),*) => {
        $(impl Value for $ty {
            const ZERO: Self = 0 as $ty;
            fn from_int(n: i128) -> Self {
                n as $ty
            }
            fn from_float(x: f64) -> Self {
                x as $ty
            }
        })*
    };
}

number!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);

impl Value for bool {
    const ZERO: Self = false;
    fn from_int(n: i128) -> Self {
        n != 0
    }
    fn from_float(x: f64) -> Self {
        x != 0.0
    }
}

impl Value for num_complex::Complex<f64> {
    const ZERO: Self = num_complex::Complex::new(0.0, 0.0);
    fn from_int(n: i128) -> Self {
        num_complex::Complex::new(n as f64, 0.0)
    }
    fn from_float(x: f64) -> Self {
        num_complex::Complex::new(x, 0.0)
    }
}

impl Value for num_complex::Complex<f32> {
    const ZERO: Self = num_complex::Complex::new(0.0, 0.0);
    fn from_int(n: i128) -> Self {
        num_complex::Complex::new(n as f32, 0.0)
    }
    fn from_float(x: f64) -> Self {
        num_complex::Complex::new(x as f32, 0.0)
    }
}
