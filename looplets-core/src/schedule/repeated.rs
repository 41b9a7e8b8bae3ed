//! Warns of terms that a loop which is left out adds again and again: in `y[i] += a[i, j] * x[j] + b[i]` the sum over `j` is one of
//! `b[i]` too, which a reader of index notation may not expect. And of counts that get no loop: `s += x[i]; n += 1` counts one.

use super::indices::{names, Scope};
use super::{inside, is_function};
use crate::ast::visit::visit_expr;
use crate::ast::{Block, Expr, OpRef, Program, Stmt};
use crate::cin::Op;
use crate::kernel::Warning;
use proc_macro2::{Ident, Span};

/// The warnings of `program`, of which no loop has been added yet.
pub fn repeated(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    if is_function(program) {
        defined_for_each(program, &mut found);
    }
    let defined = !found.is_empty();
    let program = &super::defined::expanded(program);
    if is_function(program) {
        counted_once(program, &mut found);
        // What a definition is told of need not be told of what reads it.
        if !defined {
            block(&program.body, Scope::of(program), inside(program), &mut found);
        }
    }
    found
}

/// Warns of `s += x[i]; n += 1`, which counts no elements.
fn counted_once(program: &Program, found: &mut Vec<Warning>) {
    let scope = Scope::of(program);
    let all = &program.body.stmts;
    let looped = |s: &Stmt| matches!(s, Stmt::Assign { .. }) && !scope.unbound(s).is_empty();
    let made = |name: &Ident| {
        let declared = |s: &Stmt| matches!(s, Stmt::Workspace { name: own, .. } if own == name);
        program.outputs.iter().any(|o| o.name == *name) || all.iter().any(declared)
    };
    if !all.iter().any(looped) {
        return;
    }
    for stmt in all {
        if let Stmt::Assign { target: Expr::Name(name), op, value: Expr::Lit(_, _, span), .. } =
            stmt
        {
            if adds(op) && made(name) {
                let note = format!("no index stands here, so that this is done once, and not for each element: count in loops that are written, `for i {{ {name} += .. }}`, or take the size in Rust, `$(x.shape()[0])`");
                found.push(Warning { span: *span, name: "counted_once", note });
            }
        }
    }
}

fn block(block: &Block, mut scope: Scope, inside: bool, found: &mut Vec<Warning>) {
    for stmt in &block.stmts {
        match stmt {
            Stmt::Assign { target, op, value, .. } if adds(op) => {
                let unbound = scope.unbound(stmt);
                found.extend(warning(target, value, &unbound));
            }
            Stmt::Block(within) => self::block(within, scope.clone(), inside, found),
            Stmt::For { indices, body, .. } if inside => {
                let mut scope = scope.clone();
                scope.bind(indices);
                self::block(body, scope, inside, found);
            }
            _ => {}
        }
        scope.define(stmt);
    }
}

fn adds(op: &Option<OpRef>) -> bool {
    op.as_ref().is_some_and(|op| matches!(op.op, Op::Add | Op::Sub))
}

/// Of `target += value`, whose loops are over `loops`.
fn warning(target: &Expr, value: &Expr, loops: &[Ident]) -> Option<Warning> {
    let own = names(target);
    let summed: Vec<&Ident> = loops.iter().filter(|i| !own.contains(&i.to_string())).collect();
    for i in summed {
        if let Some(span) = lacking(value, i) {
            let note = format!("this term does not depend on `{i}`, and is added for each `{i}` again: add it in a statement of its own, or write the loops if that is meant, `for {i} {{ .. }}`");
            return Some(Warning { span, name: "added_again_and_again", note });
        }
    }
    None
}

/// A term without `i` that is added to others with it, in `e` or in the one factor of it that has `i`.
fn lacking(e: &Expr, i: &Ident) -> Option<Span> {
    let has = |e: &Expr| names(e).contains(&i.to_string());
    let Expr::Call { op, args } = e else { return None };
    match op.op {
        Op::Add | Op::Sub | Op::Neg => {
            let mut terms = Vec::new();
            collect(e, &mut terms);
            let (with, without): (Vec<&Expr>, Vec<&Expr>) = terms.into_iter().partition(|t| has(t));
            let lacks = without.into_iter().find_map(read).filter(|_| !with.is_empty());
            lacks.or_else(|| with.into_iter().find_map(|term| lacking(term, i)))
        }
        Op::Mul | Op::Div | Op::As(_) if op.path.is_none() => {
            let mut with = args.iter().enumerate().filter(|(_, a)| has(a));
            let (n, one) = with.next()?;
            // What is divided by is no sum of quotients.
            let divisor = op.op == Op::Div && n > 0;
            (with.next().is_none() && !divisor).then(|| lacking(one, i))?
        }
        _ => None,
    }
}

/// Warns of `let r = b[i] - a[i, j] * x[j]` without loops, which is no sum over `j`, and is read for each of them.
fn defined_for_each(program: &Program, found: &mut Vec<Warning>) {
    let mut scope = Scope::of(program);
    for stmt in &program.body.stmts {
        if let Stmt::Let { value, .. } = stmt {
            let of =
                |i: &Ident| Some((lacking(value, i).filter(|_| contracts(value, i))?, i.clone()));
            if let Some((span, i)) = scope.unbound(stmt).iter().find_map(of) {
                let note = format!("this is there for each `{i}`, since what is defined is no sum over `{i}`: sum the rest by itself, `let mut t: f64; t += ..` in loops that are written, or into a tensor");
                found.push(Warning { span, name: "added_again_and_again", note });
            }
        }
        scope.define(stmt);
    }
}

/// Whether there is a product in `e` of two elements that both have `i`.
fn contracts(e: &Expr, i: &Ident) -> bool {
    let mut found = false;
    visit_expr(e, &mut |e| {
        if let Expr::Call { op, args } = e {
            let read =
                |a: &&Expr| matches!(a, Expr::Access { .. }) && names(a).contains(&i.to_string());
            found |= op.op == Op::Mul && args.iter().filter(read).count() > 1;
        }
    });
    found
}

/// The terms of a sum.
fn collect<'a>(e: &'a Expr, out: &mut Vec<&'a Expr>) {
    match e {
        Expr::Call { op, args } if matches!(op.op, Op::Add | Op::Sub | Op::Neg) => {
            args.iter().for_each(|a| collect(a, out))
        }
        term => out.push(term),
    }
}

/// Where a term first reads a tensor, if it does, or a number that it multiplies or divides.
fn read(e: &Expr) -> Option<Span> {
    let mut at = None;
    if let Expr::Call { op, .. } = e {
        if matches!(op.op, Op::Mul | Op::Div) && op.path.is_none() && !names(e).is_empty() {
            at = Some(op.span);
        }
    }
    visit_expr(e, &mut |x| {
        if let (Expr::Access { span, .. }, None) = (x, at) {
            at = Some(*span);
        }
    });
    at
}
