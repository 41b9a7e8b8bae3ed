//! Spike: a run, then one element at the end.
//!
//! A spike cut short of its own end is a run. Whether it was cut is decided by the prover where it
//! can be, at run time where it cannot.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::Looplet;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let mut whole = Vec::new();
    for id in ids {
        let u = l.unfurled(id);
        let Looplet::Spike(front, tail) = u.nest else { unreachable!("kind checked") };
        match l.decide(&Expr::call(Op::Eq, [u.stop.clone(), r.hi.clone()])) {
            Some(true) => whole.push((id, front, tail)),
            Some(false) => body = l.with_nest(&body, id, Looplet::Run(front), None),
            None => {
                let ends = Expr::call(Op::Eq, [u.stop.clone(), r.hi.clone()]);
                let cases = vec![
                    (ends, Looplet::Spike(front.clone(), tail)),
                    (Expr::bool(true), Looplet::Run(front)),
                ];
                body = l.with_nest(&body, id, Looplet::Switch(cases), None);
            }
        }
    }
    let same = l
        .accesses(&body)
        .iter()
        .filter(|id| {
            l.kernel
                .get(**id)
                .unfurled
                .as_ref()
                .is_some_and(|u| u.index == r.index && matches!(u.nest, Looplet::Spike(..)))
        })
        .count()
        == whole.len();
    if whole.is_empty()
        || !same
        || l.accesses(&body).iter().any(|id| {
            l.kernel
                .get(*id)
                .unfurled
                .as_ref()
                .is_some_and(|u| u.index == r.index && u.nest.kind() < crate::nest::Kind::Spike)
        })
    {
        return l.region(r, body);
    }
    l.guard(&r.clone(), |l| {
        let last = l.bound(&Expr::call(Op::Sub, [r.hi.clone(), Expr::int(1)]));
        let (mut front, mut tail) = (body.clone(), body.clone());
        for (id, f, t) in &whole {
            front = l.with_nest(&front, *id, Looplet::Run(f.clone()), None);
            tail = l.with_nest(&tail, *id, Looplet::Run(t.clone()), None);
        }
        let mut code = l.region(Region { hi: last.clone(), ..r.clone() }, front);
        code.extend(l.region(Region { lo: last, ..r }, tail));
        code
    })
}
