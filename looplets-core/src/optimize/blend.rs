//! A sum over what a flag says is stored has no branch: where the flag is not set, what leaves a sum as it is is added.
//!
//! Flags of a level that has a child for each coordinate, such as those of a sparse accumulator or a bitmap, come in no
//! pattern that a processor foresees. The child is there whether or not it is stored, and may be read in any case. What
//! comes of it is a plain sum, which [`super::lanes`] splits.

use crate::cin::*;
use crate::kernel::{Kernel, Ty, VarKind};
use crate::kir::Kir;
use crate::types::primitive;

pub(super) fn blend(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    let mut out = Vec::new();
    for mut k in code {
        for block in k.blocks_mut() {
            *block = blend(kernel, std::mem::take(block));
        }
        if let Kir::For { body, .. } = &mut k {
            if let Some(plain) = sum(kernel, body) {
                *body = plain;
            }
        }
        out.push(k);
    }
    out
}

/// The body of a loop as a plain sum, if it adds where a flag is set and does nothing else.
fn sum(kernel: &mut Kernel, body: &[Kir]) -> Option<Vec<Kir>> {
    let (last, lets) = body.split_last()?;
    let defines = |k: &Kir| matches!(k, Kir::Let { mutable: false, .. } | Kir::Comment(_));
    if !lets.iter().all(defines) || kernel.steps.is_some() {
        return None;
    }
    match last {
        Kir::Block(inner) => {
            let inner = sum(kernel, inner)?;
            Some(lets.iter().cloned().chain([Kir::Block(inner)]).collect())
        }
        Kir::If { cond, then, otherwise } if otherwise.is_empty() => {
            if !asks_flags(kernel, cond) {
                return None;
            }
            let then = match &then[..] {
                [Kir::Block(inner)] => inner,
                all => all,
            };
            let (store, within) = then.split_last()?;
            let Kir::Store { target: Expr::Var(acc), op: Some(Op::Add), value } = store else {
                return None;
            };
            let ty = kernel.info(*acc).ty.clone();
            let zero = match &ty {
                // Of either sign it stays what it is.
                ty if ty.is_float() => Expr::Lit(Lit::float(-0.0)),
                ty if ty.is_integer() => Expr::int(0),
                _ => return None,
            };
            let values = within.iter().map(|k| match k {
                Kir::Let { mutable: false, value, .. } => Some(value),
                _ => None,
            });
            let mut all: Vec<&Expr> = values.collect::<Option<_>>()?;
            all.push(value);
            if !all.iter().all(|e| harmless(kernel, e) && !kernel.depends(e).contains(acc)) {
                return None;
            }
            let term = kernel.var("term", VarKind::Scalar, ty);
            kernel.assigned_like(term, &kernel.info(*acc).name.clone());
            let mut out: Vec<Kir> = lets.iter().chain(within).cloned().collect();
            out.push(Kir::Let { var: term, mutable: false, value: value.clone() });
            let value = Expr::call(Op::IfElse, [cond.clone(), Expr::Var(term), zero]);
            out.push(Kir::Store { target: Expr::Var(*acc), op: Some(Op::Add), value });
            Some(out)
        }
        _ => None,
    }
}

/// Whether `cond` asks for flags of children that are there in any case, and nothing else.
fn asks_flags(kernel: &Kernel, cond: &Expr) -> bool {
    let Expr::Call(op, args) = cond else { return false };
    match (op, &args[..]) {
        (Op::And, args) => args.iter().all(|e| asks_flags(kernel, e)),
        (Op::Ne, [asked, Expr::Lit(Lit::Int(0) | Lit::Bool(false))]) => {
            let arrays: Vec<ArrayId> = match asked {
                Expr::Load(array, _) => vec![*array],
                // A bit of a word.
                Expr::Raw(r) => {
                    let names = kernel.raws[r.0 as usize].names.iter();
                    let loads = names.filter_map(|(_, e)| match e {
                        Expr::Load(array, _) => Some(*array),
                        _ => None,
                    });
                    loads.collect()
                }
                _ => Vec::new(),
            };
            let of = |array: &ArrayId| kernel.arrays[array.0 as usize].tensor;
            !arrays.is_empty() && arrays.iter().all(|array| flagged(kernel, of(array)))
        }
        _ => false,
    }
}

/// Whether each coordinate of the last dimension of `t` has a child, stored or not.
fn flagged(kernel: &Kernel, t: TensorId) -> bool {
    let levels = &kernel.tensor(t).levels;
    let last = levels.len().checked_sub(2).map(|last| levels[last].format.level());
    last.is_some_and(|level| level.one_child_each() && level.leaves_out())
}

/// Whether `e` may be computed where the program does not: it reads what is there, and does not fail.
pub(super) fn harmless(kernel: &Kernel, e: &Expr) -> bool {
    // A number of a type of Rust's own, which is there and costs nothing to have.
    let number = |e: &Expr| match kernel.type_of(e) {
        Some(Ty::Index | Ty::Bool) => true,
        Some(Ty::Named(name)) => primitive(&name),
        Some(Ty::Own | Ty::Unknown) | None => false,
    };
    let mut numbers = true;
    e.walk(&mut |e| {
        numbers &= match e {
            Expr::Lit(_) => true,
            Expr::Var(_) => number(e) || matches!(kernel.type_of(e), Some(Ty::Named(_))),
            Expr::Load(..) => number(e),
            Expr::Call(op, _) => op.is_pure() || kernel.type_of(e) == Some(Ty::Index),
            Expr::Raw(_) | Expr::Array(_) | Expr::Access(_) => false,
        };
    });
    numbers && kernel.effects(e).is_harmless()
}
