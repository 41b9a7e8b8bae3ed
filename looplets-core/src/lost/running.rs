//! Warns of reductions that go on from one iteration to the next, and are read in each: `let mut t: f64; for i { for j { t += a[i, j] }
//! y[i] = t }` gives totals so far, where sums of rows are meant more often.

use super::{every, reads, Names};
use crate::ast::visit::blocks;
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    block(&program.body, found);
}

fn block(body: &Block, found: &mut Vec<Warning>) {
    for (n, stmt) in body.stmts.iter().enumerate() {
        if let Stmt::Workspace { name, dims: None, .. } = stmt {
            let behind = &body.stmts[n + 1..];
            // One that is set again in a loop starts there.
            let looped = |s: &&Stmt| matches!(s, Stmt::For { .. });
            if !behind.iter().filter(looped).any(|s| assigns(s, name)) {
                found.extend(behind.iter().find_map(|s| goes_on(s, name)));
            }
        }
        blocks(stmt, &mut |b| block(b, found));
    }
}

/// Whether `stmt`, or one in it, assigns `name` by `=`.
fn assigns(stmt: &Stmt, name: &Ident) -> bool {
    let mut found = false;
    let mut one = |stmt: &Stmt| {
        found |= matches!(stmt, Stmt::Assign { target: Expr::Name(n), op: None, .. } if n == name);
    };
    one(stmt);
    blocks(stmt, &mut |b| every(b, &mut one));
    found
}

/// The warning if `stmt` is a loop in which another one reduces into the scalar `name`, and what is assigned behind that has it.
fn goes_on(stmt: &Stmt, name: &Ident) -> Option<Warning> {
    let Stmt::For { indices, body, .. } = stmt else { return None };
    // A loop over several indices sums in the innermost of them.
    let index = indices.last()?;
    let by = |s: &Stmt| {
        let Stmt::For { body, .. } = s else { return None };
        let mut found = None;
        every(body, &mut |s| match s {
            Stmt::Assign { target: Expr::Name(n), op: Some(op), value, .. } if n == name => {
                let counts = op.op == Op::Add && matches!(value, Expr::Lit(..));
                found = found.take().or(result(&op.op).filter(|_| !counts));
            }
            _ => {}
        });
        found
    };
    let (inner, result) = body.stmts.iter().enumerate().find_map(|(n, s)| Some((n, by(s)?)))?;
    let others = body.stmts.iter().enumerate().filter(|(n, _)| *n != inner);
    let mut adds_elsewhere = false;
    for (_, other) in others {
        adds_elsewhere |= matches!(other, Stmt::Assign { target: Expr::Name(n), .. } if n == name);
    }
    let mut span = None;
    for stmt in &body.stmts[inner + 1..] {
        let Stmt::Assign { target: Expr::Access { indices: own, .. }, op: None, value, .. } = stmt
        else {
            continue;
        };
        // What is divided by is said to be no whole sum yet.
        if matches!(value, Expr::Call { op, .. } if op.op == Op::Div) {
            continue;
        }
        let mut named = Names::new();
        reads(value, &mut |n| _ = named.insert(n.to_string()));
        let along = own.iter().any(|i| matches!(&i.expr, Expr::Name(i) if i == index));
        if along && own.len() == 1 && named.contains(&name.to_string()) {
            span = span.or(Some(value.span()));
        }
    }
    let span = span.filter(|_| !adds_elsewhere)?;
    let note = format!("`{name}` goes on from one `{index}` to the next, so that this is {result} of all so far: declare it first in the loop over `{index}` for that of each; if it goes on, reduce each into one of its own there, and that into `{name}`");
    Some(Warning { span, name: "sum_so_far", note })
}

/// What `op` reduces to.
fn result(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::Add => "the sum",
        Op::Mul => "the product",
        Op::Min | Op::MinBy => "the least",
        Op::Max | Op::MaxBy => "the greatest",
        _ => return None,
    })
}
