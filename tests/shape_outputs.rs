//! Every level written from shape operators, as a vector and in a matrix, compared with index arithmetic.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::*;

type Runs = Tensor<SparseRunList<Element<f64>>>;

macro_rules! outputs {
    ($($name:ident: $vector:ty, $inner:ty, $outer:ty, $of:expr, $rows:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn vectors(a: &Csr<f64>, x: &SparseVec<f64>, r: &Tensor<SparseRunList<Element<f64>>>, lo: usize, hi: usize) -> (
                    collapsed: Tensor<$vector>, joined: Tensor<$vector>, cut: Tensor<$vector>, runs: Tensor<$vector>,
                ) {
                    for k { collapsed[k] = collapse(a[i, j], (i, j) -> k) }
                    for k { joined[k] = concat((r[i], x[j]), (i, j) -> k) }
                    for k { cut[k] = slice(x[i], i -> k, (lo, hi, 2)) }
                    for k { runs[k] = slice(concat((r[i], 0), (i, z: 2) -> l), l -> k, (lo, hi)) }
                }
                fn rows(x: &SparseVec<f64>, a: &Csr<f64>, n: usize, lo: usize) -> (
                    parted: Tensor<$inner>, beside: Tensor<$inner>, above: Tensor<$inner>, cut: Tensor<$inner>,
                ) {
                    for i, j { parted[i, j] = split(x[k], k -> (i, j: n)) }
                    for i, c { beside[i, c] = concat((a[i, j], 0), (j, z: 2) -> c) }
                    for r, c { above[r, c] = concat((a[i, c], a[j, c]), (i, j) -> r) }
                    for r, c { cut[r, c] = slice(a[r, j], j -> c, (lo, n, 2)) }
                }
                fn of_rows(x: &SparseVec<f64>, a: &Csr<f64>, t: &Tensor<Dense<Dense<SparseList<Element<f64>>>>>, n: usize, lo: usize, hi: usize) -> (
                    parted: Tensor<$outer>, collapsed: Tensor<$outer>, above: Tensor<$outer>, cut: Tensor<$outer>,
                ) {
                    for i, j { parted[i, j] = split(x[k], k -> (i, j: n)) }
                    for r, k { collapsed[r, k] = collapse(t[i, j, k], (i, j) -> r) }
                    for r, c { above[r, c] = concat((0, a[i, c]), (z: 2, i) -> r) }
                    for r, c { cut[r, c] = slice(a[i, c], i -> r, (lo, hi)) }
                }
            }
            #[test]
            fn agrees() {
                for (seed, (m, n)) in [(0, 3), (1, 1), (1, 6), (6, 1), (3, 4), (4, 6)].into_iter().enumerate() {
                    for seed in [2 * seed as u64, 2 * seed as u64 + 101] {
                        sized(m, n, seed);
                    }
                }
            }
            fn sized(m: usize, n: usize, seed: u64) {
                let (vector, inner, outer): (Of, Of, Of) = ($of, $of, $rows);
                let (all, zeros) = (m * n, vec![0.0; m * n]);
                let v = vector(1, all, seed);
                let (a, x) = (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &v).unwrap());
                let r: Runs = Tensor::from_dense([all], &v).unwrap();
                let no_list: SparseVec<f64> = Tensor::from_dense([all], &zeros).unwrap();
                let no_runs: Runs = Tensor::from_dense([all], &zeros).unwrap();
                for lo in 0..=all {
                    let (collapsed, joined, cut, runs) = vectors(&a, &x, &no_runs, lo, all);
                    same(&collapsed.to_dense(), &v);
                    same(&joined.to_dense(), &[&zeros[..], &v].concat());
                    same(&cut.to_dense(), &made([(all - lo).div_ceil(2)], |k| v[lo + 2 * k]));
                    same(&runs.to_dense(), &zeros[lo..]);
                    let (_, joined, _, runs) = vectors(&a, &no_list, &r, lo, all);
                    same(&joined.to_dense(), &[&v[..], &zeros].concat());
                    same(&runs.to_dense(), &v[lo..]);
                }
                let v = inner(m, n, seed + 1);
                let (a, x) = (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &v).unwrap());
                for lo in 0..=n {
                    let (parted, beside, above, cut) = rows(&x, &a, n, lo);
                    assert_eq!(parted.shape(), [m, n]);
                    same(&parted.to_dense(), &v);
                    same(&beside.to_dense(), &made([m, n + 2], |k| if k % (n + 2) < n { v[k / (n + 2) * n + k % (n + 2)] } else { 0.0 }));
                    same(&above.to_dense(), &[&v[..], &v].concat());
                    let few = (n - lo).div_ceil(2);
                    same(&cut.to_dense(), &made([m, few], |k| v[k / few * n + lo + k % few * 2]));
                }
                let v = outer(m, n, seed + 2);
                let (a, x) = (Tensor::from_dense([m, n], &v).unwrap(), Tensor::from_dense([all], &v).unwrap());
                for h in divisors(m) {
                    let t = Tensor::from_dense([m / h, h, n], &v).unwrap();
                    for lo in 0..=m {
                        let (parted, collapsed, above, cut) = of_rows(&x, &a, &t, n, lo, m);
                        same(&parted.to_dense(), &v);
                        assert_eq!(collapsed.shape(), [m, n]);
                        same(&collapsed.to_dense(), &v);
                        same(&above.to_dense(), &[&vec![0.0; 2 * n][..], &v].concat());
                        same(&cut.to_dense(), &v[lo * n..]);
                    }
                }
            }
        }
    )*};
}

outputs! {
    dense: Dense<Element<f64>>, Dense<Dense<Element<f64>>>, Dense<Dense<Element<f64>>>, some, some;
    list: SparseList<Element<f64>>, Dense<SparseList<Element<f64>>>, SparseList<Dense<Element<f64>>>, some, some;
    band: SparseBand<Element<f64>>, Dense<SparseBand<Element<f64>>>, SparseBand<SparseList<Element<f64>>>, some, some;
    runs: RunList<Element<f64>>, Dense<RunList<Element<f64>>>, RunList<SparseList<Element<f64>>>, some, some;
    blocks: SparseBlockList<Element<f64>>, SparseList<SparseBlockList<Element<f64>>>, SparseBlockList<SparseList<Element<f64>>>, some, some;
    sparse_runs: SparseRunList<Element<f64>>, Dense<SparseRunList<Element<f64>>>, SparseRunList<SparseList<Element<f64>>>, some, some;
    packed: PackBits<Element<f64>>, Dense<PackBits<Element<f64>>>, PackBits<SparseList<Element<f64>>>, some, some;
    ragged: Ragged<Element<f64>>, Dense<Ragged<Element<f64>>>, Ragged<SparseList<Element<f64>>>, some, some;
    interval: SparseInterval<Element<f64>>, Dense<SparseInterval<Element<f64>>>, SparseInterval<SparseList<Element<f64>>>, interval, one_row;
    point: SparsePoint<Element<f64>>, Dense<SparsePoint<Element<f64>>>, SparsePoint<SparseList<Element<f64>>>, point, one_row;
    coo: Coo<Element<f64>>, Coo<Singleton<Element<f64>>>, Coo<SparseList<Element<f64>>>, some, some;
    hash: Hash<Element<f64>>, Dense<Hash<Element<f64>>>, Hash<SparseList<Element<f64>>>, some, some;
    unordered: UnorderedList<Element<f64>>, Dense<UnorderedList<Element<f64>>>, UnorderedList<SparseList<Element<f64>>>, some, some;
    bitmap: Bitmap<Element<f64>>, Dense<Bitmap<Element<f64>>>, Bitmap<Bitmap<Element<f64>>>, some, some;
    byte_map: ByteMap<Element<f64>>, Dense<ByteMap<Element<f64>>>, ByteMap<SparseList<Element<f64>>>, some, some;
    bit_tree: BitTree<Element<f64>>, Dense<BitTree<Element<f64>>>, BitTree<Dense<Element<f64>>>, some, some;
    spa: Spa<Element<f64>>, Dense<Spa<Element<f64>>>, Spa<SparseList<Element<f64>>>, some, some;
    stamps: StampMap<Element<f64>>, Dense<StampMap<Element<f64>>>, StampMap<SparseList<Element<f64>>>, some, some;
}
