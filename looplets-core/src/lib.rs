//! The looplets compiler as an ordinary library.
pub mod cin;
