//! Several statements, branches and terms that write one result which is appended to.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Lists = Tensor<SparseList<SparseList<Element<f64>>>>; }

finch! {
    #![steps(n)]
    fn product_and_sum(d: &Csr<f64>, a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) {
        c[i, j] = d[i, j];
        c[i, j] += a[i, k] * b[k, j]
    }
    fn commutator(a: &Csr<f64>, n: &mut u64) -> (r: Csr<f64>) { r[i, j] += a[i, k] * a[k, j] - a[j, k] * a[k, i] }
}
finch! {
    fn with_transposed(a: &Lists, b: &Csr<f64>) -> (c: Lists) { c[i, j] -= a[i, j]; c[i, j] += b[j, i] }
    fn vectors(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[i, j] * x[j]; y[i] += x[i] }
    fn other_names(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: SparseVec<f64>) { y[i] += a[i, j] * x[j]; y[k] -= 2 * x[k] }
    fn branches(m: &Graph, a: &Csr<f64>) -> (c: Csr<f64>) {
        if m[i, j] && i < j { c[i, j] = a[i, j] } else { c[i, j] = -a[i, j] }
    }
    fn one_reduces(m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        if m[i, j] { c[i, j] += a[i, k] * b[k, j] } else { c[i, j] = a[i, j] }
    }
    /// A term without the index that the other one sums over is added once for each of its coordinates.
    fn not_apart(a: &Csr<f64>, b: &Csr<f64>) -> (r: DenseMat<f64>) { r[i, j] += a[i, k] * a[k, j] - b[j, i] }
    /// What was there before the branches stays where they write over it with nothing.
    fn behind(m: &Graph, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        c[i, j] += a[i, j];
        if m[i, j] { c[i, j] = b[i, j] } else { c[i, j] += b[i, j] }
    }
    /// Branches that take turns at an element are not taken apart.
    fn by_turns(m: &Graph, a: &Csr<f64>) -> (y: DenseVec<f64>, z: SparseVec<f64>) {
        if m[i, j] { y[i] += a[i, j] } else { y[i] <<max>>= a[i, j] };
        if m[i, j] { z[i] += a[i, j] } else { z[i] -= 2 * a[i, j] }
    }
    fn dense_commutator(a: &Csr<f64>) -> (r: DenseMat<f64>) { r[i, j] += a[i, k] * a[k, j] - a[j, k] * a[k, i] }
    fn sets(a: &Graph, b: &Graph) -> (c: Graph) { c[i, j] = a[i, j]; c[i, j] ||= b[j, i] }
}

const N: usize = 12;

/// What a sparse tensor stores of dense values.
fn is_stored(x: f64) -> bool {
    x.to_bits() != 0
}

fn entries(seed: usize) -> Vec<f64> {
    let of = values(N * N, seed, 30);
    (0..N * N).map(|k| if (k * 7_919 + seed * 37) % 100 < 22 { of[k] } else { 0.0 }).collect()
}

fn all(f: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..N * N).map(|k| f(k / N, k % N)).collect()
}

/// The product of the entries that are stored.
fn product(a: &[f64], b: &[f64], i: usize, j: usize) -> f64 {
    let stored = |k: &usize| is_stored(a[i * N + k]) && is_stored(b[k * N + j]);
    (0..N).filter(stored).map(|k| a[i * N + k] * b[k * N + j]).fold(0.0, |s, v| s + v)
}

#[test]
fn all_of_them_are_in_the_result() -> Result<(), looplets::Error> {
    for seed in 0..12 {
        let (a, b, d) = (entries(seed), entries(seed + 20), entries(seed + 40));
        let (ta, tb, td): (Csr<f64>, Csr<f64>, Csr<f64>) = (
            Tensor::from_dense([N, N], &a)?,
            Tensor::from_dense([N, N], &b)?,
            Tensor::from_dense([N, N], &d)?,
        );
        let at = |m: &[f64], i: usize, j: usize| m[i * N + j];
        let unsigned = |all: Vec<f64>| all.into_iter().map(|x| x + 0.0).collect::<Vec<_>>();
        let alike = |found: Vec<f64>, by_hand: Vec<f64>, what: &str| {
            same(&unsigned(found), &unsigned(by_hand), (seed, what))
        };
        let mut n = 0;
        let c = product_and_sum(&td, &ta, &tb, &mut n);
        // Terms are added one by one to what is there.
        let by_hand = all(|i, j| {
            let stored = |k: &usize| is_stored(at(&a, i, *k)) && is_stored(at(&b, *k, j));
            (0..N).filter(stored).fold(at(&d, i, j), |s, k| s + at(&a, i, k) * at(&b, k, j))
        });
        alike(c.to_dense(), by_hand, "product and sum");
        assert!(c.stored() < N * N && n < 900, "{} stored, {n} steps", c.stored());
        let by_hand = all(|i, j| {
            let fold = |start: f64, f: &dyn Fn(usize) -> Option<f64>| {
                (0..N).filter_map(f).fold(start, |s, v| s + v)
            };
            let both = |x: f64, y: f64| (is_stored(x) && is_stored(y)).then_some(x * y);
            let sum = fold(0.0, &|k| both(at(&a, i, k), at(&a, k, j)));
            fold(sum, &|k| both(at(&a, j, k), at(&a, k, i)).map(|v| -v))
        });
        n = 0;
        alike(commutator(&ta, &mut n).to_dense(), by_hand, "commutator");
        assert!(n < 1200, "{n} steps");
        alike(
            with_transposed(&ta.convert()?, &tb).to_dense(),
            all(|i, j| -at(&a, i, j) + at(&b, j, i)),
            "transposed",
        );
        let x: Vec<f64> = d[..N].to_vec();
        let tx: SparseVec<f64> = Tensor::from_dense([N], &x)?;
        let sums: Vec<f64> = (0..N)
            .map(|i| {
                (0..N)
                    .filter(|j| is_stored(at(&a, i, *j)) && is_stored(x[*j]))
                    .fold(0.0, |s, j| s + at(&a, i, j) * x[j])
            })
            .collect();
        let by_hand = sums.iter().zip(&x).map(|(s, x)| s + x).collect();
        alike(vectors(&ta, &tx).to_dense(), by_hand, "vectors");
        let by_hand = sums.iter().zip(&x).map(|(s, x)| s - 2.0 * x).collect();
        alike(other_names(&ta, &tx).to_dense(), by_hand, "other names");
        let stored = (0..N * N).filter(|k| (k * 31 + seed) % 3 == 0);
        let m: Graph =
            Tensor::from_triplets([N, N], stored.map(|k| ([k / N, k % N], true)), Refuse)?;
        let is = m.to_dense();
        let by_hand = all(|i, j| if is[i * N + j] && i < j { at(&a, i, j) } else { -at(&a, i, j) });
        let c = branches(&m, &ta);
        assert_eq!(c.stored(), ta.stored());
        alike(c.to_dense(), by_hand, "branches");
        let c = one_reduces(&m, &ta, &tb);
        alike(
            c.to_dense(),
            all(|i, j| if is[i * N + j] { product(&a, &b, i, j) } else { at(&a, i, j) }),
            "one reduces",
        );
        let c = behind(&m, &ta, &tb);
        let by_hand =
            all(|i, j| if is[i * N + j] { at(&b, i, j) } else { at(&a, i, j) + at(&b, i, j) });
        alike(c.to_dense(), by_hand, "behind");
        alike(dense_commutator(&ta).to_dense(), commutator(&ta, &mut n).to_dense(), "dense");
        let (y, z) = by_turns(&m, &ta);
        let by_hand = |f: &dyn Fn(f64, f64, bool) -> f64| {
            (0..N).map(|i| (0..N).fold(0.0, |y, j| f(y, at(&a, i, j), is[i * N + j]))).collect()
        };
        alike(y.to_dense(), by_hand(&|y, x, m| if m { y + x } else { y.max(x) }), "by turns");
        let close = |x: &f64, y: &f64| {
            x == y || (x - y).abs() < 1e-9 * (1.0 + x.abs()) || x.is_nan() && y.is_nan()
        };
        let sums: Vec<f64> = by_hand(&|z, x, m| if m { z + x } else { z - 2.0 * x });
        if sums.iter().all(|x| x.is_finite()) {
            assert!(z.to_dense().iter().zip(&sums).all(|(x, y)| close(x, y)), "{seed}");
        }
        // Of whole numbers of eighths, so that no sum is rounded.
        let eighths = |m: &[f64]| {
            m.iter()
                .map(|x| (x.clamp(-9.0, 9.0) * 8.0).round() / 8.0)
                .map(|x| if x.is_nan() { 1.0 } else { x })
                .collect::<Vec<_>>()
        };
        let (a, b) = (eighths(&a), eighths(&b));
        let c = not_apart(&Tensor::from_dense([N, N], &a)?, &Tensor::from_dense([N, N], &b)?);
        let by_hand = all(|i, j| product(&a, &a, i, j) - N as f64 * at(&b, j, i));
        alike(c.to_dense(), by_hand, "not apart");
        let turned = m.to_dense();
        let sets = sets(&m, &m).to_dense();
        assert!((0..N * N).all(|k| sets[k] == (is[k] || turned[k % N * N + k / N])));
    }
    Ok(())
}
