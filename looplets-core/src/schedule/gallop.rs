//! Operands that meet along an index: they are gone through together, or each leaps to where the other one has its next entry.
//!
//! Two lists of which one is much shorter than the other take the time of the shorter one and of a few searches (Baeza-Yates, *A
//! Fast Set Intersection Algorithm for Sorted Sequences*, 2004; Looplets section 4 has the jumper for it); of two that are
//! alike, to go through both is faster.

use super::spread::{plain, products, same, Spread};
use super::{guards, Choice, Scheduler};
use crate::ast::{Expr, Index, Stmt};
use crate::cin::Op;
use proc_macro2::Ident;

/// The protocol of levels that are gone through by leaps.
const GALLOP: &str = "gallop";

impl Scheduler<'_> {
    /// Has operands in `stmt` leap to each other's entries where that is chosen, but for those that are `spread`.
    pub(super) fn gallops(&mut self, stmt: &mut Stmt, loops: &[Ident], spread: &[Spread]) {
        let Some(Stmt::Assign { value, .. }) = guards::assignment(stmt) else { return };
        let mut meeting: Vec<(Ident, Vec<Expr>)> = Vec::new();
        for index in loops {
            let mut all: Vec<Expr> = Vec::new();
            products(value, &mut |op, factors| {
                let leaps = |e: &&&Expr| {
                    let looked_up = spread.iter().any(|s| s.is_of(e));
                    !looked_up && self.leaps(e, index, op)
                };
                let of: Vec<&&Expr> = factors.iter().filter(leaps).collect();
                // Along one list that stands there twice there is nothing to leap over.
                let others = of.iter().any(|e| !same(e, of[0]));
                if others && all.is_empty() {
                    all = of.into_iter().map(|e| (*e).clone()).collect();
                }
            });
            if !all.is_empty() {
                meeting.push((index.clone(), all));
            }
        }
        for (index, all) in meeting {
            let name = index.to_string();
            let options = vec![Choice::Walk(name.clone()), Choice::Gallop(name)];
            if self.choices.choose(options) == 1 {
                all.iter().for_each(|e| leap(stmt, e, &index));
            }
        }
    }

    /// Whether the access `e`, an operand of `op`, has a list of entries along `index` that can be leapt along, without which
    /// there is nothing to do.
    pub(super) fn leaps(&self, e: &Expr, index: &Ident, op: &Op) -> bool {
        let Expr::Access { name, indices, .. } = e else { return false };
        if self.annihilator(e, op).is_none() {
            return false;
        }
        let Some(chain) = self.chain(name) else { return false };
        let mut dims = indices.iter().zip(&chain.levels);
        dims.any(|(i, level)| {
            let level = level.level();
            let gallops = level.reads.iter().any(|r| r.names.iter().any(|n| n == GALLOP));
            let first = level.reads.first().is_some_and(|r| r.names.iter().any(|n| n == GALLOP));
            plain(i) == Some(index) && gallops && !first && level.lists_entries()
        })
    }
}

/// Has `stmt` read the access `operand` along `index` by leaps.
pub fn leap(stmt: &mut Stmt, operand: &Expr, index: &Ident) {
    fn within(e: &mut Expr, operand: &Expr, index: &Ident) {
        // Other indices may have been marked before.
        let alike = match (&*e, operand) {
            (
                Expr::Access { name: a, indices: i, .. },
                Expr::Access { name: b, indices: j, .. },
            ) => {
                let one = |(i, j): (&Index, &Index)| match (&i.expr, &j.expr) {
                    (Expr::Name(i), Expr::Name(j)) => i == j,
                    _ => false,
                };
                a == b && i.len() == j.len() && i.iter().zip(j).all(one)
            }
            _ => false,
        };
        match e {
            Expr::Access { indices, .. } if alike => {
                let own = |i: &&mut Index| plain(i) == Some(index);
                indices.iter_mut().filter(own).for_each(|i| {
                    i.protocol = Some(Ident::new(GALLOP, index.span()));
                });
            }
            Expr::Call { args, .. } => args.iter_mut().for_each(|e| within(e, operand, index)),
            _ => {}
        }
    }
    if let Some(Stmt::Assign { value, .. }) = guards::assignment_mut(stmt) {
        within(value, operand, index);
    }
}
