//! Factors that do not depend on the innermost loops are taken out of a sum of products of dense tensors, which is held while it
//! is made: `c[i, j] += a[i, j] * d[i, k] * e[j, k]` multiplies by `a[i, j]` once for each `i, j` (the distributive law).

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
        let span = &all.span;
        let dense = |f: &Factor<'_>| match f.expr {
            Expr::Access { name, .. } => self.chain(name).is_some_and(|c| {
                let (_, levels) = c.levels.split_last().expect("a leaf");
                levels.iter().all(|l| l.level().has_children_alone())
            }),
            _ => false,
        };
        let held = |s: &Split<'_>| s.held && s.inner.iter().all(dense);
        let ways = splits(all, indices, &|times, plus| distributes(self.algebra, times, plus));
        let split = ways.into_iter().find(held)?;
        let (_, result) = self.summed(&split.inner, all)?;
        let value = result.value.clone();
        let name = self.fresh(split.first()?, "sum", *span);
        let any = self.fresh(split.first()?, "any", *span);
        let scalar = |name: &Ident, ty: TokenStream| {
            let ty = syn::parse2(ty).ok()?;
            Some(Stmt::Workspace { name: name.clone(), ty, dims: None })
        };
        let declared = [scalar(&name, quote!(#value))?, scalar(&any, quote!(bool))?];
        let assign = |target: Expr, op: OpRef, value: Expr| {
            let op = Some(op);
            Stmt::Assign { target, op, value, span: *span }
        };
        let or = OpRef { op: Op::Or, path: None, span: *span };
        let yes = Expr::Lit(Lit::Bool(true), None, *span);
        let stmts = vec![
            all.statement(Expr::Name(name.clone()), Some(all.plus.clone()), &split.inner, None)?,
            assign(Expr::Name(any.clone()), or, yes),
        ];
        let mut first = Stmt::Block(Block { stmts, span: *span });
        let within: Vec<Ident> =
            indices.iter().filter(|i| !split.rest.contains(i)).cloned().collect();
        around(&mut first, &within);
        let (last, sum) = (Some(all.last.clone()), Expr::Name(name));
        let second = all.statement(all.target.clone(), last, &split.outer, Some(sum))?;
        let plan = self.plan(&second, &split.rest).ok()?;
        if plan.workspace.is_some() {
            return None;
        }
        let loops = plan.loops.iter().map(Ident::to_string).collect();
        if self.choices.settle(vec![Choice::First(split.names(), loops), Choice::AtOnce]) == 1 {
            return None;
        }
        let then = Block { stmts: vec![second], span: *span };
        let guarded = Stmt::If { cond: Expr::Name(any), then, otherwise: None };
        let stmts = declared.into_iter().chain([first, guarded]).collect();
        let body = Block { stmts, span: *span };
        Some(Stmt::For { written: false, parallel: None, indices: plan.loops, extent: None, body })
    }
}
