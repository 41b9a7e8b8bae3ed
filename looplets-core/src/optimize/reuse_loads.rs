//! Predictive commoning of the bounds of fibers: the bound that ends the fiber of one iteration starts that of the
//! next, so it is kept in a variable and not loaded twice.
//!
//! `start = pos[i]` and `end = pos[i + 1]` are two loads in every row. LLVM may not keep the second for the
//! next row, because for all it knows the row's stores reach `pos`; and where rows are short, loads are what
//! they cost.

use super::guards::guards;
use crate::cin::*;
use crate::kernel::{Kernel, Role, Ty, VarKind};
use crate::kir::Kir;

pub(super) fn reuse_loads(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = reuse_loads(kernel, std::mem::take(block));
        }
        if let Kir::For { var, lo, hi, body } = &mut k {
            while let Some((at, start)) = pair(kernel, *var, body) {
                let Kir::Let { var: begin, .. } = body[at] else { unreachable!("a definition") };
                let Kir::Let { var: end, .. } = body[at + 1] else { unreachable!("a definition") };
                let name = format!("{}_next", kernel.info(begin).name);
                let next = kernel.var(&name, VarKind::State, Ty::Index);
                let first = start.map(&mut |e| (*e == Expr::Var(*var)).then(|| lo.clone()));
                // Without iterations there may be nothing at the first.
                let runs = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
                let value = Expr::call(Op::IfElse, [runs, first, Expr::int(0)]);
                out.push(Kir::Let { var: next, mutable: true, value });
                body[at] = Kir::Let { var: begin, mutable: false, value: Expr::Var(next) };
                body.insert(at + 2, Kir::Set { var: next, value: Expr::Var(end) });
            }
        }
        out.push(k);
    }
    out
}

/// Where `body` defines the element at a position, then the one after it, of an array that nothing writes,
/// such that the position moves by one in every iteration over `i`; and the first of the two.
fn pair(kernel: &Kernel, i: VarId, body: &[Kir]) -> Option<(usize, Expr)> {
    let element = |k: &Kir| match k {
        Kir::Let { mutable: false, value: Expr::Load(a, at), .. } => Some((*a, (**at).clone())),
        _ => None,
    };
    body.windows(2).enumerate().find_map(|(n, two)| {
        let ((a, at), (b, after)) = (element(&two[0])?, element(&two[1])?);
        let array = &kernel.arrays[a.0 as usize];
        let bounds = array.elem == Ty::Index
            && array.trusted
            && kernel.tensor(array.tensor).role == Role::Input;
        let found = bounds
            && a == b
            && after == at.plus(1)
            && moves_by_one(kernel, i, &at)
            && !guards(kernel, i, &body[..n]);
        found.then(|| (n, Expr::Load(a, Box::new(at))))
    })
}

/// Whether `at` is `i`, or a sum of `i` and what stays as it is while the loop over `i` runs.
fn moves_by_one(kernel: &Kernel, i: VarId, at: &Expr) -> bool {
    let fixed = |e: &Expr| match e {
        Expr::Lit(_) => true,
        Expr::Var(v) => matches!(kernel.info(*v).kind, VarKind::Outer),
        _ => false,
    };
    match at {
        Expr::Var(v) => *v == i,
        Expr::Call(op, args) if *op == Op::Add => {
            let (own, others): (Vec<_>, Vec<_>) = args.iter().partition(|e| **e == Expr::Var(i));
            own.len() == 1 && others.into_iter().all(fixed)
        }
        _ => false,
    }
}
