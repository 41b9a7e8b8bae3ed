//! What a user reads when a kernel is well-formed but means nothing, or a declaration declares
//! nothing: every message of `resolve`, `formats` and `decl`, with line and column.
//!
//! The formats are the built-in ones, read from their sources so that they cannot drift.

#[path = "../built_in/mod.rs"]
mod built_in;
mod calls;
mod declarations;
mod habits;
mod kernels;
mod marks;
mod several;
mod sources;
mod typing;
mod unbound;
mod whole;
