//! Loops that end once nothing they do can change a result: all they write are scalars, each reduced
//! by an operator whose annihilator it has reached.
//!
//! A scalar that has no annihilator, or an element of a tensor, needs every iteration, and so keeps
//! the loop going for all others too.

use super::{is_integer, Lower};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;

/// A loop that may be left early.
pub(crate) struct Exit {
    label: u32,
    /// The scalars it reduces into.
    vars: Vec<VarId>,
    /// When nothing can change any more.
    done: Expr,
}

impl Lower<'_> {
    /// Lowers a loop by `inner`, so that it is left where its `body` has nothing more to do.
    pub(super) fn exiting(
        &mut self,
        body: &Stmt,
        inner: impl FnOnce(&mut Self) -> Vec<Kir>,
    ) -> Vec<Kir> {
        let Some((vars, done)) = self.annihilated(body) else { return inner(self) };
        // A loop around this one that reduces into the same scalars is left as a whole.
        if self.exits.iter().any(|e| vars.iter().all(|v| e.vars.contains(v))) {
            return inner(self);
        }
        let label = self.kernel.vars.len() as u32;
        self.exits.push(Exit { label, vars, done });
        let code = inner(self);
        self.exits.pop();
        let mut left = false;
        code.iter().for_each(|k| k.walk(&mut |k| left |= *k == Kir::Break(label)));
        match left {
            true => vec![Kir::Labeled(label, code)],
            false => code,
        }
    }

    /// What to do after `var` was reduced into.
    pub(super) fn exit_after(&self, var: VarId) -> Vec<Kir> {
        let leaves = self.exits.iter().filter(|e| e.vars.contains(&var));
        leaves
            .map(|e| match e.done == Expr::bool(true) {
                true => Kir::Break(e.label),
                false => Kir::If {
                    cond: e.done.clone(),
                    then: vec![Kir::Break(e.label)],
                    otherwise: Vec::new(),
                },
            })
            .collect()
    }

    /// The scalars that `body` reduces into, if it writes nothing else, and the condition that each
    /// has reached the annihilator of its operator.
    fn annihilated(&self, body: &Stmt) -> Option<(Vec<VarId>, Expr)> {
        let mut inner = Vec::new();
        super::masks::definitions(body, &mut inner);
        let local = crate::locals::tensors(body);
        let (mut vars, mut done): (Vec<VarId>, Vec<Expr>) = (Vec::new(), Vec::new());
        let mut open = false;
        let mut plain = Vec::new();
        body.walk_assignments(&mut |target, op, value| match target {
            Expr::Var(v) if inner.contains(v) => {}
            Expr::Access(a) if local.contains(&self.kernel.get(*a).tensor) => {}
            Expr::Var(v) => match op {
                Some(op) => match self.reached(*v, op, value) {
                    Some(cond) => {
                        if !done.contains(&cond) {
                            done.push(cond);
                        }
                        if !vars.contains(v) {
                            vars.push(*v);
                        }
                    }
                    None => open = true,
                },
                // The simplifier turns `c ||= true` into `c = true`.
                None => match value {
                    Expr::Lit(Lit::Bool(value)) => plain.push((*v, *value)),
                    _ => open = true,
                },
            },
            _ => open = true,
        });
        // What is assigned any other literal than that one may change again.
        let stays = |(v, value): &(VarId, bool)| match value {
            true if self.is_mark(*v) => vars.contains(v),
            true => done.contains(&Expr::Var(*v)),
            false => done.contains(&Expr::call(Op::Not, [Expr::Var(*v)])),
        };
        open |= !plain.iter().all(stays);
        // Whether an entry is stored is known nowhere but where it is: it cannot wait for others.
        open |= vars.len() > 1 && vars.iter().any(|v| self.is_mark(*v));
        (!open && !vars.is_empty()).then(|| {
            let done = if done.len() == 1 { done.remove(0) } else { Expr::call(Op::And, done) };
            (vars, done)
        })
    }

    /// Whether `v` only stands for an entry being stored.
    pub(super) fn is_mark(&self, v: VarId) -> bool {
        self.kernel.marked(v).is_some()
    }

    /// The condition that reducing into `v` by `op` changes nothing more.
    fn reached(&self, v: VarId, op: &Op, value: &Expr) -> Option<Expr> {
        let (var, ty) = (Expr::Var(v), self.kernel.info(v).ty.clone());
        let is = |limit: Expr| Some(Expr::call(Op::Eq, [var.clone(), limit]));
        let integer = is_integer(&ty);
        let bool = ty == Ty::Bool;
        match op {
            // Code behind the store runs only if there was one.
            Op::Or | Op::BitOr if self.is_mark(v) => Some(Expr::bool(true)),
            Op::Or | Op::BitOr if bool => Some(var),
            Op::And | Op::BitAnd if bool => Some(Expr::call(Op::Not, [var])),
            Op::Mul | Op::BitAnd if integer => is(Expr::int(0)),
            Op::Min if integer => is(Expr::int(ty.limits()?.0)),
            Op::Max if integer => is(Expr::int(ty.limits()?.1)),
            Op::Min if ty.is_float() => is(Expr::Lit(Lit::float(f64::NEG_INFINITY))),
            Op::Max if ty.is_float() => is(Expr::Lit(Lit::float(f64::INFINITY))),
            Op::Choose => match value {
                Expr::Call(op, args) if *op == Op::Chosen => {
                    Some(Expr::call(Op::Ne, [var, args[1].clone()]))
                }
                _ => None,
            },
            op => {
                let values = self.kernel.annihilators.get(op.key()?)?;
                let mut at: Vec<Expr> = values.iter().filter_map(|z| is(z.clone())).collect();
                match at.len() {
                    0 => None,
                    1 => at.pop(),
                    _ => Some(Expr::call(Op::Or, at)),
                }
            }
        }
    }
}
