//! Products under masks, and outside of them, where a row of the mask or of an operand is met again and again: in each of the ways that are
//! kept, with infinities, NaN and both zeros among the values.

// What these kernels cost is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Mask = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }

finch! {
    #![schedule(ways(7))]
    fn outside(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if !m[i, j] { c[i, j] += a[i, k] * b[k, j] } }
    fn outside_into_dense(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>) { if !m[i, j] { c[i, j] += a[i, k] * b[k, j] } }
    fn inside(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[k, j] } }
    fn weighted(w: &Csr<f64>, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] += a[i, k] * b[k, j] * (2 - w[i, j]) }
    fn outside_both(m: &Mask, n: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if !m[i, j] && !n[i, k] { c[i, j] += a[i, k] * b[k, j] } }
    fn dots(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[j, k] } }
    fn dots_outside(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if !m[i, j] { c[i, j] += a[i, k] * b[j, k] } }
    fn dots_into_dense(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: DenseMat<f64>) { if m[i, j] { c[i, j] += a[i, k] * b[j, k] } }
    fn triangles(a: &Csr<f64>) -> (t: u64) { if a[i, j] > 0 && 0 != a[j, k] && a[i, k] < 0 { t += 1 } }
    fn above(w: &Csr<f64>, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if w[i, j] > 0 { c[i, j] += a[i, k] * b[j, k] } }
    fn dots_of_some(m: &Mask, a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { if m[i, j] { if k != i { c[i, j] += a[i, k] * b[j, k] } } }
}

finch! {
    fn three_terms(a: &Far, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (c: Tensor<Dense<Element<f64, Inf>>>) { c[i] <<min>>= a[i, k] + x[k] + y[i] }
    fn a_difference(a: &Far, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (c: Tensor<Dense<Element<f64, Inf>>>) { c[i] <<min>>= y[i] - x[k] + a[i, k] }
}

/// The entries of a matrix of this shape, some hostile, about one of `rare` of all elements.
fn entries(shape: [usize; 2], seed: usize, rare: usize) -> Vec<([usize; 2], f64)> {
    // Sums of the others are exact in any order.
    let exact = |x: f64| if x.abs() < 1e200 && x != 0.0 { (x * 2.0).round() / 2.0 } else { x };
    let most = |x: f64| if x.abs() > 1e200 { x * 1e300 } else { x };
    let of = values(shape[0] * shape[1], seed, 50);
    let of: Vec<f64> = of.into_iter().map(|x| most(exact(x))).collect();
    let at = |k: usize| ([k / shape[1], k % shape[1]], of[k]);
    let stored = |k: &usize| (k * 7919 + seed * 31) % 97 % rare == 0;
    (0..shape[0] * shape[1]).filter(stored).map(at).collect()
}

fn get(all: &[([usize; 2], f64)], i: usize, j: usize) -> Option<f64> {
    all.iter().find(|(at, _)| *at == [i, j]).map(|(_, v)| *v)
}

#[test]
fn each_way_gives_the_same() {
    for (seed, [m, n, o]) in
        [[0, 0, 0], [1, 1, 1], [3, 4, 5], [9, 2, 7], [6, 11, 20], [9, 9, 4]].into_iter().enumerate()
    {
        let (av, bv) = (entries([m, o], seed, 2), entries([o, n], seed + 9, 3));
        let (wv, tv) = (entries([m, n], seed + 20, 3), entries([n, o], seed + 30, 2));
        let csr = |shape: [usize; 2], all: &[([usize; 2], f64)]| -> Csr<f64> {
            Tensor::from_triplets(shape, all.iter().copied(), Refuse).expect("a matrix")
        };
        let mask = |shape: [usize; 2], all: &[([usize; 2], f64)]| -> Mask {
            Tensor::from_triplets(shape, all.iter().map(|(at, _)| (*at, true)), Refuse)
                .expect("a mask")
        };
        let (a, b, w, t) = (csr([m, o], &av), csr([o, n], &bv), csr([m, n], &wv), csr([n, o], &tv));
        let (set, no) = (mask([m, n], &wv), mask([m, o], &entries([m, o], seed + 40, 4)));
        let none = entries([m, o], seed + 40, 4);
        // Products of `a` and `b`, or of `a` and the rows of `t`, for the coordinates that are asked for.
        let by_hand = |rows: bool,
                       asks: &dyn Fn(usize, usize, usize) -> bool,
                       by: &dyn Fn(usize, usize) -> f64| {
            let mut c = vec![0.0; m * n];
            for (i, j, k) in (0..m * n * o).map(|x| (x / (n * o), x / o % n, x % o)) {
                let other = if rows { get(&tv, j, k) } else { get(&bv, k, j) };
                if let (true, Some(x), Some(y)) = (asks(i, j, k), get(&av, i, k), other) {
                    c[i * n + j] += x * y * by(i, j);
                }
            }
            c
        };
        let stored = |i: usize, j: usize| get(&wv, i, j).is_some();
        let one = |_: usize, _: usize| 1.0;
        let ways = |name: &str, want: Vec<f64>, kernel: &dyn Fn() -> Vec<f64>| {
            for way in 0..7 {
                looplets::rt::prefer(Some(way));
                same(&kernel(), &want, (name, way, m, n, o));
            }
            looplets::rt::prefer(None);
            same(&kernel(), &want, name);
        };
        let outer = by_hand(false, &|i, j, _| !stored(i, j), &one);
        ways("outside", outer.clone(), &|| outside(&set, &a, &b).to_dense());
        ways("outside_into_dense", outer, &|| outside_into_dense(&set, &a, &b).to_dense());
        let inner = by_hand(false, &|i, j, _| stored(i, j), &one);
        ways("inside", inner, &|| inside(&set, &a, &b).to_dense());
        let some = by_hand(false, &|i, j, k| !stored(i, j) && get(&none, i, k).is_none(), &one);
        ways("outside_both", some, &|| outside_both(&set, &no, &a, &b).to_dense());
        let by = by_hand(false, &|_, _, _| true, &|i, j| 2.0 - get(&wv, i, j).unwrap_or(0.0));
        ways("weighted", by, &|| weighted(&w, &a, &b).to_dense());
        let rows = by_hand(true, &|i, j, _| stored(i, j), &one);
        ways("dots", rows.clone(), &|| dots(&set, &a, &t).to_dense());
        ways("dots_into_dense", rows, &|| dots_into_dense(&set, &a, &t).to_dense());
        let positive = by_hand(true, &|i, j, _| get(&wv, i, j).is_some_and(|w| w > 0.0), &one);
        ways("above", positive, &|| above(&w, &a, &t).to_dense());
        if m == n {
            let asks =
                |i: usize, j: usize, of: &dyn Fn(f64) -> bool| get(&wv, i, j).is_some_and(of);
            let count = (0..m * m * m).filter(|x| {
                let (i, j, k) = (x / (m * m), x / m % m, x % m);
                asks(i, j, &|w| w > 0.0) && asks(j, k, &|w| w != 0.0) && asks(i, k, &|w| w < 0.0)
            });
            ways("triangles", vec![count.count() as f64], &|| vec![triangles(&w) as f64]);
        }
        let others = by_hand(true, &|i, j, _| !stored(i, j), &one);
        ways("dots_outside", others, &|| dots_outside(&set, &a, &t).to_dense());
        let off = by_hand(true, &|i, j, k| stored(i, j) && k != i, &one);
        ways("dots_of_some", off, &|| dots_of_some(&set, &a, &t).to_dense());
    }
}

#[test]
fn paths_of_several_terms_go_along_what_is_stored() {
    let (x, y) = (vec![0.5, -1.5, f64::NEG_INFINITY], vec![2.0, f64::INFINITY]);
    let stored = [([0, 1], 1.0), ([0, 2], f64::NAN), ([1, 0], 3.0)];
    let a: Far = Tensor::from_triplets([2, 3], stored, Refuse).expect("a matrix");
    let xt: DenseVec<f64> = Tensor::from_dense([3], &x).expect("a vector");
    let yt: DenseVec<f64> = Tensor::from_dense([2], &y).expect("a vector");
    same(&three_terms(&a, &xt, &yt).to_dense(), &[1.5, f64::INFINITY], "a sum");
    same(&a_difference(&a, &xt, &yt).to_dense(), &[4.5, f64::INFINITY], "a difference");
    let told = explain! {
        fn three_terms(a: &Tensor<Dense<SparseList<Element<f64, Inf>>>>, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (c: Tensor<Dense<Element<f64, Inf>>>) { c[i] <<min>>= a[i, k] + x[k] + y[i] }
    };
    assert!(told.to_string().contains("for k: stored(a) steps"), "{told}");
}
