//! A flag that every iteration of a loop raises is raised once, behind the loop: what is left may be nothing but a sum. An
//! entry whose flag is raised under a condition that is known before it begins is begun under that condition.

use super::tiles::repeatable;
use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::{Begin, Kir};
use std::collections::HashSet;

pub(super) fn flags(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = flags(kernel, std::mem::take(block));
        }
        let raised = raised(kernel, &k);
        if let Kir::For { lo, hi, body, .. } = &mut k {
            let then: Vec<Kir> = raised.iter().map(raise).collect();
            let cond = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
            raised.iter().for_each(|flag| lower(body, *flag));
            out.push(k);
            if !then.is_empty() {
                out.push(Kir::If { cond, then, otherwise: Vec::new() });
            }
            continue;
        }
        out.push(k);
    }
    let mut at = 0;
    while at < out.len() {
        match known(kernel, &out, at) {
            Some(code) => out = code,
            None => at += 1,
        }
    }
    out
}

fn raise(flag: &VarId) -> Kir {
    Kir::Set { var: *flag, value: Expr::Lit(Lit::Bool(true)) }
}

/// The flags that the loop `k` raises in every iteration, without a look at them.
fn raised(kernel: &Kernel, k: &Kir) -> Vec<VarId> {
    let Kir::For { lo, hi, body, .. } = k else { return Vec::new() };
    let (mut read, mut set, mut leaves) = (HashSet::new(), HashSet::new(), false);
    k.walk(&mut |k| {
        k.exprs().iter().for_each(|e| read.extend(kernel.depends(e)));
        match k {
            Kir::Code(r) => read.extend(kernel.depends(&Expr::Raw(*r))),
            Kir::Begin(b) => read.extend(b.written),
            Kir::Break(_) | Kir::Parallel(_) => leaves = true,
            _ => {}
        }
        set.extend(k.sets());
    });
    // Whether the loop ran is asked behind it.
    let fixed = |e: &Expr| match e {
        Expr::Lit(_) => true,
        Expr::Var(v) => !set.contains(v),
        _ => false,
    };
    if leaves || !fixed(lo) || !fixed(hi) {
        return Vec::new();
    }
    let mut out = Vec::new();
    always(body, &mut out);
    let mut known = HashSet::new();
    out.retain(|v| !read.contains(v) && known.insert(*v));
    // Nothing else may come of them.
    out.retain(|flag| {
        let mut others = false;
        body.iter()
            .for_each(|k| k.walk(&mut |k| others |= k.sets() == Some(*flag) && *k != raise(flag)));
        !others
    });
    out
}

/// What is raised in `body` under no condition.
fn always(body: &[Kir], out: &mut Vec<VarId>) {
    for k in body {
        match k {
            Kir::Set { var, .. } if *k == raise(var) => out.push(*var),
            Kir::Block(inner) => always(inner, out),
            _ => {}
        }
    }
}

/// Takes away what raises `flag`.
fn lower(body: &mut Vec<Kir>, flag: VarId) {
    body.retain(|k| *k != raise(&flag));
    for k in body {
        k.blocks_mut().into_iter().for_each(|block| lower(block, flag));
    }
}

/// `code` with the entry that begins at `entry` under the condition that it is written, if that is known there.
fn known(kernel: &Kernel, code: &[Kir], entry: usize) -> Option<Vec<Kir>> {
    let Kir::Begin(begin) = &code[entry] else { return None };
    let flag = begin.written?;
    let lowered = Kir::Let { var: flag, mutable: true, value: Expr::Lit(Lit::Bool(false)) };
    let down = (entry.saturating_sub(1)..entry + 2).find(|n| code.get(*n) == Some(&lowered))?;
    let start = entry.min(down);
    let ends = |k: &Kir| matches!(k, Kir::If { cond: Expr::Var(v), .. } if *v == flag);
    let end = code.iter().position(ends).filter(|end| *end > entry)?;
    let Kir::If { then: written, .. } = &code[end] else { return None };
    let raises = |k: &Kir| matches!(k, Kir::If { then, otherwise, .. } if otherwise.is_empty() && *then == [raise(&flag)]);
    let at = (entry..end).find(|at| raises(&code[*at]))?;
    let Kir::If { cond, .. } = &code[at] else { return None };
    let (mut changing, mut own, mut alone) = (HashSet::new(), HashSet::new(), true);
    for (n, k) in code.iter().enumerate().take(end).skip(entry) {
        k.walk(&mut |k| changing.extend(k.sets()));
        k.walk(&mut |k| {
            own.extend(k.sets().filter(|_| matches!(k, Kir::Let { .. } | Kir::For { .. })))
        });
        if n == entry || n == at || n == down {
            continue;
        }
        k.walk(&mut |k| {
            alone &= k
                .exprs()
                .iter()
                .all(|e| repeatable(kernel, e) && !kernel.depends(e).contains(&flag));
            alone &= match k {
                Kir::Let { .. }
                | Kir::For { .. }
                | Kir::If { .. }
                | Kir::Block(_)
                | Kir::Comment(_) => true,
                Kir::Set { var, .. } | Kir::Store { target: Expr::Var(var), .. } => {
                    *var != flag && own.contains(var)
                }
                Kir::Store { target: Expr::Load(array, _), .. } => {
                    kernel.arrays[array.0 as usize].tensor == begin.of.0
                }
                _ => false,
            };
        });
    }
    if !alone || kernel.depends(cond).iter().any(|v| changing.contains(v)) {
        return None;
    }
    let mut then = vec![Kir::Begin(Box::new(Begin { written: None, ..(**begin).clone() }))];
    then.extend((entry + 1..end).filter(|n| *n != at && *n != down).map(|n| code[n].clone()));
    then.extend(written.iter().cloned());
    let mut out = code[..start].to_vec();
    out.push(Kir::If { cond: cond.clone(), then, otherwise: Vec::new() });
    out.extend_from_slice(&code[end + 1..]);
    Some(out)
}
