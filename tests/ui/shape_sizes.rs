//! Sizes of shape operators that are not known, or cannot be.
use looplets::prelude::*;

finch! { fn open(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j)) } } }
finch! { fn both_open(a: &Csr<f64>) -> (y: Csr<f64>) { for k, l { y[k, l] = reshape(a[i, j], (i, j) -> (k, l)) } } }
finch! { fn of_a_loop(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j: i)) } } }
finch! { fn may_change(x: &SparseVec<f64>, n: &mut usize) { for i, j { n += split(x[k], k -> (i, j: n)) } } }
finch! { fn an_element(x: &SparseVec<f64>, n: &SparseVec<usize>, s: &mut f64) { for i, j { s += split(x[k], k -> (i, j: n[0])) } } }
finch! { fn fraction(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j: 3.5)) } } }
finch! { fn below_zero(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j: -1)) } } }
finch! { fn too_large(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j: 18446744073709551615)) } } }
finch! { fn not_countable(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = concat((x[i], 0), (i, p: 2305843009213693952) -> k) } } }
finch! { fn too_many_elements(s: &mut f64) { for k { s += collapse(1.5, (r: 4294967296, t: 4294967296) -> k) } } }
finch! { fn parts_of_nothing(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], k -> (i, j: 0)) } } }
finch! { fn no_product(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], (k: 7) -> (i: 2, j: 3)) } } }
finch! { fn not_divisible(x: &SparseVec<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = split(x[k], (k: 7) -> (i, j: 3)) } } }
finch! { fn another_is_written(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for l { y[l] = concat((0, 1), (i: 2, j: 3) -> l: 6) } } }
finch! { fn loop_beyond(x: &SparseVec<f64>, s: &mut f64) { for i { for j in 0..7 { s += split(x[k], k -> (i, j: 4)) } } } }
finch! { fn of_two_sizes(x: &SparseVec<f64>, s: &mut f64) { for i, j { s += split(x[k], k -> (i: 3, j: 4)) + split(x[k], k -> (i: 4, j: 3)) } } }
finch! { fn beside_no_tensor(x: &SparseVec<f64>, s: &mut f64) { for i, j { s += split(x[k], k -> (i, j)) * a[i, j] } } }
finch! { fn beside_a_fraction(x: &SparseVec<f64>, s: &mut f64) { for i, j { s += split(x[k], k -> (i, j)) * split(x[k], k -> (i, j: 3.5)) } } }
finch! { fn beside_another(x: &SparseVec<f64>, a: &Csr<f64>, s: &mut f64) { for i, j { let a = 2.0; s += a * split(x[k], k -> (i, j)) } } }

fn main() {}
