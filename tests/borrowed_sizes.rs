//! Whole numbers that are passed by reference are sizes, bounds and coordinates like others.

use looplets::prelude::*;
finch! { fn f(n: &usize, x: &SparseVec<f64>, s: &mut f64) { for i in 0..n { s += x[i] } } }
finch! { fn g(n: &usize, x: &SparseVec<f64>, s: &mut f64) { for i { if i < n { s += x[i] } } } }
finch! { fn h(n: &usize, x: &DenseVec<f64>, s: &mut f64) { s += x[n]; for i in 0..2 { s += x[i + n] } } }
#[test]
fn numbers_may_be_borrowed() {
    let x = SparseVec::from_dense([3], &[1., 2., 4.]).unwrap();
    let y = DenseVec::from_dense([3], &[1., 2., 4.]).unwrap();
    let mut s = 0.;
    f(&2, &x, &mut s);
    g(&1, &x, &mut s);
    h(&1, &y, &mut s);
    assert_eq!(s, 3. + 1. + 2. + 6.);
}
