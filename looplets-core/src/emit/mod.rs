//! Prints kernel IR as Rust tokens: hygienic names, user spans, no arithmetic that can overflow.
//!
//! The same printer has a readable mode for people (`explain!`): plain indexing and a comment per
//! region, where the compiled form has calls of inlined helpers.

pub mod alternatives;
mod append;
mod arrays;
mod beside;
mod call;
mod code;
mod construct;
mod convert;
mod declared;
mod expr;
mod foreign;
mod function;
mod infix;
mod item;
mod parallel;
mod pieces;
mod places;
mod room;
mod runtime;
mod sums;
mod text;
mod update;
pub mod ways;

pub use item::{document, returned};

use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use proc_macro2::{Ident, Span, TokenStream};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// Who will read the tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reader {
    /// rustc.
    Rustc,
    /// People.
    Person,
}

/// The printer of one kernel.
pub(crate) struct Emit<'a> {
    pub kernel: &'a Kernel,
    pub reader: Reader,
    /// Whether the code is compiled for x86-64-v3, whatever the program is built for.
    pub wide: bool,
    /// How many loops stand around the statement at hand, and the outermost of them, if its bounds are told by name.
    loops: Cell<usize>,
    outermost: RefCell<Option<Outermost>>,
    /// Arrays that elements are put into, told by where they are in the array: those that are found there may be stored to.
    rooms: RefCell<BTreeSet<ArrayId>>,
    /// Arrays without elements, all of which are being put ([`Kir::Written`]).
    unfilled: RefCell<BTreeSet<ArrayId>>,
}

/// A loop over a range: its index, where it begins and where it ends.
#[derive(Clone)]
struct Outermost {
    at: Ident,
    lo: TokenStream,
    hi: TokenStream,
}

/// The whole body of the kernel, optimised: what stands before and after the loops included.
pub fn finish(kernel: &mut Kernel, code: &[Kir]) -> Vec<Kir> {
    let code = function::whole(kernel, code);
    crate::optimize::optimize(kernel, code)
}

/// The finished kernel as an item (function form) or an expression (inline form).
pub fn print(kernel: &Kernel, code: &[Kir], reader: Reader) -> TokenStream {
    item::assemble(kernel, code, reader)
}

impl<'a> Emit<'a> {
    /// Prints for `reader`.
    pub fn new(kernel: &'a Kernel, reader: Reader) -> Self {
        let (loops, outermost, rooms, unfilled) = Default::default();
        Emit { kernel, reader, wide: false, loops, outermost, rooms, unfilled }
    }

    /// The identifier of a variable: the user's spelling and place, hygienic.
    pub fn ident(&self, v: VarId) -> Ident {
        let info = self.kernel.info(v);
        match (&info.ident, info.kind) {
            (Some(user), VarKind::Outer) => user.clone(),
            (Some(user), _) => Ident::new(&info.name, user.span().resolved_at(Span::mixed_site())),
            (None, _) => Ident::new(&info.name, Span::mixed_site()),
        }
    }
    /// The identifier of an array.
    pub fn array(&self, a: ArrayId) -> Ident {
        Ident::new(&self.kernel.arrays[a.0 as usize].name, Span::mixed_site())
    }
}

/// The loops as lowering left them, for people.
pub fn lowered(kernel: &Kernel, code: &[Kir]) -> String {
    pretty(Emit::new(kernel, Reader::Person).code(code))
}

/// Tokens for people: formatted, with the comments of regions.
pub fn pretty(tokens: TokenStream) -> String {
    let file: syn::File = match syn::parse2(tokens.clone()) {
        Ok(file) => file,
        Err(_) => match syn::parse2(quote::quote!(fn kernel() { #tokens })) {
            Ok(file) => file,
            Err(_) => return tokens.to_string(),
        },
    };
    let text = prettyplease::unparse(&file).replace("$crate::", "looplets::");
    let mut out = String::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        match trimmed.strip_prefix("remark!(\"").and_then(|t| t.strip_suffix("\");")) {
            Some(remark) => {
                out += &line[..line.len() - trimmed.len()];
                out += "// ";
                out += remark;
            }
            None => out += line,
        }
        out.push('\n');
    }
    out
}
