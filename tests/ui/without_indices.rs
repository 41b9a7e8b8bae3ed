//! Tensors that stand where numbers must, and types of coordinates that are left open.
use looplets::prelude::*;

finch! { fn product(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c = a * b } }
finch! { fn nested(x: &DenseVec<f64>) -> (z: DenseVec<f64>) { z = copied(copied(x)) } }
finch! { fn cleared(y: &mut DenseVec<f64>) { y = 0 } }
finch! { fn called(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a(i, j) * x(j) } }
finch! { fn open(a: &Csr<f64>) -> (c: Csr<f64, _>) { c[i, j] = 2 * a[i, j] } }
finch! { fn taken_away(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] =- x[i] } }

fn main() {
    let x: DenseVec<f64> = Tensor::from_dense([1], &[1.0]).unwrap();
    let mut s = 0.0;
    finch! { <x: DenseVec<f64>, mut s: f64> s += x };
}
