//! Results in order that are written anywhere: gathered if loops are left out and sizes are said.
use looplets::prelude::*;

finch! {
    fn counts(r: &[u32], n: usize) -> (h: SparseVec<u64>[n]) { for k { h[r[k]] += 1 } }
}
finch! {
    fn columns(a: &Csr<f64>, p: &[u32]) -> (c: Csr<f64>) { c[i, p[j]] = a[i, j] }
}
finch! {
    fn diagonal(x: &DenseVec<f64>) -> (d: Csr<f64>) { d[i, i] = x[i] }
}
finch! {
    fn written(x: &DenseVec<f64>, n: usize) -> (d: Csr<f64>[n, n]) { for i { d[i, i] = x[i] } }
}
finch! {
    fn listed(r: &[u32], n: usize) -> (h: DenseVec<u64>[n]) { let mut w: Tensor<SparseList<Element<u64>>>[n]; for k { w[r[k]] += 1 } for i { h[i] = w[i] } }
}

fn main() {}
