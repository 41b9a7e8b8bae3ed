//! Tiles: a `collapse` with indices in front of, or between, those of its operand repeats levels as a whole, and visits
//! what is stored once for each.

#[path = "shapes/mod.rs"]
mod shapes;
use looplets::prelude::*;
use shapes::{made, same};

const SHAPES: [[usize; 2]; 8] = [[0, 0], [0, 3], [3, 0], [1, 1], [1, 5], [5, 1], [4, 3], [3, 8]];

macro_rules! tiles {
    ($($name:ident: $format:ty;)*) => {$(
        #[test]
        fn $name() {
            finch! {
                fn whole(a: &Tensor<$format>, q: usize) -> (y: SparseVec<f64>) {
                    for k { y[k] = collapse(a[i, j], (r: q, i, j) -> k) }
                }
                fn rows(a: &Tensor<$format>, q: usize) -> (y: DenseMat<f64>) {
                    for i, k { y[i, k] = collapse(a[i, j], (r: q, j) -> k) }
                }
                fn between(a: &Tensor<$format>, p: usize, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(a[i, j], (r: q, i, s: p, j) -> k) }
                }
                fn summed(a: &Tensor<$format>, b: &DenseVec<f64>, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(a[i, j], (r: q, i, j) -> k) + b[k] }
                }
                fn parted(a: &Tensor<$format>, q: usize, n: usize) -> (y: DenseMat<f64>) {
                    for k, l { y[k, l] = split(collapse(a[i, j], (r: q, i, j) -> z), z -> (k, l: n)) }
                }
                fn stacked(a: &Tensor<$format>, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = concat((1.5, collapse(a[i, j], (r: q, i, j) -> z)), (p: 2, z) -> k) }
                }
                fn cut(a: &Tensor<$format>, q: usize, lo: usize, hi: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = slice(collapse(a[i, j], (r: q, i, j) -> z), z -> k, (lo, hi, 2)) }
                }
            }
            for (seed, shape) in SHAPES.into_iter().enumerate() {
                let [m, n] = shape;
                let all = made(shape, |k| [0.0, 0.0, 1.5, -0.0, -2.0, 0.0, 5e-324][(k * (seed + 3)) % 7]);
                let a = Tensor::<$format>::from_dense(shape, &all).unwrap();
                for q in 0..4 {
                    let tiled = all.repeat(q);
                    same(&whole(&a, q).to_dense(), &tiled);
                    let each: Vec<f64> = (0..m).flat_map(|i| all[i * n..][..n].repeat(q)).collect();
                    same(&rows(&a, q).to_dense(), &each);
                    for p in 0..3 {
                        let each: Vec<f64> = (0..m).flat_map(|i| all[i * n..][..n].repeat(p)).collect();
                        same(&between(&a, p, q).to_dense(), &each.repeat(q));
                    }
                    let b = DenseVec::from_dense([tiled.len()], &tiled).unwrap();
                    let sums: Vec<f64> = tiled.iter().map(|v| v + v).collect();
                    same(&summed(&a, &b, q).to_dense(), &sums);
                    if tiled.len().is_multiple_of(2) {
                        same(&parted(&a, q, 2).to_dense(), &tiled);
                    }
                    same(&stacked(&a, q).to_dense(), &[vec![1.5; 2], tiled.clone()].concat());
                    for lo in [0, 1, 2].into_iter().filter(|lo| *lo <= tiled.len()) {
                        let some: Vec<f64> = tiled[lo..].iter().step_by(2).copied().collect();
                        same(&cut(&a, q, lo, tiled.len()).to_dense(), &some);
                    }
                }
            }
        }
    )*};
}
tiles! {
    dense: Dense<Dense<Element<f64>>>;
    csr: Dense<SparseList<Element<f64>>>;
    dcsr: SparseList<SparseList<Element<f64>>>;
    coo: Coo<Singleton<Element<f64>>>;
    runs: RunList<RunList<Element<f64>>>;
    sparse_runs: SparseRunList<SparseRunList<Element<f64>>>;
    blocks: SparseBlockList<SparseBlockList<Element<f64>>>;
    bands: Dense<SparseBand<Element<f64>>>;
    packed: Dense<PackBits<Element<f64>>>;
    bits: Bitmap<Bitmap<Element<f64>>>;
    hashes: Hash<Hash<Element<f64>>>;
    rows_of_hashes: SparseList<Hash<Element<f64>>>;
    ragged: Dense<Ragged<Element<f64>>>;
}

/// Two entries of rows of a million are two steps a tile.
#[test]
fn what_is_stored_is_visited_once_for_each_tile() {
    finch! {
        #![steps(n)]
        fn tile(x: &SparseVec<f64>, q: usize, n: &mut u64) -> (y: SparseVec<f64, u64>) {
            for k { y[k] = collapse(x[i], (r: q, i) -> k) }
        }
        fn rows(a: &Dcsr<f64>, p: usize, q: usize, n: &mut u64) -> (y: SparseVec<f64, u64>) {
            for k { y[k] = collapse(a[i, j], (r: q, i, s: p, j) -> k) }
        }
        fn times(x: &SparseVec<f64>, z: &SparseVec<f64, u64>, q: usize, n: &mut u64) -> (y: SparseVec<f64, u64>) {
            for k { y[k] = collapse(x[i], (r: q, i) -> k) * z[k] }
        }
    }
    let (m, mut n) = (1 << 20, 0);
    let x = SparseVec::from_triplets([m], [([7], 2.0), ([m - 1], 1.5)], Refuse).unwrap();
    let y = tile(&x, 3, &mut n);
    let want = |r: usize| [(vec![r * m + 7], 2.0), (vec![r * m + m - 1], 1.5)];
    assert_eq!(y.triplets(), (0..3).flat_map(want).collect::<Vec<_>>());
    assert!(n <= 12, "{n}");
    let z = SparseVec::from_triplets([m * m], [([5 * m + 7], 0.5)], Refuse).unwrap();
    n = 0;
    assert_eq!(times(&x, &z, m, &mut n).triplets(), [(vec![5 * m + 7], 1.0)]);
    assert!(n <= 8, "{n}");
    n = 0;
    let a = Dcsr::from_triplets([m, m], [([3, 7], 2.0)], Refuse).unwrap();
    let at = [3 * 2, 3 * 2 + 1, (m + 3) * 2, (m + 3) * 2 + 1].map(|row| (vec![row * m + 7], 2.0));
    assert_eq!(rows(&a, 2, 2, &mut n).triplets(), at);
    assert!(n <= 24, "{n}");
}
