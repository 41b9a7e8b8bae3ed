//! Definitions whose loops are left out stand for what they are defined as, wherever they are read.

#![allow(deprecated)]

mod fractions;

use fractions::{all, matrix};
use looplets::prelude::*;

fn half(x: f64) -> f64 {
    x / 2.0
}

mod open {
    use super::*;
    finch! {
        pub fn squares(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = a[i, j] * x[j]; y[i] += t * t }
        pub fn shared(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, s: f64) { let t = x[j] - 1; y[i] += a[i, j] * t; s += t * t }
        pub fn again(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = x[i]; y[i] = t; let t = 2 * t; y[i] += t }
        pub fn of_others(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = x[i] * 3; let u = t - 1; y[i] = u * t }
        pub fn guarded(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = x[j]; if t > 0 { y[i] += a[i, j] * t } }
        pub fn called(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = half(x[i]); y[i] = t + 1 }
        pub fn at(p: &DenseVec<usize>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let k = p[i]; y[i] = x[k] }
        pub fn whole(p: &DenseVec<i64>) -> (y: DenseVec<i64>) { let t = p[i] / 2; y[i] = t * 2 - p[i] }
        pub fn of_an_index(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { let t = (i / 2) as f64; y[i] = x[i] * t - t }
        pub fn sparse(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { let t = a[i, k] * b[k, j]; c[i, j] += t }
    }
}

mod written {
    use super::*;
    finch! {
        pub fn squares(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { let t = a[i, j] * x[j]; y[i] += t * t } }
        pub fn shared(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, s: f64) { for i, j { y[i] += a[i, j] * (x[j] - 1) } for j { let t = x[j] - 1; s += t * t } }
        pub fn again(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = x[i] * 3 } }
        pub fn of_others(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { let t = x[i] * 3; let u = t - 1; y[i] = u * t } }
        pub fn guarded(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { let t = x[j]; if t > 0 { y[i] += a[i, j] * t } } }
        pub fn called(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { let t = half(x[i]); y[i] = t + 1 } }
        pub fn at(p: &DenseVec<usize>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { let k = p[i]; y[i] = x[k] } }
        pub fn whole(p: &DenseVec<i64>) -> (y: DenseVec<i64>) { for i { let t = p[i] / 2; y[i] = t * 2 - p[i] } }
        pub fn of_an_index(x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { let t = (i / 2) as f64; y[i] = x[i] * t - t } }
        pub fn sparse(a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>) { for i, k, j { let t = a[i, k] * b[k, j]; c[i, j] += t } }
    }
}

fn bits(y: &DenseVec<f64>) -> Vec<u64> {
    y.to_dense().iter().map(|x| x.to_bits()).collect()
}

#[test]
fn a_definition_is_what_it_stands_for() {
    let hostile = [0.5, -0.0, f64::NAN, f64::INFINITY, 5e-324, -1.25, 0.0, f64::NEG_INFINITY, 3.0];
    let x: DenseVec<f64> = Tensor::from_dense([9], &hostile).unwrap();
    let a: Csr<f64> = matrix(7, 9, 1);
    let b: Csr<f64> = matrix(9, 5, 2);
    let p: DenseVec<usize> = Tensor::from_dense([4], &[8, 0, 3, 3]).unwrap();
    let n: DenseVec<i64> = Tensor::from_dense([4], &[7, -7, i64::MAX, i64::MIN]).unwrap();
    assert_eq!(bits(&open::squares(&a, &x)), bits(&written::squares(&a, &x)));
    let ((y, s), (z, t)) = (open::shared(&a, &x), written::shared(&a, &x));
    assert_eq!((bits(&y), s.to_bits()), (bits(&z), t.to_bits()));
    assert_eq!(bits(&open::again(&x)), bits(&written::again(&x)));
    assert_eq!(bits(&open::of_others(&x)), bits(&written::of_others(&x)));
    assert_eq!(bits(&open::guarded(&a, &x)), bits(&written::guarded(&a, &x)));
    assert_eq!(bits(&open::of_an_index(&x)), bits(&written::of_an_index(&x)));
    assert_eq!(bits(&open::called(&x)), bits(&written::called(&x)));
    assert_eq!(bits(&open::at(&p, &x)), bits(&written::at(&p, &x)));
    assert_eq!(open::whole(&n).to_dense(), written::whole(&n).to_dense());
    assert_eq!(all(&open::sparse(&a, &b)), all(&written::sparse(&a, &b)));
}
