//! Union: many lists of spikes walked as one, to the nearest end of them all.
//!
//! Steppers that are walked side by side have a case for each choice of those that end a step, and pipelines one
//! for each choice of those that are over. Where there are many and no case is simpler than the others, they
//! become one cursor: each list keeps where its current spike ends, the cursor stands at the least of these ends,
//! and there an element of a list is its value if it ends there, else the fill (`crate::lower::select`). The code
//! is as long as there are lists. A cursor only goes forward, so that where something else leads it catches up.

use crate::cin::*;
use crate::kernel::{Access, Ty, VarKind};
use crate::kir::Kir;
use crate::lower::select::Case;
use crate::lower::{Lower, Region, Written};
use crate::nest::{Def, Looplet, Member, Payload, Stepper, BEYOND};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The cursor of a union.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    /// The least end of the current spikes.
    ends: VarId,
    /// Moves each list on, known by where its current spike ends, if that is where the cursor stands.
    moves: Vec<(VarId, Vec<Kir>)>,
    /// The least end anew.
    least: Expr,
}

impl Cursor {
    /// Moves the lists that end at the cursor, without those that have been moved, then the cursor.
    fn next(&self, moved: &BTreeSet<VarId>) -> Vec<Kir> {
        let move_on = |(ends, then): &(VarId, Vec<Kir>)| {
            let cond = Expr::call(Op::Eq, [Expr::Var(*ends), Expr::Var(self.ends)]);
            Kir::If { cond, then: then.clone(), otherwise: Vec::new() }
        };
        let left = self.moves.iter().filter(|(ends, _)| !moved.contains(ends));
        let mut code: Vec<Kir> = left.map(move_on).collect();
        code.push(Kir::Set { var: self.ends, value: self.least.clone() });
        code
    }

    fn moves(&self, ends: VarId) -> Vec<Kir> {
        self.moves.iter().find(|(e, _)| *e == ends).map_or_else(Vec::new, |(_, code)| code.clone())
    }
}

/// A list of spikes, taken out of the nest that describes it.
struct List {
    id: AccessId,
    /// The conditions under which the fiber exists.
    present: Vec<Expr>,
    defs: Vec<Def>,
    /// Where the spikes end.
    last: Option<Expr>,
    /// Steps over spikes; or only one of them.
    steps: Option<Rc<Stepper>>,
    child: Payload,
    start: Expr,
    stop: Expr,
    trusted: bool,
    /// Whether it is to be searched, not walked.
    jumps: bool,
}

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let members: Vec<(AccessId, Member)> = ids
        .into_iter()
        .map(|id| match l.unfurled(id).nest {
            Looplet::Union(member) => (id, member),
            _ => unreachable!("kind checked"),
        })
        .collect();
    let union = members[0].1.union;
    let cursor = l.unions[&union].clone();
    let (ends, lists) = (Expr::Var(cursor.ends), cursor.moves.len());
    let mut code = Vec::new();
    if !l.at.get(&union).is_some_and(|at| l.eq(at, &r.lo)) {
        let behind = Expr::call(Op::Le, [ends.clone(), r.lo.clone()]);
        code.push(Kir::While { cond: behind, body: cursor.next(&BTreeSet::new()) });
        l.moves_state();
    }
    l.at.insert(union, r.lo.clone());
    // At the coordinate of `stop`; lists whose element is a value may be moved on where that is read.
    let cases = |stop: &Expr, moving: bool| -> Vec<Case> {
        let case = |(id, m): &(AccessId, Member)| Case {
            id: *id,
            here: Expr::call(Op::Eq, [Expr::Var(m.ends), stop.clone()]),
            child: m.child.clone(),
            moves: if moving { cursor.moves(m.ends) } else { Vec::new() },
        };
        members.iter().map(case).collect()
    };
    let fills: Vec<AccessId> = members.iter().map(|(id, _)| *id).collect();
    if l.is_unit(&r) {
        let here = Expr::call(Op::Eq, [ends, r.hi.clone()]);
        let none = Expr::call(Op::Not, [here.clone()]);
        let then = l.under(&here, |l| l.select(r.clone(), &body, cases(&r.hi, false), lists).0);
        let otherwise = l.under(&none, |l| {
            let body = l.filled(&body, &fills);
            l.region(r, body)
        });
        let chosen = l.branch(here, then, otherwise);
        if chosen.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        code.extend(chosen);
        l.at.remove(&union);
        return code;
    }
    let name = l.kernel.info(r.index).name.clone();
    let from = l.place_var(&format!("{name}_from"));
    let at = Expr::Var(from);
    let front = l.filled(&body, &fills);
    let (each, each_idle) = l.scoped(|l| {
        let mut code = Vec::new();
        let stop = l.local(&format!("{name}_stop"), ends.clone(), &mut code);
        l.assume(&Expr::call(Op::Le, [r.lo.clone(), at.clone()]));
        l.assume(&Expr::call(Op::Lt, [at.clone(), stop.clone()]));
        l.assume(&Expr::call(Op::Le, [stop.clone(), r.hi.clone()]));
        let last = l.bound(&stop.plus(-1));
        let part = |lo: &Expr, hi: &Expr| Region { index: r.index, lo: lo.clone(), hi: hi.clone() };
        let mut inner = l.region(part(&at, &last), front.clone());
        let (there, moved) = l.select(part(&last, &stop), &body, cases(&stop, true), lists);
        inner.extend(there);
        let of = |id: &AccessId| members.iter().find(|(m, _)| m == id).map(|(_, m)| m.ends);
        let moved = moved.iter().filter_map(of).collect();
        let idle = inner.iter().all(Kir::is_idle);
        code.extend(inner);
        code.extend(cursor.next(&moved));
        code.push(Kir::Set { var: from, value: stop });
        (code, idle)
    });
    l.moves_state();
    // What is left behind the last spike.
    let rest = l.under(&Expr::call(Op::Lt, [at.clone(), r.hi.clone()]), |l| {
        l.assume(&Expr::call(Op::Le, [r.lo.clone(), at.clone()]));
        l.region(Region { lo: at.clone(), ..r.clone() }, front)
    });
    let idle = rest.iter().all(Kir::is_idle);
    if each_idle && idle {
        return Vec::new();
    }
    code.push(Kir::Let { var: from, mutable: true, value: r.lo.clone() });
    let inside = Expr::call(Op::Le, [ends, r.hi.clone()]);
    code.push(Kir::While { cond: inside, body: each });
    if !idle {
        let left = Expr::call(Op::Lt, [at, r.hi.clone()]);
        code.push(Kir::If { cond: left, then: rest, otherwise: Vec::new() });
    }
    l.at.insert(union, r.hi);
    code
}

impl Lower<'_> {
    /// The region `r` of a loop that begins, with the lists of spikes in it as a union if their cases would
    /// multiply.
    pub(crate) fn united(&mut self, r: Region, stmt: Stmt) -> Vec<Kir> {
        // Conditions first: the lists of either answer are fewer.
        if let Some(code) = self.unswitched(&r, &stmt, Lower::united) {
            return code;
        }
        let Some((mut code, stmt, whole)) = self.unite(&r, &stmt) else {
            return self.region(r, stmt);
        };
        // Definitions of a part of a fiber need an element.
        let some = Expr::call(Op::Lt, [r.lo.clone(), r.hi.clone()]);
        let inner = match whole {
            true => self.region(r, stmt),
            false => self.under(&some, |l| l.region(r, stmt)),
        };
        if inner.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        code.extend(inner);
        match whole {
            true => code,
            false => self.branch(some, code, Vec::new()),
        }
    }

    /// The code in front of the loop, `stmt` with the lists of spikes along `r.index` as a union, and whether
    /// the code may run where the region is empty.
    fn unite(&mut self, r: &Region, stmt: &Stmt) -> Option<(Vec<Kir>, Stmt, bool)> {
        let mut lists: Vec<List> =
            self.accesses(stmt).into_iter().filter_map(|id| self.list(id, r.index)).collect();
        let worth = |l: &Self, lists: &[List]| {
            let absent = lists.iter().filter(|list| !list.present.is_empty()).count();
            let deep = lists.iter().filter(|list| l.kernel.get(list.id).indices.len() > 1).count();
            lists.len() > 3 || (lists.len() == 3 && deep == 3) || absent > 1
        };
        if !worth(self, &lists) {
            return None;
        }
        let ids: Vec<(AccessId, bool)> = lists.iter().map(|list| (list.id, list.jumps)).collect();
        let selected = self.selected(stmt, &ids);
        lists.retain(|list| selected.contains(&list.id));
        if !worth(self, &lists) {
            return None;
        }
        let whole = self.lt(&r.lo, &r.hi)
            || lists.iter().all(|list| self.eq(&r.lo, &list.start) && self.eq(&r.hi, &list.stop));
        let placed = lists.iter().all(|list| {
            let searched = list.steps.as_ref().is_none_or(|s| s.seek.is_some());
            searched && list.steps.is_some() || self.eq(&r.lo, &list.start)
        });
        let mut code = Vec::new();
        let union = self.kernel.vars.len() as u32;
        let name = self.kernel.info(r.index).name.clone();
        let ends = self.kernel.var(&format!("{name}_next"), VarKind::State, Ty::Index);
        let mut moves = Vec::new();
        let mut counted = Vec::new();
        let mut replaced = Vec::new();
        let mut all = Vec::new();
        for list in lists {
            let id = list.id;
            let range = list.steps.as_ref().and_then(|s| s.range.as_ref());
            counted.push(range.map(|(q, ..)| *q).filter(|q| self.kernel.cursors.contains_key(q)));
            let member = self.member(r, list, union, ends, &mut code, &mut moves);
            all.push(Expr::Var(member.ends));
            replaced.push((id, Looplet::Union(member)));
        }
        let least = least(&all);
        code.push(Kir::Let { var: ends, mutable: true, value: least.clone() });
        self.unions.insert(union, Cursor { ends, moves, least });
        // The least end is that of a list that has a spike left, wherever the cursor moves on.
        if let Some(cursors) = counted.into_iter().collect() {
            self.kernel.unions.insert(ends, cursors);
        }
        if placed {
            self.at.insert(union, r.lo.clone());
        }
        let with = replaced.into_iter().map(|(id, nest)| {
            let mut access: Access = self.kernel.get(id).clone();
            access.unfurled.as_mut().expect("a list is unfurled").nest = nest;
            (id, self.kernel.access(access))
        });
        let with = with.collect();
        let stmt = self.replace_all(stmt, &with);
        Some((code, stmt, whole))
    }

    /// The state of one list: code in front of the loop, and the code that moves it on.
    fn member(
        &mut self,
        r: &Region,
        list: List,
        union: u32,
        all: VarId,
        code: &mut Vec<Kir>,
        moves: &mut Vec<(VarId, Vec<Kir>)>,
    ) -> Member {
        let tensor = self.kernel.tensor(self.kernel.get(list.id).tensor).name.to_string();
        let ends = self.kernel.var(&format!("{tensor}_ends"), VarKind::State, Ty::Index);
        let every = |mut conditions: Vec<Expr>| match conditions.len() {
            1 => conditions.remove(0),
            _ => Expr::call(Op::And, conditions),
        };
        for d in &list.defs {
            let value = match list.present.is_empty() {
                true => d.value.clone(),
                false => {
                    let present = every(list.present.clone());
                    Expr::call(Op::IfElse, [present, d.value.clone(), Expr::int(0)])
                }
            };
            code.push(Kir::Let { var: d.var, mutable: d.mutable, value });
            self.wrote(Written::Var(d.var));
        }
        let beyond = Expr::int(BEYOND);
        let last = list.last.clone().unwrap_or(list.stop.clone());
        let range = list.steps.as_ref().and_then(|s| s.range.clone()).filter(|_| list.trusted);
        // Whether there is a spike that ends behind `at`, all before having been passed.
        let left = |at: &Expr| match &range {
            Some((q, _, end)) => Expr::call(Op::Lt, [Expr::Var(*q), end.clone()]),
            None => Expr::call(Op::Lt, [at.clone(), last.clone()]),
        };
        let stop = |at: &Expr| {
            let stop = list.steps.as_ref().map_or(&last, |s| &s.stop).clone();
            match list.trusted {
                true => stop,
                // An extent that nothing vouches for is kept in order here, so that the loop advances.
                false => {
                    let stop = Expr::call(Op::Max, [stop, at.plus(1)]);
                    Expr::call(Op::Min, [stop, last.clone()])
                }
            }
        };
        let when = |condition: Expr, at: &Expr| {
            Expr::call(Op::IfElse, [condition, stop(at), beyond.clone()])
        };
        let mut conditions = list.present.clone();
        let searched = list.steps.as_ref().filter(|s| s.seek.is_some());
        match searched.filter(|_| !self.eq(&r.lo, &list.start)) {
            // What cannot be searched is walked from its start on.
            None => {
                let from = if searched.is_some() { &r.lo } else { &list.start };
                conditions.push(left(from));
                let value = when(every(conditions), from);
                code.push(Kir::Let { var: ends, mutable: true, value });
            }
            Some(s) => {
                code.push(Kir::Let { var: ends, mutable: true, value: beyond.clone() });
                conditions.push(Expr::call(Op::Lt, [r.lo.clone(), last.clone()]));
                self.at.remove(&s.id);
                let mut then = self.seek(s, &r.lo);
                then.push(Kir::Set { var: ends, value: stop(&r.lo) });
                code.push(Kir::If { cond: every(conditions), then, otherwise: Vec::new() });
            }
        }
        let at = Expr::Var(all);
        let mut then = list.steps.as_ref().map_or_else(Vec::new, |s| s.next.clone());
        let value = match &list.steps {
            Some(_) => when(left(&at), &at),
            None => beyond.clone(),
        };
        then.push(Kir::Set { var: ends, value });
        moves.push((ends, then));
        Member { union, ends, child: list.child }
    }

    /// The list of spikes that an access is along `index`, if it is one.
    fn list(&mut self, id: AccessId, index: VarId) -> Option<List> {
        let access = self.kernel.get(id);
        let u = access.unfurled.clone().filter(|u| u.index == index && !access.write)?;
        if self.is_indexed_along(id, index) {
            // Which element it reads depends on another operand of this loop, which must be read first.
            return None;
        }
        let mut list = List {
            id,
            present: Vec::new(),
            defs: Vec::new(),
            last: None,
            steps: None,
            child: Payload::Fill,
            start: u.start,
            stop: u.stop,
            trusted: u.trusted,
            jumps: false,
        };
        let whole = self.take_apart(u.nest, &mut list);
        // The state of a fiber that is not there has no value, unless it is a number.
        let own = |v: VarId| self.kernel.info(v).ty == Ty::Own;
        let stateless = list.present.is_empty() || !list.defs.iter().any(|d| own(d.var));
        (whole && stateless).then_some(list)
    }

    fn take_apart(&mut self, nest: Looplet, list: &mut List) -> bool {
        match nest {
            Looplet::Shift(delta, nest) => {
                let nest = self.shift(&delta, *nest);
                self.take_apart(nest, list)
            }
            Looplet::Switch(mut cases)
                if list.defs.is_empty() && list.steps.is_none() && cases.len() == 2 =>
            {
                let (always, otherwise) = cases.remove(1);
                let (present, nest) = cases.remove(0);
                list.present.push(present);
                always == Expr::bool(true) && fill_of(&otherwise) && self.take_apart(nest, list)
            }
            Looplet::Thunk { defs, before, body, after: None }
                if before.is_empty() && list.steps.is_none() =>
            {
                list.defs.extend(defs);
                self.take_apart(*body, list)
            }
            Looplet::Pipeline(mut phases)
                if list.last.is_none() && list.steps.is_none() && phases.len() == 2 =>
            {
                let (end, otherwise) = phases.remove(1);
                let (last, nest) = phases.remove(0);
                list.last = last;
                end.is_none()
                    && list.last.is_some()
                    && fill_of(&otherwise)
                    && self.take_apart(nest, list)
            }
            Looplet::Stepper(ref s) | Looplet::Jumper(ref s) if list.steps.is_none() => {
                list.jumps = matches!(nest, Looplet::Jumper(_));
                let s = s.clone();
                let body = s.body.clone();
                list.steps = Some(s);
                self.take_apart(body, list)
            }
            Looplet::Spike(Payload::Fill, child) => {
                list.child = child;
                list.steps.is_some() || list.last.is_some()
            }
            _ => false,
        }
    }

    /// `body` where none of these stores anything.
    fn filled(&mut self, body: &Stmt, ids: &[AccessId]) -> Stmt {
        let with = ids.iter().map(|id| (*id, self.descend(*id, &Payload::Fill))).collect();
        self.replace_all(body, &with)
    }
}

/// The least of `all`, in pairs of pairs: as deep as their number has digits.
fn least(all: &[Expr]) -> Expr {
    match all {
        [one] => one.clone(),
        _ => {
            let (left, right) = all.split_at(all.len().div_ceil(2));
            Expr::call(Op::Min, [least(left), least(right)])
        }
    }
}

/// Whether a nest is fill, moved or not.
fn fill_of(nest: &Looplet) -> bool {
    match nest {
        Looplet::Shift(_, nest) => fill_of(nest),
        nest => *nest == Looplet::Run(Payload::Fill),
    }
}
