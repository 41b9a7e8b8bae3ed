//! Sparse matrices of nalgebra-sparse.

use looplets::prelude::*;
use looplets::Error;
use nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};

const VALUES: [f64; 5] = [-0.0, f64::NAN, 5e-324, f64::INFINITY, 1.0 / 3.0];

fn example() -> CsrMatrix<f64> {
    CsrMatrix::try_from_csr_data(3, 4, vec![0, 2, 2, 5], vec![1, 3, 0, 2, 3], VALUES.to_vec())
        .expect("a matrix")
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn rows_move_both_ways() {
    let a = example();
    let at = (a.row_offsets().as_ptr(), a.col_indices().as_ptr(), a.values().as_ptr());
    let t: Csr<f64, usize> = a.try_into().expect("a matrix");
    let rows = t.root().child();
    assert_eq!(
        at,
        (rows.pos().as_ptr(), rows.crd().as_ptr(), t.values().expect("values").as_ptr())
    );
    let a = CsrMatrix::from(t);
    assert_eq!(at, (a.row_offsets().as_ptr(), a.col_indices().as_ptr(), a.values().as_ptr()));
    assert_eq!(bits(a.values()), bits(&VALUES));
    // Of other coordinates all but these move.
    let at = (a.row_offsets().as_ptr(), a.values().as_ptr());
    let t: Csr<f64> = a.try_into().expect("a matrix");
    assert_eq!(t.root().child().crd(), [1, 3, 0, 2, 3]);
    let a = CsrMatrix::from(t);
    assert_eq!(at, (a.row_offsets().as_ptr(), a.values().as_ptr()));
    assert_eq!(a.pattern(), example().pattern());
}

#[test]
fn columns_are_turned_or_taken_for_rows() {
    let a = CscMatrix::from(&example());
    let turned: Csr<f64> = a.clone().try_into().expect("a matrix");
    let rows: Csr<f64> = example().try_into().expect("a matrix");
    assert_eq!(format!("{turned:?}"), format!("{rows:?}"));
    let back = CscMatrix::try_from(turned).expect("a matrix");
    assert_eq!((back.pattern(), bits(back.values())), (a.pattern(), bits(a.values())));
    let at = (a.row_indices().as_ptr(), a.values().as_ptr());
    let columns: Csr<f64, usize> = a.transpose_as_csr().try_into().expect("a matrix");
    assert_eq!(columns.shape(), [4, 3]);
    let back = CsrMatrix::from(columns).transpose_as_csc();
    assert_eq!(at, (back.row_indices().as_ptr(), back.values().as_ptr()));
}

#[test]
fn coordinates_move_if_they_are_in_order() {
    let sorted =
        CooMatrix::try_from_triplets(3, 4, vec![0, 0, 2], vec![1, 3, 0], vec![-0.0, 1.5, 2.5])
            .expect("a matrix");
    let at =
        (sorted.row_indices().as_ptr(), sorted.col_indices().as_ptr(), sorted.values().as_ptr());
    let t: Coo2<f64, usize> = sorted.clone().try_into().expect("a matrix");
    assert_eq!(t.values().expect("values")[0].to_bits(), (-0.0f64).to_bits());
    assert_eq!(CooMatrix::from(t), sorted);
    let t: Coo2<f64, usize> = sorted.try_into().expect("a matrix");
    let a = CooMatrix::from(t);
    assert_eq!(at, (a.row_indices().as_ptr(), a.col_indices().as_ptr(), a.values().as_ptr()));
}

#[test]
fn coordinates_in_any_order_are_sorted_and_summed() {
    let rows = vec![2, 0, 2, 0];
    let a = CooMatrix::try_from_triplets(3, 4, rows, vec![0, 3, 0, 1], vec![0.5, 1.5, 0.25, 2.0])
        .expect("a matrix");
    let dense = CsrMatrix::from(&a);
    let t: Coo2<f64> = a.try_into().expect("a matrix");
    assert_eq!(t.to_triplets(), [([0, 1], 2.0), ([0, 3], 1.5), ([2, 0], 0.75)]);
    assert_eq!(
        CsrMatrix::from(t.convert::<Dense<SparseList<Element<f64>>>>().expect("a matrix")),
        dense
    );
    let twice = CooMatrix::try_from_triplets(1, 1, vec![0, 0], vec![0, 0], vec![200u8, 100])
        .expect("a matrix");
    assert_eq!(Coo2::<u8>::try_from(twice).unwrap_err(), Error::Overflow { coords: vec![0, 0] });
}

#[test]
fn sizes_at_the_edge() {
    for (m, n) in [(0, 0), (0, 4), (4, 0), (1, 1)] {
        let a = CsrMatrix::<f64>::zeros(m, n);
        let t: Csr<f64> = a.clone().try_into().expect("a matrix");
        assert_eq!(t.shape(), [m, n]);
        assert_eq!(CsrMatrix::from(t.clone()), a);
        assert_eq!(CscMatrix::try_from(t).expect("a matrix"), CscMatrix::zeros(m, n));
        let t: Coo2<f64> = CooMatrix::<f64>::zeros(m, n).try_into().expect("a matrix");
        assert_eq!((t.shape(), CooMatrix::from(t)), (vec![m, n], CooMatrix::zeros(m, n)));
    }
    let far = CsrMatrix::<f64>::zeros(0, usize::MAX);
    assert_eq!(
        Csr::<f64>::try_from(far).unwrap_err(),
        Error::TooLarge { shape: vec![0, usize::MAX] }
    );
    let wide =
        CsrMatrix::try_from_csr_data(1, 1000, vec![0, 1], vec![256], vec![1.0]).expect("a matrix");
    assert!(matches!(Csr::<f64, u8>::try_from(wide), Err(Error::Unstorable { .. })));
}

finch! {
    fn product(a: &Csr<f64, usize>, b: &Csr<f64, usize>) -> (c: Csr<f64, usize>) {
        c[i, j] += a[i, k] * b[k, j]
    }
}

#[test]
fn a_product_is_that_of_nalgebra_sparse() {
    let entries = (0..200usize).map(|k| ([k * 37 % 40, k * 53 % 30], (k % 9) as f64 * 0.25 - 1.0));
    let a: Csr<f64, usize> = Tensor::from_triplets([40, 30], entries, Sum).expect("a matrix");
    let b: Csr<f64, usize> = a.permute([1, 0]).expect("a matrix");
    let c = product(&a, &b).to_dense();
    let theirs: Csr<f64> = (CsrMatrix::from(a) * CsrMatrix::from(b)).try_into().expect("a matrix");
    assert_eq!(c, theirs.to_dense());
}

#[test]
fn columns_move_both_ways() {
    let a = CscMatrix::from(&example());
    let at = (a.row_indices().as_ptr(), a.values().as_ptr());
    let want: Vec<u64> = a.values().iter().map(|v| v.to_bits()).collect();
    let t: Csc<f64, usize> = a.try_into().expect("a matrix");
    let back = CscMatrix::from(t);
    assert_eq!((back.row_indices().as_ptr(), back.values().as_ptr()), at);
    assert_eq!(back.values().iter().map(|v| v.to_bits()).collect::<Vec<_>>(), want);
    assert_eq!((back.nrows(), back.ncols()), (example().nrows(), example().ncols()));
}
