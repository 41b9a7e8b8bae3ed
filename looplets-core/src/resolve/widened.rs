//! Warns of products and differences of narrow integers that become wider: `s += a[i] * b[i]` of `u8` overflows in `u8`, also
//! where `s` is a `u64`. Rust refuses such a mixture; here operands widen by themselves, and so may be thought to have.

use super::access::type_name;
use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::written;
use crate::types::primitive;
use std::collections::BTreeSet;

impl<'a> Resolver<'a> {
    /// Warns if `e`, which is `value`, is computed in a type of integers, and then becomes `wide`, which
    /// holds results that the integers do not.
    pub(super) fn becomes_wider(&mut self, e: &ast::Expr, value: &Expr, wide: &Ty) {
        let Some(own) = self.kernel.type_of(value).filter(|own| own.limits().is_some()) else {
            return;
        };
        let holds_more = match wide {
            Ty::Named(name) => primitive(name) && *wide != own && !super::expr::is_size(wide),
            _ => false,
        };
        if !holds_more {
            return;
        }
        let Some((op, a, b)) = self.product_in(e, (&own, wide), None, &mut BTreeSet::new()) else {
            return;
        };
        if let Some(part) = [a, b].into_iter().find(|part| own.is_unsigned() && is_difference(part))
        {
            // Widened as a whole it would overflow before.
            let ast::Expr::Call { op, args } = part else { return };
            let [Some(a), Some(b)] = [written(&args[0]), written(&args[1])] else { return };
            let (is, wide) = (type_name(&own), type_name(wide));
            let note = format!("both sides of `-` are `{is}`, which has no negative numbers: write `abs_diff({a}, {b}) as {wide}` if the sign does not matter, or widen both sides first, `{a} as i64 - {b} as i64`");
            self.kernel.warn(Warning { span: op.span, name: "computed_in_a_narrower_type", note });
            return;
        }
        let (is, wide) = (type_name(&own), type_name(wide));
        let Some((left, right)) = written(a).zip(written(b)) else { return };
        let left = if matches!(a, ast::Expr::Call { .. }) { format!("({left})") } else { left };
        let right = if matches!(b, ast::Expr::Call { .. }) { format!("({right})") } else { right };
        let (symbol, what) = match op.op {
            Op::Mul => ("*", "the product is computed in it"),
            _ => ("-", "the difference is computed in it, which has no negative numbers,"),
        };
        let widened = match self.exact(a).is_some() {
            true => format!("{left} {symbol} {right} as {wide}"),
            false => format!("{left} as {wide} {symbol} {right}"),
        };
        let note = format!("both sides of `{symbol}` are `{is}`, so that {what} before it becomes `{wide}`: write `{widened}`, or `({left} {symbol} {right}) as {wide}` if that is meant");
        self.kernel.warn(Warning { span: op.span, name: "computed_in_a_narrower_type", note });
    }

    /// The first product in `e` of what is no literal, or difference that may be below 0, that its value is a sum of.
    /// Definitions are followed that stand before `user`, the one that `e` is of.
    fn product_in<'e>(
        &self,
        e: &'e ast::Expr,
        (own, wide): (&Ty, &Ty),
        user: Option<VarId>,
        seen: &mut BTreeSet<VarId>,
    ) -> Option<(&'e ast::OpRef, &'e ast::Expr, &'e ast::Expr)>
    where
        'a: 'e,
    {
        let (op, args) = match e {
            ast::Expr::Name(name) => {
                let (var, value) = self.definition(name, user)?;
                // A chain of definitions names each of them many times.
                if self.kernel.info(var).ty != *own || !seen.insert(var) {
                    return None;
                }
                return self.product_in(value, (own, wide), Some(var), seen);
            }
            ast::Expr::Call { op, args } if op.path.is_none() => (op, &args[..]),
            _ => return None,
        };
        // Twice what 32 bits hold is seldom met, and twice what 8 or 16 do soon.
        let most = own.limits().map_or(0, |(_, most)| most);
        let narrow = most <= i128::from(u16::MAX);
        let plain = |e: &ast::Expr| match self.exact(e) {
            Some(Lit::Int(n)) => !narrow || n < 2,
            exact => exact.is_some(),
        };
        match (&op.op, args) {
            (Op::Mul, [a, b]) if !plain(a) && !plain(b) => Some((op, a, b)),
            (Op::Sub, [a, b]) if own.is_unsigned() && !wide.is_unsigned() => Some((op, a, b)),
            (Op::Add | Op::Sub | Op::Mul, args) => {
                args.iter().find_map(|a| self.product_in(a, (own, wide), user, seen))
            }
            _ => None,
        }
    }
}

/// Whether `e` takes something away from another thing.
fn is_difference(e: &ast::Expr) -> bool {
    matches!(e, ast::Expr::Call { op, args } if op.op == Op::Sub && op.path.is_none() && args.len() == 2)
}
