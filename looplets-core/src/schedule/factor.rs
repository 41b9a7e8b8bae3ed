//! Sums of products, factored: what does not depend on an outer loop is summed once, before it (the distributive law).
//!
//! `y[i] += a[i, j] * b[j, k] * x[k]` goes along the row `b[j, _]` for each entry of `a`. Summed first, as
//! `t[j] += b[j, k] * x[k]` and `y[i] += a[i, j] * t[j]`, it costs what `a` and `b` have (Galley, SIGMOD 2025, section 5,
//! calls this pushing an aggregate down; relational systems call it eager aggregation).
//!
//! Where what is summed first goes along one tensor of several dimensions, once, and along vectors, it costs no more than to
//! read the operands, and is what is done first of all. Other ways are candidates: a sum that both statements take for
//! each of the outer loops, as a row of a product of sparse matrices, and a product of operands with the same indices.

use super::indices::names;
use super::laws::{distributes, may_distribute, starts};
use super::workspace::{format, listed, rows, whole};
use super::{access, Choice, Scheduler};
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::Op;
use crate::formats::{fill_literal, Chain};
use crate::types::Ty;
use proc_macro2::Ident;
use std::collections::HashSet;

/// A product taken apart.
pub struct Split<'a> {
    /// What is multiplied first, and what that is multiplied with.
    pub inner: Vec<&'a Expr>,
    pub outer: Vec<&'a Expr>,
    /// The indices that the product of the first has, or its sum.
    pub rest: Vec<Ident>,
    /// Whether something is summed.
    sum: bool,
    /// Whether it is one sum for each of the other loops, which needs no workspace.
    pub held: bool,
}

impl Split<'_> {
    /// The tensors that are multiplied first.
    pub fn names(&self) -> Vec<String> {
        let name = |e: &&Expr| match e {
            Expr::Access { name, .. } => name.to_string(),
            _ => String::new(),
        };
        self.inner.iter().map(name).collect()
    }
}

/// The ways to take the product of `stmt` apart by which something is saved: sums come first, and those of the
/// fewest dimensions.
pub fn splits<'a>(
    stmt: &'a Stmt,
    indices: &[Ident],
    distributes: &dyn Fn(&Op, &Op) -> bool,
) -> Vec<Split<'a>> {
    let Stmt::Assign { target, op: Some(plus), value, .. } = stmt else { return Vec::new() };
    let Expr::Call { op: times, .. } = value else { return Vec::new() };
    let mut all = Vec::new();
    factors(value, &times.op, &mut all);
    if !distributes(&times.op, &plus.op) || all.len() < 3 || !all.iter().all(|e| plain(e)) {
        return Vec::new();
    }
    let on_left = names(target);
    let named: Vec<HashSet<String>> = all.iter().map(|e| names(e)).collect();
    let mut out: Vec<Split<'a>> = Vec::new();
    let summed = |i: &Ident| !on_left.contains(&i.to_string());
    let within = |f: usize, i: &Ident| named[f].contains(&i.to_string());
    let exprs = |of: &[usize]| -> Vec<&'a Expr> { of.iter().map(|f| all[*f]).collect() };
    for k in indices.iter().rev().filter(|k| summed(k)) {
        let (inner, outer): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(|f| within(*f, k));
        let needed = |i: &&Ident| !summed(i) || outer.iter().any(|f| within(*f, i));
        let varies = |i: &&Ident| inner.iter().any(|f| within(*f, i));
        let rest: Vec<Ident> = indices.iter().filter(needed).filter(varies).cloned().collect();
        // If it varies over all loops that are left, what is saved is a factor a term.
        let held = indices.iter().filter(needed).all(|i| rest.contains(i));
        if inner.len() > 1 && !outer.is_empty() && !rest.is_empty() {
            let rest = as_stored(rest, &exprs(&inner));
            out.push(Split { inner: exprs(&inner), outer: exprs(&outer), rest, sum: true, held });
        }
    }
    out.sort_by_key(|s| s.rest.len());
    let summed_here =
        |i: &Ident, outer: &[usize]| summed(i) && !outer.iter().any(|f| within(*f, i));
    for f in 0..all.len() {
        let beside = |g: &usize| *g == f || named[*g].is_subset(&named[f]);
        let (inner, outer): (Vec<usize>, Vec<usize>) = (0..all.len()).partition(beside);
        let rest: Vec<Ident> = indices.iter().filter(|i| within(f, i)).cloned().collect();
        let alike = |s: &Split<'_>| {
            s.inner.len() == inner.len()
                && s.rest.len() == rest.len()
                && rest.iter().all(|i| s.rest.contains(i))
        };
        let sums = rest.iter().any(|i| summed_here(i, &outer));
        let smaller = rest.len() < indices.len() && !outer.is_empty();
        if inner.len() > 1 && smaller && !sums && !out.iter().any(alike) {
            let rest = as_stored(rest, &exprs(&inner));
            let (inner, outer) = (exprs(&inner), exprs(&outer));
            out.push(Split { inner, outer, rest, sum: false, held: false });
        }
    }
    out
}

/// `indices` in the order in which `factors` have them: a product of rows has rows.
fn as_stored(mut indices: Vec<Ident>, factors: &[&Expr]) -> Vec<Ident> {
    let place = |i: &Ident| {
        let of = |e: &&Expr| match e {
            Expr::Access { indices, .. } => {
                indices.iter().position(|x| super::spread::plain(x) == Some(i))
            }
            _ => None,
        };
        factors.iter().filter_map(of).min()
    };
    indices.sort_by_key(place);
    indices
}

/// The most dimensions that a sum in `stmt` may have that is taken first, 0 if there is none.
pub fn rank(stmt: &Stmt, indices: &[Ident]) -> usize {
    // Which operators are declared is not known before all is there.
    splits(stmt, indices, &may_distribute)
        .iter()
        .filter(|s| !s.held)
        .map(|s| s.rest.len())
        .max()
        .unwrap_or(0)
}

/// What a workspace holds of what is summed first.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    /// All elements.
    All,
    /// Rows, each of which it has all elements of or none.
    Rows,
    /// What is stored.
    Stored,
}

/// A way to take a product apart for which there is a workspace.
struct Apart<'a> {
    split: Split<'a>,
    /// The loops that both statements have in common.
    around: Vec<Ident>,
    /// The format of the workspace, and what it holds.
    ty: syn::Type,
    holds: Holds,
    /// Whether it is done where nothing is known of sizes.
    cheap: bool,
}

impl Scheduler<'_> {
    /// `stmt` as two statements, the first of which sums what the second one reads, if that may cost less. `indices` are those of
    /// its loops.
    pub(super) fn factored(&mut self, stmt: &Stmt, indices: &[Ident]) -> Option<Stmt> {
        let Stmt::Assign { target, op: Some(plus), value, span } = stmt else { return None };
        let Expr::Call { op: times, .. } = value else { return None };
        if self.strict || !self.open.is_empty() || self.choices.orders(indices) {
            return None;
        }
        if let Some(apart) = self.held(stmt, indices) {
            return Some(apart);
        }
        let mut all: Vec<Apart<'_>> = Vec::new();
        for again in [false, true] {
            for split in
                splits(stmt, indices, &|times, plus| distributes(self.algebra, times, plus))
            {
                if split.held {
                    continue;
                }
                // The loops over the first indices of the result may stand around both statements.
                let leads = |i: &&Ident| split.rest.contains(i);
                let mut around: Vec<Ident> =
                    leading(target).into_iter().take_while(leads).cloned().collect();
                if !again {
                    around.clear();
                } else if around.is_empty() || around.len() == split.rest.len() {
                    continue;
                }
                let rank = split.rest.len() - around.len();
                let Some((ty, holds, cheap)) = self.sum_of(&split, target, (plus, rank)) else {
                    continue;
                };
                let cheap = cheap && !again && split.sum;
                all.push(Apart { split, around, ty, holds, cheap });
            }
        }
        let name = |e: &Ident| e.to_string();
        let first =
            |a: &Apart<'_>| Choice::First(a.split.names(), a.around.iter().map(name).collect());
        let usual = all.iter().position(|a| a.cheap);
        let mut options: Vec<Choice> = all.iter().map(first).collect();
        if let Some(usual) = usual {
            let moved = all.remove(usual);
            all.insert(0, moved);
            let moved = options.remove(usual);
            options.insert(0, moved);
        }
        // Nothing is the first choice unless one costs less in any case.
        let at_once = usual.map_or(0, |_| options.len());
        options.insert(at_once, Choice::AtOnce);
        let taken = self.choices.choose(options);
        if taken == at_once {
            return None;
        }
        let Apart { split, around: loops, ty, holds, .. } =
            all.swap_remove(taken - usize::from(taken > at_once));
        let what = if split.sum { "sum" } else { "product" };
        let name = self.fresh(split.inner[0], what, *span);
        let rest: Vec<Ident> = split.rest.iter().filter(|i| !loops.contains(i)).cloned().collect();
        let sum = access(&name, &rest);
        let mut read = sum.clone();
        // What another factor leads to is looked up.
        let led = split.outer.iter().any(|f| self.leads(f, &rest[0]));
        let located = match holds {
            Holds::All => false,
            Holds::Rows => true,
            Holds::Stored => led && rest.len() == 1,
        };
        if let (Expr::Access { indices, .. }, true) = (&mut read, located) {
            indices[0].protocol = Some(Ident::new("locate", *span));
        }
        let assign = |target: Expr, op: Option<OpRef>, value: Expr| Stmt::Assign {
            target,
            op,
            value,
            span: *span,
        };
        let reduced = split.sum.then(|| plus.clone());
        let first = assign(sum, reduced, product(times, split.inner.into_iter().cloned())?);
        let others = split.outer.into_iter().cloned().chain([read]);
        let second = assign(target.clone(), Some(plus.clone()), product(times, others)?);
        let declared = Stmt::Workspace { name, ty, dims: None };
        let body = Block { stmts: vec![declared, first, second], span: *span };
        Some(match loops.is_empty() {
            true => Stmt::Block(body),
            false => {
                Stmt::For { written: false, parallel: None, indices: loops, extent: None, body }
            }
        })
    }

    /// The formats of `factors` and of the result that `target` is of, if products of the one may be summed by `plus` before
    /// they get into the other.
    pub(super) fn summed(
        &self,
        factors: &[&Expr],
        target: &Expr,
        plus: &OpRef,
    ) -> Option<(Vec<&Chain>, &Chain)> {
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
            c.value.to_string() == value
                && fill.is_some_and(|fill| starts(self.algebra, &plus.op, &fill))
        };
        // A sum that nothing else would have come to may overflow a whole number, and of other types no law is known.
        let float = Ty::of(&result.value).is_float();
        let sums = plus.op == Op::Add && !float;
        if sums || !chains.iter().all(|c| fits(c)) || !fits(result) {
            return None;
        }
        Some((chains, result))
    }

    /// The format of what is summed by `plus` over the product that `split` takes first, what it holds, and whether to sum
    /// it first costs no more than to read the factors.
    fn sum_of(
        &self,
        split: &Split<'_>,
        target: &Expr,
        (plus, rank): (&OpRef, usize),
    ) -> Option<(syn::Type, Holds, bool)> {
        let (chains, result) = self.summed(&split.inner, target, plus)?;
        let leaf = result.levels.last()?.home();
        let all = |c: &Chain| c.levels.iter().all(|l| !l.level().leaves_out());
        if chains.iter().all(|c| all(c)) {
            return Some((self.known(whole(self.krate, rank, Some(&leaf)))?, Holds::All, true));
        }
        let several = chains.iter().filter(|c| c.levels.len() > 2).count();
        let cheap = several < 2 && rank == 1;
        // Whether an element is stored says its row, where what goes along rows leaves nothing out.
        let along = |(e, c): (&&Expr, &&Chain)| {
            all(c) || split.rest.last().is_some_and(|i| !names(e).contains(&i.to_string()))
        };
        let (ty, holds) = match rank {
            1 => (format(self.krate, 1, Some(&leaf)), Holds::Stored),
            2 if split.rest.len() == 2 && split.inner.iter().zip(&chains).all(along) => {
                (rows(self.krate, Some(&leaf)), Holds::Rows)
            }
            2 => (listed(self.krate, Some(&leaf)), Holds::Stored),
            _ => (None, Holds::Stored),
        };
        Some((self.known(ty)?, holds, cheap))
    }
}

/// The indices of the result, as far as they are nothing but that.
fn leading(target: &Expr) -> Vec<&Ident> {
    let Expr::Access { indices, .. } = target else { return Vec::new() };
    indices.iter().map_while(super::spread::plain).collect()
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

/// The factors of the product `e` by `times`.
pub(super) fn factors<'a>(e: &'a Expr, times: &Op, out: &mut Vec<&'a Expr>) {
    match e {
        Expr::Call { op, args } if op.op == *times => {
            args.iter().for_each(|a| factors(a, times, out));
        }
        other => out.push(other),
    }
}

pub fn product(times: &OpRef, factors: impl Iterator<Item = Expr>) -> Option<Expr> {
    factors.reduce(|a, b| Expr::Call { op: times.clone(), args: vec![a, b] })
}
