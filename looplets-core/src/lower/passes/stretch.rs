//! Stretch: each element of its body as a group of so many; pushed inwards as soon as it is seen.
//!
//! It makes one fiber of two levels (Root et al., section 5): the outer one is stretched by the size of the
//! inner, and what is stored below each of its elements is unfurled along the same loop, moved to its group.

use crate::cin::*;
use crate::kernel::{difference, sum, Ty, VarKind};
use crate::kir::{map_code, Kir};
use crate::lower::{Lower, Region};
use crate::nest::{Def, Looplet, Payload, Stepper, Stretched};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let mut spikes = false;
    for id in ids {
        let Looplet::Stretch(stretched, inner) = l.unfurled(id).nest else {
            unreachable!("kind checked")
        };
        spikes |= matches!(*inner, Looplet::Spike(..));
        let nest = l.stretch(&stretched, *inner);
        body = l.with_nest(&body, id, nest, None);
    }
    if spikes {
        // Without elements there is no last one, whose group would start in front of the region.
        return l.guard(&r.clone(), |l| l.region(r, body));
    }
    l.region(r, body)
}

impl Stretched {
    /// Where the group of the body's element `c` starts.
    fn start(&self, c: &Expr) -> Expr {
        match c {
            Expr::Lit(Lit::Int(0)) => Expr::int(0),
            c => Expr::call(Op::Mul, [c.clone(), self.by.clone()]),
        }
    }
    /// The body's element whose group holds `k`.
    fn element(&self, k: &Expr) -> Expr {
        // Groups without elements have no coordinate, and a place is sought all the same.
        let by = match &self.by {
            Expr::Lit(_) => self.by.clone(),
            by => Expr::call(Op::Max, [Expr::int(1), by.clone()]),
        };
        Expr::call(Op::Div, [k.clone(), by])
    }
    fn wrap(&self, body: Looplet, stop: &Expr) -> Looplet {
        Looplet::Stretch(Stretched { stop: stop.clone(), ..self.clone() }, Box::new(body))
    }
    /// What the body's element `c` is throughout its group.
    fn group(&self, payload: Payload, c: &Expr) -> Payload {
        match payload {
            Payload::Child(pos) => Payload::Group(pos, self.start(&sum(c, &self.moved))),
            other => other,
        }
    }
    /// The nest of the body's element `c` alone as that of its group.
    fn one(&self, nest: Looplet, c: &Expr) -> Looplet {
        match nest {
            Looplet::Run(payload) | Looplet::Spike(_, payload) => {
                Looplet::Run(self.group(payload, c))
            }
            Looplet::Thunk { defs, before, body, after } => {
                Looplet::Thunk { defs, before, body: Box::new(self.one(*body, c)), after }
            }
            Looplet::Switch(cases) => {
                Looplet::Switch(cases.into_iter().map(|(cond, n)| (cond, self.one(n, c))).collect())
            }
            other => self.wrap(other, &c.plus(1)),
        }
    }
}

impl Lower<'_> {
    /// `nest` with a group of elements for each of its own.
    pub(super) fn stretch(&mut self, by: &Stretched, nest: Looplet) -> Looplet {
        match nest {
            Looplet::Run(Payload::Child(pos)) => {
                // Each element has the same child, and its own group.
                self.groups(by, None, |by, c| Looplet::Run(by.group(Payload::Child(pos), c)))
            }
            // No index is both, but where groups are made of what is stretched.
            Looplet::Run(_) | Looplet::Union(_) | Looplet::Groups(..) => nest,
            Looplet::Unordered(_) => unreachable!("refused where it was unfurled"),
            Looplet::Spike(front, tail) => {
                let last = by.stop.plus(-1);
                let tail = Looplet::Run(by.group(tail, &last));
                let front = by.wrap(Looplet::Run(front), &last);
                Looplet::Pipeline(vec![(Some(by.start(&last)), front), (None, tail)])
            }
            Looplet::Thunk { defs, before, body, after } => {
                let body = Box::new(by.wrap(*body, &by.stop));
                Looplet::Thunk { defs, before, body, after }
            }
            Looplet::Switch(cases) => {
                let wrap = |(c, n)| (c, by.wrap(n, &by.stop));
                Looplet::Switch(cases.into_iter().map(wrap).collect())
            }
            Looplet::Pipeline(phases) => {
                let phase = |(own, n): (Option<Expr>, Looplet)| {
                    let end = own.as_ref().unwrap_or(&by.stop).clone();
                    (own.map(|s| by.start(&s)), by.wrap(n, &end))
                };
                Looplet::Pipeline(phases.into_iter().map(phase).collect())
            }
            Looplet::Stepper(s) => Looplet::Stepper(Rc::new(self.stretch_stepper(by, &s))),
            Looplet::Jumper(s) => Looplet::Jumper(Rc::new(self.stretch_stepper(by, &s))),
            Looplet::Lookup(i, body) => {
                let all = (by.moved == Expr::int(0)).then(|| by.stop.clone());
                let state = self.kernel.var("group", VarKind::State, Ty::Index);
                let body = self.substitute(*body, i, &Expr::Var(state));
                self.groups_of(by, state, all, by.one(body, &Expr::Var(state)))
            }
            Looplet::Shift(delta, body) => {
                let inner = Stretched {
                    moved: sum(&by.moved, &delta),
                    stop: difference(&by.stop, &delta),
                    ..by.clone()
                };
                Looplet::Shift(by.start(&delta), Box::new(Looplet::Stretch(inner, body)))
            }
            Looplet::Stride { by: step, from, stop, body } => {
                let nest = self.strided((step, from), &stop, *body);
                by.wrap(nest, &by.stop)
            }
            Looplet::Permit { outside, lo, hi, body } => Looplet::Permit {
                outside,
                lo: by.start(&lo),
                hi: by.start(&hi),
                body: Box::new(by.wrap(*body, &by.stop)),
            },
            Looplet::Stretch(inner, body) => {
                let nest = self.stretch(&inner, *body);
                by.wrap(nest, &by.stop)
            }
        }
    }

    /// A stepper over groups, each of which is `one` of its element.
    fn groups(
        &mut self,
        by: &Stretched,
        all: Option<Expr>,
        one: impl FnOnce(&Stretched, &Expr) -> Looplet,
    ) -> Looplet {
        let state = self.kernel.var("group", VarKind::State, Ty::Index);
        let body = one(by, &Expr::Var(state));
        self.groups_of(by, state, all, body)
    }

    /// A stepper whose state is the element at hand; over all elements up to `all`, if that is known.
    fn groups_of(
        &mut self,
        by: &Stretched,
        state: VarId,
        all: Option<Expr>,
        body: Looplet,
    ) -> Looplet {
        let at = self.kernel.var("at", VarKind::Local, Ty::Index);
        let (element, next) = (Expr::Var(state), Expr::Var(state).plus(1));
        let start = by.start(&element);
        let stepper = Stepper {
            id: self.kernel.stepper(),
            range: all.map(|all| (state, Expr::int(0), all)),
            more: None,
            seek: Some((at, vec![Kir::Set { var: state, value: by.element(&Expr::Var(at)) }])),
            jumps: true,
            stop: sum(&start, &by.by),
            start: Some(start),
            body,
            next: vec![Kir::Set { var: state, value: next }],
        };
        Looplet::Thunk {
            // It stands where the level starts.
            defs: vec![Def {
                var: state,
                mutable: true,
                value: difference(&Expr::int(0), &by.moved),
            }],
            before: Vec::new(),
            body: Box::new(Looplet::Stepper(Rc::new(stepper))),
            after: None,
        }
    }

    fn stretch_stepper(&mut self, by: &Stretched, s: &Stepper) -> Stepper {
        let seek = s.seek.as_ref().map(|(i, code)| {
            let (at, to) = (*i, by.element(&Expr::Var(*i)));
            (at, map_code(code, &mut |e| self.substituted(e, at, &to)))
        });
        Stepper {
            seek,
            start: s.start.as_ref().map(|start| by.start(start)),
            stop: by.start(&s.stop),
            body: by.wrap(s.body.clone(), &s.stop),
            ..s.clone()
        }
    }

    /// `s`, of which it is known where children start, over a variable that only the loop changes.
    pub(super) fn counted(&mut self, s: &Rc<Stepper>) -> Rc<Stepper> {
        let (Some((q, _, _)), Some(_)) = (&s.range, &s.start) else { return s.clone() };
        let q = *q;
        let name = self.kernel.info(q).name.clone();
        let var = self.kernel.var(&name, VarKind::Local, Ty::Index);
        let nest = self.substitute(Looplet::Stepper(s.clone()), q, &Expr::Var(var));
        let Looplet::Stepper(s) = nest else { unreachable!("a nest stays what it is") };
        let range = s.range.as_ref().map(|(_, lo, hi)| (var, lo.clone(), hi.clone()));
        Rc::new(Stepper { range, ..(*s).clone() })
    }

    /// `s`, of whose child it is known where it starts, in terms of a local that holds that; the local, and
    /// where the child ends.
    pub(super) fn started(
        &mut self,
        s: &Rc<Stepper>,
        start: &Expr,
        of: &str,
        code: &mut Vec<Kir>,
    ) -> (Rc<Stepper>, Expr, Expr) {
        let lo = self.local(&format!("{of}_start"), start.clone(), code);
        if let Expr::Var(var) = &lo {
            self.define(*var, start);
        }
        let to = lo.clone();
        let nest = Looplet::Stepper(s.clone()).map(&mut |e| (e == start).then(|| to.clone()));
        let Looplet::Stepper(s) = nest else { unreachable!("a nest stays what it is") };
        let stop = sum(&lo, &difference(&s.stop, &lo));
        // As the simplifier leaves it: it is the end of a region.
        let stop = self.simplifier.expr(&stop, &*self.kernel);
        (s, lo, stop)
    }
}
