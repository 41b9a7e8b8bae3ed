//! Fibers that are chosen by the elements of another tensor, as the rows in `a[p[i], j]`. No iteration of the loop over `j` changes
//! `p[i]`, so the row is found once, in front of that loop, which then goes along what the row stores.
//!
//! An index that lies outside of its dimension is an error only where an element is read there: other operands, or conditions, may keep
//! the loop from reading any. So the loop is lowered twice. The first copy is for indices that lie inside. The second one is for all
//! others: it looks up each element and checks its index, and so fails where the first element is read.

use super::Lower;
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::runtime::Runtime;
use crate::types::Ty;
use crate::unfurl;
use std::collections::{HashMap, HashSet};

impl Lower<'_> {
    /// The code of the loop `s`, if it goes along fibers that are found in front of it.
    pub(super) fn gathered(&mut self, s: &Stmt) -> Option<Vec<Kir>> {
        if self.looks_up {
            return None;
        }
        let mut s = s.clone();
        let (mut code, mut named) = (Vec::new(), HashMap::new());
        for id in self.fibers_above(&s) {
            let mut access = self.kernel.get(id).clone();
            let IndexKind::Opaque(e) = access.indices[0].kind.clone() else { continue };
            let is_local = |v: VarId| self.kernel.info(v).kind == VarKind::Local;
            if matches!(e, Expr::Var(v) if is_local(v)) {
                continue;
            }
            let var = *named.entry(e.clone()).or_insert_with(|| {
                let tensor = &self.kernel.tensor(access.tensor).name;
                let name = format!("{tensor}{}_i", access.level);
                let var = self.kernel.var(&name, VarKind::Local, Ty::Index);
                let (of, moved) = without_literal(&e);
                let value = self.kernel.call(Runtime::Index, vec![of.clone()], Ty::Index);
                let value = value.plus(moved);
                code.push(Kir::Let { var, mutable: false, value });
                var
            });
            access.indices[0].kind = IndexKind::Opaque(Expr::Var(var));
            let new = self.kernel.access(access);
            s = self.replace(&s, id, &new);
        }
        let found = self.fibers_above(&s);
        let first = *found.first()?;
        let mut inside = Vec::new();
        for id in &found {
            let access = self.kernel.get(*id);
            let IndexKind::Opaque(at) = &access.indices[0].kind else { continue };
            let len = Expr::Var(self.kernel.tensor(access.tensor).lens[access.level]);
            let before = Expr::call(Op::Lt, [at.clone(), len]);
            if !inside.contains(&before) {
                inside.extend([Expr::call(Op::Le, [Expr::int(0), at.clone()]), before]);
            }
        }
        let inside = Expr::Call(Op::And, inside);
        let known = self.decide(&inside);
        let then = match known {
            Some(false) => Vec::new(),
            _ => self.under(&inside, |l| {
                let access = l.kernel.get(first).clone();
                let IndexKind::Opaque(at) = &access.indices[0].kind else { return Vec::new() };
                let nest = unfurl::locate(l.kernel, &access, at);
                l.cases.point(l.kernel, first, &nest);
                l.point(&s, first, nest)
            }),
        };
        if known == Some(true) {
            code.extend(then);
            return Some(vec![Kir::Block(code)]);
        }
        let outside = Expr::call(Op::Not, [inside.clone()]);
        let otherwise = self.under(&outside, |l| {
            l.looks_up = true;
            let code = l.loop_of(&s);
            l.looks_up = false;
            code
        });
        code.extend(self.branch(inside, then, otherwise));
        Some(vec![Kir::Block(code)])
    }

    /// The code of the loop `s`, whatever may be found in front of it.
    fn loop_of(&mut self, s: &Stmt) -> Vec<Kir> {
        let Stmt::Loop { index, parallel, lo, hi, body } = s else { return Vec::new() };
        self.nest(*index, *parallel, lo.clone(), hi.clone(), body)
    }

    /// The accesses whose first index is computed of what the loop `s` does not change, above a dimension that it goes along.
    fn fibers_above(&self, s: &Stmt) -> Vec<AccessId> {
        let Stmt::Loop { index, .. } = s else { return Vec::new() };
        let all = self.accesses(s);
        let written: HashSet<TensorId> = all
            .iter()
            .map(|id| self.kernel.get(*id))
            .filter(|a| a.write)
            .map(|a| a.tensor)
            .collect();
        let mut within = HashSet::new();
        defined(s, &mut within);
        let steady = |e: &Expr| {
            let (e, _) = without_literal(e);
            let mut steady = matches!(e, Expr::Load(..) | Expr::Var(_));
            e.walk(&mut |x| {
                steady &= match x {
                    Expr::Access(_) | Expr::Array(_) => false,
                    Expr::Load(array, _) => {
                        !written.contains(&self.kernel.arrays[array.0 as usize].tensor)
                    }
                    Expr::Var(v) => {
                        let kind = self.kernel.info(*v).kind;
                        !within.contains(v) && kind != VarKind::Scalar && kind != VarKind::State
                    }
                    _ => true,
                }
            });
            steady
        };
        let along = |i: &Index| matches!(&i.kind, IndexKind::Affine(v, _) if v == index);
        let above = |id: &AccessId| {
            let access = self.kernel.get(*id);
            let [first, rest @ ..] = &access.indices[..] else { return false };
            let goes = rest.iter().any(along) && !access.write && access.unfurled.is_none();
            let tensor = self.kernel.tensor(access.tensor);
            let level = |n: usize| tensor.levels[access.level + n].format.level();
            // Elements that all have places are found as fast within the loop.
            let steps =
                (1..access.indices.len()).any(|n| level(n).leaves_out() || level(n).steps());
            goes && steps
                && first.view == View::plain()
                && matches!(&first.kind, IndexKind::Opaque(e) if steady(e))
        };
        all.into_iter().filter(above).collect()
    }
}

/// `e` as an expression and a literal that is added to it: `p[i]` and -1 of `p[i] - 1`. The expression is to be cut to the range of
/// coordinates before the sum, which then cannot overflow.
fn without_literal(e: &Expr) -> (&Expr, i128) {
    let (of, moved) = match e {
        Expr::Call(op, args) => match (op, &args[..]) {
            (Op::Sub, [of, Expr::Lit(Lit::Int(n))]) => (of, -n),
            (Op::Add, [of, Expr::Lit(Lit::Int(n))]) => (of, *n),
            _ => (e, 0),
        },
        _ => (e, 0),
    };
    if moved.unsigned_abs() >= 1 << 61 {
        return (e, 0);
    }
    match of {
        Expr::Call(Op::Index, args) => (&args[0], moved),
        of => (of, moved),
    }
}

/// The names that begin in `s`.
fn defined(s: &Stmt, out: &mut HashSet<VarId>) {
    match s {
        Stmt::Loop { index, .. } => drop(out.insert(*index)),
        Stmt::Let { var, .. } => drop(out.insert(*var)),
        _ => {}
    }
    s.children().into_iter().for_each(|s| defined(s, out));
}
