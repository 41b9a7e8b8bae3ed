//! Shape operators in what random kernels made of them.

use looplets::prelude::*;

finch! {
    fn of_known_sizes(x: &SparseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for k { y[k] = collapse(2.0, (a: 2, b: 3) -> k) }
        for k { z[k] = slice(x[0], (i: 5_000_000_000) -> k, (4_999_999_998, 5_000_000_000)) }
    }
    /// Groups of no elements: there is none to look into, and nothing to divide by their size.
    fn last(x: &SparseVec<f64>, n: usize, m: usize, c: &mut f64) -> (rows: DenseVec<i64>) {
        for i { rows[i] += 1; for j { c = split(x[k], k -> (i: n, j: m)) } }
    }
    fn behind(x: &SparseVec<f64>, n: usize, m: usize) -> (y: Csr<f64>) {
        for i, j { y[i, j] = split(slice(x[l], l -> k, (1, 1 + n*m)), k -> (i: n, j: m)) }
    }
    fn runs(x: &Tensor<RunList<Element<f64>>>, n: usize, m: usize) -> (y: DenseMat<f64>) {
        for i, j { y[i, j] = split(slice(x[l], l -> k, (0, 2*n*m, 2)), k -> (i: n, j: m)) }
    }
    /// What `permit` wraps may leave the dimension where it is computed, too.
    fn outside(a: &DenseVec<i64>, n: usize) -> (y: DenseVec<i64>) {
        for i { y[i] = collapse(coalesce(a[permit[window(2, 5)[j]]], 7), (k: 1, j: n) -> i) }
    }
    /// The size of `l` is not that of a window which an index further in moves.
    fn moving(a: &DenseMat<f64>, n: usize) -> (y: DenseMat<f64>) {
        for i, k { y[k, i] = slice(concat((a[r, window(r, r + n)[l]], 0), (r: 2, s: 1) -> i), (l: n) -> k, 0..n) }
    }
    /// A slice of no elements lies behind the last row.
    fn none_of_rows(x: &Tensor<RunList<Element<f64>>>, n: usize, lo: usize, hi: usize, by: usize) -> (c: DenseMat<f64>) {
        for i, j { c[i, j] = slice(split(x[k], k -> (i, r: n)), r -> j, (lo, hi, by)) }
    }
    /// A part of a concat is computed where it is not read, too: its indices are negative there.
    fn beyond(a: &Tensor<Dense<Dense<Element<i32>>>>, c: i32, m: usize, n: usize, s: usize) -> (y: DenseVec<i32>) {
        for i { y[i] = slice(concat((c, slice(a[u / m, u % m], u: n -> z, (0, m, 1))), (x: 2, z: m) -> k), k: 2 + m -> i, (1, s*m + 2, s)) }
    }
}

#[test]
fn groups_that_no_loop_looks_into() {
    for (m, n) in [(3, 1), (1, 3), (2, 3), (1, 1), (4, 2), (2, 2)] {
        for values in [|_| 1.5, |k: usize| k as f64] {
            let all: Vec<f64> = (0..m * n).map(values).collect();
            let x = Tensor::from_dense([m * n], &all).unwrap();
            for (lo, hi) in (0..=n).flat_map(|lo| (lo..=n).map(move |hi| (lo, hi))) {
                for by in 1..4 {
                    let c = none_of_rows(&x, n, lo, hi, by);
                    let row = |i| (lo..hi).step_by(by).map(move |j| i * n + j);
                    let want: Vec<f64> = (0..m).flat_map(row).map(|k| all[k]).collect();
                    assert_eq!((c.shape()[0], c.to_dense()), (m, want));
                }
            }
        }
    }
}

#[test]
fn a_part_beyond_itself() {
    let a = Tensor::from_dense([1, 3], &[7, -8, 9]).unwrap();
    assert_eq!(beyond(&a, 1, 3, 3, 1).to_dense(), [1, 7, -8, 9]);
}

#[test]
fn windows_that_an_index_further_in_moves() {
    let a = Tensor::from_dense([2, 4], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
    assert_eq!(moving(&a, 3).to_dense(), [1.0, 6.0, 0.0, 2.0, 7.0, 0.0, 3.0, 8.0, 0.0]);
}

#[test]
fn groups_of_no_elements() {
    let x = |n| Tensor::from_dense([n], &vec![1.5; n]).unwrap();
    let mut c = 0.25;
    for (n, m) in [(0, 0), (2, 0), (0, 2), (2, 3)] {
        let before = c;
        assert_eq!(last(&x(n * m), n, m, &mut c).to_dense(), vec![1; n]);
        assert_eq!(c, if n * m > 0 { 1.5 } else { before });
        assert_eq!(behind(&x(n * m + 3), n, m).to_dense(), vec![1.5; n * m]);
        let runs = runs(&Tensor::from_dense([2 * n * m], &vec![1.5; 2 * n * m]).unwrap(), n, m);
        assert_eq!((runs.shape(), runs.to_dense()), (vec![n, m], vec![1.5; n * m]));
    }
}

#[test]
fn a_computed_index_may_leave() {
    let a = |n: i64| Tensor::from_dense([n as usize], &(0..n).collect::<Vec<_>>()).unwrap();
    assert_eq!(outside(&a(0), 3).to_dense(), [7, 7, 7]);
    assert_eq!(outside(&a(4), 3).to_dense(), [2, 3, 7]);
}

#[test]
fn sizes_that_are_all_written_fit() {
    let (y, z) = of_known_sizes(&Tensor::from_dense([1], &[0.5]).unwrap());
    assert_eq!((y.to_dense(), z.to_dense()), (vec![2.0; 6], vec![0.5; 2]));
}

// What stands under a loop tells the sizes of its indices, whatever stands first.
finch! {
    fn beside(a: &Csr<f64>, x: &SparseVec<f64>) -> Result<(c: Csr<f64>), Error> {
        for i, j { c[i, j] = a[i, j] * split(x[k], k -> (i, j)) }
    }
    fn in_front(a: &Csr<f64>, x: &SparseVec<f64>) -> Result<(c: Csr<f64>), Error> {
        for i, j { c[i, j] = split(x[k], k -> (i, j)) * a[i, j] }
    }
    fn one_written(a: &Csr<f64>, x: &SparseVec<f64>, m: usize) -> Result<(c: Csr<f64>), Error> {
        for i, j { c[i, j] = split(x[k], k -> (i: m, j)) * a[i, j] }
    }
    fn sums(a: &Csr<f64>, x: &SparseVec<f64>, y: &mut DenseVec<f64>) {
        for i, j { y[j] += split(x[k], k -> (i, j)) + a[i, j] }
    }
    fn where_positive(a: &Csr<f64>, x: &SparseVec<f64>) -> (c: DenseMat<f64>) {
        for i, j { if split(x[k], k -> (i, j)) > 1 { c[i, j] = 2 + a[i, j] } }
    }
    fn defined(a: &Csr<f64>, x: &SparseVec<f64>) -> (c: DenseMat<f64>) {
        for i, j { let s = split(x[k], k -> (i, j)); if s > 1 { let t = s + 1; c[i, j] = t * a[i, j] } }
    }
    fn updated(x: &SparseVec<f64>, c: &mut DenseMat<f64>) {
        for i, j { c[i, j] += split(x[k], k -> (i, j)) }
    }
    fn of_given_sizes(x: &SparseVec<f64>, m: i64, n: usize) -> Result<(c: DenseMat<f64>[m, n]), Error> {
        for i, j { c[i, j] = split(x[k], k -> (i, j)) }
    }
    fn other_statement(a: &Csr<f64>, x: &SparseVec<f64>, z: &DenseVec<f64>) -> (c: DenseVec<f64>, d: DenseVec<f64>) {
        for i { for j { c[i] += split(x[k], k -> (i, j)) * z[j] } for j { d[i] += a[i, j] } }
    }
    fn over_extents(x: &SparseVec<f64>, m: usize, n: usize) -> (c: DenseMat<f64>) {
        for i in 0..m { for j in 0..n { c[i, j] = split(x[k], k -> (i, j)) } }
    }
    /// Each is told by the operator behind: `a` of those that are written, then `b` by a division, and so on.
    fn by_operators(x: &SparseVec<f64>, y: &SparseVec<f64>, z: &SparseVec<f64>, n: usize) -> Result<(c: Tensor<Dense<Dense<Dense<Dense<Element<f64>>>>>>), Error> {
        for a, b, p, q { c[a, b, p, q] = split(x[k], k -> (p, q)) + split(y[k], k -> (b, p)) + split(z[k], k -> (a, b)) + slice(x[k], k -> a, (0, n)) }
    }
    /// The `n` further in is another one.
    fn shadowed(x: &SparseVec<f64>, z: &SparseVec<f64>, n: usize) -> (c: DenseMat<f64>) {
        for i, j {
            let s = split(x[k], k -> (i, j: n));
            { let n = 2; c[i, j] = s + split(slice(z[l], l -> k, (n, 6 * n + 2)), k -> (i, j)) }
        }
    }
    fn shadowed_in_front(x: &SparseVec<f64>, z: &SparseVec<f64>, n: usize, s: &mut f64) {
        for i, j {
            { let n = 2; s += split(x[k], k -> (i, j: n)) }
            s += split(z[k], k -> (i: 3, j)) + n
        }
    }
    /// What is moved, or may leave its dimension, tells no size: that of `i` is 2 and that of `j` is written.
    fn moved(x: &SparseVec<f64>, b: &DenseVec<f64>) -> (c: DenseMat<f64>) {
        for i, j { c[i, j] = split(x[k], k -> (i, j: 3)) + coalesce(b[permit[j]], 0) + coalesce(b[permit[i + 1]], 0) + b[window(1, 3)[i]] }
    }
}

#[test]
fn sizes_are_told_by_what_stands_beside() {
    let x = |n| Tensor::from_dense([n], &(0..n).map(|k| k as f64).collect::<Vec<_>>()).unwrap();
    let a = |m: usize, n: usize| Tensor::from_dense([m, n], &vec![2.0; m * n]).unwrap();
    let all = |n: usize, f: fn(f64) -> f64| (0..n).map(|k| f(k as f64)).collect::<Vec<_>>();
    for (m, n) in [(2, 3), (0, 3), (3, 0), (0, 0)] {
        let twice = all(m * n, |v| 2.0 * v);
        for c in [beside(&a(m, n), &x(m * n)), in_front(&a(m, n), &x(m * n))] {
            let c = c.unwrap();
            assert_eq!((c.shape(), c.to_dense()), (vec![m, n], twice.clone()));
        }
        let c = one_written(&a(m, n), &x(m * n), m).unwrap();
        assert_eq!((c.shape(), c.to_dense()), (vec![m, n], twice));
        let mut y = DenseVec::new([n]).unwrap();
        sums(&a(m, n), &x(m * n), &mut y);
        let column = |j| (0..m).map(|i| (i * n + j) as f64 + 2.0).sum();
        assert_eq!(y.to_dense(), (0..n).map(column).collect::<Vec<f64>>());
        let c = where_positive(&a(m, n), &x(m * n));
        assert_eq!(c.to_dense(), all(m * n, |v| if v > 1.0 { 4.0 } else { 0.0 }));
        let c = defined(&a(m, n), &x(m * n));
        assert_eq!(c.to_dense(), all(m * n, |v| if v > 1.0 { 2.0 * (v + 1.0) } else { 0.0 }));
        let mut c = Tensor::from_dense([m, n], &vec![1.0; m * n]).unwrap();
        updated(&x(m * n), &mut c);
        assert_eq!(c.to_dense(), all(m * n, |v| v + 1.0));
        let c = of_given_sizes(&x(m * n), m as i64, n).unwrap();
        assert_eq!((c.shape(), c.to_dense()), (vec![m, n], all(m * n, |v| v)));
        let z = Tensor::from_dense([n], &vec![1.0; n]).unwrap();
        let (c, d) = other_statement(&a(m, n), &x(m * n), &z);
        let row = |i| (0..n).map(|j| (i * n + j) as f64).sum();
        assert_eq!(c.to_dense(), (0..m).map(row).collect::<Vec<f64>>());
        assert_eq!(d.to_dense(), vec![2.0 * n as f64; m]);
        assert_eq!(over_extents(&x(m * n), m, n).to_dense(), all(m * n, |v| v));
    }
    let of_sizes = |result: Result<Csr<f64>, Error>| result.unwrap_err().to_string();
    let not = "`split` to `i`, `j`: 5 elements are not 2 times 3";
    assert_eq!(of_sizes(beside(&a(2, 3), &x(5))), not);
    assert_eq!(of_sizes(in_front(&a(2, 3), &x(5))), not);
    assert_eq!(of_sizes(one_written(&a(2, 3), &x(5), 2)), not);
    assert_eq!(of_given_sizes(&x(5), 2, 3).unwrap_err().to_string(), not);
    let none = "`split` to `i`, `j`: 5 elements are not 0 times 3";
    assert_eq!(of_given_sizes(&x(5), -2, 3).unwrap_err().to_string(), none);
}

#[test]
fn sizes_are_told_by_other_operators() {
    let x = |n| Tensor::from_dense([n], &vec![1.0; n]).unwrap();
    let c = by_operators(&x(4 * 5), &x(3 * 4), &x(2 * 3), 2).unwrap();
    assert_eq!((c.shape(), c.to_dense()), (vec![2, 3, 4, 5], vec![4.0; 2 * 3 * 4 * 5]));
    let refused = by_operators(&x(4 * 5), &x(3 * 4 + 1), &x(2 * 3), 2).unwrap_err();
    assert_eq!(refused.to_string(), "`split` to `b`, `p`: 13 elements cannot be parted by 3");
    let z = Tensor::from_dense([14], &(0..14).map(f64::from).collect::<Vec<_>>()).unwrap();
    let c = shadowed(&x(12), &z, 3);
    assert_eq!((c.shape(), c.to_dense()), (vec![4, 3], (3..15).map(f64::from).collect()));
    let mut s = 0.0;
    shadowed_in_front(&x(6), &x(6), 100, &mut s);
    assert_eq!(s, 12.0 + 600.0);
    let b = Tensor::from_dense([4], &[1.0, 10.0, 100.0, 1000.0]).unwrap();
    assert_eq!(moved(&x(6), &b).to_dense(), [22.0, 31.0, 121.0, 202.0, 211.0, 301.0]);
}
