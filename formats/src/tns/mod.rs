//! FROSTT files (`.tns`; Smith et al., *FROSTT: The Formidable Repository of Open Sparse Tensors and Tools*, 2017), which
//! is how most published sparse tensors come. A file is read whole or refused with the line and the reason; it is
//! never guessed at.
//!
//! ```
//! # use looplets_formats as looplets;
//! use looplets::{tns, Coo3, Refuse};
//!
//! let text = "# user, item, day, stars\n1 2 3 5.0\n\n4 2 1 0.5\n";
//! let read = tns::parse("stars.tns", text.as_bytes(), &tns::ReadOptions::default())?;
//! assert_eq!(read.shape(), [4, 2, 3]);
//! let tensor: Coo3<f64> = read.into_tensor(Refuse)?;
//! assert_eq!(tensor.get([3, 1, 0]), Some(0.5));
//!
//! let mut written = Vec::new();
//! tns::write_to("stars.tns", &mut written, &tensor, &tns::WriteOptions::default())?;
//! assert_eq!(written, b"1 2 3 5.0\n4 2 1 0.5\n");
//! # Ok::<(), looplets_formats::Error>(())
//! ```
//!
//! Where the format's description leaves something open:
//! - Each entry has a line of its own: a coordinate from 1 for each dimension, then the value. All lines have as many
//!   fields. Lines end in LF or CRLF; fields are separated by spaces or tabs. Blank lines and lines that begin with `#`
//!   may be anywhere. Comments may be in any encoding; nothing else may hold anything but ASCII.
//! - Values are those of Matrix Market files ([`crate::mtx`]): real or whole numbers, pairs of real and imaginary part, or
//!   none at all. A file does not say which: it is what the tensor that it is read into has, or what
//!   [`ReadOptions`] say.
//! - A file does not say the sizes either: they are the greatest coordinates, unless the caller gives them.
//! - Entries that are not in a file are the fill of the format they are read into, and those that are in it are
//!   stored, whatever their value.
//! - Duplicates are refused by [`read()`], and combined if the caller says so ([`Coordinates::into_tensor`] with
//!   [`crate::Sum`] or [`crate::Last`]).

mod coordinates;
mod reader;
mod reason;
#[cfg(test)]
mod tests;
mod writer;

pub use coordinates::{Coordinates, FromCoordinates};
pub use reader::{parse, read, read_with, ReadOptions};
pub use reason::TnsReason;
pub use writer::{write, write_to, WriteOptions};
