//! What random kernels and their twins found wrong.

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
