//! Interval arithmetic as operators: sums, products, hulls and intersections of bounds on what is measured.
//!
//! The operators are ordinary functions of Rust. A kernel that brings them in by `use` knows their algebra:
//!
//! ```
//! use interval::{Anything, Interval};
//! use looplets::*;
//!
//! finch! {
//!     #![steps(n)]
//!     use interval::meet;
//!     /// What all measurements agree on.
//!     fn agree(a: &Tensor<SparseList<Element<Interval, Anything>>>, s: &mut Interval, n: &mut u64) {
//!         for i { s <<meet>>= a[i] }
//!     }
//! }
//! let measured = [([3], Interval::of(1.0, 4.0)), ([70], Interval::of(2.0, 9.0))];
//! let a = Tensor::from_triplets([1000], measured, Refuse)?;
//! let (mut s, mut n) = (Interval::ALL, 0);
//! agree(&a, &mut s, &mut n);
//! assert_eq!((s, n), (Interval::of(2.0, 4.0), 2));
//! # Ok::<(), looplets::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

use looplets::{fill, operator};

/// All numbers from `lo` to `hi`; none if `lo` is greater.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least.
    pub lo: f64,
    /// The greatest.
    pub hi: f64,
}

impl Interval {
    /// What holds nothing.
    pub const NONE: Interval = Interval { lo: f64::INFINITY, hi: f64::NEG_INFINITY };
    /// What holds everything.
    pub const ALL: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// The one number.
    #[must_use]
    pub const fn exactly(x: f64) -> Interval {
        Interval { lo: x, hi: x }
    }

    /// The numbers from `lo` to `hi`, or none.
    #[must_use]
    pub fn of(lo: f64, hi: f64) -> Interval {
        if lo <= hi { Interval { lo, hi } } else { Interval::NONE }
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Interval::NONE
    }
}

fill! {
    /// Zero, exactly: what a sparse tensor of measurements leaves out.
    pub fill Nought: Interval = Interval::exactly(0.0);
}
fill! {
    /// One, exactly.
    pub fill Unit: Interval = Interval::exactly(1.0);
}
fill! {
    /// No number at all.
    pub fill Nothing: Interval = Interval::NONE;
}
fill! {
    /// Any number: nothing is known.
    pub fill Anything: Interval = Interval::ALL;
}

operator! {
    /// Sums of a number of each. Regrouping moves the last digit, as it does for the numbers.
    #[must_use]
    pub fn plus(a: Interval, b: Interval) -> Interval {
        if a.is_none() || b.is_none() {
            return Interval::NONE;
        }
        // Bounds of opposite infinities never meet on one side: a lower one is not `inf`.
        Interval { lo: a.lo + b.lo, hi: a.hi + b.hi }
    }
    commutative, inexact associative;
    identity crate::Nought;
    annihilator crate::Nothing;
    distributes over crate::hull;
    inexact repeated by crate::times;
}

operator! {
    /// Products of a number of each.
    #[must_use]
    pub fn by(a: Interval, b: Interval) -> Interval {
        if a.is_none() || b.is_none() {
            return Interval::NONE;
        }
        // Zero times what is not bounded is zero: no number in it is infinite.
        let product = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        let all = [product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)];
        Interval {
            lo: all.into_iter().fold(f64::INFINITY, f64::min),
            hi: all.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }
    commutative, inexact associative;
    identity crate::Unit;
    // Of what holds nothing there is no product, but no measurement is that.
    inexact annihilator crate::Nought;
}

operator! {
    /// The least interval around both.
    #[must_use]
    pub fn hull(a: Interval, b: Interval) -> Interval {
        Interval { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }
    }
    commutative, associative, idempotent;
    identity crate::Nothing;
    annihilator crate::Anything;
}

operator! {
    /// What both hold.
    #[must_use]
    pub fn meet(a: Interval, b: Interval) -> Interval {
        Interval::of(a.lo.max(b.lo), a.hi.min(b.hi))
    }
    commutative, associative, idempotent;
    identity crate::Anything;
    annihilator crate::Nothing;
}

operator! {
    /// How far apart the bounds are.
    #[must_use]
    pub fn width(a: Interval) -> f64 {
        if a.is_none() { 0.0 } else { a.hi - a.lo }
    }
    case width(crate::Nought) = 0;
    case width(crate::Unit) = 0;
    case width(crate::Nothing) = 0;
    case width(crate::Anything) = inf;
    cost 16;
}

/// The sum of `n` numbers of `a`, each a choice of its own.
#[must_use]
#[allow(clippy::cast_precision_loss)]
pub fn times(a: Interval, n: usize) -> Interval {
    Interval::of(a.lo * n as f64, a.hi * n as f64)
}
