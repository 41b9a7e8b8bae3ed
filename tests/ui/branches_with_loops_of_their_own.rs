//! Branches of an `if` whose loops are not the same: each has an extent of its own, which may be computed under the condition alone.

use looplets::prelude::*;

finch! {
    fn other_sizes(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: SparseVec<f64>) {
        for i { if x[i] > 0 { for j { y[i] += a[i, j] } } else { for j { y[i] += b[i, j] } } }
    }
}
finch! {
    fn computed(a: &Csr<f64>, b: &Csr<f64>, d: &[u32], m: usize) -> (c: Csr<f64>[m, m]) {
        for i { if d[i] > 2 { for j in 0..m / d[i] { c[i, j] = a[i, j] } } else if d[i] > 0 { for j in 0..m / d[i] { c[i, j] = b[i, j] } } }
    }
}

fn main() {}
