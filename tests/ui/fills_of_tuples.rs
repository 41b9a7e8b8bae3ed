//! Tuples have no fill unless one is declared.
use looplets::prelude::*;

fill! { pub fill Far = (f64::INFINITY, 0); }
finch! {
    fn least(a: &DenseMat<f64>) -> (best: DenseVec<(f64, usize)>) { best[i] <<minby>>= (a[i, j], j) }
}

fn main() {}
