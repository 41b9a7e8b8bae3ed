//! Shape operators are not assigned to.
use looplets::prelude::*;

finch! { fn collapsed(x: &SparseVec<f64>) -> (y: Csr<f64>) { for k { collapse(y[i, j], (i, j) -> k) = x[k] } } }
finch! { fn parted(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i, j { split(y[k], k -> (i, j: 3)) = a[i, j] } } }
finch! { fn joined(x: &SparseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) { for k { concat((y[i], z[j]), (i, j) -> k) = x[k] } } }
finch! { fn cut(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { slice(y[i], i -> k, (2, 5)) += x[k] } } }
finch! { fn reshaped(a: &Csr<f64>) -> (y: Csr<f64>) { for k, l { reshape(y[i, j], (i, j) -> (k, l: 3)) = a[k, l] } } }

fn main() {}
