//! Assignments without an operator that would give one element several values, one for each coordinate of an index that
//! stands on the right alone.

use super::{indices, Scheduler};
use crate::ast::visit::all_exprs;
use crate::ast::{Expr, Stmt};
use crate::cin::Op;
use crate::parse;
use proc_macro2::{Ident, Span};

impl Scheduler<'_> {
    /// The first index by which an assignment without an operator has several values for one element, and what to write.
    pub(super) fn last_of_several(
        &self,
        stmt: &Stmt,
        indices: &[Ident],
    ) -> Option<(Ident, String)> {
        let mut found = None;
        indices::assignments(stmt, &mut |target, op, value| {
            let (on_left, on_right) = (indices::names(target), indices::names(value));
            let several = |i: &&Ident| {
                let i = i.to_string();
                on_right.contains(&i) && !on_left.contains(&i)
            };
            // A tensor without its indices is an error of its own.
            let whole = matches!(target, Expr::Name(name) if self.chain(name).is_some());
            if op.is_none() && found.is_none() && !whole {
                let alone: Vec<&Ident> = indices.iter().filter(several).collect();
                found =
                    alone.first().map(|i| ((*i).clone(), self.in_place_of(target, value, &alone)));
            }
        });
        found
    }

    /// What to say of a function in `stmt` that other libraries have, and the program has not.
    pub(super) fn elsewhere(&self, stmt: &Stmt) -> Option<(Span, String)> {
        let mut found = None;
        all_exprs(stmt, &mut |e| {
            if let Expr::Call { op, args } = e {
                let declared = op.op.key().is_some_and(|name| self.algebra.called(name).is_some());
                let said = parse::elsewhere::call(op, args, &|name| {
                    self.formats.contains_key(&name.to_string())
                })
                .filter(|_| !declared);
                found = found.take().or(said.map(|message| (op.span, message)));
            }
        });
        found
    }

    /// What to write for `target = value`, on whose right the indices `alone` stand alone.
    fn in_place_of(&self, target: &Expr, value: &Expr, alone: &[&Ident]) -> String {
        let i = alone[0];
        let within = |e: &Expr| {
            let names = indices::names(e);
            alone.iter().any(|i| names.contains(&i.to_string()))
        };
        if parse::hides_a_sum(value, &within) {
            let (open, close) = match target {
                Expr::Access { indices, .. } => {
                    let on_left: Vec<String> =
                        indices.iter().filter_map(|x| parse::written(&x.expr)).collect();
                    (format!("for {} {{ ", on_left.join(", ")), " }")
                }
                _ => (String::new(), ""),
            };
            let all: Vec<String> = alone.iter().map(|i| i.to_string()).collect();
            let to = parse::written(target).unwrap_or_default();
            return format!(
                "sum that part by itself, `{open}let mut t: f64; for {} {{ t += .. }} {to} = .. t ..;{close}`, or, for the sum of all of it, reduce, as in `+=`",
                all.join(", ")
            );
        }
        if let (Expr::Name(kept), Some(to)) = (value, parse::written(target)) {
            if kept == i {
                return format!(
                    "keep the least of them, `{to} <<min>>= {i}`, or any, `{to} <<choose>>= {i}`"
                );
            }
        }
        let starts = match target {
            Expr::Name(name) | Expr::Access { name, .. } => {
                let name = name.to_string();
                !self.assigned.contains(&name) && self.formats.get(&name).is_none_or(|f| f.1)
            }
            _ => true,
        };
        match parse::apart(target, value, &within, starts) {
            Some(statements) => format!("write `{statements}`"),
            None => {
                let truth = matches!(value, Expr::Call { op, .. } if op.op.is_comparison() || matches!(op.op, Op::And | Op::Or | Op::Not));
                let by = if truth { "||=" } else { "+=" };
                format!("reduce, as in `{by}`, or write `for {i} {{ .. }}`")
            }
        }
    }
}
