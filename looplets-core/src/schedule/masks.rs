//! Statements under one condition that cannot all stand in its loops: each is given the condition, so that
//! `if m[i, j] { c[i, j] += a[i, k] * b[k, j]; d[i, j] += b[i, k] * a[k, j] }` is two products under a mask.

use super::indices::names;
use super::Scheduler;
use crate::ast::visit::visit_expr;
use crate::ast::{Block, Expr, Stmt};
use proc_macro2::Ident;
use std::collections::HashSet;

impl Scheduler<'_> {
    /// The statements under the condition `stmt`, each under its own, if one of them cannot have its loops within those of the
    /// condition, and none reads what another one writes.
    pub(super) fn each_under(&mut self, stmt: &Stmt) -> Option<Block> {
        let Stmt::If { cond, then, otherwise: None } = stmt else { return None };
        if then.stmts.len() < 2 || !independent(cond, &then.stmts) {
            return None;
        }
        let under = |one: &Stmt| {
            let then = Block { stmts: vec![one.clone()], span: then.span };
            Stmt::If { cond: cond.clone(), then, otherwise: None }
        };
        let stmts: Vec<Stmt> = then.stmts.iter().map(under).collect();
        let named = names(cond);
        let lacks = |s: &mut Self, one: &Stmt| {
            let all = s.scope.unbound(one);
            let own = |i: &&Ident| named.contains(&i.to_string());
            let outer: Vec<Ident> = all.iter().filter(own).cloned().collect();
            !outer.is_empty() && outer.len() < all.len() && !s.nests(one, &outer)
        };
        let apart = stmts.iter().any(|one| lacks(self, one));
        apart.then_some(Block { stmts, span: then.span })
    }
}

/// Whether `stmts` are assignments to different things, none of which `cond` or another one of them reads, as far as can be seen.
fn independent(cond: &Expr, stmts: &[Stmt]) -> bool {
    let mut written = Vec::new();
    let mut read = vec![reads([cond])];
    for stmt in stmts {
        let Stmt::Assign { target, value, .. } = stmt else { return false };
        if has_rust(cond) || has_rust(target) || has_rust(value) {
            return false;
        }
        let (name, at) = match target {
            Expr::Access { name, indices, .. } => (name, &indices[..]),
            Expr::Name(name) => (name, &[][..]),
            _ => return false,
        };
        read.push(reads(at.iter().map(|i| &i.expr).chain([value])));
        written.push(name.to_string());
    }
    written.iter().enumerate().all(|(n, name)| {
        // The condition stands first.
        let elsewhere = read.iter().enumerate().any(|(k, all)| k != n + 1 && all.contains(name));
        !elsewhere && !written[..n].contains(name)
    })
}

/// Whether there is an expression of Rust in `e`, which may read anything.
fn has_rust(e: &Expr) -> bool {
    let mut found = false;
    visit_expr(e, &mut |e| found |= matches!(e, Expr::Escape(..)));
    found
}

/// The names that `all` read, of tensors and of what has no indices.
fn reads<'a>(all: impl IntoIterator<Item = &'a Expr>) -> HashSet<String> {
    let mut out = HashSet::new();
    for e in all {
        visit_expr(e, &mut |e| {
            if let Expr::Name(name) | Expr::Access { name, .. } = e {
                out.insert(name.to_string());
            }
        });
    }
    out
}
