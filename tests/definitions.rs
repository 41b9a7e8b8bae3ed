//! A definition that comes to the fill in a gap is no reason to visit it.

use looplets::conformance::Hostile;
use looplets::prelude::*;

finch! {
    #![steps(n)]
    fn defined(a: &Csr<f64>, x: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        for i, j { let t = a[i, j] * 2; y[i] += t * x[j] }
    }
    fn asked(a: &Csr<f64>, x: &DenseVec<f64>, n: &mut u64) -> (s: f64) {
        for i, j { let t = a[i, j] / 4; let some = t != 0; if some { s += t * x[j] } }
    }
    fn chained(a: &Csr<i64>, x: &DenseVec<i64>, n: &mut u64) -> (s: i64) {
        for i, j { let t = a[i, j] * 3; let u = t * t; let v = u + t; s += v * x[j] }
    }
    fn of_both(a: &Csr<f64>, b: &Csr<f64>, n: &mut u64) -> (c: Csr<f64>) {
        for i, j { let t = a[i, j] - b[i, j]; let u = t * 0.5; if u != 0 { c[i, j] = u } }
    }
}

finch! {
    #![strict]
    fn whole_numbers(a: &SparseVec<u8>, x: &DenseVec<u8>) -> (s: u64) {
        for i { let t = a[i] / 2; let u = max(t, 1) - 1; s += u as u64 * x[i] as u64 }
    }
    fn infinite(a: &SparseVec<f64, u32, Inf>, d: &DenseVec<f64>) -> (y: Tensor<Dense<Element<f64, Inf>>>) {
        for i { let t = a[i]; let u = t + 1; y[i] <<min>>= max(u, d[i]) }
    }
    fn as_indices(a: &SparseVec<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>[4]) {
        for i { let k = a[i] / 2; y[k] += x[i] }
    }
    #[allow(deprecated)] // Cut to a whole number on purpose.
    fn as_bounds(a: &SparseVec<u32>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { let k = a[i] / 2; for j in k..k + 2 { y[i] += x[j] * k } }
    }
}

fn rows() -> (Csr<f64>, DenseVec<f64>) {
    let a = Tensor::from_triplets([3, 500], [([0, 7], 0.5), ([2, 400], -3.0)], Refuse);
    let x: Vec<f64> = (0..500).map(|j| j as f64).collect();
    (a.expect("in order"), DenseVec::from_dense([500], &x).expect("as long"))
}

#[test]
fn gaps_are_not_visited() {
    let (a, x) = rows();
    let mut n = 0;
    assert_eq!(defined(&a, &x, &mut n).to_dense(), [7.0, 0.0, -2400.0]);
    assert!(n <= 6, "{n} steps");
    let mut n = 0;
    assert_eq!(asked(&a, &x, &mut n), 0.125 * 7.0 - 300.0);
    assert!(n <= 6, "{n} steps");
    let whole = |v: f64| (v * 2.0) as i64;
    let b = a.triplets().into_iter().map(|(at, v)| ([at[0], at[1]], whole(v)));
    let b = Tensor::from_triplets([3, 500], b, Refuse).expect("in order");
    let y = DenseVec::from_dense([500], &(0..500).collect::<Vec<i64>>()).expect("as long");
    let mut n = 0;
    assert_eq!(chained(&b, &y, &mut n), (9 + 3) * 7 + (18 * 18 - 18) * 400);
    assert!(n <= 6, "{n} steps");
    let c =
        Tensor::from_triplets([3, 500], [([0, 7], 0.5), ([1, 3], 2.0)], Refuse).expect("in order");
    let mut n = 0;
    assert_eq!(of_both(&a, &c, &mut n).triplets(), [(vec![1, 3], -1.0), (vec![2, 400], -1.5)]);
    assert!(n <= 8, "{n} steps");
}

#[test]
fn values_are_those_of_the_loop() {
    for n in [0, 1, 2, 9, 65] {
        for seed in 0..20 {
            let all: Vec<u8> = (0..n)
                .map(|k| if (k + seed) % 3 == 0 { u8::hostile(k + seed) } else { 0 })
                .collect();
            let x: Vec<u8> = (0..n).map(|k| u8::hostile(k * 3 + seed)).collect();
            let wanted: u64 = all
                .iter()
                .zip(&x)
                .map(|(a, x)| u64::from((a / 2).max(1) - 1) * u64::from(*x))
                .sum();
            let (a, d) = (Tensor::from_dense([n], &all), Tensor::from_dense([n], &x));
            assert_eq!(whole_numbers(&a.expect("as long"), &d.expect("as long")), wanted);
            let inf = f64::INFINITY;
            let all: Vec<f64> = (0..n)
                .map(|k| if (k + seed) % 3 == 0 { f64::hostile(k + seed) } else { inf })
                .collect();
            let d: Vec<f64> = (0..n).map(|k| f64::hostile(k * 7 + seed)).collect();
            let a = SparseVec::<f64, u32, Inf>::from_dense([n], &all).expect("as long");
            let y = infinite(&a, &DenseVec::from_dense([n], &d).expect("as long")).to_dense();
            for k in 0..n {
                let wanted = inf.min((all[k] + 1.0).max(d[k]));
                assert!(
                    y[k] == wanted || y[k].is_nan() && wanted.is_nan(),
                    "{k} of {all:?}, {d:?}"
                );
            }
            let all: Vec<u32> =
                (0..n).map(|k| if (k + seed) % 3 == 0 { (k % 8) as u32 } else { 0 }).collect();
            let x: Vec<f64> = (0..n).map(|k| f64::small(k + seed)).collect();
            let a = SparseVec::from_dense([n], &all).expect("as long");
            let d = DenseVec::from_dense([n], &x).expect("as long");
            let mut wanted = [0.0; 4];
            all.iter().zip(&x).for_each(|(a, x)| wanted[*a as usize / 2] += x);
            assert_eq!(as_indices(&a, &d).to_dense(), wanted);
            if n >= 9 {
                let wanted: Vec<f64> = all
                    .iter()
                    .map(|a| {
                        let k = *a as usize / 2;
                        (k..k + 2).map(|j| x[j] * k as f64).sum()
                    })
                    .collect();
                assert_eq!(as_bounds(&a, &d).to_dense(), wanted);
            }
        }
    }
}

finch! {
    fn by_rust(a: &Csr<f64>) -> (c: Csr<f64>) { for i, j { let v = a[i, j]; if v != 0 { c[i, j] = $(v.abs() + 0.5) } } }
    fn by_rust_of_bytes(a: &Csr<u8>) -> (c: Csr<f64>) { for i, j { let v = a[i, j]; if v > 2 { c[i, j] = $(f64::from(v) + 0.5) } } }
    fn of_bytes(a: &Csr<u8>) -> (c: Csr<u8>, d: Csr<f64>) {
        for i, j { let v = a[i, j]; c[i, j] = v }
        for i, j { let t = a[i, j] as f64; d[i, j] = 0.5 * t }
    }
}

/// What Rust reads by name and what a condition asks of it are the same value, in a gap and where something is stored.
#[test]
fn definitions_that_rust_reads_too() {
    for n in [0, 1, 2, 65] {
        let values = [0.5, -0.0, f64::NAN, f64::NEG_INFINITY, 0.0, 5e-324, f64::MAX, -1.5];
        let at = |i: usize| [i, i * 3 % n];
        let a: Csr<f64> =
            Tensor::from_triplets([n, n], (0..n).map(|i| (at(i), values[i % 8])), Refuse).unwrap();
        let bits = |c: Csr<f64>| {
            c.to_triplets().into_iter().map(|(at, v)| (at, v.to_bits())).collect::<Vec<_>>()
        };
        let kept = (0..n).filter(|i| values[i % 8] != 0.0);
        let expected: Vec<_> =
            kept.map(|i| (at(i), (values[i % 8].abs() + 0.5).to_bits())).collect();
        assert_eq!(bits(by_rust(&a)), expected);

        let bytes = [0, 1, 3, u8::MAX];
        let a: Csr<u8> =
            Tensor::from_triplets([n, n], (0..n).map(|i| (at(i), bytes[i % 4])), Refuse).unwrap();
        let kept = (0..n).filter(|i| bytes[i % 4] > 2);
        let expected: Vec<_> =
            kept.map(|i| (at(i), (f64::from(bytes[i % 4]) + 0.5).to_bits())).collect();
        assert_eq!(bits(by_rust_of_bytes(&a)), expected);
        let (c, d) = of_bytes(&a);
        assert_eq!(c.to_triplets::<2>(), a.to_triplets::<2>());
        assert_eq!(
            d.to_dense(),
            a.to_dense().iter().map(|v| 0.5 * f64::from(*v)).collect::<Vec<_>>()
        );
    }
}
