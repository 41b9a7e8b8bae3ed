//! Matrix Market files (Boisvert, Pozo, Remington: *The Matrix Market Exchange Formats*, NIST
//! 1996), which is how most published sparse matrices come. A file is read whole or refused
//! with the line and the reason; it is never guessed at.
//!
//! Where the format's description leaves something open:
//! - Words are read in upper or lower case. Lines end in LF or CRLF; fields are separated by
//!   spaces or tabs. After the banner, blank lines and lines that begin with `%` may be anywhere.
//!   Comments may be in any encoding; nothing else may hold anything but ASCII.
//! - Each entry has a line of its own, without anything after it.
//! - Numbers may begin with `+`. Real numbers are those of C and of Fortran: `1.`, `.5`, `1e5`,
//!   `1D5`. `nan`, `inf` and `infinity` are accepted, with a sign and in any case, since both
//!   languages write them. A number too large for an `f64` is an error; one too small is zero.
//! - A symmetric file holds the lower triangle, a skew-symmetric one holds no diagonal, a
//!   hermitian one has a real diagonal. Matrices are read as general: the other half is made.
//! - Entries that are not in a coordinate file are the fill of the format they are read into,
//!   and those that are in it are stored, whatever their value. Of an array file, a format
//!   stores what differs from its fill.
//! - Rows come first in a [`Tensor`](crate::Tensor) such as [`Csr`](crate::Csr), columns in a
//!   [`ByColumns`](crate::ByColumns) such as [`Csc`](crate::Csc): the type that is asked for says which.
//! - Duplicates are refused by [`read`], and summed if the caller says so
//!   ([`Matrix::into_tensor`] with [`crate::Sum`]).

mod header;
pub(crate) mod matrix;
pub(crate) mod reader;
pub(crate) mod reason;
pub(crate) mod scan;
#[cfg(test)]
mod tests;
mod value;
mod writer;

pub use header::{Field, Header, Layout, Symmetry};
pub use matrix::{FromMatrix, Matrix, Values};
pub use reader::{parse, read};
pub use reason::MtxReason;
pub use value::{MtxValue, Scalar};
pub use writer::{write, write_to, WriteOptions};
