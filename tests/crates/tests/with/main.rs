//! What looplets has for other crates, each tested against that crate: round trips, what is copied and what is not, a
//! kernel beside the other crate's own, hostile values, empty sizes, and what is refused.

mod faer;
mod image;
mod nalgebra_sparse;
mod ndarray;
mod rand;
mod serde;
mod sprs;
