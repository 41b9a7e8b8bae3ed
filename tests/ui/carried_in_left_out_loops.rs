use looplets::prelude::*;

finch! {
    fn product(x: &DenseVec<f64>, s: &mut f64) { s = s * x[i] }
    fn opaque(x: &DenseVec<f64>, s: &mut f64) { s += $(s.abs()) * x[i] }
    fn under_it(x: &DenseVec<f64>, s: &mut f64, t: &mut f64) { if x[i] > s { t += s; s += x[i] } }
    fn recurrence(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = y[i - 1] + x[i] } }
}

fn main() {}
