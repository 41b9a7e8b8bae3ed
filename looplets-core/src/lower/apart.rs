//! Loops of which no part depends on the index: what stands in front of the assignments is done once, and each assignment has a
//! loop of its own, which may come to less. A run or a gap costs the same whatever number of statements reads it.

use super::{Lower, Region, Written};
use crate::cin::*;
use crate::effects::Places;
use crate::kernel::*;
use crate::kir::Kir;

impl Lower<'_> {
    /// The loop over `r` with `body`, taken apart, if no part of it depends on the index or on what another part writes.
    pub(super) fn apart(&mut self, r: &Region, body: &Stmt) -> Option<Vec<Kir>> {
        if matches!(body, Stmt::Assign { .. } | Stmt::Pass) {
            return None;
        }
        let mut targets = Vec::new();
        if !self.is_steady(r.index, body, &mut targets) {
            return None;
        }
        // What a part reads, but for its own update, no other writes.
        let reads = self.kernel.effects_of(body).reads;
        let apart = !targets.iter().any(|target| target.meet(&reads));
        apart.then(|| self.guard(r, |l| l.parts(r, body)))
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
    fn is_steady(&self, index: VarId, s: &Stmt, targets: &mut Vec<Places>) -> bool {
        let steady = |e: &Expr| {
            let effects = self.kernel.effects(e);
            effects.is_pure()
                && !effects.missing
                && !effects.reads.vars.contains(&index)
                && self.accesses_of(e).is_empty()
        };
        match s {
            Stmt::Assign { target, value, .. } => {
                let fits = match target {
                    Expr::Var(v) => self.kernel.marked(*v).is_none(),
                    target => matches!(target, Expr::Load(..)),
                };
                let writes = self.kernel.effects_of(s).writes;
                let new = !targets.iter().any(|target| target.meet(&writes));
                targets.push(writes);
                fits && new && steady(target) && steady(value)
            }
            Stmt::Sieve { cond, then, otherwise } => {
                steady(cond)
                    && self.is_steady(index, then, targets)
                    && self.is_steady(index, otherwise, targets)
            }
            Stmt::Let { var, value, body } => {
                self.kernel.info(*var).kind != VarKind::Scalar
                    && steady(value)
                    && self.is_steady(index, body, targets)
            }
            Stmt::Seq(all) => all.iter().all(|s| self.is_steady(index, s, targets)),
            Stmt::Pass => true,
            Stmt::Loop { .. } | Stmt::Where { .. } => false,
        }
    }
}
