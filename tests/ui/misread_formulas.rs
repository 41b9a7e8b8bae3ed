//! Formulas that are not what is read from them: sums of one term, coordinates as divisors, terms that a `missing` one takes
//! along, shares of the greatest number, and differences of sizes. Each is warned of at its operator.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn sum_of_one_term(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { let mut s: f64; s += exp(x[i]); y[i] = exp(x[i]) / s }
    }
}
finch! {
    fn by_a_coordinate(a: &DenseMat<f64>) -> (m: DenseVec<f64>) { m[i] += a[i, j] / j }
}
finch! {
    fn the_rest_is_missing(a: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] = a[i, j] + a[i, permit[j + 1]] }
}
finch! {
    fn or_of_bits(a: &BitMat<bool>) -> (c: BitMat<bool>) { c[i, j] = a[i, permit[j + 1]] || a[i, j] }
}
finch! {
    fn a_share(x: &[u8]) -> (y: Vec<f32>) { y[i] = (x[i] / 255) as f32 }
}
finch! {
    fn between_sizes(p: &DenseVec<usize>, n: usize) -> (y: DenseVec<f64>) { y[i] = p[i] - n }
}
finch! {
    fn area(x: &DenseMat<f64>) -> (s: DenseMat<f64>) { for i, j { s[i, j] = s[i - 1, j] + x[i, j] } }
}
finch! {
    fn worst_of_unsigned(x: &DenseVec<u8>) -> (best: (u8, usize)) { best <<minby>>= (x[i], i) }
}
finch! {
    fn least_of_neighbours(a: &DenseMat<u8>) -> (c: DenseMat<u8>) { c[i, j] = min(a[i, j], a[permit[i - 1], j]) }
}
finch! {
    fn squares(x: &[i64]) -> (n: i64) { n += x[i] ^ 2 }
}
finch! {
    fn sums_so_far(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { let mut t: f64; for i { for j { t += a[i, j] } y[i] = t } }
}
finch! {
    fn as_meant_too(a: &DenseMat<f64>, x: &[i64]) -> (y: DenseVec<f64>, z: DenseVec<f64>, n: i64, w: DenseVec<f64>) {
        let mut t: f64 = 0.0;
        for i { let mut u: f64; for j { u += a[i, j] } t += u; y[i] = t }
        for i { let mut u: f64; for j { u += a[i, j] } z[i] = u }
        n += x[i] * x[i] + (2 ^ x[i]);
        let mut s: f64;
        for i { s += a[i, 0]; w[i] = s }
    }
}
finch! {
    fn sums_in_few_bits(x: &DenseVec<u8>, y: &DenseVec<i16>) -> (s: u8, t: DenseVec<i16>) {
        for i { s += x[i] }
        for i { for j { t[i] += y[j] * y[i] } }
    }
}
finch! {
    fn distance(x: &[u8], y: &[u8]) -> (z: Vec<u8>) { z[i] = max(x[i] - y[i], y[i] - x[i]) }
}
finch! {
    fn inner(x: &DenseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { s += x[i] * y[j] }
}
finch! {
    fn norm(x: &DenseVec<f64>) -> (n: f64) { for i { n += x[i] * x[i]; n = sqrt(n) } }
}
finch! {
    fn least_of_rows(a: &Csr<f64>) -> (m: DenseVec<f64, _>) { m[i] <<min>>= a[i, j] }
}
finch! {
    fn neighbours(x: &DenseVec<f64>, a: &DenseMat<f64>, n: usize) -> (y: DenseVec<f64>, b: DenseMat<f64>) {
        for i in 1..n - 1 { y[i] = x[i - 1] + x[i + 1] }
        for i in 1..$(a.shape()[0]) - 1 { for j in 1..$(a.shape()[1]) - 1 { b[i, j] = a[i - 1, j] + a[i + 1, j] } }
    }
}
finch! {
    fn neighbours_in_no_loop(a: &DenseMat<f64>) -> (b: DenseMat<f64>) { b[i, j] = a[i - 1, j] + a[i + 1, j] }
}
finch! {
    fn halves(x: &DenseVec<i64>) -> (y: DenseVec<i64>) {
        for i {
            y[i] = x[i] // 2
        }
    }
}
finch! {
    fn parts(x: &DenseVec<i64>, n: i64) -> (y: DenseVec<i64>) {
        // In no loop.
        y[i] = x[i] + 1 // n
    }
}
finch! {
    // What the messages advise.
    fn advised(a: &DenseMat<f64>, x: &[u8], y: &[u8], n: usize) -> (z: Vec<u8>, b: DenseMat<f64>[$(a.shape()[0]), $(a.shape()[1])], c: DenseMat<f64>[n, $(a.shape()[1])]) {
        z[i] = abs_diff(x[i], y[i]);
        for i in 1..$(a.shape()[0]) - 1, j { b[i, j] = a[i - 1, j] + a[i + 1, j] }
        for i in 1..n - 1, j { c[i, j] = a[i - 1, j] + a[i + 1, j] }
    }
}
finch! {
    // Each with each, where a condition stands around the loops.
    fn under_a_condition(c: bool, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { if c { for i, j { s += x[i] * y[j] } } }
}
finch! {
    // What is meant: sums in more bits, each with each, one root, what is stored, sizes that are said, differences.
    fn with_room(x: &DenseVec<u8>, a: &Csr<f64>, b: &DenseVec<f64>, n: usize) -> (s: u64, odd: u8, p: f64, r: f64, m: DenseVec<f64, _>, y: DenseVec<f64>[n], d: DenseVec<f64>) {
        for i { s += x[i]; odd += x[i] & 1; r += b[i] * b[i] }
        r = sqrt(r);
        for i, j { p += b[i] * b[j] }
        for i, j { if a[i, j] != 0 { m[i] <<min>>= a[i, j] } }
        for i in 1..n - 1 { y[i] = b[i - 1] + b[i + 1] }
        for i in 0..n - 1 { d[i] = b[i + 1] - b[i] } // n - 1
        for i { d[i] += 1; } // 2
    }
}
finch! {
    // What is meant: sums of their own, counts from 1, what stands in the place, lengths between positions.
    fn as_meant(a: &DenseMat<f64>, x: &[u8], pos: &DenseVec<usize>) -> (c: DenseMat<f64>, y: Vec<f32>, l: DenseVec<f64>, r: DenseVec<f64>) {
        for i { let mut s: f64; for j { s += a[i, j] } for j { c[i, j] = a[i, j] / s } }
        for i { r[i] = a[i, 0] / (i + 1) }
        for i { if i > 0 { r[i] += a[i, 0] / i } }
        for k { r[k] += ifelse(k > 0, a[k, 0] / k, 0) }
        for i, j { c[i, j] += a[i, j] + coalesce(a[i, permit[j + 1]], 0) }
        for i { y[i] = x[i] as f32 / 255 }
        for i in 0..$(pos.shape()[0]) - 1 { l[i] = (pos[i + 1] - pos[i]) as f64 }
    }
}

fn main() {
    let x = DenseVec::<f64>::new([3]).unwrap();
    let (y, i, j) = (x.clone(), 1usize, 2usize);
    let mut s = 0.0;
    // Indices that are variables of Rust.
    finch! { <x: DenseVec<f64>, y: DenseVec<f64>, mut s: f64> s += x[i] * y[j] };
}
