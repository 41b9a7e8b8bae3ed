//! Jumper: like a stepper, but a step ends at the furthest child's end.
//!
//! A child that reaches to the end of the step is taken whole; one that ends before is demoted to a
//! stepper over the step, which usually needs it at one coordinate only. Two jumpers make a
//! galloping intersection; a jumper and a stepper make a leader and a follower.

use super::stepper::Step;
use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Stepper};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let jumpers: Vec<(AccessId, Rc<Stepper>)> = ids
        .into_iter()
        .map(|id| match l.unfurled(id).nest {
            Looplet::Jumper(s) => (id, s),
            _ => unreachable!("kind checked"),
        })
        .collect();
    // Alone, or on one coordinate, there is nothing to jump over.
    if l.is_unit(&r) || (jumpers.len() == 1 && !has_stepper(l, &body, &r)) {
        for (id, s) in &jumpers {
            body = l.with_nest(&body, *id, Looplet::Stepper(s.clone()), None);
        }
        return l.region(r, body);
    }
    l.walk(r, body, &jumpers, |l, r, body, jumpers, at| {
        let mut code = Vec::new();
        if let [a, b] = jumpers {
            return two(l, r, body, [a, b], at);
        }
        if jumpers.len() > 1 {
            // A child that another one jumped over is caught up with here, and only here.
            for (_, s) in jumpers {
                l.at.remove(&s.id);
                code.extend(l.seek(s, &at));
                l.at.insert(s.id, at.clone());
            }
        }
        let stops = l.stops(jumpers, &at, &mut code);
        let furthest = Expr::call(Op::Max, stops.clone());
        let end = l.bound(&Expr::call(Op::Min, [furthest, r.hi.clone()]));
        let end =
            l.bounded(&format!("{}_end", l.kernel.info(r.index).name.clone()), end, &mut code);
        l.assume(&Expr::call(Op::Lt, [at.clone(), end.clone()]));
        let part = cases(
            l,
            &Region { index: r.index, lo: at, hi: end.clone() },
            body.clone(),
            jumpers,
            &stops,
        );
        let idle = part.iter().all(Kir::is_idle);
        code.extend(part);
        for ((_, s), stop) in jumpers.iter().zip(&stops) {
            code.extend(l.advance(s, stop, &end));
        }
        Step { code, idle, end: Some(end), meets: false, lags: None }
    })
}

/// One step of two jumpers, branch by branch: which reaches further, and whether that is inside the
/// region. The other one is caught up with inside its branch, so that no step seeks twice.
fn two(
    l: &mut Lower<'_>,
    r: &Region,
    body: &Stmt,
    [a, b]: [&(AccessId, Rc<Stepper>); 2],
    at: Expr,
) -> Step {
    let Expr::Var(state) = at else { unreachable!("a walk keeps its place in a variable") };
    let mut code = Vec::new();
    let stops = l.stops(&[a.clone(), b.clone()], &at, &mut code);
    let ends = l.bound(&Expr::call(Op::Min, [stops[0].clone(), stops[1].clone(), r.hi.clone()]));
    if ends == l.bound(&Expr::call(Op::Min, stops.clone())) {
        let step =
            l.merge_step(code.clone(), body, r.index, [a, b], [&stops[0], &stops[1]], at.clone());
        if step.meets {
            return step;
        }
    }
    let mut idle = true;
    // `first` reaches to `stop`, which is further than the other's, or as far.
    let mut way = |l: &mut Lower<'_>,
                   cond: &Expr,
                   whole: &[(usize, &(AccessId, Rc<Stepper>))],
                   short: Option<&(AccessId, Rc<Stepper>)>| {
        l.under(cond, |l| {
            let stop = &stops[whole[0].0];
            let inside = Expr::call(Op::Le, [stop.clone(), r.hi.clone()]);
            let outside = Expr::call(Op::Not, [inside.clone()]);
            let mut part = |l: &mut Lower<'_>, end: &Expr, ends: bool| {
                l.assume(&Expr::call(Op::Lt, [at.clone(), end.clone()]));
                let mut child = body.clone();
                for (k, (id, s)) in whole {
                    child = l.with_nest(&child, *id, s.body.clone(), Some(&stops[*k]));
                }
                if let Some((id, s)) = short {
                    child = l.with_nest(&child, *id, Looplet::Stepper(s.clone()), None);
                }
                let part = Region { index: r.index, lo: at.clone(), hi: end.clone() };
                let mut code = l.region(part, child);
                idle &= code.iter().all(Kir::is_idle);
                if ends {
                    code.extend(whole.iter().flat_map(|(_, (_, s))| s.next.clone()));
                    if let Some((_, s)) = short {
                        code.extend(l.seek(s, end));
                    }
                }
                code.push(Kir::Set { var: state, value: end.clone() });
                code
            };
            match l.decide(&inside) {
                Some(true) => part(l, stop, true),
                Some(false) => part(l, &r.hi, false),
                None => {
                    let then = l.under(&inside, |l| part(l, stop, true));
                    let otherwise = l.under(&outside, |l| part(l, &r.hi, false));
                    vec![Kir::If { cond: inside, then, otherwise }]
                }
            }
        })
    };
    let before = Expr::call(Op::Lt, [stops[0].clone(), stops[1].clone()]);
    let after = Expr::call(Op::Lt, [stops[1].clone(), stops[0].clone()]);
    let same = Expr::call(Op::Eq, [stops[0].clone(), stops[1].clone()]);
    let second = way(l, &before, &[(1, b)], Some(a));
    let first = way(l, &after, &[(0, a)], Some(b));
    let both = way(l, &same, &[(0, a), (1, b)], None);
    let rest = vec![Kir::If { cond: after, then: first, otherwise: both }];
    code.push(Kir::If { cond: before, then: second, otherwise: rest });
    Step { code, idle, end: None, meets: false, lags: None }
}

/// One branch per choice of which children reach the end of the step.
fn cases(
    l: &mut Lower<'_>,
    r: &Region,
    body: Stmt,
    jumpers: &[(AccessId, Rc<Stepper>)],
    stops: &[Expr],
) -> Vec<Kir> {
    let [(id, s), rest @ ..] = jumpers else { return l.region(r.clone(), body) };
    if l.is_too_much() {
        return Vec::new();
    }
    let reaches = Expr::call(Op::Le, [r.hi.clone(), stops[0].clone()]);
    let short = Expr::call(Op::Not, [reaches.clone()]);
    let whole = |l: &mut Lower<'_>| {
        let body = l.with_nest(&body, *id, s.body.clone(), Some(&stops[0]));
        cases(l, r, body, rest, &stops[1..])
    };
    let demoted = |l: &mut Lower<'_>| {
        let body = l.with_nest(&body, *id, Looplet::Stepper(s.clone()), None);
        cases(l, r, body, rest, &stops[1..])
    };
    match l.decide(&reaches) {
        Some(true) => whole(l),
        Some(false) => demoted(l),
        None => {
            let then = l.under(&reaches, whole);
            let otherwise = l.under(&short, demoted);
            l.branch(reaches, then, otherwise)
        }
    }
}

fn has_stepper(l: &Lower<'_>, body: &Stmt, r: &Region) -> bool {
    l.accesses(body).iter().any(|id| {
        l.kernel
            .get(*id)
            .unfurled
            .as_ref()
            .is_some_and(|u| u.index == r.index && matches!(u.nest, Looplet::Stepper(_)))
    })
}
