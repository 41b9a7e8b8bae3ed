//! Products of sparse matrices where a mask has entries, and where it has none.

use crate::answer::{sparse, Answer};
use crate::contest::Contest;
use crate::problem::{Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

finch! {
    /// A A where A has no entry, as one writes it first.
    fn outside(a: &Csr<f64>, m: &Graph) -> (c: Csr<f64>) { if !m[i, j] { c[i, j] += a[i, k] * a[k, j] } }
    /// Inner products of rows of A where A has an entry, as one writes it first.
    fn dots(a: &Csr<f64>, m: &Graph) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * a[j, k] } }
}

/// What A A has where A has no entry: columns of the mask are marked, then those of a row, which are sorted.
fn outside_by_hand(a: &Sparse) -> Sparse {
    let (mut pos, mut crd, mut val) = (vec![0], Vec::new(), Vec::new());
    let (mut sums, mut touched) = (vec![0.0; a.cols], Vec::new());
    let (mut marks, mut masked) = (vec![usize::MAX; a.cols], vec![usize::MAX; a.cols]);
    for i in 0..a.rows {
        for p in a.row(i) {
            *place!(masked, at!(a.crd, p) as usize) = i;
        }
        touched.clear();
        for p in a.row(i) {
            let (k, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            for q in a.row(k) {
                let j = at!(a.crd, q) as usize;
                if at!(masked, j) == i {
                    continue;
                }
                if at!(marks, j) != i {
                    *place!(marks, j) = i;
                    *place!(sums, j) = 0.0;
                    touched.push(j as u32);
                }
                *place!(sums, j) += v * at!(a.val, q);
            }
        }
        touched.sort_unstable();
        crd.extend_from_slice(&touched);
        val.extend(touched.iter().map(|j| at!(sums, *j as usize)));
        pos.push(crd.len());
    }
    Sparse { rows: a.rows, cols: a.cols, pos, crd, val }
}

/// Inner products of rows where A has an entry: a row is spread, and the others look into it.
fn dots_by_hand(a: &Sparse) -> Sparse {
    let (mut pos, mut crd) = (vec![0], Vec::with_capacity(a.stored()));
    let mut val = Vec::with_capacity(a.stored());
    let (mut row, mut marks) = (vec![0.0; a.cols], vec![usize::MAX; a.cols]);
    for i in 0..a.rows {
        for p in a.row(i) {
            let k = at!(a.crd, p) as usize;
            *place!(row, k) = at!(a.val, p);
            *place!(marks, k) = i;
        }
        for p in a.row(i) {
            let j = at!(a.crd, p) as usize;
            let (mut sum, mut any) = (0.0, false);
            for q in a.row(j) {
                let k = at!(a.crd, q) as usize;
                if at!(marks, k) == i {
                    sum += at!(row, k) * at!(a.val, q);
                    any = true;
                }
            }
            if any {
                crd.push(j as u32);
                val.push(sum);
            }
        }
        pos.push(crd.len());
    }
    Sparse { rows: a.rows, cols: a.cols, pos, crd, val }
}

/// How many entries the rows have that the entries of A lead to.
fn reached(a: &Sparse) -> f64 {
    a.crd.iter().map(|k| a.row(*k as usize).len() as f64).sum()
}

/// Over all square matrices, whose entries are the mask as well: what `join` adds.
fn measure(
    program: &'static str,
    suite: &mut Suite,
    join: impl for<'a> Fn(&mut Contest<'a>, &'a Sparse, &'a Csr<f64>, &'a Graph),
) {
    suite.matrices(program, |suite, input| {
        let a = &input.matrix;
        if a.rows != a.cols || !suite.affords(program, &input.name, reached(a)) {
            return;
        }
        let problem = Problem { a: a.clone(), ..Problem::default() };
        let (a, m) = (problem.a.csr(), problem.a.graph());
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        join(&mut contest, &problem.a, &a, &m);
        suite.run(contest, &problem);
    });
}

/// The product where A has no entry.
pub fn run_outside(program: &'static str, suite: &mut Suite) {
    measure(program, suite, |contest, arrays, a, m| {
        contest.ours("one line", move || outside(black_box(a), black_box(m)), sparse).hand(
            "marks",
            move || outside_by_hand(black_box(arrays)),
            Answer::Sparse,
        );
    });
}

/// Inner products of rows where A has an entry.
pub fn run_dots(program: &'static str, suite: &mut Suite) {
    measure(program, suite, |contest, arrays, a, m| {
        contest.ours("one line", move || dots(black_box(a), black_box(m)), sparse).hand(
            "row in marks",
            move || dots_by_hand(black_box(arrays)),
            Answer::Sparse,
        );
    });
}
