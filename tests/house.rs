//! What the language promises where others differ: overwriting with the fill, independent results,
//! empty extents, identities, `missing`, infinities and NaN.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

kernels! {
    fn clear(a: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = a[i] } };;
    fn zero(n: usize, y: &mut DenseVec<f64>) { for i in 0..n { y[i] = 0 } };;
    fn scalar_zero(a: &SparseVec<f64>, c: &mut f64) { for i { c = a[i] } };;
    fn two(a: &SparseVec<f64>, c: &mut f64, d: &mut f64) { for i { c = a[i]; d += a[i] } };;
    fn found(a: &SparseVec<bool>, any: &mut bool, n: &mut u64) { for i { any ||= a[i]; n += a[i] } };;
    fn first_zero(a: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c *= a[i]; n += 1 } };;
    fn empty_all(a: &SparseVec<i64>, s: &mut i64, p: &mut i64, l: &mut i64, m: &mut i64) {
        for i in 3..3 { s += a[i]; p *= a[i]; l <<min>>= a[i]; m <<max>>= a[i] }
    };;
    fn starts_at_fill(n: usize) -> (y: DenseVec<f64, Inf>[n], z: DenseVec<i64>[n]) {
        for i in 1..n { y[i] <<min>>= 4; z[i] <<max>>= -3 }
    };;
    fn least_int(a: &DenseVec<i64>, c: &mut i64) { for i { c <<min>>= a[i] } }
}

#[test]
fn assigning_the_fill_overwrites() {
    pairs(|n, ka, ky| {
        let a = vector(ka, n);
        let mut y = vector(ky, n);
        agree!(clear(&a, &mut y));
        let mut c = 5.0;
        agree!(scalar_zero(&a, &mut c));
        agree!(zero(n, &mut y));
        assert!(y.to_dense().iter().all(|v| *v == 0.0));
    });
    let mut y: DenseVec<f64> = vector(1, 7);
    clear(&vector(3, 7), &mut y);
    assert_eq!(y.to_dense(), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn one_result_does_not_change_another() {
    vectors(|n, ka| {
        let a = vector(ka, n);
        let (mut c, mut d) = (3.0, 4.0);
        agree!(two(&a, &mut c, &mut d));
        let b = vector(ka, n);
        let (mut any, mut k) = (false, 0);
        agree!(found(&b, &mut any, &mut k));
        // Knowing one result early must not end the loop of the other.
        let (mut any, mut k) = (true, 0);
        agree!(found(&b, &mut any, &mut k));
        let mut k = 0;
        agree!(first_zero(&a, &mut c, &mut k));
        assert_eq!(k, n as u64);
    });
}

#[test]
fn empty_extents_contribute_nothing() {
    let a: SparseVec<i64> = vector(1, 7);
    let (mut s, mut p, mut l, mut m) = (1, 2, 3, 4);
    agree!(empty_all(&a, &mut s, &mut p, &mut l, &mut m));
    assert_eq!((s, p, l, m), (1, 2, 3, 4));
}

#[test]
fn reductions_start_from_what_is_there() {
    for n in [1, 2, 7] {
        agree!(starts_at_fill(n));
    }
    let mut c = i64::MAX;
    let (none, some) = (vector(0, 0), vector(4, 7));
    agree!(least_int(&none, &mut c));
    assert_eq!(c, i64::MAX);
    agree!(least_int(&some, &mut c));
    assert_eq!(c, -2);
}

kernels! {
    fn keep(a: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] = ifelse(a[i] > 1, a[i], missing) } };;
    fn never(a: &SparseVec<f64>, c: &mut f64) { for i { if a[i] > missing { c += 1 } else { c += a[i] } } };;
    fn where_stored(a: &SparseVec<f64>, c: &mut f64) {
        for i { c += coalesce(ifelse(a[i] != 0, a[i], missing), 10) }
    };;
    fn absorb(a: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] + missing } };;
    fn zero_times(a: &SparseVec<f64>, c: &mut f64) { for i { c += a[i] * missing } };;
    fn otherwise(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = coalesce(missing, a[i], 3) } };;
    fn least_missing(a: &SparseVec<f64>, c: &mut f64) { for i { c <<min>>= min(a[i], missing) } }
}

#[test]
fn missing_absorbs_and_writes_nothing() {
    pairs(|n, ka, ky| {
        let a = vector(ka, n);
        let mut y = vector(ky, n);
        agree!(keep(&a, &mut y));
        let mut c = 1.0;
        agree!(absorb(&a, &mut c));
        agree!(zero_times(&a, &mut c));
        agree!(least_missing(&a, &mut c));
        assert_eq!(c, 1.0);
        agree!(otherwise(&a));
        agree!(never(&a, &mut c));
        agree!(where_stored(&a, &mut c));
    });
}

finch! {
    fn sum(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] + b[i] } }
    fn less(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] - a[i] } }
    fn ratio(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] / a[i] } }
    fn stored_zero(a: &SparseVec<f64>, x: &DenseVec<f64>, c: &mut f64) { for i { c += a[i] * x[i] } }
    fn same(a: &DenseVec<f64>, n: &mut u64) { for i { n += a[i] == a[i] } }
    fn equal_min(a: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = min(a[i], a[i]) } }
}

#[test]
fn infinities_and_nan() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let a: DenseVec<f64> = Tensor::from_dense([4], &[inf, -inf, nan, 0.0]).unwrap();
    let b: DenseVec<f64> = Tensor::from_dense([4], &[-inf, inf, 1.0, 1.0]).unwrap();
    let y = sum(&a, &b).to_dense();
    assert!(y[..3].iter().all(|v| v.is_nan()) && y[3] == 1.0);
    assert!(less(&a).to_dense()[..3].iter().all(|v| v.is_nan()));
    assert!(ratio(&a).to_dense().iter().all(|v| v.is_nan()));
    let mut n = 0;
    same(&a, &mut n);
    assert_eq!(n, 3);
    assert_eq!(equal_min(&a).to_dense()[..2], [inf, -inf]);
    // What is not stored is never multiplied; a zero that is stored is a number like another.
    let mut c = 1.0;
    stored_zero(&Tensor::from_triplets([4], [([3], 2.0)], Refuse).unwrap(), &a, &mut c);
    assert_eq!(c, 1.0);
    stored_zero(&Tensor::from_triplets([4], [([0], 0.0)], Refuse).unwrap(), &a, &mut c);
    assert!(c.is_nan());
}
