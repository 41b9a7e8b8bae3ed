//! A kernel over any type of numbers whose bounds do not say that it is one: one error, and not one for each use.
use looplets::prelude::*;

finch! {
    fn product<T>(a: &Csr<T>, x: &DenseVec<T>) -> (y: DenseVec<T>) { y[i] += a[i, j] * x[j] }
}
finch! {
    fn sum<T: Copy + std::ops::Add<Output = T>>(x: &DenseVec<T>) -> (s: T) { s += x[i] }
}
fn main() {}
