//! Stored values that are scaled by a sparse vector: where that stores nothing, what is stored becomes 0, and nothing more is stored.

use looplets::prelude::*;

level! { type Trees = Tensor<Dense<BTree<Element<f64>>>>; }
level! { type Runs = Tensor<Dense<SparseRunList<Element<f64>>>>; }

finch! {
    fn rows(c: &mut Csr<f64>, x: &SparseVec<f64>) { c[i, j] *= x[i] * 0.5 }
    fn columns(c: &mut Csr<f64>, x: &SparseVec<f64>) { c[i, j] *= x[j] * 0.5 }
    fn trees(c: &mut Trees, x: &SparseVec<f64>) { c[i, j] *= x[i] * 0.5 }
    fn runs(c: &mut Runs, x: &SparseVec<f64>) { c[i, j] *= x[i] * 0.5 }
}

#[test]
fn rows_and_columns_are_scaled() {
    let inf = f64::INFINITY;
    let at = [([0, 0], 1.5), ([0, 2], -0.5), ([1, 1], 3.0), ([1, 2], inf), ([2, 1], inf)];
    let x = SparseVec::from_triplets([3], [([0], 4.0), ([2], 0.0)], Refuse).expect("in range");
    let c: Csr<f64> = Tensor::from_triplets([3, 3], at, Refuse).expect("in range");
    // Infinity times what is not stored is 0, and times a stored 0 it is no number.
    let want = [3.0, -1.0, 0.0, 0.0, f64::NAN];
    let check = |found: Vec<(Vec<usize>, f64)>, want: [f64; 5]| {
        let coords: Vec<Vec<usize>> = at.iter().map(|(c, _)| c.to_vec()).collect();
        assert_eq!(found.iter().map(|(c, _)| c.clone()).collect::<Vec<_>>(), coords);
        for ((_, found), want) in found.iter().zip(want) {
            assert!(*found == want || found.is_nan() && want.is_nan(), "{found} {want}");
        }
    };
    let mut by_rows = c.clone();
    rows(&mut by_rows, &x);
    check(by_rows.triplets(), want);
    let mut of_trees: Trees = c.convert().expect("the same");
    trees(&mut of_trees, &x);
    check(of_trees.triplets(), want);
    let mut by_columns = c.clone();
    columns(&mut by_columns, &x);
    check(by_columns.triplets(), [3.0, 0.0 * -0.5, 0.0, f64::NAN, 0.0]);
    let mut of_runs: Runs = c.convert().expect("the same");
    runs(&mut of_runs, &x);
    for (found, want) in of_runs.to_dense().iter().zip(by_rows.to_dense()) {
        assert!(*found == want || found.is_nan() && want.is_nan(), "{found} {want}");
    }
}
