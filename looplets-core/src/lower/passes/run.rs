//! Run: every element is the same, so the access becomes that element and the term simplifies.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::presence::has_missing;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Payload};

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    // Whether the run has one element, which is changed once.
    let mut once = false;
    for id in ids {
        let Looplet::Run(payload) = l.unfurled(id).nest else { unreachable!("kind checked") };
        once |= payload != Payload::Fill && l.is_place(id, &body);
        let with = l.descend(id, &payload);
        body = l.replace(&body, id, &with);
    }
    match once && !l.is_unit(&r) {
        // Nothing else depends on the index.
        true => l.guard(&r, |l| l.bind(&r, |l| l.stmt(body))),
        false => l.region(r, body),
    }
}

/// The visits of a level's entries in a region whose child is the same at each coordinate, as one.
pub(in crate::lower) fn run_of_visits(r: &Region, body: &Stmt) -> Option<Kir> {
    let Stmt::Assign { target, op: Some(op @ Op::Each), value: Expr::Call(Op::Pair, args) } = body
    else {
        return None;
    };
    let [at, position] = &args[..] else { return None };
    let mut moves = false;
    position.walk(&mut |x| moves |= *x == Expr::Var(r.index));
    let missing = args.iter().any(has_missing);
    if *at != Expr::Var(r.index) || moves || missing {
        return None;
    }
    let run = [r.lo.clone(), position.clone(), r.hi.clone()];
    let value = Expr::call(Op::Run, run);
    Some(Kir::Store { target: target.clone(), op: Some(op.clone()), value })
}
