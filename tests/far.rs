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

finch! {
    fn alone(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[i + h - g - s]], 0) }
    fn leading(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) {
        for j in 0..3, l in 0..2, i { y[i] |= coalesce(x[permit[-g + 2 - s + 3 * j + h + 3 * l + i]], 0) }
    }
    fn inner(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[i + (h - g) - (s - 1)]], 0) }
    fn behind(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) {
        for i in 0..n, j in 0..3 { y[i] |= coalesce(x[permit[-(g - i) + 2 * j + (h - s)]], 0) }
    }
    fn listed(x: &SparseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[h + i - g - s]], 0) }
    fn of_runs(x: &Tensor<RunList<Element<u8>>>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) {
        for j in 0..2, i { y[i] |= coalesce(x[permit[h + j - (g - i) - s]], 0) }
    }
    fn defined(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) {
        for i { let d = h + i; y[i] = coalesce(x[permit[d - g - s]], 0) }
    }
    fn loaded(x: &DenseVec<u8>, p: &[i64], q: &[i64], s: isize) -> (y: DenseVec<u8>) { y[i] = coalesce(x[permit[p[i] - q[i] - s + i]], 0) }
    fn doubled(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[i + 2 * h - g - h - s]], 0) }
    fn factored(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[i + 2 * (h - s) - h - g + s]], 0) }
    fn negated(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[-1 * g + i + h - s]], 0) }
    fn wide(x: &DenseVec<u8>, h: i128, g: i128, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[4 + h + i - g - s - 4]], 0) }
    fn twice(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[offset(g + s)[offset(-h)[i]]]], 0) }
    fn put(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[2 * n + 40]) { for i { y[i + h - g + 20 - s] = x[i] } }
    fn through(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[offset(s + g - h)[i]]], 0) }
    fn ranged(x: &DenseVec<u8>, h: i64, g: i64, s: isize, n: usize) -> (y: DenseVec<u8>[n]) {
        for i in 0..n, j in h - g - s..h - g - s + 2 { y[i] |= coalesce(x[permit[i + j]], 0) }
    }
}

/// Numbers beyond all coordinates whose difference is small are that difference.
#[test]
fn amounts_that_cancel_move_by_what_is_left() {
    let values = [1, 2, 3, 4, 5, 6, 7];
    let x = DenseVec::from_dense([7], &values).unwrap();
    let (list, runs) =
        (Tensor::from_dense([7], &values).unwrap(), Tensor::from_dense([7], &values).unwrap());
    let all = |h, g, s| {
        [
            alone(&x, h, g, s, 7),
            leading(&x, h, g, s, 7),
            inner(&x, h, g, s, 7),
            behind(&x, h, g, s, 7),
            listed(&list, h, g, s, 7),
            of_runs(&runs, h, g, s, 7),
            defined(&x, h, g, s, 7),
            loaded(&x, &[h; 7], &[g; 7], s),
            doubled(&x, h, g, s, 7),
            factored(&x, h, g, s, 7),
            negated(&x, h, g, s, 7),
            wide(&x, h.into(), g.into(), s, 7),
            twice(&x, h, g, s, 7),
            put(&x, h, g, s, 7),
            through(&x, h, g, s, 7),
            ranged(&x, h, g, s, 7),
        ]
        .map(|y| y.to_dense())
    };
    let ends = [
        i64::MIN + 10,
        -(1 << 62),
        -(1 << 61) - 1,
        -(1 << 61),
        1 << 61,
        (1 << 61) + 3,
        1 << 62,
        i64::MAX - 10,
    ];
    for h in ends {
        for d in -9..10 {
            assert_eq!(all(h, h - d, 0), all(d, 0, 0), "{h} {d}");
            assert_eq!(all(d, h, -h as isize), all(d, 0, 0), "{h} {d}");
        }
    }
}

finch! {
    fn minus_first(x: &DenseVec<u8>, s: usize, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[-s + i]], 9) }
    fn minus_and_more(x: &SparseVec<u8>, s: u64, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = x[-s + 3 + i] }
    fn minus_ids(x: &DenseVec<u8>, ids: &[u64], s: u64) -> (y: DenseVec<u8>) { y[i] = coalesce(x[permit[ids[i] - s]], 9) }
    fn minus_product(x: &DenseVec<u8>, s: u32, n: usize) -> (y: DenseVec<u8>[n]) { y[i] = coalesce(x[permit[-1 * s + i]], 9) }
}

/// What is taken away from a position may have a type without negative numbers.
#[test]
fn amounts_without_a_sign_are_taken_away() {
    let x = DenseVec::from_dense([7], &[1, 2, 3, 4, 5, 6, 7]).unwrap();
    let list = Tensor::from_dense([7], &[1, 2, 3, 4, 5, 6, 7]).unwrap();
    assert_eq!(minus_first(&x, 2, 4).to_dense(), [9, 9, 1, 2]);
    assert_eq!(minus_product(&x, 2, 4).to_dense(), [9, 9, 1, 2]);
    assert_eq!(minus_and_more(&list, 2, 4).to_dense(), [2, 3, 4, 5]);
    let far = u64::MAX - 20;
    assert_eq!(minus_ids(&x, &[far + 1, far - 1, far + 6, 0], far).to_dense(), [2, 9, 7, 9]);
    assert_eq!(minus_ids(&x, &[3, u64::MAX], 4).to_dense(), [9, 9]);
}
