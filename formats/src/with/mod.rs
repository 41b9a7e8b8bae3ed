//! Tensors and the types of other crates, both ways. Each is behind a feature of that crate's name, off by default.
//!
//! | feature | version | types |
//! |---|---|---|
//! | `ndarray` | 0.17 | `Array1` to `Array6`, and views of them: tensors of [`Dense`](crate::Dense) levels |
//! | `sprs` | 0.11 | `CsMat`, `CsVec`: [`Csr`](crate::Csr), [`Csc`](crate::Csc), [`SparseVec`](crate::SparseVec) |
//! | `nalgebra-sparse` | 0.11 | `CsrMatrix`, `CscMatrix`, `CooMatrix`: [`Csr`](crate::Csr), [`Csc`](crate::Csc), [`Coo2`](crate::Coo2) |
//! | `faer` | 0.24 | `SparseRowMat`, `SparseColMat`: [`Csr`](crate::Csr), [`Csc`](crate::Csc); `Mat`: [`DenseMat`](crate::DenseMat) |
//! | `image` | 0.25 | gray images: any format of two dimensions, of gray values or of what is made of them |
//! | `rand` | 0.10 | random tensors of any format |
//! | `serde` | 1 | `Serialize`, `Deserialize` of tensors of any format |
//!
//! The features of `looplets` have the same names. A crate of another version has other types, for which there is no conversion.
//!
//! # What is kept, and what is copied
//!
//! Entry `(i, j)` of the one is entry `(i, j)` of the other, to the last bit, and zeros that are stored stay stored.
//! An array moves from the one to the other if its elements are of one type on both sides: values always do, and so do
//! coordinates of `Csr<f64, usize>` and of a matrix with `usize` indices. Otherwise coordinates are converted, and one
//! that does not fit is an error. What comes in is checked, in time linear in what is stored.
//!
//! A [`Csr`](crate::Csr) is stored by rows, a [`Csc`](crate::Csc) by columns: a matrix that is stored the other way is turned, in linear
//! time, and one that is stored so moves.

#[cfg(any(feature = "faer", feature = "nalgebra-sparse", feature = "sprs"))]
#[allow(dead_code, reason = "each of these crates uses a part of it")]
mod compressed;
#[cfg(feature = "faer")]
pub mod faer;
#[cfg(feature = "image")]
pub mod image;
#[cfg(feature = "nalgebra-sparse")]
pub mod nalgebra_sparse;
#[cfg(feature = "ndarray")]
pub mod ndarray;
#[cfg(feature = "rand")]
pub mod rand;
pub mod serde;
#[cfg(feature = "sprs")]
pub mod sprs;
