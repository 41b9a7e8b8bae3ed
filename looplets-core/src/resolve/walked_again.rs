//! Warns of a sparse vector that written loops walk anew in each iteration around: `for i, j { y[i] += a[i, j] * x[j] }`
//! goes through all of `x` for each row, where the same statement without loops spreads it once.

use super::{bare, Resolver};
use crate::cin::*;
use crate::kernel::*;

impl Resolver<'_> {
    /// Looks at every product in loops that the program writes.
    pub(super) fn check_walked_again(&mut self) {
        let mut found = Vec::new();
        products(&self.kernel, &self.kernel.body, &mut Vec::new(), &mut found);
        for (x, i) in found {
            let access = self.kernel.get(x);
            let name = self.kernel.tensor(access.tensor).name.to_string();
            let Some(instead) = bare::without_loops(&self.bare, &name) else { continue };
            let (i, index) = (self.kernel.called(i), &access.indices[0]);
            let j = index.along().map(|j| self.kernel.called(j)).unwrap_or_default();
            let level = self.kernel.tensor(access.tensor).levels[0].format.level();
            let walk = level.reads.first().and_then(|r| r.names.first());
            let meant = walk.map(|w| format!("; or write `{name}[{j}::{w}]`, if that is meant"));
            let meant = meant.unwrap_or_default();
            let note = format!("all that `{name}` stores is gone through again for each `{i}`: leave the loops out, `{instead}`, so that it is spread once{meant}");
            let span = access.span.0;
            self.kernel.warn(Warning { span, name: "walked_again_and_again", note });
        }
    }
}

/// The vectors in `s`, within `loops`, that are walked for each iteration of a loop around, with that loop.
fn products(kernel: &Kernel, s: &Stmt, loops: &mut Vec<VarId>, out: &mut Vec<(AccessId, VarId)>) {
    match s {
        Stmt::Loop { index, body, .. } => {
            loops.push(*index);
            products(kernel, body, loops, out);
            loops.pop();
        }
        Stmt::Assign { target, value, .. } => {
            // What is changed in place is gone through as the program says.
            let changes = |a: &AccessId| {
                let tensor = kernel.tensor(kernel.get(*a).tensor);
                tensor.role == Role::InOut && tensor.leaves_out()
            };
            let of = match target {
                Expr::Call(Op::Place, args) => &args[0],
                target => target,
            };
            if matches!(of, Expr::Access(a) if changes(a)) {
                return;
            }
            let mut factors = Vec::new();
            factors_of(value, &mut factors);
            let [.., around, j] = loops[..] else { return };
            let sparse = |a: &AccessId| walked(kernel, kernel.get(*a), j);
            let own = |a: &AccessId| kernel.get(*a).indices.len() == 1;
            // Bits are gone through 64 a step, and a copy of them would not be.
            if factors.iter().filter(|a| sparse(a)).all(|a| bits(kernel, kernel.get(*a), j)) {
                return;
            }
            let again = factors.iter().filter(|a| sparse(a) && own(a));
            let met = factors.iter().any(|a| sparse(a) && !own(a));
            out.extend(again.filter(|_| met).map(|x| (*x, around)));
        }
        s => s.children().into_iter().for_each(|s| products(kernel, s, loops, out)),
    }
}

fn factors_of(e: &Expr, out: &mut Vec<AccessId>) {
    match e {
        Expr::Access(a) => out.push(*a),
        Expr::Call(Op::Mul | Op::And | Op::BitAnd, args) => {
            args.iter().for_each(|e| factors_of(e, out));
        }
        Expr::Call(Op::Div | Op::Cast(_) | Op::Neg | Op::Not, args) => factors_of(&args[0], out),
        _ => {}
    }
}

/// Whether the level of `access` along `j` is gone through from one entry to the next, for want of a protocol.
fn walked(kernel: &Kernel, access: &Access, j: VarId) -> bool {
    let along = |i: &Index| i.along() == Some(j) && i.protocol.is_none();
    let Some(depth) = access.indices.iter().position(along) else { return false };
    let level = kernel.tensor(access.tensor).levels[depth].format.level();
    let first = level.reads.first().and_then(|read| read.names.first());
    level.leaves_out() && first.is_some_and(|name| name != "locate")
}

/// Whether the level of `access` along `j` holds words of bits.
fn bits(kernel: &Kernel, access: &Access, j: VarId) -> bool {
    let depth = access.indices.iter().position(|i| i.along() == Some(j));
    let level = depth.and_then(|d| kernel.tensor(access.tensor).levels.get(d));
    level.is_some_and(|l| l.format.level().words.is_some())
}
