//! The matricized tensor times a Khatri-Rao product of two dense matrices: three levels of lists.

use crate::answer::{dense, values};
use crate::contest::Contest;
use crate::problem::{Array, Fibers, Problem};
use crate::programs::by_dense::{columns, COLUMNS};
use crate::suite::Suite;
use crate::tensors;
use looplets::prelude::*;
use std::hint::black_box;

finch! {
    /// As one writes it first.
    fn one_line(t: &Csf<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (y: DenseMat<f64>) { y[i, r] += t[i, j, k] * d[j, r] * e[k, r] }
}

finch! {
    #![contract]
    /// Every entry times two rows.
    fn at_once(t: &Csf<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j, k, r { y[i, r] += t[i, j, k] * d[j, r] * e[k, r] }
    }
    /// What a fiber has in common is multiplied once.
    fn factored(t: &Csf<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>, n: usize) -> (y: DenseMat<f64>) {
        for i, j {
            let mut w: DenseVec<f64>[n];
            for k, r { w[r] += t[i, j, k] * e[k, r] }
            for r { y[i, r] += w[r] * d[j, r] }
        }
    }
    /// The same where the number of columns is known: both sums are held in registers.
    fn factored_32(t: &Csf<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>, m: usize) -> (y: DenseMat<f64>[m, 32]) {
        for i {
            let mut v: DenseVec<f64>[32];
            for j {
                let mut w: DenseVec<f64>[32];
                for k { for r in 0..32 { w[r] += t[i, j, k] * e[k, r] } }
                for r in 0..32 { v[r] += w[r] * d[j, r] }
            }
            for r in 0..32 { y[i, r] = v[r] }
        }
    }
}

/// Factored, by hand.
fn by_hand(t: &Fibers, d: &Array<f64>, e: &Array<f64>) -> Vec<f64> {
    let n = COLUMNS;
    let mut y = vec![0.0; t.dims[0] * n];
    for p in 0..t.crd0.len() {
        let i = at!(t.crd0, p) as usize;
        let y = &mut y[i * n..(i + 1) * n];
        for q in at!(t.pos1, p)..at!(t.pos1, p + 1) {
            let j = at!(t.crd1, q) as usize;
            let mut w = [0.0; COLUMNS];
            for s in at!(t.pos2, q)..at!(t.pos2, q + 1) {
                let (k, v) = (at!(t.crd2, s) as usize, at!(t.val, s));
                for (w, e) in w.iter_mut().zip(&e.val[k * n..(k + 1) * n]) {
                    *w += v * e;
                }
            }
            for ((y, w), d) in y.iter_mut().zip(&w).zip(&d.val[j * n..(j + 1) * n]) {
                *y += w * d;
            }
        }
    }
    y
}

pub fn tensor(t: &Fibers) -> Csf<f64> {
    let leaf = Element::new(t.val.clone());
    let third = SparseList::new(t.dims[2], t.pos2.clone(), t.crd2.clone(), leaf);
    let second = SparseList::new(t.dims[1], t.pos1.clone(), t.crd1.clone(), third);
    let first = SparseList::new(t.dims[0], vec![0, t.crd0.len()], t.crd0.clone(), second);
    Tensor::from_parts(first).expect("fibers of sorted entries")
}

/// All tensors of rank 3.
pub fn run(program: &'static str, suite: &mut Suite) {
    for (name, t) in tensors::all(&suite.options) {
        if !suite.options.wants(&[program, &name]) {
            continue;
        }
        let (d, e) = (columns(t.dims[1], COLUMNS, 1), columns(t.dims[2], COLUMNS, 2));
        let problem = Problem { t, d, e, ..Problem::default() };
        let (t, d, e) = (tensor(&problem.t), problem.d.dense(), problem.e.dense());
        let by_hand =
            || by_hand(black_box(&problem.t), black_box(&problem.d), black_box(&problem.e));
        let mut contest = Contest::new(program, &name, problem.t.val.len());
        contest
            .ours(
                "factored",
                || factored(black_box(&t), black_box(&d), black_box(&e), COLUMNS),
                dense,
            )
            .ours(
                "factored, 32",
                || factored_32(black_box(&t), black_box(&d), black_box(&e), problem.t.dims[0]),
                dense,
            )
            .ours("one line", || one_line(black_box(&t), black_box(&d), black_box(&e)), dense)
            .ours("at once", || at_once(black_box(&t), black_box(&d), black_box(&e)), dense)
            .hand("factored", by_hand, values);
        suite.run(contest, &problem);
    }
}
