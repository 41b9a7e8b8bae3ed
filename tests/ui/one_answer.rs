//! Conditions that hold always or never, and terms that come to nothing.
#![deny(deprecated)]

use looplets::prelude::*;

finch! {
    fn identity(n: usize) -> (d: DenseMat<f64>[n, n]) { for i in 0..n, j in 0..n { d[i, j] = i == i } }
    fn neither(x: &DenseVec<f64>) -> (n: u64) { for i { if x[i] != 0 || x[i] != 1 { n += 1 } } }
    fn outside(x: &DenseVec<f64>) -> (n: u64) { for i { if x[i] < 0 && 1 < x[i] { n += 1 } } }
    fn inside(x: &DenseVec<f64>) -> (n: u64) { for i { if x[i] > 0 && x[i] < 1 { n += 1 } } }
    fn classes(x: &DenseVec<f64>) -> (c: DenseVec<i32>) { for i { if x[i] > 0 { c[i] = 1 } else if x[i] > 10 { c[i] = 2 } } }
    fn branches(x: &DenseVec<f64>) -> (c: DenseVec<f64>) { for i { if x[i] > 0 { c[i] = x[i] } else { c[i] = x[i] } } }
    fn nothing(x: &DenseVec<f64>) -> (c: DenseVec<f64>) { c[i] = x[i] - x[i] }
    fn logistic(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = 1 / 1 + exp(-x[i]) }
    fn weighted(x: &DenseVec<f64>, w: &DenseVec<f64>) -> (m: f64) { for i { m += x[i] * w[i] / w[i] } }
    fn window_of_none(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for k { y[k] = x[window(7, 3)[k]] } }
    fn in_extent(x: &DenseVec<f64>, n: usize) -> (s: f64) { for i in 0..n { if i < n { s += x[i] } } }
    fn no_loop(x: &DenseVec<f64>) -> (s: f64) { for i in 5..2 { s += x[i] } }
    fn of_root(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] * sqrt(-1) }
    fn root_of_square(x: &DenseVec<f64>) -> (s: f64) { s += sqrt(x[i] * x[i]) }
    fn counted(x: &DenseVec<f64>) -> (n: u64) { for i { n = n + x[i] > 0 } }
    fn never_missing(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { y[i] = coalesce(0, x[permit[i - 1]]) } }
    fn missing_as_a_whole(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { y[i] = coalesce(x[permit[i - 1]] + x[permit[i + 1]], 0) } }
    fn hidden(x: &DenseVec<f64>, z: &DenseVec<f64>) -> (s: f64) { for i { let z = x[i]; s += z * z } }
    fn of_a_parameter(a: &Csr<f64>, x: &DenseVec<f64>, k: usize) -> (y: DenseVec<f64>) { y[i] += a[i, k] * x[k] }
}

fn main() {}
