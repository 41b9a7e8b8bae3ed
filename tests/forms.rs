//! The two forms and where they may stand: inline with Rust variables, expression position, closures,
//! macros, generic functions, scalars by value and by reference.

use looplets::prelude::*;
use looplets::Value;
use std::ops::{Add, Mul};

fn sample() -> (Csr<f64>, DenseVec<f64>) {
    let a = Tensor::from_triplets([2, 3], [([0, 1], 2.0), ([1, 0], 3.0), ([1, 2], 4.0)], Refuse)
        .unwrap();
    (a, Tensor::from_dense([3], &[1.0, 10.0, 100.0]).unwrap())
}

#[test]
fn inline_updates_variables() {
    let (a, x) = sample();
    let mut y: DenseVec<f64> = Tensor::new([2]).unwrap();
    let mut total = 0.5;
    let scale = 2.0;
    finch! {
        <a: Csr<f64>, x: DenseVec<f64>, mut y: DenseVec<f64>, mut total: f64>
        for i, j { y[i] += scale * a[i, j] * x[j] }
        for i { total += y[i] }
    }
    assert_eq!(y.to_dense(), [40.0, 806.0]);
    assert_eq!(total, 846.5);
}

#[test]
fn expression_position() {
    let (a, x) = sample();
    let y = finch! {
        <a: Csr<f64>, x: DenseVec<f64>> -> (y: DenseVec<f64>)
        for i, j { y[i] += a[i, j] * x[j] }
    };
    assert_eq!(y.to_dense(), [20.0, 403.0]);
    let (both, r) = (
        finch! { #![dense] <x: DenseVec<f64>> -> (s: SparseVec<f64>, t: DenseVec<f64>[2]) for j { s[j] = x[j] } for k { t[k] = 7 } },
        3,
    );
    assert_eq!((both.0.to_dense(), both.1.to_dense(), r), (x.to_dense(), vec![7.0, 7.0], 3));
}

struct Settings {
    scale: f64,
    shifts: [i64; 2],
}

#[test]
fn rust_expressions() {
    let (a, x) = sample();
    let s = Settings { scale: 3.0, shifts: [1, 0] };
    let table = [1.0, 2.0, 4.0];
    let mut c = 0.0;
    finch! {
        <x: DenseVec<f64>, mut c: f64>
        for i { c += $(s.scale) * x[i] * $(table[i as usize]) }
    }
    assert_eq!(c, 3.0 * (1.0 + 20.0 + 400.0));
    let mut d = 0.0;
    finch! { <x: DenseVec<f64>, mut d: f64> for i { d += x[i + $(s.shifts[0])] } }
    assert_eq!(d, 110.0);
    let mut e = 0.0;
    finch! { <x: DenseVec<f64>, mut e: f64> for i in 0..$(a.shape()[0]) { e += x[i] } }
    assert_eq!(e, 11.0);
    let mut f = 0.0;
    finch! { <x: DenseVec<f64>, mut f: f64> for i { f += x[i] * std::f64::consts::PI + f64::from(2u8) } }
    assert_eq!(f, 111.0 * std::f64::consts::PI + 6.0);
}

#[test]
fn closures() {
    let (a, x) = sample();
    let product = |a: &Csr<f64>, factor: f64| {
        let x = x.clone();
        let a = a.clone();
        finch! { <a: Csr<f64>, x: DenseVec<f64>> -> (y: DenseVec<f64>) for i, j { y[i] += factor * a[i, j] * x[j] } }
    };
    assert_eq!(product(&a, 2.0).to_dense(), [40.0, 806.0]);
    let mut seen = 0u64;
    let mut count = || finch! { <a: Csr<f64>, mut seen: u64> for i, j { seen += a[i, j] != 0 } };
    count();
    count();
    assert_eq!(seen, 6);
}

macro_rules! reduction {
    ($name:ident, $t:ident, $op:tt, $e:expr) => {
        finch! {
            fn $name(a: &SparseVec<$t>, c: &mut $t) { for i { c $op a[i] * $e } }
        }
    };
}
reduction!(sum_of_doubles, f64, +=, 2.0);
reduction!(sum_of_sums, i64, +=, 1 + 1);

macro_rules! dot {
    ($a:ident, $b:ident) => {{
        let mut c = 0.0;
        finch! { <$a: SparseVec<f64>, $b: SparseVec<f64>, mut c: f64> for i { c += $a[i] * $b[i] } }
        c
    }};
}

#[test]
fn inside_macros() {
    let a: SparseVec<f64> = Tensor::from_triplets([4], [([1], 2.0), ([3], 5.0)], Refuse).unwrap();
    let b: SparseVec<f64> = Tensor::from_triplets([4], [([3], 7.0)], Refuse).unwrap();
    let (mut c, mut n) = (0.0, 0);
    sum_of_doubles(&a, &mut c);
    assert_eq!(c, 14.0);
    sum_of_sums(&Tensor::from_triplets([2], [([1], 4)], Refuse).unwrap(), &mut n);
    assert_eq!(n, 8);
    let c = 1.0;
    assert_eq!((dot!(a, b), c), (35.0, 1.0));
}

finch! {
    /// Works for every scalar.
    pub fn product<T: Value + Add<Output = T> + Mul<Output = T>>(a: &Csr<T>, x: &DenseVec<T>) -> (y: DenseVec<T>) {
        for i, j { y[i] += a[i, j] * x[j] }
    }
    fn scaled<T>(a: &SparseVec<T>, alpha: T) -> (y: SparseVec<T>)
    where
        T: Value + Add<Output = T> + Mul<Output = T>,
    {
        for i { y[i] = alpha * a[i] + 2 * a[i] }
    }
    fn least<T: Value + PartialOrd>(a: &DenseVec<T>, c: &mut T) { for i { c <<min>>= a[i] } }
    fn coordinates<Ix: looplets::Index>(a: &SparseVec<f64, Ix>, b: &SparseVec<f64, Ix>, c: &mut f64) {
        for i { c += a[i] * b[i] }
    }
}

#[test]
fn generic_kernels() {
    let (a, x) = sample();
    assert_eq!(product(&a, &x).to_dense(), [20.0, 403.0]);
    let a: Csr<u32> = Tensor::from_triplets([1, 2], [([0, 1], 3)], Refuse).unwrap();
    assert_eq!(product(&a, &Tensor::from_dense([2], &[1, 5]).unwrap()).to_dense(), [15]);
    let s: SparseVec<i16> = Tensor::from_triplets([3], [([1], 3)], Refuse).unwrap();
    assert_eq!(scaled(&s, 4).to_dense(), [0, 18, 0]);
    let mut least_of = 9i8;
    least(&Tensor::from_dense([3], &[4, -1, 6]).unwrap(), &mut least_of);
    assert_eq!(least_of, -1);
    let v: SparseVec<f64, u8> = Tensor::from_triplets([3], [([1], 3.0)], Refuse).unwrap();
    let mut c = 0.0;
    coordinates(&v, &v, &mut c);
    assert_eq!(c, 9.0);
}

mod inner {
    //! A kernel in a module, with formats by their full path.
    looplets::finch! {
        pub(super) fn by_path(a: &looplets::Tensor<looplets::Dense<looplets::Element<f64>>>, c: &mut f64) {
            for i { c += a[i] }
        }
        #[inline]
        pub(crate) fn two_results(n: usize) -> (y: looplets::DenseVec<u8>[n], z: looplets::DenseVec<u8>[n + 1]) {
            for i { y[i] = 1 }
            for i { z[i] = 2 }
        }
    }
}

#[test]
fn modules_and_paths() {
    let mut c = 0.0;
    inner::by_path(&sample().1, &mut c);
    assert_eq!(c, 111.0);
    let (y, z) = inner::two_results(2);
    assert_eq!((y.to_dense(), z.to_dense()), (vec![1, 1], vec![2, 2, 2]));
}

#[test]
#[allow(non_snake_case)]
fn names_do_not_clash() {
    // Names that the expansion itself might use.
    let (a, i, q, stop, lo, hi, value, error, y_acc) =
        (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
    let (A, _) = sample();
    let mut c = 0.0;
    finch! { <A: Csr<f64>, mut c: f64> for k, j { c += A[k, j] * (a + i + q + stop + lo + hi + value + error + y_acc) } }
    assert_eq!(c, 9.0 * 45.0);
}
