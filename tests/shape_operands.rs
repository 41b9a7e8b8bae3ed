//! Shape operators over every level as a vector, compared with index arithmetic.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

macro_rules! vectors {
    ($($name:ident: $format:ty, $of:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn parted(x: &Tensor<$format>, z: &SparseVec<f64>, n: usize, m: usize, h: usize) -> (
                    rows: DenseMat<f64>, lists: Tensor<SparseList<SparseList<Element<f64, _>>>>,
                    cubes: Tensor<Dense<Dense<SparseList<Element<f64, _>>>>>, sums: DenseVec<f64>,
                ) {
                    for i, j { rows[i, j] = split(x[k], k -> (i, j: n)) }
                    for i, j { lists[i, j] = split(x[k], k -> (i, j: n)) }
                    for i, j, k { cubes[i, j, k] = reshape(x[l], l -> (i, j: m, k: h)) }
                    for i, j { sums[i] += split(x[k] * z[k], k -> (i, j: n)) }
                }
                fn cut(x: &Tensor<$format>, lo: usize, hi: usize, by: usize) -> (
                    second: Tensor<SparseList<Element<f64, _>>>, nth: DenseVec<f64>,
                ) {
                    for k { second[k] = slice(x[i], i -> k, (lo, hi, 2)) }
                    for k { nth[k] = slice(x[i], i -> k, (lo, hi, by)) }
                }
                fn third(x: &Tensor<$format>) -> (y: DenseVec<f64>) {
                    for k { y[k] = slice(x[i], i -> k, (1, 8, 3)) }
                }
                fn joined(x: &Tensor<$format>, z: &SparseVec<f64>) -> (
                    all: DenseVec<f64>, list: SparseVec<f64>, again: DenseVec<f64>,
                ) {
                    for l { all[l] = concat((x[i], z[j], 2 * x[k]), (i, j, k) -> l) }
                    for l { list[l] = concat((z[i], x[j], z[k]), (i, j, k) -> l) }
                    for k { again[k] = collapse(x[i], (r: 2, i, s: 3) -> k) }
                }
            }
            #[test]
            fn agrees() {
                for (seed, n) in [0, 1, 2, 3, 4, 6, 8, 12, 24].into_iter().enumerate() {
                    for seed in [seed as u64, seed as u64 + 101] {
                        sized(n, seed);
                    }
                }
            }
            fn sized(n: usize, seed: u64) {
                let of: Of = $of;
                let x: Tensor<$format> = Tensor::from_dense([n], &of(1, n, seed)).unwrap();
                let v = x.to_dense();
                let w = some(1, n, 2 * seed + 34);
                let z: SparseVec<f64> = Tensor::from_dense([n], &w).unwrap();
                for by in divisors(n) {
                    for h in divisors(by) {
                        let (rows, lists, cubes, sums) = parted(&x, &z, by, by / h, h);
                        assert_eq!(rows.shape(), [n / by, by]);
                        same(&rows.to_dense(), &v);
                        same(&lists.to_dense(), &v);
                        same(&cubes.to_dense(), &v);
                        if v.iter().all(|v| v.is_finite()) {
                            close(&sums.to_dense(), &made([n / by], |i| (0..by).map(|j| v[i * by + j] * w[i * by + j]).sum()));
                        }
                    }
                }
                for lo in 0..=n {
                    for (hi, by) in (lo..=n).flat_map(|hi| [1, 2, 3, 5, 40].map(|by| (hi, by))) {
                        let (second, nth) = cut(&x, lo, hi, by);
                        same(&second.to_dense(), &made([(hi - lo).div_ceil(2)], |k| v[lo + 2 * k]));
                        same(&nth.to_dense(), &made([(hi - lo).div_ceil(by)], |k| v[lo + by * k]));
                    }
                }
                if n >= 8 {
                    same(&third(&x).to_dense(), &[v[1], v[4], v[7]]);
                }
                let (all, list, again) = joined(&x, &z);
                let twice = made([n], |i| 2.0 * v[i]);
                same(&all.to_dense(), &[&v[..], &w, &twice].concat());
                same(&list.to_dense(), &[&w[..], &v, &w].concat());
                same(&again.to_dense(), &made([6 * n], |k| v[k / 3 % n]));
            }
        }
    )*};
}

vectors! {
    dense: Dense<Element<f64>>, some;
    lists: SparseList<Element<f64, One>>, some;
    bands: SparseBand<Element<f64, Inf>>, some;
    runs: RunList<Element<f64>>, some;
    blocks: SparseBlockList<Element<f64, NaN>>, some;
    sparse_runs: SparseRunList<Element<f64, One>>, some;
    packed: PackBits<Element<f64>>, some;
    packed_ones: PackBits<Element<f64, One>>, some;
    ragged: Ragged<Element<f64, One>>, some;
    interval: SparseInterval<Element<f64>>, interval;
    interval_in_ones: SparseInterval<Element<f64, One>>, interval_in_ones;
    point: SparsePoint<Element<f64>>, point;
    point_in_ones: SparsePoint<Element<f64, One>>, point_in_ones;
    coo: Coo<Element<f64, One>>, some;
    hash: Hash<Element<f64>>, some;
    unordered: UnorderedList<Element<f64>>, some;
    bitmap: Bitmap<Element<f64>>, some;
    byte_map: ByteMap<Element<f64, One>>, some;
    bit_tree: BitTree<Element<f64>>, some;
    spa: Spa<Element<f64, One>>, some;
    stamps: StampMap<Element<f64, One>>, some;
}
