//! Messages show statements, indices and sizes as the program has them, whatever the compiler made of it.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    // Both are gathered by rows.
    fn gathered(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] <<min>>= a[i, k] + b[k, j] }
}
finch! {
    fn in_few_bits(a: &Csr<u8>, b: &Csr<u8>) -> (c: Csr<u8>) { c[i, j] += a[i, k] * b[k, j] }
}
finch! {
    fn by_columns(a: &Csc<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] } } }
}
finch! {
    fn one_too_many(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i in 0..=$(x.shape()[0]) { y[i] = x[i] } }
}
finch! {
    fn sized(a: &Csr<f64>) -> (c: Csr<f64>) { for i, j { c[i, j] = a[i, j] + $(a.shape()[0]) as f64 } }
}

fn main() {}
