//! Shape operators over levels of other crates, whose declarations know nothing of them, in and out.

use blocks::BlockList;
use spans::{Intervals, Strided};
use sparse::{finch, Dense, DenseMat, DenseVec, Element, SparseVec, Tensor};

/// Stretches that are alike, and zeros.
fn values(n: usize, seed: usize) -> Vec<f64> {
    (0..n)
        .map(|k| [0.0, 0.5, 0.5, 0.0, 0.0, -1.5, 2.0, 2.0][(k + k / 3 + seed * (seed + k / 5)) % 8])
        .collect()
}

macro_rules! vectors {
    ($($name:ident: $format:ty, $make:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn shapes(x: &Tensor<$format>, z: &SparseVec<f64>, n: usize, lo: usize, hi: usize, by: usize) -> (
                    parted: DenseMat<f64>, second: SparseVec<f64>, nth: DenseVec<f64>, joined: SparseVec<f64>, again: DenseVec<f64>,
                ) {
                    for i, j { parted[i, j] = split(x[k], k -> (i, j: n)) }
                    for k { second[k] = slice(x[i], i -> k, (lo, hi, 2)) }
                    for k { nth[k] = slice(x[i], i -> k, (lo, hi, by)) }
                    for l { joined[l] = concat((x[i], z[j], x[k]), (i, j, k) -> l) }
                    for k { again[k] = collapse(x[i], (r: 2, i, s: 3) -> k) }
                }
            }
            #[test]
            fn agrees() {
                for (n, seed) in [0, 1, 2, 4, 6, 12, 15].into_iter().zip(0..) {
                    let x: Tensor<$format> = ($make)(n, seed);
                    let v = x.to_dense();
                    let w = values(n, seed + 3);
                    let z: SparseVec<f64> = Tensor::from_dense([n], &w).unwrap();
                    for lo in 0..=n {
                        for (hi, by) in (lo..=n).flat_map(|hi| [1, 2, 3, 20].map(|by| (hi, by))) {
                            let h = if n % by == 0 { by } else { 1 };
                            let (parted, second, nth, joined, again) = shapes(&x, &z, h, lo, hi, by);
                            assert_eq!((parted.shape(), parted.to_dense()), (vec![n / h, h], v.clone()));
                            let every = |by| v[lo..hi].iter().step_by(by).copied().collect::<Vec<_>>();
                            assert_eq!(second.to_dense(), every(2));
                            assert_eq!(nth.to_dense(), every(by));
                            assert_eq!(joined.to_dense(), [&v[..], &w, &v].concat());
                            let thrice: Vec<f64> = (0..6 * n).map(|k| v[k / 3 % n]).collect();
                            assert_eq!(again.to_dense(), thrice);
                        }
                    }
                }
            }
        }
    )*};
}

/// Periods with room before and behind them.
fn periods(fibers: usize, n: usize, seed: usize) -> Strided<Element<f64>> {
    let (mut pos, mut start, mut step) = (vec![0], Vec::new(), Vec::new());
    for p in 0..fibers {
        let (first, by) = ((seed + p) % 3, 1 + (seed + p) % 4);
        pos.push(pos[p] + if n > first { (n - first).div_ceil(by) - (p + n) % 2 } else { 0 });
        start.push(first);
        step.push(by);
    }
    let values = (0..pos[fibers]).map(|k| k as f64 + 0.5).collect();
    Strided::new(n, pos, start, step, Element::new(values))
}

fn of<L: sparse::Level<Value = f64>>(shape: &[usize], seed: usize) -> Tensor<L> {
    Tensor::from_dense(shape, &values(shape.iter().product(), seed)).unwrap()
}

vectors! {
    blocks_of: BlockList<Element<f64>>, |n, seed| of(&[n], seed);
    intervals: Intervals<Element<f64>>, |n, seed| of(&[n], seed);
    strided: Strided<Element<f64>>, |n, seed| Tensor::from_parts(periods(1, n, seed)).unwrap();
}

macro_rules! matrices {
    ($($name:ident: $format:ty, $make:expr;)*) => {$(
        mod $name {
            use super::*;
            finch! {
                fn flat(a: &Tensor<$format>) -> (rows: SparseVec<f64>, columns: DenseVec<f64>, blocks: Tensor<BlockList<Element<f64>>>, spans: Tensor<Intervals<Element<f64>>>) {
                    for k { rows[k] = collapse(a[i, j], (i, j) -> k) }
                    for k { columns[k] = collapse(a[i, j], (j, i) -> k) }
                    for k { blocks[k] = collapse(a[i, j], (i, j) -> k) }
                    for k { spans[k] = collapse(a[i, j], (i, j) -> k) }
                }
                fn cut(a: &Tensor<$format>, lo: usize, hi: usize, left: usize, right: usize, by: usize) -> (
                    rows: Tensor<Dense<Intervals<Element<f64>>>>, columns: Tensor<BlockList<Intervals<Element<f64>>>>,
                    above: Tensor<Intervals<BlockList<Element<f64>>>>, beside: DenseMat<f64>, shaped: Tensor<Dense<BlockList<Element<f64>>>>,
                ) {
                    for r, c { rows[r, c] = slice(a[i, c], i -> r, (lo, hi, by)) }
                    for r, c { columns[r, c] = slice(a[r, j], j -> c, (left, right, by)) }
                    for r, c { above[r, c] = concat((a[i, c], a[j, c]), (i, j) -> r) }
                    for r, c { beside[r, c] = concat((a[r, i], 1.5, a[r, j]), (i, o: 1, j) -> c) }
                    for k, l { shaped[k, l] = reshape(a[i, j], (i, j) -> (k, l: hi)) }
                }
            }
            #[test]
            fn agrees() {
                for ((m, n), seed) in [(0, 0), (0, 2), (2, 0), (1, 1), (1, 5), (5, 1), (4, 6), (6, 4)].into_iter().zip(0..) {
                    let a: Tensor<$format> = ($make)(m, n, seed);
                    let v = a.to_dense();
                    let (rows, columns, blocks, spans) = flat(&a);
                    assert_eq!(rows.to_dense(), v);
                    let turned: Vec<f64> = (0..m * n).map(|k| v[k % m * n + k / m]).collect();
                    assert_eq!(columns.to_dense(), turned);
                    assert_eq!(blocks.to_dense(), v);
                    assert_eq!(spans.to_dense(), v);
                    for (lo, left, by) in (0..=m).flat_map(|lo| (0..=n).flat_map(move |left| [1, 2, 5].map(|by| (lo, left, by)))) {
                        if m == 0 { continue }
                        let (rows, columns, above, beside, shaped) = cut(&a, lo, m, left, n, by);
                        let every: Vec<f64> = (lo..m).step_by(by).flat_map(|i| v[i * n..i * n + n].to_vec()).collect();
                        assert_eq!(rows.to_dense(), every);
                        let every: Vec<f64> = (0..m).flat_map(|i| v[i * n + left..i * n + n].iter().step_by(by).copied().collect::<Vec<_>>()).collect();
                        assert_eq!(columns.to_dense(), every);
                        assert_eq!(above.to_dense(), [&v[..], &v].concat());
                        let wide: Vec<f64> = (0..m).flat_map(|i| { let r = &v[i * n..i * n + n]; [r, &[1.5], r].concat() }).collect();
                        assert_eq!(beside.to_dense(), wide);
                        assert_eq!((shaped.shape(), shaped.to_dense()), (vec![n, m], v.clone()));
                    }
                }
            }
        }
    )*};
}

matrices! {
    of_blocks: BlockList<Intervals<Element<f64>>>, |m, n, seed| of(&[m, n], seed);
    of_intervals: Intervals<BlockList<Element<f64>>>, |m, n, seed| of(&[m, n], seed);
    rows_of_intervals: Dense<Intervals<Element<f64>>>, |m, n, seed| of(&[m, n], seed);
    rows_strided: Dense<Strided<Element<f64>>>, |m, n, seed| Tensor::from_parts(Dense::new(m, periods(m, n, seed))).unwrap();
    strided_rows: Strided<Dense<Element<f64>>>, |m, n, seed| {
        let (len, pos, start, step, _) = periods(1, m, seed).into_parts();
        let rows = Dense::new(n, Element::new(values(pos[1] * n, seed)));
        Tensor::from_parts(Strided::new(len, pos, start, step, rows)).unwrap()
    };
}
