//! Which types the values of an array can have, and which Rust types they can be read as.

use super::bytes::Bytes;
use super::reason::NumpyReason;
use num_complex::Complex;
use std::any::Any;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// A value of an array, of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// A real number.
    Real(f64),
    /// A complex number.
    Complex(Complex<f64>),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Bool(v) => write!(f, "{v}"),
            Number::Integer(v) => write!(f, "{v}"),
            Number::Real(v) => write!(f, "{v:?}"),
            Number::Complex(v) => write!(f, "{v}"),
        }
    }
}

/// A type that arrays of NumPy can be read as and written from: those of [`DType`], and `usize` and `isize`, which are as those
/// of 64 bits.
///
/// Reading refuses what would lose something: complex numbers are not read as real ones, reals not as whole numbers, and no
/// number as `bool`; each value must be the same number in the type asked for. `bool` is read as 0 and 1. A value
/// of the very type keeps all its bits. The trait is sealed.
pub trait NumpyValue: Clone + PartialEq + 'static + sealed::Sealed {
    /// The name of the type, for errors.
    const NAME: &'static str;

    /// The type that arrays are written with.
    const DTYPE: DType;

    /// The value, if this type has it.
    fn from_number(number: Number) -> Option<Self>;

    /// The value as a number.
    fn number(&self) -> Number;

    /// Appends the bytes of the value, the lowest first.
    fn put(&self, out: &mut Vec<u8>);
}

/// Whether values of one type can be read as another at all; each still has to be the same number in it.
fn accepts(from: DType, into: DType) -> bool {
    let rank = |dtype| match dtype {
        DType::Bool => 0,
        DType::F32 | DType::F64 => 2,
        DType::C64 | DType::C128 => 3,
        _ => 1,
    };
    rank(from) <= rank(into)
}

macro_rules! types {
    ($($variant:ident, $ty:ty, $size:literal, $code:literal, $name:literal;)*) => {
        /// The type of an array's values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum DType {
            $(
                #[doc = concat!("`", $name, "`.")]
                $variant,
            )*
        }

        impl DType {
            /// The name of the type in NumPy.
            pub fn name(self) -> &'static str {
                match self {
                    $(DType::$variant => $name,)*
                }
            }

            /// The number of bytes of a value.
            pub fn size(self) -> usize {
                match self {
                    $(DType::$variant => $size,)*
                }
            }

            /// The type as a header says it, of values whose lowest byte is first.
            pub(crate) fn descr(self) -> String {
                let code = match self {
                    $(DType::$variant => $code,)*
                };
                format!("{}{code}", if self.size() == 1 { '|' } else { '<' })
            }

            /// The type that a header's `descr` says, and whether the highest byte is first.
            pub(crate) fn parse(descr: &str) -> Option<(Self, bool)> {
                let code = descr.get(1..)?;
                let big = match descr.as_bytes()[0] {
                    b'<' => false,
                    b'>' => true,
                    b'=' => cfg!(target_endian = "big"),
                    // Only bytes have no order.
                    b'|' if matches!(code, "b1" | "i1" | "u1") => false,
                    _ => return None,
                };
                match code {
                    $($code => Some((DType::$variant, big)),)*
                    _ => None,
                }
            }
        }

        /// The values of an array, in the order of the file.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Values {
            $(
                #[doc = concat!("`", $name, "`.")]
                $variant(Vec<$ty>),
            )*
        }

        impl Values {
            /// No values, of a type.
            pub(crate) fn none(dtype: DType) -> Self {
                match dtype {
                    $(DType::$variant => Values::$variant(Vec::new()),)*
                }
            }

            /// The type of the values.
            pub fn dtype(&self) -> DType {
                match self {
                    $(Values::$variant(_) => DType::$variant,)*
                }
            }

            /// The number of values.
            pub fn len(&self) -> usize {
                match self {
                    $(Values::$variant(all) => all.len(),)*
                }
            }

            /// The value with number `e`, if there are as many.
            pub fn get(&self, e: usize) -> Option<Number> {
                match self {
                    $(Values::$variant(all) => all.get(e).map(NumpyValue::number),)*
                }
            }

            /// Makes room for so many more.
            pub(crate) fn reserve(&mut self, count: usize) -> bool {
                match self {
                    $(Values::$variant(all) => all.try_reserve(count).is_ok(),)*
                }
            }

            /// Adds the values whose bytes these are, as many as there is room for; the highest first if `big`.
            pub(crate) fn extend(&mut self, bytes: &[u8], big: bool) -> Result<(), NumpyReason> {
                match self {
                    $(Values::$variant(all) => Bytes::extend(all, bytes, big),)*
                }
            }

            /// The values at these places, in this order.
            #[cfg(feature = "npz")]
            pub(crate) fn gather(&self, places: &[usize]) -> Self {
                match self {
                    $(Values::$variant(all) => {
                        Values::$variant(places.iter().map(|&e| all[e]).collect())
                    })*
                }
            }

            /// Takes those away that are behind the first so many.
            #[cfg(feature = "npz")]
            pub(crate) fn truncate(&mut self, count: usize) {
                match self {
                    $(Values::$variant(all) => all.truncate(count),)*
                }
            }

            /// Takes those out that are behind the first so many.
            #[cfg(feature = "npz")]
            pub(crate) fn split_off(&mut self, count: usize) -> Self {
                match self {
                    $(Values::$variant(all) => Values::$variant(all.split_off(count)),)*
                }
            }

            fn as_any(&mut self) -> &mut dyn Any {
                match self {
                    $(Values::$variant(all) => all,)*
                }
            }
        }

        $(impl sealed::Sealed for $ty {})*
    };
}

types! {
    Bool, bool, 1, "b1", "bool";
    I8, i8, 1, "i1", "int8";
    I16, i16, 2, "i2", "int16";
    I32, i32, 4, "i4", "int32";
    I64, i64, 8, "i8", "int64";
    U8, u8, 1, "u1", "uint8";
    U16, u16, 2, "u2", "uint16";
    U32, u32, 4, "u4", "uint32";
    U64, u64, 8, "u8", "uint64";
    F32, f32, 4, "f4", "float32";
    F64, f64, 8, "f8", "float64";
    C64, Complex<f32>, 8, "c8", "complex64";
    C128, Complex<f64>, 16, "c16", "complex128";
}

impl sealed::Sealed for usize {}
impl sealed::Sealed for isize {}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Values {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values as `V`, moved if they are that.
    pub(crate) fn convert<V: NumpyValue>(mut self) -> Result<Vec<V>, NumpyReason> {
        if let Some(all) = self.as_any().downcast_mut::<Vec<V>>() {
            return Ok(std::mem::take(all));
        }
        if !accepts(self.dtype(), V::DTYPE) {
            return Err(NumpyReason::Field { dtype: self.dtype().name(), into: V::NAME });
        }
        let mut made = Vec::new();
        if made.try_reserve_exact(self.len()).is_err() {
            return Err(NumpyReason::TooLarge { shape: vec![self.len()] });
        }
        while let Some(number) = self.get(made.len()) {
            made.push(V::from_number(number).ok_or_else(|| NumpyReason::Conversion {
                entry: made.len(),
                value: number.to_string(),
                into: V::NAME,
            })?);
        }
        Ok(made)
    }
}

macro_rules! integers {
    ($($ty:ty: $dtype:ident as $wide:ty),*) => {$(
        impl NumpyValue for $ty {
            const NAME: &'static str = stringify!($ty);
            const DTYPE: DType = DType::$dtype;
            fn from_number(number: Number) -> Option<Self> {
                match number {
                    Number::Bool(v) => Some(v.into()),
                    Number::Integer(v) => v.try_into().ok(),
                    Number::Real(_) | Number::Complex(_) => None,
                }
            }
            fn number(&self) -> Number {
                Number::Integer(*self as i128)
            }
            fn put(&self, out: &mut Vec<u8>) {
                out.extend((*self as $wide).to_le_bytes());
            }
        }
    )*};
}

integers!(
    i8: I8 as i8, i16: I16 as i16, i32: I32 as i32, i64: I64 as i64, isize: I64 as i64,
    u8: U8 as u8, u16: U16 as u16, u32: U32 as u32, u64: U64 as u64, usize: U64 as u64
);

macro_rules! floats {
    ($($ty:ty: $dtype:ident, $pair:ident;)*) => {$(
        impl NumpyValue for $ty {
            const NAME: &'static str = stringify!($ty);
            const DTYPE: DType = DType::$dtype;
            fn from_number(number: Number) -> Option<Self> {
                match number {
                    Number::Bool(v) => Some(if v { 1.0 } else { 0.0 }),
                    Number::Integer(v) => (v as $ty as i128 == v).then_some(v as $ty),
                    Number::Real(v) => (v.is_nan() || f64::from(v as $ty) == v).then_some(v as $ty),
                    Number::Complex(_) => None,
                }
            }
            fn number(&self) -> Number {
                Number::Real((*self).into())
            }
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        }

        impl NumpyValue for Complex<$ty> {
            const NAME: &'static str = concat!("Complex<", stringify!($ty), ">");
            const DTYPE: DType = DType::$pair;
            fn from_number(number: Number) -> Option<Self> {
                let part = |v| <$ty>::from_number(Number::Real(v));
                match number {
                    Number::Complex(v) => Some(Complex::new(part(v.re)?, part(v.im)?)),
                    other => <$ty>::from_number(other).map(Complex::from),
                }
            }
            fn number(&self) -> Number {
                Number::Complex(Complex::new(self.re.into(), self.im.into()))
            }
            fn put(&self, out: &mut Vec<u8>) {
                self.re.put(out);
                self.im.put(out);
            }
        }
    )*};
}

floats! {
    f32: F32, C64;
    f64: F64, C128;
}

impl NumpyValue for bool {
    const NAME: &'static str = "bool";
    const DTYPE: DType = DType::Bool;
    fn from_number(number: Number) -> Option<Self> {
        match number {
            Number::Bool(v) => Some(v),
            _ => None,
        }
    }
    fn number(&self) -> Number {
        Number::Bool(*self)
    }
    fn put(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }
}
