//! Sparse values assigned to dense tensors that hold others: each element gets its own, whatever was
//! there, by one loop over all elements and one over what is stored.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

level! { type Bits = Tensor<Bitmap<Element<f64>>>; }
level! { type Marks = Tensor<SparseList<Pattern>>; }
level! { type Runs = Tensor<RunList<Element<f64>>>; }
level! { type FewRows = Tensor<SparseList<Dense<Element<f64>>>>; }
level! { type Layers = Tensor<Dense<Dense<SparseList<Element<f64>>>>>; }

finch! {
    #![steps(n)]
    fn copy(a: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i { y[i] = a[i] } }
    fn copy_bits(a: &Bits, y: &mut DenseVec<f64>, n: &mut u64) { for i { y[i] = a[i] } }
    fn copy_marks(a: &Marks, y: &mut DenseVec<f64>, n: &mut u64) { for i { y[i] = a[i] } }
    fn copy_rows(a: &Coo2<f64>, y: &mut DenseMat<f64>, n: &mut u64) { for i, j { y[i, j] = a[i, j] } }
    fn copy_columns(a: &Csr<f64>, y: &mut DenseMat<f64>, n: &mut u64) { for i, j { y[j, i] = a[i, j] } }
    fn moved(a: &SparseVec<f64>, by: f64, y: &mut DenseVec<f64>, n: &mut u64) { for i { y[i] = a[i] + by } }
    fn scaled(a: &SparseVec<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) {
        for i { y[i] = 1 - a[i] * x[i] }
    }
    fn sum(a: &SparseVec<f64>, b: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) {
        for i { y[i] = a[i] + b[i] }
    }
    fn with_runs(a: &SparseVec<f64>, r: &Runs, y: &mut DenseVec<f64>, n: &mut u64) {
        for i { y[i] = a[i] + r[i] }
    }
    fn part(a: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i in 1..4 { y[i + 1] = a[i] } }
    fn strided(a: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i in 0..3 { y[2 * i] = a[i] } }
    fn some(a: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i { if i < 3 { y[i] = a[i] } } }
    fn present(a: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i { y[i] = a[permit[i - 2]] } }
    fn index(a: &SparseVec<f64>, y: &mut DenseVec<f64>, n: &mut u64) { for i { y[i] = a[i] + i } }
    fn grown(a: &SparseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        for i { y[i] = a[i] + 1 };
        for i { y[i] = a[i] }
    }
}

const VALUES: [f64; 6] = [0.0, 2.0, 3.0, 0.0, 0.0, 5.0];

fn vector(values: &[f64]) -> SparseVec<f64> {
    Tensor::from_dense([values.len()], values).unwrap()
}

/// What `kernel` makes of six elements that are not numbers, and its steps.
fn over_rubbish(kernel: impl FnOnce(&mut DenseVec<f64>, &mut u64)) -> (Vec<f64>, u64) {
    let mut y: DenseVec<f64> = Tensor::from_dense([6], &[f64::NAN; 6]).unwrap();
    let mut n = 0;
    kernel(&mut y, &mut n);
    (y.to_dense(), n)
}

/// NaN, of which there is one here, equals itself.
fn same(found: &[f64], wanted: &[f64]) {
    let bits = |v: &[f64]| -> Vec<u64> { v.iter().map(|x| x.to_bits()).collect() };
    assert_eq!(bits(found), bits(wanted), "{found:?} is not {wanted:?}");
}

#[test]
fn one_loop_over_all_and_one_over_the_stored() {
    let a = vector(&VALUES);
    let wanted = |f: fn(f64) -> f64| VALUES.map(f).to_vec();
    assert_eq!(over_rubbish(|y, n| copy(&a, y, n)), (wanted(|v| v), 9));
    assert_eq!(over_rubbish(|y, n| moved(&a, 7.0, y, n)), (wanted(|v| v + 7.0), 9));
    let x: DenseVec<f64> = Tensor::from_dense([6], &[4.0; 6]).unwrap();
    assert_eq!(over_rubbish(|y, n| scaled(&a, &x, y, n)), (wanted(|v| 1.0 - v * 4.0), 9));
    let bits: Bits = Tensor::from_dense([6], &VALUES).unwrap();
    assert_eq!(over_rubbish(|y, n| copy_bits(&bits, y, n)), (wanted(|v| v), 9));
    let marks: Marks = Tensor::from_dense([6], &VALUES.map(|v| v != 0.0)).unwrap();
    let ones = wanted(|v| f64::from(u8::from(v != 0.0)));
    assert_eq!(over_rubbish(|y, n| copy_marks(&marks, y, n)), (ones, 9));
    let none = vector(&[0.0; 6]);
    assert_eq!(over_rubbish(|y, n| copy(&none, y, n)), (vec![0.0; 6], 6));
    let mut n = 0;
    assert_eq!(grown(&a, &mut n).to_dense(), VALUES);
}

#[test]
fn several_operands() {
    let (a, b) = (vector(&VALUES), vector(&[1.0, 1.0, 0.0, 0.0, 0.0, 1.0]));
    let (y, n) = over_rubbish(|y, n| sum(&a, &b, y, n));
    assert_eq!(y, [1.0, 3.0, 3.0, 0.0, 0.0, 6.0]);
    assert!(n <= 6 + 4, "{n} steps");
    // What lies between the spikes is no single value here.
    let r: Runs = Tensor::from_dense([6], &[1.0, 1.0, 1.0, 8.0, 8.0, 9.0]).unwrap();
    let (y, _) = over_rubbish(|y, n| with_runs(&a, &r, y, n));
    assert_eq!(y, [1.0, 3.0, 4.0, 8.0, 8.0, 14.0]);
    let (y, _) = over_rubbish(|y, n| index(&a, y, n));
    assert_eq!(y, [0.0, 3.0, 5.0, 3.0, 4.0, 10.0]);
}

#[test]
fn what_is_not_assigned_stays() {
    let (a, none) = (vector(&VALUES), f64::NAN);
    let (y, n) = over_rubbish(|y, n| part(&a, y, n));
    same(&y, &[none, none, 2.0, 3.0, 0.0, none]);
    assert!(n <= 3 + 2, "{n} steps");
    let (y, _) = over_rubbish(|y, n| strided(&vector(&VALUES[..3]), y, n));
    same(&y, &[0.0, none, 2.0, none, 3.0, none]);
    let (y, _) = over_rubbish(|y, n| some(&a, y, n));
    same(&y, &[0.0, 2.0, 3.0, none, none, none]);
    let (y, _) = over_rubbish(|y, n| present(&a, y, n));
    same(&y, &[none, none, 0.0, 2.0, 3.0, 0.0]);
}

#[test]
fn rows_and_columns() {
    let values = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 3.0];
    let a: Coo2<f64> = Tensor::from_dense([3, 3], &values).unwrap();
    let mut y: DenseMat<f64> = Tensor::from_dense([3, 3], &[f64::NAN; 9]).unwrap();
    copy_rows(&a, &mut y, &mut 0);
    assert_eq!(y.to_dense(), values);
    let a: Csr<f64> = Tensor::from_dense([3, 3], &values).unwrap();
    let mut y: DenseMat<f64> = Tensor::from_dense([3, 3], &[f64::NAN; 9]).unwrap();
    copy_columns(&a, &mut y, &mut 0);
    assert_eq!(y.to_dense(), [0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
}

finch! {
    fn last_layer(a: &Layers, n: usize) -> (y: FewRows) { for i, j { for k in 0..n { y[i, k] = a[i, j, k] } } }
    fn last_entry(a: &Csr<f64>) -> (y: SparseVec<f64>) { for i, j { y[i] = a[i, j] } }
}

/// Failed while what is assigned where nothing is stored was left out of every result that is appended to: an element
/// of a row that is open is written again by each layer.
#[test]
fn the_last_layer_counts_where_it_has_nothing() {
    #[rustfmt::skip]
    let a: Layers = Tensor::from_dense([2, 2, 3], &[
        1.0, 2.0, 0.0,
        0.0, 3.0, 0.0,
        0.0, 0.0, 0.0,
        0.0, 0.0, 4.0,
    ])
    .unwrap();
    assert_eq!(last_layer(&a, 3).to_dense(), [0.0, 3.0, 0.0, 0.0, 0.0, 4.0]);
    let a: Csr<f64> = Tensor::from_dense([3, 2], &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0]).unwrap();
    assert_eq!(last_entry(&a).to_dense(), [0.0, 2.0, 0.0]);
}
