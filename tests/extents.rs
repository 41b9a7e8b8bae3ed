//! Extents and shifts that elements of tensors say: read once, before the loop, from any format.

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

level! {
    /// Where rows begin and end.
    pub type Ends = Tensor<Dense<Element<i64>>>;
}
level! {
    /// The same, where most are 0.
    pub type FewEnds = Tensor<SparseList<Element<i64>>>;
}
level! {
    /// The same, where neighbours have the same.
    pub type RunEnds = Tensor<RunList<Element<i64>>>;
}

kernels! {
    fn between(a: &Csr<f64>, lo: &Ends, hi: &Ends) -> (y: DenseVec<f64>) {
        for i { for j in lo[i]..hi[i] { y[i] += a[i, j] } }
    };;
    fn between_few(a: &Csr<f64>, lo: &FewEnds, hi: &RunEnds) -> (y: DenseVec<f64>) {
        for i { for j in lo[i]..hi[i] { y[i] += a[i, j] } }
    };;
    fn defined(a: &Csr<f64>, lo: &FewEnds, hi: &FewEnds) -> (y: DenseVec<f64>) {
        for i { let s = lo[i]; let t = hi[i]; for j in s..t { y[i] += a[i, j] * (j - s) } }
    };;
    fn moved(a: &Csr<f64>, lo: &FewEnds, hi: &FewEnds) -> (y: DenseVec<f64>) {
        for i { let s = lo[i]; for j in 0..hi[i] - s { y[i] += a[i, j + s] } }
    };;
    fn first(a: &SparseVec<f64>, lo: &FewEnds, hi: &Ends, c: &mut f64) {
        for i in lo[0]..hi[0] { c += a[i] }
    };;
    fn shared(a: &Csr<f64>, lo: &FewEnds, hi: &Ends) -> (y: DenseVec<f64>[4]) {
        parallel for i in lo[0]..hi[0] { for j in lo[i]..hi[i] { y[i] += a[i, j] } }
    };;
    fn chosen(a: &Csr<f64>, lo: &FewEnds, hi: &Ends, all: bool) -> (y: DenseVec<f64>) {
        for i { for j in ifelse(all, 0, lo[i])..min(hi[i], 3) { y[i] += a[i, j] } }
    };;
    fn wide(a: &Csr<f64>, lo: &Tensor<SparseList<Element<u32>>>, hi: &Tensor<Dense<Element<usize>>>) -> (y: DenseVec<f64>) {
        for i { for j in lo[i]..hi[i] { y[i] += a[i, j] } }
    };;
    fn perhaps(x: &DenseVec<f64>, lo: &FewEnds, n: usize) -> (y: DenseVec<f64>[n]) {
        for i in 0..n { let t = lo[permit[i + 1]]; for j in 0..coalesce(t, 1) { y[i] += x[j] } }
    };;
    fn perhaps_more(x: &DenseVec<f64>, lo: &Ends, n: usize) -> (y: DenseVec<f64>[n]) {
        for i in 0..n { for j in 0..coalesce(lo[permit[i + 1]], 1) + 1 { y[i] += x[j] } }
    };;
    fn dense(a: &DenseMat<f64>, lo: &FewEnds) -> (y: DenseVec<f64>) {
        for i { for j in lo[i] + 1..4 { y[i] += a[i, j] } }
    }
}

#[test]
fn elements_say_where_loops_begin_and_end() {
    for kind in 0..KINDS {
        let a: Csr<f64> = matrix(kind, [4, 5]);
        let d: DenseMat<f64> = matrix(kind, [4, 5]);
        let v: SparseVec<f64> = vector(kind, 5);
        for (lo, hi) in
            [([0, 1, 0, 3], [5, 1, 0, 5]), ([0; 4], [0; 4]), ([2, 0, 4, 5], [5, 3, 2, 5])]
        {
            let [l, h]: [Ends; 2] = [lo, hi].map(|e| Tensor::from_dense([4], &e).unwrap());
            let [fl, fh]: [FewEnds; 2] = [lo, hi].map(|e| Tensor::from_dense([4], &e).unwrap());
            let rh: RunEnds = Tensor::from_dense([4], &hi).unwrap();
            agree!(between(&a, &l, &h));
            let x: DenseVec<f64> =
                Tensor::from_dense([6], &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]).unwrap();
            agree!(perhaps(&x, &fl, 4));
            agree!(perhaps_more(&x, &l, 4));
            agree!(between_few(&a, &fl, &rh));
            agree!(defined(&a, &fl, &fh));
            agree!(moved(&a, &fl, &fh));
            let mut c = 1.0;
            agree!(first(&v, &fl, &h, &mut c));
            agree!(dense(&d, &fl));
            for all in [false, true] {
                agree!(chosen(&a, &fl, &h, all));
            }
            let narrow = Tensor::from_dense([4], &lo.map(|e| e as u32)).unwrap();
            let size = Tensor::from_dense([4], &hi.map(|e| e as usize)).unwrap();
            agree!(wide(&a, &narrow, &size));
        }
        let h: Ends = Tensor::from_dense([4], &[4, 4, 5, 5]).unwrap();
        for lo in [[0, 2, 0, 1], [3, 0, 0, 4], [4, 0, 0, 0]] {
            let fl: FewEnds = Tensor::from_dense([4], &lo).unwrap();
            agree!(shared(&a, &fl, &h));
        }
    }
}

#[test]
fn elements_that_lead_outside_are_refused() {
    let a: Csr<f64> = Tensor::from_dense([2, 3], &[1.0; 6]).unwrap();
    let d: DenseMat<f64> = Tensor::from_dense([2, 3], &[1.0; 6]).unwrap();
    let v: SparseVec<f64> = Tensor::from_dense([3], &[1.0; 3]).unwrap();
    let few = |e: [i64; 2]| -> FewEnds { Tensor::from_dense([2], &e).unwrap() };
    let all = |e: [i64; 2]| -> Ends { Tensor::from_dense([2], &e).unwrap() };
    let runs = |e: [i64; 2]| -> RunEnds { Tensor::from_dense([2], &e).unwrap() };
    let refused = |what: &str, run: &dyn Fn(), extent: &str| {
        let said = catch_unwind(AssertUnwindSafe(run)).expect_err(what);
        let said = said.downcast_ref::<String>().expect("a message");
        let told = ["`a` has size 3", extent].iter().all(|part| said.contains(part));
        assert!(told, "{what}: {said}");
    };
    refused("between", &|| drop(between(&a, &all([0, 1]), &all([3, 4]))), "1..4");
    refused("few", &|| drop(between_few(&a, &few([0, 1]), &runs([3, 4]))), "1..4");
    refused("defined", &|| drop(defined(&a, &few([0, 1]), &few([3, 4]))), "1..4");
    refused("below 0", &|| drop(defined(&a, &few([0, -1]), &few([3, 3]))), "-1..3");
    refused("moved", &|| drop(moved(&a, &few([0, 2]), &few([3, 4]))), "computed index is 3");
    refused("dense", &|| drop(dense(&d, &few([1, -2]))), "2..4");
    refused("first", &|| first(&v, &few([1, 0]), &all([4, 0]), &mut 0.0), "1..4");
    let narrow = Tensor::from_dense([2], &[0u32, 1]).unwrap();
    let size = Tensor::from_dense([2], &[3, 1 << 40]).unwrap();
    refused("wide", &|| drop(wide(&a, &narrow, &size)), "1..");
}

thread_local! {
    static ASKED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// `e`, and one more that was asked for.
fn asked(e: i64) -> i64 {
    ASKED.set(ASKED.get() + 1);
    e
}

finch! {
    fn counted(a: &Csr<f64>, hi: &FewEnds) -> (y: DenseVec<f64>) {
        for i { for j in asked(hi[i]) - 1..asked(hi[i]) + 1 { y[i] += a[i, j] } }
    }
}

#[test]
fn bounds_are_read_once_for_each_loop() {
    let a: Csr<f64> = Tensor::from_dense([2, 3], &[1.0; 6]).unwrap();
    let hi: FewEnds = Tensor::from_dense([2], &[1, 2]).unwrap();
    assert_eq!(counted(&a, &hi).to_dense(), [2.0, 2.0]);
    assert_eq!(ASKED.get(), 2);
}
