//! The built-in formats, one declaration a file, by the interface that format crates use.

mod aliases;
mod bitmap;
mod byte_map;
mod dense;
mod element;
mod fibers;
mod pack_bits;
mod pattern;
mod ragged;
mod run_list;
mod sparse_band;
mod sparse_block_list;
mod sparse_interval;
mod sparse_list;
mod sparse_point;
mod sparse_run_list;
mod symmetric;
mod triangular;

pub use aliases::*;
pub use bitmap::*;
pub use byte_map::*;
pub use dense::*;
pub use element::*;
pub use fibers::begin_fiber;
pub use pack_bits::*;
pub use pattern::*;
pub use ragged::*;
pub use run_list::*;
pub use sparse_band::*;
pub use sparse_block_list::*;
pub use sparse_interval::*;
pub use sparse_list::*;
pub use sparse_point::*;
pub use sparse_run_list::*;
pub use symmetric::*;
pub use triangular::*;
