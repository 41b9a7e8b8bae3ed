//! Lists that a mask, or a condition, leaves out of a union that has begun: it stops where they end, and the others are not there for that.

use super::stored::*;
use looplets::prelude::*;

finch! {
    fn up_to(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, x: &DenseVec<f64>, n: usize) -> (c: SparseVec<f64>) {
        for i { c[i] = ifelse(i < n, a[i] * x[i] + b[i] + d[i] + e[i], a[i] * x[i]) }
    }
}
finch! {
    fn from(a: &SparseVec<f64>, b: &SparseVec<f64>, d: &SparseVec<f64>, e: &SparseVec<f64>, x: &DenseVec<f64>, n: usize) -> (s: f64, most: f64 = f64::NEG_INFINITY) {
        for i { if i < n { s += a[i] * x[i] } else { s += a[i] * x[i] + b[i] + d[i] + e[i] } most <<max>>= ifelse(i == n, a[i] + b[i] + d[i] + e[i], a[i] * x[i]) }
    }
}
finch! {
    fn by_rows(a: &Csr<f64>, b: &Csr<f64>, d: &Csr<f64>, e: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) {
        for i, j { if j <= i { c[i, j] = a[i, j] * x[j] + b[i, j] + d[i, j] + e[i, j] } else { c[i, j] = a[i, j] * x[j] } }
    }
}

#[test]
fn a_mask_leaves_one_list() {
    let mut seed = 21;
    for n in [0, 1, 2, 7, 65] {
        for tenths in [1, 4, 10] {
            let v: Vec<Stored<f64>> =
                (0..4).map(|_| stored(&mut seed, n, tenths, &HOSTILE)).collect();
            let t: Vec<SparseVec<f64>> = v.iter().map(|v| tensor(&[n], v)).collect();
            let x: Vec<f64> = dense(n, |i| HOSTILE[(i * 5 + 3) % 12]);
            let whole: DenseVec<f64> = Tensor::from_dense([n], &x).expect("as long");
            let product = |i: usize| v[0][i].map_or(0.0, |a| a * x[i]);
            let sum = |i: usize| (1..4).fold(product(i), |sum, k| sum + at(&v[k], i));
            for cut in [0, 1, n / 2, n] {
                let c = up_to(&t[0], &t[1], &t[2], &t[3], &whole, cut);
                same(&c.to_dense(), &dense(n, |i| if i < cut { sum(i) } else { product(i) }));
                let there = |i: &usize| (0..4).any(|k| v[k][*i].is_some() && (k == 0 || *i < cut));
                assert_eq!(c.stored(), (0..n).filter(there).count());
            }
        }
    }
}

#[test]
fn values_of_lists_that_are_not_there_do_not_count() {
    // Where `b`, `d` and `e` end behind the cut, `x` is infinite.
    let of = |at: &[usize]| -> SparseVec<f64> {
        Tensor::from_triplets([6], at.iter().map(|i| ([*i], 2.0)), Refuse).expect("inside")
    };
    let x = [1.0, 1.0, f64::INFINITY, f64::NAN, f64::INFINITY, 1.0];
    let x: DenseVec<f64> = Tensor::from_dense([6], &x).expect("as long");
    let (a, b, d, e) = (of(&[0, 5]), of(&[1, 4]), of(&[2, 3]), of(&[2, 4]));
    let c = up_to(&a, &b, &d, &e, &x, 2);
    assert_eq!(c.triplets(), [(vec![0], 2.0), (vec![1], 2.0), (vec![5], 2.0)]);
    assert_eq!(from(&a, &b, &d, &e, &x, 5).0, 4.0);
    assert_eq!(from(&a, &b, &d, &e, &x, 5).1, 2.0);
}

#[test]
fn a_mask_leaves_one_list_of_rows() {
    let mut seed = 23;
    for (n, m) in [(0, 0), (1, 1), (3, 7), (9, 5)] {
        for tenths in [1, 5, 10] {
            let v: Vec<Stored<f64>> =
                (0..4).map(|_| stored(&mut seed, n * m, tenths, &HOSTILE)).collect();
            let t: Vec<Csr<f64>> = v.iter().map(|v| tensor(&[n, m], v)).collect();
            let x: Vec<f64> = dense(m, |i| HOSTILE[(i * 5 + 3) % 12]);
            let whole: DenseVec<f64> = Tensor::from_dense([m], &x).expect("as long");
            let c = by_rows(&t[0], &t[1], &t[2], &t[3], &whole);
            let want = |k: usize| {
                let product = v[0][k].map_or(0.0, |a| a * x[k % m]);
                match k % m <= k / m {
                    true => (1..4).fold(product, |sum, l| sum + at(&v[l], k)),
                    false => product,
                }
            };
            same(&c.to_dense(), &dense(n * m, want));
        }
    }
}
