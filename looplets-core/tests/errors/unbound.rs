//! Indices that no loop binds.

use super::sources::*;

/// Within loops that are written none is added: an index that lacks one is named, once.
#[test]
fn an_index_that_no_loop_binds() {
    let library = library();
    let said = errors(
        &library,
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] += a[i, j] * x[j] } }",
    );
    assert!(said.contains("no loop binds `j`") && said.contains("schedule(inside)"), "{said}");
    assert_eq!(said.matches("no loop binds").count(), 1, "{said}");
    let inline = "<a: Csr<f64>, mut s: f64> for i { s += a[i, j] }";
    let said = errors(&library, inline);
    assert!(!said.contains("no loop binds"), "{said}");
}

/// Loops that have no extent but from one tensor, which has its size from them, do not wait for each other to be reported.
#[test]
fn loops_over_one_tensor_of_unknown_size() {
    for kernel in [
        "fn k() -> (c: DenseVec<i64>) { for i { c[i] = 1 } for j { c[j] += 2 } }",
        "fn k(x: &DenseVec<i64>) -> (c: DenseVec<i64>) { for i { c[i] = 1 } for j { c[j] += coalesce(x[permit[j + 1]], 0) } }",
    ] {
        let said = errors(&library(), kernel);
        assert_eq!(said.matches("cannot be inferred").count(), 1, "{said}");
    }
}

/// A definition that lacks its loops stands for its value where nothing has changed that: else it is refused.
#[test]
fn definitions_whose_value_changes_before_it_is_read() {
    for kernel in [
        "fn k(x: &DenseVec<f64>, t: f64) -> (y: DenseVec<f64>) { let t = x[i]; y[i] = t + $(t * 2.0) }",
        "fn k(x: &DenseVec<f64>) -> (s: f64, y: DenseVec<f64>) { let t = x[j]; y[j] = t; { s += t } where { let mut t: f64; t += 10 * x[j] } }",
        "fn k(a: &mut Csr<f64>) -> (y: DenseVec<f64>) { let t = a[i, j]; { a[i, j] *= 2; y[i] += t } }",
        "fn k(d: &mut DenseVec<f64>) -> (y: DenseVec<f64>) { let t = d[i]; { y[i] = t } where { d[i] *= 2 } }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let mut s: f64; let t = s * x[i]; { y[i] = t } where { s = 5 } }",
        "fn k(d: &mut DenseVec<f64>, s: f64) -> (y: DenseVec<f64>) { let t = d[i]; if s > 0 { d[i] = 0; y[i] = t } }",
        "fn k(d: &mut Csr<f64>) -> (y: DenseVec<f64>) { let t = d[i, j]; remove d[k, l]; y[i] += t }",
        "fn k(d: &mut DenseVec<f64>, y: &mut DenseVec<f64>) { let t = d[i]; d[i] = 0; y[i] = t }",
    ] {
        let said = errors_without_loops_of(&[kernel]);
        assert!(said.contains("and what `t` is may differ in each"), "{kernel}: {said}");
    }
}

/// Nor is a name in a value, which no variable is around in a function.
#[test]
fn a_value_that_nothing_declares() {
    for (kernel, name) in [
        ("fn k(x: &DenseVec<f64>) -> (s: f64) { s += x[i] * alpha }", "alpha"),
        ("fn k(x: &DenseVec<f64>) -> (s: f64) { for i { s += x[i] } s += i * 2 }", "i"),
        ("fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] * j } }", "j"),
    ] {
        let said = errors(&library(), kernel);
        assert!(said.contains(&format!("nothing in the kernel is called `{name}`")), "{said}");
    }
    let said = errors(&library(), "fn k(x: &DenseVec<f64>) -> (s: f64) { s += x[i] * SCALE }");
    assert!(!said.contains("nothing in the kernel"), "{said}");
    // A result whose size would come from such an index is not said to lack it.
    let rows = "fn k(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { for i { c[i, j] += a[i, k] * b[k, j] } }";
    let said = errors(&library(), rows);
    assert!(said.contains("no loop binds `j`") && !said.contains("inferred"), "{said}");
}
