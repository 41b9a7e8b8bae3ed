//! Least and greatest sums that are taken first begin at what changes nothing, in scalars as in workspaces: a scalar is 0 when it
//! is made, which is less than every distance.

// What some of these visit is on purpose.
#![allow(deprecated)]

use looplets::prelude::*;

level! { type Rows = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type Low = Tensor<SparseList<SparseList<Element<f64, NegInf>>>>; }
level! { type LowRows = Tensor<Dense<Dense<Element<f64, NegInf>>>>; }
level! { type Far = Tensor<SparseList<SparseList<Element<f64, Inf>>>>; }
level! { type FarCoo = Tensor<Coo<Singleton<Element<f64, Inf>>>>; }
level! { type FarRows = Tensor<Dense<Dense<Element<f64, Inf>>>>; }
level! { type Steps = Tensor<SparseList<SparseList<Element<u32, looplets::semiring::MaxU32>>>>; }
level! { type StepRows = Tensor<Dense<Dense<Element<u32, looplets::semiring::MaxU32>>>>; }

finch! {
    use looplets::semiring::{max_plus, min_plus, min_plus_u32};
    fn declared(a: &Far, d: &FarRows) -> (c: Far) { c[j, i] <<min>>= min_plus(a[j, i], d[j, k]) }
    fn greatest(a: &Low, d: &LowRows) -> (c: Low) { c[j, i] <<max>>= max_plus(a[j, i], d[j, k]) }
    fn steps(a: &Steps, d: &StepRows) -> (c: Steps) { c[j, i] <<min>>= min_plus_u32(a[j, i], d[j, k]) }
    fn added(a: &Far, d: &FarRows) -> (c: FarRows) { c[j, i] <<min>>= a[j, i] + d[j, k] }
    fn updated(a: &FarCoo, d: &FarRows, c: &mut FarRows) { c[j, i] <<min>>= a[j, i] + d[j, k] }
    fn three(a: &Far, d: &FarRows, x: &DenseVec<f64, Inf>) -> (c: Far) { c[j, i] <<min>>= a[j, i] + d[j, k] + x[k] }
    fn of_least(a: &Low, d: &LowRows) -> (c: Low) { c[j, i] <<max>>= min(a[j, i], d[j, k]) }
    fn apart(a: &Far, x: &DenseVec<f64, Inf>) -> (c: FarRows) { c[i, j] <<min>>= a[i, j] + x[k] }
    fn alone(a: &FarRows, x: &DenseVec<f64, Inf>) -> (s: f64) { s <<min>>= a[i, j] + x[k] }
    fn times(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[k] }
    fn all_times(a: &Csr<f64>, x: &DenseVec<f64>, s: &mut f64) { s += a[i, j] * x[k] }
}

finch! {
    use looplets::semiring::min_plus;
    fn open(a: &Rows, b: &Rows) -> (c: Csr<f64, u32, _>) { c[i, j] <<min>>= min_plus(a[i, k], b[k, j]) }
    fn turned(a: &Low) -> (c: Csr<f64, u32, _>) { c[i, j] <<max>>= a[j, i] }
}

const INF: f64 = f64::INFINITY;

/// Every way of the kernel that `run` calls gives `want`.
fn in_all_ways<T: PartialEq + std::fmt::Debug>(want: T, mut run: impl FnMut() -> T) {
    for way in [None, Some(0), Some(1), Some(2)] {
        looplets::rt::prefer(way);
        let found = run();
        looplets::rt::prefer(None);
        assert_eq!(found, want, "{way:?}");
    }
}

#[test]
fn sums_taken_first_begin_at_what_changes_nothing() {
    let at = [([0, 0], -1.0), ([0, 1], 0.5), ([1, 0], 0.25)];
    let a: Far = Tensor::from_triplets([2, 2], at, Refuse).expect("in range");
    let low: Low = Tensor::from_triplets([2, 2], at, Refuse).expect("in range");
    let d: FarRows = Tensor::from_dense([2, 2], &[0.25, 1.0, 2.0, 3.0]).expect("dense");
    let n: LowRows = Tensor::from_dense([2, 2], &[-0.25, -1.0, -2.0, -3.0]).expect("dense");
    let x: DenseVec<f64, Inf> = Tensor::from_dense([2], &[1.0, 1.0]).expect("dense");
    let want = vec![-0.75, 0.75, 2.25, INF];
    in_all_ways(want.clone(), || declared(&a, &d).to_dense());
    in_all_ways(want.clone(), || added(&a, &d).to_dense());
    in_all_ways(want, || {
        let mut c: FarRows = Tensor::from_dense([2, 2], &[INF; 4]).expect("dense");
        updated(&a.convert().expect("the same"), &d, &mut c);
        c.to_dense()
    });
    in_all_ways(vec![-1.25, 0.25, -1.75, -INF], || greatest(&low, &n).to_dense());
    in_all_ways(vec![0.25, 1.75, 3.25, INF], || three(&a, &d, &x).to_dense());
    in_all_ways(vec![-1.0, -0.25, -2.0, -INF], || of_least(&low, &n).to_dense());
    in_all_ways(vec![0.0, 1.5, 1.25, INF], || apart(&a, &x).to_dense());
    in_all_ways(0.0, || alone(&a.convert().expect("the same"), &x));
    let at = [([0, 0], 1), ([0, 1], 2), ([1, 0], 3)];
    let a: Steps = Tensor::from_triplets([2, 2], at, Refuse).expect("in range");
    let d: StepRows = Tensor::from_dense([2, 2], &[7, 5, 2, 9]).expect("dense");
    in_all_ways(vec![6, 7, 5, u32::MAX], || steps(&a, &d).to_dense());
}

/// The fill of what a result is gathered in is known before that of the result, which is left open.
#[test]
fn fills_of_gathered_results_are_found() {
    let at = [([0, 0], -1.5), ([0, 1], 0.25), ([1, 1], INF)];
    let a: Rows = Tensor::from_triplets([2, 2], at, Refuse).expect("in range");
    let b: Rows =
        Tensor::from_triplets([2, 2], [([0, 1], 0.5), ([1, 0], -4.0)], Refuse).expect("in range");
    in_all_ways(vec![-3.75, -1.0, INF, INF], || open(&a, &b).to_dense());
    let a: Low = Tensor::from_triplets([2, 2], at, Refuse).expect("in range");
    in_all_ways(vec![-1.5, -INF, 0.25, INF], || turned(&a).to_dense());
}

#[test]
fn factors_that_run_apart_are_summed_once() {
    let at = [([0, 0], 1.5), ([0, 2], -0.5), ([2, 1], INF)];
    let a: Csr<f64> = Tensor::from_triplets([3, 3], at, Refuse).expect("in range");
    let x: DenseVec<f64> = Tensor::from_dense([3], &[0.25, -1.0, 4.0]).expect("dense");
    in_all_ways(vec![3.25, 0.0, INF], || times(&a, &x).to_dense());
    // Without a term there is none: infinity is not multiplied with a sum of nothing.
    let none: DenseVec<f64> = Tensor::from_dense([0], &[]).expect("dense");
    in_all_ways(vec![0.0; 3], || times(&a, &none).to_dense());
    in_all_ways(0.5, || {
        let mut s = 0.5;
        all_times(&a, &none, &mut s);
        s
    });
}
