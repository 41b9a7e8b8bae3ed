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
