//! Leap: of groups that a level is stretched to, only those in which a sparse operand has something.
//!
//! The group that holds a coordinate is computed, not sought: where the body does nothing but at the entries of the
//! other operand, the loop goes from one of these to the group that it lies in (Root et al., section 6.1.3).

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Stepper};
use std::rc::Rc;

type One = (AccessId, Rc<Stepper>);

/// The loop over groups of `wide` that have an entry of `inner`; `None` if all groups matter, or cost the same.
pub(super) fn lower(
    l: &mut Lower<'_>,
    r: &Region,
    body: &Stmt,
    wide: &One,
    inner: &One,
) -> Option<Vec<Kir>> {
    let Looplet::Spike(front, _) = inner.1.body.clone() else { return None };
    let (q, _, end) = inner.1.range.clone()?;
    let groups = wide.1.jumps && wide.1.start.is_some() && wide.1.seek.is_some();
    if !groups || inner.1.seek.is_none() || !l.unfurled(inner.0).trusted {
        return None;
    }
    let between = l.scoped(|l| {
        let child = l.with_nest(body, inner.0, Looplet::Run(front), None);
        l.region(r.clone(), child)
    });
    if !between.iter().all(Kir::is_idle) {
        return None;
    }
    if !l.lt(&r.lo, &r.hi) {
        let cond = Expr::call(Op::Lt, [r.lo.clone(), r.hi.clone()]);
        let then = l.under(&cond, |l| lower(l, r, body, wide, inner));
        return then.map(|then| l.branch(cond, then, Vec::new()));
    }
    let name = l.kernel.info(r.index).name.clone();
    let from = l.place_var(&format!("{name}_from"));
    let here = Expr::Var(from);
    let left = Expr::call(Op::Lt, [here.clone(), r.hi.clone()]);
    let there = inner.1.stop.plus(-1);
    let mut idle = false;
    let step = l.scoped(|l| {
        l.assume(&Expr::call(Op::Le, [r.lo.clone(), here.clone()]));
        l.assume(&left);
        let mut code = l.seek(&inner.1, &here);
        let some = Expr::call(Op::Lt, [Expr::Var(q), end.clone()]);
        let inside = Expr::call(Op::Lt, [there.clone(), r.hi.clone()]);
        let found = match l.le(&l.unfurled(inner.0).stop, &r.hi) {
            true => some,
            false => Expr::call(Op::And, [some, inside]),
        };
        let mut then = Vec::new();
        let at = l.local(&format!("{name}_at"), there.clone(), &mut then);
        for fact in [
            Expr::call(Op::Le, [here.clone(), at.clone()]),
            Expr::call(Op::Lt, [at.clone(), r.hi.clone()]),
        ] {
            l.assume(&fact);
        }
        let behind = Expr::call(Op::Le, [wide.1.stop.clone(), at.clone()]);
        let seek = l.seek(&wide.1, &at);
        then.push(Kir::If { cond: behind, then: seek, otherwise: Vec::new() });
        l.at.insert(wide.1.id, at.clone());
        l.at.insert(inner.1.id, at.clone());
        let one = l.step(r, body, std::slice::from_ref(wide), at);
        idle = one.idle;
        then.extend(one.code);
        then.extend(one.end.map(|end| Kir::Set { var: from, value: end }));
        let otherwise = vec![Kir::Set { var: from, value: r.hi.clone() }];
        code.push(Kir::If { cond: found, then, otherwise });
        code
    });
    for s in [&wide.1, &inner.1] {
        l.unmoved.remove(&s.id);
        l.at.remove(&s.id);
    }
    if idle {
        return Some(Vec::new());
    }
    Some(vec![
        Kir::Let { var: from, mutable: true, value: r.lo.clone() },
        Kir::While { cond: left, body: step },
    ])
}
