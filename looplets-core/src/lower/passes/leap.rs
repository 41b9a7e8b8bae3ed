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

/// The loop over groups that have an entry of the one of `steppers` that has no groups; `None` if there is no such
/// one, or all groups matter.
pub(super) fn lower(
    l: &mut Lower<'_>,
    r: &Region,
    body: &Stmt,
    steppers: &[One],
) -> Option<Vec<Kir>> {
    let groups = |s: &Stepper| s.jumps && s.start.is_some() && s.seek.is_some();
    let (wide, inner): (Vec<One>, Vec<One>) =
        steppers.iter().cloned().partition(|(_, s)| groups(s));
    let (false, [inner]) = (wide.is_empty(), &inner[..]) else { return None };
    let Looplet::Spike(front, _) = inner.1.body.clone() else { return None };
    let (q, _, end) = inner.1.range.clone()?;
    if inner.1.seek.is_none() || !l.unfurled(inner.0).trusted {
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
        let then = l.under(&cond, |l| lower(l, r, body, steppers));
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
        for (_, s) in &wide {
            let behind = Expr::call(Op::Le, [s.stop.clone(), at.clone()]);
            let seek = l.seek(s, &at);
            then.push(Kir::If { cond: behind, then: seek, otherwise: Vec::new() });
        }
        for (_, s) in steppers {
            l.at.insert(s.id, at.clone());
        }
        let one = l.step(r, body, &wide, at);
        idle = one.idle;
        then.extend(one.code);
        then.extend(one.end.map(|end| Kir::Set { var: from, value: end }));
        let otherwise = vec![Kir::Set { var: from, value: r.hi.clone() }];
        code.push(Kir::If { cond: found, then, otherwise });
        code
    });
    for (_, s) in steppers {
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
