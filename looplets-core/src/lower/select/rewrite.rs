//! Rewrites a statement for operands that are selected, and says when what is in it is stored.

use super::when::{Soft, When};
use crate::cin::*;
use crate::fills::is_value;
use crate::kernel::*;
use crate::locals;
use crate::lower::{masks, Lower};
use std::collections::{BTreeSet, HashMap};

/// An operand: what stands for its element, and whether it is stored.
pub(super) struct Operand {
    pub value: Expr,
    pub here: Expr,
}

/// Rewrites a statement for operands that are selected.
pub(super) struct Select<'s, 'l> {
    pub l: &'s mut Lower<'l>,
    pub operands: HashMap<AccessId, Operand>,
    /// Of these, one is stored at least.
    pub one_of: BTreeSet<AccessId>,
    /// Definitions whose value is soft.
    known: HashMap<VarId, Soft>,
    /// Locals and workspaces of the statement.
    scalars: Vec<VarId>,
    tensors: Vec<TensorId>,
    /// Operands that a select would not do justice to.
    pub refused: BTreeSet<AccessId>,
    /// Operands whose absence spares a visit to what they are multiplied with.
    pub factors: BTreeSet<AccessId>,
}

impl<'s, 'l> Select<'s, 'l> {
    pub fn new(
        l: &'s mut Lower<'l>,
        s: &Stmt,
        operands: HashMap<AccessId, Operand>,
        one_of: BTreeSet<AccessId>,
    ) -> Self {
        let mut scalars = Vec::new();
        masks::definitions(s, &mut scalars);
        Select {
            l,
            operands,
            one_of,
            known: HashMap::new(),
            scalars,
            tensors: locals::tensors(s),
            refused: BTreeSet::new(),
            factors: BTreeSet::new(),
        }
    }

    /// Leaves the operands in `e` to cases.
    pub fn refuse(&mut self, e: &Expr) {
        for id in self.l.accesses_of(e) {
            if self.operands.contains_key(&id) {
                self.refused.insert(id);
            }
        }
        let mut soft = Vec::new();
        e.walk(&mut |x| {
            if let Expr::Var(v) = x {
                soft.extend(self.known.get(v).map(|soft| soft.when.clone()));
            }
        });
        soft.iter().for_each(|when| self.refuse_when(when));
    }

    fn refuse_when(&mut self, when: &When) {
        match when {
            When::Always => {}
            When::One(id) => drop(self.refused.insert(*id)),
            When::All(all) | When::Any(all) => all.iter().for_each(|when| self.refuse_when(when)),
            When::Chosen(of) => {
                let all = [&of.then, &of.otherwise].into_iter().chain(&of.asked);
                all.for_each(|when| self.refuse_when(when));
            }
        }
    }

    /// The condition that holds where `when` does.
    pub fn condition(&self, when: &When) -> Expr {
        if when.covers(&self.one_of) {
            return Expr::bool(true);
        }
        let all = |op: Op, all: &[When]| match all {
            [] => Expr::bool(op == Op::And),
            [one] => self.condition(one),
            _ => Expr::call(op, all.iter().map(|w| self.condition(w)).collect::<Vec<_>>()),
        };
        match when {
            When::Always => Expr::bool(true),
            When::One(id) => self.operands[id].here.clone(),
            When::All(parts) => all(Op::And, parts),
            When::Any(parts) => all(Op::Or, parts),
            When::Chosen(of) => {
                let arms = [self.condition(&of.then), self.condition(&of.otherwise)];
                match arms {
                    [a, b] if a == b => a,
                    [a, b] => Expr::call(Op::IfElse, [of.cond.clone(), a, b]),
                }
            }
        }
    }

    /// `s` for operands that are selected, and when it does anything.
    pub fn stmt(&mut self, s: &Stmt) -> (Stmt, When) {
        match s {
            Stmt::Pass => (Stmt::Pass, When::Any(Vec::new())),
            Stmt::Assign { target, op, value } => self.assign(target, op, value),
            Stmt::Seq(all) => {
                let (all, when) = all.iter().map(|s| self.stmt(s)).unzip();
                (Stmt::Seq(all), When::Any(when))
            }
            Stmt::Sieve { cond, then, otherwise } => {
                if self.l.kernel.may_be_missing(cond) {
                    self.refuse(cond);
                }
                let (cond, soft) = self.expr(cond);
                let ((then, yes), (otherwise, no)) = (self.stmt(then), self.stmt(otherwise));
                let when = match soft {
                    Some(Soft { when, fill }) if fill == Expr::bool(false) => {
                        When::Any(vec![When::All(vec![when, yes]), no])
                    }
                    _ => When::Any(vec![yes, no]),
                };
                let (then, otherwise) = (Box::new(then), Box::new(otherwise));
                (Stmt::Sieve { cond, then, otherwise }, when)
            }
            Stmt::Loop { index, parallel, lo, hi, body } => {
                self.refuse(lo);
                self.refuse(hi);
                let (body, when) = self.stmt(body);
                let (lo, hi, body) = (lo.clone(), hi.clone(), Box::new(body));
                let (index, parallel) = (*index, *parallel);
                (Stmt::Loop { index, parallel, lo, hi, body }, when)
            }
            Stmt::Let { var, value, body } => {
                let (value, soft) = match self.l.kernel.info(*var).kind {
                    VarKind::Scalar => {
                        self.refuse(value);
                        (value.clone(), None)
                    }
                    _ => self.expr(value),
                };
                if let Some(soft) = soft {
                    self.known.insert(*var, soft);
                }
                let (body, when) = self.stmt(body);
                (Stmt::Let { var: *var, value, body: Box::new(body) }, when)
            }
            Stmt::Where { consumer, producer, local } => {
                let ((consumer, a), (producer, b)) = (self.stmt(consumer), self.stmt(producer));
                let (consumer, producer) = (Box::new(consumer), Box::new(producer));
                (Stmt::Where { consumer, producer, local: local.clone() }, When::Any(vec![a, b]))
            }
        }
    }

    fn assign(&mut self, target: &Expr, op: &Option<Op>, value: &Expr) -> (Stmt, When) {
        let own = match target {
            Expr::Var(v) => self.scalars.contains(v),
            Expr::Access(a) => self.tensors.contains(&self.l.kernel.get(*a).tensor),
            _ => false,
        };
        self.refuse(target);
        if own {
            // What it is then used for is known to be spared only if nothing is assigned.
            self.refuse(value);
        }
        let (value, soft) = self.expr(value);
        let stmt = Stmt::Assign { target: target.clone(), op: op.clone(), value };
        let Some(Soft { when, fill }) = soft else { return (stmt, When::Always) };
        let nothing = Stmt::Assign { target: target.clone(), op: op.clone(), value: fill };
        let nothing = self.l.skip_fill(&nothing);
        if self.l.simplifier.stmt(&nothing, &*self.l.kernel) != Stmt::Pass {
            return (stmt, When::Always);
        }
        let stmt = match self.condition(&when) {
            Expr::Lit(_) => stmt,
            cond => {
                let (then, otherwise) = (Box::new(stmt), Box::new(Stmt::Pass));
                Stmt::Sieve { cond, then, otherwise }
            }
        };
        (stmt, when)
    }

    /// `e` for operands that are selected, and what it is where it is not stored.
    pub fn expr(&mut self, e: &Expr) -> (Expr, Option<Soft>) {
        match e {
            Expr::Access(id) => {
                for index in self.l.kernel.get(*id).indices.clone() {
                    index.parts().into_iter().for_each(|e| self.refuse(e));
                    if let IndexKind::Opaque(inner) = &index.kind {
                        self.refuse(inner);
                    }
                }
                let Some(operand) = self.operands.get(id) else { return (e.clone(), None) };
                let fill = self.l.kernel.tensor(self.l.kernel.get(*id).tensor).fill.clone();
                let value = operand.value.clone();
                if self.l.kernel.may_be_missing(e) || !is_value(&fill) {
                    self.refused.insert(*id);
                }
                (value, Some(Soft { when: When::One(*id), fill }))
            }
            Expr::Var(v) => (e.clone(), self.known.get(v).cloned()),
            Expr::Call(op, args) => self.call(e, op, args),
            Expr::Lit(_) => (e.clone(), None),
            Expr::Load(..) | Expr::Array(_) | Expr::Raw(_) => {
                self.refuse(e);
                if let Expr::Raw(raw) = e {
                    let names = self.l.kernel.raws[raw.0 as usize].names.clone();
                    names.iter().for_each(|(_, e)| self.refuse(e));
                }
                (e.clone(), None)
            }
        }
    }
}
