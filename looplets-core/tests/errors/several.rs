//! Assignments that would keep what comes last, or read what they write: the statements that messages name instead.

use super::sources::*;

#[test]
fn a_part_of_a_sum_is_reduced_by_itself() {
    insta::assert_snapshot!(errors_without_loops_of(&[
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>) -> (r: DenseVec<f64>) { r[i] = b[i] - a[i, j] * x[j] }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>, beta: f64) { y[i] = beta * y[i] + a[i, j] * x[j] }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>, p: f64, q: f64) { y[i] = (p + q) * y[i] - (a[i, j] * x[j] - p) }",
        "fn k(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = a[i, j] * x[j] + b[i, k] * x[k] }",
        "fn k(a: &Csr<f64>, b: &Csr<f64>, y: &mut DenseVec<f64>) { y[i] = a[i, j] - b[i, j] }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = a[i, j] * x[j] }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { y[i] = y[i] + a[i, j] * x[j] }",
        "fn k(a: &Csr<f64>, b: &DenseVec<f64>, d: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = (b[i] - a[i, j]) / d[i] }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { s = 1 / (1 + x[i]) }",
        "fn k(x: &DenseVec<f64>) -> (m: f64) { m = max(m, x[i]) }",
        "fn k(x: &DenseVec<f64>) -> f64 { x[i] }",
    ]));
}

#[test]
fn what_reads_its_target_is_a_reduction() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i]; y[i] = y[i] / 2 } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = min(x[i], y[i]) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = own(y[i], x[i]) } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = own(x[i], y[i]) } }",
        "fn k(x: &DenseVec<f64>, n: f64) -> (y: DenseVec<f64>) { for i { y[i] = 2 * y[i] * (n + 1) + x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] - y[i] } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] / y[i] } }",
        "fn k(x: &DenseVec<bool>) -> (y: DenseVec<bool>) { for i { y[i] = y[i] && x[i] } }",
    ]));
}

#[test]
fn what_is_left_out_has_its_size_in_the_header() {
    insta::assert_snapshot!(errors_without_loops_of(&[
        "fn k(a: &DenseVec<f64>) -> (y: DenseMat<f64>) { y[i, k] = a[i] }",
    ]));
}

#[test]
fn of_two_declarations_one_is_left_out() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(x: &DenseVec<f64>, y: &mut DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] } }",
        "<x: DenseVec<f64>, mut y: DenseVec<f64>> -> (y: DenseVec<f64>) for i { y[i] = x[i] }",
    ]));
}
