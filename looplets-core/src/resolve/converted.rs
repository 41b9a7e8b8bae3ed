//! How an operand is written in another type, for advice: both sides of an operator are converted, since what is computed in the
//! first type may be cut off or overflow before.

use crate::ast::Expr;
use crate::cin::{Lit, Op};
use crate::parse::written;

/// `e` as a value of the type `to`.
pub(super) fn converted(e: &Expr, to: &str) -> String {
    match e {
        Expr::Lit(Lit::Int(n), None, _) => format!("{n}{to}"),
        Expr::Lit(..) | Expr::Name(_) | Expr::Access { .. } => {
            written(e).map_or_else(|| format!(".. as {to}"), |e| format!("{e} as {to}"))
        }
        Expr::Call { op, args } if op.path.is_none() => match (&op.op, &args[..]) {
            (Op::Add | Op::Sub | Op::Mul | Op::Div, [a, b]) => {
                let side = |e: &Expr| match e {
                    Expr::Call { .. } => format!("({})", converted(e, to)),
                    e => converted(e, to),
                };
                format!("{} {} {}", side(a), op.op.name(), side(b))
            }
            _ => format!(".. as {to}"),
        },
        _ => format!(".. as {to}"),
    }
}

/// `abs_diff(a, b)`, if `e` is the difference of two things.
pub(super) fn difference(e: &Expr) -> Option<String> {
    let Expr::Call { op, args } = e else { return None };
    let (Op::Sub, None, [a, b]) = (&op.op, &op.path, &args[..]) else { return None };
    Some(format!("abs_diff({}, {})", written(a)?, written(b)?))
}
