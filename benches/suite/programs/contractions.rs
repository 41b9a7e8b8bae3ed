//! Contractions of three operands other than chains: `A (B .* C)`, where the elementwise product may be made first, and a tensor of
//! three dimensions with a vector and a matrix, which may be taken in either order or at once. What is written at once
//! stands beside each order by hand.

use super::add::{product_by_hand, second};
use super::by_dense::{columns, COLUMNS};
use super::mttkrp::tensor;
use super::spgemm::{gustavson, steps, Row};
use crate::answer::{dense, sparse, values, Answer};
use crate::contest::Contest;
use crate::problem::{Array, Fibers, Problem, Sparse};
use crate::suite::Suite;
use crate::tensors;
use looplets::prelude::*;
use std::hint::black_box;

finch! {
    /// As one writes it first.
    fn sampled(a: &Csr<f64>, b: &Csr<f64>, m: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] * m[k, j] }
    /// As one writes it first.
    fn tensor_by_both(t: &Csf<f64>, v: &DenseVec<f64>, d: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, l] += t[i, j, k] * v[k] * d[j, l] }
}

/// Rows of `b` and `m` merged for each entry of `a`, by hand.
fn sampled_at_once(a: &Sparse, b: &Sparse, m: &Sparse) -> Sparse {
    let mut row = Row::new(b.cols);
    let mut c = Sparse { rows: a.rows, cols: b.cols, pos: vec![0], ..Sparse::default() };
    for i in 0..a.rows {
        for p in a.row(i) {
            let (k, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            let (mut of_b, mut of_m) = (b.row(k), m.row(k));
            let (mut p, mut q) = (of_b.next(), of_m.next());
            while let (Some(here), Some(there)) = (p, q) {
                let (j, l) = (at!(b.crd, here), at!(m.crd, there));
                if j == l {
                    row.add(i, j, v * at!(b.val, here) * at!(m.val, there));
                }
                if j <= l {
                    p = of_b.next();
                }
                if l <= j {
                    q = of_m.next();
                }
            }
        }
        row.append(&mut c, true);
    }
    c
}

/// `A (A .* B)` of all square matrices, where `B` is the transpose of `A`.
pub fn run_sampled(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let a = input.matrix.clone();
        if a.rows != a.cols || !suite.affords(program, &input.name, steps(&a)) {
            return;
        }
        let problem = Problem { b: second(&a), a, ..Problem::default() };
        let (a, b) = (&problem.a.csr(), &problem.b.csr());
        let first = || {
            let product = product_by_hand(black_box(&problem.a), black_box(&problem.b));
            gustavson(black_box(&problem.a), &product, true)
        };
        let at_once =
            || sampled_at_once(black_box(&problem.a), black_box(&problem.a), black_box(&problem.b));
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours("one line", || sampled(black_box(a), black_box(a), black_box(b)), sparse)
            .hand("product first", first, Answer::Sparse)
            .hand("at once", at_once, Answer::Sparse);
        suite.run(contest, &problem);
    });
}

/// Calls `f` with the two outer coordinates of each fiber and its entries.
fn fibers(t: &Fibers, mut f: impl FnMut(usize, usize, std::ops::Range<usize>)) {
    for p in 0..t.crd0.len() {
        let i = at!(t.crd0, p) as usize;
        for q in at!(t.pos1, p)..at!(t.pos1, p + 1) {
            f(i, at!(t.crd1, q) as usize, at!(t.pos2, q)..at!(t.pos2, q + 1));
        }
    }
}

/// Adds `v` times row `j` of `d` to row `i` of `y`.
fn add_row(y: &mut [f64], d: &Array<f64>, (i, j): (usize, usize), v: f64) {
    let n = d.cols;
    let row = &d.val[j * n..(j + 1) * n];
    y[i * n..(i + 1) * n].iter_mut().zip(row).for_each(|(y, d)| *y += v * d);
}

/// The vector first, by hand.
fn vector_first(t: &Fibers, v: &[f64], d: &Array<f64>) -> Vec<f64> {
    let mut y = vec![0.0; t.dims[0] * d.cols];
    fibers(t, |i, j, entries| {
        let sum = entries.map(|s| at!(t.val, s) * at!(v, at!(t.crd2, s) as usize)).sum();
        add_row(&mut y, d, (i, j), sum);
    });
    y
}

/// Each entry times both, by hand.
fn both_at_once(t: &Fibers, v: &[f64], d: &Array<f64>) -> Vec<f64> {
    let mut y = vec![0.0; t.dims[0] * d.cols];
    fibers(t, |i, j, entries| {
        for s in entries {
            add_row(&mut y, d, (i, j), at!(t.val, s) * at!(v, at!(t.crd2, s) as usize));
        }
    });
    y
}

/// The matrix first, by hand: a dense matrix for each `i`.
fn matrix_first(t: &Fibers, v: &[f64], d: &Array<f64>) -> Vec<f64> {
    let n = d.cols;
    let (mut y, mut w) = (vec![0.0; t.dims[0] * n], vec![0.0; t.dims[2] * n]);
    for p in 0..t.crd0.len() {
        let i = at!(t.crd0, p) as usize;
        let all = || at!(t.pos1, p)..at!(t.pos1, p + 1);
        for q in all() {
            let j = at!(t.crd1, q) as usize;
            for s in at!(t.pos2, q)..at!(t.pos2, q + 1) {
                add_row(&mut w, d, (at!(t.crd2, s) as usize, j), at!(t.val, s));
            }
        }
        for s in all().flat_map(|q| at!(t.pos2, q)..at!(t.pos2, q + 1)) {
            let k = at!(t.crd2, s) as usize;
            for r in 0..n {
                y[i * n + r] += std::mem::take(&mut w[k * n + r]) * at!(v, k);
            }
        }
    }
    y
}

/// A loop by hand.
type ByHand = fn(&Fibers, &[f64], &Array<f64>) -> Vec<f64>;

/// All tensors of rank 3.
pub fn run_tensor(program: &'static str, suite: &mut Suite) {
    for (name, t) in tensors::all(&suite.options) {
        if !suite.options.wants(&[program, &name]) {
            continue;
        }
        let d = columns(t.dims[1], COLUMNS, 1);
        let v = columns(t.dims[2], 1, 2);
        let problem = Problem { t, d, e: v, ..Problem::default() };
        let (t, d) = (tensor(&problem.t), problem.d.dense());
        let vector: DenseVec<f64> =
            Tensor::from_dense([problem.e.rows], &problem.e.val).expect("a vector");
        let mut contest = Contest::new(program, &name, problem.t.val.len());
        let one_line = || tensor_by_both(black_box(&t), black_box(&vector), black_box(&d));
        contest.ours("one line", one_line, dense);
        let all: [(&'static str, ByHand); 3] = [
            ("vector first", vector_first),
            ("at once", both_at_once),
            ("matrix first", matrix_first),
        ];
        for (way, by_hand) in all {
            let (t, v, d) = (&problem.t, &problem.e.val, &problem.d);
            let run = move || by_hand(black_box(t), v, black_box(d));
            contest.hand(way, run, values);
        }
        suite.run(contest, &problem);
    }
}
