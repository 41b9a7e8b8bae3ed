//! Rows of dense products that are taken together: whatever the sizes, each element is what the plain loops give, to the last
//! bit, and what overflows does so in the same programs.

mod bitwise;

use bitwise::same;
use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

finch! {
    fn product(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] }
    fn added(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
    fn again(a: &DenseMat<f64>, b: &DenseMat<f64>, c: DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * b[k, j] }
    fn least(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &mut DenseMat<f64>) { for i, k, j { c[i, j] <<min>>= a[i, k] - b[k, j] } }
    fn in_parallel(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { parallel for i { for k, j { c[i, j] += a[i, k] * b[k, j] } } }
    fn part(a: &DenseMat<f64>, b: &DenseMat<f64>, c: &mut DenseMat<f64>) {
        for i in 1..38 { for k in 2..36 { for j in 3..17 { c[i, j] += a[i, k] * b[k, j] } } }
    }
    fn scaled(a: &DenseMat<f64>, b: &DenseMat<f64>, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += x[i] * a[i, k] * b[k, j] * y[j] } }
    fn few_columns(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, k { for j in 0..3 { c[i, j] += a[i, k] * b[k, j] } } }
    // Rows that have elements in common, and that are all one.
    fn one_beside(a: &DenseMat<f64>, b: &DenseMat<f64>, y: &mut DenseVec<f64>) {
        for i in 0..9 { for k { for j in 0..9 { y[i + j] += a[i, k] * b[k, j] } } }
    }
    fn in_one(a: &DenseMat<f64>, b: &DenseMat<f64>, y: &mut DenseVec<f64>) { for i, k, j { y[j] += a[i, k] * b[k, j] } }
    fn below(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: DenseMat<f64>) { for i, k, j { if k <= i { c[i, j] += a[i, k] * b[k, j] } } }
    fn two_loops(t: &Tensor<Dense<Dense<Dense<Element<f64>>>>>, b: &DenseMat<f64>, d: &DenseMat<f64>) -> (y: DenseMat<f64>) {
        for i, j, k, r { y[i, r] += t[i, j, k] * b[j, r] * d[k, r] }
    }
    fn of_singles(a: &DenseMat<f32>, b: &DenseMat<f32>) -> (c: DenseMat<f32>) { c[i, j] += a[i, k] * b[k, j] }
    fn of_bytes(a: &DenseMat<u8>, b: &DenseMat<u8>) -> (c: DenseMat<u8>) { for i, k, j { c[i, j] ^= a[i, k] & b[k, j] } }
    fn of_whole(a: &DenseMat<i32>, b: &DenseMat<i32>) -> (c: DenseMat<i32>) { c[i, j] += a[i, k] * b[k, j] }
    fn of_long(a: &DenseMat<i128>, b: &DenseMat<i128>) -> (c: DenseMat<i128>) { c[i, j] += a[i, k] * b[k, j] }
    fn whole_added(a: &DenseMat<i64>, b: &DenseMat<i64>, c: &mut DenseMat<i64>) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
}

finch! {
    #![steps(n)]
    fn counted(a: &DenseMat<f64>, b: &DenseMat<f64>, n: &mut i64) -> (c: DenseMat<f64>) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } }
}

/// The values of a matrix.
fn values(shape: [usize; 2], seed: usize) -> Vec<f64> {
    bitwise::values(shape[0] * shape[1], seed, 211)
}

fn tensor<T: Value>(shape: [usize; 2], values: &[T]) -> DenseMat<T> {
    Tensor::from_dense(shape, values).expect("as many values as elements")
}

/// What the plain loops make of `c`.
fn by_hand<T: Copy>(
    [m, q, n]: [usize; 3],
    (a, b, c): (&[T], &[T], &[T]),
    each: impl Fn(T, T, T) -> T,
) -> Vec<T> {
    let mut c = c.to_vec();
    for i in 0..m {
        for k in 0..q {
            for j in 0..n {
                c[i * n + j] = each(c[i * n + j], a[i * q + k], b[k * n + j]);
            }
        }
    }
    c
}

/// Sizes around those of tiles, and of matrices that are copied.
const SIZES: [[usize; 3]; 32] = [
    [0, 3, 9],
    [5, 0, 9],
    [5, 3, 0],
    [1, 1, 1],
    [3, 2, 8],
    [4, 1, 7],
    [4, 1, 8],
    [4, 2, 9],
    [5, 3, 8],
    [7, 5, 15],
    [8, 8, 16],
    [9, 4, 17],
    [12, 1, 23],
    [13, 7, 24],
    [4, 33, 8],
    [31, 32, 9],
    [32, 31, 9],
    [32, 32, 8],
    [32, 32, 7],
    [33, 32, 9],
    [35, 33, 15],
    [36, 40, 16],
    [37, 64, 17],
    [34, 1, 33],
    [40, 32, 31],
    [40, 33, 64],
    [64, 64, 1],
    [65, 35, 12],
    [3, 70, 70],
    [4, 1025, 9],
    [33, 1025, 10],
    [1, 40, 40],
];

fn add(c: f64, a: f64, b: f64) -> f64 {
    c + a * b
}

#[test]
fn floats() {
    for size in SIZES {
        let [m, q, n] = size;
        let (av, bv, cv) = (values([m, q], 1), values([q, n], 2), values([m, n], 3));
        let (a, b, old) = (tensor([m, q], &av), tensor([q, n], &bv), tensor([m, n], &cv));
        let new = by_hand(size, (&av, &bv, &vec![0.0; m * n]), add);
        same(&product(&a, &b).to_dense(), &new, ("product", size));
        same(&in_parallel(&a, &b).to_dense(), &new, ("parallel", size));
        same(&again(&a, &b, old.clone()).to_dense(), &new, ("again", size));
        let mut c = old.clone();
        added(&a, &b, &mut c);
        same(&c.to_dense(), &by_hand(size, (&av, &bv, &cv), add), ("added", size));
        // Of NaN and a number `min` is the number; which zero is the lesser is not said.
        let mut c = old.clone();
        least(&a, &b, &mut c);
        let unsigned = |c: Vec<f64>| c.iter().map(|x| x + 0.0).collect::<Vec<_>>();
        let lesser = by_hand(size, (&av, &bv, &cv), |c, a, b| c.min(a - b));
        same(&unsigned(c.to_dense()), &unsigned(lesser), ("least", size));
        let mut steps = 0;
        same(&counted(&a, &b, &mut steps).to_dense(), &new, ("counted", size));
        assert!(steps >= (m * q * n) as i64, "{size:?}: {steps}");
    }
}

#[test]
fn what_varies_with_rows_and_columns() {
    for size in SIZES {
        let [m, q, n] = size;
        let (av, bv) = (values([m, q], 1), values([q, n], 2));
        let (xv, yv) = (values([m, 1], 3), values([n, 1], 4));
        let (x, y): (DenseVec<f64>, DenseVec<f64>) =
            (Tensor::from_dense([m], &xv).unwrap(), Tensor::from_dense([n], &yv).unwrap());
        let mut expected = vec![0.0; m * n];
        for (i, k, j) in (0..m * q * n).map(|p| (p / n / q, p / n % q, p % n)) {
            expected[i * n + j] += xv[i] * av[i * q + k] * bv[k * n + j] * yv[j];
        }
        let found = scaled(&tensor([m, q], &av), &tensor([q, n], &bv), &x, &y);
        same(&found.to_dense(), &expected, size);
    }
}

#[test]
fn other_types() {
    for size in SIZES {
        let [m, q, n] = size;
        let (av, bv) = (values([m, q], 4), values([q, n], 5));
        macro_rules! check {
            ($kernel:ident, $T:ty, $cast:expr, $each:expr) => {
                let cast: fn(&f64) -> $T = $cast;
                let (av, bv): (Vec<$T>, Vec<$T>) =
                    (av.iter().map(cast).collect(), bv.iter().map(cast).collect());
                let expected = by_hand(size, (&av, &bv, &vec![<$T>::default(); m * n]), $each);
                let found = $kernel(&tensor([m, q], &av), &tensor([q, n], &bv)).to_dense();
                let wide = |all: Vec<$T>| all.iter().map(|x| *x as f64).collect::<Vec<_>>();
                same(&wide(found), &wide(expected), (stringify!($T), size));
            };
        }
        check!(of_singles, f32, |x| *x as f32, |c, a, b| c + a * b);
        check!(of_bytes, u8, |x| (x * 9.0) as i64 as u8, |c, a, b| c ^ (a & b));
        check!(of_whole, i32, |x| (x * 9.0).clamp(-500.0, 500.0) as i32, |c, a, b| c + a * b);
        check!(of_long, i128, |x| (x * 9.0).clamp(-500.0, 500.0) as i128, |c, a, b| c + a * b);
    }
}

#[test]
fn parts_and_few() {
    let [m, q, n] = [40, 37, 20];
    let (av, bv, cv) = (values([m, q], 1), values([q, n], 2), values([m, n], 3));
    let (a, b, mut c) = (tensor([m, q], &av), tensor([q, n], &bv), tensor([m, n], &cv));
    let mut expected = cv;
    for (i, k, j) in (0..m * q * n).map(|p| (p / n / q, p / n % q, p % n)) {
        if (1..38).contains(&i) && (2..36).contains(&k) && (3..17).contains(&j) {
            expected[i * n + j] += av[i * q + k] * bv[k * n + j];
        }
    }
    part(&a, &b, &mut c);
    same(&c.to_dense(), &expected, "part");
    for m in [0, 1, 4, 5, 33] {
        let (av, bv) = (values([m, 35], 1), values([35, 3], 2));
        let found = few_columns(&tensor([m, 35], &av), &tensor([35, 3], &bv));
        let expected = by_hand([m, 35, 3], (&av, &bv, &vec![0.0; m * 3]), add);
        same(&found.to_dense(), &expected, ("three columns", m));
    }
}

#[test]
fn rows_that_are_not_apart() {
    for q in [0, 1, 33] {
        let (av, bv, yv) = (values([9, q], 1), values([q, 9], 2), values([17, 1], 3));
        let (a, b) = (tensor([9, q], &av), tensor([q, 9], &bv));
        let mut y: DenseVec<f64> = Tensor::from_dense([17], &yv).unwrap();
        let mut expected = yv.clone();
        for (i, k, j) in (0..81 * q).map(|p| (p / 9 / q, p / 9 % q, p % 9)) {
            expected[i + j] += av[i * q + k] * bv[k * 9 + j];
        }
        one_beside(&a, &b, &mut y);
        same(&y.to_dense(), &expected, ("one beside the other", q));
        let mut y: DenseVec<f64> = Tensor::from_dense([9], &yv[..9]).unwrap();
        let mut expected = yv[..9].to_vec();
        for (i, k, j) in (0..81 * q).map(|p| (p / 9 / q, p / 9 % q, p % 9)) {
            expected[j] += av[i * q + k] * bv[k * 9 + j];
        }
        in_one(&a, &b, &mut y);
        same(&y.to_dense(), &expected, ("all in one", q));
        let [m, n] = [12, 9];
        let av = values([m, m], 1);
        let a = tensor([m, m], &av);
        let (bv, mut expected) = (values([m, n], 3), vec![0.0; m * n]);
        for (i, k, j) in (0..m * m * n).map(|p| (p / n / m, p / n % m, p % n)) {
            if k <= i {
                expected[i * n + j] += av[i * m + k] * bv[k * n + j];
            }
        }
        same(&below(&a, &tensor([m, n], &bv)).to_dense(), &expected, "below");
        let expected = by_hand([m, m, m], (&av, &av, &vec![0.0; m * m]), add);
        same(&product(&a, &a).to_dense(), &expected, "one operand twice");
    }
}

#[test]
fn rows_of_two_loops() {
    for [m, p, q, n] in [[5, 3, 4, 9], [4, 1, 1, 8], [8, 0, 3, 17], [9, 3, 0, 8], [3, 2, 2, 8]] {
        let tv = values([m * p, q], 1);
        let t: Tensor<Dense<Dense<Dense<Element<f64>>>>> =
            Tensor::from_dense([m, p, q], &tv).unwrap();
        let (bv, dv) = (values([p, n], 2), values([q, n], 3));
        let mut sum = vec![0.0; m * n];
        let all = (0..m * p * q * n).map(|x| (x / n / q / p, x / n / q % p, x / n % q, x % n));
        for (i, j, k, r) in all {
            sum[i * n + r] += tv[(i * p + j) * q + k] * bv[j * n + r] * dv[k * n + r];
        }
        let found = two_loops(&t, &tensor([p, n], &bv), &tensor([q, n], &dv));
        same(&found.to_dense(), &sum, [m, p, q, n]);
    }
}

/// Wherever the one element is that overflows, and only there, and never because it is computed twice.
#[test]
fn overflow() {
    for (m, n) in [(4, 8), (5, 9), (9, 12), (8, 15)] {
        let q = 3;
        let (mut av, bv) = (vec![1; m * q], vec![1 << 40; q * n]);
        for place in 0..=m * n {
            let mut cv = vec![0i64; m * n];
            if place < m * n {
                cv[place] = i64::MAX - 2 * (1 << 40);
            }
            let plain = |a: &[i64], c: &[i64]| {
                let run = || by_hand([m, q, n], (a, &bv, c), |c, a, b| c + a * b);
                catch_unwind(AssertUnwindSafe(run)).ok()
            };
            let ours = |a: &[i64], c: &[i64]| {
                let (a, b, mut c) = (tensor([m, q], a), tensor([q, n], &bv), tensor([m, n], c));
                let run = || {
                    whole_added(&a, &b, &mut c);
                    c.to_dense()
                };
                catch_unwind(AssertUnwindSafe(run)).ok()
            };
            let (expected, found) = (plain(&av, &cv), ours(&av, &cv));
            assert_eq!(found, expected, "{m} {n} {place}");
            assert_eq!(found.is_none(), cfg!(debug_assertions) && place < m * n);
            // What goes up to the limit and no further.
            av.iter_mut().for_each(|a| *a = -1);
            assert_eq!(ours(&av, &cv), plain(&av, &cv));
            av.iter_mut().for_each(|a| *a = 1);
        }
    }
}
