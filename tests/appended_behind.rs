//! What is appended to a tensor that has entries lies behind them, also where it is the fill, whatever decides about it: each
//! kernel beside what a loop by hand assigns.

#![allow(deprecated)]

use looplets::prelude::*;

finch! {
    fn masked(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { if m[i] { y[i] = a[i] } }
    fn masked_in_loops(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if m[i] { y[i] = a[i] } } }
    fn between(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if i >= n && i < n + 2 { y[i] = a[i] } } }
    fn zeroed(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if i >= n { y[i] = 0 } } }
    fn where_positive(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if x[i] > 0 { y[i] = a[i] } } }
    fn zero_where_positive(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if x[i] > 0 { y[i] = 0 } } }
    fn either(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if i >= n { if x[i] > 0 { y[i] = 1 } else { y[i] = 0 } } } }
    fn or_missing(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { y[i] = ifelse(x[i] > 0, a[i], missing) } }
    fn moved_in(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i in 0..4 { y[i] = a[permit[i - n]] } }
    fn product(a: &SparseVec<f64>, m: &SparseVec<bool>, x: &DenseVec<f64>, n: usize, y: &mut SparseVec<f64>) -> Result<(), Error> { for i { if i >= n { y[i] = a[i] * x[i] } } }
}

type Appends = fn(
    &SparseVec<f64>,
    &SparseVec<bool>,
    &DenseVec<f64>,
    usize,
    &mut SparseVec<f64>,
) -> Result<(), Error>;

/// What is assigned at a coordinate, if anything is.
type Assigned = fn(&[f64], &[bool], &[f64], usize, usize) -> Option<f64>;

/// Each kernel beside what a loop by hand assigns: all of it is there, or lies at an entry that was, which is an error.
#[test]
fn conditions_do_not_hide_the_fill() {
    let kernels: [(&str, Appends, Assigned); 10] = [
        ("masked", masked, |a, m, _, _, i| m[i].then(|| a[i])),
        ("masked in loops", masked_in_loops, |a, m, _, _, i| m[i].then(|| a[i])),
        ("between", between, |a, _, _, n, i| (i >= n && i < n + 2).then(|| a[i])),
        ("zeroed", zeroed, |_, _, _, n, i| (i >= n).then_some(0.0)),
        ("where positive", where_positive, |a, _, x, _, i| (x[i] > 0.0).then(|| a[i])),
        ("zero where positive", zero_where_positive, |_, _, x, _, i| (x[i] > 0.0).then_some(0.0)),
        ("either", either, |_, _, x, n, i| (i >= n).then_some(if x[i] > 0.0 { 1.0 } else { 0.0 })),
        ("or missing", or_missing, |a, _, x, _, i| (x[i] > 0.0).then(|| a[i])),
        ("moved in", moved_in, |a, _, _, n, i| i.checked_sub(n).map(|k| a[k])),
        ("product", product, |a, _, x, n, i| {
            (i >= n).then(|| if a[i] == 0.0 { 0.0 } else { a[i] * x[i] })
        }),
    ];
    let bits = |n: usize| [n & 1 != 0, n & 2 != 0, n & 4 != 0, n & 8 != 0];
    let x: [f64; 4] = [f64::NAN, 0.5, -1.0, f64::INFINITY];
    let dense: DenseVec<f64> = Tensor::from_dense([4], &x).expect("a vector");
    let mut appended = 0;
    for (pattern, mask, n) in
        (0..16).flat_map(|p| (0..16).flat_map(move |m| (0..5).map(move |n| (p, m, n))))
    {
        let a: Vec<f64> = bits(pattern)
            .iter()
            .zip([0.25, 5e-324, -3.0, f64::MAX])
            .map(|(b, v)| if *b { v } else { 0.0 })
            .collect();
        let m = bits(mask);
        let sparse = SparseVec::<f64>::from_dense([4], &a).expect("a vector");
        let marks = SparseVec::<bool>::from_dense([4], &m).expect("a vector");
        for (old, follow) in [
            ([0.0; 4], 0),
            ([1.0, 0.0, 0.0, 0.0], 1),
            ([0.0, 0.0, 2.0, 0.0], 3),
            ([0.0, 0.0, 0.0, 4.0], 4),
        ] {
            for (name, kernel, assigned) in kernels {
                let mut y = SparseVec::<f64>::from_dense([4], &old).expect("a vector");
                let done = kernel(&sparse, &marks, &dense, n, &mut y);
                let all: Vec<Option<f64>> = (0..4).map(|i| assigned(&a, &m, &x, n, i)).collect();
                let at = format!("{name} {a:?} {m:?} {n} {old:?}");
                let clash = all.iter().take(follow).any(Option::is_some);
                assert_eq!(done.is_err(), clash, "{at}");
                if !clash {
                    let want: Vec<u64> = all
                        .iter()
                        .zip(old)
                        .map(|(new, old)| new.unwrap_or(old).to_bits())
                        .collect();
                    let got: Vec<u64> = y.to_dense().iter().map(|v| v.to_bits()).collect();
                    assert_eq!(got, want, "{at}");
                    appended += 1;
                }
            }
        }
    }
    assert!(appended > 10_000, "{appended}");
}

finch! {
    fn through_workspace(a: &Csr<f64>, n: usize, y: &mut Dcsr<f64>) -> Result<(), Error> {
        for i in n..3 { let mut w: Tensor<Spa<Element<f64>>>; for j { w[j] += a[i, j] } for j { y[i, j] = w[j] } }
    }
    fn rows_from(a: &Csr<f64>, n: usize, y: &mut Dcsr<f64>) -> Result<(), Error> { for i { if i >= n { for j { y[i, j] = a[i, j] } } } }
    fn rows_by_parts(a: &Csr<f64>, n: usize, y: &mut Dcsr<f64>) -> Result<(), Error> { for i { if i >= n { for j { if j != 1 { y[i, j] = a[i, j] } else { y[i, j] = 0 } } } } }
}
finch! {
    fn up_to(a: &Csr<f64>, p: &DenseVec<usize>, y: &mut Dcsr<f64>) -> Result<(), Error> { for i { for j in 0..p[i] { y[i, j] = a[i, j] } } }
    fn from_to(p: &DenseVec<usize>, y: &mut SparseVec<f64>) -> Result<(), Error> { for i in p[0]..p[1] { y[i] = 0 } }
}

#[test]
fn rows_do_not_hide_the_fill() {
    let rows: [(&str, fn(&Csr<f64>, usize, &mut Dcsr<f64>) -> Result<(), Error>); 3] =
        [("workspace", through_workspace), ("from", rows_from), ("parts", rows_by_parts)];
    for pattern in 0..64 {
        let all: Vec<f64> =
            (0..6).map(|k| if pattern >> k & 1 == 1 { 0.5 + k as f64 } else { 0.0 }).collect();
        let a = Csr::<f64>::from_dense([3, 2], &all).expect("a matrix");
        for (n, (name, kernel)) in (0..=3).flat_map(|n| rows.map(|row| (n, row))) {
            // An entry in row 1.
            let mut y =
                Dcsr::<f64>::from_dense([3, 2], &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0]).expect("a matrix");
            let done = kernel(&a, n, &mut y);
            assert_eq!(done.is_err(), n < 2, "{name} {all:?} {n}");
            if n >= 2 {
                let cut = |k: usize| if name == "parts" && k % 2 == 1 { 0.0 } else { all[k] };
                let last = |k: usize| if n == 2 { cut(k) } else { 0.0 };
                assert_eq!(
                    y.to_dense(),
                    [0.0, 0.0, 0.0, 3.0, last(4), last(5)],
                    "{name} {all:?} {n}"
                );
            }
        }
        for p in [[0, 0, 2], [0, 0, 0], [0, 1, 0], [2, 0, 0]] {
            let mut y =
                Dcsr::<f64>::from_dense([3, 2], &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0]).expect("a matrix");
            let lengths: DenseVec<usize> = Tensor::from_dense([3], &p).expect("a vector");
            assert_eq!(up_to(&a, &lengths, &mut y).is_err(), p[0] + p[1] > 0, "{all:?} {p:?}");
        }
    }
    for (p, refused) in [([1, 3], true), ([3, 4], false), ([2, 2], false), ([2, 3], true)] {
        let mut y = SparseVec::<f64>::from_dense([4], &[1.0, 0.0, 2.0, 0.0]).expect("a vector");
        let bounds: DenseVec<usize> = Tensor::from_dense([2], &p).expect("a vector");
        assert_eq!(from_to(&bounds, &mut y).is_err(), refused, "{p:?}");
    }
}
