//! Kernels over levels made of nodes: read beside others, written in any order, updated in place.

// What these kernels cost and start at is on purpose.
#![allow(deprecated)]

extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

level! { type Trees = Tensor<Dense<Bst<Element<f64>>>>; }
level! { type TreeOfTrees = Tensor<Bst<Bst<Element<f64>>>>; }

kernels! {
    fn product(a: &Trees, b: &Csr<f64>) -> (c: Trees) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } };;
    fn product_of_trees(a: &Trees, b: &TreeOfTrees) -> (c: TreeOfTrees) { for i, k, j { c[i, j] += a[i, k] * b[k, j] } };;
    fn scattered(a: &Trees) -> (c: TreeOfTrees) { for i, j { c[j, i] += a[i, j] } };;
    fn updated(a: &Csr<f64>, c: &mut Trees) { for i, j { c[i, j] += a[i, j] } };;
    fn updated_somewhere(a: &Csr<f64>, c: &mut TreeOfTrees) { for i, j { if a[i, j] > 0.5 { c[j, i] += a[i, j] } } };;
    fn workspace(a: &Trees) -> (y: DenseVec<f64>) {
        for i { let mut w: Tensor<Bst<Element<f64>>>; { for j { y[i] += w[j] } } where { for j { w[j] += a[i, j] * 2 } } }
    };;
    fn both(a: &Trees, b: &Trees) -> (c: Csr<f64>) { for i, j { c[i, j] = a[i, j] + b[i, j] } };;
    fn runs(a: &Trees, b: &Tensor<Dense<RunList<Element<f64>>>>) -> (c: Trees) { for i, j { c[i, j] = a[i, j] * b[i, j] } };;
    fn windows(a: &Trees) -> (c: DenseMat<f64>) { for i { for j in 1..4 { c[i, j] = a[i, j + 1] } } };;
    fn galloped(a: &Trees, b: &Trees, s: &mut f64) { for i, j { s += a[i, j::gallop] * b[i, j::gallop] } };;
    fn led(a: &Trees, b: &Trees, s: &mut f64) { for i, j { s += a[i, j::walk] * b[i, j::lead] } };;
    fn located(a: &Trees, b: &TreeOfTrees, s: &mut f64) { for i, j { s += a[i, j] * b[j::locate, i::locate] } };;
    fn first(a: &Trees) -> (y: DenseVec<f64>) { for i, j { y[i] <<max>>= a[i, j] } };;
    fn threaded(a: &Trees, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i { for j { y[i] += a[i, j] * x[j] } } };;
    fn parts(a: &Trees) -> (c: Trees) { parallel for i { for j { c[i, j] = a[i, j] * 2 } } };;
    fn removed(a: &Csr<f64>, c: &mut Trees) { for i, j { if a[i, j] != 0 && c[i, j] < 2 { remove c[i, j] } } };;
    fn removed_elsewhere(a: &Csr<f64>, c: &mut TreeOfTrees, s: &mut f64) {
        for i, j { s += c[j, i::locate]; if a[i, j] > 0.5 { remove c[j, i::locate] } }
        for i { if a[i, i] == 0 { remove c[i, i] } }
    };;
    fn removed_in_parts(a: &mut Trees, x: &DenseVec<f64>) { parallel for i { for j { if x[i] > a[i, j] { remove a[i, j] } } } };;
    fn any(a: &Trees, r: &mut bool) { for i, j { r ||= a[i, j] > 2 } }
}

#[test]
fn agree() {
    for n in [0, 1, 6, 9] {
        for kind in 0..KINDS {
            let other = (kind * 3 + 1) % KINDS;
            let (a, b): (Trees, Trees) = (matrix(kind, [n, n]), matrix(other, [n, n]));
            let (c, t): (Csr<f64>, TreeOfTrees) = (matrix(other, [n, n]), matrix(other, [n, n]));
            let r = matrix(other, [n, n]);
            let x: DenseVec<f64> = vector(kind, n);
            let (mut s, mut found) = (0.5, false);
            agree!(product(&a, &c));
            agree!(product_of_trees(&a, &t));
            agree!(scattered(&a));
            agree!(workspace(&a));
            agree!(both(&a, &b));
            agree!(runs(&a, &r));
            if n > 5 {
                agree!(windows(&a));
            }
            agree!(galloped(&a, &b, &mut s));
            agree!(led(&a, &b, &mut s));
            agree!(located(&a, &t, &mut s));
            agree!(first(&a));
            agree!(threaded(&a, &x));
            agree!(parts(&a));
            agree!(any(&a, &mut found));
            let (mut d, mut e) = (b.clone(), t.clone());
            agree!(updated(&c, &mut d));
            agree!(updated_somewhere(&c, &mut e));
            agree!(removed(&c, &mut d));
            agree!(removed_elsewhere(&c, &mut e, &mut s));
            agree!(removed_in_parts(&mut d, &x));
        }
    }
}

level! { type Nested = Tensor<Bst<BTree<Element<f64>>>>; }
finch! {
    fn sum_of_three(a: &Nested, b: &Nested, c: &Nested) -> (y: Tensor<Dense<Dense<Element<f64>>>>) {
        for i, j { y[i, j] = a[i, j] + b[i, j] + c[i, j] }
    }
}

/// A tree in a tree that is not there has no state, where the entries of several are met as one list.
#[test]
fn three_trees_of_trees() {
    for seed in 0..40u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |n: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % n
        };
        let mut want = vec![0.0; 30];
        let mut made = || {
            let count = below(20);
            let all: Vec<_> = (0..count)
                .map(|_| {
                    (
                        [below(5) as usize, below(6) as usize],
                        [0.1, -0.0, f64::INFINITY, 5e-324][below(4) as usize],
                    )
                })
                .collect();
            let a = Nested::from_triplets([5, 6], all, Last).unwrap();
            a.to_dense().iter().zip(&mut want).for_each(|(v, w)| *w += v);
            a
        };
        let (a, b, c) = (made(), made(), made());
        assert_eq!(sum_of_three(&a, &b, &c).to_dense(), want);
    }
}

/// Threads lead to the next entry; what leaps goes up a path, and searches from the root no more than once a fiber.
#[test]
fn trees_with_threads_leap_along_a_path() {
    let leapt = explain! { fn leapt(a: &Tensor<Bst<Element<f64>>>, b: &SparseVec<f64>, s: &mut f64) { for i { s += a[i::gallop] * b[i::gallop] } } };
    assert!(leapt.contains("__seek") && !leapt.contains("__onward"), "{leapt}");
}
