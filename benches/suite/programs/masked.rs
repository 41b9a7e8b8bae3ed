//! Products under masks over Boolean and tropical semirings: steps of searches and of shortest paths.

use crate::answer::{dense, sparse, values, Answer};
use crate::contest::Contest;
use crate::problem::{Array, Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use looplets_benches::matrices::Random;
use std::hint::black_box;

level! { type Set = Tensor<SparseList<Pattern>>; }
level! { type Flags = Tensor<Bitmap<Pattern>>; }
level! { type Bytes = Tensor<Dense<Element<bool>>>; }
level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type Distances = DenseVec<f64, Inf>; }
level! { type Near = Tensor<Spa<Element<f64, Inf>>>; }
level! { type Marks = Tensor<Spa<Pattern>>; }

finch! {
    use looplets::semiring::min_plus;

    /// From the front outwards, as one writes it first.
    fn push_one_line(a: &Graph, front: &Set, seen: &Bytes) -> (next: DenseVec<bool>) {
        next[i] ||= front[j] && a[j, i] && !seen[i]
    }
    /// Places of A at which A A has something, as one writes it first.
    fn closed_one_line(a: &Graph) -> (c: Graph) { c[i, j] ||= a[i, j] && a[i, k] && a[k, j] }
    /// Least sums of two edges along those of A, as one writes it first.
    fn through_one_line(a: &Far, mask: &Graph) -> (c: Far) {
        if mask[i, j] { c[i, j] <<min>>= min_plus(a[i, k], a[k, j]) }
    }
    /// From the front outwards.
    fn push(a: &Graph, front: &Set, seen: &Bytes) -> (next: DenseVec<bool>) {
        for j { if front[j] { for i { if a[j, i] && !seen[i] { next[i] = true } } } }
    }
    /// Each that was not seen asks those that lead to it; `at` holds columns.
    fn pull(at: &Graph, front: &Flags, seen: &Bytes) -> (next: DenseVec<bool>) {
        for i { if !seen[i] {
            let mut t: bool;
            for j { t ||= at[i, j] && front[j] }
            next[i] = t
        } }
    }
    /// Distances by one edge more.
    fn relax(a: &Far, d: &Distances, w: &mut Distances) {
        for i, j { w[j] <<min>>= min_plus(d[i], a[i, j]) }
    }
    /// The same, each asking those that lead to it.
    fn relax_pull(at: &Far, d: &Distances, w: &mut Distances) {
        for j, i { w[j] <<min>>= min_plus(at[j, i], d[i]) }
    }
    /// Places of A at which A A has something; `at` holds columns.
    fn closed(a: &Graph, at: &Graph) -> (c: Graph) {
        for i, j { if a[i, j] { { c[i, j] = t } where { for k { t ||= a[i, k] && at[j, k] } } } }
    }
    /// The same, leaping.
    fn closed_gallop(a: &Graph, at: &Graph) -> (c: Graph) {
        for i, j { if a[i, j] { { c[i, j] = t } where { for k { t ||= a[i, k::gallop] && at[j, k::gallop] } } } }
    }
    /// Least sums of two edges along those of A.
    fn through(a: &Far, at: &Far, mask: &Graph) -> (c: Far) {
        for i, j, k { if mask[i, j] { c[i, j] <<min>>= min_plus(a[i, k], at[j, k]) } }
    }
    /// The same, leaping.
    fn through_gallop(a: &Far, at: &Far, mask: &Graph) -> (c: Far) {
        for i, j, k { if mask[i, j] { c[i, j] <<min>>= min_plus(a[i, k::gallop], at[j, k::gallop]) } }
    }
    /// The same row by row, into a row of the result.
    fn through_rows(a: &Far, mask: &Graph, n: usize) -> (c: Far) {
        for i {
            let mut w: Near[n];
            for k, j { w[j] <<min>>= min_plus(a[i, k], a[k, j]) }
            for j { if mask[i, j] { c[i, j] = w[j::locate] } }
        }
    }
    /// The same, but for what the mask leaves out.
    fn through_marks(a: &Far, mask: &Graph, n: usize) -> (c: Far) {
        for i {
            let mut m: Marks[n];
            let mut w: Near[n];
            for j { m[j] ||= mask[i, j] }
            for k, j { if m[j::locate] { w[j] <<min>>= min_plus(a[i, k], a[k, j]) } }
            for j { if mask[i, j] { c[i, j] = w[j::locate] } }
        }
    }
}

/// From the front outwards, by hand.
fn push_by_hand(a: &Sparse, front: &[u32], seen: &[bool]) -> Vec<bool> {
    let mut next = vec![false; a.cols];
    for j in front {
        let j = *j as usize;
        for q in at!(a.pos, j)..at!(a.pos, j + 1) {
            let i = at!(a.crd, q) as usize;
            if !at!(seen, i) {
                *place!(next, i) = true;
            }
        }
    }
    next
}

/// One edge more, by hand.
fn relax_by_hand(a: &Sparse, d: &[f64]) -> Vec<f64> {
    let mut w = d.to_vec();
    for i in 0..a.rows {
        let from = at!(d, i);
        for q in at!(a.pos, i)..at!(a.pos, i + 1) {
            let to = place!(w, at!(a.crd, q) as usize);
            *to = to.min(from + at!(a.val, q));
        }
    }
    w
}

/// For each place of A what `hit` makes of the places that row and column have in common, which ends as it says.
#[inline(always)]
fn masked<T: Copy>(
    a: &Sparse,
    at: &Sparse,
    none: T,
    mut hit: impl FnMut(T, f64, f64) -> (T, bool),
    keep: impl Fn(T) -> Option<f64>,
) -> Sparse {
    let (mut pos, mut crd, mut val) = (vec![0], Vec::new(), Vec::new());
    for i in 0..a.rows {
        for r in at!(a.pos, i)..at!(a.pos, i + 1) {
            let j = at!(a.crd, r) as usize;
            let (mut p, pe) = (at!(a.pos, i), at!(a.pos, i + 1));
            let (mut q, qe) = (at!(at.pos, j), at!(at.pos, j + 1));
            let mut t = none;
            while p < pe && q < qe {
                let (k, l) = (at!(a.crd, p), at!(at.crd, q));
                if k == l {
                    let end;
                    (t, end) = hit(t, at!(a.val, p), at!(at.val, q));
                    if end {
                        break;
                    }
                }
                p += usize::from(k <= l);
                q += usize::from(l <= k);
            }
            if let Some(v) = keep(t) {
                crd.push(j as u32);
                val.push(v);
            }
        }
        pos.push(crd.len());
    }
    Sparse { rows: a.rows, cols: a.cols, pos, crd, val }
}

/// The same by rows: each entry of the rows that a row leads to is looked up among the marks of that row.
fn scattered(a: &Sparse, least: impl Fn(f64, f64, f64) -> f64) -> Sparse {
    let (mut marks, mut sums) = (vec![usize::MAX; a.cols], vec![f64::INFINITY; a.cols]);
    let (mut pos, mut crd, mut val) =
        (vec![0], Vec::with_capacity(a.stored()), Vec::with_capacity(a.stored()));
    for i in 0..a.rows {
        for q in at!(a.pos, i)..at!(a.pos, i + 1) {
            let j = at!(a.crd, q) as usize;
            *place!(marks, j) = i;
            *place!(sums, j) = f64::INFINITY;
        }
        for p in at!(a.pos, i)..at!(a.pos, i + 1) {
            let (k, v) = (at!(a.crd, p) as usize, at!(a.val, p));
            for q in at!(a.pos, k)..at!(a.pos, k + 1) {
                let j = at!(a.crd, q) as usize;
                if at!(marks, j) == i {
                    *place!(sums, j) = least(at!(sums, j), v, at!(a.val, q));
                }
            }
        }
        for q in at!(a.pos, i)..at!(a.pos, i + 1) {
            let j = at!(a.crd, q);
            if at!(sums, j as usize) < f64::INFINITY {
                crd.push(j);
                val.push(at!(sums, j as usize));
            }
        }
        pos.push(crd.len());
    }
    Sparse { rows: a.rows, cols: a.cols, pos, crd, val }
}

fn closed_by_hand(a: &Sparse, at: &Sparse) -> Sparse {
    masked(a, at, false, |_, _, _| (true, true), |t| t.then_some(1.0))
}

fn through_by_hand(a: &Sparse, at: &Sparse) -> Sparse {
    masked(
        a,
        at,
        f64::INFINITY,
        |t, v, w| (t.min(v + w), false),
        |t| (t < f64::INFINITY).then_some(t),
    )
}

/// Lengths of edges, none of which is negative or nothing.
fn lengths(a: &Sparse) -> Sparse {
    let val = a.val.iter().map(|v| if v.abs() > 0.0 { v.abs() } else { 1.0 }).collect();
    Sparse { val, ..a.clone() }
}

/// What is reached at all: a place of the mask is stored, whether or not there are two edges.
fn finite(tensor: Far) -> Answer {
    let mut answer = sparse(tensor);
    if let Answer::Sparse(s) = &mut answer {
        s.val.iter_mut().filter(|v| v.is_infinite()).for_each(|v| *v = 0.0);
    }
    answer
}

/// The steps of merging the rows and columns that meet at each entry.
fn meetings(a: &Sparse, at: &Sparse) -> f64 {
    let places = (0..a.rows).flat_map(|i| a.row(i).map(move |q| (i, q)));
    places.map(|(i, q)| (a.row(i).len() + at.row(a.crd[q] as usize).len()) as f64).sum()
}

/// A step of a search, of all square matrices: a tenth is the front, half was seen.
pub fn run_step(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let a = lengths(&input.matrix);
        let n = a.cols;
        if a.rows != n {
            return;
        }
        let mut random = Random::new(n as u64);
        let crd: Vec<u32> = random.places(n, n / 10).into_iter().map(|i| i as u32).collect();
        let x =
            Sparse { rows: 1, cols: n, pos: vec![0, crd.len()], val: vec![1.0; crd.len()], crd };
        let seen: Vec<bool> = (0..n).map(|_| random.unit() < 0.5).collect();
        let d = Array::vector(seen.iter().map(|s| f64::from(u8::from(*s))).collect());
        let problem = Problem { a, x, d, ..Problem::default() };
        let (graph, turned) = (problem.a.graph(), problem.a.transposed().graph());
        let front = problem.x.crd.iter().map(|i| ([*i as usize], true));
        let set: Set = Tensor::from_triplets([n], front, Refuse).expect("places differ");
        let flags: Flags = set.convert().expect("flags");
        let mask: Bytes = Tensor::from_dense([n], &seen).expect("as many as there are");
        let by_hand = || push_by_hand(black_box(&problem.a), &problem.x.crd, black_box(&seen));
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours(
                "one line",
                || push_one_line(black_box(&graph), black_box(&set), black_box(&mask)),
                dense,
            )
            .ours("push", || push(black_box(&graph), black_box(&set), black_box(&mask)), dense)
            .ours("pull", || pull(black_box(&turned), black_box(&flags), black_box(&mask)), dense)
            .hand("push", by_hand, values);
        suite.run(contest, &problem);
    });
}

/// One edge more, of all square matrices: a tenth of the distances are known.
pub fn run_relax(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let a = lengths(&input.matrix);
        if a.rows != a.cols {
            return;
        }
        let mut random = Random::new(a.cols as u64);
        let known = |r: &mut Random| if r.unit() < 0.1 { r.unit() } else { f64::INFINITY };
        let d = Array::vector((0..a.cols).map(|_| known(&mut random)).collect());
        let problem = Problem { a, d, ..Problem::default() };
        let far: Far = problem.a.map(|v| v);
        let turned: Far = problem.a.transposed().map(|v| v);
        let d: Distances = problem.d.dense_vector();
        let updated = |kernel: fn(&Far, &Distances, &mut Distances), a| {
            let d = &d;
            move || {
                let mut w = d.clone();
                kernel(black_box(a), black_box(d), &mut w);
                w
            }
        };
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours("push", updated(relax, &far), dense)
            .ours("pull", updated(relax_pull, &turned), dense)
            .hand(
                "push",
                || relax_by_hand(black_box(&problem.a), black_box(&problem.d.val)),
                values,
            );
        suite.run(contest, &problem);
    });
}

/// Where A A has something that A has too, of all square matrices.
pub fn run_closed(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let (a, turned) = (lengths(&input.matrix), input.matrix.transposed());
        if a.rows != a.cols || !suite.affords(program, &input.name, meetings(&a, &turned)) {
            return;
        }
        let problem = Problem { a, ..Problem::default() };
        let (graph, at) = (problem.a.graph(), turned.graph());
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours("one line", || closed_one_line(black_box(&graph)), sparse)
            .ours("walk", || closed(black_box(&graph), black_box(&at)), sparse)
            .ours("gallop", || closed_gallop(black_box(&graph), black_box(&at)), sparse)
            .hand(
                "merge",
                || closed_by_hand(black_box(&problem.a), black_box(&turned)),
                Answer::Sparse,
            )
            .hand("scatter", || scattered(black_box(&problem.a), |_, _, _| 1.0), Answer::Sparse);
        suite.run(contest, &problem);
    });
}

/// Least sums of two edges where A has one, of all square matrices.
pub fn run_through(program: &'static str, suite: &mut Suite) {
    suite.matrices(program, |suite, input| {
        let a = lengths(&input.matrix);
        let turned = a.transposed();
        if a.rows != a.cols || !suite.affords(program, &input.name, meetings(&a, &turned)) {
            return;
        }
        let problem = Problem { a, ..Problem::default() };
        let (far, at): (Far, Far) = (problem.a.map(|v| v), turned.map(|v| v));
        let (mask, n) = (problem.a.graph(), problem.a.cols);
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        contest
            .ours("one line", || through_one_line(black_box(&far), black_box(&mask)), finite)
            .ours("walk", || through(black_box(&far), black_box(&at), black_box(&mask)), finite)
            .ours(
                "gallop",
                || through_gallop(black_box(&far), black_box(&at), black_box(&mask)),
                finite,
            )
            .ours("rows", || through_rows(black_box(&far), black_box(&mask), n), finite)
            .ours("marks", || through_marks(black_box(&far), black_box(&mask), n), finite)
            .hand(
                "merge",
                || through_by_hand(black_box(&problem.a), black_box(&turned)),
                Answer::Sparse,
            )
            .hand(
                "scatter",
                || scattered(black_box(&problem.a), |t, v, w| t.min(v + w)),
                Answer::Sparse,
            );
        suite.run(contest, &problem);
    });
}
