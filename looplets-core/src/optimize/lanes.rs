//! Sums of floats in lanes: stable Rust may not reorder float additions, so the order is fixed here.
//!
//! There are four lanes; eight where the loop only reads neighbours, two registers of them, since one
//! addition has to wait for the one before it. Of a sum of `n` terms, term `q` of the first `n - n mod 8`
//! goes to lane `q mod 8`; if four or more are left, the next four go to the first four lanes. Then the
//! second half of the lanes is added to the first, and so on, up to `(l0 + l2) + (l1 + l3)`; that to what
//! was there before, then the last terms, at most three, in order.

use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::K;

/// Lanes of a loop that gathers.
const FEW: i128 = 4;
/// Lanes of a loop that reads neighbours only.
const MANY: i128 = 8;

pub(super) fn split(kernel: &mut Kernel, code: Vec<K>) -> Vec<K> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = split(kernel, std::mem::take(block));
        }
        match &k {
            K::For { var, lo, hi, body } if kernel.steps.is_none() => match sum(kernel, body) {
                Some(acc) => out.extend(in_lanes(kernel, *var, lo, hi, body, acc)),
                None => out.push(k),
            },
            _ => out.push(k),
        }
    }
    out
}

/// The accumulator, if `body` is straight code that adds to one float and nothing else.
fn sum(kernel: &Kernel, body: &[K]) -> Option<VarId> {
    let mut acc = None;
    for k in body {
        match k {
            K::Let { mutable: false, .. } | K::Comment(_) => {}
            K::Block(inner) => match sum(kernel, inner) {
                Some(v) if acc.is_none() => acc = Some(v),
                _ => return None,
            },
            K::Store { target: Expr::Var(v), op: Some(op), value } => {
                let float = kernel.info(*v).ty.is_float();
                let apart = !kernel.depends(value).contains(v);
                if op.name() != "+" || !float || !apart || acc.is_some() {
                    return None;
                }
                acc = Some(*v);
            }
            _ => return None,
        }
    }
    acc
}

fn in_lanes(kernel: &mut Kernel, q: VarId, lo: &Expr, hi: &Expr, body: &[K], acc: VarId) -> Vec<K> {
    let name = kernel.info(q).name.clone();
    let ty = kernel.info(acc).ty.clone();
    let at = kernel.var(&format!("{name}_lane"), VarKind::State, Ty::Index);
    let count = if gathers(kernel, body) { FEW } else { MANY };
    let lanes: Vec<VarId> =
        (0..count).map(|n| kernel.var(&format!("lane{n}"), VarKind::Scalar, ty.clone())).collect();
    let original = kernel.info(acc).name.clone();
    lanes.iter().for_each(|l| kernel.assigned_like(*l, &original));
    // As many terms as there are lanes in `lanes`.
    let step = |lanes: &[VarId]| {
        let mut step = Vec::new();
        for (n, lane) in lanes.iter().enumerate() {
            let value = Expr::Var(at).plus(n as i128);
            let mut copy = vec![K::Let { var: q, mutable: false, value }];
            copy.extend(body.iter().cloned());
            copy.iter_mut().for_each(|k| redirect(k, acc, *lane));
            step.push(K::Block(copy));
        }
        let by = Expr::int(lanes.len() as i128);
        step.push(K::Set { var: at, value: Expr::call("+", [Expr::Var(at), by]) });
        step
    };
    let full = |n: i128| Expr::call("<=", [Expr::Var(at).plus(n), hi.clone()]);
    let mut wide: Vec<K> =
        lanes.iter().map(|l| K::Let { var: *l, mutable: true, value: Expr::int(0) }).collect();
    wide.push(K::While { cond: full(count), body: step(&lanes) });
    if count > FEW {
        let then = step(&lanes[..FEW as usize]);
        wide.push(K::If { cond: full(FEW), then, otherwise: Vec::new() });
    }
    // Half of a register, or of two, on the other half.
    let mut sums: Vec<Expr> = lanes.iter().map(|l| Expr::Var(*l)).collect();
    while sums.len() > 1 {
        let behind = sums.split_off(sums.len() / 2);
        sums = sums.into_iter().zip(behind).map(|(a, b)| Expr::call("+", [a, b])).collect();
    }
    let total = sums.remove(0);
    wide.push(K::Store { target: Expr::Var(acc), op: Some(Op::new("+")), value: total });
    let mut rest = Vec::new();
    // One by one, at most three: LLVM would unroll a loop as if there were more.
    for n in (0..FEW - 1).rev() {
        let value = Expr::Var(at).plus(n);
        let mut one = vec![K::Let { var: q, mutable: false, value: value.clone() }];
        one.extend(body.iter().cloned());
        let mut then = vec![K::Block(one)];
        then.append(&mut rest);
        let cond = Expr::call("<", [value, hi.clone()]);
        rest = vec![K::If { cond, then, otherwise: Vec::new() }];
    }
    let mut code = vec![K::Let { var: at, mutable: true, value: lo.clone() }, K::Block(wide)];
    code.append(&mut rest);
    code
}

/// Whether what is read stands where coordinates of a level say.
fn gathers(kernel: &Kernel, body: &[K]) -> bool {
    let mut found = false;
    body.iter().for_each(|k| {
        k.walk(&mut |k| {
            for e in k.exprs() {
                e.walk(&mut |e| {
                    found |= matches!(e, Expr::Load(a, _) if kernel.arrays[a.0 as usize].elem == Ty::Index);
                    found |= matches!(e, Expr::Raw(_));
                });
            }
        })
    });
    found
}

fn redirect(k: &mut K, from: VarId, to: VarId) {
    if let K::Store { target: Expr::Var(v), .. } = k {
        if *v == from {
            *v = to;
        }
    }
    for block in k.blocks_mut() {
        block.iter_mut().for_each(|k| redirect(k, from, to));
    }
}
