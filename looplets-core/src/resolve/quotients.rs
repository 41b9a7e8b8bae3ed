//! Warns of quotients of whole numbers that become floats: `y[i] = 1 / n[i]` is 0 wherever `n[i]` is more than 1.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::written;

/// A quotient that was cut off: where its operator stands, and how it is written with floats.
pub(super) struct Cut {
    at: proc_macro2::Span,
    instead: String,
}

impl Resolver<'_> {
    /// Warns if `e`, which is `value`, becomes a float, and is made of a quotient that was cut to a whole number before.
    pub(super) fn becomes_float(&mut self, e: &ast::Expr, value: &Expr) {
        // Literals alone take the type of what they meet, and are not cut.
        let of = self.kernel.type_of(value);
        let whole = of.is_some_and(|ty| ty == Ty::Index || ty.is_integer());
        let Some(Cut { at, instead }) = (if whole { self.quotient_in(e) } else { None }) else {
            return;
        };
        let note = format!("both sides of `/` are whole numbers here, so that the quotient is cut to one before it becomes a float: write `{instead}`, or `(..) as f64` around it if that is meant");
        self.kernel.warn(Warning { span: at, name: "quotient_of_whole_numbers", note });
    }

    /// Notes the definition `var` of `e`, if its value is made of a quotient that was cut.
    pub(super) fn defines_quotient(&mut self, name: String, e: &ast::Expr, ty: Option<&Ty>) {
        if ty.is_some_and(|ty| *ty == Ty::Index || ty.is_integer()) {
            match self.quotient_in(e) {
                Some(cut) => self.quotients.insert(name, cut),
                None => self.quotients.remove(&name),
            };
        }
    }

    /// The first quotient in `e`, a whole number, that its value is a sum or product of.
    fn quotient_in(&self, e: &ast::Expr) -> Option<Cut> {
        match e {
            ast::Expr::Name(name) => {
                let known = match self.lookup(name)? {
                    Meaning::Var(v) => self.kernel.info(v).kind == VarKind::Let,
                    _ => false,
                };
                let cut = self.quotients.get(&name.to_string()).filter(|_| known)?;
                Some(Cut { at: cut.at, instead: cut.instead.clone() })
            }
            ast::Expr::Call { op, args } if op.path.is_none() => match (&op.op, &args[..]) {
                (Op::Div, [a, b]) => Some(Cut { at: op.span, instead: as_floats(a, b)? }),
                (Op::Add | Op::Sub | Op::Mul | Op::Neg, args) => {
                    args.iter().find_map(|a| self.quotient_in(a))
                }
                _ => None,
            },
            _ => None,
        }
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
