//! Entries of two lists that lie alike are taken four at a time, where fibers are long: the result is that of one at a time, wherever
//! the patterns begin to differ, and whatever the values.

// Where nothing is stored is not looked at.
#![allow(deprecated)]

mod numbers;

use looplets::prelude::*;
use numbers::Numbers;
use std::collections::BTreeMap;

level! { type Marks = Tensor<Dense<SparseList<Pattern>>>; }

finch! {
    fn product(a: &Csr<f64>, b: &Csr<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * b[i, j] }
    fn of_other_widths(a: &Csr<i32, u16>, b: &Csr<i64, usize>) -> (c: Csr<i64>) { c[i, j] = a[i, j] as i64 * b[i, j] }
    fn inner(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[i, j] }
    fn inner_of_whole(a: &Csr<i64>, b: &Csr<i64>) -> (y: DenseVec<i64>) { y[i] += a[i, j] * b[i, j] }
    fn least(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64, Inf>) { for i, j { if a[i, j] != 0 && b[i, j] != 0 { y[i] <<min>>= a[i, j] + b[i, j] } } }
    fn in_all(a: &Csr<f64>, b: &Csr<f64>) -> (s: f64) { s += a[i, j] * b[i, j] }
    fn by_chunks(a: &Csr<i64>, b: &Csr<i64>) -> (c: Csr<i64>, s: i64) {
        parallel for i { for j { c[i, j] = a[i, j] * b[i, j] } }
        parallel for i { for j { s += a[i, j] * b[i, j] } }
    }
    fn columns(a: &Csc<f64>, b: &Csc<f64>) -> (c: Csc<f64>) { c[i, j] = a[i, j] * b[i, j] }
    fn two(a: &Csr<i64>, b: &Csr<i64>) -> (c: Csr<i64>, d: Csr<i64>, n: i64) {
        for i, j { c[i, j] = a[i, j] * b[i, j]; d[i, j] = a[i, j] * b[i, j] * 2; n += a[i, j] * b[i, j] }
    }
    fn scaled(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (c: Csr<f64>) { c[i, j] = a[i, j] * b[i, j] * x[j] }
    fn onto(a: &Csr<f64>, b: &Csr<f64>, x: &mut DenseVec<f64>) { for i, j { x[j] += a[i, j] * b[i, j] } }
    fn vectors(a: &SparseVec<i64>, b: &SparseVec<i64>) -> (s: i64, c: SparseVec<i64>) { for i { s += a[i] * b[i]; c[i] = a[i] * b[i] } }
    /// What is done with a scalar stays in order, and so does what counts where the next one goes.
    fn in_turns(m: &Marks, n: &Marks, x: &DenseVec<f64>, y: &DenseVec<f64>, c: &mut f64) {
        for i, j { if m[i, j] && n[i, j] { c += x[j]; c <<max>>= y[j] } }
    }
    fn three_in_turns(m: &Marks, n: &Marks, x: &DenseVec<i64>, y: &DenseVec<i64>, c: &mut i64) {
        for i, j { if m[i, j] && n[i, j] { c += x[j]; c <<max>>= y[j]; c -= x[j] } }
    }
    fn elements_in_turns(m: &Marks, n: &Marks, p: &DenseVec<usize>, x: &DenseVec<f64>, z: &mut DenseVec<f64>) {
        for i, j { if m[i, j] && n[i, j] { z[p[j]] += x[j]; z[p[j]] <<max>>= 1.0 } }
    }
    fn one_behind_the_other(m: &Marks, n: &Marks, x: &DenseVec<f64>, z: &mut DenseVec<f64>, k: &mut usize) {
        for i, j { if m[i, j] && n[i, j] { z[k] += x[j]; k += 1 } }
    }
    fn read_back(m: &Marks, n: &Marks, x: &DenseVec<f64>, s: &mut f64, z: &mut DenseVec<f64>) {
        for i, j { if m[i, j] && n[i, j] { s += x[j]; z[j] += s } }
    }
    /// Rows that differ are not expected to lie alike.
    fn dots(a: &Csr<i64>, b: &Csr<i64>) -> (c: DenseMat<i64>) { for i, j, k { c[i, j] += a[i, k] * b[j, k] } }
}
finch! {
    #![strict]
    fn inner_in_order(a: &Csr<f64>, b: &Csr<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * b[i, j] }
}

const VALUES: [f64; 10] =
    [0.5, -0.0, 1e-320, f64::MAX, -1.5, f64::INFINITY, f64::NAN, 3.0, f64::MIN_POSITIVE, 0.1];
const COLUMNS: usize = 60;

type Map<T> = BTreeMap<[usize; 2], T>;

/// Rows of so many entries, alike but for where `differ` says so, with rows that have nothing in between.
fn patterns(
    numbers: &mut Numbers,
    rows: usize,
    entries: usize,
    differ: usize,
) -> [Vec<[usize; 2]>; 2] {
    let mut out = [Vec::new(), Vec::new()];
    for i in 0..rows {
        let n = match numbers.below(5) {
            0 => numbers.below(entries + 1),
            _ => entries,
        };
        let start = numbers.below(COLUMNS - n + 1);
        let mut at: Vec<usize> = (start..start + n).collect();
        if numbers.below(2) == 0 {
            // At random.
            at = (0..COLUMNS).collect();
            while at.len() > n {
                at.remove(numbers.below(at.len()));
            }
        }
        for (k, &j) in at.iter().enumerate() {
            for all in &mut out {
                let leaves = differ != 0 && (k + 1) % differ == 0 && numbers.below(3) == 0;
                if !leaves {
                    all.push([i, j]);
                }
            }
        }
    }
    out
}

fn filled<T>(pattern: &[[usize; 2]], mut value: impl FnMut(usize) -> T) -> Map<T> {
    pattern.iter().enumerate().map(|(k, at)| (*at, value(k))).collect()
}

fn tensor<T: Copy, Y: FromTriplets<T>>(rows: usize, all: &Map<T>) -> Y {
    Y::of([rows, COLUMNS], all.iter().map(|(at, v)| (*at, *v)).collect())
}

trait FromTriplets<T> {
    fn of(dims: [usize; 2], all: Vec<([usize; 2], T)>) -> Self;
}
macro_rules! from_triplets {
    ($($tensor:ty: $value:ty;)*) => {
        $(impl FromTriplets<$value> for $tensor {
            fn of(dims: [usize; 2], all: Vec<([usize; 2], $value)>) -> Self {
                Self::from_triplets(dims, all, Refuse).unwrap()
            }
        })*
    };
}
from_triplets! { Csr<f64>: f64; Csc<f64>: f64; Csr<i64>: i64; Csr<i32, u16>: i32; Csr<i64, usize>: i64; }

fn both<T: Copy, U: Copy, V>(
    a: &Map<T>,
    b: &Map<U>,
    join: impl Fn([usize; 2], T, U) -> V,
) -> Map<V> {
    a.iter().filter_map(|(at, v)| b.get(at).map(|w| (*at, join(*at, *v, *w)))).collect()
}

#[track_caller]
fn assert_stored(got: Vec<(Vec<usize>, f64)>, want: &Map<f64>, what: &str) {
    let want: Vec<(Vec<usize>, u64)> =
        want.iter().map(|(at, v)| (at.to_vec(), canonical(*v))).collect();
    let got: Vec<(Vec<usize>, u64)> = got.into_iter().map(|(at, v)| (at, canonical(v))).collect();
    assert_eq!(got, want, "{what}");
}

/// The bits of a value, of which all NaN are one.
fn canonical(v: f64) -> u64 {
    if v.is_nan() {
        f64::NAN.to_bits()
    } else {
        v.to_bits()
    }
}

/// Whether `got` is the sum of `terms`, in any order.
fn is_sum(got: f64, terms: &[f64]) -> bool {
    let sum: f64 = terms.iter().sum();
    let size: f64 = terms.iter().map(|t| t.abs()).sum();
    if !size.is_finite() {
        return got.is_nan() || got.is_infinite() || got == sum;
    }
    (got - sum).abs() <= size * 1e-12
}

fn rows_of<V: Copy>(all: &Map<V>, i: usize) -> Vec<V> {
    all.range([i, 0]..[i + 1, 0]).map(|(_, v)| *v).collect()
}

#[test]
fn what_lies_alike_is_what_it_is_one_by_one() {
    let mut numbers = Numbers(3);
    for entries in [0, 1, 3, 4, 5, 8, 9, 11, 12, 13, 16, 20, 40, 60] {
        for differ in [0, 0, 1, 2, 5, 7, 13] {
            let rows = 1 + numbers.below(9);
            let [p, q] = patterns(&mut numbers, rows, entries, differ);
            let what = format!("{entries} a row, {differ}");
            let (x, y) = (
                filled(&p, |_| VALUES[numbers.below(VALUES.len())]),
                filled(&q, |k| VALUES[k % VALUES.len()]),
            );
            let (a, b): (Csr<f64>, Csr<f64>) = (tensor(rows, &x), tensor(rows, &y));
            let want = both(&x, &y, |_, v, w| v * w);
            assert_stored(product(&a, &b).triplets(), &want, &what);
            let d: Vec<f64> = (0..COLUMNS).map(|j| VALUES[j % 5]).collect();
            let dense: DenseVec<f64> = Tensor::from_dense([COLUMNS], &d).unwrap();
            let by = both(&x, &y, |at, v, w| v * w * d[at[1]]);
            assert_stored(scaled(&a, &b, &dense).triplets(), &by, &what);
            let (ac, bc): (Csc<f64>, Csc<f64>) = (tensor(rows, &x), tensor(rows, &y));
            let mut got: Vec<(Vec<usize>, f64)> = columns(&ac, &bc).triplets();
            got.sort_by(|a, b| a.0.cmp(&b.0));
            assert_stored(got, &want, &what);
            let (sums, smallest) = (inner(&a, &b), least(&a, &b));
            let plus =
                both(&x, &y, |_, v, w| if v != 0.0 && w != 0.0 { v + w } else { f64::INFINITY });
            for i in 0..rows {
                let terms = rows_of(&want, i);
                assert!(is_sum(sums.to_dense()[i], &terms), "{what}");
                let sums = rows_of(&plus, i);
                let min = sums.iter().copied().fold(f64::INFINITY, f64::min);
                // The least of infinity, at which it starts, and NaN is one or the other.
                let got = smallest.to_dense()[i];
                assert!(got == min || got.is_nan() && sums.iter().any(|s| s.is_nan()), "{what}");
            }
            let every: Vec<f64> = want.values().copied().collect();
            assert!(is_sum(in_all(&a, &b), &every), "{what}");
            let mut onto_columns: DenseVec<f64> =
                Tensor::from_dense([COLUMNS], &[0.0; COLUMNS]).unwrap();
            onto(&a, &b, &mut onto_columns);
            for (j, got) in onto_columns.to_dense().into_iter().enumerate() {
                let terms: Vec<f64> =
                    want.iter().filter(|(at, _)| at[1] == j).map(|(_, v)| *v).collect();
                let each = terms.iter().fold(0.0, |s, t| s + t);
                assert_eq!(canonical(got), canonical(each), "{what}");
            }
        }
    }
}

#[test]
fn sums_of_what_lies_alike_are_made_by_fours() {
    let mut differ = false;
    for scale in 1..20 {
        let value = |j: usize| 0.1 * (j as f64 + 1.3).powi(3) / f64::from(scale);
        let all: Map<f64> = (0..23).map(|j| ([0, 2 * j], value(j))).collect();
        let other: Map<f64> = all.iter().map(|(at, v)| (*at, 1.0 / (v + 0.7))).collect();
        let (a, b): (Csr<f64>, Csr<f64>) = (tensor(1, &all), tensor(1, &other));
        let terms: Vec<f64> = both(&all, &other, |_, v, w| v * w).into_values().collect();
        let (fours, rest) = terms.as_chunks::<4>();
        let mut sum = fours.iter().fold(0.0, |s, t| s + ((t[0] + t[2]) + (t[1] + t[3])));
        sum = rest.iter().fold(sum, |s, t| s + t);
        let one_by_one = terms.iter().fold(0.0, |s, t| s + t);
        assert_eq!(inner(&a, &b).to_dense(), [sum]);
        assert_eq!(inner_in_order(&a, &b).to_dense(), [one_by_one]);
        differ |= sum != one_by_one;
    }
    assert!(differ);
}

#[test]
fn whole_numbers_of_any_width_and_in_threads() {
    let mut numbers = Numbers(5);
    for entries in [2, 4, 7, 8, 12, 15, 33, 60] {
        for differ in [0, 3, 11] {
            let rows = 1 + numbers.below(40);
            let [p, q] = patterns(&mut numbers, rows, entries, differ);
            let (x, y) = (filled(&p, |k| k as i64 - 9), filled(&q, |k| 7 - k as i64));
            let (a, b): (Csr<i64>, Csr<i64>) = (tensor(rows, &x), tensor(rows, &y));
            let want = both(&x, &y, |_, v, w| v * w);
            let triplets: Vec<(Vec<usize>, i64)> =
                want.iter().map(|(at, v)| (at.to_vec(), *v)).collect();
            let sum: i64 = want.values().sum();
            let (c, s) = by_chunks(&a, &b);
            assert_eq!((c.triplets(), s), (triplets.clone(), sum));
            let (c, d, n) = two(&a, &b);
            let twice: Vec<(Vec<usize>, i64)> =
                want.iter().map(|(at, v)| (at.to_vec(), 2 * v)).collect();
            assert_eq!((c.triplets(), d.triplets(), n), (triplets.clone(), twice, sum));
            let y_rows: Vec<i64> = (0..rows).map(|i| rows_of(&want, i).iter().sum()).collect();
            assert_eq!(inner_of_whole(&a, &b).to_dense(), y_rows);
            let narrow: Map<i32> = x.iter().map(|(at, v)| (*at, *v as i32)).collect();
            let (a16, bus): (Csr<i32, u16>, Csr<i64, usize>) =
                (tensor(rows, &narrow), tensor(rows, &y));
            assert_eq!(of_other_widths(&a16, &bus).triplets(), triplets);
            let dense = dots(&a, &b).to_dense();
            for i in 0..rows {
                for j in 0..rows {
                    let term = |k| x.get(&[i, k]).unwrap_or(&0) * y.get(&[j, k]).unwrap_or(&0);
                    assert_eq!(dense[i * rows + j], (0..COLUMNS).map(term).sum::<i64>());
                }
            }
            let row = |all: &Map<i64>| -> SparseVec<i64> {
                let first = all.range([0, 0]..[1, 0]).map(|(at, v)| ([at[1]], *v));
                Tensor::from_triplets([COLUMNS], first, Refuse).unwrap()
            };
            let (s, c) = vectors(&row(&x), &row(&y));
            let first = rows_of(&want, 0);
            assert_eq!(s, first.iter().sum::<i64>());
            assert_eq!(c.triplets().into_iter().map(|(_, v)| v).collect::<Vec<_>>(), first);
        }
    }
}

#[test]
fn what_is_done_in_turns_is_done_in_turns() {
    for n in [7, 8, 12, 13, 30] {
        let marks = Marks::from_dense([2, n], &vec![true; 2 * n]).unwrap();
        let x: Vec<f64> = (0..n).map(|j| [0.5, -7.0, 3.0, -1.5, 9.0][j % 5]).collect();
        let y: Vec<f64> = (0..n).map(|j| [1.0, -2.0, 4.5][j % 3]).collect();
        let p: Vec<usize> = (0..n).map(|j| j * j % 3).collect();
        let vector = |x: &[f64]| -> DenseVec<f64> { Tensor::from_dense([x.len()], x).unwrap() };
        let (dense_x, dense_y) = (vector(&x), vector(&y));
        let each = || (0..2 * n).map(|k| k % n);
        let mut c = -3.5;
        in_turns(&marks, &marks, &dense_x, &dense_y, &mut c);
        assert_eq!(c, each().fold(-3.5, |c: f64, j| (c + x[j]).max(y[j])));
        let whole = |x: &[f64]| -> Vec<i64> { x.iter().map(|x| *x as i64).collect() };
        let of_whole = |x: &[i64]| -> DenseVec<i64> { Tensor::from_dense([n], x).unwrap() };
        let (xi, yi) = (whole(&x), whole(&y));
        let mut c = -4;
        three_in_turns(&marks, &marks, &of_whole(&xi), &of_whole(&yi), &mut c);
        assert_eq!(c, each().fold(-4, |c: i64, j| (c + xi[j]).max(yi[j]) - xi[j]));
        let places: DenseVec<usize> = Tensor::from_dense([n], &p).unwrap();
        let (mut z, mut want) = (vector(&[0.25; 3]), [0.25; 3]);
        elements_in_turns(&marks, &marks, &places, &dense_x, &mut z);
        each().for_each(|j| want[p[j]] = f64::max(want[p[j]] + x[j], 1.0));
        assert_eq!(z.to_dense(), want);
        let (mut z, mut k) = (vector(&vec![0.0; 2 * n]), 0);
        one_behind_the_other(&marks, &marks, &dense_x, &mut z, &mut k);
        assert_eq!((z.to_dense(), k), (each().map(|j| x[j]).collect(), 2 * n));
        let (mut s, mut z) = (0.5, vector(&vec![0.0; n]));
        read_back(&marks, &marks, &dense_x, &mut s, &mut z);
        let (mut sum, mut want) = (0.5, vec![0.0; n]);
        for j in each() {
            sum += x[j];
            want[j] += sum;
        }
        assert_eq!((s, z.to_dense()), (sum, want));
    }
}
