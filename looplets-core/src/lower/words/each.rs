//! Conditions of dense operands, as a word for each 64 coordinates: `a[i] > t` is asked at each of them, side by side, and the
//! answers are packed.
//!
//! Where each coordinate has an element, there are no cases: a loop over the coordinates of a word stores a flag for each,
//! which has neither branches nor anything that one iteration leaves to the next. That is an ordinary loop, so that all that is
//! done for dense loops is done for it.

use super::bits::Read;
use crate::cin::*;
use crate::index::sum;
use crate::kernel::*;
use crate::kir::Kir;
use crate::lower::{is_integer, Lower, Region};
use crate::opaque::Opaque;
use crate::runtime::Runtime;

/// What is asked at each coordinate.
#[derive(Debug)]
pub(super) struct Each {
    pub condition: Expr,
    /// Whether it may fail, where it is asked: it is asked where the program asks it, and nowhere else.
    pub fails: bool,
}

impl Lower<'_> {
    /// `e`, a condition in a loop over `index`, as one that can be asked at each coordinate; its number among those of `read`.
    pub(super) fn asked_each(&mut self, e: &Expr, index: VarId, read: &mut Read) -> Option<usize> {
        if self.kernel.type_of(e) != Some(Ty::Bool) || !self.kernel.depends(e).contains(&index) {
            return None;
        }
        if !self.is_asked(e, index) {
            return None;
        }
        let known = read.each.iter().position(|one| one.condition == *e);
        Some(known.unwrap_or_else(|| {
            read.each.push(Each { condition: e.clone(), fails: self.may_fail(e) });
            read.each.len() - 1
        }))
    }

    /// Whether `e` is a value that is made of what can be asked at each coordinate, and of nothing else.
    pub(super) fn is_of_dense(&self, e: &Expr, index: VarId) -> bool {
        self.is_asked(e, index) && !self.may_fail(e)
    }

    fn may_fail(&self, e: &Expr) -> bool {
        let effects = self.kernel.effects(e);
        effects.traps || effects.refuses || effects.calls || effects.opaque
    }

    /// Whether `e` is made of elements of dense tensors, numbers that stay the same, and operators of theirs.
    fn is_asked(&self, e: &Expr, index: VarId) -> bool {
        match e {
            Expr::Lit(lit) => *lit != Lit::Missing,
            Expr::Access(id) => self.is_dense(self.kernel.get(*id), index),
            Expr::Var(v) => *v != index && self.is_number(e) && !self.kernel.absent.contains(v),
            Expr::Load(array, at) => {
                let known = self.kernel.arrays[array.0 as usize].trusted && self.is_number(e);
                known && !self.kernel.depends(at).contains(&index)
            }
            Expr::Raw(r) => {
                let raw = &self.kernel.raws[r.0 as usize];
                // What it reads of the program is not looked into.
                let named = raw.names.is_empty();
                named && !raw.effect && matches!(raw.code, Opaque::Rust(_))
            }
            Expr::Call(op, args) => {
                let numbers =
                    matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Min | Op::Max);
                let logic = matches!(op, Op::And | Op::Or | Op::Not)
                    || matches!(op, Op::BitAnd | Op::BitOr | Op::BitXor) && self.is_condition(e);
                let pure = op.is_comparison() || matches!(op, Op::As(_) | Op::Cast(_));
                let method = matches!(op, Op::Method(_));
                (numbers || logic || pure || method) && args.iter().all(|a| self.is_asked(a, index))
            }
            Expr::Array(_) => false,
        }
    }

    fn is_condition(&self, e: &Expr) -> bool {
        self.kernel.type_of(e) == Some(Ty::Bool)
    }

    /// Whether `e` is a number, or a condition, of Rust's own.
    fn is_number(&self, e: &Expr) -> bool {
        match self.kernel.type_of(e) {
            Some(Ty::Bool | Ty::Index) => true,
            Some(ty) => ty.is_float() || is_integer(&ty),
            None => false,
        }
    }

    /// Whether `access` has an element at each coordinate of a loop over `index`, and no case but that.
    fn is_dense(&self, access: &Access, index: VarId) -> bool {
        let tensor = self.kernel.tensor(access.tensor);
        let levels = tensor.levels.get(access.level..).unwrap_or_default();
        let [above @ .., _] = levels else { return false };
        let number = |ty: &Ty| *ty == Ty::Bool || ty.is_float() || is_integer(ty);
        let plain = |x: &Index| {
            let asked = x.protocol.is_some() || x.view.checked || !x.view.clips.is_empty();
            !asked && self.plain_along(x, index).is_some()
        };
        let same = |x: &Index| {
            let at = x.parts();
            at.iter().all(|e| self.accesses_of(e).is_empty())
                && x.view.clips.is_empty()
                && !x.view.checked
                && x.along() != Some(index)
                && !at.iter().any(|e| self.kernel.depends(e).contains(&index))
        };
        let fiber = access.unfurled.is_none() && access.present.is_none() && !access.write;
        let there = super::bits::one_fiber(&access.pos) && access.resumed.is_none();
        fiber
            && there
            && number(&tensor.value)
            && above.len() == access.indices.len()
            && above.iter().all(|l| l.format.level().has_children_alone())
            && access.indices.iter().all(|x| plain(x) || same(x))
    }

    /// The word of `condition` at the coordinates `lo..hi` of those that the loop `r` counts from `first` on, which are 64.
    pub(super) fn asked(
        &mut self,
        r: &Region,
        condition: &Expr,
        first: &Expr,
        (lo, hi): (Expr, Expr),
        code: &mut Vec<Kir>,
    ) -> Expr {
        let flags = self.kernel.var("flags", VarKind::State, Ty::Unknown);
        let none = self.kernel.call(Runtime::NoFlags, Vec::new(), Ty::Unknown);
        code.push(Kir::Let { var: flags, mutable: true, value: none });
        let name = self.kernel.info(r.index).name.clone();
        let k = self.kernel.var(&format!("{name}_bit"), VarKind::Index, Ty::Index);
        let flag = self.kernel.var("flag", VarKind::Scalar, Ty::Bool);
        let value = self.counted_from(condition, r.index, k, first);
        let body = Stmt::Assign { target: Expr::Var(flag), op: None, value };
        let inner = self.looped(Region { index: k, lo, hi }, &body);
        code.extend(self.flagged(inner, flag, flags, k));
        self.kernel.call(Runtime::Packed, vec![Expr::Var(flags)], super::word_type())
    }

    /// `e` with each index along `index` as one of `k`, which counts from `first` on.
    fn counted_from(&mut self, e: &Expr, index: VarId, k: VarId, first: &Expr) -> Expr {
        let mut moved = Vec::new();
        for id in self.accesses_of(e) {
            let mut access = self.kernel.get(id).clone();
            for x in &mut access.indices {
                if let IndexKind::Affine(v, shift) = &x.kind {
                    if *v == index {
                        x.kind = IndexKind::Affine(k, sum(shift, first));
                    }
                }
            }
            moved.push((Expr::Access(id), self.kernel.access(access)));
        }
        e.map(&mut |x| moved.iter().find(|(old, _)| old == x).map(|(_, new)| new.clone()))
    }

    /// `code` with what is assigned to `flag` stored as flag `k` of `flags`.
    fn flagged(&mut self, code: Vec<Kir>, flag: VarId, flags: VarId, k: VarId) -> Vec<Kir> {
        let mut code = code;
        for one in &mut code {
            if let Kir::Store { target: Expr::Var(v), value, .. } = one {
                if *v == flag {
                    let args = vec![Expr::Var(flags), Expr::Var(k), value.clone()];
                    *one = self.kernel.statement(Runtime::SetFlag, args);
                    continue;
                }
            }
            for block in one.blocks_mut() {
                *block = self.flagged(std::mem::take(block), flag, flags, k);
            }
        }
        code
    }
}
