//! Comparisons of indices narrow loops: values, and how many steps are left.

use looplets::prelude::*;

finch! {
    #![steps(n)]
    fn lower(a: &DenseMat<f64>, s: &mut f64, n: &mut u64) { for i, j { if j < i { s += a[i, j] } } }
    fn lower_csr(a: &Csr<f64>, s: &mut f64, n: &mut u64) { for i, j { if j <= i { s += a[i, j] } } }
    fn trace(a: &DenseMat<f64>, s: &mut f64, n: &mut u64) { for i, j { s += (i == j) * a[i, j] } }
    fn band(a: &DenseMat<f64>, w: usize, s: &mut f64, n: &mut u64) {
        for i, j { if i <= j + w && j <= i + w { s += a[i, j] } }
    }
    fn all_but(x: &DenseVec<f64>, k: i32, s: &mut f64, n: &mut u64) { for i { if i != k { s += x[i] } } }
    fn both(x: &DenseVec<f64>, y: &DenseVec<f64>, s: &mut f64, n: &mut u64) {
        for i { s += ifelse(i > 2, x[i], y[i]) }
    }
    fn outer(a: &DenseMat<f64>, s: &mut f64, n: &mut u64) { for i, j { if i < 2 { s += a[i, j] } } }
}

fn matrix() -> DenseMat<f64> {
    let values: Vec<f64> = (0..36).map(f64::from).collect();
    Tensor::from_dense([6, 6], &values).unwrap()
}

fn sum(keep: impl Fn(i64, i64) -> bool) -> f64 {
    (0..6)
        .flat_map(|i| (0..6).map(move |j| (i, j)))
        .filter(|(i, j)| keep(*i, *j))
        .map(|(i, j)| (6 * i + j) as f64)
        .sum()
}

#[test]
fn a_triangle_is_half_the_steps() {
    let (mut s, mut n) = (0.0, 0);
    lower(&matrix(), &mut s, &mut n);
    assert_eq!((s, n), (sum(|i, j| j < i), 6 + 15));
    let csr: Csr<f64> = Tensor::from_dense([6, 6], &matrix().to_dense()).unwrap();
    let (mut s, mut n) = (0.0, 0);
    lower_csr(&csr, &mut s, &mut n);
    // The 20 entries up to the diagonal, and none beyond it.
    assert_eq!((s, n), (sum(|i, j| j <= i), 6 + 20));
}

#[test]
fn a_diagonal_is_one_step_a_row() {
    let (mut s, mut n) = (0.0, 0);
    trace(&matrix(), &mut s, &mut n);
    assert_eq!((s, n), (sum(|i, j| i == j), 6));
    for w in 0..8 {
        let (mut s, mut n) = (0.0, 0);
        band(&matrix(), w, &mut s, &mut n);
        let keep = |i: i64, j: i64| (i - j).abs() <= w as i64;
        let steps = (0..6).map(|i| 1 + (0..6).filter(|j| keep(i, *j)).count() as u64).sum::<u64>();
        assert_eq!((s, n), (sum(keep), steps), "{w}");
    }
}

#[test]
fn parts_are_consecutive() {
    let x: DenseVec<f64> = Tensor::from_dense([5], &[1.0, 2.0, 4.0, 8.0, 16.0]).unwrap();
    let y: DenseVec<f64> = Tensor::from_dense([5], &[32.0, 64.0, 128.0, 256.0, 512.0]).unwrap();
    for k in [-7, -1, 0, 3, 4, 5, 99, i32::MIN, i32::MAX] {
        let (mut s, mut n) = (0.0, 0);
        all_but(&x, k, &mut s, &mut n);
        let left = (0..5).filter(|i| *i != k);
        assert_eq!((s, n), (left.clone().map(|i| f64::from(1 << i)).sum(), left.count() as u64));
    }
    let (mut s, mut n) = (0.0, 0);
    both(&x, &y, &mut s, &mut n);
    assert_eq!((s, n), (32.0 + 64.0 + 128.0 + 8.0 + 16.0, 5));
    let (mut s, mut n) = (0.0, 0);
    outer(&matrix(), &mut s, &mut n);
    assert_eq!((s, n), (sum(|i, _| i < 2), 2 + 12));
}
