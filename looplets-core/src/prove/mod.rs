//! Decides inequalities of indices under path conditions, so that lowering leaves no dead region,
//! idle `min` or needless guard behind.
//!
//! The facts are difference bounds `x - y <= c` over the integers, kept closed (`difference`),
//! with inference on top for definitions by `min` and `max`, for `!=`, and for sums of more than
//! two terms (`infer`). What the closed graph does not answer is tried by refutation: assume
//! the opposite in a scope of its own and infer.
//!
//! Everything is an integer here and every call is a pure function. Whoever asks keeps
//! conditions over floating values away, and opens a scope around facts about a variable or an
//! array element that the generated code changes later.

mod affine;
mod bound;
mod condition;
mod difference;
mod facts;
mod infer;
#[cfg(test)]
mod random_tests;
mod sums;
#[cfg(test)]
mod tests;

pub use affine::{canonical, Affine};

use crate::cin::{Expr, Op, VarId};
use facts::Facts;
use std::cell::RefCell;

/// Path conditions and what follows from them.
///
/// Every answer is sound: it holds in each integer assignment that satisfies the assumptions. In
/// a contradictory scope everything holds; there [`Prover::infeasible`] is true, [`Prover::le`]
/// and its kind are too, and [`Prover::decide`] says `Some(false)`, so that a dead guard guards
/// nothing.
pub struct Prover {
    // Questions try out assumptions in scopes that are undone before the answer is given.
    facts: RefCell<Facts>,
}

impl Default for Prover {
    fn default() -> Prover {
        Prover::new()
    }
}

impl Prover {
    /// A prover that assumes nothing.
    pub fn new() -> Prover {
        Prover { facts: RefCell::new(Facts::new()) }
    }

    /// Opens a scope: [`Prover::pop`] forgets what was assumed since.
    pub fn push(&mut self) {
        self.facts.get_mut().push();
    }

    /// Closes the innermost scope.
    pub fn pop(&mut self) {
        self.facts.get_mut().pop();
    }

    /// Takes `cond` to be true: comparisons, `and`, `or`, `not` of them; anything else is
    /// remembered as it stands.
    pub fn assume(&mut self, cond: &Expr) {
        self.facts.get_mut().assume(cond, true);
    }

    /// Takes the integer `var` to be `value`, in which `min` and `max` may occur.
    pub fn define(&mut self, var: VarId, value: &Expr) {
        let facts = self.facts.get_mut();
        if let Some(form) = Affine::of(&Expr::Var(var)).minus(&Affine::of(value)) {
            facts.assert_equal(&form);
            facts.infer();
        }
    }

    /// Whether the assumptions contradict each other: the region is dead.
    pub fn infeasible(&self) -> bool {
        self.facts.borrow().differences.contradiction()
    }

    /// The value of a condition wherever the assumptions hold, or `None` if it is not known.
    pub fn decide(&self, cond: &Expr) -> Option<bool> {
        self.facts.borrow_mut().decide(cond)
    }

    /// Whether `a <= b` is certain.
    pub fn le(&self, a: &Expr, b: &Expr) -> bool {
        self.holds(Op::Le, a, b)
    }

    /// Whether `a < b` is certain.
    pub fn lt(&self, a: &Expr, b: &Expr) -> bool {
        self.holds(Op::Lt, a, b)
    }

    /// Whether `a == b` is certain.
    pub fn eq(&self, a: &Expr, b: &Expr) -> bool {
        self.holds(Op::Eq, a, b)
    }

    fn holds(&self, op: Op, a: &Expr, b: &Expr) -> bool {
        self.infeasible() || self.decide(&Expr::call(op, [a.clone(), b.clone()])) == Some(true)
    }

    /// An expression equal to `e` wherever the assumptions hold, in canonical form: nested `min`
    /// and `max` flattened, arguments that others dominate dropped, constants folded, sums in
    /// affine normal form, and what can have one value only replaced by it.
    pub fn bound(&self, e: &Expr) -> Expr {
        self.facts.borrow_mut().bound(e)
    }
}
