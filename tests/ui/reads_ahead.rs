//! Elements of a new result that are read before any iteration wrote them.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn from_below(a: &Csr<f64>, b: &DenseVec<f64>) -> (x: DenseVec<f64>) {
        for i { x[i] = b[i]; for j { if j > i { x[i] -= a[i, j] * x[j] } } x[i] /= a[i, i] }
    }
}
finch! {
    fn from_a_start(a: &DenseMat<f64>, b: &DenseVec<f64>, n: usize) -> (x: DenseVec<f64>[n]) {
        for i in 0..n { let mut s: f64; for j in i + 1..n { s += a[i, j] * x[j] } x[i] = (b[i] - s) / a[i, i] }
    }
}
finch! {
    fn of_a_row(b: &DenseMat<f64>, n: usize) -> (x: DenseMat<f64>[n, n]) {
        for t in 0..n { for i in 0..n - 1 { x[t, i] = x[t, i + 1] + b[t, i] } }
    }
}
finch! {
    fn of_too_few_indices(n: usize) -> (x: DenseMat<f64>[n, n]) { for t in 0..n { for i in 0..n - 1 { x[i] = x[i + 1, t] } } }
}
finch! {
    // What another loop wrote is there, and so is what an iteration around wrote, and what the caller passes.
    fn written(b: &DenseVec<f64>, n: usize, z: &mut DenseVec<f64>) -> (x: DenseVec<f64>[n], y: DenseVec<f64>[n]) {
        for i { x[i] = b[i] }
        for i in 0..n - 1 { x[i] += x[i + 1] }
        for t in 0..3 { for i in 0..n - 1 { y[i] = y[i + 1] + b[t] } }
        for i in 0..n - 1 { z[i] = z[i + 1] }
    }
}

fn main() {}
