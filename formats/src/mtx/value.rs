//! Which Rust types the values of a file can be read as, and which values can be written back.

use super::header::Field;
use super::reason::MtxReason;
use num_complex::Complex;
use std::fmt;

/// A value as a file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// An entry that is there.
    Pattern,
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A complex number.
    Complex(Complex<f64>),
}

/// A type that values of Matrix Market files can be read as and written from.
///
/// Reading refuses what would lose something: real numbers are not read as integers, nor
/// complex ones as real; an integer must be represented exactly. Only an `f32` is rounded, as
/// it is when it is parsed. Pattern entries are read as 1. `bool` is for patterns alone.
pub trait MtxValue: Clone {
    /// The name of the type, for errors.
    const NAME: &'static str;

    /// The field that files of this type are written with.
    const FIELD: Field;

    /// Whether values of `field` can be read as this type at all.
    fn accepts(field: Field) -> bool;

    /// The value that the file says, of an accepted field; `None` if this type has no such value.
    fn from_scalar(scalar: Scalar) -> Option<Self>;

    /// The value to write, of field [`MtxValue::FIELD`]; `None` if the field has no such value.
    fn to_scalar(&self) -> Option<Scalar>;

    /// Whether both are the same value, bit by bit where that can be seen.
    fn same(&self, other: &Self) -> bool;
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `{:?}` is the shortest text that reads back as the same number.
        let real = |f: &mut fmt::Formatter<'_>, v: f64| match v.is_finite() {
            true => write!(f, "{v:?}"),
            false if v.is_nan() => f.write_str("nan"),
            false if v > 0.0 => f.write_str("inf"),
            false => f.write_str("-inf"),
        };
        match self {
            Scalar::Pattern => Ok(()),
            Scalar::Integer(v) => write!(f, "{v}"),
            Scalar::Real(v) => real(f, *v),
            Scalar::Complex(v) => {
                real(f, v.re)?;
                f.write_str(" ")?;
                real(f, v.im)
            }
        }
    }
}

impl Scalar {
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Scalar::Pattern => false,
            Scalar::Integer(v) => *v == 0,
            Scalar::Real(v) => *v == 0.0,
            Scalar::Complex(v) => v.re == 0.0 && v.im == 0.0,
        }
    }
}

/// The reason for a value that a type or field does not have.
pub(super) fn conversion(value: String, into: &'static str) -> MtxReason {
    MtxReason::Conversion { value, into }
}

macro_rules! integers {
    ($($t:ty),*) => {$(
        impl MtxValue for $t {
            const NAME: &'static str = stringify!($t);
            const FIELD: Field = Field::Integer;
            fn accepts(field: Field) -> bool {
                matches!(field, Field::Integer | Field::Pattern)
            }
            fn from_scalar(scalar: Scalar) -> Option<Self> {
                match scalar {
                    Scalar::Pattern => Some(1),
                    Scalar::Integer(v) => v.try_into().ok(),
                    Scalar::Real(_) | Scalar::Complex(_) => None,
                }
            }
            fn to_scalar(&self) -> Option<Scalar> {
                (*self).try_into().ok().map(Scalar::Integer)
            }
            fn same(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

/// An `f64` that is read back as the same `f32`, and is written with as few digits where they
/// do for both.
fn widen(v: f32) -> f64 {
    match v.to_string().parse::<f64>() {
        Ok(short) if short as f32 == v => short,
        _ => v.into(),
    }
}

/// `v` rounded; a finite number that becomes infinite is not what the file says.
fn narrow(v: f64) -> Option<f32> {
    let rounded = v as f32;
    (rounded.is_finite() || !v.is_finite()).then_some(rounded)
}

macro_rules! floats {
    ($($t:ty, $mantissa:expr, $from:expr, $to:expr;)*) => {$(
        impl MtxValue for $t {
            const NAME: &'static str = stringify!($t);
            const FIELD: Field = Field::Real;
            fn accepts(field: Field) -> bool {
                field != Field::Complex
            }
            fn from_scalar(scalar: Scalar) -> Option<Self> {
                match scalar {
                    Scalar::Pattern => Some(1.0),
                    // What is left of the trailing zeros has to fit the mantissa.
                    Scalar::Integer(v) => {
                        let magnitude = v.unsigned_abs();
                        let odd = magnitude.checked_shr(magnitude.trailing_zeros()).unwrap_or(0);
                        (odd < 1 << $mantissa).then_some(v as $t)
                    }
                    Scalar::Real(v) => $from(v),
                    Scalar::Complex(_) => None,
                }
            }
            fn to_scalar(&self) -> Option<Scalar> {
                Some(Scalar::Real($to(*self)))
            }
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }

        impl MtxValue for Complex<$t> {
            const NAME: &'static str = concat!("Complex<", stringify!($t), ">");
            const FIELD: Field = Field::Complex;
            fn accepts(_: Field) -> bool {
                true
            }
            fn from_scalar(scalar: Scalar) -> Option<Self> {
                match scalar {
                    Scalar::Complex(v) => Some(Complex::new($from(v.re)?, $from(v.im)?)),
                    other => <$t>::from_scalar(other).map(Complex::from),
                }
            }
            fn to_scalar(&self) -> Option<Scalar> {
                Some(Scalar::Complex(Complex::new($to(self.re), $to(self.im))))
            }
            fn same(&self, other: &Self) -> bool {
                self.re.same(&other.re) && self.im.same(&other.im)
            }
        }
    )*};
}

floats! {
    f64, 53, Some, std::convert::identity;
    f32, 24, narrow, widen;
}

impl MtxValue for bool {
    const NAME: &'static str = "bool";
    const FIELD: Field = Field::Pattern;
    fn accepts(field: Field) -> bool {
        field == Field::Pattern
    }
    fn from_scalar(scalar: Scalar) -> Option<Self> {
        (scalar == Scalar::Pattern).then_some(true)
    }
    fn to_scalar(&self) -> Option<Scalar> {
        self.then_some(Scalar::Pattern)
    }
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact_or_refused() {
        let f = |v| f64::from_scalar(Scalar::Integer(v));
        for exact in [0, -1, 1 << 53, i64::MIN, (1 << 62) + (1 << 20)] {
            assert_eq!(f(exact).map(|v| v as i64), Some(exact));
        }
        assert_eq!(f((1 << 53) + 1), None);
        assert_eq!(f(i64::MAX), None);
        assert_eq!(f32::from_scalar(Scalar::Integer((1 << 24) + 1)), None);
        assert_eq!(i8::from_scalar(Scalar::Integer(-128)), Some(-128));
        assert_eq!(i8::from_scalar(Scalar::Integer(128)), None);
        assert_eq!(u32::from_scalar(Scalar::Integer(-1)), None);
        assert_eq!(u64::MAX.to_scalar(), None);
    }

    #[cfg_attr(miri, ignore = "so many floats take an interpreter too long")]
    #[test]
    fn floats_of_32_bits_go_there_and_back() {
        let mut bits = 1u32;
        for _ in 0..200_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let v = f32::from_bits(bits);
            let Some(Scalar::Real(wide)) = v.to_scalar() else { panic!("{v}") };
            assert!(v.is_nan() || narrow(wide).is_some_and(|back| back.same(&v)), "{v}");
        }
        assert_eq!(0.1f32.to_scalar(), Some(Scalar::Real(0.1)));
        assert_eq!(narrow(1e300), None);
        assert_eq!(narrow(f64::INFINITY), Some(f32::INFINITY));
    }
}
