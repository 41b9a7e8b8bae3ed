//! The looplets compiler as an ordinary library.
pub mod ast;
pub mod cin;
pub mod diagnostics;
pub mod prove;
pub mod simplify;
