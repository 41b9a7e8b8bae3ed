//! The product of a semiring where its sum reduces.
use looplets::prelude::*;

finch! {
    fn shortest(a: &Csr<f64, u32, Inf>, b: &Csr<f64, u32, Inf>) -> (c: Csr<f64, u32, Inf>) { c[i, j] <<min_plus>>= a[i, k] + b[k, j] }
}
finch! {
    fn widest(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] <<max_min>>= min(a[i, j], x[j]) }
}

fn main() {}
