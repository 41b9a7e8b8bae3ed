//! Groups: each element is a group of so many of its body, which a loop further in runs over; pushed inwards as
//! soon as it is seen.
//!
//! It makes two loops over one fiber (Root et al., section 5): the outer one visits the groups that have
//! something stored, and the inner one goes on where the state of the outer one stands.

use crate::cin::*;
use crate::kernel::{difference, scaled, sum, Ty, VarKind};
use crate::kir::{map_code, Kir};
use crate::lower::{Lower, Region};
use crate::nest::{Around, Def, Grouped, Looplet, Payload, Resumed, Stepper};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let mut code = Vec::new();
    for id in &ids {
        let Looplet::Groups(by, inner) = l.unfurled(*id).nest else { unreachable!("kind checked") };
        if by.inside {
            continue;
        }
        let some = Expr::call(Op::Lt, [Expr::int(0), by.by.clone()]);
        let known = l.decide(&some);
        if known != Some(true) {
            // Nobody looks into groups of no elements, and neither is there a place where one of them starts.
            let nest = Looplet::Run(Payload::Fill);
            let without = l.with_nest(&body, *id, nest, None);
            if known == Some(false) {
                return l.region(r, without);
            }
            let no = Expr::call(Op::Not, [some.clone()]);
            let then = l.under(&some, |l| lower(l, r.clone(), body, ids.clone()));
            let otherwise = l.under(&no, |l| l.region(r, without));
            return l.branch(some, then, otherwise);
        }
        let from = match by.whole || by.from == Expr::int(0) {
            true => by.from.clone(),
            // Where a loop within runs over no elements, the last group may seem to start behind the body.
            false => {
                let all = scaled(&r.hi.plus(-1), &by.by);
                let most = difference(&by.extent[1].plus(-1), &all);
                l.local("from", Expr::call(Op::Min, [by.from.clone(), most]), &mut code)
            }
        };
        let by = Grouped { inside: true, from, ..*by };
        body = l.with_nest(&body, *id, by.wrap(*inner), None);
    }
    let mut spikes = false;
    for id in ids {
        let Looplet::Groups(by, inner) = l.unfurled(id).nest else { unreachable!("kind checked") };
        if !by.inside {
            // Above it got a nest that is `inside`, which the region below brings here again.
            continue;
        }
        spikes |=
            matches!(&*inner, Looplet::Stretch(_, nest) if matches!(**nest, Looplet::Spike(..)));
        let nest = l.group(&by, *inner);
        body = l.with_nest(&body, id, nest, None);
    }
    // As where a spike is stretched alone: without elements it has no last one.
    code.extend(match spikes {
        true => l.guard(&r.clone(), |l| l.region(r, body)),
        false => l.region(r, body),
    });
    code
}

impl Grouped {
    /// The group that holds coordinate `c`: all groups before it end at `c` or earlier.
    fn floor(&self, c: &Expr) -> Expr {
        Expr::call(Op::Div, [difference(c, &self.from), self.by.clone()])
    }
    /// The first group that starts at `c` or behind.
    fn ceil(&self, c: &Expr) -> Expr {
        Expr::call(Op::CeilDiv, [difference(c, &self.from), self.by.clone()])
    }
    fn wrap(&self, body: Looplet) -> Looplet {
        Looplet::Groups(Box::new(self.clone()), Box::new(body))
    }
    fn part(&self) -> Payload {
        let resumed = |rest: &Rc<Looplet>| {
            Rc::new(Resumed { nest: (**rest).clone(), start: self.group.clone() })
        };
        Payload::Part(self.rest.as_ref().map(resumed))
    }
    /// `nest` in what it stands in.
    fn surrounded(&self, nest: Looplet) -> Looplet {
        self.around.iter().rev().fold(nest, |nest, around| match around {
            Around::Shift(delta) => Looplet::Shift(delta.clone(), Box::new(nest)),
            Around::Phase(end, behind) => {
                let first = (end.clone(), nest);
                Looplet::Pipeline([first].into_iter().chain(behind.iter().cloned()).collect())
            }
        })
    }
}

/// Whether all elements of a run are one.
fn is_uniform(payload: &Payload) -> bool {
    !matches!(payload, Payload::Group(..) | Payload::Part(_))
}

impl Lower<'_> {
    /// `nest` with an element for each group of its own.
    pub(super) fn group(&mut self, by: &Grouped, nest: Looplet) -> Looplet {
        match nest {
            Looplet::Run(payload) if is_uniform(&payload) => match by.whole {
                true => Looplet::Run(payload),
                false => {
                    let uniform = (Some(by.floor(&by.extent[1])), Looplet::Run(payload));
                    let phases = vec![uniform, (None, self.each_group(by))];
                    self.held(phases)
                }
            },
            Looplet::Spike(front, _) if is_uniform(&front) => Looplet::Spike(front, by.part()),
            Looplet::Thunk { defs, before, body, after } => {
                Looplet::Thunk { defs, before, body: Box::new(by.wrap(*body)), after }
            }
            Looplet::Switch(cases) => {
                Looplet::Switch(cases.into_iter().map(|(c, n)| (c, by.wrap(n))).collect())
            }
            Looplet::Pipeline(phases) => self.group_phases(by, phases),
            // A loop over groups within a child of another would move the state that the other goes by.
            Looplet::Stepper(_) | Looplet::Jumper(_) if by.rest.is_some() => self.each_group(by),
            Looplet::Stepper(s) => self.group_stepper(by, &s, Looplet::Stepper),
            Looplet::Jumper(s) => self.group_stepper(by, &s, Looplet::Jumper),
            Looplet::Shift(delta, body) => {
                let moved = |e: &Expr| difference(e, &delta);
                let (from, extent) = (moved(&by.from), by.extent.each_ref().map(moved));
                let mut by = Grouped { from, extent, ..by.clone() };
                by.around.push(Around::Shift(delta));
                by.wrap(*body)
            }
            Looplet::Stretch(inner, body) => {
                let nest = self.stretch(&inner, *body);
                by.wrap(nest)
            }
            Looplet::Unordered(_) => unreachable!("refused where it was unfurled"),
            // Nothing is known of a group before it is looked at.
            Looplet::Run(_)
            | Looplet::Spike(..)
            | Looplet::Lookup(..)
            | Looplet::Union(_)
            | Looplet::Stride { .. }
            | Looplet::Groups(..)
            | Looplet::Permit { .. } => self.each_group(by),
        }
    }

    fn each_group(&mut self, by: &Grouped) -> Looplet {
        let any = self.kernel.var("group", VarKind::Local, Ty::Index);
        Looplet::Lookup(any, Box::new(Looplet::Run(by.part())))
    }

    /// `phases`, whose bounds are computed before the first: what is inside may move the state.
    fn held(&mut self, mut phases: Vec<(Option<Expr>, Looplet)>) -> Looplet {
        let mut defs = Vec::new();
        for end in phases.iter_mut().filter_map(|(end, _)| end.as_mut()) {
            let var = self.kernel.var("groups", VarKind::Local, Ty::Index);
            let value = std::mem::replace(end, Expr::Var(var));
            defs.push(Def { var, mutable: false, value });
        }
        let body = Box::new(Looplet::Pipeline(phases));
        Looplet::Thunk { defs, before: Vec::new(), body, after: None }
    }

    /// The phases, in groups. A group that holds the end of a run is not of that run: it belongs to a lookup behind
    /// it, which looks at each group, or is looked at alone.
    fn group_phases(&mut self, by: &Grouped, phases: Vec<(Option<Expr>, Looplet)>) -> Looplet {
        let mut out = Vec::new();
        let mut start = by.extent[0].clone();
        for (k, (own, nest)) in phases.iter().enumerate() {
            let stop = own.as_ref().unwrap_or(&by.extent[1]).clone();
            let whole = own.is_none() && by.whole;
            let mut inner = Grouped { extent: [start, stop.clone()], whole, ..by.clone() };
            inner.around.push(Around::Phase(own.clone(), phases[k + 1..].to_vec()));
            start = stop;
            let uniform = matches!(nest, Looplet::Run(payload) if is_uniform(payload));
            match own {
                Some(end) if uniform => {
                    out.push((Some(by.floor(end)), nest.clone()));
                    if !matches!(phases.get(k + 1), Some((_, Looplet::Lookup(..)))) {
                        out.push((Some(by.ceil(end)), self.each_group(by)));
                    }
                }
                Some(end) => out.push((Some(by.ceil(end)), inner.wrap(nest.clone()))),
                None => out.push((None, inner.wrap(nest.clone()))),
            }
        }
        self.held(out)
    }

    /// A stepper over groups: its state is that of `s` and the end of the last group that the current child
    /// reaches, which is 0 where there is no child left.
    fn group_stepper(
        &mut self,
        by: &Grouped,
        s: &Rc<Stepper>,
        kind: fn(Rc<Stepper>) -> Looplet,
    ) -> Looplet {
        let [start, stop] = &by.extent;
        let end = self.kernel.var("end", VarKind::State, Ty::Index);
        let last = Expr::call(Op::Div, [difference(&s.stop.plus(-1), &by.from), by.by.clone()]);
        let reached = last.plus(1);
        let left = |at: &Expr| {
            let inside = Expr::call(Op::Lt, [at.clone(), stop.clone()]);
            (inside.clone(), Expr::call(Op::IfElse, [inside, reached.clone(), Expr::int(0)]))
        };
        let mut seek = Vec::new();
        let at = match &s.seek {
            Some((at, code)) => {
                let to = sum(&scaled(&Expr::Var(*at), &by.by), &by.from);
                seek = map_code(code, &mut |e| self.substituted(e, *at, &to));
                *at
            }
            None => self.kernel.var("at", VarKind::Local, Ty::Index),
        };
        seek.push(Kir::Set { var: end, value: reached.clone() });
        let wanted = self.kernel.var("wanted", VarKind::Local, Ty::Index);
        let (inside, anew) = left(&Expr::Var(wanted));
        let before = Expr::call(Op::Le, [s.stop.clone(), Expr::Var(wanted)]);
        let value = sum(&scaled(&Expr::Var(end), &by.by), &by.from);
        let next = vec![Kir::Block(vec![
            Kir::Let { var: wanted, mutable: false, value },
            Kir::While { cond: Expr::call(Op::And, [inside, before]), body: s.next.clone() },
            Kir::Set { var: end, value: anew },
        ])];
        let rest = by.rest.clone().unwrap_or_else(|| {
            let id = self.kernel.stepper();
            let more = match &s.range {
                Some((q, _, hi)) => Some(Expr::call(Op::Lt, [Expr::Var(*q), hi.clone()])),
                None => s.more.clone(),
            };
            Rc::new(by.surrounded(kind(Rc::new(Stepper {
                id,
                range: None,
                more,
                ..(**s).clone()
            }))))
        });
        let own = [s.start.clone().unwrap_or_else(|| start.clone()), s.stop.clone()];
        let inner = Grouped { extent: own, whole: false, rest: Some(rest), ..by.clone() };
        let grouped = Stepper {
            id: s.id,
            range: None,
            more: Some(Expr::call(Op::Lt, [Expr::int(0), Expr::Var(end)])),
            seek: Some((at, seek)),
            jumps: s.jumps,
            start: None,
            stop: Expr::Var(end),
            body: inner.wrap(s.body.clone()),
            next,
        };
        Looplet::Thunk {
            defs: vec![Def { var: end, mutable: true, value: left(start).1 }],
            before: Vec::new(),
            body: Box::new(kind(Rc::new(grouped))),
            after: None,
        }
    }
}
