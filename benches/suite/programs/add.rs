//! Elementwise programs of two matrices: sum, product, and inner products of their rows.

use crate::answer::{dense, sparse, values, Answer};
use crate::contest::Contest;
use crate::problem::{Problem, Sparse};
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

finch! {
    /// C = A + B, as one writes it first.
    fn add_one_line(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + b[i, j] }
    /// C = A * B, element by element, as one writes it first.
    fn product_one_line(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * b[i, j] }
    /// Row by row the inner product, as one writes it first.
    fn inner_one_line(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[i, j] }
}

finch! {
    #![contract]
    /// C = A + B
    fn add(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } }
    /// C = A * B, element by element.
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i, j { c[i, j] = a[i, j] * b[i, j] } }
    /// In the memory of the last C.
    fn add_again(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }
    /// In the memory of the last C.
    fn product_again(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] * b[i, j] }
    }
    /// The same, leaping.
    fn product_gallop(a: &Csr<f64>, b: &Csr<f64>, c: Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j::gallop] * b[i, j::gallop] }
    }
    /// Row by row the inner product.
    fn inner(a: &Csr<f64>, b: &Csr<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * b[i, j] } }
    /// The same, leaping.
    fn inner_gallop(a: &Csr<f64>, b: &Csr<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::gallop] * b[i, j::gallop] }
    }
}

/// The sum by hand: a merge of three cases, then the rest of either.
fn add_by_hand(a: &Sparse, b: &Sparse) -> Sparse {
    let most = a.stored() + b.stored();
    let (mut pos, mut crd, mut val) =
        (Vec::with_capacity(a.rows + 1), Vec::with_capacity(most), Vec::with_capacity(most));
    pos.push(0);
    for i in 0..a.rows {
        let (mut p, pe) = (at!(a.pos, i), at!(a.pos, i + 1));
        let (mut q, qe) = (at!(b.pos, i), at!(b.pos, i + 1));
        while p < pe && q < qe {
            let (j, k) = (at!(a.crd, p), at!(b.crd, q));
            if j == k {
                crd.push(j);
                val.push(at!(a.val, p) + at!(b.val, q));
                p += 1;
                q += 1;
            } else if j < k {
                crd.push(j);
                val.push(at!(a.val, p));
                p += 1;
            } else {
                crd.push(k);
                val.push(at!(b.val, q));
                q += 1;
            }
        }
        crd.extend_from_slice(&a.crd[p..pe]);
        val.extend_from_slice(&a.val[p..pe]);
        crd.extend_from_slice(&b.crd[q..qe]);
        val.extend_from_slice(&b.val[q..qe]);
        pos.push(crd.len());
    }
    Sparse { rows: a.rows, cols: a.cols, pos, crd, val }
}

/// Calls `hit` with the row and the values of each place that both store.
#[inline(always)]
fn common(a: &Sparse, b: &Sparse, mut hit: impl FnMut(u32, f64, f64), mut row: impl FnMut()) {
    for i in 0..a.rows {
        let (mut p, pe) = (at!(a.pos, i), at!(a.pos, i + 1));
        let (mut q, qe) = (at!(b.pos, i), at!(b.pos, i + 1));
        while p < pe && q < qe {
            let (j, k) = (at!(a.crd, p), at!(b.crd, q));
            if j == k {
                hit(j, at!(a.val, p), at!(b.val, q));
            }
            p += usize::from(j <= k);
            q += usize::from(k <= j);
        }
        row();
    }
}

/// The product by hand: a merge that branches on a hit only.
pub fn product_by_hand(a: &Sparse, b: &Sparse) -> Sparse {
    let (pos, entries) =
        (std::cell::RefCell::new(vec![0]), std::cell::RefCell::new((Vec::new(), Vec::new())));
    common(
        a,
        b,
        |j, v, w| {
            let (crd, val) = &mut *entries.borrow_mut();
            crd.push(j);
            val.push(v * w);
        },
        || pos.borrow_mut().push(entries.borrow().0.len()),
    );
    let (crd, val) = entries.into_inner();
    Sparse { rows: a.rows, cols: a.cols, pos: pos.into_inner(), crd, val }
}

/// The inner products by hand.
fn inner_by_hand(a: &Sparse, b: &Sparse) -> Vec<f64> {
    let sum = std::cell::Cell::new(0.0);
    let mut y = Vec::with_capacity(a.rows);
    common(a, b, |_, v, w| sum.set(sum.get() + v * w), || y.push(sum.replace(0.0)));
    y
}

/// The transpose if there is one of that shape, else the columns moved by one.
pub fn second(a: &Sparse) -> Sparse {
    if a.rows == a.cols {
        return a.transposed();
    }
    let mut entries = Vec::with_capacity(a.stored());
    for i in 0..a.rows {
        let from = entries.len();
        entries.extend(a.row(i).map(|q| ([i, (a.crd[q] as usize + 1) % a.cols], a.val[q])));
        entries[from..].sort_unstable_by_key(|(at, _)| *at);
    }
    Sparse::sorted(a.rows, a.cols, &entries)
}

/// Over all matrices, with the second beside each: what `join` adds.
fn measure(
    program: &'static str,
    suite: &mut Suite,
    join: impl for<'a> Fn(&mut Contest<'a>, &'a Problem, &'a Csr<f64>, &'a Csr<f64>),
) {
    suite.matrices(program, |suite, input| {
        let (a, b) = (input.matrix.clone(), second(&input.matrix));
        let problem = Problem { a, b, ..Problem::default() };
        let (a, b) = (problem.a.csr(), problem.b.csr());
        let mut contest = Contest::new(program, &input.name, problem.a.stored());
        join(&mut contest, &problem, &a, &b);
        suite.run(contest, &problem);
    });
}

/// What the first result is made in.
fn nothing() -> Csr<f64> {
    Tensor::new([0, 0]).expect("a small size")
}

/// A + B of all matrices.
pub fn run_add(program: &'static str, suite: &mut Suite) {
    measure(program, suite, |contest, problem, a, b| {
        let again = move |c| add_again(black_box(a), black_box(b), c);
        contest.ours("one line", move || add_one_line(black_box(a), black_box(b)), sparse).ours(
            "csr",
            move || add(black_box(a), black_box(b)),
            sparse,
        );
        contest.again("csr again", nothing(), again, sparse).hand(
            "merge",
            move || add_by_hand(black_box(&problem.a), black_box(&problem.b)),
            Answer::Sparse,
        );
    });
}

/// A * B of all matrices.
pub fn run_product(program: &'static str, suite: &mut Suite) {
    measure(program, suite, |contest, problem, a, b| {
        contest
            .ours("one line", move || product_one_line(black_box(a), black_box(b)), sparse)
            .ours("walk", move || product(black_box(a), black_box(b)), sparse)
            .again(
                "walk again",
                nothing(),
                move |c| product_again(black_box(a), black_box(b), c),
                sparse,
            )
            .again(
                "gallop",
                nothing(),
                move |c| product_gallop(black_box(a), black_box(b), c),
                sparse,
            )
            .hand(
                "merge",
                move || product_by_hand(black_box(&problem.a), black_box(&problem.b)),
                Answer::Sparse,
            );
    });
}

/// Inner products of the rows of all matrices.
pub fn run_inner(program: &'static str, suite: &mut Suite) {
    let none = || Tensor::new([0]).expect("a small size");
    measure(program, suite, |contest, problem, a, b| {
        contest
            .ours("one line", move || inner_one_line(black_box(a), black_box(b)), dense)
            .again("walk", none(), move |y| inner(black_box(a), black_box(b), y), dense)
            .again("gallop", none(), move |y| inner_gallop(black_box(a), black_box(b), y), dense)
            .hand(
                "merge",
                move || inner_by_hand(black_box(&problem.a), black_box(&problem.b)),
                values,
            );
    });
}
