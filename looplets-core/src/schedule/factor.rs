//! Sums of products, factored: what does not depend on an outer loop is summed once, before it (the distributive law).
//!
//! `y[i] += a[i, j] * b[j, k] * x[k]` goes along the row `b[j, _]` for each entry of `a`. Summed first, as
//! `t[j] += b[j, k] * x[k]` and `y[i] += a[i, j] * t[j]`, it costs what `a` and `b` have (Galley, SIGMOD 2025, section 5,
//! calls this pushing an aggregate down; relational systems call it eager aggregation).
//!
//! Where what is summed first goes along one tensor of several dimensions, once, and along vectors, it costs no more than to
//! read the operands, and is what is done first of all. Other ways are candidates: a sum that both statements take for
//! each of the outer loops, as a row of a product of sparse matrices, and a product of operands with the same indices.

use super::indices::{is_written, names, uses};
use super::laws::{distributes, starts, sums_alike};
use super::place::Place;
use super::products::{first_dimension, read, splits, Factor, Reduction, Split};
use super::workspace::{format, listed, rows, whole};
use super::{access, held, Choice, Scheduler};
use crate::ast::{Block, Expr, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::{fill_literal, Chain};
use crate::types::Ty;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// What is summed.
pub(super) struct Sum {
    /// The type of a value.
    pub value: TokenStream,
    /// The leaf of a workspace of them.
    leaf: TokenStream,
    /// What sums start at: where nothing is stored, the operands are at it.
    start: Lit,
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
    /// Whether each sum is held in a scalar, and made only where an operand of the outer product stores something.
    sampled: bool,
}

impl Scheduler<'_> {
    /// Takes the product in `stmt` apart, if that may cost less.
    pub(super) fn taken_apart(&mut self, stmt: &mut Stmt, indices: &[Ident]) -> bool {
        let Some(mut apart) = self.factored(stmt, indices) else { return false };
        match &mut apart {
            Stmt::Block(block) => self.block(block),
            around => {
                // What stands in these loops alone may be taken apart once more.
                let Stmt::For { indices, .. } = &*around else { unreachable!("made of loops") };
                let (apart, alone) = (self.apart, self.apart == self.open.len());
                self.apart += if alone { indices.len() } else { 0 };
                self.written(around);
                self.apart = apart;
            }
        }
        *stmt = apart;
        true
    }

    /// `stmt` as two statements, the first of which sums what the second one reads, if that may cost less. `indices` are those of
    /// its loops.
    pub(super) fn factored(&mut self, stmt: &Stmt, indices: &[Ident]) -> Option<Stmt> {
        let all = Reduction::of(stmt)?;
        // Under a condition on coordinates what is summed would be for each of them.
        let alone = self.open.len() == self.apart || self.inside;
        if self.strict || !alone || self.choices.orders(indices) || reads_what_it_writes(stmt) {
            return None;
        }
        if let Some(apart) = self.held(&all, indices) {
            return Some(apart);
        }
        let mut ways: Vec<Apart<'_>> = Vec::new();
        let alike = self.sums_alike(&all);
        let first = |split: &Split<'_>, around: &[Ident]| {
            Choice::First(split.names(), around.iter().map(Ident::to_string).collect())
        };
        let distributes = |times: &Op, plus: &Op| distributes(self.algebra, times, plus);
        let mut all_splits = splits(&all, indices, &distributes);
        all_splits.retain(|s| !s.held);
        for split in &mut all_splits {
            let inner = read(&split.inner);
            // Of two indices that stand in the same place, that of a sparse level is the outer one.
            let leads = |i: &Ident| inner.iter().any(|e| self.leads(e, i));
            split.rest.sort_by_key(|i| (first_dimension(i, &inner), !leads(i)));
        }
        for place in [Place::Apart, Place::Leading, Place::Along] {
            for split in &all_splits {
                for around in self.places(place, split, &all) {
                    let rest: Vec<&Ident> =
                        split.rest.iter().filter(|i| !around.contains(i)).collect();
                    let Some((ty, holds, cheap)) = self.sum_of(split, &all, &rest) else {
                        continue;
                    };
                    if !alike && !self.choices.asks_for(first(split, &around)) {
                        continue;
                    }
                    let sampled = rest.is_empty() && self.samples(split);
                    let cheap = split.sum && (sampled || cheap && place == Place::Apart);
                    // Under conditions, and of one operand, what is left is not worth to be compiled twice.
                    if cheap || !all.guarded() && split.inner.len() > 1 {
                        ways.push(Apart {
                            split: split.clone(),
                            around,
                            ty,
                            holds,
                            cheap,
                            sampled,
                        });
                    }
                }
            }
        }
        let usual = ways.iter().position(|a| a.sampled).or(ways.iter().position(|a| a.cheap));
        let mut options: Vec<Choice> = ways.iter().map(|a| first(&a.split, &a.around)).collect();
        if let Some(usual) = usual {
            let moved = ways.remove(usual);
            ways.insert(0, moved);
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
            ways.swap_remove(taken - usize::from(taken > at_once));
        let what = if split.sum { "sum" } else { "product" };
        let span = all.span;
        let name = self.fresh(split.first()?, what, span);
        let rest: Vec<Ident> = split.rest.iter().filter(|i| !loops.contains(i)).cloned().collect();
        let sum = match rest.is_empty() {
            true => Expr::Name(name.clone()),
            false => access(&name, &rest),
        };
        let mut found = sum.clone();
        // What another factor leads to is looked up.
        let leads = |i: &Ident| read(&split.outer).iter().any(|f| self.leads(f, i));
        let led = rest.first().is_some_and(leads);
        let located = match holds {
            Holds::All => false,
            Holds::Rows => led,
            Holds::Stored => led && rest.len() == 1,
        };
        if let (Expr::Access { indices, .. }, true) = (&mut found, located) {
            indices[0].protocol = Some(Ident::new("locate", span));
        }
        let reduced = split.sum.then(|| all.plus.clone());
        let mut first = all.statement(sum, reduced, &split.inner, None)?;
        let last = Some(all.last.clone());
        let mut second = all.statement(all.target.clone(), last, &split.outer, Some(found))?;
        let mut stmts =
            vec![Stmt::Workspace { name: name.clone(), ty: ty.clone(), dims: None, of: None }];
        // A workspace is at its fill, and a scalar at 0.
        let (_, Sum { start, .. }) = self.summed(&split.inner, &all)?;
        if rest.is_empty() && !matches!(start, Lit::Int(0) | Lit::Bool(false)) {
            let (target, value) = (Expr::Name(name.clone()), Expr::Lit(start, None, span));
            stmts.push(Stmt::Assign { target, op: None, value, span });
        }
        if holds == Holds::All && split.sum {
            // A sum without terms is none: 0 times an infinite factor is not nothing.
            if !rest.is_empty() {
                self.format(&name, &ty, true);
            }
            let own = self.summing(&first, &loops)?;
            let any = self.fresh(split.first()?, "any", span);
            stmts.push(held::scalar(&any, quote!(bool))?);
            (first, second) = (held::flagged(first, &any, &own), held::if_flagged(second, &any));
        }
        stmts.extend([first, second]);
        let body = Block { stmts, span };
        Some(match loops.is_empty() {
            true => Stmt::Block(body),
            false => {
                Stmt::For { written: false, parallel: None, indices: loops, extent: None, body }
            }
        })
    }

    /// The loops of `first`, which sums into elements that are there in any case, within `loops`.
    fn summing(&mut self, first: &Stmt, loops: &[Ident]) -> Option<Vec<Ident>> {
        let (open, bound) = (self.open.len(), self.scope.mark());
        self.open.extend(loops.iter().cloned());
        self.scope.bind(loops);
        let own = self.scope.unbound(first);
        let plan = self.plan(first, &own).ok().filter(|plan| plan.workspace.is_none());
        self.open.truncate(open);
        self.scope.forget(bound);
        Some(plan?.loops)
    }

    /// What `factors` read, with its formats, and the format of the result of `all`, if products of the one may be summed before they
    /// get into the other.
    pub(super) fn summed<'e>(
        &self,
        factors: &[Factor<'e>],
        all: &Reduction<'_>,
    ) -> Option<(Vec<(&'e Expr, &Chain)>, Sum)> {
        let of = |e: &Expr| match e {
            Expr::Access { name, .. } => self.chain(name),
            _ => None,
        };
        let chains: Vec<(&'e Expr, &Chain)> =
            read(factors).into_iter().map(|e| Some((e, of(e)?))).collect::<Option<_>>()?;
        let value = self.value_of(all.target)?;
        let ty = Ty::of(&value);
        let text = value.to_string();
        // Sums are of the type of the result, and what is not stored leaves a sum as it is.
        let fits = |c: &Chain| {
            let fill = c.fill.as_ref().and_then(|f| fill_literal(f, text == "bool"));
            c.value.to_string() == text
                && fill.is_some_and(|fill| starts(self.algebra, &all.plus.op, &fill, Some(&ty)))
        };
        // Of other types than numbers no law is known.
        let float = ty.is_float();
        let sums = all.plus.op == Op::Add && !(float || ty.is_integer());
        // Elements of other types are multiplied in the order in which they stand, and other types than floats as they are.
        let others = all.factors();
        let alike = |e: &&Expr| of(e).is_some_and(|c| c.value.to_string() == text);
        let computed = all.last.op != all.plus.op || !others.iter().all(Factor::is_element);
        if !read(&others).iter().all(alike) || computed && !float {
            return None;
        }
        if sums || !chains.iter().all(|(_, c)| fits(c)) {
            return None;
        }
        let start =
            chains.first().and_then(|(_, c)| fill_literal(c.fill.as_ref()?, text == "bool"))?;
        // A scalar has what it had.
        let leaf = match of(all.target) {
            Some(result) => result.levels.last().filter(|_| fits(result))?.home(),
            None => {
                let leaves = chains.iter().filter_map(|(_, c)| c.levels.last());
                leaves.into_iter().find(|leaf| !leaf.level().borrows())?.home()
            }
        };
        Some((chains, Sum { value, leaf, start }))
    }

    /// Whether it makes no difference to the value of `all` that sums are taken first.
    pub(super) fn sums_alike(&self, all: &Reduction<'_>) -> bool {
        let value = self.value_of(all.target);
        value.is_some_and(|value| sums_alike(&all.times.op, &all.plus.op, &Ty::of(&value)))
    }

    /// The type of the values of `target`.
    fn value_of(&self, target: &Expr) -> Option<TokenStream> {
        match target {
            Expr::Access { name, .. } => Some(self.chain(name)?.value.clone()),
            Expr::Name(name) => self.scalars.get(&name.to_string()).cloned(),
            _ => None,
        }
    }

    /// The format of the sum of the product that `split` takes first, whose indices are `rest`, what it holds, and whether to sum it first costs no more than
    /// to read the factors.
    fn sum_of(
        &self,
        split: &Split<'_>,
        reduction: &Reduction<'_>,
        rest: &[&Ident],
    ) -> Option<(syn::Type, Holds, bool)> {
        let rank = rest.len();
        let (chains, Sum { value, leaf, .. }) = self.summed(&split.inner, reduction)?;
        let all = |c: &Chain| c.levels.iter().all(|l| !l.level().leaves_out());
        // Where a condition leaves no term, there is no sum.
        let certain = !split.inner.iter().any(Factor::guards);
        if chains.iter().all(|(_, c)| all(c)) && certain {
            let ty = match rank {
                0 => syn::parse2(value).ok(),
                _ => self.known(whole(self.krate, rank, Some(&leaf))),
            };
            return Some((ty?, Holds::All, true));
        }
        let several = chains.iter().filter(|(_, c)| c.levels.len() > 2).count();
        let cheap = several < 2 && rank == 1;
        // Whether an element is stored says its row, where what goes along rows leaves nothing out.
        let along = |(e, c): &(&Expr, &Chain)| {
            all(c) || rest.last().is_some_and(|i| !names(e).contains(&i.to_string()))
        };
        let (ty, holds) = match rank {
            1 => (format(self.krate, 1, Some(&leaf)), Holds::Stored),
            2 if chains.iter().all(along) => (rows(self.krate, Some(&leaf)), Holds::Rows),
            2 => (listed(self.krate, Some(&leaf)), Holds::Stored),
            _ => (None, Holds::Stored),
        };
        Some((self.known(ty)?, holds, cheap))
    }
}

/// Whether `stmt` reads elements of what it writes: a sum that is taken first would be of those that were there before.
fn reads_what_it_writes(stmt: &Stmt) -> bool {
    let all = uses(stmt);
    all.iter().any(|u| !u.write && u.name.is_some_and(|name| is_written(&all, name)))
}
