//! Warns of quotients of whole numbers that are cut too early: before they become floats (`y[i] = 1 / n[i]` is 0 wherever `n[i]` is more
//! than 1), before they are multiplied (`c[i] / total * 100`), and before they are added up (`mean += x[i] / n`).

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use std::collections::BTreeSet;

/// Where the operator of a quotient stands, and its sides.
type Quotient<'e> = (proc_macro2::Span, &'e ast::Expr, &'e ast::Expr);

impl<'a> Resolver<'a> {
    /// Warns if `e`, which is `value`, becomes a float, and is made of a quotient that was cut to a whole number before.
    pub(super) fn becomes_float(&mut self, e: &ast::Expr, value: &Expr, float: &Ty) {
        // Literals alone take the type of what they meet, and are not cut.
        let of = self.kernel.type_of(value);
        let whole = of.is_some_and(|ty| ty == Ty::Index || ty.is_integer());
        let cut = if whole { self.quotient_in(e, None, &mut BTreeSet::new()) } else { None };
        let Some((at, a, b)) = cut else { return };
        let float = super::access::type_name(float);
        let Some(instead) = as_floats(a, b, &float) else { return };
        let note = format!("both sides of `/` are whole numbers here, so that the quotient is cut to one before it becomes a float: write `{instead}`, or `(..) as {float}` around it if that is meant");
        self.kernel.warn(Warning { span: at, name: "quotient_of_whole_numbers", note });
    }

    /// Warns of `(x[i] / 255) as f32` of `u8`, which is 0 but for one number: a share of the greatest is no whole number.
    pub(super) fn share_of_the_greatest(&mut self, e: &ast::Expr, own: &Ty, float: &Ty) {
        let ast::Expr::Call { op, args } = e else { return };
        let [a, ast::Expr::Lit(Lit::Int(by), ..)] = &args[..] else { return };
        let greatest = float.is_float() && own.limits().is_some_and(|(_, most)| *by >= most);
        let (Op::Div, true, Some(left)) = (&op.op, greatest, operand(a)) else { return };
        let [is, float] = [own, float].map(super::access::type_name);
        let note = format!("both sides of `/` are `{is}`, of which none is greater than {by}, so that the quotient is cut to 0: write `{left} as {float} / {by}` for a fraction");
        self.kernel.warn(Warning { span: op.span, name: "quotient_of_whole_numbers", note });
    }

    /// Warns if one of `factors`, a product of whole numbers, is a quotient as written, and not of what it is multiplied with: `i / 8 * 8`
    /// means what it says.
    pub(super) fn becomes_a_factor(&mut self, factors: &[ast::Expr]) {
        for (k, factor) in factors.iter().enumerate() {
            let Some((at, dividend, divisor)) = self.cut_to_whole(factor) else { continue };
            let others =
                factors.iter().enumerate().filter(|(n, _)| *n != k).map(|(_, f)| operand(f));
            let others: Option<Vec<String>> = others.collect();
            let (Some(others), Some(a), Some(b)) = (others, operand(dividend), operand(divisor))
            else {
                continue;
            };
            // The part of an index is what is meant.
            let index = |e: &ast::Expr| {
                matches!(e, ast::Expr::Name(name)
                if matches!(self.lookup(name), Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Index))
            };
            if index(dividend) {
                continue;
            }
            let same = |f: &ast::Expr| operand(uncast(f)).as_ref() == Some(&b);
            if factors.iter().any(same) {
                continue;
            }
            let others = others.join(" * ");
            let note = format!("both sides of `/` are whole numbers here, so that the quotient is cut to one before it is multiplied: write `{a} * {others} / {b}`, or name the quotient by a `let` of its own if that is meant");
            self.kernel.warn(Warning { span: at, name: "quotient_of_whole_numbers", note });
        }
    }

    /// Warns if `e`, which is added to a whole number, is cut by a divisor that all terms share.
    pub(super) fn becomes_a_term(&mut self, e: &ast::Expr) {
        if let ast::Expr::Call { op, args } = e {
            if matches!(op.op, Op::Add | Op::Sub | Op::Neg) && op.path.is_none() {
                return args.iter().for_each(|a| self.becomes_a_term(a));
            }
        }
        let Some((at, a, b)) = self.cut_to_whole(e) else { return };
        // `(x[i] + 1) / 2` rounds up on purpose.
        let literal = |e: &ast::Expr| matches!(e, ast::Expr::Lit(..));
        if matches!(a, ast::Expr::Call { op, args } if op.op == Op::Add && args.iter().any(literal))
        {
            return;
        }
        let shared = match b {
            ast::Expr::Lit(..) => true,
            ast::Expr::Name(name) => matches!(self.lookup(name),
                Some(Meaning::Var(v)) if self.kernel.info(v).kind != VarKind::Index && !self.definitions.contains_key(&v)),
            _ => false,
        };
        let (true, Some(b)) = (shared, operand(b)) else { return };
        let note = format!("both sides of `/` are whole numbers here, so that each term is cut to one before it is added: divide the sum by `{b}` instead, or name the quotient by a `let` of its own if each is to be cut");
        self.kernel.warn(Warning { span: at, name: "quotient_of_whole_numbers", note });
    }

    /// `e` as a quotient with an operand that is no literal.
    fn cut_to_whole<'e>(&self, e: &'e ast::Expr) -> Option<Quotient<'e>> {
        match e {
            ast::Expr::Call { op, args } if op.op == Op::Div && op.path.is_none() => {
                match &args[..] {
                    [ast::Expr::Lit(..), ast::Expr::Lit(..)] => None,
                    [a, b] => Some((op.span, a, b)),
                    _ => None,
                }
            }
            _ => None,
        }
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

/// `e` without the types that it is converted to.
fn uncast(e: &ast::Expr) -> &ast::Expr {
    match e {
        ast::Expr::Call { op, args } if matches!(op.op, Op::As(_) | Op::Cast(_)) => {
            uncast(&args[0])
        }
        _ => e,
    }
}

/// `e` as it may stand beside `*` and `/`, and before `as`.
fn operand(e: &ast::Expr) -> Option<String> {
    crate::parse::operand(e, &Op::As(Ty::Unknown))
}

/// `a / b` with one side a float. A literal without a suffix, `1.0` too, has the type of what it meets.
fn as_floats(a: &ast::Expr, b: &ast::Expr, float: &str) -> Option<String> {
    let (left, right) = (operand(a)?, operand(b)?);
    Some(match a {
        ast::Expr::Lit(Lit::Int(n), ..) => format!("{n}{float} / {right}"),
        _ => format!("{left} as {float} / {right}"),
    })
}
