//! What takes part although nothing stores it, and what is cut before it is used.
#![deny(deprecated)]
#![allow(dead_code)]
use looplets::prelude::*;

finch! {
    fn triangles(a: &Csr<u64>) -> (t: u64) { t += a[i, j] * a[j, k] * a[i, k] / 6 }
    fn percent(c: &[u32], total: u32) -> (p: Vec<u32>) { p[i] = c[i] / total * 100 }
    fn mean(x: &[i64], n: i64) -> (m: i64) { for i { m += 1 - x[i] / n } }
}
finch! {
    fn nearest(g: &Graph, l: &DenseVec<u32>, m: &mut DenseVec<u32>) { m[i] <<min>>= g[i, j] * l[j] }
    fn all(x: &DenseVec<f64>, p: &mut f64) { p *= (x[i] > 0.5) * x[i] }
    fn parents(g: &Graph, front: &SparseVec<bool>) -> (p: DenseVec<usize>) {
        for i { if front[i] { for j { if g[i, j] { p[j] <<choose>>= i } } } }
    }
}
finch! {
    fn likelihood(x: &SparseVec<f64>) -> (s: f64) { s += ln(x[i]) }
    fn weights(d: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += 1 / (2 * d[i, j]) }
    fn shares(d: &SparseVec<u32>, n: u32) -> (s: u32) { s += n % d[i] }
    fn least(d: &SparseVec<f64>) -> (s: f64 = 0.0) { s <<min>>= log2(d[i]) }
    fn roots(x: &SparseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { s += y[i] - powi(x[i], -1) }
}
finch! {
    fn patched(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) { c[i] = coalesce(a[i], b[i]) }
    fn everywhere(a: &DenseVec<f64>) -> (c: DenseVec<f64>) { c[i] = coalesce(a[i], 0) }
}
finch! {
    fn masked(m: &DenseVec<u8>, x: &DenseVec<f64>) -> (s: f64) { if !m[i] && x[i] > 0 { s += x[i] } }
    fn relu(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] > 0 * x[i] }
    fn dropped(a: &mut Csr<f64>) { if a[i, j] < 0 { a[i, j] = missing } }
    fn mean_of(x: &DenseVec<f64>) -> f64 { let mut s: f64; let mut n: f64; s += x[i]; n += 1; s / n }
    fn variance(x: &DenseVec<f64>, m: f64, n: f64) -> (v: f64) { v += x[i] * x[i] / n - m * m }
    fn ring(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 0..n { y[i] = x[(i + 1) % n] - x[(i - 1) % n] } }
}
// These mean what they say.
finch! {
    fn no_bits(m: &DenseVec<u8>, x: &DenseVec<f64>, z: &mut DenseVec<u8>, n: &mut f64) -> (s: f64, k: u64) {
        for i { if !(m[i] > 3) { s += x[i] }; z[i] = !m[i]; k += 1 }
        for i { n += 1; s += x[i] - n; if x[i] > 2 * x[i] { s += 1 } }
    }
    fn passed(x: &DenseVec<f64>, n: &mut f64) { n += 1; n += x[i] - 2 }
    fn later(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { for i in 1..n { y[i] = x[(i - 1) % n] } }
}
finch! {
    fn cut(c: &[u32], total: u32) -> (p: Vec<u32>, s: u32) {
        for i { let q = c[i] / total; p[i] = q * 100; s += q }
        for i { p[i] += c[i] / 8 * 8 + i / 4 * 4 as u32 }
    }
    fn floats(x: &[f64], n: f64) -> (m: f64) { m += x[i] / n * 100 }
    fn by_each(x: &[u32], n: &[u32]) -> (m: u32) { m += x[i] / n[i] }
    fn greatest(g: &Graph, l: &DenseVec<u32>, m: &mut DenseVec<u32>) { m[i] <<max>>= g[i, j] * l[j] }
    fn chosen(g: &Graph, front: &SparseVec<bool>) -> (p: DenseVec<i64, Const<-1>>, q: DenseVec<usize>) {
        for i { if front[i] { for j { if g[i, j] { p[j] <<choose>>= i; q[j] <<choose>>= i + 1 } } } }
    }
}
finch! {
    fn stored(x: &SparseVec<f64>) -> (s: f64) { if x[i] != 0 { s += ln(x[i]) } }
    fn entropy(x: &SparseVec<f64>, d: &DenseVec<f64>) -> (s: f64) { s -= x[i] * ln(x[i]) + x[i] / d[i] }
    fn quotients(a: &Csr<f64>, b: &Csr<f64>) -> (s: f64) { s += a[i, j] / b[i, j] }
    fn shifted(x: &SparseVec<f64>) -> (s: f64) { s += ln(x[i] + 1) + exp(-1 / (x[i] + 0.5)) }
    fn farthest(x: &SparseVec<f64>) -> (s: f64 = f64::INFINITY) { s <<min>>= 1 / x[i] }
    fn logs(x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] = ln(x[i]) }
    fn dense(x: &DenseVec<f64>) -> (s: f64) { s += ln(x[i]) }
    fn outside(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = coalesce(x[permit[i - 1]], 0) + x[i] }
}

fn main() {}
