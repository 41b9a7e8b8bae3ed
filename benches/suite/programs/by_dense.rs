//! Sparse matrices with dense ones of 32 columns: the product, and a product of dense ones sampled by a sparse one.

use crate::answer::{dense, sparse, values, Answer};
use crate::contest::Contest;
use crate::problem::{Array, Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

/// Columns of the dense matrices, where their number is told.
pub const COLUMNS: usize = 32;

finch! {
    /// C = A D, as one writes it first.
    fn spmm_one_line(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] }
    /// C = A * (D transposed E), as one writes it first.
    fn sddmm_one_line(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
}

finch! {
    #![contract]
    /// C = A D
    fn spmm(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) {
        for i, k, j { c[i, j] += a[i, k] * d[k, j] }
    }
    /// The same where the number of columns is known: a row is held in registers.
    fn spmm_32(a: &Csr<f64>, d: &DenseMat<f64>, m: usize, c: DenseMat<f64>) -> (c: DenseMat<f64>[m, 32]) {
        for i {
            let mut w: DenseVec<f64>[32];
            for k { for j in 0..32 { w[j] += a[i, k] * d[k, j] } }
            for j in 0..32 { c[i, j] = w[j] }
        }
    }
    /// The sampled product of 32 columns, a row of which is held in registers.
    fn sddmm_32(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>, c: Csr<f64>) -> (c: Csr<f64>) {
        for i {
            let mut row: DenseVec<f64>[32];
            for k in 0..32 { row[k] = d[i, k] }
            for j { { c[i, j] = a[i, j] * t } where { for k in 0..32 { t += row[k] * e[j, k] } } }
        }
    }
    /// C = A * (D transposed E), element by element.
    fn sddmm(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) {
        for i, j { { c[i, j] = a[i, j] * t } where { for k { t += d[i, k] * e[j, k] } } }
    }
    /// The same by one reduction.
    fn sddmm_at_once(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) {
        for i, j, k { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    }
}

/// The product by hand, row by row.
fn spmm_by_hand(a: &Sparse, d: &Array<f64>) -> Vec<f64> {
    let n = d.cols;
    let mut c = vec![0.0; a.rows * n];
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for p in at!(a.pos, i)..at!(a.pos, i + 1) {
            let (k, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            for (c, d) in row.iter_mut().zip(&d.val[k * n..(k + 1) * n]) {
                *c += v * d;
            }
        }
    }
    c
}

/// The sampled product by hand, with four sums.
fn sddmm_by_hand(a: &Sparse, d: &Array<f64>, e: &Array<f64>) -> Sparse {
    let n = d.cols;
    let mut val = Vec::with_capacity(a.stored());
    for i in 0..a.rows {
        let d = &d.val[i * n..(i + 1) * n];
        for p in at!(a.pos, i)..at!(a.pos, i + 1) {
            let j = at!(a.crd, p) as usize;
            let mut sums = [0.0; 4];
            for (d, e) in d.chunks_exact(4).zip(e.val[j * n..(j + 1) * n].chunks_exact(4)) {
                for l in 0..4 {
                    sums[l] += d[l] * e[l];
                }
            }
            val.push(at!(a.val, p) * ((sums[0] + sums[1]) + (sums[2] + sums[3])));
        }
    }
    Sparse { rows: a.rows, cols: a.cols, pos: a.pos.clone(), crd: a.crd.clone(), val }
}

/// A dense matrix of so many columns.
pub fn columns(rows: usize, cols: usize, seed: u64) -> Array<f64> {
    let mut random = Random::new(seed);
    let val = (0..rows * cols).map(|_| random.unit() - 0.5).collect();
    Array { rows, cols, val }
}

/// The product, of all matrices.
pub fn run_spmm(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        for cols in [1, 7, COLUMNS, 100] {
            let name = format!("{}, {cols}", input.name);
            if !suite.affords(program, &name, (input.matrix.stored() * cols) as f64) {
                continue;
            }
            let a = input.matrix.clone();
            let problem = Problem { d: columns(a.cols, cols, 1), a, ..Problem::default() };
            let (a, d) = (problem.a.csr(), problem.d.dense());
            let mut contest = Contest::new(program, &name, problem.a.stored());
            contest.ours("one line", || spmm_one_line(black_box(&a), black_box(&d)), dense).ours(
                "csr",
                || spmm(black_box(&a), black_box(&d)),
                dense,
            );
            if cols == COLUMNS {
                contest.again(
                    "csr, 32",
                    Tensor::new([0, 0]).expect("a small size"),
                    |c| spmm_32(black_box(&a), black_box(&d), problem.a.rows, c),
                    dense,
                );
            }
            let by_hand = || spmm_by_hand(black_box(&problem.a), black_box(&problem.d));
            contest.hand("rows", by_hand, values);
            suite.run(contest, &problem);
        }
    });
}

/// The sampled product, of all matrices.
pub fn run_sddmm(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        for cols in [COLUMNS, 100] {
            let name = format!("{}, {cols}", input.name);
            if !suite.affords(program, &name, (input.matrix.stored() * cols) as f64) {
                continue;
            }
            let a = input.matrix.clone();
            let (d, e) = (columns(a.rows, cols, 1), columns(a.cols, cols, 2));
            let problem = Problem { d, e, a, ..Problem::default() };
            let (a, d, e) = (problem.a.csr(), problem.d.dense(), problem.e.dense());
            let by_hand = || {
                sddmm_by_hand(black_box(&problem.a), black_box(&problem.d), black_box(&problem.e))
            };
            let mut contest = Contest::new(program, &name, problem.a.stored());
            contest
                .ours(
                    "one line",
                    || sddmm_one_line(black_box(&a), black_box(&d), black_box(&e)),
                    sparse,
                )
                .ours("csr", || sddmm(black_box(&a), black_box(&d), black_box(&e)), sparse)
                .ours(
                    "at once",
                    || sddmm_at_once(black_box(&a), black_box(&d), black_box(&e)),
                    sparse,
                );
            if cols == COLUMNS {
                contest.again(
                    "csr, 32",
                    Tensor::new([0, 0]).expect("a small size"),
                    |c| sddmm_32(black_box(&a), black_box(&d), black_box(&e), c),
                    sparse,
                );
            }
            contest.hand("4 sums", by_hand, Answer::Sparse);
            suite.run(contest, &problem);
        }
    });
}
