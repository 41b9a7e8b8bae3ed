//! The kernels as `finch!` compiles them, each beside its namesake in `hand`; below the fused ones, the parts
//! that compute the same with a tensor in between.
//!
//! They are those of section 8 of *Compilation of Shape Operators on Sparse Arrays*, in its order: figures 24,
//! 25 and 26. `vstack_csr_to_coo` and `slice_spgemm` are not in the paper.

use looplets::prelude::*;

finch! {
    /// The rows one behind the other.
    pub fn collapse(a: &Csr<f64>) -> (c: SparseVec<f64, u64>) { for k { c[k] = collapse(a[i, j], (i, j) -> k) } }
}
finch! {
    /// Side by side.
    pub fn hstack_coo(a: &Coo2<f64>, b: &Coo2<f64>) -> (c: Coo2<f64>) {
        for r, k { c[r, k] = concat((a[r, i], b[r, j]), (i, j) -> k) }
    }
}
finch! {
    /// One below the other.
    pub fn vstack_coo(a: &Coo2<f64>, b: &Coo2<f64>) -> (c: Coo2<f64>) {
        for r, k { c[r, k] = concat((a[i, k], b[j, k]), (i, j) -> r) }
    }
}
finch! {
    /// Side by side.
    pub fn hstack_csr(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for r, k { c[r, k] = concat((a[r, i], b[r, j]), (i, j) -> k) }
    }
}
finch! {
    /// One below the other.
    pub fn vstack_csr(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for r, k { c[r, k] = concat((a[i, k], b[j, k]), (i, j) -> r) }
    }
}
finch! {
    /// Every other of the first rows.
    pub fn slice_csr(a: &Csr<f64>, end: usize) -> (c: Csr<f64>) {
        for r, j { c[r, j] = slice(a[i, j], i -> r, (0, end, 2)) }
    }
}
finch! {
    /// In rows of `n` elements.
    pub fn split_to_coo(x: &SparseVec<f64, u64>, n: usize) -> (c: Coo2<f64>) {
        for i, j { c[i, j] = split(x[k], k -> (i, j: n)) }
    }
}
finch! {
    /// In rows of `n` elements.
    pub fn split_to_csr(x: &SparseVec<f64, u64>, n: usize) -> (c: Csr<f64>) {
        for i, j { c[i, j] = split(x[k], k -> (i, j: n)) }
    }
}
finch! {
    /// Side by side, into another format.
    pub fn hstack_coo_to_csr(a: &Coo2<f64>, b: &Coo2<f64>) -> (c: Csr<f64>) {
        for r, k { c[r, k] = concat((a[r, i], b[r, j]), (i, j) -> k) }
    }
}
finch! {
    /// One below the other, into another format.
    pub fn vstack_coo_to_csr(a: &Coo2<f64>, b: &Coo2<f64>) -> (c: Csr<f64>) {
        for r, k { c[r, k] = concat((a[i, k], b[j, k]), (i, j) -> r) }
    }
}
finch! {
    /// Side by side, into another format.
    pub fn hstack_csr_to_coo(a: &Csr<f64>, b: &Csr<f64>) -> (c: Coo2<f64>) {
        for r, k { c[r, k] = concat((a[r, i], b[r, j]), (i, j) -> k) }
    }
}
finch! {
    /// One below the other, into another format.
    pub fn vstack_csr_to_coo(a: &Csr<f64>, b: &Csr<f64>) -> (c: Coo2<f64>) {
        for r, k { c[r, k] = concat((a[i, k], b[j, k]), (i, j) -> r) }
    }
}
finch! {
    /// Every other of the first rows, into another format.
    pub fn slice_csr_to_coo(a: &Csr<f64>, end: usize) -> (c: Coo2<f64>) {
        for r, j { c[r, j] = slice(a[i, j], i -> r, (0, end, 2)) }
    }
}
finch! {
    /// The rows one behind the other, times a sparse vector.
    pub fn collapse_times(a: &Csr<f64>, x: &SparseVec<f64, u64>) -> (c: SparseVec<f64, u64>) {
        for k { c[k] = collapse(a[i, j], (i, j) -> k) * x[k] }
    }
}
finch! {
    /// Two matrices, one below the other, times a dense vector.
    pub fn vstack_spmv(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for r, k { y[r] += concat((a[i, k], b[j, k]), (i, j) -> r) * x[k] }
    }
}
finch! {
    /// Every other of the first rows, times another matrix element by element.
    pub fn slice_times(a: &Csr<f64>, end: usize, b: &Csr<f64>) -> (c: Csr<f64>) {
        for r, j { c[r, j] = slice(a[i, j], i -> r, (0, end, 2)) * b[r, j] }
    }
}
finch! {
    /// Every other of the first rows, times another matrix.
    pub fn slice_spgemm(a: &Csr<f64>, end: usize, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for r {
            let mut w: Tensor<Spa<Element<f64>>>[n];
            for k, j { w[j] += slice(a[i, k], i -> r, (0, end, 2)) * b[k, j] }
            for j { c[r, j] = w[j] }
        }
    }
}
finch! {
    /// What is left of `collapse_times` behind `collapse`.
    pub fn times(a: &SparseVec<f64, u64>, x: &SparseVec<f64, u64>) -> (c: SparseVec<f64, u64>) {
        for k { c[k] = a[k] * x[k] }
    }
}
finch! {
    /// What is left of `vstack_spmv` behind `vstack_csr`.
    pub fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for r, k { y[r] += a[r, k] * x[k] } }
}
finch! {
    /// What is left of `slice_times` behind `slice_csr`.
    pub fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for r, j { c[r, j] = a[r, j] * b[r, j] } }
}
finch! {
    /// What is left of `slice_spgemm` behind `slice_csr`.
    pub fn spgemm(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for r {
            let mut w: Tensor<Spa<Element<f64>>>[n];
            for k, j { w[j] += a[r, k] * b[k, j] }
            for j { c[r, j] = w[j] }
        }
    }
}
