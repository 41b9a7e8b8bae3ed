//! Products of sparse matrices by rows: each row is gathered in a workspace, of which there are several kinds.

use crate::answer::{sparse, Answer};
use crate::contest::Contest;
use crate::problem::{Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

level! { type Tree = Tensor<BitTree<Element<f64>>>; }
level! { type Listed = Tensor<Spa<Element<f64>>>; }
level! { type Rows = Tensor<Dense<UnorderedList<Element<f64>>>>; }
level! { type Table = Tensor<Hash<Element<f64>>>; }

finch! {
    /// As one writes it first.
    fn one_line(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
    /// The same with rows in any order.
    fn one_line_unordered(a: &Csr<f64>, b: &Csr<f64>) -> (c: Rows) { c[i, j] += a[i, k] * b[k, j] }
}

finch! {
    #![contract]
    /// A row of values, and bits that say which there are.
    fn by_tree(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i {
            let mut w: Tree[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { c[i, j] = w[j] }
        }
    }
    /// The same in the memory of the last result.
    fn by_tree_again(a: &Csr<f64>, b: &Csr<f64>, n: usize, c: Csr<f64>) -> (c: Csr<f64>) {
        for i {
            let mut w: Tree[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { c[i, j] = w[j] }
        }
    }
    /// A row of values, and a list of those that there are.
    fn by_list(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i {
            let mut w: Listed[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { c[i, j] = w[j] }
        }
    }
    /// The same in the memory of the last result.
    fn by_list_again(a: &Csr<f64>, b: &Csr<f64>, n: usize, c: Csr<f64>) -> (c: Csr<f64>) {
        for i {
            let mut w: Listed[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { c[i, j] = w[j] }
        }
    }
    /// Rows in no order.
    fn unordered(a: &Csr<f64>, b: &Csr<f64>) -> (c: Rows) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
    /// The same in the memory of the last result.
    fn unordered_again(a: &Csr<f64>, b: &Csr<f64>, c: Rows) -> (c: Rows) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
    /// A table of what a row has.
    fn by_table(a: &Csr<f64>, b: &Csr<f64>, n: usize) -> (c: Csr<f64>) {
        for i {
            let mut w: Table[n];
            for k, j { w[j] += a[i, k] * b[k, j] }
            for j { c[i, j] = w[j] }
        }
    }
}

/// A row of sums by hand: their values, the row in which each was last touched, and the list of those touched.
pub struct Row {
    sums: Vec<f64>,
    touched: Vec<usize>,
    list: Vec<u32>,
}

impl Row {
    /// Of so many columns.
    pub fn new(cols: usize) -> Row {
        Row { sums: vec![0.0; cols], touched: vec![usize::MAX; cols], list: Vec::new() }
    }

    /// Adds `term` at column `j` of row `i`.
    #[inline(always)]
    pub fn add(&mut self, i: usize, j: u32, term: f64) {
        if at!(self.touched, j as usize) == i {
            *place!(self.sums, j as usize) += term;
        } else {
            *place!(self.touched, j as usize) = i;
            *place!(self.sums, j as usize) = term;
            self.list.push(j);
        }
    }

    /// Appends the row to `c`, its columns ascending if they are to be `sorted`, and begins the next one.
    #[inline(always)]
    pub fn append(&mut self, c: &mut Sparse, sorted: bool) {
        if sorted {
            self.list.sort_unstable();
        }
        c.crd.extend_from_slice(&self.list);
        c.val.extend(self.list.iter().map(|j| at!(self.sums, *j as usize)));
        c.pos.push(c.crd.len());
        self.list.clear();
    }
}

/// Gustavson by hand.
pub fn gustavson(a: &Sparse, b: &Sparse, sorted: bool) -> Sparse {
    let mut row = Row::new(b.cols);
    let mut c = Sparse { rows: a.rows, cols: b.cols, pos: vec![0], ..Sparse::default() };
    for i in 0..a.rows {
        for p in at!(a.pos, i)..at!(a.pos, i + 1) {
            let (k, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            for q in at!(b.pos, k)..at!(b.pos, k + 1) {
                row.add(i, at!(b.crd, q), v * at!(b.val, q));
            }
        }
        row.append(&mut c, sorted);
    }
    c
}

/// Multiplications of A A.
pub fn steps(a: &Sparse) -> f64 {
    a.crd.iter().map(|k| a.row(*k as usize).len() as f64).sum()
}

/// A A of all square matrices, columns in any order.
pub fn run(program: &'static str, suite: &mut Suite) {
    measure(program, suite, false);
}

/// A A of all square matrices, columns ascending.
pub fn run_sorted(program: &'static str, suite: &mut Suite) {
    measure(program, suite, true);
}

// What gives rows in order takes part in both.
fn measure(program: &'static str, suite: &mut Suite, sorted: bool) {
    suite.matrices(program, |suite, input| {
        let a = input.matrix.clone();
        if a.rows != a.cols || !suite.affords(program, &input.name, steps(&a)) {
            return;
        }
        let problem = Problem { a, ..Problem::default() };
        let (a, n) = (problem.a.csr(), problem.a.cols);
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        let none = || Tensor::new([0, 0]).expect("a small size");
        let a = &a;
        if !sorted {
            let start = Tensor::new([0, 0]).expect("a small size");
            let one_line = || one_line_unordered(black_box(a), black_box(a));
            contest.ours("one line", one_line, sparse);
            contest.ours("unordered", || unordered(black_box(a), black_box(a)), sparse).again(
                "unordered again",
                start,
                |c| unordered_again(black_box(a), black_box(a), c),
                sparse,
            );
        }
        if sorted {
            contest.ours("one line", || one_line(black_box(a), black_box(a)), sparse);
        }
        contest
            .ours("tree", || by_tree(black_box(a), black_box(a), n), sparse)
            .ours("list", || by_list(black_box(a), black_box(a), n), sparse)
            .ours("table", || by_table(black_box(a), black_box(a), n), sparse)
            .again(
                "tree again",
                none(),
                |c| by_tree_again(black_box(a), black_box(a), n, c),
                sparse,
            )
            .again(
                "list again",
                none(),
                |c| by_list_again(black_box(a), black_box(a), n, c),
                sparse,
            )
            .hand(
                "gustavson",
                || gustavson(black_box(&problem.a), black_box(&problem.a), sorted),
                Answer::Sparse,
            );
        suite.run(contest, &problem);
    });
}
