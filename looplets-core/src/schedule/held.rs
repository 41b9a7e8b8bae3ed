//! Factors that do not depend on the innermost loops are taken out of a sum of products of dense tensors, which is held while it
//! is made: `c[i, j] += a[i, j] * d[i, k] * e[j, k]` multiplies by `a[i, j]` once for each `i, j` (the distributive law).

use super::factor::Sum;
use super::laws::distributes;
use super::products::{splits, Factor, Reduction, Split};
use super::{around, Choice, Scheduler};
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::{Lit, Op};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Scheduler<'_> {
    /// `stmt` with such factors taken out. Where the sum has no terms nothing is assigned, as before.
    pub(super) fn held(&mut self, all: &Reduction<'_>, indices: &[Ident]) -> Option<Stmt> {
        if all.plus.op != Op::Add {
            return None;
        }
        let span = all.span;
        let dense = |f: &Factor<'_>| match f.expr {
            Expr::Access { name, .. } => self.chain(name).is_some_and(|c| {
                let (_, levels) = c.levels.split_last().expect("a leaf");
                levels.iter().all(|l| l.level().has_children_alone())
            }),
            _ => false,
        };
        let held = |s: &Split<'_>| s.held && s.inner.iter().all(dense);
        let ways = splits(all, indices, &|times, plus| distributes(self.algebra, times, plus));
        // Where another sum varies over fewer loops, that is what saves more.
        if ways.iter().any(|s| s.sum && !s.held) {
            return None;
        }
        let split = ways.into_iter().find(held)?;
        let (_, Sum { value, .. }) = self.summed(&split.inner, all)?;
        let name = self.fresh(split.first()?, "sum", span);
        let any = self.fresh(split.first()?, "any", span);
        let declared = [scalar(&name, quote!(#value))?, scalar(&any, quote!(bool))?];
        let (target, plus) = (Expr::Name(name.clone()), Some(all.plus.clone()));
        let sum = all.statement(target, plus, &split.inner, None)?;
        let within: Vec<Ident> =
            indices.iter().filter(|i| !split.rest.contains(i)).cloned().collect();
        let first = flagged(sum, &any, &within);
        let (last, sum) = (Some(all.last.clone()), Expr::Name(name));
        let second = all.statement(all.target.clone(), last, &split.outer, Some(sum))?;
        let plan = self.plan(&second, &split.rest).ok()?;
        if plan.workspace.is_some() {
            return None;
        }
        let loops = plan.loops.iter().map(Ident::to_string).collect();
        let option = Choice::First(split.names(), loops);
        if !self.sums_alike(all) && !self.choices.asks_for(option.clone())
            || self.choices.settle(vec![option, Choice::AtOnce]) == 1
        {
            return None;
        }
        let stmts = declared.into_iter().chain([first, if_flagged(second, &any)]).collect();
        let body = Block { stmts, span };
        Some(Stmt::For { written: false, parallel: None, indices: plan.loops, extent: None, body })
    }
}

/// What declares a scalar.
pub fn scalar(name: &Ident, ty: TokenStream) -> Option<Stmt> {
    let ty = syn::parse2(ty).ok()?;
    Some(Stmt::Workspace { name: name.clone(), ty, dims: None, of: None })
}

/// `sum` in `loops`, which also set `any` if they run at all. That is settled once, by what the loops run over.
pub fn flagged(sum: Stmt, any: &Ident, loops: &[Ident]) -> Stmt {
    let span = any.span();
    let op = Some(OpRef { op: Op::Or, path: None, span });
    let value = Expr::Lit(Lit::Bool(true), None, span);
    let set = Stmt::Assign { target: Expr::Name(any.clone()), op, value, span };
    let mut all = Stmt::Block(Block { stmts: vec![sum, set], span });
    around(&mut all, loops);
    all
}

/// `stmt`, if `any` is set.
pub fn if_flagged(stmt: Stmt, any: &Ident) -> Stmt {
    let then = Block { stmts: vec![stmt], span: any.span() };
    Stmt::If { cond: Expr::Name(any.clone()), then, otherwise: None }
}
