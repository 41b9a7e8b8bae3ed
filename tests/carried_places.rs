//! Scalars that change in a loop as indices, bounds and conditions: what is found of them in one place does not hold behind
//! the next assignment, neither a check of an index, nor where an element is, nor a fact.

#![allow(deprecated)]

use looplets::prelude::*;
use std::panic::catch_unwind;

finch! {
    fn past(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        let mut k: usize;
        for i { if k < n { k += 1; y[k] = x[i] } }
    }
    fn two(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n]) {
        let mut k: usize;
        for i { y[k] += x[i]; k = (k * 3 + 1) % n; y[k] += 2 * x[i] }
    }
    fn read_twice(x: &DenseVec<f64>, z: &DenseVec<f64>, n: usize) -> (s: f64) {
        let mut k: usize;
        for i { s += z[k] * x[i]; k = (k * 3 + 1) % n; s += 2 * z[k] }
    }
    fn sparse_twice(x: &DenseVec<f64>, z: &SparseVec<f64>, n: usize) -> (s: f64) {
        let mut k: usize;
        for i { s += z[k] * x[i]; k = (k * 3 + 1) % n; s += 2 * z[k] }
    }
    fn moving_bound(n: usize) -> (s: u64, y: DenseVec<u64>[n]) {
        let mut k: usize = 2;
        for i in 0..n { for j in 0..k { k += 1; s += j; if k > 6 { k = 1 } } y[i] = k as u64 }
    }
    fn moving_sparse(a: &SparseVec<f64>, n: usize) -> (s: f64, y: DenseVec<u64>[n]) {
        let mut k: usize = 2;
        for i in 0..n { for j in 0..k { s += a[j]; if a[j] != 0 { k = (k + 3) % 7 } } y[i] = k as u64 }
    }
    fn fact(x: &DenseVec<i64>, z: &DenseVec<f64>) -> (s: f64) {
        let mut k: i64;
        for i {
            if k >= 0 && k < 4 { s += z[k]; k += x[i]; s += z[k] }
        }
    }
    fn rows(a: &Csr<f64>, x: &DenseVec<i64>) -> (s: f64) {
        let mut k: usize;
        for i { for j { s += a[k, j]; } k = (k + x[i] as usize) % 3; for j { s += 10 * a[k, j] } }
    }
    fn nested(a: &Csr<f64>) -> (y: DenseVec<f64>, n: u64) {
        let mut t: f64;
        for i { for j { if a[i, j] > t { t = a[i, j]; n += 1 } } y[i] = t; if t > 4 { t = 0 } }
    }
    fn lets(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut t: f64;
        for i { let a = t; let b = a * 2 + x[i]; t = b; let c = t - a; t += c; y[i] = a + b + c + t }
    }
    fn wheres(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut t: f64;
        for i { { y[i] = u + t } where { t += x[i]; u += t } }
    }
    fn branch(x: &SparseVec<f64>, z: &SparseVec<f64>) -> (y: DenseVec<f64>, t: f64) {
        for i { if t > 2 { t -= z[i]; y[i] = t } else { t += x[i]; y[i] = -t } }
    }
    fn hashed(x: &DenseVec<u32>) -> (y: Tensor<Hash<Element<u32>>>[50]) {
        let mut k: u32;
        for i { k = (k + x[i]) % 50; y[k] += 1; k = (k + 1) % 50; y[k] += 1 }
    }
    fn digits(x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>[n], s: f64) {
        for i in 0..n, j in 0..3 { s += x[3 * i + j]; y[i] = s }
    }
    fn shifted(x: &SparseVec<f64>, d: usize, n: usize) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i in 0..n { s = 0.5 * s + coalesce(x[permit[i - d]], 0); y[i] = s }
    }
    fn strided(x: &DenseVec<f64>) -> (y: SparseVec<f64>) {
        let mut s: f64;
        for i { s += x[i]; if i % 3 == 1 { y[i] = s; s = 0 } }
    }
    fn unsigned(x: &DenseVec<u8>) -> (y: DenseVec<u8>) {
        let mut s: u8;
        for i { s = wrapping_add(s, x[i]); y[i] = s }
    }
    fn saturates(x: &DenseVec<u8>) -> (y: DenseVec<u8>, m: u8) {
        for i { m <<max>>= x[i]; y[i] = m }
    }
    fn ints(x: &Tensor<RunList<Element<i32>>>) -> (y: Tensor<RunList<Element<i32>>>, s: i32) {
        for i { s += x[i]; y[i] = s }
    }
    fn bits(x: &Tensor<Bitmap<Pattern>>) -> (y: Tensor<Bitmap<Pattern>>, s: bool) {
        for i { s = s != x[i]; y[i] = s }
    }
}

fn v<T: Value>(all: &[T]) -> DenseVec<T>
where
    Zero: Fill<T>,
{
    Tensor::from_dense([all.len()], all).expect("as long")
}

#[test]
fn each_place_is_found_again() {
    let x = v(&[1.0, 2.5, -3.0, 4.0, 0.5, 6.0, 7.0]);
    assert!(catch_unwind(|| past(&x, 3)).is_err());
    for n in 1..9usize {
        let xs = x.to_dense();
        let z: Vec<f64> = (0..n).map(|k| if k % 2 == 0 { k as f64 + 0.5 } else { 0.0 }).collect();
        let (mut y, mut k, mut s) = (vec![0.0; n], 0, 0.0);
        for q in &xs {
            y[k] += q;
            s += z[k] * q;
            k = (k * 3 + 1) % n;
            y[k] += 2.0 * q;
            s += 2.0 * z[k];
        }
        assert_eq!(two(&x, n).to_dense(), y);
        assert_eq!(read_twice(&x, &v(&z), n), s);
        assert_eq!(sparse_twice(&x, &Tensor::from_dense([n], &z).expect("as long"), n), s);
        let (mut s, mut y, mut k) = (0, vec![], 2);
        for _ in 0..n {
            let end = k;
            for j in 0..end {
                k += 1;
                s += j;
                if k > 6 {
                    k = 1
                }
            }
            y.push(k)
        }
        let (is, iy) = moving_bound(n);
        assert_eq!((is, iy.to_dense()), (s, y), "{n}");
        let a = [0.0, 1.5, 0.0, 2.5, 0.0, 0.0, 3.5, 0.0];
        let (mut s, mut y, mut k) = (0.0, vec![], 2usize);
        for _ in 0..n {
            for q in a.iter().take(k) {
                s += q;
                if *q != 0.0 {
                    k = (k + 3) % 7
                }
            }
            y.push(k as u64)
        }
        let (is, iy) = moving_sparse(&Tensor::from_dense([8], &a).expect("as long"), n);
        assert_eq!((is, iy.to_dense()), (s, y), "{n}");
    }
    let z = v(&[1.0, 2.0, 4.0, 8.0]);
    assert_eq!(fact(&v(&[1, 1, 1]), &z), 1.0 + 2.0 + 2.0 + 4.0 + 4.0 + 8.0);
    assert!(catch_unwind(|| fact(&v(&[1, 1, 1, 1]), &v(&[1.0, 2.0, 4.0, 8.0]))).is_err());
    assert!(catch_unwind(|| fact(&v(&[-1]), &v(&[1.0, 2.0, 4.0, 8.0]))).is_err());
    let a: Csr<f64> = Tensor::from_dense([3, 2], &[1.0, 0.0, 0.0, 3.0, 5.0, 0.5]).expect("as long");
    let row = [1.0, 3.0, 5.5];
    let (mut s, mut k) = (0.0, 0);
    for q in [1, 2, 0] {
        s += row[k];
        k = (k + q) % 3;
        s += 10.0 * row[k];
    }
    assert_eq!(rows(&a, &v(&[1i64, 2, 0])), s);
    let (y, n) = nested(&a);
    assert_eq!((y.to_dense(), n), (vec![1.0, 3.0, 5.0], 3));
    let (mut t, mut y) = (0.0, vec![]);
    for x in x.to_dense() {
        let a = t;
        let b = a * 2.0 + x;
        t = b;
        let c = t - a;
        t += c;
        y.push(a + b + c + t)
    }
    assert_eq!(lets(&x).to_dense(), y);
    let (mut t, mut y) = (0.0, vec![]);
    for x in x.to_dense() {
        t += x;
        y.push(t + t)
    }
    assert_eq!(wheres(&x).to_dense(), y);
    let (p, q) = ([0.0, 1.5, 0.0, 2.0, 0.0, 0.0, 9.0], [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 1.0]);
    let (mut t, mut y) = (0.0, vec![]);
    for i in 0..7 {
        if t > 2.0 {
            t -= q[i];
            y.push(t)
        } else {
            t += p[i];
            y.push(-t)
        }
    }
    let (iy, it) = branch(
        &Tensor::from_dense([7], &p).expect("as long"),
        &Tensor::from_dense([7], &q).expect("as long"),
    );
    assert_eq!((iy.to_dense(), it), (y, t));
    let (mut k, mut y) = (0u32, vec![0u32; 50]);
    for x in [3, 3, 49, 0, 7] {
        k = (k + x) % 50;
        y[k as usize] += 1;
        k = (k + 1) % 50;
        y[k as usize] += 1
    }
    assert_eq!(hashed(&v(&[3u32, 3, 49, 0, 7])).to_dense(), y);
    let (y, s) = digits(&v(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.5]), 2);
    assert_eq!((y.to_dense(), s), (vec![6.0, 21.5], 21.5));
    let (mut s, mut y) = (0.0, vec![]);
    for i in 0..7 {
        s = 0.5 * s + if i >= 2 { p[i - 2] } else { 0.0 };
        y.push(s)
    }
    let sh = shifted(&Tensor::from_dense([7], &p).expect("as long"), 2, 7);
    assert_eq!(sh.to_dense(), y);
    let (mut s, mut y) = (0.0, vec![0.0; 7]);
    for (i, x) in x.to_dense().iter().enumerate() {
        s += x;
        if i % 3 == 1 {
            y[i] = s;
            s = 0.0
        }
    }
    assert_eq!(strided(&x).to_dense(), y);
    assert_eq!(unsigned(&v(&[200u8, 100, 1])).to_dense(), [200, 44, 45]);
    assert_eq!(saturates(&v(&[2u8, 255, 1])).0.to_dense(), [2, 255, 255]);
    let r: Tensor<RunList<Element<i32>>> =
        Tensor::from_dense([5], &[1, 1, 0, 0, -2]).expect("as long");
    assert_eq!(ints(&r).0.to_dense(), [1, 2, 2, 2, 0]);
    let b = Tensor::from_dense([5], &[true, false, true, true, false]).expect("as long");
    assert_eq!(bits(&b).0.to_dense(), [true, true, false, true, true]);
}
