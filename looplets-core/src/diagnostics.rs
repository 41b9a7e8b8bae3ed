//! Errors of one stage, collected so that the user sees all of them at once, each at its token.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

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
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
    /// Forgets those behind the first `count`: they were met where nothing is said.
    pub fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }
    /// `value`, or all the errors in source order: the stop between two stages.
    pub fn check<T>(mut self, value: T) -> Result<T, Errors> {
        if self.0.is_empty() {
            return Ok(value);
        }
        self.0.sort_by_key(|e| {
            let start = e.span().start();
            (start.line, start.column)
        });
        Err(Errors(self.0))
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
    /// How many there are.
    pub fn count(&self) -> usize {
        self.iter().count()
    }
    /// Each of them, with the span of its token.
    pub fn iter(&self) -> impl Iterator<Item = syn::Error> + '_ {
        self.0.iter().flat_map(|e| e.clone().into_iter())
    }
    /// Each with the tokens at fault, for front ends that show them their own way.
    pub fn each(&self) -> impl Iterator<Item = (Span, String)> + '_ {
        let all = self.0.iter().flat_map(|e| e.clone().into_iter());
        all.map(|e| (e.span(), e.to_string()))
    }
    /// `line:column: message` per error, columns from 1.
    pub fn render(&self) -> String {
        let mut out = String::new();
        for error in self.iter() {
            let start = error.span().start();
            out += &format!("{}:{}: {error}\n", start.line, start.column + 1);
        }
        out
    }
}

/// `1 index`, `2 indices`.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Tokens as a person writes a type: `Csr<f64, u32>`, where `to_string` may say `Csr < f64 , u32 >`.
pub fn text(tokens: impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut chars = spaced.chars().peekable();
    while let Some(c) = chars.next() {
        let between = |out: &str, next: Option<&char>| {
            let last = out.chars().next_back();
            last.is_some_and(|l| ",;".contains(l))
                || last.is_some_and(word) && next.is_some_and(|n| word(*n))
        };
        if c != ' ' || between(&out, chars.peek()) {
            out.push(c);
        }
    }
    out
}
