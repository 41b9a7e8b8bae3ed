//! Assignments: `target = value`, the compound forms, and `<<f>>=` with any operator.

use super::expr::{expr, infix, infix_name, unary};
use super::operand::function;
use super::{advise, bump, expected, fail, found, here, word, Run};
use crate::ast::{Expr, OpRef, Stmt};
use crate::cin::Op;
use proc_macro2::{Delimiter, Punct, Spacing, Span};
use syn::buffer::Cursor;
use syn::parse::ParseStream;
use syn::{Error, Ident, Result, Token};

/// Symbol and canonical operator.
const ASSIGNMENTS: [(&str, Option<Op>); 13] = [
    ("<<=", Some(Op::Shl)),
    (">>=", Some(Op::Shr)),
    ("&&=", Some(Op::And)),
    ("||=", Some(Op::Or)),
    ("+=", Some(Op::Add)),
    ("-=", Some(Op::Sub)),
    ("*=", Some(Op::Mul)),
    ("/=", Some(Op::Div)),
    ("%=", Some(Op::Rem)),
    ("&=", Some(Op::BitAnd)),
    ("|=", Some(Op::BitOr)),
    ("^=", Some(Op::BitXor)),
    ("=", None),
];

/// `target op= value`
pub(super) fn assignment(input: ParseStream<'_>) -> Result<Stmt> {
    let (at, start) = (here(input), input.cursor());
    let target = unary(input).map_err(|e| match word(input) {
        None if input.cursor() == start && e.to_string().starts_with("expected an expression") => {
            match input.peek(Token![@]) {
                true => Error::new(at, "`@` begins no statement: a loop whose iterations run at once is written `parallel for i { .. }`"),
                false => Error::new(at, format_args!("expected a statement, found {}", found(input))),
            }
        }
        _ => e,
    })?;
    let run = Run::peek(input);
    let (op, span) = match run.text.as_str() {
        "==" => return fail(input, "`==` compares: write `=` to assign"),
        text if text.starts_with("=+") => return fail(input, "what adds is `+=`: write `+=` for `=+`"),
        text if text.starts_with("=-") && parted(input) => {
            return fail(
                input,
                "`=-` would assign what is negated: write `-=` to take it away, or `= -` with a space between",
            )
        }
        text if text.starts_with('<') && !text.starts_with("<<") => match named(input) {
            Some(name) => {
                return fail(input, format_args!("a reduction is written with two of each: `<<{name}>>=`"))
            }
            None => match masked(input) {
                Some((mask, assigns)) => {
                    let of = super::written(&target).unwrap_or_else(|| "..".to_owned());
                    let at = of.find('[').map_or("[..]", |start| &of[start..]);
                    let of = if of.contains('[') { of.clone() } else { format!("{of}[..]") };
                    return fail(input, format_args!("a mask is a condition around the statement: write `if {mask}{at} {{ {of} {assigns} .. }}`"));
                }
                None => return no_assignment(input, at, &target),
            },
        },
        // `<<=` shifts, but `<<==>>=` is a reduction by `==`.
        text if text.starts_with("<<") && (text.ends_with(">>=") || !text.starts_with("<<=")) => {
            let span = run.span(2);
            (Some(reduction(input)?), span)
        }
        // No token of Rust: a `macro_rules!` body parts the two.
        text @ ("||" | "&&") if split_assignment(input) => {
            let (op, span) = (if text == "||" { Op::Or } else { Op::And }, run.span(2));
            bump(input, 2)?;
            bump(input, 1)?;
            (Some(OpRef { op, path: None, span }), span)
        }
        text => match ASSIGNMENTS.iter().find(|(s, _)| text.starts_with(s)) {
            Some((symbol, op)) if !text.starts_with("==") && !text.starts_with("=>") => {
                let span = run.span(symbol.len());
                bump(input, symbol.len())?;
                (op.clone().map(|op| OpRef { op, path: None, span }), span)
            }
            _ => return no_assignment(input, at, &target),
        },
    };
    if let Expr::Shape(shape) = target {
        let message = format!(
            "a shape operator is read: write what undoes it on the right, such as {}",
            shape.op.undone()
        );
        return Err(Error::new(at, message));
    }
    let tuple = matches!(&target, Expr::Call { op, .. } if op.op == Op::Tuple);
    if !matches!(target, Expr::Name(_) | Expr::Access { .. }) {
        return Err(Error::new(
            at,
            if tuple {
                "a pair is assigned as a whole, and has one name: declare `let mut best: (f64, usize) = (f64::NEG_INFINITY, 0);`, write `best <<maxby>>= (x[i], i)`, and take `$(best.0)` and `$(best.1)` behind the loop"
            } else if let Some(element) = in_brackets(&target) {
                return Err(Error::new(
                    at,
                    format_args!("elements are named in brackets: write `{element}`"),
                ));
            } else {
                "only a name or an access can be assigned to: `c = ..` or `a[i] = ..`"
            },
        ));
    }
    Ok(Stmt::Assign { target, op, value: expr(input)?, span })
}

/// `y[i, j]` for `y(i, j)`.
fn in_brackets(target: &Expr) -> Option<String> {
    let Expr::Call { op, args } = target else { return None };
    let name = op.path.as_ref()?.get_ident()?;
    let all: Option<Vec<String>> = args.iter().map(super::written).collect();
    Some(format!("{name}[{}]", all.filter(|all| !all.is_empty())?.join(", ")))
}

/// Whether a space stands behind `=-`, and none within.
fn parted(input: ParseStream<'_>) -> bool {
    let minus = input.cursor().punct().and_then(|(_, rest)| rest.punct());
    let apart = |(minus, rest): (Punct, Cursor<'_>)| {
        minus.spacing() == Spacing::Alone && minus.span().end() != rest.span().start()
    };
    minus.is_some_and(apart)
}

/// The name in `<name>=`.
fn named(input: ParseStream<'_>) -> Option<Ident> {
    let (_, rest) = input.cursor().punct()?;
    let (name, rest) = rest.ident()?;
    let end = Run::at(rest).text;
    (end.starts_with(">=") || end.starts_with(">>=")).then_some(name)
}

/// The mask in `c[i, j]<!mask> += ..`, with its `!`, and the `+=`.
fn masked(input: ParseStream<'_>) -> Option<(String, String)> {
    let (_, rest) = input.cursor().punct()?;
    let (not, rest) = match rest.punct() {
        Some((complement, behind)) if "!~".contains(complement.as_char()) => ("!", behind),
        _ => ("", rest),
    };
    let (name, rest) = rest.ident()?;
    let (end, rest) = rest.punct()?;
    // `c<mask>[i, j] += ..`
    let rest = rest.group(Delimiter::Bracket).map_or(rest, |(.., behind)| behind);
    let assigns = Run::at(rest).text;
    let last = assigns.ends_with('=') && !matches!(assigns.as_str(), "==" | "!=" | "<=" | ">=");
    (end.as_char() == '>' && last).then(|| (format!("{not}{name}"), assigns))
}

/// Whether `=` follows two characters of punctuation.
fn split_assignment(input: ParseStream<'_>) -> bool {
    let behind = input.cursor().punct().and_then(|(_, rest)| rest.punct());
    let run = behind.map(|(_, rest)| Run::at(rest));
    run.is_some_and(|r| r.text.starts_with('=') && !r.text.starts_with("=="))
}

/// An expression with no assignment operator behind it.
fn no_assignment(input: ParseStream<'_>, at: Span, target: &Expr) -> Result<Stmt> {
    if let Some(op) = infix(input)? {
        if op.op.is_comparison() {
            return fail(input, format_args!("`{}` compares, which is no statement: write `target = ..`, or `if .. {{ .. }}`", op.symbol));
        }
        return fail(
            input,
            format_args!(
                "this computes a value that goes nowhere: write \
            `target = ..` before it, or `{}=` to update in place",
                op.symbol
            ),
        );
    }
    if matches!(target, Expr::Name(name) if name == "insert") {
        return Err(Error::new(
            at,
            "an assignment stores what was not stored before: leave `insert` out",
        ));
    }
    if input.is_empty() || input.peek(Token![;]) {
        let message = match target {
            Expr::Name(name) => format!("`{name}` by itself does nothing: leave it out, as a kernel returns what its header names behind `->`"),
            Expr::Call { op, .. } if op.path.as_ref().is_some_and(|p| p.is_ident("Ok")) => "a kernel returns what its header names behind `->`: leave `Ok(..)` out".to_owned(),
            _ => "this value goes nowhere: write `target = ..` or `target += ..`".to_owned(),
        };
        return Err(Error::new(at, message));
    }
    expected(input, "an assignment operator such as `=`, `+=` or `<<min>>=`")
}

/// `<<f>>=`
fn reduction(input: ParseStream<'_>) -> Result<OpRef> {
    bump(input, 2)?;
    let run = Run::peek(input);
    if run.text.starts_with('|') && !run.text.ends_with(">>=") && !input.peek2(Token![>>=]) {
        return fail(
            input,
            "a closure has no name to reduce with: write a function, and `<<name>>=`",
        );
    }
    let symbol = run.text.strip_suffix(">>=").unwrap_or(&run.text);
    if matches!(symbol, "==" | "!=" | "<" | "<=" | ">" | ">=") {
        let is = "compares and is no reduction: write an operator such as `min` or `and`";
        return fail(input, format_args!("`{symbol}` {is}"));
    }
    let op = if let Some(op) = infix_name(symbol) {
        let span = run.span(symbol.len());
        bump(input, symbol.len())?;
        OpRef { op, path: None, span }
    } else if input.peek(Ident)
        || input.peek(Token![::])
        || (word(input).is_some() && input.peek2(Token![::]))
    {
        function(input.parse::<syn::ExprPath>()?.path, 2)
    } else {
        return expected(input, "the name of an operator, as in `<<min>>=`");
    };
    if input.peek(Token![.]) && input.peek2(Ident) {
        let first = op.op.name();
        return fail(input, format_args!("one operator reduces, and another stands between what it reduces: write `<<{first}>>= a[i, j] + x[j]` for a semiring of `{first}` and `+`"));
    }
    if !input.peek(Token![>>=]) {
        return advise(
            input,
            "`>>=` after the operator",
            format_args!("write `<<{}>>=`", op.op.name()),
        );
    }
    bump(input, 3)?;
    Ok(op)
}
