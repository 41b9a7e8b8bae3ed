//! Rows that are chosen by data, `a[p[i], j]`: found once in front of the loop along them. Values are those of looking up each element, and a
//! row that is not there is an error only where an element of it is read.

// Some of these programs go through all there is.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

level! { type Hyper<T> = Tensor<SparseList<SparseList<Element<T>>>>; }
level! { type RunRows<T> = Tensor<Dense<RunList<Element<T>>>>; }
level! { type BitRows<T> = Tensor<Dense<Bitmap<Element<T>>>>; }
level! { type Trees<T> = Tensor<Dense<Bst<Element<T>>>>; }
level! { type CubeOf<T> = Tensor<Dense<SparseList<SparseList<Element<T>>>>>; }

kernels! {
    fn rows(a: &Csr<f64>, p: &DenseVec<usize>) -> (c: DenseMat<f64>) { c[i, j] = a[p[i], j] };;
    fn stored_rows(a: &Csr<f64>, p: &DenseVec<u8>) -> (c: Csr<f64>) { c[i, j] = a[p[i], j] };;
    fn hyper_rows(a: &Hyper<f64>, p: &DenseVec<i32>) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] };;
    fn run_rows(a: &RunRows<f64>, p: &DenseVec<usize>) -> (c: RunRows<f64>) { for i, j { c[i, j] = a[p[i], j] } };;
    fn bit_rows(a: &BitRows<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { y[i] <<min>>= a[p[i], j] };;
    fn tree_rows(a: &Trees<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] * j }
}

kernels! {
    fn columns(a: &Csc<f64>, p: &DenseVec<usize>) -> (c: Csc<f64>) { c[i, j] = a[i, p[j]] };;
    fn twice(a: &Csr<f64>, p: &DenseVec<usize>, q: &DenseVec<usize>) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] * a[q[i], j] };;
    fn of_one_index(a: &Csr<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] * a[p[i], j] - a[p[i], j] };;
    fn beside(a: &Csr<f64>, b: &Csr<f64>, p: &DenseVec<usize>) -> (c: Csr<f64>) { c[i, j] = a[p[i], j] + b[i, j] };;
    fn with_columns(a: &Csr<f64>, d: &DenseMat<f64>, p: &DenseVec<usize>) -> (c: DenseMat<f64>) { c[i, k] += a[p[i], j] * d[j, k] }
}

kernels! {
    fn led(a: &Csr<f64>, p: &SparseVec<usize>) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] };;
    fn chosen(a: &Csr<f64>, p: &DenseVec<usize>, m: &DenseVec<bool>) -> (y: DenseVec<f64>) { for i, j { if m[i] { y[i] += a[p[i], j] } else { y[i] -= 1 } } };;
    fn named(a: &Csr<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { for i { let r = p[i]; for j { y[i] += a[r, j] } } };;
    fn one_based(a: &Csr<f64>, p: &DenseVec<u32>) -> (y: DenseVec<f64>) { y[i] += a[p[i] - 1, j] };;
    fn moved(a: &Csr<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { for i, j { y[i] += a[p[i] / 2, j] } };;
    fn chain(a: &Csr<f64>, p: &DenseVec<usize>, q: &DenseVec<usize>) -> (y: DenseVec<f64>) { y[i] += a[p[q[i]], j] };;
    fn in_a_cube(t: &CubeOf<f64>, p: &DenseVec<usize>) -> (c: DenseMat<f64>) { c[i, k] += t[p[i], j, k] };;
    fn side_by_side(a: &Csr<f64>, p: &DenseVec<usize>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[p[i], j] } } };;
    fn written_too(p: &mut DenseVec<usize>, a: &Csr<f64>, y: &mut DenseVec<f64>) { for i, j { y[i] += a[p[i], j]; p[i] <<min>>= j } };;
    fn of_a_scalar(a: &Csr<f64>, y: &mut DenseVec<f64>) { for i { let mut r: usize; for j { y[i] += a[r, j]; if j < i { r = j } } } }
}

#[test]
fn values_are_those_of_rows() {
    for shape @ [m, n] in SHAPES {
        for kind in 0..KINDS {
            let a: Csr<f64> = matrix(kind, shape);
            let choose = |many: usize, of: usize, by: usize| -> Vec<usize> {
                (0..many).map(|k| (k * by + kind) % of.max(1)).collect()
            };
            let rows_of = if m == 0 { 0 } else { 5 };
            let some = choose(rows_of, m, 3);
            let p: DenseVec<usize> = Tensor::from_dense([rows_of], &some).expect("rows");
            let q: DenseVec<usize> =
                Tensor::from_dense([rows_of], &choose(rows_of, m.min(5), 2)).expect("rows");
            agree!(rows(&a, &p));
            agree!(of_one_index(&a, &p));
            agree!(twice(&a, &p, &q));
            agree!(named(&a, &p));
            agree!(moved(&a, &p));
            agree!(chain(&a, &p, &q));
            agree!(side_by_side(&a, &p));
            let small: Vec<u8> = some.iter().map(|r| *r as u8).collect();
            let small: DenseVec<u8> = Tensor::from_dense([rows_of], &small).expect("rows");
            let after: Vec<u32> = some.iter().map(|r| *r as u32 + 1).collect();
            let after: DenseVec<u32> = Tensor::from_dense([rows_of], &after).expect("rows");
            agree!(one_based(&a, &after));
            agree!(stored_rows(&a, &small));
            let signed: Vec<i32> = some.iter().map(|r| *r as i32).collect();
            let hyper: Hyper<f64> = a.convert().expect("a matrix");
            let signed: DenseVec<i32> = Tensor::from_dense([rows_of], &signed).expect("rows");
            agree!(hyper_rows(&hyper, &signed));
            let runs: RunRows<f64> = a.convert().expect("a matrix");
            agree!(run_rows(&runs, &p));
            let bits: BitRows<f64> = a.convert().expect("a matrix");
            agree!(bit_rows(&bits, &p));
            let trees: Trees<f64> = a.convert().expect("a matrix");
            agree!(tree_rows(&trees, &p));
            let b: Csr<f64> = matrix((kind + 4) % KINDS, [rows_of, n]);
            agree!(beside(&a, &b, &p));
            let d: DenseMat<f64> = matrix((kind + 2) % KINDS, [n, 3]);
            agree!(with_columns(&a, &d, &p));
            if m > 0 {
                let sparse: SparseVec<usize> = p.convert().expect("rows");
                agree!(led(&a, &sparse));
            }
            let ask: Vec<bool> = (0..rows_of).map(|k| k % 2 == kind % 2).collect();
            let ask: DenseVec<bool> = Tensor::from_dense([rows_of], &ask).expect("bits");
            agree!(chosen(&a, &p, &ask));
            let by_columns: Csc<f64> = ByColumns::from_dense(shape, &a.to_dense()).expect("any");
            let along = if n == 0 { 0 } else { 4 };
            let at: DenseVec<usize> =
                Tensor::from_dense([along], &choose(along, n, 5)).expect("at");
            agree!(columns(&by_columns, &at));
            let mut changed = p.clone();
            let mut y: DenseVec<f64> = vector(kind, rows_of);
            // The rows that it comes to are columns too.
            if n <= m {
                agree!(written_too(&mut changed, &a, &mut y));
            }
            let mut y: DenseVec<f64> = vector(kind, n.min(m));
            if n <= m {
                agree!(of_a_scalar(&a, &mut y));
            }
            let cube: CubeOf<f64> =
                Tensor::from_dense([m, n, 2], &[a.to_dense(), a.to_dense()].concat()).expect("any");
            agree!(in_a_cube(&cube, &p));
        }
    }
}

type Id = i64;

finch! {
    /// Elements of `a` are read where `b` stores something alone.
    fn product(a: &Csr<f64>, b: &Csr<f64>, p: &[u64]) -> (y: DenseVec<f64>) { y[i] += b[i, j] * a[p[i], j] }
    fn of_columns(e: &DenseMat<f64>, p: &[u64]) -> (c: DenseMat<f64>) { for i, j { c[i, j] = e[p[i], j] } }
    fn under(a: &Csr<f64>, m: &[bool], p: &[u64]) -> (y: DenseVec<f64>) { for i, j { if m[i] { y[i] += a[p[i], j] } } }
    fn all(a: &Csr<f64>, p: &[u64]) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] }
    fn before(a: &Csr<f64>, p: &[u64]) -> (y: DenseVec<f64>) { y[i] += a[p[i] - 1, j] }
    fn behind(a: &Csr<f64>, p: &[Id]) -> (y: DenseVec<f64>) { y[i] += a[1 + p[i], j] }
    fn or_nothing(a: &Csr<f64>, p: &[u64]) -> (y: DenseVec<f64>) { for i, j { y[i] += coalesce(a[permit[p[i]], j], 0.5) } }
}

#[test]
fn a_row_that_is_not_there_is_an_error_where_it_is_read() {
    let a: Csr<f64> =
        Tensor::from_triplets([2, 3], [([0, 1], 1.5), ([1, 0], -2.25), ([1, 2], 0.5)], Refuse)
            .expect("a matrix");
    let b: Csr<f64> =
        Tensor::from_triplets([3, 3], [([0, 1], 2.0), ([2, 2], 4.0)], Refuse).expect("a matrix");
    let fails = |f: &dyn Fn() -> DenseVec<f64>| {
        let failed = catch_unwind(AssertUnwindSafe(f)).err()?;
        Some(failed.downcast::<String>().map_or_else(|_| String::new(), |text| *text))
    };
    for gone in [2, 3, u64::from(u32::MAX), i64::MAX as u64, 1 << 63, u64::MAX] {
        // The row that `b` stores nothing in, and that `m` leaves out.
        let p = [0, gone, 1];
        assert_eq!(product(&a, &b, &p).to_dense(), [3.0, 0.0, 2.0]);
        assert_eq!(under(&a, &[true, false, true], &p).to_dense(), [1.5, 0.0, -1.75]);
        assert_eq!(or_nothing(&a, &p).to_dense(), [1.5, 1.5, -1.75]);
        let text = fails(&|| all(&a, &p)).expect("an error");
        assert!(text.contains("`a`"), "{text}");
        let read = [gone, 0, 1];
        let text = fails(&|| product(&a, &b, &read)).expect("an error");
        assert!(text.contains("`a`"), "{text}");
        assert!(fails(&|| under(&a, &[true, false, true], &read)).is_some());
    }
    for gone in [0, 3, 4, 1 << 63, u64::MAX] {
        assert!(fails(&|| before(&a, &[1, gone])).is_some(), "{gone}");
    }
    assert_eq!(before(&a, &[2, 1]).to_dense(), [-1.75, 1.5]);
    for gone in [-2, 1, i64::MIN, i64::MAX] {
        assert!(fails(&|| behind(&a, &[0, gone])).is_some(), "{gone}");
    }
    assert_eq!(behind(&a, &[0, -1]).to_dense(), [-1.75, 1.5]);
    // Where there are no columns nothing is read.
    let none: DenseMat<f64> = Tensor::from_dense([2, 0], &[]).expect("a matrix");
    assert_eq!(of_columns(&none, &[9, 0]).shape(), [2, 0]);
    let whole: DenseMat<f64> = Tensor::from_dense([2, 1], &[0.5, -1.5]).expect("a matrix");
    assert_eq!(of_columns(&whole, &[1, 0]).to_dense(), [-1.5, 0.5]);
    assert!(catch_unwind(|| of_columns(&whole, &[1, 2])).is_err());
    let empty: Csr<f64> = Tensor::from_dense([2, 0], &[]).expect("a matrix");
    assert_eq!(all(&empty, &[9, 0]).to_dense(), [0.0, 0.0]);
}

finch! {
    #![steps(n)]
    #![cost(len(i) * len(j))]
    fn counted(a: &Csr<f64>, p: &[usize], n: &mut u64) -> (y: DenseVec<f64>) { y[i] += a[p[i], j] }
}

finch! {
    fn of_fibers(t: &Csf<f64>, f: &SparseVec<bool>, p: &[usize]) -> (s: f64) { if f[k] { s += t[p[i], j, k] } }
    fn of_hashed(t: &Tensor<Hash<Hash<Hash<Element<f64>>>>>, f: &SparseVec<bool>, p: &[usize]) -> (s: f64) { if f[k] { s += t[p[i], j, k] } }
    fn of_matrices(t: &Csf<f64>, p: &[usize]) -> (s: f64) { s += t[p[i], j, k] }
    fn before_the_first(a: &Csr<f64>, m: &Csr<bool>, p: &SparseVec<i32>) -> (c: DenseMat<f64>) { if m[i, j] { c[i, j] = a[p[i] - 1, j] } }
}

finch! {
    fn left_early(e: &Tensor<Dense<Dense<Element<bool, False>>>>, b: &DenseVec<bool>, p: &[usize]) -> (s: bool) { for i, j { s |= b[j]; s |= e[p[i], j] } }
}

/// A loop that is left in its first iteration reads nothing behind the place where it is left.
#[test]
fn what_stands_behind_an_exit_is_not_asked_for() {
    let e = Tensor::from_dense([1, 2], &[false, true]).expect("bits");
    let b =
        |first: bool| -> DenseVec<bool> { Tensor::from_dense([2], &[first, false]).expect("bits") };
    assert!(left_early(&e, &b(true), &[9]));
    assert!(left_early(&e, &b(false), &[0]));
    assert!(catch_unwind(AssertUnwindSafe(|| left_early(&e, &b(false), &[9]))).is_err());
}

/// Of a matrix that is not there, no element is read where a loop within has nothing to do.
#[test]
fn what_is_not_read_is_not_asked_for() {
    let t: Csf<f64> = Tensor::from_dense([1, 1, 1], &[1.5]).expect("a tensor");
    let none: SparseVec<bool> = Tensor::from_dense([1], &[false]).expect("bits");
    let some: SparseVec<bool> = Tensor::from_dense([1], &[true]).expect("bits");
    assert_eq!((of_fibers(&t, &none, &[5]), of_fibers(&t, &some, &[0])), (0.0, 1.5));
    assert!(catch_unwind(AssertUnwindSafe(|| of_fibers(&t, &some, &[5]))).is_err());
    let hashed = Tensor::from_dense([1, 1, 1], &[1.5]).expect("a tensor");
    assert_eq!((of_hashed(&hashed, &none, &[5]), of_hashed(&hashed, &some, &[0])), (0.0, 1.5));
    let flat: Csf<f64> = Tensor::from_dense([5, 3, 0], &[]).expect("a tensor");
    assert_eq!(of_matrices(&flat, &[7, 0]), 0.0);
    assert!(catch_unwind(AssertUnwindSafe(|| of_matrices(&t, &[0, 1]))).is_err());
    let a: Csr<f64> =
        Tensor::from_dense([3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("a matrix");
    let p: SparseVec<i32> = Tensor::from_dense([2], &[2, 0]).expect("rows");
    let mask =
        |bits: [bool; 4]| -> Csr<bool> { Tensor::from_dense([2, 2], &bits).expect("a mask") };
    let first = before_the_first(&a, &mask([true, true, false, false]), &p);
    assert_eq!(first.to_dense(), [3.0, 4.0, 0.0, 0.0]);
    assert_eq!(before_the_first(&a, &mask([false; 4]), &p).to_dense(), [0.0; 4]);
    assert!(catch_unwind(AssertUnwindSafe(|| before_the_first(&a, &mask([true; 4]), &p))).is_err());
}

#[test]
fn a_row_takes_what_it_stores() {
    let stored = (0..50).map(|k| ([k % 10, 7 * k % 1000], 0.5));
    let a: Csr<f64> = Tensor::from_triplets([10, 1000], stored, Refuse).expect("a matrix");
    let mut steps = 0;
    let y = counted(&a, &[3, 3, 9], &mut steps);
    assert_eq!(y.to_dense(), [2.5, 2.5, 2.5]);
    assert!(steps < 40, "{steps}");
}
