//! Triangular systems: solved from above along the rows, and from below by indices that go downward.

use looplets::prelude::*;

finch! {
    fn from_above(a: &Csr<f64>, b: &DenseVec<f64>) -> (x: DenseVec<f64>) {
        for i {
            let mut s: f64;
            for j { if j < i { s += a[i, j] * x[j] } }
            x[i] = (b[i] - s) / a[i, i]
        }
    }
}

finch! {
    fn from_below(a: &Csr<f64>, b: &DenseVec<f64>, n: usize) -> (x: DenseVec<f64>[n]) {
        for t in 0..n {
            let i = n - 1 - t;
            let mut s: f64;
            for j { if j > i { s += a[i, j] * x[j] } }
            x[i] = (b[i] - s) / a[i, i]
        }
    }
}

/// A matrix of `n` rows with something at every third place, and on the diagonal.
fn matrix(n: usize) -> Csr<f64> {
    let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let some = all.filter(|(i, j)| i == j || (i + 2 * j) % 3 == 0);
    let entries: Vec<_> =
        some.map(|(i, j)| ([i, j], 0.25 + (i * 7 + j * 3) as f64 / 8.0)).collect();
    Csr::from_triplets([n, n], entries, Refuse).expect("in range")
}

fn same(found: &DenseVec<f64>, expected: &[f64]) {
    let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&found.to_dense()), bits(expected));
}

#[test]
fn systems_are_solved_from_above_and_from_below() {
    for n in [0, 1, 2, 3, 20] {
        let a = matrix(n);
        let at = |i: usize, j: usize| a.get([i, j]).expect("in range");
        let b: Vec<f64> =
            (0..n).map(|i| [1.5, -0.0, 1e300, 5e-324][i % 4] * (i + 1) as f64).collect();
        let given = DenseVec::from_dense([n], &b).expect("a vector");
        let mut x = vec![0.0; n];
        for i in 0..n {
            let s: f64 = (0..i).filter(|j| at(i, *j) != 0.0).fold(0.0, |s, j| s + at(i, j) * x[j]);
            x[i] = (b[i] - s) / at(i, i);
        }
        same(&from_above(&a, &given), &x);
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let s: f64 =
                (i + 1..n).filter(|j| at(i, *j) != 0.0).fold(0.0, |s, j| s + at(i, j) * x[j]);
            x[i] = (b[i] - s) / at(i, i);
        }
        same(&from_below(&a, &given, n), &x);
    }
}
