//! All errors of a kernel at once, each at its token.
use looplets::prelude::*;

finch! {
    fn product(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for j, i { y[i] += a[i, j] * b[j] * x[j, i] }
    }
}

finch! {
    fn updated_where_it_goes_on(y: &mut SparseVec<f64>) { for i { y[i] += 2 } }
}

finch! {
    fn jumps(x: &DenseVec<f64>, keep: bool) -> (y: DenseVec<f64>) {
        for i { y[i] = x[i] + $(if keep { 1.0 } else { continue }) }
    }
    fn jumps_inside(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = x[i] * $(loop { break 2.0 }) + $('a: { if x[i] > 1.0 { break 'a 1.0 } 0.0 }) }
    }
    fn jumps_further(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = x[i] * $(loop { break 'rows 2.0 }) }
    }
}

finch! {
    fn perhaps(lo: &DenseVec<i64>, x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        for i in 0..n { for j in 0..lo[permit[i + 1]] { y[i] += x[j] } }
    }
}

finch! {
    fn moving_size(n: &mut usize) -> (y: DenseVec<f64>[n]) { for i { y[i] = i }; n += 1 }
}

fn main() {}
