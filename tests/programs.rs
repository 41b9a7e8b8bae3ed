//! Longer programs against the oracle: several formats in one loop, workspaces inside workspaces,
//! algorithms that people write.
// Some of these kernels start from a 0 that takes part, as their tests want it.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! {
    /// A vector with one block.
    pub type Band<T> = Tensor<SparseBand<Element<T>>>;
}
level! {
    /// A vector of runs.
    pub type Runs<T> = Tensor<RunList<Element<T>>>;
}
level! {
    /// Distances.
    pub type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>;
}

kernels! {
    fn four(a: &SparseVec<f64>, b: &Band<f64>, r: &Runs<f64>, d: &DenseVec<f64>, c: &mut f64) {
        for i { c += (a[i] + b[i]) * (r[i] + d[i]) }
    };;
    fn three_lists(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        for i { y[i] = a[i] * b[i] + d[i] }
    };;
    fn all_gallop(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, c: &mut f64) {
        for i { c += a[i::gallop] * b[i::gallop] * d[i::gallop] }
    };;
    fn mixed_protocols(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, c: &mut f64) {
        for i { c += a[i::lead] * (b[i] + d[i::locate]) }
    };;
    fn difference(a: &SparseVec<f64>, b: &SparseVec<f64>, c: &mut f64) {
        for i { c += (a[i] - b[i]) * (a[i] - b[i]) }
    };;
    fn moments(a: &SparseVec<f64>, n: usize, mean: &mut f64, square: &mut f64, least: &mut f64, most: &mut f64) {
        for i { mean += a[i]; square += a[i] * a[i]; least <<min>>= a[i]; most <<max>>= a[i] }
        if n > 0 { mean /= n }
    };;
    fn piecewise(a: &SparseVec<f64>, r: &Runs<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i {
            if i < 2 { y[i] = a[i] } else if r[i] > 1 { y[i] = r[i] * a[i] } else { y[i] = n - i }
        }
    };;
    fn window(a: &SparseVec<f64>, b: &Band<f64>, lo: usize, hi: usize) -> (y: DenseVec<f64>[hi]) {
        for i in lo..hi { y[i] = max(a[i], b[i]) - min(a[i], b[i]) }
    }
}

#[test]
fn vectors_of_many_formats() {
    pairs(|n, ka, kb| {
        let (a, b) = (vector(ka, n), vector(kb, n));
        let (r, d) = (vector((ka + kb) % KINDS, n), vector((ka * kb + 1) % KINDS, n));
        let mut c = 0.0;
        agree!(four(&a, &b, &r, &d, &mut c));
        agree!(piecewise(&a, &r, n));
        for (lo, hi) in [(0, n), (n / 2, n), (n, n)] {
            agree!(window(&a, &b, lo, hi));
        }
        let (b, d) = (vector(kb, n), vector((ka * kb + 1) % KINDS, n));
        agree!(three_lists(&a, &b, &d));
        agree!(all_gallop(&a, &b, &d, &mut c));
        agree!(mixed_protocols(&a, &b, &d, &mut c));
        agree!(difference(&a, &b, &mut c));
        let (mut mean, mut square, mut least, mut most) =
            (0.0, 0.0, f64::INFINITY, f64::NEG_INFINITY);
        agree!(moments(&a, n, &mut mean, &mut square, &mut least, &mut most));
    });
}

kernels! {
    fn triangles(a: &Graph, t: &mut u64) { for i, j, k { t += a[i, j] && a[j, k] && a[i, k] } };;
    fn triangles_gallop(a: &Graph, t: &mut u64) {
        for i, j, k { t += a[i, j::gallop] && a[j, k::gallop] && a[i, k::gallop] }
    };;
    fn degrees(a: &Graph) -> (d: DenseVec<u32>) { for i, j { d[i] += a[i, j] } };;
    fn neighbours(a: &Graph, front: &Tensor<SparseList<Pattern>>, seen: &DenseVec<bool>) -> (next: DenseVec<bool>) {
        for j, i { if front[j] && !seen[i] { next[i] ||= a[j, i] } }
    };;
    fn bellman(a: &Far, d: &DenseVec<f64, Inf>) -> (y: DenseVec<f64, Inf>) {
        for j, i { y[i] <<min>>= min(d[i], d[j] + a[j, i]) }
    };;
    fn residual(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>, norm: &mut f64) -> (r: DenseVec<f64>) {
        for i { r[i] = b[i] }
        for i, j { r[i] -= a[i, j] * x[j] }
        for i { norm += r[i] * r[i] }
    };;
    fn sampled(a: &Csr<f64>, u: &DenseMat<f64>, v: &DenseMat<f64>) -> (y: Csr<f64>) {
        for i, j { { y[i, j] = a[i, j] * t } where { for k { t += u[i, k] * v[j, k] } } }
    };;
    fn twice_local(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i {
            let mut w: DenseVec<f64>[n];
            for j { w[j] += a[i, j] }
            let mut best: f64;
            for j { best <<max>>= w[j] }
            { y[i] = best - s } where { for j { s += w[j] } }
        }
    };;
    fn sparse_workspace(a: &Csr<f64>, n: usize) -> (y: DenseVec<f64>) {
        for i {
            let mut w: SparseVec<f64>[n];
            { for j { y[i] += w[j] * w[j] } } where { for j { w[j] = a[i, j] * 2 } }
        }
    };;
    fn row_and_column(a: &Csr<f64>) -> (r: DenseVec<f64>, c: DenseVec<f64>, m: DenseMat<f64>) {
        for i, j { r[i] += a[i, j]; c[j] <<max>>= a[i, j]; m[i, j] = a[i, j] * 2 }
    };;
    fn masked(a: &Csr<f64>, mask: &Graph) -> (y: Csr<f64>) { for i, j { if mask[i, j] { y[i, j] = a[i, j] } } };;
    fn two_rows(a: &Csr<f64>, b: &Dcsr<f64>, c: &mut f64) { for i, j { c += a[i, j::gallop] * b[i, j] + b[i, j] } };;
    fn blocks(a: &Csr<f64>, m: usize) -> (y: DenseMat<f64>) {
        for i { for j in 0..m / 2 { y[i, j] = a[i, j] } for k in m / 2..m { y[i, k] = -a[i, k] } }
    }
}

#[test]
fn graphs() {
    for n in [0, 1, 2, 5] {
        for kind in 0..KINDS {
            let a = matrix(kind, [n, n]);
            let mut t = 0;
            agree!(triangles(&a, &mut t));
            agree!(triangles_gallop(&a, &mut t));
            agree!(degrees(&a));
            let (front, seen) = (vector(kind, n), vector((kind + 2) % KINDS, n));
            agree!(neighbours(&a, &front, &seen));
            let (far, d) = (matrix(kind, [n, n]), vector((kind + 1) % KINDS, n));
            agree!(bellman(&far, &d));
        }
    }
}

#[test]
fn linear_algebra() {
    matrices(|shape, ka, kb| {
        let [m, n] = shape;
        let a = matrix(ka, shape);
        let (x, b) = (vector(kb, n), vector(ka, m));
        let mut norm = 0.0;
        agree!(residual(&a, &x, &b, &mut norm));
        let (u, v) = (matrix(1, [m, 2]), matrix(kb, [n, 2]));
        agree!(sampled(&a, &u, &v));
        agree!(twice_local(&a, n));
        agree!(sparse_workspace(&a, n));
        agree!(row_and_column(&a));
        let mask = matrix(kb, shape);
        agree!(masked(&a, &mask));
        let d = matrix(kb, shape);
        let mut c = 0.0;
        agree!(two_rows(&a, &d, &mut c));
        agree!(blocks(&a, n));
    });
}

kernels! {
    fn sum_list(a: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] } };;
    fn dot_dense(x: &DenseVec<f64>, z: &DenseVec<f64>, c: &mut f64) { for i { c += x[i] * z[i] } };;
    fn dot_list(a: &SparseVec<f64>, x: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * x[i] } };;
    fn dot_band(a: &Band<f64>, x: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * x[i] } };;
    fn two_sums(x: &DenseVec<f64>, c: &mut f64, d: &mut f64) { for i { c += x[i]; d -= 2 * x[i] } };;
    fn extremes(x: &DenseVec<f64>, c: &mut f64, d: &mut f64) { for i { c <<min>>= x[i]; d <<max>>= x[i] } };;
    fn some(x: &DenseVec<f64>, c: &mut f64) { for i { if x[i] > 2 { c += x[i] } } };;
    fn inner_sum(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } };;
    fn small_float(x: &DenseVec<f32>, c: &mut f32) { for i { c += x[i] } };;
    fn narrow(x: &DenseVec<f32>, c: &mut f64) { for i { c += x[i] } };;
    fn count(x: &DenseVec<i32>, c: &mut i64) { for i { c += x[i] } }
}

/// Long enough for loops that are unrolled, and not a multiple of what they are unrolled by.
#[test]
fn long_vectors() {
    for n in [15, 16, 17, 41, 64] {
        for kind in 0..KINDS {
            let (a, x, z, b) = (vector(kind, n), vector(kind, n), vector(1, n), vector(kind, n));
            let (mut c, mut d) = (1.5, -2.0);
            agree!(sum_list(&a, &mut c));
            agree!(dot_dense(&x, &z, &mut c));
            agree!(dot_list(&a, &z, &mut c));
            agree!(dot_band(&b, &z, &mut c));
            agree!(two_sums(&x, &mut c, &mut d));
            agree!(extremes(&x, &mut c, &mut d));
            agree!(some(&x, &mut c));
            let m = matrix(kind, [3, n]);
            agree!(inner_sum(&m, &z));
            let (f, i) = (vector(kind, n), vector(kind, n));
            let (mut s, mut k) = (0.5, 3);
            agree!(small_float(&f, &mut s));
            agree!(narrow(&f, &mut c));
            agree!(count(&i, &mut k));
        }
    }
}

kernels! {
    fn read_back(a: &Csr<f64>, c: &mut f64) -> (y: SparseVec<f64>) { for i, j { y[i] += a[i, j] } for i { c += y[i] } };;
    fn read_back_rows(a: &Csr<f64>, c: &mut f64) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j] } for i, j { c += y[i, j] } };;
    fn if_asked(a: &SparseVec<f64>, ask: i64, c: &mut f64) -> (y: SparseVec<f64>) { if ask > 0 { for i { y[i] = a[i] } } for i { c += y[i] * 2 + a[i] } };;
    fn never(a: &Csr<f64>, c: &mut f64, n: usize) { let mut w: SparseVec<f64>[n]; for k in 3..2 { w[k] = a[k, k::locate] } for k { c += w[k] + 1 } };;
    fn not_asked(a: &Csr<f64>, c: &mut f64, n: usize) { let mut w: SparseVec<f64>[n]; if false { for k, j { w[k] = a[k, j] } } for k { c += w[k] + 1 } };;
    fn missing_only(a: &Csr<f64>, c: &mut f64, n: usize) { let mut w: SparseVec<f64>[n]; for k, j { w[k] = ifelse(1 > 2, a[k, j], missing) } for k { c += w[k] + 1 } }
}

#[test]
fn what_was_appended_is_whole_when_it_is_read() {
    for (rows, cols) in [(3, 5), (1, 1), (0, 2), (4, 0)] {
        for kind in 0..6 {
            let a: Csr<f64> = matrix(kind, [rows, cols]);
            let x: SparseVec<f64> = vector(kind, cols);
            let mut c = 0.0;
            agree!(read_back(&a, &mut c));
            agree!(read_back_rows(&a, &mut c));
            agree!(if_asked(&x, 1, &mut c));
            agree!(if_asked(&x, 0, &mut c));
            agree!(never(&a, &mut c, rows));
            agree!(not_asked(&a, &mut c, rows));
            agree!(missing_only(&a, &mut c, rows));
        }
    }
}
