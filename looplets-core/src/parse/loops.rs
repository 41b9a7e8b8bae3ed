//! Loops: `for i, j { .. }` with extents from the accesses, `for i in lo..hi, j in lo..hi { .. }` with their own, and
//! `parallel` before either.

use super::expr::expr;
use super::stmt::block;
use super::{
    advise, bump, bump_tree, expected, fail, find_body, habits, name, or_find_body, written, Run,
};
use crate::ast::{Block, Expr, Stmt};
use crate::cin::{Lit, Op};
use crate::diagnostics::Diagnostics;
use syn::parse::ParseStream;
use syn::{token, Error, Ident, Result, Token};

/// `for i, j { .. }`, `for i in lo..hi { .. }` or `for i in lo..hi, j { .. }`
pub(super) fn for_loop(input: ParseStream<'_>, diags: &mut Diagnostics) -> Result<Stmt> {
    let parallel = match input.peek(Token![for]) {
        true => None,
        false => Some(input.parse::<Ident>()?.span()),
    };
    input.parse::<Token![for]>()?;
    let head = for_head(input);
    let head = or_find_body(head, input, diags)?;
    let body = block(input, "the body of the loop", diags)?;
    let span = body.span;
    // After a mistake in the head the result is never used.
    let mut heads = head.unwrap_or_default();
    let outermost = heads.len().saturating_sub(1);
    let (indices, extent) = heads.pop().unwrap_or_default();
    let at = |depth: usize| parallel.filter(|_| depth == 0);
    let innermost = Stmt::For { written: true, parallel: at(outermost), indices, extent, body };
    Ok(heads.into_iter().enumerate().rev().fold(innermost, |inner, (depth, (indices, extent))| {
        let body = Block { stmts: vec![inner], span };
        Stmt::For { written: true, parallel: at(depth), indices, extent, body }
    }))
}

/// Indices that share their `in`, with the extent; several without one.
type Head = (Vec<Ident>, Option<(Expr, Expr)>);

/// `i in lo..hi, j in lo..hi, k, l`: the heads of nested loops, outermost first.
fn for_head(input: ParseStream<'_>) -> Result<Vec<Head>> {
    let mut heads = Vec::new();
    loop {
        heads.push(one_head(input)?);
        if !input.peek(Token![,]) {
            break;
        }
        bump_tree(input);
    }
    match input.peek(token::Brace) {
        true => Ok(heads),
        false if habits::step(input) => fail(input, "a loop takes no steps: go through as few indices and say where each reads, `for i in 0..(n + 1) / 2 { .. x[2 * i] .. }`"),
        false => expected(input, "`,` or the body of the loop, `{ .. }`"),
    }
}

fn one_head(input: ParseStream<'_>) -> Result<Head> {
    let mut indices = Vec::new();
    if input.peek(token::Paren) {
        habits::iterator(input)?;
        habits::counted(input)?;
        let ahead = input.fork();
        bump_tree(&ahead);
        if ahead.peek(Token![in]) {
            bump_tree(&ahead);
            if ahead.peek(Ident) && ahead.peek2(token::Bracket) {
                return fail(
                    input,
                    "a loop goes over coordinates, and not over what a row has: write `for j { .. a[i, j] .. }`, which takes steps for what is stored alone",
                );
            }
        }
        return fail(
            input,
            "loops over several indices are written without parentheses: `for i, j { .. }`",
        );
    }
    loop {
        indices.push(name(input, "an index")?);
        if !input.peek(Token![,]) {
            break;
        }
        bump_tree(input);
    }
    if !input.peek(Token![in]) {
        return if input.peek(token::Brace) {
            Ok((indices, None))
        } else {
            expected(input, "`,`, `in` or the body of the loop, `{ .. }`")
        };
    }
    if indices.len() > 1 {
        return fail(
            input,
            "an extent belongs to one index: write `for i in lo..hi, j in lo..hi { .. }`, or those without an extent last, `for i in lo..hi, j { .. }`",
        );
    }
    bump_tree(input);
    if input.peek(Token![..]) {
        return fail(input, "the extent has no lower end: write `0..hi`");
    }
    habits::iterator(input)?;
    let start = input.fork();
    let lo = expr(input)?;
    if input.peek(Token![..=]) {
        let (lo, span) = (text(&start, input), Run::peek(input).span(3));
        bump(input, 3)?;
        let last = input.fork();
        find_body(input);
        let hi = text(&last, input);
        if hi == "0" {
            let first = bracketed(&lo);
            return Err(Error::new(span, format_args!("loops count up: write `0..{} {{ .. }}`, and where the last is to come first `{first} - i` for its index `i`", plus_one(&lo))));
        }
        // `0..=9` is best written `0..10`.
        let hi = hi.parse::<u64>().map_or(plus_one(&hi), |n| (u128::from(n) + 1).to_string());
        return Err(Error::new(span, format_args!("extents are half-open: write `{lo}..{hi}`")));
    }
    if !input.peek(Token![..]) {
        if let (Expr::Name(x), true) = (&lo, input.peek(token::Brace)) {
            return Err(Error::new(x.span(), format_args!("a loop goes over indices and not over values: write `for i {{ .. {x}[i] .. }}`, or `for i in 0..{x} {{ .. }}` if `{x}` is a number")));
        }
        if let Expr::Call { op, args } = &lo {
            if let (Some(path), [n]) = (&op.path, &args[..]) {
                if path.is_ident("prange") {
                    let n = written(n).unwrap_or_else(|| "n".to_owned());
                    return Err(Error::new(op.span, format_args!("a loop whose iterations run at once is written `parallel for i in 0..{n} {{ .. }}`")));
                }
                if path.is_ident("range") {
                    let n = written(n).unwrap_or_else(|| "n".to_owned());
                    return Err(Error::new(
                        op.span,
                        format_args!(
                            "an extent is written `lo..hi`: write `0..{n}` for `range({n})`"
                        ),
                    ));
                }
            }
        }
        if let (Expr::Access { name, indices, span, .. }, true) = (&lo, input.peek(token::Brace)) {
            let own: Vec<String> = indices
                .iter()
                .map(|i| written(&i.expr).unwrap_or_else(|| "i".to_owned()))
                .collect();
            let own = own.join(", ");
            return Err(Error::new(*span, format_args!("a loop goes over coordinates, and not over what a row has: write `for j {{ if {name}[{own}, j] {{ .. }} }}`, or `for j {{ .. {name}[{own}, j] .. }}`, which takes steps for what is stored alone")));
        }
        if let (Expr::Lit(Lit::Int(1), ..), true) = (&lo, input.peek(Token![:])) {
            return advise(input, "`..`", "an extent is written `lo..hi`, without `hi`, and indices begin at 0: all `n` of them are `0..n`");
        }
        return advise(input, "`..`", "an extent is written `lo..hi`");
    }
    bump(input, 2)?;
    if input.peek(token::Brace) {
        return fail(
            input,
            "the extent has no upper end: write `lo..hi`, or leave out `in ..` \
            to take it from the accesses",
        );
    }
    let hi = expr(input)?;
    if let Expr::Call { op, args } = &hi {
        if let (true, [Expr::Name(x)]) =
            (op.path.as_ref().is_some_and(|p| p.is_ident("len")), &args[..])
        {
            return Err(Error::new(op.span, format_args!("a loop over a whole dimension leaves its extent out, `for i {{ .. }}`; the size of a tensor as a number is `$({x}.shape()[0])`")));
        }
    }
    // Of two literals it may be what a macro makes.
    let counts_down = is_size(&lo) && matches!(&hi, Expr::Lit(Lit::Int(0), ..));
    if let (true, Some(first), Some(last)) = (counts_down, written(&lo), written(&hi)) {
        // From `n - 1` down all `n` are meant.
        let all = if first.ends_with(" - 1") { plus_one(&first) } else { first };
        return Err(Error::new(hi.span(), format_args!("this extent ends before it begins, as loops count up: write `{last}..{all}`, and where the last is to come first its index `{} - 1 - i`", bracketed(&all))));
    }
    Ok((indices, Some((lo, hi))))
}

/// Whether `e` is a name, tokens of Rust, or one of these less a literal: what a size and its last coordinate are written as. Others
/// may well be below 0, as in `-2..0`.
fn is_size(e: &Expr) -> bool {
    match e {
        Expr::Name(_) | Expr::Escape(..) => true,
        Expr::Call { op, args } => {
            let [of, by] = &args[..] else { return false };
            op.op == Op::Sub && is_size(of) && matches!(by, Expr::Lit(..))
        }
        _ => false,
    }
}

/// One more than `text`.
fn plus_one(text: &str) -> String {
    text.strip_suffix(" - 1").map_or_else(|| format!("{text} + 1"), str::to_owned)
}

/// `text` as what something is taken away from.
fn bracketed(text: &str) -> String {
    match text.contains(['<', '>', '&', '|', '^']) {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

/// The tokens between two positions of one stream.
fn text(from: ParseStream<'_>, to: ParseStream<'_>) -> String {
    let (mut cursor, end) = (from.cursor(), to.cursor());
    let mut tokens = proc_macro2::TokenStream::new();
    while cursor < end {
        let Some((token, rest)) = cursor.token_tree() else { break };
        tokens.extend([token]);
        cursor = rest;
    }
    // Rust in `$(..)` is written without spaces, and what stands between indices with them.
    match tokens.to_string() {
        rust if rust.contains('$') => crate::diagnostics::text(tokens),
        plain => plain,
    }
}
