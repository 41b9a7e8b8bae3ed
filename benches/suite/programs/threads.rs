//! Parallel loops on as many threads as there are, beside the same program on one.

use crate::answer::{dense, sparse, values};
use crate::contest::Contest;
use crate::problem::Problem;
use crate::programs::by_dense::{columns, COLUMNS};
use crate::programs::spgemm::steps;
use crate::suite::Suite;
use looplets::prelude::*;
use std::hint::black_box;

level! { type Tree = Tensor<BitTree<Element<f64>>>; }

macro_rules! both {
    ($($(#[$doc:meta])* $name:ident $params:tt $(-> $out:tt)? { $($body:tt)* })*) => {$(
        mod $name {
            use super::*;
            finch! { $(#[$doc])* pub fn sequential $params $(-> $out)? { for i { $($body)* } } }
            finch! { $(#[$doc])* pub fn parallel $params $(-> $out)? { parallel for i { $($body)* } } }
        }
    )*};
}

// Results are made in the memory of the last: what the system takes for new pages does not part in two.
both! {
    /// y = A x
    spmv(a: &Csr<f64>, x: &DenseVec<f64>, y: DenseVec<f64>) -> (y: DenseVec<f64>) { for j { y[i] += a[i, j] * x[j] } }
    /// C = A D for a D of 32 columns.
    spmm(a: &Csr<f64>, d: &DenseMat<f64>, m: usize, c: DenseMat<f64>) -> (c: DenseMat<f64>[m, 32]) {
        let mut w: DenseVec<f64>[32];
        for k { for j in 0..32 { w[j] += a[i, k] * d[k, j] } }
        for j in 0..32 { c[i, j] = w[j] }
    }
    /// Triangles of the graph whose edges `a` holds once each.
    triangles(a: &Graph, t: &mut u64) { for j, k { t += a[i, j] && a[j, k] && a[i, k] } }
    /// C = A A
    spgemm(a: &Csr<f64>, b: &Csr<f64>, n: usize, c: Csr<f64>) -> (c: Csr<f64>) {
        let mut w: Tree[n];
        for k, j { w[j] += a[i, k] * b[k, j] }
        for j { c[i, j] = w[j] }
    }
}

/// Matrices that are worth more than one thread.
const ENOUGH: usize = 200_000;

/// All four, of all large matrices. Ours is the parallel one; what it is compared with stands under "by hand".
pub fn run(program: &'static str, suite: &mut Suite) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let name = |what: &str, input: &str| format!("{what} {input}, {threads} threads");
    suite.matrices(program, |suite, input| {
        let a = input.matrix.clone();
        if a.stored() < ENOUGH {
            return;
        }
        let problem = Problem { d: columns(a.cols, COLUMNS, 1), a, ..Problem::default() };
        let (a, d) = (problem.a.csr(), problem.d.dense());
        let (m, n) = (problem.a.rows, problem.a.cols);
        let x: DenseVec<f64> =
            Tensor::from_dense([n], &problem.d.val[..n]).expect("as many values as columns");
        let none = Problem::default();
        let stored = problem.a.stored();
        let mut contest = Contest::new(program, &name("spmv", &input.name), stored);
        let y = || Tensor::new([0]).expect("a small size");
        contest
            .again("parallel", y(), |y| spmv::parallel(black_box(&a), black_box(&x), y), dense)
            .hand_again(
                "one thread",
                y(),
                |y| spmv::sequential(black_box(&a), black_box(&x), y),
                dense,
            );
        suite.run(contest, &none);
        let mut contest = Contest::new(program, &name("spmm", &input.name), stored);
        let c = || Tensor::new([0, 0]).expect("a small size");
        contest
            .again("parallel", c(), |c| spmm::parallel(black_box(&a), black_box(&d), m, c), dense)
            .hand_again(
                "one thread",
                c(),
                |c| spmm::sequential(black_box(&a), black_box(&d), m, c),
                dense,
            );
        suite.run(contest, &none);
        if m != n {
            return;
        }
        if suite.affords(program, &name("spgemm", &input.name), steps(&problem.a)) {
            let mut contest = Contest::new(program, &name("spgemm", &input.name), stored);
            let c = || Tensor::new([0, 0]).expect("a small size");
            let a = black_box(&a);
            contest.again("parallel", c(), |c| spgemm::parallel(a, a, n, c), sparse).hand_again(
                "one thread",
                c(),
                |c| spgemm::sequential(a, a, n, c),
                sparse,
            );
            suite.run(contest, &none);
        }
        let Some(graph) = looplets_benches::matrices::lower(&a) else { return };
        if suite.affords(program, &name("triangles", &input.name), 10.0 * steps(&problem.a)) {
            let count = |kernel: fn(&Graph, &mut u64)| {
                let graph = &graph;
                move || {
                    let mut t = 0;
                    kernel(black_box(graph), &mut t);
                    vec![t]
                }
            };
            let mut contest = Contest::new(program, &name("triangles", &input.name), stored);
            contest.ours("parallel", count(triangles::parallel), values).hand(
                "one thread",
                count(triangles::sequential),
                values,
            );
            suite.run(contest, &none);
        }
    });
}
