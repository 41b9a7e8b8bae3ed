//! What must hold of kernel IR on every path, checked after lowering and after each pass where debug assertions
//! are: a pass that breaks it fails there, by name, and not in the tensors of a program.
//!
//! - An entry that is begun is committed or given back, once, and none is open when a loop or a branch ends
//!   unless it was when that began. A fiber has one entry at a time; those below it end before it does.
//! - The position of an entry is known within it only.
//! - What is stored to an entry whose end depends on whether it was written raises its flag.
//! - Between `Room` and `Filled`, each array gets one element for each step of the count, and nothing else is done with it, but that
//!   elements which were found are stored to.
//! - In `Written`, elements of the array are put, and nothing else is done with it.

use super::LOWERING;
use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::{Begin, Kir};
use crate::types::Ty;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Panics, with the code, if `code` is not what the pass `after` may leave; only with debug assertions.
pub fn verify(kernel: &Kernel, code: &[Kir], after: &str) {
    if !cfg!(debug_assertions) {
        return;
    }
    if let Err(what) = check(kernel, code, after == LOWERING) {
        let text = kernel.code_text(code, 1);
        panic!("internal: the IR is wrong after `{after}`: {what}\n{text}");
    }
}

/// What does not hold of `code`, `just_lowered` from lowering or not.
fn check(kernel: &Kernel, code: &[Kir], just_lowered: bool) -> Result<(), String> {
    let mut positions = BTreeSet::new();
    code.iter().for_each(|k| {
        k.walk(&mut |k| positions.extend(if let Kir::Begin(b) = k { Some(b.at) } else { None }))
    });
    let mut verifier = Verifier { kernel, just_lowered, positions, left: HashMap::new() };
    match verifier.block(code, State::default())? {
        Some(end) if end != State::default() => Err(format!("at the end, {}", end.text(kernel))),
        _ => Ok(()),
    }
}

/// What is open where the verifier stands.
#[derive(Clone, PartialEq, Default)]
struct State {
    entries: Vec<Open>,
    rooms: BTreeMap<VarId, Stretch>,
    /// Arrays all of whose elements are being put.
    written: BTreeSet<ArrayId>,
}

/// An entry.
#[derive(Clone, PartialEq)]
struct Open {
    of: (TensorId, usize),
    at: VarId,
    flag: Option<VarId>,
    /// Whether something was stored to it and its flag was not raised since.
    unsaid: bool,
}

/// The room of some arrays.
#[derive(Clone, PartialEq)]
struct Stretch {
    of: (TensorId, usize),
    arrays: BTreeSet<ArrayId>,
    /// For each array that has more elements than are counted, how many more.
    ahead: BTreeMap<ArrayId, i128>,
}

impl State {
    fn text(&self, kernel: &Kernel) -> String {
        let one = |e: &Open| {
            let flag = if e.unsaid { ", and its flag not raised" } else { "" };
            format!("the entry {} is open{flag}", kernel.info(e.at).name)
        };
        let mut all: Vec<String> = self.entries.iter().map(one).collect();
        all.extend(self.rooms.iter().map(|(count, s)| {
            format!("{} counts room, {} arrays are ahead", kernel.info(*count).name, s.ahead.len())
        }));
        match all.is_empty() {
            true => "nothing is open".to_owned(),
            false => all.join(", "),
        }
    }
}

struct Verifier<'a> {
    kernel: &'a Kernel,
    just_lowered: bool,
    /// The positions of entries.
    positions: BTreeSet<VarId>,
    /// What is open where labelled code is left.
    left: HashMap<u32, State>,
}

/// What is open behind some code; `None` if it does not come to its end.
type Behind = Result<Option<State>, String>;

impl Verifier<'_> {
    fn block(&mut self, code: &[Kir], state: State) -> Behind {
        let mut now = state;
        for k in code {
            match self.statement(k, now)? {
                Some(next) => now = next,
                None => return Ok(None),
            }
        }
        Ok(Some(now))
    }

    fn statement(&mut self, k: &Kir, mut now: State) -> Behind {
        self.known(k, &now)?;
        match k {
            Kir::Begin(b) => {
                self.begin(b, &mut now)?;
                for block in k.blocks() {
                    let end = self.block(block, now.clone())?;
                    self.same([Some(now.clone()), end], "room is not made on every path")?;
                }
            }
            Kir::Commit(c) => {
                // The code that joins it to the one before clears its place.
                let mut stored = now.clone();
                stored.entries.iter_mut().for_each(|e| e.flag = None);
                let end = self.block(&c.code, stored.clone())?;
                self.same([Some(stored), end], "an entry is not stored on every path")?;
                let ended = self.end(c.of, &mut now)?;
                let (tensor, level) = ended.of;
                // To store an entry is to write to the one around.
                if let Some(outer) =
                    now.entries.iter_mut().find(|e| e.of.0 == tensor && e.of.1 + 1 == level)
                {
                    outer.unsaid = self.just_lowered && outer.flag.is_some();
                }
            }
            Kir::GiveBack(g) => {
                if self.end(g.of, &mut now)?.flag.is_none() {
                    return Err("an entry that is always written is given back".to_owned());
                }
            }
            Kir::If { then, otherwise, .. } => {
                let then = self.block(then, now.clone())?;
                let otherwise = self.block(otherwise, now)?;
                return self.same([then, otherwise], "the sides of a branch differ");
            }
            Kir::For { body, .. } | Kir::While { body, .. } => {
                let end = self.block(body, now.clone())?;
                return self.same([Some(now), end], "an iteration does not end as it begins");
            }
            Kir::Parallel(p) => {
                let end = self.block(&p.body, now.clone())?;
                self.same([Some(now.clone()), end], "a chunk does not end as it begins")?;
            }
            Kir::Block(body) => return self.block(body, now),
            Kir::Labeled(label, body) => {
                let end = self.block(body, now)?;
                let left = self.left.remove(label);
                return self.same([end, left], "labelled code is left in another way");
            }
            Kir::Break(label) => {
                let before = self.left.remove(label);
                let left = self.same([before, Some(now)], "labelled code is left in two ways")?;
                self.left.extend(left.map(|state| (*label, state)));
                return Ok(None);
            }
            Kir::Take(t) if now.entries.iter().any(|e| e.of.0 == *t) => {
                return Err("a tensor is taken apart while an entry of it is open".to_owned());
            }
            Kir::Set { var, value } => self.set(*var, value, &mut now)?,
            // A number of a level that the entry has is no value of it.
            Kir::Store { target: Expr::Load(a, at), .. }
                if self.kernel.arrays.get(a.0 as usize).is_none_or(|a| a.elem != Ty::Index) =>
            {
                if let Expr::Var(at) = **at {
                    if let Some(e) = now.entries.iter_mut().find(|e| e.at == at) {
                        e.unsaid = self.just_lowered && e.flag.is_some();
                    }
                }
            }
            Kir::Room { of, arrays, count, .. } => {
                let arrays: BTreeSet<ArrayId> = arrays.iter().copied().collect();
                let twice = now.rooms.values().any(|s| !s.arrays.is_disjoint(&arrays));
                if twice || now.entries.iter().any(|e| e.of == *of) {
                    return Err("room is made where there is some, or an entry is open".to_owned());
                }
                now.rooms.insert(*count, Stretch { of: *of, arrays, ahead: BTreeMap::new() });
            }
            Kir::Put { array, .. } if now.written.contains(array) => {}
            Kir::CopyRow(row) => {
                if row.to.0 == row.from.0 {
                    return Err("elements are copied within an array".to_owned());
                }
                // No step of a count is taken for each of them.
                if now
                    .rooms
                    .values()
                    .any(|s| s.arrays.contains(&row.to.0) || s.arrays.contains(&row.from.0))
                {
                    return Err("elements are copied where others are put one by one".to_owned());
                }
                if now.written.contains(&row.from.0) {
                    return Err("elements are copied while others are put".to_owned());
                }
            }
            Kir::Written { array, body, .. } => {
                let taken = now.rooms.values().any(|s| s.arrays.contains(array));
                let mut inside = now.clone();
                if taken || !inside.written.insert(*array) {
                    return Err("elements are put where others are".to_owned());
                }
                let end = self.block(body, inside.clone())?;
                self.same([Some(inside), end], "elements are not put on every path")?;
            }
            Kir::Put { array, at, .. } => {
                let (count, n) = moved(at).ok_or("an element is put where nothing counts it")?;
                let room = now.rooms.get_mut(&count).filter(|s| s.arrays.contains(array));
                let ahead = room.map(|s| s.ahead.entry(*array).or_default());
                match ahead {
                    Some(ahead) if *ahead == n => *ahead += 1,
                    _ => {
                        let why = "an element is put where there is no room, or twice";
                        return Err(why.to_owned());
                    }
                }
            }
            Kir::PutRun(run) => {
                let arrays: BTreeSet<ArrayId> = run.elements().map(|(a, _)| *a).collect();
                let room = now.rooms.get(&run.count);
                if !room.is_some_and(|s| s.arrays == arrays && s.ahead.is_empty()) {
                    return Err("a run is not put in each of the arrays".to_owned());
                }
            }
            Kir::Filled { arrays, count } => {
                let arrays: BTreeSet<ArrayId> = arrays.iter().copied().collect();
                let room = now.rooms.remove(count);
                if !room.is_some_and(|s| s.arrays == arrays && s.ahead.is_empty()) {
                    return Err("other arrays are taken up than were filled".to_owned());
                }
            }
            Kir::Comment(_) | Kir::Let { .. } | Kir::Store { .. } | Kir::Take(_) | Kir::Code(_) => {
            }
        }
        Ok(Some(now))
    }

    fn begin(&self, b: &Begin, now: &mut State) -> Result<(), String> {
        let (tensor, level) = b.of;
        if now.entries.iter().any(|e| e.of.0 == tensor && e.of.1 >= level) {
            return Err("an entry is begun within another of its fiber, or one below it".to_owned());
        }
        if now.rooms.values().any(|s| s.of == b.of) {
            return Err("an entry is begun where elements are put".to_owned());
        }
        now.entries.push(Open { of: b.of, at: b.at, flag: b.written, unsaid: false });
        Ok(())
    }

    /// Ends the entry of `of`.
    fn end(&self, of: (TensorId, usize), now: &mut State) -> Result<Open, String> {
        if now.entries.iter().any(|e| e.of.0 == of.0 && e.of.1 > of.1) {
            return Err("an entry ends before one below it".to_owned());
        }
        let at = now.entries.iter().position(|e| e.of == of);
        let ended = at.map(|at| now.entries.remove(at)).ok_or("an entry ends that is not open")?;
        match ended.unsaid {
            true => Err("an entry ends that was written and does not say so".to_owned()),
            false => Ok(ended),
        }
    }

    fn set(&self, var: VarId, value: &Expr, now: &mut State) -> Result<(), String> {
        for e in now.entries.iter_mut().filter(|e| e.flag == Some(var)) {
            if *value != Expr::bool(true) {
                return Err("a flag is lowered".to_owned());
            }
            e.unsaid = false;
        }
        let Some(room) = now.rooms.get_mut(&var) else { return Ok(()) };
        let by = moved(value).filter(|(count, _)| *count == var).map(|(_, by)| by);
        let all = |by: i128| room.arrays.iter().all(|a| room.ahead.get(a) == Some(&by));
        if !by.is_some_and(|by| by > 0 && all(by)) {
            return Err("an entry is counted that is not in each of the arrays".to_owned());
        }
        room.ahead.clear();
        Ok(())
    }

    /// What is open behind code that comes there by one of two ways.
    fn same(&self, ways: [Option<State>; 2], what: &str) -> Behind {
        match ways {
            [Some(a), Some(b)] if a != b => {
                Err(format!("{what}: {}; {}", a.text(self.kernel), b.text(self.kernel)))
            }
            [a, b] => Ok(a.or(b)),
        }
    }

    /// Whether what `k` itself speaks of is known where it stands: positions of entries that are open, and no array
    /// that elements are put into.
    fn known(&self, k: &Kir, now: &State) -> Result<(), String> {
        let raw = if let Kir::Code(r) = k { Some(Expr::Raw(*r)) } else { None };
        // What a level finds is stored to where others are put.
        let finds = |of: &(TensorId, usize)| {
            let levels = self.kernel.tensors.get(of.0 .0 as usize).map(|t| &t.levels);
            let level = levels.and_then(|all| all.get(of.1)).map(|l| l.format.level());
            level.and_then(|l| l.write.as_ref()).is_some_and(|w| w.note.is_some())
        };
        let may = |a: &ArrayId| now.rooms.values().any(|s| s.arrays.contains(a) && finds(&s.of));
        let found = match k {
            Kir::Store { target: Expr::Load(a, at), value, .. } if may(a) => vec![&**at, value],
            k => k.exprs(),
        };
        for e in found.into_iter().chain(&raw) {
            for v in self.kernel.depends(e) {
                let open = now.entries.iter().any(|e| e.at == v);
                if self.positions.contains(&v) && !open {
                    let name = &self.kernel.info(v).name;
                    return Err(format!("{name} is spoken of outside of its entry"));
                }
            }
            let mut full = now.rooms.values().flat_map(|s| &s.arrays).chain(&now.written);
            if let Some(a) = full.find(|a| self.kernel.mentions(e, **a)) {
                let name = &self.kernel.arrays[a.0 as usize].name;
                return Err(format!("{name} is spoken of while elements are put into it"));
            }
        }
        Ok(())
    }
}

/// A variable, and what is added to it.
fn moved(e: &Expr) -> Option<(VarId, i128)> {
    match e {
        Expr::Var(v) => Some((*v, 0)),
        Expr::Call(op, args) => match &args[..] {
            [Expr::Var(v), Expr::Lit(Lit::Int(n))] if *op == Op::Add => Some((*v, *n)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests;
