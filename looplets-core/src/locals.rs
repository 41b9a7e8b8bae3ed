//! Locals that are never assigned to, `let t = a[i]`: names for what they are.

use crate::cin::*;
use std::collections::{BTreeMap, BTreeSet};

/// What locals are.
pub type Locals = BTreeMap<VarId, Expr>;

/// The locals of `s` that are never assigned to.
pub fn definitions(s: &Stmt) -> Locals {
    let mut out = Locals::new();
    collect(s, &mut out);
    s.assignments(&mut |target, _| {
        if let Expr::Var(v) = target {
            out.remove(v);
        }
    });
    out
}

fn collect(s: &Stmt, out: &mut Locals) {
    match s {
        Stmt::Let { var, value, body } => {
            out.insert(*var, value.clone());
            collect(body, out);
        }
        Stmt::Loop { body, .. } => collect(body, out),
        Stmt::Sieve { then, otherwise, .. } => {
            collect(then, out);
            collect(otherwise, out);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| collect(s, out)),
        Stmt::Where { consumer, producer, .. } => {
            collect(consumer, out);
            collect(producer, out);
        }
        Stmt::Assign { .. } | Stmt::Pass => {}
    }
}

/// The locals that `e` is made of, each behind those that it is made of in turn.
pub fn reached(e: &Expr, locals: &Locals) -> Vec<VarId> {
    let mut found = BTreeSet::new();
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        e.walk(&mut |x| {
            if let Expr::Var(v) = x {
                if let Some(definition) = locals.get(v).filter(|_| found.insert(*v)) {
                    open.push(definition);
                }
            }
        });
    }
    // A definition has its number when all that it names have theirs.
    found.into_iter().collect()
}

/// `e` with locals replaced by what they are, unless that has more than `most` subterms: each definition may
/// be read twice by the next.
pub fn through(e: &Expr, locals: &Locals, most: usize) -> Option<Expr> {
    let mut sizes = BTreeMap::new();
    for v in reached(e, locals) {
        sizes.insert(v, size(&locals[&v], &sizes));
    }
    (size(e, &sizes) <= most).then(|| replaced(e, locals))
}

/// How many subterms `e` has if locals have so many.
fn size(e: &Expr, sizes: &BTreeMap<VarId, usize>) -> usize {
    let mut count = 0_usize;
    e.walk(&mut |x| {
        let own = match x {
            Expr::Var(v) => sizes.get(v).copied().unwrap_or(1),
            _ => 1,
        };
        count = count.saturating_add(own);
    });
    count
}

fn replaced(e: &Expr, locals: &Locals) -> Expr {
    e.map(&mut |x| match x {
        Expr::Var(v) => locals.get(v).map(|e| replaced(e, locals)),
        _ => None,
    })
}

/// Tensors whose life is within `s`.
pub fn tensors(s: &Stmt) -> Vec<TensorId> {
    match s {
        Stmt::Where { consumer, producer, local } => {
            let mut out = local.clone();
            out.extend(tensors(consumer));
            out.extend(tensors(producer));
            out
        }
        Stmt::Loop { body, .. } | Stmt::Let { body, .. } => tensors(body),
        Stmt::Sieve { then, otherwise, .. } => [tensors(then), tensors(otherwise)].concat(),
        Stmt::Seq(all) => all.iter().flat_map(tensors).collect(),
        Stmt::Assign { .. } | Stmt::Pass => Vec::new(),
    }
}
