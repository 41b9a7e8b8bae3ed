//! Loops over entries in no order whose result depends on the order.

use looplets::prelude::*;
use looplets::UnsortedBlockList;

level! { pub type Vector = Tensor<UnsortedBlockList<Element<f64>>>; }
level! { pub type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { pub type Table = Tensor<Hash<UnorderedList<Element<f64>>>>; }

operator! {
    /// Associative, but the order matters.
    pub fn first(a: f64, b: f64) -> f64 { if a != 0.0 { a } else { b } }
    associative, identity 0
}

finch! { fn appended(a: &Vector) -> (y: SparseVec<f64>) { for i { y[i] = a[i] } } }
finch! { fn appended_rows(a: &Rows, n: usize) -> (y: Csr<f64>[n, n]) { for i in 0..n { for j in 0..n { y[i, j] = a[i, j::scan] } } } }
finch! { fn fibers(a: &Vector, x: &DenseVec<f64>) -> (y: Table) { for i, j { y[i, j] = a[i] * x[j] } } }
finch! { fn last(a: &Vector, s: &mut f64) { for i { if a[i] > 0 { s = a[i] } } } }
finch! { fn last_element(a: &Rows, y: &mut DenseVec<f64>) { for i, j { if a[i, j::scan] > 0 { y[i] = 1 } } } }
finch! { fn elsewhere(a: &Vector, at: &DenseVec<u8>, y: &mut DenseVec<f64>) { for i { if a[i] > 0 { y[at[i]] = a[i] } } } }
finch! { use first; fn chosen(a: &Vector, s: &mut f64) { for i { s <<first>>= a[i] } } }
finch! { fn two_operators(a: &Vector, s: &mut f64) { for i { s += a[i]; if a[i] > 2 { s *= 2 } } } }
finch! { fn running(a: &Vector, y: &mut DenseVec<f64>, s: &mut f64) { for i { s += a[i]; if a[i] > 0 { y[i] += s } } } }
finch! { #![strict] fn rounded(a: &Vector, s: &mut f64) { for i { s += a[i] } } }
finch! { #![strict] fn rounded_rows(a: &Rows, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j::scan] * x[j] } } }
finch! { fn in_parallel(a: &Vector) -> (y: DenseVec<f64>) { parallel for i { y[i] = a[i] } } }

fn main() {}
