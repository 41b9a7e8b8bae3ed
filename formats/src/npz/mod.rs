//! Sparse arrays of SciPy and of PyData/Sparse (`.npz`), as their `save_npz` write them and their `load_npz` read them: archives
//! of arrays of NumPy. A file is read whole or refused with the array and the reason; it is never guessed at.
//!
//! ```
//! # use looplets_formats as looplets;
//! use looplets::{npz, Csr, Refuse, Tensor};
//!
//! let a: Csr<f64> = Tensor::from_triplets([2, 3], [([0, 2], 3.0), ([1, 0], 4.0)], Refuse)?;
//! let mut written = std::io::Cursor::new(Vec::new());
//! let options = npz::WriteOptions { layout: npz::Layout::Csc, ..Default::default() };
//! npz::write_to("a.npz", &mut written, &a, &options)?;
//!
//! let read = npz::parse("a.npz", written)?;
//! assert_eq!((read.layout(), read.shape()), (npz::Layout::Csc, &[2, 3][..]));
//! let back: Csr<f64> = read.into_tensor(Refuse)?;
//! assert_eq!(back, a);
//! # Ok::<(), looplets_formats::Error>(())
//! ```
//!
//! | [`Layout`] | arrays | |
//! |---|---|---|
//! | `Csr`, `Csc` | `indptr`, `indices`, `data` | rows, or columns, of entries |
//! | `Bsr` | `indptr`, `indices`, `data` | rows of blocks; all elements of a block are entries. Read only |
//! | `Dia` | `offsets`, `data` | diagonals, of which all elements inside the matrix are entries. Read only |
//! | `Coo` | `row` and `col`, or `coords`; `data` | coordinates, of any number of dimensions |
//! | `PydataCoo` | `coords`, `data`, `fill_value` | coordinates, of any number of dimensions |
//! | `PydataGcxs` | `indptr`, `indices`, `compressed_axes`, `data`, `fill_value` | some dimensions are one of rows, the others one of columns |
//!
//! - Neither library promises that entries are sorted, nor that each is there once. Duplicates are refused by [`read()`], and
//!   combined if the caller says so ([`Sparse::into_tensor`] with [`crate::Sum`], which is what SciPy means by them).
//! - All invariants are checked: that indices are in range, that rows do not descend, that sizes agree. Of what SciPy calls
//!   spare room, entries behind the last row, nothing is read.
//! - Entries that are not stored are zero for SciPy; as of Matrix Market files, they are the fill of the format that is read
//!   into. PyData/Sparse says what they are, and a format of another fill is refused. A tensor of another fill than zero is
//!   written for PyData/Sparse alone.

mod archive;
mod layout;
mod places;
mod sparse;
#[cfg(test)]
mod tests;
mod writer;

pub use layout::Layout;
pub use sparse::{parse, read, read_array, FromSparse, Sparse};
pub use writer::{write, write_to, WriteOptions};
