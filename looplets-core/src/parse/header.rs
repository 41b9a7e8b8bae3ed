//! What stands before the statements: `#![..]`, the signature of a function, or the angle brackets
//! of an inline program.

use super::expr::expr;
use super::stmt::{block, dims, returning, statements};
use super::{
    advise, at_word, bump, bump_tree, expected, fail, here, list, name, or_find_body, ty, word,
};
use crate::ast::promise::Promise;
use crate::ast::{Block, Form, Output, Param, Passing, Program, Use, Wish, RESULT};
use crate::diagnostics::Diagnostics;
use syn::parse::ParseStream;
use syn::spanned::Spanned as _;
use syn::{
    parenthesized, token, Attribute, Error, Generics, Ident, Lifetime, Result, Token, Type,
    Visibility,
};

/// The settings at the top, for every kernel below.
#[derive(Clone, Default)]
struct Settings {
    safe: bool,
    strict: bool,
    contract: bool,
    dense: bool,
    portable: bool,
    steps: Option<Ident>,
    schedule: Vec<Wish>,
    promise: Option<Promise>,
    uses: Vec<Use>,
}

/// Everything in one `finch!`.
pub(super) fn programs(input: ParseStream<'_>, diags: &mut Diagnostics) -> Vec<Program> {
    let mut settings = Settings::default();
    while input.peek(Token![use]) || input.peek(Token![#]) && input.peek2(Token![!]) {
        brought(input, &mut settings, diags);
        if !read_settings(input, &mut settings, diags) {
            break;
        }
    }
    if input.peek(Token![<]) {
        return inline(input, settings, diags).map_err(|e| diags.push(e)).into_iter().collect();
    }
    let mut programs = Vec::new();
    if input.is_empty() {
        diags.error(
            here(input),
            "expected a kernel: `pub fn name(..) { .. }`, or `<A: Format, mut c: f64> statements`",
        );
    }
    while !input.is_empty() {
        match function(input, &settings, diags) {
            Ok(program) => programs.extend(program),
            Err(error) => {
                diags.push(error);
                skip_function(input);
            }
        }
    }
    programs
}

/// `use path::{operator, rules};` before the first kernel.
fn brought(input: ParseStream<'_>, settings: &mut Settings, diags: &mut Diagnostics) {
    while input.peek(Token![use]) {
        match crate::decl::rules::uses(input) {
            Ok(uses) => settings.uses.extend(uses),
            Err(error) => {
                diags.push(error);
                while !input.is_empty() && !input.peek(Token![;]) {
                    bump_tree(input);
                }
                bump_tree(input);
            }
        }
    }
}

/// Leading `#![forbid(unsafe_code)]` and `#![steps(counter)]`.
/// Whether what follows may be read on.
fn read_settings(input: ParseStream<'_>, settings: &mut Settings, diags: &mut Diagnostics) -> bool {
    while input.peek(Token![#]) && input.peek2(Token![!]) {
        let attrs = match input.call(Attribute::parse_inner) {
            Ok(attrs) if !attrs.is_empty() => attrs,
            Ok(_) => return false,
            Err(error) => {
                diags.push(error);
                // `#`, `!` and what may be the brackets.
                (0..3).for_each(|_| drop(bump_tree(input)));
                continue;
            }
        };
        for attr in attrs {
            if let Err(error) = setting(&attr, settings) {
                diags.push(error);
            }
        }
    }
    true
}

fn setting(attr: &Attribute, settings: &mut Settings) -> Result<()> {
    if attr.path().is_ident("steps") {
        settings.steps = Some(attr.parse_args_with(|input: ParseStream<'_>| {
            name(input, "the name of a `mut` parameter that counts the steps")
        })?);
        return Ok(());
    }
    if attr.path().is_ident("schedule") {
        settings.schedule.extend(attr.parse_args_with(super::wishes::wishes)?);
        return Ok(());
    }
    if attr.path().is_ident("cost") {
        let span = attr.path().span();
        if settings.promise.is_some() {
            return Err(Error::new(span, "there is a cost already: add this one to it by `+`"));
        }
        let bound = attr.parse_args_with(super::promise::bound)?;
        settings.promise = Some(Promise { bound, span });
        return Ok(());
    }
    let plain = |name: &str| attr.path().is_ident(name) && attr.meta.require_path_only().is_ok();
    if plain("strict") || plain("contract") {
        settings.strict |= plain("strict");
        settings.contract |= plain("contract");
        if settings.strict && settings.contract {
            return Err(Error::new_spanned(
                attr,
                "`#![strict]` rounds every product and `#![contract]` need not: leave one of them out",
            ));
        }
        return Ok(());
    }
    if plain("dense") {
        settings.dense = true;
        return Ok(());
    }
    if plain("portable") {
        settings.portable = true;
        return Ok(());
    }
    if attr.path().is_ident("forbid")
        && attr.parse_args::<Ident>().is_ok_and(|a| a == "unsafe_code")
    {
        settings.safe = true;
        return Ok(());
    }
    if attr.path().is_ident("parallel") {
        return Err(Error::new_spanned(
            attr,
            "what runs at once is said of a loop: write `parallel for i { .. }`",
        ));
    }
    let lints = ["allow", "warn", "deny", "expect"];
    if lints.iter().any(|lint| attr.path().is_ident(lint)) {
        return Err(Error::new_spanned(
            attr,
            "lints are set in front of the function, `#[allow(..)] fn ..`, or in front of what holds an inline program",
        ));
    }
    let rust = ["inline", "cold", "must_use", "doc", "cfg", "target_feature", "track_caller"];
    if let Some(name) = rust.iter().find(|name| attr.path().is_ident(name)) {
        return Err(Error::new_spanned(
            attr,
            format_args!("attributes of Rust stand in front of the function they are of: write `#[{name}] fn ..`, with what they take"),
        ));
    }
    Err(Error::new_spanned(
        attr,
        "unknown setting: expected `#![forbid(unsafe_code)]`, `#![strict]`, `#![contract]`, `#![dense]`, `#![portable]`, `#![schedule(..)]`, `#![cost(..)]` or `#![steps(counter)]`",
    ))
}

/// Passes over the rest of a function whose signature has a mistake and whose body is not in sight.
fn skip_function(input: ParseStream<'_>) {
    bump_tree(input);
    while !input.is_empty()
        && !input.peek(Token![fn])
        && !input.peek(Token![pub])
        && !input.peek(Token![#])
    {
        bump_tree(input);
    }
}

/// `<A: Format, mut c: f64> -> (y: Format[n]) statements`
fn inline(input: ParseStream<'_>, settings: Settings, diags: &mut Diagnostics) -> Result<Program> {
    let (at, start) = (input.span(), input.cursor());
    bump(input, 1)?;
    let mut params = Vec::new();
    while !input.peek(Token![>]) {
        let first = input.cursor();
        let result = inline_param(input).and_then(|p| {
            params.push(p);
            if input.peek(Token![,]) || input.peek(Token![>]) {
                Ok(())
            } else {
                expected(input, "`,` or `>`")
            }
        });
        if let Err(error) = result {
            diags.push(error);
            super::skip_item(input, first, true);
        }
        if input.is_empty() {
            // Without the end of the header there is no telling where the statements begin.
            if diags.is_empty() {
                diags.error(here(input), "expected `>` after the parameters, found the end");
            }
            break;
        }
        let _: Option<Token![,]> = input.parse()?;
    }
    let _: Option<Token![>]> = input.parse()?;
    let mut outs = Vec::new();
    if input.peek(Token![->]) {
        bump(input, 2)?;
        outs = match result_path(input)? {
            // Where a type without parentheses ends, statements would begin.
            None if !input.peek(token::Paren) => {
                return advise(input, "named outputs in parentheses", "write `-> (y: Format)`")
            }
            None => outputs(input, diags)?,
            Some(_) => {
                return fail(
                    input,
                    "an inline program has no error type: write `-> (y: \
                Format)`, or use the function form",
                )
            }
        };
    }
    if input.is_empty() && diags.is_empty() {
        diags.error(at, "this program does nothing: write statements behind `<..>`");
    }
    let span = here(input);
    let stmts = statements(input, diags);
    let Settings { safe, strict, contract, dense, portable, steps, schedule, promise, uses } =
        settings;
    Ok(Program {
        safe,
        strict,
        contract,
        dense,
        portable,
        steps,
        schedule,
        promise,
        uses,
        form: Form::Inline,
        unread: super::unread::unread(start, input.cursor(), &params),
        params,
        outputs: outs,
        body: Block { stmts, span },
    })
}

fn inline_param(input: ParseStream<'_>) -> Result<Param> {
    let mutable: Option<Token![mut]> = input.parse()?;
    let name = name(input, "a parameter, `A: Format` or `mut c: f64`")?;
    colon(input, &name)?;
    if input.peek(Token![&]) {
        return fail(
            input,
            format_args!(
                "an inline program borrows by itself: write `{name}: \
            Format`, or `mut {name}: Format` to update it"
            ),
        );
    }
    if super::alternatives::begin(input) {
        return fail(
            input,
            "the tensors of an inline program have one format each: use the function form",
        );
    }
    let ty = ty(input)?;
    let passing = if mutable.is_some() { Passing::Mutable } else { Passing::Shared };
    Ok(Param { name, passing, ty, others: Vec::new() })
}

fn colon(input: ParseStream<'_>, name: &Ident) -> Result<()> {
    if !input.peek(Token![:]) || input.peek(Token![::]) {
        return expected(input, format_args!("`:` and the type of `{name}`"));
    }
    bump(input, 1)
}

/// A whole function; `None` if its mistakes are recorded already.
fn function(
    input: ParseStream<'_>,
    settings: &Settings,
    diags: &mut Diagnostics,
) -> Result<Option<Program>> {
    let start = input.cursor();
    let head = signature(input, settings, diags);
    let head = or_find_body(head, input, diags)?;
    let unnamed = |p: &Program| p.outputs.first().is_some_and(|o| o.name == RESULT);
    let body = match &head {
        Some(program) if unnamed(program) => returning(input, &program.outputs[0], diags)?,
        _ => block(input, "the body of the function", diags)?,
    };
    Ok(head.map(|program| {
        let unread = super::unread::unread(start, input.cursor(), &program.params);
        Program { body, unread, ..program }
    }))
}

/// Everything of a function but its body.
fn signature(
    input: ParseStream<'_>,
    settings: &Settings,
    diags: &mut Diagnostics,
) -> Result<Program> {
    if input.peek(Token![#]) && input.peek2(Token![!]) {
        return fail(input, "`#![..]` holds for all kernels: it stands before the first");
    }
    let attrs = input.call(Attribute::parse_outer)?;
    for attr in &attrs {
        let own = ["strict", "contract", "dense", "portable", "steps", "schedule", "cost"];
        if let Some(word) = own.iter().find(|word| attr.path().is_ident(word)) {
            let message = format!("`{word}` is of all kernels of a `finch!`: write `#![{word}]` in front of the first one, with a `finch!` of its own for those that it is not of");
            diags.error(attr.path().span(), message);
        }
    }
    let vis: Visibility = input.parse()?;
    if !input.peek(Token![fn]) {
        return match word(input) {
            Some(w) if ["async", "unsafe", "const", "extern"].iter().any(|q| w == q) => {
                fail(input, format_args!("a kernel is a plain function: leave out `{w}`"))
            }
            _ => expected(
                input,
                "a kernel, `pub fn name(..) { .. }` or `<A: Format, mut c: f64> statements`",
            ),
        };
    }
    bump_tree(input);
    let name = name(input, "the name of the function")?;
    let mut generics: Generics = input.parse()?;
    if !input.peek(token::Paren) {
        return expected(input, "the parameters, `(a: &Format, ..)`");
    }
    let content;
    parenthesized!(content in input);
    let params = list(&content, diags, param);
    let (mut outs, mut fallible) = (Vec::new(), None);
    if input.peek(Token![->]) {
        bump(input, 2)?;
        (outs, fallible) = returns(input, diags)?;
    }
    generics.where_clause = input.parse()?;
    if !input.peek(token::Brace) {
        return expected(input, "the body of the function, `{ .. }`");
    }
    let form = Form::Function { attrs, vis, name, generics: Box::new(generics), fallible };
    let Settings { safe, strict, contract, dense, portable, steps, schedule, promise, uses } =
        settings.clone();
    let body = Block { stmts: Vec::new(), span: input.span() };
    Ok(Program {
        safe,
        strict,
        contract,
        dense,
        portable,
        steps,
        schedule,
        promise,
        uses,
        form,
        params,
        unread: Vec::new(),
        outputs: outs,
        body,
    })
}

/// `a: &Type`, `y: &mut Type` or `alpha: Type`
fn param(input: ParseStream<'_>) -> Result<Param> {
    if at_word(input, "self") || (input.peek(Token![&]) && !input.peek2(Ident)) {
        return fail(input, "a kernel is a free function: name each tensor, `a: &Format`");
    }
    if input.peek(Token![mut]) {
        let ahead = input.fork();
        bump_tree(&ahead);
        let of = word(&ahead).map_or("c".into(), |w| w.to_string());
        return fail(
            input,
            format_args!(
                "a parameter passed by value is not returned: write \
            `{of}: &mut ..` to update it in place"
            ),
        );
    }
    let name = name(input, "a parameter, `a: &Format`")?;
    colon(input, &name)?;
    let mut passing = Passing::Value;
    if input.peek(Token![&]) {
        bump(input, 1)?;
        // The expansion borrows afresh, so a lifetime says nothing.
        let _: Option<Lifetime> = input.parse()?;
        let mutable: Option<Token![mut]> = input.parse()?;
        passing = if mutable.is_some() { Passing::Mutable } else { Passing::Shared };
    }
    if super::alternatives::begin(input) {
        if passing == Passing::Value {
            return fail(input, "what has one of several formats is borrowed: write `&` in front");
        }
        let (ty, others) = super::alternatives::formats(input)?;
        return Ok(Param { name, passing, ty, others });
    }
    let ty = ty(input)?;
    if input.peek(token::Bracket) {
        return fail(input, "a parameter comes with its sizes: leave them out, as they are given of results and workspaces alone");
    }
    if input.peek(Token![=]) {
        return fail(
            input,
            "parameters have no defaults, as in Rust: leave it out, and pass the value",
        );
    }
    Ok(Param { name, passing, ty, others: Vec::new() })
}

/// What follows `->`: outputs, and the error type if they come in a `Result`.
fn returns(
    input: ParseStream<'_>,
    diags: &mut Diagnostics,
) -> Result<(Vec<Output>, Option<Box<Type>>)> {
    let Some(ahead) = result_path(input)? else {
        super::habits::outputs(input)?;
        return Ok((outputs(input, diags)?, None));
    };
    while input.cursor() < ahead {
        bump_tree(input);
    }
    if !input.peek(Token![<]) {
        return advise(input, "`<`", "write `Result<(y: Format), looplets::Error>`");
    }
    bump(input, 1)?;
    let outs = outputs(input, diags)?;
    if !input.peek(Token![,]) {
        return advise(
            input,
            "`,` and the error type",
            "write `Result<(y: Format), looplets::Error>`",
        );
    }
    bump_tree(input);
    let error = ty(input)?;
    let _: Option<Token![,]> = input.parse()?;
    if !input.peek(Token![>]) {
        return expected(input, "`>`");
    }
    bump(input, 1)?;
    Ok((outs, Some(Box::new(error))))
}

/// Where a path to `Result` ends, if there is one here.
fn result_path(input: ParseStream<'_>) -> Result<Option<syn::buffer::Cursor<'_>>> {
    let ahead = input.fork();
    let path = ahead.call(syn::Path::parse_mod_style);
    let result = path.is_ok_and(|p| p.segments.last().is_some_and(|s| s.ident == "Result"));
    Ok(result.then(|| ahead.cursor()))
}

/// `(y: Format, z: Format[n, m])`
fn outputs(input: ParseStream<'_>, diags: &mut Diagnostics) -> Result<Vec<Output>> {
    if !input.peek(token::Paren) {
        let ahead = input.fork();
        let advice = "write `-> (y: Format)`";
        let Ok(Type::Path(plain)) = ty(&ahead) else {
            return advise(input, "named outputs in parentheses", advice);
        };
        // A number or a type parameter; formats have parameters.
        let Some(last) = plain.path.segments.last().filter(|s| s.arguments.is_empty()) else {
            return advise(input, "named outputs in parentheses", advice);
        };
        let name = Ident::new(RESULT, last.ident.span());
        return Ok(vec![Output { name, ty: ty(input)?, dims: None, start: None }]);
    }
    let content;
    parenthesized!(content in input);
    Ok(list(&content, diags, |input| {
        if input.peek(Token![mut]) {
            return fail(input, "an output is written in any case: leave out `mut`");
        }
        let name = name(input, "an output, `y: Format`")?;
        if !input.peek(Token![:]) || input.peek(Token![::]) {
            return advise(
                input,
                format_args!("`:` and the format of `{name}`"),
                "outputs are named, `y: Format`",
            );
        }
        bump(input, 1)?;
        if input.peek(Token![&]) {
            return fail(
                input,
                format_args!(
                    "the kernel creates its outputs: write `{name}: \
                Format`, or make it a parameter, `{name}: &mut Format`"
                ),
            );
        }
        let (ty, dims) = (ty(input)?, dims(input)?);
        let mut start = None;
        if input.peek(Token![=]) {
            let span = input.span();
            bump(input, 1)?;
            start = Some((expr(input)?, span));
        }
        Ok(Output { name, ty, dims, start })
    }))
}
