//! What is printed of a way, put into `#![schedule(..)]`, is that way.

use looplets_cli::{run, Output};

const PROGRAMS: &[&str] = &[
    "fn f(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[j, k] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>, m: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += m[i, j] * a[i, k] * b[k, j] }",
    "fn f(m: &Tensor<Dense<SparseList<Pattern>>>, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if !m[i, j] { c[i, j] += a[i, k] * b[k, j] } }",
    "fn f(m: &Tensor<Dense<SparseList<Pattern>>>, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[j, k] } }",
    "fn f(a: &Csr<f64>, p: &Csr<f64>) -> (c: Csr<f64>) { c[i, l] += p[i, j] * a[j, k] * p[l, k] }",
    "fn f(a: &Csr<f64>, p: &Csr<f64>) -> (c: Csr<f64>) { c[i, l] += p[j, i] * a[j, k] * p[k, l] }",
    "fn f(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[k, i] * x[k] }",
    "fn f(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (s: f64) { s += a[i, j] * b[j, k] * c[k, l] * d[l, i] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>, c: &Csr<f64>, d: &Csr<f64>) -> (s: f64) { s += a[i, j] * b[j, k] * c[k, l] * d[l, i] }",
    "fn f(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { s += x[i] * a[i, j] * b[j, k] * y[k] }",
    "fn f(a: &Csf<f64>, b: &DenseMat<f64>, c: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: Tensor<Dense<Dense<Dense<Element<f64>>>>>) { y[p, q, r] += a[i, j, k] * b[i, p] * c[j, q] * d[k, r] }",
];

fn schedule(program: &str) -> String {
    let arguments = ["--stage", "schedule", "-"].iter().map(Into::into);
    let Output { out, err, .. } = run(arguments, || Ok(program.to_owned()), false);
    format!("{err}{out}")
}

/// The loops, as far as they are of the first way.
fn loops(told: &str) -> Vec<&str> {
    let lines = told.lines().skip_while(|l| !l.starts_with("way "));
    let first = lines.skip(1).take_while(|l| !l.starts_with("way "));
    first.filter(|l| l.trim_start().starts_with("for ")).collect()
}

#[test]
fn what_is_printed_of_a_way_is_a_wish_for_it() {
    for program in PROGRAMS {
        let told = schedule(program);
        let ways: Vec<usize> = told.match_indices("\nway ").map(|(at, _)| at + 1).collect();
        let starts = std::iter::once(0).filter(|_| told.starts_with("way ")).chain(ways);
        let mut several = false;
        for at in starts {
            let way = &told[at..];
            let Some((_, words)) = way.lines().next().and_then(|l| l.split_once(": ")) else {
                continue;
            };
            several = true;
            let settled = schedule(&format!("#![schedule({words})] {program}"));
            assert_eq!(loops(&settled), loops(way), "{program}\n{words}\n{settled}");
        }
        assert!(several, "{program}\n{told}");
    }
}
