//! Whether a kernel has loops that take elements side by side, or words of bits: those gain from wide registers.

use super::lanes::gathers;
use crate::cin::*;
use crate::index::difference;
use crate::kernel::Kernel;
use crate::kir::Kir;
use crate::opaque::Opaque;
use crate::runtime::Runtime;

/// Whether `code` has a loop that stores to neighbours what it makes of neighbours.
pub(super) fn any(kernel: &Kernel, code: &[Kir]) -> bool {
    let mut found = false;
    code.iter().for_each(|k| k.walk(&mut |k| found |= side_by_side(kernel, k)));
    found && kernel.steps.is_none()
}

fn side_by_side(kernel: &Kernel, k: &Kir) -> bool {
    let Kir::For { var, body, .. } = k else { return false };
    let beside = |b: &[Kir]| stores(kernel, b, *var) || sums(kernel, b, *var);
    by_words(kernel, body) || straight(body) && beside(body) && !gathers(kernel, body)
}

/// Whether `body` reduces neighbours into a whole number, of which LLVM takes several at once. Floats are summed in lanes.
fn sums(kernel: &Kernel, body: &[Kir], index: VarId) -> bool {
    body.iter().any(|k| match k {
        Kir::Store { target: Expr::Var(v), op: Some(_), .. } if kernel.info(*v).ty.is_integer() => {
            let mut along = false;
            body.iter().for_each(|k| {
                k.exprs().iter().for_each(|e| {
                    e.walk(&mut |e| {
                        if let Expr::Load(_, at) = e {
                            along |= beside(kernel, at, index);
                        }
                    })
                });
            });
            along
        }
        Kir::Block(inner) => sums(kernel, inner, index),
        _ => false,
    })
}

/// Whether `at` is `index`, or as far from it in each iteration.
fn beside(kernel: &Kernel, at: &Expr, index: VarId) -> bool {
    !kernel.depends(&difference(at, &Expr::Var(index))).contains(&index)
}

/// Whether `body` makes a word of bits of others, one after the other, and stores or counts them, or flags for the bits of a word.
fn by_words(kernel: &Kernel, body: &[Kir]) -> bool {
    let is = |r: &RawId, of: Runtime| matches!(&kernel.raws[r.0 as usize].code, Opaque::Runtime(r) if *r == of);
    let last = |k: &Kir| match k {
        Kir::Code(r) => {
            let calls = [Runtime::SetBits, Runtime::StoreBits, Runtime::SetFlag];
            calls.into_iter().any(|call| is(r, call))
        }
        Kir::Store { target: Expr::Var(_), value: Expr::Raw(r), .. } => is(r, Runtime::CountOnes),
        _ => false,
    };
    body.iter().any(last)
        && body.iter().all(|k| last(k) || matches!(k, Kir::Let { .. } | Kir::Comment(_)))
}

/// Whether `body` has neither loops nor cases.
fn straight(body: &[Kir]) -> bool {
    body.iter().all(|k| match k {
        Kir::Let { .. } | Kir::Store { .. } | Kir::Comment(_) => true,
        Kir::Block(inner) => straight(inner),
        _ => false,
    })
}

/// Whether `body` computes something for neighbours, one of which is that of `index`.
fn stores(kernel: &Kernel, body: &[Kir], index: VarId) -> bool {
    body.iter().any(|k| match k {
        Kir::Store { target: Expr::Load(_, at), op, value } => {
            // What is copied or filled is left to the system.
            let computed = match value {
                Expr::Call(..) => true,
                Expr::Var(v) => body.iter().any(|k| matches!(k, Kir::Let { var, .. } if var == v)),
                _ => op.is_some(),
            };
            beside(kernel, at, index) && computed
        }
        Kir::Block(inner) => stores(kernel, inner, index),
        _ => false,
    })
}
