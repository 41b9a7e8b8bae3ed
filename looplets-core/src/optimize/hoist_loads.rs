//! Load hoisting: an element that a loop reads in each iteration and does not change is loaded once, in front of the
//! loop. LLVM may not do this where the loop stores, since the store may alias the element. `w[j] += a[i, k] * b[k, j]` reads `a[i, k]` once for each `j`.

use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::map_code;
use crate::kir::Kir;
use std::collections::HashSet;

pub(super) fn hoist_loads(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = hoist_loads(kernel, std::mem::take(block));
        }
        let runs = match &k {
            Kir::For { lo, hi, .. } => Expr::call(Op::Lt, [lo.clone(), hi.clone()]),
            Kir::While { cond, .. } => cond.clone(),
            _ => {
                out.push(k);
                continue;
            }
        };
        let found = elements(kernel, &k);
        if found.is_empty() {
            out.push(k);
            continue;
        }
        let mut then = Vec::new();
        for place in found {
            let Expr::Load(array, _) = &place else { continue };
            let info = kernel.arrays[array.0 as usize].clone();
            let name = format!("{}_here", info.name);
            let var = kernel.var(&name, VarKind::Local, info.elem);
            let mut each = |e: &Expr| (*e == place).then_some(Expr::Var(var));
            k = map_code(&[k], &mut each).remove(0);
            then.push(Kir::Let { var, mutable: false, value: place });
        }
        then.push(k);
        // A loop that does not run may not have the element.
        if surely(&runs) {
            out.extend(then);
            continue;
        }
        out.push(Kir::If { cond: runs, then, otherwise: Vec::new() });
    }
    out
}

/// Whether `e` compares numbers, and holds.
fn surely(e: &Expr) -> bool {
    match e {
        Expr::Call(Op::Lt, args) => {
            matches!(args[..], [Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(b))] if a < b)
        }
        _ => false,
    }
}

/// The elements that each iteration of the loop `k` reads, which does not change them, and stores others.
fn elements(kernel: &Kernel, k: &Kir) -> Vec<Expr> {
    let (mut changing, mut stores, mut opaque) = (HashSet::new(), false, false);
    k.walk(&mut |k| changing.extend(k.sets()));
    k.walk(&mut |k| match k {
        Kir::Store { target: Expr::Load(..), .. }
        | Kir::Code(_)
        | Kir::Put { .. }
        | Kir::PutRun(_) => stores = true,
        // What comes behind is not reached by each iteration.
        Kir::Break(_) | Kir::Parallel(_) | Kir::Take(_) => opaque = true,
        _ => {}
    });
    let (Kir::For { body, .. } | Kir::While { body, .. }) = k else { return Vec::new() };
    let mut found = Vec::new();
    if !stores || opaque {
        return found;
    }
    // Code may refuse to go on, and what is behind it rely on that; to begin an entry only takes memory.
    let first = body.iter().take_while(|k| !matches!(k, Kir::Code(_) | Kir::Commit(_)));
    for e in first.flat_map(Kir::exprs) {
        always(e, &mut |e| {
            let Expr::Load(array, at) = e else { return };
            let fixed = |v: &VarId| {
                let kind = kernel.info(*v).kind;
                matches!(kind, VarKind::Index | VarKind::Local | VarKind::State)
                    && !changing.contains(v)
            };
            let info = &kernel.arrays[array.0 as usize];
            let number = matches!(&info.elem, Ty::Index | Ty::Bool)
                || info.elem.limits().is_some()
                || matches!(&info.elem, Ty::Named(n) if n == "f64" || n == "f32");
            let known = info.trusted && number && arithmetic(at);
            if known
                && !found.contains(e)
                && kernel.depends(at).iter().all(fixed)
                && !kernel.writes(k, *array)
            {
                found.push(e.clone());
            }
        });
    }
    found
}

/// The parts of `e` that are evaluated whenever `e` is.
fn always(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    f(e);
    match e {
        Expr::Call(op, args) => match op {
            Op::IfElse | Op::And | Op::Or | Op::Coalesce => {
                args.iter().take(1).for_each(|e| always(e, f));
            }
            _ => args.iter().for_each(|e| always(e, f)),
        },
        Expr::Load(_, at) => always(at, f),
        _ => {}
    }
}

/// Whether `e` is made of variables and literals by arithmetic.
fn arithmetic(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Var(_) => true,
        Expr::Call(op, args) => {
            matches!(op, Op::Add | Op::Sub | Op::Mul | Op::WrappingMul)
                && args.iter().all(arithmetic)
        }
        _ => false,
    }
}
