//! Programs whose loops are left out and that are compiled in several ways: the way that a call takes beside each of them,
//! `cargo bench -p looplets-benches --bench choice`.

use looplets::prelude::*;
use looplets_benches::matrices::{self, Case, Random};
use looplets_benches::timing::{geomean, human, race, Way};
use looplets_benches::{options, Options};
use std::hint::black_box;

finch! {
    use looplets::semiring::min_plus;
    fn vector(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn vector_by_columns(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[j, i] * x[j] }
    fn inner(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[i, j] }
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * b[i, j] }
    fn matrices(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] }
    fn triangles(a: &Graph) -> (t: Tensor<Element<u64>>) { t[] += a[i, j] && a[j, k] && a[i, k] }
    fn closed(a: &Graph) -> (c: Graph) { c[i, j] ||= a[i, j] && a[i, k] && a[k, j] }
    fn through(a: &Csr<f64>, m: &Graph) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * a[k, j] } }
    fn transposed(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[j, i] }
    fn symmetric(a: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] + a[j, i] }
    fn chain(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * x[k] }
}

/// The most ways that a kernel is compiled in.
const MOST: usize = 3;

/// What a call takes over what the best way and the worst take, of each row.
#[derive(Default)]
struct Found(Vec<(&'static str, f64, f64)>);

impl Found {
    /// Times the way that is chosen, and all ways by turns.
    fn row(&mut self, options: &Options, name: &'static str, input: &str, mut run: impl FnMut()) {
        if !options.wants(&[name, input]) {
            return;
        }
        run();
        // Of one that has a single way nothing is noted.
        let Some(last) = last_choice().filter(|last| last.kernel == name) else { return };
        let run = std::cell::RefCell::new(run);
        let call = |way: Option<usize>| {
            let run = &run;
            move || {
                looplets::rt::prefer(way);
                run.borrow_mut()();
                looplets::rt::prefer(None);
            }
        };
        let mut calls: Vec<_> =
            std::iter::once(None).chain((0..last.of.min(MOST)).map(Some)).map(call).collect();
        let mut ways: Vec<Way<'_>> = calls.iter_mut().map(|f| f as Way<'_>).collect();
        let row = race(options.budget, &mut ways).at_best();
        let best = row.seconds[1..].iter().copied().fold(f64::INFINITY, f64::min);
        let worst = row.seconds[1..].iter().copied().fold(0.0, f64::max);
        let all: Vec<String> = row.seconds[1..].iter().map(|s| human(*s)).collect();
        println!(
            "{name:<18} {input:<26} way {} {} of {}",
            last.way,
            human(row.seconds[0]),
            all.join(", ")
        );
        self.0.push((name, row.seconds[0] / best, worst / best));
    }
}

/// About `count` entries of a vector.
fn some(n: usize, count: usize) -> SparseVec<f64> {
    Random::new((n + count) as u64).vector(n, count.min(n))
}

fn measure(options: &Options, found: &mut Found, case: &Case) {
    let Case { name, matrix: a } = case;
    let [n, m] = [a.shape()[0], a.shape()[1]];
    let columns = |count: usize| (some(m, count), some(n, count));
    for (told, count) in [("10%", m / 10), ("10", 10)] {
        let (x, also) = columns(count.max(1));
        let input = format!("{name}, {told}");
        found.row(options, "vector", &input, || {
            drop(black_box(vector(black_box(a), black_box(&x))))
        });
        let mut by_columns = || drop(black_box(vector_by_columns(black_box(a), black_box(&also))));
        found.row(options, "vector_by_columns", &input, &mut by_columns);
    }
    let mut turn = || drop(black_box(transposed(black_box(a))));
    found.row(options, "transposed", name, &mut turn);
    if n != m {
        return;
    }
    let b: Csr<f64> = transposed(a);
    found.row(options, "inner", name, || drop(black_box(inner(black_box(a), black_box(&b)))));
    found.row(options, "product", name, || drop(black_box(product(black_box(a), black_box(&b)))));
    found.row(options, "symmetric", name, || drop(black_box(symmetric(black_box(a)))));
    let x: DenseVec<f64> = Tensor::from_dense([n], &vec![0.5; n]).expect("a vector");
    found.row(options, "chain", name, || drop(black_box(chain(black_box(a), a, &x))));
    let mut rows = vec![0; n];
    a.for_each(|at, _| rows[at[0]] += 1);
    let mut steps = 0;
    a.for_each(|at, _| steps += rows[at[1]]);
    if steps as f64 > options.work {
        return;
    }
    let all = a.triplets().into_iter().map(|(at, _)| ([at[0], at[1]], true));
    let graph: Graph = Tensor::from_triplets([n, n], all, Refuse).expect("a graph");
    found.row(options, "matrices", name, || drop(black_box(matrices(black_box(a), a))));
    found.row(options, "closed", name, || drop(black_box(closed(black_box(&graph)))));
    found.row(options, "through", name, || drop(black_box(through(black_box(a), &graph))));
    if let Some(lower) = matrices::lower(a) {
        found.row(options, "triangles", name, || drop(black_box(triangles(black_box(&lower)))));
    }
}

fn main() {
    let Some(options) = options() else { return };
    let mut found = Found::default();
    let mut cases = Vec::new();
    if options.list("made") {
        cases.extend(matrices::made());
    }
    if options.list("real") {
        let read = matrices::files().into_iter().map(|path| matrices::read(&path));
        cases.extend(read.map(|case| case.expect("a file of a matrix")));
    }
    for case in cases.iter().filter(|case| case.matrix.stored() >= 10_000) {
        measure(&options, &mut found, case);
    }
    println!("\n{:<18} {:>5} {:>9} {:>9} {:>9}", "program", "rows", "chosen", "most", "worst way");
    let mut names: Vec<&str> = found.0.iter().map(|row| row.0).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let rows: Vec<_> = found.0.iter().filter(|row| row.0 == name).collect();
        let chosen: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let worst: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let most = chosen.iter().copied().fold(0.0, f64::max);
        println!(
            "{name:<18} {:>5} {:>9.3} {most:>9.2} {:>9.2}",
            rows.len(),
            geomean(&chosen),
            geomean(&worst)
        );
    }
}
