//! Sums, counts and elements that are read as if they were whole, and what only looks so.
#![deny(deprecated)]

use looplets::prelude::*;

finch! {
    fn dense_into_sparse(d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += d[i, k] * e[j, k] }
    fn counted(b: &DenseVec<usize>) -> (h: DenseVec<u8>[256]) { h[b[i]] += 1 }
    fn degrees(a: &Graph) -> (d: DenseVec<u8>) { d[i] += a[i, j] }
    fn share_so_far(a: &DenseMat<f64>) -> (s: DenseVec<f64>, b: DenseMat<f64>) {
        for i, j { s[i] += a[i, j]; b[i, j] = a[i, j] / s[i] }
    }
    fn totals(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) { let mut s: f64; s += x[i]; y[i] = s }
    fn too_early(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let mut s: f64 = 0.0; y[i] = x[i] / s; s += x[i] }
    fn exchanged(a: &mut DenseVec<f64>, b: &mut DenseVec<f64>) { for i { a[i] = b[i]; b[i] = a[i] } }
    fn both_halves(a: &DenseMat<f64>) -> (s: SymMat<f64>) { for i, j { s[i, j] = a[i, j] + a[j, i] } }
    fn without_its_use(a: &Graph, s: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[j] += second(a[i, j], s[i]) }
}

// None of these is told anything.
finch! {
    fn apart(a: &DenseVec<u64>, b: &DenseVec<u64>) -> (d: DenseVec<f64>) {
        for i { if a[i] >= b[i] { d[i] = (a[i] - b[i]) as f64 } else { d[i] = (b[i] - a[i]) as f64 } }
    }
    fn mixed(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (c: DenseVec<u8>) { c[i] = ((a[i] as u16 + b[i] as u16) / 2) as u8 }
    fn scaled(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (c: DenseVec<u8>) { c[i] = (a[i] as u16 * b[i] as u16 / 255) as u8 }
    fn inverted(a: &DenseVec<u8>) -> (d: DenseVec<f64>) { d[i] = (255 - a[i]) as f64 }
    fn running(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let mut s: f64; for i { s += x[i]; y[i] = s } }
    fn half(a: &DenseMat<f64>) -> (s: SymMat<f64>) { for i, j { if j <= i { s[i, j] = a[i, j] + a[j, i] } } }
    fn shares(a: &DenseMat<f64>) -> (s: DenseVec<f64>, b: DenseMat<f64>) {
        for i, j { s[i] += a[i, j] }
        for i, j { b[i, j] = a[i, j] / s[i] }
    }
}

fn main() {}
