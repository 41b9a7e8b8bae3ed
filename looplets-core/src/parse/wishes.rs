//! `#![schedule(order(i, k, j), spread(x))]`: what a program settles of what the scheduler would choose.

use super::name;
use crate::ast::{Wish, WishKind};
use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::{parenthesized, Error, Ident, LitInt, Result, Token};

/// All that stand between the brackets.
pub(super) fn wishes(input: ParseStream<'_>) -> Result<Vec<Wish>> {
    let all = input.parse_terminated(wish, Token![,])?;
    let all: Vec<Wish> = all.into_iter().collect();
    if all.is_empty() {
        return Err(Error::new(input.span(), format!("expected what is settled: {EXPECTED}")));
    }
    for (n, wish) in all.iter().enumerate() {
        let Some(word) = said_once(&wish.kind) else { continue };
        if all[..n].iter().any(|other| said_once(&other.kind) == Some(word)) {
            return Err(Error::new(
                wish.span,
                format_args!("`{word}` is said once: leave one out"),
            ));
        }
    }
    Ok(all)
}

/// The word, if it is for the program as a whole.
fn said_once(kind: &WishKind) -> Option<&'static str> {
    match kind {
        WishKind::Tile(_) => Some("tile"),
        WishKind::Way(_) => Some("way"),
        WishKind::Ways(_) => Some("ways"),
        WishKind::Inside => Some("inside"),
        _ => None,
    }
}

const EXPECTED: &str =
    "`order(i, j)`, `spread(x)`, `merge(x)`, `walk(j)`, `gallop(j)`, `first(a, b)`, `first(a, b, for i)`, `at_once`, `turn(a)`, `as_stored`, `late(m)`, `early(m)`, `dense(c)`, `hash(c)`, `workspace(c: Format)`, `locate(x)`, `tile(8)`, `runs(y)`, `bits(y)`, `way(1)`, `ways(5)` or `inside`";

/// Each way is a copy of the kernel, and the look at sizes that picks one is to cost nothing.
const MOST_WAYS: usize = 16;

fn wish(input: ParseStream<'_>) -> Result<Wish> {
    let word: Ident = name(input, EXPECTED)?;
    let kind = match word.to_string().as_str() {
        "order" => {
            let content;
            open(input, &word, "names")?;
            parenthesized!(content in input);
            WishKind::Order(several(&content, &word, "an index, as in `order(i, k, j)`")?)
        }
        "spread" => WishKind::Spread(one(input, &word)?),
        "merge" => WishKind::Merge(one(input, &word)?),
        "first" => first(input, &word)?,
        "at_once" => WishKind::AtOnce,
        "as_stored" => WishKind::AsStored,
        "turn" => WishKind::Turn(one(input, &word)?),
        "walk" => WishKind::Walk(one(input, &word)?),
        "gallop" => WishKind::Gallop(one(input, &word)?),
        "late" => WishKind::Late(one(input, &word)?),
        "early" => WishKind::Early(one(input, &word)?),
        "dense" => WishKind::ByPlace(one(input, &word)?),
        "hash" => WishKind::Hashed(one(input, &word)?),
        "workspace" => {
            let content;
            open(input, &word, "a name and a format, as in `workspace(c: Format)`,")?;
            parenthesized!(content in input);
            let of = name(&content, "a name")?;
            let _: Token![:] = content.parse()?;
            let ty: syn::Type = content.parse()?;
            match content.is_empty() {
                true => WishKind::Workspace(of, Box::new(ty)),
                false => {
                    return Err(
                        content.error("`workspace` is of one name: write another `workspace(..)`")
                    )
                }
            }
        }
        "locate" => WishKind::Locate(one(input, &word)?),
        "tile" => match number(input, &word, "the elements of a tile")? {
            (0, span) => {
                return Err(Error::new(
                    span,
                    "a tile has one element at least, with which there are no tiles",
                ))
            }
            (n, _) if n.is_power_of_two() => WishKind::Tile(n),
            (n, span) => {
                let less = 1 << n.ilog2();
                return Err(Error::new(
                    span,
                    format_args!("a tile has a power of two elements: write `tile({less})`"),
                ));
            }
        },
        "runs" => WishKind::Runs(one(input, &word)?),
        "bits" => WishKind::Bits(one(input, &word)?),
        "way" => match number(input, &word, "the number of a way")? {
            (n @ 1.., _) => WishKind::Way(n),
            (_, span) => return Err(Error::new(span, "ways are counted from 1")),
        },
        "ways" => match number(input, &word, "the most ways that are kept")? {
            (n @ 1..=MOST_WAYS, _) => WishKind::Ways(n),
            (_, span) => {
                return Err(Error::new(
                    span,
                    format_args!("one way is kept at least, and {MOST_WAYS} at most"),
                ))
            }
        },
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

/// The number in parentheses behind `word`; 0 stands for one that is no number of things.
fn number(input: ParseStream<'_>, word: &Ident, of: &str) -> Result<(usize, Span)> {
    let content;
    open(input, word, of)?;
    parenthesized!(content in input);
    let number: LitInt = content.parse()?;
    match content.is_empty() {
        true => Ok((number.base10_parse().unwrap_or(0), number.span())),
        false => Err(content.error(format!("`{word}` is of one number"))),
    }
}

/// The names up to the end of `content`, or to a `for` in it.
fn several(content: ParseStream<'_>, word: &Ident, what: &str) -> Result<Vec<Ident>> {
    let mut named = Vec::new();
    while !content.is_empty() && !content.peek(Token![for]) {
        named.push(name(content, what)?);
        if !content.is_empty() {
            let _: Token![,] = content.parse()?;
        }
    }
    match named.is_empty() {
        true => Err(Error::new(word.span(), format!("`{word}` needs names in parentheses"))),
        false => Ok(named),
    }
}

/// `first(a, b)` or `first(a, b, for i)`.
fn first(input: ParseStream<'_>, word: &Ident) -> Result<WishKind> {
    let content;
    open(input, word, "names")?;
    parenthesized!(content in input);
    let operands = several(&content, word, "an operand, as in `first(a, b)`")?;
    let each: Option<Token![for]> = content.parse()?;
    let around = each.map(|_| several(&content, word, "an index, as in `first(a, b, for i)`"));
    Ok(WishKind::First(operands, around.transpose()?))
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
