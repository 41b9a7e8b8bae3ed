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

pub use bounded::{most_entries, Entries};

use crate::cin::*;
use crate::kernel::Kernel;
use crate::kir::K;
use crate::verify::{verify, FINISHED};

/// A pass.
type Pass = fn(&mut Kernel, Vec<K>) -> Vec<K>;

/// All passes, in order.
const PASSES: [(&str, Pass); 11] = [
    ("tidy", |kernel, code| tidy(kernel, code)),
    ("hoist", |kernel, code| hoist::hoist(kernel, code)),
    ("places", |kernel, code| places::places(kernel, code)),
    ("products", hoist::products),
    ("promote", promote::promote),
    ("lanes", |kernel, code| match kernel.strict {
        true => code,
        false => lanes::split(kernel, code),
    }),
    ("append", append::append),
    ("carry", carry::carry),
    ("meet", meet::meet),
    ("again", again::again),
    ("overwritten", overwritten::overwritten),
];

/// The code after all passes, each of which leaves what `verify` asks for.
pub fn optimize(kernel: &mut Kernel, code: Vec<K>) -> Vec<K> {
    verify(kernel, &code, "finish");
    let code = PASSES.iter().fold(code, |code, (name, pass)| {
        let code = pass(kernel, code);
        verify(kernel, &code, name);
        code
    });
    verify(kernel, &code, FINISHED);
    code
}

/// Only what a reader should not have to skip over.
pub fn tidy(kernel: &Kernel, code: Vec<K>) -> Vec<K> {
    merge::merge(dead::remove(kernel, merge::merge(code)))
}

/// Whether `e` mentions the array `a`.
fn mentions(kernel: &Kernel, e: &Expr, a: ArrayId) -> bool {
    kernel.mentions(e, a)
}
