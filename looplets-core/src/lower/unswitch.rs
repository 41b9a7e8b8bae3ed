//! Conditions that no iteration changes: the loop is lowered for each answer, so that `if x[i] > 0 { y[i] += a[i, j] } else { y[i] += b[i, j] }`
//! walks a row of one operand and does not merge it with that of the other (loop unswitching, before operands meet).

use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::nest::Kind;
use std::collections::BTreeSet;

/// How many times a loop is taken apart at most, by one condition within the other or beside it: code grows with each.
const MOST: usize = 7;

impl Lower<'_> {
    /// The loop over `r` under a condition that is the same in all of it, if an answer does without an operand that would be walked. `inner`
    /// lowers it where the answer is known.
    pub(super) fn unswitched(
        &mut self,
        r: &Region,
        body: &Stmt,
        inner: fn(&mut Self, Region, Stmt) -> Vec<Kir>,
    ) -> Option<Vec<Kir>> {
        if self.unswitched.is_some_and(|n| n >= MOST) {
            return None;
        }
        let cond = self.steady_choice(r, body)?;
        let outermost = self.unswitched.is_none();
        *self.unswitched.get_or_insert(0) += 1;
        let with = |l: &mut Self, value: bool| {
            // Simplified, it reads no more than what is left of it.
            let s = body.map(&mut |e| (*e == cond).then(|| Expr::bool(value)));
            let s = l.simplify(&s);
            inner(l, r.clone(), s)
        };
        let code = match self.decide(&cond) {
            Some(known) => with(self, known),
            None => {
                let no = Expr::call(Op::Not, [cond.clone()]);
                let then = self.under(&cond, |l| with(l, true));
                let otherwise = self.under(&no, |l| with(l, false));
                self.branch(cond.clone(), then, otherwise)
            }
        };
        if outermost {
            self.unswitched = None;
        }
        Some(code)
    }

    /// The first condition in `body` that is the same for all of `r`, and on which it depends which operands are walked.
    fn steady_choice(&self, r: &Region, body: &Stmt) -> Option<Expr> {
        let walked = self.walked_along(r, body);
        if walked.len() < 2 {
            return None;
        }
        let mut choices = Vec::new();
        conditions(body, &mut |cond| {
            if !choices.contains(&cond) {
                choices.push(cond);
            }
        });
        let left = |cond: &Expr, value: bool| {
            let mut left = BTreeSet::new();
            self.read_where(body, cond, value, &mut left);
            walked.intersection(&left).count()
        };
        let choice = choices.into_iter().find(|cond| {
            let (yes, no) = (left(cond, true), left(cond, false));
            // Where nothing is left to walk, the optimiser moves the condition out of the loop that there is.
            let fewer = yes.min(no) > 0 && yes.min(no) < walked.len();
            fewer && !self.asks_presence(body, cond) && self.is_steady_within(r, body, cond)
        });
        choice.cloned()
    }

    /// Whether `cond` asks which fibers of a union are there: each answer of each would have a loop, which is what unions are to spare.
    fn asks_presence(&self, body: &Stmt, cond: &Expr) -> bool {
        let asked = self.kernel.depends(cond);
        let mut present = self.accesses(body).into_iter().map(|id| self.kernel.get(id).present);
        present.any(|here| here.is_some_and(|v| asked.contains(&v)))
    }

    /// The operands in `body` that are walked along `r`: of others a case more costs nothing, and a union that has begun stops where any of
    /// its lists does.
    fn walked_along(&self, r: &Region, body: &Stmt) -> BTreeSet<AccessId> {
        let walked = |id: &AccessId| {
            let access = self.kernel.get(*id);
            let nest = access.unfurled.as_ref().filter(|u| u.index == r.index);
            !access.write
                && nest.is_some_and(|u| {
                    !matches!(u.nest.kind(), Kind::Lookup | Kind::Run | Kind::Union)
                })
        };
        self.accesses(body).into_iter().filter(walked).collect()
    }

    /// Whether `cond` is the same wherever it is asked in the loop over `r` with `body`, and may be asked in front of it.
    fn is_steady_within(&self, r: &Region, body: &Stmt, cond: &Expr) -> bool {
        let effects = self.kernel.effects(cond);
        if !effects.is_harmless() || !self.accesses_of(cond).is_empty() {
            return false;
        }
        let mut inner = vec![r.index];
        super::masks::definitions(body, &mut inner);
        let here = |v: &VarId| match self.kernel.info(*v).kind {
            VarKind::Index => self.bound.contains(v),
            VarKind::State => !self.moves_along(r, body, *v),
            VarKind::Outer | VarKind::Local | VarKind::Let | VarKind::Scalar => true,
        };
        let known = self.kernel.depends(cond).iter().all(|v| !inner.contains(v) && here(v));
        known && !self.kernel.effects_of(body).writes.meet(&effects.reads)
    }

    /// Whether a walk along `r` has `state` for its own.
    fn moves_along(&self, r: &Region, body: &Stmt, state: VarId) -> bool {
        let mut found = false;
        for id in self.accesses(body) {
            let Some(u) = &self.kernel.get(id).unfurled else { continue };
            if u.index == r.index {
                u.nest.map(&mut |e| {
                    found |= *e == Expr::Var(state);
                    None
                });
            }
        }
        found
    }

    /// What `s` reads where `cond` is `value`.
    fn read_where(&self, s: &Stmt, cond: &Expr, value: bool, out: &mut BTreeSet<AccessId>) {
        match s {
            Stmt::Sieve { cond: c, then, otherwise } if c == cond => {
                let taken = if value { then } else { otherwise };
                self.read_where(taken, cond, value, out);
            }
            s => {
                for e in s.exprs() {
                    let chosen = e.map(&mut |e| match e {
                        Expr::Call(Op::IfElse, args) if args[0] == *cond => {
                            Some(args[if value { 1 } else { 2 }].clone())
                        }
                        _ => None,
                    });
                    out.extend(self.accesses_of(&chosen));
                }
                s.children().into_iter().for_each(|s| self.read_where(s, cond, value, out));
            }
        }
    }
}

/// Calls `f` with each condition of a statement or a choice in `s`, the outermost first.
fn conditions<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    if let Stmt::Sieve { cond, .. } = s {
        f(cond);
    }
    for e in s.exprs() {
        e.walk(&mut |e| {
            if let Expr::Call(Op::IfElse, args) = e {
                f(&args[0]);
            }
        });
    }
    s.children().into_iter().for_each(|s| conditions(s, f));
}
