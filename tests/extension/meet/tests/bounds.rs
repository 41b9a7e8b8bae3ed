//! Extents, shifts and computed indices that a caller chooses: whatever they are, a kernel refuses
//! them or stays inside. (With debug assertions each unchecked access is asserted.)

use sparse::{finch, level, Csr, DenseMat, DenseVec, Element, RunList, SparseVec, Tensor};
use std::panic::{catch_unwind, AssertUnwindSafe};

finch! {
    fn run_from(lo: i64, hi: i64) -> (y: DenseVec<f64>) { for i in lo..hi { y[i] = 1 } }
    fn written_before(x: &DenseVec<f64>, n: i64) -> (y: DenseVec<f64>) { for i { y[i - n] = x[i] } }
    fn written_behind(x: &DenseVec<f64>, n: i64) -> (y: DenseVec<f64>) { for i { y[i + n] += x[i] } }
    fn workspace(x: &DenseVec<f64>, n: i64, s: &mut f64) { let mut w: DenseVec<f64>[3]; for i { w[i - n] = x[i] } for i in 0..3 { s += w[i] } }
    fn workspace_inside(x: &DenseVec<f64>, n: i64, s: &mut f64) { for i { let mut w: DenseVec<f64>; for j in n..5 { w[j] = x[i] } for k in 0..3 { s += w[k] } } }
    // Zeros are stored as well.
    #[allow(deprecated)]
    fn appended(x: &DenseVec<f64>, n: i64) -> (y: SparseVec<f64>) { for i { y[i - n] = x[i] } }
    fn updated(x: &DenseVec<f64>, n: i64, y: &mut DenseVec<f64>) { for i { y[i - n] = x[i] } }
    fn permuted(p: &DenseVec<i64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i { y[p[i]] = x[p[i]] } }
    fn both(lo: i64, hi: i64, x: &DenseVec<f64>, z: &SparseVec<f64>, s: &mut f64) { for i in lo..hi { s += x[i] * z[i] } }
    fn triangle(lo: i64, hi: i64, x: &DenseVec<f64>) -> (y: DenseMat<f64>) { for i in lo..hi { for j in i..hi { y[i, j] += x[j] } } }
    fn rows(a: &Csr<f64>, n: i64, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { for j in n..4 { y[j] += a[i, j] * x[j + n] } } }
    fn prefix(p: &DenseVec<i64>, x: &DenseVec<f64>, s: &mut f64) { for i { let q = p[i]; for j in 0..q { s += x[j] } } }
    fn diagonal(p: &DenseVec<i64>, x: &DenseVec<f64>, s: &mut f64) { for i { for j in 0..p[i] { s += x[j + p[i]] } } }
    fn runs(x: &Runs, n: i64, s: &mut f64) { for i in n..20 { s += x[i] } }
}
finch! {
    /// What a condition keeps from being read must not be read ahead of it either.
    fn sieved(a: &Csr<f64>, n: i64, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { if $(0 <= n && n < 2) { for j { y[i] += a[n, j] * x[i] } } }
    }
    fn sieved_inside(a: &Csr<f64>, n: i64, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { if $(0 <= n && n < 2) { y[i] += a[n, j] * x[i] } }
    }
}

level! {
type Runs = Tensor<RunList<Element<f64>>>; }

/// `f` may panic, but not by an unchecked access.
fn inside(what: &str, n: i64, f: impl FnOnce()) {
    let Err(panic) = catch_unwind(AssertUnwindSafe(f)) else { return };
    let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
    for unsound in ["a kernel indexes element", "not a valid"] {
        assert!(!message.contains(unsound), "{what} with {n}: {message}");
    }
}

#[test]
fn numbers_of_the_caller() {
    let x: DenseVec<f64> = Tensor::from_dense([5], &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
    let z: SparseVec<f64> = Tensor::from_dense([5], &[1.0, 0.0, 3.0, 4.0, 0.0]).unwrap();
    let r: Runs = Tensor::from_dense([5], &[1.0, 0.0, 3.0, 4.0, 0.0]).unwrap();
    let a: Csr<f64> = Tensor::from_dense([2, 5], &[1.0; 10]).unwrap();
    // Refusals are expected by the dozen.
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.to_string().contains("assertion") || info.to_string().contains(" with ") {
            default(info);
        }
    }));
    let mut s = 0.0;
    for n in [-7, -1, 0, 1, 2, 3, 5, 6, i64::MIN, i64::MAX] {
        let p: DenseVec<i64> = Tensor::from_dense([5], &[0, n, 2, 1, n]).unwrap();
        let mut y = x.clone();
        inside("run_from", n, || drop(run_from(n, 4)));
        inside("run_from", n, || drop(run_from(0, n.min(9))));
        inside("written_before", n, || drop(written_before(&x, n)));
        inside("written_behind", n, || drop(written_behind(&x, n.min(99))));
        inside("workspace", n, || workspace(&x, n, &mut s));
        inside("workspace_inside", n, || workspace_inside(&x, n, &mut s));
        inside("appended", n, || drop(appended(&x, n)));
        inside("updated", n, || updated(&x, n, &mut y));
        inside("permuted", n, || permuted(&p, &x, &mut y));
        inside("both", n, || both(n, 3, &x, &z, &mut s));
        inside("both", n, || both(2, n, &x, &z, &mut s));
        inside("triangle", n, || drop(triangle(n.max(-99), 3, &x)));
        inside("rows", n, || drop(rows(&a, n, &x)));
        inside("prefix", n, || prefix(&p, &x, &mut s));
        inside("diagonal", n, || diagonal(&p, &x, &mut s));
        if !(0..2).contains(&n) {
            assert_eq!(sieved(&a, n, &x).to_dense(), [0.0; 5]);
            assert_eq!(sieved_inside(&a, n, &x).to_dense(), [0.0; 5]);
        }
        inside("runs", n, || runs(&r, n, &mut s));
    }
    drop(std::panic::take_hook());
}
