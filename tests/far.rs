//! Amounts that move an index beyond the range of coordinates, where both ends of what a loop reads are cut to one.

// Sums of few small numbers.
#![allow(deprecated)]

use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

finch! {
    fn moved(x: &DenseVec<u8>, d: usize, n: usize) -> (y: DenseVec<u8>) { for i in 0..n { y[i] = x[i + d] } }
    fn back(x: &DenseVec<u8>, d: i64, n: usize) -> (y: DenseVec<u8>) { for i in 0..n { y[i] = x[i + d] } }
    fn from(x: &DenseVec<u8>, a: usize, b: usize) -> (s: DenseVec<u64>[1]) { for i in a..b { s[0] += u64::from(x[i + 2]) } }
    fn updated(x: &mut DenseVec<u8>, d: usize, n: usize) { for i in 0..n { x[i + d] = 7 } }
    fn written(x: &DenseVec<u8>, d: i64) -> (y: DenseVec<u8>[9]) { for i { y[i + d] = x[i] } }
    fn offsets(x: &DenseVec<u8>, d: i64, n: usize, s: &mut u8) { for i in 0..n { s += x[offset(d)[i]] } }
    fn windows(x: &DenseVec<u8>, d: usize, s: &mut u8) { for i in 0..3 { s += x[window(d, d + 3)[i]] } }
    fn rows(x: &Tensor<Dense<Dense<Element<u8>>>>, d: usize, n: usize, s: &mut u8) {
        for i in 0..n { for j { s += x[i + d, j] } }
    }
    fn at_once(x: &DenseVec<u8>, d: usize, n: usize) -> (y: DenseVec<u8>) {
        parallel for i in 0..n { y[i] = x[i + d] }
    }
    fn runs(x: &Tensor<RunList<Element<u8>>>, d: i64, n: usize, s: &mut u8) { for i in 0..n { s += x[i + d] } }
    fn lists(x: &SparseVec<u8>, d: i64, n: usize, s: &mut u8) { for i in 0..n { s += x[i + d] } }
    fn trees(x: &Tensor<BitTree<Element<u8>>>, d: i64, n: usize, s: &mut u8) { for i in 0..n { s += x[i + d] } }
    fn strided(x: &DenseVec<u8>, d: usize, n: usize, s: &mut u8) { for i in 0..n { s += x[2 * i + d] } }
    fn nested(x: &DenseVec<u8>, d: usize, n: usize, s: &mut u8) {
        for i in 0..n { for j in i..i + 2 { s += x[j + d] } }
    }
}

/// Whether it is refused for its size, and not by a check of a single element.
fn refused<R>(f: impl FnOnce() -> R) -> bool {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else { return false };
    let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(text.contains("has size"), "{text}");
    true
}

#[test]
fn what_is_moved_beyond_all_coordinates_is_outside() {
    let values = [1, 2, 3, 4, 5];
    let x = DenseVec::from_dense([5], &values).unwrap();
    let (list, runs_of) =
        (Tensor::from_dense([5], &values).unwrap(), Tensor::from_dense([5], &values).unwrap());
    let tree = Tensor::from_dense([5], &values).unwrap();
    let square = Tensor::from_dense([5, 1], &values).unwrap();
    let mut s = 0;
    for d in [1 << 61, (1 << 61) - 2, (1 << 61) + 1, 1 << 62, usize::MAX - 1, usize::MAX] {
        for n in [1, 3] {
            assert!(refused(|| moved(&x, d, n)), "{d}");
            assert!(refused(|| at_once(&x, d, n)));
            assert!(refused(|| updated(&mut x.clone(), d, n)));
            assert!(refused(|| rows(&square, d, n, &mut s)));
            assert!(refused(|| strided(&x, d, n, &mut s)));
            assert!(refused(|| nested(&x, d, n, &mut s)));
        }
        assert!(refused(|| windows(&x, d, &mut s)));
        assert_eq!(moved(&x, d, 0).to_dense(), []);
    }
    let far = [
        i64::MIN,
        -(1 << 62),
        -(1 << 61) - 2,
        -(1 << 61) - 1,
        -(1 << 61),
        -(1 << 61) + 1,
        -6,
        i64::MAX,
        1 << 61,
    ];
    for d in far {
        for n in [1, 3] {
            assert!(refused(|| back(&x, d, n)), "{d}");
            assert!(refused(|| offsets(&x, d, n, &mut s)));
            assert!(refused(|| runs(&runs_of, d, n, &mut s)), "{d} {n}");
            assert!(refused(|| lists(&list, d, n, &mut s)));
            assert!(refused(|| trees(&tree, d, n, &mut s)));
        }
        assert!(refused(|| written(&x, d)));
        lists(&list, d, 0, &mut s);
    }
    assert!(refused(|| from(&x, (1 << 61) - 2, (1 << 61) - 1)));
    assert_eq!(s, 0);
    assert_eq!(moved(&x, 2, 3).to_dense(), [3, 4, 5]);
}
