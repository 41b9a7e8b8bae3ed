//! Promises of cost that are not kept, at the loop that is in the way, and those that mean nothing.
#![allow(deprecated)]
use looplets::prelude::*;

fn f(x: f64) -> f64 {
    x + 1.0
}
finch! {
    #![dense]
    #![cost(stored(a) + len(i) + len(j))]
    fn opaque(a: &Csr<f64>) -> (y: DenseVec<f64>) { y[j] += f(a[i, j]) }
}
finch! {
    #![cost(len(i) + stored(a) + stored(b))]
    fn beside_a_transpose(a: &Csr<f64>, b: &Csr<f64>) -> (s: f64) { for i, j { s += exp(a[i, j] + b[j, i::locate]) } }
}
finch! {
    #![cost(stored(a))]
    fn rows(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}
finch! {
    #![cost(stored(a))]
    fn made(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
}
finch! {
    #![dense]
    #![cost(len(i) + stored(a))]
    fn of_ones(a: &Tensor<Dense<SparseList<Element<f64, One>>>>, x: &DenseVec<f64>) -> (s: f64) { for i, j { s += a[i, j] * x[j] } }
}
finch! {
    #![cost(len(i) + stored(a) + stored(b))]
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
}
finch! {
    #![cost(len(i) * len(k))]
    fn by_elements(p: &DenseVec<u32>) -> (y: DenseVec<u64>) { for i { for k in 0..p[i] { y[i] += k * k / 3 } } }
}
finch! {
    #![cost(stored(b) + stored(s) + stored(i) + stored(c) + len(k) + len(a))]
    fn names(a: &Csr<f64>, s: f64) -> (c: Csr<f64>) { for i, j { c[i, j] = s * a[i, j] } }
}
finch! {
    #![cost(len(i) * len(j))]
    fn two_sizes(x: &DenseVec<f64>, z: &DenseVec<f64>) -> (s: f64) { for i { s += x[i] } for i { s += z[i] } for j { s += x[j] } }
}
finch! {
    #![cost(len(j) + stored(a) / len(i))]
    fn by_columns(a: &Csr<f64>) -> (s: f64) { s += collapse(a[i, j], (j, i) -> q) }
}
level! { type Bits = Tensor<Bitmap<Pattern>>; }
finch! {
    // Words are gone through whether anything is in them or not.
    #![cost(stored(a) + stored(b))]
    fn by_words(a: &Bits, b: &Bits) -> (s: u64) { s += a[i] && b[i] }
}

fn main() {}
