//! Operands: names, accesses with their indices and protocols, calls, literals and `$(..)`.

use super::escape::escape;
use super::expr::{binary, expr, misfit, operand};
use super::literal::{infinity, literal};
use super::{expected, fail, habits, here, shape, word, Run};
use crate::ast::{Expr, Index, OpRef};
use crate::cin::{Lit, Op};
use crate::diagnostics::text;
use proc_macro2::{Delimiter, Span};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{bracketed, parenthesized, token, Error, Ident, Result, Token};

/// The protocols that a misplaced `i::walk + 1` is recognised by.
const PROTOCOLS: [&str; 6] = ["walk", "gallop", "lead", "follow", "locate", "scan"];

/// An operand with its accesses and calls.
pub(super) fn postfix(input: ParseStream<'_>) -> Result<Expr> {
    let grouped = input.peek(token::Paren);
    let mut base = primary(input)?;
    if grouped {
        habits::cast(input, &base)?;
    }
    let mut modifier = false;
    if grouped && (input.peek(token::Paren) || input.peek(token::Bracket)) {
        return fail(
            input,
            "expected an operator: a tensor or function is named without parentheses",
        );
    }
    loop {
        if input.peek(token::Bracket) {
            base = match base {
                Expr::Name(name) => access(input, name)?,
                Expr::Call { op, args } if modifier => modified(input, op, args)?,
                Expr::Access { .. } => {
                    return fail(input, "an access has one pair of brackets: write `A[i, j]`")
                }
                Expr::Path(_) => {
                    return fail(
                        input,
                        "a tensor is one name: bind it with `let`, or pass it as a parameter",
                    )
                }
                Expr::Call { op, .. } if shape::lacks_arrow(&op).is_some() => {
                    let message = shape::lacks_arrow(&op).unwrap_or_default();
                    return Err(Error::new(op.span, message));
                }
                Expr::Call { op, .. } if op.path.is_some() => {
                    return fail(
                        input,
                        "only a tensor has elements: call the function before this kernel, and take what it gives as a parameter",
                    )
                }
                _ => return fail(input, "only a tensor has elements: name one, `A[i]`"),
            };
            modifier = false;
        } else if input.peek(token::Paren) {
            let path = match base {
                Expr::Name(name) => name.into(),
                Expr::Path(path) => path,
                _ => {
                    return fail(
                        input,
                        "expected an operator before `(`: only a function \
                    named by a path can be called",
                    )
                }
            };
            base = application(input, path)?;
            // The paper's modifiers are functions of an index: `window(lo, hi)[k]`.
            modifier = match &base {
                Expr::Call { op, .. } => matches!(op.op.key(), Some("window" | "offset")),
                _ => false,
            };
        } else {
            return Ok(base);
        }
    }
}

fn access(input: ParseStream<'_>, name: Ident) -> Result<Expr> {
    let content;
    let brackets = bracketed!(content in input);
    let alone = content.cursor().group(Delimiter::Bracket).filter(|(.., rest)| rest.eof());
    if let Some((inside, ..)) = alone {
        let indices = text(inside.token_stream());
        return fail(
            &content,
            format_args!("an access has one pair of brackets: write `{name}[{indices}]`"),
        );
    }
    if content.peek(Token![::]) {
        let step = content.fork();
        let _: Token![::] = step.parse()?;
        let by = step.parse::<syn::LitInt>().map_or_else(|_| "2".to_owned(), |n| n.to_string());
        return fail(
            &content,
            format_args!("a step is a factor of the index: write `{name}[{by} * i]`, and `{name}[{by} * i + 1]` from 1 on"),
        );
    }
    let indices = separated(&content, index)?;
    for index in &indices {
        if let Expr::Call { op, args } = &index.expr {
            if let (Op::Neg, [Expr::Lit(Lit::Int(_), ..)]) = (&op.op, &args[..]) {
                return Err(Error::new(
                    op.span,
                    format!("coordinates count from 0: the last of `{name}` is `{name}[$({name}.shape()[0] - 1)]`, of a slice `{name}[$({name}.len() - 1)]`"),
                ));
            }
        }
    }
    let close = brackets.span.close();
    let span = name.span().join(close).unwrap_or_else(|| name.span());
    habits::reduction(input, &name)?;
    Ok(Expr::Access { name, indices, by_columns: false, span })
}

/// `window(lo, hi)[k]` as the call `window(lo, hi, k)`.
fn modified(input: ParseStream<'_>, op: OpRef, mut args: Vec<Expr>) -> Result<Expr> {
    let content;
    bracketed!(content in input);
    let at = here(&content);
    let mut indices = separated(&content, index)?;
    let name = op.op.name();
    match (indices.pop(), indices.is_empty()) {
        (Some(Index { expr, protocol: None }), true) => args.push(expr),
        (Some(Index { protocol: Some(p), .. }), true) => {
            return Err(Error::new(
                p.span(),
                format_args!("the protocol follows the modifier: write `{name}(..)[i]::{p}`"),
            ));
        }
        _ => {
            return Err(Error::new(
                at,
                format_args!("`{name}` modifies one index: write `{name}(..)[i]`"),
            ))
        }
    }
    Ok(Expr::Call { op, args })
}

fn application(input: ParseStream<'_>, path: syn::Path) -> Result<Expr> {
    let content;
    parenthesized!(content in input);
    if let Some(op) = super::shape::operator(&path, &content) {
        return super::shape::shape(op, path.span(), &content);
    }
    let sums = path.get_ident().filter(|name| SUMS.iter().any(|sum| name == sum));
    let array =
        content.peek(token::Bracket) || content.peek2(Token![,]) && content.peek3(token::Bracket);
    if let (true, Some(message)) = (array, shape::lacks_arrow(&function(path.clone(), 1))) {
        return Err(Error::new(path.span(), message));
    }
    if sums.is_some_and(|sum| sum == "einsum") {
        return Err(Error::new(path.span(), summed("einsum", "a[i, j] * x[j]")));
    }
    let args = separated(&content, expr)?;
    if let (Some(name), Some(of)) = (sums, args.last()) {
        let of = match of {
            Expr::Name(tensor) => format!("{tensor}[i]"),
            of => super::written(of).unwrap_or_else(|| "..".to_owned()),
        };
        return Err(Error::new(name.span(), summed(&name.to_string(), &of)));
    }
    habits::call(&path, &args)?;
    let op = function(path, args.len());
    Ok(Expr::Call { op, args })
}

/// Functions that are reductions here.
const SUMS: [&str; 2] = ["sum", "einsum"];

fn summed(name: &str, of: &str) -> String {
    format!("a sum over an index is a reduction: write `.. += {of}`, into a tensor or scalar; a function of your own is called by its path, `self::{name}(..)`")
}

/// What a path names when it is called with so many arguments: an operator of the language, or the function
/// of its text without spaces.
pub(super) fn function(path: syn::Path, arguments: usize) -> OpRef {
    let text: String = path.to_token_stream().to_string().split_whitespace().collect();
    let span = path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    let op = Op::written(&text, arguments).unwrap_or_else(|| Op::function(&text));
    OpRef { op, path: Some(path), span }
}

/// Items between commas up to the end of a group.
pub(super) fn separated<T>(
    content: ParseStream<'_>,
    item: fn(ParseStream<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut items = Vec::new();
    while !content.is_empty() {
        items.push(item(content)?);
        if content.is_empty() {
            break;
        }
        if content.peek(Token![=]) && !content.peek(Token![==]) {
            return fail(
                content,
                "arguments have no names: write the value alone, or compare with `==`",
            );
        }
        if let Some(advice) = misfit(content) {
            return fail(content, advice);
        }
        if !content.peek(Token![,]) {
            return expected(content, "`,` or an operator");
        }
        content.parse::<Token![,]>()?;
    }
    Ok(items)
}

/// One index of an access, with its protocol.
fn index(input: ParseStream<'_>) -> Result<Index> {
    // `i::walk` reads as a path anywhere else.
    let ahead = input.fork();
    if let Some(index) = plain_index(&ahead) {
        input.advance_to(&ahead);
        return Ok(index);
    }
    habits::slice(input)?;
    let start = input.fork();
    let prefixed = Run::peek(input).text.starts_with(['-', '!']);
    let lhs = operand(input)?;
    if !prefixed && input.peek(Token![::]) {
        input.parse::<Token![::]>()?;
        let protocol = super::name(input, "a protocol such as `walk` or `gallop`")?;
        return Ok(Index { expr: lhs, protocol: Some(protocol) });
    }
    let expr = binary(input, lhs, 0)?;
    no_protocol(&expr, &start)?;
    habits::slice(input)?;
    if input.peek(Token![::]) && input.peek3(Ident) {
        let at = super::here(input);
        input.parse::<Token![::]>()?;
        return Err(whole(&start, &input.parse::<Ident>()?, at));
    }
    Ok(Index { expr, protocol: None })
}

/// The error for a protocol at a part of the index that begins at `start`.
fn whole(start: ParseStream<'_>, protocol: &Ident, at: Span) -> Error {
    let mut index = proc_macro2::TokenStream::new();
    let rest = start.fork();
    while !rest.is_empty() && !rest.peek(Token![,]) {
        let ahead = rest.fork();
        let is_it = ahead.parse::<Token![::]>().and_then(|_| ahead.parse::<Ident>());
        match is_it {
            Ok(name) if name == *protocol => rest.advance_to(&ahead),
            _ => match rest.parse::<proc_macro2::TokenTree>() {
                Ok(tree) => index.extend([tree]),
                Err(e) => return e,
            },
        }
    }
    let index = index.to_string().replace(" [", "[").replace(" (", "(");
    let index = index.strip_prefix("- ").map_or(index.clone(), |rest| format!("-{rest}"));
    let advice = format!("a protocol belongs to one whole index: write `A[({index})::{protocol}]`");
    Error::new(at, advice)
}

fn plain_index(input: ParseStream<'_>) -> Option<Index> {
    let name = input.parse::<Ident>().ok()?;
    input.parse::<Token![::]>().ok()?;
    let protocol = input.parse::<Ident>().ok()?;
    let whole = input.is_empty() || input.peek(Token![,]);
    whole.then_some(Index { expr: Expr::Name(name), protocol: Some(protocol) })
}

/// Refuses `i::walk + 1`, which would otherwise pass for arithmetic on a constant `i::walk`.
fn no_protocol(e: &Expr, start: ParseStream<'_>) -> Result<()> {
    match e {
        Expr::Call { op, args } if op.path.is_none() => {
            args.iter().try_for_each(|e| no_protocol(e, start))
        }
        Expr::Path(path) if path.segments.len() == 2 => {
            let last = &path.segments[1].ident;
            if PROTOCOLS.iter().any(|p| last == p) {
                return Err(whole(start, last, last.span()));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn primary(input: ParseStream<'_>) -> Result<Expr> {
    if let Some((inside, _, _)) = input.cursor().group(Delimiter::None) {
        // `$e:expr` is one operand whatever it holds. A fragment that is no expression, such as a
        // whole statement, is read as if its tokens stood here.
        if let Ok(e) = expr.parse2(inside.token_stream()) {
            super::bump_tree(input);
            return Ok(e);
        }
    }
    if input.peek(syn::Lit) {
        return literal(input);
    }
    if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        if content.is_empty() {
            return fail(&content, "expected an expression, found `()`");
        }
        let e = expr(&content)?;
        return match content.is_empty() {
            true => Ok(e),
            false if content.peek(Token![,]) => {
                let span = here(&content);
                content.parse::<Token![,]>()?;
                let mut args = vec![e];
                args.extend(separated(&content, expr)?);
                Ok(Expr::Call { op: OpRef { op: Op::Tuple, path: None, span }, args })
            }
            false => expected(&content, "`)` or an operator"),
        };
    }
    if input.peek(Token![$]) {
        return escape(input);
    }
    match word(input) {
        Some(w)
            if w == "missing"
                && !input.peek2(token::Paren)
                && !input.peek2(token::Bracket)
                && !input.peek2(Token![::]) =>
        {
            Ok(Expr::Lit(Lit::Missing, None, input.call(Ident::parse_any)?.span()))
        }
        Some(w) if !input.peek(Ident) && !input.peek2(Token![::]) => keyword(input, &w),
        None if !input.peek(Token![::]) => refuse(input),
        _ => {
            let path = input.parse::<syn::ExprPath>()?.path;
            Ok(match (path.get_ident(), infinity(&path)) {
                (Some(name), _) => Expr::Name(name.clone()),
                (None, Some(x)) => Expr::Lit(Lit::float(x), Some("float".into()), path.span()),
                (None, None) => Expr::Path(path),
            })
        }
    }
}

const CLOSURE: &str =
    "closures are not index notation: write a function outside of the kernel, and call it by its name, `f(x[i])`; a magnitude is `abs(x[i])`";

/// A keyword where an operand belongs.
fn keyword(input: ParseStream<'_>, word: &Ident) -> Result<Expr> {
    match word.to_string().as_str() {
        "if" => fail(input, "`if` is a statement: a choice between values is `ifelse(cond, a, b)`"),
        "where" if input.peek2(token::Paren) => {
            fail(input, "a choice between values is `ifelse(cond, a, b)`")
        }
        "move" => fail(input, CLOSURE),
        "match" => fail(
            input,
            "`match` is not index notation: a choice between values is `ifelse(cond, a, b)`, and a \
            function of Rust, which may match, is called by its name, `f(x[i])`",
        ),
        "self" => fail(
            input,
            "a kernel takes tensors and numbers, not `self`: name each in the header, and pass the field, `&self.a`; in front of an inline program, `let a = &self.a;`",
        ),
        "unsafe" | "async" | "const" | "loop" | "Self" => fail(
            input,
            format_args!("`{word}` is not index notation: write Rust expressions as `$(..)`"),
        ),
        "_" => fail(input, "expected an expression, found `_`: every index has a name"),
        _ => expected(input, "an expression"),
    }
}

/// Punctuation or a group where an operand belongs.
fn refuse(input: ParseStream<'_>) -> Result<Expr> {
    let run = Run::peek(input);
    let advice = match run.text.chars().next() {
        Some('&') => {
            "references are not index notation: name the tensor or variable itself; where a function \
            of Rust takes one, write `for i { let v = x[i]; y[i] = $(f(&v)) }`"
        }
        Some('|') => CLOSURE,
        Some('*') => {
            "there is nothing to dereference: name the variable itself, or write \
            Rust expressions as `$(..)`"
        }
        Some('~') => "unknown operator `~`; negation is `!`",
        Some('+') => "there is no prefix `+`: leave it out",
        _ if run.text.starts_with("..") => {
            "a range is not a value: loop over it, `for i in \
            lo..hi { .. }`"
        }
        _ if input.peek(token::Bracket) => {
            "arrays are not index notation: write Rust \
            expressions as `$(..)`"
        }
        _ if input.peek(token::Brace) => {
            "blocks are statements, not values: write Rust \
            expressions as `$(..)`"
        }
        _ => return expected(input, "an expression"),
    };
    fail(input, advice)
}
