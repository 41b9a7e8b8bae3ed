//! One function for several formats of its operands: a kernel for each, by the types of the arguments.

#![deny(warnings)]

use looplets::conformance::Hostile;
use looplets::prelude::*;

finch! {
    /// The product of a matrix in one of three formats with a vector in one of two.
    pub fn product(a: &(Csr<f64> | DenseMat<f64> | Coo2<f64>), x: &(DenseVec<f64> | SparseVec<f64>)) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j] * x[j::walk] }
    }
    /// What is returned is in the format of the operand's kernel.
    fn copied(a: &(Csr<f64, u32, Inf> | DenseMat<f64>)) -> (b: DenseMat<f64, _>) { b[i, j] = a[i, j] }
    fn scaled<T: Value + std::ops::Mul<Output = T>>(a: &(DenseVec<T> | SparseVec<T>), by: T) -> (b: DenseVec<T>) {
        for i { b[i] = by * a[i] }
    }
    #[inline(always)]
    #[must_use]
    #[cfg(test)]
    fn total(a: &(Csr<f64> | DenseMat<f64>), _unused: u8) -> (s: f64) { s += a[i, j] }
    #[cfg(not(test))]
    fn total(a: &(Csr<f64> | DenseMat<f64>), _unused: u8) -> (s: f64) { s += 2 * a[i, j] }
    fn halve(a: &mut (Csr<f64> | DenseMat<f64>)) { a[i, j] /= 2 }
    fn checked(a: &(DenseVec<u8> | SparseVec<u8>), n: usize) -> Result<(s: u64, y: DenseVec<u8>[n]), Error> {
        s += a[i] as u64;
        y[i] = a[i]
    }
}

#[test]
fn each_format_has_a_kernel() {
    for n in [0, 1, 3, 8] {
        let all: Vec<f64> =
            (0..n * 5).map(|k| if k % 3 == 0 { f64::small(k) } else { 0.0 }).collect();
        let v: Vec<f64> =
            (0..5).map(|k| if k % 2 == 0 { f64::small(k + 7) } else { 0.0 }).collect();
        let csr: Csr<f64> = Tensor::from_dense([n, 5], &all).expect("as long");
        let dense: DenseMat<f64> = Tensor::from_dense([n, 5], &all).expect("as long");
        let coo: Coo2<f64> = Tensor::from_dense([n, 5], &all).expect("as long");
        let x: DenseVec<f64> = Tensor::from_dense([5], &v).expect("as long");
        let s: SparseVec<f64> = Tensor::from_dense([5], &v).expect("as long");
        let wanted: Vec<f64> =
            (0..n).map(|i| (0..5).map(|j| all[i * 5 + j] * v[j]).sum()).collect();
        let results = [
            product(&csr, &x),
            product(&dense, &x),
            product(&coo, &x),
            product(&csr, &s),
            product(&dense, &s),
            product(&coo, &s),
        ];
        for y in results {
            for (is, wanted) in y.to_dense().iter().zip(&wanted) {
                assert!((is - wanted).abs() <= 1e-12 * wanted.abs(), "{is} for {wanted}");
            }
        }
        assert_eq!(copied(&dense).to_dense(), all);
        let (mut a, mut b) = (csr, dense);
        assert!((total(&a, 0) - total(&b, 0)).abs() < 1e-9);
        halve(&mut a);
        halve(&mut b);
        assert_eq!(a.to_dense(), b.to_dense());
    }
    let a: Csr<f64, u32, Inf> =
        Tensor::from_triplets([1, 2], [([0, 1], 0.5)], Refuse).expect("in order");
    assert_eq!(copied(&a).to_dense(), [f64::INFINITY, 0.5]);
    let a: SparseVec<i32> = Tensor::from_dense([3], &[0, 4, -1]).expect("as long");
    assert_eq!(scaled(&a, 3).to_dense(), [0, 12, -3]);
    let a: DenseVec<u8> = Tensor::from_dense([3], &[0, 200, 100]).expect("as long");
    assert_eq!(checked(&a, 3).expect("as long").0, 300);
    let error = checked(&a, 2).expect_err("too short").to_string();
    assert!(error.contains("`y` has size 2"), "{error}");
}

#[test]
fn it_is_a_function_like_others() {
    let f: fn(&Csr<f64>, &DenseVec<f64>) -> DenseVec<f64> = product;
    let a = Tensor::from_dense([1, 1], &[0.5]).expect("as long");
    assert_eq!(f(&a, &Tensor::from_dense([1], &[4.0]).expect("as long")).to_dense(), [2.0]);
    finch! { fn within(a: &(DenseVec<f64> | SparseVec<f64>)) -> (s: f64) { s += a[i] } }
    let a: SparseVec<f64> = Tensor::from_dense([2], &[0.5, 0.0]).expect("as long");
    assert_eq!(within(&a), 0.5);
}
