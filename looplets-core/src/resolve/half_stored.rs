//! Warns of results of which a part is stored, a triangle or half of a symmetric matrix, and all is written.

use super::stored_fill::plain;
use super::{Meaning, Resolver};
use crate::ast;
use crate::decl::{FieldKind, Order};
use crate::kernel::*;

impl Resolver<'_> {
    /// Looks at what `target` is written to: of a half that is stored the other half is refused.
    pub(super) fn written_outside(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let ast::Expr::Access { name, indices, span, .. } = target else { return };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return };
        let tensor = self.kernel.tensor(t);
        // Which elements there are follows from the sizes alone.
        let refuses = |l: &Level| {
            let level = l.format.level();
            let arrays = level.fields.iter().any(|f| matches!(f.kind, FieldKind::Array(_)));
            let write = level.write.as_ref().filter(|_| !arrays);
            write.is_some_and(|w| w.entry.is_some() && w.order != Order::Append)
        };
        let Some(depth) = tensor.levels.iter().position(refuses) else { return };
        let inner = indices.get(depth).and_then(|i| plain(&i.expr));
        let outer = depth.checked_sub(1).and_then(|d| indices.get(d)).and_then(|i| plain(&i.expr));
        let (Some(j), Some(i), true) = (inner, outer, self.conditions.is_empty()) else { return };
        let extent = |name: &str| {
            let var = self.loops.iter().rev().find(|v| self.kernel.called(**v) == name);
            var.is_some_and(|v| !self.extents.contains_key(v))
        };
        // What an operand leaves out is not written.
        let all = self.dense_alone(e).is_some() || matches!(e, ast::Expr::Lit(..));
        if i == j || !all || !extent(&i) || !extent(&j) {
            return;
        }
        let level = &tensor.levels[depth].format.level().name;
        let note = format!("`{name}` has no place for some of these elements, and refuses them when the kernel is called: write those alone that `{level}` stores, under a condition that compares `{i}` with `{j}`, as `if {j} <= {i} {{ .. }}` for what is on and below the diagonal");
        self.kernel.warn(Warning { span: *span, name: "written_outside_of_what_is_stored", note });
    }
}
