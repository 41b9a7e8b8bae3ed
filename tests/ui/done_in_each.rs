//! What each iteration does where once is meant, and what the last one alone leaves.
#![deny(deprecated)]

use looplets::prelude::*;

finch! {
    fn mean(x: &DenseVec<f64>, n: f64) -> (s: f64) { for i { s += x[i]; s /= n } }
    fn masked(m: &Csr<f64>, a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, j, k { c[i, j] += a[i, k] * b[j, k]; c[i, j] *= m[i, j] } }
    fn cleared(a: &DenseMat<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i, j { y[i] = 0; y[i] += a[i, j] * x[j] } }
    fn running(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { let mut m: f64 = f64::NEG_INFINITY; m <<max>>= x[i]; y[i] = m } }
    fn best_of_all(a: &Csr<f64>) -> (y: DenseVec<usize>) { let mut m: (f64, usize) = (f64::NEG_INFINITY, 0); for i { for j { m <<maxby>>= (a[i, j], j) } y[i] = $(m.1) } }
    fn any(x: &DenseVec<f64>) -> (b: bool) { for i { if x[i] < 0 { b = true } else { b = false } } }
    fn lost(m: &Csr<f64>, a: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, j { for k { c[i, j] += a[i, k] * a[j, k] } c[i, j] = m[i, j] } }
    fn halved(x: &DenseMat<f64>, m: usize, n: usize) -> (y: DenseMat<f64>[m, n]) { for i in 0..m, j in 0..n { y[i / 2, j / 2] = x[i, j] } }
    fn least_above_0(x: &DenseVec<f64>) -> (y: f64) { let mut m: f64 = f64::MIN_POSITIVE; for i { m <<max>>= x[i] } y = m }
    fn picked(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i { if i % 2 == 0 { y[i / 2] = x[i] } } }
    fn forgetting(x: &DenseVec<f64>) -> (s: f64) { for i { s += x[i]; s /= 2 } }
}

fn main() {}
