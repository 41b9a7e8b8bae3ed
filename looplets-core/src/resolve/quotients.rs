//! Warns of quotients of whole numbers that become floats: `y[i] = 1 / n[i]` is 0 wherever `n[i]` is more than 1.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::written;
use std::collections::BTreeSet;

/// Where the operator of a quotient stands, and its sides.
type Quotient<'e> = (proc_macro2::Span, &'e ast::Expr, &'e ast::Expr);

impl<'a> Resolver<'a> {
    /// Warns if `e`, which is `value`, becomes a float, and is made of a quotient that was cut to a whole number before.
    pub(super) fn becomes_float(&mut self, e: &ast::Expr, value: &Expr) {
        // Literals alone take the type of what they meet, and are not cut.
        let of = self.kernel.type_of(value);
        let whole = of.is_some_and(|ty| ty == Ty::Index || ty.is_integer());
        let cut = if whole { self.quotient_in(e, None, &mut BTreeSet::new()) } else { None };
        let Some((at, a, b)) = cut else { return };
        let Some(instead) = as_floats(a, b) else { return };
        let note = format!("both sides of `/` are whole numbers here, so that the quotient is cut to one before it becomes a float: write `{instead}`, or `(..) as f64` around it if that is meant");
        self.kernel.warn(Warning { span: at, name: "quotient_of_whole_numbers", note });
    }

    /// The first quotient in `e`, a whole number, that its value is a sum or product of: its operator and its sides.
    /// Definitions are followed that stand before `user`, the one that `e` is of.
    fn quotient_in<'e>(
        &self,
        e: &'e ast::Expr,
        user: Option<VarId>,
        seen: &mut BTreeSet<VarId>,
    ) -> Option<Quotient<'e>>
    where
        'a: 'e,
    {
        match e {
            ast::Expr::Name(name) => {
                let (var, value) = self.definition(name, user)?;
                let ty = &self.kernel.info(var).ty;
                let whole = *ty == Ty::Index || ty.is_integer();
                // A chain of definitions names each of them many times.
                if whole && seen.insert(var) {
                    self.quotient_in(value, Some(var), seen)
                } else {
                    None
                }
            }
            ast::Expr::Call { op, args } if op.path.is_none() => match (&op.op, &args[..]) {
                (Op::Div, [a, b]) => Some((op.span, a, b)),
                (Op::Add | Op::Sub | Op::Mul | Op::Neg, args) => {
                    args.iter().find_map(|a| self.quotient_in(a, user, seen))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The definition that `name` is of, and its value: the last one before `user`, whose own value may have its name.
    pub(super) fn definition(
        &self,
        name: &proc_macro2::Ident,
        user: Option<VarId>,
    ) -> Option<(VarId, &'a ast::Expr)> {
        let before = |v: VarId| user.is_none_or(|user| v.0 < user.0);
        let mut scope = self.scope.iter().rev().filter(|(of, _)| name == of);
        let var = scope.find_map(|(_, meaning)| match meaning {
            Meaning::Var(v) => before(*v).then_some(Some(*v)),
            _ => Some(None),
        })??;
        Some((var, self.definitions.get(&var)?))
    }
}

/// `a / b` with one side a float. A literal without a suffix, `1.0` too, has the type of what it meets.
fn as_floats(a: &ast::Expr, b: &ast::Expr) -> Option<String> {
    let plain = |e: &ast::Expr| match e {
        ast::Expr::Lit(..) | ast::Expr::Name(_) | ast::Expr::Access { .. } => written(e),
        e => written(e).map(|e| format!("({e})")),
    };
    let (left, right) = (plain(a)?, plain(b)?);
    Some(match a {
        ast::Expr::Lit(Lit::Int(n), ..) => format!("{n}f64 / {right}"),
        _ => format!("{left} as f64 / {right}"),
    })
}
