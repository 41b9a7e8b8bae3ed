//! Files that are read into tensors stored by columns: the same values as by rows, and errors that name the rows and columns
//! of the file.

use looplets::{mtx, prelude::*, tns};
use std::path::PathBuf;

/// A directory of its own, which is removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let path = std::env::temp_dir().join(format!("looplets-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory for files");
        Place(path)
    }
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

type DenseByColumns = looplets::ByColumns<Dense<Dense<Element<f64>>>>;
type Cube = looplets::ByColumns<SparseList<SparseList<SparseList<Element<f64>>>>>;

#[test]
fn matrix_market() {
    let place = Place::new("columns-mtx");
    let text =
        "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 2 -2.5\n2 1 5e-324\n2 3 0.1\n";
    let a: Csc<f64> = mtx::read(place.file("a.mtx", text)).expect("a matrix");
    assert_eq!(a.shape(), [2, 3]);
    assert_eq!(a.to_dense(), [0.0, -2.5, 0.0, 5e-324, 0.0, 0.1]);
    let array = "%%MatrixMarket matrix array real general\n2 3\n0\n1\n2\n3\n4\n5\n";
    let dense: DenseByColumns = mtx::read(place.file("b.mtx", array)).expect("an array");
    assert_eq!(dense.to_dense(), [0.0, 2.0, 4.0, 1.0, 3.0, 5.0]);
    assert_eq!(dense.values(), Some(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0][..]));
    let half = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 4\n3 3 5\n";
    let a: Csc<f64> = mtx::read(place.file("c.mtx", half)).expect("a symmetric matrix");
    assert_eq!(a.to_dense(), [0.0, 4.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 5.0]);
    let twice = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 4\n1 3 5\n";
    let error = mtx::read::<Csc<f64>>(place.file("d.mtx", twice)).expect_err("given twice");
    let by_rows = mtx::read::<Csr<f64>>(place.0.join("d.mtx")).expect_err("given twice");
    assert_eq!(error.to_string(), by_rows.to_string());
}

#[test]
fn frostt() {
    let place = Place::new("columns-tns");
    let text = "1 2 3 0.5\n2 1 1 -0.25\n2 2 3 1e300\n";
    let a: Cube = tns::read(place.file("a.tns", text)).expect("a tensor");
    let by_rows: Tensor<SparseList<SparseList<SparseList<Element<f64>>>>> =
        tns::read(place.0.join("a.tns")).expect("a tensor");
    assert_eq!((a.shape(), a.to_dense()), (by_rows.shape(), by_rows.to_dense()));
    let twice = place.file("b.tns", "1 2 3 0.5\n1 2 3 1\n");
    let error = tns::read::<Cube>(&twice).expect_err("given twice");
    let text = error.to_string();
    assert!(text.ends_with(":2: entry (1, 2, 3) is given more than once"), "{text}");
}
