//! Products of dense matrices, as one writes them, beside the loops that one writes first and libraries that have tiles.

use super::by_dense::columns;
use crate::answer::{dense, values};
use crate::contest::Contest;
use crate::problem::{Array, Problem};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

/// Rows and columns of square matrices: small ones, those that caches hold, one with long rows, and some that tiles do not
/// divide.
const SIZES: [usize; 8] = [8, 33, 100, 128, 255, 500, 512, 1000];

finch! {
    /// Each product rounded.
    fn product(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] }
}

mod fused {
    use super::*;
    finch! {
        #![contract]
        pub fn product(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] }
    }
}

/// Row by row.
fn by_hand(a: &Array<f64>, b: &Array<f64>) -> Vec<f64> {
    let n = b.cols;
    let mut c = vec![0.0; a.rows * n];
    for (a, c) in a.val.chunks_exact(a.cols).zip(c.chunks_exact_mut(n)) {
        for (a, b) in a.iter().zip(b.val.chunks_exact(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
    c
}

/// Products of square matrices.
pub fn run(program: &'static str, suite: &mut Suite) {
    for n in SIZES {
        let name = format!("{n} x {n}");
        let steps = (n * n * n) as f64;
        if !suite.options.wants(&[program, &name]) || !suite.affords(program, &name, steps / 8.0) {
            continue;
        }
        let problem = Problem { d: columns(n, n, 1), e: columns(n, n, 2), ..Problem::default() };
        let (a, b) = (problem.d.dense(), problem.e.dense());
        let mut contest = Contest::new(program, &name, n * n);
        contest
            .ours("one line", || product(black_box(&a), black_box(&b)), dense)
            .ours("contract", || fused::product(black_box(&a), black_box(&b)), dense)
            .hand("rows", || by_hand(black_box(&problem.d), black_box(&problem.e)), values);
        suite.run(contest, &problem);
    }
}
