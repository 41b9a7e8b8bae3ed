//! Tokens to [`ast`](crate::ast): its own grammar over syn's token cursor, because index notation
//! only looks like Rust, and a Rust parser would answer a mistake with advice for another language.
//!
//! A statement that fails is recorded and skipped, so that one compilation shows the mistakes of
//! the whole kernel. Expressions and types report their first mistake only.

mod alternatives;
mod assign;
pub mod elsewhere;
mod escape;
mod expr;
mod habits;
mod header;
mod instead;
mod literal;
mod loops;
mod operand;
mod producers;
mod promise;
mod shape;
mod stmt;
mod unread;
mod wishes;
mod written;

pub use expr::symbol;
pub use instead::{apart, hides_a_sum, update};
pub use written::{operand, written};

use crate::ast::Program;
use crate::diagnostics::{Diagnostics, Errors};
use proc_macro2::{Delimiter, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Error, Ident, Result};

/// The input of `finch!`: one or more functions, or one inline program.
pub fn programs(tokens: TokenStream) -> std::result::Result<Vec<Program>, Errors> {
    crate::nesting::check(&tokens)?;
    let mut diags = Diagnostics::new();
    let mut programs = Vec::new();
    let parsed = (|input: ParseStream<'_>| {
        programs = header::programs(input, &mut diags);
        programs.iter_mut().for_each(producers::hoist);
        Ok(())
    })
    .parse2(tokens);
    // Whoever gives up inside a group leaves tokens there, which syn reports once more: only
    // without an error of our own does its report say something new.
    match parsed {
        Err(error) if diags.is_empty() => diags.push(error),
        _ => {}
    }
    diags.check(programs)
}

/// Where the next token stands, or the last one if there is no next.
fn here(input: ParseStream<'_>) -> Span {
    if input.is_empty() {
        input.cursor().prev_span()
    } else {
        input.span()
    }
}

/// An error at the next token.
fn fail<T>(input: ParseStream<'_>, message: impl std::fmt::Display) -> Result<T> {
    Err(Error::new(here(input), message))
}

/// "expected .., found .." at the next token.
fn expected<T>(input: ParseStream<'_>, what: impl std::fmt::Display) -> Result<T> {
    fail(input, format_args!("expected {what}, found {}", found(input)))
}

/// "expected .., found ..: advice" at the next token.
fn advise<T>(
    input: ParseStream<'_>,
    what: impl std::fmt::Display,
    advice: impl std::fmt::Display,
) -> Result<T> {
    fail(input, format_args!("expected {what}, found {}: {advice}", found(input)))
}

/// A type; syn's own list of everything a type may begin with helps nobody.
fn ty(input: ParseStream<'_>) -> Result<syn::Type> {
    let start = input.cursor();
    match input.call(syn::Type::without_plus) {
        Err(_) if input.cursor() == start => expected(input, "a type"),
        result => result,
    }
}

/// The next token in words.
fn found(input: ParseStream<'_>) -> String {
    if input.is_empty() {
        return "the end".into();
    }
    if let Some((lifetime, _)) = input.cursor().lifetime() {
        return format!("`{lifetime}`");
    }
    let run = Run::peek(input);
    if !run.text.is_empty() {
        return format!("`{}`", run.head());
    }
    let mut cursor = input.cursor();
    while let Some((inside, Delimiter::None, ..)) = cursor.any_group() {
        cursor = inside;
    }
    match cursor.token_tree() {
        Some((TokenTree::Group(group), _)) => match group.delimiter() {
            Delimiter::Parenthesis => "`(`".into(),
            Delimiter::Bracket => "`[`".into(),
            _ => "`{`".into(),
        },
        Some((token, _)) => format!("`{token}`"),
        None => "the end of a macro fragment".into(),
    }
}

/// Punctuation typed without a space: the longest thing that can be one operator.
struct Run {
    text: String,
    puncts: Vec<Punct>,
}

impl Run {
    /// The run at the next token; empty if that is no punctuation.
    fn peek(input: ParseStream<'_>) -> Run {
        Run::at(input.cursor())
    }

    fn at(mut cursor: Cursor<'_>) -> Run {
        let (mut text, mut puncts) = (String::new(), Vec::new());
        while let Some((punct, rest)) = cursor.punct() {
            let joint = punct.spacing() == Spacing::Joint;
            text.push(punct.as_char());
            puncts.push(punct);
            cursor = rest;
            if !joint {
                break;
            }
        }
        Run { text, puncts }
    }

    /// The part worth showing: operator characters, without the separator or `$` that may follow.
    fn head(&self) -> &str {
        let end = self.text.find([';', ',', '$', '#', '\'']).unwrap_or(self.text.len());
        &self.text[..end.max(1)]
    }

    /// The first `n` characters as one span, as far as the compiler can join spans.
    fn span(&self, n: usize) -> Span {
        let first = self.puncts[0].span();
        first.join(self.puncts[n.max(1) - 1].span()).unwrap_or(first)
    }
}

/// Passes over `n` characters of punctuation.
fn bump(input: ParseStream<'_>, n: usize) -> Result<()> {
    for _ in 0..n {
        input.step(|c| {
            c.punct().map(|(_, rest)| ((), rest)).ok_or_else(|| c.error("expected punctuation"))
        })?;
    }
    Ok(())
}

/// Passes over one token or group; whether there was one.
fn bump_tree(input: ParseStream<'_>) -> Option<TokenTree> {
    input.step(|c| c.token_tree().ok_or_else(|| c.error("expected a token"))).ok()
}

/// The next token as a word, keywords included.
fn word(input: ParseStream<'_>) -> Option<Ident> {
    if input.peek(Ident::peek_any) {
        input.fork().call(Ident::parse_any).ok()
    } else {
        None
    }
}

/// Whether the next token is the word `text`.
fn at_word(input: ParseStream<'_>, text: &str) -> bool {
    word(input).is_some_and(|w| w == text)
}

/// A name; `what` says what it would name.
fn name(input: ParseStream<'_>, what: &str) -> Result<Ident> {
    match word(input) {
        Some(w) if !input.peek(Ident) => {
            let advice = match w.to_string().as_str() {
                "_" => "give it a name",
                "self" => {
                    "bind the field in front of the program, `let a = &self.a;`, and name that"
                }
                _ => "a Rust keyword cannot be a name",
            };
            fail(input, format_args!("expected {what}, found `{w}`: {advice}"))
        }
        Some(_) => input.parse(),
        None => expected(input, what),
    }
}

/// After a mistake in the head of something with a body: passes over the rest of the head, so
/// that the mistakes in the body are found too. Without a body the mistake is the caller's.
fn or_find_body<T>(
    result: Result<T>,
    input: ParseStream<'_>,
    diags: &mut Diagnostics,
) -> Result<Option<T>> {
    let error = match result {
        Ok(value) => return Ok(Some(value)),
        Err(error) => error,
    };
    if !find_body(input) {
        return Err(error);
    }
    diags.push(error);
    Ok(None)
}

/// Passes over tokens up to the next body of the same statement; whether there is one.
fn find_body(input: ParseStream<'_>) -> bool {
    while !input.is_empty() && !input.peek(syn::Token![;]) && !input.peek(syn::token::Brace) {
        bump_tree(input);
    }
    input.peek(syn::token::Brace)
}

/// Items of a comma-separated list up to the end of `input`; a mistake costs one item.
fn list<T>(
    input: ParseStream<'_>,
    diags: &mut Diagnostics,
    mut item: impl FnMut(ParseStream<'_>) -> Result<T>,
) -> Vec<T> {
    let mut items = Vec::new();
    while !input.is_empty() {
        let start = input.cursor();
        let result = item(input).and_then(|value| {
            items.push(value);
            if input.is_empty() || input.peek(syn::Token![,]) {
                Ok(())
            } else {
                expected(input, "`,`")
            }
        });
        if let Err(error) = result {
            diags.push(error);
            skip_item(input, start, false);
        }
        bump_tree(input);
    }
    items
}

/// Passes over the rest of a list item that began at `start`: to a `,` outside angle brackets, or
/// to the `>` that closes the list if it stands in angle brackets.
fn skip_item(input: ParseStream<'_>, start: Cursor<'_>, angle: bool) {
    let reached = input.cursor();
    let (mut at, mut depth, mut arrow) = (start, 0usize, false);
    while let Some((token, next)) = at.token_tree() {
        let TokenTree::Punct(punct) = token else {
            (at, arrow) = (next, false);
            continue;
        };
        match punct.as_char() {
            '<' => depth += 1,
            '>' if arrow => {}
            '>' if depth > 0 => depth -= 1,
            '>' if angle && at >= reached => break,
            ',' if depth == 0 && at >= reached => break,
            _ => {}
        }
        arrow = matches!(punct.as_char(), '-' | '=') && punct.spacing() == Spacing::Joint;
        at = next;
    }
    while input.cursor() < at && bump_tree(input).is_some() {}
}
