//! Warns of `coalesce` that stands around too much, or begins with what is never missing.

use super::every;
use crate::ast::visit::{own_exprs, visit_expr};
use crate::ast::{Expr, Program};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::parse::{operand, written};

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        own_exprs(stmt, &mut |e| {
            let Expr::Call { op, args } = e else { return };
            let (Op::Coalesce, [first, rest @ ..]) = (&op.op, &args[..]) else { return };
            let Some(rest) = rest.iter().map(written).collect::<Option<Vec<_>>>() else { return };
            let rest = rest.join(", ");
            if let (Expr::Lit(lit, ..), false) = (first, rest.is_empty()) {
                if *lit != Lit::Missing {
                    let lit = lit.text();
                    let note = format!("`{lit}` is never missing, so that what follows it is never taken: write `coalesce({rest}, {lit})`");
                    found.push(Warning { span: first.span(), name: "never_missing", note });
                }
                return;
            }
            let Expr::Call { op: sum, args: terms } = first else { return };
            let missing = |e: &Expr| {
                let mut missing = false;
                visit_expr(e, &mut |e| {
                    if let Expr::Access { indices, .. } = e {
                        missing |= indices.iter().any(
                            |i| matches!(&i.expr, Expr::Access { name, .. } if name == "permit"),
                        );
                    }
                });
                missing
            };
            let apart = terms.iter().filter(|e| missing(e)).count() > 1;
            let adds = matches!(sum.op, Op::Add | Op::Sub) && sum.path.is_none();
            let [a, b] = &terms[..] else { return };
            let (Some(a), Some(b), true, true) = (written(a), operand(b, &Op::Add), apart, adds)
            else {
                return;
            };
            let sign = if sum.op == Op::Add { "+" } else { "-" };
            let note = format!("where one side of `{sign}` is missing, so is the whole, and the other side is lost: write `coalesce({a}, {rest}) {sign} coalesce({b}, {rest})`");
            found.push(Warning { span: sum.span, name: "missing_as_a_whole", note });
        });
    });
}
