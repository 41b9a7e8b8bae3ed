//! What kernels with shape operators refuse when they are called, and in which words: they name the operator, what it
//! makes, sizes, and the tensors that these are of. What literals alone tell is refused by the compiler.

use looplets::prelude::*;
use std::fmt::Debug;

finch! {
    fn parted(x: &SparseVec<f64>, n: i64) -> Result<(y: Csr<f64>), Error> {
        for i, j { y[i, j] = split(x[k], k -> (i, j: n)) }
    }
    fn of_both(x: &SparseVec<f64>, m: u64, n: i128) -> Result<(y: DenseMat<f64>), Error> {
        for i, j { y[i, j] = split(x[k], k -> (i: m, j: n)) }
    }
    fn like(x: &SparseVec<f64>, b: &Csr<f64>) -> Result<(y: Csr<f64>), Error> {
        for i, j { y[i, j] = b[i, j] + split(x[k], k -> (i, j)) }
    }
    fn reshaped(a: &Csr<f64>, n: usize) -> Result<(y: Csr<f64>), Error> {
        for k, l { y[k, l] = reshape(a[i, j], (i, j) -> (k, l: n)) }
    }
    fn cut(x: &SparseVec<f64>, lo: i64, hi: u64, by: i128) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = slice(x[i], i -> k, (lo, hi, by)) }
    }
    fn cut_both(x: &SparseVec<f64>, z: &DenseVec<f64>, n: usize) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = slice(x[i] * z[i], i -> k, 0..n) }
    }
    fn cut_beside(x: &SparseVec<f64>, z: &SparseVec<f64>, n: usize) -> Result<(y: DenseVec<f64>), Error> {
        for k { y[k] = slice(x[i], i -> k, 0..n) * z[k] }
    }
    fn of_written_size(x: &SparseVec<f64>, m: usize, n: usize) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = slice(x[i], (i: m) -> k: n, (0, 2)) }
    }
    fn moved(x: &SparseVec<f64>, n: usize) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = slice(x[i + 1], (i: 6) -> k, 0..n) }
    }
    fn padded(x: &SparseVec<f64>, front: i64, behind: u64) -> Result<(y: DenseVec<f64>), Error> {
        for k { y[k] = concat((1, x[i], 2), (p: front, i, q: behind) -> k) }
    }
    fn constant(p: u64, q: u64, r: u64) -> Result<(y: Tensor<RunList<Element<f64>>>), Error> {
        for k { y[k] = concat((1, 2, 3, 4), (i: p, j: q, k2: r, l: 3) -> k) }
    }
    fn repeated(x: &SparseVec<f64>, m: u64, n: i32) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = collapse(x[i], (r: m, i, s: n) -> k) }
    }
    fn stacked(a: &Csr<f64>, b: &Csr<f64>) -> Result<(y: Csr<f64>), Error> {
        for r, c { y[r, c] = concat((a[i, c], b[j, c]), (i, j) -> r) }
    }
    fn into(x: &SparseVec<f64>) -> Result<(y: DenseVec<f64>[5]), Error> {
        for k { y[k] = concat((x[i], 1), (i, p: 1) -> k) }
    }
    fn two_parts(x: &SparseVec<f64>, n: usize) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = slice(x[i], i -> k, (0, 2)) + slice(x[i], i -> k, (1, n)) }
    }
    fn some(x: &SparseVec<f64>, lo: i64, hi: i64) -> Result<(y: DenseVec<f64>[9]), Error> {
        for k in lo..hi { y[k] = slice(x[i], i -> k, (1, 4)) }
    }
    fn triangle(x: &SparseVec<f64>, n: i64) -> Result<(y: DenseVec<f64>), Error> {
        for i { for j in 0..i + n { y[i] += split(x[k], k -> (i, j: 3)) } }
    }
    fn rolled(x: &SparseVec<f64>, n: usize, s: usize) -> Result<(y: SparseVec<f64>), Error> {
        for k { y[k] = concat((x[window(n - s, n)[i]], x[window(0, n - s)[j]]), (i, j) -> k) }
    }
}

finch! {
    fn windowed(x: &SparseVec<f64>, lo: usize, hi: usize) -> Result<(y: DenseVec<f64>), Error> {
        for k { y[k] = concat((x[window(lo, hi)[i]], 5), (i, p: 2) -> k) }
    }
}

fn x(n: usize) -> SparseVec<f64> {
    Tensor::from_dense([n], &vec![1.5; n]).unwrap()
}

fn csr(m: usize, n: usize) -> Csr<f64> {
    Tensor::from_dense([m, n], &vec![1.5; m * n]).unwrap()
}

/// The text of an error.
fn said<L: Level<Value: Debug>>(made: Result<Tensor<L>, Error>) -> String {
    made.expect_err("refused").to_string()
}

#[test]
fn of_parts() {
    assert_eq!(said(parted(&x(6), 4)), "`split` to `i`, `j`: 6 elements cannot be parted by 4");
    assert_eq!(said(parted(&x(6), 0)), "`split` to `i`, `j`: 6 elements cannot be parted by 0");
    assert_eq!(
        said(parted(&x(0), 0)),
        "`split` to `i`, `j`: 0 elements parted by 0 do not tell the size of `i`: write it, `i: n`"
    );
    assert_eq!(
        said(parted(&x(6), -3)),
        "`split` to `i`, `j`: `j` is of size -3, and sizes lie within 0..2^61"
    );
    assert_eq!(
        said(parted(&x(6), i64::MAX)),
        "`split` to `i`, `j`: `j` is of size 2^61 or more, and sizes lie within 0..2^61"
    );
    assert_eq!(parted(&x(6), 3).unwrap().shape(), [2, 3]);
    assert_eq!(said(of_both(&x(6), 2, 4)), "`split` to `i`, `j`: 6 elements are not 2 times 4");
    let far = 1 << 40;
    assert_eq!(
        said(of_both(&x(6), far, i128::from(far))),
        format!("`split` to `i`, `j`: 6 elements are not {far} times {far}")
    );
    assert_eq!(
        said(of_both(&x(0), u64::MAX, 0)),
        "`split` to `i`, `j`: `i` is of size 2^61 or more, and sizes lie within 0..2^61"
    );
    assert_eq!(
        said(of_both(&x(0), 0, i128::MIN)),
        "`split` to `i`, `j`: `j` is of size -2^61 or less, and sizes lie within 0..2^61"
    );
    assert_eq!(said(like(&x(6), &csr(2, 2))), "`split` to `i`, `j`: 6 elements are not 2 times 2");
    assert_eq!(
        said(reshaped(&csr(2, 3), 4)),
        "`reshape` to `k`, `l`: 6 elements cannot be parted by 4"
    );
}

#[test]
fn of_slices() {
    let no_part =
        |range: &str| format!("`slice` to `k`: {range} is no part of a dimension of size 6");
    assert_eq!(said(cut(&x(6), 2, 7, 2)), no_part("2..7"));
    assert_eq!(said(cut(&x(6), 4, 2, 1)), no_part("4..2"));
    assert_eq!(said(cut(&x(6), -1, 2, 1)), no_part("-1..2"));
    assert_eq!(said(cut(&x(6), 0, u64::MAX, 1)), no_part("0..2^61 or more"));
    assert_eq!(said(cut(&x(6), i64::MIN, 2, 1)), no_part("-2^61 or less..2"));
    let step =
        |by: &str| format!("`slice` to `k`: its step is {by}, and a slice has a step of 1 or more");
    assert_eq!(said(cut(&x(6), 0, 6, 0)), step("0"));
    assert_eq!(said(cut(&x(6), 0, 6, -1)), step("-1"));
    assert_eq!(said(cut(&x(6), 0, 6, i128::MIN)), step("-2^61 or less"));
    assert_eq!(cut(&x(6), 0, 6, i128::MAX).unwrap().shape(), [1]);
    assert_eq!(
        said(cut_both(&x(6), &DenseVec::new([5]).unwrap(), 2)),
        "`slice` to `k`: `i` is of size 6 by dimension 0 of `x`, and of size 5 by dimension 0 of `z`"
    );
    assert_eq!(
        said(of_written_size(&x(6), 5, 2)),
        "`slice` to `k`: `i` is of size 5 by the size that is written, and of size 6 by dimension 0 of `x`"
    );
    assert_eq!(
        said(of_written_size(&x(6), 6, 3)),
        "`slice` to `k`: `k` is of size 2, and 3 is written"
    );
    assert_eq!(of_written_size(&x(6), 6, 2).unwrap().shape(), [2]);
    assert_eq!(
        said(moved(&x(6), 6)),
        "`x` has size 6 in dimension 0, but the loop over `k` reads or writes it at 1..7"
    );
}

#[test]
fn of_what_stands_one_behind_the_other() {
    let below = "`concat` to `k`: `p` is of size -1, and sizes lie within 0..2^61";
    assert_eq!(said(padded(&x(2), -1, 1)), below);
    let beyond = "`concat` to `k`: `q` is of size 2^61 or more, and sizes lie within 0..2^61";
    assert_eq!(said(padded(&x(2), 1, 1 << 61)), beyond);
    assert_eq!(padded(&x(2), 1, 1).unwrap().to_dense(), [1.0, 1.5, 1.5, 2.0]);
    // What each is can be counted, but not all together.
    let n = 1 << 60;
    assert_eq!(
        said(constant(n, n, n)),
        format!("`concat` to `k`: {n} plus {n} plus {n} plus 3 are more elements than an index can count")
    );
    assert_eq!(
        said(stacked(&csr(1, 2), &csr(1, 3))),
        "`b` has size 3 in dimension 1, but index `c` runs over 0..2 (from `a`, dimension 1)"
    );
    assert_eq!(
        said(rolled(&x(3), 3, 5)),
        "`concat` to `k`: `j` is of size -2 by its window, which ends before it starts"
    );
    assert_eq!(
        said(windowed(&x(3), 2, 1)),
        "`concat` to `k`: `i` is of size -1 by its window, which ends before it starts"
    );
    assert_eq!(windowed(&x(3), 2, 3).unwrap().to_dense(), [1.5, 5.0, 5.0]);
    assert_eq!(
        said(repeated(&x(1), n, 4)),
        format!("`collapse` to `k`: {n} times 1 times 4 are more elements than an index can count")
    );
    assert_eq!(
        said(repeated(&x(1), 1, -4)),
        "`collapse` to `k`: `s` is of size -4, and sizes lie within 0..2^61"
    );
    assert_eq!(repeated(&x(0), n, 4).unwrap().shape(), [0]);
}

#[test]
fn of_loops() {
    assert_eq!(
        said(cut_beside(&x(6), &x(6), 2)),
        "`slice` to `k`: `k` is of size 2, and of size 6 by dimension 0 of `z`"
    );
    assert_eq!(
        said(into(&x(3))),
        "`concat` to `k`: `k` is of size 4, and of size 5 by dimension 0 of `y`"
    );
    assert_eq!(
        said(two_parts(&x(6), 4)),
        "`slice` to `k`: `k` is of size 3, and of size 2 by `slice` to `k`"
    );
    assert_eq!(two_parts(&x(6), 3).unwrap().to_dense(), [3.0, 3.0]);
    assert_eq!(
        said(some(&x(5), 0, 4)),
        "`slice` to `k`: `k` is of size 3, and its loop runs over 0..4"
    );
    assert_eq!(
        said(some(&x(5), 2, 6)),
        "`slice` to `k`: `k` is of size 3, and its loop runs over 2..6"
    );
    // A loop that does not run leaves nothing.
    assert_eq!(some(&x(5), 7, 7).unwrap().stored(), 9);
}

/// A loop over what `split` makes may end where a loop around it says.
#[test]
fn of_loops_within_others() {
    let (y, z) = (triangle(&x(9), 1).unwrap(), triangle(&x(9), -1).unwrap());
    assert_eq!((y.to_dense(), z.to_dense()), (vec![1.5, 3.0, 4.5], vec![0.0, 0.0, 1.5]));
    assert_eq!(
        said(triangle(&x(9), 2)),
        "`split` to `i`, `j`: `j` is of size 3, and its loop runs over 0..4"
    );
    assert_eq!(triangle(&x(6), 2).unwrap().to_dense(), [3.0, 4.5]);
}
