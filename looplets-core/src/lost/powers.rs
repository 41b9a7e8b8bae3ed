//! Warns of `x[i] ^ 2` of whole numbers, which is no square.

use super::every;
use crate::ast::visit::{top_exprs, visit_expr};
use crate::ast::{Expr, Program};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::parse::written;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        top_exprs(stmt, &mut |e| {
            visit_expr(e, &mut |e| {
                let Expr::Call { op, args } = e else { return };
                let [of, Expr::Lit(Lit::Int(n @ (2 | 3)), None, _)] = &args[..] else { return };
                if op.op != Op::BitXor || matches!(of, Expr::Lit(..)) {
                    return;
                }
                let of = written(of).unwrap_or_else(|| "x".to_owned());
                let product = vec![of.clone(); if *n == 2 { 2 } else { 3 }].join(" * ");
                let note = format!("`^` is the exclusive or of bits, and no power: write `{product}`, or `{n} ^ {of}` if bits are meant");
                found.push(Warning { span: op.span, name: "no_power", note });
            });
        });
    });
}
