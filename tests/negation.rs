//! Negated terms and zeros: each keeps its place and its sign, and nothing overflows on the way.

use looplets::prelude::*;

finch! { #![strict]
    fn both(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = -a[i] + -b[i] } }
    fn product(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = -a[i] * b[i] + -b[i] } }
    fn three(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = -a[i] - b[i] + a[i] } }
    fn even(a: &SparseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i in 0..1 { y[i] = -(coalesce(a[permit[i + 5]], 2) % 2) * b[i] }
    }
    fn last(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = -a[i] + (b[i] + 0.1) } }
}
finch! {
    fn loose(a: &DenseVec<f64>, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = -a[i] + -b[i] } }
    fn small(a: &DenseVec<i8>, b: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = -a[i] + -b[i] } }
    fn times(a: &DenseVec<i8>, b: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] + -4 * b[i] } }
}
#[test]
fn sums_of_negated_terms_are_rounded_and_overflow_as_written() {
    let v = [0.0, -0.0, 1.0, -1.0, 0.1, -0.3, f64::INFINITY, f64::MIN_POSITIVE, 1e300];
    for x in v {
        for y in v {
            let [a, b] = [x, y].map(|x| Tensor::from_dense([1], &[x]).unwrap());
            let eq = |k: DenseVec<f64>, w: f64, name: &str| {
                let g = k.to_dense()[0];
                assert!(
                    g.to_bits() == w.to_bits() || g.is_nan() && w.is_nan(),
                    "{name} {x} {y}: {g} {w}"
                );
            };
            eq(both(&a, &b), -x + -y, "both");
            eq(loose(&a, &b), -x + -y, "loose");
            eq(product(&a, &b), -x * y + -y, "product");
            eq(three(&a, &b), -x - y + x, "three");
            let empty: SparseVec<f64> = Tensor::from_dense([1], &[0.0]).unwrap();
            eq(even(&empty, &b), -(2.0_f64 % 2.0) * y, "even");
            eq(last(&a, &b), -x + (y + 0.1), "last");
        }
    }
    let t = |x: i8| -> DenseVec<i8> { Tensor::from_dense([1], &[x]).unwrap() };
    assert_eq!(small(&t(100), &t(28)).to_dense(), [-128]);
    assert_eq!(times(&t(0), &t(32)).to_dense(), [-128]);
}

finch! {
    fn without_index(x: &DenseVec<i64>) -> (y: DenseVec<i64>) { for i { y[i] = x[i] & !i } }
    fn without_rest(x: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = x[i] & !(i % 4) } }
    fn without_definition(x: &DenseVec<u8>) -> (y: DenseVec<u8>) {
        for i { let t = i; y[i] = x[i] & !t }
    }
    fn bits(n: usize) -> (y: DenseVec<i64>) { for i in 0..n { y[i] = !i } }
    fn tested(x: &DenseVec<i64>) -> (y: DenseVec<i64>) { for i { if !i & 1 { y[i] = x[i] } } }
    fn backwards(x: &DenseVec<i64>) -> (y: DenseVec<i64>) { for i in 0..3 { y[i] = x[3 + !i] } }
}

/// `!` of an index is that of its bits, in the type that it meets.
#[test]
fn bits_of_indices() {
    let x = DenseVec::from_dense([4], &[7, 6, 5, 7]).unwrap();
    let u = DenseVec::from_dense([4], &[7_u8, 7, 7, 255]).unwrap();
    assert_eq!(without_index(&x).to_dense(), [7, 6, 5, 4]);
    assert_eq!(without_rest(&u).to_dense(), [7, 6, 5, 252]);
    assert_eq!(without_definition(&u).to_dense(), [7, 6, 5, 252]);
    assert_eq!(bits(3).to_dense(), [-1, -2, -3]);
    assert_eq!(tested(&x).to_dense(), [7, 0, 5, 0]);
    assert_eq!(backwards(&x).to_dense(), [5, 6, 7]);
}

finch! {
    /// Constants of primitive types meet other numbers as typed numbers do.
    fn constants(a: &DenseVec<i32>, x: &DenseVec<f64>) -> (c: DenseVec<i64>, y: DenseVec<f64>) {
        for i { c[i] = u8::MAX + a[i] }
        for i { y[i] = max(x[i], f32::EPSILON) + std::f64::consts::PI }
    }
}

#[test]
fn constants_of_primitive_types_meet_other_numbers() {
    let a = Tensor::from_dense([2], &[-1, i32::MAX - 255]).unwrap();
    let x = Tensor::from_dense([2], &[0.0, 0.5]).unwrap();
    let (c, y) = constants(&a, &x);
    assert_eq!(c.to_dense(), [254, i64::from(i32::MAX)]);
    let pi = std::f64::consts::PI;
    assert_eq!(y.to_dense(), [f64::from(f32::EPSILON) + pi, 0.5 + pi]);
}

/// The least number of a type is the product of others, and the negation of none.
#[test]
fn a_minus_stays_with_its_factor() {
    finch! {
        fn product(a: &DenseVec<i8>, b: &DenseVec<i8>) -> (y: DenseVec<i8>) { y[i] = -a[i] * b[i] }
        fn three(a: &DenseVec<i64>, b: &DenseVec<i64>) -> (y: DenseVec<i64>) { y[i] = -1 * a[i] * b[i] }
    }
    let [a, b] = [2, 64].map(|x| Tensor::from_dense([1], &[x]).expect("a vector"));
    assert_eq!(product(&a, &b).to_dense(), [-128]);
    let [a, b] = [2, 1 << 62].map(|x| Tensor::from_dense([1], &[x]).expect("a vector"));
    assert_eq!(three(&a, &b).to_dense(), [i64::MIN]);
}
