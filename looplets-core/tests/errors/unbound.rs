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
