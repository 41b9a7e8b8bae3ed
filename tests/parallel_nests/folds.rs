//! Stretches of a parallel loop that come to less than a loop: a choice, a product, one assignment.

use crate::chunked;
use looplets::prelude::*;
use num_complex::Complex;

type C64 = Complex<f64>;

level! { type Dcsr<T, F = Zero> = Tensor<SparseList<SparseList<Element<T, F>>>>; }
level! { type Runs<T, F = Zero> = Tensor<RunList<Element<T, F>>>; }
level! { type Interval<T, F = Zero> = Tensor<SparseInterval<Element<T, F>>>; }

/// Rows and columns, with nothing, one and more than a word of bits of each.
const SIZES: [(usize, usize); 8] =
    [(0, 0), (0, 3), (3, 0), (1, 1), (2, 2), (65, 3), (3, 65), (70, 9)];

both! {
    chosen(m: &Runs<bool>, a: &DenseVec<f64>) -> (o: DenseVec<f64>) { i: if m[i] { o[i] = a[i] } }
    more(g: &Dcsr<f64>) -> (y: DenseVec<f64>) { i: for j { y[i] += g[i, j] + 1 } }
    over_one(g: &Dcsr<f64, One>) -> (y: DenseVec<f64>) { i: for j { y[i] += g[i, j] } }
    largest(a: &Dcsr<f64>) -> (y: SparseVec<f64>) { i: for j { y[i] <<max>>= a[i, j] } }
    rows_where(x: &Interval<f64>, a: &DenseMat<f64>) -> (y: DenseVec<f64>) { i: if x[i] != 0 { for j { y[j] += a[i, j] } } }
}

#[test]
fn stretches_that_fold() {
    chunked(|| {
        for (m, n) in SIZES {
            let wide: Vec<f64> = (0..m * n)
                .map(|e| if (e / n.max(1)) % 3 == 1 { 0.25 * (e % 7) as f64 - 0.5 } else { 0.0 })
                .collect();
            let dense: DenseMat<f64> = Tensor::from_dense([m, n], &wide).unwrap();
            let row = |i: usize| &wide[i * n..(i + 1) * n];
            let flags: Vec<bool> = (0..m).map(|i| i % 5 < 3).collect();
            let a: Vec<f64> = (0..m).map(|i| 0.5 * i as f64 - 3.25).collect();
            let (runs, line) =
                (Tensor::from_dense([m], &flags).unwrap(), Tensor::from_dense([m], &a).unwrap());
            let want: Vec<f64> = (0..m).map(|i| if flags[i] { a[i] } else { 0.0 }).collect();
            assert_eq!(chosen::parallel(&runs, &line).to_dense(), want);
            assert_eq!(chosen::sequential(&runs, &line).to_dense(), want);

            let g: Dcsr<f64> = dense.convert().unwrap();
            let want: Vec<f64> = (0..m).map(|i| row(i).iter().map(|v| v + 1.0).sum()).collect();
            assert_eq!(more::parallel(&g).to_dense(), want);
            assert_eq!(more::sequential(&g).to_dense(), want);

            let g: Dcsr<f64, One> =
                Tensor::from_dense([m, n], &wide.iter().map(|v| v + 1.0).collect::<Vec<_>>())
                    .unwrap();
            assert_eq!(over_one::parallel(&g).to_dense(), want);
            assert_eq!(over_one::sequential(&g).to_dense(), want);

            let g: Dcsr<f64> = dense.convert().unwrap();
            let want: Vec<f64> =
                (0..m).map(|i| row(i).iter().fold(0.0, |a, b| f64::max(a, *b))).collect();
            assert_eq!(largest::sequential(&g).to_dense(), want);
            assert_eq!(largest::parallel(&g).to_dense(), want);

            let at: Vec<f64> =
                (0..m).map(|i| if i >= 1 && 3 * i < 2 * m { 0.5 } else { 0.0 }).collect();
            let x: Interval<f64> = Tensor::from_dense([m], &at).unwrap();
            let want: Vec<f64> =
                (0..n).map(|j| (0..m).filter(|i| at[*i] != 0.0).map(|i| row(i)[j]).sum()).collect();
            assert_eq!(rows_where::sequential(&x, &dense).to_dense(), want);
            assert_eq!(rows_where::parallel(&x, &dense).to_dense(), want);
        }
    });
}

both! {
    padded(x: &DenseVec<C64>, n: &DenseVec<usize>) -> (y: DenseVec<C64>) { i: for j in 0..n[i] { y[i] += coalesce(x[permit[i + j]], 2) } }
    times(n: &DenseVec<usize>, c: C64) -> (y: DenseVec<C64>) { i: for j in 0..n[i] { y[i] += c } }
    less(n: &DenseVec<usize>, c: C64, s: &mut C64) { i: let m = n[i]; for j in 1..m { s -= c } }
    few(n: &DenseVec<usize>, x: &DenseVec<u8>) -> (y: DenseVec<u8>) { i: for j in 0..n[i] { y[i] += x[i] } }
    padded_by(x: &DenseVec<C64>, n: &DenseVec<usize>, c: C64) -> (y: DenseVec<C64>) { i: for j in 0..n[i] { y[i] += coalesce(x[permit[i + j]], c) } }
}

#[test]
fn complex_numbers_times_an_extent() {
    chunked(|| {
        for n in [0usize, 1, 2, 65] {
            let values: Vec<C64> = (0..n).map(|i| Complex::new(0.5 * i as f64, -1.25)).collect();
            let lens: Vec<usize> = (0..n).map(|i| i * 7 % 5).collect();
            let (x, l): (DenseVec<C64>, DenseVec<usize>) = (
                Tensor::from_dense([n], &values).unwrap(),
                Tensor::from_dense([n], &lens).unwrap(),
            );
            let at = |c: C64| -> Vec<C64> {
                (0..n)
                    .map(|i| (0..lens[i]).map(|j| values.get(i + j).copied().unwrap_or(c)).sum())
                    .collect()
            };
            let (two, c) = (Complex::new(2.0, 0.0), Complex::new(0.5, -3.0));
            assert_eq!(padded::sequential(&x, &l).to_dense(), at(two));
            assert_eq!(padded::parallel(&x, &l).to_dense(), at(two));
            let want: Vec<C64> = lens.iter().map(|n| c * *n as f64).collect();
            assert_eq!(times::sequential(&l, c).to_dense(), want);
            assert_eq!(times::parallel(&l, c).to_dense(), want);
            let small: Vec<u8> = (0..n).map(|i| (i % 64) as u8).collect();
            let bytes: DenseVec<u8> = Tensor::from_dense([n], &small).unwrap();
            let want: Vec<u8> = small.iter().zip(&lens).map(|(v, n)| v * *n as u8).collect();
            assert_eq!(few::sequential(&l, &bytes).to_dense(), want);
            assert_eq!(few::parallel(&l, &bytes).to_dense(), want);
            let (mut one, mut other) = (two, two);
            less::sequential(&l, c, &mut one);
            less::parallel(&l, c, &mut other);
            let all: usize = lens.iter().map(|n| n.saturating_sub(1)).sum();
            assert_eq!((one, other), (two - c * all as f64, two - c * all as f64));
            assert_eq!(padded_by::sequential(&x, &l, c).to_dense(), at(c));
            assert_eq!(padded_by::parallel(&x, &l, c).to_dense(), at(c));
        }
    });
}
