//! Operands that no order of loops goes along as they are stored, beside the others: they are copied once, turned.
//!
//! `c[i, j] = a[i, j] + b[j, i]` with rows in both would go along the rows of `a` and the columns of `b`. The copy is gathered
//! in the order in which the loops come to it, in time linear in what `b` stores, and in its rows for a matrix, which is put in order by
//! counting (Gustavson, *Two Fast Algorithms for Sparse Matrices*, 1978); of a matrix with far more rows than entries, and of more
//! dimensions, the copy is hashed and sorted.

use super::indices::{is_written, uses, Use};
use super::order::Edge;
use super::spread::{plain, replace, same};
use super::workspace::{self, format, MOST};
use super::{access, guards, Choice, Scheduler};
use crate::ast::{Block, Expr, Stmt};
use proc_macro2::Ident;
use std::collections::HashSet;

/// Whether an operand of `stmt` may be turned, as far as its indices tell.
pub fn may_turn(stmt: &Stmt) -> bool {
    crosses(stmt) || meets_inside(stmt) || shares_two(stmt)
}

/// Whether two accesses have two indices in common: which of them is outside is a matter of formats, that may be stored by columns.
fn shares_two(stmt: &Stmt) -> bool {
    let all = uses(stmt);
    let names = |u: &Use<'_>| -> HashSet<String> {
        u.dims.iter().flat_map(|(names, _)| names.iter().cloned()).collect()
    };
    let named: Vec<HashSet<String>> = all.iter().map(names).collect();
    let pairs = |k: usize| named[..k].iter().map(move |other| (k, other));
    (1..named.len()).flat_map(pairs).any(|(k, other)| named[k].intersection(other).count() > 1)
}

/// Whether two operands have their last index in common.
fn meets_inside(stmt: &Stmt) -> bool {
    let all = uses(stmt);
    let last =
        |u: &Use<'_>| u.dims.split_last().filter(|(_, o)| !o.is_empty()).map(|(l, _)| l.0.clone());
    let lasts: Vec<_> = all.iter().filter(|u| !u.write).filter_map(last).collect();
    (1..lasts.len()).any(|k| !lasts[k].is_empty() && lasts[..k].contains(&lasts[k]))
}

/// Whether no order of indices is that of all accesses in `stmt`.
fn crosses(stmt: &Stmt) -> bool {
    cross(&uses(stmt))
}

/// Whether no order of indices is that of all accesses that `stmt` reads.
pub fn operands_cross(stmt: &Stmt) -> bool {
    cross(&uses(stmt).into_iter().filter(|u| !u.write).collect::<Vec<_>>())
}

fn cross(all: &[Use<'_>]) -> bool {
    let mut before: Vec<(String, String)> = Vec::new();
    for access in all {
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

/// The formats of a copy.
pub(super) struct Turned {
    by_row: Option<syn::Type>,
    hashed: syn::Type,
}

impl Scheduler<'_> {
    /// `stmt` with an operand turned, so that it is one fewer whose order is in the way; `edges` is what levels ask for.
    pub(super) fn turned(
        &mut self,
        stmt: &Stmt,
        indices: &[Ident],
        edges: &[Edge],
    ) -> Option<Block> {
        let Some(Stmt::Assign { value, .. }) = guards::assignment(stmt) else { return None };
        let wished = self.choices.orders(indices);
        if !self.open.is_empty() || wished && self.copies(stmt) {
            return None;
        }
        let all = uses(stmt);
        let mut operands = Vec::new();
        guards::conditions(stmt).into_iter().for_each(|e| accesses(e, &mut operands));
        accesses(value, &mut operands);
        // Where an index is computed, there is no copy in whose order the loops could run.
        let computed = |u: &Use<'_>| {
            let of = |e: &&Expr| {
                let Expr::Access { name, indices, .. } = e else { return false };
                u.name == Some(name) && indices.iter().any(|i| plain(i).is_none())
            };
            !u.write && operands.iter().any(of)
        };
        // A result that is gathered need not have its order.
        let orders = match self.choices.order(indices) {
            Some((order, _)) => vec![order],
            None => [true, false]
                .into_iter()
                .filter_map(|result| {
                    self.order_of_first(indices, &all, edges, &|u| {
                        (!computed(u), u.write != result)
                    })
                })
                .collect(),
        };
        let mut found: Vec<(String, &Expr, Vec<Ident>, Turned)> = Vec::new();
        // What stands first keeps its order.
        let in_each = orders
            .iter()
            .flat_map(|order| operands.iter().rev().map(move |operand| (order, *operand)));
        for (order, operand) in in_each {
            let place = |i: &str| order.iter().position(|o| o == i);
            let in_the_way = |(u, v, _): &&Edge| place(u) > place(v);
            let Expr::Access { name, indices: given, .. } = operand else { continue };
            let Some(own) = given.iter().map(plain).collect::<Option<Vec<_>>>() else { continue };
            let distinct = (1..own.len()).all(|k| !own[..k].contains(&own[k]));
            let bound = own.iter().all(|i| indices.contains(i));
            let written = is_written(&all, name);
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
            let Some(formats) = self.formats_turned(name, own.len()) else { continue };
            let turned: Vec<Ident> = order.iter().filter(|i| own.contains(i)).cloned().collect();
            if !found.iter().any(|(_, other, to, _)| same(other, operand) && *to == turned) {
                found.push((name.to_string(), operand, turned, formats));
            }
        }
        // A copy is in the order that it was made for.
        let made = |(name, ..): &(String, &Expr, Vec<Ident>, Turned)| self.made.contains(name);
        if !found.iter().all(made) {
            found.retain(|one| !made(one));
        }
        if found.is_empty() {
            return None;
        }
        let options = found.iter().map(|(name, ..)| Choice::Turn(name.clone())).collect();
        let taken = self.choices.choose(options);
        Some(self.copied(stmt, found.swap_remove(taken)))
    }

    /// In which formats a copy of the tensor `name` may be, turned: by rows, if that is one, and hashed.
    pub(super) fn formats_turned(&self, name: &Ident, rank: usize) -> Option<Turned> {
        // A copy holds its values, which a leaf that borrows cannot.
        let leaf = self.chain(name)?.levels.last().filter(|leaf| !leaf.level().borrows())?.home();
        let hashed = self.known(format(self.krate, rank, Some(&leaf)))?;
        let by_row = (rank == 2).then(|| workspace::turned(self.krate, Some(&leaf)));
        Some(Turned { by_row: self.known(by_row.flatten()), hashed })
    }

    /// `stmt` behind a copy of an operand, which it reads instead.
    pub(super) fn copied(
        &mut self,
        stmt: &Stmt,
        (name, operand, turned, formats): (String, &Expr, Vec<Ident>, Turned),
    ) -> Block {
        let span = operand.span();
        let asked = match operand {
            Expr::Access { name, .. } => self.asked_turned(name, turned.len()),
            _ => None,
        };
        let ty = match formats.by_row {
            _ if asked.is_some() => asked.unwrap_or(formats.hashed),
            Some(by_row) => {
                let options = vec![Choice::ByPlace(name.clone()), Choice::Hashed(name)];
                match self.choices.choose(options) {
                    0 => by_row,
                    _ => formats.hashed,
                }
            }
            None => formats.hashed,
        };
        let copy = self.fresh(operand, "turned", span);
        let target = access(&copy, &turned);
        let mut main = stmt.clone();
        replace(&mut main, operand, &target);
        let first = Stmt::Assign { target, op: None, value: operand.clone(), span };
        let declared = Stmt::Workspace { name: copy, ty, dims: None, of: None };
        Block { stmts: vec![declared, first, main], span }
    }

    /// An order of loops for as many of the accesses, the least of `rank` first, as have one.
    fn order_of_first(
        &self,
        indices: &[Ident],
        all: &[Use<'_>],
        edges: &[Edge],
        rank: &dyn Fn(&Use<'_>) -> (bool, bool),
    ) -> Option<Vec<Ident>> {
        let mut ranked: Vec<usize> = (0..all.len()).collect();
        ranked.sort_by_key(|k| rank(&all[*k]));
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
