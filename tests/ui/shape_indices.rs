//! Indices of shape operators that mean nothing, or something else.
use looplets::prelude::*;

finch! { fn none_in_operand(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, m) -> k) } } }
finch! { fn not_alone(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[2 * i], i -> k, 0..3) } } }
finch! { fn other_order(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat((x[i], x[j]), (j, i) -> k) } } }
finch! { fn unknown_tensor(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(b[i, j], (i, j) -> k) } } }
finch! { fn too_few(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i], (i, j) -> k) } } }
finch! { fn too_many(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j, l], (i, j, l) -> k) } } }
finch! { fn no_brackets(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a, (i, j) -> k) } } }
finch! { fn no_brackets_here(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat((x[i], x), (i, j) -> k) } } }
finch! { fn wrong_within(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(slice(b[p, j], p -> i, 0..1), (i, j) -> k) } } }
finch! { fn other_within(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(slice(a[p, j], q -> i, 0..1), (i, j) -> k) } } }
finch! { fn taken_within(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(collapse(a[i, j], (i, j) -> k), (i, j) -> k) } } }
finch! { fn taken_twice(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, i], (i, i) -> k) } } }
finch! { fn made_twice(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, i)) } } }
finch! { fn no_loop(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> l) } } }
finch! { fn loop_behind(a: &Csr<f64>, s: &mut f64) { let t = collapse(a[i, j], (i, j) -> k); for k { s += t } } }
finch! { fn of_loop(a: &Csr<f64>, s: &mut f64) { for i, k { s += collapse(a[i, j], (i, j) -> k) } } }
finch! { fn turned_round(a: &Csr<f64>, s: &mut f64) { for k { s += slice(collapse(a[i, j], (i, j) -> l), k -> l, 0..3) } } }
finch! { fn takes_a_parameter(a: &Csr<f64>, n: usize) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[n, j], (n, j) -> k) } } }
finch! { fn makes_a_parameter(a: &Csr<f64>, n: usize) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> n) } } }
finch! { fn gone(a: &Csr<f64>, s: &mut f64) { for k { s += collapse(a[i, j], (i, j) -> k) + i } } }
finch! { fn gone_in_definition(a: &Csr<f64>, s: &mut f64) { for k { let t = collapse(a[i, j], (i, j) -> k) * i; s += t } } }
finch! { fn gone_in_condition(a: &Csr<f64>, s: &mut f64) { for k { if collapse(a[i, j], (i, j) -> k) > j { s += 1 } } } }

fn main() {}
