//! Shape operators that are none as they are written.
use looplets::prelude::*;

finch! { fn bounds(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> k, (0, 1)) } } }
finch! { fn left(x: &SparseVec<f64>) -> (y: Csr<f64>) { for k { collapse(y[i, j], (i, j) -> k) = x[k] } } }
finch! { fn arrow(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], k) -> 3 } } }
finch! { fn cut(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, 5) } } }
finch! { fn other(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = flatten(x[i], i -> k) } } }
finch! { fn range(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, 1..3) } } }

fn main() {}
