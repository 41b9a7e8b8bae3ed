//! Tidies kernel IR before it is printed: what LLVM cannot do for want of aliasing facts or the
//! licence to reorder floats, and what a reader should not have to skip over.

mod abreast;
mod alike;
mod append;
mod blend;
mod blocks;
mod capacity;
mod capacity_of_loop;
mod copies;
mod dead;
mod entry_bound;
mod first_reduction;
mod flags;
mod flatten;
mod guards;
mod hoist;
mod hoist_loads;
mod inserted;
mod intersect;
mod jam;
mod lanes;
mod lengths;
mod moved_rows;
mod neighbors;
mod overwritten;
mod pairs;
mod panels;
mod positions;
mod promote;
mod remainders;
mod reuse_loads;
mod runs;
mod share;
mod tile;
mod tiles;
mod unswitch;
mod vectors;
mod wrapping_positions;
mod written_once;

pub use entry_bound::{entry_bound, Entries};

use crate::kernel::Kernel;
use crate::kir::Kir;
use crate::verify::{verify, FINISHED};

/// A pass.
type Pass = fn(&mut Kernel, Vec<Kir>) -> Vec<Kir>;

/// All passes, in order.
const PASSES: [(&str, Pass); 20] = [
    ("tidy", |kernel, code| tidy(kernel, code)),
    ("blocks", blocks::blocks),
    ("hoist", |kernel, code| hoist::hoist(kernel, code)),
    ("wrapping_positions", |kernel, code| wrapping_positions::wrap(kernel, code)),
    ("products", hoist::products),
    ("promote", promote::promote),
    ("flags", flags::flags),
    ("tiles", tiles::tiles),
    ("blend", blend::blend),
    ("lanes", |kernel, code| match kernel.strict {
        true => code,
        false => lanes::split(kernel, code),
    }),
    ("append", append::append),
    ("neighbors", neighbors::neighbors),
    ("copies", copies::copies),
    ("reuse_loads", reuse_loads::reuse_loads),
    ("intersect", intersect::intersect),
    ("hoist_loads", hoist_loads::hoist_loads),
    ("overwritten", overwritten::overwritten),
    ("abreast", abreast::abreast),
    ("moved_rows", moved_rows::moved_rows),
    ("unswitch", unswitch::unswitch),
];

/// The code after all passes, each of which leaves what `verify` asks for.
pub fn optimize(kernel: &mut Kernel, code: Vec<Kir>) -> Vec<Kir> {
    verify(kernel, &code, "finish");
    let code = PASSES.iter().fold(code, |code, (name, pass)| {
        let code = pass(kernel, code);
        verify(kernel, &code, name);
        code
    });
    verify(kernel, &code, FINISHED);
    kernel.vectors |= vectors::any(kernel, &code);
    code
}

/// The names of all passes, in order.
#[doc(hidden)]
pub fn passes() -> impl Iterator<Item = &'static str> {
    PASSES.iter().map(|(name, _)| *name)
}

/// The code after the pass `name` alone, verified before and after: for tests of one pass. `None` if there is none.
#[doc(hidden)]
pub fn pass(name: &str, kernel: &mut Kernel, code: Vec<Kir>) -> Option<Vec<Kir>> {
    let (name, pass) = PASSES.iter().find(|(n, _)| *n == name)?;
    verify(kernel, &code, "input");
    let code = pass(kernel, code);
    verify(kernel, &code, name);
    Some(code)
}

/// Only what a reader should not have to skip over.
pub fn tidy(kernel: &Kernel, code: Vec<Kir>) -> Vec<Kir> {
    flatten::flatten(dead::remove(kernel, flatten::flatten(code)))
}
