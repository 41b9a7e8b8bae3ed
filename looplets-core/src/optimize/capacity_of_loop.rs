//! The capacity bound of all iterations of a loop, added up by a loop in front of it that reads only the bounds of
//! their fibers.
//!
//! Asking for room in every row keeps the ends of both vectors in registers that the row's own loop needs, and
//! where rows have few entries it is a good part of what they cost. By hand one would make room for all entries of
//! the inputs. That is a bound where each of their fibers is read once, and it is counted, since what an
//! author's fibers have to do with each other is not known here.

use super::append::Pass;
use super::copies::row_of_offsets;
use super::entry_bound::reads_once;
use super::guards::{any, checks, guards, of_row};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use std::collections::BTreeSet;

impl Pass<'_> {
    /// At most how many entries the iterations of `k`, a loop over a range, append all together.
    pub(super) fn iterations(&mut self, k: &Kir) -> Option<Expr> {
        let Kir::For { var, lo, hi, body } = k else { return None };
        // Where inputs are read again and again the bound may be far above what is appended.
        if self.distinct.is_none() && !reads_once(self.kernel, self.of.0) {
            return None;
        }
        let sites = || (0..body.len()).filter(|&n| self.appends(&body[n..=n]));
        let (first, last) = (sites().next()?, sites().next_back()?);
        let (before, appending) = (&body[..first], &body[first..=last]);
        let outside = self.unknown.clone();
        self.unknown.remove(var);
        before.iter().for_each(|k| self.define(k));
        self.rows.push(of_row(self.kernel, *var, before));
        let capacity = self.capacity(appending);
        self.rows.pop();
        self.unknown = outside;
        let mut capacity = capacity?;
        let mut own = BTreeSet::new();
        for k in before.iter().rev() {
            if let Kir::Let { var, value, .. } = k {
                if capacity.iter().any(|e| self.kernel.depends(e).contains(var)) {
                    capacity = capacity.iter().map(|e| self.with(e, *var, value)).collect();
                    own.insert(*var);
                }
            }
        }
        let rests_on: BTreeSet<VarId> =
            capacity.iter().chain([lo, hi]).flat_map(|e| self.kernel.depends(e)).collect();
        let moves = |k: &Kir| k.sets().is_some_and(|v| v != *var && rests_on.contains(&v));
        let reassigned =
            |k: &Kir| !matches!(k, Kir::Let { .. }) && k.sets().is_some_and(|v| own.contains(&v));
        let leaves = |k: &Kir| matches!(k, Kir::Break(_) | Kir::Take(_) | Kir::Parallel(_));
        // As many in every row are rows times as many.
        let of_row = |e: &Expr| matches!(e, Expr::Lit(_)) || self.kernel.depends(e).contains(var);
        if any(body, &moves)
            || any(before, &|k| reassigned(k) || leaves(k))
            || !capacity.iter().all(of_row)
            || !capacity.iter().chain([lo, hi]).all(|e| self.reads_inputs(e))
            || checks(self.kernel, before)
                && (guards(self.kernel, *var, before) || !capacity.iter().all(|e| at_rows(e, *var)))
        {
            return None;
        }
        let rows: Option<Vec<_>> =
            capacity.iter().map(|e| row_of_offsets(self.kernel, e)).collect();
        let moved = |at: &Expr| difference(at, &Expr::Var(*var));
        let rows = rows
            .filter(|all| all.iter().all(|(_, at)| !self.kernel.depends(&moved(at)).contains(var)));
        if let Some(rows) = rows {
            // What rows have that follow each other is told by the first and the last offset.
            let some = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
            let mut terms = Vec::new();
            for (offset, at) in rows {
                let [first, last] = [lo, hi].map(|e| {
                    let at = self.with(&at, *var, e);
                    Expr::Load(offset, Box::new(at))
                });
                let all = Expr::call(Op::Sub, [last, first]);
                terms.push(Expr::call(Op::IfElse, [some.clone(), all, Expr::int(0)]));
            }
            return Some(match terms.len() {
                1 => terms.remove(0),
                _ => self.kernel.call(Runtime::Sum, terms, Ty::Index),
            });
        }
        let name = self.kernel.info(*var).name.clone();
        let each = self.kernel.var(&name, VarKind::Local, Ty::Index);
        let at_each = capacity.iter().map(|e| self.with(e, *var, &Expr::Var(each)));
        let at_each: Vec<Expr> = at_each.collect();
        let args = [lo.clone(), hi.clone(), Expr::Var(each)].into_iter().chain(at_each);
        Some(self.kernel.call(Runtime::Total, args.collect(), Ty::Index))
    }

    /// A definition that reads inputs only.
    pub(super) fn pure(&self, k: &Kir) -> Option<(VarId, Expr)> {
        match k {
            Kir::Let { var, mutable: false, value } if self.reads_inputs(value) => {
                Some((*var, value.clone()))
            }
            _ => None,
        }
    }

    /// Whether it is a sum over an extent that was made here.
    fn total(&self, r: RawId) -> bool {
        matches!(self.kernel.raws[r.0 as usize].code, Opaque::Runtime(Runtime::Total))
    }

    /// `e` with `value` for `var`, also in the counts of loops within.
    pub(super) fn with(&mut self, e: &Expr, var: VarId, value: &Expr) -> Expr {
        e.map(&mut |e| match e {
            Expr::Var(v) if *v == var => Some(value.clone()),
            Expr::Raw(r) if self.total(*r) => {
                let names = self.kernel.raws[r.0 as usize].names.clone();
                let args = names.iter().map(|(_, e)| self.with(e, var, value)).collect();
                Some(self.kernel.call(Runtime::Total, args, Ty::Index))
            }
            _ => None,
        })
    }

    /// Whether `e` is made of elements of inputs by operators of the language.
    fn reads_inputs(&self, e: &Expr) -> bool {
        let mut all = true;
        e.walk(&mut |e| {
            all &= match e {
                Expr::Load(a, _) => {
                    let array = &self.kernel.arrays[a.0 as usize];
                    array.trusted && self.kernel.tensor(array.tensor).role == Role::Input
                }
                Expr::Raw(r) => {
                    let names = &self.kernel.raws[r.0 as usize].names;
                    self.total(*r) && names.iter().all(|(_, e)| self.reads_inputs(e))
                }
                // A function may say something else when it is asked again.
                Expr::Call(op, _) => !self.kernel.functions.contains_key(op.key().unwrap_or("")),
                Expr::Access(_) | Expr::Array(_) => false,
                Expr::Var(_) | Expr::Lit(_) => true,
            }
        });
        all
    }
}

/// Whether all that `e` loads is at `row` or one behind: the loop over rows runs where these are, unless a check
/// within it that differs from row to row says that they are not.
fn at_rows(e: &Expr, row: VarId) -> bool {
    let mut all = true;
    e.walk(&mut |e| match e {
        Expr::Load(_, at) => all &= **at == Expr::Var(row) || **at == Expr::Var(row).plus(1),
        Expr::Raw(_) => all = false,
        _ => {}
    });
    all
}
