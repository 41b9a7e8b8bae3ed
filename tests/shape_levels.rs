//! Shape operators over all pairs of levels, compared with what they do to dense arrays.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::numbers;

/// Fractions, both zeros, the large and the subnormal, and stretches that are alike; no infinity, which times a zero
/// that is stored is no zero.
fn values(n: usize, seed: u64) -> Vec<f64> {
    let (mut next, mut value) = (numbers(seed), 0.0);
    let one = |_| {
        value = match next() % 13 {
            0..4 => 0.0,
            4..7 => value,
            7 => 0.25,
            8 => -1.5,
            9 => 1e100,
            10 => 5e-324,
            11 => -0.0,
            _ => 3.0,
        };
        value
    };
    (0..n).map(one).collect()
}

const SHAPES: [(usize, usize); 9] =
    [(0, 0), (0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (4, 5), (5, 4), (9, 13)];

macro_rules! matrices {
    ($($name:ident: $format:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn flat(a: &Tensor<$format>) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(a[i, j], (i, j) -> k) }
                }
                fn listed(a: &Tensor<$format>) -> (y: SparseVec<f64>) {
                    for k { y[k] = collapse(a[i, j], (i, j) -> k) }
                }
                fn by_list(a: &Tensor<$format>, x: &SparseVec<f64>, s: &mut f64) {
                    for k { s += collapse(a[i, j], (i, j) -> k) * x[k] }
                }
                fn sum_of_two(a: &Tensor<$format>, b: &Csr<f64>) -> (y: SparseVec<f64>) {
                    for k { y[k] = collapse(a[i, j] + 2 * b[i, j], (i, j) -> k) }
                }
                fn cut(a: &Tensor<$format>, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = slice(collapse(a[i, j], (i, j) -> l), l -> k, (lo, hi)) }
                }
                fn every_third(a: &Tensor<$format>, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = slice(collapse(a[i, j], (i, j) -> l), l -> k, (lo, hi, 3)) }
                }
                fn behind(a: &Tensor<$format>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for k { y[k] = concat((x[m], collapse(a[i, j], (i, j) -> l), 4), (m, l, t: 2) -> k) }
                }
                fn above(a: &Tensor<$format>, b: &Csr<f64>) -> (y: Csr<f64>) {
                    for r, c { y[r, c] = concat((a[i, c], b[j, c], a[k, c]), (i, j, k) -> r) }
                }
                fn beside(a: &Tensor<$format>, b: &Csr<f64>) -> (y: Csr<f64>) {
                    for r, c { y[r, c] = concat((a[r, i], b[r, j], a[r, k]), (i, j, k) -> c) }
                }
                fn rows(a: &Tensor<$format>, lo: usize, hi: usize) -> (y: Csr<f64>) {
                    for r, c { y[r, c] = slice(a[i, c], i -> r, (lo, hi)) }
                }
                fn columns(a: &Tensor<$format>, lo: usize, hi: usize) -> (y: Csr<f64>) {
                    for r, c { y[r, c] = slice(a[r, i], i -> c, (lo, hi, 2)) }
                }
            }
            #[test]
            fn agrees() {
                for (n, (rows_of, columns_of)) in SHAPES.into_iter().enumerate() {
                    let (m, n) = (values(rows_of * columns_of, n as u64 + 1), values(rows_of * columns_of, n as u64 + 77));
                    let a: Tensor<$format> = Tensor::from_dense([rows_of, columns_of], &m).unwrap();
                    let b: Csr<f64> = Tensor::from_dense([rows_of, columns_of], &n).unwrap();
                    let x: SparseVec<f64> = Tensor::from_dense([n.len()], &n).unwrap();
                    assert_eq!(flat(&a).to_dense(), m);
                    assert_eq!(listed(&a).to_dense(), m);
                    let mut s = 0.0;
                    by_list(&a, &x, &mut s);
                    let expected: f64 = m.iter().zip(&n).map(|(a, b)| a * b).sum();
                    assert!((s - expected).abs() <= 1e-9 * expected.abs(), "{s} {expected}");
                    let both: Vec<f64> = m.iter().zip(&n).map(|(a, b)| a + 2.0 * b).collect();
                    assert_eq!(sum_of_two(&a, &b).to_dense(), both);
                    for lo in 0..=m.len() {
                        for hi in lo..=m.len() {
                            assert_eq!(cut(&a, lo, hi).to_dense(), m[lo..hi]);
                            let third: Vec<f64> = m[lo..hi].iter().step_by(3).copied().collect();
                            assert_eq!(every_third(&a, lo, hi).to_dense(), third);
                        }
                    }
                    assert_eq!(behind(&a, &x).to_dense(), [&n[..], &m, &[4.0, 4.0]].concat());
                    let y = above(&a, &b);
                    assert_eq!(y.shape(), [3 * rows_of, columns_of]);
                    assert_eq!(y.to_dense(), [&m[..], &n, &m].concat());
                    let y = beside(&a, &b);
                    let mut expected = Vec::new();
                    for r in 0..rows_of {
                        let part = |x: &[f64]| x[r * columns_of..(r + 1) * columns_of].to_vec();
                        expected.extend([part(&m), part(&n), part(&m)].concat());
                    }
                    assert_eq!(y.to_dense(), expected);
                    for lo in 0..=rows_of {
                        let y = rows(&a, lo, rows_of);
                        assert_eq!(y.to_dense(), m[lo * columns_of..]);
                    }
                    for lo in 0..=columns_of {
                        let y = columns(&a, lo, columns_of);
                        let mut expected = Vec::new();
                        for r in 0..rows_of {
                            expected.extend(m[r * columns_of..(r + 1) * columns_of][lo..].iter().step_by(2));
                        }
                        assert_eq!(y.to_dense(), expected);
                    }
                }
            }
        }
    )*};
}

matrices! {
    csr: Dense<SparseList<Element<f64>>>;
    dcsr: SparseList<SparseList<Element<f64>>>;
    dense: Dense<Dense<Element<f64>>>;
    rows_of_runs: Dense<RunList<Element<f64>>>;
    runs_of_lists: RunList<SparseList<Element<f64>>>;
    runs_of_runs: RunList<RunList<Element<f64>>>;
    bands: Dense<SparseBand<Element<f64>>>;
    blocks: SparseList<SparseBlockList<Element<f64>>>;
    bitmaps: Bitmap<Bitmap<Element<f64>>>;
    bytes_of_lists: ByteMap<SparseList<Element<f64>>>;
    blocks_of_bitmaps: SparseBlockList<Bitmap<Element<f64>>>;
    bands_of_runs: SparseBand<RunList<Element<f64>>>;
    coo: Coo<Singleton<Element<f64>>>;
}

macro_rules! cubes {
    ($($name:ident: $format:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn flat(a: &Tensor<$format>) -> (y: SparseVec<f64>) {
                    for m { y[m] = collapse(a[i, j, k], (i, j, k) -> m) }
                }
                fn behind(a: &Tensor<$format>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for m { y[m] = concat((x[p], collapse(a[i, j, k], (i, j, k) -> l)), (p, l) -> m) }
                }
                fn cut(a: &Tensor<$format>, lo: usize, hi: usize) -> (y: SparseVec<f64>) {
                    for m { y[m] = slice(collapse(a[i, j, k], (i, j, k) -> l), l -> m, (lo, hi, 2)) }
                }
                fn upper(a: &Tensor<$format>) -> (y: Csr<f64>) {
                    for m, k { y[m, k] = collapse(a[i, j, k], (i, j) -> m) }
                }
                fn lower(a: &Tensor<$format>) -> (y: Csr<f64>) {
                    for i, m { y[i, m] = collapse(a[i, j, k], (j, k) -> m) }
                }
                fn lower_by_list(a: &Tensor<$format>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, m { y[i] += collapse(a[i, j, k], (j, k) -> m) * x[m] }
                }
            }
            #[test]
            fn agrees() {
                for (seed, (l, m, n)) in [(2, 3, 4), (3, 1, 5), (1, 4, 2), (0, 2, 3), (2, 0, 3), (2, 3, 0)].into_iter().enumerate() {
                    let v = values(l * m * n, seed as u64 + 5);
                    let w = values(m * n, seed as u64 + 50);
                    let a: Tensor<$format> = Tensor::from_dense([l, m, n], &v).unwrap();
                    let x: SparseVec<f64> = Tensor::from_dense([m * n], &w).unwrap();
                    assert_eq!(flat(&a).to_dense(), v);
                    assert_eq!(behind(&a, &x).to_dense(), [&w[..], &v].concat());
                    for lo in 0..=v.len() {
                        let expected: Vec<f64> = v[lo..].iter().step_by(2).copied().collect();
                        assert_eq!(cut(&a, lo, v.len()).to_dense(), expected);
                    }
                    let (upper, lower) = (upper(&a), lower(&a));
                    assert_eq!((upper.shape(), upper.to_dense()), (vec![l * m, n], v.clone()));
                    assert_eq!((lower.shape(), lower.to_dense()), (vec![l, m * n], v.clone()));
                    let sums = lower_by_list(&a, &x).to_dense();
                    for (i, s) in sums.into_iter().enumerate() {
                        let row = &v[i * m * n..(i + 1) * m * n];
                        let expected: f64 = row.iter().zip(&w).map(|(a, b)| a * b).sum();
                        assert!((s - expected).abs() <= 1e-9 * expected.abs(), "{s} {expected}");
                    }
                }
            }
        }
    )*};
}

cubes! {
    lists: SparseList<SparseList<SparseList<Element<f64>>>>;
    rows_of_rows: Dense<Dense<SparseList<Element<f64>>>>;
    all_dense: Dense<Dense<Dense<Element<f64>>>>;
    runs: RunList<RunList<RunList<Element<f64>>>>;
    mixed: SparseBand<SparseList<Bitmap<Element<f64>>>>;
    blocks_of_runs: SparseBlockList<RunList<SparseBand<Element<f64>>>>;
    triplets: Coo<Singleton<Singleton<Element<f64>>>>;
}
