//! A loop that copies neighbours of one array to neighbours of another is one call, as by hand it is one `copy_from_slice`.
//!
//! LLVM makes one call of such a loop where it knows that the arrays do not overlap, which it does not know of what is behind
//! references that are fields. Then each row of a gathered matrix begins with a comparison of addresses, and ends in a loop for what is left
//! of registers: twice the time of a copy, of rows of 32 numbers.

use crate::cin::*;
use crate::index::{difference, sum};
use crate::kernel::{Kernel, Ty};
use crate::kir::{CopyRow, Kir};
use crate::types::bytes;
use std::collections::BTreeSet;

pub(super) fn moved_rows(kernel: &mut Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    // Steps are counted one by one.
    if kernel.steps.is_none() {
        let mut appended = BTreeSet::new();
        code.iter().for_each(|k| {
            k.walk(&mut |k| {
                if let Kir::Room { arrays, .. } = k {
                    appended.extend(arrays.iter().copied());
                }
            })
        });
        block(kernel, &mut code, &appended);
    }
    code
}

/// `appended`: arrays that elements are put into one behind the other.
fn block(kernel: &Kernel, code: &mut [Kir], appended: &BTreeSet<ArrayId>) {
    for k in code {
        if let Some(row) = moved(kernel, k, appended) {
            *k = Kir::CopyRow(Box::new(row));
        }
        k.blocks_mut().into_iter().for_each(|inner| block(kernel, inner, appended));
    }
}

/// Where the loop `k` copies to and from, and how many elements, if that is all that it does.
fn moved(kernel: &Kernel, k: &Kir, appended: &BTreeSet<ArrayId>) -> Option<CopyRow> {
    let Kir::For { var, lo, hi, body } = k else { return None };
    let mut does = body.iter().filter(|k| !k.is_idle());
    let (Some(k), None) = (does.next(), does.next()) else { return None };
    let (to, at, value) = match k {
        Kir::Store { target: Expr::Load(to, at), op: None, value } => (to, &**at, value),
        Kir::Put { array, at, value } => (array, at, value),
        _ => return None,
    };
    let Expr::Load(from, of) = value else { return None };
    let element = |a: ArrayId| &kernel.arrays[a.0 as usize].elem;
    let plain = matches!(element(*to), Ty::Named(name) if bytes(name).is_some());
    let other = kernel.arrays[to.0 as usize].tensor != kernel.arrays[from.0 as usize].tensor;
    if !plain || !other || element(*to) != element(*from) || appended.contains(to) {
        return None;
    }
    // Where the element of the first index is, which can be told even if there is none.
    let first = |at: &Expr| {
        let base = difference(at, &Expr::Var(*var));
        let fixed = kernel.is_of_scalars(&base) && !kernel.depends(&base).contains(var);
        fixed.then(|| sum(&base, lo))
    };
    Some(CopyRow { to: (*to, first(at)?), from: (*from, first(of)?), count: difference(hi, lo) })
}
