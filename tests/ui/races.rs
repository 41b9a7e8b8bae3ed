//! Iterations of a parallel loop that would write what others read or write.

use looplets::prelude::*;

fn middle(a: f64, b: f64) -> f64 {
    (a + b) / 2.0
}

finch! {
    fn columns(a: &Csr<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[j] = a[i, j] } } }
}
finch! {
    fn shifted(x: &DenseVec<f64>, n: usize, y: &mut DenseVec<f64>) { parallel for i in 0..n { y[i] = x[i]; y[i + 1] = x[i] } }
}
finch! {
    fn scattered(x: &DenseVec<f64>, at: &DenseVec<usize>, y: &mut DenseVec<f64>) { parallel for i { y[at[i]] = x[i] } }
}
finch! {
    fn last(x: &DenseVec<f64>, s: &mut f64) { parallel for i { s = x[i] } }
}
finch! {
    fn running(x: &DenseVec<f64>, s: &mut f64) -> (y: DenseVec<f64>) { parallel for i { s += x[i]; y[i] = s } }
}
finch! {
    fn mixed(x: &DenseVec<f64>, s: &mut f64) { parallel for i { s += x[i]; s *= x[i] } }
}
finch! {
    fn averaged(x: &DenseVec<f64>, s: &mut f64) { parallel for i { s <<middle>>= x[i] } }
}
finch! {
    fn counts(a: &Csr<f64>) -> (y: Tensor<Hash<Element<f64>>>) { parallel for i { for j { y[j] += a[i, j] } } }
}
finch! {
    fn updated(a: &Csr<f64>, b: &mut Tensor<Dense<Hash<Element<f64>>>>) { parallel for i { for j { b[i, j] += a[i, j] } } }
}
finch! {
    #![strict]
    fn in_order(x: &DenseVec<f64>, s: &mut f64) { parallel for i { s += x[i] } }
}
finch! {
    fn sized(x: &DenseVec<f64>, s: &mut usize) -> (y: DenseVec<f64>) {
        parallel for i { s += 1; let mut w: DenseVec<f64>[s]; { for j { y[i] += w[j] + 1 } } where { w[0] = x[i] } }
    }
}
finch! {
    #![steps(n)]
    fn counter(x: &DenseVec<f64>, n: &mut u64, y: &mut DenseVec<f64>) { parallel for i { y[i] = n } }
}
finch! {
    #![steps(n)]
    fn doubled(x: &DenseVec<f64>, n: &mut u64, y: &mut DenseVec<f64>) { parallel for i { n *= 2; y[i] = x[i] } }
}
finch! {
    fn one_element(x: &DenseVec<f64>) -> (y: Tensor<Element<f64>>) { parallel for i { y[] += x[i] } }
}

fn main() {}
