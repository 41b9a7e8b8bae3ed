//! Statements: the forms of Looplets Figure 4, with recovery at each `;` and each closed block.

use super::assign::assignment;
use super::expr::{expr, infix, misfit};
use super::loops::for_loop;
use super::operand::{postfix, separated};
use super::{
    advise, bump, bump_tree, expected, fail, find_body, habits, here, name, or_find_body, ty, word,
    written, Run,
};
use crate::ast::{Block, Expr, Output, Stmt};
use crate::cin::Lit;
use crate::diagnostics::Diagnostics;
use proc_macro2::{Delimiter, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{braced, bracketed, token, Ident, Result, Token};

/// Statements up to the end of `input`.
pub(super) fn statements(input: ParseStream<'_>, diags: &mut Diagnostics) -> Vec<Stmt> {
    statements_until(input, diags, |_| false)
}

/// The body of a function that returns a value without a name: it ends with that value, as in Rust.
pub(super) fn returning(
    input: ParseStream<'_>,
    output: &Output,
    diags: &mut Diagnostics,
) -> Result<Block> {
    if !input.peek(token::Brace) {
        return expected(input, "the body of the function, `{ .. }`");
    }
    let content;
    let braces = braced!(content in input);
    let mut stmts =
        statements_until(&content, diags, |input| ends(input, false) || ends(input, true));
    if !content.is_empty() && !ends(&content, false) {
        let value = content.fork();
        let _: Option<Token![return]> = value.parse()?;
        let value = written(&expr(&value)?).unwrap_or_else(|| "..".to_owned());
        let message = format!("the body ends with the value that it returns: write `{value}`, without `return` and without `;`");
        diags.error(here(&content), message);
        while bump_tree(&content).is_some() {}
    }
    match content.is_empty() {
        true if diags.is_empty() => diags.error(
            output.name.span(),
            "the function returns a value that its body does not end with: write the value last, \
             without `;`, or name the result, as in `-> (s: f64) { s += .. }`",
        ),
        true => {}
        false => {
            let (target, span) = (Expr::Name(output.name.clone()), here(&content));
            stmts.push(Stmt::Assign { target, op: None, value: expr(&content)?, span });
        }
    }
    Ok(Block { stmts, span: braces.span.join() })
}

/// Whether a value, and nothing else, is left of `input`; `as_statement`: as Rust has it in the midst of a body.
fn ends(input: ParseStream<'_>, as_statement: bool) -> bool {
    let ahead = input.fork();
    if as_statement {
        let _ = ahead.parse::<Token![return]>();
    }
    let is_value = expr(&ahead).is_ok();
    if as_statement {
        let _ = ahead.parse::<Token![;]>();
    }
    is_value && ahead.is_empty()
}

/// Statements up to the end of `input`, or to where `end` holds.
fn statements_until(
    input: ParseStream<'_>,
    diags: &mut Diagnostics,
    end: impl Fn(ParseStream<'_>) -> bool,
) -> Vec<Stmt> {
    let mut stmts = Vec::new();
    loop {
        while input.peek(Token![;]) {
            bump_tree(input);
        }
        if input.is_empty() || end(input) {
            return stmts;
        }
        match statement(input, diags) {
            Ok((stmt, start)) => {
                stmts.push(stmt);
                stmts.extend(start);
            }
            Err(error) => {
                diags.push(error);
                skip(input);
            }
        }
    }
}

/// `{ statements }`; `what` says what the block would be.
pub(super) fn block(input: ParseStream<'_>, what: &str, diags: &mut Diagnostics) -> Result<Block> {
    if !input.peek(token::Brace) {
        return expected(input, format_args!("{what}, `{{ .. }}`"));
    }
    let content;
    let braces = braced!(content in input);
    Ok(Block { stmts: statements(&content, diags), span: braces.span.join() })
}

/// Passes over the rest of a statement that has a mistake.
fn skip(input: ParseStream<'_>) {
    while let Some(token) = bump_tree(input) {
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' => return,
            TokenTree::Group(g) if g.delimiter() == Delimiter::Brace && !continues(input) => return,
            _ => {}
        }
        // These begin a statement and nothing else.
        if input.peek(Token![for]) || input.peek(Token![let]) {
            return;
        }
    }
}

/// Whether the block just closed was not the end of its statement.
fn continues(input: ParseStream<'_>) -> bool {
    input.peek(Token![else]) || input.peek(Token![where])
}

/// One statement with its `;`, and the assignment of what a scalar that it declares starts at.
fn statement(input: ParseStream<'_>, diags: &mut Diagnostics) -> Result<(Stmt, Option<Stmt>)> {
    let span = here(input);
    let mut stmt = simple(input, diags)?;
    let start = started(input, &stmt)?;
    while input.peek(Token![where]) {
        if matches!(stmt, Stmt::Let { .. } | Stmt::Workspace { .. } | Stmt::Pass(_)) {
            return fail(
                input,
                "`where` follows a consumer that reads the workspace: write `{ .. } where { .. }`",
            );
        }
        bump_tree(input);
        if !input.peek(token::Brace) {
            return expected(input, "the producer after `where`, `{ .. }` (a condition is `if cond { .. }` around the statement)");
        }
        let producer = block(input, "the producer after `where`", diags)?;
        let consumer = match stmt {
            Stmt::Block(block) => block,
            other => Block { stmts: vec![other], span },
        };
        stmt = Stmt::Where { consumer, producer };
    }
    let closed =
        matches!(stmt, Stmt::For { .. } | Stmt::If { .. } | Stmt::Where { .. } | Stmt::Block(_));
    if closed || input.is_empty() || input.peek(Token![;]) {
        return Ok((stmt, start));
    }
    infix(input)?;
    let missing: Result<()> = match misfit(input) {
        Some(advice) => fail(input, advice),
        None => match factor(input) {
            Some(factor) if matches!(stmt, Stmt::Assign { .. } | Stmt::Let { .. }) => {
                let advice = format_args!("a product is written `.. * {factor}`");
                return advise(input, "`;` or an operator", advice);
            }
            _ => expected(input, "`;`"),
        },
    };
    missing.unwrap_or_else(|error| diags.push(error));
    if !begins_statement(input) {
        skip(input);
    }
    Ok((stmt, start))
}

/// The value that follows, if it does not begin the next statement.
fn factor(input: ParseStream<'_>) -> Option<String> {
    let ahead = input.fork();
    let value = postfix(&ahead).ok()?;
    let goes_on = infix(&ahead).is_ok_and(|op| op.is_some());
    (goes_on || ahead.is_empty() || ahead.peek(Token![;])).then(|| written(&value)).flatten()
}

/// Whether reading goes on best at this token after a forgotten `;`.
fn begins_statement(input: ParseStream<'_>) -> bool {
    if input.peek(Token![for])
        || input.peek(Token![if])
        || input.peek(Token![let])
        || input.peek(token::Brace)
    {
        return true;
    }
    let ahead = input.fork();
    if ahead.parse::<Ident>().is_err() {
        return false;
    }
    ahead.peek(token::Bracket) || Run::peek(&ahead).text.contains('=')
}

fn simple(input: ParseStream<'_>, diags: &mut Diagnostics) -> Result<Stmt> {
    if input.peek(token::Brace) {
        return block(input, "a block", diags).map(Stmt::Block);
    }
    if input.peek(Token![#]) && input.peek2(Ident) {
        diags.error(
            here(input),
            "there are no pragmas, and a loop runs in parallel by `parallel for i { .. }`; a comment begins with `//`",
        );
        // The line ends where the statement begins that it is about.
        while !(input.is_empty()
            || input.peek(Token![;])
            || input.peek(Token![for]) && !input.peek2(Token![for]))
        {
            bump_tree(input);
        }
        return match input.peek(Token![for]) {
            true => for_loop(input, diags),
            false => Ok(Stmt::Pass(Vec::new())),
        };
    }
    if input.peek(Token![#]) {
        return fail(
            input,
            "a statement has no attributes: they stand before the function, \
            and `#![..]` before everything; a loop runs in parallel by `parallel for i { .. }`",
        );
    }
    match word(input) {
        Some(w) => match w.to_string().as_str() {
            "for" => for_loop(input, diags),
            "if" => conditional(input, diags),
            "let" => definition(input),
            "pass" if passes(input) => pass(input),
            "remove" if input.peek2(Ident) => removal(input),
            "parallel" if input.peek2(Token![for]) => for_loop(input, diags),
            "parallel" if input.peek2(Ident) => fail(
                input,
                "a loop runs in parallel, and not a statement: write `parallel for i { .. }` around it",
            ),
            "while" | "loop" => {
                diags.error(
                    w.span(),
                    format_args!(
                        "`{w}` is not index notation: write `for i \
                    {{ .. }}` or `for i in lo..hi {{ .. }}`"
                    ),
                );
                bump_tree(input);
                // Whatever stands before the body is part of the mistake already reported.
                match find_body(input) {
                    true => block(input, "a body", diags).map(Stmt::Block),
                    false => Ok(Stmt::Pass(Vec::new())),
                }
            }
            "break" => fail(
                input,
                "`break` is not index notation: a kernel stops early by itself where nothing more \
                 can change; the first `i` for which a condition holds is `if cond { first <<min>>= i }`, of a `first: usize = usize::MAX`, and what ends with it is \
                 `let mut on: bool = true; for i { if cond { on = false } if on { .. } }`",
            ),
            "continue" | "return" => fail(
                input,
                format_args!(
                    "`{w}` is not index notation: a kernel stops early by itself where nothing \
                 more can change; restrict a statement with `if cond {{ .. }}`"
                ),
            ),
            "else" => fail(input, "`else` without `if`: it follows the closed block of an `if`"),
            "where" => fail(
                input,
                "`where` follows its consumer: write `{ consumer } where { \
             producer }`",
            ),
            "match" => fail(
                input,
                "`match` is not index notation: write `if cond { .. } else \
             { .. }`",
            ),
            "fn" | "pub" | "struct" | "enum" | "impl" | "trait" | "use" | "mod" | "static"
            | "const" | "type" | "unsafe" | "async" | "extern" => fail(
                input,
                format_args!(
                    "`{w}` is not index notation: write items and Rust \
                    blocks outside the kernel"
                ),
            ),
            _ => {
                habits::statement(input)?;
                assignment(input)
            }
        },
        None if Run::peek(input).text == "*" => fail(
            input,
            "there is nothing to dereference: a `&mut` scalar is assigned by its \
                name, `c += ..`",
        ),
        None if input.cursor().lifetime().is_some() => fail(
            input,
            "loops have no labels: a \
            kernel stops early by itself where nothing more can change",
        ),
        None => assignment(input),
    }
}

/// `if cond { .. } else if .. { .. } else { .. }`
fn conditional(input: ParseStream<'_>, diags: &mut Diagnostics) -> Result<Stmt> {
    let at = input.parse::<Token![if]>()?.span;
    let head = match input.peek(Token![let]) {
        true => fail(input, "`if let` is not index notation: a condition is a boolean expression, and what is not stored is the fill: write `if a[i, j] != 0 { .. }`"),
        false if input.peek(token::Brace) => fail(input, "expected a condition, found `{`"),
        false => expr(input).and_then(|cond| match misfit(input) {
            Some(advice) => fail(input, advice),
            None => Ok(cond),
        }),
    };
    let cond = or_find_body(head, input, diags)?;
    let then = block(input, "the body of the `if`", diags)?;
    let mut otherwise = None;
    if input.peek(Token![else]) {
        bump_tree(input);
        otherwise = Some(if input.peek(Token![if]) {
            let span = here(input);
            Block { stmts: vec![conditional(input, diags)?], span }
        } else {
            block(input, "`if` or the body of the `else`", diags)?
        });
    }
    let cond = cond.unwrap_or(Expr::Lit(Lit::Missing, None, at));
    Ok(Stmt::If { cond, then, otherwise })
}

/// `remove a[i, j]`
fn removal(input: ParseStream<'_>) -> Result<Stmt> {
    let span = input.call(Ident::parse_any)?.span();
    let target = expr(input)?;
    match target {
        Expr::Access { .. } => Ok(Stmt::Remove { target, span }),
        _ => Err(syn::Error::new(
            target.span(),
            "what is removed is an entry of a tensor: write `remove a[i, j]`",
        )),
    }
}

/// `let x = e` or `let mut w: Format[dims]`
fn definition(input: ParseStream<'_>) -> Result<Stmt> {
    input.parse::<Token![let]>()?;
    let mutable: Option<Token![mut]> = input.parse()?;
    let name = name(input, "a name")?;
    if mutable.is_none() {
        if input.peek(Token![:]) {
            return fail(
                input,
                format_args!(
                    "a definition takes its type from its value: \
                write `let {name} = ..;`, or `let mut {name}: Format[..];` for a workspace"
                ),
            );
        }
        if let Some(op) =
            Run::peek(input).text.strip_suffix('=').filter(|op| ["+", "-", "*", "/"].contains(op))
        {
            return fail(
                input,
                format_args!("a definition is made once: what is reduced is declared first, `let mut {name}: f64;`, with `{name} {op}= ..` behind it"),
            );
        }
        if !input.peek(Token![=]) || input.peek(Token![==]) {
            return advise(
                input,
                "a value",
                format_args!(
                    "write `let {name} = ..;`, or `let mut {name}: Format[..];` for a workspace"
                ),
            );
        }
        bump(input, 1)?;
        return Ok(Stmt::Let { name, value: expr(input)? });
    }
    if !input.peek(Token![:]) {
        return advise(
            input,
            "`:`",
            format_args!(
                "what is written is declared with its type: `let mut {name}: f64 = ..;`, or \
                `let mut {name}: Format[..];` for a workspace"
            ),
        );
    }
    bump(input, 1)?;
    let ty = ty(input)?;
    let dims = dims(input)?;
    Ok(Stmt::Workspace { name, ty, dims, of: None })
}

/// What a scalar starts at, `let mut t: f64 = e`: an assignment behind its declaration.
fn started(input: ParseStream<'_>, declared: &Stmt) -> Result<Option<Stmt>> {
    let Stmt::Workspace { name, dims, .. } = declared else { return Ok(None) };
    if !input.peek(Token![=]) {
        return Ok(None);
    }
    if dims.is_some() {
        return fail(
            input,
            format_args!(
                "a workspace starts at the fill of its format: write `let mut {name}: ..;` \
                and assign it afterwards"
            ),
        );
    }
    let span = input.span();
    bump(input, 1)?;
    let target = Expr::Name(name.clone());
    Ok(Some(Stmt::Assign { target, op: None, value: expr(input)?, span }))
}

/// `[n, m]` after a format.
pub(super) fn dims(input: ParseStream<'_>) -> Result<Option<Vec<Expr>>> {
    if input.peek(token::Paren) {
        return fail(input, "sizes stand in brackets behind the format, `y: Format[n]`");
    }
    if !input.peek(token::Bracket) {
        return Ok(None);
    }
    let content;
    bracketed!(content in input);
    let sizes = separated(&content, expr)?;
    if input.peek(token::Bracket) {
        return fail(input, "the sizes of all dimensions stand in one pair of brackets, `[n, m]`");
    }
    Ok(Some(sizes))
}

/// Whether `pass` is the statement here and not a variable of that name.
fn passes(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    bump_tree(&ahead);
    let text = Run::peek(&ahead).text;
    !ahead.peek(token::Bracket) && (text.is_empty() || text.starts_with([';', ',']))
}

/// `pass a, b`
fn pass(input: ParseStream<'_>) -> Result<Stmt> {
    input.call(Ident::parse_any)?;
    let mut names = Vec::new();
    while !input.is_empty() && !input.peek(Token![;]) {
        names.push(name(input, "the name of an output")?);
        if !input.peek(Token![,]) {
            break;
        }
        bump_tree(input);
    }
    Ok(Stmt::Pass(names))
}
