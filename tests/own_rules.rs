//! What a user brings in matches values: neither rules nor numbers of a program's own reach the
//! positions and bounds by which a kernel indexes.
#![forbid(unsafe_code)]

use looplets::prelude::*;

rules! {
    /// True where a value is its own negative, as in a field of characteristic two.
    rules own_negative { own: "(neg ?x)" => "?x"; }
}
rules! {
    /// True where there is one value only.
    rules all_alike {
        least: "(min ?x ?r...)" => "?x";
        most: "(max ?x ?r...)" => "?x";
        lower: "(< ?x ?y)" => "true";
    }
}

macro_rules! kernels_with {
    ($($name:ident { $($uses:tt)* })*) => {$(
        mod $name {
            #[allow(unused_imports)]
            use super::{own_negative, all_alike};
            use looplets::prelude::*;
            finch! {
                $($uses)*
                pub fn moved(x: &DenseVec<i64>, n: usize, d: i64) -> (y: DenseVec<i64>[n]) {
                    for i in 0..n { y[i] = coalesce(x[permit[i - d]], 0) }
                }
                pub fn bands(a: &Tensor<SparseBand<Element<i64>>>, b: &Tensor<SparseBand<Element<i64>>>) -> (y: DenseVec<i64>) {
                    for i { y[i] = a[i] * b[i] }
                }
                pub fn lists(a: &SparseVec<i64>, b: &Tensor<SparseBand<Element<i64>>>, d: i64) -> (y: DenseVec<i64>) {
                    for i { y[i] = coalesce(a[permit[i + d]], 0) * b[i] }
                }
                pub fn windowed(x: &DenseVec<i64>, s: usize, t: usize) -> (y: DenseVec<i64>) {
                    for i { y[i] = x[window(s, t)[i]] }
                }
                pub fn strided(x: &DenseVec<i64>, d: i64) -> (y: DenseVec<i64>[3]) {
                    for i in 0..3 { y[i] = coalesce(x[permit[2 * i - d]], 7) }
                }
                pub fn where_to(x: &DenseVec<i64>, p: &DenseVec<usize>) -> (y: DenseVec<i64>) {
                    for i { let q = p[i]; y[i] = x[q] }
                }
                pub fn below(x: &DenseVec<i64>, n: usize) -> (y: DenseVec<i64>) {
                    for i { if i < n { y[i] = x[i] } }
                }
                pub fn within(x: &DenseVec<i64>, d: i64) -> (y: DenseVec<i64>) {
                    for i { if i - d < 5 { y[i] = x[i] } else { y[i] = 2 * x[i] } }
                }
                pub fn indices(n: usize) -> (y: DenseVec<i64>[n]) {
                    for i { y[i] = 5 - i }
                }
            }
        }
    )*};
}
kernels_with! { plain {} negative { use own_negative; } alike { use all_alike; } }

/// Each kernel with rules of its own beside the same without.
macro_rules! compared {
    ($with:ident: $kernel:ident($($arg:expr),*)) => {
        assert_eq!(
            $with::$kernel($($arg),*).to_dense(), plain::$kernel($($arg),*).to_dense(),
            "{} with {}: {:?}", stringify!($kernel), stringify!($with), ($(&$arg),*)
        )
    };
}

#[test]
fn rules_of_values_leave_positions_and_bounds_alone() {
    for n in [0, 1, 2, 65] {
        let values: Vec<i64> = (1..=n as i64).collect();
        let x: DenseVec<i64> = Tensor::from_dense([n], &values).unwrap();
        let band = |range: std::ops::Range<usize>| -> Tensor<SparseBand<Element<i64>>> {
            let entries = range.filter(|i| *i < n).map(|i| ([i], i as i64 + 1));
            Tensor::from_triplets([n], entries, Refuse).unwrap()
        };
        let some: SparseVec<i64> =
            Tensor::from_triplets([n], (0..n).step_by(3).map(|i| ([i], i as i64 + 2)), Refuse)
                .unwrap();
        for d in [-70, -3, -1, 0, 1, 2, 64, 65, i64::MAX, i64::MIN] {
            compared!(negative: moved(&x, n, d));
            compared!(alike: moved(&x, n, d));
            compared!(negative: within(&x, d.clamp(-100, 100)));
            compared!(alike: within(&x, d.clamp(-100, 100)));
            compared!(negative: strided(&x, d));
            compared!(alike: strided(&x, d));
            compared!(negative: lists(&some, &band(2..40), d));
            compared!(alike: lists(&some, &band(2..40), d));
        }
        for (a, b) in [(0..3, 1..4), (5..60, 20..30), (0..2, 40..50), (0..65, 0..65), (3..3, 1..9)]
        {
            compared!(negative: bands(&band(a.clone()), &band(b.clone())));
            compared!(alike: bands(&band(a.clone()), &band(b.clone())));
        }
        for (s, t) in [(0, n), (n / 2, n), (n, n), (0, n / 3)] {
            compared!(negative: windowed(&x, s, t));
            compared!(alike: windowed(&x, s, t));
        }
        let places: Vec<usize> = (0..n).rev().collect();
        let p: DenseVec<usize> = Tensor::from_dense([n], &places).unwrap();
        compared!(negative: where_to(&x, &p));
        compared!(alike: where_to(&x, &p));
        for k in [0, 1, n / 2, n, n + 3, usize::MAX] {
            compared!(negative: below(&x, k));
            compared!(alike: below(&x, k));
        }
        compared!(negative: indices(n));
    }
}

finch! {
    fn far(x: &DenseVec<f64>, h: &DenseVec<i64>, s: i64, c: &mut f64) -> Result<(), looplets::Error> {
        for j in 0..h[0] + h[1] + h[2] { c += x[j + s] }
    }
    fn far_back(x: &DenseVec<f64>, h: &DenseVec<i64>, s: i64, c: &mut f64) -> Result<(), looplets::Error> {
        for i { for j in h[i] - s - s - s - s..h[i] { c += x[i] * x[j - s] } }
    }
    fn far_sum(x: &DenseVec<f64>, h: &DenseVec<usize>, c: &mut f64) -> Result<(), looplets::Error> {
        for i { for j in 0..h[i] + h[i] + h[i] + h[i] { c += x[j] } }
    }
}

#[test]
fn extents_of_elements_are_cut_as_a_whole() {
    let x: DenseVec<f64> = Tensor::from_dense([3], &[0.5, 0.25, -0.0]).unwrap();
    for h in [[i64::MAX; 3], [i64::MIN; 3], [i64::MAX, i64::MAX, 0], [i64::MAX, i64::MIN, 1]] {
        let h: DenseVec<i64> = Tensor::from_dense([3], &h).unwrap();
        for s in [i64::MAX, i64::MIN, 1 << 62, 0] {
            let mut c = 0.0;
            // An error, or nothing to do; no sum on the way overflows.
            let _ = far(&x, &h, s, &mut c);
            let _ = far_back(&x, &h, s, &mut c);
        }
    }
    let h: DenseVec<usize> = Tensor::from_dense([3], &[usize::MAX; 3]).unwrap();
    let mut c = 0.0;
    assert!(far_sum(&x, &h, &mut c).is_err());
}

operator! {
    /// The later of the two.
    #[allow(dead_code)]
    fn later(a: i64, b: i64) -> i64 { let _ = a; b }
}
rules! {
    /// Not true of anything: the loop runs over more than there is.
    rules longer {
        use later;
        on: "(loop ?i ?lo ?hi (assign later ?t ?v))" => "(loop ?i ?lo (+ ?hi 1000000) (assign = ?t ?v))";
    }
}
finch! {
    use {later, longer};
    fn last(x: &DenseVec<i64>, c: &mut i64) { for i { c <<later>>= x[i] } }
}

#[test]
fn kernels_whose_loops_are_rewritten_check_each_index() {
    let x: DenseVec<i64> = Tensor::from_dense([3], &[1, 2, 3]).unwrap();
    let mut c = later(1, 0);
    let outside = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| last(&x, &mut c)));
    let message = outside.expect_err("there are three elements");
    let message = message.downcast_ref::<String>().expect("of a slice");
    assert!(message.contains("out of bounds"), "{message}");
}
