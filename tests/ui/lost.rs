//! What a program computes and nobody gets, and what is read before it is there: each is warned of at its token.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn swapped(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i {
            let mut w: DenseVec<f64>;
            { for k, j { w[j] += a[i, k] * b[k, j] } } where { for j { c[i, j] = w[j] } }
        }
    }
}
finch! {
    fn workspace_first(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        let mut w: DenseVec<f64>[$(a.shape()[0])];
        for i { y[i] = w[i] }
        for i, j { w[i] += a[i, j] }
    }
}
finch! {
    fn scalar_first(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i {
            let mut t: f64;
            y[i] = t;
            for j { t += a[i, j] }
        }
    }
}
finch! {
    fn last_of_the_row(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] = a[i, j] * x[j] }
    }
}
finch! {
    fn last_row(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i, j { y[j] = a[i, j] } }
}
finch! {
    fn last_of_all(x: &DenseVec<f64>) -> (s: f64) { for i { s = 2 * x[i] } }
}
finch! {
    fn through_a_definition(x: &DenseVec<f64>) -> (s: f64) { for i { let t = 2 * x[i]; s = t } }
}
finch! {
    fn twice(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = a[i]; y[i] = b[i] }
}
finch! {
    fn twice_in_a_loop(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { y[i] = 2 * a[i]; y[i] = b[i] }
    }
}
finch! {
    fn greatest(x: &DenseVec<f64>) -> (m: f64) { for i { if x[i] > m { m = x[i] } } }
}
finch! {
    fn greatest_first(x: &DenseVec<f64>) -> (m: f64) { m = x[0]; for i { if x[i] > m { m = x[i] } } }
}
finch! {
    fn nans(x: &DenseVec<f64>) -> (n: u64) { for i { if x[i] == f64::NAN { n += 1 } } }
}
finch! {
    fn numbers(x: &DenseVec<f64>) -> (n: u64) { for i { if x[i] != f64::NAN { n += 1 } } }
}
finch! {
    fn inverse(deg: &DenseVec<u32>) -> (y: DenseVec<f64>) { for i { y[i] = 1 / deg[i] } }
}
finch! {
    fn mean(x: &DenseVec<u32>, n: usize) -> (m: f64) { for i { m += x[i] / n } }
}
finch! {
    fn added(a: &DenseVec<f64>, n: u64) -> (p: DenseVec<f64>) { p[i] = a[i] + 1 / n }
}
finch! {
    fn grid(n: usize) -> (x: DenseVec<f64>) { for i in 0..n { x[i] = (i + 1) / n } }
}
finch! {
    fn defined(x: &DenseVec<f64>, deg: &DenseVec<u32>) -> (y: DenseVec<f64>) {
        for i { let inv = 1 / deg[i]; y[i] = inv * x[i] }
    }
}
finch! {
    fn unread(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let twice = 2.5;
        for i { let mut t: f64; t += x[i]; y[i] = x[i] }
    }
}
finch! {
    // Nothing is lost here.
    fn kept(a: &Csr<f64>, x: &DenseVec<f64>, p: &DenseVec<u32>, n: usize) -> (y: DenseVec<f64>[n], z: DenseVec<f64>, last: f64, any: DenseVec<bool>) {
        let mut state: f64 = 0.5;
        for i {
            let mut t: f64;
            for j { t += a[i, j] * x[j] }
            y[p[i]] = t;
            state = 0.5 * state + x[i];
            z[i] = state;
            if x[i] > 0 { last = x[i] }
        }
        for i, j { if a[i, j] > 0 { any[j] = true } }
        let _spare = 1 / 2;
        for i { y[i] += (p[i] / 2) as f64 + 1 / 2 * x[i] }
    }
}
finch! {
    // Nor here.
    fn reversed(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n], m: f64, l: f64) {
        let mut k: usize = n;
        for i {
            k = k - 1;
            y[k] = x[i] + 1 / f64::INFINITY;
            let v = abs(x[i]);
            if v > m { m = v }
            if abs(x[i]) > l { l = abs(x[i]) }
        }
    }
}
finch! {
    fn sparse(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: SparseVec<f64>, z: SparseVec<f64>) {
        for i {
            let mut t: f64;
            t = a[i];
            if t < 0 { t = -t }
            y[i] = t;
            let mut u: f64 = 1;
            u = u * b[i];
            z[i] = u
        }
    }
}
finch! {
    fn softmax(x: &DenseVec<f64>) -> (s: f64, y: DenseVec<f64>) { for i { s += exp(x[i]); y[i] = exp(x[i]) / s } }
}
finch! {
    // A sum of each row that is declared outside of the rows.
    fn rows(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { for j { s += a[i, j] }; y[i] = x[i] / s }
    }
}
finch! {
    // Means so far, sums of each row, and a sum so far that has a name.
    fn so_far(x: &DenseVec<f64>, a: &Csr<f64>) -> (n: f64, w: f64, m: DenseVec<f64>, y: DenseVec<f64>, z: DenseVec<f64>) {
        let mut t: f64;
        let mut u: f64;
        for i { n += 1; t += x[i]; m[i] = t / n }
        for i { let mut s: f64; for j { s += a[i, j] }; y[i] = x[i] / s }
        for i { w += x[i]; let sum = w; z[i] = x[i] / sum }
        for i { u += x[i] }
        for i { y[i] += x[i] / u }
    }
}

// A mean, a greatest and a range that are none yet.
finch! {
    fn variance(x: &DenseVec<f64>, n: f64) -> (v: f64) {
        let mut m: f64;
        for i { m += x[i] / n; v += (x[i] - m) * (x[i] - m) }
    }
}
finch! {
    fn variance_of_sum(x: &DenseVec<f64>, n: f64) -> (v: f64) {
        let mut s: f64;
        for i { s += x[i]; v += abs(x[i] - s / n) }
    }
}
finch! {
    fn log_sum_exp(x: &DenseVec<f64>) -> (s: f64) {
        let mut m: f64 = -f64::INFINITY;
        for i { m <<max>>= x[i]; s += exp(x[i] - m) }
    }
}
finch! {
    fn scaled(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut lo: f64 = f64::INFINITY;
        let mut hi: f64 = -f64::INFINITY;
        for i { lo <<min>>= x[i]; hi <<max>>= x[i]; y[i] = (x[i] - lo) / (hi - lo) }
    }
}
finch! {
    // What is meant so far: Welford's mean, the greatest fall, areas, a mean so far.
    fn running(x: &DenseVec<f64>, w: &DenseVec<f64>) -> (v: f64, fall: f64 = 0, area: f64, y: DenseVec<f64>, n: f64) {
        let mut m: f64;
        let mut most: f64 = -f64::INFINITY;
        let mut s: f64;
        for i { n += 1; let d = x[i] - m; m += d / n; v += d * (x[i] - m) }
        for i { most <<max>>= x[i]; if most - x[i] > fall { fall = most - x[i] } }
        let mut k: f64;
        for i { k += 1; s += x[i]; area += s * w[i]; y[i] = x[i] - s / k }
    }
}

fn main() {}
