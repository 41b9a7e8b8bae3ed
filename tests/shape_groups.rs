//! Loops over groups of a fiber's elements: what `split` and `reshape` make visits the groups that store something,
//! whatever the level, and is what it is of dense arrays.

use looplets::prelude::*;

/// Fractions, both zeros, infinities, and stretches that are alike.
fn values(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut value = 0.0;
    let stored = 1 + seed % 40;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            value = match state % 41 {
                k if k > stored => 0.0,
                0..4 => value,
                4 => 1e100,
                5 => -1.5,
                6 => f64::INFINITY,
                k => k as f64 + 0.25,
            };
            value
        })
        .collect()
}

const SIZES: [(usize, usize); 10] =
    [(0, 1), (0, 3), (1, 1), (1, 7), (7, 1), (2, 2), (4, 5), (5, 4), (9, 13), (30, 4)];

macro_rules! vectors {
    ($($name:ident: $format:ty;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn rows(a: &Tensor<$format>, n: usize) -> (y: Csr<f64>) {
                    for i, j { y[i, j] = split(a[k], k -> (i, j: n)) }
                }
                fn stored_rows(a: &Tensor<$format>, n: usize) -> (y: Tensor<SparseList<SparseList<Element<f64>>>>) {
                    for i, j { y[i, j] = split(a[k], k -> (i, j: n)) }
                }
                fn sums(a: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += split(a[k], k -> (i, j: n)) }
                }
                fn added(a: &Tensor<$format>, b: &Csr<f64>) -> (y: DenseMat<f64>) {
                    for i, j { y[i, j] = b[i, j] + 2 * split(a[k], k -> (i, j)) }
                }
                fn twice(a: &Tensor<$format>, n: usize) -> (y: Csr<f64>) {
                    for i, j { y[i, j] = split(a[k], k -> (i, j: n)) - split(a[l], l -> (i, j: n)) / 2 }
                }
                fn columns(a: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    for j, i { y[j] += split(a[k], k -> (i, j: n)) }
                }
                fn blocks(a: &Tensor<$format>, m: usize, n: usize) -> (y: Tensor<Dense<Dense<SparseList<Element<f64>>>>>) {
                    for h, i, j { y[h, i, j] = split(a[k], k -> (h, i: m, j: n)) }
                }
                fn turned(a: &Tensor<$format>, m: usize, n: usize) -> (y: Tensor<Dense<Dense<Dense<Element<f64>>>>>) {
                    for h, j, i { y[h, i, j] = split(a[k], k -> (h, i: m, j: n)) }
                }
                fn every_second(a: &Tensor<$format>, lo: usize, hi: usize, n: usize) -> (y: Csr<f64>) {
                    for i, j { y[i, j] = split(slice(a[k], k -> l, (lo, hi, 2)), l -> (i, j: n)) }
                }
                fn again(a: &Tensor<$format>, x: &DenseVec<f64>, n: usize) -> (y: DenseVec<f64>) {
                    for i { for h { for j { y[h] += x[h] * split(a[k], k -> (i, j: n)) } } }
                }
                fn at_once(a: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    parallel for i { for j { y[i] += split(a[k], k -> (i, j: n)) } }
                }
                fn in_and_out(a: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    for m { y[m] = collapse(split(a[k], k -> (i, j: n)), (i, j: n) -> m) }
                }
                fn part(a: &Tensor<$format>, lo: usize, hi: usize, n: usize) -> (y: DenseMat<f64>) {
                    for i in lo..hi { for j { y[i, j] = split(a[k], k -> (i, j: n)) } }
                }
                fn first(a: &Tensor<$format>, n: usize) -> (y: DenseVec<f64>) {
                    for i { for j { if split(a[k], k -> (i, j: n)) > 0.0 { y[i] <<choose>>= split(a[k], k -> (i, j: n)) } } }
                }
            }

            fn check(m: usize, n: usize, seed: u64) {
                let v = values(m * n, seed);
                let a: Tensor<$format> = Tensor::from_dense([m * n], &v).unwrap();
                let b = values(m * n, seed + 1);
                assert_eq!(rows(&a, n).to_dense(), v);
                assert_eq!(stored_rows(&a, n).to_dense(), v);
                let sum = |i: usize| v[i * n..][..n].iter().fold(0.0, |s, x| s + x);
                let of_rows: Vec<f64> = (0..m).map(sum).collect();
                let same = |a: &[f64], b: &[f64]| {
                    a.len() == b.len()
                        && a.iter().zip(b).all(|(a, b)| {
                            a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * b.abs()
                        })
                };
                assert!(same(&sums(&a, n).to_dense(), &of_rows));
                assert!(same(&at_once(&a, n).to_dense(), &of_rows));
                let both: Vec<f64> = v.iter().zip(&b).map(|(a, b)| b + 2.0 * a).collect();
                let csr = Tensor::from_dense([m, n], &b).unwrap();
                assert_eq!(added(&a, &csr).to_dense(), both);
                let half: Vec<f64> = v.iter().map(|a| a - a / 2.0).collect();
                assert!(same(&twice(&a, n).to_dense(), &half));
                let column = |j: usize| (0..m).fold(0.0, |s, i| s + v[i * n + j]);
                assert!(same(&columns(&a, n).to_dense(), &(0..n).map(column).collect::<Vec<_>>()));
                assert_eq!(in_and_out(&a, n).to_dense(), v);
                if m > 0 {
                    assert_eq!(blocks(&a, m, n).to_dense(), v);
                    assert_eq!(turned(&a, m, n).to_dense(), v);
                    assert_eq!(blocks(&a, n, m).to_dense(), v);
                    assert_eq!(turned(&a, 1, n).to_dense(), v);
                }
                for lo in 0..3.min(m * n) {
                    let rows = (m * n - lo) / (2 * n);
                    let hi = lo + rows * 2 * n;
                    let expected: Vec<f64> = (0..rows * n).map(|k| v[lo + 2 * k]).collect();
                    assert_eq!(every_second(&a, lo, hi, n).to_dense(), expected);
                }
                let (lo, hi) = (m / 3, m - m / 4);
                let mut expected = vec![0.0; hi.max(lo) * n];
                (lo * n..hi.max(lo) * n).for_each(|k| expected[k] = v[k]);
                assert_eq!(part(&a, lo, hi.max(lo), n).to_dense()[lo * n..], expected[lo * n..]);
                let x = Tensor::from_dense([2], &[0.5, 2.0]).unwrap();
                let all: f64 = of_rows.iter().sum();
                assert!(same(&again(&a, &x, n).to_dense(), &[0.5 * all, 2.0 * all]));
                let ahead = |i: usize| v[i * n..][..n].iter().copied().find(|x| *x > 0.0).unwrap_or(0.0);
                assert_eq!(first(&a, n).to_dense(), (0..m).map(ahead).collect::<Vec<_>>());
            }

            #[test]
            fn splits() {
                for (m, n) in SIZES {
                    for seed in 0..12 {
                        check(m, n, seed * 5);
                    }
                }
            }
        }
    )*};
}

vectors! {
    dense: Dense<Element<f64>>;
    list: SparseList<Element<f64>>;
    runs: RunList<Element<f64>>;
    sparse_runs: SparseRunList<Element<f64>>;
    band: SparseBand<Element<f64>>;
    blocks: SparseBlockList<Element<f64>>;
    pack_bits: PackBits<Element<f64>>;
    bitmap: Bitmap<Element<f64>>;
    hash: Hash<Element<f64>>;
    coo: Coo<Element<f64>>;
}

finch! {
    #![steps(n)]
    fn far_groups(a: &Tensor<SparseList<Element<f64>, u64>>, m: usize, n: &mut u64)
        -> (y: Tensor<SparseList<SparseList<Element<f64>, u64>, u64>>)
    {
        for i, j { y[i, j] = split(a[k], k -> (i, j: m)) }
    }
    fn far_blocks(a: &Tensor<SparseList<Element<f64>, u64>>, m: usize, n: &mut u64)
        -> (y: Tensor<SparseList<SparseList<SparseList<Element<f64>, u64>, u64>, u64>>)
    {
        for h, i, j { y[h, i, j] = split(a[k], k -> (h, i: m, j: m)) }
    }
    fn gallop_groups(a: &Tensor<SparseList<Element<f64>, u64>>, x: &SparseVec<f64>, m: usize, s: &mut f64, n: &mut u64) {
        for i, j { s += x[i::gallop] * split(a[k::gallop], k -> (i, j: m)) }
    }
    fn far_rows(a: &Tensor<SparseList<SparseList<Element<f64>, u64>, u64>>, m: usize, n: &mut u64)
        -> (y: Tensor<SparseList<SparseList<Element<f64>, u64>, u64>>)
    {
        for k, l { y[k, l] = reshape(a[i, j], (i, j) -> (k: m, l)) }
    }
}

#[test]
fn groups_that_store_something_are_visited_and_no_others() {
    let m = 1_000_000;
    let at = [5, 6, m + 3, 7 * m * 1000, 7 * m * 1000 + m - 1, m * m - 1];
    let entries = at.iter().map(|k| ([*k], *k as f64));
    let a = Tensor::from_triplets([m * m], entries.collect::<Vec<_>>(), Refuse).unwrap();
    let mut n = 0;
    let y = far_groups(&a, m, &mut n);
    assert!(n <= 20, "{n} steps");
    let stored: Vec<_> = at.iter().map(|k| (vec![k / m, k % m], *k as f64)).collect();
    assert_eq!(y.triplets(), stored);
    n = 0;
    let y = far_blocks(&a, 1000, &mut n);
    assert!(n <= 30, "{n} steps");
    let place = |k: &usize| vec![k / m, k % m / 1000, k % 1000];
    let stored: Vec<_> = at.iter().map(|k| (place(k), *k as f64)).collect();
    assert_eq!(y.triplets(), stored);
    let x =
        Tensor::from_triplets([m], vec![([1], 2.0), ([7000], 0.5), ([8000], 1.0)], Refuse).unwrap();
    let mut s = 0.0;
    n = 0;
    gallop_groups(&a, &x, m, &mut s, &mut n);
    assert_eq!(s, 2.0 * at[2] as f64 + 0.5 * (at[3] + at[4]) as f64);
    assert!(n <= 20, "{n} steps");
    n = 0;
    let y = far_rows(&y_of(&at, m), 1000, &mut n);
    assert!(n <= 60, "{n} steps");
    let wide = m * 1000;
    let stored: Vec<_> = at.iter().map(|k| (vec![k / wide, k % wide], *k as f64)).collect();
    assert_eq!(y.triplets(), stored);
}

fn y_of(at: &[usize], m: usize) -> Tensor<SparseList<SparseList<Element<f64>, u64>, u64>> {
    let entries = at.iter().map(|k| ([k / m, k % m], *k as f64));
    Tensor::from_triplets([m, m], entries.collect::<Vec<_>>(), Refuse).unwrap()
}
