//! A flag that every iteration of a loop raises is raised once, behind the loop: what is left may be nothing but a sum.

use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::Kir;
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
