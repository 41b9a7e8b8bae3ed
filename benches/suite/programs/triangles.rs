//! Triangles of a graph, of which each edge is stored once: intersections of rows of all lengths.

use crate::answer::values;
use crate::contest::Contest;
use crate::inputs::Input;
use crate::lists::{self, Lists};
use crate::problem::{Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

level! {
    /// Some coordinates.
    type Marks = Tensor<Spa<Pattern>>;
}

finch! {
    /// As one writes it first.
    fn one_line(a: &Graph, t: &mut u64) { t += a[i, j] && a[j, k] && a[i, k] }
    /// Merge.
    fn walk(a: &Graph, t: &mut u64) {
        for i, j, k { t += a[i, j] && a[j, k] && a[i, k] }
    }
    /// Whichever is behind leaps.
    fn gallop(a: &Graph, t: &mut u64) {
        for i, j, k { t += a[i, j::gallop] && a[j, k::gallop] && a[i, k::gallop] }
    }
    /// One row is marked, the others are looked up in it.
    fn marks(a: &Graph, n: usize, t: &mut u64) {
        for i {
            let mut w: Marks[n];
            for k { w[k] ||= a[i, k] }
            for j, k { t += a[i, j] && a[j, k] && w[k::locate] }
        }
    }
}

/// The same by hand.
fn marks_by_hand(a: &Sparse) -> u64 {
    let (mut marked, mut t) = (vec![false; a.cols], 0);
    for i in 0..a.rows {
        a.row(i).for_each(|q| marked[at!(a.crd, q) as usize] = true);
        for q in a.row(i) {
            for r in a.row(at!(a.crd, q) as usize) {
                t += u64::from(at!(marked, at!(a.crd, r) as usize));
            }
        }
        a.row(i).for_each(|q| marked[at!(a.crd, q) as usize] = false);
    }
    t
}

/// The pattern made symmetric, of which what is below the diagonal is kept, with ones.
fn lower(input: &Input) -> Option<Sparse> {
    let a = &input.matrix;
    if a.rows != a.cols {
        return None;
    }
    let mut edges = Vec::with_capacity(a.stored());
    for i in 0..a.rows {
        let row = a.row(i).map(|q| a.crd[q] as usize).filter(|j| *j != i);
        edges.extend(row.map(|j| ([i.max(j), i.min(j)], 1.0)));
    }
    edges.sort_unstable_by_key(|(at, _)| *at);
    edges.dedup();
    Some(Sparse::sorted(a.rows, a.cols, &edges))
}

/// The graphs of all square matrices.
pub fn run(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let Some(a) = lower(input) else { return };
        let row = |i: usize| a.row(i).len() as f64;
        let steps = (0..a.rows).flat_map(|i| a.row(i).map(move |q| (i, q)));
        let steps = steps.map(|(i, q)| row(i) + row(a.crd[q] as usize)).sum();
        if !suite.affords(program, &input.name, steps) {
            return;
        }
        let problem = Problem { a, ..Problem::default() };
        let graph = problem.a.graph();
        let by_hand: Lists<'_, ()> =
            Lists { pos: &problem.a.pos, crd: &problem.a.crd, val: &[], len: problem.a.cols };
        let count = |kernel: fn(&Graph, &mut u64)| {
            let graph = &graph;
            move || {
                let mut t = 0;
                kernel(black_box(graph), &mut t);
                t
            }
        };
        let one = |t: u64| values(vec![t]);
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours("one line", count(one_line), one)
            .ours("walk", count(walk), one)
            .ours("gallop", count(gallop), one)
            .ours(
                "marks",
                || {
                    let mut t = 0;
                    marks(black_box(&graph), problem.a.cols, &mut t);
                    t
                },
                one,
            )
            .hand("merge", || lists::triangles_walk(black_box(by_hand)), one)
            .hand("3 ways", || lists::triangles_walk_3(black_box(by_hand)), one)
            .hand("marks", || marks_by_hand(black_box(&problem.a)), one)
            .hand("gallop", || lists::triangles_gallop(black_box(by_hand)), one);
        suite.run(contest, &problem);
    });
}
