//! Notation of other languages: what is said of it, and that the text of an expression is that expression.

use super::notation::*;
use looplets_core::ast::Stmt;
use looplets_core::parse::{programs, written};

#[test]
fn notation_of_other_languages() {
    insta::assert_snapshot!(errors_of_all(&[
        "y[i] =+ a[i, j];",
        "y[i] =- a[i, j];",
        "y[i] =-a[i, j];",
        "y[i]=-a[i];",
        "y[i] = -a[i];",
        "t <max>= x[i];",
        "t <max>>= x[i];",
        "if x[i] > 0 & y[i] > 0 { s += 1 }",
        "if x[i] == 0 | y[i] == 0 { s += 1 }",
        "if 0 < x[i] < 1 { s += 1 }",
        "y[i] += a[[i, j]] * x[j];",
        "y[i] = 2 x[i];",
        "y[i] = 2 x[i] * z[i];",
        "y[i] = 2 z[i] = 3;",
        "y[i] = x[i] .* z[i];",
        "y[i] = x[i] ./ z[i];",
        "c[i, j] = a[i, j] + a.T[i, j];",
        "c[i, j] = a.transpose()[i, j];",
        "y[i] = sum(j, a[i, j] * x[j]);",
        "for i, j { y[i] = sum(a[i, j] * x[j]) }",
        "y[i] = exp(x[i]) / sum(exp(x[j]));",
        "y = einsum(\"ij,j->i\", a, x);",
        "y[i] = self::sum(x[i]);",
        "for i in 1:n { y[i] = x[i] }",
        "for i in 2:n { y[i] = x[i] }",
    ]));
}

#[test]
fn a_value_stands_last() {
    insta::assert_snapshot!(program_errors_of_all(&[
        "fn k(x: &DenseVec<f64>) -> f64 { let mut s: f64; s += x[i]; return s; }",
        "fn k(x: &DenseVec<f64>) -> f64 { let mut s: f64; s += x[i]; return s }",
        "fn k(x: &DenseVec<f64>) -> f64 { let mut s: f64; s += x[i]; s; }",
        "fn k(x: &DenseVec<f64>) -> f64 { let mut s: f64; s += x[i]; s / 2 }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { s += x[i]; return s; }",
    ]));
}

/// Only what is written like a size is taken for one that is counted down from.
#[test]
fn loops_that_begin_below_zero_are_none_that_count_down() {
    let body = |extent: &str| format!("<> for i in {extent} {{ s += x[i + n] }}");
    let parses = |extent: &str| programs(body(extent).parse().expect("tokens")).is_ok();
    for extent in ["-2..0", "-n..0", "1 - n..0", "lo - hi..0", "-(n - 1)..0"] {
        assert!(parses(extent), "{extent}");
    }
    for extent in ["n..0", "n - 1..0", "$(n)..0"] {
        assert!(!parses(extent), "{extent}");
    }
}

/// What messages show is what would be parsed to the same.
#[test]
fn the_text_of_an_expression_is_that_expression() {
    let value = |source: &str| {
        let parsed = programs(format!("<> c = {source}").parse().expect("tokens"));
        let mut stmts = parsed.expect("an assignment").remove(0).body.stmts;
        let Some(Stmt::Assign { value, .. }) = stmts.pop() else { panic!("an assignment") };
        value
    };
    for source in [
        "a[i, j] * x[j]",
        "(a + b) * -c",
        "-(a + b) * c",
        "a - (b - c) - d",
        "a / (b * c) / d",
        "(a < b) == (c < d)",
        "!(a && b) || c",
        "a & b | c ^ d << 2",
        "(a + b) as f32 * 2.0",
        "-a as i32",
        "x[window(1, n)[i]] + x[(i + 1)::walk] + x[i::gallop]",
        "max(a, min(b, -1)) + f64::consts::PI + own::f(a, (b, c))",
        "1.0f32 + 1e300 + 3u8 + f64::INFINITY + true",
        "$(x.len()) + coalesce(missing, 0)",
    ] {
        let e = value(source);
        let text = written(&e).expect("no shape operator");
        assert_eq!(sexp(&value(&text)), sexp(&e), "{source} was written {text}");
    }
}
