//! Operators: a Pratt parser with Rust's precedences; any other operator is answered with advice.

use super::operand::postfix;
use super::{at_word, bump, fail, habits, Run};
use crate::ast::{Expr, OpRef};
use crate::cin::Op;
use crate::types::{numbers_by_name, primitive, Ty};
use proc_macro2::{Delimiter, Span};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::ParseStream;
use syn::{Error, Ident, Result, Token};

/// Symbol, canonical name, precedence. Longer symbols stand before their prefixes.
const BINARY: [(&str, Op, u8); 18] = [
    ("||", Op::Or, 1),
    ("&&", Op::And, 2),
    ("==", Op::Eq, COMPARE),
    ("!=", Op::Ne, COMPARE),
    ("<<", Op::Shl, 7),
    (">>", Op::Shr, 7),
    ("<=", Op::Le, COMPARE),
    (">=", Op::Ge, COMPARE),
    ("<", Op::Lt, COMPARE),
    (">", Op::Gt, COMPARE),
    ("|", Op::BitOr, 4),
    ("^", Op::BitXor, 5),
    ("&", Op::BitAnd, 6),
    ("+", Op::Add, 8),
    ("-", Op::Sub, 8),
    ("*", Op::Mul, 9),
    ("/", Op::Div, 9),
    ("%", Op::Rem, 9),
];
const COMPARE: u8 = 3;

/// What may follow an expression: separators, assignments, and what other parsers look for.
const ENDS: [&str; 20] = [
    "<<=", ">>=", "&&=", "||=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "=>", "->", "..",
    ";", ",", "#", ":", "=",
];

/// An expression.
pub(super) fn expr(input: ParseStream<'_>) -> Result<Expr> {
    let lhs = operand(input)?;
    binary(input, lhs, 0)
}

/// An operand with its prefix operators, and the types that it is converted to.
pub(super) fn operand(input: ParseStream<'_>) -> Result<Expr> {
    let mut value = unary(input)?;
    while at_word(input, "as") {
        let span = input.parse::<Token![as]>()?.span;
        value = call(Op::As(number_type(input)?), span, vec![value]);
    }
    Ok(value)
}

/// The type behind `as`.
fn number_type(input: ParseStream<'_>) -> Result<Ty> {
    let ahead = input.fork();
    let found = ahead.call(Ident::parse_any).map(|name| name.to_string());
    match found {
        Ok(name) if primitive(&name) && !ahead.peek(Token![::]) => {
            input.advance_to(&ahead);
            Ok(Ty::Named(name))
        }
        Ok(name) if name == "bool" => {
            fail(input, "nothing is converted to `bool`: compare, `x != 0`")
        }
        _ => {
            let all: Vec<&str> = numbers_by_name().collect();
            fail(input, format!("`as` converts to a primitive type of numbers, {}; write other conversions as a call of a function", all.join(", ")))
        }
    }
}

/// An infix operator at hand.
pub(super) struct Infix {
    /// As typed.
    pub(super) symbol: &'static str,
    pub op: Op,
    precedence: u8,
    span: Span,
}

/// The canonical name of an infix operator typed as a reduction, `<<+>>=`.
pub(super) fn infix_name(symbol: &str) -> Option<Op> {
    BINARY.iter().find(|(s, _, p)| *s == symbol && *p != COMPARE).map(|(_, op, _)| op.clone())
}

/// How an operator is typed, and how tightly it binds; none of those that are calls.
pub fn symbol(op: &Op) -> Option<(&'static str, u8)> {
    BINARY.iter().find(|(_, of, _)| of == op).map(|(symbol, _, precedence)| (*symbol, *precedence))
}

/// The operator that continues an expression, or `None` where the expression may end; anything
/// that can do neither is an error here, so that no caller has to explain it.
pub(super) fn infix(input: ParseStream<'_>) -> Result<Option<Infix>> {
    habits::between(input)?;
    let run = Run::peek(input);
    let text = run.text.as_str();
    // `=` ends an expression, `==` continues it; the other ends are no prefix of an operator.
    if text.is_empty() || (ENDS.iter().any(|e| text.starts_with(e)) && !text.starts_with("==")) {
        return Ok(None);
    }
    let unknown = |run: &Run| {
        let end = text.find(|c| !"+-*/%^&|<>=@~!?.\\".contains(c)).unwrap_or(text.len()).max(1);
        let symbol = &text[..end];
        let advice = match symbol {
            "**" => "a power is a call such as `powi(x, 2)` or `powf(x, y)`",
            "++" => "write `+= 1`",
            "===" => "equality is `==`",
            "<>" | "!==" | "~=" => "inequality is `!=`",
            "@" => "a product is a sum over what both share: write `y[i] += a[i, j] * x[j]` for a matrix and a vector, and `c[i, j] += a[i, k] * b[k, j]` for two matrices",
            _ => "write it as a call of a function, `f(a, b)`, or as a Rust expression, `$(..)`",
        };
        Err(Error::new(run.span(end), format_args!("unknown operator `{symbol}`; {advice}")))
    };
    let Some((symbol, op, precedence)) = BINARY.iter().find(|(s, ..)| text.starts_with(s)) else {
        return match run.puncts[0].as_char() {
            '.' if text.len() > 1 && text[1..].starts_with(['*', '/', '+', '-']) => fail(
                input,
                format_args!(
                    "what stands between indices is of elements already: write `{}` for `{}`",
                    &text[1..2],
                    &text[..2]
                ),
            ),
            '.' if text.starts_with(".^") => fail(
                input,
                "what stands between indices is of elements already, and a power is a call: write `powi(x, 2)`, or `powf(x, y)`",
            ),
            '.' if text.starts_with(".=") => fail(
                input,
                "an assignment names the indices of its elements: write `y[i] = ..` for `y .= ..`",
            ),
            '.' if SIZES.iter().any(|name| field(input, name)) => fail(
                input,
                "a loop over a whole dimension leaves its extent out, `for i { .. }`; the size of a tensor as a number is `$(x.shape()[0])`, that of a slice `$(x.len())`, with `as f64` behind it among floats",
            ),
            '.' if part(input) => fail(
                input,
                "a part of a pair is named in Rust: write `$(best.0)` or `$(best.1)`",
            ),
            '.' if transposed(input) => {
                let behind = turned(input).unwrap_or_else(|| "[j, i]".to_owned());
                fail(input, format_args!("a transpose is read by its indices in the other order: write `{behind}` behind its name"))
            }
            '.' => match member(input) {
                Some(message) => fail(input, message),
                None => fail(
                    input,
                    "methods and fields are not index notation: call a function, \
                    `sqrt(x)`, or write Rust expressions as `$(..)`",
                ),
            },
            '?' if input.peek2(Token![;]) => fail(
                input,
                "errors are returned by themselves: leave `?` out",
            ),
            '?' => fail(
                input,
                "`?` is not index notation: a choice is `ifelse(cond, a, b)`, \
                and Rust expressions are written `$(..)`",
            ),
            '!' if text == "!" => fail(
                input,
                "macro calls are not index notation: write Rust expressions as `$(..)`, and name what \
                they take, `for i { let v = x[i]; y[i] = $(f!(v)) }`",
            ),
            '$' => fail(input, "expected an operator before `$`"),
            '\'' => Ok(None),
            _ => unknown(&run),
        };
    };
    // What is glued to the operator must begin an operand: `a*-b` is fine, `a**b` is not.
    match text[symbol.len()..].chars().next() {
        None | Some('-' | '!' | '$' | ':' | ';' | ',' | '#' | '\'') => {}
        Some(_) => return unknown(&run),
    }
    Ok(Some(Infix {
        symbol,
        op: op.clone(),
        precedence: *precedence,
        span: run.span(symbol.len()),
    }))
}

/// Whether `.T` or a method of that meaning is at hand.
fn transposed(input: ParseStream<'_>) -> bool {
    let name = input.cursor().punct().and_then(|(_, rest)| rest.ident());
    name.is_some_and(|(name, _)| ["T", "t", "transpose"].iter().any(|t| name == t))
}

/// The two indices in the brackets behind the `.T` or `.T()` at hand, in the other order.
fn turned(input: ParseStream<'_>) -> Option<String> {
    let (_, rest) = input.cursor().punct()?.1.ident()?;
    let rest = rest.group(proc_macro2::Delimiter::Parenthesis).map_or(rest, |(_, _, rest)| rest);
    let (inside, _, _) = rest.group(proc_macro2::Delimiter::Bracket)?;
    let all = inside.token_stream().to_string();
    match &all.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [a, b] => Some(format!("[{b}, {a}]")),
        _ => None,
    }
}

/// What other libraries call the sizes of a tensor.
const SIZES: [&str; 7] = ["len", "nrows", "ncols", "rows", "cols", "size", "shape"];

/// Whether `.0` is at hand.
fn part(input: ParseStream<'_>) -> bool {
    let behind = input.cursor().punct().and_then(|(_, rest)| rest.literal());
    behind.is_some_and(|(literal, _)| literal.to_string().parse::<f64>().is_ok())
}

/// What to say of the `.name` or `.name(..)` that is at hand.
fn member(input: ParseStream<'_>) -> Option<String> {
    let (name, rest) = input.cursor().punct()?.1.ident()?;
    let arguments = rest.group(proc_macro2::Delimiter::Parenthesis);
    let other = super::elsewhere::member(&name.to_string(), arguments.is_some());
    other.or_else(|| {
        let more = if arguments?.0.eof() { "" } else { ", .." };
        Some(format!("a method is called as a function is, by the path of its type or trait: write `f64::{name}(x{more})`"))
    })
}

/// Whether `.name` is at hand.
fn field(input: ParseStream<'_>, name: &str) -> bool {
    let behind = input.cursor().punct().and_then(|(_, rest)| rest.ident());
    behind.is_some_and(|(behind, _)| behind == name)
}

/// Advice on a token that ended an expression without being at home where it ended.
pub(super) fn misfit(input: ParseStream<'_>) -> Option<&'static str> {
    let run = Run::peek(input);
    let (text, at) = (run.text.as_str(), |s| run.text.starts_with(s));
    match text {
        _ if at("..") => Some(
            "a range is not a value: loop over it, `for i in lo..hi { .. \
            }`, or restrict an index, `A[window(lo, hi)[i]]`",
        ),
        _ if at("::") => Some("a protocol belongs to one whole index: write `A[(i + 1)::walk]`"),
        _ if at("->") => Some(
            "`->` stands in shape operators, `collapse(A[i, j], (i, j) -> k)`, \
            and so in `split`, `concat`, `slice` and `reshape`",
        ),
        "=>" => Some("`=>` is no operator: the comparison is `>=`"),
        "=<" => Some("`=<` is no operator: the comparison is `<=`"),
        "=" => Some(
            "an assignment is no value: write it as a statement of its own, or \
         compare with `==`",
        ),
        _ => None,
    }
}

/// Continues an expression after `lhs` with the operators that bind at least as tightly as `min`.
pub(super) fn binary(input: ParseStream<'_>, mut lhs: Expr, min: u8) -> Result<Expr> {
    let mut compared: Option<Infix> = None;
    let mut bits: Option<OpRef> = None;
    while let Some(at) = infix(input)? {
        if at.precedence < min {
            break;
        }
        if at.precedence == COMPARE {
            if let (Some(_), Some(OpRef { op, span, .. })) = (&compared, &bits) {
                let (bit, logic) = if *op == Op::BitAnd { ("&", "&&") } else { ("|", "||") };
                return Err(Error::new(
                    *span,
                    format_args!("`{bit}` binds more tightly than what compares: write `a > b {logic} c > d`"),
                ));
            }
            if let Some(first) = &compared {
                let turbofish = if (first.symbol, at.symbol) == ("<", ">") {
                    "; type arguments are written `f::<T>(x)`"
                } else {
                    ""
                };
                return Err(Error::new(
                    at.span,
                    format_args!(
                        "comparisons do not chain: write `a {} b && b {} c`{turbofish}",
                        first.symbol, at.symbol
                    ),
                ));
            }
        }
        bump(input, at.symbol.len())?;
        let rhs = operand(input)?;
        // Everything associates to the left, so the right operand takes the tighter ones only.
        let rhs = binary(input, rhs, at.precedence + 1)?;
        bits = match &rhs {
            Expr::Call { op, .. } if matches!(op.op, Op::BitAnd | Op::BitOr) => Some(op.clone()),
            _ => None,
        };
        lhs = call(at.op.clone(), at.span, vec![lhs, rhs]);
        compared = (at.precedence == COMPARE).then_some(at);
    }
    Ok(lhs)
}

fn call(op: Op, span: Span, args: Vec<Expr>) -> Expr {
    Expr::Call { op: OpRef { op, path: None, span }, args }
}

/// An operand with its prefix operators.
pub(super) fn unary(input: ParseStream<'_>) -> Result<Expr> {
    // A macro fragment is an operand of its own, not a prefix operator and what follows it.
    let fragment = input.cursor().group(Delimiter::None).is_some();
    let run = Run::peek(input);
    let op = match run.text.chars().next() {
        Some('-') if !fragment && !run.text.starts_with("->") => Op::Neg,
        Some('!') if !fragment && !run.text.starts_with("!=") => Op::Not,
        _ => {
            habits::operand(input)?;
            return postfix(input);
        }
    };
    bump(input, 1)?;
    Ok(call(op, run.span(1), vec![unary(input)?]))
}
