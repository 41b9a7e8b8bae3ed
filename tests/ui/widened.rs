//! What is computed before it has the type of its place, compared by another part or walked again and again: each is warned of.
#![deny(deprecated)]
use looplets::prelude::*;

finch! {
    fn dot_of_bytes(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (s: u64) { s += a[i] * b[i] }
}
finch! {
    fn difference(a: &DenseVec<u32>, b: &DenseVec<u32>) -> (y: DenseVec<i64>) { y[i] = a[i] - b[i] }
}
finch! {
    fn beside_floats(a: &DenseVec<u16>, x: &DenseVec<f32>) -> (y: DenseVec<f32>) { y[i] = x[i] + a[i] * (a[i] + 1) }
}
finch! {
    fn chosen(a: &DenseVec<f64>, m: &DenseVec<f64>) -> (c: DenseVec<f64>) { c[i] = a[i] && m[i] }
}
finch! {
    fn first_of_two(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (c: DenseVec<f64>) { c[i] = a[i] || b[i] }
}

finch! {
    fn square_of_difference(x: &DenseVec<u8>, y: &DenseVec<u8>) -> (d: u64) { d += (x[i] - y[i]) * (x[i] - y[i]) }
}
finch! {
    fn first_of_all(x: &DenseVec<f64>) -> (k: (usize, f64) = (9, 9.0)) { k <<minby>>= (i, x[i]) }
}
finch! {
    fn walked(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}
finch! {
    fn walked_mask(a: &Graph, f: &DenseVec<bool>, v: &Tensor<SparseList<Pattern>>) -> (n: DenseVec<bool>) {
        for i, j { n[j] ||= f[i] && a[i, j] && !v[j] }
    }
}

// What is said, and what cannot be lost.
finch! {
    fn widened(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (s: u64) { s += a[i] as u64 * b[i] }
}
finch! {
    fn meant(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (s: u64) { s += (a[i] * b[i]) as u64 }
}
finch! {
    // A literal overflows a narrow type as well; a wide one holds most of what is doubled.
    fn gray(r: &DenseVec<u8>, b: &DenseVec<u8>) -> (y: DenseVec<u8>) { y[i] = ((r[i] * 299u32 + b[i] * 114) / 1000u32) as u8 }
    fn doubled(a: &DenseVec<u8>) -> (s: u64) { s += 2 * a[i] }
    fn of_32_bits(a: &DenseVec<u32>) -> (s: u64) { s += 2 * a[i] }
}
finch! {
    fn lengths(pos: &DenseVec<usize>) -> (y: DenseVec<f64>) { for i in 0..3 { y[i] = pos[i + 1] - pos[i] } }
}
finch! {
    // Through definitions, one of which hides another.
    fn by_definitions(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (s: u64, q: f64) {
        for i { let t = a[i] * b[i]; let t = t + 1; s += t; let r = a[i] / b[i]; let r = r + 1; q += r }
    }
}
finch! {
    fn both(a: &Csr<bool>, b: &Csr<bool>) -> (n: u64) { n += a[i, j] && b[i, j] }
}
finch! {
    fn compared(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (n: f64) { n += a[i] != 0 && b[i] > 0 }
}

finch! {
    fn first_that_holds(x: &DenseVec<f64>) -> (k: (usize, f64) = (9, 9.0)) { if x[i] > 2 { k <<minby>>= (i, x[i]) } }
}
finch! {
    fn walked_as_said(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j::walk] } }
}
finch! {
    fn spread(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
}
finch! {
    fn scaled(a: &mut Csr<f64>, x: &SparseVec<f64>) { for i, j { a[i, j] *= x[j] } }
}

// Sums of narrow numbers, before they become wider or are cut; what an unsigned number never is.
finch! {
    fn sums(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (y: DenseVec<u16>) { y[i] = a[i] + b[i] }
}
finch! {
    fn mean(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (y: DenseVec<u8>) { y[i] = (a[i] + b[i]) / 2 }
}
finch! {
    fn brighter(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { y[i] = min(a[i] + 50, 255) }
}
finch! {
    fn darker(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { y[i] = max(a[i] - 50, 0) }
}
finch! {
    fn second_difference(a: &DenseVec<u8>) -> (y: DenseVec<i16>) { for i in 1..9 { y[i] = 2 * a[i] - a[i - 1] } }
}
finch! {
    fn below_nothing(a: &DenseVec<u8>) -> (n: u64) { if a[i] < 0 { n += 1 } }
}
finch! {
    fn above_all(a: &DenseVec<u8>) -> (n: u64) { if 255 < a[i] { n += 1 } }
}
finch! {
    fn falls(a: &DenseVec<u32>) -> (n: u64) { for i in 1..9 { if a[i] - a[i - 1] < 0 { n += 1 } } }
}
finch! {
    fn named_difference(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) { for i { let d = i - n; y[i] = x[i] * d } }
}
finch! {
    // Coordinates are below 0 where they are; rounding up overflows for one number; 65535 is a number of `u16`.
    fn not_said(x: &DenseVec<f64>, a: &DenseVec<u8>, h: &DenseVec<u16>, n: usize) -> (y: DenseVec<f64>, z: DenseVec<u8>, m: u64) {
        for i { y[i] = x[i] * (i - n) }
        for i { z[i] = (a[i] + 1) / 2 }
        for i { if h[i] < 65535 && n >= 1 && i - n < 0 { m += 1 } }
    }
}

fn main() {}
