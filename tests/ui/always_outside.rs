//! Indices that leave a dimension whatever its size is, and sparse results that a scalar of the kernel fills.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn differences(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i + 1] - x[i] }
}
finch! {
    fn blurred(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3 }
}
finch! {
    fn centred(a: &Csr<f64>, n: f64) -> (c: Csr<f64>) { let mut m: f64; m += a[i, j] / n; c[i, j] = a[i, j] - m }
}
finch! {
    fn softmax(a: &Csr<f64>) -> (p: Csr<f64>) {
        for i { let mut t: f64; for j { t += exp(a[i, j]) } for j { p[i, j] = exp(a[i, j]) / t } }
    }
}
// These are right.
finch! {
    fn scaled(a: &Csr<f64>) -> (p: Csr<f64>) { let mut t: f64; t += a[i, j]; p[i, j] = a[i, j] / t }
    fn inside(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i in 0..$(x.shape()[0]) - 1 { y[i] = x[i + 1] - x[i] } }
}

fn main() {}
