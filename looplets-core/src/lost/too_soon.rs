//! Warns of what is done to a sum in the loop that sums: `for i { n += x[i] * x[i]; n = sqrt(n) }` takes the root in each iteration,
//! `s /= n` divides in each, and `y[i] = 0` in the loop over `j` lets each `j` begin anew.

use super::{every, reads};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use crate::methods::Method;
use crate::parse::written;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    every(&program.body, &mut |stmt| {
        if let Stmt::For { indices, body, .. } = stmt {
            if let Some(index) = indices.last() {
                in_loop(body, index, found);
                scaled(body, index, found);
            }
        }
    });
}

/// Looks at the statements of `body`, the loop over `index`.
fn in_loop(body: &Block, index: &Ident, found: &mut Vec<Warning>) {
    for (n, stmt) in body.stmts.iter().enumerate() {
        let Stmt::Assign { target: Expr::Name(sum), op: None, value, .. } = stmt else { continue };
        let Expr::Call { op, args } = value else { continue };
        let root = matches!(&op.op, Op::Method(Method::Sqrt | Method::Cbrt));
        if !root || !matches!(&args[..], [Expr::Name(of)] if of == sum) {
            continue;
        }
        let adds = |s: &Stmt| matches!(s, Stmt::Assign { target: Expr::Name(to), op: Some(by), .. } if to == sum && by.op == Op::Add);
        let declares = |s: &Stmt| matches!(s, Stmt::Workspace { name, .. } if name == sum);
        let before = &body.stmts[..n];
        if !before.iter().any(adds) || before.iter().any(declares) {
            continue;
        }
        let Some(value) = written(value) else { continue };
        let note = format!("this is done in each iteration over `{index}`, and what follows is added to it: write `{sum} = {value}` behind the loop");
        found.push(Warning { span: op.span, name: "root_of_what_is_summed", note });
    }
}

/// Looks for sums that are divided in each iteration over `index`, or begin at a number there.
fn scaled(body: &Block, index: &Ident, found: &mut Vec<Warning>) {
    let mentions = |e: &Expr| {
        let mut mentions = false;
        reads(e, &mut |n| mentions |= n == index);
        mentions
    };
    let adds = |s: &Stmt, to: &str| {
        matches!(s, Stmt::Assign { target, op: Some(by), value, .. }
        if by.op == Op::Add && written(target).as_deref() == Some(to) && mentions(value))
    };
    for (n, stmt) in body.stmts.iter().enumerate() {
        let Stmt::Assign { target, op, value, span } = stmt else { continue };
        let (Some(to), Some(with), false) = (written(target), written(value), mentions(target))
        else {
            continue;
        };
        let declares = |s: &Stmt| matches!(s, Stmt::Workspace { name, .. } if *name == to);
        if body.stmts.iter().any(declares) {
            continue;
        }
        let before = body.stmts[..n].iter().any(|s| adds(s, &to));
        let behind = body.stmts[n + 1..].iter().any(|s| adds(s, &to));
        let by = op.as_ref().map(|op| &op.op);
        let fixed = !mentions(value);
        // A number halves what there was so far, as in a mean that forgets.
        let note = match (by, value) {
            (
                Some(Op::Div),
                Expr::Name(_) | Expr::Access { .. } | Expr::Escape(..) | Expr::Call { .. },
            ) if before && fixed => {
                format!("this divides in each iteration over `{index}`, and what follows is added to that: write `{to} /= {with}` behind the loop")
            }
            (Some(Op::Mul), Expr::Access { .. }) if before && fixed => {
                format!("this multiplies in each iteration over `{index}`, and what follows is added to that: write `{to} *= {with}` behind the loop")
            }
            (None, Expr::Lit(..)) if behind && !before => {
                format!("`{to}` begins anew for each `{index}`, so that the last one alone is added: write this in front of the loop over `{index}`")
            }
            _ => continue,
        };
        found.push(Warning { span: *span, name: "done_in_each_iteration", note });
    }
}
