//! Where elements are put into room that arrays have, and how long these are is not known until the end, code that
//! asks for a length is told the length before and what was put since.

use super::append::Pass;
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use std::collections::BTreeMap;

impl Pass<'_> {
    /// Has opaque code ask for the length of one of `arrays` where the length before and `count` tell it; gives
    /// the lengths before.
    pub(super) fn lengths(
        &mut self,
        code: &mut [Kir],
        arrays: &[ArrayId],
        count: VarId,
    ) -> Vec<Kir> {
        let mut before = BTreeMap::new();
        self.ask(code, arrays, count, &mut before);
        before.into_values().map(|(var, value)| Kir::Let { var, mutable: false, value }).collect()
    }

    fn ask(
        &mut self,
        code: &mut [Kir],
        arrays: &[ArrayId],
        count: VarId,
        before: &mut BTreeMap<ArrayId, (VarId, Expr)>,
    ) {
        for k in code {
            k.blocks_mut().into_iter().for_each(|block| self.ask(block, arrays, count, before));
            let Kir::Code(r) = k else { continue };
            if let Some(Expr::Raw(told)) = self.told(&Expr::Raw(*r), arrays, count, before) {
                *r = told;
            }
        }
    }

    /// `e`, which is opaque, with what it asks of lengths told, also where what it is given asks.
    fn told(
        &mut self,
        e: &Expr,
        arrays: &[ArrayId],
        count: VarId,
        before: &mut BTreeMap<ArrayId, (VarId, Expr)>,
    ) -> Option<Expr> {
        let Expr::Raw(r) = e else { return None };
        if let Some(a) = self.length_of(e).filter(|a| arrays.contains(a)) {
            let (from, _) = before.entry(a).or_insert_with(|| {
                let label = format!("{}_from", self.kernel.arrays[a.0 as usize].name);
                (self.kernel.var(&label, VarKind::Local, Ty::Index), e.clone())
            });
            let sum = Expr::call(Op::Add, [Expr::Var(*from), Expr::Var(count)]);
            return Some(Expr::call(Op::Usize, [sum]));
        }
        let mut raw = self.kernel.raws[r.0 as usize].clone();
        let mut changed = false;
        for (_, e) in &mut raw.names {
            let new = e.map(&mut |e| self.told(e, arrays, count, before));
            changed |= new != *e;
            *e = new;
        }
        changed.then(|| self.kernel.opaque(raw))
    }

    /// The array whose length `e` is.
    fn length_of(&self, e: &Expr) -> Option<ArrayId> {
        let Expr::Raw(r) = e else { return None };
        let raw = &self.kernel.raws[r.0 as usize];
        match (&raw.code, &raw.names[..]) {
            (Opaque::Runtime(Runtime::Length), [(_, Expr::Array(a))]) => Some(*a),
            _ => None,
        }
    }
}
