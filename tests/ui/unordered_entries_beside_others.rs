//! Entries in no order that are not all that a loop goes through, or are seen otherwise than one by one.

use looplets::prelude::*;
use looplets::UnsortedBlockList;

level! { pub type Vector = Tensor<UnsortedBlockList<Element<f64>>>; }
level! { pub type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { pub type Ones = Tensor<UnsortedBlockList<Element<f64, One>>>; }
level! { pub type Runs = Tensor<RunList<Element<f64>>>; }

finch! { fn two(a: &Vector, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] * b[i] } } }
finch! { fn both(a: &Rows, b: &Rows, s: &mut f64) { for i, j { s += a[i, j::scan] * b[i, j::scan] } } }
finch! { fn runs(a: &Vector, b: &Runs, s: &mut f64) { for i { s += a[i] * b[i] } } }
finch! { fn sum(a: &Vector, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] + x[i] } } }
finch! { fn assigned(a: &Vector, y: &mut DenseVec<f64>) { for i { y[i] = a[i] } } }
finch! { fn fill(a: &Ones, s: &mut f64) { for i { s += a[i] } } }
finch! { fn also_counted(a: &Vector, s: &mut f64, n: &mut u64) { for i { s += a[i]; n += 1 } } }
finch! { fn strided(a: &Vector, n: usize, s: &mut f64) { for i in 0..n { s += a[2 * i + 1] } } }
finch! { fn in_groups(a: &Vector, n: usize, y: &mut DenseVec<f64>) { for i, j { y[i] += split(a[k], k -> (i, j: n)) * j } } }
finch! { fn collapsed(a: &Rows, b: &SparseVec<f64>, s: &mut f64) { for k { s += collapse(a[i, j::scan], (i, j) -> k) * b[k] } } }
finch! { fn collapsed_above(a: &Tensor<UnsortedBlockList<Dense<Element<f64>>>>, s: &mut f64) { for k { s += collapse(a[i, j], (i, j) -> k) } } }
finch! { fn walked(a: &Vector, s: &mut f64) { for i { s += a[i::walk] } } }
finch! { fn not_scanned(a: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::scan] } } }

fn main() {}
