//! What people of other languages write, in loops, definitions and conversions.
use looplets::prelude::*;

finch! { fn back(b: &DenseVec<f64>, n: usize) -> (x: DenseVec<f64>[n]) { for i in n - 1..0 { x[i] = b[i] } } }
finch! { fn back_to_0(b: &DenseVec<f64>, n: usize) -> (x: DenseVec<f64>[n]) { for i in n - 1..=0 { x[i] = b[i] } } }
finch! { fn converted(x: &DenseVec<u8>) -> (y: DenseVec<f64>) { y[i] = f64(x[i]) } }
finch! { fn of_one(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = coalesce(x[permit[i + 1]]) } }
finch! { fn rows(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i { for (j, v) in a[i] { y[i] += v } } } }
finch! { fn arrays(a: &Vec<Vec<f64>>) -> (y: Vec<f64>) { y[i] += a[i, j] } }
finch! { fn statement(x: &DenseVec<f64>) -> (s: f64) { parallel s += x[i] } }
finch! { fn definition(x: &DenseVec<f64>, n: f64) -> (y: DenseVec<f64>) { let m += x[i] / n; y[i] = x[i] - m } }
finch! { fn nothing(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = None } }
finch! { fn stored(a: &Csr<f64>) -> (y: DenseVec<f64>) { for i { for p in a.indptr[i]..9 { y[i] += a[i, p] } } } }

fn main() {}
