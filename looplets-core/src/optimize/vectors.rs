//! Whether a kernel has loops that take elements side by side: those gain from wide registers.

use super::lanes::gathers;
use crate::cin::*;
use crate::index::difference;
use crate::kernel::Kernel;
use crate::kir::Kir;

/// Whether `code` has a loop that stores to neighbours what it makes of neighbours.
pub(super) fn any(kernel: &Kernel, code: &[Kir]) -> bool {
    let mut found = false;
    code.iter().for_each(|k| k.walk(&mut |k| found |= side_by_side(kernel, k)));
    found && kernel.steps.is_none()
}

fn side_by_side(kernel: &Kernel, k: &Kir) -> bool {
    let Kir::For { var, body, .. } = k else { return false };
    straight(body) && stores(kernel, body, *var) && !gathers(kernel, body)
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
            let beside = !kernel.depends(&difference(at, &Expr::Var(index))).contains(&index);
            // What is copied or filled is left to the system.
            let computed = match value {
                Expr::Call(..) => true,
                Expr::Var(v) => body.iter().any(|k| matches!(k, Kir::Let { var, .. } if var == v)),
                _ => op.is_some(),
            };
            beside && computed
        }
        Kir::Block(inner) => stores(kernel, inner, index),
        _ => false,
    })
}
