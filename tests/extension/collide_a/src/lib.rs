//! One of two crates that chose the same names for everything; `collide_b` is the other.

#[doc(hidden)]
pub use looplets;

use looplets::{fill, level, operator, rules, Fill};

/// How many children `fibers` fibers have.
pub fn count(fibers: usize, len: usize) -> Result<usize, String> {
    fibers.checked_mul(len).ok_or_else(|| String::from("too many"))
}

level! {
    /// A dense level, whose elements stand as `at` says.
    pub struct Foo<Child> {
        len: usize,
        child: Child,
    }
    // SAFETY: `at` gives a position of the fiber's own.
    unsafe invariant(fibers) { crate::count(fibers, len) }
    read walk, follow(p) { lookup(|i| child[crate::at(len, p, i)]) }
    read locate(p, i) { child[crate::at(len, p, i)] }
}

/// The position of element `i` of fiber `p`.
pub fn at(len: i64, p: i64, i: i64) -> i64 {
    p * len + i
}

level! {
    /// A dense level turned by `N`.
    pub struct Rot<Child, const N: usize> {
        len: usize,
        child: Child,
    }
    // SAFETY: `turned` gives a position of the fiber's own.
    unsafe invariant(fibers) { crate::count(fibers, len) }
    read walk, follow(p) { lookup(|i| child[crate::turned::<N>(len, p, i)]) }
    read locate(p, i) { child[crate::turned::<N>(len, p, i)] }
}

/// The position of element `i` of fiber `p`, turned by `N`.
pub fn turned<const N: usize>(len: i64, p: i64, i: i64) -> i64 {
    p * len + (i + N as i64) % len
}

fill! {
    /// Large, as this crate sees it.
    pub fill Big = big;
}
impl Fill<f64> for Big {
    const VALUE: f64 = 7.5;
}

/// Markers of one name in two modules.
pub mod one {
    looplets::fill! { /// Large.
    pub fill Big = big; }
    impl looplets::Fill<f64> for Big {
        const VALUE: f64 = 2.0;
    }
}

/// Markers of one name in two modules.
pub mod other {
    looplets::fill! { /// Large.
    pub fill Big = big; }
    impl looplets::Fill<f64> for Big {
        const VALUE: f64 = 3.0;
    }
}

fn twice(x: f64, n: usize) -> f64 {
    x * n as f64
}

fn less(x: f64) -> f64 {
    -x
}

fn single(x: f64) -> f64 {
    x + 100.0
}

operator! {
    /// The sum, as this crate sees it.
    pub fn add(a: f64, b: f64) -> f64 { a + b }
    commutative, inexact associative;
    identity 0;
    inexact repeated by twice;
}

operator! {
    /// Two of whose arguments are known to be another function's.
    pub fn mix(a: f64, b: f64) -> f64 { if b == 1.0 { single(a) } else { a * b } }
    case mix(a, 1) = single(a);
}

operator! {
    /// What this crate takes away undoes what it adds.
    pub fn undo(a: f64, b: f64) -> f64 { a + b }
    identity 0;
    inverse less;
}

operator! {
    /// The larger, from `Big` on.
    pub fn bound(a: f64, b: f64) -> f64 { a.max(b) }
    commutative, associative, idempotent;
    annihilator crate::Big;
}

operator! {
    /// Marks a value.
    pub fn mark(x: f64) -> f64 { x * 10.0 }
}

rules! {
    /// A mark on a mark.
    pub rules marks {
        use crate::mark;
        twice: "(mark (mark ?x))" => "(mark (* ?x 10))";
    }
}
