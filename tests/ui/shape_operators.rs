//! Mistakes in shape operators.
use looplets::prelude::*;

finch! {
    fn no_dimension(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, m) -> k) } }
    fn twice(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, i], (i, i) -> k) } }
    fn no_loop(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> l) } }
    fn a_loop(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i, k { y[k] = collapse(a[i, j], (i, j) -> k) } }
    fn gone(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> k) + i } }
    fn arity(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(a[i, 0], i -> k) }
        for k { y[k] = concat(x[i], (i, j) -> k) }
        for k { y[k] = slice(x[i], i -> k) }
    }
    fn made_twice(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, i)) } }
    fn size(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j)) } }
    fn step(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (5, 0, -1)) } }
    fn bound(x: &SparseVec<f64>, s: &mut f64) { for m in 0..3 { for k { s += slice(x[i], i -> k, (m, 3)) } } }
    fn numpy(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat(x, x) } }
}

fn main() {}
