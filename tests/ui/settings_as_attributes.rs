//! Settings hold for all kernels of a `finch!`, and stand in front of them.
use looplets::prelude::*;

finch! {
    #[strict]
    fn sum(x: &SparseVec<f64>) -> (s: f64) { s += x[i] }
}
finch! {
    #[dense]
    #[schedule(order(j, i))]
    fn copy(x: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, j] = x[i, j] }
}
finch! {
    fn put(g: &mut DenseMat<f64>, w: f64) { insert g[1, 2] = w }
}

fn main() {}
