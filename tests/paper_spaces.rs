//! Iteration spaces (SparseArrays section 5): how often an operator is called is the size of the space
//! it states, whatever the shape of the space, the number of arguments and what they leave out.
//!
//! The operators count their calls, which no real one should; steps of loops bound from above what
//! is looked at.

use looplets::prelude::*;
use std::cell::Cell;

thread_local! { static CALLS: Cell<usize> = const { Cell::new(0) }; }

fn called<T>(value: T) -> T {
    CALLS.set(CALLS.get() + 1);
    value
}

fill! {
    /// Not a number.
    fill Nan: f64 = f64::NAN;
}
level! { type List<F = Zero> = Tensor<SparseList<Element<f64, F>>>; }
level! { type Flags<F = False> = Tensor<SparseList<Element<bool, F>>>; }
level! { type Tree<F = Zero> = Tensor<SparseList<SparseList<Element<f64, F>>>>; }

/// Two operands: the operator and kernels over lists and over lists of lists.
macro_rules! two {
    ($a:ident $b:ident; $($name:ident($($space:tt)*);)*) => {$(
        mod $name {
            use super::*;
            operator! {
                fn f(a: f64, b: f64) -> f64 { called(a * 10.0 + b) }
                space $($space)* else -1;
            }
            finch! {
                #![dense]
                #![steps(n)]
                use f;
                fn lists(a: &List, b: &List, n: &mut u64) -> (c: List<Const<-1>>) {
                    for i { c[i] = f(a[i], b[i]) }
                }
                fn trees(a: &Tree, b: &Tree, n: &mut u64) -> (c: Tree<Const<-1>>) {
                    for i, j { c[i, j] = f(a[i, j], b[i, j]) }
                }
                fn fills(a: &List<Inf>, b: &List<Nan>, n: &mut u64) -> (c: List<Const<-1>>) {
                    for i { c[i] = f(a[i], b[i]) }
                }
            }
            #[test]
            fn calls_are_the_space() {
                let inside = |$a: bool, $b: bool| { let _ = $b; $($space)* };
                for seed in 0..60 {
                    let (p, q) = (places(seed, 0), places(seed, 1));
                    let all: Vec<bool> = (0..SIZE).map(|k| inside(p[k], q[k])).collect();
                    let space = count(&all);
                    let (mut n, most) = (0, (0..SIZE).filter(|k| p[*k] || q[*k]).count());
                    let (x, y) = (operand(&p, 0.0), operand(&q, 0.0));
                    let known = |x: &[f64], y: &[f64]| -> Vec<f64> {
                        let value = |k: usize| if all[k] { x[k] * 10.0 + y[k] } else { -1.0 };
                        (0..SIZE).map(value).collect()
                    };
                    let c = counted(space, || lists(&vector(&p, &x), &vector(&q, &y), &mut n));
                    same(&c.to_dense(), &known(&x, &y));
                    // The complement of everything is everything: no list says where it is.
                    let most = if inside(false, false) { SIZE } else { most };
                    assert!((space..=most).contains(&(n as usize)), "{n} of {space}..={most}");
                    let c = counted(space, || trees(&tree(&p, &x), &tree(&q, &y), &mut n));
                    same(&c.to_dense(), &known(&x, &y));
                    let (x, y) = (operand(&p, f64::INFINITY), operand(&q, f64::NAN));
                    let c = counted(space, || fills(&vector(&p, &x), &vector(&q, &y), &mut n));
                    same(&c.to_dense(), &known(&x, &y));
                }
            }
        }
    )*};
}

two! {
    a b;
    intersection(a & b);
    union(a | b);
    first(a);
    without(a & !b);
    other_without(b & !a);
    symmetric_difference(a ^ b);
    complement(!a);
    neither(!(a | b));
    equivalent(!(a ^ b));
    unless_both(!(a & b));
}

/// Three operands of different fills; one of them twice.
macro_rules! three {
    ($a:ident $b:ident $c:ident; $($name:ident($($space:tt)*);)*) => {$(
        mod $name {
            use super::*;
            operator! {
                fn f(a: f64, b: f64, c: bool) -> f64 { called(mixed(a, b, c)) }
                space $($space)* else 7;
            }
            operator! {
                // A space that is empty once two operands are one calls nothing.
                #[allow(dead_code)]
                fn g(a: f64, b: f64, c: f64) -> f64 { called(a * 10.0 + b + c) }
                space $($space)* else inf;
            }
            finch! {
                #![steps(n)]
                use f;
                use g;
                fn lists(a: &List<One>, b: &List<Inf>, c: &Flags<True>, n: &mut u64) -> (d: List<Const<7>>) {
                    for i { d[i] = f(a[i], b[i], c[i]) }
                }
                fn twice(a: &List, b: &List, n: &mut u64) -> (d: List<Inf>) {
                    for i { d[i] = g(a[i], b[i], a[i]) }
                }
            }
            #[test]
            fn calls_are_the_space() {
                let inside = |$a: bool, $b: bool, $c: bool| $($space)*;
                for seed in 0..60 {
                    let (p, q, r) = (places(seed, 0), places(seed, 1), places(seed, 2));
                    let (x, y) = (operand(&p, 1.0), operand(&q, f64::INFINITY));
                    let z: Vec<bool> = r.iter().map(|r| !r).collect();
                    let flags = r.iter().enumerate().filter(|(_, r)| **r).map(|(i, _)| ([i], false));
                    let flags: Flags<True> = Tensor::from_triplets([SIZE], flags, Refuse).unwrap();
                    let all: Vec<bool> = (0..SIZE).map(|k| inside(p[k], q[k], r[k])).collect();
                    let space = count(&all);
                    let (mut n, most) = (0, (0..SIZE).filter(|k| p[*k] || q[*k] || r[*k]).count());
                    let (a, b) = (vector(&p, &x), vector(&q, &y));
                    let d = counted(space, || lists(&a, &b, &flags, &mut n));
                    let value = |k: usize| if all[k] { mixed(x[k], y[k], z[k]) } else { 7.0 };
                    same(&d.to_dense(), &(0..SIZE).map(value).collect::<Vec<_>>());
                    assert!((space..=most).contains(&(n as usize)), "{n} of {space}..={most}");

                    let (x, y) = (operand(&p, 0.0), operand(&q, 0.0));
                    let all: Vec<bool> = (0..SIZE).map(|k| inside(p[k], q[k], p[k])).collect();
                    let (a, b) = (vector(&p, &x), vector(&q, &y));
                    let d = counted(count(&all), || twice(&a, &b, &mut n));
                    let value = |k: usize| if all[k] { x[k] * 10.0 + y[k] + x[k] } else { f64::INFINITY };
                    same(&d.to_dense(), &(0..SIZE).map(value).collect::<Vec<_>>());
                }
            }
        }
    )*};
}

three! {
    a b c;
    both_or((a & b) | c);
    either_and((a | b) & c);
    apart_and((a ^ b) & c);
    apart_or((a ^ b) | c);
    without_both(a & !(b | c));
    without_one(a & !b & c);
    apart_without((a ^ b) & !c);
    all_apart(a ^ b ^ c);
    all_three(a & b & c);
    any(a | b | c);
}

const SIZE: usize = 48;

fn mixed(a: f64, b: f64, c: bool) -> f64 {
    a * 10.0 + b.min(1e6) + f64::from(u8::from(c))
}

/// The elements that operand `k` stores.
fn places(seed: u64, k: u64) -> Vec<bool> {
    let mut state = (seed * 3 + k).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let dense = [5, 0, 30, 70, 100][((seed >> k) + k) as usize % 5];
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % n
    };
    (0..SIZE).map(|_| below(100) < dense).collect()
}

/// Its values: `fill` where nothing is stored, and once where something is.
fn operand(places: &[bool], fill: f64) -> Vec<f64> {
    let value = |k: usize| if k == 9 { fill } else { k as f64 + 0.5 };
    places.iter().enumerate().map(|(k, p)| if *p { value(k) } else { fill }).collect()
}

fn stored<'a>(places: &'a [bool], values: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
    (0..SIZE).filter(|k| places[*k]).map(|k| (k, values[k]))
}

fn vector<F: Fill<f64> + 'static>(places: &[bool], values: &[f64]) -> List<F> {
    let entries = stored(places, values).map(|(k, v)| ([k], v));
    Tensor::from_triplets([SIZE], entries, Refuse).unwrap()
}

fn tree(places: &[bool], values: &[f64]) -> Tree {
    let entries = stored(places, values).map(|(k, v)| ([k / 6, k % 6], v));
    Tensor::from_triplets([SIZE / 6, 6], entries, Refuse).unwrap()
}

fn count(all: &[bool]) -> usize {
    all.iter().filter(|a| **a).count()
}

/// What `run` gives, which calls an operator as often as it should.
fn counted<T>(calls: usize, run: impl FnOnce() -> T) -> T {
    CALLS.set(0);
    let out = run();
    assert_eq!(CALLS.get(), calls);
    out
}

/// Equal, where a NaN equals itself.
fn same(found: &[f64], known: &[f64]) {
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(found), bits(known), "{found:?}, not {known:?}");
}
