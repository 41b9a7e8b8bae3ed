//! Every literal has the type of what it meets, in it rounds and overflows as Rust does, and names of
//! the kernel in Rust expressions are those that are free there.

use looplets::prelude::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A function whose type the header does not tell.
fn twice(x: i32) -> i32 {
    2 * x
}

finch! {
    fn told_by_rust(a: &DenseVec<i32>) -> (y: DenseVec<i32>[2]) {
        for i in 0..2 { { y[i] = t } where { for k { t += twice(a[k]) } } }
    }
    fn told_later(a: &DenseVec<i32>) -> (y: DenseVec<i32>[2]) {
        for i in 0..2 { { y[i] = t + a[0] } where { t = $(twice(3)); for k { t <<max>>= 6 + twice(a[k]) } } }
    }
    fn nested(a: &DenseMat<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i { { y[i] = t } where { for j { { t += s * s } where { for k in 0..2 { s += a[i, j] * x[k] } } } } }
    }
    fn handed_out(a: &DenseMat<f64>) -> (y: DenseVec<f64>) {
        for i { { y[i] = s + t } where { { t = 2 * s } where { for j { s += a[i, j] } } } }
    }
}

#[test]
fn undeclared_scalars_have_the_type_of_what_they_are_given() {
    let a = Tensor::from_dense([3], &[1, -2, 5]).unwrap();
    assert_eq!(told_by_rust(&a).to_dense(), [8, 8]);
    assert_eq!(told_later(&a).to_dense(), [17, 17]);
    let none = Tensor::from_dense([0], &[]).unwrap();
    assert_eq!(told_by_rust(&none).to_dense(), [0, 0]);
}

#[test]
fn a_where_within_a_producer_has_scalars_of_its_own() {
    let a = Tensor::from_dense([2, 2], &[0.5, -1.0, 0.0, 3.0]).unwrap();
    let x = Tensor::from_dense([2], &[1.0, 0.5]).unwrap();
    assert_eq!(nested(&a, &x).to_dense(), [2.25 * (0.25 + 1.0), 2.25 * 9.0]);
    assert_eq!(handed_out(&a).to_dense(), [-1.5, 9.0]);
}

level! { type White = Tensor<SparseList<Element<u8, Const<255>>>>; }
level! { type Below = Tensor<SparseList<Element<i8, Const<-1>>>>; }
level! { type Least = Tensor<SparseList<Element<i64, Const<-9223372036854775808>>>>; }
fill! {
    /// A tenth.
    pub fill Tenth: f32, f64 = 0.1;
}
level! { type Tenths = Tensor<SparseList<Element<f32, Tenth>>>; }

finch! {
    fn below(a: &Below, s: &mut i64) { for i { s += a[i] } }
    fn one_more(a: &White) -> (y: DenseVec<u8>) { for i { y[i] = a[i] + 1 } }
    fn one_more_is_positive(a: &White) -> (y: DenseVec<bool>) { for i { y[i] = a[i] + 1 > 0 } }
    fn half_of_one_more(a: &White) -> (y: DenseVec<u8>) { for i { y[i] = (a[i] + 1) / 2 } }
    fn wide_one_more(a: &White) -> (y: DenseVec<f64>) { for i { y[i] = (a[i] + 1) * 0.5f64 } }
    fn defined_one_more(a: &White) -> (y: DenseVec<u8>) { for i { let t = a[i]; y[i] = (t + 1) / 2 } }
    fn quotient(a: &Least) -> (y: DenseVec<i64>) { for i { y[i] = a[i] / -1 } }
    fn tenths(a: &Tenths, b: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] * b[i] } }
    fn two_steps(a: &DenseVec<i8>) -> (y: DenseVec<i8>) { for i { y[i] = a[i] + 100 + 100 } }
    fn apart(a: &DenseVec<i8>, b: &DenseVec<i8>) -> (y: DenseVec<i8>) {
        for i { y[i] = (a[i] + b[i]) + (100 - b[i]) }
    }
    fn grows(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (y: DenseVec<bool>) { for i { y[i] = a[i] < a[i] + b[i] } }
    fn shifted(a: &DenseVec<u8>, b: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = min(a[i] + 200, a[i] + 1, a[i]) + b[i] - a[i] } }
    fn tenfold(a: &DenseVec<u8>) -> (y: DenseVec<u8>) { for i { y[i] = a[i] * 10 * 10 } }
}

/// What it gives, or nothing if it panics.
fn tried<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

#[test]
fn fills_overflow_as_stored_values_do() {
    let a = Below::from_triplets([4], [([1], 3)], Refuse).unwrap();
    let mut s = 0;
    below(&a, &mut s);
    assert_eq!(s, 0);
    let stored = White::from_dense([2], &[7, 3]).unwrap();
    assert_eq!(one_more(&stored).to_dense(), [8, 4]);
    assert_eq!(half_of_one_more(&stored).to_dense(), [4, 2]);
    let white = White::from_dense([3], &[7, 255, 3]).unwrap();
    let debug = cfg!(debug_assertions);
    let release = |f: &dyn Fn() -> Vec<u8>| if debug { None } else { Some(f()) };
    assert_eq!(tried(|| one_more(&white).to_dense()), release(&|| vec![8, 0, 4]));
    assert_eq!(tried(|| half_of_one_more(&white).to_dense()), release(&|| vec![4, 0, 2]));
    assert_eq!(tried(|| defined_one_more(&white).to_dense()), release(&|| vec![4, 0, 2]));
    let positive = tried(|| one_more_is_positive(&white).to_dense());
    assert_eq!(positive, (!debug).then(|| vec![true, false, true]));
    let wide = tried(|| wide_one_more(&white).to_dense());
    assert_eq!(wide, (!debug).then(|| vec![4.0, 0.0, 2.0]));
    let least = Least::from_dense([2], &[i64::MIN, 5]).unwrap();
    assert!(tried(|| quotient(&least)).is_none());
}

#[test]
fn sums_of_integers_overflow_where_rust_does() {
    for x in [-128i8, -101, -100, -73, 0, 27, 28, 127] {
        let a = Tensor::from_dense([1], &[x]).unwrap();
        let want = tried(|| x + std::hint::black_box(100) + std::hint::black_box(100));
        assert_eq!(tried(|| two_steps(&a).to_dense()[0]), want, "{x}");
        for y in [-128i8, -28, 0, 100, 127] {
            let b = Tensor::from_dense([1], &[y]).unwrap();
            let want = tried(|| (x + y) + (100 - y));
            assert_eq!(tried(|| apart(&a, &b).to_dense()[0]), want, "{x} {y}");
        }
    }
    for x in [0u8, 1, 2, 3, 55, 56, 255] {
        let a = Tensor::from_dense([1], &[x]).unwrap();
        for y in [0u8, 1, 200, 201, 255] {
            let b = Tensor::from_dense([1], &[y]).unwrap();
            assert_eq!(tried(|| grows(&a, &b).to_dense()[0]), tried(|| x < x + y), "{x} {y}");
            let two = std::hint::black_box(200);
            let want = tried(|| (x + two).min(x + 1).min(x) + y - x);
            assert_eq!(tried(|| shifted(&a, &b).to_dense()[0]), want, "{x} {y}");
        }
        let want = tried(|| x * std::hint::black_box(10) * std::hint::black_box(10));
        assert_eq!(tried(|| tenfold(&a).to_dense()[0]), want, "{x}");
    }
}

finch! {
    fn weights(n: usize) -> (w: DenseVec<f32>[n]) { for i { w[i] = 0.25 * i } }
    fn steps_of(n: usize, s: &mut f32) { for i in 0..n { s += (0.1 + i) / 2.5 } }
    fn beside(x: &DenseVec<f32>) -> (w: DenseVec<f32>) { for i { w[i] = x[i] + 0.1 * i - 0.5 } }
    fn chosen(x: &DenseVec<f32>) -> (w: DenseVec<f32>) { for i { w[i] = ifelse(x[i] > 0.1, 0.1, i * 0.5) } }
    fn narrow(x: &DenseVec<f32>) -> (w: DenseVec<f64>) { for i { w[i] = x[i] + 0.1 } }
    fn same(x: &DenseVec<f32>, n: &mut u64) { for i { n += x[i] == 0.1 } }
    fn extremes(b: &DenseVec<u8>, c: &DenseVec<i8>, d: &DenseVec<u64>, e: &DenseVec<i64>, n: &mut u64) {
        for i {
            n += b[i] == 255;
            n += b[i] == 0xff;
            n += c[i] == -128;
            n += -0x80i8 == c[i];
            n += d[i] == 18446744073709551615;
            n += e[i] == -9223372036854775808;
            n += e[i] == -9223372036854775808i64
        }
    }
    fn zeros(x: &DenseVec<f64>) -> (w: DenseVec<f64>) { for i { w[i] = x[i] + -0.0 } }
    fn least_plus(a: &DenseVec<i128>, b: &DenseVec<u128>) -> (y: DenseVec<i128>) {
        for i { y[i] = ifelse(b[i] > 170141183460469231731687303715884105727, a[i], -170141183460469231731687303715884105727 + a[i]) }
    }
}

#[test]
fn literals_round_in_the_type_they_have() {
    let w: Vec<f32> = (0..65).map(|i| 0.25 * i as f32).collect();
    assert_eq!(weights(65).to_dense(), w);
    let mut s = 1.5f32;
    steps_of(9, &mut s);
    assert_eq!(s, (0..9).fold(1.5f32, |s, i| s + (0.1f32 + i as f32) / 2.5));
    let x = [0.1f32, -0.0, f32::MIN_POSITIVE / 4.0, 7.25];
    let t: DenseVec<f32> = Tensor::from_dense([4], &x).unwrap();
    let each = |f: &dyn Fn(usize, f32) -> f32| {
        x.iter().enumerate().map(|(i, x)| f(i, *x)).collect::<Vec<_>>()
    };
    assert_eq!(beside(&t).to_dense(), each(&|i, x| x + 0.1 * i as f32 - 0.5));
    assert_eq!(chosen(&t).to_dense(), each(&|i, x| if x > 0.1 { 0.1 } else { i as f32 * 0.5 }));
    let wide: Vec<f64> = x.iter().map(|x| f64::from(x + 0.1)).collect();
    assert_eq!(narrow(&t).to_dense(), wide);
    let mut n = 0;
    same(&t, &mut n);
    assert_eq!(n, 1);
    let a = Tenths::new([2]).unwrap();
    let b = Tensor::from_dense([2], &[1.0, 3.0]).unwrap();
    assert_eq!(tenths(&a, &b).to_dense(), [f64::from(0.1f32), 3.0 * f64::from(0.1f32)]);
}

#[test]
fn literals_reach_the_extremes_of_their_type() {
    let b = Tensor::from_dense([2], &[255, 0]).unwrap();
    let c = Tensor::from_dense([2], &[-128, 127]).unwrap();
    let d = Tensor::from_dense([2], &[u64::MAX, 0]).unwrap();
    let e = Tensor::from_dense([2], &[i64::MIN, i64::MAX]).unwrap();
    let mut n = 0;
    extremes(&b, &c, &d, &e, &mut n);
    assert_eq!(n, 7);
    let x: DenseVec<f64> = Tensor::from_dense([3], &[1.0, -0.0, 0.0]).unwrap();
    let signs: Vec<bool> = zeros(&x).to_dense().iter().map(|x| x.is_sign_negative()).collect();
    assert_eq!(signs, [false, true, false]);
    let a = Tensor::from_dense([2], &[i128::MAX, 5]).unwrap();
    let b = Tensor::from_dense([2], &[0, u128::MAX]).unwrap();
    assert_eq!(least_plus(&a, &b).to_dense(), [0, 5]);
}

fn offset(x: i64) -> i64 {
    x - 3_000_000_000
}

finch! {
    fn only_rustc_knows(a: &DenseVec<i64>) -> (y: DenseVec<i64>) { for i { y[i] = offset(3000000000) + offset(a[i]) + -3000000000 } }
    fn pairs(x: &DenseVec<f32>, best: &mut (f32, u8)) { for i { best <<minby>>= (0.1 * i + x[i], 255) } }
    fn some(a: &DenseVec<u8>, c: &mut u8) { for i { if a[i] > 3 { c <<choose>>= 255 } } }
}

#[test]
fn literals_of_types_that_only_rustc_knows() {
    let a = Tensor::from_dense([2], &[3, -3]).unwrap();
    assert_eq!(only_rustc_knows(&a).to_dense(), [3 - 6_000_000_000, -3 - 6_000_000_000]);
    let x = Tensor::from_dense([3], &[0.5, -0.5, 7.0]).unwrap();
    let mut best = (f32::INFINITY, 0);
    pairs(&x, &mut best);
    assert_eq!(best, (0.1f32 - 0.5, 255));
    let a = Tensor::from_dense([3], &[3, 4, 7]).unwrap();
    let mut c = 0;
    some(&a, &mut c);
    assert_eq!(c, 255);
}

struct Pair {
    i: usize,
}

finch! {
    fn own_bindings(v: &Vec<f64>) -> (y: DenseVec<f64>[3]) {
        for i { y[i] = $(v.iter().map(|i| *i).sum::<f64>()) + $({ let i = i * 2; i as f64 }) }
    }
    fn free_and_bound() -> (y: DenseVec<usize>[4]) {
        for i { y[i] = $((0..3).map(|k| match Some(k) { Some(i) if i > 1 => i, _ => i }).sum::<usize>()) }
    }
    fn fields() -> (y: DenseVec<usize>[4]) {
        for i { y[i] = $(Pair { i }.i + Pair { i: i + 1 }.i + vec![i, 1].iter().map(|i| i * 2).sum::<usize>()) }
    }
    fn loops() -> (y: DenseVec<usize>[4]) {
        for i { y[i] = $({ let mut s = i; for i in 0..i { s += i } if let Some(i) = Some(s) { s = i + 1 } s + i }) }
    }
}

#[test]
fn rust_expressions_keep_what_they_bind() {
    assert_eq!(own_bindings(&vec![0.5, 0.25]).to_dense(), [0.75, 2.75, 4.75]);
    assert_eq!(free_and_bound().to_dense(), [2, 4, 6, 8].map(|n| n));
    let want: Vec<usize> = (0..4).map(|i| i + (i + 1) + 2 * i + 2).collect();
    assert_eq!(fields().to_dense(), want);
    let want: Vec<usize> = (0..4).map(|i| i + (0..i).sum::<usize>() + 1 + i).collect();
    assert_eq!(loops().to_dense(), want);
}

finch! {
    fn conditions(a: &DenseVec<f64>, n: &mut u64) {
        for i { n += ifelse(a[i], 1, 0); if a[i] { n += 10 } if a[i] && !(a[i] > 2) { n += 100 } }
    }
    fn counts(a: &DenseVec<f64>, p: &DenseVec<bool>) -> (y: DenseVec<f64>) { for i { y[i] = a[i] % (p[i] + 1) + (a[i] == p[i]) } }
}

/// A number holds where it is not zero, and NaN is not; a bool beside a number is one.
#[test]
fn numbers_as_conditions() {
    let a = Tensor::from_dense([5], &[0.0, -0.0, 0.5, f64::NAN, 7.0]).unwrap();
    let mut n = 0;
    conditions(&a, &mut n);
    assert_eq!(n, 3 + 30 + 200);
    let a = Tensor::from_dense([3], &[1.5, 1.0, 0.0]).unwrap();
    let p = Tensor::from_dense([3], &[true, true, false]).unwrap();
    assert_eq!(counts(&a, &p).to_dense(), [1.5, 2.0, 1.0]);
}

finch! {
    fn chosen_half(p: &DenseVec<bool>, c: &mut f32) { for i { c <<max>>= ifelse(p[i], 0.5, p[i]) + 1f32 } }
    fn chosen_wide(p: &DenseVec<bool>, c: &mut f64) { for i { c <<max>>= ifelse(p[i], 0.1, p[i]) + 1f32 } }
    fn chosen_first(p: &DenseVec<bool>, c: &mut f32) { for i { c <<max>>= 1f32 + ifelse(p[i], p[i], 0.1) } }
    #[allow(deprecated)]
    fn coalesced(p: &DenseVec<bool>, c: &mut f32) { for i { c += coalesce(p[i], 0.1) * 2f32 } }
    fn least(p: &DenseVec<bool>, c: &mut f32) { for i { c += min(p[i], 0.1) * 2f32 - -0.1f32 } }
    fn rooted(p: &DenseVec<bool>, c: &mut f32) { for i { c += sqrt(p[i]) + 1f32 } }
    fn negated(p: &DenseVec<bool>, c: &mut f32) { for i { c += -(0.1 * p[i]) + 1f32 } }
    fn indexed(p: &DenseVec<bool>, c: &mut f32) { for i in 0..3 { c += 0 * p[i] + ifelse(i > 1, i, 0.1) + 1f32 } }
    fn compared(p: &DenseVec<bool>, c: &mut f32) { for i { c += (0.5 == p[i] + 0.5f32) + (p[i] < 0.1) * 0.1 } }
    fn plain(p: &DenseVec<bool>, c: &mut f32) { for i { c <<min>>= p[i]; c <<max>>= ifelse(p[i], 0.1, p[i]) } }
    fn raised(p: &DenseVec<bool>, c: &mut f32) { for i { c += powi(p[i] * 0.1, 2) + powf(0.1 + p[i], 2f32) + abs(-2f32) } }
    fn whole_numbers(p: &DenseVec<bool>, c: &mut f32) { for i { c += ifelse(p[i], 1, p[i]) + 0.5f32; c -= (p[i] + p[i]) * 1f32 } }
    fn nested_choice(p: &DenseVec<bool>, c: &mut f32) { for i { c += ifelse(p[i], ifelse(i > 0, 0.1, p[i]), i) / 3f32 } }
    fn into(p: &DenseVec<bool>) -> (y: DenseVec<f32>) { for i { y[i] = ifelse(p[i], 0.1, p[i]) * ifelse(p[i], i, 0.1) } }
}

/// A bool, a coordinate or a literal is of the type of floats that it meets, however deep.
#[test]
fn bools_beside_floats_of_32_bits() {
    let all = [true, false, true];
    let p = Tensor::from_dense([3], &all).unwrap();
    let run = |f: &dyn Fn(&DenseVec<bool>, &mut f32)| {
        let mut c = 0.0;
        f(&p, &mut c);
        c
    };
    let sum = |f: &dyn Fn(usize, bool) -> f32| {
        all.iter().enumerate().fold(0f32, |c, (i, p)| c + f(i, *p))
    };
    let n = |p: bool| f32::from(u8::from(p));
    assert_eq!(run(&|p, c| chosen_half(p, c)), 1.5);
    let mut wide = 0.0;
    chosen_wide(&p, &mut wide);
    assert_eq!(wide, f64::from(0.1f32 + 1.0));
    assert_eq!(run(&|p, c| chosen_first(p, c)), 2.0);
    assert_eq!(run(&|p, c| coalesced(p, c)), sum(&|_, p| n(p) * 2.0));
    assert_eq!(run(&|p, c| least(p, c)), sum(&|_, p| n(p).min(0.1) * 2.0 + 0.1));
    assert_eq!(run(&|p, c| rooted(p, c)), 5.0);
    assert_eq!(run(&|p, c| negated(p, c)), sum(&|_, p| -(0.1 * n(p)) + 1.0));
    assert_eq!(run(&|p, c| indexed(p, c)), sum(&|i, _| if i > 1 { i as f32 } else { 0.1 } + 1.0));
    let both = |p: bool| f32::from(u8::from(0.5 == n(p) + 0.5)) + n(n(p) < 0.1) * 0.1;
    assert_eq!(run(&|p, c| compared(p, c)), sum(&|_, p| both(p)));
    assert_eq!(run(&|p, c| plain(p, c)), 0.1);
    let raised_to = |p: bool| (n(p) * 0.1).powi(2) + (0.1 + n(p)).powf(2.0) + 2.0;
    assert_eq!(run(&|p, c| raised(p, c)), sum(&|_, p| raised_to(p)));
    assert_eq!(run(&|p, c| whole_numbers(p, c)), 2.0 + 1.5 - 4.0);
    let choice = |i: usize, p: bool| match (p, i > 0) {
        (true, true) => 0.1,
        (true, false) => n(p),
        (false, _) => i as f32,
    };
    assert_eq!(run(&|p, c| nested_choice(p, c)), sum(&|i, p| choice(i, p) / 3.0));
    let product = |i: usize, p: bool| if p { 0.1 * i as f32 } else { n(p) * 0.1 };
    let want: Vec<f32> = all.iter().enumerate().map(|(i, p)| product(i, *p)).collect();
    assert_eq!(into(&p).to_dense(), want);
}

finch! {
    fn greater_of_index(a: &DenseVec<u8>) -> (c: DenseVec<u8>) { for i { c[i] = max(a[i], i) } }
}

#[test]
fn an_index_that_its_type_cannot_hold_overflows() {
    let of = |n: usize| Tensor::from_dense([n], &vec![44u8; n]).unwrap();
    assert_eq!(greater_of_index(&of(256)).to_dense()[255], 255);
    let beyond = std::panic::catch_unwind(|| greater_of_index(&of(257)).to_dense());
    assert_eq!(beyond.is_err(), cfg!(debug_assertions));
}

fn thrice(x: i32) -> i32 {
    3 * x + 1
}
fn half(x: f64) -> f64 {
    x / 2.0
}
operator! {
    /// `a` to the power of the half of `b`, near enough.
    pub fn bent(a: f64, b: f64) -> f64 { a * b }
    case bent(x, 1) = half(x);
}
finch! {
    use bent;
    fn opaque_sums(a: &SparseVec<i32>) -> (y: DenseVec<i32>[2]) {
        for i in 0..2 { { y[i] = t } where { for k { t += thrice(a[k]) } } }
    }
    fn bent_by_one(a: &SparseVec<f64>) -> (y: DenseVec<f64>) { for i { y[i] = bent(a[i], 1) } }
}

#[test]
fn what_functions_give_of_fill_has_their_type() {
    for v in [vec![], vec![0], vec![5, 0, 0, -7], vec![0; 65]] {
        let a = Tensor::from_dense([v.len()], &v).unwrap();
        let sum: i32 = v.iter().map(|x| thrice(*x)).sum();
        assert_eq!(opaque_sums(&a).to_dense(), [sum; 2]);
    }
    let a = Tensor::from_dense([3], &[0.5, 0.0, -3.0]).unwrap();
    assert_eq!(bent_by_one(&a).to_dense(), [0.25, 0.0, -1.5]);
}
