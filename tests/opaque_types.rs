//! Elements of types that the compiler does not know by name: they are what they are where their types are written out.

// What is summed and starts where is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;
use std::ops::{Add, Mul, Sub};

type Real = f64;
type Single = f32;
type Byte = u8;
type Int = i64;

finch! {
    fn least(a: &DenseVec<Real>, b: &DenseVec<Real>) -> (y: DenseVec<Real>) { y[j] = min(a[j], b[j]) }
    fn most(a: &DenseVec<Real>, b: &DenseVec<Real>) -> (y: DenseVec<Real>) { y[j] = max(a[j], b[j]) }
    fn least_of_all(a: &DenseVec<Real>) -> (m: Real = f64::INFINITY) { m <<min>>= a[j] }
    fn least_of_any<T: Value + PartialOrd>(a: &DenseVec<T>, b: &DenseVec<T>) -> (y: DenseVec<T>) { y[j] = min(a[j], b[j]) }
    fn above(a: &DenseVec<Byte>) -> (y: u64) { for j { if a[j] > j { y += 1 } } }
    fn at(a: &DenseVec<Byte>) -> (y: u64) { for j { if a[j] == j { y += 1 } } }
    fn above_of_any<T: Value + PartialOrd>(a: &DenseVec<T>) -> (y: u64) { for j { if a[j] > j { y += 1 } } }
    fn below_half(a: &DenseVec<Real>) -> (y: u64) { for j { if a[j] < 0.5 { y += 1 } } }
    fn one_less(a: &DenseVec<Byte>) -> (y: DenseVec<Byte>) { y[j] = a[j] - 1 }
    fn moved(a: &DenseVec<Int>) -> (y: DenseVec<Int>) { y[j] = 2 * a[j] - 7 + j }
    fn halves(a: &DenseVec<Real>) -> (y: DenseVec<Real>) { y[j] = a[j] * 0.5 - j / 2 }
    fn halves_of_any<T: Value + Mul<Output = T> + Sub<Output = T>>(a: &DenseVec<T>) -> (y: DenseVec<T>) { y[j] = a[j] * 0.5 - 1 }
    fn sum_of_runs(a: &Tensor<RunList<Element<Int>>>) -> (y: Int) { y += a[j] }
    fn sum_of_bytes(a: &Tensor<RunList<Element<Byte>>>) -> (y: Byte) { y += a[j] }
    fn sum_of_any<T: Value + Add<Output = T> + Mul<Output = T> + Default>(a: &Tensor<RunList<Element<T>>>) -> (y: DenseVec<T>[1]) { for j { y[0] += a[j] } }
    fn sum_above(a: &Tensor<SparseList<Element<Single, Inf>>>) -> (y: Single) { for j { y += a[j] } }
    fn of_rust_or_place(a: &DenseVec<i64>, r: i64) -> (y: DenseVec<i64>) { y[j] = ifelse(a[j] < r, ($(r) - 1), j) }
    fn greater_than_place(a: &DenseVec<Int>) -> (y: DenseVec<Int>) { for j { y[j] = max(a[j], j) } }
}

#[test]
fn what_is_no_number_loses() {
    let nan = f64::NAN;
    let a = DenseVec::from_dense([3], &[nan, 5.0, nan]).unwrap();
    let b = DenseVec::from_dense([3], &[5.0, nan, nan]).unwrap();
    for got in [least(&a, &b), most(&a, &b), least_of_any(&a, &b)] {
        let got = got.to_dense();
        assert_eq!((got[0], got[1], got[2].is_nan()), (5.0, 5.0, true));
    }
    assert_eq!(least_of_all(&a), 5.0);
}

#[test]
fn coordinates_are_compared_as_they_are() {
    let a: DenseVec<u8> = DenseVec::from_dense([300], &[4; 300]).unwrap();
    assert_eq!((above(&a), at(&a)), (4, 1));
    assert_eq!(
        (above_of_any(&a), above_of_any(&DenseVec::from_dense([2], &[0.5, 0.5]).unwrap())),
        (4, 1)
    );
    let halves: DenseVec<f64> = DenseVec::from_dense([3], &[0.25, 0.5, -1.0]).unwrap();
    assert_eq!(below_half(&halves), 2);
    let big: DenseVec<i64> = DenseVec::from_dense([2], &[i64::MIN, 0]).unwrap();
    assert_eq!(greater_than_place(&big).to_dense(), [0, 1]);
}

#[test]
fn literals_are_numbers_of_the_type() {
    let a: DenseVec<u8> = DenseVec::from_dense([2], &[1, 255]).unwrap();
    assert_eq!(one_less(&a).to_dense(), [0, 254]);
    let a: DenseVec<i64> = DenseVec::from_dense([2], &[1, -3]).unwrap();
    assert_eq!(moved(&a).to_dense(), [-5, -12]);
    let a: DenseVec<f64> = DenseVec::from_dense([3], &[1.0, -3.0, 0.5]).unwrap();
    assert_eq!(halves(&a).to_dense(), [0.5, -1.5, -0.75]);
    assert_eq!(halves_of_any(&a).to_dense(), [-0.5, -2.5, -0.75]);
    let single: DenseVec<f32> = DenseVec::from_dense([1], &[1.0]).unwrap();
    assert_eq!(halves_of_any(&single).to_dense(), [-0.5]);
}

#[test]
fn runs_are_added_up() {
    let a: Tensor<RunList<Element<i64>>> = Tensor::from_dense([5], &[3, 3, 3, -1, -1]).unwrap();
    assert_eq!((sum_of_runs(&a), sum_of_any(&a).to_dense()), (7, vec![7]));
    let few: Tensor<SparseList<Element<f32, Inf>>> = Tensor::from_dense([2], &[1.5, 2.0]).unwrap();
    assert_eq!(sum_above(&few), 3.5);
    let more: Tensor<SparseList<Element<f32, Inf>>> =
        Tensor::from_triplets([3], [([1], 1.5)], Sum).unwrap();
    assert_eq!(sum_above(&more), f32::INFINITY);
}

/// In builds whose arithmetic is checked, as that of the type by its name.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "overflow")]
fn a_run_that_is_too_much_overflows() {
    let all: Tensor<RunList<Element<u8>>> = Tensor::from_dense([300], &[1; 300]).unwrap();
    sum_of_bytes(&all);
}

/// What a choice gives begins with a block.
#[test]
fn tokens_of_rust_are_an_arm() {
    let a: DenseVec<i64> = DenseVec::from_dense([3], &[i64::MIN, 5, 4]).unwrap();
    assert_eq!(of_rust_or_place(&a, 5).to_dense(), [4, 1, 4]);
}
