//! Reductions by declared operators: what they visit, when they may end early, and that they never do
//! where anything else is wanted of the loop. Every result is compared with a fold in plain Rust.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

operator! {
    /// The greatest common divisor.
    fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }
    commutative, associative, idempotent;
    identity 0;
    annihilator 1;
}

operator! {
    /// Stands still at 9 on the left alone, where the accumulator is.
    fn until_nine(a: u64, b: u64) -> u64 { if a == 9 { 9 } else { b } }
    annihilator 9 at a;
}

operator! {
    /// The mirror image: a 9 on the right is no end.
    fn since_nine(a: u64, b: u64) -> u64 { if b == 9 { 9 } else { a + b } }
    annihilator 9 at b;
}

operator! {
    /// NaN is larger than infinity, which strict kernels are told.
    fn largest(a: f64, b: f64) -> f64 { if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) } }
    commutative, associative, idempotent;
    inexact annihilator inf;
}

type Numbers = SparseVec<u64>;

finch! {
    #![steps(n)]
    use gcd;
    use until_nine;
    use since_nine;
    use largest;

    fn one(a: &SparseVec<u64>, g: &mut u64, n: &mut u64) { for i { g <<gcd>>= a[i] } }
    fn with_sum(a: &SparseVec<u64>, g: &mut u64, s: &mut u64, n: &mut u64) {
        for i { g <<gcd>>= a[i]; s += a[i] }
    }
    fn with_copy(a: &SparseVec<u64>, g: &mut u64, n: &mut u64) -> (c: SparseVec<u64>) {
        for i { g <<gcd>>= a[i]; c[i] = a[i] }
    }
    fn two(a: &SparseVec<u64>, b: &SparseVec<u64>, g: &mut u64, h: &mut u64, n: &mut u64) {
        for i { g <<gcd>>= a[i]; h <<gcd>>= b[i] }
    }
    fn rows(a: &Csr<u64>, n: &mut u64) -> (y: DenseVec<u64>) {
        for i { let mut g: u64; for j { g <<gcd>>= a[i, j] } y[i] = g }
    }
    fn elements(a: &Csr<u64>, n: &mut u64) -> (y: DenseVec<u64>) {
        for i { for j { y[i] <<gcd>>= a[i, j] } }
    }
    fn left(a: &SparseVec<u64>, g: &mut u64, n: &mut u64) { for i { g <<until_nine>>= a[i] } }
    fn right(a: &SparseVec<u64>, g: &mut u64, n: &mut u64) { for i { g <<since_nine>>= a[i] } }
    fn most(a: &DenseVec<f64>, g: &mut f64, n: &mut u64) { for i { g <<largest>>= a[i] } }
    fn runs(a: &Tensor<RunList<Element<u64>>>, g: &mut u64, n: &mut u64) { for i { g <<gcd>>= a[i] } }
}

finch! {
    #![strict]
    #![steps(n)]
    use largest;
    fn most_strict(a: &DenseVec<f64>, g: &mut f64, n: &mut u64) { for i { g <<largest>>= a[i] } }
}

fn some(at: &[(usize, u64)]) -> Numbers {
    Tensor::from_triplets([100], at.iter().map(|(i, v)| ([*i], *v)), Refuse).unwrap()
}

/// 1 is reached at the third of seven entries.
fn divided() -> (Numbers, u64) {
    let a = some(&[(3, 12), (5, 18), (9, 7), (11, 14), (12, 28), (60, 2), (99, 5)]);
    let g = a.to_dense().into_iter().fold(0, gcd);
    (a, g)
}

#[test]
fn it_ends_at_the_annihilator_if_nothing_else_is_wanted() {
    let (a, want) = divided();
    let (mut g, mut n) = (0, 0);
    one(&a, &mut g, &mut n);
    assert_eq!((g, n), (want, 3));
    // It may be there from the start.
    n = 0;
    one(&a, &mut g, &mut n);
    assert!(g == 1 && n <= 1, "{g} {n}");
}

#[test]
fn it_goes_on_for_a_second_output() {
    let (a, want) = divided();
    let (mut g, mut s, mut n) = (0, 0, 0);
    with_sum(&a, &mut g, &mut s, &mut n);
    assert_eq!((g, s, n), (want, 86, 7));
    (g, n) = (0, 0);
    assert_eq!(with_copy(&a, &mut g, &mut n), a);
    assert_eq!((g, n), (want, 7));
}

#[test]
fn two_reductions_end_when_both_have() {
    let (a, want) = divided();
    let b = some(&[(0, 6), (10, 4), (50, 3), (98, 8)]);
    let (mut g, mut h, mut n) = (0, 0, 0);
    two(&a, &b, &mut g, &mut h, &mut n);
    assert_eq!((g, h), (want, 1));
    // `b` is done at 50; `a` has one more entry up to there, the others were done before.
    assert!((8..=9).contains(&n), "{n}");
}

#[test]
fn a_row_ends_and_not_the_rows() {
    let dense = [[2, 0, 3, 5], [0, 0, 0, 0], [4, 6, 0, 10], [1, 7, 7, 7]].concat();
    let a = Tensor::from_dense([4, 4], &dense).unwrap();
    let want: Vec<u64> = dense.chunks(4).map(|r| r.iter().copied().fold(0, gcd)).collect();
    let (mut n, mut m) = (0, 0);
    assert_eq!(rows(&a, &mut n).to_dense(), want);
    assert_eq!(elements(&a, &mut m).to_dense(), want);
    // Four rows, and of their ten entries those before each end.
    assert_eq!(n, 4 + 2 + 3 + 1);
}

#[test]
fn an_annihilator_of_one_argument_ends_only_where_that_is_the_accumulator() {
    let a = some(&[(0, 9), (1, 4), (2, 9), (3, 5)]);
    let (mut g, mut n) = (0, 0);
    left(&a, &mut g, &mut n);
    assert_eq!((g, n), (a.to_dense().into_iter().fold(0, until_nine), 1));
    (g, n) = (0, 0);
    right(&a, &mut g, &mut n);
    assert_eq!(g, a.to_dense().into_iter().fold(0, since_nine));
    assert!(n >= 4, "{n}");
}

#[test]
fn strict_kernels_do_not_trust_what_is_inexact() {
    let values = [1.0, f64::INFINITY, 2.0, f64::NAN, 3.0];
    let a = Tensor::from_dense([5], &values).unwrap();
    let (mut g, mut n) = (0.0, 0);
    most(&a, &mut g, &mut n);
    assert_eq!((g, n), (f64::INFINITY, 2));
    (g, n) = (0.0, 0);
    most_strict(&a, &mut g, &mut n);
    assert!(g.is_nan());
    assert_eq!(n, 5);
}

#[test]
fn equal_contributions_count_once_and_none_at_all_not() {
    for dense in [vec![], vec![6; 40], [vec![6; 40], vec![0; 30], vec![9; 30]].concat()] {
        let a = Tensor::from_dense([dense.len()], &dense).unwrap();
        let (mut g, mut n) = (0, 0);
        runs(&a, &mut g, &mut n);
        assert_eq!(g, dense.into_iter().fold(0, gcd));
        assert!(n <= 3, "{n}");
    }
}
