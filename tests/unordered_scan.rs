//! Entries that are gone through as they come: the one sparse operand of a loop whose result does not depend on the order.

#[macro_use]
mod oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Row = Tensor<UnorderedList<Element<f64>>>; }

kernels! {
    fn total(a: &Row, s: &mut f64) { for i { s += a[i::scan] } };;
    fn product(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::scan] * x[j] } };;
    fn columns(a: &Rows) -> (y: DenseVec<f64>) { for i, j { y[j] += a[i, j::scan] } };;
    fn window(a: &Rows, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 1..n { y[i, j - 1] = 2 * a[i, j::scan] } }
    };;
    fn moved(a: &Rows, n: usize) -> (y: DenseMat<f64>[n, n]) {
        for i in 0..n { for j in 0..n - 1 { y[i, j] = a[i, (j + 1)::scan] } }
    }
}
