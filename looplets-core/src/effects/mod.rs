//! What code reads and writes, and what else it may do: what a pass asks before it moves, repeats or leaves out code.
//!
//! Terms are data with ids in them, and what stands behind an id is in a table: the expressions that opaque Rust names, the indices of an
//! access, the tensor that a mark stands for. These tables are gone through here, and every variant of a term and of a statement has a
//! line, so that a pass which asks does not forget one, and a new variant does not compile before somebody says what it does.
//!
//! Operators and methods are taken to give the same for the same values, those of types of the program too.

mod code;
mod terms;
#[cfg(test)]
mod tests;

use crate::cin::*;
use crate::kernel::{Binding, Kernel, Role};
use crate::kir::Kir;
use std::collections::BTreeSet;

/// One thing that code does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It reads a variable.
    ReadsVar(VarId),
    /// It reads elements of an array.
    ReadsArray(ArrayId),
    /// It reads elements of a tensor.
    ReadsTensor(TensorId),
    /// It gives a variable a value.
    WritesVar(VarId),
    /// It changes elements of an array, or where these are.
    WritesArray(ArrayId),
    /// It changes elements of a tensor.
    WritesTensor(TensorId),
    /// It calls a function, of the program or of a level: that may do anything, and may give something else when it is called again.
    Calls,
    /// It runs Rust that is not looked into, of the program or of a level.
    Opaque,
    /// It may end the kernel with an error: a position may lie outside.
    Refuses,
    /// Its arithmetic may panic: integers overflow, a divisor is 0.
    Traps,
    /// Its value may be missing.
    Missing,
    /// What stands behind it may not be reached, as it leaves a block.
    Leaves,
}

/// All that code does.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    /// What it reads. What an update reads of its own target is not among these, but among what is written.
    pub reads: Places,
    /// What it writes.
    pub writes: Places,
    /// See [`Effect::Calls`].
    pub calls: bool,
    /// See [`Effect::Opaque`].
    pub opaque: bool,
    /// See [`Effect::Refuses`].
    pub refuses: bool,
    /// See [`Effect::Traps`].
    pub traps: bool,
    /// See [`Effect::Missing`].
    pub missing: bool,
    /// See [`Effect::Leaves`].
    pub leaves: bool,
}

/// Where values are.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Places {
    /// Variables.
    pub vars: BTreeSet<VarId>,
    /// Arrays. An element that is named by its indices is in all arrays of its tensor.
    pub arrays: BTreeSet<ArrayId>,
    /// The tensors of these.
    pub tensors: BTreeSet<TensorId>,
}

impl Places {
    /// Whether a place is among both.
    pub fn meet(&self, other: &Places) -> bool {
        !self.vars.is_disjoint(&other.vars) || !self.arrays.is_disjoint(&other.arrays)
    }
}

impl Effects {
    fn add(&mut self, effect: Effect) {
        match effect {
            Effect::ReadsVar(v) => _ = self.reads.vars.insert(v),
            Effect::ReadsArray(a) => _ = self.reads.arrays.insert(a),
            Effect::ReadsTensor(t) => _ = self.reads.tensors.insert(t),
            Effect::WritesVar(v) => _ = self.writes.vars.insert(v),
            Effect::WritesArray(a) => _ = self.writes.arrays.insert(a),
            Effect::WritesTensor(t) => _ = self.writes.tensors.insert(t),
            Effect::Calls => self.calls = true,
            Effect::Opaque => self.opaque = true,
            Effect::Refuses => self.refuses = true,
            Effect::Traps => self.traps = true,
            Effect::Missing => self.missing = true,
            Effect::Leaves => self.leaves = true,
        }
    }

    /// Whether it gives the same each time, as long as what it reads stays, and does nothing else.
    pub fn is_pure(&self) -> bool {
        !self.calls && !self.opaque && !self.leaves && self.writes == Places::default()
    }

    /// Whether it may also be done where the program does not do it, if what it reads is there.
    pub fn is_harmless(&self) -> bool {
        self.is_pure() && !self.refuses && !self.traps && !self.missing
    }
}

/// Something that is told of each effect.
type See<'a> = &'a mut dyn FnMut(Effect);

impl Kernel {
    /// What evaluating `e` does.
    pub fn effects(&self, e: &Expr) -> Effects {
        let mut all = Effects::default();
        self.see(e, &mut |effect| all.add(effect));
        all
    }

    /// What `s` does, all statements within it included.
    pub fn effects_of(&self, s: &Stmt) -> Effects {
        let mut all = Effects::default();
        self.see_stmt(s, &mut |effect| all.add(effect));
        all
    }

    /// What `code` does, all statements within it included.
    pub fn effects_of_code<'k>(&self, code: impl IntoIterator<Item = &'k Kir>) -> Effects {
        let mut all = Effects::default();
        code.into_iter().for_each(|k| self.see_kir(k, &mut |effect| all.add(effect)));
        all
    }

    /// Whether `e` is made of variables and literals: it reads no memory, and gives the same each time.
    pub fn is_of_scalars(&self, e: &Expr) -> bool {
        let effects = self.effects(e);
        effects.is_pure() && effects.reads.tensors.is_empty()
    }

    /// Whether all that `e` reads is of inputs, which nothing writes to.
    pub fn is_of_inputs(&self, e: &Expr) -> bool {
        let tensors = self.effects(e).reads.tensors;
        tensors.iter().all(|t| self.tensor(*t).role == Role::Input)
    }

    /// Whether an effect of `k` is one that `which` holds for.
    pub fn does(&self, k: &Kir, which: impl Fn(Effect) -> bool) -> bool {
        let mut found = false;
        self.see_kir(k, &mut |effect| found |= which(effect));
        found
    }

    /// Whether `k` reads or writes elements of `array`, or moves them.
    pub fn touches(&self, k: &Kir, array: ArrayId) -> bool {
        self.does(k, |effect| match effect {
            Effect::ReadsArray(a) | Effect::WritesArray(a) => a == array,
            _ => false,
        })
    }

    /// Whether `k` writes elements of `array`, or moves them.
    pub fn writes(&self, k: &Kir, array: ArrayId) -> bool {
        self.does(k, |effect| effect == Effect::WritesArray(array))
    }

    /// The variables that `e` depends on, in order.
    pub fn depends(&self, e: &Expr) -> Vec<VarId> {
        let mut out = Vec::new();
        self.everywhere(e, &mut |e| match e {
            Expr::Var(v) => out.push(*v),
            Expr::Access(id) => out.extend(self.get(*id).vars()),
            _ => {}
        });
        out.sort();
        out.dedup();
        out
    }

    /// Whether `e` reads elements of the array `a`.
    pub fn mentions(&self, e: &Expr, a: ArrayId) -> bool {
        let of = self.arrays[a.0 as usize].tensor;
        let mut found = false;
        self.everywhere(e, &mut |e| match e {
            Expr::Load(b, _) | Expr::Array(b) => found |= *b == a,
            Expr::Access(id) => found |= self.get(*id).tensor == of,
            _ => {}
        });
        found
    }

    /// The arrays of all levels of a tensor.
    pub fn arrays_of(&self, id: TensorId) -> Vec<ArrayId> {
        let fields = self.tensor(id).levels.iter().flat_map(|l| l.fields.iter());
        let arrays = fields.filter_map(|(_, b)| match b {
            Binding::Array(a) => Some(*a),
            Binding::Scalar(_) | Binding::Child => None,
        });
        arrays.collect()
    }

    /// `e`, and each expression within it: those that opaque Rust names, and those of the indices and positions of accesses, too.
    pub fn everywhere<'k>(&'k self, e: &'k Expr, f: &mut dyn FnMut(&'k Expr)) {
        e.walk(&mut |e| {
            f(e);
            match e {
                Expr::Raw(r) => {
                    let names = &self.raws[r.0 as usize].names;
                    names.iter().for_each(|(_, e)| self.everywhere(e, f));
                }
                Expr::Access(id) => {
                    self.get(*id).parts().into_iter().for_each(|e| self.everywhere(e, f));
                }
                Expr::Lit(_) | Expr::Var(_) | Expr::Load(..) | Expr::Array(_) | Expr::Call(..) => {}
            }
        });
    }

    /// The tensor whose entries the variable `v` stands for, if it does.
    pub fn marked(&self, v: VarId) -> Option<TensorId> {
        self.marks.iter().find(|(_, mark)| **mark == v).map(|(t, _)| *t)
    }
}
