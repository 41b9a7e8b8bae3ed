//! The facade. Its documentation is the README, whose examples are tests of the package `book/`.
//!
#![doc = include_str!("../README.md")]

pub mod guide;

pub use looplets_formats::*;

/// What most programs import: everything, since names of formats must come with their macros.
pub mod prelude {
    pub use looplets_formats::*;
}
