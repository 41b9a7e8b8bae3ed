//! The looplets compiler as an ordinary library: tokens in, tokens out.
//!
//! A kernel flows through `parse`, `schedule`, `resolve`, `unfurl`, `lower` and `emit`, with `simplify` and
//! `prove` as services of `lower`; ARCHITECTURE.md tells the way. The proc macros are a thin shim
//! over [`expand`], and so may be another front end.

pub mod algebra;
pub mod ast;
pub mod by_columns;
pub mod cin;
mod clock;
pub mod decl;
pub mod declare;
pub mod diagnostics;
pub mod effects;
pub mod emit;
pub mod expand;
pub mod fills;
pub mod formats;
pub mod index;
pub mod kernel;
pub mod kir;
mod locals;
mod lost;
pub mod lower;
pub mod methods;
pub mod nest;
mod nesting;
pub mod opaque;
pub mod ops;
pub mod optimize;
pub mod parse;
pub mod picture;
pub mod prove;
pub mod resolve;
pub mod runtime;
pub mod schedule;
pub mod simplify;
mod starts;
pub mod types;
mod typing;
pub mod unfurl;
pub mod values;
mod verify;
