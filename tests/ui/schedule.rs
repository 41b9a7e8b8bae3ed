use looplets::prelude::*;

finch! { #![schedule] fn nothing(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule()] fn empty(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(transpose(a))] fn word(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread)] fn of_what(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread(a, x))] fn two(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread(z))] fn other(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(spread(x))] fn dense(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(first(a, x))] fn parts(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] } }
finch! { #![schedule(order(j, i))] fn against(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j + 1] * x[j] } }
finch! { #![schedule(order(i, k))] fn no_loop(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(way(0))] fn from_one(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(way(2))] fn one_way(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] } }
finch! { #![schedule(at_once)] fn written(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } } }
finch! { #![schedule(inside)] fn all_written(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } } }

fn inline(a: &Csr<f64>, x: &DenseVec<f64>) -> f64 {
    let mut s = 0.0;
    finch! { #![schedule(spread(x))] <a: Csr<f64>, x: DenseVec<f64>, mut s: f64> for i, j { s += a[i, j] * x[j] } }
    s
}

fn main() {}
