//! The prover asked with expressions of which every leaf is an index that nothing writes.

use super::{Meaning, Prover, Sort, Term};
use crate::cin::{Expr, Lit, VarId};

/// Where all is as it was at the beginning.
struct Unwritten;

impl Meaning for Unwritten {
    fn sort(&self, e: &Expr) -> Sort {
        match e {
            Expr::Lit(Lit::Int(_) | Lit::Float(_)) => Sort::Literal,
            Expr::Lit(_) => Sort::Other,
            _ => Sort::Index,
        }
    }
    fn since(&self, _: &Expr) -> Option<u32> {
        Some(0)
    }
    fn fits_index(&self, _: &Expr) -> bool {
        true
    }
}

/// A prover with its door.
pub struct Known(Prover);

impl Known {
    pub fn new() -> Known {
        Known(Prover::new())
    }
    fn term(&self, e: &Expr) -> Term {
        self.0.term(e, &Unwritten).expect("an integer")
    }
    pub fn push(&mut self) {
        self.0.push();
    }
    pub fn pop(&mut self) {
        self.0.pop();
    }
    pub fn assume(&mut self, e: &Expr) {
        let cond = self.0.condition(e, &Unwritten);
        self.0.assume(&cond);
    }
    pub fn define(&mut self, var: VarId, value: &Expr) {
        let (var, value) = (self.term(&Expr::Var(var)), self.term(value));
        self.0.define(&var, &value);
    }
    pub fn infeasible(&self) -> bool {
        self.0.infeasible()
    }
    pub fn decide(&self, e: &Expr) -> Option<bool> {
        self.0.decide(&self.0.condition(e, &Unwritten))
    }
    pub fn le(&self, a: &Expr, b: &Expr) -> bool {
        self.0.le(&self.term(a), &self.term(b))
    }
    pub fn lt(&self, a: &Expr, b: &Expr) -> bool {
        self.0.lt(&self.term(a), &self.term(b))
    }
    pub fn eq(&self, a: &Expr, b: &Expr) -> bool {
        self.0.eq(&self.term(a), &self.term(b))
    }
    pub fn bound(&self, e: &Expr) -> Expr {
        self.0.bound(&self.term(e))
    }
}
