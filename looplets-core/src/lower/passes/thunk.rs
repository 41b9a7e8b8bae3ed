//! Thunk: definitions before a nest, which for an entry that is written stands between its beginning and its end.

use crate::cin::*;
use crate::kernel::VarKind;
use crate::kir::Kir;
use crate::lower::{Lower, Region, Written};
use crate::nest::{Def, Entry, Looplet};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, id: AccessId) -> Vec<Kir> {
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
    pub fn stand(&mut self, nest: &Looplet, start: &Expr) {
        match nest {
            Looplet::Stepper(s) | Looplet::Jumper(s) => {
                self.at.insert(s.id, start.clone());
                self.unmoved.insert(s.id);
            }
            Looplet::Pipeline(phases) => {
                phases.iter().take(1).for_each(|(_, n)| self.stand(n, start))
            }
            Looplet::Thunk { body, .. }
            | Looplet::Shift(_, body)
            | Looplet::Stretch(_, body)
            | Looplet::Groups(_, body) => self.stand(body, start),
            _ => {}
        }
    }

    /// `defs; before; inner`, the last within the entry that is written, if it is.
    pub fn thunk(
        &mut self,
        defs: Vec<Def>,
        before: Vec<Kir>,
        after: Option<Rc<Entry>>,
        inner: impl FnOnce(&mut Self) -> Vec<Kir>,
    ) -> Vec<Kir> {
        let mut code: Vec<Kir> = defs
            .iter()
            .map(|d| Kir::Let { var: d.var, mutable: d.mutable, value: d.value.clone() })
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
        let rest = match after {
            Some(entry) => self.entry(&entry, inner),
            None => inner(self),
        };
        if rest.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        code.extend(rest);
        code
    }

    /// Whether `e` is something else once a stepper has moved.
    pub fn reads_state(&self, e: &Expr) -> bool {
        self.kernel.depends(e).iter().any(|v| self.kernel.info(*v).kind == VarKind::State)
    }
}
