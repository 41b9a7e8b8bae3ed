//! Arrays of NumPy (`.npy`; *NEP 1, A Simple File Format for NumPy Arrays*), of any number of dimensions, in C or Fortran order
//! and either order of bytes. A file is read whole or refused with the reason; it is never guessed at.
//!
//! ```
//! # use looplets_formats as looplets;
//! use looplets::{npy, Csr, DenseMat, Tensor};
//!
//! let a: DenseMat<f64> = Tensor::from_dense([2, 2], &[1.0, 0.0, 0.0, 4.0])?;
//! let mut written = Vec::new();
//! npy::write_to("a.npy", &mut written, &a, npy::Order::C)?;
//!
//! let read = npy::parse("a.npy", &written[..])?;
//! assert_eq!((read.shape(), read.dtype()), (&[2, 2][..], npy::DType::F64));
//! let sparse: Csr<f64> = read.into_tensor()?;
//! assert_eq!(sparse.stored(), 2);
//! # Ok::<(), looplets_formats::Error>(())
//! ```
//!
//! - The types are `bool`, `int8` to `int64`, `uint8` to `uint64`, `float32`, `float64`, `complex64` and `complex128`. Others,
//!   objects and records among them, are refused: nothing that a file says is run.
//! - What is read may become another type where every value is the same number in it, see [`NumpyValue`].
//! - Of an array a format stores what differs from its fill, and what it stores anyhow. Into dense levels, up to four of them,
//!   the values are moved.
//! - Nothing may follow the last value: a file to which several arrays were appended is refused, as one of them is
//!   not all of it.

// The header is three keys, so that reading it here takes less than checking what a crate made of it: `npyz` 0.9 multiplies
// sizes without looking whether they overflow, and brings a parser of all of Python's literals.
mod array;
mod bytes;
mod header;
mod reader;
mod reason;
#[cfg(test)]
mod tests;
mod value;
mod writer;

pub use array::{Array, FromArray};
pub use header::Order;
pub use reader::{parse, read};
pub use reason::NumpyReason;
pub use value::{DType, Number, NumpyValue, Values};
pub use writer::{write, write_to};

#[cfg(feature = "npz")]
pub(crate) use {
    array::{as_level, row_major},
    header::Header,
    reader::{data, header, Fault},
    writer::head,
};
