//! Warns of quotients by a sum that the same loop still adds to: `for i { s += x[i]; y[i] = x[i] / s }` divides by what has been
//! summed so far. A sum that belongs to each iteration but is declared outside of the loop is found by it, too.

use super::{all_written, every, reads, written, Names};
use crate::ast::visit::{top_exprs, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    // The innermost loop that has both says it.
    let mut said: Vec<*const Expr> = Vec::new();
    let mut loops = Vec::new();
    every(&program.body, &mut |stmt| {
        if let Stmt::For { indices, body, .. } = stmt {
            loops.extend(indices.last().map(|i| (i, body)));
        }
    });
    for (index, body) in loops.into_iter().rev() {
        in_loop(index, body, &mut said, found);
    }
}

fn in_loop(index: &Ident, body: &Block, said: &mut Vec<*const Expr>, found: &mut Vec<Warning>) {
    // Scalars that go on from one iteration to the next.
    let (mut carried, mut own, mut reset) = (Names::new(), Names::new(), Names::new());
    every(body, &mut |stmt| match stmt {
        Stmt::Assign { target: Expr::Name(name), op, .. } => {
            carried.insert(name.to_string());
            if op.as_ref().is_none_or(|op| op.op != Op::Add) {
                reset.insert(name.to_string());
            }
        }
        Stmt::Workspace { name, .. } | Stmt::Let { name, .. } => _ = own.insert(name.to_string()),
        // What a producer writes may begin with it.
        Stmt::Where { producer, .. } => all_written(producer, &mut own),
        _ => {}
    });
    carried.retain(|name| !own.contains(name));
    let mut summed = Names::new();
    every(body, &mut |stmt| {
        let target = match stmt {
            Stmt::Assign { target, .. } => Some(target),
            _ => None,
        };
        top_exprs(stmt, &mut |e| {
            if target.is_none_or(|target| !std::ptr::eq(e, target)) {
                visit_expr(e, &mut |e| quotient(e, index, &carried, &summed, said, found));
            }
        });
        if let Stmt::Assign { target: target @ Expr::Name(_), value, .. } = stmt {
            // What is counted may well be divided by.
            let counts = matches!(value, Expr::Lit(..));
            let name = written(target).map(Ident::to_string);
            summed.extend(name.filter(|s| !counts && carried.contains(s) && !reset.contains(s)));
        }
    });
}

/// Says that `e` divides by one of `summed`, unless what it divides goes on with the loop as well, as in a mean so far.
fn quotient(
    e: &Expr,
    index: &Ident,
    carried: &Names,
    summed: &Names,
    said: &mut Vec<*const Expr>,
    found: &mut Vec<Warning>,
) {
    let Expr::Call { op, args } = e else { return };
    let (Op::Div, [divided, by]) = (&op.op, &args[..]) else { return };
    let (mut goes_on, mut sum) = (false, None);
    reads(divided, &mut |name| goes_on |= carried.contains(&name.to_string()));
    reads(by, &mut |name| {
        if summed.contains(&name.to_string()) {
            sum = Some(name.clone());
        }
    });
    let Some(sum) = sum.filter(|_| !goes_on && !said.contains(&std::ptr::from_ref(e))) else {
        return;
    };
    said.push(e);
    let note = format!("`{sum}` is the sum so far, as the loop over `{index}` goes on adding to it: divide in a loop behind that one, or declare `{sum}` within it, if each `{index}` has a sum of its own; if the sum so far is meant, name it first, `let so_far = {sum};`");
    found.push(Warning { span: sum.span(), name: "divided_by_the_sum_so_far", note });
}
