//! The fill that is assigned to a tensor which is appended to behind what it stores already: it makes no entry, but lies behind
//! those as well. `d[i] = a[i]` says that `d` is the fill where `a` stores nothing, and entries cannot be taken back.
//!
//! A part of a loop that assigns the fill is checked at its first coordinate. Under a condition the entry is begun, and is
//! checked where it turns out that the fill is assigned.

use super::stmt::same_number;
use super::{Lower, Region};
use crate::cin::*;
use crate::decl::Order;
use crate::index::IndexKind;
use crate::kernel::Role;
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use crate::unfurl;

/// Loops around an assignment, the outermost first, each with its extent.
type Loops = Vec<(VarId, Expr, Expr)>;

impl Lower<'_> {
    /// Checks of what `s` assigns the fill to without a condition, and `s` without that; `region` is the part of a loop around it.
    pub(super) fn checked_fill(&mut self, s: Stmt, region: Option<&Region>) -> (Vec<Kir>, Stmt) {
        let mut checks = Vec::new();
        if !self.kernel.tensors.iter().any(|t| t.role == Role::InOut) {
            return (checks, s);
        }
        let mut loops: Loops =
            region.map(|r| (r.index, r.lo.clone(), r.hi.clone())).into_iter().collect();
        let s = self.without_fill(s, &mut loops, &mut checks);
        (checks, s)
    }

    fn without_fill(&mut self, s: Stmt, loops: &mut Loops, checks: &mut Vec<Kir>) -> Stmt {
        match s {
            Stmt::Seq(all) => {
                Stmt::Seq(all.into_iter().map(|s| self.without_fill(s, loops, checks)).collect())
            }
            Stmt::Loop { index, parallel, lo, hi, body } => {
                loops.push((index, lo.clone(), hi.clone()));
                let body = Box::new(self.without_fill(*body, loops, checks));
                loops.pop();
                Stmt::Loop { index, parallel, lo, hi, body }
            }
            Stmt::Assign { target: Expr::Access(a), op: None, value } => {
                let fill = self.fills_behind(a, &value);
                match fill.then(|| self.fill_check(a, loops)).flatten() {
                    Some(check) => {
                        checks.extend(check);
                        Stmt::Pass
                    }
                    None => Stmt::Assign { target: Expr::Access(a), op: None, value },
                }
            }
            other => other,
        }
    }

    /// Whether `value`, assigned to the access `a`, is the fill of a tensor that has entries which stay.
    pub(super) fn fills_behind(&self, a: AccessId, value: &Expr) -> bool {
        let access = self.kernel.get(a);
        let of = self.kernel.tensor(access.tensor);
        let write = of.levels.first().and_then(|l| l.format.level().write.as_ref());
        access.write
            && write.is_some_and(|w| w.order == Order::Append)
            && self.kernel.restructured(access.tensor)
            && !self.kernel.in_place.contains(&access.tensor)
            && same_number(value, &of.fill)
    }

    /// The check of the first element that `a` assigns in `loops`; none if that is not known in front of them.
    fn fill_check(&mut self, a: AccessId, loops: &Loops) -> Option<Vec<Kir>> {
        let first_of =
            |e: Expr| loops.iter().rev().fold(e, |e, (v, lo, _)| e.map(&mut replace_var(*v, lo)));
        let runs: Vec<Expr> = loops
            .iter()
            .map(|(_, lo, hi)| first_of(Expr::call(Op::Lt, [lo.clone(), hi.clone()])))
            .collect();
        let access = self.kernel.get(a);
        let tensor = access.tensor;
        let (first, check) = match access.level {
            0 => {
                let index = access.indices.first()?;
                let at = match &index.kind {
                    IndexKind::Affine(v, _) => index.coordinate(&Expr::Var(*v)),
                    IndexKind::Opaque(e) => e.clone(),
                    IndexKind::Digit(..) => return None,
                };
                (Some(first_of(at)), Vec::new())
            }
            _ => (None, self.begun_behind(tensor)),
        };
        let all: Vec<&Expr> = runs.iter().chain(&first).collect();
        if !all.iter().all(|e| self.accesses_of(e).is_empty()) || !self.have_values(&all) {
            return None;
        }
        let check = match first {
            Some(first) => vec![unfurl::follows(self.kernel, tensor, &first)],
            None => check,
        };
        Some(match runs.into_iter().reduce(|all, run| Expr::call(Op::And, [all, run])) {
            None => check,
            Some(runs) => self.branch(runs, check, Vec::new()),
        })
    }

    /// The check of where the entry of `tensor` that is begun lies, if it is behind others.
    pub(super) fn begun_behind(&self, tensor: TensorId) -> Vec<Kir> {
        let all = self.refusals.get(&tensor).into_iter().flatten().flatten();
        let follows = |k: &&Kir| match k {
            Kir::Code(r) => matches!(
                self.kernel.raws[r.0 as usize].code,
                Opaque::Runtime(Runtime::Follows { .. })
            ),
            _ => false,
        };
        all.filter(follows).cloned().collect()
    }
}
