//! A run or a gap takes as many steps as one statement does, however many read it.

#![allow(deprecated)]

use looplets::conformance::Hostile;
use looplets::prelude::*;

finch! {
    #![strict]
    fn ends(x: &SparseVec<f64>, lo: &mut f64, hi: &mut f64) { for i { lo <<min>>= x[i]; hi <<max>>= x[i] } }
    fn counts(x: &Tensor<RunList<Element<f64>>>, c: &mut u64, d: &mut u64) { for i { c += x[i] >= 0; d += x[i] <= 0 } }
    fn sums(x: &Tensor<RunList<Element<f64>>>, s: &mut f64, q: &mut f64) { for i { s += x[i]; q += x[i] * x[i] } }
    fn chosen(x: &Tensor<RunList<Element<f64>>>, s: &mut f64, c: &mut u64) {
        for i { let t = x[i] / 2; if t > 0.2 { s += t } else { c += 1 } }
    }
    fn after_each_other(x: &Tensor<RunList<Element<f64>>>, s: &mut f64, last: &mut f64) { for i { s += x[i]; last = x[i] } }
}

finch! {
    #![steps(n)]
    fn ends_counted(x: &SparseVec<f64>, lo: &mut f64, hi: &mut f64, n: &mut u64) { for i { lo <<min>>= x[i]; hi <<max>>= x[i] } }
    fn sums_counted(x: &Tensor<RunList<Element<f64>>>, s: &mut f64, q: &mut f64, n: &mut u64) {
        for i { s += x[i]; q += x[i] * x[i] }
    }
    fn named_counted(x: &Tensor<RunList<Element<f64>>>, s: &mut f64, c: &mut u64, n: &mut u64) {
        for i { let t = x[i] / 2; if t > 0.2 { s += t } else { c += 1 } }
    }
    fn rows_counted(a: &Csr<f64>, n: &mut u64) -> (lo: DenseVec<f64>, hi: DenseVec<f64>) {
        for i, j { lo[i] <<min>>= a[i, j]; hi[i] <<max>>= a[i, j] }
    }
}

fn bits(x: f64) -> Option<u64> {
    (!x.is_nan()).then(|| x.to_bits())
}

#[test]
fn what_is_taken_apart_gives_what_a_loop_gives() {
    for n in [0, 1, 2, 5, 65] {
        for seed in 0..30 {
            let values: Vec<f64> = (0..n).map(|k| f64::hostile(k / 4 * 7 + seed)).collect();
            let runs = Tensor::from_dense([n], &values).expect("as long");
            let list = SparseVec::from_dense([n], &values).expect("as long");
            // Whether a zero is stored says which of the two it is.
            let values = list.to_dense();
            let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
            ends(&list, &mut lo, &mut hi);
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            assert_eq!((lo, hi), (least, most), "{values:?}");
            let values = runs.to_dense();
            let (mut c, mut d) = (1, 2);
            counts(&runs, &mut c, &mut d);
            let count = |f: &dyn Fn(&&f64) -> bool| values.iter().filter(f).count() as u64;
            assert_eq!((c, d), (1 + count(&|x| **x >= 0.0), 2 + count(&|x| **x <= 0.0)));
            let (mut s, mut q) = (0.5, 0.25);
            sums(&runs, &mut s, &mut q);
            let sum = values.iter().fold(0.5, |s, x| s + x);
            let squares = values.iter().fold(0.25, |s, x| s + x * x);
            assert_eq!((bits(s), bits(q)), (bits(sum), bits(squares)), "{values:?}");
            let (mut s, mut c) = (0.5, 0);
            chosen(&runs, &mut s, &mut c);
            let large: Vec<f64> = values.iter().map(|x| x / 2.0).filter(|t| *t > 0.2).collect();
            assert_eq!(bits(s), bits(large.iter().fold(0.5, |s, t| s + t)));
            assert_eq!(c, (values.len() - large.len()) as u64);
            let (mut s, mut last) = (0.5, 7.0);
            after_each_other(&runs, &mut s, &mut last);
            assert_eq!(
                (bits(s), bits(last)),
                (bits(sum), bits(values.last().copied().unwrap_or(7.0)))
            );
        }
    }
}

#[test]
fn a_run_and_a_gap_are_one_step() {
    let x = SparseVec::from_triplets([1000], [([3], 3.0), ([7], -1.5)], Refuse).expect("in order");
    let (mut lo, mut hi, mut n) = (0.0, 0.0, 0);
    ends_counted(&x, &mut lo, &mut hi, &mut n);
    assert_eq!((lo, hi), (-1.5, 3.0));
    assert!(n <= 4, "{n} steps");
    let mut values = vec![1.5; 1000];
    values[999] = -2.0;
    let x = Tensor::from_dense([1000], &values).expect("as long");
    let (mut s, mut q, mut n) = (0.0, 0.0, 0);
    sums_counted(&x, &mut s, &mut q, &mut n);
    assert_eq!((s, q), (1496.5, 2251.75));
    assert!(n <= 4, "{n} steps");
    let (mut s, mut c, mut n) = (0.0, 0, 0);
    named_counted(&x, &mut s, &mut c, &mut n);
    assert_eq!((s, c), (999.0 * 0.75, 1));
    assert!(n <= 4, "{n} steps");
    let entries = (0..10).map(|i| ([i, i * 7], i as f64 - 4.5));
    let a = Tensor::from_triplets([10, 1000], entries, Refuse).expect("in order");
    let mut n = 0;
    let (lo, hi) = rows_counted(&a, &mut n);
    assert_eq!((lo.get([2]), hi.get([8])), (Some(-2.5), Some(3.5)));
    assert!(n <= 40, "{n} steps");
}
