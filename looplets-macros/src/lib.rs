//! The proc-macro shim: every macro here hands its tokens to `looplets_core` and no more.

use looplets_core::expand;
use looplets_core::simplify::Simplifier;
use proc_macro::TokenStream;
use std::cell::RefCell;

thread_local! {
    /// Compiling the rules costs more than a kernel's average term: once a process is enough.
    static SIMPLIFIER: RefCell<Simplifier> = RefCell::new(Simplifier::new(looplets_rewrites::standard()));
}

fn with(f: impl FnOnce(&mut Simplifier) -> proc_macro2::TokenStream) -> TokenStream {
    SIMPLIFIER.with(|s| f(&mut s.borrow_mut())).into()
}

/// First step of `finch!` and `explain!`: `[crate] mode { program }`.
#[proc_macro]
#[doc(hidden)]
pub fn start(input: TokenStream) -> TokenStream {
    with(|s| expand::start(input.into(), s))
}

/// Further steps, called back by the macros of formats.
#[proc_macro]
#[doc(hidden)]
pub fn step(input: TokenStream) -> TokenStream {
    with(|s| expand::step(input.into(), s))
}

/// What a declaration is known by: `origin { declaration }`, from the macro of its name.
#[proc_macro]
#[doc(hidden)]
pub fn print(input: TokenStream) -> TokenStream {
    expand::print(input.into()).into()
}

/// `level!`: `[crate] declaration`.
#[proc_macro]
#[doc(hidden)]
pub fn level(input: TokenStream) -> TokenStream {
    with(|s| expand::level(input.into(), s))
}
