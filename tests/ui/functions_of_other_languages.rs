//! Functions that are called something else in Rust, where what they give decides what is stored.
use looplets::prelude::*;

finch! { fn log1p_of(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = log1p(a[i, j]) } }
finch! { fn pow_of(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = pow(a[i, j], 2) } }

fn main() {}
