//! Bytes into values: whole chunks at a time, which become a copy where the order of bytes is that of the machine.

use super::reason::NumpyReason;
use num_complex::Complex;

/// Values made of bytes.
pub(super) trait Bytes: Sized {
    /// Adds the values that `bytes` are, as many as are whole; the highest byte of each is first if `big`.
    fn extend(all: &mut Vec<Self>, bytes: &[u8], big: bool) -> Result<(), NumpyReason>;
}

macro_rules! bytes {
    ($($ty:ty),*) => {$(
        impl Bytes for $ty {
            fn extend(all: &mut Vec<Self>, bytes: &[u8], big: bool) -> Result<(), NumpyReason> {
                let (parts, _) = bytes.as_chunks();
                match big {
                    true => all.extend(parts.iter().map(|&part| <$ty>::from_be_bytes(part))),
                    false => all.extend(parts.iter().map(|&part| <$ty>::from_le_bytes(part))),
                }
                Ok(())
            }
        }
    )*};
    (pairs $($ty:ty),*) => {$(
        impl Bytes for Complex<$ty> {
            fn extend(all: &mut Vec<Self>, bytes: &[u8], big: bool) -> Result<(), NumpyReason> {
                let (parts, _) = bytes.as_chunks();
                let part = |&part| match big {
                    true => <$ty>::from_be_bytes(part),
                    false => <$ty>::from_le_bytes(part),
                };
                all.extend(parts.chunks_exact(2).map(|p| Complex::new(part(&p[0]), part(&p[1]))));
                Ok(())
            }
        }
    )*};
}

bytes!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
bytes!(pairs f32, f64);

impl Bytes for bool {
    fn extend(all: &mut Vec<Self>, bytes: &[u8], _: bool) -> Result<(), NumpyReason> {
        for &byte in bytes {
            if byte > 1 {
                return Err(NumpyReason::BadBool { entry: all.len(), byte });
            }
            all.push(byte == 1);
        }
        Ok(())
    }
}
