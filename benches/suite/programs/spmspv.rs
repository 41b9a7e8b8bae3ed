//! Sparse matrix times sparse vector, by rows in every protocol, and by columns.

use crate::answer::{dense, sparse, values};
use crate::contest::Contest;
use crate::lists;
use crate::problem::{Problem, Sparse};
use crate::programs::spmv::Blocked;
use crate::suite::Suite;
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

level! { type Table = Tensor<Hash<Element<f64>>>; }
level! { type Tree = Tensor<BitTree<Element<f64>>>; }

finch! {
    /// As one writes it first.
    fn one_line(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    /// By columns, as one writes it first.
    fn columns_one_line(at: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += at[j, i] * x[j] }
    /// The same into a sparse vector.
    fn columns_sparse(at: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += at[j, i] * x[j] }
    /// Merge.
    fn walk(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::walk] * x[j::walk] }
    }
    /// The entries of A are looked for in x.
    fn lead(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::lead] * x[j::follow] }
    }
    /// The entries of x are looked for in A.
    fn follow(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::follow] * x[j::lead] }
    }
    /// Whichever is behind leaps.
    fn gallop(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::gallop] * x[j::gallop] }
    }
    /// x is spread first, then every entry of A finds its partner.
    fn spread(a: &Csr<f64>, x: &SparseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
        let mut w: DenseVec<f64>[n];
        for j { w[j] = x[j] }
        for i, j { y[i] += a[i, j] * w[j] }
    }
    /// Blocks of columns, walked.
    fn blocks(a: &Blocked, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j::walk] }
    }
    /// Blocks of columns; whichever is behind leaps.
    fn blocks_gallop(a: &Blocked, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::gallop] * x[j::gallop] }
    }
    /// The columns of which x has an entry; `at` holds columns.
    fn columns(at: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for j, i { y[i] += at[j, i] * x[j] }
    }
    /// The same into a sparse vector, gathered in values and bits that say which there are.
    fn columns_tree(at: &Csr<f64>, x: &SparseVec<f64>, n: usize) -> (y: SparseVec<f64>) {
        let mut w: Tree[n];
        for j, i { w[i] += at[j, i] * x[j] }
        for i { y[i] = w[i] }
    }
    /// The same, gathered in a table.
    fn columns_table(at: &Csr<f64>, x: &SparseVec<f64>, n: usize) -> (y: SparseVec<f64>) {
        let mut w: Table[n];
        for j, i { w[i] += at[j, i] * x[j] }
        for i { y[i] = w[i] }
    }
}

/// Spread by hand.
fn spread_by_hand(a: &Sparse, x: &Sparse) -> Vec<f64> {
    let mut w = vec![0.0; a.cols];
    for p in 0..x.stored() {
        *place!(w, at!(x.crd, p) as usize) = at!(x.val, p);
    }
    let row = |i: usize| a.row(i).map(|q| at!(a.val, q) * at!(w, at!(a.crd, q) as usize)).sum();
    (0..a.rows).map(row).collect()
}

/// Columns by hand; `at` holds columns.
fn columns_by_hand(at: &Sparse, x: &Sparse) -> Vec<f64> {
    let mut y = vec![0.0; at.cols];
    for p in 0..x.stored() {
        let (j, v) = (at!(x.crd, p) as usize, at!(x.val, p));
        for q in at!(at.pos, j)..at!(at.pos, j + 1) {
            *place!(y, at!(at.crd, q) as usize) += at!(at.val, q) * v;
        }
    }
    y
}

/// How much of x is stored.
fn vectors(cols: usize) -> [(&'static str, usize); 2] {
    [("10%", cols.div_ceil(10)), ("10", 10)]
}

fn problem(a: &Sparse, count: usize) -> Problem {
    let count = count.min(a.cols);
    let mut random = Random::new((a.cols + count) as u64);
    let crd: Vec<u32> = random.places(a.cols, count).into_iter().map(|j| j as u32).collect();
    let val = crd.iter().map(|_| random.unit() + 0.5).collect();
    let x = Sparse { rows: 1, cols: a.cols, pos: vec![0, crd.len()], crd, val };
    Problem { a: a.clone(), x, ..Problem::default() }
}

/// By rows.
pub fn run(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        for (told, count) in vectors(input.matrix.cols) {
            let name = format!("{}, {told}", input.name);
            let problem = problem(&input.matrix, count);
            let steps =
                problem.a.stored() as f64 + problem.a.rows as f64 * problem.x.stored() as f64;
            if !suite.affords(program, &name, steps) {
                continue;
            }
            let (a, x) = (problem.a.csr(), problem.x.vector());
            let blocked: Option<Blocked> = input.structured.then(|| a.convert().expect("blocks"));
            let (rows, v) = (problem.a.lists(), problem.x.lists());
            let mut contest = Contest::new(program, &name, problem.a.stored());
            contest
                .ours("one line", || one_line(black_box(&a), black_box(&x)), dense)
                .ours("walk", || walk(black_box(&a), black_box(&x)), dense)
                .ours("lead", || lead(black_box(&a), black_box(&x)), dense)
                .ours("follow", || follow(black_box(&a), black_box(&x)), dense)
                .ours("spread", || spread(black_box(&a), black_box(&x), problem.a.cols), dense)
                .ours("gallop", || gallop(black_box(&a), black_box(&x)), dense);
            if let Some(blocked) = &blocked {
                contest.ours("blocks", || blocks(black_box(blocked), black_box(&x)), dense).ours(
                    "blocks leap",
                    || blocks_gallop(black_box(blocked), black_box(&x)),
                    dense,
                );
            }
            contest
                .hand(
                    "spread",
                    || spread_by_hand(black_box(&problem.a), black_box(&problem.x)),
                    values,
                )
                .hand("merge", || lists::spmspv_walk(black_box(rows), black_box(v)), values)
                .hand("3 ways", || lists::spmspv_walk_3(black_box(rows), black_box(v)), values)
                .hand("lead", || lists::spmspv_lead(black_box(rows), black_box(v)), values)
                .hand("follow", || lists::spmspv_follow(black_box(rows), black_box(v)), values)
                .hand("gallop", || lists::spmspv_gallop(black_box(rows), black_box(v)), values);
            suite.run(contest, &problem);
        }
    });
}

/// By columns.
pub fn run_columns(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        for (told, count) in vectors(input.matrix.cols) {
            let problem = problem(&input.matrix, count);
            let turned = problem.a.transposed();
            let (at, x, n) = (turned.csr(), problem.x.vector(), problem.a.rows);
            let mut contest =
                Contest::new(program, &format!("{}, {told}", input.name), problem.a.stored());
            contest
                .ours("one line", || columns_one_line(black_box(&at), black_box(&x)), dense)
                .ours("one line, sparse", || columns_sparse(black_box(&at), black_box(&x)), sparse)
                .ours("dense", || columns(black_box(&at), black_box(&x)), dense)
                .ours("tree", || columns_tree(black_box(&at), black_box(&x), n), sparse)
                .ours("table", || columns_table(black_box(&at), black_box(&x), n), sparse)
                .hand(
                    "columns",
                    || columns_by_hand(black_box(&turned), black_box(&problem.x)),
                    values,
                );
            suite.run(contest, &problem);
        }
    });
}
