//! What random kernels and their twins found wrong.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;
use num_complex::Complex;

finch! {
    fn runs(a: &DenseVec<f64>) -> (y: Tensor<RunList<Element<f64>>>) { for i { y[i] = a[i] } }
    fn sparse_runs(a: &DenseVec<f64>) -> (y: Tensor<SparseRunList<Element<f64>>>) { for i { y[i] = a[i] } }
    fn interval(a: &DenseVec<f64>) -> (y: Tensor<SparseInterval<Element<f64>>>) { for i { if i > 0 { y[i] = a[i] } } }
    fn complex_runs(a: &Tensor<Dense<Element<Complex<f64>>>>) -> (y: Tensor<RunList<Element<Complex<f64>>>>) { for i { y[i] = a[i] } }
}

fn bits(all: &[f64]) -> Vec<u64> {
    all.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn neighbours_are_one_run_only_if_they_are_identical() {
    for values in [
        vec![],
        vec![-0.0],
        vec![0.0, -0.0],
        vec![-0.0, 0.0, 0.0, -0.0, -0.0, 1.0],
        vec![f64::NAN, f64::NAN, 1.0, -f64::NAN, f64::NAN, 5e-324, 0.0],
    ] {
        let a: DenseVec<f64> = Tensor::from_dense([values.len()], &values).unwrap();
        assert_eq!(bits(&runs(&a).to_dense()), bits(&values));
        assert_eq!(bits(&sparse_runs(&a).to_dense()), bits(&values));
    }
    // A NaN is itself: an interval of it is one run.
    let values = [0.0, f64::NAN, f64::NAN];
    let a: DenseVec<f64> = Tensor::from_dense([3], &values).unwrap();
    assert_eq!(runs(&a).stored(), 2);
    assert_eq!(bits(&interval(&a).to_dense()), bits(&values));
    let c: Vec<Complex<f64>> =
        [(0.0, 0.0), (0.0, -0.0), (0.0, -0.0)].map(|(a, b)| Complex::new(a, b)).to_vec();
    let a = Tensor::from_dense([3], &c).unwrap();
    let y = complex_runs(&a);
    let got: Vec<_> = y.to_dense().iter().map(|c| (c.re.to_bits(), c.im.to_bits())).collect();
    let want: Vec<_> = c.iter().map(|c| (c.re.to_bits(), c.im.to_bits())).collect();
    assert_eq!(got, want);
    assert_eq!(y.stored(), 2);
}

finch! {
    fn sum(a: &DenseVec<f64>, s: &mut f64) { for i { s += a[i] } }
    fn dots(a: &DenseMat<f64>, b: &DenseMat<f64>, s: &mut f64) { for i, j { s += a[i, j] * b[i, j] } }
    fn gathered(a: &SparseVec<f32>, b: &DenseVec<f32>, s: &mut f32) { for i { s += a[i] * b[i] } }
}

#[test]
fn a_sum_of_no_terms_keeps_the_sign_of_zero() {
    for n in [0, 1, 2, 65] {
        let (mut s, mut t, mut u) = (-0.0, -0.0, -0.0);
        let terms = |n: usize| vec![-0.0; n];
        let a: DenseVec<f64> = Tensor::from_dense([n], &terms(n)).unwrap();
        sum(&a, &mut s);
        let a: DenseMat<f64> = Tensor::from_dense([0, n], &[]).unwrap();
        dots(&a, &a, &mut t);
        let b: DenseVec<f32> = Tensor::from_dense([n], &vec![1.0; n]).unwrap();
        gathered(&Tensor::new([n]).unwrap(), &b, &mut u);
        assert_eq!((s.to_bits(), t.to_bits()), ((-0.0f64).to_bits(), (-0.0f64).to_bits()), "{n}");
        assert_eq!(u.to_bits(), (-0.0f32).to_bits(), "{n}");
    }
}

finch! {
    fn greatest(a: &DenseVec<f64>, m: &mut f64) { parallel for i { m <<max>>= a[i] } }
    fn least(a: &DenseVec<f32>, m: &mut f32) { parallel for i { m <<min>>= a[i] } }
    fn columns(a: &DenseMat<f64>, y: &mut DenseVec<f64>) { parallel for i { for j { y[j] <<max>>= a[i, j] } } }
}

#[test]
fn the_greatest_of_nothing_but_nan_is_nan_in_parallel_too() {
    looplets::rt::parallel::worth(0);
    for n in [0, 1, 2, 65] {
        let a: DenseVec<f64> = Tensor::from_dense([n], &vec![f64::NAN; n]).unwrap();
        let b: DenseVec<f32> = Tensor::from_dense([n], &vec![f32::NAN; n]).unwrap();
        let (mut x, mut y) = (f64::NAN, f32::NAN);
        greatest(&a, &mut x);
        least(&b, &mut y);
        assert!(x.is_nan() && y.is_nan(), "{n}: {x} {y}");
        let (mut x, mut y) = (-1.0, 1.0);
        greatest(&a, &mut x);
        least(&b, &mut y);
        assert_eq!((x, y), (-1.0, 1.0));
        let all = [vec![f64::NAN; n], vec![f64::NEG_INFINITY; n]].concat();
        let a: DenseMat<f64> = Tensor::from_dense(
            [n, 2],
            &(0..n).flat_map(|k| [all[k], all[n + k]]).collect::<Vec<_>>(),
        )
        .unwrap();
        let mut y: DenseVec<f64> = Tensor::from_dense([2], &[f64::NAN, f64::NAN]).unwrap();
        columns(&a, &mut y);
        let y = y.to_dense();
        assert!(y[0].is_nan(), "{n}: {y:?}");
        assert!(n == 0 && y[1].is_nan() || y[1] == f64::NEG_INFINITY, "{n}: {y:?}");
    }
}

finch! {
    fn windows_into_runs(a: &Tensor<Hash<Dense<SparseInterval<Element<i64>>>>>, w: usize)
        -> (y: Tensor<SparseBand<RunList<RunList<Element<i64>>>>>) {
        for i { for j { for k in 0..w { y[i, j, k] <<max>>= a[i, j, window(j, j + w)[k]] } } }
    }
    fn windows_into_rows(a: &Tensor<SparseList<Dense<SparseList<Element<f64>>>>>, w: usize, y: &mut DenseMat<f64>) {
        for i { for j { for k in 0..w { y[i, k] <<max>>= a[i, j, window(j, j + w)[k]] } } }
    }
}

#[test]
fn iterations_that_are_one_have_no_window_of_each() {
    for (n, m, w) in [(0, 0, 0), (1, 1, 1), (2, 3, 2), (4, 2, 65)] {
        let len = m + w;
        let value = |i: usize, j: usize, c: usize| match (i * 7 + j * 3 + c) % 4 {
            // Every other `i` stores nothing at all.
            _ if i % 2 == 1 => 0,
            0 => 0,
            1 => -3,
            r => (i + r * 11 + c) as i64,
        };
        let all = |f: &mut dyn FnMut(usize, usize, usize)| {
            (0..n).for_each(|i| (0..m).for_each(|j| (0..len).for_each(|c| f(i, j, c))))
        };
        let mut entries = Vec::new();
        all(&mut |i, j, c| {
            entries.extend((value(i, j, c) != 0).then(|| ([i, j, c], value(i, j, c))))
        });
        // An interval is one run: what it cannot hold is for the other format.
        let one = |c: usize| c == len / 2;
        let runs: Vec<_> = entries.iter().copied().filter(|([.., c], _)| one(*c)).collect();
        let a = Tensor::from_triplets([n, m, len], runs, Refuse).unwrap();
        let got = windows_into_runs(&a, w).to_dense();
        let mut want = Vec::new();
        for i in 0..n {
            for j in 0..m {
                want.extend((j..j + w).map(|c| if one(c) { value(i, j, c).max(0) } else { 0 }));
            }
        }
        assert_eq!(got, want, "{n} {m} {w}");
        let real = entries.iter().map(|(at, x)| (*at, *x as f64 / 4.0));
        let b = Tensor::from_triplets([n, m, len], real.collect::<Vec<_>>(), Refuse).unwrap();
        let mut y: DenseMat<f64> = Tensor::new([n, w]).unwrap();
        windows_into_rows(&b, w, &mut y);
        let greatest = |i: usize, k: usize| {
            (0..m).map(|j| value(i, j, j + k) as f64 / 4.0).fold(0.0, f64::max)
        };
        let want: Vec<f64> = (0..n * w).map(|at| greatest(at / w, at % w)).collect();
        assert_eq!(y.to_dense(), want, "{n} {m} {w}");
    }
}
