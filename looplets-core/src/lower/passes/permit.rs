//! Permit: the body inside its extent; on either side `missing`, or checked element by element.

use crate::cin::*;
use crate::kernel::{Index, IndexKind, Outside};
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::Looplet;
use crate::unfurl::beyond;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, id: AccessId) -> Vec<Kir> {
    let Looplet::Permit { outside, lo, hi, body: nest } = l.unfurled(id).nest else {
        unreachable!("kind checked")
    };
    let mut code = Vec::new();
    let (lo, hi) = (l.bound(&lo), l.bound(&hi));
    let start = l.bound(&Expr::call(Op::Max, [r.lo.clone(), lo]));
    let start = l.bound(&Expr::call(Op::Min, [start, r.hi.clone()]));
    let start = l.bounded("start", start, &mut code);
    let stop = l.bound(&Expr::call(Op::Min, [hi, r.hi.clone()]));
    let stop = l.bound(&Expr::call(Op::Max, [start.clone(), stop]));
    let stop = l.bounded("stop", stop, &mut code);
    let before = l.outside(&body, id, outside);
    let inside = l.inside(&body, id, outside, *nest);
    let after = l.outside(&body, id, outside);
    let part = |lo: &Expr, hi: &Expr| Region { index: r.index, lo: lo.clone(), hi: hi.clone() };
    let parts =
        [(part(&r.lo, &start), before), (part(&start, &stop), inside), (part(&stop, &r.hi), after)];
    let mut idle = true;
    for (part, body) in parts {
        let inner = l.region(part, body);
        idle &= inner.iter().all(Kir::is_idle);
        code.extend(inner);
    }
    if idle {
        return Vec::new();
    }
    code
}

impl Lower<'_> {
    /// `body` with the access `id` inside of what its outermost `permit` wraps.
    fn inside(&mut self, body: &Stmt, id: AccessId, outside: Outside, nest: Looplet) -> Stmt {
        let mut access = self.kernel.get(id).clone();
        let view = &mut access.indices[0].view;
        if outside == Outside::Refused {
            view.checked = false;
        } else {
            view.clips.pop();
        }
        access.unfurled.as_mut().expect("only unfurled accesses are lowered").nest = nest;
        let new = self.kernel.access(access);
        self.replace(body, id, &new)
    }

    /// `body` with the access `id` outside of it: where it is no error, a computed index is one.
    fn outside(&mut self, body: &Stmt, id: AccessId, outside: Outside) -> Stmt {
        let mut access = self.kernel.get(id).clone();
        let refused = outside == Outside::Refused;
        if !refused && access.indices[0].view.only.is_empty() {
            return self.with_nest(body, id, beyond(outside), None);
        }
        let along = access.unfurled.take().map(|u| u.index);
        if !refused {
            // It is fill if it is not refused.
            access.pos = Expr::call(Op::Nowhere, []);
        }
        let view = &mut access.indices[0].view;
        if view.groups.first().is_some_and(|g| Some(g.index) == along) {
            (view.groups, view.exact) = (Vec::new(), None);
        }
        let v = access.indices[0].kind.loop_of();
        // Digits of one index are computed together.
        let own = |i: &&mut Index| i.kind.loop_of() == v && i.view.written.is_some();
        for index in access.indices.iter_mut().take_while(own) {
            index.kind = IndexKind::Opaque(index.view.written.take().expect("asked above"));
        }
        let first = &mut access.indices[0];
        if let (IndexKind::Affine(v, _), _) | (IndexKind::Digit(v, _), false) =
            (&first.kind, refused)
        {
            first.kind = IndexKind::Opaque(first.coordinate(&Expr::Var(*v)));
        }
        let new = self.kernel.access(access);
        self.replace(body, id, &new)
    }
}
