//! What expanding each kernel costs: `cargo bench -p looplets-benches --profile dev --bench expansion`.
//!
//! Cargo compiles proc macros unoptimised whatever the profile of the program is, so this is to be
//! run in the `dev` profile, where the compiler is as slow as it is inside rustc (a little slower:
//! with debug assertions). In the default profile of `cargo bench` it measures the compiler
//! optimised, and says so.
//!
//! A kernel goes the way it goes inside rustc: `start`, then a `step` for each format's declaration,
//! which is cut out of the sources of the built-in formats. Columns: median and worst time of 20
//! expansions by a simplifier that remembers nothing, and by one that has seen the kernel; time
//! for all kernels by one simplifier, one after the other, is at the foot, then what rules of the
//! user's cost (`-- rules` for that alone).

mod programs;
mod rules;
mod sources;

use looplets_benches::options;
use looplets_benches::timing::{human, median};
use looplets_core::simplify::Simplifier;
use proc_macro2::TokenStream;
use sources::Sources;
use std::time::Instant;

const REPETITIONS: usize = 20;

/// Kernels beside those of the bench `kernels`.
const MORE: &[&str] = &[
    "pub fn add(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }",
    "pub fn list_band(x: &SparseVec<f64>, b: &Tensor<SparseBand<Element<f64>>>, s: &mut f64) {
        for i { s += x[i] * b[i] }
    }",
    "pub fn runs_list(r: &Tensor<RunList<Element<f64>>>, x: &SparseVec<f64>, s: &mut f64) {
        for i { s += r[i] * x[i] }
    }",
    "pub fn three_walk(x: &SparseVec<f64>, y: &SparseVec<f64>, z: &SparseVec<f64>, s: &mut f64) {
        for i { s += x[i] * y[i] * z[i] }
    }",
    "pub fn three_gallop(x: &SparseVec<f64>, y: &SparseVec<f64>, z: &SparseVec<f64>, s: &mut f64) {
        for i { s += x[i::gallop] * y[i::gallop] * z[i::gallop] }
    }",
    "pub fn three_sum(x: &SparseVec<f64>, y: &SparseVec<f64>, z: &SparseVec<f64>, s: &mut f64) {
        for i { s += x[i] + y[i] + z[i] }
    }",
    "pub fn rank_3(t: &Tensor<Dense<SparseList<SparseList<Element<f64>>>>>, x: &SparseVec<f64>, y: &SparseVec<f64>)
        -> (z: DenseVec<f64>) {
        for i, j, k { z[i] += t[i, j, k] * x[j] * y[k] }
    }",
    "pub fn rank_3_gallop(t: &Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>, x: &SparseVec<f64>,
        y: &SparseVec<f64>, z: &SparseVec<f64>, s: &mut f64) {
        for i, j, k { s += t[i::gallop, j::gallop, k::gallop] * x[i::gallop] * y[j::gallop] * z[k::gallop] }
    }",
];

fn main() {
    let Some(options) = options() else { return };
    let sources = Sources::new();
    let kernels: Vec<(String, TokenStream)> =
        sources.kernels(&[MORE, programs::PROGRAMS, programs::TREES].concat());
    let kernels: Vec<_> = kernels.into_iter().filter(|(name, _)| options.wants(&[name])).collect();
    if cfg!(debug_assertions) {
        println!("the compiler unoptimised, as cargo compiles proc macros");
    } else {
        println!("the compiler OPTIMISED: for the time inside rustc, `cargo bench -p looplets-benches --profile dev`");
    }
    let began = Instant::now();
    drop(fresh());
    println!("first simplifier, which parses the rules: {}", human(began.elapsed().as_secs_f64()));
    println!(
        "{:<18} {:>9} {:>9} {:>9} {:>9} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "kernel", "fresh", "worst", "warm", "worst", "calls", "terms", "new", "nodes", "lines"
    );
    for (name, program) in &kernels {
        row(&sources, name, program);
    }
    let mut one = fresh();
    let began = Instant::now();
    for (_, program) in &kernels {
        sources.expand(program.clone(), &mut one);
    }
    println!("all {} by one simplifier: {}", kernels.len(), human(began.elapsed().as_secs_f64()));
    if options.wants(&["rules"]) {
        rules::report();
    }
}

fn fresh() -> Simplifier {
    Simplifier::new(looplets_rewrites::standard())
}

fn row(sources: &Sources, name: &str, program: &TokenStream) {
    let mut cold = Vec::new();
    let mut simplifier = fresh();
    let mut told = None;
    for _ in 0..REPETITIONS {
        simplifier = fresh();
        let program = program.clone();
        let began = Instant::now();
        let expansion = sources.expand(program, &mut simplifier);
        cold.push(began.elapsed().as_secs_f64());
        told = Some(expansion);
    }
    let statistics = simplifier.statistics();
    let warm: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let program = program.clone();
            let began = Instant::now();
            sources.expand(program, &mut simplifier);
            began.elapsed().as_secs_f64()
        })
        .collect();
    let (tokens, calls) = told.expect("expanded");
    assert!(!tokens.to_string().contains("compile_error"), "{name}: {tokens}");
    let worst = |times: &[f64]| human(times.iter().copied().fold(0.0, f64::max));
    println!(
        "{name:<18} {:>9} {:>9} {:>9} {:>9} {calls:>6} {:>6} {:>6} {:>6} {:>6}",
        human(median(cold.clone())),
        worst(&cold),
        human(median(warm.clone())),
        worst(&warm),
        statistics.terms,
        statistics.terms - statistics.memo_hits,
        statistics.total_nodes,
        looplets_core::emit::pretty(tokens).lines().count(),
    );
}
