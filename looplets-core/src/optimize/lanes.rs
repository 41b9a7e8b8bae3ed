//! Sums of floats in four lanes: stable Rust may not reorder float additions, so the order is fixed
//! here. Of a sum of `n` terms, term `q` of the first `n - n mod 4` goes to lane `q mod 4`; the lanes
//! are added as `(l0 + l2) + (l1 + l3)`, that to what was there before, then the last `n mod 4`
//! terms in order.

use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::K;

const LANES: i128 = 4;

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
    let lanes: Vec<VarId> =
        (0..LANES).map(|n| kernel.var(&format!("lane{n}"), VarKind::Scalar, ty.clone())).collect();
    let original = kernel.info(acc).name.clone();
    lanes.iter().for_each(|l| kernel.assigned_like(*l, &original));
    let mut step = Vec::new();
    for (n, lane) in lanes.iter().enumerate() {
        let value = Expr::Var(at).plus(n as i128);
        let mut copy = vec![K::Let { var: q, mutable: false, value }];
        copy.extend(body.iter().cloned());
        copy.iter_mut().for_each(|k| redirect(k, acc, *lane));
        step.push(K::Block(copy));
    }
    step.push(K::Set { var: at, value: Expr::call("+", [Expr::Var(at), Expr::int(LANES)]) });
    let mut wide: Vec<K> =
        lanes.iter().map(|l| K::Let { var: *l, mutable: true, value: Expr::int(0) }).collect();
    let full = Expr::call("<=", [Expr::Var(at).plus(LANES), hi.clone()]);
    wide.push(K::While { cond: full, body: step });
    // Half a register on the other half.
    let pair = |a: usize| Expr::call("+", [Expr::Var(lanes[a]), Expr::Var(lanes[a + 2])]);
    let total = Expr::call("+", [pair(0), pair(1)]);
    wide.push(K::Store { target: Expr::Var(acc), op: Some(Op::new("+")), value: total });
    let mut rest = Vec::new();
    // One by one, as many as there are lanes less one: LLVM would unroll a loop as if there were more.
    for n in (0..LANES - 1).rev() {
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
