//! Words and forms that people bring along from other languages, each with what is written here: one table for each
//! place where they are met, which is where a statement begins, where an operand does, behind an operand, behind
//! brackets, and in the head of a loop.

use super::{fail, here, word, Run};
use crate::ast::Expr;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::ParseStream;
use syn::{token, Error, Ident, Result, Token};

const LOOPS: &str = "loops are written `for i, j { .. }`, or `for i in lo..hi { .. }`";
const AT_ONCE: &str = "a loop whose iterations run at once is written `parallel for i { .. }`";
const FURTHER: &str = "a further condition is written `else if cond { .. }`";

/// What begins with a word of another language.
const FUNCTION: &str = "a function is written `fn f(a: &Format) -> (y: Format) { .. }`";

/// Words that begin a statement.
const STATEMENTS: [(&str, &str); 15] = [
    ("def", FUNCTION),
    ("func", FUNCTION),
    ("function", FUNCTION),
    ("kernel", FUNCTION),
    ("forall", LOOPS),
    ("foreach", LOOPS),
    ("do", LOOPS),
    ("par", AT_ONCE),
    ("parfor", AT_ONCE),
    ("pfor", AT_ONCE),
    ("par_for", AT_ONCE),
    ("elif", FURTHER),
    ("elseif", FURTHER),
    ("elsif", FURTHER),
    ("unless", "write `if !(cond) { .. }`"),
];

/// Words between two operands.
const BETWEEN: [(&str, &str); 5] = [
    ("and", "both of two conditions are `a && b`"),
    ("or", "one of two conditions is `a || b`"),
    ("mod", "the remainder is `a % b`"),
    ("div", "a quotient is `a / b`, which cuts off the fraction of whole numbers"),
    ("is", "equality is `a == b`"),
];

/// Words with an index in brackets that stand before what is reduced, and the assignment that reduces so.
const REDUCTIONS: [(&str, &str); 9] = [
    ("sum", "+="),
    ("Σ", "+="),
    ("prod", "*="),
    ("product", "*="),
    ("Π", "*="),
    ("min", "<<min>>="),
    ("max", "<<max>>="),
    ("any", "||="),
    ("all", "&&="),
];

/// Names behind a `.` that make what a loop of Rust goes through.
const ITERATORS: [&str; 6] = ["iter", "iter_mut", "into_iter", "enumerate", "values", "keys"];

/// Refuses a statement that begins as one of another language does.
pub(super) fn statement(input: ParseStream<'_>) -> Result<()> {
    let Some(word) = word(input) else { return Ok(()) };
    if input.peek2(Token![!]) && !input.peek2(Token![!=]) {
        let message = format!("`{word}!` is no statement of a kernel: call it outside, with what the kernel is given or returns");
        return fail(input, message);
    }
    let known = STATEMENTS.iter().find(|(habit, _)| word == habit);
    match known.filter(|_| behind(input, true)) {
        Some((_, write)) => {
            fail(input, format_args!("`{word}` is no word of the language: {write}"))
        }
        None => Ok(()),
    }
}

/// Modules of other languages whose functions are meant.
const MODULES: [&str; 8] = ["np", "numpy", "math", "Math", "torch", "jnp", "scipy", "cupy"];

/// What `name` of a module is here.
fn of_module(module: &str, name: &str) -> String {
    match name {
        "where" => "a choice is `ifelse(cond, a, b)`".to_owned(),
        "inf" | "Infinity" | "infty" => "write `f64::INFINITY`".to_owned(),
        "nan" | "NaN" => "write `f64::NAN`".to_owned(),
        "pi" | "PI" => "write `std::f64::consts::PI`".to_owned(),
        "e" | "E" => "write `std::f64::consts::E`".to_owned(),
        "sum" => "a sum is a reduction, `s += x[i]`".to_owned(),
        "prod" => "a product is a reduction, `p *= x[i]`".to_owned(),
        "log" => "the natural logarithm is `ln(x)`, and those to a base are `log2(x)` and `log10(x)`".to_owned(),
        "power" | "pow" => "a power is `powi(x, 2)`, or `powf(x, y)`".to_owned(),
        "maximum" | "fmax" => "the greater of two values is `max(a, b)`".to_owned(),
        "minimum" | "fmin" => "the lesser of two values is `min(a, b)`".to_owned(),
        "clip" => "what cuts is `clamp(x, lo, hi)`".to_owned(),
        "dot" | "inner" | "vdot" | "matmul" | "einsum" | "tensordot" => {
            "a product is a sum over what both share: write `s += x[i] * y[i]`, `y[i] += a[i, j] * x[j]`, or `c[i, j] += a[i, k] * b[k, j]`".to_owned()
        }
        "outer" => "an outer product is `c[i, j] = x[i] * y[j]`".to_owned(),
        "max" | "amax" => "the greatest is a reduction, `m <<max>>= x[i]`".to_owned(),
        "min" | "amin" => "the least is a reduction, `m <<min>>= x[i]`".to_owned(),
        "mean" | "average" => "a mean is a sum: write `m += x[i] / $(x.shape()[0]) as f64`".to_owned(),
        "transpose" => "a transpose is read by its indices in the other order: write `t[j, i] = a[i, j]`".to_owned(),
        "zeros" | "ones" | "zeros_like" | "ones_like" | "empty" | "full" => {
            super::elsewhere::STARTS.to_owned()
        }
        "arange" | "linspace" => "the index is a number: write `y[i] = i`".to_owned(),
        name => format!("write `{name}(..)` for `{module}.{name}(..)`, of each element"),
    }
}

/// Refuses `not x`. A function may be called so.
pub(super) fn operand(input: ParseStream<'_>) -> Result<()> {
    if let Some(module) = word(input).filter(|word| MODULES.iter().any(|m| word == m)) {
        let behind = input
            .cursor()
            .ident()
            .and_then(|(_, rest)| rest.punct())
            .filter(|(p, _)| p.as_char() == '.');
        if let Some((name, _)) = behind.and_then(|(_, rest)| rest.ident()) {
            return fail(
                input,
                format_args!(
                    "there are no modules: {}",
                    of_module(&module.to_string(), &name.to_string())
                ),
            );
        }
    }
    if let Some(nothing) = word(input).filter(|w| w == "None" || w == "null") {
        return fail(input, format_args!("there is no `{nothing}`: what is not there is `missing`, and nothing is stored where a condition around the statement does not hold"));
    }
    let not = word(input).filter(|word| word == "not" && !input.peek2(token::Paren));
    match not.filter(|_| behind(input, false)) {
        Some(_) => fail(input, "`not` is no operator: negation is `!a`"),
        None => Ok(()),
    }
}

/// Refuses a word between two operands.
pub(super) fn between(input: ParseStream<'_>) -> Result<()> {
    let Some(word) = word(input) else { return Ok(()) };
    if word == "if" && chooses(input) {
        return fail(input, "`if` is a statement: a choice between values is `ifelse(cond, a, b)`");
    }
    let known = BETWEEN.iter().find(|(habit, _)| word == habit);
    match known.filter(|_| behind(input, false)) {
        Some((_, write)) => fail(input, format_args!("`{word}` is no operator: {write}")),
        None => Ok(()),
    }
}

/// Whether the `if` at hand is that of `a if cond else b`: its `else` comes before any block.
fn chooses(input: ParseStream<'_>) -> bool {
    let mut at = input.cursor();
    while let Some((tree, next)) = at.token_tree() {
        match &tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return false,
            TokenTree::Ident(name) if name == "else" => return true,
            TokenTree::Punct(p) if p.as_char() == ';' => return false,
            _ => at = next,
        }
    }
    false
}

/// Types that other languages convert to in front of a value, and what they are called here.
const CASTS: [(&str, &str); 7] = [
    ("double", "f64"),
    ("float", "f32"),
    ("int", "i32"),
    ("long", "i64"),
    ("unsigned", "u32"),
    ("size_t", "usize"),
    ("bool", "bool"),
];

/// Refuses `(double) x`, where the parentheses, in which `inside` stands, have been read.
pub(super) fn cast(input: ParseStream<'_>, inside: &Expr) -> Result<()> {
    let Expr::Name(name) = inside else { return Ok(()) };
    let ty = name.to_string();
    let known = CASTS.iter().find(|(other, _)| *other == ty).map(|(_, here)| *here);
    let known = known.or_else(|| crate::types::primitive(&ty).then_some(ty.as_str()));
    let Some(ty) = known.filter(|_| input.peek(Ident) || input.peek(syn::Lit)) else {
        return Ok(());
    };
    let of = super::operand::postfix(&input.fork()).ok();
    let of = of.and_then(|e| super::written(&e)).unwrap_or_else(|| "x".to_owned());
    Err(Error::new(
        name.span(),
        format_args!("a conversion stands behind what it converts: write `{of} as {ty}`"),
    ))
}

/// Refuses `max(x[i])`, as if it went over all, and `permit(i - 1)`.
pub(super) fn call(path: &syn::Path, args: &[Expr]) -> Result<()> {
    let Some(name) = path.get_ident() else { return Ok(()) };
    let first = args.first().and_then(super::written);
    let message = match name.to_string().as_str() {
        "min" | "max" if args.len() == 1 => {
            let of = first.unwrap_or_else(|| "..".to_owned());
            format!("`{name}` is of two values or more: that of all is a reduction, `m <<{name}>>= {of}`, into a tensor or scalar")
        }
        "coalesce" if args.len() == 1 => {
            let of = first.unwrap_or_else(|| "..".to_owned());
            format!("`coalesce` gives the first of its values that is not `missing`: say what stands in the place of this one, `coalesce({of}, 0)`")
        }
        ty if args.len() == 1 && crate::types::primitive(ty) => {
            let of = args
                .first()
                .and_then(|e| super::operand(e, &crate::cin::Op::As(crate::types::Ty::Unknown)));
            format!(
                "a conversion stands behind what it converts: write `{} as {ty}`",
                of.unwrap_or_else(|| "x".to_owned())
            )
        }
        "permit" => match args.first() {
            Some(Expr::Access { name, indices, .. }) if name != "permit" => {
                let inside: Vec<String> = indices
                    .iter()
                    .map(|i| match &i.expr {
                        Expr::Name(i) => i.to_string(),
                        other => format!("permit[{}]", super::written(other).unwrap_or_default()),
                    })
                    .collect();
                format!("`permit` stands around an index, and not around an element: write `{name}[{}]`", inside.join(", "))
            }
            _ => {
                let of = first.unwrap_or_else(|| "i - 1".to_owned());
                format!("`permit` modifies an index, in brackets: write `permit[{of}]`")
            }
        },
        _ => return Ok(()),
    };
    Err(Error::new(name.span(), message))
}

/// Refuses the loops of C, `for (i = 0; i < n; i++)`.
pub(super) fn counted(input: ParseStream<'_>) -> Result<()> {
    let Some((inside, ..)) = input.cursor().group(Delimiter::Parenthesis) else { return Ok(()) };
    let counts =
        |tree: TokenTree| matches!(tree, TokenTree::Punct(p) if "=;<".contains(p.as_char()));
    match inside.token_stream().into_iter().any(counts) {
        true => fail(input, "a loop has no steps of its own: write `for i in 0..n { .. }`, or `for i { .. }` for a whole dimension"),
        false => Ok(()),
    }
}

/// Whether the word of other languages for steps stands behind the extent of a loop, `for i in 0..n step 2`.
pub(super) fn step(input: ParseStream<'_>) -> bool {
    word(input).is_some_and(|w| ["step", "by", "stride"].iter().any(|habit| w == habit))
}

/// Refuses `sum[j] a[i, j]`, where `name[..]` has been read.
pub(super) fn reduction(input: ParseStream<'_>, name: &Ident) -> Result<()> {
    let operand = input.peek(Ident) || input.peek(syn::Lit) || input.peek(token::Paren);
    let between = word(input).is_some_and(|w| BETWEEN.iter().any(|(habit, _)| w == habit));
    match REDUCTIONS.iter().find(|(habit, _)| name == habit) {
        Some((_, assign)) if operand && !between => Err(Error::new(
            name.span(),
            format_args!("`{name}[..] ..` is no operator: what is assigned is reduced, over the indices that stand on the right alone, `y[i] {assign} a[i, j]`"),
        )),
        _ => Ok(()),
    }
}

/// Refuses a slice, at its `:`.
pub(super) fn slice(input: ParseStream<'_>) -> Result<()> {
    if !input.peek(Token![:]) || input.peek(Token![::]) {
        return Ok(());
    }
    fail(input, "slices are not written: name an index for each dimension, `y[i] += a[i, j]`; a part of one is `window(lo, hi)[i]` in place of `i`")
}

/// Refuses what a loop of Rust goes through, where what stands behind `for i in` begins.
pub(super) fn iterator(input: ParseStream<'_>) -> Result<()> {
    let mut at = input.cursor();
    let (mut dots, mut range) = (0, false);
    while let Some((tree, next)) = at.token_tree() {
        match &tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => break,
            TokenTree::Group(group) => range |= ranges(group.stream()),
            TokenTree::Ident(name) if dots == 1 => {
                let advice = match name.to_string().as_str() {
                    "step_by" if range => "a loop takes no steps: go through as few indices and say where each reads, `for i in 0..(n + 1) / 2 { .. x[2 * i] .. }`",
                    "rev" if range => "a loop has no direction of its own: say where each index reads, `for i in 0..n { .. x[n - 1 - i] .. }`",
                    word if ITERATORS.contains(&word) => "a loop goes through indices, not values: write `for i { .. }`, and `x[i]` for the value",
                    _ => return Ok(()),
                };
                return Err(Error::new(name.span(), advice));
            }
            _ => {}
        }
        let dot = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.');
        dots = if dot { dots + 1 } else { 0 };
        at = next;
    }
    Ok(())
}

/// Whether `..` stands in `tokens`.
fn ranges(tokens: TokenStream) -> bool {
    let dots = |tree: TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '.');
    let dots: Vec<bool> = tokens.into_iter().map(dots).collect();
    dots.windows(2).any(|two| two == [true, true])
}

/// Whether what follows the word at hand would begin an operand, or with `heads` a body or another word.
fn behind(input: ParseStream<'_>, heads: bool) -> bool {
    let ahead = input.fork();
    super::bump_tree(&ahead);
    let run = Run::peek(&ahead);
    match run.text.as_str() {
        "" if ahead.is_empty() || ahead.peek(token::Bracket) => false,
        "" if ahead.peek(token::Brace) || ahead.peek(Token![for]) => heads,
        "" => word(&ahead).is_none_or(|w| ahead.peek(Ident) || w == "missing" || w == "self"),
        text => text == "-" || text.starts_with('!') && !text.starts_with("!="),
    }
}

/// Refuses outputs without parentheses, at the first, where `->` has been read.
pub(super) fn outputs(input: ParseStream<'_>) -> Result<()> {
    if !input.peek(Ident) || !input.peek2(Token![:]) || input.peek2(Token![::]) {
        return Ok(());
    }
    let ahead = input.fork();
    let mut tokens = TokenStream::new();
    while !ahead.is_empty() && !ahead.peek(token::Brace) && !ahead.peek(Token![where]) {
        tokens.extend(super::bump_tree(&ahead));
    }
    let text =
        crate::diagnostics::text(tokens).replace("::", "\0").replace(':', ": ").replace('\0', "::");
    Err(Error::new(here(input), format_args!("outputs stand in parentheses: write `-> ({text})`")))
}
