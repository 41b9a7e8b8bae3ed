//! Shape operators that are none as they are written.
use looplets::prelude::*;

finch! { fn one_index(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, 0], i -> k) } } }
finch! { fn several_made(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> (k, k)) } } }
finch! { fn one_operand(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat(x[i], i -> k) } } }
finch! { fn too_many_indices(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat((x[i], x[j]), (i, j, l) -> k) } } }
finch! { fn no_bounds(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k) } } }
finch! { fn several_of_a_slice(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], (i, j) -> k, 0..2) } } }
finch! { fn nothing_made(a: &Csr<f64>) -> (y: Csr<f64>) { for k, l { y[k, l] = reshape(a[i, j], (i, j) -> ()) } } }
finch! { fn bounds(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> k, (0, 1)) } } }
finch! { fn no_parentheses(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> i, j) } } }
finch! { fn operands_without_parentheses(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat(x[i], x[j], (i, j) -> k) } } }
finch! { fn taken_without_parentheses(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], i, j -> k) } } }
finch! { fn brackets(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> [i, j]) } } }
finch! { fn a_sum(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i + 1 -> k, 0..3) } } }
finch! { fn a_number(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[0, j], (0, j) -> k) } } }
finch! { fn behind_the_index(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], (i, j) -> k + 1) } } }
finch! { fn protocol(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i::walk -> k, 0..3) } } }
finch! { fn fat_arrow(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k => (i, j: 3)) } } }
finch! { fn arrow_in_front(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k] -> (i, j: 3)) } } }
finch! { fn arrow_outside(a: &Csr<f64>) -> (y: SparseVec<f64>) { for k { y[k] = collapse(a[i, j], k) -> 3 } } }
finch! { fn no_arrow(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], 3) } } }
finch! { fn of_numpy(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat(x, x) } } }
finch! { fn other_name(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = flatten(x[i], i -> k) } } }
finch! { fn a_tuple(x: &SparseVec<f64>, s: &mut f64) { for k { s += slice((x[i], i), i -> k, 0..3) } } }

fn main() {}
