//! What is assigned to a tensor that is appended to behind what it stores already lies behind that, also where it is the fill,
//! which makes no entry: `d[i] = a[i]` says that `d` is the fill where `a` stores nothing, and entries cannot be taken back.

use super::stmt::same_number;
use super::Lower;
use crate::cin::*;
use crate::decl::Order;
use crate::index::IndexKind;
use crate::kir::Kir;
use crate::unfurl;

/// A tensor, the first coordinate at which it is assigned, and the conditions under which loops come to it.
type Assigned = (TensorId, Expr, Vec<Expr>);

/// What stands around an assignment: loops, each with its extent, and definitions.
#[derive(Default)]
struct Within {
    loops: Vec<(VarId, Expr, Expr)>,
    own: Vec<VarId>,
}

impl Lower<'_> {
    /// Checks of where `s`, an assignment of the fill or loops around any, begins to assign.
    pub(super) fn assigned_behind(&mut self, s: &Stmt) -> Vec<Kir> {
        let mut found = Vec::new();
        self.first_assigned(s, &mut Within::default(), &mut found);
        let mut out: Vec<Kir> = Vec::new();
        for (tensor, first, runs) in found {
            let check = unfurl::follows(self.kernel, tensor, &first);
            match runs.into_iter().reduce(|all, run| Expr::call(Op::And, [all, run])) {
                None => out.push(check),
                Some(runs) => out.extend(self.branch(runs, vec![check], Vec::new())),
            }
        }
        out
    }

    /// What `s`, which stands `within` loops, assigns in each of their iterations.
    fn first_assigned(&self, s: &Stmt, within: &mut Within, out: &mut Vec<Assigned>) {
        match s {
            Stmt::Seq(all) => all.iter().for_each(|s| self.first_assigned(s, within, out)),
            Stmt::Let { var, body, .. } => {
                within.own.push(*var);
                self.first_assigned(body, within, out);
            }
            Stmt::Loop { index, lo, hi, body, .. } => {
                within.loops.push((*index, lo.clone(), hi.clone()));
                self.first_assigned(body, within, out);
                within.loops.pop();
            }
            Stmt::Assign { target: Expr::Access(a), op: None, value } => {
                let loops = &within.loops;
                let Some((tensor, index)) = self.behind(*a, value, !loops.is_empty()) else {
                    return;
                };
                let first_of = |e: Expr| {
                    loops.iter().rev().fold(e, |e, (v, lo, _)| e.map(&mut replace_var(*v, lo)))
                };
                let runs: Vec<Expr> = loops
                    .iter()
                    .map(|(_, lo, hi)| first_of(Expr::call(Op::Lt, [lo.clone(), hi.clone()])))
                    .collect();
                let first = first_of(index);
                let all: Vec<&Expr> = runs.iter().chain([&first]).collect();
                // What is defined in the loops has no value in front of them.
                let known = all.iter().all(|e| {
                    let depends = self.kernel.depends(e);
                    self.accesses_of(e).is_empty()
                        && !within.own.iter().any(|v| depends.contains(v))
                });
                if known && self.have_values(&all) {
                    out.push((tensor, first, runs));
                }
            }
            _ => {}
        }
    }

    /// The tensor of the access `a` and its first index, if it is appended to, and `value` is the fill, or assigned in `loops`.
    fn behind(&self, a: AccessId, value: &Expr, loops: bool) -> Option<(TensorId, Expr)> {
        let access = self.kernel.get(a);
        let tensor = access.tensor;
        let of = self.kernel.tensor(tensor);
        let write = of.levels.first()?.format.level().write.as_ref()?;
        let behind = access.write
            && access.level == 0
            && write.order == Order::Append
            && self.kernel.restructured(tensor)
            && !self.kernel.in_place.contains(&tensor)
            && (same_number(value, &of.fill) || loops && !self.kernel.may_be_missing(value));
        let index = access.indices.first().filter(|_| behind)?;
        let at = match &index.kind {
            IndexKind::Affine(v, _) => index.coordinate(&Expr::Var(*v)),
            IndexKind::Opaque(e) => e.clone(),
            IndexKind::Digit(..) => return None,
        };
        Some((tensor, at))
    }
}
