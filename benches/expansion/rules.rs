//! What each rule that a user brings in adds to the expansion of a kernel.

use super::fresh;
use super::sources::Sources;
use looplets_benches::timing::{human, median};
use proc_macro2::TokenStream;
use std::time::Instant;

const REPETITIONS: usize = 40;

const KERNELS: &[(&str, &str)] = &[
    (
        "spmv",
        "fn spmv(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }",
    ),
    (
        "dot",
        "fn dot(a: &SparseVec<f64>, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] * b[i] } }",
    ),
    (
        "add",
        "fn add(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: SparseVec<f64>) { for i { c[i] = a[i] + b[i] } }",
    ),
];

/// Rules about sums, products and loops, which are looked at in these kernels and change nothing there:
/// three of four have no literal by whose absence they would be passed over.
fn rule(k: usize) -> String {
    match k % 4 {
        0 => format!("r{k}: \"(* ?x (sqrt (+ ?x {k})))\" => \"(sqrt (+ ?x {k}))\";"),
        1 => format!("r{k}: \"(+ ?x (* ?x (neg ?y)) ?r...)\" => \"(+ (* ?x ?y) ?r...)\" if positive(x), exact(y);"),
        2 => format!("r{k}: \"(loop ?i ?lo ?hi (assign + ?t (* ?v (sin ?i))))\" => \"(assign + ?t (* ?v ?lo))\" if invariant(i, t, v), boolean(v);"),
        _ => format!("r{k}: \"(assign + ?t (* ?x ?x))\" => \"(assign + ?t (abs ?x))\" if boolean(x);"),
    }
}

/// Prints median times by number of rules.
pub fn report() {
    println!("{:<8} {:>6} {:>9} {:>10} {:>10}", "kernel", "rules", "fresh", "each", "each, min");
    for (name, kernel) in KERNELS {
        let mut before = None;
        for count in [0, 1, 5, 20] {
            let lines: String = (0..count).map(rule).collect();
            let sources = Sources::new().with(&format!("rules mine {{ {lines} }}"));
            let uses = if count == 0 { "" } else { "use mine; " };
            let program: TokenStream = format!("{uses}{kernel}").parse().expect("Rust tokens");
            let times: Vec<f64> = (0..REPETITIONS).map(|_| once(&sources, &program)).collect();
            let least = times.iter().copied().fold(f64::INFINITY, f64::min);
            let middle = median(times);
            let (none, none_least) = *before.get_or_insert((middle, least));
            let each = |more: f64| {
                if count == 0 {
                    "-".to_owned()
                } else {
                    format!("{:.3} ms", 1e3 * more / f64::from(count as u32))
                }
            };
            println!(
                "{name:<8} {count:>6} {:>9} {:>10} {:>10}",
                human(middle),
                each(middle - none),
                each(least - none_least),
            );
        }
    }
}

fn once(sources: &Sources, program: &TokenStream) -> f64 {
    let (program, mut simplifier) = (program.clone(), fresh());
    let began = Instant::now();
    let (tokens, _) = sources.expand(program, &mut simplifier);
    let time = began.elapsed().as_secs_f64();
    assert!(!tokens.to_string().contains("compile_error"), "{tokens}");
    time
}
