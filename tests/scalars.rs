//! Scalars that a loop can be left for, pairs by their first part, and the first that is chosen.

use looplets::prelude::*;

finch! {
    #![steps(n)]
    fn any(a: &DenseVec<bool>, c: &mut bool, n: &mut u64) { for i { c ||= a[i] } }
    fn all(a: &DenseMat<bool>, c: &mut bool, n: &mut u64) { for i, j { c &&= a[i, j] } }
    fn least(a: &DenseVec<u8>, c: &mut u8, n: &mut u64) { for i { c <<min>>= a[i] } }
    fn most(a: &SparseVec<f64>, c: &mut f64, n: &mut u64) { for i { c <<max>>= a[i] } }
    fn product(a: &DenseVec<i64>, c: &mut i64, n: &mut u64) { for i { c *= a[i] } }
    fn both(a: &DenseVec<bool>, b: &DenseVec<bool>, c: &mut bool, d: &mut bool, n: &mut u64) {
        for i { c ||= a[i]; d ||= b[i] }
    }
    fn counted(a: &DenseVec<bool>, c: &mut bool, k: &mut i64, n: &mut u64) {
        for i { c ||= a[i]; k += 1 * a[i] }
    }
    fn rows(a: &DenseMat<bool>, n: &mut u64) -> (y: DenseVec<bool>) {
        for i {
            let mut t: bool;
            for j { t ||= a[i, j] }
            y[i] = t
        }
    }
    // What is not stored takes part.
    #[allow(deprecated)]
    fn argmin(a: &SparseVec<f64>, best: &mut (f64, usize), n: &mut u64) {
        for i { best <<minby>>= (a[i], i) }
    }
    fn argmax(a: &Csr<f64>, best: &mut (f64, usize, usize), n: &mut u64) {
        for i, j { best <<maxby>>= (a[i, j], i, j) }
    }
    fn first(a: &SparseVec<i64>, c: &mut i64, n: &mut u64) { for i { c <<choose>>= a[i] } }
    fn columns(a: &Csr<i64>, n: &mut u64) -> (y: DenseVec<i64>) { for i, j { y[j] <<choose>>= a[i, j] } }
}

fn flags(bits: &str) -> DenseVec<bool> {
    let all: Vec<bool> = bits.chars().map(|c| c == '1').collect();
    Tensor::from_dense([all.len()], &all).unwrap()
}

#[test]
fn a_loop_ends_with_the_last_change() {
    for (bits, want, steps) in
        [("000", false, 3), ("0100", true, 2), ("1", true, 1), ("", false, 0)]
    {
        let (mut c, mut n) = (false, 0);
        any(&flags(bits), &mut c, &mut n);
        assert_eq!((c, n), (want, steps), "{bits}");
    }
    let a = Tensor::from_dense([2, 3], &[true, true, true, true, false, true]).unwrap();
    let (mut c, mut n) = (true, 0);
    all(&a, &mut c, &mut n);
    assert_eq!((c, n), (false, 2 + 5));
    let a = Tensor::from_dense([5], &[9, 3, 0, 7, 0]).unwrap();
    let (mut c, mut n) = (u8::MAX, 0);
    least(&a, &mut c, &mut n);
    assert_eq!((c, n), (0, 3));
    let a = Tensor::from_dense([4], &[2, 0, 5, 7]).unwrap();
    let (mut c, mut n) = (1, 0);
    product(&a, &mut c, &mut n);
    assert_eq!((c, n), (0, 2));
    let a: SparseVec<f64> = Tensor::from_dense([4], &[1.0, f64::INFINITY, 5.0, f64::NAN]).unwrap();
    let (mut c, mut n) = (0.0, 0);
    most(&a, &mut c, &mut n);
    assert_eq!((c, n), (f64::INFINITY, 2));
}

#[test]
fn what_another_output_needs_is_done() {
    let (a, b) = (flags("0100"), flags("0010"));
    let (mut c, mut d, mut n) = (false, false, 0);
    both(&a, &b, &mut c, &mut d, &mut n);
    assert_eq!((c, d, n), (true, true, 3));
    let (mut c, mut k, mut n) = (false, 0, 0);
    counted(&flags("0101"), &mut c, &mut k, &mut n);
    assert_eq!((c, k, n), (true, 2, 4));
    let a = Tensor::from_dense([2, 3], &[false, true, true, false, false, true]).unwrap();
    let mut n = 0;
    assert_eq!(rows(&a, &mut n).to_dense(), [true, true]);
    assert_eq!(n, 2 + 2 + 3);
}

#[test]
fn pairs_by_their_first_part() {
    let a: SparseVec<f64> = Tensor::from_dense([6], &[0.0, 3.0, 0.0, -2.0, 0.0, -2.0]).unwrap();
    let (mut best, mut n) = ((f64::INFINITY, 99), 0);
    argmin(&a, &mut best, &mut n);
    assert_eq!((best, n), ((-2.0, 3), 3), "a run of fill is one candidate");
    let a: Csr<f64> = Tensor::from_dense([2, 3], &[0.0, 1.0, 4.0, 4.0, 0.0, f64::NAN]).unwrap();
    let mut best = (f64::NEG_INFINITY, 9, 9);
    argmax(&a, &mut best, &mut n);
    assert_eq!(best, (4.0, 0, 2));
    let mut best = (f64::NEG_INFINITY, 9, 9);
    argmax(&Tensor::new([2, 3]).unwrap(), &mut best, &mut n);
    assert_eq!(best, (0.0, 0, 0), "the fill is a value like another");
    argmax(&Tensor::new([2, 0]).unwrap(), &mut (1.0, 2, 3), &mut n);
}

#[test]
fn the_first_is_chosen() {
    let a: SparseVec<i64> = Tensor::from_dense([6], &[0, 0, 7, 0, 8, 9]).unwrap();
    let (mut c, mut n) = (0, 0);
    first(&a, &mut c, &mut n);
    assert_eq!((c, n), (7, 1));
    let a: Csr<i64> = Tensor::from_dense([3, 3], &[0, 2, 0, 4, 5, 0, 7, 8, 9]).unwrap();
    assert_eq!(columns(&a, &mut n).to_dense(), [4, 2, 9]);
}

finch! {
    #![steps(n)]
    fn powers(a: &Tensor<RunList<Element<u64>>>, p: &mut u64, n: &mut u64) { for i { p *= a[i] } }
}
finch! {
    #![strict]
    #![steps(n)]
    fn powers_strict(a: &Tensor<RunList<Element<u64>>>, p: &mut u64, n: &mut u64) { for i { p *= a[i] } }
}

#[test]
fn a_product_over_a_run_is_a_power() {
    for (dense, is) in [
        ([vec![2; 13], vec![1; 100], vec![3; 7]].concat(), 8192 * 2187),
        (vec![5; 1], 5),
        (vec![], 1),
        ([vec![7; 4], vec![0; 9]].concat(), 0),
    ] {
        let a = Tensor::from_dense([dense.len()], &dense).unwrap();
        let (mut p, mut n, mut q, mut all) = (1, 0, 1, 0);
        powers(&a, &mut p, &mut n);
        powers_strict(&a, &mut q, &mut all);
        assert_eq!((p, q), (is, is));
        // A step a run, or one an element.
        assert!(n <= 3, "{n}");
        assert!(all >= 20 * u64::from(dense.len() > 20), "{all}");
    }
}
