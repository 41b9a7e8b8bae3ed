//! Loops of which no part depends on the index: what stands in front of the assignments is done once, and each assignment has a
//! loop of its own, which may come to less. A run or a gap costs the same whatever number of statements reads it.

use super::{Lower, Region, Written};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;

/// What the statements of a loop write.
#[derive(Default)]
struct Targets {
    vars: Vec<VarId>,
    arrays: Vec<ArrayId>,
}

impl Lower<'_> {
    /// The loop over `r` with `body`, taken apart, if no part of it depends on the index or on what another part writes.
    pub(super) fn apart(&mut self, r: &Region, body: &Stmt) -> Option<Vec<Kir>> {
        if matches!(body, Stmt::Assign { .. } | Stmt::Pass) {
            return None;
        }
        let mut written = Targets::default();
        if !self.is_steady(r.index, body, &mut written) {
            return None;
        }
        // Each target is met once; whatever else is met of what is written is read.
        let (mut targets, mut met) = (0, 0);
        body.assignments(&mut |_, _| targets += 1);
        body.walk(&mut |e| {
            met += usize::from(match e {
                Expr::Var(v) => written.vars.contains(v),
                Expr::Load(a, _) | Expr::Array(a) => written.arrays.contains(a),
                _ => false,
            });
        });
        (met == targets).then(|| self.guard(r, |l| l.parts(r, body)))
    }

    fn parts(&mut self, r: &Region, body: &Stmt) -> Vec<Kir> {
        match body {
            Stmt::Seq(all) => all.iter().flat_map(|s| self.parts(r, s)).collect(),
            Stmt::Let { var, value, body } => {
                let definition = Kir::Let { var: *var, mutable: false, value: value.clone() };
                self.wrote(Written::Var(*var));
                let mut code = self.parts(r, body);
                if code.iter().all(Kir::is_idle) {
                    return Vec::new();
                }
                code.insert(0, definition);
                vec![Kir::Block(code)]
            }
            Stmt::Sieve { cond, then, otherwise } => {
                let no = Expr::call(Op::Not, [cond.clone()]);
                let then = self.under(cond, |l| l.parts(r, then));
                let otherwise = self.under(&no, |l| l.parts(r, otherwise));
                self.branch(cond.clone(), then, otherwise)
            }
            other => self.region(r.clone(), other.clone()),
        }
    }

    /// Whether `s` is made of assignments to scalars and elements, conditions and definitions that do not depend on `index`;
    /// no two assignments have one target. Notes what they write.
    fn is_steady(&self, index: VarId, s: &Stmt, written: &mut Targets) -> bool {
        let steady = |e: &Expr| {
            let mut plain = true;
            e.walk(&mut |x| match x {
                Expr::Access(_) | Expr::Raw(_) => plain = false,
                Expr::Lit(lit) => plain &= *lit != Lit::Missing,
                Expr::Call(op, _) => plain &= op.key().is_none(),
                Expr::Var(v) => plain &= *v != index,
                _ => {}
            });
            plain
        };
        match s {
            Stmt::Assign { target, value, .. } => {
                let new = match target {
                    Expr::Var(v) if !self.is_mark(*v) && !written.vars.contains(v) => {
                        written.vars.push(*v);
                        true
                    }
                    Expr::Load(a, _) if !written.arrays.contains(a) => {
                        written.arrays.push(*a);
                        true
                    }
                    _ => false,
                };
                new && steady(target) && steady(value)
            }
            Stmt::Sieve { cond, then, otherwise } => {
                steady(cond)
                    && self.is_steady(index, then, written)
                    && self.is_steady(index, otherwise, written)
            }
            Stmt::Let { var, value, body } => {
                self.kernel.info(*var).kind != VarKind::Scalar
                    && steady(value)
                    && self.is_steady(index, body, written)
            }
            Stmt::Seq(all) => all.iter().all(|s| self.is_steady(index, s, written)),
            Stmt::Pass => true,
            Stmt::Loop { .. } | Stmt::Where { .. } => false,
        }
    }
}
