//! The built-in formats, one declaration a file, by the interface that format crates use.

mod aliases;
mod dense;
mod element;
mod pattern;
mod run_list;
mod sparse_band;
mod sparse_list;

pub use aliases::*;
pub use dense::*;
pub use element::*;
pub use pattern::*;
pub use run_list::*;
pub use sparse_band::*;
pub use sparse_list::*;
