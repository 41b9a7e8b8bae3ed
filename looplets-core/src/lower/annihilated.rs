//! Factors that a condition chooses to be nothing: `ifelse(m[j], a[j], b[j]) * d[j]` where `a` stores nothing. A zero that is not
//! stored takes its product with it, whatever `d[j]` is; but which of the two it is, only the kernel finds out. So the condition
//! comes to stand around the product, `ifelse(m[j], 0, b[j] * d[j])`, also where a definition gives the factor a name. What
//! vanishes is the rules' affair: nothing does under `#![strict]`.

use super::chosen::{traps, Known};
use super::Lower;
use crate::cin::*;
use crate::ops::Op;
use crate::types::Ty;

impl Lower<'_> {
    /// `s` with each condition that makes nothing of a product around the product, or around the assignment if that is left out then.
    pub(super) fn asked_outside(&mut self, s: &Stmt) -> Stmt {
        let Some(mut known) = self.choices(s) else { return s.clone() };
        let s = s.map(&mut |e| known.chooses(e).then(|| self.with_asked_outside(e, &mut known)));
        self.asked_of_entries(s, &mut known)
    }

    fn with_asked_outside(&mut self, e: &Expr, known: &mut Known) -> Expr {
        let Expr::Call(op, args) = e else { return e.clone() };
        if !known.chooses(e) {
            return e.clone();
        }
        if known.may_ask() && (traps(op) || self.may_be_infinite(e)) {
            let way = self.ways(e, known, false).into_iter().find(|way| way.annihilates);
            if let Some(way) = way {
                let (first, arms) = self.arms(e, &way, known);
                let [then, otherwise] = arms.map(|arm| self.with_asked_outside(&arm, known));
                return Expr::call(Op::IfElse, [first, then, otherwise]);
            }
        }
        Expr::Call(op.clone(), args.iter().map(|a| self.with_asked_outside(a, known)).collect())
    }

    /// Whether a factor of it may be one that times 0 is not 0.
    fn may_be_infinite(&self, e: &Expr) -> bool {
        let whole = |ty: Ty| ty.is_integer() || matches!(ty, Ty::Bool | Ty::Index);
        !self.kernel.type_of(e).is_some_and(whole)
    }
}
