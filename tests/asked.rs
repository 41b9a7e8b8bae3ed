//! Conditions of dense operands are asked 64 at a time where what comes of them is stored as bits: what is stored is what each
//! of them is, at the edges of words, of loops and of dimensions, whatever the values.

mod numbers;

use looplets::prelude::*;
use numbers::Numbers;

level! { type Bits = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type Trees = Tensor<Dense<BitTree<Pattern>>>; }
level! { type Row = Tensor<Bitmap<Pattern>>; }
level! { type Columns = ByColumns<Dense<Dense<Element<f64>>>>; }
level! { type Flags = Tensor<Dense<Element<bool>>>; }

finch! {
    fn above(a: &DenseMat<f64>, t: f64) -> (c: Bits) { c[i, j] = a[i, j] > t }
    fn not_below(a: &DenseMat<f32>, t: f32) -> (c: Trees) { c[i, j] = !(a[i, j] < t) }
    fn same_bytes(a: &DenseMat<u8>, b: &DenseMat<u8>) -> (c: Bits) { c[i, j] = a[i, j] == b[i, j] }
    fn least(a: &DenseMat<i64>) -> (c: Bits) { c[i, j] = a[i, j] == i64::MIN }
    /// Columns lie side by side.
    fn by_columns(a: &Columns, t: f64) -> (c: Bits) { c[i, j] = a[i, j] >= t }
    fn between(a: &DenseMat<f64>, lo: f64, hi: f64) -> (c: Bits) { c[i, j] = a[i, j] >= lo && a[i, j] < hi }
    fn by_rows(a: &DenseMat<f64>, x: &DenseVec<f64>, y: &DenseVec<f64>) -> (c: Bits) { c[i, j] = a[i, j] * x[j] > y[i] }
    fn computed(a: &DenseMat<f64>, b: &DenseMat<f64>) -> (c: Bits) {
        c[i, j] = abs(a[i, j] - b[i, j]) <= 0.5 || a[i, j] as f32 == 0.0
    }
    fn named(a: &DenseMat<f64>) -> (c: Bits) { for i, j { let x = a[i, j] * 2.0; c[i, j] = x > 1.0 && x <= 3.0 } }
    fn escaped(a: &DenseMat<f64>, t: f64) -> (c: Bits) { c[i, j] = a[i, j] > $(t / 2.0) || is_nan(a[i, j]) }
    /// A method that has a value for each float, under a condition.
    fn no_numbers(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (c: Bits) {
        for i, j { if x[j] > 0 { c[i, j] = is_nan(a[i, j]) || sqrt(a[i, j]) > 1 } }
    }
    /// Where this leaves its type is an error in builds that look, and is asked nowhere else.
    fn positive_behind(a: &DenseMat<i64>, b: &Bits) -> (c: Bits) { for i, j { if !b[i, j] { c[i, j] = a[i, j] + 1 > 0 } } }
    /// With bits that are there.
    fn or_stored(a: &DenseMat<f64>, b: &Bits) -> (c: Bits) { c[i, j] = a[i, j] > 0.0 || b[i, j] }
    fn and_stored(a: &DenseMat<f64>, b: &Bits) -> (c: Bits) { c[i, j] = a[i, j] > 0.0 && b[i, j] }
    fn differs(a: &DenseMat<f64>, b: &Bits) -> (c: Bits) { c[i, j] = (a[i, j] > 0.0) != b[i, j] }
    fn moved_bits(a: &DenseMat<f64>, b: &Bits, s: i64) -> (c: Bits) {
        for i, j { c[i, j] = (a[i, j] > 0.0) != coalesce(b[i, permit[j + s]], true) }
    }
    /// Where loops begin and end, and what moves.
    fn part(a: &DenseVec<f64>, x: &Flags, lo: usize, hi: usize, n: usize) -> (c: Row[n]) {
        for i in lo..hi { if a[i + 1] > 0.0 { c[i + 3] = x[i] } }
    }
    fn within(a: &DenseMat<f64>, m: bool, n: usize) -> (c: Bits[n, n]) {
        for i in 0..n, j in 0..n { if m && i <= j { c[i, j] = !(a[i, j] == a[j, i]) } }
    }
    fn outside(a: &DenseVec<f64>, s: i64, n: usize) -> (c: Row[n]) { for i in 0..n { c[i] = coalesce(a[permit[i + s]], 1.0) > 0.5 } }
    fn more(a: &DenseMat<f64>, c: &mut Bits) { c[i, j] ||= a[i, j] < 0.0 }
    fn counted(a: &DenseMat<f64>, b: &Bits) -> (y: DenseVec<i64>) { y[i] += a[i, j] > 0.0 || b[i, j] }
    fn any(a: &DenseMat<f64>, b: &Bits) -> (y: Tensor<Bitmap<Pattern>>) { y[i] ||= a[i, j] > 0.0 || b[i, j] }
    fn in_threads(a: &DenseMat<f64>) -> (c: Bits) { parallel for i { for j { c[i, j] = a[i, j] > 0.0 } } }
    fn by_chunks(a: &DenseVec<f64>, b: &Row) -> (c: Row, d: Row) {
        parallel for i { c[i] = !(a[i] <= 0.0) }
        parallel for i { d[i] = a[i] > 0.0 || b[i] }
    }
    /// Rows that an index names, and those of a mask.
    fn of_rows(a: &DenseMat<f64>, p: &DenseVec<usize>) -> (c: Bits) { c[i, j] = a[p[i], j] > 0.0 }
    fn where_set(a: &DenseMat<f64>, m: &Row) -> (c: Bits) { if m[i] { c[i, j] = a[i, j] > 0.0 } }
    fn diagonal(a: &DenseMat<f64>) -> (c: Row) { for i { c[i] = a[i, i] > 0.0 } }
    fn of_numbers(a: &[f32], t: f32) -> (c: Row) { c[i] = a[i] >= t }
    /// What was written before is read.
    fn again(a: &DenseVec<f64>, n: usize) -> (c: Row[n]) {
        let mut t: Tensor<Dense<Element<bool>>>[n];
        for i { t[i] = a[i] > 0.0 }
        for i { c[i] = t[i] != (a[i] > 1.0) }
    }
}

finch! {
    #![strict]
    fn of_strict(a: &DenseMat<f64>) -> (c: Bits) { c[i, j] = a[i, j] * 0.0 == 0.0 }
}

const VALUES: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-320,
    -1e-320,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    1.5,
    f64::EPSILON,
];
const SIZES: [usize; 10] = [0, 1, 2, 63, 64, 65, 127, 128, 130, 200];

impl Numbers {
    fn floats(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| VALUES[self.below(VALUES.len())]).collect()
    }
    fn flags(&mut self, n: usize) -> Vec<bool> {
        (0..n).map(|_| self.below(3) == 0).collect()
    }
}

fn vector(x: &[f64]) -> DenseVec<f64> {
    Tensor::from_dense([x.len()], x).unwrap()
}

/// Whether `c` has the bits that `want` gives.
fn assert_bits<T: DenseOf>(
    c: &T,
    n: usize,
    m: usize,
    want: impl Fn(usize, usize) -> bool,
    what: &str,
) {
    let all = c.all();
    assert_eq!(all.len(), n * m, "{what}");
    for i in 0..n {
        for j in 0..m {
            assert_eq!(all[i * m + j], want(i, j), "{what}: {n} x {m} at {i}, {j}");
        }
    }
}

trait DenseOf {
    fn all(&self) -> Vec<bool>;
}
impl DenseOf for Bits {
    fn all(&self) -> Vec<bool> {
        self.to_dense()
    }
}
impl DenseOf for Trees {
    fn all(&self) -> Vec<bool> {
        self.to_dense()
    }
}

#[test]
fn every_size_has_the_bits_of_each_condition() {
    let mut numbers = Numbers(7);
    for m in SIZES {
        for n in [1, 3] {
            let (x, y) = (numbers.floats(n * m), numbers.floats(n * m));
            let (u, v) = (numbers.floats(m), numbers.floats(n));
            let kept = numbers.flags(n * m);
            let dense = |x: &[f64]| DenseMat::<f64>::from_dense([n, m], x).unwrap();
            let (a, b) = (dense(&x), dense(&y));
            let bits = Bits::from_dense([n, m], &kept).unwrap();
            let at = |i: usize, j: usize| x[i * m + j];
            let bt = |i: usize, j: usize| y[i * m + j];
            let kt = |i: usize, j: usize| kept[i * m + j];
            for t in [0.0, -0.0, f64::NAN, f64::NEG_INFINITY, 1.0] {
                assert_bits(&above(&a, t), n, m, |i, j| at(i, j) > t, "above");
                let single: Vec<f32> = x.iter().map(|&x| x as f32).collect();
                let single = DenseMat::<f32>::from_dense([n, m], &single).unwrap();
                let t32 = t as f32;
                #[allow(clippy::neg_cmp_op_on_partial_ord)]
                assert_bits(
                    &not_below(&single, t32),
                    n,
                    m,
                    |i, j| !((at(i, j) as f32) < t32),
                    "not_below",
                );
                assert_bits(
                    &between(&a, -1.0, t),
                    n,
                    m,
                    |i, j| at(i, j) >= -1.0 && at(i, j) < t,
                    "between",
                );
                let by_columns_first: Vec<f64> = (0..n * m).map(|k| at(k % n, k / n)).collect();
                let columns = Columns::from_transposed(
                    Tensor::from_dense([m, n], &by_columns_first).unwrap(),
                );
                assert_bits(&by_columns(&columns, t), n, m, |i, j| at(i, j) >= t, "by_columns");
            }
            let bytes = |x: &[f64]| {
                let all: Vec<u8> = x.iter().map(|&x| x as u8).collect();
                DenseMat::<u8>::from_dense([n, m], &all).unwrap()
            };
            let equal = same_bytes(&bytes(&x), &bytes(&y));
            assert_bits(&equal, n, m, |i, j| at(i, j) as u8 == bt(i, j) as u8, "same_bytes");
            let whole: Vec<i64> = x.iter().map(|&x| x as i64).collect();
            let whole = DenseMat::<i64>::from_dense([n, m], &whole).unwrap();
            let some = Bits::from_dense(
                [n, m],
                &x.iter().map(|&x| x as i64 == i64::MAX).collect::<Vec<_>>(),
            )
            .unwrap();
            let want = |i, j| at(i, j) as i64 != i64::MAX && at(i, j) as i64 >= 0;
            assert_bits(&positive_behind(&whole, &some), n, m, want, "whole");
            assert_bits(
                &named(&a),
                n,
                m,
                |i, j| at(i, j) * 2.0 > 1.0 && at(i, j) * 2.0 <= 3.0,
                "named",
            );
            assert_bits(
                &escaped(&a, 1.0),
                n,
                m,
                |i, j| at(i, j) > 0.5 || at(i, j).is_nan(),
                "escaped",
            );
            assert_bits(&least(&whole), n, m, |i, j| at(i, j) as i64 == i64::MIN, "least");
            let (ux, vx) = (vector(&u), vector(&v));
            let none = |i, j| u[j] > 0.0 && (at(i, j).is_nan() || at(i, j).sqrt() > 1.0);
            assert_bits(&no_numbers(&a, &ux), n, m, none, "no_numbers");
            assert_bits(&by_rows(&a, &ux, &vx), n, m, |i, j| at(i, j) * u[j] > v[i], "by_rows");
            let near = |i, j| (at(i, j) - bt(i, j)).abs() <= 0.5 || at(i, j) as f32 == 0.0;
            assert_bits(&computed(&a, &b), n, m, near, "computed");
            assert_bits(
                &or_stored(&a, &bits),
                n,
                m,
                |i, j| at(i, j) > 0.0 || kt(i, j),
                "or_stored",
            );
            assert_bits(
                &and_stored(&a, &bits),
                n,
                m,
                |i, j| at(i, j) > 0.0 && kt(i, j),
                "and_stored",
            );
            assert_bits(&differs(&a, &bits), n, m, |i, j| (at(i, j) > 0.0) != kt(i, j), "differs");
            assert_bits(&in_threads(&a), n, m, |i, j| at(i, j) > 0.0, "in_threads");
            assert_bits(&of_strict(&a), n, m, |i, j| at(i, j) * 0.0 == 0.0, "of_strict");
            for s in [-65, -64, -1, 0, 1, 63, 64, 300] {
                let there = |j: usize| usize::try_from(j as i64 + s).ok().filter(|&j| j < m);
                let want = |i, j| (at(i, j) > 0.0) != there(j).is_none_or(|j| kt(i, j));
                assert_bits(&moved_bits(&a, &bits, s), n, m, want, "moved_bits");
            }
            let mut c = bits.clone();
            more(&a, &mut c);
            assert_bits(&c, n, m, |i, j| at(i, j) < 0.0 || kt(i, j), "more");
            let rows: Vec<i64> = (0..n)
                .map(|i| (0..m).filter(|&j| at(i, j) > 0.0 || kt(i, j)).count() as i64)
                .collect();
            assert_eq!(counted(&a, &bits).to_dense(), rows);
            assert_eq!(
                any(&a, &bits).to_dense(),
                rows.iter().map(|&n| n > 0).collect::<Vec<bool>>()
            );
        }
    }
}

#[test]
fn loops_over_parts_ask_there_alone() {
    let mut numbers = Numbers(9);
    for n in [70, 140, 260] {
        let x = numbers.floats(n);
        let flags = numbers.flags(n);
        let (a, f) = (vector(&x), Flags::from_dense([n], &flags).unwrap());
        for lo in [0, 1, 60, 61, 62, 64] {
            for hi in [0, 1, 61, 64, 65, n - 4] {
                let c = part(&a, &f, lo, hi, n).to_dense();
                for (i, &found) in c.iter().enumerate() {
                    let from = i.checked_sub(3).filter(|i| (lo..hi).contains(i));
                    let want = from.is_some_and(|i| x[i + 1] > 0.0 && flags[i]);
                    assert_eq!(found, want, "{lo}..{hi} of {n} at {i}");
                }
            }
        }
        for s in [-300, -64, -3, 0, 1, 64, 139] {
            let c = outside(&a, s, n).to_dense();
            for (i, &c) in c.iter().enumerate() {
                let from = usize::try_from(i as i64 + s).ok().and_then(|i| x.get(i));
                assert_eq!(c, *from.unwrap_or(&1.0) > 0.5, "{s} at {i} of {n}");
            }
        }
        let kept = Row::from_dense([n], &flags).unwrap();
        let (c, d) = by_chunks(&a, &kept);
        let both = c.to_dense().into_iter().zip(d.to_dense());
        for (i, found) in both.enumerate() {
            // What is no number is not below 0 either.
            assert_eq!(found, (x[i] > 0.0 || x[i].is_nan(), x[i] > 0.0 || flags[i]), "{i} of {n}");
        }
        let singles: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let above = of_numbers(&singles, 0.5).to_dense();
        assert!((0..n).all(|i| above[i] == (singles[i] >= 0.5)));
        let c = again(&a, n).to_dense();
        assert!((0..n).all(|i| c[i] == ((x[i] > 0.0) != (x[i] > 1.0))));
    }
    for n in [0, 1, 64, 67] {
        let x = numbers.floats(n * n);
        let a = DenseMat::<f64>::from_dense([n, n], &x).unwrap();
        let places: Vec<usize> = (0..n).map(|i| (i * 7 + 3) % n).collect();
        let p: DenseVec<usize> = Tensor::from_dense([n], &places).unwrap();
        assert_bits(&of_rows(&a, &p), n, n, |i, j| x[places[i] * n + j] > 0.0, "of_rows");
        let kept = numbers.flags(n);
        let rows = Row::from_dense([n], &kept).unwrap();
        assert_bits(&where_set(&a, &rows), n, n, |i, j| kept[i] && x[i * n + j] > 0.0, "where_set");
        let c = diagonal(&a).to_dense();
        assert!((0..n).all(|i| c[i] == (x[i * n + i] > 0.0)));
        for m in [false, true] {
            let want = |i: usize, j: usize| m && i <= j && x[i * n + j] != x[j * n + i];
            assert_bits(&within(&a, m, n), n, n, want, "within");
        }
    }
}

/// What stands in front of a condition guards it, whatever is looked up, and whatever it is stored in.
#[allow(deprecated)]
mod guarded {
    use super::*;

    macro_rules! into {
        ($($module:ident: $C:ty;)*) => {$(
            mod $module {
                use super::*;
                finch! {
                    pub fn looked_up(a: &[i32], d: &[i32], p: &[usize]) -> (c: $C) { for j { c[j] = a[p[j]] != 0 && 10 / d[j] > 2 } }
                    pub fn unless(a: &[i32], d: &[i32], p: &[usize], x: i32) -> (c: $C) { for j { c[j] = a[p[j]] == 0 || 10 / x > d[j] } }
                    pub fn both(a: &[i32], b: &[i32], p: &[usize], q: &[usize]) -> (c: $C) { for j { c[j] = a[p[j]] > 0 && b[q[j]] > 0 } }
                    pub fn each(a: &[i32], p: &[usize], q: &[usize]) -> (c: $C) {
                        for j { c[j] = p[j] < 3 && a[p[j]] > 0 && q[j] < 3 && a[q[j]] > 0 }
                    }
                    pub fn chosen(a: &[i32], b: &[i32], p: &[usize], q: &[usize]) -> (c: $C) { for j { c[j] = ifelse(a[p[j]] > 0, b[q[j]] > 0, false) } }
                    pub fn logarithm(a: &[i32]) -> (c: $C) { for j { c[j] = ifelse(a[j] > 0, ilog2(a[j]) > 2, false) } }
                    pub fn otherwise(a: &[i32]) -> (c: $C) { for j { c[j] = ifelse(a[j] > 0, ilog2(a[j]) > 2, a[j] < 0) } }
                    pub fn behind(a: &[i32]) -> (c: $C) { for j { c[j] = a[j] > 0 && ilog2(a[j]) > 2 && ifelse(a[j] > 9, true, a[j] == 8) } }
                    pub fn overflows(a: &[i32], x: &[i32]) -> (c: $C) { for j { c[j] = ifelse(a[j] < 100, a[j] * x[j] == 6, true) } }
                    pub fn first(a: &[i32]) -> (c: $C) { for j { c[j] = ifelse(ilog2(a[j]) > 2, a[j] < 99, a[j] == 1) } }
                }
            }
        )*};
    }

    into! { dense: DenseVec<bool>; bits: Tensor<Bitmap<Pattern>>; flags: Tensor<Bitmap<Element<bool>>>; bytes: Tensor<ByteMap<Pattern>>; }

    #[test]
    fn what_is_in_front_is_asked_in_front() {
        let (a, d, p, far) = ([0, 1, 8, 0], [0, 2, 5, 0], [0, 1, 2, 3], [9, 2, 1, 4]);
        macro_rules! of {
            ($($module:ident)*) => {$(
                assert_eq!($module::looked_up(&a, &d, &p).to_dense(), [false, true, false, false]);
                assert_eq!($module::unless(&[0; 4], &d, &p, 0).to_dense(), [true; 4]);
                assert_eq!($module::both(&a, &d, &p, &far).to_dense(), [false, true, true, false]);
                assert_eq!($module::each(&a, &p, &far).to_dense(), [false, true, true, false]);
                assert_eq!($module::chosen(&a, &d, &p, &far).to_dense(), [false, true, true, false]);
                assert_eq!($module::logarithm(&[0, 8, -1, 7]).to_dense(), [false, true, false, false]);
                assert_eq!($module::otherwise(&[0, 8, -1, 7]).to_dense(), [false, true, true, false]);
                assert_eq!($module::behind(&[0, 8, -1, 9]).to_dense(), [false, true, false, false]);
                assert_eq!($module::overflows(&[i32::MAX, 3, 2], &[i32::MAX, 2, 2]).to_dense(), [true, true, false]);
                assert_eq!($module::first(&[1, 8, 100]).to_dense(), [true, true, false]);
            )*};
        }
        of!(dense bits flags bytes);
    }
}

/// What cannot fail is asked 64 at a time under a condition, too; what may is asked where the condition holds, one by one.
#[test]
fn what_cannot_fail_is_asked_at_once_under_conditions() {
    let floats = explain! {
        fn floats(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (c: Bits) { for i, j { if x[j] > 0 { c[i, j] = is_nan(a[i, j]) || sqrt(a[i, j]) > 1 } } }
    };
    let integers = explain! {
        fn integers(a: &DenseMat<u32>, x: &DenseVec<f64>) -> (c: Bits) { for i, j { if x[j] > 0 { c[i, j] = ilog2(a[i, j]) > 3 } } }
    };
    assert!(floats.contains("Words: j"), "{floats}");
    assert!(!integers.contains("Words: j"), "{integers}");
}
