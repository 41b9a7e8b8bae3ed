//! Shape operators over every level as the outer and the inner one of a matrix, and three deep, compared with index arithmetic.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

macro_rules! matrices {
    ($($sizes:ident $name:ident: $format:ty, $of:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn flat(a: &Tensor<$format>, x: &SparseVec<f64>, s: &mut f64) -> (
                    rows: Tensor<SparseList<Element<f64, _>>>, columns: DenseVec<f64>,
                ) {
                    for k { rows[k] = collapse(a[i, j], (i, j) -> k) }
                    for k { columns[k] = collapse(a[i, j], (j, i) -> k) }
                    for k { s += collapse(a[i, j], (i, j) -> k) * x[k] }
                }
                fn part(a: &Tensor<$format>, lo: usize, hi: usize, n: usize) -> (y: DenseVec<f64>[n]) {
                    for k in lo..hi { y[k] = collapse(a[i, j], (i, j) -> k) }
                }
                fn rows_of(a: &Tensor<$format>, lo: usize, hi: usize, by: usize) -> (
                    second: Tensor<SparseList<SparseList<Element<f64, _>>>>, nth: DenseMat<f64>,
                ) {
                    for r, c { second[r, c] = slice(a[i, c], i -> r, (lo, hi, 2)) }
                    for r, c { nth[r, c] = slice(a[i, c], i -> r, (lo, hi, by)) }
                }
                fn columns_of(a: &Tensor<$format>, lo: usize, hi: usize, by: usize) -> (
                    third: Tensor<Dense<SparseList<Element<f64, _>>>>, nth: DenseMat<f64>,
                ) {
                    for r, c { third[r, c] = slice(a[r, j], j -> c, (lo, hi, 3)) }
                    for r, c { nth[r, c] = slice(a[r, j], j -> c, (lo, hi, by)) }
                }
                fn parted(a: &Tensor<$format>, m: usize, n: usize, h: usize) -> (
                    rows: Tensor<SparseList<Dense<SparseList<Element<f64, _>>>>>,
                    columns: Tensor<Dense<SparseList<SparseList<Element<f64, _>>>>>,
                    shaped: DenseMat<f64>,
                ) {
                    for p, q, c { rows[p, q, c] = split(a[i, c], i -> (p, q: m)) }
                    for r, p, q { columns[r, p, q] = split(a[r, j], j -> (p, q: n)) }
                    for k, l { shaped[k, l] = reshape(a[i, j], (i, j) -> (k, l: h)) }
                }
                fn stacked(a: &Tensor<$format>, b: &Csr<f64>) -> (above: DenseMat<f64>, beside: DenseMat<f64>) {
                    for r, c { above[r, c] = concat((a[i, c], b[j, c], a[k, c]), (i, j, k) -> r) }
                    for r, c { beside[r, c] = concat((a[r, i], b[r, j], a[r, k]), (i, j, k) -> c) }
                }
            }
            #[test]
            fn agrees() {
                for (seed, (m, n)) in $sizes.into_iter().enumerate() {
                    for seed in [seed as u64, seed as u64 + 101, seed as u64 + 202] {
                        sized(m, n, seed);
                    }
                }
            }
            fn sized(m: usize, n: usize, seed: u64) {
                let of: Of = $of;
                let a: Tensor<$format> = Tensor::from_dense([m, n], &of(m, n, seed)).unwrap();
                let v = a.to_dense();
                let w = some(m, n, 2 * seed + 34);
                let x: SparseVec<f64> = Tensor::from_dense([m * n], &w).unwrap();
                let mut s = 0.0;
                let (rows, columns) = flat(&a, &x, &mut s);
                same(&rows.to_dense(), &v);
                same(&columns.to_dense(), &made([n, m], |k| v[k % m * n + k / m]));
                if v.iter().all(|v| v.is_finite()) {
                    close(&[s], &[v.iter().zip(&w).map(|(v, w)| v * w).sum()]);
                }
                for lo in 0..=m * n {
                    for hi in lo..=m * n {
                        let inside = |k: usize| lo <= k && k < hi;
                        same(&part(&a, lo, hi, m * n).to_dense(), &made([m * n], |k| if inside(k) { v[k] } else { 0.0 }));
                    }
                }
                for by in 1..4 {
                    for lo in 0..=m {
                        let (second, nth) = rows_of(&a, lo, m, by);
                        same(&second.to_dense(), &made([(m - lo).div_ceil(2), n], |k| v[(lo + k / n * 2) * n + k % n]));
                        same(&nth.to_dense(), &made([(m - lo).div_ceil(by), n], |k| v[(lo + k / n * by) * n + k % n]));
                    }
                    for lo in 0..=n {
                        let (third, nth) = columns_of(&a, lo, n, by);
                        let few = (n - lo).div_ceil(3);
                        same(&third.to_dense(), &made([m, few], |k| v[k / few * n + lo + k % few * 3]));
                        let few = (n - lo).div_ceil(by);
                        same(&nth.to_dense(), &made([m, few], |k| v[k / few * n + lo + k % few * by]));
                    }
                }
                for h in divisors(m * n) {
                    for (p, q) in divisors(m).zip(divisors(n).chain([1, 1, 1])) {
                        let (rows, columns, shaped) = parted(&a, p, q, h);
                        assert_eq!(rows.shape(), [m / p, p, n]);
                        assert_eq!(columns.shape(), [m, n / q, q]);
                        assert_eq!(shaped.shape(), [m * n / h, h]);
                        same(&rows.to_dense(), &v);
                        same(&columns.to_dense(), &v);
                        same(&shaped.to_dense(), &v);
                    }
                }
                let b: Csr<f64> = Tensor::from_dense([m, n], &w).unwrap();
                let (above, beside) = stacked(&a, &b);
                same(&above.to_dense(), &[&v[..], &w, &v].concat());
                same(&beside.to_dense(), &made([m, 3 * n], |k| {
                    let (r, c) = (k / (3 * n), k % (3 * n));
                    if c / n == 1 { w[r * n + c % n] } else { v[r * n + c % n] }
                }));
            }
        }
    )*};
}

const ANY: [(usize, usize); 9] =
    [(0, 0), (0, 3), (3, 0), (1, 1), (1, 6), (6, 1), (4, 6), (6, 4), (5, 5)];
const SQUARE: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (6, 6)];

matrices! {
    ANY dense: Dense<Dense<Element<f64>>>, some;
    ANY in_bands: Dense<SparseBand<Element<f64>>>, some;
    ANY of_bands: SparseBand<SparseList<Element<f64>>>, some;
    ANY in_runs: Dense<RunList<Element<f64, One>>>, some;
    ANY of_runs: RunList<Dense<Element<f64>>>, some;
    ANY in_blocks: Dense<SparseBlockList<Element<f64>>>, some;
    ANY of_blocks: SparseBlockList<Dense<Element<f64>>>, some;
    ANY in_sparse_runs: SparseList<SparseRunList<Element<f64>>>, some;
    ANY runs_of_runs: SparseRunList<SparseRunList<Element<f64, One>>>, some;
    ANY in_packed: Dense<PackBits<Element<f64>>>, some;
    ANY of_packed: PackBits<SparseList<Element<f64>>>, some;
    ANY in_ragged: Dense<Ragged<Element<f64>>>, some;
    ANY of_ragged: Ragged<SparseList<Element<f64>>>, some;
    ANY in_interval: Dense<SparseInterval<Element<f64>>>, interval;
    ANY of_interval: SparseInterval<SparseList<Element<f64>>>, one_row;
    ANY in_point: SparseList<SparsePoint<Element<f64, One>>>, point_in_ones;
    ANY of_point: SparsePoint<SparseList<Element<f64>>>, one_row;
    ANY coo: Coo<Singleton<Element<f64, One>>>, some;
    ANY in_hash: Dense<Hash<Element<f64>>>, some;
    ANY of_hash: Hash<SparseList<Element<f64>>>, some;
    ANY in_unordered: Dense<UnorderedList<Element<f64>>>, some;
    ANY of_unordered: UnorderedList<SparseList<Element<f64>>>, some;
    ANY in_bitmap: SparseList<Bitmap<Element<f64>>>, some;
    ANY of_bitmap: Bitmap<SparseList<Element<f64>>>, some;
    ANY in_byte_map: Dense<ByteMap<Element<f64, One>>>, some;
    ANY of_byte_map: ByteMap<RunList<Element<f64>>>, some;
    ANY in_bit_tree: Dense<BitTree<Element<f64>>>, some;
    ANY of_bit_tree: BitTree<SparseList<Element<f64>>>, some;
    ANY in_spa: Dense<Spa<Element<f64>>>, some;
    ANY of_spa: Spa<Dense<Element<f64>>>, some;
    SQUARE symmetric: Dense<Symmetric<Element<f64>>>, mirrored;
    SQUARE below: Dense<LowerTriangular<Element<f64>>>, lower;
    SQUARE above: Dense<UpperTriangular<Element<f64>>>, upper;
    SQUARE strictly_below: Dense<StrictLowerTriangular<Element<f64>>>, strictly_lower;
    SQUARE strictly_above: Dense<StrictUpperTriangular<Element<f64>>>, strictly_upper;
}

macro_rules! cubes {
    ($($name:ident: $format:ty, $of:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn flat(a: &Tensor<$format>, x: &SparseVec<f64>, lo: usize, hi: usize) -> (
                    flat: SparseVec<f64>, upper: Csr<f64>, lower: Csr<f64>, cut: DenseVec<f64>, product: DenseVec<f64>,
                    twice: DenseVec<f64>, turned: DenseVec<f64>,
                ) {
                    for m { flat[m] = collapse(a[i, j, k], (i, j, k) -> m) }
                    for m, k { upper[m, k] = collapse(a[i, j, k], (i, j) -> m) }
                    for i, m { lower[i, m] = collapse(a[i, j, k], (j, k) -> m) }
                    for m { cut[m] = slice(collapse(a[i, j, k], (i, j, k) -> l), l -> m, (lo, hi, 2)) }
                    for m { product[m] = collapse(a[i, j, k], (i, j, k) -> m) * x[m] }
                    for m { twice[m] = collapse(collapse(a[i, j, k], (i, j) -> l), (l, k, r: 2) -> m) }
                    for m { turned[m] = collapse(a[i, j, k], (i, k, j) -> m) }
                }
            }
            #[test]
            fn agrees() {
                for (seed, shape) in [[0, 1, 2], [1, 0, 2], [2, 3, 0], [1, 1, 1], [2, 3, 4], [3, 1, 5], [1, 4, 2], [4, 4, 1]].into_iter().enumerate() {
                    for seed in [0, 100, 200, 300].map(|s| s + 2 * seed as u64) {
                        sized(shape, seed);
                    }
                }
            }
            fn sized([l, m, n]: [usize; 3], seed: u64) {
                let of: fn(usize, usize, usize, u64) -> Vec<f64> = $of;
                let (v, all) = (of(l, m, n, seed), l * m * n);
                let a: Tensor<$format> = Tensor::from_dense([l, m, n], &v).unwrap();
                let u = some(1, all, seed + 6);
                let x = Tensor::from_dense([all], &u).unwrap();
                for lo in 0..=all {
                    let (flat, upper, lower, cut, product, twice, turned) = flat(&a, &x, lo, all);
                    same(&flat.to_dense(), &v);
                    same(&upper.to_dense(), &v);
                    same(&lower.to_dense(), &v);
                    same(&cut.to_dense(), &made([(all - lo).div_ceil(2)], |k| v[lo + 2 * k]));
                    close(&product.to_dense(), &made([all], |k| v[k] * u[k]));
                    same(&twice.to_dense(), &made([2 * all], |k| v[k / 2]));
                    same(&turned.to_dense(), &made([l, n, m], |k| v[k / (m * n) * m * n + k % m * n + k / m % n]));
                }
            }
        }
    )*};
}

/// Any elements, at most one a row, one row a plane, one plane, and at most one.
fn any(l: usize, m: usize, n: usize, seed: u64) -> Vec<f64> {
    some(l * m, n, seed)
}
fn in_rows(l: usize, m: usize, n: usize, seed: u64) -> Vec<f64> {
    point(l * m, n, seed)
}
fn rows(l: usize, m: usize, n: usize, seed: u64) -> Vec<f64> {
    (0..l).flat_map(|i| one_row(m, n, seed + 2 * i as u64)).collect()
}
fn plane(l: usize, m: usize, n: usize, seed: u64) -> Vec<f64> {
    one_row(l, m * n, seed)
}
fn one(l: usize, m: usize, n: usize, seed: u64) -> Vec<f64> {
    point(1, l * m * n, seed)
}

cubes! {
    point_in_rows: Dense<RunList<SparsePoint<Element<f64>>>>, in_rows;
    point_of_rows: Dense<SparsePoint<SparseList<Element<f64>>>>, rows;
    point_in_runs: RunList<SparsePoint<Dense<Element<f64>>>>, rows;
    point_of_planes: SparsePoint<RunList<SparseList<Element<f64>>>>, plane;
    one_point: SparsePoint<SparsePoint<SparsePoint<Element<f64>>>>, one;
    one_interval: SparseInterval<SparseInterval<SparseInterval<Element<f64>>>>, one;
    interval_of_planes: SparseInterval<Dense<RunList<Element<f64>>>>, plane;
    interval_of_bands: SparseList<SparseInterval<SparseBand<Element<f64>>>>, rows;
    packed: PackBits<Ragged<Hash<Element<f64>>>>, any;
    sparse_runs: SparseRunList<Ragged<SparseRunList<Element<f64>>>>, any;
    rows_of_coo: Dense<Coo<Singleton<Element<f64>>>>, any;
    trees: BitTree<Spa<UnorderedList<Element<f64>>>>, any;
}
