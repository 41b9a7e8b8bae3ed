//! The front door: the steps by which `finch!` and `explain!` fetch declarations and then compile.
//!
//! A proc macro sees tokens, not types, so each format name of a header is called as a macro, which
//! passes its declaration on to the next step (D3.1). Between two steps everything known travels as
//! tokens: `[krate] mode { program } [declarations so far] [types to do] [keys]`, then `origin { declaration }` for each key.

mod compile;
mod report;

pub use compile::{compile, resolved};
pub use report::{trace, Report};

use crate::decl::identity::Origin;
use crate::diagnostics::Errors;
use crate::formats::{Library, Todo};
use crate::simplify::Simplifier;
use crate::{algebra, ast, emit, parse, picture, resolve, schedule};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Everything known between two steps.
struct State {
    krate: TokenStream,
    mode: Ident,
    program: TokenStream,
    library: Library,
    done: TokenStream,
    /// Types whose declarations are not all there, once all that programs bring in by `use` are.
    todo: Option<Todo>,
}

impl State {
    /// Calls of macros, each by its path, which hand on the declarations known by their keys: the first calls the second, and
    /// so on, and the last one the next step.
    fn ask(&self, names: &[(String, TokenStream)]) -> TokenStream {
        let State { krate, mode, program, done, .. } = self;
        let todo = match &self.todo {
            Some(todo) => todo.tokens(),
            None => quote!(use),
        };
        let keys = names.iter().map(|(key, _)| Literal::string(key));
        let state = quote!([#krate] #mode { #program } [#done] [#todo] [#(#keys)*]);
        let mut next = quote!(#krate::__private::step);
        let mut rest = state;
        for (_, path) in names.iter().rev() {
            rest = quote!(@looplets [#next] #rest);
            next = path.clone();
        }
        quote!(#next ! { #rest })
    }
}

/// The first step: `[krate] mode { program }`.
pub fn start(input: TokenStream, simplifier: &mut Simplifier) -> TokenStream {
    let mut trees = input.into_iter();
    let (
        Some(TokenTree::Group(krate)),
        Some(TokenTree::Ident(mode)),
        Some(TokenTree::Group(program)),
    ) = (trees.next(), trees.next(), trees.next())
    else {
        return syn::Error::new(
            proc_macro2::Span::call_site(),
            "internal: expected `[crate] mode { program }`",
        )
        .to_compile_error();
    };
    let state = State {
        krate: krate.stream(),
        mode,
        program: program.stream(),
        library: Library::of(krate.stream()),
        done: TokenStream::new(),
        todo: None,
    };
    advance(state, simplifier)
}

/// A further step: the state, then the declaration a format's macro has added.
pub fn step(input: TokenStream, simplifier: &mut Simplifier) -> TokenStream {
    match read(input) {
        Ok(state) => advance(state, simplifier),
        Err(e) => e.to_compile_error(),
    }
}

fn read(input: TokenStream) -> syn::Result<State> {
    let trees: Vec<TokenTree> = input.into_iter().collect();
    let other = || {
        syn::Error::new(
            proc_macro2::Span::call_site(),
            "this name is a macro but not a format: declare formats with `level!`",
        )
    };
    let [TokenTree::Group(krate), TokenTree::Ident(mode), TokenTree::Group(program), TokenTree::Group(done), TokenTree::Group(todo), TokenTree::Group(keys), declared @ ..] =
        trees.as_slice()
    else {
        return Err(other());
    };
    let mut done = done.stream();
    let keys: Vec<TokenTree> = keys.stream().into_iter().collect();
    if declared.len() != 2 * keys.len() {
        return Err(other());
    }
    for (key, declared) in keys.iter().zip(declared.chunks(2)) {
        let [TokenTree::Literal(origin), TokenTree::Group(decl)] = declared else {
            return Err(other());
        };
        done.extend(quote!(#key #origin #decl));
    }
    let mut library = Library::of(krate.stream());
    let mut entries = done.clone().into_iter();
    while let (Some(key), Some(origin), Some(TokenTree::Group(decl))) =
        (entries.next(), entries.next(), entries.next())
    {
        library.add(text(&key), text(&origin), decl.stream());
    }
    let uses = matches!(todo.stream().into_iter().next(), Some(TokenTree::Ident(_)));
    let todo = if uses { None } else { Some(Todo::read(todo.stream())?) };
    Ok(State {
        krate: krate.stream(),
        mode: mode.clone(),
        program: program.stream(),
        library,
        done,
        todo,
    })
}

fn text(literal: &TokenTree) -> String {
    literal.to_string().trim_matches('"').to_owned()
}

fn advance(mut state: State, simplifier: &mut Simplifier) -> TokenStream {
    let next = state.todo.as_mut().map(|todo| todo.next(&state.library)).unwrap_or_default();
    if !next.is_empty() {
        return state.ask(&next);
    }
    let each = |program: ast::Program| Ok((ast::alternatives::each(&program)?, program));
    let programs = parse::programs(state.program.clone())
        .and_then(|all| all.into_iter().map(each).collect::<Result<Vec<_>, Errors>>());
    let programs = match programs {
        Ok(programs) => programs,
        Err(e) => return in_place(&state.program, &state.mode, &e),
    };
    if state.todo.is_none() {
        let all = || programs.iter().flat_map(|(each, _)| each);
        for program in all() {
            let rules = simplifier.rules();
            if let Some(next) = algebra::missing(&program.uses, &state.library, rules) {
                return state.ask(&[next]);
            }
        }
        let types = all().flat_map(|program| {
            let generics = resolve::generic_names(program);
            resolve::format_types(program, &state.krate)
                .into_iter()
                .chain(schedule::format_types(program, &state.krate))
                .map(move |ty| (ty, generics.clone()))
        });
        let mut todo = Todo::new(types);
        let next = todo.next(&state.library);
        state.todo = Some(todo);
        if !next.is_empty() {
            return state.ask(&next);
        }
    }
    if let Err(e) = state.library.settle() {
        return in_place(&state.program, &state.mode, &e.into());
    }
    let (explain, svg) = (state.mode == "explain", state.mode == "explain_svg");
    let mut nests = Vec::new();
    let mut out = TokenStream::new();
    let mut told = String::new();
    for (each, whole) in programs {
        let inline = matches!(whole.form, ast::Form::Inline);
        let several = each.len() > 1;
        let (mut alternatives, mut complete) = (Vec::new(), true);
        for program in each {
            let varying = whole.params.iter().zip(&program.params);
            let varying = varying.filter(|(whole, _)| !whole.others.is_empty());
            let types = varying.map(|(_, one)| one.ty.clone()).collect();
            let stages = explain || svg || report::tracing().is_some();
            match compile(program, &state.library, state.krate.clone(), simplifier, stages) {
                Ok(report) => {
                    trace(&report);
                    if explain || svg {
                        told += &report.text();
                    }
                    nests.extend(report.nests);
                    let Report { tokens, returned, documented, .. } = report;
                    if several {
                        let one =
                            emit::alternatives::Alternative { types, tokens, returned, documented };
                        alternatives.push(one);
                        continue;
                    }
                    let mut trees = tokens.clone().into_iter();
                    out.extend(match (inline, trees.next()) {
                        (true, Some(TokenTree::Group(all))) => block(&state.program, all.stream()),
                        _ => tokens,
                    });
                }
                Err(e) => {
                    complete = false;
                    out.extend(in_place(&state.program, &state.mode, &e));
                }
            }
        }
        if several && complete {
            out.extend(emit::alternatives::dispatch(&whole.form, &whole.params, &alternatives));
        }
    }
    match told.is_empty() {
        false if explain => told.to_token_stream(),
        false if svg => picture::svg(&nests).to_token_stream(),
        _ => out,
    }
}

/// Errors where the kernel stood: items for functions, for the inline form and for `explain!` what may stand for an
/// expression: one macro call, or a block, which rustc reports at its braces if no expression is expected there.
fn in_place(program: &TokenStream, mode: &Ident, errors: &Errors) -> TokenStream {
    let tokens = errors.to_compile_error();
    let is_function = |t: TokenTree| matches!(&t, TokenTree::Ident(i) if i == "fn");
    let items = mode == "finch" && program.clone().into_iter().any(is_function);
    match items || errors.count() < 2 {
        true => tokens,
        false => block(program, tokens),
    }
}

/// `{ tokens }`, whose braces rustc shows where `program` begins.
fn block(program: &TokenStream, tokens: TokenStream) -> TokenStream {
    let mut block = Group::new(Delimiter::Brace, tokens);
    if let Some(first) = program.clone().into_iter().next() {
        block.set_span(Span::mixed_site().located_at(first.span()));
    }
    block.into_token_stream()
}

/// What a declaration is known by, a number: its origin and tokens, as the macro of its name hands them on.
pub fn print(input: TokenStream) -> TokenStream {
    let mut trees = input.into_iter();
    match (trees.next(), trees.next()) {
        (Some(origin @ TokenTree::Literal(_)), Some(TokenTree::Group(decl))) => {
            crate::decl::fingerprint(&text(&origin), &decl.stream()).to_token_stream()
        }
        _ => 0_u128.to_token_stream(),
    }
}

/// `level!`: `[krate]`, then a declaration.
pub fn level(input: TokenStream, simplifier: &mut Simplifier) -> TokenStream {
    let mut trees = input.into_iter();
    let Some(TokenTree::Group(krate)) = trees.next() else {
        return syn::Error::new(
            proc_macro2::Span::call_site(),
            "internal: expected `[crate] declaration`",
        )
        .to_compile_error();
    };
    static DECLARATIONS: AtomicUsize = AtomicUsize::new(0);
    let told = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"];
    let origin = Origin {
        home: told.map(|name| std::env::var(name).unwrap_or_default()).join("/"),
        number: DECLARATIONS.fetch_add(1, Ordering::Relaxed),
    };
    let declaration: TokenStream = trees.collect();
    let stand_in = crate::declare::stand_in(&declaration);
    match crate::declare::expand(krate.stream(), &origin.text(), declaration, simplifier) {
        Ok(tokens) => tokens,
        Err(e) => {
            let errors = e.to_compile_error();
            quote!(#errors #stand_in)
        }
    }
}
