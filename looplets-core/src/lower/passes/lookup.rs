//! Lookup: nothing is known but each element, so the loop is executed; or, where all elements are one
//! and the outputs take runs, only once. What is the same wherever it is stored is no lookup.

use crate::cin::*;
use crate::kernel::IndexKind;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Payload};
use crate::unfurl;
use std::collections::HashMap;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    if let Some(body) = l.alike(&body, &ids) {
        return l.region(r, body);
    }
    if !l.is_unit(&r) && l.is_run(&r, &body, &ids) {
        return l.guard(&r.clone(), |l| l.write_run(&r, body, &ids));
    }
    if !l.is_unit(&r) {
        if let Some(code) = l.run_by_words(&r, &body, &ids) {
            return code;
        }
    }
    let one = |l: &mut Lower<'_>| {
        let index = Expr::Var(r.index);
        let mut stmt = body;
        for id in ids {
            let u = l.unfurled(id);
            let Looplet::Lookup(i, inner) = u.nest else { unreachable!("kind checked") };
            let nest = if i == r.index { *inner } else { l.substitute(*inner, i, &index) };
            stmt = l.with_nest(&stmt, id, nest, Some(&index.plus(1)));
        }
        l.region(Region { index: r.index, lo: index.clone(), hi: index.plus(1) }, stmt)
    };
    if l.is_unit(&r) {
        l.bind(&r, one)
    } else {
        l.each(&r, one)
    }
}

impl Lower<'_> {
    /// `body` with the values of those of `ids` that have one value wherever they are stored: nothing of them is to be
    /// looked up.
    fn alike(&mut self, body: &Stmt, ids: &[AccessId]) -> Option<Stmt> {
        let mut values = HashMap::new();
        for id in ids {
            let access = self.kernel.get(*id);
            let (tensor, leaf, write) = (access.tensor, access.level + 1, access.write);
            let Looplet::Lookup(_, inner) = self.unfurled(*id).nest else { continue };
            let child = matches!(*inner, Looplet::Run(Payload::Child(_)));
            if write || !child || leaf + 1 != self.kernel.tensor(tensor).levels.len() {
                continue;
            }
            let Looplet::Run(payload) = *inner else { continue };
            let value = self.descend(*id, &payload);
            values.extend(matches!(value, Expr::Lit(_)).then_some((*id, value)));
        }
        (!values.is_empty()).then(|| self.replace_all(body, &values))
    }

    /// Whether `body` only writes entries of outputs that take runs, and the same at each element.
    fn is_run(&self, r: &Region, body: &Stmt, ids: &[AccessId]) -> bool {
        let takes = |id: &AccessId| {
            let access = self.kernel.get(*id);
            let level = &self.kernel.tensor(access.tensor).levels[access.level];
            let whole = access.indices[0].view.stride.is_none();
            access.write && whole && level.format.level().write.as_ref().is_some_and(|w| w.runs)
        };
        if !ids.iter().all(takes) {
            return false;
        }
        let mut still = true;
        body.walk(&mut |e| match e {
            Expr::Access(a) if ids.contains(a) => {}
            Expr::Access(_) | Expr::Var(_) | Expr::Raw(_) => {
                still &= !self.kernel.depends(e).contains(&r.index);
            }
            _ => {}
        });
        let mut own = true;
        body.assignments(&mut |t, _| own &= matches!(t, Expr::Access(a) if ids.contains(a)));
        still && own
    }

    /// The entries of a region as one run of each output.
    fn write_run(&mut self, r: &Region, body: Stmt, ids: &[AccessId]) -> Vec<Kir> {
        let Some((id, rest)) = ids.split_first() else { return self.stmt(body) };
        let access = self.kernel.get(*id).clone();
        let IndexKind::Affine(..) = &access.indices[0].kind else {
            unreachable!("a loop drives it")
        };
        let last = self.bound(&r.hi.plus(-1));
        let (first, last) =
            (access.indices[0].coordinate(&r.lo), access.indices[0].coordinate(&last));
        let nest = unfurl::run(self.kernel, &access, &first, &last);
        let with = |l: &mut Self, nest: Looplet| {
            let Looplet::Run(payload) = nest else { unreachable!("an entry is one child") };
            debug_assert!(matches!(payload, Payload::Child(_)));
            let with = l.descend(*id, &payload);
            let body = l.replace(&body, *id, &with);
            l.write_run(r, body, rest)
        };
        match nest {
            Looplet::Thunk { defs, before, body, after } => {
                self.thunk(defs, before, after, |l| with(l, *body))
            }
            other => with(self, other),
        }
    }
}
