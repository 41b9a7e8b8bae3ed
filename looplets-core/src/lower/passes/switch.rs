//! Switch: one branch per case that the path conditions leave possible.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::Looplet;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let id = ids[0];
    let Looplet::Switch(cases) = l.unfurled(id).nest else { unreachable!("kind checked") };
    // A condition may read the state that the region's first element gives a meaning to.
    l.guard(&r.clone(), |l| {
        l.cases(cases, |l, nest| {
            let body = match nest {
                // At once: what this case leaves out needs no cases of its own.
                Looplet::Run(payload) if ids.len() > 1 => {
                    let with = l.descend(id, &payload);
                    l.replace(&body, id, &with)
                }
                nest => l.with_nest(&body, id, nest, None),
            };
            l.region(r.clone(), body)
        })
    })
}

impl Lower<'_> {
    /// `if c1 { inner(n1) } else if c2 { .. }`, without cases that cannot hold.
    pub fn cases(
        &mut self,
        mut cases: Vec<(Expr, Looplet)>,
        mut inner: impl FnMut(&mut Self, Looplet) -> Vec<Kir>,
    ) -> Vec<Kir> {
        self.cases_from(&mut cases, &mut inner)
    }

    fn cases_from(
        &mut self,
        cases: &mut Vec<(Expr, Looplet)>,
        inner: &mut dyn FnMut(&mut Self, Looplet) -> Vec<Kir>,
    ) -> Vec<Kir> {
        if self.is_too_much() || self.prover.infeasible() || cases.is_empty() {
            return Vec::new();
        }
        let (cond, nest) = cases.remove(0);
        let known = match &cond {
            Expr::Lit(Lit::Bool(b)) => Some(*b),
            c => self.decide(c),
        };
        match known {
            Some(true) => inner(self, nest),
            Some(false) => self.cases_from(cases, inner),
            None => {
                let no = Expr::call(Op::Not, [cond.clone()]);
                let then = self.under(&cond, |l| inner(l, nest));
                let otherwise = self.under(&no, |l| l.cases_from(cases, inner));
                self.branch(cond, then, otherwise)
            }
        }
    }
}
