//! Entries of fibers that are written: each is begun, and on every path either committed or given back.
//!
//! An entry is committed only if something was written to it. Where a condition decides that, the entry is begun
//! behind the condition. Where a loop does, it is begun before the loop, a flag tells whether the loop wrote
//! anything, and an entry that nothing was written to is given back: its room is that of the next one.

use crate::cin::*;
use crate::effects::Effect;
use crate::kernel::{Ty, VarKind};
use crate::kir::{Begin, GiveBack, Kir};
use crate::lower::{Begun, Lower};
use crate::nest::Entry;

impl Lower<'_> {
    /// What `inner` gives, which writes below `entry`, as an entry.
    pub(super) fn entry(
        &mut self,
        entry: &Entry,
        inner: impl FnOnce(&mut Self) -> Vec<Kir>,
    ) -> Vec<Kir> {
        let name = format!("{}_written", self.kernel.tensor(entry.tensor).name);
        let flag = self.kernel.var(&name, VarKind::State, Ty::Bool);
        let begun = Begun { flag, loops: self.loops };
        self.begun.entry(entry.tensor).or_default().push(begun);
        self.refusals.entry(entry.tensor).or_default().push(entry.refusal.clone());
        let body = inner(self);
        // The code of an entry's end is its level's own.
        self.wrote_opaquely();
        self.refusals.get_mut(&entry.tensor).expect("pushed above").pop();
        let begun = self.begun.get_mut(&entry.tensor).expect("pushed above");
        begun.pop();
        let outer = begun.last().map(|around| around.flag);
        if body.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        let closing = Closing { entry, flag, raised: raise(flag), outer };
        if !body.iter().any(|k| closing.knows(self, k)) {
            // What is left of it writes other tensors.
            return body;
        }
        closing.close(self, body)
    }
}

/// The statement that says that an entry was written to.
fn raise(flag: VarId) -> Kir {
    Kir::Set { var: flag, value: Expr::bool(true) }
}

/// How the entry of some code ends.
struct Closing<'a> {
    entry: &'a Entry,
    /// Raised in the code wherever something is written to the entry.
    flag: VarId,
    raised: Kir,
    /// The same of the entry around.
    outer: Option<VarId>,
}

impl Closing<'_> {
    /// `code` with the entry around it, or around the part of it that writes.
    fn close(&self, l: &Lower<'_>, mut code: Vec<Kir>) -> Vec<Kir> {
        if always(&code, &self.raised) {
            strip(&mut code, &self.raised);
            let mut out = self.begin(None);
            out.extend(code);
            out.extend(self.commit());
            return out;
        }
        if let Some(at) = self.decides(l, &code) {
            for block in code[at].blocks_mut() {
                if contains(block, &self.raised) {
                    *block = self.close(l, std::mem::take(block));
                }
            }
            return code;
        }
        let mut out = self.begin(Some(self.flag));
        out.push(Kir::Let { var: self.flag, mutable: true, value: Expr::bool(false) });
        out.extend(code);
        let cond = Expr::Var(self.flag);
        out.push(Kir::If { cond, then: self.commit(), otherwise: self.give_back() });
        out
    }

    /// The one statement of `code` that has to do with the entry, if that is a block, or a condition of which one
    /// side writes.
    fn decides(&self, l: &Lower<'_>, code: &[Kir]) -> Option<usize> {
        let writes = |block: &[Kir]| contains(block, &self.raised);
        let at = code.iter().position(|k| writes(std::slice::from_ref(k)))?;
        let alone = match &code[at] {
            Kir::Block(_) => true,
            Kir::If { cond, then, otherwise } => {
                !self.knows_expr(l, cond) && writes(then) != writes(otherwise)
            }
            _ => false,
        };
        let apart = |(n, k): (usize, &Kir)| n == at || !self.knows(l, k);
        (alone && code.iter().enumerate().all(apart)).then_some(at)
    }

    /// Whether `k` is about the entry, or something in the tensor.
    fn knows(&self, l: &Lower<'_>, k: &Kir) -> bool {
        contains(std::slice::from_ref(k), &self.raised)
            || l.kernel.does(k, |effect| self.of(effect))
    }

    fn knows_expr(&self, l: &Lower<'_>, e: &Expr) -> bool {
        let effects = l.kernel.effects(e);
        let at = self.entry.begin.as_ref().is_some_and(|b| effects.reads.vars.contains(&b.at));
        at || effects.reads.tensors.contains(&self.entry.tensor)
    }

    /// Whether `effect` is one on the entry, or on the tensor.
    fn of(&self, effect: Effect) -> bool {
        match effect {
            Effect::ReadsVar(v) => self.entry.begin.as_ref().is_some_and(|b| b.at == v),
            Effect::ReadsTensor(t) | Effect::WritesTensor(t) => t == self.entry.tensor,
            _ => false,
        }
    }

    fn begin(&self, written: Option<VarId>) -> Vec<Kir> {
        let one = |b: &Begin| Kir::Begin(Box::new(Begin { written, ..b.clone() }));
        self.entry.begin.iter().map(one).collect()
    }

    fn commit(&self) -> Vec<Kir> {
        let commit = &self.entry.commit;
        let mut code = match &self.entry.begin {
            Some(_) => vec![Kir::Commit(Box::new(commit.clone()))],
            None => commit.code.clone(),
        };
        code.extend(self.outer.map(raise));
        code
    }

    fn give_back(&self) -> Vec<Kir> {
        let given = |b: &Begin| {
            // One that was found is among those that stay.
            let at = if b.found.is_some() { b.position.clone() } else { Expr::Var(b.at) };
            let arrays = self.entry.lengthened.clone();
            Kir::GiveBack(Box::new(GiveBack { of: b.of, at, arrays }))
        };
        self.entry.begin.iter().map(given).collect()
    }
}

fn contains(code: &[Kir], wanted: &Kir) -> bool {
    let mut found = false;
    code.iter().for_each(|k| k.walk(&mut |k| found |= k == wanted));
    found
}

/// Whether `code` certainly executes `wanted`.
fn always(code: &[Kir], wanted: &Kir) -> bool {
    code.iter().any(|k| match k {
        Kir::Block(body) => always(body, wanted),
        Kir::If { then, otherwise, .. } => always(then, wanted) && always(otherwise, wanted),
        other => other == wanted,
    })
}

fn strip(code: &mut Vec<Kir>, unwanted: &Kir) {
    code.retain(|k| k != unwanted);
    for k in code {
        k.blocks_mut().into_iter().for_each(|b| strip(b, unwanted));
    }
}
