//! Scalars that go from one iteration to the next: what one leaves there, the next one finds.

use looplets::conformance::Hostile;
use looplets::prelude::*;

finch! {
    fn running(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { s += x[i]; y[i] = s }
    }
    fn running_of_entries(x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { s += x[i]; y[i] = s }
    }
    fn running_of_runs(x: &Tensor<RunList<Element<f64>>>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { s += x[i]; y[i] = s }
    }
    fn where_stored(x: &SparseVec<f64>) -> (y: SparseVec<f64>) {
        let mut s: f64;
        for i { s += x[i]; if x[i] != 0 { y[i] = s } }
    }
    fn before(x: &SparseVec<f64>) -> (y: DenseVec<f64>, s: f64 = 0.5) {
        for i { y[i] = s; s += x[i] }
    }
    fn filtered(x: &DenseVec<f64>, a: f64) -> (y: DenseVec<f64>) {
        let mut t: f64;
        for i { t = a * t + x[i]; y[i] = t }
    }
    fn by_its_part(x: &DenseVec<f64>) -> (s: f64 = 1) {
        for i { let t = s * x[i]; s += t }
    }
    #[allow(deprecated)] // What is not stored takes part.
    fn least(x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        let mut m: f64 = 0.25;
        for i { m <<min>>= x[i]; y[i] = m }
    }
    fn segments(x: &DenseVec<f64>, begins: &SparseVec<bool>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { if begins[i] { s = 0 } s += x[i]; y[i] = s }
    }
    fn kept(x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { let old = s; let twice = old * 2; s = x[i]; y[i] = old + twice - s }
    }
    fn fibonacci(x: &DenseVec<i64>) -> (y: DenseVec<i64>) {
        let mut a: i64 = 1;
        let mut b: i64;
        for i { let c = a + b; a = b; b = c; y[i] = c + x[i] }
    }
}

#[test]
fn sums_go_on() {
    for n in [0, 1, 2, 3, 8, 31, 100] {
        for seed in 0..30 {
            let mut all: Vec<f64> = (0..n).map(|k| f64::hostile(k * 5 + seed)).collect();
            if seed % 3 == 0 {
                all = (0..n).map(|k| f64::small(k / 4 + seed)).collect();
            }
            let gaps: Vec<f64> = all
                .iter()
                .enumerate()
                .map(|(k, v)| if (k + seed) % 4 == 1 { *v } else { 0.0 })
                .collect();
            let marks: Vec<bool> = (0..n).map(|k| (k * 7 + seed) % 5 == 0).collect();
            let x = DenseVec::from_dense([n], &all).expect("as long");
            let sparse = SparseVec::from_dense([n], &gaps).expect("as long");
            let runs: Tensor<RunList<Element<f64>>> =
                Tensor::from_dense([n], &all).expect("as long");
            let begins = SparseVec::from_dense([n], &marks).expect("as long");
            let scan = |of: &[f64], start: f64, f: &dyn Fn(f64, usize, f64) -> f64| -> Vec<f64> {
                let mut t = start;
                of.iter()
                    .enumerate()
                    .map(|(k, v)| {
                        t = f(t, k, *v);
                        t
                    })
                    .collect()
            };
            let sum = |of: &[f64]| scan(of, 0.0, &|t, _, v| t + v);
            same(&running(&x).to_dense(), &sum(&all));
            same(&running_of_runs(&runs).to_dense(), &sum(&all));
            same(&running_of_entries(&sparse).to_dense(), &sum(&gaps));
            let mut stored = sum(&gaps);
            (0..n).filter(|k| gaps[*k] == 0.0).for_each(|k| stored[k] = 0.0);
            same(&where_stored(&sparse).to_dense(), &stored);
            let (y, s) = before(&sparse);
            let mut all_sums = vec![0.5];
            all_sums.extend(scan(&gaps, 0.5, &|t, _, v| t + v));
            same(&[y.to_dense(), vec![s]].concat(), &all_sums);
            same(&filtered(&x, -0.75).to_dense(), &scan(&all, 0.0, &|t, _, v| -0.75 * t + v));
            same(&[by_its_part(&x)], &[all.iter().fold(1.0, |s, v| s + s * v)]);
            same(&least(&sparse).to_dense(), &scan(&gaps, 0.25, &|t, _, v| t.min(v)));
            let restarted = scan(&all, 0.0, &|t, k, v| if marks[k] { 0.0 + v } else { t + v });
            same(&segments(&x, &begins).to_dense(), &restarted);
            let before: Vec<f64> = (0..n).map(|k| if k == 0 { 0.0 } else { all[k - 1] }).collect();
            let wanted: Vec<f64> = before.iter().zip(&all).map(|(o, s)| o + o * 2.0 - s).collect();
            same(&kept(&x).to_dense(), &wanted);
        }
    }
    let x = DenseVec::from_dense([6], &[0, 0, 10, 0, 0, 0]).expect("as long");
    assert_eq!(fibonacci(&x).to_dense(), [1, 1, 12, 3, 5, 8]);
}

/// The same numbers, up to the order of what is added in a sum.
fn same(is: &[f64], wanted: &[f64]) {
    assert_eq!(is.len(), wanted.len());
    for (k, (a, b)) in is.iter().zip(wanted).enumerate() {
        let near = a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * b.abs().max(1.0);
        assert!(near, "{a} for {b} at {k} of {is:?}, {wanted:?}");
    }
}

finch! {
    fn of_rows(a: &Csr<f64>) -> (c: DenseMat<f64>) {
        for i {
            let mut s: f64;
            for j { s += a[i, j]; c[i, j] = s }
        }
    }
    // A total that goes on.
    #[allow(deprecated)]
    fn through_rows(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        let mut s: f64 = 0.0;
        for i { for j { s += a[i, j] } y[i] = s }
    }
    fn greatest(x: &SparseVec<f64>) -> (m: f64 = f64::NEG_INFINITY, at: usize) {
        for i { if x[i] > m { m = x[i]; at = i } }
    }
    fn ranks(x: &SparseVec<i32>) -> (y: DenseVec<u32>) {
        let mut n: u32;
        for i { if x[i] > 0 { n += 1; y[i] = n } }
    }
    fn packed(x: &SparseVec<f64>) -> (y: DenseVec<f64>[8], k: usize) {
        for i { if x[i] != 0 { y[k] = x[i]; k += 1 } }
    }
    fn first(x: &DenseVec<f64>) -> (found: bool, at: usize) {
        for i { if !found { if x[i] > 2 { found = true; at = i } } }
    }
    fn undone(x: &DenseVec<bool>, z: &DenseVec<bool>) -> (a: bool) {
        for i { a ||= x[i]; if z[i] { a = false } }
    }
    fn redone(x: &DenseVec<bool>, z: &DenseVec<bool>) -> (a: bool = true) {
        for i { a &&= x[i]; if z[i] { a = true } }
    }
    fn steps_of_two(n: usize, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut k: usize = n;
        for i { if i == k { k += 2; y[i] = x[i] } }
    }
    fn below(x: &SparseVec<u32>, z: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut k: usize;
        for i { k += x[i] as usize; if i < k { y[i] = z[i] } }
    }
    fn looked_up(x: &SparseVec<u32>, z: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        let mut k: usize;
        for i { k = (k + x[i] as usize) % 4; y[i] = z[k] }
    }
    fn growing(x: &SparseVec<u32>) -> (y: DenseVec<u32>, s: u32) {
        let mut k: usize;
        for i {
            k += x[i] as usize;
            for j in 0..k { s += 1 }
            y[i] = s
        }
    }
    fn of_roots(x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        let mut s: f64;
        for i { s += x[i]; y[i] = $(s.abs().sqrt()) }
    }
}

#[test]
fn what_an_iteration_leaves_is_found() {
    let entries = [0.0, 0.5, 0.0, -2.0, 3.0, 0.0, 3.0, 0.0];
    let x = SparseVec::from_dense([8], &entries).expect("as long");
    let dense = DenseVec::from_dense([8], &entries).expect("as long");
    assert_eq!(greatest(&x), (3.0, 4));
    assert_eq!(
        greatest(&SparseVec::from_dense([3], &[-1.0, 0.0, -2.0]).expect("as long")),
        (0.0, 1)
    );
    assert_eq!(first(&dense), (true, 4));
    let (y, k) = packed(&x);
    assert_eq!((y.to_dense(), k), (vec![0.5, -2.0, 3.0, 3.0, 0.0, 0.0, 0.0, 0.0], 4));
    let whole = SparseVec::from_dense([8], &[0, 2, 0, 0, -1, 3, 1, 0]).expect("as long");
    assert_eq!(ranks(&whole).to_dense(), [0, 1, 0, 0, 0, 2, 3, 0]);
    let bools = |all: [u8; 4]| DenseVec::from_dense([4], &all.map(|b| b == 1)).expect("as long");
    assert!(!undone(&bools([1, 0, 0, 0]), &bools([0, 0, 1, 0])));
    assert!(undone(&bools([1, 0, 0, 1]), &bools([0, 0, 1, 0])));
    assert!(redone(&bools([0, 1, 1, 1]), &bools([0, 0, 1, 0])));
    assert!(!redone(&bools([1, 1, 1, 0]), &bools([0, 0, 1, 0])));
    let z: Vec<f64> = (0..8).map(|k| f64::from(k) + 0.5).collect();
    let z = DenseVec::from_dense([8], &z).expect("as long");
    assert_eq!(steps_of_two(3, &z).to_dense(), [0.0, 0.0, 0.0, 3.5, 0.0, 5.5, 0.0, 7.5]);
    let steps = SparseVec::from_dense([8], &[0, 3, 0, 0, 2, 0, 0, 1]).expect("as long");
    assert_eq!(below(&steps, &z).to_dense(), [0.0, 1.5, 2.5, 0.0, 4.5, 0.0, 0.0, 0.0]);
    assert_eq!(looked_up(&steps, &z).to_dense(), [0.5, 3.5, 3.5, 3.5, 1.5, 1.5, 1.5, 2.5]);
    assert_eq!(growing(&steps).0.to_dense(), [0, 3, 6, 9, 14, 19, 24, 30]);
    let roots: Vec<f64> = [0.0, 0.5, 0.5, 1.5, 1.5, 1.5, 4.5, 4.5].map(f64::sqrt).to_vec();
    same(&of_roots(&x).to_dense(), &roots);
    let a: Csr<f64> =
        Tensor::from_dense([2, 3], &[0.5, 0.0, 2.0, 0.0, -1.0, 0.0]).expect("as long");
    assert_eq!(of_rows(&a).to_dense(), [0.5, 0.5, 2.5, 0.0, -1.0, -1.0]);
    assert_eq!(through_rows(&a).to_dense(), [2.5, 1.5]);
}

#[test]
fn inline_programs_carry() {
    let x = SparseVec::from_dense([6], &[0.0, 0.25, 0.0, -1.0, 0.0, 0.0]).expect("as long");
    let (mut s, mut low) = (1.0, 0);
    finch! { <x: SparseVec<f64>, mut s: f64, mut low: i32> for i { s += x[i]; if s < 0.5 { low += 1 } } }
    assert_eq!((s, low), (0.25, 3));
}

finch! {
    #![steps(n)]
    fn gaps(x: &SparseVec<f64>, n: &mut u64) -> (s: f64, above: u32) {
        for i { s += x[i]; if s > 1 { above += 1 } }
    }
}

#[test]
fn gaps_in_which_nothing_changes_are_one_step() {
    let x = SparseVec::from_triplets([1000], [([10], 0.5), ([500], 1.0), ([900], -1.0)], Refuse);
    let mut n = 0;
    assert_eq!(gaps(&x.expect("in order"), &mut n), (0.5, 400));
    assert!(n <= 12, "{n} steps");
}
