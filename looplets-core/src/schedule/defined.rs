//! Definitions whose loops are left out: `let t = a[i, j] * x[j]; y[i] += t * t` is `y[i] += (a[i, j] * x[j]) * (a[i, j] * x[j])`.
//!
//! Each statement has loops of its own, so that there is no loop in which such a value could be held. It stands for what it is
//! defined as, wherever it is read, if nothing in between changes what that reads.

use super::indices::{names, Scope};
use crate::ast::visit::{all_exprs, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Op;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashSet;

/// `program` with the definitions that stand in no loop in the place of their names, if they lack loops.
pub fn expanded(program: &Program) -> Program {
    let mut program = program.clone();
    if super::is_function(&program) {
        let scope = Scope::of(&program);
        defined(&mut program.body, scope);
    }
    program
}

/// Puts definitions in `block` that have indices which nothing binds in the place of their names; `scope` are the names around.
pub fn defined(block: &mut Block, mut scope: Scope) {
    let mut n = 0;
    while n < block.stmts.len() {
        let (before, behind) = block.stmts.split_at_mut(n + 1);
        let stmt = &before[n];
        let mut indices = scope.unbound(stmt);
        if let Stmt::Let { name, value } = stmt {
            // What stands in no brackets is an index if it is one in what follows: `let t = i / 2; y[i] = t`.
            let own = names(value);
            let others = behind.iter().flat_map(|s| scope.unbound(s));
            let others = others.filter(|i| own.contains(&i.to_string()));
            indices.extend(others.collect::<Vec<Ident>>());
            if !indices.is_empty() && stands_for_itself(name, value, &indices, behind) {
                put(behind, name, value);
                block.stmts.remove(n);
                continue;
            }
        }
        scope.define(stmt);
        n += 1;
    }
}

/// Whether `value` is the same where the statements `behind` read `name`, and may be computed there.
fn stands_for_itself(name: &Ident, value: &Expr, indices: &[Ident], behind: &[Stmt]) -> bool {
    let mut read = names(value);
    let (mut plain, mut calls) = (true, false);
    visit_expr(value, &mut |e| match e {
        Expr::Access { name, .. } => _ = read.insert(name.to_string()),
        // Rust tokens are evaluated once.
        Expr::Escape(..) | Expr::Shape(_) => plain = false,
        Expr::Call { op, .. } => calls |= matches!(op.op, Op::Function(_)),
        _ => {}
    });
    let (mut uses, mut changed, mut shadowed) = (0, false, false);
    for stmt in behind {
        let mut here = 0;
        all_exprs(stmt, &mut |e| match e {
            Expr::Name(n) if n == name => here += 1,
            // What operators on shapes take are no values of loops.
            Expr::Shape(_) => visit_expr(e, &mut |e| {
                plain &= !matches!(e, Expr::Name(n) if n == name);
            }),
            // Rust tokens name what is outside of the program.
            Expr::Escape(tokens, _) => plain &= !mentions(tokens.clone(), name),
            _ => {}
        });
        let changes = changes_one(stmt, name, &read);
        // An assignment reads before it writes; the statements within another one come one after the other.
        let alone = matches!(stmt, Stmt::Assign { .. } | Stmt::Let { .. });
        let within = alone || !changes && !loops_or_declares(stmt, name, &read, indices);
        plain &= here == 0 || within && !shadowed && !changed;
        uses += here;
        changed |= changes;
        if let Stmt::Let { name: own, .. } | Stmt::Workspace { name: own, .. } = stmt {
            if own == name {
                break;
            }
            shadowed |= read.contains(&own.to_string());
        }
    }
    plain && uses > 0 && (uses == 1 || !calls)
}

/// Whether `stmt` writes something of `read`, removes entries of it, or writes `name` itself.
fn changes_one(stmt: &Stmt, name: &Ident, read: &HashSet<String>) -> bool {
    let mut found = false;
    each(stmt, &mut |s| {
        if let Stmt::Assign { target, .. } | Stmt::Remove { target, .. } = s {
            found |= match target {
                Expr::Name(own) | Expr::Access { name: own, .. } => {
                    own == name || read.contains(&own.to_string())
                }
                _ => false,
            };
        }
    });
    found
}

/// Whether `name` is among `tokens`.
fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(other) => other == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// Whether within `stmt` there are written loops, or declarations of `name` or of what its value reads.
fn loops_or_declares(stmt: &Stmt, name: &Ident, read: &HashSet<String>, indices: &[Ident]) -> bool {
    let mut found = false;
    each(stmt, &mut |s| {
        found |= match s {
            Stmt::For { .. } => true,
            Stmt::Let { name: own, .. } | Stmt::Workspace { name: own, .. } => {
                own == name || read.contains(&own.to_string()) || indices.contains(own)
            }
            _ => false,
        }
    });
    found
}

/// `stmt` and all statements in it.
fn each<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Stmt)) {
    f(stmt);
    crate::ast::visit::blocks(stmt, &mut |b| b.stmts.iter().for_each(|s| each(s, f)));
}

/// Puts `value` in the place of `name` in `stmts`, until another one has the name.
fn put(stmts: &mut [Stmt], name: &Ident, value: &Expr) {
    for stmt in stmts {
        match stmt {
            Stmt::Assign { target, value: read, .. } => {
                put_in(target, name, value);
                put_in(read, name, value);
            }
            Stmt::Remove { target: e, .. } => put_in(e, name, value),
            Stmt::If { cond, then, otherwise } => {
                put_in(cond, name, value);
                put(&mut then.stmts, name, value);
                otherwise.iter_mut().for_each(|b| put(&mut b.stmts, name, value));
            }
            Stmt::Where { consumer, producer } => {
                put(&mut producer.stmts, name, value);
                put(&mut consumer.stmts, name, value);
            }
            Stmt::Block(block) => put(&mut block.stmts, name, value),
            Stmt::Let { name: own, value: read } => {
                put_in(read, name, value);
                if own == name {
                    return;
                }
            }
            Stmt::Workspace { name: own, .. } if own == name => return,
            Stmt::Workspace { dims, .. } => {
                dims.iter_mut().flatten().for_each(|e| put_in(e, name, value));
            }
            Stmt::For { .. } | Stmt::Pass(_) => {}
        }
    }
}

fn put_in(e: &mut Expr, name: &Ident, value: &Expr) {
    match e {
        Expr::Name(own) if own == name => *e = value.clone(),
        Expr::Access { indices, .. } => {
            indices.iter_mut().for_each(|i| put_in(&mut i.expr, name, value));
        }
        Expr::Call { args, .. } => args.iter_mut().for_each(|a| put_in(a, name, value)),
        Expr::Shape(shape) => shape.operands.iter_mut().for_each(|a| put_in(a, name, value)),
        Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) | Expr::Escape(..) => {}
    }
}
