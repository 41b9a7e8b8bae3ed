//! Operators and rules that a program brings in and that are not there, and calls of the wrong shape.
use looplets::prelude::*;

operator! {
    fn mean(a: f64, b: f64) -> f64 { (a + b) / 2.0 }
    commutative, idempotent;
}
operator! {
    fn most(a: f64, b: f64) -> f64 { a.max(b) }
    commutative, associative, idempotent;
    identity -inf;
}
fn plain(a: f64, b: f64) -> f64 { a + b }

finch! {
    use mean;
    fn three(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = mean(a[i], a[i], a[i]) } }
}
finch! {
    use most;
    fn one(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = most(a[i]) } }
}
finch! {
    use {mean};
    fn reduced(a: &DenseVec<f64>, s: &mut f64) { for i { s <<mean>>= a[i, i] } }
}
finch! {
    use nobody;
    fn unknown(a: &DenseVec<f64>, s: &mut f64) { for i { s += a[i] } }
}
finch! {
    use plain;
    fn undeclared(a: &DenseVec<f64>, s: &mut f64) { for i { s <<plain>>= a[i] } }
}
finch! {
    use SparseVec;
    fn format(a: &DenseVec<f64>, s: &mut f64) { for i { s += a[i] } }
}

fn main() {}
