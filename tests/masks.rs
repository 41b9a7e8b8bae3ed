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

finch! {
    fn below_next(x: &DenseVec<f64>, k: u8, s: &mut f64) { for i { if i < k + 1 { s += x[i] } } }
    fn guarded_next(x: &DenseVec<f64>, k: u8, s: &mut f64) { for i { if k < 255 && i < k + 1 { s += x[i] } } }
    fn below(x: &DenseVec<f64>, k: u8, s: &mut f64) { for i { if i < k { s += x[i] } } }
    fn not_below(x: &DenseVec<f64>, k: i8, s: &mut f64) { for i { if i >= k { s += x[i] } } }
    fn squares_below(x: &DenseVec<f64>, k: u8, s: &mut f64) { for i { if i * i < k { s += x[i] } } }
    fn elements_below(x: &DenseVec<f64>, k: &DenseVec<u8>, s: &mut f64) { for i { if k[i] < i { s += x[i] } } }
    fn beside(x: &DenseVec<f64>, k: u8, j: u8, s: &mut f64) { for i { if i + k <= j { s += x[i] } } }
    fn negative(k: usize, s: &mut i64) { for i in -3..4 { if i < k { s += 1 } } }
    fn far(x: &DenseVec<f64>, k: u64, s: &mut f64) { for i { if i < k { s += x[i] } } }
    fn next_size(x: &DenseVec<f64>, k: usize, s: &mut f64) { for i { if i < k + 1 { s += x[i] } } }
    fn wide_sum(x: &DenseVec<f64>, k: i64, m: i64, s: &mut f64) { for i { if i + k < m { s += x[i] } } }
}

/// What it adds to 0, or nothing if it panics.
fn tried<T: Default>(f: impl FnOnce(&mut T)) -> Option<T> {
    let mut s = T::default();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(&mut s))).ok().map(|()| s)
}

/// A coordinate is compared as one, whatever the type it is compared with holds; what is added to a number beside
/// that overflows as it does in Rust.
#[test]
fn numbers_of_narrow_types_are_compared_as_what_they_are() {
    for n in [0usize, 1, 2, 65, 300, 600] {
        let x: Vec<f64> = (0..n).map(|i| i as f64 + 0.5).collect();
        let sum = |keep: &dyn Fn(i64) -> bool| -> f64 {
            (0..n).filter(|i| keep(*i as i64)).map(|i| x[i]).sum()
        };
        let t: DenseVec<f64> = Tensor::from_dense([n], &x).unwrap();
        for k in [0u8, 1, 2, 64, 65, 127, 128, 254, 255] {
            let next = |i: i64| i < i64::from(k.wrapping_add(1));
            let want = (n == 0 || k < 255 || !cfg!(debug_assertions)).then(|| sum(&next));
            assert_eq!(tried(|s| below_next(&t, k, s)), want, "{n} {k}");
            let want = sum(&|i| k < 255 && i < i64::from(k) + 1);
            assert_eq!(tried(|s| guarded_next(&t, k, s)), Some(want), "{n} {k}");
            assert_eq!(tried(|s| below(&t, k, s)), Some(sum(&|i| i < i64::from(k))), "{n} {k}");
            let signed = i64::from(k as i8);
            assert_eq!(
                tried(|s| not_below(&t, k as i8, s)),
                Some(sum(&|i| i >= signed)),
                "{n} {k}"
            );
            let want = sum(&|i| i * i < i64::from(k));
            assert_eq!(tried(|s| squares_below(&t, k, s)), Some(want), "{n} {k}");
            let all = Tensor::from_dense([n], &vec![k; n]).unwrap();
            let want = sum(&|i| i64::from(k) < i);
            assert_eq!(tried(|s| elements_below(&t, &all, s)), Some(want), "{n} {k}");
            let want = sum(&|i| i + i64::from(k) <= 200);
            assert_eq!(tried(|s| beside(&t, k, 200, s)), Some(want), "{n} {k}");
        }
        for k in [0u64, 1, 65, 299, 1 << 62, u64::MAX] {
            let want = sum(&|i| (i as u64) < k);
            assert_eq!(tried(|s| far(&t, k, s)), Some(want), "{n} {k}");
            let want = sum(&|i| (i as u128) < k as usize as u128 + 1);
            assert_eq!(tried(|s| next_size(&t, k as usize, s)), Some(want), "{n} {k}");
        }
        let extremes =
            [i64::MIN, i64::MIN + 5, -1 << 62, -3, 0, 7, 1 << 62, i64::MAX - 5, i64::MAX];
        for k in extremes {
            for m in extremes {
                let want = std::panic::catch_unwind(|| sum(&|i| i + k < m)).ok();
                assert_eq!(tried(|s| wide_sum(&t, k, m, s)), want, "{n} {k} {m}");
            }
        }
    }
    for k in [0, 1, 9] {
        assert_eq!(
            tried(|s| negative(k, s)),
            Some((-3..4).filter(|i| *i < k as i64).count() as i64)
        );
    }
}
