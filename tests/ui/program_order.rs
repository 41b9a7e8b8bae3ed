//! Tensors that a nest reads and writes: where its loops have an order, and where what is summed goes on.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn left_out(x: &mut DenseVec<f64>) { x[i] = x[i - 1] + 1 }
}
finch! {
    fn beside_each_other(x: &mut DenseVec<f64>) { parallel for i in 1..9 { x[i] = x[i - 1] + 1 } }
}
finch! {
    fn in_order(x: &DenseVec<f64>) -> (y: SparseVec<f64>) { for i in 1..9 { y[i] = y[i - 1] + x[i] } }
}
finch! {
    fn of_nothing(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = 2 * y[i] + x[i] } }
}
finch! {
    fn by_value(y: DenseVec<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = 2 * y[i] + x[i] } }
}
finch! {
    fn each_row(a: &Csr<f64>) -> (w: DenseVec<f64>, c: Csr<f64>) {
        for i { for j { w[j] += a[i, j] }; for j { c[i, j] = a[i, j] * w[j] } }
    }
}
finch! {
    // A step in time, and a guard.
    fn not_said(x: &mut DenseVec<f64>, v: &mut DenseVec<f64>, z: &DenseVec<f64>) -> (d: DenseVec<f64>) {
        for s in 0..9 { for i { x[i] += v[i] }; for i { v[i] -= 0.1 * x[i] } }
        for i { if i > 0 { d[i] = z[i] - z[i - 1] } }
    }
}

fn main() {}
