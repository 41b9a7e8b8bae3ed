//! Statements under one condition that cannot all stand in its loops: each is given the condition, so that
//! `if m[i, j] { c[i, j] += a[i, k] * b[k, j]; d[i, j] += b[i, k] * a[k, j] }` is two products under a mask.

use super::branches::{entries, may_be_missing, same, whole, Entries};
use super::choices::Choices;
use super::indices::names;
use super::spread::plain;
use super::together::{alike, once};
use super::workspace::is_of_marks;
use super::Scheduler;
use crate::ast::visit::visit_expr;
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::Op;
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
        let apart = stmts.iter().any(|one| self.lacks(cond, one));
        apart.then_some(Block { stmts, span: then.span })
    }

    /// The branches of an `if` that both write results which have all their elements from the start, each under its condition, if one
    /// of them cannot have its loops within those of the condition, or no order of loops serves both.
    pub(super) fn branches_apart(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::If { cond, then, otherwise: Some(otherwise) } = stmt else { return None };
        let ([first], [second]) = (&then.stmts[..], &otherwise.stmts[..]) else { return None };
        // Where a condition is missing, so is its opposite, and the second branch would not be run; and a function may answer
        // otherwise when it is asked again.
        if may_be_missing(cond) || once(cond) {
            return None;
        }
        let (of_cond, all) = (names(cond), self.scope.unbound(stmt));
        let (one, other) = (target(first)?, target(second)?);
        // For each element one of the two is run, where each index of the condition is one of the element's.
        let own = |i: &Ident| plain_indices(one).contains(&i);
        let turns = all.iter().any(|i| of_cond.contains(&i.to_string()) && !own(i));
        if same(one, other) && self.keeps_marks(one) {
            return chosen(cond, first, second).map(|one| vec![one]);
        }
        if same(one, other) && !turns && self.lacks_some(one) {
            if let Some(one) = chosen(cond, first, second) {
                return Some(vec![one]);
            }
        }
        let either = match same(one, other) {
            // Of each other element both have to reduce into it by one operator.
            true => !turns || !self.strict && alike(first, second),
            false => independent(cond, &[first.clone(), second.clone()]),
        };
        if !either
            || !independent(cond, std::slice::from_ref(first))
            || !independent(cond, std::slice::from_ref(second))
        {
            return None;
        }
        let op = OpRef { op: Op::Not, path: None, span: cond.span() };
        let not = Expr::Call { op, args: vec![cond.clone()] };
        let under = |cond: &Expr, then: &Block| Stmt::If {
            cond: cond.clone(),
            then: then.clone(),
            otherwise: None,
        };
        let both = [under(cond, then), under(&not, otherwise)];
        let apart = both.iter().any(|one| self.lacks(cond, one)) || self.has_no_order(stmt, &all);
        apart.then(|| both.to_vec())
    }

    /// The branches of an `if`, and theirs, which assign to one entry of a result that is not among those `written` in front of them and
    /// that has not all elements, as one statement.
    pub(super) fn branches_of_one(&mut self, stmt: &Stmt, written: &[String]) -> Option<Vec<Stmt>> {
        let Stmt::If { otherwise: Some(_), .. } = stmt else { return None };
        let target = first_target(stmt)?.clone();
        let Expr::Access { name, .. } = &target else { return None };
        let entries = self.chain(name).map(entries)?;
        let all = self.scope.unbound(stmt);
        let own = plain_indices(&target);
        if entries == Entries::All
            || written.contains(&name.to_string())
            || all.is_empty()
            || !all.iter().all(|i| own.contains(&i))
            || asks_once(stmt)
        {
            return None;
        }
        let one = whole(stmt, name, entries)?;
        (!self.has_no_order(&one, &all)).then(|| vec![one])
    }

    /// Whether the leaf of what `target` writes has no values. Then an element is assigned by one statement.
    fn keeps_marks(&self, target: &Expr) -> bool {
        let Expr::Access { name, .. } = target else { return false };
        self.chain(name).is_some_and(is_of_marks)
    }

    /// Whether what `target` writes has those elements alone that are assigned.
    fn lacks_some(&self, target: &Expr) -> bool {
        let Expr::Access { name, .. } = target else { return false };
        self.chain(name).is_some_and(|chain| entries(chain) != Entries::All)
    }

    /// Whether no order of loops over `indices` serves all of `stmt`.
    pub(super) fn has_no_order(&mut self, stmt: &Stmt, indices: &[Ident]) -> bool {
        let choices = std::mem::replace(&mut self.choices, Choices::new(&[], Vec::new()));
        let found = !indices.is_empty() && self.plan(stmt, indices).is_err();
        self.choices = choices;
        found
    }

    /// Whether the loops that `one`, an assignment under `cond`, has beside those of `cond` cannot stand within them.
    fn lacks(&mut self, cond: &Expr, one: &Stmt) -> bool {
        let (named, all) = (names(cond), self.scope.unbound(one));
        let own = |i: &&Ident| named.contains(&i.to_string());
        let outer: Vec<Ident> = all.iter().filter(own).cloned().collect();
        !outer.is_empty() && outer.len() < all.len() && !self.nests(one, &outer)
    }
}

/// The assignments `first` where `cond` holds and `second` where it does not, which have one target, as one.
pub(super) fn chosen(cond: &Expr, first: &Stmt, second: &Stmt) -> Option<Stmt> {
    let (
        Stmt::Assign { target, op: None, value: a, span },
        Stmt::Assign { op: None, value: b, .. },
    ) = (first, second)
    else {
        return None;
    };
    let op = OpRef { op: Op::IfElse, path: None, span: cond.span() };
    let value = Expr::Call { op, args: vec![cond.clone(), a.clone(), b.clone()] };
    Some(Stmt::Assign { target: target.clone(), op: None, value, span: *span })
}

/// What the first assignment in `stmt`, conditions and assignments, writes.
fn first_target(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::If { then, .. } => then.stmts.first().and_then(first_target),
        stmt => target(stmt),
    }
}

/// Whether a condition in `stmt` may answer otherwise when it is asked again.
fn asks_once(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::If { cond, then, otherwise } => {
            let blocks = std::iter::once(then).chain(otherwise);
            once(cond) || blocks.flat_map(|b| &b.stmts).any(asks_once)
        }
        _ => false,
    }
}

/// What `stmt`, an assignment, writes.
fn target(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::Assign { target, .. } => Some(target),
        _ => None,
    }
}

/// The indices of the access `e` that are names; none if one of them is computed, since elements are then not told apart by them.
fn plain_indices(e: &Expr) -> Vec<&Ident> {
    let Expr::Access { indices, .. } = e else { return Vec::new() };
    indices.iter().map(plain).collect::<Option<_>>().unwrap_or_default()
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
