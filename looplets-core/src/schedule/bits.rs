//! Logic over runs at distances goes by way of bits, where there are many runs.
//!
//! In `y[i, j] = a[i, j - 1] && a[i, j] && a[i, j + 1] && ..` each operand ends runs of its own, so that a merge takes a step
//! for each run of each of them. Bits are merged 64 at a time, whatever runs they were: each tensor is copied into bits once,
//! however often it is read, the expression is computed of words, and the result is read from its bits in runs. That
//! costs a step for each run of an operand and of the result, and a bit for each element, so that it depends on sizes.

use super::indices::{along, names};
use super::spread::plain;
use super::stretches::of_runs;
use super::{access, Choice, Scheduler};
use crate::ast::{Block, Expr, Index, Stmt};
use crate::cin::{Lit, Op};
use crate::decl::LevelDecl;
use crate::formats::{fill_literal, Chain};
use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use std::collections::HashMap;

/// The most dimensions that are copied.
pub const MOST: usize = 2;
/// Of fewer accesses a merge takes no longer.
const FEWEST: usize = 3;
/// The read protocol of bits that gives them in runs.
const RUNS: &str = "runs";

/// The format of bits of this rank.
pub fn format(krate: &TokenStream, rank: usize) -> Option<syn::Type> {
    let name = format_ident!("Flagged{rank}");
    (1..=MOST).contains(&rank).then(|| syn::parse2(quote::quote!(#krate::#name)).ok()).flatten()
}

/// The rank of the bits that `stmt` may go by.
pub fn rank(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Assign { target: Expr::Access { indices, .. }, op: None, value, .. } => {
            let mut read = Vec::new();
            let worth = logic(value, &mut read) && read.len() >= FEWEST;
            if worth && indices.len() <= MOST {
                indices.len()
            } else {
                0
            }
        }
        _ => 0,
    }
}

/// Whether `e` is logic over accesses alone, which are added to `read`.
pub fn logic<'a>(e: &'a Expr, read: &mut Vec<&'a Expr>) -> bool {
    match e {
        Expr::Access { .. } => {
            read.push(e);
            true
        }
        Expr::Lit(Lit::Bool(_) | Lit::Int(0 | 1), ..) => true,
        Expr::Call { op, args } => is_logic(&op.op) && args.iter().all(|a| logic(a, read)),
        _ => false,
    }
}

/// Whether `op` takes conditions and gives one, of bits by the word as well.
pub fn is_logic(op: &Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Not | Op::Eq | Op::Ne | Op::IfElse | Op::Coalesce)
        || matches!(op, Op::BitAnd | Op::BitOr | Op::BitXor)
}

/// Whether `chain` has conditions, `false` where nothing is stored, and a child for each coordinate but of its last level.
fn conditions(chain: &Chain) -> Option<&LevelDecl> {
    let fill = fill_literal(chain.fill.as_ref()?, true)?;
    let [above @ .., last, _] = &chain.levels[..] else { return None };
    let dense = above.iter().all(|l| l.level().has_children_alone());
    let bools = chain.value.to_string() == "bool" && fill == Lit::Bool(false);
    (dense && bools).then(|| last.level())
}

impl Scheduler<'_> {
    /// `stmt` by way of bits, if it can be and is to be.
    pub(super) fn by_bits(&mut self, stmt: &Stmt, indices: &[Ident]) -> Option<Block> {
        let rank = rank(stmt);
        let Stmt::Assign { target, value, span, .. } = stmt else { return None };
        let Expr::Access { name: result, indices: given, .. } = target else { return None };
        let own: Vec<Ident> = given.iter().map(|i| plain(i).cloned()).collect::<Option<_>>()?;
        let distinct = (1..own.len()).all(|k| !own[..k].contains(&own[k]));
        let bound = own.len() == indices.len() && own.iter().all(|i| indices.contains(i));
        let apart = self.open.is_empty() && !self.strict && !self.choices.orders(indices);
        if rank == 0 || !distinct || !bound || !apart {
            return None;
        }
        let ty = self.known(format(self.krate, rank))?;
        let (chain, true) = self.formats.get(&result.to_string())? else { return None };
        let chain = chain.as_ref()?;
        let written = conditions(chain).filter(|l| of_runs(l))?;
        let leaf = chain.levels.last()?.level().write.as_ref()?;
        // What is `false` may be stored where the operands say so, which bits do not tell.
        if written.leaves_out() && leaf.place.is_some() {
            return None;
        }
        let mut read = Vec::new();
        logic(value, &mut read);
        let mut copied: Vec<&Ident> = Vec::new();
        for e in read {
            let Expr::Access { name, indices: at, .. } = e else { return None };
            let last = self.chain(name).and_then(conditions)?;
            let along = at.len() == rank && at.iter().zip(&own).all(|(x, i)| self.moved(x, i));
            if name == result || !along || !of_runs(last) && last.words.is_none() {
                return None;
            }
            if of_runs(last) && !copied.contains(&name) {
                copied.push(name);
            }
        }
        if copied.is_empty() {
            return None;
        }
        let copied: Vec<Ident> = copied.into_iter().cloned().collect();
        let options = vec![Choice::Runs(result.to_string()), Choice::Bits(result.to_string())];
        if self.choices.choose(options) == 0 {
            return None;
        }
        let (mut stmts, mut names) = (Vec::new(), HashMap::new());
        for name in copied {
            let operand = access(&name, &own);
            let bits = self.fresh(&operand, "bits", *span);
            let target = access(&bits, &own);
            stmts.push(Stmt::Workspace {
                name: bits.clone(),
                ty: ty.clone(),
                dims: None,
                of: None,
            });
            stmts.push(Stmt::Assign { target, op: None, value: operand, span: *span });
            names.insert(name, bits);
        }
        let bits = self.fresh(target, "bits", *span);
        let mut by_words = value.clone();
        renamed(&mut by_words, &names);
        let all = access(&bits, &own);
        stmts.push(Stmt::Workspace { name: bits.clone(), ty, dims: None, of: None });
        stmts.push(Stmt::Assign { target: all, op: None, value: by_words, span: *span });
        let mut in_runs = access(&bits, &own);
        if let Expr::Access { indices, .. } = &mut in_runs {
            let last = indices.last_mut()?;
            last.protocol = Some(Ident::new(RUNS, *span));
        }
        stmts.push(Stmt::Assign { target: target.clone(), op: None, value: in_runs, span: *span });
        Some(Block { stmts, span: *span })
    }

    /// Whether `x` is `i`, moved or not by what no loop changes.
    fn moved(&self, x: &Index, i: &Ident) -> bool {
        let fixed = |n: &String| i == n || self.scope.declares(n);
        let asked = |x: &Index| x.protocol.is_some();
        let within = match &x.expr {
            Expr::Access { indices, .. } => indices.iter().any(asked),
            _ => false,
        };
        !asked(x) && !within && along(x, &i.to_string()) && names(&x.expr).iter().all(fixed)
    }
}

/// Has `e` read tensors by their new names.
fn renamed(e: &mut Expr, names: &HashMap<Ident, Ident>) {
    match e {
        Expr::Access { name, .. } => {
            if let Some(new) = names.get(name) {
                *name = new.clone();
            }
        }
        Expr::Call { args, .. } => args.iter_mut().for_each(|a| renamed(a, names)),
        _ => {}
    }
}
