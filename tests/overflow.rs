//! Integers that overflow: kernels do what the same operations do in the code around them.

// Sums that leave their type are what is tested.
#![allow(deprecated)]

use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

operator! {
    /// Wraps.
    fn around(a: u8, b: u8) -> u8 { a.wrapping_add(b) }
    commutative, associative;
    identity 0;
}
finch! {
    use around;
    fn sum(a: &SparseVec<u8>, s: &mut u8) { for i { s += a[i] } }
    fn difference(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = a[i] - b[i] } }
    fn wrapped(a: &SparseVec<u8>, s: &mut u8) { for i { s <<around>>= a[i] } }
    fn runs(a: &Tensor<RunList<Element<u8>>>, s: &mut u8) { for i { s += a[i] } }
}

/// What `f` gives, or nothing if it panics because of an overflow.
fn overflow<T>(f: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => Some(value),
        Err(e) => {
            let text = e.downcast_ref::<&str>().map(|s| (*s).to_owned());
            let text = text.or(e.downcast_ref::<String>().cloned()).unwrap();
            assert!(text.contains("overflow"), "{text}");
            None
        }
    }
}

#[test]
fn overflow_is_that_of_the_code_around() {
    for values in [[200, 50], [200, 56], [255, 255], [0, 0]] {
        let a: SparseVec<u8> =
            Tensor::from_triplets([99], [([3], values[0]), ([90], values[1])], Refuse).unwrap();
        let plain = overflow(|| values.iter().sum::<u8>());
        let kernel = overflow(|| {
            let mut s = 0;
            sum(&a, &mut s);
            s
        });
        assert_eq!(kernel, plain);
        assert_eq!(
            kernel.is_none(),
            cfg!(debug_assertions) && values[0] as usize + values[1] as usize > 255
        );
        let mut s = 0;
        wrapped(&a, &mut s);
        assert_eq!(s, values[0].wrapping_add(values[1]));
    }
    let (a, b) =
        (Tensor::from_dense([2], &[3, 4]).unwrap(), Tensor::from_dense([2], &[1, 5]).unwrap());
    let kernel = overflow(|| difference(&a, &b).to_dense());
    assert_eq!(kernel, (!cfg!(debug_assertions)).then(|| vec![2, 255]));
}

#[test]
fn a_run_overflows_where_its_elements_would() {
    for n in [0, 1, 2, 85, 86, 255, 256, 300] {
        let a: Tensor<RunList<Element<u8>>> = Tensor::from_dense([n], &vec![3; n]).unwrap();
        let plain = overflow(|| (0..n).fold(0, |s: u8, _| s + 3));
        let kernel = overflow(|| {
            let mut s = 0;
            runs(&a, &mut s);
            s
        });
        assert_eq!(kernel, plain, "{n}");
    }
}

finch! {
    fn signed(a: &Tensor<RunList<Element<i8>>>, s: &mut i8, t: &mut i8) { for i { s += a[i]; t -= a[i] } }
    fn fixed(x: u8, s: &mut u8) { for i in 0..300 { s += x } }
}

#[test]
fn a_run_is_longer_than_its_type_counts() {
    // From -100 to 50 by ones, and from 100 to -50.
    let a = Tensor::from_dense([150], &[1; 150]).unwrap();
    let (mut s, mut t) = (-100, 100);
    signed(&a, &mut s, &mut t);
    assert_eq!((s, t), (50, -50));
    let add = |x: u8| {
        overflow(|| {
            let mut s = 7;
            fixed(x, &mut s);
            s
        })
    };
    assert_eq!(add(0), Some(7));
    assert_eq!(add(1), (!cfg!(debug_assertions)).then_some(51));
}

finch! {
    fn next_is_positive(a: &DenseVec<u32>) -> (c: DenseVec<bool>) {
        for i { c[i] = a[i] + 1 > 0 }
    }
}

/// No comparison is decided as if integers did not overflow.
#[test]
fn comparisons_see_what_wraps() {
    let a = Tensor::from_dense([2], &[3, u32::MAX]).unwrap();
    let result = catch_unwind(|| next_is_positive(&a).to_dense());
    match cfg!(debug_assertions) {
        true => assert!(result.is_err()),
        false => assert_eq!(result.unwrap(), [true, false]),
    }
}

finch! {
    fn product(a: &Tensor<RunList<Element<i8>>>, p: &mut i8) { for i { p *= a[i] } }
}

/// A run of factors overflows where they would one by one, and not where the product is still.
#[test]
fn products_of_runs_overflow_as_one_by_one() {
    let vectors = [
        vec![2; 100],
        vec![2; 6],
        vec![-1; 101],
        vec![-1; 40],
        vec![0; 40],
        vec![-2; 7],
        vec![1; 9],
    ];
    for dense in vectors {
        let a = Tensor::from_dense([dense.len()], &dense).unwrap();
        for start in [0, 1, -1, 3, i8::MIN] {
            let mut p = start;
            let got = overflow(|| product(&a, &mut p));
            let want = overflow(|| dense.iter().fold(start, |p, x| p * x));
            assert_eq!(got.map(|()| p), want, "{start} {dense:?}");
        }
    }
}

finch! {
    fn thrice(a: &DenseVec<i8>, s: &mut i8) { for i { for j in 0..3 { s += a[i] } } }
}

/// A loop of a known length adds at once what it adds one by one.
#[test]
fn short_loops_overflow_as_one_by_one() {
    for (start, value) in [(-56, 60), (0, 60), (100, -70), (-100, 0), (7, 40)] {
        let a = Tensor::from_dense([1], &[value]).unwrap();
        let mut s = start;
        let got = overflow(|| thrice(&a, &mut s));
        let want = overflow(|| (0..3).fold(start, |s: i8, _| s + value));
        assert_eq!(got.map(|()| s), want, "{start} {value}");
    }
}

finch! {
    fn plus_least(a: &SparseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] + -128 } }
    fn minus_least(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] - -128 } }
    fn negated_minus_least(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = -a[i] - -128 } }
    fn reduced_by_least(a: &DenseVec<i8>, s: &mut i8) { for i { s += a[i]; s += -128; s -= -128 } }
}

/// The least number of a type has no negation in it.
#[test]
fn least_numbers_are_added_and_subtracted() {
    let of = |values: &[i8]| DenseVec::from_dense([values.len()], values).unwrap();
    let sparse = SparseVec::from_dense([3], &[0, 3, 127]).unwrap();
    assert_eq!(plus_least(&sparse).to_dense(), [-128, -125, -1]);
    assert_eq!(minus_least(&of(&[-1, -128])).to_dense(), [127, 0]);
    assert_eq!(negated_minus_least(&of(&[1, 127])).to_dense(), [127, 1]);
    let mut s = 1;
    reduced_by_least(&of(&[2, 3]), &mut s);
    assert_eq!(s, 6);
    assert_eq!(overflow(|| minus_least(&of(&[0]))), None);
}

level! { type FullRows = Tensor<UnorderedList<RunList<Element<u8, Const<255>>>>>; }

finch! {
    fn all_of(a: &FullRows, c: &mut u8) { for i { for j { c += a[i, j + 1] } } }
    fn less(a: &FullRows, c: &mut u8) { for i { for j { for k in 0..2 { c -= a[i, j + 1] } } } }
    fn twice_of_runs(a: &Tensor<RunList<Element<i8, Const<100>>>>, c: &mut i8) {
        for i { for k in 0..2 { c += a[i] } }
    }
    fn products_of_runs(a: &Tensor<RunList<Element<i8>>>, c: &mut i8) { for i { c += a[i] * 2 } }
    fn twice_of_fills(a: &Tensor<SparseList<Element<i8, Const<-100>>>>, c: &mut i8) {
        for i { for k in 0..2 { c -= a[i] } }
    }
}

/// The value fits its type, its double does not, and the sum does.
#[test]
fn runs_in_short_loops_are_counted_by_both() {
    let mut c = -128;
    twice_of_runs(&Tensor::from_dense([1], &[100]).unwrap(), &mut c);
    assert_eq!(c, 72);
    let mut c = -128;
    twice_of_runs(&Tensor::from_dense([2], &[60, 61]).unwrap(), &mut c);
    assert_eq!(c, 114);
    let mut c = -128;
    twice_of_fills(&Tensor::from_dense([1], &[-100]).unwrap(), &mut c);
    assert_eq!(c, 72);
    let mut c = -128;
    let a = Tensor::from_dense([1], &[100]).unwrap();
    assert_eq!(overflow(|| products_of_runs(&a, &mut c)), None);
}

/// The length of one loop times the value overflows, and there is nothing to add in the other.
#[test]
fn runs_in_loops_that_are_empty_do_not_overflow() {
    for shape in [[0, 3], [0, 9], [4, 1], [1, 2], [2, 2]] {
        let values = vec![255; shape[0] * shape[1]];
        let a = Tensor::from_dense(shape, &values).unwrap();
        let terms = shape[0] * (shape[1] - 1);
        let (mut c, mut d) = (0, 255);
        let got = overflow(|| all_of(&a, &mut c));
        assert_eq!(got.map(|()| c), [Some(0), Some(255), None][terms.min(2)], "{shape:?}");
        let got = overflow(|| less(&a, &mut d));
        assert_eq!(got.map(|()| d), (terms == 0).then_some(255), "{shape:?}");
    }
}

finch! {
    fn products(s: u8, t: u8, n: usize, c: &mut u8) { for i in 0..n { c += s * t } }
    fn differences(s: u8, t: u8, n: usize, c: &mut u8) { for i in 0..n { c -= s - t } }
    fn negations(s: i8, n: usize, c: &mut i8) { for i in 0..n { c += -s } }
    fn shifts(s: u8, t: u8, n: usize, c: &mut u8) { for i in 0..n { c += s << t } }
    fn greatest(s: u8, t: u8, n: usize, c: &mut u8) { for i in 0..n { c <<max>>= s * t } }
    fn under_conditions(s: u8, t: u8, n: usize, x: &DenseVec<u8>, c: &mut u8) {
        for i in 0..n { if s * t > 3 { c += x[i] } }
    }
    fn outer_indices(m: usize, n: usize, c: &mut u8) {
        for i in 0..m { for j in 0..n { c += i } }
    }
    fn from_outer_indices(m: usize, n: usize, c: &mut u8) {
        for i in 0..m { for j in 0..n { c += i - 255 } }
    }
}

/// What a loop without iterations would compute overflows nowhere.
#[test]
fn what_is_not_computed_does_not_overflow() {
    let (mut c, mut d, none) = (3, 3, DenseVec::from_dense([0], &[0; 0]).unwrap());
    products(200, 200, 0, &mut c);
    differences(100, 200, 0, &mut c);
    negations(-128, 0, &mut d);
    shifts(200, 9, 0, &mut c);
    greatest(200, 200, 0, &mut c);
    under_conditions(200, 200, 0, &none, &mut c);
    outer_indices(300, 0, &mut c);
    from_outer_indices(300, 0, &mut c);
    assert_eq!((c, d), (3, 3));
    assert_eq!(overflow(|| products(200, 200, 1, &mut c)), None);
    assert_eq!(overflow(|| greatest(200, 200, 1, &mut c)), None);
}

finch! {
    fn less_the_rest(x: &DenseVec<u8>, y: &DenseVec<u8>) -> (c: DenseVec<u8>) {
        for i { c[i] = x[i] - (3 - y[i]) }
    }
    fn less_what_is_found(x: &DenseVec<u8>, y: &SparseVec<u8>) -> (c: DenseVec<u8>) {
        for i in 0..3 { c[i] = x[i] - (3 - coalesce(y[permit[i + 1]], 1)) }
    }
}

/// `x - (3 - y)` is not `x + (y - 3)`.
#[test]
fn differences_are_taken_as_written() {
    let x = DenseVec::from_dense([3], &[3, 3, 3]).unwrap();
    let y = DenseVec::from_dense([3], &[1, 0, 3]).unwrap();
    assert_eq!(less_the_rest(&x, &y).to_dense(), [1, 0, 3]);
    let y = SparseVec::from_dense([3], &[1, 0, 2]).unwrap();
    assert_eq!(less_what_is_found(&x, &y).to_dense(), [0, 2, 1]);
}
