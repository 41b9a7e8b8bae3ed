//! Parameters that a kernel does not read, of which rustc sees nothing: a warning at each name, as of what is slow.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn tensor(x: &DenseVec<f64>, w: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] }
}
finch! {
    fn scalar(a: &Csr<f64>, alpha: f64) -> (y: DenseVec<f64>) { y[i] += a[i, j] }
}
finch! {
    #![steps(n)]
    fn meant(_w: &DenseVec<f64>, x: &DenseVec<f64>, k: usize, m: usize, p: f64, n: &mut u64) -> (y: DenseVec<f64>[k]) {
        for i in 0..m { y[i] = x[i] * $(2.0 * p) }
    }
}
#[allow(deprecated)]
mod allowed {
    use looplets::prelude::*;
    finch! {
        pub fn kept(x: &DenseVec<f64>, alpha: f64) -> (s: f64) { s += x[i] }
    }
}
fn main() {
    let (x, z, n): (DenseVec<f64>, DenseVec<f64>, f64) = (Tensor::new([3]).unwrap(), Tensor::new([3]).unwrap(), 1.0);
    let mut s = 0.0;
    finch! { <x: DenseVec<f64>, z: DenseVec<f64>, n: f64, mut s: f64> for i { s += x[i] } };
}
