//! `looplets`: a sparse and structured tensor compiler that lives inside rustc.
pub use looplets_formats::*;

/// What most users import.
pub mod prelude {
    pub use looplets_formats::*;
}
