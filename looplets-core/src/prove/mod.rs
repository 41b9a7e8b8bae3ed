//! Decides inequalities of indices under path conditions, so that lowering leaves no dead region,
//! idle `min` or needless guard behind.
//!
//! The facts are difference bounds `x - y <= c` over the integers, kept closed (`difference`),
//! with inference on top for definitions by `min` and `max`, for `!=`, for sums of more than
//! two terms (`infer`), and for quotients, remainders and products (`quotient`). What the closed graph does not answer is tried by refutation: assume
//! the opposite in a scope of its own and infer.
//!
//! Everything is an integer here, and has one value: what is asked and what is assumed are [`Term`]s and
//! [`Condition`]s, which `term` makes of expressions, and nothing else does. An expression whose value is
//! assigned, or an array whose elements are, is another value from then on; a float is none.

mod affine;
mod bound;
mod condition;
mod difference;
mod facts;
mod infer;
mod quotient;
#[cfg(test)]
mod random_tests;
mod sums;
mod term;
#[cfg(test)]
mod test_door;
#[cfg(test)]
mod tests;

pub use affine::{canonical, Affine};

pub use term::{Condition, Meaning, Sort, Term};

use crate::cin::{Expr, Op};
use facts::Facts;
use std::cell::RefCell;
use term::Numbers;

/// Path conditions and what follows from them.
///
/// Every answer is sound: it holds in each integer assignment that satisfies the assumptions. In
/// a contradictory scope everything holds; there [`Prover::infeasible`] is true, [`Prover::le`]
/// and its kind are too, and [`Prover::decide`] says `Some(false)`, so that a dead guard guards
/// nothing.
pub struct Prover {
    // Questions try out assumptions in scopes that are undone before the answer is given.
    facts: RefCell<Facts>,
    numbers: RefCell<Numbers>,
}

impl Default for Prover {
    fn default() -> Prover {
        Prover::new()
    }
}

impl Prover {
    /// A prover that assumes nothing.
    pub fn new() -> Prover {
        Prover { facts: RefCell::new(Facts::new()), numbers: RefCell::default() }
    }

    /// `e` as it is at the point that `meaning` describes; `None` if it is no integer.
    pub fn term(&self, e: &Expr, meaning: &dyn Meaning) -> Option<Term> {
        self.numbers.borrow_mut().term(e, meaning)
    }

    /// `e`, a condition, as it is at the point that `meaning` describes.
    pub fn condition(&self, e: &Expr, meaning: &dyn Meaning) -> Condition {
        self.numbers.borrow_mut().condition(e, meaning)
    }

    /// How much it has done so far, in bounds looked at.
    pub fn work(&self) -> u64 {
        self.facts.borrow().differences.work()
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
    pub fn assume(&mut self, cond: &Condition) {
        self.facts.get_mut().assume(cond.numbered(), true);
    }

    /// Takes `term` to be `value`, in which `min` and `max` may occur.
    pub fn define(&mut self, term: &Term, value: &Term) {
        let facts = self.facts.get_mut();
        if let Some(form) =
            Affine::expanded(term.numbered()).minus(&Affine::expanded(value.numbered()))
        {
            facts.assert_equal(&form);
            facts.infer();
        }
    }

    /// Whether the assumptions contradict each other: the region is dead.
    pub fn infeasible(&self) -> bool {
        self.facts.borrow().differences.contradiction()
    }

    /// The value of a condition wherever the assumptions hold, or `None` if it is not known.
    pub fn decide(&self, cond: &Condition) -> Option<bool> {
        self.facts.borrow_mut().decide(cond.numbered())
    }

    /// Whether `a <= b` is certain.
    pub fn le(&self, a: &Term, b: &Term) -> bool {
        self.holds(Op::Le, a, b)
    }

    /// Whether `a < b` is certain.
    pub fn lt(&self, a: &Term, b: &Term) -> bool {
        self.holds(Op::Lt, a, b)
    }

    /// Whether `a == b` is certain.
    pub fn eq(&self, a: &Term, b: &Term) -> bool {
        self.holds(Op::Eq, a, b)
    }

    fn holds(&self, op: Op, a: &Term, b: &Term) -> bool {
        self.infeasible() || self.decide(&Condition::compare(op, a, b)) == Some(true)
    }

    /// An expression equal to `term` wherever the assumptions hold, in canonical form: nested `min`
    /// and `max` flattened, arguments that others dominate dropped, constants folded, sums in
    /// affine normal form, and what can have one value only replaced by it.
    pub fn bound(&self, term: &Term) -> Expr {
        let bound = self.facts.borrow_mut().bound(term.numbered());
        self.numbers.borrow().expression(&bound)
    }
}
