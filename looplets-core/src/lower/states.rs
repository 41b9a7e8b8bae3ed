//! Drops assignments to the states of tensors that follow no assignment any more.
//!
//! `resolve/program_order.rs` puts one behind each assignment to a tensor that its nest reads as well. Where an operand stores
//! nothing, `x[i] -= l[i, j] * x[j]` is gone, and what would be left of the gap are steps that do nothing.

use super::Lower;
use crate::cin::*;

impl Lower<'_> {
    /// `s` without assignments to states of tensors that it does not write, if it has any.
    pub(super) fn without_idle_states(&self, s: &Stmt) -> Option<Stmt> {
        if self.kernel.states.is_empty() {
            return None;
        }
        let (mut assigned, mut written) = (Vec::new(), Vec::new());
        s.assignments(&mut |target, _| match target {
            Expr::Var(v) if self.kernel.states.contains_key(v) => assigned.push(*v),
            Expr::Access(a) => written.push(self.kernel.get(*a).tensor),
            other => written.extend(self.element_of(other)),
        });
        assigned.retain(|v| !written.contains(&self.kernel.states[v]));
        (!assigned.is_empty()).then(|| without(s.clone(), &assigned))
    }
}

/// `s` without what is assigned to `states`.
fn without(s: Stmt, states: &[VarId]) -> Stmt {
    let boxed = |s: Box<Stmt>| Box::new(without(*s, states));
    match s {
        Stmt::Assign { target: Expr::Var(v), .. } if states.contains(&v) => Stmt::Pass,
        Stmt::Loop { index, parallel, lo, hi, body } => {
            Stmt::Loop { index, parallel, lo, hi, body: boxed(body) }
        }
        Stmt::Let { var, value, body } => Stmt::Let { var, value, body: boxed(body) },
        Stmt::Sieve { cond, then, otherwise } => {
            Stmt::Sieve { cond, then: boxed(then), otherwise: boxed(otherwise) }
        }
        Stmt::Seq(all) => Stmt::Seq(all.into_iter().map(|s| without(s, states)).collect()),
        Stmt::Where { consumer, producer, local } => {
            Stmt::Where { consumer: boxed(consumer), producer: boxed(producer), local }
        }
        other @ (Stmt::Assign { .. } | Stmt::Pass) => other,
    }
}
