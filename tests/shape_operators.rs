//! Shape operators (Root et al., OOPSLA 2024): collapse, split, concat, slice and what is made of them.

use looplets::prelude::*;

finch! {
    /// Rows one behind the other.
    fn flat(a: &Csr<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(a[i, j], (i, j) -> k) }
    }
    /// Columns one behind the other.
    fn by_columns(a: &Csr<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(a[i, j], (j, i) -> k) }
    }
    /// Rows of a given length.
    fn matrix(x: &SparseVec<f64>, n: usize) -> (y: Csr<f64>) {
        for i, j { y[i, j] = split(x[k], k -> (i, j: n)) }
    }
    /// One behind the other.
    fn joined(x: &SparseVec<f64>, z: &DenseVec<f64>) -> (y: SparseVec<f64>) {
        for l { y[l] = concat((x[j], 2 * z[k]), (j, k) -> l) }
    }
    /// Rows above rows.
    fn stacked(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) {
        for l, c { y[l, c] = concat((a[i, c], b[k, c]), (i, k) -> l) }
    }
    /// Columns beside columns.
    fn beside(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) {
        for r, l { y[r, l] = concat((a[r, i], b[r, k]), (i, k) -> l) }
    }
    /// Every other coordinate.
    fn every_other(x: &SparseVec<f64>, lo: usize, hi: usize) -> (y: SparseVec<f64>) {
        for k { y[k] = slice(x[i], i -> k, (lo, hi, 2)) }
    }
    /// Of another shape.
    fn reshaped(a: &Csr<f64>, n: usize) -> (y: Csr<f64>) {
        for k, l { y[k, l] = reshape(a[i, j], (i, j) -> (k, l: n)) }
    }
    /// A slice of a concatenation of products.
    fn nested(x: &SparseVec<f64>, z: &SparseVec<f64>, w: &DenseVec<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = slice(concat((x[i] * w[i], z[j]), (i, j) -> l), l -> k, (1, 7)) }
    }
    /// `x` three times.
    fn tiled(x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(x[i], (r: 3, i) -> k) }
    }
    /// Each element of `x` twice.
    fn repeated(x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        for k { y[k] = collapse(x[i], (i, r: 2) -> k) }
    }
    /// Two before and one behind.
    fn padded(x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = concat((7, x[i], 8), (p: 2, i, q: 1) -> k) }
    }
    /// The part gives the extent, not the dimension, also where it starts at 0.
    fn first(x: &SparseVec<f64>, z: &SparseVec<f64>, n: usize) -> (y: SparseVec<f64>, w: DenseVec<f64>) {
        for k { y[k] = slice(x[i], i -> k, 0..n) }
        for k { w[k] = slice(x[i], i -> k, 0..n) * z[k] }
    }
    /// What is computed of an index that was taken away is checked like any other.
    fn beyond(x: &SparseVec<f64>, n: usize) -> (y: SparseVec<f64>) {
        for k { y[k] = slice(x[i + 1], (i: 6) -> k, 0..n) }
    }
    /// Turned round by `s`.
    fn rolled(x: &SparseVec<f64>, n: usize, s: usize) -> (y: SparseVec<f64>) {
        for k { y[k] = concat((x[window(n - s, n)[i]], x[window(0, n - s)[j]]), (i, j) -> k) }
    }
    fn diagonal(a: &Csr<f64>) -> (d: DenseVec<f64>) { for i { d[i] = a[i, i] } }
    fn transposed(a: &Csr<f64>) -> (t: Tensor<Hash<Hash<Element<f64>>>>) { for i, j { t[j, i] = a[i, j] } }
    /// Three indices at once, from a matrix of fibers and back.
    fn cube(a: &Tensor<SparseList<SparseList<SparseList<Element<f64>>>>>) -> (y: SparseVec<f64>) {
        for m { y[m] = collapse(a[i, j, k], (i, j, k) -> m) }
    }
    fn upper_two(a: &Tensor<Dense<SparseList<SparseList<Element<f64>>>>>) -> (y: Csr<f64>) {
        for m, k { y[m, k] = collapse(a[i, j, k], (i, j) -> m) }
    }
    fn lower_two(a: &Tensor<Dense<SparseList<SparseList<Element<f64>>>>>) -> (y: Csr<f64>) {
        for i, m { y[i, m] = collapse(a[i, j, k], (j, k) -> m) }
    }
    fn boxed(x: &SparseVec<f64>) -> (y: Tensor<Dense<Dense<SparseList<Element<f64>>>>>) {
        for i, j, k { y[i, j, k] = split(x[m], m -> (i, j: 2, k: 2)) }
    }
    /// In parallel, under a condition, beside another operand, in a workspace.
    fn together(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        parallel for k {
            if collapse(a[i, j], (i, j) -> k) > 0.25 { y[k] += collapse(a[i, j], (i, j) -> k) * x[k] } else { y[k] -= x[k] }
        }
    }
    fn sums(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for k { { y[k] = t } where { for r in 0..2 { t += collapse(a[i, j], (i, j) -> k) * (r + 1) } } }
    }
}

fn vector(x: &[f64]) -> SparseVec<f64> {
    Tensor::from_dense([x.len()], x).unwrap()
}

fn csr(rows: usize, columns: usize, x: &[f64]) -> Csr<f64> {
    Tensor::from_dense([rows, columns], x).unwrap()
}

const A: [f64; 6] = [0.5, 0.0, -1.0, 0.0, f64::INFINITY, 2.5];

#[test]
fn dimensions_become_one() {
    let a = csr(2, 3, &A);
    assert_eq!(flat(&a).to_dense(), A);
    assert_eq!(flat(&a).shape(), [6]);
    assert_eq!(by_columns(&a).to_dense(), [0.5, 0.0, 0.0, f64::INFINITY, -1.0, 2.5]);
    assert_eq!(flat(&csr(0, 3, &[])).shape(), [0]);
    assert_eq!(flat(&csr(3, 0, &[])).shape(), [0]);
}

#[test]
fn a_dimension_becomes_several() {
    let y = matrix(&vector(&A), 3);
    assert_eq!((y.shape().to_vec(), y.to_dense()), (vec![2, 3], A.to_vec()));
    let y = reshaped(&csr(2, 3, &A), 2);
    assert_eq!((y.shape().to_vec(), y.to_dense()), (vec![3, 2], A.to_vec()));
}

#[test]
fn expressions_one_after_the_other() {
    let (x, z) = (vector(&[0.0, 1.5]), [3.0, 0.0, -0.25]);
    let y = joined(&x, &Tensor::from_dense([3], &z).unwrap());
    assert_eq!(y.to_dense(), [0.0, 1.5, 6.0, 0.0, -0.5]);
    let (a, b) = (csr(2, 3, &A), csr(1, 3, &[0.0, 4.0, 0.0]));
    let y = stacked(&a, &b);
    assert_eq!(y.shape(), [3, 3]);
    assert_eq!(y.to_dense(), [&A[..], &[0.0, 4.0, 0.0]].concat());
    let y = beside(&csr(2, 3, &A), &csr(2, 1, &[0.0, 9.0]));
    assert_eq!(y.to_dense(), [0.5, 0.0, -1.0, 0.0, 0.0, f64::INFINITY, 2.5, 9.0]);
}

#[test]
fn parts_of_a_dimension() {
    let x = vector(&A);
    assert_eq!(every_other(&x, 0, 6).to_dense(), [0.5, -1.0, f64::INFINITY]);
    assert_eq!(every_other(&x, 1, 6).to_dense(), [0.0, 0.0, 2.5]);
    assert_eq!(every_other(&x, 2, 5).to_dense(), [-1.0, f64::INFINITY]);
    assert_eq!(every_other(&x, 6, 6).shape(), [0]);
    let w = Tensor::from_dense([6], &[2.0; 6]).unwrap();
    let y = nested(
        &vector(&A[..6].iter().map(|x| x.min(9.0)).collect::<Vec<_>>()),
        &vector(&[5.0, 6.0]),
        &w,
    );
    assert_eq!(y.to_dense(), [0.0, -2.0, 0.0, 18.0, 5.0, 5.0]);
}

#[test]
fn what_is_made_of_them() {
    let x = vector(&[0.0, 1.5]);
    assert_eq!(tiled(&x).to_dense(), [0.0, 1.5, 0.0, 1.5, 0.0, 1.5]);
    assert_eq!(repeated(&x).to_dense(), [0.0, 0.0, 1.5, 1.5]);
    assert_eq!(padded(&x).to_dense(), [7.0, 7.0, 0.0, 1.5, 8.0]);
    for s in 0..=6 {
        let mut expected = A;
        expected.rotate_right(s);
        assert_eq!(rolled(&vector(&A), 6, s).to_dense(), expected);
    }
    let a = csr(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!(diagonal(&a).to_dense(), [1.0, 4.0]);
    assert_eq!(transposed(&a).to_dense(), [1.0, 3.0, 2.0, 4.0]);
}

#[test]
fn a_part_says_how_long_it_is() {
    let (y, w) = first(&vector(&A), &vector(&[2.0, 3.0]), 2);
    assert_eq!((y.to_dense(), w.to_dense()), (vec![0.5, 0.0], vec![1.0, 0.0]));
    assert_eq!(beyond(&vector(&A), 5).to_dense(), A[1..]);
    let (y, w) = first(&vector(&A), &vector(&[]), 0);
    assert_eq!((y.to_dense(), w.to_dense()), (vec![], vec![]));
}

#[test]
fn three_at_once() {
    let values: Vec<f64> =
        (0..24).map(|n| if n % 3 == 1 { f64::from(n) / 4.0 } else { 0.0 }).collect();
    assert_eq!(cube(&Tensor::from_dense([2, 3, 4], &values).unwrap()).to_dense(), values);
    let a = Tensor::from_dense([2, 3, 4], &values).unwrap();
    let (upper, lower) = (upper_two(&a), lower_two(&a));
    assert_eq!((upper.shape(), upper.to_dense()), (vec![6, 4], values.clone()));
    assert_eq!((lower.shape(), lower.to_dense()), (vec![2, 12], values.clone()));
    let y = boxed(&vector(&values));
    assert_eq!((y.shape(), y.to_dense()), (vec![6, 2, 2], values));
}

#[test]
fn in_any_place_where_an_expression_stands() {
    let a = csr(2, 3, &[0.5, 0.0, -1.0, 0.0, 8.0, 2.5]);
    let x = Tensor::from_dense([6], &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]).unwrap();
    assert_eq!(together(&a, &x).to_dense(), [0.5, -2.0, -4.0, -8.0, 128.0, 80.0]);
    assert_eq!(sums(&a).to_dense(), [1.5, 0.0, -3.0, 0.0, 24.0, 7.5]);
}

finch! {
    #![steps(n)]
    fn counted_wide(a: &Dcsr<f64>, n: &mut u64) -> (y: Tensor<SparseList<Element<f64>, u64>>) {
        for k { y[k] = collapse(a[i, j], (i, j) -> k) }
    }
    fn met_wide(a: &Dcsr<f64>, x: &Tensor<SparseList<Element<f64>, u64>>, s: &mut f64, n: &mut u64) {
        for k { s += collapse(a[i, j], (i, j) -> k) * x[k] }
    }
}

#[test]
fn what_is_stored_is_visited_and_nothing_else() {
    let m = 1_000_000;
    let a: Dcsr<f64> = Tensor::from_triplets(
        [m, m],
        [([3, 5], 1.0), ([3, m - 1], 2.0), ([m - 1, 0], 3.0)],
        Refuse,
    )
    .unwrap();
    let (mut n, mut s) = (0, 0.0);
    let x = Tensor::from_triplets([m * m], [([3 * m + 5], 2.0), ([m * m - 1], 1.0)], Refuse);
    let x: Tensor<SparseList<Element<f64>, u64>> = x.unwrap();
    counted_wide(&a, &mut n);
    assert!(n <= 8, "{n}");
    n = 0;
    met_wide(&a, &x, &mut s, &mut n);
    assert!(n <= 12, "{n}");
    assert_eq!(s, 2.0);
}

finch! {
    fn cut_anew(a: &Csr<f64>, n: usize) -> (y: Csr<f64>) { y[k, l] = reshape(a[i, j], (i, j) -> (k, l: n)) }
    fn cut_in_two(a: &Csr<f64>, n: usize) -> (y: Csr<f64>) {
        y[k, l] = split(collapse(a[i, j], (i, j) -> m), m -> (k, l: n))
    }
}

#[test]
fn matrices_are_cut_anew_without_loops() -> Result<(), Error> {
    let all: Vec<f64> = (0..24).map(|k| if k % 3 == 0 { k as f64 / 4.0 } else { 0.0 }).collect();
    let a: Csr<f64> = Tensor::from_dense([4, 6], &all)?;
    for n in [1, 2, 4, 8, 24] {
        for y in [cut_anew(&a, n), cut_in_two(&a, n)] {
            assert_eq!((y.shape(), y.stored()), (vec![24 / n, n], a.stored()));
            assert_eq!(y.to_dense(), all);
        }
    }
    Ok(())
}
