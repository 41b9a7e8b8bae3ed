//! `$(..)`: Rust expressions inside a program, which give a value and do not leave the loop they stand in.

use super::{expected, fail};
use crate::ast::Expr;
use syn::parse::ParseStream;
use syn::visit::{self, Visit};
use syn::{parenthesized, token, Error, Lifetime, Result, Token};

/// `$(expr)`
pub fn escape(input: ParseStream<'_>) -> Result<Expr> {
    let dollar = input.parse::<Token![$]>()?;
    if !input.peek(token::Paren) {
        return expected(input, "`(` after `$`: a Rust expression is written `$(..)`");
    }
    let content;
    let parens = parenthesized!(content in input);
    if content.is_empty() {
        return fail(&content, "expected a Rust expression in `$(..)`");
    }
    let tokens = content.cursor().token_stream();
    // Parsed only to be checked: a mistake is reported here and not inside the generated code.
    let rust = content.parse::<syn::Expr>()?;
    stays(&rust)?;
    if !content.is_empty() {
        return expected(&content, "one Rust expression in `$(..)`");
    }
    let span = dollar.span.join(parens.span.close()).unwrap_or(dollar.span);
    Ok(Expr::Escape(tokens, span))
}

/// Refuses an expression that jumps to a loop around it: which one that is, lowering decides.
fn stays(rust: &syn::Expr) -> Result<()> {
    let mut jumps = Jumps::default();
    jumps.visit_expr(rust);
    jumps.found.map_or(Ok(()), Err)
}

/// The first jump out of an expression, and what loops and labels of its own are around the place at hand.
#[derive(Default)]
struct Jumps {
    loops: usize,
    labels: Vec<Lifetime>,
    found: Option<Error>,
}

impl Jumps {
    fn jump(&mut self, word: &str, span: proc_macro2::Span, label: Option<&Lifetime>) {
        let own = match label {
            Some(label) => self.labels.contains(label),
            None => self.loops > 0,
        };
        if !own && self.found.is_none() {
            self.found = Some(Error::new(span, format_args!(
                "`{word}` leaves a loop that is not in this Rust expression, and which one runs around it is not written: choose what is done by `if c {{ .. }}` around the assignment")));
        }
    }

    fn within(&mut self, label: Option<&syn::Label>, breaks: bool, f: impl FnOnce(&mut Self)) {
        let labels = self.labels.len();
        self.labels.extend(label.map(|l| l.name.clone()));
        self.loops += usize::from(breaks);
        f(self);
        self.loops -= usize::from(breaks);
        self.labels.truncate(labels);
    }
}

impl<'a> Visit<'a> for Jumps {
    fn visit_expr_break(&mut self, e: &'a syn::ExprBreak) {
        self.jump("break", e.break_token.span, e.label.as_ref());
        visit::visit_expr_break(self, e);
    }
    fn visit_expr_continue(&mut self, e: &'a syn::ExprContinue) {
        self.jump("continue", e.continue_token.span, e.label.as_ref());
    }
    fn visit_expr_loop(&mut self, e: &'a syn::ExprLoop) {
        self.within(e.label.as_ref(), true, |v| visit::visit_expr_loop(v, e));
    }
    fn visit_expr_while(&mut self, e: &'a syn::ExprWhile) {
        self.within(e.label.as_ref(), true, |v| visit::visit_expr_while(v, e));
    }
    fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
        self.visit_expr(&e.expr);
        self.within(e.label.as_ref(), true, |v| v.visit_block(&e.body));
    }
    fn visit_expr_block(&mut self, e: &'a syn::ExprBlock) {
        self.within(e.label.as_ref(), false, |v| visit::visit_expr_block(v, e));
    }
    // Jumps do not leave closures, tasks and items, as rustc says.
    fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'a syn::ExprAsync) {}
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
