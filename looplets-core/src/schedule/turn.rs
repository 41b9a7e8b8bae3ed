//! Operands that no order of loops goes along as they are stored, beside the others: they are copied once, turned.
//!
//! `c[i, j] = a[i, j] + b[j, i]` with rows in both would go along the rows of `a` and the columns of `b`. The copy is gathered
//! in the order in which the loops come to it, in time linear in what `b` stores, and in its rows for a matrix, which is put in order by
//! counting (Gustavson, *Two Fast Algorithms for Sparse Matrices*, 1978); of a matrix with far more rows than entries, and of more
//! dimensions, the copy is hashed and sorted.

use super::indices::{uses, Use};
use super::order::Edge;
use super::spread::{plain, replace, same};
use super::workspace::{self, format, MOST};
use super::{access, guards, Choice, Scheduler};
use crate::ast::{Block, Expr, Stmt};
use proc_macro2::Ident;

/// Whether no order of indices is that of all accesses in `stmt`.
pub fn crosses(stmt: &Stmt) -> bool {
    let mut before: Vec<(String, String)> = Vec::new();
    for access in uses(stmt) {
        let named = access.dims.iter().map(|(names, _)| names).filter(|names| !names.is_empty());
        let dims: Vec<&Vec<String>> = named.collect();
        for pair in dims.windows(2) {
            let all =
                pair[0].iter().flat_map(|i| pair[1].iter().map(move |j| (i.clone(), j.clone())));
            before.extend(all.filter(|(i, j)| i != j));
        }
    }
    // Takes away each index that stands before no other, until all are gone or the rest goes in a circle.
    while !before.is_empty() {
        let last = |j: &String| before.iter().all(|(i, _)| i != j);
        let left: Vec<_> = before.iter().filter(|(_, j)| !last(j)).cloned().collect();
        if left.len() == before.len() {
            return true;
        }
        before = left;
    }
    false
}

impl Scheduler<'_> {
    /// `stmt` with an operand turned, so that it is one fewer whose order is in the way; `edges` is what levels ask for.
    pub(super) fn turned(
        &mut self,
        stmt: &Stmt,
        indices: &[Ident],
        edges: &[Edge],
    ) -> Option<Block> {
        let Some(Stmt::Assign { value, span, .. }) = guards::assignment(stmt) else { return None };
        if !self.open.is_empty() {
            return None;
        }
        let all = uses(stmt);
        let mut operands = Vec::new();
        guards::conditions(stmt).into_iter().for_each(|e| accesses(e, &mut operands));
        accesses(value, &mut operands);
        let order = self.order_of_first(indices, &all, edges)?;
        let place = |i: &str| order.iter().position(|o| o == i);
        let in_the_way = |(u, v, _): &&Edge| place(u) > place(v);
        let mut found = Vec::new();
        // What stands first keeps its order.
        for operand in operands.into_iter().rev() {
            let Expr::Access { name, indices: given, .. } = operand else { continue };
            let Some(own) = given.iter().map(plain).collect::<Option<Vec<_>>>() else { continue };
            let distinct = (1..own.len()).all(|k| !own[..k].contains(&own[k]));
            let bound = own.iter().all(|i| indices.contains(i));
            let written = all.iter().any(|u| u.write && u.name == Some(name));
            if !distinct || !bound || written || !(2..=MOST).contains(&own.len()) {
                continue;
            }
            let mine = |u: &Use<'_>| {
                let alike = |((names, located), i): (&(Vec<String>, bool), &&Ident)| {
                    !located && matches!(&names[..], [n] if *i == n)
                };
                u.name == Some(name)
                    && u.dims.len() == own.len()
                    && u.dims.iter().zip(&own).all(alike)
            };
            if !edges.iter().filter(in_the_way).any(|(_, _, k)| mine(&all[*k])) {
                continue;
            }
            let Some(leaf) = self.chain(name).and_then(|c| c.levels.last()) else { continue };
            let Some(ty) = self.known(format(self.krate, own.len(), Some(&leaf.home()))) else {
                continue;
            };
            let turned: Vec<Ident> = order.iter().filter(|i| own.contains(i)).cloned().collect();
            let by_row = (own.len() == 2)
                .then(|| self.known(workspace::turned(self.krate, Some(&leaf.home()))))
                .flatten();
            found.push((name.to_string(), operand, turned, (by_row, ty)));
        }
        if found.is_empty() {
            return None;
        }
        let options = found.iter().map(|(name, ..)| Choice::Turn(name.clone())).collect();
        let (name, operand, turned, (by_row, hashed)) =
            found.swap_remove(self.choices.choose(options));
        let ty = match by_row {
            Some(by_row) => {
                let options = vec![Choice::ByPlace(name.clone()), Choice::Hashed(name)];
                if self.choices.choose(options) == 0 {
                    by_row
                } else {
                    hashed
                }
            }
            None => hashed,
        };
        let copy = self.fresh(operand, "turned", *span);
        let target = access(&copy, &turned);
        let mut main = stmt.clone();
        replace(&mut main, operand, &target);
        let first = Stmt::Assign { target, op: None, value: operand.clone(), span: *span };
        let declared = Stmt::Workspace { name: copy, ty, dims: None };
        Some(Block { stmts: vec![declared, first, main], span: *span })
    }

    /// An order of loops for as many of the accesses, from the result and then the first one on, as have one.
    fn order_of_first(
        &self,
        indices: &[Ident],
        all: &[Use<'_>],
        edges: &[Edge],
    ) -> Option<Vec<Ident>> {
        let mut ranked: Vec<usize> = (0..all.len()).collect();
        ranked.sort_by_key(|k| !all[*k].write);
        (1..=all.len()).rev().find_map(|first| {
            let kept = |k: &usize| ranked[..first].contains(k);
            let own: Vec<Edge> = edges.iter().filter(|(_, _, k)| kept(k)).cloned().collect();
            self.sorted(indices, all, &own).ok()
        })
    }
}

/// The accesses in `e` that no index and no shape operator has.
pub(super) fn accesses<'a>(e: &'a Expr, out: &mut Vec<&'a Expr>) {
    match e {
        Expr::Access { .. } if out.iter().any(|o| same(o, e)) => {}
        Expr::Access { .. } => out.push(e),
        Expr::Call { args, .. } => args.iter().for_each(|a| accesses(a, out)),
        _ => {}
    }
}
