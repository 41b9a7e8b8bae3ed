//! Thunk: definitions before a nest, and, for an entry that is written, code after it.

use crate::cin::*;
use crate::kernel::{Ty, VarKind};
use crate::kir::K;
use crate::lower::{Lower, Region, Written};
use crate::nest::{Commit, Def, Looplet};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, id: AccessId) -> Vec<K> {
    let u = l.unfurled(id);
    let Looplet::Thunk { defs, before, body: nest, after } = u.nest else {
        unreachable!("kind checked")
    };
    let whole = l.eq(&r.lo, &u.start) && l.eq(&r.hi, &u.stop);
    let inner = |l: &mut Lower<'_>, r: &Region| {
        let r = r.clone();
        l.thunk(defs, before, after, |l| {
            l.stand(&nest, &u.start);
            let body = l.with_nest(&body, id, *nest, None);
            l.region(r, body)
        })
    };
    // The definitions of a whole fiber hold for an empty one too; those of a part need an element.
    if whole {
        inner(l, &r)
    } else {
        l.guard(&r.clone(), |l| inner(l, &r))
    }
}

impl Lower<'_> {
    /// A stepper whose state was just defined stands at the first coordinate of its extent.
    pub(super) fn stand(&mut self, nest: &Looplet, start: &Expr) {
        match nest {
            Looplet::Stepper(s) | Looplet::Jumper(s) => {
                self.at.insert(s.id, start.clone());
                self.fresh.insert(s.id);
            }
            Looplet::Pipeline(phases) => {
                phases.iter().take(1).for_each(|(_, n)| self.stand(n, start))
            }
            Looplet::Thunk { body, .. } | Looplet::Shift(_, body) => self.stand(body, start),
            _ => {}
        }
    }

    /// `defs; before; inner; after`, the last only if `inner` wrote something.
    pub fn thunk(
        &mut self,
        defs: Vec<Def>,
        before: Vec<K>,
        after: Option<Rc<Commit>>,
        inner: impl FnOnce(&mut Self) -> Vec<K>,
    ) -> Vec<K> {
        let mut code: Vec<K> = defs
            .iter()
            .map(|d| K::Let { var: d.var, mutable: d.mutable, value: d.value.clone() })
            .collect();
        for d in &defs {
            self.wrote(Written::Var(d.var));
            if !d.mutable && !self.reads_state(&d.value) {
                self.define(d.var, &d.value);
            }
        }
        if !before.is_empty() || after.is_some() {
            self.wrote_opaquely();
        }
        code.extend(before);
        let Some(commit) = after else {
            let rest = inner(self);
            if rest.iter().all(K::is_idle) {
                return Vec::new();
            }
            code.extend(rest);
            return code;
        };
        let name = format!("{}_written", self.kernel.tensor(commit.tensor).name);
        let flag = self.kernel.var(&name, VarKind::State, Ty::Bool);
        self.dirty.entry(commit.tensor).or_default().push(flag);
        self.refusals.entry(commit.tensor).or_default().push(commit.entry.clone());
        let mut body = inner(self);
        self.refusals.get_mut(&commit.tensor).expect("pushed above").pop();
        let flags = self.dirty.get_mut(&commit.tensor).expect("pushed above");
        flags.pop();
        let outer = flags.last().copied();
        if body.iter().all(K::is_idle) {
            return Vec::new();
        }
        let mut done = commit.code.clone();
        self.wrote_opaquely();
        done.extend(outer.map(|flag| K::Set { var: flag, value: Expr::bool(true) }));
        let raised = K::Set { var: flag, value: Expr::bool(true) };
        if always(&body, &raised) {
            strip(&mut body, &raised);
            code.extend(body);
            code.extend(done);
        } else {
            code.push(K::Let { var: flag, mutable: true, value: Expr::bool(false) });
            code.extend(body);
            code.push(K::If { cond: Expr::Var(flag), then: done, otherwise: Vec::new() });
        }
        code
    }

    fn reads_state(&self, e: &Expr) -> bool {
        self.kernel.depends(e).iter().any(|v| self.kernel.info(*v).kind == VarKind::State)
    }
}

/// Whether `code` certainly executes `wanted`.
fn always(code: &[K], wanted: &K) -> bool {
    code.iter().any(|k| match k {
        K::Block(body) => always(body, wanted),
        K::If { then, otherwise, .. } => always(then, wanted) && always(otherwise, wanted),
        other => other == wanted,
    })
}

fn strip(code: &mut Vec<K>, unwanted: &K) {
    code.retain(|k| k != unwanted);
    for k in code {
        k.blocks_mut().into_iter().for_each(|b| strip(b, unwanted));
    }
}
