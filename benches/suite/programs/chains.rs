//! Products of three operands, which may be begun at either end: what is written at once beside each order by hand.

use crate::answer::{dense, values};
use crate::contest::Contest;
use crate::inputs::Input;
use crate::problem::{Array, Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

/// Columns of the dense operand.
const COLUMNS: usize = 8;

finch! {
    /// As one writes it first.
    fn vector(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    /// As one writes it first.
    fn columns(a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, l] += a[i, j] * b[j, k] * d[k, l] }
}

mod right {
    use super::*;
    finch! {
        #![schedule(first(b, x))]
        pub fn vector(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
    }
    finch! {
        #![schedule(first(b, d))]
        pub fn columns(a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, l] += a[i, j] * b[j, k] * d[k, l] }
    }
}

mod at_once {
    use super::*;
    finch! {
        #![schedule(at_once)]
        pub fn vector(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
        pub fn columns(a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, l] += a[i, j] * b[j, k] * d[k, l] }
    }
}

/// One product by hand.
fn times(a: &Sparse, d: &Array<f64>) -> Array<f64> {
    let n = d.cols;
    let mut c = vec![0.0; a.rows * n];
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for p in a.row(i) {
            let (k, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            for (c, d) in row.iter_mut().zip(&d.val[k * n..(k + 1) * n]) {
                *c += v * d;
            }
        }
    }
    Array { rows: a.rows, cols: n, val: c }
}

/// Both products by hand, the last one first.
fn right_by_hand(a: &Sparse, b: &Sparse, d: &Array<f64>) -> Vec<f64> {
    times(a, &times(b, d)).val
}

/// All at once by hand.
fn at_once_by_hand(a: &Sparse, b: &Sparse, d: &Array<f64>) -> Vec<f64> {
    let n = d.cols;
    let mut c = vec![0.0; a.rows * n];
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for p in a.row(i) {
            let (j, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            for q in b.row(j) {
                let (k, v) = (at!(b.crd, q) as usize, v * at!(b.val, q));
                for (c, d) in row.iter_mut().zip(&d.val[k * n..(k + 1) * n]) {
                    *c += v * d;
                }
            }
        }
    }
    c
}

/// The first `rows` rows.
fn first_rows(a: &Sparse, rows: usize) -> Sparse {
    let end = a.pos[rows];
    Sparse {
        rows,
        cols: a.cols,
        pos: a.pos[..=rows].to_vec(),
        crd: a.crd[..end].to_vec(),
        val: a.val[..end].to_vec(),
    }
}

fn operands(input: &Input, rows: usize, columns: usize) -> Problem {
    let b = input.matrix.clone();
    let val = (0..b.cols * columns).map(|n| 0.5 + (n % 7) as f64 / 4.0).collect();
    let d = Array { rows: b.cols, cols: columns, val };
    Problem { a: first_rows(&b, rows), b, d, ..Problem::default() }
}

/// Products with a vector and with a few columns, of all rows and of ten.
pub fn run(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        if input.matrix.rows != input.matrix.cols {
            return;
        }
        for rows in [input.matrix.rows, 10.min(input.matrix.rows)] {
            for columns_of in [1, COLUMNS] {
                let problem = operands(input, rows, columns_of);
                let name = format!("{}, {rows} rows, {columns_of}", input.name);
                let reached = |i: usize| problem.b.row(i).len() as f64;
                let steps: f64 = problem.a.crd.iter().map(|j| reached(*j as usize)).sum();
                if !suite.affords(program, &name, steps * columns_of as f64) {
                    continue;
                }
                let (a, b) = (problem.a.csr(), problem.b.csr());
                let d: DenseMat<f64> =
                    Tensor::from_dense([problem.d.rows, columns_of], &problem.d.val)
                        .expect("a matrix");
                let x: DenseVec<f64> =
                    Tensor::from_dense([problem.d.rows], &problem.d.val[..problem.d.rows])
                        .expect("a vector");
                let mut contest = Contest::new(program, &name, problem.b.stored());
                let (a, b, x, d) = (&a, &b, &x, &d);
                if columns_of == 1 {
                    contest
                        .ours(
                            "one line",
                            || vector(black_box(a), black_box(b), black_box(x)),
                            dense,
                        )
                        .ours(
                            "right",
                            || right::vector(black_box(a), black_box(b), black_box(x)),
                            dense,
                        )
                        .ours(
                            "at once",
                            || at_once::vector(black_box(a), black_box(b), black_box(x)),
                            dense,
                        );
                } else {
                    contest
                        .ours(
                            "one line",
                            || columns(black_box(a), black_box(b), black_box(d)),
                            dense,
                        )
                        .ours(
                            "right",
                            || right::columns(black_box(a), black_box(b), black_box(d)),
                            dense,
                        )
                        .ours(
                            "at once",
                            || at_once::columns(black_box(a), black_box(b), black_box(d)),
                            dense,
                        );
                }
                contest
                    .hand(
                        "right",
                        || {
                            right_by_hand(
                                black_box(&problem.a),
                                black_box(&problem.b),
                                black_box(&problem.d),
                            )
                        },
                        values,
                    )
                    .hand(
                        "at once",
                        || {
                            at_once_by_hand(
                                black_box(&problem.a),
                                black_box(&problem.b),
                                black_box(&problem.d),
                            )
                        },
                        values,
                    );
                suite.run(contest, &problem);
            }
        }
    });
}
