//! Warns of sparse results in which zeros are stored: each element of a dense operand, and what a choice gives where it does not hold.

use super::{Meaning, Resolver};
use crate::ast;
use crate::ast::visit::visit_expr;
use crate::cin::*;
use crate::kernel::*;
use crate::parse::written;
use std::collections::BTreeSet;

impl Resolver<'_> {
    /// Looks at `target = e`.
    pub(super) fn stores_fill(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let ast::Expr::Access { name, .. } = target else { return };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return };
        let tensor = self.kernel.tensor(t);
        let Expr::Lit(fill) = tensor.fill.clone() else { return };
        let entries = tensor.levels.iter().any(|l| l.format.level().lists_entries());
        let (name, new) = (tensor.name.to_string(), tensor.role == Role::Output);
        if !entries || !new || !self.conditions.is_empty() || self.kernel.dense {
            return;
        }
        let Some(shown) = written(target) else { return };
        match e {
            ast::Expr::Call { op, args } if op.op == Op::IfElse => {
                let [cond, then, otherwise] = &args[..] else { return };
                let is_fill = |e: &ast::Expr| matches!(e, ast::Expr::Lit(lit, ..) if *lit == fill);
                let [Some(cond), Some(then)] = [written(cond), written(then)] else { return };
                if !is_fill(otherwise) {
                    return;
                }
                let note = format!("where the condition does not hold, `{name}` stores {0} all the same, as `=` stores what its operands do: write `if {cond} {{ {shown} = {then} }}`, which stores nothing there", fill.text());
                self.kernel.warn(Warning { span: op.span, name: "fill_is_stored", note });
            }
            ast::Expr::Call { op, args }
                if op.op == Op::Div && self.dense_alone(&args[1]).is_none() =>
            {
                let (what, by) = (written(e), self.absent_at_0(&args[1]));
                let (Some(what), Some(by)) = (what, by) else { return };
                let note = format!("this divides by 0 where `{by}` stores nothing: write `if {by} != 0 {{ {shown} = {what} }}`, if what is stored is to count alone");
                self.kernel.warn(Warning {
                    span: op.span,
                    name: "divided_by_what_is_not_stored",
                    note,
                });
            }
            _ => {
                let sum = match e {
                    ast::Expr::Call { op, args }
                        if matches!(op.op, Op::Add | Op::Sub) && op.path.is_none() =>
                    {
                        args.iter().find_map(|a| self.dense_alone(a))
                    }
                    _ => None,
                };
                let Some(of) = self.dense_alone(e).or(sum) else { return };
                let (Some(read), fill) = (written(e), fill.text()) else { return };
                let instead = match e {
                    ast::Expr::Access { .. } => {
                        format!("if {read} != {fill} {{ {shown} = {read} }}")
                    }
                    _ => format!("let v = {read}; if v != {fill} {{ {shown} = v }}"),
                };
                let note = format!("`{of}` stores every element, and so does `{name}` then, those that are {fill} too: write `{instead}`, which stores the others alone");
                self.kernel.warn(Warning { span: e.span(), name: "fill_is_stored", note });
            }
        }
    }

    /// Looks at `target += e`: sums of what is stored everywhere are stored everywhere.
    pub(super) fn sums_of_all(&mut self, target: &ast::Expr, e: &ast::Expr) {
        let ast::Expr::Access { name, indices, .. } = target else { return };
        let Some(Meaning::Tensor(t)) = self.lookup(name) else { return };
        let tensor = self.kernel.tensor(t);
        let entries = tensor.levels.iter().any(|l| l.format.level().lists_entries());
        let (name, new) = (tensor.name.to_string(), tensor.role == Role::Output);
        let own: BTreeSet<String> = indices.iter().filter_map(|i| plain(&i.expr)).collect();
        let open = !entries || !new || !self.conditions.is_empty() || self.kernel.dense;
        if open || own.len() < indices.len() {
            return;
        }
        let Some(of) = self.dense_alone(e) else { return };
        let mut read = BTreeSet::new();
        visit_expr(e, &mut |e| {
            if let ast::Expr::Access { indices, .. } = e {
                read.extend(indices.iter().filter_map(|i| plain(&i.expr)));
            }
        });
        if !own.is_subset(&read) {
            return;
        }
        let note = format!("`{of}` stores every element, and so does `{name}` then: declare `{name}` in a format that has them all, a dense one, or say which are wanted, by a factor or a condition that leaves out the others");
        self.kernel.warn(Warning { span: e.span(), name: "fill_is_stored", note });
    }

    /// `e` as text, if it is an element that is 0 where nothing is stored.
    fn absent_at_0(&self, e: &ast::Expr) -> Option<String> {
        let ast::Expr::Access { name, .. } = e else { return None };
        let Some(Meaning::Tensor(of)) = self.lookup(name) else { return None };
        let of = self.kernel.tensor(of);
        let zero = of.fill == Expr::int(0) && of.leaves_out();
        zero.then(|| written(e)).flatten()
    }

    /// The first tensor that `e` reads, if it reads tensors that store all of their elements, and chooses nothing.
    pub(super) fn dense_alone(&self, e: &ast::Expr) -> Option<String> {
        let (mut first, mut alone) = (None, true);
        visit_expr(e, &mut |e| match e {
            ast::Expr::Access { name, .. } => {
                let Some(Meaning::Tensor(of)) = self.lookup(name) else { return };
                let of = self.kernel.tensor(of);
                let stepped = of.levels.iter().any(|l| l.format.level().steps());
                // What a workspace stores is told by its own format.
                alone &= !of.leaves_out() && !stepped && of.role != Role::Workspace;
                first = first.take().or(Some(of.name.to_string()));
            }
            ast::Expr::Call { op, .. } => {
                alone &= !matches!(op.op, Op::IfElse | Op::Coalesce) && !op.op.is_predicate();
            }
            ast::Expr::Shape(_) => alone = false,
            _ => {}
        });
        first.filter(|_| alone)
    }
}

/// The index that `e` is, if it is one alone.
pub(super) fn plain(e: &ast::Expr) -> Option<String> {
    match e {
        ast::Expr::Name(name) => Some(name.to_string()),
        _ => None,
    }
}
