//! Shape operators of other types and fills, of products, and into triangles, by numbers worked out by hand.

use looplets::prelude::*;

fn odd(x: f64) -> f64 {
    2.0 * x + 1.0
}

finch! {
    use looplets::semiring::min_plus;
    fn whole(x: &Tensor<RunList<Element<i32>>>, n: usize) -> (y: Tensor<Dense<SparseList<Element<i32>>>>, s: DenseVec<i64>) {
        for i, j { y[i, j] = split(x[k] - 3, k -> (i, j: n)) * 2 }
        for i, j { s[i] += split(x[k], k -> (i, j: n)) }
    }
    fn bytes(a: &Tensor<PackBits<RunList<Element<u8>>>>, z: &Tensor<SparseList<Element<u8>>>) -> (y: Tensor<PackBits<Element<u8>>>) {
        for k { y[k] = concat((collapse(a[i, j], (i, j) -> l), z[m], 200), (l, m, t: 3) -> k) }
    }
    fn flags(a: &Tensor<Dense<Bitmap<Element<bool>>>>, b: &Tensor<Dense<RunList<Element<bool>>>>) -> (
        y: Tensor<SparseList<Element<bool>>>, z: DenseVec<bool>,
    ) {
        for k { y[k] = collapse(a[i, j] && b[i, j], (i, j) -> k) }
        for k { z[k] = concat((collapse(a[i, j], (i, j) -> l), !collapse(b[i, j], (i, j) -> m)), (l, m) -> k) }
    }
    fn relaxed(a: &Tensor<Dense<SparseList<Element<f64, Inf>>>>, d: &DenseVec<f64, Inf>) -> (e: DenseVec<f64, Inf>) {
        for k { e[k] <<min>>= min_plus(collapse(a[i, j], (i, j) -> k), d[k]) }
    }
    fn called(x: &SparseVec<f64>, n: usize) -> (y: DenseMat<f64>) {
        for i, j { y[i, j] = split(odd(x[k]), k -> (i, j: n)) }
    }
    fn filled(a: &Tensor<Dense<SparseList<Element<f64, NaN>>>>, b: &Tensor<SparseBlockList<RunList<Element<f64, NegInf>>>>) -> (
        y: DenseVec<f64>, z: DenseVec<f64>,
    ) {
        for k { y[k] = concat((collapse(a[i, j], (i, j) -> l), collapse(b[i, j], (i, j) -> m)), (l, m) -> k) }
        for k { z[k] = max(collapse(b[i, j], (i, j) -> k), -2.5) }
    }
    fn triangles(x: &SparseVec<f64>, n: usize) -> (
        both: SymMat<f64>, lower: Tensor<Dense<LowerTriangular<Element<f64>>>>,
        upper: Tensor<Dense<StrictUpperTriangular<Element<f64>>>>,
    ) {
        for i, j { if j <= i { both[i, j] = split(x[k], k -> (i, j: n)) } }
        for i, j { if j <= i { lower[i, j] = split(x[k], k -> (i, j: n)) } }
        for i, j { if j > i { upper[i, j] = split(x[k], k -> (i, j: n)) } }
    }
    fn kronecker(a: &Csr<f64>, b: &Csr<f64>) -> (y: Csr<f64>) {
        for r, c { y[r, c] = collapse(collapse(a[i, j] * b[k, l], (i, k) -> r), (j, l) -> c) }
    }
    fn repeated_diagonal(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(a[i, i], (i, r: 2) -> k) }
    }
    fn enlarged(a: &DenseMat<f64>, s: &Tensor<RunList<SparseList<Element<f64>>>>) -> (y: DenseMat<f64>, z: DenseMat<f64>) {
        for r, c { y[r, c] = collapse(collapse(a[i, j], (i, k: 3) -> r), (j, l: 2) -> c) }
        for r, c { z[r, c] = collapse(collapse(s[i, j], (i, k: 3) -> r), (j, l: 2) -> c) }
    }
    fn outer_sum(x: &Tensor<RunList<Element<f64>>>, z: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for k { y[k] = collapse(x[i] + z[j], (i, j) -> k) }
    }
    fn flat_product(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) {
        for r, k { y[k] += collapse(a[i, r] * b[r, j], (i, j) -> k) }
    }
    fn mixed(x: &SparseVec<f64>, r: &Tensor<RunList<Element<f64>>>, a: &Csr<f64>) -> (y: Tensor<RunList<Element<f64>>>) {
        for k {
            y[k] = concat(
                (x[i], 2.5, collapse(a[p, q], (p, q) -> l), slice(x[j], j -> m, (1, 3)), x[n] * r[n]),
                (i, t: 2, l, m, n) -> k
            )
        }
    }
    fn overlapping(x: &SparseVec<f64>, n: usize) -> (y: DenseMat<f64>) {
        for i, j { y[i, j] = split(slice(x[p], p -> k, (1, 5)) + slice(x[q], q -> k, (0, 4)), k -> (i, j: n)) }
    }
}

finch! {
    #![strict]
    fn strict(a: &Csr<f64>, x: &DenseVec<f64>, s: &mut f64) {
        for k { s += collapse(a[i, j], (i, j) -> k) * x[k] }
    }
}

const A: [f64; 6] = [1.0, 2.0, 0.0, 3.0, 4.0, 5.0];

fn of<L: Level>(shape: &[usize], values: &[L::Value]) -> Tensor<L> {
    Tensor::from_dense(shape, values).unwrap()
}

#[test]
fn types() {
    let (y, s) = whole(&of(&[6], &[3, 3, 4, 4, -1, 0]), 3);
    assert_eq!((y.to_dense(), s.to_dense()), (vec![0, 0, 2, 2, -8, -6], vec![10, 3]));
    let y = bytes(&of(&[2, 3], &[1, 1, 0, 255, 255, 9]), &of(&[2], &[0, 7]));
    assert_eq!(y.to_dense(), [1, 1, 0, 255, 255, 9, 0, 7, 200, 200, 200]);
    let a = [true, false, true, true, false, false];
    let b = [true, true, true, false, false, true];
    let (y, z) = flags(&of(&[2, 3], &a), &of(&[2, 3], &b));
    assert_eq!(y.to_dense(), [true, false, true, false, false, false]);
    assert_eq!(z.to_dense(), [a, b.map(|b| !b)].concat());
}

#[test]
fn fills() {
    let inf = f64::INFINITY;
    let y = relaxed(&of(&[2, 3], &[1.0, inf, 3.0, 4.0, 5.0, 6.0]), &of(&[6], &A));
    assert_eq!(y.to_dense(), [2.0, inf, 3.0, 7.0, 9.0, 11.0]);
    assert_eq!(called(&of(&[6], &A), 2).to_dense(), [3.0, 5.0, 1.0, 7.0, 9.0, 11.0]);
    let nan = f64::NAN;
    let a = of(&[2, 3], &[1.0, nan, 3.0, 4.0, nan, nan]);
    let (y, z) = filled(&a, &of(&[2, 3], &[-inf, -inf, 7.0, 7.0, nan, nan]));
    let y: Vec<String> = y.to_dense().iter().map(f64::to_string).collect();
    assert_eq!(y.join(" "), "1 NaN 3 4 NaN NaN -inf -inf 7 7 NaN NaN");
    assert_eq!(z.to_dense(), [-2.5, -2.5, 7.0, 7.0, -2.5, -2.5]);
    // The 0 that is not stored meets NaN.
    let mut s = 0.0;
    strict(&of(&[2, 3], &A), &of(&[6], &[1.0, 1.0, nan, 1.0, 1.0, 1.0]), &mut s);
    assert!(s.is_nan());
}

#[test]
fn triangular() {
    let (both, lower, upper) = triangles(&of(&[9], &[1., 0., 3., 0., 5., 6., 7., 8., 9.]), 3);
    assert_eq!(both.to_dense(), [1., 0., 7., 0., 5., 8., 7., 8., 9.]);
    assert_eq!(lower.to_dense(), [1., 0., 0., 0., 5., 0., 7., 8., 9.]);
    assert_eq!(upper.to_dense(), [0., 0., 3., 0., 0., 6., 0., 0., 0.]);
}

#[test]
fn products() {
    let (a, b) = (of(&[2, 3], &A), of(&[3, 2], &A));
    let y = kronecker(&a, &b);
    assert_eq!(y.shape(), [6, 6]);
    for (k, y) in y.to_dense().into_iter().enumerate() {
        let (r, c) = (k / 6, k % 6);
        assert_eq!(y, A[r / 3 * 3 + c / 2] * A[r % 3 * 2 + c % 2]);
    }
    let (y, z) = enlarged(&of(&[2, 3], &A), &of(&[2, 3], &A));
    let expected: Vec<f64> = (0..36).map(|k| A[k / 18 * 3 + k % 6 / 2]).collect();
    assert_eq!((y.to_dense(), z.to_dense()), (expected.clone(), expected));
    let square = of(&[3, 3], &[1.0, 2.0, 0.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(repeated_diagonal(&square).to_dense(), [1.0, 1.0, 4.0, 4.0, 8.0, 8.0]);
    let x = of(&[6], &A);
    let y = outer_sum(&of(&[6], &A), &x).to_dense();
    assert!((0..36).all(|k| y[k] == A[k / 6] + A[k % 6]));
    assert_eq!(flat_product(&a, &b).to_dense(), [1.0, 8.0, 23.0, 43.0]);
    let y = mixed(&x, &of(&[6], &A), &a);
    assert_eq!(y.to_dense(), [&A[..], &[2.5, 2.5], &A, &A[1..3], &A.map(|v| v * v)].concat());
    assert_eq!(overlapping(&x, 2).to_dense(), [3.0, 2.0, 3.0, 7.0]);
}
