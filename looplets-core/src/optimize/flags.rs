//! A flag that every iteration of a loop raises is raised once, behind the loop: what is left may be nothing but a sum. An
//! entry whose flag is raised under a condition that is known before it begins is begun under that condition.

use super::abreast::default;
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
            let runs = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
            raised.iter().for_each(|(flag, _)| lower(body, *flag));
            out.push(k);
            let (under, then): (Vec<_>, Vec<_>) =
                raised.into_iter().partition(|(_, cond)| cond.is_some());
            let then: Vec<Kir> = then.iter().map(|(flag, _)| raise(flag)).collect();
            if !then.is_empty() {
                out.push(Kir::If { cond: runs.clone(), then, otherwise: Vec::new() });
            }
            for (flag, cond) in under {
                let all = [runs.clone()].into_iter().chain(cond);
                let cond = Expr::call(Op::And, all.collect::<Vec<_>>());
                out.push(Kir::If { cond, then: vec![raise(&flag)], otherwise: Vec::new() });
            }
            continue;
        }
        out.push(k);
    }
    let mut at = 0;
    while at < out.len() {
        match known(kernel, &out, at).or_else(|| asked(kernel, &out, at)) {
            Some(code) => out = code,
            None => at += 1,
        }
    }
    out
}

/// `code` without the flag that is raised under a condition at `at`, if all that it does is to say so to what is behind it.
fn asked(kernel: &Kernel, code: &[Kir], at: usize) -> Option<Vec<Kir>> {
    let [Kir::If { cond, then: raising, otherwise }, Kir::If { cond: Expr::Var(flag), then, otherwise: no }] =
        code.get(at..at + 2)?
    else {
        return None;
    };
    let lowered = |k: &Kir| match k {
        Kir::Let { var, mutable: true, value } => {
            var == flag && (*value == Expr::Lit(Lit::Bool(false)) || default(kernel, value))
        }
        _ => false,
    };
    let down = code[..at].iter().position(lowered)?;
    let mut others = !otherwise.is_empty() || !no.is_empty() || *raising != [raise(flag)];
    for (n, k) in code.iter().enumerate() {
        let mut each = |k: &Kir| {
            others |= k.sets() == Some(*flag)
                || k.exprs().iter().any(|e| kernel.depends(e).contains(flag))
                || matches!(k, Kir::Code(r) if kernel.depends(&Expr::Raw(*r)).contains(flag))
                || matches!(k, Kir::Begin(b) if b.written == Some(*flag))
                || matches!(k, Kir::Parallel(_));
        };
        match n == at + 1 {
            true => then.iter().for_each(|k| k.walk(&mut each)),
            false if n == at || n == down => {}
            false => k.walk(&mut each),
        }
    }
    if others {
        return None;
    }
    let asked = Kir::If { cond: cond.clone(), then: then.clone(), otherwise: Vec::new() };
    let mut out = code[..at].to_vec();
    out.remove(down);
    out.push(asked);
    out.extend_from_slice(&code[at + 2..]);
    Some(out)
}

fn raise(flag: &VarId) -> Kir {
    Kir::Set { var: *flag, value: Expr::Lit(Lit::Bool(true)) }
}

/// The flag that `k` raises.
fn raises(k: &Kir) -> Option<VarId> {
    match k {
        Kir::Set { var, value } | Kir::Store { target: Expr::Var(var), op: None, value } => {
            (*value == Expr::Lit(Lit::Bool(true))).then_some(*var)
        }
        _ => None,
    }
}

/// The flags that the loop `k` raises in every iteration, without a look at them, some under a condition that is the same in
/// all of them.
fn raised(kernel: &Kernel, k: &Kir) -> Vec<(VarId, Option<Expr>)> {
    let Kir::For { lo, hi, body, .. } = k else { return Vec::new() };
    let (mut read, mut set, mut leaves) = (HashSet::new(), HashSet::new(), false);
    k.walk(&mut |k| {
        if raises(k).is_none() {
            k.exprs().iter().for_each(|e| read.extend(kernel.depends(e)));
        }
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
    out.retain(|(v, _)| !read.contains(v) && known.insert(*v));
    // Nothing else may come of them, and of a condition nothing that changes.
    let same =
        |e: &Expr| kernel.is_of_scalars(e) && !kernel.depends(e).iter().any(|v| set.contains(v));
    out.retain(|(flag, cond)| {
        let (mut others, mut many) = (false, 0);
        body.iter().for_each(|k| {
            k.walk(&mut |k| {
                let raises = raises(k) == Some(*flag);
                others |= k.sets() == Some(*flag) && !raises;
                many += usize::from(raises);
            })
        });
        !others && cond.as_ref().is_none_or(|cond| many == 1 && same(cond))
    });
    out
}

/// What is raised in `body` under no condition, or under one of its own.
fn always(body: &[Kir], out: &mut Vec<(VarId, Option<Expr>)>) {
    for k in body {
        match k {
            k if raises(k).is_some() => out.extend(raises(k).map(|flag| (flag, None))),
            Kir::If { cond, then, otherwise } if otherwise.is_empty() => {
                if let [raised] = &then[..] {
                    out.extend(raises(raised).map(|flag| (flag, Some(cond.clone()))));
                }
            }
            Kir::Block(inner) => always(inner, out),
            _ => {}
        }
    }
}

/// Takes away what raises `flag`.
fn lower(body: &mut Vec<Kir>, flag: VarId) {
    body.retain(|k| raises(k) != Some(flag));
    body.retain(|k| match k {
        Kir::If { then, otherwise, .. } => {
            !otherwise.is_empty() || !matches!(&then[..], [k] if raises(k) == Some(flag))
        }
        _ => true,
    });
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
