//! Which code may be a check that loads behind it rest on, so that they cannot be done in front of it.
//!
//! The extent of a loop is checked before the loop. But what is read at its index may also be checked in its body,
//! as where an inner loop looks through a window that begins there: `b[window(i, i + 1)[k], j]`.

use crate::cin::*;
use crate::kernel::{Kernel, Role};
use crate::kir::K;
use std::collections::BTreeSet;

/// What differs from iteration to iteration of a loop over `var`, of what `code` in its body defines.
pub(super) fn of_row(kernel: &Kernel, var: VarId, code: &[K]) -> BTreeSet<VarId> {
    let mut of = BTreeSet::from([var]);
    for k in code {
        if let K::Let { var, value, .. } = k {
            if kernel.depends(value).iter().any(|v| of.contains(v)) {
                of.insert(*var);
            }
        }
    }
    of
}

/// Whether `code`, in the body of a loop over `var`, may check something that differs from iteration to iteration.
/// Code that writes an output does not.
pub(super) fn guards(kernel: &Kernel, var: VarId, code: &[K]) -> bool {
    let of = of_row(kernel, var, code);
    let written = |e: &Expr| match e {
        Expr::Array(a) => kernel.tensor(kernel.arrays[a.0 as usize].tensor).role != Role::Input,
        _ => false,
    };
    let checks = |r: &RawId| {
        let names = &kernel.raws[r.0 as usize].names;
        !names.iter().any(|(_, e)| written(e))
            && kernel.depends(&Expr::Raw(*r)).iter().any(|v| of.contains(v))
    };
    any(code, &|k| raws(k).iter().any(checks))
}

/// The opaque parts of `k` itself.
pub(super) fn raws(k: &K) -> Vec<RawId> {
    let mut found = if let K::Code(r) = k { vec![*r] } else { Vec::new() };
    k.exprs().into_iter().for_each(|e| {
        e.walk(&mut |e| found.extend(if let Expr::Raw(r) = e { Some(*r) } else { None }))
    });
    found
}

/// Whether something in `code` is so.
pub(super) fn any(code: &[K], is: &dyn Fn(&K) -> bool) -> bool {
    let mut found = false;
    code.iter().for_each(|k| k.walk(&mut |k| found |= is(k)));
    found
}
