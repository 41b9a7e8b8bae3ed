//! Several assignments to one entry of a result that is appended to, within written loops.

use looplets::prelude::*;
use std::collections::HashSet;

type Least = SparseVec<f64, u32, Inf>;

finch! {
    fn twice(a: &SparseVec<f64>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] += a[i]; y[i] += b[i] } }
    fn above(a: &Csr<f64>, b: &Dcsr<f64>) -> (y: Csr<f64>) { for i, j { y[i, j] = a[i, j]; if i < j { y[i, j] += b[i, j] } } }
    fn least(a: &SparseVec<f64, u32, Inf>, b: &SparseVec<f64, u32, Inf>) -> (y: SparseVec<f64, u32, Inf>) { for i { y[i] <<min>>= a[i]; y[i] <<min>>= b[i] } }
    fn least_of_first(a: &SparseVec<f64, u32, Inf>, b: &SparseVec<f64, u32, Inf>) -> (y: SparseVec<f64, u32, Inf>) {
        for i { y[i] = a[i]; y[i] <<min>>= b[i] }
    }
    fn rows(a: &Csr<f64>, b: &SparseVec<f64>) -> (y: SparseVec<f64>) { for i { y[i] = b[i]; for j { y[i] += a[i, j] } if b[i] > 1 { y[i] -= 0.5 } } }
    fn whole(a: &SparseVec<i64>, b: &SparseVec<i64>) -> (y: SparseVec<i64>, z: SparseVec<bool>) {
        for i { y[i] = a[i]; z[i] = a[i] > 1; y[i] += b[i]; z[i] ||= b[i] > 1 }
    }
    fn both(a: &SparseVec<f64>, b: &SparseVec<f64>, y_entry: f64) -> (y: SparseVec<f64>, s: f64) {
        for i { if a[i] != 0 { s += y_entry } y[i] += a[i] * y_entry; y[i] += b[i]; s += b[i] }
    }
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
}

/// Elements of which about half are zeros, and the others are what breaks things.
fn hostile(n: usize, seed: u64) -> Vec<f64> {
    const ALL: [f64; 12] = [
        1.5,
        -0.25,
        1e300,
        -1e300,
        5e-324,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.1,
        3.0,
        -7.0,
    ];
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let value = |r: u64| if r % 24 < 12 { ALL[(r % 24) as usize] } else { 0.0 };
    (0..n).map(|_| value(next() >> 8)).collect()
}

#[test]
fn entries_are_what_was_made_of_them() {
    for seed in 0..200 {
        let (n, m) = ((seed % 5) as usize, (seed % 7) as usize);
        let (a, b) = (hostile(n * m, seed + 1), hostile(n * m, seed + 777));
        let (va, vb) = (&a[..n.min(a.len())], &b[..n.min(b.len())]);
        let vector = |x: &[f64]| SparseVec::<f64>::from_dense([x.len()], x).expect("as long");
        let (sa, sb) = (vector(va), vector(vb));
        let y = twice(&sa, &sb);
        let sums: Vec<f64> = va.iter().zip(vb).map(|(a, b)| 0.0 + a + b).collect();
        assert_eq!(bits(&y.to_dense()), bits(&sums));
        let stored = va.iter().zip(vb).filter(|(a, b)| **a != 0.0 || **b != 0.0).count();
        assert_eq!(y.stored(), stored);

        let csr = Csr::<f64>::from_dense([n, m], &a).expect("as long");
        let dcsr = Dcsr::<f64>::from_dense([n, m], &b).expect("as long");
        let at = |k: usize| (k / m, k % m);
        let y = above(&csr, &dcsr);
        let all: Vec<f64> =
            (0..n * m).map(|k| if at(k).0 < at(k).1 { a[k] + b[k] } else { a[k] }).collect();
        assert_eq!(bits(&y.to_dense()), bits(&all));
        let union: HashSet<usize> = (0..n * m).filter(|k| a[*k] != 0.0 || b[*k] != 0.0).collect();
        assert!(y.stored() <= union.len());

        if m > 0 {
            // Sums of rows may be in any order: these are exact.
            let exact = |x: &[f64]| -> Vec<f64> {
                x.iter().map(|x| (x.clamp(-64.0, 64.0) * 4.0) as i64 as f64 / 4.0).collect()
            };
            let (ra, rb) = (exact(&a), exact(&b[..n]));
            let y = rows(&Csr::from_dense([n, m], &ra).expect("as long"), &vector(&rb));
            let row = |i: usize| rb[i] + ra[i * m..][..m].iter().sum::<f64>();
            let all: Vec<f64> =
                (0..n).map(|i| if rb[i] > 1.0 { row(i) - 0.5 } else { row(i) }).collect();
            assert_eq!(bits(&y.to_dense()), bits(&all));
        }

        let inf = |x: &[f64]| -> Vec<f64> {
            x.iter().map(|x| if *x == 0.0 || x.is_nan() { f64::INFINITY } else { *x }).collect()
        };
        let (ia, ib) = (inf(va), inf(vb));
        let make = |x: &[f64]| Least::from_dense([x.len()], x).expect("as long");
        let y = least(&make(&ia), &make(&ib));
        let all: Vec<f64> = ia.iter().zip(&ib).map(|(a, b)| a.min(*b)).collect();
        assert_eq!(bits(&y.to_dense()), bits(&all));
        assert_eq!(y.stored(), all.iter().filter(|x| **x != f64::INFINITY).count());
        let again = least_of_first(&make(&ia), &make(&ib));
        assert_eq!((bits(&again.to_dense()), again.stored()), (bits(&all), y.stored()));

        let ints = |x: &[f64]| -> Vec<i64> { x.iter().map(|x| (*x as i64) / 2).collect() };
        let (wa, wb) = (ints(va), ints(vb));
        let make = |x: &[i64]| SparseVec::<i64>::from_dense([x.len()], x).expect("as long");
        let (y, z) = whole(&make(&wa), &make(&wb));
        let all: Vec<i64> = wa.iter().zip(&wb).map(|(a, b)| a + b).collect();
        assert_eq!(y.to_dense(), all);
        let any: Vec<bool> = wa.iter().zip(&wb).map(|(a, b)| *a > 1 || *b > 1).collect();
        assert_eq!(z.to_dense(), any);

        let (y, s) = both(&sa, &sb, 0.75);
        let all: Vec<f64> = va.iter().zip(vb).map(|(a, b)| 0.0 + a * 0.75 + b).collect();
        assert_eq!(bits(&y.to_dense()), bits(&all));
        let mut sum = 0.0;
        for (a, b) in va.iter().zip(vb) {
            if *a != 0.0 {
                sum += 0.75;
            }
            if *b != 0.0 {
                sum += b;
            }
        }
        assert_eq!(bits(&[s]), bits(&[sum]));
    }
}
