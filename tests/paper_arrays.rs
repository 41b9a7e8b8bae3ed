//! The programs of *Compilation of Sparse Array Programming Models* (Henry, Hsu, et al., OOPSLA 2021):
//! values against plain Rust over all elements, and steps against the size of the iteration space.

use looplets::prelude::*;
use std::mem::take;

level! { type Flags1 = Tensor<SparseList<Pattern>>; }
level! { type Flags2 = Tensor<Dense<SparseList<Pattern>>>; }
level! { type Flags3 = Tensor<SparseList<SparseList<SparseList<Pattern>>>>; }
level! { type Csf1<T, F = Zero> = Tensor<SparseList<Element<T, F>>>; }
level! { type Csf2<T, F = Zero> = Tensor<Dense<SparseList<Element<T, F>>>>; }
level! { type Csf3<T, F = Zero> = Tensor<SparseList<SparseList<SparseList<Element<T, F>>>>>; }

operator! {
    /// `x` times two to the power of `n`: nothing where there is no `x`.
    fn ldexp(x: f64, n: i32) -> f64 { x * 2f64.powi(n) }
    identity 0 at n;
    annihilator 0 at x;
}

operator! {
    /// Bits moved to the right.
    fn right_shift(x: i64, n: i64) -> i64 { x >> n.clamp(0, 63) }
    identity 0 at n;
    annihilator 0 at x;
}

operator! {
    /// One where either is what its tensor leaves out.
    fn power(x: f64, n: f64) -> f64 { x.powf(n) }
    identity 1 at n;
    annihilator 1 at x;
    case power(x, 0) = 1;
}

macro_rules! elementwise {
    ($($module:ident $flags:ident $csf:ident $shape:expr, $dense:expr, [$($i:ident),*];)*) => {$(
        mod $module {
            use super::*;
            finch! {
                #![steps(n)]
                use ldexp;
                use right_shift;
                use power;
                pub fn xor(a: &$flags, b: &$flags, n: &mut u64) -> (c: $flags) {
                    for $($i),* { c[$($i),*] = a[$($i),*] ^ b[$($i),*] }
                }
                pub fn scale(a: &$csf<f64>, b: &$csf<i32>, n: &mut u64) -> (c: $csf<f64>) {
                    for $($i),* { c[$($i),*] = ldexp(a[$($i),*], b[$($i),*]) }
                }
                pub fn shift(a: &$csf<i64>, b: &$csf<i64>, n: &mut u64) -> (c: $csf<i64>) {
                    for $($i),* { c[$($i),*] = right_shift(a[$($i),*], b[$($i),*]) }
                }
                pub fn powers(a: &$csf<f64, One>, b: &$csf<f64>, n: &mut u64) -> (c: $csf<f64, One>) {
                    for $($i),* { c[$($i),*] = power(a[$($i),*], b[$($i),*]) }
                }
                pub fn powers_zero(a: &$csf<f64>, b: &$csf<f64>, n: &mut u64) -> (c: $csf<f64, One>) {
                    for $($i),* { c[$($i),*] = power(a[$($i),*], b[$($i),*]) }
                }
                pub fn xor_and(a: &$flags, b: &$flags, d: &$flags, n: &mut u64) -> (c: $flags) {
                    for $($i),* { c[$($i),*] = (a[$($i),*] ^ b[$($i),*]) & d[$($i),*] }
                }
                pub fn xor_or(a: &$flags, b: &$flags, d: &$flags, n: &mut u64) -> (c: $flags) {
                    for $($i),* { c[$($i),*] = (a[$($i),*] ^ b[$($i),*]) | d[$($i),*] }
                }
                pub fn xor_xor(a: &$flags, b: &$flags, d: &$flags, n: &mut u64) -> (c: $flags) {
                    for $($i),* { c[$($i),*] = a[$($i),*] ^ b[$($i),*] ^ d[$($i),*] }
                }
                pub fn masked(b: &$csf<f64>, c: &$csf<f64>, d: &$flags, n: &mut u64) -> (a: $csf<f64, One>) {
                    for $($i),* { a[$($i),*] = power(b[$($i),*], c[$($i),*]) * !d[$($i),*] }
                }
                pub fn edges(t2: &$flags, t1: &$flags, roi: &$flags, n: &mut u64) -> (e: $flags) {
                    for $($i),* { e[$($i),*] = (t2[$($i),*] & roi[$($i),*]) ^ (t1[$($i),*] & roi[$($i),*]) }
                }
            }

            #[test]
            fn flags() {
                for seed in 0..30 {
                    let [p, q, d] = [0, 1, 2].map(|k| places($shape, 3 * seed + k));
                    let [a, b, c] = [&p, &q, &d].map(|p| $flags::from_dense($shape, p).unwrap());
                    let (two, all) = (either(&p, &q), either(&either(&p, &q), &d));
                    let (two, all) = (nodes($shape, $dense, &two), nodes($shape, $dense, &all));
                    let mut n = 0;
                    assert_eq!(xor(&a, &b, &mut n).to_dense(), each(&p, &q, &d, |a, b, _| a ^ b));
                    assert_eq!(take(&mut n), two);
                    let c3 = xor_or(&a, &b, &c, &mut n);
                    assert_eq!(c3.to_dense(), each(&p, &q, &d, |a, b, c| (a ^ b) | c));
                    assert_eq!(take(&mut n), all);
                    let c3 = xor_xor(&a, &b, &c, &mut n);
                    assert_eq!(c3.to_dense(), each(&p, &q, &d, |a, b, c| a ^ b ^ c));
                    assert_eq!(take(&mut n), all);
                    let c3 = xor_and(&a, &b, &c, &mut n);
                    assert_eq!(c3.to_dense(), each(&p, &q, &d, |a, b, c| (a ^ b) & c));
                    assert!(take(&mut n) <= all);
                    let c3 = edges(&a, &b, &c, &mut n);
                    assert_eq!(c3.to_dense(), each(&p, &q, &d, |a, b, c| (a & c) ^ (b & c)));
                    assert!(take(&mut n) <= all);
                    // Nothing but empty lists where nothing is of interest.
                    let none = $flags::new($shape).unwrap();
                    assert_eq!(edges(&a, &b, &none, &mut n).stored(), 0);
                    let rows = if $dense { $shape[0] as u64 } else { 0 };
                    assert!(take(&mut n) <= rows);
                }
            }

            #[test]
            fn numbers() {
                for seed in 0..30 {
                    let [p, q, d] = [0, 1, 2].map(|k| places($shape, 3 * seed + k));
                    let (x, y) = (values(&p, 0, seed), values(&q, 0, seed + 99));
                    let two = nodes($shape, $dense, &either(&p, &q));
                    let mut n = 0;
                    let a: $csf<i64> = Tensor::from_dense($shape, &x).unwrap();
                    let b: $csf<i64> = Tensor::from_dense($shape, &y).unwrap();
                    let c = shift(&a, &b, &mut n);
                    assert_eq!(c.to_dense(), zip(&x, &y, |x, y| x >> y));
                    // An entry for each of `a` also where all bits leave.
                    assert_eq!(c.stored(), a.stored());
                    assert!(take(&mut n) <= two);
                    let xf: Vec<f64> = x.iter().map(|x| *x as f64).collect();
                    let yf: Vec<f64> = y.iter().map(|y| *y as f64).collect();
                    let yi: Vec<i32> = y.iter().map(|y| *y as i32).collect();
                    let a: $csf<f64> = Tensor::from_dense($shape, &xf).unwrap();
                    let b: $csf<f64> = Tensor::from_dense($shape, &yf).unwrap();
                    let e: $csf<i32> = Tensor::from_dense($shape, &yi).unwrap();
                    let c = scale(&a, &e, &mut n);
                    assert_eq!(c.to_dense(), zip(&xf, &yi, |x, n| x * 2f64.powi(n)));
                    assert_eq!(c.stored(), a.stored());
                    assert!(take(&mut n) <= two);
                    let c = powers_zero(&a, &b, &mut n);
                    assert_eq!(c.to_dense(), zip(&xf, &yf, f64::powf));
                    assert_eq!(c.stored(), b.stored());
                    assert!(take(&mut n) <= two);
                    let ones: Vec<f64> = values(&p, 1, seed).iter().map(|x| *x as f64).collect();
                    let a1: $csf<f64, One> = Tensor::from_dense($shape, &ones).unwrap();
                    let c = powers(&a1, &b, &mut n);
                    assert_eq!(c.to_dense(), zip(&ones, &yf, f64::powf));
                    assert_eq!(c.stored(), p.iter().zip(&q).filter(|(p, q)| **p && **q).count());
                    assert!(take(&mut n) <= two);
                    let flags = $flags::from_dense($shape, &d).unwrap();
                    let c = masked(&a, &b, &flags, &mut n);
                    let known = zip(&zip(&xf, &yf, f64::powf), &d, |x, d| if d { 0.0 } else { x });
                    assert_eq!(c.to_dense(), known);
                    let all = either(&either(&p, &q), &d);
                    assert!(take(&mut n) <= nodes($shape, $dense, &all));
                }
            }
        }
    )*};
}

elementwise! {
    rank1 Flags1 Csf1 &[60], false, [i];
    rank2 Flags2 Csf2 &[7, 11], true, [i, j];
    rank3 Flags3 Csf3 &[5, 4, 6], false, [i, j, k];
}

/// Of elements of `shape` about as many as `seed` says, from none to all.
fn places(shape: &[usize], seed: u64) -> Vec<bool> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let dense = [0, 5, 20, 50, 90, 100][seed as usize % 6];
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % n
    };
    (0..shape.iter().product()).map(|_| below(100) < dense).collect()
}

/// Numbers from 2 to 5 in these places, else `fill`.
fn values(places: &[bool], fill: i64, seed: u64) -> Vec<i64> {
    let value = |k: usize| 2 + (k as u64 * 7 + seed) as i64 % 4;
    places.iter().enumerate().map(|(k, p)| if *p { value(k) } else { fill }).collect()
}

fn zip<A: Copy, B: Copy, C>(a: &[A], b: &[B], f: impl Fn(A, B) -> C) -> Vec<C> {
    a.iter().zip(b).map(|(a, b)| f(*a, *b)).collect()
}

fn each(a: &[bool], b: &[bool], c: &[bool], f: impl Fn(bool, bool, bool) -> bool) -> Vec<bool> {
    zip(&zip(a, b, |a, b| (a, b)), c, |(a, b), c| f(a, b, c))
}

fn either(a: &[bool], b: &[bool]) -> Vec<bool> {
    zip(a, b, |a, b| a | b)
}

/// The steps that visit all of `places` once each, and every fiber above them that holds any; of the
/// outermost dimension everything, if it is dense.
fn nodes(shape: &[usize], dense: bool, places: &[bool]) -> u64 {
    let level = |l: usize| {
        let below: usize = shape[l + 1..].iter().product();
        match dense && l == 0 {
            true => shape[0],
            false => places.chunks(below).filter(|c| c.contains(&true)).count(),
        }
    };
    (0..shape.len()).map(level).sum::<usize>() as u64
}
