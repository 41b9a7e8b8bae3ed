//! Kernels in a crate that forbids `unsafe`: the same results from checked indexing.
#![forbid(unsafe_code)]

use looplets::prelude::*;

finch! {
    #![forbid(unsafe_code)]
    fn spmspv(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[i] += a[i, j::gallop] * x[j::gallop] }
    }
    fn add(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) {
        for i, j { c[i, j] = a[i, j] + b[i, j] }
    }
    fn shifted(a: &DenseVec<f64>, s: i64, c: &mut f64) { for i { c += a[i + s] } }
    fn product(a: &Csr<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] }
    fn dense(a: &DenseMat<f64>, d: &DenseMat<f64>) -> (c: DenseMat<f64>) { c[i, j] += a[i, k] * d[k, j] }
    fn update(a: &SparseVec<f64>, y: &mut DenseVec<f64>) { for i { y[i] -= a[i] } }
}

#[test]
fn safe_kernels() {
    let a: Csr<f64> =
        Tensor::from_triplets([2, 3], [([0, 1], 2.0), ([1, 0], 3.0), ([1, 2], 4.0)], Refuse)
            .unwrap();
    let x: SparseVec<f64> = Tensor::from_triplets([3], [([0], 5.0), ([2], 7.0)], Refuse).unwrap();
    let mut y = spmspv(&a, &x);
    assert_eq!(y.to_dense(), [0.0, 43.0]);
    assert_eq!(add(&a, &a).to_dense(), [0.0, 4.0, 0.0, 6.0, 0.0, 8.0]);
    let d: DenseMat<f64> = Tensor::from_dense([3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(product(&a, &d).to_dense(), [6.0, 8.0, 23.0, 30.0]);
    let ones: DenseMat<f64> = Tensor::from_dense([5, 3], &[1.0; 15]).unwrap();
    let wide: DenseMat<f64> = Tensor::from_dense([3, 9], &[2.0; 27]).unwrap();
    assert_eq!(dense(&ones, &wide).to_dense(), [6.0; 45]);
    let mut c = 0.0;
    shifted(&y, 1, &mut c);
    shifted(&y, i64::MAX, &mut c);
    assert_eq!(c, 43.0);
    update(&Tensor::from_dense([2], &[0.0, 3.0]).unwrap(), &mut y);
    let mut z = 0.0;
    finch! {
        #![forbid(unsafe_code)]
        <y: DenseVec<f64>, mut z: f64> for i { z += y[i] }
    }
    assert_eq!(z, 40.0);
}
