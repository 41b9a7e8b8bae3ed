//! Errors of one stage, collected so that the user sees all of them at once, each at its token.

use proc_macro2::{Span, TokenStream};

/// The errors a stage has met so far.
#[derive(Default)]
pub struct Diagnostics(Vec<syn::Error>);

impl Diagnostics {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Records `message` at `span`.
    pub fn error(&mut self, span: Span, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new(span, message));
    }
    /// Records an error of the Rust parser.
    pub fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// `value`, or all the errors: the stop between two stages.
    pub fn check<T>(self, value: T) -> Result<T, Errors> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(Errors(self.0))
        }
    }
}

/// The errors of the stage that stopped the compilation; at least one.
#[derive(Debug)]
pub struct Errors(Vec<syn::Error>);

impl From<syn::Error> for Errors {
    fn from(e: syn::Error) -> Self {
        Errors(vec![e])
    }
}

impl Errors {
    /// `compile_error!` at each token at fault.
    pub fn to_compile_error(&self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
    /// `line:column: message` per error, columns from 1.
    pub fn render(&self) -> String {
        let mut out = String::new();
        for error in self.0.iter().flat_map(|e| e.clone().into_iter()) {
            let start = error.span().start();
            out += &format!("{}:{}: {error}\n", start.line, start.column + 1);
        }
        out
    }
}
