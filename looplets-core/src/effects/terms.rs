//! What evaluating a term does, and writing to one.

use super::{Effect, See};
use crate::cin::*;
use crate::index::{Index, IndexKind};
use crate::kernel::{Access, Kernel, Ty};
use crate::opaque::Opaque;
use crate::ops::Effect as Row;

impl Kernel {
    /// The effects of evaluating `e`.
    pub(super) fn see(&self, e: &Expr, f: See<'_>) {
        self.everywhere(e, &mut |e| match e {
            Expr::Lit(Lit::Missing) => f(Effect::Missing),
            Expr::Lit(_) => {}
            Expr::Var(v) => {
                f(Effect::ReadsVar(*v));
                if let Some(t) = self.marked(*v) {
                    f(Effect::ReadsTensor(t));
                }
                if self.absent.contains(v) {
                    f(Effect::Missing);
                }
            }
            Expr::Load(a, _) => {
                let array = &self.arrays[a.0 as usize];
                f(Effect::ReadsArray(*a));
                f(Effect::ReadsTensor(array.tensor));
                if !array.trusted {
                    f(Effect::Refuses);
                }
            }
            Expr::Array(a) => {
                f(Effect::ReadsArray(*a));
                f(Effect::ReadsTensor(self.arrays[a.0 as usize].tensor));
            }
            Expr::Access(id) => self.see_access(self.get(*id), f),
            Expr::Call(op, _) => {
                if op.row().effect == Row::Unknown {
                    f(Effect::Calls);
                }
                let may_trap = op.is_arithmetic() || op.row().effect != Row::None;
                if may_trap && !self.is_total(op, e) {
                    f(Effect::Traps);
                }
            }
            Expr::Raw(r) => {
                let raw = &self.raws[r.0 as usize];
                match &raw.code {
                    Opaque::Runtime(call) => {
                        if call.refuses() {
                            f(Effect::Refuses);
                        }
                    }
                    Opaque::Rust(_) | Opaque::Declared(_) => {
                        f(Effect::Opaque);
                        f(Effect::Refuses);
                        f(Effect::Traps);
                    }
                }
                if raw.effect {
                    self.see_changed(*r, f);
                }
            }
        });
    }

    fn see_access(&self, access: &Access, f: See<'_>) {
        f(Effect::ReadsTensor(access.tensor));
        self.arrays_of(access.tensor).into_iter().for_each(|a| f(Effect::ReadsArray(a)));
        access.vars().for_each(|v| f(Effect::ReadsVar(v)));
        if access.indices.iter().any(Index::refuses) {
            f(Effect::Refuses);
        }
        let absent = self.tensor(access.tensor).fill == Expr::Lit(Lit::Missing);
        if absent || access.indices.iter().any(|i| i.view.may_be_missing()) {
            f(Effect::Missing);
        }
    }

    /// Whether the call `e` of `op`, which may trap for some types, does not for its own.
    fn is_total(&self, op: &Op, e: &Expr) -> bool {
        let ty = self.type_of(e);
        let float = |ty: &Option<Ty>| ty.as_ref().is_some_and(Ty::is_float);
        // A method of floats has a value for each of them, though it be a condition.
        let method = matches!((op, e), (Op::Method(_), Expr::Call(_, args)) if float(&self.type_of(&args[0])));
        // Coordinates and positions are far from what their type holds.
        let place =
            matches!(op, Op::Add | Op::Sub | Op::Mul | Op::WrappingMul | Op::Neg | Op::Index);
        method || float(&ty) && op.is_pure() || place && ty == Some(Ty::Index)
    }

    /// What opaque code changes, which is whatever it names.
    pub(super) fn see_changed(&self, r: RawId, f: See<'_>) {
        for (_, e) in &self.raws[r.0 as usize].names {
            self.see(e, &mut |effect| match effect {
                Effect::ReadsVar(v) => f(Effect::WritesVar(v)),
                Effect::ReadsArray(a) => f(Effect::WritesArray(a)),
                Effect::ReadsTensor(t) => f(Effect::WritesTensor(t)),
                _ => {}
            });
        }
    }

    pub(super) fn see_array_written(&self, a: ArrayId, f: See<'_>) {
        f(Effect::WritesArray(a));
        f(Effect::WritesTensor(self.arrays[a.0 as usize].tensor));
    }

    /// The effects of naming `target` to write to it.
    fn see_target(&self, target: &Expr, f: See<'_>) {
        match target {
            Expr::Var(v) => {
                f(Effect::WritesVar(*v));
                if let Some(t) = self.marked(*v) {
                    f(Effect::WritesTensor(t));
                }
            }
            Expr::Load(a, at) => {
                self.see_array_written(*a, f);
                if !self.arrays[a.0 as usize].trusted {
                    f(Effect::Refuses);
                }
                self.see(at, f);
            }
            Expr::Access(id) => {
                let access = self.get(*id);
                f(Effect::WritesTensor(access.tensor));
                self.arrays_of(access.tensor).into_iter().for_each(|a| f(Effect::WritesArray(a)));
                access.vars().for_each(|v| f(Effect::ReadsVar(v)));
                access.parts().into_iter().for_each(|e| self.see(e, f));
                if access.indices.iter().any(Index::refuses) {
                    f(Effect::Refuses);
                }
            }
            // Nothing else is a target.
            other => self.see(other, f),
        }
    }

    /// The effects of an update of `target` by `op`.
    pub(super) fn see_update(&self, target: &Expr, op: &Option<Op>, value: &Expr, f: See<'_>) {
        self.see_target(target, f);
        self.see(value, f);
        let Some(op) = op else { return };
        if op.row().effect == Row::Unknown {
            f(Effect::Calls);
        }
        let float = self.type_of(target).as_ref().is_some_and(Ty::is_float) && op.is_pure();
        if !float && (op.is_arithmetic() || op.row().effect != Row::None) {
            f(Effect::Traps);
        }
    }
}

impl Access {
    /// Every expression in it.
    pub fn parts(&self) -> Vec<&Expr> {
        self.indices.iter().flat_map(Index::parts).chain([&self.pos]).collect()
    }

    /// Every variable that it names beside those in its expressions.
    pub fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        let along = self.indices.iter().filter_map(|i| match i.kind {
            IndexKind::Affine(v, _) | IndexKind::Digit(v, _) => Some(v),
            IndexKind::Opaque(_) => None,
        });
        let unfurled = self.unfurled.as_ref().map(|u| u.index);
        along.chain(self.present).chain(unfurled)
    }
}

impl Index {
    /// Whether it is an error where it leaves the dimension, which is asked when it is read.
    pub fn refuses(&self) -> bool {
        let computed = match &self.kind {
            // An element that the nest writes, too, at the index of a loop.
            IndexKind::Opaque(Expr::Call(Op::During, args)) => !matches!(args[0], Expr::Var(_)),
            kind => matches!(kind, IndexKind::Opaque(_)),
        };
        self.view.checked || computed && !self.view.may_be_missing()
    }
}
