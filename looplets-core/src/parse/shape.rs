//! Shape operators: `collapse(a[i, j], (i, j) -> k)`, `slice(a[i], i -> k, (start, end, step))`.

use super::expr::expr;
use super::operand::separated;
use super::{expected, fail, name};
use crate::ast::{Expr, OpRef, Shape, ShapeOp, Sized};
use crate::cin::Op;
use proc_macro2::{Span, TokenTree};
use syn::parse::ParseStream;
use syn::{parenthesized, token, Error, Result, Token};

/// The shape operator that a call of `name` with such arguments is: one with an arrow in it.
pub(super) fn operator(name: &syn::Path, arguments: ParseStream<'_>) -> Option<ShapeOp> {
    let op = ShapeOp::of(&name.get_ident()?.to_string())?;
    has_arrow(&arguments.fork()).then_some(op)
}

/// What to say of a call of a shape operator that names no indices.
pub fn lacks_arrow(op: &OpRef) -> Option<String> {
    let name = op.path.as_ref()?.get_ident()?.to_string();
    let shape = ShapeOp::of(&name)?;
    Some(format!("the shape operator `{name}` says which indices it takes and gives: write `{}`; a function of your own is called by its path, `self::{name}(..)`", shape.form()))
}

fn has_arrow(input: ParseStream<'_>) -> bool {
    while !input.is_empty() {
        if input.peek(Token![->]) || input.peek(Token![=>]) {
            return true;
        }
        if input.parse::<TokenTree>().is_err() {
            return false;
        }
    }
    false
}

/// What stands between the parentheses of `op`.
pub(super) fn shape(op: ShapeOp, span: Span, input: ParseStream<'_>) -> Result<Expr> {
    let operands = match (op, expr(input)?) {
        (ShapeOp::Concat, Expr::Call { op, args }) if op.op == Op::Tuple => args,
        (_, one) => vec![one],
    };
    comma(input, op)?;
    let from = several(input, sized)?;
    if !input.peek(Token![->]) {
        return expected(input, format!("`->`, as in `{}`", op.form()));
    }
    input.parse::<Token![->]>()?;
    let to = several(input, sized)?;
    let mut cut = None;
    if input.peek(Token![,]) {
        input.parse::<Token![,]>()?;
        if !input.is_empty() {
            if op != ShapeOp::Slice {
                let form = op.form();
                return fail(input, format!("only a slice has bounds, and several indices stand in parentheses: write `{form}`"));
            }
            cut = Some(bounds(input)?);
            input.parse::<Option<Token![,]>>()?;
            if !input.is_empty() {
                return fail(input, "bounds and step of a slice stand in one pair of parentheses: write `(start, end, step)`");
            }
        }
    }
    if !input.is_empty() {
        return expected(input, format!("`)`, as in `{}`", op.form()));
    }
    Ok(Expr::Shape(Box::new(Shape { op, span, operands, from, to, cut })))
}

fn comma(input: ParseStream<'_>, op: ShapeOp) -> Result<()> {
    if !input.peek(Token![,]) {
        return expected(input, format!("`,` or an operator, as in `{}`", op.form()));
    }
    input.parse::<Token![,]>().map(drop)
}

/// `(a, b)`, or `a` alone.
fn several<T>(input: ParseStream<'_>, one: fn(ParseStream<'_>) -> Result<T>) -> Result<Vec<T>> {
    if !input.peek(token::Paren) {
        return Ok(vec![one(input)?]);
    }
    let content;
    parenthesized!(content in input);
    separated(&content, one)
}

/// `k`, or with its size, `k: 4`.
fn sized(input: ParseStream<'_>) -> Result<Sized> {
    let name = name(input, "the name of an index, or several in parentheses")?;
    if input.peek(Token![::]) {
        return fail(input, format!("a shape operator takes no protocol: write it where the dimension is read, `a[{name}::walk]`"));
    }
    let sized = input.parse::<Option<Token![:]>>()?.is_some();
    let size = if sized { Some(expr(input)?) } else { None };
    Ok(Sized { name, size })
}

/// `(start, end)`, `(start, end, step)` or `start..end`.
fn bounds(input: ParseStream<'_>) -> Result<(Expr, Expr, Option<Expr>)> {
    let at = super::here(input);
    let wrong =
        || Error::new(at, "a slice is cut by `start..end`, `(start, end)` or `(start, end, step)`");
    let open = "a slice has both bounds: write `start..end`, of which `end` is at most the size of the dimension";
    if input.peek(Token![..]) {
        return fail(input, open);
    }
    match expr(input)? {
        Expr::Call { op, mut args } if op.op == Op::Tuple => {
            if !(2..=3).contains(&args.len()) {
                return Err(wrong());
            }
            let step = if args.len() == 3 { args.pop() } else { None };
            match (args.pop(), args.pop()) {
                (Some(end), Some(start)) => Ok((start, end, step)),
                _ => Err(wrong()),
            }
        }
        _ if input.peek(Token![..=]) => {
            fail(input, "the bounds of a slice are half-open: write `start..end`, of which `end` is one behind the last")
        }
        start if input.peek(Token![..]) => {
            input.parse::<Token![..]>()?;
            if input.is_empty() || input.peek(Token![,]) {
                return fail(input, open);
            }
            Ok((start, expr(input)?, None))
        }
        _ => Err(wrong()),
    }
}
