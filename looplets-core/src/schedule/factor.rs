//! Sums of products, factored: what does not depend on an outer loop is summed once, before it (the distributive law).
//!
//! `y[i] += a[i, j] * b[j, k] * x[k]` goes along the row `b[j, _]` for each entry of `a`. Summed first, as
//! `t[j] += b[j, k] * x[k]` and `y[i] += a[i, j] * t[j]`, it costs what `a` and `b` have (Galley, SIGMOD 2025, section 5,
//! calls this pushing an aggregate down; relational systems call it eager aggregation).
//!
//! It is done where what is summed first goes along one tensor of several dimensions, once, and along vectors: then it costs
//! no more than to read the operands. Dense operands are factored in any case.

use super::indices::names;
use super::workspace::{format, whole};
use super::{access, Scheduler};
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::{fill_literal, Chain};
use crate::types::Ty;
use proc_macro2::Ident;
use std::collections::HashSet;

/// Whether `times` distributes over reductions by `plus`: `x * (y + z)` is `x * y + x * z`.
fn distributes(times: &Op, plus: &Op) -> bool {
    matches!(
        (times, plus),
        (Op::Mul, Op::Add)
            | (Op::And, Op::Or)
            | (Op::BitAnd, Op::BitOr | Op::BitXor)
            | (Op::Add, Op::Min | Op::Max)
    )
}

/// A product taken apart.
struct Split<'a> {
    /// What is summed first, and what that is multiplied with.
    inner: Vec<&'a Expr>,
    outer: Vec<&'a Expr>,
    /// The indices that the sum has.
    rest: Vec<Ident>,
}

/// The ways to take the product of `stmt` apart by which something is saved: those whose sum has the fewest dimensions
/// come first.
fn splits<'a>(stmt: &'a Stmt, indices: &[Ident]) -> Vec<Split<'a>> {
    let Stmt::Assign { target, op: Some(plus), value, .. } = stmt else { return Vec::new() };
    let Expr::Call { op: times, .. } = value else { return Vec::new() };
    let mut all = Vec::new();
    factors(value, &times.op, &mut all);
    if !distributes(&times.op, &plus.op) || all.len() < 3 || !all.iter().all(|e| plain(e)) {
        return Vec::new();
    }
    let on_left = names(target);
    let named: Vec<HashSet<String>> = all.iter().map(|e| names(e)).collect();
    let mut out = Vec::new();
    let summed = |i: &Ident| !on_left.contains(&i.to_string());
    for k in indices.iter().rev().filter(|k| summed(k)) {
        let within = |f: usize, i: &Ident| named[f].contains(&i.to_string());
        let (inner, outer): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|f| within(*f, k));
        let needed = |i: &&Ident| !summed(i) || outer.iter().any(|f| within(*f, i));
        let varies = |i: &&Ident| inner.iter().any(|f| within(*f, i));
        let rest: Vec<Ident> = indices.iter().filter(needed).filter(varies).cloned().collect();
        // Nothing is saved if it varies over all loops that are left.
        let saves = indices.iter().filter(needed).any(|i| !rest.contains(i));
        if saves && inner.len() > 1 && !outer.is_empty() && !rest.is_empty() {
            let exprs = |of: Vec<usize>| of.into_iter().map(|f| all[f]).collect();
            out.push(Split { inner: exprs(inner), outer: exprs(outer), rest });
        }
    }
    out.sort_by_key(|s| s.rest.len());
    out
}

/// The most dimensions that a sum in `stmt` may have that is taken first, 0 if there is none.
pub fn rank(stmt: &Stmt, indices: &[Ident]) -> usize {
    splits(stmt, indices).iter().map(|s| s.rest.len()).max().unwrap_or(0)
}

impl Scheduler<'_> {
    /// `stmt` as two statements, the first of which sums what the second one reads, if that costs less. `indices` are those of
    /// its loops.
    pub(super) fn factored(&mut self, stmt: &Stmt, indices: &[Ident]) -> Option<Block> {
        let Stmt::Assign { target, op: Some(plus), value, span } = stmt else { return None };
        let Expr::Call { op: times, .. } = value else { return None };
        if self.strict || !self.open.is_empty() {
            return None;
        }
        let (split, ty, dense) = splits(stmt, indices).into_iter().find_map(|split| {
            let (ty, dense) = self.sum_of(&split.inner, target, (plus, split.rest.len()))?;
            Some((split, ty, dense))
        })?;
        let name = self.fresh(split.inner[0], "sum", *span);
        let sum = access(&name, &split.rest);
        let mut read = sum.clone();
        // What another factor leads to is looked up.
        let led = split.outer.iter().any(|f| self.leads(f, &split.rest[0]));
        if let (Expr::Access { indices, .. }, true) = (&mut read, led && !dense) {
            indices[0].protocol = Some(Ident::new("locate", *span));
        }
        let assign = |target: Expr, value: Expr| Stmt::Assign {
            target,
            op: Some(plus.clone()),
            value,
            span: *span,
        };
        let first = assign(sum, product(times, split.inner.into_iter().cloned())?);
        let others = split.outer.into_iter().cloned().chain([read]);
        let second = assign(target.clone(), product(times, others)?);
        let declared = Stmt::Workspace { name, ty, dims: None };
        Some(Block { stmts: vec![declared, first, second], span: *span })
    }

    /// The format of what is summed by `plus` over the product of `factors`, and whether it is dense, if to sum it first costs
    /// no more than to read them.
    fn sum_of(
        &self,
        factors: &[&Expr],
        target: &Expr,
        (plus, rank): (&OpRef, usize),
    ) -> Option<(syn::Type, bool)> {
        let of = |e: &Expr| match e {
            Expr::Access { name, .. } => self.chain(name),
            _ => None,
        };
        let chains: Vec<&Chain> = factors.iter().map(|e| of(e)).collect::<Option<_>>()?;
        let result = of(target)?;
        let value = result.value.to_string();
        // Sums are of the type of the result, and what is not stored leaves a sum as it is.
        let fits = |c: &Chain| {
            let fill = c.fill.as_ref().and_then(|f| fill_literal(f, value == "bool"));
            c.value.to_string() == value && fill.is_some_and(|fill| stays(&plus.op, &fill))
        };
        // A sum that nothing else would have come to may overflow a whole number, and of other types no law is known.
        let float = Ty::of(&result.value).is_float();
        let sums = plus.op == Op::Add && !float;
        if sums || !chains.iter().all(|c| fits(c)) || !fits(result) {
            return None;
        }
        let leaf = result.levels.last()?.home();
        if chains.iter().all(|c| c.levels.iter().all(|l| !l.level().leaves_out())) {
            return Some((self.known(whole(self.krate, rank, Some(&leaf)))?, true));
        }
        let several = chains.iter().filter(|c| c.levels.len() > 2).count();
        let cheap = several < 2 && rank == 1;
        Some((self.known(format(self.krate, 1, Some(&leaf))).filter(|_| cheap)?, false))
    }
}

/// Whether reductions by `op` start at `fill`.
fn stays(op: &Op, fill: &Lit) -> bool {
    match op {
        Op::Min => *fill == Lit::float(f64::INFINITY),
        Op::Max => *fill == Lit::float(f64::NEG_INFINITY),
        _ => matches!(fill, Lit::Int(0) | Lit::Bool(false)),
    }
}

/// Whether `e` may be computed in another place, another number of times: it asks no function.
fn plain(e: &Expr) -> bool {
    match e {
        Expr::Name(_) | Expr::Lit(..) | Expr::Path(_) => true,
        Expr::Access { indices, .. } => indices.iter().all(|i| plain(&i.expr)),
        Expr::Call { op, args } => !matches!(op.op, Op::Function(_)) && args.iter().all(plain),
        Expr::Escape(..) | Expr::Shape(_) => false,
    }
}

fn factors<'a>(e: &'a Expr, times: &Op, out: &mut Vec<&'a Expr>) {
    match e {
        Expr::Call { op, args } if op.op == *times => {
            args.iter().for_each(|a| factors(a, times, out));
        }
        other => out.push(other),
    }
}

fn product(times: &OpRef, factors: impl Iterator<Item = Expr>) -> Option<Expr> {
    factors.reduce(|a, b| Expr::Call { op: times.clone(), args: vec![a, b] })
}
