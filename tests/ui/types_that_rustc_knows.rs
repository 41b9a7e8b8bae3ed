//! What only rustc knows of types is said at a token of the program, not over the whole macro.

use looplets::prelude::*;

fn half(x: f64) -> f64 {
    x / 2.0
}

fn length(text: &str) -> f64 {
    text.len() as f64
}

#[derive(Clone, Copy, PartialEq)]
struct Own(f64);

impl looplets::Value for Own {
    const ZERO: Self = Own(0.0);
    fn from_int(n: i128) -> Self {
        Own(n as f64)
    }
    fn from_float(x: f64) -> Self {
        Own(x)
    }
}

finch! {
    pub fn arguments(a: &SparseVec<i32>, k: &str) -> (y: DenseVec<f64>) {
        for i { y[i] = half(a[i]) + half(k) + length(a[i] + 1) }
    }
}

finch! {
    pub fn scalars(a: &DenseVec<f64>, text: &mut String, k: Vec<f64>) -> (y: DenseVec<f64>) {
        for i { text += a[i]; y[i] = a[i] * k }
    }
}

finch! {
    pub fn greatest(a: &DenseVec<f64>, k: &str) -> (y: DenseVec<f64>) {
        for i { y[i] = max(a[i], k) }
    }
}

finch! {
    pub fn products(a: &SparseVec<Own>, b: &DenseVec<Own>) -> (y: DenseVec<Own>) {
        for i { y[i] = a[i] * b[i] }
    }
}

finch! {
    pub fn compared(a: &SparseVec<Own>, b: &DenseVec<Own>, n: &mut i64) {
        for i { if a[i] < b[i] { n += 1 } }
    }
}

finch! {
    pub fn negative(b: &DenseVec<Own>) -> (y: DenseVec<Own>) {
        for i { y[i] <<max>>= -b[i] }
    }
}

fn main() {}
