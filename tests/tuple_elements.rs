//! Elements that are tuples: the least and greatest of each row with their places, in dense and sparse results.

use looplets::prelude::*;
use std::collections::BTreeMap;

fill! { /// Behind everything.
pub fill Farthest: (f64, usize) = (f64::INFINITY, 0); }
fill! { /// Before everything.
pub fill Lowest: (f64, u32) = (f64::NEG_INFINITY, u32::MAX); }
level! { type Pairs = Tensor<Dense<SparseList<Element<(f64, usize), Farthest>>>>; }

finch! {
    fn assigned(p: &DenseMat<f64>, c: &DenseMat<f64>) -> (best: DenseVec<(f64, usize), Farthest>) {
        for i, k {
            let mut d: f64;
            for f { d += (p[i, f] - c[k, f]) * (p[i, f] - c[k, f]) }
            best[i] <<minby>>= (d, k)
        }
    }
    fn stored_least(a: &Csr<f64>) -> (best: DenseVec<(f64, usize), Farthest>) { if a[i, j] != 0 { best[i] <<minby>>= (a[i, j], j) } }
    // What is not stored takes part.
    #[allow(deprecated)]
    fn least(a: &Csr<f64>) -> (best: DenseVec<(f64, usize), Farthest>) { best[i] <<minby>>= (a[i, j], j) }
    fn greatest(a: &Csr<f64>) -> (best: DenseVec<(f64, u32), Lowest>) { parallel for i { for j { best[i] <<maxby>>= (a[i, j], j) } } }
    fn by_way_of(a: &Csr<f64>, b: &Csr<f64>) -> (c: Pairs) {
        if a[i, k] != 0 { if b[k, j] != 0 { c[i, j] <<minby>>= (a[i, k] + b[k, j], k) } }
    }
    fn parts(best: &DenseVec<(f64, usize), Farthest>) -> (value: DenseVec<f64>, at: DenseVec<usize>) {
        for i { let b = best[i]; value[i] = $(b.0); at[i] = $(b.1) }
    }
    fn of_scalars(a: &DenseMat<f64>) -> (best: DenseVec<(f64, usize), Farthest>) {
        for i { let mut b: (f64, usize) = (f64::INFINITY, 0); for j { b <<minby>>= (a[i, j], j) } best[i] = b }
    }
    fn updated(a: &Csr<f64>, best: &mut DenseVec<(f64, u32), Lowest>) { for i, j { if a[i, j] > 0 { best[j] <<maxby>>= (a[i, j], i) } } }
}

/// Rows with ties, both zeros and infinities.
const ROWS: [[f64; 4]; 5] = [
    [0.0, 5.5, -1.25, -1.25],
    [0.0; 4],
    [-0.0, 0.0, f64::INFINITY, 2.0],
    [f64::NEG_INFINITY, 3.0, f64::MAX, 3.0],
    [0.5, 0.25, 0.25, 0.0],
];

fn matrix() -> Csr<f64> {
    Tensor::from_dense([5, 4], &ROWS.concat()).expect("a matrix")
}

/// The first of `row` that no later one is better than.
fn best(row: &[(f64, usize)], better: fn(&f64, &f64) -> bool) -> Option<(f64, usize)> {
    row.iter().copied().reduce(|held, new| if better(&new.0, &held.0) { new } else { held })
}

fn placed(row: &[f64]) -> Vec<(f64, usize)> {
    row.iter().copied().zip(0..).collect()
}

#[test]
fn the_best_of_each_row() {
    let a = matrix();
    let all: Vec<_> = ROWS.iter().map(|r| best(&placed(r), f64::lt).expect("four")).collect();
    assert_eq!(least(&a).to_dense(), all);
    let dense: DenseMat<f64> = Tensor::from_dense([5, 4], &ROWS.concat()).expect("a matrix");
    assert_eq!(of_scalars(&dense).to_dense(), all);
    let stored = |r: &[f64; 4]| placed(r).into_iter().filter(|x| x.0 != 0.0).collect::<Vec<_>>();
    let some: Vec<_> =
        ROWS.iter().map(|r| best(&stored(r), f64::lt).unwrap_or((f64::INFINITY, 0))).collect();
    assert_eq!(stored_least(&a).to_dense(), some);
    let most: Vec<_> = ROWS
        .iter()
        .map(|r| best(&placed(r), f64::gt).map(|(x, at)| (x, at as u32)).expect("four"))
        .collect();
    assert_eq!(greatest(&a).to_dense(), most);
    let (value, at) = parts(&least(&a));
    assert_eq!((value.to_dense(), at.to_dense()), all.into_iter().unzip());
}

#[test]
fn sparse_results_of_pairs() {
    let n = 4;
    let rows = [[0.0, 2.5, 0.0, 1.0], [1.5, 0.0, 0.0, 0.25], [0.0; 4], [0.0, 0.5, -4.0, 0.0]];
    let a: Csr<f64> = Tensor::from_dense([n, n], &rows.concat()).expect("a matrix");
    let mut want = BTreeMap::new();
    for i in 0..n {
        for j in 0..n {
            let ways: Vec<_> = (0..n)
                .filter(|k| rows[i][*k] != 0.0 && rows[*k][j] != 0.0)
                .map(|k| (rows[i][k] + rows[k][j], k))
                .collect();
            want.extend(best(&ways, f64::lt).map(|b| (vec![i, j], b)));
        }
    }
    assert_eq!(by_way_of(&a, &a).triplets().into_iter().collect::<BTreeMap<_, _>>(), want);
}

#[test]
fn nearest_centres_and_updates() {
    let p: DenseMat<f64> =
        Tensor::from_dense([3, 2], &[1.0, 2.0, 3.0, 4.0, 0.0, 0.0]).expect("points");
    let c: DenseMat<f64> = Tensor::from_dense([2, 2], &[0.0, 0.0, 3.0, 3.0]).expect("centres");
    assert_eq!(assigned(&p, &c).to_dense(), [(5.0, 0), (1.0, 1), (0.0, 0)]);
    let mut held: DenseVec<(f64, u32), Lowest> =
        Tensor::from_dense([4], &[(9.0, 7); 4]).expect("pairs");
    updated(&matrix(), &mut held);
    assert_eq!(held.to_dense(), [(9.0, 7), (9.0, 7), (f64::INFINITY, 2), (9.0, 7)]);
}
