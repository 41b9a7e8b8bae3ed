//! Warns of products, sums and differences of integers that become wider: `s += a[i] * b[i]` of `u8` overflows in `u8`, also
//! where `s` is a `u64`. Rust refuses such a mixture; here operands widen by themselves, and so may be thought to have. A
//! difference with a coordinate is one of coordinates, which may be below 0.

use super::access::type_name;
use super::converted::converted;
use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::{operand, written};
use crate::types::primitive;
use std::collections::BTreeSet;

impl<'a> Resolver<'a> {
    /// Warns if `e`, which is `value`, is computed in a type of integers, and then becomes `wide`, which
    /// holds results that the integers do not.
    pub(super) fn becomes_wider(&mut self, e: &ast::Expr, value: &Expr, wide: &Ty) {
        let integer = |own: &Ty| own.limits().is_some() || super::expr::is_size(own);
        let Some(own) = self.kernel.type_of(value).filter(integer) else { return };
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
            let [Some(left), Some(right)] = [to_be_cast(&args[0]), to_be_cast(&args[1])] else {
                return;
            };
            let (is, wide) = (type_name(&own), type_name(wide));
            let note = format!("both sides of `-` are `{is}`, which has no negative numbers: write `abs_diff({a}, {b}) as {wide}` if the sign does not matter, or widen both sides first, `{left} as i64 - {right} as i64`");
            self.kernel.warn(Warning { span: op.span, name: "computed_in_a_narrower_type", note });
            return;
        }
        let (is, wide) = (type_name(&own), type_name(wide));
        let Some((left, right)) = written(a).zip(written(b)) else { return };
        let plain = |e: &ast::Expr, text: String| match e {
            ast::Expr::Call { .. } => format!("({text})"),
            _ => text,
        };
        // What is converted as a whole has overflowed before.
        let as_wide = |e: &ast::Expr, text: &str| match e {
            ast::Expr::Call { op, .. } if matches!(op.op, Op::Add | Op::Sub | Op::Mul) => {
                format!("({})", converted(e, &wide))
            }
            e => format!("{} as {wide}", plain(e, text.to_owned())),
        };
        let (symbol, what) = match op.op {
            Op::Mul => ("*", "the product is computed in it"),
            Op::Add => ("+", "the sum is computed in it"),
            Op::Shl => ("<<", "what is shifted out of it is lost"),
            _ => ("-", "the difference is computed in it, which has no negative numbers,"),
        };
        let widened = match self.exact(a).is_some() {
            true => format!("{left} {symbol} {}", as_wide(b, &right)),
            false => format!("{} {symbol} {}", as_wide(a, &left), plain(b, right.clone())),
        };
        let (left, right) = (plain(a, left), plain(b, right));
        let note = format!("both sides of `{symbol}` are `{is}`, so that {what} before it becomes `{wide}`: write `{widened}`, or `({left} {symbol} {right}) as {wide}` if that is meant");
        self.kernel.warn(Warning { span: op.span, name: "computed_in_a_narrower_type", note });
    }

    /// Warns of `(x[i] - y[i]) as f64` of unsigned numbers: the difference is one of these, and then converted.
    pub(super) fn below_nothing(&mut self, e: &ast::Expr, own: &Ty, to: &Ty) {
        let unsigned = own.is_unsigned() || own.text() == "usize";
        let (ast::Expr::Call { op, args }, true) = (e, unsigned && is_difference(e)) else {
            return;
        };
        if to.is_unsigned() || super::expr::is_size(to) {
            return;
        }
        if self.known_greater(&args[0], &args[1]) || self.largest(&args[0], own) {
            return;
        }
        // Positions of one tensor lie in order.
        let tensor = |e: &ast::Expr| match e {
            ast::Expr::Access { name, .. } => Some(name.clone()),
            _ => None,
        };
        let one = tensor(&args[0]).is_some() && tensor(&args[0]) == tensor(&args[1]);
        if super::expr::is_size(own) && one {
            return;
        }
        let [Some(a), Some(b)] = [written(&args[0]), written(&args[1])] else { return };
        let [Some(left), Some(right)] = [to_be_cast(&args[0]), to_be_cast(&args[1])] else {
            return;
        };
        let (is, wide) = (type_name(own), type_name(to));
        let note = format!("both sides of `-` are `{is}`, which has no negative numbers: write `{left} as {wide} - {right} as {wide}`, or `abs_diff({a}, {b}) as {wide}` if the sign does not matter");
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
        let narrow = is_narrow(own);
        let plain = |e: &ast::Expr| match self.exact(e) {
            Some(Lit::Int(n)) => !narrow || n < 2,
            exact => exact.is_some(),
        };
        match (&op.op, args) {
            (Op::Mul, [a, b]) if !plain(a) && !plain(b) && !super::expr::is_size(own) => {
                Some((op, a, b))
            }
            (Op::Add, [a, b]) if narrow && !self.is_literal(a) && !self.is_literal(b) => {
                Some((op, a, b))
            }
            (Op::Shl, [a, b]) if narrow && !self.is_literal(a) => Some((op, a, b)),
            (Op::Sub, [a, b])
                if own.is_unsigned()
                    && !wide.is_unsigned()
                    && (!super::expr::is_size(own) || !self.is_length(a, b)) =>
            {
                Some((op, a, b))
            }
            (Op::Add | Op::Sub | Op::Mul, args) => {
                args.iter().find_map(|a| self.product_in(a, (own, wide), user, seen))
            }
            _ => None,
        }
    }
}

impl Resolver<'_> {
    /// `value`, which becomes a float or a signed number: a difference of a coordinate and a size is one of coordinates, as it is
    /// where it is compared, since it may be below 0.
    pub(super) fn difference_of_coordinates(&self, value: Expr) -> Expr {
        let is_coordinate = |e: &Expr| {
            let own = match e {
                Expr::Call(Op::Cast(_), args) => self.kernel.type_of(&args[0]),
                e => self.kernel.type_of(e),
            };
            own == Some(Ty::Index)
        };
        let (mut takes_away, mut of_coordinate) = (false, false);
        value.walk(&mut |e| {
            takes_away |= matches!(e, Expr::Call(Op::Sub | Op::Neg, _));
            of_coordinate |= is_coordinate(e);
        });
        let size = self.kernel.type_of(&value).is_some_and(|own| super::expr::is_size(&own));
        if size && takes_away && of_coordinate {
            self.as_compared(value)
        } else {
            value
        }
    }

    /// Whether the difference of the sizes `a` and `b` is seldom below 0: `pos[i + 1] - pos[i]`, `n - 1` or `$(x.len()) - m`.
    fn is_length(&self, a: &ast::Expr, b: &ast::Expr) -> bool {
        let same = match (a, b) {
            (ast::Expr::Access { name: a, .. }, ast::Expr::Access { name: b, .. }) => a == b,
            _ => false,
        };
        let embedded = matches!(a, ast::Expr::Escape(..));
        let index = self.has_index(a) || self.has_index(b);
        !index && (same || embedded || self.is_literal(b))
    }

    /// Whether `e` is the index of a loop, or a sum of one.
    fn has_index(&self, e: &ast::Expr) -> bool {
        match e {
            ast::Expr::Name(name) => matches!(self.lookup(name),
                Some(Meaning::Var(v)) if self.kernel.info(v).kind == VarKind::Index),
            ast::Expr::Call { op, args } => {
                matches!(op.op, Op::Add | Op::Sub | Op::Mul | Op::Neg)
                    && args.iter().any(|a| self.has_index(a))
            }
            _ => false,
        }
    }

    /// Warns of `(a[i] + b[i]) / 2` and `min(a[i] + b[i], 255)` of narrow integers: what is divided, or cut, is computed in them.
    pub(super) fn cut_after_overflow(&mut self, op: &Op, args: &[ast::Expr], values: &[Expr]) {
        if !matches!(op, Op::Div | Op::Shr | Op::Min) {
            return;
        }
        let parts = match op {
            // `min(a[i], a[i] + 1)` asks whether it overflows.
            Op::Min if args.iter().filter(|a| self.exact(a).is_none()).count() > 1 => 0,
            Op::Min => args.len(),
            _ => 1,
        };
        for (e, value) in args.iter().zip(values).take(parts) {
            let own = self.kernel.type_of(value).filter(is_narrow);
            let ast::Expr::Call { op: sum, args: terms } = e else { continue };
            let (Some(own), [a, b], None) = (own, &terms[..], &sum.path) else { continue };
            let (symbol, what) = match sum.op {
                Op::Add => ("+", "sum"),
                Op::Mul => ("*", "product"),
                _ => continue,
            };
            // `(x[i] + 1) / 2` rounds, and overflows for one number alone; `min(x[i] + 40, 255)` does for many.
            let literal = self.is_literal(a) || self.is_literal(b);
            if self.holds_whatever(a, b, &own, sum.op == Op::Mul) {
                continue;
            }
            if literal && *op != Op::Min && sum.op == Op::Add {
                continue;
            }
            let (Some(a), Some(b)) = (written(a), written(b)) else { continue };
            let is = type_name(&own);
            let widened = converted(e, if own.is_unsigned() { "u32" } else { "i32" });
            let instead = match (op, sum.op == Op::Add) {
                (Op::Min, true) => {
                    format!("`saturating_add({a}, {b})` to cut it at the greatest `{is}`")
                }
                _ => format!("`{widened}`, and `(..) as {is}` around the whole"),
            };
            let note = format!("both sides of `{symbol}` are `{is}`, so that the {what} is computed in it, and overflows before it is cut: write {instead}");
            let name = "computed_in_a_narrower_type";
            self.kernel.warn(Warning { span: sum.span, name, note });
        }
    }

    /// Warns of `max(a[i] - 50, 0)` of unsigned numbers, whose difference is never below 0.
    pub(super) fn cut_below_nothing(&mut self, op: &Op, args: &[ast::Expr], values: &[Expr]) {
        let zero = |e: &ast::Expr| matches!(self.exact(e), Some(Lit::Int(0)));
        let (Op::Max, [first, second]) = (op, args) else { return };
        let (e, value) = match (zero(first), zero(second)) {
            (false, true) => (first, &values[0]),
            (true, false) => (second, &values[1]),
            _ => return,
        };
        let own = self.kernel.type_of(value).filter(Ty::is_unsigned);
        let (Some(own), ast::Expr::Call { op: minus, args: sides }) = (own, e) else { return };
        let (Op::Sub, None, [a, b]) = (&minus.op, &minus.path, &sides[..]) else { return };
        // As a coordinate it may be below 0.
        if self.has_index(a) || self.has_index(b) {
            return;
        }
        let (Some(a), Some(b)) = (written(a), written(b)) else { return };
        let is = type_name(&own);
        let note = format!("both sides of `-` are `{is}`, which has no negative numbers, so that the difference overflows before it is cut at 0: write `saturating_sub({a}, {b})`");
        let name = "computed_in_a_narrower_type";
        self.kernel.warn(Warning { span: minus.span, name, note });
    }

    /// Whether the sum, or the `product`, of `a` and `b` has a value in `own` whatever they are: both are converted from fewer bits.
    fn holds_whatever(&self, a: &ast::Expr, b: &ast::Expr, own: &Ty, product: bool) -> bool {
        let most = |e: &ast::Expr| -> Option<i128> {
            if let Some(Lit::Int(n)) = self.exact(e) {
                return Some(n.abs());
            }
            let ast::Expr::Call { op, args } = e else { return None };
            let (Op::As(_), [of]) = (&op.op, &args[..]) else { return None };
            let ast::Expr::Access { name, .. } = of else { return None };
            let Some(Meaning::Tensor(t)) = self.lookup(name) else { return None };
            let (least, most) = self.kernel.tensor(t).value.limits()?;
            Some(most.max(-least))
        };
        let (Some(a), Some(b), Some((_, limit))) = (most(a), most(b), own.limits()) else {
            return false;
        };
        let result = if product { a.checked_mul(b) } else { a.checked_add(b) };
        result.is_some_and(|result| result <= limit)
    }

    /// Whether a condition around, or one of a choice, compares `a` with `b`: it says which is the greater.
    fn known_greater(&self, a: &ast::Expr, b: &ast::Expr) -> bool {
        let is = |e: &ast::Expr, of: Op| matches!(e, ast::Expr::Call { op, .. } if op.op == of);
        // What two have less what they share, of counts, is none below 0.
        if is(a, Op::Max) && is(b, Op::Min) || is(a, Op::Add) {
            return true;
        }
        let (Some(a), Some(b)) = (written(a), written(b)) else { return false };
        self.guards.iter().any(|(x, y)| (*x == a && *y == b) || (*x == b && *y == a))
    }

    /// Whether `e` is the greatest value of `own`, which nothing is greater than.
    fn largest(&self, e: &ast::Expr, own: &Ty) -> bool {
        let limits = own.limits();
        matches!((self.exact(e), limits), (Some(Lit::Int(n)), Some((_, most))) if n == most)
    }

    /// Whether `e` is a literal, or made of literals.
    fn is_literal(&self, e: &ast::Expr) -> bool {
        self.exact(e).is_some() || matches!(e, ast::Expr::Lit(..))
    }
}

/// Whether sums of a few numbers of type `ty` do not fit it.
fn is_narrow(ty: &Ty) -> bool {
    ty.limits().is_some_and(|(_, most)| most <= i128::from(u16::MAX))
}

/// The text of `e` as it stands before `as`.
fn to_be_cast(e: &ast::Expr) -> Option<String> {
    operand(e, &Op::As(Ty::Unknown))
}

/// Whether `e` takes something away from another thing.
fn is_difference(e: &ast::Expr) -> bool {
    matches!(e, ast::Expr::Call { op, args } if op.op == Op::Sub && op.path.is_none() && args.len() == 2)
}
