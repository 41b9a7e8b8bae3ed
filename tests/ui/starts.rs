//! Reductions that start at a value which takes part: each is warned of at its operator.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn largest(a: &Csr<f64>) -> (m: DenseVec<f64>) { m[i] <<max>>= a[i, j] }
}
finch! {
    fn least(a: &Csr<f64>) -> (m: f64) { m <<min>>= a[i, j] }
}
finch! {
    fn product(x: &DenseVec<f64>) -> (y: DenseVec<f64>[1]) {
        let mut p: f64;
        for i { p *= x[i] }
        y[0] = p
    }
}
finch! {
    fn all(a: &Tensor<Dense<SparseList<Element<bool>>>>) -> (y: Tensor<Dense<Element<bool>>>) { y[i] &&= a[i, j] }
}
finch! {
    fn farthest(x: &DenseVec<f64>) -> (best: (f64, usize)) { best <<maxby>>= (x[i], i) }
}
finch! {
    fn nearest(a: &DenseMat<u8>) -> (y: DenseVec<u64>) {
        for i {
            let mut b: (u8, u64);
            for j { b <<minby>>= (a[i, j], j) }
            y[i] = $(b.1)
        }
    }
}
finch! {
    fn nearest_of_all(a: &Csr<f64>) -> (m: Vec<f64>) { m[i] <<min>>= a[i, j] }
}
finch! {
    // No part is below 0.
    fn brightest(x: &DenseVec<u8>) -> (best: (u8, usize)) { best <<maxby>>= (x[i], i) }
}
finch! {
    fn by_its_value(x: &DenseVec<f64>) -> (m: f64) { for i { m = max(m, x[i]) } }
}
fn main() {
    let x: DenseVec<f64> = Tensor::from_dense([1], &[1.0]).unwrap();
    let m = finch! { <x: DenseVec<f64>> -> (m: f64) for i { m <<max>>= x[i] } };
    #[allow(deprecated)]
    let n = finch! { <x: DenseVec<f64>> -> (m: f64) for i { m <<max>>= x[i] } };
    let _ = (m, n);
}
