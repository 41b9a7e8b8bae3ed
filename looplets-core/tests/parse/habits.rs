//! What people write who come from other languages, with what the parser says to write instead.

use super::notation::*;

#[test]
fn words() {
    insta::assert_snapshot!(errors_of_all(&[
        "if not x[i] { c += 1 }",
        "c = not(x);",
        "c = not + 1;",
        "if x[i] > 0 and y[i] > 0 { s += 1 }",
        "c = a or -b;",
        "c = x[i] mod 2;",
        "c = a is b;",
        "if a { c = 1 } elif b { c = 2 } else { c = 3 }",
        "unless a { c = 1 }",
        "forall i, j { y[i] += a[i, j] }",
        "foreach (i) { c += }",
        "par for i { c += }",
        "do { c = 1 }",
        "forall = 1; par[i] = 2; elif += 1;",
        "y[i] = sum[j] a[i, j];",
        "s = max[i] (x[i] - 1);",
        "y[i] = sum[j] + 1;",
        "y[i] = any[j] and b[i];",
        "y[i] = Σ[j] a[i, j];",
    ]));
}

#[test]
fn forms() {
    insta::assert_snapshot!(errors_of_all(&[
        "y[:] += a[:, j] * x[j];",
        "y[i] = a[i, 1:n];",
        "y[i] = a[i, j :: walk];",
        "y[=] += 1;",
        "for i in (0..n).step_by(2) { s += x[i] }",
        "for i in 0..n step 2 { s += x[i] }",
        "for i in 0..n by 2 { s += x[i] }",
        "for i in (0..n).rev() { s += x[i] }",
        "for (i, v) in x.iter().enumerate() { s += v }",
        "for v in x.iter() { s += v }",
        "for v in &x { s += v }",
        "for i in (n).. { s += x[i] }",
        "for i in 0..keys { s += x[i] }",
        "println!(\"{}\", i); c = 1;",
        "c = g!(x[i]);",
        "let g = |v| v * v; c = f(&x[i]);",
        "let mut w: DenseMat<f64>[3][3];",
    ]));
}

#[test]
fn headers() {
    insta::assert_snapshot!(program_errors_of_all(&[
        "fn f(x: &DenseVec<f64>) -> y: DenseVec<f64> { y[i] = x[i] }",
        "fn f(x: &DenseVec<f64>) -> y: DenseVec<f64>, z: looplets::DenseVec<f64>[n] where T: U { y[i] = }",
        "fn f(x: &DenseVec<f64>) -> (y: DenseMat<f64>[3][3]) { y[i, i] = x[i] }",
        "#![parallel] fn f(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x[i] }",
    ]));
}

#[test]
fn of_other_libraries() {
    insta::assert_snapshot!(errors_of_all(&[
        "for (i = 0; i < n; i++) { s += x[i] }",
        "for (i in 0..n) { s += x[i] }",
        "y[i, j] = reshape(x, (3, 4))[i, j];",
        "y .= x .* z;",
        "y[i] = x[i] if x[i] > 0 else 0;",
        "y[i] = x[i] if x[i] > 0 { c = 1 } else { c = 2 }",
        "for i in 0..x.len() { s += x[i] }",
        "s = self.a[i];",
        "s = x[-1]; t = x[i - 1];",
        "s += a[i] where a[i] > 0;",
        "y[i] = best.0 + 1;",
        "for i { s += x[i] } s",
        "for i { s += x[i] } x[0]",
    ]));
}

#[test]
fn of_headers() {
    insta::assert_snapshot!(program_errors_of_all(&[
        "#![allow(deprecated)] fn f(x: &DenseVec<f64>) -> (s: f64) { s += x[i] }",
        "fn f(x: &DenseVec<f64>, n: usize = 3) -> (s: f64) { s += x[i] * n }",
        "<self.x: DenseVec<f64>> -> (s: f64) for i { s += x[i] }",
    ]));
}
