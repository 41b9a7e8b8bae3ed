//! Bools where a coordinate, a bound, a size or an amount stands.
use looplets::prelude::*;

finch! {
    fn coordinates(m: &SparseVec<bool>, b: bool, x: &DenseVec<f64>, s: &mut f64) {
        s += x[b];
        s += x[true];
        for i { s += x[m[i]] }
        for i in 0..2 { s += x[i > 0] }
        for i in 0..2 { s += x[ifelse(i > 0, 1, 0)] }
    }
    fn bounds(x: &DenseVec<f64>, b: bool, s: &mut f64) {
        for i in 0..b { s += x[i] }
        for i in 0..true { s += x[i] }
        for i in 0..2 { s += x[window(false, 2)[i]] }
        for i in 0..2 { s += x[i + b] }
        for i in 0..2 { s += x[i - true] }
        let h = b;
        for i in 0..2 { s += x[i + h] }
    }
    fn sizes(x: &DenseVec<f64>, b: bool) -> (y: DenseVec<f64>[b]) {
        for i in 0..1 { y[i] = x[i] }
    }
}

fn main() {}
