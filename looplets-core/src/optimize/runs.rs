//! Puts runs where room was made for them: each over the last one, if it goes on there with the same value, or else behind it.
//!
//! Appending a run asks the arrays for the last one, where it ends and what it is, and then for room. Where a stretch of
//! code begins with a fiber that was just opened, all that is known in between: where the last run ended, and its value,
//! are held in variables, and whether the next one is joined with it is added to the count of runs without a branch.
//!
//! In a level whose runs cover each fiber, what is left out is a run of fill. A walk leaves nothing out: each step begins
//! where the one before ended. That is seen by following which variables stand where the last run ended.

use super::append::Pass;
use super::guards::any;
use crate::cin::*;
use crate::decl::Clause;
use crate::index::difference;
use crate::kernel::*;
use crate::kir::{Each, Kir, PutRun, Run};
use crate::opaque::{Declared, Frame, Opaque};
use crate::runtime::Runtime;

/// What is held of the last run of a stretch.
struct Last {
    /// One past its coordinates.
    end: VarId,
    /// Its value, if there are values: the array of these, and a variable.
    value: Option<(ArrayId, VarId)>,
}

/// Expressions that are all where the last run ended.
type Ends = Vec<Expr>;

/// Runs that are put.
pub(super) struct Put {
    /// What is done before there is room.
    pub front: Vec<Kir>,
    /// What is defined once there is.
    pub before: Vec<Kir>,
    /// Runs of fill that may be put beside those that are counted.
    pub gaps: usize,
}

impl Pass<'_> {
    /// Whether entries are runs that may be joined.
    pub(super) fn joins(&self, code: &[Kir]) -> bool {
        any(code, &|k| self.run_of(k).is_some())
    }

    /// Whether `k` opens a fiber of the level.
    pub(super) fn opens(&self, k: &Kir) -> bool {
        let Kir::Code(r) = k else { return false };
        let open =
            |d: &Declared| d.of == self.of && matches!(d.frame, Frame::Growth(Clause::Open, _));
        matches!(&self.kernel.raws[r.0 as usize].code, Opaque::Declared(d) if open(d))
    }

    /// Goes on behind `k` with what is known of a fiber that was opened.
    pub(super) fn pass(&mut self, k: &Kir) {
        if self.opens(k) {
            self.fresh = Some(vec![Expr::int(0)]);
        } else if let Some(mut ends) = self.fresh.take() {
            self.moved(k, &mut ends);
            self.fresh = Some(ends);
        }
    }

    fn run_of<'k>(&self, k: &'k Kir) -> Option<(&'k Each, &'k Run)> {
        match k {
            Kir::Commit(c) if c.of == self.of => {
                let each = c.each.as_ref()?;
                Some((each, each.run.as_ref()?))
            }
            _ => None,
        }
    }

    /// Has `code`, in which a fiber is written that was just opened, put its runs into `arrays`.
    pub(super) fn put_runs(
        &mut self,
        code: &mut Vec<Kir>,
        count: VarId,
        arrays: &mut Vec<ArrayId>,
    ) -> Option<Put> {
        let mut first = None;
        code.iter().for_each(|k| {
            k.walk(&mut |k| {
                first = first.take().or_else(|| self.run_of(k).map(|(each, _)| each.clone()))
            });
        });
        let each = first?;
        let again = |k: &Kir| self.opens(k);
        if any(code, &again) {
            return None;
        }
        arrays.extend(each.elements.iter().map(|(a, _)| *a).chain(each.values));
        let name = self.kernel.tensor(self.of.0).name.clone();
        let end = self.kernel.var(&format!("{name}_ended"), VarKind::State, Ty::Index);
        let mut before = vec![Kir::Let { var: end, mutable: true, value: Expr::int(0) }];
        let value = each.values.map(|array| {
            let ty = self.kernel.arrays[array.0 as usize].elem.clone();
            let var = self.kernel.var(&format!("{name}_before"), VarKind::State, ty);
            let fill = self.kernel.tensor(self.of.0).fill.clone();
            before.push(Kir::Let { var, mutable: true, value: fill });
            (array, var)
        });
        let last = Last { end, value };
        let mut front = self.aligned(&each)?;
        if each.run.as_ref().is_some_and(|run| run.gap.is_some()) {
            // Runs of fill that end a fiber may have no value yet.
            let (q, room) = self.first_begin(code)?;
            front.extend(self.with_values(q, room, each.elements.first()?.0));
        }
        let mut gaps = 0;
        let mut ends = self.fresh.clone()?;
        self.runs(code, count, &last, &mut ends, &mut Some(&mut gaps))?;
        Some(Put { front, before, gaps })
    }

    /// Has all arrays end with the last run: behind it there may be what was begun, and is to be begun again.
    fn aligned(&mut self, each: &Each) -> Option<Vec<Kir>> {
        let begins = |a: &ArrayId| each.run.as_ref().is_some_and(|run| run.begins.contains(a));
        let all = || each.elements.iter().map(|(a, _)| *a);
        let ended = all().find(|a| !begins(a))?;
        let mut out = Vec::new();
        for array in all().filter(begins).chain(each.values) {
            let size = Ty::Named("usize".into());
            let len = self.kernel.call(Runtime::Length, vec![Expr::Array(ended)], size);
            out.push(self.kernel.statement(Runtime::Truncate, vec![Expr::Array(array), len]));
        }
        Some(out)
    }

    /// The position of the first entry in `code`, and what makes it exist.
    fn first_begin(&self, code: &[Kir]) -> Option<(VarId, Vec<Kir>)> {
        let mut found = None;
        code.iter().for_each(|k| {
            k.walk(&mut |k| match k {
                Kir::Begin(b) if b.of == self.of && found.is_none() => {
                    found = Some((b.at, b.room.clone()));
                }
                _ => {}
            });
        });
        found
    }

    /// `room`, which makes the entry at `q` exist, for the last one of `array`.
    fn with_values(&mut self, q: VarId, room: Vec<Kir>, array: ArrayId) -> Vec<Kir> {
        let size = Ty::Named("usize".into());
        let len = self.kernel.call(Runtime::Length, vec![Expr::Array(array)], size);
        let last = Expr::call(Op::Index, [len]).plus(-1);
        let mut out = Vec::new();
        for k in room {
            let Kir::Code(r) = k else { continue };
            let mut raw = self.kernel.raws[r.0 as usize].clone();
            for (_, e) in &mut raw.names {
                *e = e.map(&mut |e| (*e == Expr::Var(q)).then(|| last.clone()));
            }
            if let Expr::Raw(new) = self.kernel.opaque(raw) {
                out.push(Kir::Code(new));
            }
        }
        out
    }

    /// Goes through `code`, of which `ends` are where the last run ended; `gaps` are counted where they may be put.
    fn runs(
        &mut self,
        code: &mut Vec<Kir>,
        count: VarId,
        last: &Last,
        ends: &mut Ends,
        gaps: &mut Option<&mut usize>,
    ) -> Option<()> {
        let mut n = 0;
        while n < code.len() {
            if let Kir::Begin(b) = &code[n] {
                if b.of == self.of {
                    let q = b.at;
                    if b.written.is_some() || b.found.is_some() || !b.open.is_empty() {
                        return None;
                    }
                    let to = n + code[n..].iter().position(|k| self.run_of(k).is_some())?;
                    let (each, run) =
                        self.run_of(&code[to]).map(|(e, r)| (e.clone(), r.clone()))?;
                    let mut entry: Vec<Kir> = self.gap(&run, count, last, ends, gaps, None)?;
                    entry.extend_from_slice(&code[n + 1..to]);
                    if !self.put_run(&mut entry, &each, &run, q, count, last) {
                        return None;
                    }
                    *ends = vec![run.end.clone()];
                    let length = entry.len();
                    code.splice(n..=to, entry);
                    n += length;
                    continue;
                }
            }
            if !self.appends(std::slice::from_ref(&code[n])) {
                self.moved(&code[n], ends);
                n += 1;
                continue;
            }
            let first = self.first_run(&code[n]);
            match &mut code[n] {
                Kir::If { then, otherwise, .. } => {
                    let mut other = ends.clone();
                    self.runs(then, count, last, ends, gaps)?;
                    self.runs(otherwise, count, last, &mut other, gaps)?;
                    ends.retain(|e| other.contains(e));
                }
                Kir::Block(body) => self.runs(body, count, last, ends, gaps)?,
                Kir::While { .. } | Kir::For { .. } => {
                    let run = first?;
                    // Where each iteration begins.
                    let mut within = vec![run.first.clone()];
                    let cond = match &code[n] {
                        Kir::While { cond, .. } => cond.clone(),
                        Kir::For { lo, hi, .. } => Expr::call(Op::Lt, [lo.clone(), hi.clone()]),
                        _ => unreachable!("matched above"),
                    };
                    let covers = run.gap.is_some();
                    if covers && !matches!(run.first, Expr::Var(_)) {
                        return None;
                    }
                    let front = self.gap(&run, count, last, ends, gaps, Some(cond))?;
                    let (Kir::While { body, .. } | Kir::For { body, .. }) = &mut code[n] else {
                        unreachable!("matched above")
                    };
                    self.runs(body, count, last, &mut within, &mut None)?;
                    if covers && !within.contains(&run.first) {
                        return None;
                    }
                    *ends = vec![run.first.clone()];
                    n += front.len();
                    code.splice(n - front.len()..n - front.len(), front);
                }
                _ => return None,
            }
            n += 1;
        }
        Some(())
    }

    /// The first run in `k`.
    fn first_run(&self, k: &Kir) -> Option<Run> {
        let mut found = None;
        k.walk(&mut |k| {
            found = found.take().or_else(|| self.run_of(k).map(|(_, run)| run.clone()))
        });
        found
    }

    /// What `k`, which appends nothing, leaves of `ends`.
    fn moved(&self, k: &Kir, ends: &mut Ends) {
        k.walk(&mut |k| {
            if let Some(set) = k.sets() {
                ends.retain(|e| !self.kernel.depends(e).contains(&set));
            }
        });
        if let Kir::Let { var, value, .. } | Kir::Set { var, value } = k {
            if ends.iter().any(|e| difference(e, value) == Expr::int(0)) {
                ends.push(Expr::Var(*var));
            }
        }
    }

    /// A run of fill before `run`, unless the last one ended where it begins; under the condition `only`.
    fn gap(
        &mut self,
        run: &Run,
        count: VarId,
        last: &Last,
        ends: &Ends,
        gaps: &mut Option<&mut usize>,
        only: Option<Expr>,
    ) -> Option<Vec<Kir>> {
        let Some(gap) = &run.gap else { return Some(Vec::new()) };
        if ends.iter().any(|e| difference(e, &run.first) == Expr::int(0)) {
            return Some(Vec::new());
        }
        **gaps.as_mut()? += 1;
        let left = Expr::call(Op::Lt, [Expr::Var(last.end), run.first.clone()]);
        let cond = only.into_iter().fold(left, |a, b| Expr::call(Op::And, [b, a]));
        let fill = self.kernel.tensor(self.of.0).fill.clone();
        let own = gap.iter().cloned().chain(last.value.map(|(array, _)| (array, fill.clone())));
        let mut then: Vec<Kir> =
            own.map(|(array, value)| Kir::Put { array, at: Expr::Var(count), value }).collect();
        then.push(Kir::Set { var: count, value: Expr::Var(count).plus(1) });
        then.push(Kir::Set { var: last.end, value: run.first.clone() });
        then.extend(last.value.map(|(_, var)| Kir::Set { var, value: fill }));
        Some(vec![Kir::If { cond, then, otherwise: Vec::new() }])
    }

    /// Has `entry`, the code of the entry at `q`, put it. `false` if it does something else with it.
    fn put_run(
        &mut self,
        entry: &mut Vec<Kir>,
        each: &Each,
        run: &Run,
        q: VarId,
        count: VarId,
        last: &Last,
    ) -> bool {
        let goes_on = Expr::call(Op::Eq, [Expr::Var(last.end), run.first.clone()]);
        let begins = |a: &ArrayId| run.begins.contains(a);
        let (own, others): (Vec<_>, Vec<_>) =
            each.elements.iter().cloned().partition(|(a, _)| begins(a));
        let put = PutRun { count, joined: goes_on.clone(), begins: own, others };
        let ended = Kir::Set { var: last.end, value: run.end.clone() };
        match last.value {
            None => entry.extend([Kir::PutRun(Box::new(put)), ended]),
            Some((array, before)) => {
                let place = Expr::Load(array, Box::new(Expr::Var(q)));
                let fill = self.kernel.tensor(self.of.0).fill.clone();
                let ty = self.kernel.arrays[array.0 as usize].elem.clone();
                let name = format!("{}_value", self.kernel.tensor(self.of.0).name);
                let value = self.kernel.var(&name, VarKind::Local, ty);
                let same = Expr::call(Op::Identical, [Expr::Var(before), Expr::Var(value)]);
                let mut put = put;
                put.joined = Expr::call(Op::And, [goes_on, same]);
                put.others.push((array, Expr::Var(value)));
                let behind = [
                    Kir::PutRun(Box::new(put)),
                    ended,
                    Kir::Set { var: before, value: Expr::Var(value) },
                ];
                if !stored_once(entry, &place, &fill, value, &behind) {
                    return false;
                }
            }
        }
        let own = |e: &Expr| self.kernel.depends(e).contains(&q);
        !any(entry, &|k| {
            let raw = if let Kir::Code(r) = k { Some(Expr::Raw(*r)) } else { None };
            k.exprs().into_iter().chain(&raw).any(own)
        })
    }
}

/// Has the one store to `place` in `entry` define `var` instead, with `behind` after it; what is read there before
/// is `fill`.
fn stored_once(
    entry: &mut Vec<Kir>,
    place: &Expr,
    fill: &Expr,
    var: VarId,
    behind: &[Kir],
) -> bool {
    let read = |e: &Expr| e.map(&mut |e| (e == place).then(|| fill.clone()));
    for n in 0..entry.len() {
        let found = match &mut entry[n] {
            Kir::Store { target, op, value } if target == place => {
                let value = match op.take() {
                    Some(op) => Expr::Call(op, vec![fill.clone(), read(value)]),
                    None => read(value),
                };
                let defined = Kir::Let { var, mutable: false, value };
                entry.splice(n..=n, std::iter::once(defined).chain(behind.iter().cloned()));
                return true;
            }
            Kir::Let { value, .. } | Kir::Set { value, .. } => {
                *value = read(value);
                false
            }
            Kir::Block(body) => stored_once(body, place, fill, var, behind),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}
