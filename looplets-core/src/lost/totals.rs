//! Warns of scalars that are read where they are not what was meant: statements without loops have loops of their own, so that
//! `s += x[i]; y[i] = s` gives each element the sum of all, and `y[i] = x[i] / s; s += x[i]` divides by what `s` starts at.

use super::reads;
use crate::ast::{Expr, Program, Stmt};
use crate::kernel::Warning;
use crate::parse::written;
use proc_macro2::Ident;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let mut said: Vec<&Ident> = Vec::new();
    let stmts = &program.body.stmts;
    for (n, stmt) in stmts.iter().enumerate() {
        let Stmt::Assign { target, op: None, value, .. } = stmt else { continue };
        let Expr::Access { indices, .. } = target else { continue };
        let own: Vec<&Ident> = indices.iter().filter_map(|i| plain(&i.expr)).collect();
        let mut scalars: Vec<&Ident> = Vec::new();
        crate::ast::visit::visit_expr(value, &mut |e| {
            if let Expr::Name(name) = e {
                scalars.push(name);
            }
        });
        for scalar in scalars {
            let warning = total(&stmts[..n], scalar, &own, (target, value))
                .or_else(|| too_early(stmts, n, scalar));
            if warning.is_some() && !said.contains(&scalar) {
                said.push(scalar);
                found.extend(warning);
            }
        }
    }
}

fn plain(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Name(name) => Some(name),
        _ => None,
    }
}

fn mentions(e: &Expr, name: &Ident) -> bool {
    let mut found = false;
    reads(e, &mut |n| found |= n == name);
    found
}

/// The reduction that `stmt` is, into `scalar`: what is reduced.
fn reduction<'a>(stmt: &'a Stmt, scalar: &Ident) -> Option<&'a Expr> {
    match stmt {
        Stmt::Assign { target: Expr::Name(to), op: Some(_), value, .. } if to == scalar => {
            Some(value)
        }
        _ => None,
    }
}

/// A sum over the index by which `target` is written, as if it were one so far.
fn total(
    before: &[Stmt],
    scalar: &Ident,
    own: &[&Ident],
    (target, value): (&Expr, &Expr),
) -> Option<Warning> {
    let index = own.iter().find(|i| {
        let over = |s: &Stmt| reduction(s, scalar).is_some_and(|e| mentions(e, i));
        before.iter().any(over)
    })?;
    if own.iter().any(|i| mentions(value, i)) {
        return None;
    }
    let sum = before.iter().rev().find(|s| reduction(s, scalar).is_some())?;
    let Stmt::Assign { op: Some(op), value: term, .. } = sum else { return None };
    let (to, term, value) = (written(target)?, written(term)?, written(value)?);
    let by = match crate::parse::symbol(&op.op) {
        Some((symbol, _)) => format!("{symbol}="),
        None => format!("<<{}>>=", op.op.name()),
    };
    let note = format!("`{scalar}` is complete here, as each statement has loops of its own, so that every element is the same: for what it is so far write `for {index} {{ {scalar} {by} {term}; {to} = {value} }}`");
    Some(Warning { span: scalar.span(), name: "complete_before_it_is_read", note })
}

/// What `scalar` starts at is read, and what is reduced into it behind the statement `n` is read by nobody.
fn too_early(stmts: &[Stmt], n: usize, scalar: &Ident) -> Option<Warning> {
    let starts = |s: &Stmt| matches!(s, Stmt::Assign { target: Expr::Name(to), op: None, value, .. } if to == scalar && is_number(value));
    let writes =
        |s: &Stmt| matches!(s, Stmt::Assign { target: Expr::Name(to), .. } if to == scalar);
    let declared =
        stmts[..n].iter().any(|s| matches!(s, Stmt::Workspace { name, .. } if name == scalar));
    let before: Vec<&Stmt> = stmts[..n].iter().filter(|s| writes(s)).collect();
    let first = stmts[n + 1..].iter().position(|s| reduction(s, scalar).is_some())? + n + 1;
    let read_later = stmts[first + 1..].iter().any(|s| {
        let mut found = false;
        super::own_reads(s, &mut |name| found |= name == scalar);
        found || !matches!(s, Stmt::Assign { .. } | Stmt::Workspace { .. })
    });
    if !declared || before.is_empty() || !before.into_iter().all(starts) || read_later {
        return None;
    }
    let note = format!("`{scalar}` is what it starts at here, and what is reduced into it behind this is read by nothing: put that statement in front of this one");
    Some(Warning { span: scalar.span(), name: "read_before_it_is_reduced", note })
}

/// Whether `e` is a literal, or a constant of a type.
fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Lit(..) | Expr::Path(_) => true,
        Expr::Call { op, args } => op.op == crate::cin::Op::Neg && args.iter().all(is_number),
        _ => false,
    }
}
