//! Stride: every so-many-th element of its body; pushed inwards as soon as it is seen.
//!
//! Element `k` of the stride is coordinate `by * k + from` of the body. A child of a stepper may hold
//! no such coordinate, so the state is moved on until its child holds the next one.

use crate::cin::*;
use crate::kernel::{difference, sum, Ty, VarKind};
use crate::kir::map_code;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Stepper};
use std::rc::Rc;

/// `by * k + from`.
#[derive(Clone)]
struct Along {
    by: Expr,
    from: Expr,
}

impl Along {
    /// The coordinate of element `k`.
    fn coordinate(&self, k: &Expr) -> Expr {
        sum(&Expr::call(Op::Mul, [self.by.clone(), k.clone()]), &self.from)
    }
    /// The first element at or after coordinate `c`.
    fn element(&self, c: &Expr) -> Expr {
        Expr::call(Op::CeilDiv, [difference(c, &self.from), self.by.clone()])
    }
    fn wrap(&self, body: Looplet, stop: Expr) -> Looplet {
        let Along { by, from } = self.clone();
        Looplet::Stride { by, from, stop, body: Box::new(body) }
    }
}

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    for id in ids {
        let Looplet::Stride { by, from, stop, body: inner } = l.unfurled(id).nest else {
            unreachable!("kind checked")
        };
        let nest = l.stride(&Along { by, from }, &stop, *inner);
        body = l.with_nest(&body, id, nest, None);
    }
    l.region(r, body)
}

impl Lower<'_> {
    /// The elements `by * k + from` of `nest`, which ends at coordinate `stop`.
    pub(super) fn strided(
        &mut self,
        (by, from): (Expr, Expr),
        stop: &Expr,
        nest: Looplet,
    ) -> Looplet {
        self.stride(&Along { by, from }, stop, nest)
    }

    /// `nest`, which ends at coordinate `stop`, as it is seen along a stride.
    fn stride(&mut self, along: &Along, stop: &Expr, nest: Looplet) -> Looplet {
        match nest {
            Looplet::Run(_) | Looplet::Union(_) => nest,
            Looplet::Spike(front, tail) => {
                // The tail is an element if the last one of the extent falls on it.
                let last = along.coordinate(&along.element(stop).plus(-1));
                let hit = Expr::call(Op::Eq, [last.plus(1), stop.clone()]);
                Looplet::Switch(vec![
                    (hit, Looplet::Spike(front.clone(), tail)),
                    (Expr::bool(true), Looplet::Run(front)),
                ])
            }
            Looplet::Thunk { defs, before, body, after } => {
                let body = Box::new(along.wrap(*body, stop.clone()));
                Looplet::Thunk { defs, before, body, after }
            }
            Looplet::Switch(cases) => {
                let wrap = |(c, n)| (c, along.wrap(n, stop.clone()));
                Looplet::Switch(cases.into_iter().map(wrap).collect())
            }
            Looplet::Pipeline(phases) => {
                let phase = |(own, n): (Option<Expr>, Looplet)| {
                    let end = own.clone().unwrap_or_else(|| stop.clone());
                    (own.map(|s| along.element(&s)), along.wrap(n, end))
                };
                Looplet::Pipeline(phases.into_iter().map(phase).collect())
            }
            Looplet::Stepper(s) => Looplet::Stepper(Rc::new(self.stride_stepper(along, stop, &s))),
            Looplet::Jumper(s) => Looplet::Jumper(Rc::new(self.stride_stepper(along, stop, &s))),
            Looplet::Lookup(i, body) => {
                let body = self.substitute(*body, i, &along.coordinate(&Expr::Var(i)));
                Looplet::Lookup(i, Box::new(body))
            }
            Looplet::Shift(delta, body) => {
                let from = difference(&along.from, &delta);
                Along { by: along.by.clone(), from }.wrap(*body, difference(stop, &delta))
            }
            Looplet::Stride { by, from, stop, body } => {
                let both = Along {
                    by: Expr::call(Op::Mul, [by.clone(), along.by.clone()]),
                    from: sum(&Expr::call(Op::Mul, [by, along.from.clone()]), &from),
                };
                both.wrap(*body, stop)
            }
            // No index is both.
            Looplet::Stretch(..) | Looplet::Groups(..) => nest,
            Looplet::Unordered(_) => unreachable!("refused where it was unfurled"),
            Looplet::Permit { outside, lo, hi, body } => Looplet::Permit {
                outside,
                lo: along.element(&lo),
                hi: along.element(&hi),
                body: Box::new(along.wrap(*body, stop.clone())),
            },
        }
    }

    fn stride_stepper(&mut self, along: &Along, extent: &Expr, s: &Stepper) -> Stepper {
        let seek = s.seek.as_ref().map(|(i, code)| {
            let (at, to) = (*i, along.coordinate(&Expr::Var(*i)));
            (at, map_code(code, &mut |e| self.substituted(e, at, &to)))
        });
        let stop = along.element(&s.stop);
        // The next element, while the state is still that of the child before it.
        let wanted = self.kernel.var("wanted", VarKind::Local, Ty::Index);
        let inside = Expr::call(Op::Lt, [Expr::Var(wanted), extent.clone()]);
        let before = Expr::call(Op::Le, [s.stop.clone(), Expr::Var(wanted)]);
        let mut next =
            vec![Kir::Let { var: wanted, mutable: false, value: along.coordinate(&stop) }];
        next.extend(s.next.clone());
        let cond = Expr::call(Op::And, [inside, before]);
        next.push(Kir::While { cond, body: s.next.clone() });
        Stepper {
            id: s.id,
            range: None,
            more: None,
            seek,
            jumps: s.jumps,
            start: None,
            stop,
            body: along.wrap(s.body.clone(), s.stop.clone()),
            next: vec![Kir::Block(next)],
        }
    }
}
