//! Tensors that stand where numbers must: without indices, or called as if they were functions.

use super::sources::*;
use looplets_core::formats::aliases;

#[test]
fn a_tensor_without_indices_is_told_apart_from_a_number() {
    insta::assert_snapshot!(errors_without_loops_of(&[
        "fn k(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c = a * b }",
        "fn k(a: &Csr<f64>) -> (c: Csr<f64>) { c = a }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y = 2 * x }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { s += x }",
        "fn k(x: &DenseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { s += x * y }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y += a * x }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = x }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y = x[i] }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y = x[i] } }",
        "fn k(y: &mut DenseVec<f64>) { y = 0 }",
        "fn k(y: &mut DenseVec<f64>) { y *= 2 }",
        "fn k(y: &mut DenseVec<f64>) { if y > 0 { y = 0 } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { for i in 0..x { s += 1 } }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { let mut w: DenseVec<f64>[3]; w = 1; s += x[i] }",
        "fn k(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y = f(x, f(x, x)) }",
        "fn k(x: &Tensor<Dense<Element<f64>>>) -> (s: f64) { s += x }",
        "fn k(x: &Tensor<Element<f64>>) -> (s: f64) { s += x }",
        "<x: DenseVec<f64>, mut s: f64> s += x",
    ]));
}

/// What may be a number to rustc, and tensors that functions of Rust are given, are left alone.
#[test]
fn what_may_be_a_number_is_none_the_less() {
    insta::assert_snapshot!(errors_without_loops_of(&[
        "fn k(z: Complex<f64>, w: &Dual<f64>) -> (s: Dual<f64>) { s += z * w }",
        "fn k(x: &DenseVec<f64>) -> (s: f64) { s += total(x) }",
        "fn k(x: &Tensor<Element<f64>>) -> (s: f64) { s += x[] }",
        "fn k(f: impl Fn(f64) -> f64, x: &DenseVec<f64>) -> (s: f64) { s += f(x[i]) }",
        "fn k(x: &DenseVec<f64>) -> (s: usize) { s += $(x.shape()[0]) }",
    ]));
}

/// An alias of the program's own is known by what else is of its type.
#[test]
fn a_type_is_a_format_everywhere_if_it_is_somewhere() {
    insta::assert_snapshot!(errors_without_loops_of(&[
        "fn k(a: &Rows2<f64>, b: &Rows2<f64>) -> (c: Rows2<f64>) { c = a[i, j] * b }",
        "fn k(a: &Rows2<f64>) -> (c: Rows2<f64>) { c = a }",
    ]));
}

#[test]
fn elements_are_not_called() {
    insta::assert_snapshot!(errors_without_loops_of(&[
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a(i, j) * x(j) }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a(i, j) * x[j] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a(i) * x[j] } }",
    ]));
}

#[test]
fn a_level_of_values_is_no_format() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Coo<f64>, s: &mut f64) { for i, j { s += a[i, j] } }",
        "fn k(a: &Dense<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &SparseList<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &RunList<f64>, s: &mut f64) { for i { s += a[i] } }",
        "fn k(a: &Coo<Element<f64>>, s: &mut f64) { for i { s += a[i] } }",
    ]));
}

/// Only a fill may be left open.
#[test]
fn the_type_of_coordinates_is_not_left_open() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>) -> (c: Csr<f64, _>) { for i, j { c[i, j] = 2 * a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (c: Csr<f64, _, _>) { for i, j { c[i, j] = 2 * a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (c: Coo2<f64, _>) { for i, j { c[i, j] = 2 * a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (c: Tensor<Dense<SparseList<Element<f64>, _>>>) { for i, j { c[i, j] = 2 * a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (c: Csr<f64, u32, _>) { for i, j { c[i, j] = 2 * a[i, j] } }",
        "fn k(a: &Csr<f64>) -> (c: DenseMat<f64, _>) { for i, j { c[i, j] = 2 * a[i, j] } }",
    ]));
}

/// The compiler knows the names of the aliases that come with it.
#[test]
fn all_aliases_are_known_by_name() {
    let source = include_str!("../../../formats/src/levels/aliases.rs");
    let parts: Vec<&str> = source.split("pub type ").collect();
    let mut named: Vec<&str> = parts
        .windows(2)
        .filter(|w| !w[0].trim_end().ends_with("#[doc(hidden)]"))
        .filter_map(|w| w[1].split(|c: char| !c.is_alphanumeric()).next())
        .collect();
    named.sort_unstable();
    assert_eq!(named, aliases().collect::<Vec<_>>());
}
