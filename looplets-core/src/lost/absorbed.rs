//! Warns of operands that are lost where another one is `missing`: `a[i] + a[permit[i + 1]]` is nothing where `i + 1` is outside.

use super::every;
use crate::ast::visit::visit_expr;
use crate::ast::{Expr, OpRef, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use crate::parse::written;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        // What is reduced by another operator is left out where it is missing, as its terms are meant to be.
        if let Stmt::Assign { op, value, .. } = stmt {
            let sums = |op: &OpRef| matches!(op.op, Op::Add | Op::Sub | Op::Or);
            if op.as_ref().is_none_or(sums) {
                absorbed(value, found);
            }
        }
    });
}

/// Warns of the terms that `e` is made of and that are nothing where another one is outside.
fn absorbed(e: &Expr, found: &mut Vec<Warning>) {
    let Expr::Call { op, args } = e else { return };
    if matches!(op.op, Op::Coalesce | Op::IfElse | Op::Function(_)) {
        return;
    }
    let joins = matches!(op.op, Op::Add | Op::Sub | Op::Or | Op::Min | Op::Max);
    let outside: Vec<&Expr> = args.iter().filter_map(permitted).collect();
    let others = args.iter().any(|a| permitted(a).is_none() && has_access(a));
    let Some(first) = outside.first().filter(|_| joins && others) else {
        return args.iter().for_each(|a| absorbed(a, found));
    };
    let Some(shown) = written(first) else { return };
    let neutral = match op.op {
        Op::Or => "false",
        Op::Min | Op::Max => "..",
        _ => "0",
    };
    let symbol = match &op.op {
        Op::Add => "+".to_owned(),
        Op::Sub => "-".to_owned(),
        Op::Or => "||".to_owned(),
        other => other.name().to_string(),
    };
    let note = format!("where `{shown}` is outside, it is `missing`, and so is all that `{symbol}` makes of it: nothing is written there; write `coalesce({shown}, {neutral})` for what stands in its place");
    found.push(Warning { span: op.span, name: "missing_with_the_rest", note });
}

/// The access in `e` that may be outside of its tensor, if nothing stands in its place.
fn permitted(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Access { indices, .. } => {
            let permits = |e: &Expr| {
                let mut found = false;
                visit_expr(e, &mut |e| {
                    found |= matches!(e, Expr::Access { name, .. } if name == "permit");
                });
                found
            };
            indices.iter().any(|i| permits(&i.expr)).then_some(e)
        }
        Expr::Call { op, args } if op.op != Op::Coalesce && op.op != Op::IfElse => {
            args.iter().find_map(permitted)
        }
        _ => None,
    }
}

/// Whether `e` reads an element.
fn has_access(e: &Expr) -> bool {
    let mut found = false;
    visit_expr(e, &mut |e| found |= matches!(e, Expr::Access { .. }));
    found
}
