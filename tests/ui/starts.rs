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
fn main() {
    let x: DenseVec<f64> = Tensor::from_dense([1], &[1.0]).unwrap();
    let m = finch! { <x: DenseVec<f64>> -> (m: f64) for i { m <<max>>= x[i] } };
    #[allow(deprecated)]
    let n = finch! { <x: DenseVec<f64>> -> (m: f64) for i { m <<max>>= x[i] } };
    let _ = (m, n);
}
