//! Terms that a loop which is left out adds again and again.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn affine(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] + b[i] }
}
finch! {
    fn loss(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>) -> (l: f64) { l += b[i] * b[i] - 2 * a[i, j] * x[j] }
}
finch! {
    // One number for each, and what is written so.
    fn meant(a: &DenseMat<f64>, b: &DenseVec<f64>, c: f64) -> (y: DenseVec<f64>, z: DenseVec<f64>, s: f64) {
        y[i] += a[i, j] - c;
        for i, j { z[i] += a[i, j] - b[i] }
        s += (a[i, j] - b[i]) * (a[i, j] - b[i])
    }
}
finch! {
    #![schedule(inside)]
    fn within(a: &DenseMat<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] += a[i, j] - b[i] } }
}
finch! {
    fn by_a_name(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = a[i, j] * x[j]; y[i] += t + b[i] }
}

fn main() {}
