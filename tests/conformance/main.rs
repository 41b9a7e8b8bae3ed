//! The built-in levels, by the suite that format crates run.

mod blocks;
mod lists;
mod maps;
mod triangles;
