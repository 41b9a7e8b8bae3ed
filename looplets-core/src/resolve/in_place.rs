//! Changes of what a tensor stores, wherever that is: `a[i, j] *= s` of a matrix in any format scales its entries and makes none.
//!
//! What is assigned where nothing is stored must be the fill, which lowering finds out.

use super::{Meaning, Resolver};
use crate::ast;
use crate::cin::*;
use crate::decl::Order;
use crate::kernel::*;
use proc_macro2::{Ident, Span};

impl Resolver<'_> {
    /// The tensor of which an assignment changes entries that are there; `None` if it makes entries, or writes an array.
    ///
    /// An operator that leaves the fill what it is does so. So does `=` of an element that is read too. What levels
    /// that are appended to, or are not written, are updated by can be nothing else.
    pub(super) fn changes_stored(
        &mut self,
        target: &ast::Expr,
        op: Option<&Op>,
    ) -> Option<TensorId> {
        let ast::Expr::Access { name, indices, .. } = target else { return None };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return None };
        if self.kernel.tensor(t).role != Role::InOut || self.plainly_dense(t) {
            return None;
        }
        let leaf = self.kernel.tensor(t).levels.last().map(|l| l.format.level());
        let has_values = leaf.and_then(|l| l.write.as_ref()).is_some_and(|w| w.place.is_some());
        let changes = match op {
            Some(Op::Choose) => false,
            // That an entry is stored is not taken back.
            Some(_) if !has_values => false,
            Some(op) => {
                let entered = |l: &Level| {
                    l.format.level().write.as_ref().is_some_and(|w| w.order != Order::Append)
                };
                let makes = self.kernel.tensor(t).levels.iter().all(entered);
                self.by_all_loops(indices) && (!makes || self.keeps_fill(t, op))
            }
            None => self.read_in_nest.contains(&name.to_string()),
        };
        changes.then(|| {
            self.kernel.in_place.insert(t);
            t
        })
    }

    /// Whether each loop around has its index among `indices`: an element is then met once.
    fn by_all_loops(&self, indices: &[ast::Index]) -> bool {
        let is = |index: &ast::Index, v: VarId| match &index.expr {
            ast::Expr::Name(name) => matches!(self.lookup(name), Some(Meaning::Var(w)) if w == v),
            _ => false,
        };
        self.loops.iter().all(|v| indices.iter().any(|index| is(index, *v)))
    }

    /// Whether the fill of `t` stays what it is under `op`, whatever the other operand is.
    fn keeps_fill(&self, t: TensorId, op: &Op) -> bool {
        let fill = &self.kernel.tensor(t).fill;
        let zero = matches!(fill, Expr::Lit(Lit::Int(0) | Lit::Bool(false)));
        let infinite = |x: f64| *fill == Expr::Lit(Lit::float(x));
        match op {
            Op::Mul | Op::Div | Op::Rem | Op::And | Op::BitAnd | Op::Shl | Op::Shr => zero,
            Op::Or => *fill == Expr::bool(true),
            Op::Min => infinite(f64::NEG_INFINITY),
            Op::Max => infinite(f64::INFINITY),
            op => op
                .key()
                .and_then(|key| self.kernel.annihilators.get(key))
                .is_some_and(|all| all.contains(fill)),
        }
    }

    /// The element `name[indices]` as what is changed.
    pub(super) fn stored_element(
        &mut self,
        name: &Ident,
        indices: &[ast::Index],
        span: Span,
    ) -> Option<Expr> {
        let read = self.access(name, indices, span, false)?;
        let Expr::Access(id) = &read else { return None };
        let number = Expr::int(i128::from(id.0));
        Some(Expr::call(Op::Place, [read, number]))
    }

    /// Refuses tensors that are changed in place whose format does not vouch that no two coordinates have one element.
    pub(super) fn check_in_place(&mut self) {
        for t in self.kernel.in_place.clone() {
            let tensor = self.kernel.tensor(t).clone();
            let name = &tensor.name;
            if let Some(access) = self.kernel.accesses.iter().find(|a| a.tensor == t && a.write) {
                let at = access.span.0;
                self.errors.error(at, format!("`{name}` gets entries here, and those that it has are changed elsewhere in the kernel: do one of the two in a kernel of its own"));
                continue;
            }
            let at = tensor.name.span();
            if let Some(level) = tensor.levels.iter().find(|l| l.format.level().borrows()) {
                let level = &level.format.level().name;
                self.errors.error(at, format!("`{level}` of `{name}` borrows its arrays, which are read alone: write into another tensor"));
                continue;
            }
            let Some((leaf, levels)) = tensor.levels.split_last() else { continue };
            let shared = levels
                .iter()
                .find(|l| l.format.level().write.as_ref().is_none_or(|w| w.fold.is_some()));
            if let Some(level) = shared {
                let level = &level.format.level().name;
                self.errors.error(at, format!("two coordinates of `{name}` may have one entry of `{level}`, which would be changed twice: write into another tensor, or change what is stored by `Tensor::values_mut`"));
                continue;
            }
            if leaf.format.level().write.as_ref().is_none_or(|w| w.place.is_none()) {
                let leaf = &leaf.format.level().name;
                self.errors.error(at, format!("the leaf `{leaf}` of `{name}` has no values to change: write into another tensor"));
            }
        }
    }

    /// Refuses a parallel loop around a change in place of what is stored.
    pub(super) fn refuse_in_parallel(&mut self, index: VarId, element: &Expr) {
        let Expr::Access(id) = element else { return };
        let access = self.kernel.get(*id);
        let (name, i) = (self.kernel.tensor(access.tensor).name.clone(), self.kernel.called(index));
        self.errors.error(access.span.0, format!("`{name}` is changed where it stores something, by one thread: write `for {i}`, or make a new tensor in parallel"));
    }
}
