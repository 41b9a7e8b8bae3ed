//! The built-in levels, by the suite that format crates run.

mod blocks;
mod caught;
mod lists;
