//! Assignments that reduce: `m = max(m, x)` is `m <<max>>= x`.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::written;
use proc_macro2::Ident;

impl Resolver<'_> {
    /// What the element `target` is reduced by and by which operator, if `value`, which is assigned to it, is that.
    pub(super) fn as_update<'e>(
        &self,
        target: &ast::Expr,
        value: &'e ast::Expr,
    ) -> Option<(Op, &'e ast::Expr)> {
        let (ast::Expr::Access { name, .. }, ast::Expr::Call { op, args }) = (target, value) else {
            return None;
        };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return None };
        let ty = &self.kernel.tensor(t).value;
        let primitive = *ty == Ty::Bool || ty.is_integer() || ty.is_float();
        let exact = !(self.kernel.strict && ty.is_float());
        let either = matches!(op.op, Op::Add | Op::Mul | Op::Min | Op::Max | Op::And | Op::Or);
        let builtin = !self.declares(&op.op) && (either || op.op == Op::Sub);
        if !(primitive && exact && builtin && self.plainly_dense(t)) {
            return None;
        }
        let own = written(target)?;
        let is_own = |e: &ast::Expr| written(e).is_some_and(|e| e == own);
        let other = match &args[..] {
            [a, other] if is_own(a) => other,
            [other, a] if is_own(a) && either => other,
            _ => return None,
        };
        Some((op.op.clone(), other))
    }

    /// What `name` is reduced by and by which operator, if `value`, which is assigned to it, is that: only a reduction leaves out
    /// what nothing stores.
    pub(super) fn as_reduction(&self, name: &Ident, value: Expr) -> (Option<Op>, Expr) {
        let Some(Meaning::Var(v)) = self.lookup(name) else { return (None, value) };
        let (own, ty) = (Expr::Var(v), self.kernel.info(v).ty.clone());
        if self.kernel.strict && ty.is_float() {
            return (None, value);
        }
        let whole = match &value {
            Expr::Call(Op::Fit(of), args) if *of == ty => &args[0],
            whole => whole,
        };
        let Expr::Call(op, args) = whole else { return (None, value) };
        let either = matches!(op, Op::Add | Op::Mul | Op::Min | Op::Max | Op::And | Op::Or);
        let other = match &args[..] {
            [a, other] if *a == own && (either || *op == Op::Sub) => other,
            // What a type of the user's own makes of the other order is not known.
            [other, a] if *a == own && either && ty != Ty::Unknown => other,
            _ => return (None, value),
        };
        let primitive = |ty: &Ty| *ty == Ty::Bool || ty.is_integer() || ty.is_float();
        let same = match (self.kernel.type_of(other), &ty) {
            // A scalar that is not declared has the type of what it is reduced by first.
            (Some(of), Ty::Unknown) => primitive(&of),
            (Some(of), ty) => primitive(ty) && of == *ty,
            (None, ty) => primitive(ty),
        };
        match same && !self.kernel.depends(other).contains(&v) {
            true => (Some(op.clone()), other.clone()),
            false => (None, value),
        }
    }
}
