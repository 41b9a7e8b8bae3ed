//! Functions for several formats: what is not one of them, and formats that are given wrongly.
use looplets::prelude::*;

finch! {
    fn sum(a: &(Csr<f64> | DenseMat<f64>)) -> (s: f64) { s += a[i, j] }
    fn product(a: &(Csr<f64> | DenseMat<f64>), x: &(DenseVec<f64> | SparseVec<f64>)) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    // A kernel that is refused for one format is refused.
    fn pattern(a: &(Csr<f64> | SparseVec<f64>)) -> (s: f64) { s += a[i, j] }
}
finch! {
    fn twice(a: &(Csr<f64> | Csr<f64>)) -> (s: f64) { s += a[i, j] }
    fn by_value(a: (Csr<f64> | DenseMat<f64>)) -> (s: f64) { s += a[i, j] }
    fn unfinished(a: &(Csr<f64> |)) -> (s: f64) { s += a[i, j] }
}
finch! {
    fn many(a: &(SparseVec<f64> | DenseVec<f64> | Tensor<RunList<Element<f64>>>), b: &(SparseVec<f64> | DenseVec<f64> | Tensor<RunList<Element<f64>>>), c: &(SparseVec<f64> | DenseVec<f64>)) -> (s: f64) { s += a[i] * b[i] * c[i] }
}

fn main() {
    let a: Dcsr<f64> = Tensor::from_dense([1, 1], &[1.0]).unwrap();
    let d: DenseMat<f64> = Tensor::from_dense([1, 1], &[1.0]).unwrap();
    sum(&a);
    product(&d, &d);
    finch! { <a: (Csr<f64> | Dcsr<f64>)> -> (s: f64) for i, j { s += a[i, j] } };
}
