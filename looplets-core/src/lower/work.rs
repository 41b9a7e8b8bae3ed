//! How much lowering a kernel may take: what multiplies is refused before it takes minutes.

use super::{Lower, Refused};
use crate::cin::*;

/// The most that lowering a kernel may take, in bounds that the prover looks at: operands that are read in one
/// nest multiply, and have it compare all their ends. It comes to two seconds where nothing is optimised, as a
/// proc macro is not; kernels that people write take a hundredth.
const MOST_WORK: u64 = 80_000_000;
/// What a kernel may take beyond that for each subterm of its program: long programs are no multiples.
const WORK_OF_A_PROGRAM: u64 = 40_000;
/// What a region or a statement takes beside the prover, in the same measure, and each subterm in it.
const WORK_OF_A_REGION: u64 = 2_000;
const WORK_OF_A_TERM: u64 = 250;
/// What a node of the simplifier takes.
const WORK_OF_A_NODE: u64 = 1_500;

/// What lowering the program `body` may take.
pub(super) fn budget(body: &Stmt) -> u64 {
    MOST_WORK + WORK_OF_A_PROGRAM * body.size(usize::MAX) as u64
}

impl Lower<'_> {
    /// Whether lowering takes more than a kernel may.
    pub fn is_too_much(&self) -> bool {
        let nodes = self.simplifier.statistics().total_nodes - self.nodes;
        self.refused.is_some()
            || self.work + self.prover.work() + WORK_OF_A_NODE * nodes as u64 > self.budget
    }

    /// Refuses the kernel for the access `id`; what lowering leaves after that is not looked at.
    pub fn refuse(&mut self, id: AccessId, why: String) {
        self.refuse_at(id, None, why);
    }

    /// The same, for a function that is called with it.
    pub fn refuse_at(&mut self, at: AccessId, function: Option<String>, why: String) {
        self.refused.get_or_insert(Refused { at, function, why });
    }

    /// Counts the work of a region or a statement; whether it may be done.
    pub fn affords(&mut self, s: &Stmt) -> bool {
        if !self.is_too_much() {
            self.work += WORK_OF_A_REGION + WORK_OF_A_TERM * s.size(usize::MAX) as u64;
        }
        !self.is_too_much()
    }

    /// Counts the work of a definition that is put in place of its name; whether it may be done.
    pub fn affords_copies(&mut self, e: &Expr) -> bool {
        e.walk(&mut |_| self.work += 2 * WORK_OF_A_TERM);
        !self.is_too_much()
    }
}
