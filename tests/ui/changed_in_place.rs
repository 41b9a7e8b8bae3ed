//! Elements that an iteration reads after another one has changed them, where what was there first is meant.
#![deny(deprecated)]

use looplets::prelude::*;

finch! {
    fn smoothed(x: &mut DenseVec<f64>, n: usize) { for i in 1..n - 1 { x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3 } }
    fn shifted(x: &mut DenseVec<f64>, n: usize) { for i in 0..n - 1 { x[i + 1] = x[i] } }
    fn reversed(x: &mut DenseVec<f64>, n: usize) { for i in 0..n { let t = x[i]; x[i] = x[n - 1 - i]; x[n - 1 - i] = t } }
    fn to_the_middle(x: &mut DenseVec<f64>, n: usize) { for i in 0..n / 2 { let t = x[i]; x[i] = x[n - 1 - i]; x[n - 1 - i] = t } }
    fn paths(d: &mut DenseMat<f64>) { for i, j, k { d[i, j] = min(d[i, j], d[i, k] + d[k, j]) } }
    fn whole_paths(d: &mut DenseMat<f64>) { for k, i, j { d[i, j] = min(d[i, j], d[i, k] + d[k, j]) } }
    fn pivot(a: &mut DenseMat<f64>, n: usize) { for k in 0..n { for j in 0..n { a[k, j] = a[k, j] / a[k, k] } } }
    fn from_first(x: &mut DenseVec<f64>) { for i { x[i] -= x[0] } }
    fn itself(w: &Csr<f64>, d: &mut DenseVec<f64>) { for i, j { if w[i, j] != 0 { d[j] <<min>>= d[j] + w[i, j] } } }
    fn red_and_black(u: &mut DenseVec<f64>, n: usize) { for c in 0..2, i in 1..n - 1 { if i % 2 == c { u[i] = (u[i - 1] + u[i + 1]) / 2 } } }
}

fn main() {}
