//! Operands of one nest multiply; a kernel that would keep rustc busy for minutes is refused.
use looplets::prelude::*;

finch! {
    fn sum(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &SparseVec<f64>, d: &SparseVec<f64>,
        e: &SparseVec<f64>, f: &SparseVec<f64>, g: &SparseVec<f64>, h: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] }
    }
}

fn main() {}
