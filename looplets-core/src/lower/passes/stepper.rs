//! Stepper: seek, then a `while` whose steps end at the nearest child's end.
//!
//! A lone stepper that counts over a whole fiber is a plain range, and one that knows whether it has a
//! child left a plain `while`. After a step the loop goes on at
//! the element after the step's end (the paper's listing in section 6.1 restarts at the end itself,
//! which is right only for its one-based, closed extents).

use crate::cin::*;
use crate::kernel::Level;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Looplet, Payload, Stepper};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let steppers: Vec<(AccessId, Rc<Stepper>)> = ids
        .into_iter()
        .map(|id| match l.unfurled(id).nest {
            Looplet::Stepper(s) => (id, s),
            _ => unreachable!("kind checked"),
        })
        .collect();
    if let [(id, s)] = steppers.as_slice() {
        let u = l.unfurled(*id);
        let untouched = l.unmoved.contains(&s.id) && l.at.get(&s.id) == Some(&r.lo);
        let knows = s.range.is_some() || s.more.is_some();
        if knows && untouched && u.trusted && l.eq(&r.hi, &u.stop) {
            return over_whole(l, r, body, *id, s);
        }
    }
    if l.is_unit(&r) {
        return l.guard(&r.clone(), |l| {
            let mut code = Vec::new();
            for (_, s) in &steppers {
                code.extend(l.seek(s, &r.lo));
            }
            let one = l.step(&r, &body, &steppers, r.lo.clone());
            if one.idle {
                return Vec::new();
            }
            code.extend(one.code);
            steppers.iter().for_each(|(_, s)| l.arrive(s, &r.hi));
            code
        });
    }
    if let [(id, s)] = steppers.as_slice() {
        let u = l.unfurled(*id);
        if u.trusted && !l.le(&u.stop, &r.hi) {
            return cut(l, r, body, *id, s);
        }
    }
    if let Some(code) = super::leap::lower(l, &r, &body, &steppers) {
        return code;
    }
    if let [a, b] = steppers.as_slice() {
        let narrow = |s: &Stepper| matches!(s.body, Looplet::Spike(..));
        let (wide, inner) = if narrow(&a.1) { (b, a) } else { (a, b) };
        if narrow(&inner.1) && has_lookup(&wide.1.body) && inner.1.seek.is_some() {
            // What is known of a stretch is computed once for it, not once for each spike in it.
            let wide = std::slice::from_ref(wide);
            let code = l.walk(r, body, wide, |l, r, body, s, at| l.step(r, body, s, at));
            l.unmoved.remove(&inner.1.id);
            l.at.remove(&inner.1.id);
            return code;
        }
    }
    l.walk(r, body, &steppers, |l, r, body, steppers, at| l.step(r, body, steppers, at))
}

/// Whether a child may be a stretch of elements that are not alike.
fn has_lookup(nest: &Looplet) -> bool {
    match nest {
        Looplet::Lookup(..) | Looplet::Groups(..) | Looplet::Run(Payload::Group(..)) => true,
        Looplet::Thunk { body, .. } | Looplet::Shift(_, body) | Looplet::Stretch(_, body) => {
            has_lookup(body)
        }
        Looplet::Switch(cases) => cases.iter().any(|(_, n)| has_lookup(n)),
        Looplet::Pipeline(phases) => phases.iter().any(|(_, n)| has_lookup(n)),
        _ => false,
    }
}

/// A lone stepper of which the region may cut a child: the children that end inside, in a loop that
/// need not look whether they are cut, then what is left of the one that does not.
fn cut(l: &mut Lower<'_>, r: Region, body: Stmt, id: AccessId, s: &Rc<Stepper>) -> Vec<Kir> {
    let placed = l.at.get(&s.id).is_some_and(|e| l.eq(e, &r.lo));
    if !placed && !l.lt(&r.lo, &r.hi) {
        let cond = Expr::call(Op::Lt, [r.lo.clone(), r.hi.clone()]);
        let then = l.under(&cond, |l| cut(l, r.clone(), body, id, s));
        return l.branch(cond, then, Vec::new());
    }
    let name = l.kernel.info(r.index).name.clone();
    let i = l.place_var(&format!("{name}_at"));
    let at = Expr::Var(i);
    let mut code = l.seek(s, &r.lo);
    let inside = Expr::call(Op::Lt, [at.clone(), r.hi.clone()]);
    let whole =
        Expr::call(Op::And, [inside.clone(), Expr::call(Op::Le, [s.stop.clone(), r.hi.clone()])]);
    let steppers = [(id, s.clone())];
    let part = |l: &mut Lower<'_>, ends: bool| {
        l.scoped(|l| {
            l.assume(&Expr::call(Op::Le, [r.lo.clone(), at.clone()]));
            l.assume(&inside);
            l.at.insert(s.id, at.clone());
            let mut code = Vec::new();
            let stop = l.stops(&steppers, &at, &mut code).remove(0);
            let inner = match ends {
                true => Expr::call(Op::Le, [stop.clone(), r.hi.clone()]),
                false => Expr::call(Op::Lt, [r.hi.clone(), stop.clone()]),
            };
            l.assume(&inner);
            let child = l.with_nest(&body, id, s.body.clone(), Some(&stop));
            let hi = if ends { stop.clone() } else { r.hi.clone() };
            let part = l.region(Region { index: r.index, lo: at.clone(), hi }, child);
            let idle = part.iter().all(Kir::is_idle);
            code.extend(part);
            (code, stop, idle)
        })
    };
    let (mut each, stop, each_idle) = part(l, true);
    let (rest, _, rest_idle) = part(l, false);
    l.unmoved.remove(&s.id);
    l.at.remove(&s.id);
    if each_idle && rest_idle {
        return Vec::new();
    }
    each.extend(s.next.clone());
    each.push(Kir::Set { var: i, value: stop });
    code.push(Kir::Let { var: i, mutable: true, value: r.lo.clone() });
    code.push(Kir::While { cond: whole, body: each });
    if !rest_idle {
        code.push(Kir::If { cond: inside, then: rest, otherwise: Vec::new() });
    }
    l.arrive(s, &r.hi);
    code
}

/// `for q in lo..hi`, or `while more`, one child each: nothing looks where the region ends.
fn over_whole(l: &mut Lower<'_>, r: Region, body: Stmt, id: AccessId, s: &Rc<Stepper>) -> Vec<Kir> {
    let i = l.place_var(&format!("{}_from", l.kernel.info(r.index).name.clone()));
    let at = Expr::Var(i);
    let s = &l.counted(s);
    let inner = l.scoped(|l| {
        l.assume(&Expr::call(Op::Le, [r.lo.clone(), at.clone()]));
        if let (Some((q, lo, hi)), Some(_)) = (&s.range, &s.start) {
            l.assume(&Expr::call(Op::Le, [lo.clone(), Expr::Var(*q)]));
            l.assume(&Expr::call(Op::Lt, [Expr::Var(*q), hi.clone()]));
        }
        let mut code = Vec::new();
        let of = match &s.range {
            Some((q, _, _)) => l.kernel.info(*q).name.clone(),
            None => l.kernel.tensor(l.kernel.get(id).tensor).name.to_string(),
        };
        let (s, lo, stop) = match &s.start {
            Some(start) => l.started(s, start, &of, &mut code),
            None => {
                let stop = l.local(&format!("{of}_stop"), s.stop.clone(), &mut code);
                l.assume(&Expr::call(Op::Lt, [at.clone(), stop.clone()]));
                (s.clone(), at.clone(), stop)
            }
        };
        l.assume(&Expr::call(Op::Le, [stop.clone(), r.hi.clone()]));
        let child = l.with_nest(&body, id, s.body.clone(), Some(&stop));
        let part = l.region(Region { index: r.index, lo, hi: stop.clone() }, child);
        if part.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        code.extend(part);
        if s.range.is_none() {
            code.extend(s.next.clone());
        }
        code.push(Kir::Set { var: i, value: stop });
        code
    });
    l.arrive(s, &r.hi);
    if inner.is_empty() {
        // Nothing moved the state after all.
        l.at.remove(&s.id);
        return Vec::new();
    }
    let mut code = vec![Kir::Let { var: i, mutable: true, value: r.lo.clone() }];
    code.push(match (&s.range, &s.more) {
        (Some((q, lo, hi)), _) => Kir::For { var: *q, lo: lo.clone(), hi: hi.clone(), body: inner },
        (None, more) => {
            let cond = more.clone().unwrap_or(Expr::bool(true));
            Kir::While { cond, body: inner }
        }
    });
    l.at.remove(&s.id);
    code
}

/// The code of one step, and whether it does nothing but move.
pub(super) struct Step {
    pub code: Vec<Kir>,
    pub idle: bool,
    /// Where the step ended; `None` if its branches set that themselves.
    pub end: Option<Expr>,
    /// Whether it does something only where two children end together.
    pub meets: bool,
    /// A stepper that may be left standing at a child that has ended.
    pub lags: Option<u32>,
}

impl Lower<'_> {
    /// Moves the state of `s` to the child that holds `at`, unless it is known to be there.
    pub(super) fn seek(&mut self, s: &Stepper, at: &Expr) -> Vec<Kir> {
        if self.at.get(&s.id).is_some_and(|e| self.eq(e, at)) {
            return Vec::new();
        }
        self.unmoved.remove(&s.id);
        match &s.seek {
            None => Vec::new(),
            Some((i, code)) => {
                self.moves_state();
                let (i, at) = (*i, at.clone());
                crate::kir::map_code(code, &mut |e| self.substituted(e, i, &at))
                    .into_iter()
                    .map(|k| self.substituted_code(k, i, &at))
                    .collect()
            }
        }
    }

    fn substituted_code(&mut self, k: Kir, i: VarId, at: &Expr) -> Kir {
        match k {
            Kir::Code(r) => match self.substituted(&Expr::Raw(r), i, at) {
                Some(Expr::Raw(new)) => Kir::Code(new),
                _ => Kir::Code(r),
            },
            other => other,
        }
    }

    /// Records that the state of `s` stands at `at`.
    pub(super) fn arrive(&mut self, s: &Stepper, at: &Expr) {
        self.unmoved.remove(&s.id);
        self.at.insert(s.id, at.clone());
    }

    /// `i = lo; while i < hi { step; i = end }`.
    pub(super) fn walk(
        &mut self,
        r: Region,
        body: Stmt,
        steppers: &[(AccessId, Rc<Stepper>)],
        step: impl FnOnce(&mut Self, &Region, &Stmt, &[(AccessId, Rc<Stepper>)], Expr) -> Step,
    ) -> Vec<Kir> {
        let name = self.kernel.info(r.index).name.clone();
        let i = self.place_var(&format!("{name}_at"));
        let at = Expr::Var(i);
        let mut code = Vec::new();
        // A seek needs a coordinate of the fiber to go to.
        let placed = |l: &Self, s: &Stepper| l.at.get(&s.id).is_some_and(|e| l.eq(e, &r.lo));
        if !steppers.iter().all(|(_, s)| placed(self, s)) && !self.lt(&r.lo, &r.hi) {
            let ends = self.stands_at_end(&r, steppers);
            let cond = Expr::call(Op::Lt, [r.lo.clone(), r.hi.clone()]);
            let then = self.under(&cond, |l| l.walk(r.clone(), body, steppers, step));
            let own = matches!(&then[..], [Kir::Let { .. }, Kir::While { cond, .. }] if Some(cond) == ends.as_ref());
            return if own { then } else { self.branch(cond, then, Vec::new()) };
        }
        // Three jumpers or more seek at the top of each step.
        let jumpers =
            steppers.len() > 2 && matches!(self.unfurled(steppers[0].0).nest, Looplet::Jumper(_));
        for (_, s) in steppers.iter().filter(|_| !jumpers) {
            code.extend(self.seek(s, &r.lo));
        }
        let cond = Expr::call(Op::Lt, [at.clone(), r.hi.clone()]);
        let one = self.scoped(|l| {
            l.assume(&Expr::call(Op::Le, [r.lo.clone(), at.clone()]));
            l.assume(&cond);
            for (_, s) in steppers {
                l.at.insert(s.id, at.clone());
            }
            step(l, &r, &body, steppers, at.clone())
        });
        for (_, s) in steppers {
            self.unmoved.remove(&s.id);
            self.at.remove(&s.id);
        }
        if one.idle {
            return Vec::new();
        }
        let one_lags = one.lags;
        let mut inner = one.code;
        inner.extend(one.end.map(|end| Kir::Set { var: i, value: end }));
        let cond = match self.children_left(&r, steppers) {
            Some(left) if one_lags.is_none() && !jumpers => left,
            _ => cond,
        };
        code.push(Kir::Let { var: i, mutable: true, value: r.lo.clone() });
        code.push(Kir::While { cond, body: inner });
        for (_, s) in steppers.iter().filter(|(_, s)| !jumpers && one_lags != Some(s.id)) {
            self.arrive(s, &r.hi);
        }
        code
    }

    /// Whether each of `steppers` has a child left, which tells whether a walk that ends with the first of them
    /// goes on: then nothing needs to know where they end.
    fn children_left(&self, r: &Region, steppers: &[(AccessId, Rc<Stepper>)]) -> Option<Expr> {
        let (mut stops, mut left) = (Vec::new(), Vec::new());
        for (id, s) in steppers {
            let u = self.unfurled(*id);
            let (q, _, end) = s.range.as_ref()?;
            if !u.trusted || !matches!(u.nest, Looplet::Stepper(_)) {
                return None;
            }
            stops.push(u.stop.clone());
            left.push(Expr::call(Op::Lt, [Expr::Var(*q), end.clone()]));
        }
        let first = self.bound(&Expr::call(Op::Min, stops));
        self.eq(&r.hi, &first).then(|| match &left[..] {
            [one] => one.clone(),
            _ => Expr::call(Op::And, left),
        })
    }

    /// What tells whether a lone stepper has a child left, if it stands where it has none wherever the region
    /// is empty.
    fn stands_at_end(&mut self, r: &Region, steppers: &[(AccessId, Rc<Stepper>)]) -> Option<Expr> {
        let [(_, s)] = steppers else { return None };
        let at = self.at.get(&s.id)?.clone();
        let left = self.children_left(r, steppers)?;
        let empty = Expr::call(Op::Le, [r.hi.clone(), r.lo.clone()]);
        let ended = self.scoped(|l| {
            l.assume(&empty);
            l.le(&r.hi, &at)
        });
        ended.then_some(left)
    }

    /// The end of the current child of each stepper, as locals.
    pub(super) fn stops(
        &mut self,
        steppers: &[(AccessId, Rc<Stepper>)],
        at: &Expr,
        code: &mut Vec<Kir>,
    ) -> Vec<Expr> {
        let mut stops = Vec::new();
        for (id, s) in steppers {
            let u = self.unfurled(*id);
            let tensor = self.kernel.tensor(self.kernel.get(*id).tensor).name.to_string();
            let after = at.plus(1);
            // An extent that nothing vouches for is kept in order here, so that the loop advances.
            let value = if u.trusted {
                s.stop.clone()
            } else {
                Expr::call(Op::Max, [s.stop.clone(), after.clone()])
            };
            let held = s.start.is_some() && u.trusted;
            let stop = self.local(&format!("{tensor}_stop"), value.clone(), code);
            if let (Expr::Var(stop), true) = (&stop, held) {
                self.define(*stop, &value);
            }
            self.assume(&Expr::call(Op::Lt, [at.clone(), stop.clone()]));
            if u.trusted {
                self.assume(&Expr::call(Op::Le, [stop.clone(), u.stop.clone()]));
            }
            stops.push(stop);
        }
        stops
    }

    /// `steppers`, of which those that know where their child starts hold that.
    fn begun(
        &mut self,
        steppers: &[(AccessId, Rc<Stepper>)],
        at: &Expr,
        code: &mut Vec<Kir>,
    ) -> Vec<(AccessId, Rc<Stepper>)> {
        let mut out = Vec::new();
        for (id, s) in steppers {
            let Some(start) = &s.start else {
                out.push((*id, s.clone()));
                continue;
            };
            let of = self.kernel.tensor(self.kernel.get(*id).tensor).name.to_string();
            let (s, lo, _) = self.started(s, start, &of, code);
            if self.unfurled(*id).trusted {
                self.assume(&Expr::call(Op::Le, [lo, at.clone()]));
            }
            out.push((*id, s));
        }
        out
    }

    /// One step: to the nearest end.
    pub(super) fn step(
        &mut self,
        r: &Region,
        body: &Stmt,
        steppers: &[(AccessId, Rc<Stepper>)],
        at: Expr,
    ) -> Step {
        let (mut code, place) = (Vec::new(), at.clone());
        let steppers = &self.begun(steppers, &at, &mut code)[..];
        let stops = self.stops(steppers, &at, &mut code);
        let mut ends = stops.clone();
        // A region that ends with the first of its fibers ends no child.
        let fibers = match &r.hi {
            Expr::Var(v) => match self.extrema.get(v) {
                Some(Expr::Call(Op::Min, args)) => args.clone(),
                _ => vec![r.hi.clone()],
            },
            hi => vec![hi.clone()],
        };
        if !fibers.iter().all(|end| stops.iter().any(|stop| self.le(stop, end))) {
            ends.push(r.hi.clone());
        }
        let own = ends.len() == stops.len();
        let end = self.bound(&Expr::call(Op::Min, ends));
        let run = |s: &Stepper| matches!(s.body, Looplet::Run(_));
        // Of two runs all ends are alike. Where each step writes an entry, that takes longer than it
        // takes to compute the nearest end without a branch, which often would be predicted wrongly.
        let alike = steppers.iter().all(|(_, s)| run(s)) && self.writes_runs(body, r.index);
        if let ([a, b], Expr::Call(..), false) = (steppers, &end, alike) {
            let nearest = self.bound(&Expr::call(Op::Min, stops.clone()));
            if end == nearest {
                // A run stands first: it may lag behind.
                let (pair, ends) = match run(&b.1) && !run(&a.1) {
                    true => ([b, a], [&stops[1], &stops[0]]),
                    false => ([a, b], [&stops[0], &stops[1]]),
                };
                return self.merge_step(code, body, r.index, pair, ends, at);
            }
        }
        let end = self.bounded(
            &format!("{}_end", self.kernel.info(r.index).name.clone()),
            end,
            &mut code,
        );
        self.assume(&Expr::call(Op::Lt, [at.clone(), end.clone()]));
        let mut child = body.clone();
        for ((id, s), stop) in steppers.iter().zip(&stops) {
            child = self.with_nest(&child, *id, s.body.clone(), Some(stop));
        }
        let part = self.region(Region { index: r.index, lo: at, hi: end.clone() }, child);
        let idle = part.iter().all(Kir::is_idle);
        code.extend(part);
        for ((_, s), stop) in steppers.iter().zip(&stops) {
            code.extend(self.advance(s, stop, &end));
        }
        // The nearest end is that of a child which is left.
        let counted = |s: &Stepper| {
            s.range.as_ref().map(|(q, ..)| *q).filter(|q| self.kernel.cursors.contains_key(q))
        };
        let cursors: Option<Vec<VarId>> = steppers.iter().map(|(_, s)| counted(s)).collect();
        if let (Expr::Var(at), Some(cursors), true) = (&place, cursors, own) {
            self.kernel.unions.insert(*at, cursors);
        }
        Step { code, idle, end: Some(end), meets: false, lags: None }
    }

    /// Whether `body` writes entries of an output of runs along `index`.
    fn writes_runs(&self, body: &Stmt, index: VarId) -> bool {
        self.accesses(body).iter().any(|id| {
            let access = self.kernel.get(*id);
            let level = self.kernel.tensor(access.tensor).levels.get(access.level);
            let runs = |level: &Level| level.format.level().write.as_ref().is_some_and(|w| w.runs);
            let along = access.unfurled.as_ref().is_some_and(|u| u.index == index);
            access.write && along && level.is_some_and(runs)
        })
    }

    /// To the next child, if the step ended where the current one does.
    pub(super) fn advance(&mut self, s: &Stepper, stop: &Expr, end: &Expr) -> Vec<Kir> {
        let ended = Expr::call(Op::Eq, [stop.clone(), end.clone()]);
        let known = self.decide(&ended);
        self.moves_state();
        match (known, &s.range) {
            (Some(true), _) => s.next.clone(),
            (Some(false), _) => Vec::new(),
            // Adding the condition keeps the loop free of a branch that is hard to predict.
            (None, Some((q, _, _))) => {
                vec![Kir::Set { var: *q, value: Expr::call(Op::Add, [Expr::Var(*q), ended]) }]
            }
            (None, None) => {
                vec![Kir::If { cond: ended, then: s.next.clone(), otherwise: Vec::new() }]
            }
        }
    }
}
