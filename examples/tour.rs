//! The tour: `finch!` on a real sparse matrix, by default the karate club graph embedded here.
//!
//! `cargo run --release --example tour -- FILE.mtx` takes any Matrix Market file.

use looplets::mtx::{self, Matrix, Values};
use looplets::prelude::*;
use num_complex::Complex;
use std::collections::BTreeSet;
use std::ops::{Add, Mul};
use std::process::ExitCode;
use std::time::{Duration, Instant};

finch! {
    /// y = A x
    fn spmv<T: Value + Add<Output = T> + Mul<Output = T>>(a: &Csr<T>, x: &DenseVec<T>) -> (y: DenseVec<T>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }

    /// y = A x for sparse x, both walked: a merge of two sorted lists.
    fn walk<T: Value + Add<Output = T> + Mul<Output = T>>(a: &Csr<T>, x: &SparseVec<T>) -> (y: DenseVec<T>) {
        for i, j { y[i] += a[i, j::walk] * x[j::walk] }
    }

    /// A leads: each of its entries is looked for in x.
    fn lead<T: Value + Add<Output = T> + Mul<Output = T>>(a: &Csr<T>, x: &SparseVec<T>) -> (y: DenseVec<T>) {
        for i, j { y[i] += a[i, j::lead] * x[j::follow] }
    }

    /// A follows: each entry of x is looked for in the row.
    fn follow<T: Value + Add<Output = T> + Mul<Output = T>>(a: &Csr<T>, x: &SparseVec<T>) -> (y: DenseVec<T>) {
        for i, j { y[i] += a[i, j::follow] * x[j::lead] }
    }

    /// Each skips ahead to the other's next entry.
    fn gallop<T: Value + Add<Output = T> + Mul<Output = T>>(a: &Csr<T>, x: &SparseVec<T>) -> (y: DenseVec<T>) {
        for i, j { y[i] += a[i, j::gallop] * x[j::gallop] }
    }
}

/// One generated kernel to look at: the galloping one.
const STAGES: &str = explain! {
    fn gallop(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::gallop] * x[j::gallop] }
    }
};

/// Triangles of a graph whose edges are stored once, from the greater vertex to the lesser.
fn triangles(lower: &Graph) -> u64 {
    let mut count = 0u64;
    finch! {
        <lower: Graph, mut count: u64>
        for i, j, k { count += lower[i, j] && lower[j, k::gallop] && lower[i, k::gallop] }
    }
    count
}

/// A scalar the tour can make vectors of and print.
trait Number:
    mtx::MtxValue + Value + Add<Output = Self> + Mul<Output = Self> + looplets::Accumulate
{
    /// Its absolute value.
    fn size(self) -> f64;
}
impl Number for f64 {
    fn size(self) -> f64 {
        self.abs()
    }
}
impl Number for Complex<f64> {
    fn size(self) -> f64 {
        self.norm()
    }
}

fn main() -> ExitCode {
    let matrix = match std::env::args_os().nth(1) {
        Some(path) => mtx::read::<Matrix>(path),
        None => mtx::parse("karate.mtx", include_str!("data/karate.mtx")),
    };
    match matrix.and_then(tour) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn tour(matrix: Matrix) -> Result<(), Error> {
    println!("A: {} x {}, {} stored", matrix.rows(), matrix.cols(), matrix.len());
    match matrix.values() {
        Values::Complex(_) => products::<Complex<f64>>(&matrix)?,
        _ => products::<f64>(&matrix)?,
    }
    println!("\nThe galloping kernel, as generated:\n\n{}", section(STAGES, "code"));
    count(&matrix)
}

/// y = A x with dense x, then with sparse x by each protocol.
fn products<T: Number>(matrix: &Matrix) -> Result<(), Error> {
    let (rows, cols) = (matrix.rows(), matrix.cols());
    let entries = matrix.entries::<T>()?.into_iter().map(|(i, j, v)| ([i, j], v));
    let a: Csr<T> = Tensor::from_triplets([rows, cols], entries, Sum)?;
    let at = |j: usize| T::from_float(1.0 + (j % 7) as f64 / 8.0);
    let x: Vec<T> = (0..cols).map(at).collect();
    let x: DenseVec<T> = Tensor::from_dense([cols], &x)?;
    let every_tenth = (0..cols).step_by(10).map(|j| ([j], at(j)));
    let sparse: SparseVec<T> = Tensor::from_triplets([cols], every_tenth, Refuse)?;

    let (y, time) = timed(|| spmv(&a, &x));
    println!("\ny = A x, x dense:      sum |y| = {:<14.6} {time:>10.2?}", norm(&y));
    println!("\ny = A x, x with {} stored:", sparse.stored());
    type Kernel<T> = fn(&Csr<T>, &SparseVec<T>) -> DenseVec<T>;
    let kernels: [Kernel<T>; 4] = [walk, lead, follow, gallop];
    for (name, kernel) in ["walk", "lead", "follow", "gallop"].iter().zip(kernels) {
        let (y, time) = timed(|| kernel(&a, &sparse));
        println!("  {name:<20} sum |y| = {:<14.6} {time:>10.2?}", norm(&y));
    }
    Ok(())
}

/// The triangles of the graph of A: its pattern made symmetric, without the diagonal. A matrix that
/// is not square is one on as many vertices as its longer side.
fn count(matrix: &Matrix) -> Result<(), Error> {
    let vertices = matrix.rows().max(matrix.cols());
    let ends = matrix.row_indices().iter().zip(matrix.col_indices());
    let edges: BTreeSet<[usize; 2]> =
        ends.filter(|(i, j)| i != j).map(|(&i, &j)| [i.max(j), i.min(j)]).collect();
    let lower: Graph =
        Tensor::from_triplets([vertices, vertices], edges.into_iter().map(|e| (e, true)), Refuse)?;
    let (n, time) = timed(|| triangles(&lower));
    println!("graph of A: {vertices} vertices, {} edges, counted in {time:.2?}", lower.stored());
    println!("triangles: {n}");
    Ok(())
}

fn norm<T: Number>(y: &DenseVec<T>) -> f64 {
    y.to_dense().into_iter().map(Number::size).fold(0.0, |a, b| a + b)
}

/// The result and the median time of up to five runs; of fewer, if they take long.
fn timed<R>(mut f: impl FnMut() -> R) -> (R, Duration) {
    let mut times = Vec::new();
    let mut last = None;
    let began = Instant::now();
    while times.is_empty() || (times.len() < 5 && began.elapsed() < Duration::from_millis(200)) {
        let start = Instant::now();
        last = Some(f());
        times.push(start.elapsed());
    }
    times.sort();
    (last.expect("ran at least once"), times[times.len() / 2])
}

/// One stage of `explain!`.
fn section<'a>(stages: &'a str, name: &str) -> &'a str {
    let body = stages.split(&format!("== {name} of ")).nth(1).unwrap_or_default();
    let body = body.split_once('\n').map_or("", |(_, rest)| rest);
    body.split("\n== ").next().unwrap_or_default().trim_end()
}
