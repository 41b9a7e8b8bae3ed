//! Warns of sums of one term: `for i { let mut s: f64; s += x[i]; y[i] = x[i] / s }` declares `s` anew for each `i`, so that it is
//! no sum over `i`, and `m <<max>>= x[i]` is none over it, either.

use super::{every, Names};
use crate::ast::visit::{blocks, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    block(&program.body, &mut Names::new(), None, found);
}

/// Looks at `body`, around which the loops over `bound` are, the innermost of them over `index`.
fn block(body: &Block, bound: &mut Names, index: Option<&str>, found: &mut Vec<Warning>) {
    if let Some(index) = index {
        let scalars = body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Workspace { name, dims: None, .. } => Some(name.to_string()),
            _ => None,
        });
        for name in scalars {
            found.extend(one_term(body, &name, bound, index));
        }
    }
    for stmt in &body.stmts {
        match stmt {
            Stmt::For { indices, body, .. } => {
                let names: Vec<String> = indices.iter().map(ToString::to_string).collect();
                let new: Vec<&String> =
                    names.iter().filter(|n| bound.insert((*n).clone())).collect();
                block(body, bound, names.last().map(String::as_str), found);
                new.into_iter().for_each(|n| _ = bound.remove(n));
            }
            stmt => blocks(stmt, &mut |b| block(b, bound, None, found)),
        }
    }
}

/// The warning if `body`, which declares the scalar `name`, adds one term to it, which no further loop runs over, and divides by it.
fn one_term(body: &Block, name: &str, bound: &Names, index: &str) -> Option<Warning> {
    let (mut assigned, mut divides, mut read) = (0, None, None);
    every(body, &mut |stmt| {
        if let Stmt::Assign { target: Expr::Name(target), op, value, .. } = stmt {
            // What it starts at stands where it is declared.
            let starts = op.is_none() && matches!(value, Expr::Lit(..) | Expr::Path(_));
            assigned += usize::from(target == name && !starts);
        }
        if let Stmt::Assign { value, .. } | Stmt::Let { value, .. } = stmt {
            visit_expr(value, &mut |e| match e {
                Expr::Name(n) if n == name => read = read.or(Some(n.span())),
                Expr::Call { op, args } if op.op == Op::Div => match &args[..] {
                    [_, Expr::Name(by)] if by == name => divides = divides.or(Some(op.span)),
                    _ => {}
                },
                _ => {}
            });
        }
    });
    let (op, term) = body.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign { target: Expr::Name(target), op: Some(op), value, .. } if target == name => {
            Some((&op.op, value))
        }
        _ => None,
    })?;
    // A loop that is left out runs over any other index.
    let mut inside = true;
    visit_expr(term, &mut |e| match e {
        Expr::Access { indices, .. } => {
            inside &= indices.iter().all(|i| match &i.expr {
                Expr::Name(name) => bound.contains(&name.to_string()),
                _ => false,
            });
        }
        Expr::Shape(_) => inside = false,
        _ => {}
    });
    let span = match op {
        Op::Add => divides,
        Op::Min | Op::Max | Op::MinBy | Op::MaxBy => {
            let note = format!("`{name}` begins anew for each `{index}`, so that it is made of one value alone: declare it before the loop over `{index}`");
            let span = read.filter(|_| assigned == 1 && inside)?;
            return Some(Warning { span, name: "sum_of_one_term", note });
        }
        _ => None,
    };
    let span = span.filter(|_| assigned == 1 && inside)?;
    let note = format!("`{name}` begins anew for each `{index}`, and one term is added to it: declare it before the loop over `{index}`, and divide in a loop behind that one");
    Some(Warning { span, name: "sum_of_one_term", note })
}
