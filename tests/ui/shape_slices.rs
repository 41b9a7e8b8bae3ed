//! Slices that are no part of a dimension, or none in order.
use looplets::prelude::*;

finch! { fn no_end(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, 1..) } } }
finch! { fn no_start(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, ..3) } } }
finch! { fn inclusive(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, 0..=3) } } }
finch! { fn one_bound(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, 5) } } }
finch! { fn four_bounds(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (0, 3, 1, 1)) } } }
finch! { fn step_outside(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, 0..3, 2) } } }
finch! { fn no_step(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (0, 5, 0)) } } }
finch! { fn backwards(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (5, 0, -1)) } } }
finch! { fn step_of_a_fraction(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (0, 5, 1.5)) } } }
finch! { fn ends_before(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (5, 2)) } } }
finch! { fn below_zero(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], i -> k, (-1, 2)) } } }
finch! { fn beyond(x: &SparseVec<f64>) -> (y: SparseVec<f64>) { for k { y[k] = slice(x[i], (i: 5) -> k, 2..7) } } }
finch! { fn of_a_loop(x: &SparseVec<f64>, s: &mut f64) { for m in 0..3 { for k { s += slice(x[i], i -> k, (m, 3)) } } } }
finch! { fn of_its_index(x: &SparseVec<f64>, s: &mut f64) { for k { s += slice(x[i], i -> k, (i, 3)) } } }
finch! { fn of_an_element(x: &SparseVec<f64>, s: &mut f64) { for k { s += slice(x[i], i -> k, (0, x[0])) } } }
finch! { fn of_a_float(x: &SparseVec<f64>, n: f64, s: &mut f64) { for k { s += slice(x[i], i -> k, (0, n)) } } }
finch! { fn missing_bound(x: &SparseVec<f64>, s: &mut f64) { for k { s += slice(x[i], i -> k, (0, missing)) } } }

fn main() {}
