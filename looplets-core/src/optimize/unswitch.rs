//! Loops that ask again and again what is the same throughout the kernel are made twice, and it is asked once.
//!
//! Such a branch is foreseen, but what stands behind it takes registers from the loops beside it, which then keep theirs in memory: up to a
//! third of the time of an inner loop that takes a few steps.

use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::Kir;
use std::collections::BTreeSet;

/// The most statements that are made twice.
const MOST: usize = 150;

pub(super) fn unswitch(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    match kernel.constant.is_empty() {
        true => code,
        false => code.into_iter().map(|k| outermost(kernel, k)).collect(),
    }
}

fn outermost(kernel: &Kernel, mut k: Kir) -> Kir {
    if !matches!(k, Kir::For { .. }) {
        for block in k.blocks_mut() {
            *block = std::mem::take(block).into_iter().map(|k| outermost(kernel, k)).collect();
        }
        return k;
    }
    let (mut asked, mut size) = (BTreeSet::new(), 0);
    k.walk(&mut |k| {
        size += 1;
        if let Kir::If { cond: Expr::Var(v), .. } = k {
            asked.extend(kernel.constant.get(v));
        }
    });
    let mut all = asked.into_iter();
    let (Some(one), None) = (all.next(), all.next()) else { return k };
    if size > MOST {
        return k;
    }
    let [then, otherwise] = [true, false].map(|holds| decided(k.clone(), one, holds));
    Kir::If { cond: Expr::Var(one), then, otherwise }
}

/// `k` where it is known whether `condition` holds.
fn decided(mut k: Kir, condition: VarId, holds: bool) -> Vec<Kir> {
    for block in k.blocks_mut() {
        let inner = std::mem::take(block).into_iter();
        *block = inner.flat_map(|k| decided(k, condition, holds)).collect();
    }
    match k {
        Kir::If { cond, then, otherwise } if cond == Expr::Var(condition) => {
            if holds {
                then
            } else {
                otherwise
            }
        }
        k => vec![k],
    }
}
