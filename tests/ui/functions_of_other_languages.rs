//! Functions that are called something else in Rust, where what they give decides what is stored.
use looplets::prelude::*;

finch! { fn log1p_of(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = log1p(a[i, j]) } }
finch! { fn pow_of(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = pow(a[i, j], 2) } }
finch! { fn by_path(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = f64::sqrt(a[i, j]) } }
finch! { fn nested(a: &DenseVec<DenseVec<f64>>) -> (y: DenseVec<f64>) { y[i] += a[i, j] } }
finch! { fn clamped(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i].clamp(0.0, 1.0) } }

fn main() {}
