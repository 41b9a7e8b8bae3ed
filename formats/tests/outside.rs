//! The library from outside: a level that a stranger writes needs nothing but the public
//! contract, and gets everything a tensor can do.

mod level {
    pub use looplets_formats::level::*;
}
#[path = "../src/sample.rs"]
#[allow(dead_code)]
mod sample;

use looplets_formats::mtx::{self, Matrix, Symmetry, WriteOptions};
use looplets_formats::{Error, Last, Refuse, Sum, Tensor};
use sample::{Csr, Dcsr, DenseVec};

#[test]
fn a_graph_through_a_file_and_back() -> Result<(), Error> {
    let path = std::env::temp_dir().join(format!("looplets-o-{}.mtx", std::process::id()));
    let edges = [([0, 1], 0.5), ([1, 0], 0.5), ([2, 2], 3.0)];
    let a = Tensor::<Csr<f64>>::from_triplets([3, 3], edges, Refuse)?;
    let options = WriteOptions {
        symmetry: Symmetry::Symmetric,
        comment: "a graph".to_owned(),
        ..WriteOptions::default()
    };
    mtx::write(&path, &a, &options)?;
    let matrix: Matrix = mtx::read(&path)?;
    let back: Tensor<Dcsr<f64>> = mtx::read(&path)?;
    std::fs::remove_file(&path).map_err(|e| Error::io(&path, &e))?;
    assert_eq!((matrix.in_file(), matrix.len()), (2, 3));
    assert_eq!(back.to_dense(), a.to_dense());
    assert_eq!(matrix.into_tensor::<Csr<f64>>(Sum)?, a);
    Ok(())
}

#[test]
fn the_caller_combines_duplicates() -> Result<(), Error> {
    let votes = [([1], 3), ([0], 1), ([1], 4)];
    let with = |d: fn(&mut i32, i32)| Tensor::<DenseVec<i32>>::from_triplets([2], votes, d);
    assert_eq!(with(|kept, next| *kept *= next)?.to_dense(), [1, 12]);
    let last = Tensor::<DenseVec<i32>>::from_triplets([2], votes, Last)?;
    assert_eq!(last.to_dense(), [1, 4]);
    Ok(())
}

/// Of a level that a stranger writes by hand the tree is what follows from its entries.
#[test]
fn a_level_by_hand_has_a_picture() -> Result<(), Error> {
    let entries = [([0, 1], 0.5), ([0, 2], 1.5), ([2, 2], 3.0)];
    let a = Tensor::<Csr<f64>>::from_triplets([3, 3], entries, Refuse)?;
    let text = a.picture().to_string();
    let tree: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(tree, ["0       ┬ 1 ─ 0.5", "        └ 2 ─ 1.5", "2       ─ 2 ─ 3"]);
    assert!(a.picture().svg().contains("At 2, 2 is 3."));
    Ok(())
}
