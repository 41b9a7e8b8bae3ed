//! Rows that a table of indices names, and attention: dense operands that a sparse one picks rows of.

use super::by_dense::{columns, COLUMNS};
use crate::answer::{dense, values};
use crate::contest::Contest;
use crate::problem::{Array, Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

finch! {
    /// C = A D\[p\], as one writes it first.
    fn product(a: &Csr<f64>, d: &DenseMat<f64>, p: &[u32]) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[p[k], j] }
    /// C = D\[p\], as one writes it first.
    fn copy(d: &DenseMat<f64>, p: &[u32]) -> (c: DenseMat<f64>) { c[i, j] = d[p[i], j] }
    /// O = (A * (Q K transposed)) V, element by element within, as one writes it first.
    fn attend(a: &Csr<f64>, q: &DenseMat<f64>, k: &DenseMat<f64>, v: &DenseMat<f64>) -> (o: DenseMat<f64>) {
        o[i, j] += a[i, l] * q[i, e] * k[l, e] * v[l, j]
    }
}

/// The product by hand.
fn product_by_hand(a: &Sparse, d: &Array<f64>, p: &[u32]) -> Vec<f64> {
    let n = d.cols;
    let mut c = vec![0.0; a.rows * n];
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for q in a.row(i) {
            let (k, v) = (at!(p, at!(a.crd, q) as usize) as usize, at!(a.val, q));
            for (c, d) in row.iter_mut().zip(&d.val[k * n..(k + 1) * n]) {
                *c += v * d;
            }
        }
    }
    c
}

/// The rows by hand.
fn copy_by_hand(d: &Array<f64>, p: &[u32]) -> Vec<f64> {
    let n = d.cols;
    let mut c = Vec::with_capacity(p.len() * n);
    for k in p {
        c.extend_from_slice(&d.val[*k as usize * n..][..n]);
    }
    c
}

/// Attention by hand, each inner product with eight sums.
fn attend_by_hand(a: &Sparse, q: &Array<f64>, k: &Array<f64>, v: &Array<f64>) -> Vec<f64> {
    let (n, m) = (q.cols, v.cols);
    let mut o = vec![0.0; a.rows * m];
    for (i, row) in o.chunks_exact_mut(m).enumerate() {
        let (left, left_rest) = q.val[i * n..(i + 1) * n].as_chunks::<8>();
        for p in a.row(i) {
            let l = at!(a.crd, p) as usize;
            let (right, right_rest) = k.val[l * n..(l + 1) * n].as_chunks::<8>();
            let mut sums = [0.0; 8];
            for (q, k) in left.iter().zip(right) {
                for lane in 0..8 {
                    sums[lane] += q[lane] * k[lane];
                }
            }
            let rest: f64 = left_rest.iter().zip(right_rest).map(|(q, k)| q * k).sum();
            let weight = at!(a.val, p) * (sums.iter().sum::<f64>() + rest);
            for (o, v) in row.iter_mut().zip(&v.val[l * m..(l + 1) * m]) {
                *o += weight * v;
            }
        }
    }
    o
}

/// As many indices as `len`, each below `below`, in no order.
fn table(len: usize, below: usize) -> Sparse {
    let mut random = Random::new(len as u64);
    let index = |r: &mut Random| ((r.unit() * below as f64) as u32).min(below as u32 - 1);
    let crd: Vec<u32> = (0..len).map(|_| index(&mut random)).collect();
    Sparse { rows: 1, cols: below, pos: vec![0, len], val: vec![1.0; len], crd }
}

/// Products with a table of half as many dense rows as there are columns, of all matrices.
pub fn run_product(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let a = input.matrix.clone();
        if !suite.affords(program, &input.name, (a.stored() * COLUMNS) as f64) {
            return;
        }
        let rows = a.cols.div_ceil(2);
        let (d, x) = (columns(rows, COLUMNS, 1), table(a.cols, rows));
        let problem = Problem { d, x, a, ..Problem::default() };
        let (a, d, p) = (problem.a.csr(), problem.d.dense(), &problem.x.crd);
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours("one line", || product(black_box(&a), black_box(&d), black_box(p)), dense)
            .hand(
                "rows",
                || product_by_hand(black_box(&problem.a), black_box(&problem.d), black_box(p)),
                values,
            );
        suite.run(contest, &problem);
    });
}

/// The rows alone, for each row of all matrices.
pub fn run_copy(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let len = input.matrix.rows;
        if !suite.affords(program, &input.name, (len * COLUMNS) as f64) {
            return;
        }
        let rows = len.div_ceil(2);
        let problem =
            Problem { d: columns(rows, COLUMNS, 1), x: table(len, rows), ..Problem::default() };
        let (d, p) = (problem.d.dense(), &problem.x.crd);
        let mut contest = Contest::new(program, &input.name, len);
        contest.ours("one line", || copy(black_box(&d), black_box(p)), dense).hand(
            "rows",
            || copy_by_hand(black_box(&problem.d), black_box(p)),
            values,
        );
        suite.run(contest, &problem);
    });
}

/// Attention of all matrices, with 32 and 100 columns.
pub fn run_attention(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        for cols in [COLUMNS, 100] {
            let name = format!("{}, {cols}", input.name);
            if !suite.affords(program, &name, (2 * input.matrix.stored() * cols) as f64) {
                continue;
            }
            let a = input.matrix.clone();
            let (d, e) = (columns(a.rows, cols, 1), columns(a.cols, cols, 2));
            let problem = Problem { d, e, f: columns(a.cols, cols, 3), a, ..Problem::default() };
            let (a, q) = (problem.a.csr(), problem.d.dense());
            let (k, v) = (problem.e.dense(), problem.f.dense());
            let mut contest = Contest::new(program, &name, problem.a.stored());
            contest
                .ours(
                    "one line",
                    || attend(black_box(&a), black_box(&q), black_box(&k), black_box(&v)),
                    dense,
                )
                .hand(
                    "8 sums",
                    || {
                        let (q, k, v) = (&problem.d, &problem.e, &problem.f);
                        attend_by_hand(
                            black_box(&problem.a),
                            black_box(q),
                            black_box(k),
                            black_box(v),
                        )
                    },
                    values,
                );
            suite.run(contest, &problem);
        }
    });
}
