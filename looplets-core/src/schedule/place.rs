//! Where what is summed first is summed: in front of all loops, or within loops that both statements have in common.
//!
//! Within a loop a workspace holds a fiber in the place of a whole tensor, or one number, and is made for what an operand stores alone. The
//! statements in it are looked at again, so that several sums nest: SPLATT (Smith et al., *SPLATT: Efficient and Parallel Sparse
//! Tensor-Matrix Multiplication*, IPDPS 2015) writes such nests by hand, and SpTTN-Cyclops (Kanakagiri and Solomonik, *Minimum Cost Loop
//! Nests for Contraction of a Sparse Tensor with a Tensor Network*, SPAA 2024) looks for the cheapest.

use super::choices::Choices;
use super::indices::uses;
use super::products::{read, Reduction, Split};
use super::Scheduler;
use crate::ast::{Expr, Stmt};
use proc_macro2::Ident;

/// Where what is summed first is summed.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// In front of all loops.
    Apart,
    /// Within loops over the first indices of the result.
    Leading,
    /// Within loops along an operand, for each of whose fibers it is summed.
    Along,
}

impl Scheduler<'_> {
    /// The loops that may stand around both statements of `split`.
    pub(super) fn places(
        &mut self,
        place: Place,
        split: &Split<'_>,
        all: &Reduction<'_>,
    ) -> Vec<Vec<Ident>> {
        let leading: Vec<Ident> =
            self.leading(all.target).take_while(|i| split.rest.contains(i)).cloned().collect();
        let part = !leading.is_empty() && leading.len() < split.rest.len();
        match place {
            // One sum after the other comes to the same.
            Place::Apart if split.several => Vec::new(),
            Place::Apart => vec![Vec::new()],
            Place::Leading => part.then_some(leading).into_iter().collect(),
            Place::Along => {
                let mut found: Vec<Vec<Ident>> = Vec::new();
                let mut along = read(&split.inner);
                let sparse = |e: &&Expr| split.rest.iter().any(|i| self.leads(e, i));
                along.extend(read(&split.outer).into_iter().filter(sparse));
                for e in along {
                    let Expr::Access { indices, .. } = e else { continue };
                    let own = indices.iter().map_while(super::spread::plain);
                    let own = own.skip_while(|i| self.open.contains(i));
                    let own: Vec<Ident> =
                        own.take_while(|i| split.rest.contains(i)).cloned().collect();
                    for many in 1..=own.len() {
                        let around = own[..many].to_vec();
                        let known = part && around == leading || found.contains(&around);
                        if !known && split.sum && self.stands_in(&around, split, all) {
                            found.push(around);
                        }
                    }
                }
                found
            }
        }
    }

    /// Whether what the sum of `split` is multiplied with says where it is asked for.
    pub(super) fn samples(&self, split: &Split<'_>) -> bool {
        read(&split.outer).iter().any(|e| split.rest.iter().any(|i| self.leads(e, i)))
    }

    /// Whether both statements of `split` may stand in loops over `around`: all operands are gone through as they are stored, and the
    /// result is written as it comes.
    fn stands_in(&mut self, around: &[Ident], split: &Split<'_>, all: &Reduction<'_>) -> bool {
        let (open, bound) = (self.open.len(), self.scope.mark());
        let against = |s: &Self, stmt: &Stmt| {
            let mut edges = s.stored(&uses(stmt));
            edges.retain(|(u, v, _)| [u, v].iter().all(|i| around.iter().any(|a| a == *i)));
            super::order::against(&edges, around).is_some()
        };
        let target = Expr::Name(Ident::new("_sum", all.span));
        let plus = Some(all.plus.clone());
        let first = all.statement(target, plus, &split.inner, None);
        let second = all.statement(all.target.clone(), Some(all.last.clone()), &split.outer, None);
        let (Some(first), Some(second)) = (first, second) else { return false };
        if against(self, &first) || against(self, &second) || !self.appends_within(around, &second)
        {
            return false;
        }
        // What is chosen here is chosen again where loops are written.
        let choices = std::mem::replace(&mut self.choices, Choices::new(&[], Vec::new()));
        self.open.extend(around.iter().cloned());
        self.scope.bind(around);
        let stands = [first, second].iter().all(|stmt| {
            let own = self.scope.unbound(stmt);
            self.plan(stmt, &own).is_ok_and(|plan| plan.workspace.is_none())
        });
        self.open.truncate(open);
        self.scope.forget(bound);
        self.choices = choices;
        stands
    }

    /// Whether what `stmt` writes comes in order within loops over `around`: those over the first dimensions, one behind the other.
    fn appends_within(&self, around: &[Ident], stmt: &Stmt) -> bool {
        let uses = uses(stmt);
        let Some(write) = uses.iter().find(|u| u.write) else { return true };
        let dims = write.dims[..self.ordered(write)].iter();
        let own = dims
            .map(|(names, _)| &names[..])
            .skip_while(|names| matches!(names, [i] if self.open.iter().any(|o| o == i)));
        let (own, mut loops) = (own.collect::<Vec<_>>(), around.iter());
        own.iter().all(|names| match loops.next() {
            Some(i) => matches!(names, [own] if i == own),
            None => true,
        })
    }

    /// The indices of the result, as far as they are nothing but that, behind those of the loops around.
    fn leading<'e>(&self, target: &'e Expr) -> impl Iterator<Item = &'e Ident> + use<'e, '_> {
        let indices = match target {
            Expr::Access { indices, .. } => &indices[..],
            _ => &[],
        };
        let all = indices.iter().map_while(super::spread::plain);
        all.skip_while(|i| self.open.contains(i))
    }
}
