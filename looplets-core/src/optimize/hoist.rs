//! Moves definitions that do not change in a loop out of it: LLVM may not, because for all it knows
//! the loop's stores reach the arrays they read.

use crate::cin::*;
use crate::kernel::{Kernel, Role, Ty, VarKind};
use crate::kir::map_code;
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;
use std::collections::{HashMap, HashSet};

pub(super) fn hoist(kernel: &Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = hoist(kernel, std::mem::take(block));
        }
        match &mut k {
            Kir::For { var, lo, hi, body } => {
                let runs = Expr::call(Op::Lt, [lo.clone(), hi.clone()]);
                out.extend(fixed(kernel, body, Some(*var), &runs));
            }
            Kir::While { cond, body } => out.extend(fixed(kernel, body, None, cond)),
            _ => {}
        }
        out.push(k);
    }
    out
}

/// Takes the products out of a loop's positions that have one value in every iteration: those that are cut
/// to a limit LLVM leaves where it finds them.
pub(super) fn products(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        if let Kir::For { .. } | Kir::While { .. } = k {
            let mut changing = HashSet::new();
            k.walk(&mut |k| match k {
                Kir::Parallel(p) => changing.extend([p.from, p.to]),
                k => changing.extend(k.sets()),
            });
            let mut found = Vec::new();
            let mut each = |e: &Expr| in_positions(kernel, e, &changing, &mut found);
            k = map_code(std::slice::from_ref(&k), &mut each).remove(0);
            let lets = found.into_iter();
            out.extend(lets.map(|(value, var)| Kir::Let { var, mutable: false, value }));
        }
        for block in k.blocks_mut() {
            *block = products(kernel, std::mem::take(block));
        }
        out.push(k);
    }
    out
}

/// `e` with variables for the products in its position, if it is an element.
fn in_positions(
    kernel: &mut Kernel,
    e: &Expr,
    changing: &HashSet<VarId>,
    found: &mut Vec<(Expr, VarId)>,
) -> Option<Expr> {
    let Expr::Load(a, i) = e else { return None };
    let i = i.map(&mut |e| {
        let Expr::Call(op, args) = e else { return None };
        let plain = |v: &VarId| matches!(kernel.info(*v).kind, VarKind::Index | VarKind::Local);
        let fixed = |v: &VarId| plain(v) && !changing.contains(v);
        let product = matches!(op, Op::Mul | Op::WrappingMul)
            && args.iter().all(sum_of_few)
            && kernel.depends(e).iter().all(fixed);
        if !product {
            return None;
        }
        let known = found.iter().find(|(f, _)| f == e).map(|(_, v)| *v);
        let var = known.unwrap_or_else(|| {
            let var = kernel.var("product", VarKind::Local, Ty::Index);
            found.push((e.clone(), var));
            var
        });
        Some(Expr::Var(var))
    });
    Some(Expr::Load(*a, Box::new(i)))
}

/// Whether `e` is a literal, a variable, or a sum or difference of such.
fn sum_of_few(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Var(_) => true,
        Expr::Call(op, args) => matches!(op, Op::Add | Op::Sub) && args.iter().all(sum_of_few),
        _ => false,
    }
}

/// Takes the definitions out of a loop's body that have one value in every iteration. What reads
/// memory or checks does so only if the loop `runs`: else the position it reads at may be none.
fn fixed(kernel: &Kernel, body: &mut Vec<Kir>, own: Option<VarId>, runs: &Expr) -> Vec<Kir> {
    let mut changing: HashSet<VarId> = own.into_iter().collect();
    body.iter().for_each(|k| k.walk(&mut |k| changing.extend(k.sets())));
    let mut out = Vec::new();
    let mut rest = Vec::new();
    let several = redefined(body);
    let (mut behind_code, mut behind_exit) = (false, false);
    for k in std::mem::take(body) {
        // Code may refuse to go on, and what is read behind it rely on that.
        behind_code |= matches!(k, Kir::Code(_));
        // What is behind an exit may not be reached in the first iteration.
        k.walk(&mut |k| behind_exit |= matches!(k, Kir::Break(_)));
        let stays = |value: &Expr| behind_code && reads(value);
        let reached = !behind_code && !behind_exit;
        match &k {
            Kir::Let { var, mutable: false, value }
                if (harmless(kernel, value) || reached && checks(kernel, value))
                    && !stays(value)
                    && !several.contains(var)
                    && !kernel.depends(value).iter().any(|v| changing.contains(v)) =>
            {
                changing.remove(var);
                if !reads(value) && !checks(kernel, value) {
                    out.push(k);
                    continue;
                }
                let value = Expr::call(Op::IfElse, [runs.clone(), value.clone(), Expr::int(0)]);
                out.push(Kir::Let { var: *var, mutable: false, value });
            }
            _ => rest.push(k),
        }
    }
    *body = rest;
    out
}

/// The variables that a block defines more than once, and not by the same value: each region of a loop
/// has its own definition of what an access needs, and behind the next one the former is gone.
fn redefined(body: &[Kir]) -> HashSet<VarId> {
    let (mut first, mut several) = (HashMap::new(), HashSet::new());
    for k in body {
        if let Kir::Let { var, value, .. } = k {
            if *first.entry(*var).or_insert(value) != value {
                several.insert(*var);
            }
        }
    }
    several
}

/// Whether `e` checks an index that is computed of inputs alone. Where the first iteration comes to it, it may as well stand in front of the
/// loop, which LLVM can then keep in vector registers.
fn checks(kernel: &Kernel, e: &Expr) -> bool {
    let Expr::Raw(id) = e else { return false };
    let raw = &kernel.raws[id.0 as usize];
    let input = |a: &ArrayId| kernel.tensor(kernel.arrays[a.0 as usize].tensor).role == Role::Input;
    let keeps = |e: &Expr| {
        let mut keeps = true;
        e.walk(&mut |e| {
            keeps &= match e {
                Expr::Load(a, _) => input(a),
                Expr::Var(v) => !matches!(kernel.info(*v).kind, VarKind::Scalar | VarKind::State),
                Expr::Lit(_) => true,
                Expr::Call(op, _) => !matches!(op, Op::Function(_)),
                _ => false,
            }
        });
        keeps
    };
    matches!(raw.code, Opaque::Runtime(Runtime::CheckIndex { .. }))
        && raw.names.iter().all(|(_, e)| keeps(e))
}

fn reads(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| found |= matches!(x, Expr::Load(..)));
    found
}

/// Whether `e` may be evaluated before the loop: arithmetic, and coordinates and positions of inputs
/// that a checked invariant covers.
fn harmless(kernel: &Kernel, e: &Expr) -> bool {
    match e {
        Expr::Lit(_) => true,
        // A position that moves is one of the fiber only while the loop runs.
        Expr::Var(v) => {
            !matches!(kernel.info(*v).kind, VarKind::Outer | VarKind::Scalar | VarKind::State)
        }
        Expr::Load(a, i) => {
            let array = &kernel.arrays[a.0 as usize];
            array.elem == Ty::Index
                && array.trusted
                && kernel.tensor(array.tensor).role == Role::Input
                && harmless(kernel, i)
        }
        Expr::Call(op, args) => {
            let builtin = matches!(
                op,
                Op::Add
                    | Op::Sub
                    | Op::Min
                    | Op::Max
                    | Op::IfElse
                    | Op::Lt
                    | Op::Le
                    | Op::Eq
                    | Op::Ne
                    | Op::Neg
            );
            builtin && args.iter().all(|a| harmless(kernel, a))
        }
        _ => false,
    }
}
