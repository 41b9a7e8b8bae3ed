//! Files that are right, files that are wrong in every way, and files that were changed at random.

mod malformed;
mod mutated;
mod right;

use super::ReadOptions;
use crate::mtx::Field;

fn options(rank: Option<usize>, field: Option<Field>) -> ReadOptions {
    ReadOptions { shape: None, rank, field }
}

fn shaped(shape: &[usize]) -> ReadOptions {
    ReadOptions { shape: Some(shape.to_vec()), ..ReadOptions::default() }
}
