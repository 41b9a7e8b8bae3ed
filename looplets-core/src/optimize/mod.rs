//! Tidies kernel IR before it is printed: what LLVM cannot do for want of aliasing facts or the
//! licence to reorder floats, and what a reader should not have to skip over.

mod again;
mod append;
mod bounded;
mod carry;
mod dead;
mod fresh;
mod guards;
mod hoist;
mod iterations;
mod lanes;
mod lengths;
mod meet;
mod merge;
mod most;
mod overwritten;
mod places;
mod promote;

pub use bounded::most_entries;

use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::K;
use crate::lower::parallel_check::{self, Bindings};

/// All passes, in order.
pub fn optimize(kernel: &mut Kernel, code: Vec<K>) -> Vec<K> {
    let code = tidy(kernel, code);
    let code = hoist::hoist(kernel, code);
    let code = places::places(kernel, code);
    let code = hoist::products(kernel, code);
    let code = promote::promote(kernel, code);
    let code = match kernel.strict {
        true => code,
        false => lanes::split(kernel, code),
    };
    let code = append::append(kernel, code);
    let code = carry::carry(kernel, code);
    let code = meet::meet(kernel, code);
    let code = again::again(kernel, code);
    let code = overwritten::overwritten(kernel, code);
    parallel_check::verify(kernel, &code, Bindings::Read);
    code
}

/// Only what a reader should not have to skip over.
pub fn tidy(kernel: &Kernel, code: Vec<K>) -> Vec<K> {
    merge::merge(dead::remove(kernel, merge::merge(code)))
}

/// Whether `e` mentions the array `a`.
fn mentions(kernel: &Kernel, e: &Expr, a: ArrayId) -> bool {
    let mut found = false;
    e.walk(&mut |x| match x {
        Expr::Load(b, _) | Expr::Array(b) => found |= *b == a,
        Expr::Raw(r) => {
            found |= kernel.raws[r.0 as usize].names.iter().any(|(_, e)| mentions(kernel, e, a))
        }
        _ => {}
    });
    found
}
