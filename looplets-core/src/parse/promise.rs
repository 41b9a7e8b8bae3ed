//! `#![cost(stored(a) + len(i))]`: what a program promises to cost at most, in the words in which costs are told.

use super::name;
use crate::ast::promise::Bound;
use syn::parse::ParseStream;
use syn::{parenthesized, token, Error, Ident, LitFloat, LitInt, Result, Token};

const EXPECTED: &str =
    "a size `len(i)`, entries `stored(a)`, `min(.., ..)`, `max(.., ..)`, a number or `(..)`";

/// The highest power that is read, which is multiplied out.
const MOST_POWER: u32 = 16;

/// All that stands between the brackets.
pub(super) fn bound(input: ParseStream<'_>) -> Result<Bound> {
    let all = sum(input)?;
    match input.is_empty() {
        true => Ok(all),
        false => Err(input.error("expected `+`, `*` or `/` between costs")),
    }
}

fn sum(input: ParseStream<'_>) -> Result<Bound> {
    let mut all = vec![product(input)?];
    while input.peek(Token![+]) {
        let _: Token![+] = input.parse()?;
        all.push(product(input)?);
    }
    if input.peek(Token![-]) {
        return Err(input.error("nothing is taken off a cost: leave out what follows `-`"));
    }
    Ok(single(all, Bound::Sum))
}

fn product(input: ParseStream<'_>) -> Result<Bound> {
    let mut all = power(input)?;
    loop {
        if input.peek(Token![*]) {
            let _: Token![*] = input.parse()?;
            all = Bound::Product(vec![all, power(input)?]);
        } else if input.peek(Token![/]) {
            let _: Token![/] = input.parse()?;
            all = Bound::Quotient(Box::new(all), Box::new(power(input)?));
        } else {
            return Ok(all);
        }
    }
}

fn power(input: ParseStream<'_>) -> Result<Bound> {
    let base = atom(input)?;
    if !input.peek(Token![^]) {
        return Ok(base);
    }
    let _: Token![^] = input.parse()?;
    let literal: LitInt = input.parse()?;
    match literal.base10_parse() {
        Ok(n @ 1..=MOST_POWER) => Ok(Bound::Product(vec![base; n as usize])),
        _ => Err(Error::new(literal.span(), format!("expected a power from 1 to {MOST_POWER}"))),
    }
}

fn atom(input: ParseStream<'_>) -> Result<Bound> {
    if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        return bound(&content);
    }
    if input.peek(LitInt) || input.peek(LitFloat) {
        let (literal, span): (f64, _) = match input.peek(LitInt) {
            true => {
                let literal: LitInt = input.parse()?;
                (literal.base10_parse()?, literal.span())
            }
            false => {
                let literal: LitFloat = input.parse()?;
                (literal.base10_parse()?, literal.span())
            }
        };
        // Numbers above 0 make no difference, but a cost of 0 times something is none.
        return match literal > 0.0 {
            true => Ok(Bound::Number),
            false => {
                Err(Error::new(span, "expected a number above 0: what costs nothing is left out"))
            }
        };
    }
    let word: Ident = name(input, EXPECTED)?;
    if !input.peek(token::Paren) {
        return Err(Error::new(word.span(), format!(
            "expected {EXPECTED}: the size that an index `{word}` runs over is `len({word})`, the entries of a tensor `stored({word})`")));
    }
    let content;
    parenthesized!(content in input);
    match word.to_string().as_str() {
        "len" => one(&content, "an index, as in `len(i)`").map(Bound::Len),
        "stored" => one(&content, "an operand, as in `stored(a)`").map(Bound::Stored),
        "min" => several(&content, &word).map(Bound::Least),
        "max" => several(&content, &word).map(Bound::Sum),
        "log" => Err(Error::new(
            word.span(),
            "costs count steps, and a search is one, so there are no logarithms in them: leave it out",
        )),
        _ => Err(Error::new(word.span(), format!("unknown function: expected {EXPECTED}"))),
    }
}

fn one(content: ParseStream<'_>, what: &str) -> Result<Ident> {
    let named = name(content, what)?;
    match content.is_empty() {
        true => Ok(named),
        false => Err(content.error(format!("expected {what} and nothing else"))),
    }
}

fn several(content: ParseStream<'_>, word: &Ident) -> Result<Vec<Bound>> {
    let all = content.parse_terminated(sum, Token![,])?;
    match all.is_empty() {
        true => Err(Error::new(word.span(), format!("`{word}` needs costs in parentheses"))),
        false => Ok(all.into_iter().collect()),
    }
}

/// The one in `all`, or `of` them.
fn single(mut all: Vec<Bound>, of: fn(Vec<Bound>) -> Bound) -> Bound {
    match all.len() {
        1 => all.remove(0),
        _ => of(all),
    }
}
