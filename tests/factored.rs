//! Sums of products that are taken apart give what they give at once: also where they are subtracted, divided, of functions of elements,
//! and under conditions on coordinates.

// What these kernels cost is on purpose.
#![allow(deprecated)]

#[allow(dead_code)]
mod numbers;

use looplets::prelude::*;
use numbers::Numbers;

/// Each program in two ways, with their steps: in the first one the operands `first` are summed before the others take part.
macro_rules! both {
    ($($name:ident($first:ident($($of:ident),*)) { $($body:tt)* })*) => {
        mod apart {
            use super::*;
            $(finch! {
                #![schedule($first($($of),*))]
                #![steps(n)]
                pub fn $name(
                    a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>, w: &DenseVec<f64>, s: &SparseVec<f64>, n: &mut u64
                ) -> (y: DenseVec<f64>) { $($body)* }
            })*
        }
        mod at_once {
            use super::*;
            $(finch! {
                #![schedule(at_once)]
                #![steps(n)]
                pub fn $name(
                    a: &Csr<f64>, b: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>, w: &DenseVec<f64>, s: &SparseVec<f64>, n: &mut u64
                ) -> (y: DenseVec<f64>) { $($body)* }
            })*
        }
        #[test]
        fn in_both_ways() {
            for (seed, size) in [(1, 0), (2, 1), (3, 7), (4, 40), (5, 90)] {
                let mut chance = Numbers(seed);
                let Given { a, b, d, x, w, s } = given(&mut chance, size);
                $({
                    let (mut few, mut many) = (0, 0);
                    let apart = apart::$name(&a, &b, &d, &x, &w, &s, &mut few).to_dense();
                    let at_once = at_once::$name(&a, &b, &d, &x, &w, &s, &mut many).to_dense();
                    assert_eq!(apart, at_once, "{}, {size}", stringify!($name));
                    assert!(size < 40 || few < many, "{}: {few} steps, {many} at once", stringify!($name));
                })*
            }
        }
    };
}

both! {
    subtracted(first(b, x)) { y[i] -= a[i, j] * b[j, k] * x[k] }
    of_a_sum(first(b, x, w)) { y[i] += a[i, j] * b[j, k] * (x[k] + w[k]) }
    of_a_difference(first(b, x, s)) { y[i] -= a[i, j] * b[j, k] * (x[k] - s[k]) }
    of_sizes(first(b, x)) { y[i] += a[i, j] * b[j, k] * abs(x[k]) }
    divided(first(b, x)) { y[i] += a[i, j] * b[j, k] / x[k] }
    divided_within(first(b, x)) { y[i] += a[i, j] * (b[j, k] / x[k]) }
    divided_beside(first(b, x)) { y[i] += a[i, j] / w[j] * b[j, k] * x[k] }
    with_numbers(first(b, x)) { y[i] += 2 * a[i, j] * -b[j, k] * x[k] / 4 }
    off_the_diagonal(first(b, x)) { if i != j { y[i] += a[i, j] * b[j, k] * x[k] } }
    off_another(first(b, x)) { if j != k { y[i] += a[i, j] * b[j, k] * x[k] } }
    above(first(d, x)) { if j < k { y[i] -= a[i, j] * d[j, k] * x[k] } }
    both_conditions(first(b, x)) { if i != j && k > j && w[i] > 0.5 { y[i] += a[i, j] * b[j, k] * x[k] } }
    of_rows(first(b)) { y[i] += a[i, j] * b[j, k] }
    of_dense_rows(first(d)) { y[i] -= a[i, j] * d[j, k] }
}

struct Given {
    a: Csr<f64>,
    b: Csr<f64>,
    d: DenseMat<f64>,
    x: DenseVec<f64>,
    w: DenseVec<f64>,
    s: SparseVec<f64>,
}

/// Sums and products of such numbers are exact in any order, and so are quotients.
fn value(chance: &mut Numbers) -> f64 {
    [1.0, -0.5, 2.0, 0.25, -4.0][chance.below(5)]
}

fn given(chance: &mut Numbers, n: usize) -> Given {
    let mut all = |many: usize| -> Vec<f64> { (0..many).map(|_| value(chance)).collect() };
    let (d, x, w) = (all(n * n), all(n), all(n));
    let mut matrix = |each: usize| -> Csr<f64> {
        let at = |chance: &mut Numbers| ([chance.below(n), chance.below(n)], value(chance));
        let entries: Vec<_> = (0..n * each).map(|_| at(chance)).collect();
        Tensor::from_triplets([n, n], entries, Last).expect("a matrix")
    };
    let (a, b) = (matrix(6), matrix(9));
    let entries: Vec<_> = (0..n / 2).map(|_| ([chance.below(n)], value(chance))).collect();
    Given {
        a,
        b,
        d: Tensor::from_dense([n, n], &d).expect("a matrix"),
        x: Tensor::from_dense([n], &x).expect("a vector"),
        w: Tensor::from_dense([n], &w).expect("a vector"),
        s: Tensor::from_triplets([n], entries, Last).expect("a vector"),
    }
}

finch! {
    fn without_terms(a: &Csr<f64>, d: &DenseMat<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * d[j, k] }
    fn quotients_without_terms(a: &Csr<f64>, w: &DenseVec<f64>, d: &DenseMat<f64>) -> (y: SparseVec<f64>) {
        y[i] += a[i, j] / w[j] * d[j, k]
    }
    fn without_pairs(a: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        if k < j { y[i] += a[i, j] * d[j, k] * x[k] }
    }
    fn entries_of_pairs(a: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>) -> (c: SparseVec<f64>) {
        if k < j { c[i] += a[i, j] * d[j, k] * x[k] }
    }
}

#[test]
fn a_sum_without_terms_is_none() {
    let entries = [([0, 0], f64::INFINITY), ([1, 1], 2.0)];
    let a: Csr<f64> = Tensor::from_triplets([3, 3], entries, Last).expect("a matrix");
    let none: DenseMat<f64> = Tensor::from_dense([3, 0], &[]).expect("a matrix");
    assert_eq!(without_terms(&a, &none).to_dense(), [0.0; 3]);
    // Many rows, so that it pays to sum first.
    let many: Csr<f64> = Tensor::from_dense([200, 3], &[f64::INFINITY; 600]).expect("a matrix");
    assert_eq!(without_terms(&many, &none).to_dense(), [0.0; 200]);
    let zeros: DenseVec<f64> = Tensor::from_dense([3], &[0.0; 3]).expect("a vector");
    let c = quotients_without_terms(&many, &zeros, &none);
    assert_eq!((c.stored(), c.to_dense()), (0, vec![0.0; 200]));
    let d: DenseMat<f64> = Tensor::from_dense([3, 3], &[0.5; 9]).expect("a matrix");
    let x: DenseVec<f64> = Tensor::from_dense([3], &[1.0; 3]).expect("a vector");
    assert_eq!(without_pairs(&a, &d, &x).to_dense(), [0.0, 1.0, 0.0]);
    let c = entries_of_pairs(&a, &d, &x);
    assert_eq!((c.stored(), c.to_dense()), (1, vec![0.0, 1.0, 0.0]));
}

finch! {
    fn of_moved_rows(a: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        y[i] += a[i, j] * d[j - 1, k] * x[k]
    }
    fn of_the_row_before(a: &Csr<f64>, d: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        if j > 0 { y[i] += a[i, j] * coalesce(d[permit[j - 1], k], 0) * x[k] }
    }
}

#[test]
#[should_panic(expected = "`d` has size 2 in dimension 0")]
fn rows_that_are_moved_are_checked_as_they_stand() {
    let a: Csr<f64> = Tensor::from_dense([1, 3], &[1.0; 3]).expect("a matrix");
    let d: DenseMat<f64> = Tensor::from_dense([2, 1], &[0.5; 2]).expect("a matrix");
    let x: DenseVec<f64> = Tensor::from_dense([1], &[1.0]).expect("a vector");
    assert_eq!(of_the_row_before(&a, &d, &x).to_dense(), [1.0]);
    of_moved_rows(&a, &d, &x);
}

finch! {
    fn cut(a: &Csr<i64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] / 2 * b[j, k] }
    fn of_narrow_ones(a: &Csr<u8>, w: &DenseVec<u8>, b: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[j, k] * w[j] }
    fn of_scalars(a: &Csr<f64>, b: &Csr<f64>, n: u8, m: u8) -> (y: DenseVec<f64>) { y[i] += b[j, k] * n * m * a[i, j] }
    fn at_multiples(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        if j != 0 && k % j == 0 { y[i] += a[i, j] * b[j, k] * x[k] }
    }
    fn led_elsewhere(a: &Csr<f64>, d: &DenseMat<f64>, p: &DenseVec<usize>, n: usize, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        if p[j] < n { y[i] += a[i, j] * d[p[j], k] * d[j, k] * x[k] }
    }
    fn bits_of_quotients(a: &Csr<u8>, b: &Csr<u8>, x: &DenseVec<u8>) -> (y: DenseVec<u8>) { y[i] |= a[i, j] & (b[j, k] / x[k]) }
    fn bits_of_sums(a: &Csr<u8>, d: &DenseMat<u8>, x: &DenseVec<u8>) -> (y: DenseVec<u8>) { y[i] |= a[i, j] & (d[j, k] + x[k]) }
}

/// What each of these computes is computed where the program computes it, of the types that it has there.
#[test]
fn what_may_fail_or_is_cut_stays_where_it_stands() {
    let n = 40;
    let square =
        |x: f64| -> Csr<f64> { Tensor::from_dense([n, n], &vec![x; n * n]).expect("a matrix") };
    let (a, b) = (square(1.0), square(1.0));
    let threes: Csr<i64> = Tensor::from_dense([n, n], &vec![3; n * n]).expect("a matrix");
    assert_eq!(cut(&threes, &b).to_dense()[0], 1600.0);
    let large: Csr<u8> = Tensor::from_dense([n, n], &vec![200; n * n]).expect("a matrix");
    let twos: DenseVec<u8> = Tensor::from_dense([n], &vec![2; n]).expect("a vector");
    assert_eq!(of_narrow_ones(&large, &twos, &b).to_dense()[0], 640_000.0);
    assert_eq!(of_scalars(&a, &b, 200, 200).to_dense()[0], 64e6);
    let x: DenseVec<f64> = Tensor::from_dense([n], &vec![1.0; n]).expect("a vector");
    let multiples: usize = (1..n).map(|j| (0..n).filter(|k| k % j == 0).count()).sum();
    assert_eq!(at_multiples(&a, &b, &x).to_dense()[0], multiples as f64);
    let mut p: Vec<usize> = (0..n).collect();
    p[3] = 99_999;
    let p: DenseVec<usize> = Tensor::from_dense([n], &p).expect("a vector");
    let d: DenseMat<f64> = Tensor::from_dense([n, n], &vec![0.5; n * n]).expect("a matrix");
    assert_eq!(led_elsewhere(&a, &d, &p, n, &x).to_dense()[0], 390.0);
    // The second row is not led to.
    let sevens: Vec<u8> = (0..n * n).map(|k| if k % n == 1 { 0 } else { 7 }).collect();
    let sevens: Csr<u8> = Tensor::from_dense([n, n], &sevens).expect("a matrix");
    let fours: Vec<u8> = (0..n * n).map(|k| if k % n == 3 && k / n != 1 { 0 } else { 4 }).collect();
    let fours: Csr<u8> = Tensor::from_dense([n, n], &fours).expect("a matrix");
    let none: Vec<u8> = (0..n).map(|k| if k == 3 { 0 } else { 2 }).collect();
    let none: DenseVec<u8> = Tensor::from_dense([n], &none).expect("a vector");
    assert_eq!(bits_of_quotients(&sevens, &fours, &none).to_dense()[0], 2);
    let mut most = vec![4; n * n];
    most[n + 5] = 255;
    let most: DenseMat<u8> = Tensor::from_dense([n, n], &most).expect("a matrix");
    assert_eq!(bits_of_sums(&sevens, &most, &twos).to_dense()[0], 6);
}

finch! {
    fn sampled(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>, w: &DenseVec<f64>) -> (c: Csr<f64>) {
        c[i, j] -= a[i, j] * d[i, k] * e[j, k] / w[i]
    }
    fn sampled_off_the_diagonal(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>, s: f32) -> (c: Csr<f64>) {
        if i != j { c[i, j] += s * a[i, j] * d[i, k] * e[j, k] }
    }
    fn sampled_below(a: &Csr<f64>, d: &DenseMat<f64>, e: &DenseMat<f64>) -> (c: Csr<f64>) {
        if k < j { c[i, j] += a[i, j] * d[i, k] * e[j, k] }
    }
}

/// Products of dense rows at the entries of a matrix, whose sums are held, beside a reference.
#[test]
fn sums_that_are_held() {
    for (seed, n) in [(7, 0), (8, 1), (9, 2), (10, 65)] {
        let mut chance = Numbers(seed);
        let Given { a, d, w, .. } = given(&mut chance, n);
        let e = given(&mut chance, n).d;
        let [rows, other, all] = [d.to_dense(), e.to_dense(), a.to_dense()];
        let w_all = w.to_dense();
        let dots = |terms: &dyn Fn(usize, usize, usize) -> bool, times: &dyn Fn(usize) -> f64| {
            let mut out = vec![0.0; n * n];
            for (at, out) in out.iter_mut().enumerate() {
                let (i, j) = (at / n, at % n);
                let terms = (0..n).filter(|k| terms(i, j, *k));
                let dot: f64 = terms.map(|k| rows[i * n + k] * other[j * n + k]).sum();
                *out += all[at] * dot * times(i);
            }
            out
        };
        let all_terms = |_, _, _| true;
        let c = sampled(&a, &d, &e, &w);
        assert_eq!(c.to_dense(), dots(&all_terms, &|i| -1.0 / w_all[i]), "{n}");
        assert_eq!(c.stored(), a.stored());
        let c = sampled_off_the_diagonal(&a, &d, &e, 0.5);
        assert_eq!(c.to_dense(), dots(&|i, j, _| i != j, &|_| 0.5), "{n}");
        let on = (0..n).filter(|i| all[i * n + i] != 0.0).count();
        assert_eq!(c.stored(), a.stored() - on);
        let c = sampled_below(&a, &d, &e);
        assert_eq!(c.to_dense(), dots(&|_, j, k| k < j, &|_| 1.0), "{n}");
        let first = (0..n).filter(|i| all[i * n] != 0.0).count();
        assert_eq!(c.stored(), a.stored() - first);
    }
}

finch! {
    #![steps(n)]
    fn dense_chain(a: &DenseMat<f64>, b: &DenseMat<f64>, x: &DenseVec<f64>, n: &mut u64) -> (y: DenseVec<f64>) {
        y[i] += a[i, j] * b[j, k] * x[k]
    }
}

/// The product of two dense matrices and a vector is one of matrices and vectors.
#[test]
fn a_chain_of_dense_matrices_ends_with_the_vector() {
    let n = 65;
    let mut chance = Numbers(11);
    let (a, b) = (given(&mut chance, n), given(&mut chance, n));
    let mut steps = 0;
    let y = dense_chain(&a.d, &b.d, &a.x, &mut steps).to_dense();
    assert!(steps < 4 * (n * n) as u64, "{steps}");
    let times = |d: &DenseMat<f64>, x: &[f64]| -> Vec<f64> {
        let d = d.to_dense();
        (0..n).map(|i| (0..n).map(|k| d[i * n + k] * x[k]).sum()).collect()
    };
    assert_eq!(y, times(&a.d, &times(&b.d, &a.x.to_dense())));
}

/// Chains of other semirings, and of whole numbers, as they are chosen and by a word.
macro_rules! chains {
    ($($name:ident: $word:ident($($of:ident),*), $value:ty, $fill:ty, $values:expr, { $($body:tt)* })*) => {$(
        mod $name {
            use super::*;
            use looplets::semiring::{min_plus, min_plus_u32};
            level! { pub type Sparse = Tensor<Dense<SparseList<Element<$value, $fill>>>>; }
            level! { pub type Full = Tensor<Dense<Element<$value, $fill>>>; }
            finch! {
                #![schedule($word($($of),*))]
                #![steps(n)]
                use {min_plus, min_plus_u32};
                pub fn apart(a: &Sparse, b: &Sparse, x: &Full, n: &mut u64) -> (y: Full) { $($body)* }
            }
            finch! {
                #![schedule(at_once)]
                #![steps(n)]
                use {min_plus, min_plus_u32};
                pub fn at_once(a: &Sparse, b: &Sparse, x: &Full, n: &mut u64) -> (y: Full) { $($body)* }
            }
            #[test]
            fn in_both_ways() {
                for (seed, size) in [(1, 0), (2, 1), (3, 7), (4, 65)] {
                    let mut chance = Numbers(seed);
                    let values: &[$value] = &$values;
                    let value = |chance: &mut Numbers| values[chance.below(values.len())];
                    let mut matrix = |each: usize| -> Sparse {
                        let at = |_| ([chance.below(size), chance.below(size)], value(&mut chance));
                        let entries: Vec<_> = (0..size * each).map(at).collect();
                        Tensor::from_triplets([size, size], entries, Last).expect("a matrix")
                    };
                    let (a, b) = (matrix(6), matrix(9));
                    let x: Vec<$value> = (0..size).map(|_| value(&mut chance)).collect();
                    let x: Full = Tensor::from_dense([size], &x).expect("a vector");
                    let (mut few, mut many) = (0, 0);
                    let (found, all) = (apart(&a, &b, &x, &mut few), at_once(&a, &b, &x, &mut many));
                    let bits = |y: &Full| y.to_dense().iter().map(|y| format!("{y:?}")).collect::<Vec<_>>();
                    assert_eq!(bits(&found), bits(&all), "{size}");
                    assert!(size < 40 || few < many, "{few} steps, {many} at once");
                }
            }
        }
    )*};
}

chains! {
    // What is too far is infinitely far, however it is grouped.
    paths: first(b, x), u32, looplets::semiring::MaxU32, [0, 1, 7, 1 << 30, u32::MAX - 1, u32::MAX], {
        y[i] <<min>>= min_plus_u32(a[i, j], min_plus_u32(b[j, k], x[k]))
    }
    // Sums of such numbers are exact, and infinity is one of them.
    paths_of_fractions: first(b, x), f64, Inf, [0.0, 0.5, 3.25, 1e9, f64::INFINITY], {
        y[i] <<min>>= min_plus(a[i, j], min_plus(b[j, k], x[k]))
    }
    widest: first(b, x), u32, Zero, [0, 1, 7, u32::MAX], { y[i] <<max>>= min(a[i, j], min(b[j, k], x[k])) }
    narrowest: first(b, x), i8, Const<127>, [-128, -1, 0, 1, 127], { y[i] <<min>>= max(max(a[i, j], b[j, k]), x[k]) }
    widest_of_fractions: first(b, x), f64, NegInf, [-1.5, 0.0, 0.1, f64::INFINITY, f64::NEG_INFINITY], {
        y[i] <<max>>= min(a[i, j], min(b[j, k], x[k]))
    }
    summed: first(b, x), i64, Zero, [1, -2, 30_000, 0], { y[i] += a[i, j] * b[j, k] * x[k] }
}
