//! `(A<f64> | B<f64>)`: the formats that an operand of a function may have.

use super::{bump, expected, fail, ty};
use syn::parse::ParseStream;
use syn::{parenthesized, token, Error, Result, Token, Type};

/// Whether parentheses with a `|` in them come next.
pub(super) fn begin(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let inside = |ahead: ParseStream<'_>| {
        let content;
        parenthesized!(content in ahead);
        let mut any = false;
        while !content.is_empty() {
            any |= content.peek(Token![|]);
            super::bump_tree(&content);
        }
        Ok(any)
    };
    input.peek(token::Paren) && inside(&ahead).unwrap_or(false)
}

/// The formats, at least one.
pub(super) fn formats(input: ParseStream<'_>) -> Result<(Type, Vec<Type>)> {
    let content;
    parenthesized!(content in input);
    let first = ty(&content)?;
    let mut others: Vec<Type> = Vec::new();
    while !content.is_empty() {
        if !content.peek(Token![|]) {
            return expected(&content, "`|` and another format");
        }
        bump(&content, 1)?;
        if content.is_empty() {
            return fail(&content, "expected another format behind `|`");
        }
        let other = ty(&content)?;
        if other == first || others.contains(&other) {
            return Err(Error::new_spanned(other, "this format stands here twice: leave one out"));
        }
        others.push(other);
    }
    Ok((first, others))
}
