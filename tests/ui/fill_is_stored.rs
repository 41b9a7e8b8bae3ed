//! Sparse results in which what nobody asked for is stored, and reductions of what is not.
#![deny(deprecated)]

use looplets::prelude::*;

finch! {
    fn compressed(a: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] }
    fn scaled(a: &DenseMat<f64>, d: &DenseVec<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * d[j] }
    fn filled(a: &Csr<f64>, b: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] }
    fn chosen(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = ifelse(a[i, j] > 0.5, a[i, j], 0) }
    fn divided(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] / b[i, j] }
    fn all(a: &Csr<bool>, x: &DenseVec<bool>) -> (y: Tensor<Dense<Element<bool, True>>>) { y[i] &&= a[i, j] && x[j] }
    fn positive(a: &SparseVec<f64>) -> (b: bool = true) { b &&= a[i] > 0 }
    fn endless(a: &Tensor<SparseList<Element<f64, Inf>>>) -> (s: f64) { s += a[i] }
}

fn main() {}
