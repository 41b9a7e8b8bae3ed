//! The kernels as `finch!` compiles them. Each is measured beside its namesake in `hand`.

use looplets::prelude::*;

finch! {
    /// y = A x
    pub fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
}

finch! {
    /// y = A x with a sparse x: merge.
    pub fn spmspv_walk(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::walk] * x[j::walk] }
    }
}

finch! {
    /// y = A x with a sparse x: the entries of A are looked for in x.
    pub fn spmspv_lead(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::lead] * x[j::follow] }
    }
}

finch! {
    /// y = A x with a sparse x: the entries of x are looked for in A.
    pub fn spmspv_follow(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::follow] * x[j::lead] }
    }
}

finch! {
    /// y = A x with a sparse x: whichever is behind leaps.
    pub fn spmspv_gallop(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::gallop] * x[j::gallop] }
    }
}

finch! {
    /// Triangles of the graph whose edges `a` holds once each: merge.
    pub fn triangles_walk(a: &Graph, t: &mut u64) {
        for i, j, k { t += a[i, j] && a[j, k] && a[i, k] }
    }
}

finch! {
    /// Triangles of the graph whose edges `a` holds once each: whichever is behind leaps.
    pub fn triangles_gallop(a: &Graph, t: &mut u64) {
        for i, j, k { t += a[i, j::gallop] && a[j, k::gallop] && a[i, k::gallop] }
    }
}

finch! {
    /// The product of two sparse vectors: merge.
    pub fn dot_walk(x: &SparseVec<f64>, y: &SparseVec<f64>, s: &mut f64) {
        for i { s += x[i] * y[i] }
    }
}

finch! {
    /// The product of two sparse vectors: whichever is behind leaps.
    pub fn dot_gallop(x: &SparseVec<f64>, y: &SparseVec<f64>, s: &mut f64) {
        for i { s += x[i::gallop] * y[i::gallop] }
    }
}
