//! `a[i * n + j]` in two loops reads groups of elements that follow each other: those that lie in the dimension are
//! visited where they store something, and others are checked element by element.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;
use looplets::Error;

fn values(n: usize, seed: usize) -> Vec<f64> {
    let value = |k: usize| match (k * k + 7 * seed * k + seed) % 11 {
        0..6 => 0.0,
        6 => f64::INFINITY,
        7 => -0.25,
        _ => 1.5,
    };
    (0..n).map(value).collect()
}

macro_rules! vectors {
    ($($name:ident: $format:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn rows(a: &Tensor<$format>, lo: i64, hi: i64, n: i64) -> Result<(y: DenseMat<f64>), Error> {
                    for i in lo..hi { for j in 0..n { y[i, j] = a[i * n + j] } }
                }
                fn listed(a: &Tensor<$format>, hi: usize, n: u16) -> Result<(y: Csr<f64>), Error> {
                    for i in 0..hi { for j in 0..n { y[i, j] = a[n * i + j] } }
                }
                fn moved(a: &Tensor<$format>, lo: i64, hi: i64) -> Result<(y: DenseVec<f64>), Error> {
                    for i in lo..hi { for j in 0..3 { y[i] += a[3 * i + j + 2] } }
                }
                fn earlier(a: &Tensor<$format>, d: usize, hi: usize) -> Result<(y: DenseVec<f64>[20]), Error> {
                    for i in 1..hi { for j in 0..3 { y[i] += a[3 * i + j - d] } }
                }
                fn pairs(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for i in 0..hi { for j in 0..2 { y[i] <<max>>= a[2 * i + j] } }
                }
                fn shorter(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for i in 0..hi { for j in 1..3 { y[i] += a[4 * i + j] } }
                }
                fn cubes(a: &Tensor<$format>, p: usize, m: usize, n: usize) -> Result<(y: Tensor<Dense<Dense<Dense<Element<f64>>>>>), Error> {
                    for h in 0..p { for i in 0..m { for j in 0..n { y[h, i, j] = a[(h * m + i) * n + j] } } }
                }
                fn guarded(a: &Tensor<$format>, hi: usize, len: i64, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for i in 0..hi { for j in 0..n { if i * n + j < len { y[i, j] = a[i * n + j] } } }
                }
                fn overlapping(a: &Tensor<$format>, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
                    for i in 0..hi { for j in 0..3 { y[i] += a[2 * i + j] } }
                }
                fn at_once(a: &Tensor<$format>, hi: usize, n: usize) -> Result<(y: DenseVec<f64>), Error> {
                    parallel for i in 0..hi { for j in 0..n { y[i] += a[i * n + j] } }
                }
                fn columns(a: &Tensor<$format>, hi: usize, n: usize) -> Result<(y: DenseMat<f64>), Error> {
                    for j in 0..n { for i in 0..hi { y[i, j] = a[i * n + j] } }
                }
            }

            fn same(y: Result<Vec<f64>, Error>, expected: Option<Vec<f64>>) {
                let bits = |v: Vec<f64>| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                match (&y, &expected) {
                    (Ok(y), Some(e)) if y.iter().zip(e).any(|(a, b)| a.is_nan() && b.is_nan()) => {}
                    _ => assert_eq!(y.ok().map(bits), expected.map(bits)),
                }
            }

            fn check(len: usize, seed: usize) {
                let v = values(len, seed);
                let a: Tensor<$format> = Tensor::from_dense([len], &v).unwrap();
                let at = |k: i64| usize::try_from(k).ok().and_then(|k| v.get(k).copied());
                let table = |m: i64, n: i64, f: &dyn Fn(i64, i64) -> Option<f64>| -> Option<Vec<f64>> {
                    (0..m * n).map(|k| f(k / n, k % n)).collect()
                };
                let sums = |lo: i64, m: i64, of: std::ops::Range<i64>, f: &dyn Fn(i64, i64) -> i64| -> Option<Vec<f64>> {
                    (0..m)
                        .map(|i| {
                            let part: Option<Vec<f64>> = of.clone().map(|j| at(f(i, j))).collect();
                            if i < lo { Some(0.0) } else { part.map(|p| p.iter().fold(0.0, |s, x| s + x)) }
                        })
                        .collect()
                };
                for hi in 0..6i64 {
                    let h = hi as usize;
                    for n in 0..5i64 {
                        let m = n as usize;
                        let all = table(hi, n, &|i, j| at(i * n + j));
                        same(rows(&a, 0, hi, n).map(|y| y.to_dense()), all.clone());
                        same(listed(&a, h, n as u16).map(|y| y.to_dense()), all.clone());
                        same(columns(&a, h, m).map(|y| y.to_dense()), all);
                        let inside = table(hi, n, &|i, j| {
                            if i * n + j < len as i64 { at(i * n + j) } else { Some(0.0) }
                        });
                        same(guarded(&a, h, len as i64, m).map(|y| y.to_dense()), inside);
                        same(at_once(&a, h, m).map(|y| y.to_dense()), sums(0, hi, 0..n, &|i, j| i * n + j));
                        let cube = table(2 * hi, n, &|hi, j| at(hi * n + j));
                        same(cubes(&a, 2, h, m).map(|y| y.to_dense()), cube);
                    }
                    same(moved(&a, 0, hi).map(|y| y.to_dense()), sums(0, hi, 0..3, &|i, j| 3 * i + j + 2));
                    same(moved(&a, hi.min(1), hi).map(|y| y.to_dense()), sums(1, hi, 0..3, &|i, j| 3 * i + j + 2));
                    for d in 0..5i64 {
                        let mut expected = sums(1, hi, 0..3, &|i, j| 3 * i + j - d);
                        expected.iter_mut().for_each(|e| e.resize(20, 0.0));
                        same(earlier(&a, d as usize, h).map(|y| y.to_dense()), expected);
                    }
                    let pair = |i: i64| Some(at(2 * i)?.max(at(2 * i + 1)?).max(0.0));
                    same(pairs(&a, h).map(|y| y.to_dense()), (0..hi).map(pair).collect());
                    same(shorter(&a, h).map(|y| y.to_dense()), sums(0, hi, 1..3, &|i, j| 4 * i + j));
                    same(overlapping(&a, h).map(|y| y.to_dense()), sums(0, hi, 0..3, &|i, j| 2 * i + j));
                }
                assert!(rows(&a, -1, 2, 3).is_err());
                assert!(rows(&a, 0, i64::MAX, 3).is_err());
                assert!(rows(&a, 0, 2, i64::MAX / 4).is_err());
            }

            #[test]
            fn groups() {
                for len in [0, 1, 2, 5, 6, 7, 12, 20, 24] {
                    (0..4).for_each(|seed| check(len, seed));
                }
            }
        }
    )*};
}

vectors! {
    dense: Dense<Element<f64>>;
    list: SparseList<Element<f64>>;
    runs: RunList<Element<f64>>;
    sparse_runs: SparseRunList<Element<f64>>;
    band: SparseBand<Element<f64>>;
    blocks: SparseBlockList<Element<f64>>;
    pack_bits: PackBits<Element<f64>>;
    bitmap: Bitmap<Element<f64>>;
}

finch! {
    #![steps(n)]
    fn far(a: &Tensor<SparseList<Element<f64>, u64>>, m: usize, n: &mut u64) -> (s: DenseVec<f64>[1]) {
        for i in 0..m { for j in 0..m { s[0] += a[i * m + j] } }
    }
}

#[test]
fn groups_that_are_written_out_visit_what_is_stored() {
    let m = 1_000_000;
    let a = Tensor::from_triplets([m * m], [([5], 1.0), ([m + 3], 2.0), ([m + 4], 2.0)], Refuse);
    let mut n = 0;
    assert_eq!(far(&a.unwrap(), m, &mut n).to_dense(), [5.0]);
    assert!(n <= 10, "{n} steps");
}
