//! `#![schedule(order(i, k, j), spread(x))]`: what a program settles of what the scheduler would choose.

use super::name;
use crate::ast::{Wish, WishKind};
use syn::parse::ParseStream;
use syn::{parenthesized, Error, Ident, LitInt, Result, Token};

/// All that stand between the brackets.
pub(super) fn wishes(input: ParseStream<'_>) -> Result<Vec<Wish>> {
    let all = input.parse_terminated(wish, Token![,])?;
    match all.is_empty() {
        true => Err(Error::new(input.span(), format!("expected what is settled: {EXPECTED}"))),
        false => Ok(all.into_iter().collect()),
    }
}

const EXPECTED: &str =
    "`order(i, j)`, `spread(x)`, `merge(x)`, `walk(j)`, `gallop(j)`, `first(a, b)`, `at_once`, `turn(a)`, `as_stored`, `dense(c)`, `hash(c)`, `runs(y)`, `bits(y)`, `way(1)` or `inside`";

fn wish(input: ParseStream<'_>) -> Result<Wish> {
    let word: Ident = name(input, EXPECTED)?;
    let kind = match word.to_string().as_str() {
        "order" => WishKind::Order(several(input, &word, "an index, as in `order(i, k, j)`")?),
        "spread" => WishKind::Spread(one(input, &word)?),
        "merge" => WishKind::Merge(one(input, &word)?),
        "first" => WishKind::First(several(input, &word, "an operand, as in `first(a, b)`")?),
        "at_once" => WishKind::AtOnce,
        "as_stored" => WishKind::AsStored,
        "turn" => WishKind::Turn(one(input, &word)?),
        "walk" => WishKind::Walk(one(input, &word)?),
        "gallop" => WishKind::Gallop(one(input, &word)?),
        "dense" => WishKind::ByPlace(one(input, &word)?),
        "hash" => WishKind::Hashed(one(input, &word)?),
        "runs" => WishKind::Runs(one(input, &word)?),
        "bits" => WishKind::Bits(one(input, &word)?),
        "way" => {
            let content;
            open(input, &word, "the number of a way")?;
            parenthesized!(content in input);
            let number: LitInt = content.parse()?;
            match number.base10_parse() {
                Ok(n @ 1..) => WishKind::Way(n),
                _ => return Err(Error::new(number.span(), "ways are counted from 1")),
            }
        }
        "inside" => WishKind::Inside,
        _ => return Err(Error::new(word.span(), format!("unknown word: expected {EXPECTED}"))),
    };
    Ok(Wish { kind, span: word.span() })
}

/// That parentheses follow `word`.
fn open(input: ParseStream<'_>, word: &Ident, of: &str) -> Result<()> {
    match input.peek(syn::token::Paren) {
        true => Ok(()),
        false => Err(Error::new(word.span(), format!("`{word}` needs {of} in parentheses"))),
    }
}

fn several(input: ParseStream<'_>, word: &Ident, what: &str) -> Result<Vec<Ident>> {
    let content;
    open(input, word, "names")?;
    parenthesized!(content in input);
    let mut named = Vec::new();
    while !content.is_empty() {
        named.push(name(&content, what)?);
        if !content.is_empty() {
            let _: Token![,] = content.parse()?;
        }
    }
    match named.is_empty() {
        true => Err(Error::new(word.span(), format!("`{word}` needs names in parentheses"))),
        false => Ok(named),
    }
}

fn one(input: ParseStream<'_>, word: &Ident) -> Result<Ident> {
    let content;
    open(input, word, "one name")?;
    parenthesized!(content in input);
    let named = name(&content, "one name")?;
    match content.is_empty() {
        true => Ok(named),
        false => Err(content.error(format!("`{word}` is of one name: write another `{word}(..)`"))),
    }
}
