//! Loops over what a shape operator takes away, where they run over what it makes.
use looplets::prelude::*;

finch! {
    fn flatten(a: &Csr<f64>) -> (x: SparseVec<f64>) { for i, j { x[k] = collapse(a[i, j], (i, j) -> k) } }
}
finch! {
    fn stack(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, j { c[r, j] = concat((a[i, j], b[l, j]), (i, l) -> r) } }
}
finch! {
    fn last(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[k] = slice(x[i], i -> k, (-3, -1)) }
}

fn main() {}
