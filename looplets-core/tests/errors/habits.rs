//! Mistakes of those who come from other languages, and slips of the finger.

use super::sources::*;

#[test]
fn formats() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64, 1>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, 0>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, 7>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, 0.5>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Csr<f64, One>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &SparseVec<f64, Const<3>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &SparseVec<bool, true>) -> (t: u64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64>, One>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64>, 1>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &DenseVec<f64, 1>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64, 1>>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64, 0.5>>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<SparseList<Element<f64, &One>>>) -> (t: f64) { t += a[i] }",
        "fn k(a: &Tensor<Csr<f64>>) -> (t: f64) { t += a[i, j] }",
        "fn k(a: &Tensor<Tensor<Dense<Element<f64>>>>) -> (t: f64) { t += a[i] }",
        "fn k(x: &DenseVec<f64>, y: Option<&DenseVec<f64>>) -> (s: f64) { s += x[i] * y[i] }",
        "fn k(x: std::sync::Arc<DenseVec<f64>>) -> (s: f64) { s += x[i] }",
        "fn k(x: &std::collections::HashMap<usize, f64>) -> (s: f64) { s += x[i] }",
        "fn k(x: &my::Arc<f64>) -> (s: f64) { s += x[i] }",
    ]));
}

#[test]
fn bounds() {
    insta::assert_snapshot!(errors_of(&[
        "fn k<T>(a: &Csr<T>, x: &DenseVec<T>) -> (y: DenseVec<T>) { for i, j { y[i] += a[i, j] * x[j] } }",
        "fn k<T: Copy + std::ops::Mul<Output = T>>(x: &DenseVec<T>, y: &mut DenseVec<T>) { for i { y[i] = -x[i + 1] / x[i] } }",
        "fn k<T>(x: &DenseVec<T>, y: &mut DenseVec<T>) where T: Copy { for i { if x[i] > 0 { y[i] <<max>>= x[i] } } }",
        "fn k<T>(x: &DenseVec<T>) -> (s: T) { for i { s += x[i] } }",
        "fn k<T>(x: &DenseVec<T>, y: &mut DenseVec<T>) where T: Number { for i { y[i] = x[i] } }",
        "fn k<T: Copy>(x: &DenseVec<T>, y: &mut DenseVec<T>) where Zero: Fill<T> { for i { y[i] = x[i] } }",
        "fn k<T: num_traits::Num>(x: &DenseVec<T>, y: &mut DenseVec<T>) { for i { y[i] = x[i] } }",
        "fn k<T: Copy>(x: &DenseVec<f64>, s: T) -> (y: DenseVec<f64>) { for i { y[i] = x[i] * $(f(s)) } }",
    ]));
}

#[test]
fn slips() {
    insta::assert_snapshot!(errors_of(&[
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[jj] } }",
        "fn k(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[k] } }",
        "fn k(a: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i { let mut total: f64; for j { totl += a[i, j] } y[i] = total } }",
        "fn k(matrix: &DenseMat<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += martix[i, j] } }",
        "fn k(x: &DenseVec<f64>) -> (result: DenseVec<f64>) { for i { result[i] = x[i]; reslt[i] = x[i] } }",
        "fn k(x: &DenseVec<f64>) -> (m: f64) { for i { m += x[i] / len(i) } }",
        "fn k(x: &DenseVec<f64>, n: usize) -> (m: f64) { for i { m += x[i] / len(n) + self::len(i) } }",
    ]));
}
