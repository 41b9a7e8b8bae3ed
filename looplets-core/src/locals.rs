//! Locals that are never assigned to, `let t = a[i]`: names for what they are.

use crate::cin::*;
use std::collections::BTreeMap;

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

/// `e` with locals replaced by what they are.
pub fn through(e: &Expr, locals: &Locals) -> Expr {
    e.map(&mut |x| match x {
        Expr::Var(v) => locals.get(v).map(|e| through(e, locals)),
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
