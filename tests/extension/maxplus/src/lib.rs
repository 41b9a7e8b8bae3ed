//! The semiring of best paths, where `best` adds and `then` multiplies, and rules that hold in it.
//!
//! A program brings operators in by name, and the rules if it wants them:
//!
//! ```
//! use looplets::*;
//! use maxplus::{Never, Score};
//!
//! finch! {
//!     #![steps(n)]
//!     use maxplus::{best, maxplus, then, wait};
//!     /// The best that a way ending at some step comes to, if each step before costs one.
//!     fn leave(a: &Tensor<RunList<Element<Score, Never>>>, t: &mut Score, n: &mut u64) {
//!         for i { t <<best>>= then(a[i], wait(i)) }
//!     }
//! }
//! let a = Tensor::from_dense([1000], &[Score(7); 1000])?;
//! let (mut t, mut n) = (Score::NEVER, 0);
//! leave(&a, &mut t, &mut n);
//! // One run, of which the first step is the best.
//! assert_eq!((t, n), (Score(7), 1));
//! # Ok::<(), looplets::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unreachable_pub, clippy::all)]

// Declarations travel to crates that may call `looplets` something else.
#[doc(hidden)]
pub use looplets;

use looplets::{fill, operator, rules};

/// What a way is worth; the least `i32` says that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub i32);

impl Score {
    /// There is no way.
    pub const NEVER: Score = Score(i32::MIN);
}

fill! {
    /// No way: the zero of the semiring.
    pub fill Never: Score = Score::NEVER;
}
fill! {
    /// The way of no steps: the one of the semiring.
    pub fill Start: Score = Score(0);
}

operator! {
    /// The better of two ways.
    pub fn best(a: Score, b: Score) -> Score { a.max(b) }
    commutative, associative, idempotent;
    identity crate::Never;
}

operator! {
    /// One way and then the other.
    pub fn then(a: Score, b: Score) -> Score {
        if a == Score::NEVER || b == Score::NEVER { Score::NEVER } else { Score(a.0 + b.0) }
    }
    commutative, associative;
    identity crate::Start;
    annihilator crate::Never;
    distributes over crate::best;
}

operator! {
    /// What it costs to wait for `i` steps.
    pub fn wait(i: i64) -> Score { Score(-(i as i32)) }
    case wait(0) = crate::Start;
}

rules! {
    /// What is true of `best`, `then` and `wait` together, and of loops of them.
    pub rules maxplus {
        use crate::{best, then, wait, Start};

        /// Nobody gains by waiting first.
        patience: "(best ?x (then (wait ?n) ?x))" => "?x" if not_negative(n);
        /// Nor by waiting alone.
        at_once: "(best Start (wait ?n) ?r...)" => "(best Start ?r...)" if not_negative(n);
        /// Waits add up.
        waits: "(then (wait ?n) (wait ?m) ?r...)" => "(then (wait (+ ?n ?m)) ?r...)";
        /// Of ways that differ by their wait only, the first of a loop is the best.
        soonest: "(loop ?i ?lo ?hi (assign best ?t (then (wait ?i) ?v...)))"
              => "(sieve (< ?lo ?hi) (assign best ?t (then (wait ?lo) ?v...)) pass)"
              if invariant(i, t, v), untouched(t, v);
        /// The same once waits were added up: rules see terms as others have left them.
        soonest_later: "(loop ?i ?lo ?hi (assign best ?t (then (wait (+ ?i ?d...)) ?v...)))"
              => "(sieve (< ?lo ?hi) (assign best ?t (then (wait (+ ?lo ?d...)) ?v...)) pass)"
              if invariant(i, t, d, v), untouched(t, d, v);
        /// The same where there is nothing but the wait.
        soonest_alone: "(loop ?i ?lo ?hi (assign best ?t (wait ?i)))"
              => "(sieve (< ?lo ?hi) (assign best ?t (wait ?lo)) pass)"
              if invariant(i, t);
    }
}
