//! Scalars that a kernel returns: named and unnamed, beside tensors, in a `Result`, with what they start at; extents of
//! several indices in one `for`; and workspaces that a producer declares.

use looplets::prelude::*;

const HOSTILE: [f64; 8] =
    [0.5, -0.0, f64::INFINITY, 5e-324, -1.5, f64::MAX, 0.0, f64::NEG_INFINITY];

fn vector(values: &[f64]) -> DenseVec<f64> {
    Tensor::from_dense([values.len()], values).expect("the sizes agree")
}

fn matrix() -> Csr<f64> {
    let entries = [([0, 1], 2.5), ([1, 0], -3.0), ([1, 2], 0.25), ([2, 2], 5.0)];
    Tensor::from_triplets([3, 3], entries, Refuse).expect("the entries are within")
}

finch! {
    fn dot(x: &DenseVec<f64>, y: &DenseVec<f64>) -> (s: f64) { s += x[i] * y[i] }
    fn twice_the_total(x: &DenseVec<f64>) -> f64 {
        let mut t: f64;
        t += x[i];
        2.0 * t
    }
    fn largest(x: &DenseVec<f64>, least: f64) -> (m: f64 = least, n: u64 = 10, y: DenseVec<f64>, all: bool = true) {
        m <<max>>= x[i];
        n += x[i] > 1.0;
        y[i] = x[i] / 2.0;
        all &&= x[i] == x[i]
    }
    fn checked(x: &DenseVec<f64>, y: &DenseVec<f64>) -> Result<f64, Error> {
        let mut t: f64;
        t += x[i] * y[i];
        t
    }
    fn checked_pair(x: &DenseVec<f64>, y: &DenseVec<f64>) -> Result<(s: f64, z: DenseVec<f64>), Error> {
        s += x[i] * y[i];
        z[i] = x[i] + y[i]
    }
    fn of_any<T: Value + Default + core::ops::Add<Output = T>>(x: &Tensor<Dense<Element<T>>>) -> T {
        let mut t: T;
        t += x[i];
        t
    }
    fn counted(a: &Csr<f64>) -> (s: f64, n: u64) { parallel for i { for j { if a[i, j] != 0 { s += a[i, j]; n += 1 } } } }
    fn from_another(x: &DenseVec<f64>, c: f64) -> (s: f64 = 2 * c, t: f64 = s) { s += x[i]; t -= x[i] }
    fn nothing_read(c: f64) -> f64 { c + 1 }
    fn element(x: &DenseVec<f64>, k: usize) -> f64 { x[k] }
}

#[test]
fn scalars_are_returned() {
    let x = vector(&[1.0, 2.0, 4.0]);
    assert_eq!(dot(&x, &x), 21.0);
    assert_eq!(twice_the_total(&x), 14.0);
    let (m, n, y, all) = largest(&x, -1.0);
    assert_eq!((m, n, y.to_dense(), all), (4.0, 12, vec![0.5, 1.0, 2.0], true));
    assert_eq!(largest(&vector(&[-3.0]), f64::NEG_INFINITY).0, -3.0);
    assert_eq!(largest(&vector(&[]), -7.5).0, -7.5);
    assert_eq!(checked(&x, &x).expect("the sizes agree"), 21.0);
    assert!(checked(&x, &vector(&[1.0])).is_err());
    assert_eq!(checked_pair(&x, &x).expect("the sizes agree").0, 21.0);
    assert_eq!(of_any(&Tensor::<Dense<Element<u8>>>::from_dense([2], &[3, 4]).expect("two")), 7);
    assert_eq!(counted(&matrix()), (4.75, 4));
    assert_eq!(from_another(&x, 1.5), (10.0, -4.0));
    assert_eq!(nothing_read(2.0), 3.0);
    assert_eq!(element(&x, 1), 2.0);
}

#[test]
fn scalars_are_what_a_loop_makes_of_hostile_values() {
    for cut in 0..=HOSTILE.len() {
        let values = &HOSTILE[..cut];
        let mut expected = 0.0_f64;
        values.iter().for_each(|v| expected += v * v);
        let got = dot(&vector(values), &vector(values));
        assert!(got == expected || got.is_nan() && expected.is_nan(), "{got} for {expected}");
        let most = values.iter().copied().fold(-0.5, f64::max);
        assert_eq!(largest(&vector(values), -0.5).0.to_bits(), most.to_bits());
    }
}

#[test]
fn inline_programs_return_scalars() {
    let x = vector(&[1.0, 2.0, 4.0]);
    let s = finch! { <x: DenseVec<f64>> -> (s: f64) for i { s += x[i] } };
    let (s2, y) = finch! { <x: DenseVec<f64>> -> (s: f64 = 1, y: DenseVec<f64>) for i { s *= x[i]; y[i] = 2 * x[i] } };
    assert_eq!((s, s2, y.to_dense()), (7.0, 8.0, vec![2.0, 4.0, 8.0]));
}

finch! {
    fn rows_of(a: &Csr<f64>, lo: usize, hi: usize) -> (s: f64) { for i in lo..hi, j { s += a[i, j] } }
    fn below(a: &Csr<f64>, lo: usize, hi: usize) -> (s: f64) {
        parallel for i in lo..hi, j in 0..i + 1 { s += a[i, j] }
    }
    fn four(a: &Csr<f64>, lo: usize, hi: usize) -> (s: f64) {
        for i in lo..hi, j in lo..hi, k, l { s += a[i, j] * a[k, l] }
    }
}

#[test]
fn several_indices_have_extents() {
    let a = matrix();
    assert_eq!(rows_of(&a, 1, 3), 2.25);
    assert_eq!(below(&a, 0, 3), 2.0);
    assert_eq!(four(&a, 0, 2), -0.5 * 4.75);
    assert_eq!(rows_of(&a, 2, 2), 0.0);
}

finch! {
    fn product(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        { for i { y[i] = w[i] } } where { let mut w: DenseVec<f64>; for i, j { w[i] += a[i, j] * x[j] } }
    }
    fn by_row(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i { { y[i] = w } where { let mut w: f64; for j { w += a[i, j] } } }
    }
    fn nested(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, s: f64) {
        { y[i] = w[i]; s += w[i] } where {
            let mut w: DenseVec<f64>;
            { w[i] += a[i, j] * v[j] } where { let mut v: DenseVec<f64>[3]; v[j] = 2 * x[j] }
        }
    }
    fn of_no_dimension(a: &Csr<f64>) -> (y: DenseVec<f64>) {
        for i { { y[i] = w[] } where { let mut w: Tensor<Element<f64>>; for j { w[] += a[i, j] } } }
    }
    /// What the consumer reads is the one around: the producer's own has the same name, and ends there.
    fn another_of_that_name(x: &DenseVec<f64>, w: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        { for i { y[i] = w[i] + t[i] } } where { let mut t: DenseVec<f64>; for i { t[i] = 2 * x[i] } }
    }
}

#[test]
fn producers_declare_workspaces() {
    let (a, x) = (matrix(), vector(&[1.0, 2.0, 4.0]));
    assert_eq!(product(&a, &x).to_dense(), [5.0, -2.0, 20.0]);
    assert_eq!(by_row(&a).to_dense(), [2.5, -2.75, 5.0]);
    assert_eq!(nested(&a, &x).1, 46.0);
    assert_eq!(of_no_dimension(&a).to_dense(), [2.5, -2.75, 5.0]);
    assert_eq!(another_of_that_name(&x, &x).to_dense(), [3.0, 6.0, 12.0]);
}

finch! {
    fn starts(x: &DenseVec<f64>) -> (m: DenseVec<f64>[1]) {
        let mut t: f64 = f64::NEG_INFINITY;
        for i { t <<max>>= x[i] }
        m[0] = t
    }
    fn starts_again(a: &Csr<f64>) -> (m: DenseVec<f64>) {
        for i {
            let mut p: f64 = 1;
            for j { if a[i, j] != 0 { p *= a[i, j] } }
            m[i] = p
        }
    }
}

#[test]
fn scalars_within_start_at_what_they_say() {
    assert_eq!(starts(&vector(&[-3.0, -2.0])).to_dense(), [-2.0]);
    assert_eq!(starts_again(&matrix()).to_dense(), [2.5, -0.75, 5.0]);
}
