//! Which code may be a check that loads behind it rest on, so that they cannot be done in front of it.
//!
//! The extent of a loop is checked before the loop. But what is read at its index may also be checked in its body,
//! as where an inner loop looks through a window that begins there: `b[window(i, i + 1)[k], j]`.

use crate::cin::*;
use crate::kernel::{Kernel, Role};
use crate::kir::Kir;
use std::collections::BTreeSet;

/// What differs from iteration to iteration of a loop over `var`, of what `code` in its body gives a value.
pub(super) fn of_row(kernel: &Kernel, var: VarId, code: &[Kir]) -> BTreeSet<VarId> {
    let mut of = BTreeSet::from([var]);
    code.iter().for_each(|k| {
        k.walk(&mut |k| match (k, k.sets()) {
            (Kir::Let { value, .. }, Some(set)) => {
                if kernel.depends(value).iter().any(|v| of.contains(v)) {
                    of.insert(set);
                }
            }
            (_, set) => of.extend(set),
        })
    });
    of
}

/// Whether `code` may check something.
pub(super) fn checks(kernel: &Kernel, code: &[Kir]) -> bool {
    any(code, &|k| !checking(kernel, k).is_empty())
}

/// Whether `code`, in the body of a loop over `var`, may check something that differs from iteration to iteration.
pub(super) fn guards(kernel: &Kernel, var: VarId, code: &[Kir]) -> bool {
    let of = of_row(kernel, var, code);
    let differs = |r: &RawId| kernel.depends(&Expr::Raw(*r)).iter().any(|v| of.contains(v));
    any(code, &|k| checking(kernel, k).iter().any(differs))
}

/// The opaque parts of `k` itself, but for those that write an output, as by opening its fibers.
fn checking(kernel: &Kernel, k: &Kir) -> Vec<RawId> {
    let mut found = if let Kir::Code(r) = k { vec![*r] } else { Vec::new() };
    k.exprs().into_iter().for_each(|e| {
        e.walk(&mut |e| found.extend(if let Expr::Raw(r) = e { Some(*r) } else { None }))
    });
    found.retain(|r| !of_output(kernel, &Expr::Raw(*r)));
    found
}

/// Whether it has to do with an array of an output.
fn of_output(kernel: &Kernel, e: &Expr) -> bool {
    match e {
        Expr::Array(a) => kernel.tensor(kernel.arrays[a.0 as usize].tensor).role != Role::Input,
        Expr::Raw(r) => kernel.raws[r.0 as usize].names.iter().any(|(_, e)| of_output(kernel, e)),
        _ => false,
    }
}

/// Whether something in `code` is so.
pub(super) fn any(code: &[Kir], is: &dyn Fn(&Kir) -> bool) -> bool {
    let mut found = false;
    code.iter().for_each(|k| k.walk(&mut |k| found |= is(k)));
    found
}
