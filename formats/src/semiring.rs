//! Ready operators for semirings other than that of `+` and `*`.
//!
//! A semiring is an addition, a multiplication, and a value that is the identity of the one and the
//! annihilator of the other; that value is the fill of its tensors, and what makes loops skip what is
//! not stored. In a kernel the addition is the reduction, `y[i] <<min>>= ..` or `y[i] += ..`, the
//! multiplication the expression on its right. Those of the language need nothing from here:
//!
//! | semiring | write | fill |
//! |---|---|---|
//! | plus-times | `y[i] += a[i, j] * x[j]` | `Zero` |
//! | or-and | `y[i] \|\|= a[i, j] && x[j]` | `Zero`, or a `Pattern` |
//! | xor-and | `y[i] ^= a[i, j] && x[j]` | `Zero`, or a `Pattern` |
//! | max-min | `y[i] <<max>>= min(a[i, j], x[j])` | `NegInf`; `Zero` of unsigned numbers |
//! | min-max | `y[i] <<min>>= max(a[i, j], x[j])` | `Inf`; the greatest of an integer type |
//! | min-plus | `y[i] <<min>>= min_plus(a[i, j], x[j])` | `Inf` |
//! | min-plus, integers | `y[i] <<min>>= min_plus_u32(a[i, j], x[j])`, also `_u64`, `_i64` | `MaxU32`, `MaxU64`, `MaxI64` |
//! | max-plus | `y[i] <<max>>= max_plus(a[i, j], x[j])` | `NegInf` |
//! | plus-first | `y[i] += first(a[i, j], x[j])` | `Zero` |
//! | plus-second | `y[i] += second(a[i, j], x[j])` | `Zero` |
//! | plus-pair | `y[i] += pair(a[i, j], x[j])` | `Zero` |
//! | min-second | `y[i] <<min>>= second(a[i, j], x[j])` | of `x` and `y`: `Inf`, `MaxU32`, .. |
//! | max-second | `y[i] <<max>>= second(a[i, j], x[j])` | of `x` and `y`: `NegInf`; `Zero` of unsigned numbers |
//! | any-second | `y[i] <<choose>>= second(a[i, j], x[j])` | the same for `x` and `y` |
//! | any-pair | `y[i] \|\|= a[i, j] && x[j]` | `Zero`, or a `Pattern` |
//!
//! `first` may stand where `second` does. *Any* is the reduction `choose` of the language, which keeps
//! the first value that is not the fill.
//!
//! ```
//! # use looplets_formats as looplets;
//! use looplets::*;
//!
//! finch! {
//!     #![steps(n)]
//!     use looplets::semiring::min_plus;
//!
//!     /// Distances by one edge more.
//!     fn relax(
//!         a: &Tensor<Dense<SparseList<Element<f64, Inf>>>>,
//!         d: &Tensor<SparseList<Element<f64, Inf>>>,
//!         n: &mut u64,
//!     ) -> (e: DenseVec<f64, Inf>) {
//!         for i, j { e[j] <<min>>= min_plus(d[i], a[i, j]) }
//!     }
//! }
//! let a = Tensor::from_triplets([100, 100], [([0, 7], 1.5), ([0, 9], 0.5), ([7, 9], 1.0)], Refuse)?;
//! let d = Tensor::from_triplets([100], [([0], 2.0)], Refuse)?;
//! let mut n = 0;
//! assert_eq!(relax(&a, &d, &mut n).to_dense()[7], 3.5);
//! // The one row of which the distance is known, and its two edges.
//! assert_eq!(n, 3);
//! # Ok::<(), looplets::Error>(())
//! ```
//!
//! The operators are declared by [`operator!`](macro@crate::operator), as yours can be: over a type of
//! your own, with a fill marker of its own by [`fill!`](macro@crate::fill).

use std::ops::Add;

crate::operator! {
    /// The first of two values, where both are stored.
    ///
    /// Elsewhere it is the fill of the first. Both arguments are made of tensors.
    pub fn first<A, B>(a: A, b: B) -> A {
        let _ = b;
        a
    }
    space a & b else a;
    total;
}

crate::operator! {
    /// The second of two values, where both are stored.
    ///
    /// Elsewhere it is the fill of the second. Both arguments are made of tensors.
    pub fn second<A, B>(a: A, b: B) -> B {
        let _ = a;
        b
    }
    space a & b else b;
    total;
}

crate::operator! {
    /// One where both values are stored, and nothing elsewhere: under `+` it counts.
    pub fn pair<A, B>(a: A, b: B) -> u64 {
        let _ = (a, b);
        1
    }
    space a & b else 0;
    total;
}

crate::operator! {
    /// The multiplication of min-plus over floats: the length of one path after another, infinite if
    /// one of them is.
    ///
    /// Minus infinity and NaN are no lengths. The length of three paths may be rounded as that of the last two is first, as of `+`.
    pub fn min_plus<T: Add<Output = T>>(a: T, b: T) -> T {
        a + b
    }
    commutative, associative;
    distributes over min;
    identity 0;
    annihilator inf;
    total over floats;
}

crate::operator! {
    /// The multiplication of max-plus over floats: minus infinity if one of both is.
    ///
    /// Plus infinity and NaN are no values of this semiring. Three may be grouped either way, and rounded so.
    pub fn max_plus<T: Add<Output = T>>(a: T, b: T) -> T {
        a + b
    }
    commutative, associative;
    distributes over max;
    identity 0;
    annihilator -inf;
    total over floats;
}

crate::fill! {
    /// The greatest `u32`, the infinity of [`min_plus_u32`].
    pub fill MaxU32: u32 = 4294967295;
}
crate::fill! {
    /// The greatest `u64`, the infinity of [`min_plus_u64`].
    pub fill MaxU64: u64 = 18446744073709551615;
}
crate::fill! {
    /// The greatest `i64`, the infinity of [`min_plus_i64`].
    pub fill MaxI64: i64 = 9223372036854775807;
}

crate::operator! {
    /// The multiplication of min-plus over `u32`: what is too far is infinitely far.
    pub fn min_plus_u32(a: u32, b: u32) -> u32 {
        a.saturating_add(b)
    }
    commutative, associative;
    distributes over min;
    identity 0;
    annihilator 4294967295;
    total;
}

crate::operator! {
    /// The multiplication of min-plus over `u64`: what is too far is infinitely far.
    pub fn min_plus_u64(a: u64, b: u64) -> u64 {
        a.saturating_add(b)
    }
    commutative, associative;
    distributes over min;
    identity 0;
    annihilator 18446744073709551615;
    total;
}

crate::operator! {
    /// The multiplication of min-plus over `i64`: infinite if one of both is, whatever the other.
    pub fn min_plus_i64(a: i64, b: i64) -> i64 {
        if a == i64::MAX || b == i64::MAX {
            i64::MAX
        } else {
            a.saturating_add(b)
        }
    }
    commutative;
    distributes over min;
    identity 0;
    annihilator 9223372036854775807;
    total;
}

crate::rules! {
    /// For kernels that write min-plus as `y[i] <<min>>= a[i, j] + x[j]`: an infinite sum stays
    /// infinite. Minus infinity and NaN are no lengths.
    pub rules shortest {
        #[inexact] infinite: "(+ inf ?r...)" => "inf" if present(r);
    }
}

crate::rules! {
    /// For kernels that write max-plus as `y[i] <<max>>= a[i, j] + x[j]`: minus infinity stays itself.
    /// Infinity and NaN are no values.
    pub rules longest {
        #[inexact] infinite: "(+ -inf ?r...)" => "-inf" if present(r);
    }
}
