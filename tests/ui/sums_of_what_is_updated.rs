//! A sum that could be taken first reads what the statement writes: it would be the sum of what was there before, which no order of the
//! loops gives.

use looplets::prelude::*;

finch! {
    fn one(g: &DenseVec<f64>, v: &mut DenseVec<f64>) { v[k] -= g[k] * v[j] }
}
finch! {
    fn own(g: &DenseVec<f64>, h: &DenseVec<f64>, v: &mut DenseVec<f64>) { v[k] += v[k] * g[j] * h[j] }
}
finch! {
    fn rows(a: &mut DenseMat<f64>, x: &DenseVec<f64>) { a[i, j] += a[i, k] * x[k] * x[j] }
}
finch! {
    fn under(g: &DenseVec<f64>, v: &mut DenseVec<f64>) { if g[k] > 0 { v[k] += g[k] * v[j] } }
}

fn main() {}
