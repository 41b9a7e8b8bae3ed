//! Fractions where a bound, a size or an amount stands.
use looplets::prelude::*;

finch! {
    fn bounds(x: &DenseVec<f64>, s: &mut f64) {
        for i in 0..2.5 { s += x[i] }
        for i in 0..2 * 1.5 { s += x[i] }
        for i in 0..ifelse(true, 1.5, 2) { s += x[i] }
        for i in 0..sqrt(2) { s += x[i] }
        for i in 0..min(2.5, 3) { s += x[i] }
        let m = 2.5;
        for i in 0..m { s += x[i] }
    }
    fn amounts(x: &DenseVec<f64>, s: &mut f64) {
        for i in 0..2 { s += x[window(0.5, 2)[i]] }
        for i in 0..2 { s += x[offset(0.5)[i]] }
        let h = 0.5;
        for i in 0..2 { s += x[i + h] }
        for i in 0..2 { s += x[i + 0.5] }
        for i in 0..2 { s += x[0.5] }
    }
    fn sizes(x: &DenseVec<f64>) -> (y: DenseVec<f64>[2.5]) {
        let mut w: DenseVec<f64>[2.5];
        for i in 0..2 { w[i] = x[i] }
        for i in 0..2 { y[i] = w[i] }
    }
}

fn main() {}
