//! What statements do, those of programs and those of kernel IR.

use super::{Effect, See};
use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::{Commit, Kir, Piece};

impl Kernel {
    pub(super) fn see_stmt(&self, s: &Stmt, f: See<'_>) {
        match s {
            Stmt::Loop { index, lo, hi, body, .. } => {
                f(Effect::WritesVar(*index));
                [lo, hi].into_iter().for_each(|e| self.see(e, f));
                for (_, check) in self.loop_checks.iter().filter(|(v, _)| v == index) {
                    f(Effect::Refuses);
                    check.parts().into_iter().for_each(|e| self.see(e, f));
                }
                self.see_stmt(body, f);
            }
            Stmt::Assign { target, op, value } => self.see_update(target, op, value, f),
            Stmt::Sieve { cond, then, otherwise } => {
                self.see(cond, f);
                self.see_stmt(then, f);
                self.see_stmt(otherwise, f);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.see_stmt(s, f)),
            Stmt::Where { consumer, producer, local } => {
                for t in local {
                    f(Effect::WritesTensor(*t));
                    self.tensor(*t).sizes.iter().for_each(|e| self.see(e, f));
                }
                self.see_stmt(producer, f);
                self.see_stmt(consumer, f);
            }
            Stmt::Let { var, value, body } => {
                f(Effect::WritesVar(*var));
                self.see(value, f);
                self.see_stmt(body, f);
            }
            Stmt::Pass => {}
        }
    }

    pub(super) fn see_kir(&self, k: &Kir, f: See<'_>) {
        match k {
            Kir::Comment(_) | Kir::Block(_) | Kir::Labeled(..) => {}
            Kir::Let { var, value, .. } | Kir::Set { var, value } => {
                f(Effect::WritesVar(*var));
                self.see(value, f);
            }
            Kir::Store { target, op, value } => self.see_update(target, op, value, f),
            Kir::For { var, lo, hi, .. } => {
                f(Effect::WritesVar(*var));
                [lo, hi].into_iter().for_each(|e| self.see(e, f));
            }
            Kir::While { cond, .. } | Kir::If { cond, .. } => self.see(cond, f),
            Kir::Parallel(p) => {
                [p.from, p.to].into_iter().for_each(|v| f(Effect::WritesVar(v)));
                [&p.lo, &p.hi].into_iter().for_each(|e| self.see(e, f));
                p.pieces.iter().for_each(|piece| self.see_piece(piece, f));
                // Its chunks run side by side, and one of them may fail.
                f(Effect::Leaves);
            }
            Kir::Break(_) => f(Effect::Leaves),
            Kir::Take(t) => self.see_moved(*t, f),
            Kir::Code(r) => {
                self.see(&Expr::Raw(*r), f);
                self.see_changed(*r, f);
                // It may refuse to go on.
                f(Effect::Opaque);
            }
            Kir::Begin(b) => {
                f(Effect::WritesVar(b.at));
                b.written.into_iter().for_each(|v| f(Effect::WritesVar(v)));
                b.found.into_iter().for_each(|v| f(Effect::ReadsVar(v)));
                self.see(&b.position, f);
                f(Effect::WritesTensor(b.of.0));
            }
            Kir::Commit(c) => self.see_commit(c, f),
            Kir::GiveBack(g) => {
                self.see(&g.at, f);
                g.arrays.iter().for_each(|a| self.see_array_written(*a, f));
            }
            Kir::Room { arrays, capacity, count, first, .. } => {
                f(Effect::ReadsVar(*capacity));
                f(Effect::WritesVar(*count));
                self.see(first, f);
                arrays.iter().for_each(|a| self.see_array_written(*a, f));
            }
            Kir::Put { array, at, value } => {
                self.see_array_written(*array, f);
                [at, value].into_iter().for_each(|e| self.see(e, f));
            }
            Kir::CopyRow(row) => {
                self.see_array_written(row.to.0, f);
                self.see(&Expr::Array(row.from.0), f);
                [&row.to.1, &row.from.1, &row.count].into_iter().for_each(|e| self.see(e, f));
            }
            Kir::PutRun(run) => {
                f(Effect::WritesVar(run.count));
                self.see(&run.joined, f);
                for (a, e) in run.elements() {
                    self.see_array_written(*a, f);
                    self.see(e, f);
                }
            }
            Kir::Written { array, count, .. } => {
                f(Effect::ReadsVar(*count));
                self.see_array_written(*array, f);
            }
            Kir::Filled { arrays, count } => {
                f(Effect::ReadsVar(*count));
                arrays.iter().for_each(|a| self.see_array_written(*a, f));
            }
        }
        k.blocks().into_iter().flatten().for_each(|k| self.see_kir(k, f));
    }

    fn see_commit(&self, c: &Commit, f: See<'_>) {
        f(Effect::WritesTensor(c.of.0));
        let each = c.each.iter().flat_map(|each| &each.elements);
        for (a, e) in each.chain(&c.shared) {
            self.see_array_written(*a, f);
            self.see(e, f);
        }
    }

    /// The arrays of `t` are given away, or taken apart.
    fn see_moved(&self, t: TensorId, f: See<'_>) {
        for a in self.arrays_of(t) {
            self.see(&Expr::Array(a), f);
            self.see_array_written(a, f);
        }
    }

    fn see_piece(&self, piece: &Piece, f: See<'_>) {
        match piece {
            Piece::Part { whole, part } | Piece::Made { whole, part, .. } => {
                [whole, part].into_iter().for_each(|t| self.see_moved(*t, f));
            }
            Piece::Copy { array, part, at, identity, .. } => {
                for a in [array, part] {
                    self.see(&Expr::Array(*a), f);
                    self.see_array_written(*a, f);
                }
                f(Effect::WritesVar(*at));
                self.see(identity, f);
            }
            Piece::Scalar { var, part, .. } => {
                [var, part].into_iter().for_each(|v| f(Effect::WritesVar(*v)));
            }
        }
    }
}
