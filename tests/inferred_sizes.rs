//! Sizes of results that one of several loops gives, and loops and workspaces that have theirs from there.

#![allow(deprecated)]

use looplets::prelude::*;

type Cube = Tensor<Dense<Dense<SparseList<Element<i64>>>>>;

finch! {
    fn moved(x: &SparseVec<f64>, b: &SparseVec<f64>) -> (c: DenseVec<f64>) { c[k] = x[k]; c[k] += coalesce(b[permit[k + 1]], 0) }
    fn moved_in_loops(a: &DenseVec<i64>, x: &DenseVec<i64>) -> (c: DenseVec<i64>) { for i { c[i] = a[i] } for i { c[i] += coalesce(x[permit[i + 1]], 0) } }
    fn of_another(a: &DenseVec<i64>, x: &DenseVec<i64>) -> (c: DenseVec<i64>, d: DenseVec<i64>) {
        for i { c[i] = a[i] }
        for i { for j { c[i] += x[j]; d[i] += x[j] } }
    }
    fn scattered(a: &Csr<i64>, m: usize, l: usize, n: usize) -> (c: Tensor<Dense<Dense<SparseList<Element<i64>>>>>[m, l, n]) { c[j, k, i] = a[i, j] }
    fn branches(x: &SparseVec<i64>, b: &Csr<i64>, nk: usize, ni: usize, nj: usize) -> (c: Tensor<Dense<Dense<SparseList<Element<i64>>>>>[nk, ni, nj]) {
        if x[j] > 1 { c[k, i, j] = x[j] } else { c[k, i, j] += b[j, k] }
    }
}

#[test]
fn one_loop_gives_the_size_of_another() {
    let x = SparseVec::from_dense([3], &[1.0, 0.0, -0.5]).unwrap();
    for size in [0, 1, 3, 5] {
        let all: Vec<f64> = (0..size).map(|i| i as f64 + 0.25).collect();
        let b = SparseVec::from_dense([size], &all).unwrap();
        let next = |k: usize| all.get(k + 1).copied().unwrap_or(0.0);
        let expected: Vec<f64> =
            [1.0, 0.0, -0.5].iter().enumerate().map(|(k, x)| x + next(k)).collect();
        assert_eq!(moved(&x, &b).to_dense(), expected);
    }
    let (a, x) = (
        DenseVec::from_dense([4], &[1_i64, 2, 3, 4]).unwrap(),
        DenseVec::from_dense([3], &[10_i64, 20, 30]).unwrap(),
    );
    assert_eq!(moved_in_loops(&a, &x).to_dense(), [21, 32, 3, 4]);
    let (c, d) = of_another(&a, &x);
    assert_eq!((c.to_dense(), d.to_dense()), (vec![61, 62, 63, 64], vec![60; 4]));
}

#[test]
fn workspaces_have_the_sizes_of_the_header() {
    let a = Csr::<i64>::from_dense([2, 3], &[0, 5, 0, 7, 0, 9]).unwrap();
    let c: Cube = scattered(&a, 3, 2, 2);
    let at = |i: usize, j: usize, k: usize, c: &Cube| c.to_dense()[(i * 2 + j) * 2 + k];
    for (j, k, i) in (0..3).flat_map(|j| (0..2).flat_map(move |k| (0..2).map(move |i| (j, k, i)))) {
        assert_eq!(at(j, k, i, &c), a.to_dense()[i * 3 + j], "{j} {k} {i}");
    }
    let x = SparseVec::from_dense([2], &[3_i64, 1]).unwrap();
    let b = Csr::<i64>::from_dense([2, 3], &[0, 5, 0, 7, 0, 9]).unwrap();
    let c: Cube = branches(&x, &b, 3, 2, 2);
    for (k, i, j) in (0..3).flat_map(|k| (0..2).flat_map(move |i| (0..2).map(move |j| (k, i, j)))) {
        let expected = if j == 0 { 3 } else { b.to_dense()[j * 3 + k] };
        assert_eq!(at(k, i, j, &c), expected, "{k} {i} {j}");
    }
}
