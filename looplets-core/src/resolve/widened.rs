//! Warns of what is another thing before it has the type of its place. Products and differences of narrow integers become wider: `s += a[i] * b[i]` of `u8` overflows in `u8`, also
//! where `s` is a `u64`. Rust refuses such a mixture; here operands widen by themselves, and so may be thought to have.

use super::access::type_name;
use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::written;
use crate::types::primitive;

impl Resolver<'_> {
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
        let Some((op, a, b)) = self.product_in(e, &own, wide) else { return };
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
        let note = format!("both sides of `{symbol}` are `{is}`, so that {what} before it becomes `{wide}`: write `{left} as {wide} {symbol} {right}`, or `({left} {symbol} {right}) as {wide}` if that is meant");
        self.kernel.warn(Warning { span: op.span, name: "computed_in_a_narrower_type", note });
    }

    /// The first product in `e` of what is no literal, or difference that may be below 0, that its value is a sum of.
    fn product_in<'e>(
        &self,
        e: &'e ast::Expr,
        own: &Ty,
        wide: &Ty,
    ) -> Option<(&'e ast::OpRef, &'e ast::Expr, &'e ast::Expr)> {
        let ast::Expr::Call { op, args } = e else { return None };
        let plain = |e: &ast::Expr| self.exact(e).is_some();
        match (&op.op, &args[..]) {
            _ if op.path.is_some() => None,
            (Op::Mul, [a, b]) if !plain(a) && !plain(b) => Some((op, a, b)),
            (Op::Sub, [a, b]) if own.is_unsigned() && !wide.is_unsigned() => Some((op, a, b)),
            (Op::Add | Op::Sub | Op::Mul, args) => {
                args.iter().find_map(|a| self.product_in(a, own, wide))
            }
            _ => None,
        }
    }

    /// Warns if `e`, which is `value`, is `a && b` of numbers where a number is wanted: it is 1 or 0, and
    /// not `b`, as in languages where `and` chooses.
    pub(super) fn becomes_a_number(&mut self, e: &ast::Expr, value: &Expr, ty: &Ty) {
        let (ast::Expr::Call { op, args }, Expr::Call(Op::And | Op::Or, values)) = (e, value)
        else {
            return;
        };
        let of_float = |v: &Expr| match v {
            Expr::Call(Op::Ne, sides) => self.kernel.type_of(&sides[0]).filter(Ty::is_float),
            _ => None,
        };
        let compared =
            |a: &ast::Expr| matches!(a, ast::Expr::Call { op, .. } if op.op.is_comparison());
        let of = args.iter().zip(values).find_map(|(a, v)| of_float(v).filter(|_| !compared(a)));
        let (Some(of), false) = (of, matches!(ty, Ty::Bool | Ty::Unknown)) else { return };
        let [Some(a), Some(b)] = [written(&args[0]), written(&args[1])] else { return };
        let (symbol, choice) = match op.op {
            Op::And => ("&&", format!("ifelse({b} != 0, {a}, 0)")),
            _ => ("||", format!("ifelse({a} != 0, {a}, {b})")),
        };
        let of = type_name(&of);
        let note = format!("`{symbol}` of `{of}` is `true` or `false`, and so 1 or 0 here: a choice of numbers is `{choice}`, and what is meant to be 1 or 0 is `{a} != 0 {symbol} {b} != 0`");
        self.kernel.warn(Warning { span: op.span, name: "truth_of_numbers", note });
    }

    /// Warns of `best <<minby>>= (i, x[i])`, whose least first part is the first `i` there is.
    pub(super) fn best_of_indices(&mut self, op: &ast::OpRef, e: &ast::Expr, value: &Expr) {
        let Expr::Call(Op::Tuple, parts) = value else { return };
        let of_loop =
            |e: &Expr| matches!(e, Expr::Var(v) if self.kernel.info(*v).kind == VarKind::Index);
        let ast::Expr::Call { args, .. } = e else { return };
        let (Some(first), Some(second)) = (parts.first(), parts.get(1)) else { return };
        // Under a condition it is the first or last place where that holds.
        if self.conditions > 0 || !of_loop(first) || of_loop(second) {
            return;
        }
        let [Some(i), Some(x)] = [written(&args[0]), written(&args[1])] else { return };
        let by = op.op.name();
        let note = format!("`{by}` compares first parts, and this one is the index of a loop, whatever `{x}` is: write `({x}, {i})`, and the place of the best is the second part");
        self.kernel.warn(Warning { span: args[0].span(), name: "best_of_indices", note });
    }
}

/// Whether `e` takes something away from another thing.
fn is_difference(e: &ast::Expr) -> bool {
    matches!(e, ast::Expr::Call { op, args } if op.op == Op::Sub && op.path.is_none() && args.len() == 2)
}
