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
