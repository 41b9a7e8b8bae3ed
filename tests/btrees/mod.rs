//! What tensors of B-trees have in common: kernels, long fibers, rows that are dense.

use looplets::prelude::*;
use looplets::{Grows, SparseBand};

looplets::level! { /** Runs. */ pub type Runs = Tensor<RunList<Element<f64>>>; }
looplets::level! { /** A band. */ pub type Bands = Tensor<SparseBand<Element<f64>>>; }

/// Numbers from a small generator.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A vector in which about one of `share` elements is not 0.
pub fn vector(n: usize, seed: u64, share: usize) -> Vec<f64> {
    let mut numbers = Numbers(seed);
    let mut value = || match numbers.below(share) {
        0 => numbers.below(64) as f64 / 4.0 + 0.25,
        _ => 0.0,
    };
    (0..n).map(|_| value()).collect()
}

/// A vector of runs, and one that is 0 but for a band.
pub fn shaped(n: usize) -> (Vec<f64>, Vec<f64>) {
    let runs = (0..n).map(|i| ((i / 37) % 3) as f64).collect();
    let band = (0..n).map(|i| if i > n / 3 && i < n / 2 { i as f64 } else { 0.0 }).collect();
    (runs, band)
}

/// Kernels over vectors of the type `$Vec<f64>`, and a test that calls them.
#[macro_export]
macro_rules! kernels_of {
    ($name:ident, $Vec:ident) => {
        mod $name {
            use super::btrees::*;
            use super::$Vec;
            use looplets::prelude::*;

            finch! {
                fn plus(a: &$Vec<f64>, b: &$Vec<f64>) -> (y: $Vec<f64>) { for i { y[i] = a[i] + b[i] } }
                fn dot(a: &$Vec<f64>, b: &$Vec<f64>, s: &mut f64) { for i { s += a[i] * b[i] } }
                fn list(a: &$Vec<f64>, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i] * b[i] } }
                fn runs(a: &$Vec<f64>, b: &Runs) -> (y: DenseVec<f64>) { for i { y[i] = a[i] * b[i] } }
                fn band(a: &$Vec<f64>, b: &Bands) -> (y: $Vec<f64>) { for i { y[i] = b[i] - a[i] } }
                fn leaps(a: &$Vec<f64>, b: &$Vec<f64>, c: &SparseVec<f64>, s: &mut f64) {
                    for i { s += a[i::gallop] * b[i::gallop] * c[i::gallop] }
                }
                fn led(a: &$Vec<f64>, b: &$Vec<f64>, s: &mut f64) { for i { s += a[i::lead] * b[i::follow] } }
            }

            #[test]
            fn kernels() {
                let n = 2000;
                let all = [(1, 1), (2, 3), (3, 40), (4, 900), (5, 100_000)];
                let all = all.map(|(seed, share)| vector(n, seed, share));
                let (x, z) = shaped(n);
                let (r, d): (Runs, Bands) =
                    (Tensor::from_dense([n], &x).unwrap(), Tensor::from_dense([n], &z).unwrap());
                for (u, v) in all.iter().flat_map(|u| all.iter().map(move |v| (u, v))) {
                    let a: $Vec<f64> = Tensor::from_dense([n], u).unwrap();
                    let mut b: $Vec<f64> = Tensor::new([n]).unwrap();
                    for i in (0..n).rev().filter(|i| v[*i] != 0.0) {
                        b.insert([i], v[i]).unwrap();
                    }
                    let c: SparseVec<f64> = b.convert().unwrap();
                    let each = |f: fn(f64, f64) -> f64, x: &[f64], y: &[f64]| -> Vec<f64> {
                        x.iter().zip(y).map(|(x, y)| f(*x, *y)).collect()
                    };
                    let product: f64 = each(|x, y| x * y, u, v).iter().sum();
                    assert_eq!(plus(&a, &b).to_dense(), each(|x, y| x + y, u, v));
                    assert_eq!(runs(&a, &r).to_dense(), each(|x, y| x * y, u, &x));
                    assert_eq!(band(&a, &d).to_dense(), each(|x, y| y - x, u, &z));
                    for kernel in [dot, led] {
                        let mut s = 0.0;
                        kernel(&a, &b, &mut s);
                        assert_eq!(s, product);
                    }
                    let mut s = 0.0;
                    list(&a, &c, &mut s);
                    assert_eq!(s, product);
                    let mut s = 0.0;
                    leaps(&a, &b, &c, &mut s);
                    assert_eq!(s, u.iter().zip(v).map(|(x, y)| x * y * y).sum::<f64>());
                }
            }

            #[test]
            fn a_long_fiber() {
                // More than a stack has room for.
                let n = 250_000;
                let entries = || (0..n).map(|i| ([i], (i % 7) as f64 + 1.0));
                let a: $Vec<f64> = Tensor::from_triplets([n], entries(), Refuse).unwrap();
                let mut b: $Vec<f64> = Tensor::new([n]).unwrap();
                b.extend(entries()).unwrap();
                let (mut s, mut t) = (0.0, 0.0);
                dot(&a, &b, &mut s);
                let c: SparseVec<f64> = b.convert().unwrap();
                list(&a, &c, &mut t);
                assert_eq!(s, entries().map(|(_, x)| x * x).sum::<f64>());
                assert_eq!(s, t);
                let again: $Vec<f64> = c.convert().unwrap();
                assert!(again == a);
                drop(a.clone());
                drop(a);
                emptied(again, n);
                emptied(b, n);
            }
        }
    };
}

/// Takes entries out from either end, then all.
pub fn emptied<L: Grows<Value = f64> + Clone>(mut a: Tensor<L>, n: usize) {
    // An entry that goes from the front of a block moves those behind it, unoptimised: most go from the end.
    let few = 20_000;
    for i in 0..few {
        assert!(a.remove([i]).unwrap().is_some());
        assert!(a.remove([n - 1 - i]).unwrap().is_some());
    }
    a.root().check(1).unwrap();
    assert_eq!(a.stored(), n - 2 * few);
    for i in (few..n - few).rev() {
        a.remove([i]).unwrap();
    }
    a.root().check(1).unwrap();
    assert_eq!(a.stored(), 0);
    a.insert([5], 2.0).unwrap();
    assert_eq!(a.triplets(), [(vec![5], 2.0)]);
}

/// Rows that are dense come at random places.
pub fn dense_rows<L: Grows<Value = f64>>(rows: usize, columns: usize) {
    let mut a = Tensor::<L>::new([rows, columns]).unwrap();
    let mut all = vec![0.0; rows * columns];
    let mut numbers = Numbers(5);
    for k in 0..10_000 {
        let (i, j) = (numbers.below(rows), numbers.below(columns));
        a.insert([i, j], k as f64).unwrap();
        all[i * columns + j] = k as f64;
        if k % 100 == 0 {
            a.root().check(1).unwrap();
            assert_eq!(a.to_dense(), all);
        }
    }
}

/// Inserts entries until there are no links for more: what was there still is, and goes.
pub fn exhausted<L: Grows<Value = f64>>() {
    let n = 250;
    for step in [1, 7, 249] {
        let mut a = Tensor::<L>::new([n]).unwrap();
        let mut all = Vec::new();
        for i in (0..n).map(|k| k * step % n) {
            match a.insert([i], i as f64) {
                Ok(_) => all.push((vec![i], i as f64)),
                Err(_) => break,
            }
        }
        assert!(all.len() < n);
        a.root().check(1).unwrap();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(a.triplets(), all);
        for (i, x) in all {
            assert_eq!(a.remove(i).unwrap(), Some(x));
        }
        a.root().check(1).unwrap();
        assert_eq!(a.stored(), 0);
    }
}
