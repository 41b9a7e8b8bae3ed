//! Sums of windows and strides of random square matrices, as SparseArrays section 8.2.4 has them.

use crate::memory::{measured, Measured, Stored};
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

finch! {
    fn window(a: &Csr<f64>, b: &Csr<f64>, lo: usize, hi: usize, left: usize, right: usize) -> (c: Csr<f64>) {
        for i, j {
            c[i, j] = a[window(lo, hi)[i], window(left, right)[j]]
                + b[window(lo, hi)[i], window(left, right)[j]]
        }
    }
    fn stride2(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i in 0..n { for j in 0..n { c[i, j] = a[2 * i, 2 * j] + b[2 * i, 2 * j] } }
    }
    fn stride4(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i in 0..n { for j in 0..n { c[i, j] = a[4 * i, 4 * j] + b[4 * i, 4 * j] } }
    }
    fn stride8(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i in 0..n { for j in 0..n { c[i, j] = a[8 * i, 8 * j] + b[8 * i, 8 * j] } }
    }
}

/// A square matrix of which in each row `permille` of the columns are stored.
fn random(size: usize, permille: usize, seed: u64) -> Csr<f64> {
    let mut random = Random::new(seed);
    let mut entries = Vec::new();
    for i in 0..size {
        for j in random.places(size, size * permille / 1000) {
            entries.push(([i, j], random.unit() + 0.5));
        }
    }
    Tensor::from_triplets([size, size], entries, Refuse).expect("inside, and each once")
}

/// Measures a view of the matrices that `SIZE:PERMILLE` describes.
pub fn measure(program: &str, what: &str, repeats: usize) -> Measured {
    let (size, permille) = what.split_once(':').expect("SIZE:PERMILLE");
    let number = |text: &str| text.parse::<usize>().expect("a number");
    let (size, permille) = (number(size), number(permille));
    let (a, b) = (random(size, permille, 1), random(size, permille, 2));
    let bytes = a.root().bytes() + b.root().bytes();
    let at = (size - 500.min(size)) / 2;
    let run = || {
        let (a, b) = (black_box(&a), black_box(&b));
        match program {
            "window_500" => window(a, b, at, at + 500, at, at + 500),
            "window_quarter" => window(a, b, size / 4, size / 2, 0, size),
            "window_inner" => window(a, b, 1, size - 1, 0, size),
            "stride_2" => stride2(a, b, size.div_ceil(2)),
            "stride_4" => stride4(a, b, size.div_ceil(4)),
            "stride_8" => stride8(a, b, size.div_ceil(8)),
            other => panic!("{other} is no view"),
        }
    };
    measured(bytes, repeats, run)
}
