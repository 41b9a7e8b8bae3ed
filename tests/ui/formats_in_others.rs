//! What stands around a format, or inside of one, where it does not belong.
use looplets::prelude::*;

finch! { fn tensor_in_a_tensor(a: &Tensor<Csr<f64>>) -> (t: f64) { t += a[i, j] } }
finch! { fn there_or_not(x: &DenseVec<f64>, y: Option<&DenseVec<f64>>) -> (s: f64) { s += x[i] * y[i] } }
finch! { fn shared(x: std::sync::Arc<DenseVec<f64>>) -> (s: f64) { s += x[i] } }
finch! { fn number(a: &Csr<f64, 1>) -> (t: f64) { t += a[i, j] } }
finch! { fn marker(a: &Csr<f64, One>) -> (t: f64) { t += a[i, j] } }
fn main() {}
