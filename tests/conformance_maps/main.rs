//! The built-in levels that say of each coordinate whether it is stored, and those of triangles, by the suite that format crates run.
//! They are a program of their own, which is compiled beside that of the others.

mod maps;
mod triangles;
