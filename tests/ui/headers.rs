//! Types of the header that are none of a tensor, a scalar or a counter of steps.
use looplets::prelude::*;

finch! { fn level(x: &SparseList<Element<f64>>, s: &mut f64) { for i { s += x[i] } } }
finch! { fn below(x: &Tensor<Dense<Tensor<SparseList<Element<f64>>>>>, s: &mut f64) { for i, j { s += x[i, j] } } }
finch! { #![steps(n)] fn counter(x: &SparseVec<f64>, s: &mut f64, n: &mut f64) { for i { s += x[i] } } }
finch! { #![steps(n)] fn counted(x: &SparseVec<f64>, s: &mut f64, n: &mut u8) { for i { s += x[i] } } }

fn main() {}
