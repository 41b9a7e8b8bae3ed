//! Reductions from what they cannot leave, elements that are 0 where nothing is stored, terms that are added again and again, nests that
//! read what they have written, and whole numbers that are converted too late. Each is warned of at its token.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn first_place(x: &DenseVec<f64>) -> (at: usize) { for i { if x[i] > 3 { at <<min>>= i } } }
}
finch! {
    fn greatest(x: &DenseVec<f64>) -> (m: f64 = f64::INFINITY) { m <<max>>= x[i] }
}
finch! {
    fn endless(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64, Inf>) { y[i] += a[i, j] * x[j] }
}
finch! {
    fn all_of_them(x: &DenseVec<bool>) -> (all: bool = false) { all &&= x[i] }
}
finch! {
    fn below_nothing(x: &DenseVec<u64>) -> (s: u64) { s -= x[i] }
}
finch! {
    fn shortest(w: &Csr<f64>, d: &mut DenseVec<f64>) { for i, j { d[j] <<min>>= d[i] + w[i, j] } }
}
finch! {
    fn least_of_sizes(a: &Csr<f64>, x: &DenseVec<f64>) -> (m: DenseVec<f64, Inf>) { m[i] <<min>>= 2 * abs(a[i, j]) * x[j] }
}
finch! {
    fn product(a: &Csr<f64>) -> (m: DenseVec<f64, Const<1>>) { m[i] *= a[i, j] }
}
finch! {
    fn biased(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>, al: f64) -> (y: DenseVec<f64>) { y[i] += al * (a[i, j] * x[j] + b[i]) }
}
finch! {
    fn residual(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>) -> (s: f64) { let r = b[i] - a[i, j] * x[j]; s += r * r }
}
finch! {
    fn totals(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut t: f64 = 0.0;
        for i { for j { t += a[i, j] * x[j] } y[i] = t }
    }
}
finch! {
    fn transposed(a: &mut DenseMat<f64>) { for i, j { a[i, j] = a[j, i] } }
}
finch! {
    fn paths(d: &mut DenseMat<f64>) { for i, j, k { d[i, j] <<min>>= d[i, k] + d[k, j] } }
}
finch! {
    fn squared(a: &mut DenseMat<f64>) { for i, j, k { a[i, j] += a[i, k] * a[k, j] } }
}
finch! {
    fn differences(x: &DenseVec<u8>, y: &DenseVec<u8>) -> (s: i32) { s += (x[i] - y[i]) as i32 }
}
finch! {
    fn low_bits(x: &DenseVec<u32>) -> (y: DenseVec<u32>) { y[i] = x[i] && 15 }
}
finch! {
    // What is meant.
    fn as_meant(a: &mut DenseMat<f64>, w: &Csr<f64, u32, Inf>, d: &mut DenseVec<f64>, x: &DenseVec<u8>) -> (
        at: usize = usize::MAX, m: f64 = f64::NEG_INFINITY, all: bool = true, t: i64, y: DenseVec<f64>, p: f64
    ) {
        for i { if x[i] > 3 { at <<min>>= i } }
        for i { m <<max>>= x[i]; all &&= x[i] > 0; t += x[i] as i64 - 3 }
        for i, j { if w[i, j] < f64::INFINITY { d[j] <<min>>= d[i] + w[i, j] } }
        let mut s: f64 = 0.0;
        for i { s += x[i]; y[i] = s }
        for k, i, j { a[i, j] <<min>>= a[i, k] + a[k, j] }
        for i, j { if j < i { let t = a[i, j]; a[i, j] = a[j, i]; a[j, i] = t } }
        p = 1;
        for i { p *= x[i] }
    }
}

fn main() {}
