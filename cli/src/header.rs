//! A program of statements gets the header that it lacks: which tensors are results and which are operands follows from
//! where their names stand, and their formats are given beside it.

use crate::declarations::Declarations;
use crate::errors::{Failure, Texts};
use crate::names::Names;
use looplets_core::decl::Decl;
use looplets_core::formats::is_primitive;
use looplets_core::parse;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{parse_quote_spanned, GenericArgument, PathArguments, Token, Type};

/// The name of the function that statements become.
const NAME: &str = "kernel";

/// A format that is given beside the program.
struct Given {
    name: Ident,
    ty: Type,
    /// `[n, m]`: its sizes, if it is made by the program.
    sizes: Option<TokenTree>,
}

/// The tokens of functions, or of an inline program, for statements or for a program that is whole already.
///
/// # Errors
/// The statements cannot be read, or tensors and formats are not those of each other.
pub fn whole(
    program: TokenStream,
    formats: &[String],
    declarations: &Declarations,
    texts: &mut Texts,
) -> Result<TokenStream, Failure> {
    let (settings, rest) = settings(program);
    let mut failure = Failure::default();
    let mut given: Vec<Given> = Vec::new();
    for text in formats {
        match format(text, declarations, texts) {
            Ok(one) => match given.iter().any(|other| other.name == one.name) {
                true => failure.push(twice(&one.name)),
                false => given.push(one),
            },
            Err(e) => failure.extend(e),
        }
    }
    if is_whole(&rest) {
        if let Some(one) = given.first() {
            let message = "the program is a function that says the formats of its tensors itself: leave `-f` out";
            failure.push(syn::Error::new(one.name.span(), message));
        }
        return failure.check(quote!(#settings #rest));
    }
    if rest.is_empty() {
        failure.extend(Failure::plain(
            "there is no program: give one as an argument, by `-i` or on standard input",
        ));
        return Err(failure);
    }
    let inline = parse::programs(quote!(#settings < > #rest)).map_err(Failure::from);
    let names = match inline {
        Ok(programs) => Names::of(&programs),
        Err(e) => {
            failure.extend(e);
            return Err(failure);
        }
    };
    let (mut params, mut outputs) = (Vec::new(), Vec::new());
    for Given { name, ty, sizes } in &given {
        let scalar = is_primitive(ty);
        if let (Some(sizes), true) = (sizes, names.is_read(name)) {
            let message = format!(
                "`{name}` is given, with its sizes: leave these out, which are for what the program makes"
            );
            failure.push(syn::Error::new(sizes.span(), message));
        }
        match (names.is_read(name), names.is_written(name)) {
            (false, false) => {
                let message = format!("the program has no `{name}`");
                failure.push(syn::Error::new(name.span(), message));
            }
            (false, true) => outputs.push(quote!(#name: #ty #sizes)),
            (true, true) => params.push(quote!(#name: &mut #ty)),
            (true, false) if scalar => params.push(quote!(#name: #ty)),
            (true, false) => params.push(quote!(#name: &#ty)),
        }
    }
    for (name, brackets) in names.all() {
        let known = given.iter().any(|one| one.name == *name);
        match (known, brackets, names.is_written(name)) {
            (true, ..) => {}
            (false, true, written) => {
                let example = if written { "DenseVec" } else { "SparseVec" };
                let message =
                    format!("`{name}` has no format: give it one, as in `-f {name}={example}`");
                failure.push(syn::Error::new(name.span(), message));
            }
            // A scalar that is written.
            (false, false, true) => match names.is_read(name) {
                true => params.push(quote!(#name: &mut f64)),
                false => outputs.push(quote!(#name: f64)),
            },
            (false, false, false) if names.is_extent(name) => params.push(quote!(#name: usize)),
            (false, false, false) if names.is_index(name) => {}
            (false, false, false) => params.push(quote!(#name: f64)),
        }
    }
    let name = Ident::new(NAME, proc_macro2::Span::call_site());
    let mut body = Group::new(Delimiter::Brace, rest.clone());
    if let Some(first) = rest.into_iter().next() {
        body.set_span(first.span());
    }
    let gives = (!outputs.is_empty()).then(|| quote!(-> (#(#outputs),*)));
    failure.check(quote!(#settings fn #name(#(#params),*) #gives #body))
}

fn twice(name: &Ident) -> syn::Error {
    syn::Error::new(name.span(), format!("`{name}` has two formats: leave one out"))
}

/// `#![..]` and `use ..;` in front of a program, and the program.
fn settings(program: TokenStream) -> (TokenStream, TokenStream) {
    let trees: Vec<TokenTree> = program.into_iter().collect();
    let is =
        |at: usize, c: char| matches!(trees.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let mut at = 0;
    loop {
        match trees.get(at) {
            Some(TokenTree::Punct(p)) if p.as_char() == '#' && is(at + 1, '!') => at += 3,
            Some(TokenTree::Ident(word)) if word == "use" => {
                let end = (at..trees.len()).find(|k| is(*k, ';'));
                at = end.map_or(trees.len(), |end| end + 1);
            }
            _ => break,
        }
    }
    let rest = trees.split_at(at.min(trees.len()));
    (rest.0.iter().cloned().collect(), rest.1.iter().cloned().collect())
}

/// Whether it has a header: functions, or an inline program.
fn is_whole(program: &TokenStream) -> bool {
    let mut trees = program.clone().into_iter();
    let inline = matches!(trees.next(), Some(TokenTree::Punct(p)) if p.as_char() == '<');
    inline || program.clone().into_iter().any(|t| matches!(t, TokenTree::Ident(i) if i == "fn"))
}

/// `name=Format`, or `name=Format[sizes]`.
fn format(text: &str, declarations: &Declarations, texts: &mut Texts) -> Result<Given, Failure> {
    let tokens = texts.tokens("-f", text)?;
    let read = |input: ParseStream<'_>| {
        let name: Ident = input.parse().map_err(|e| {
            syn::Error::new(e.span(), "expected the name of a tensor, `-f name=Format`")
        })?;
        // Where nothing is left there is no token at fault but the name.
        let here = |input: ParseStream<'_>| match input.is_empty() {
            true => name.span(),
            false => input.span(),
        };
        let _: Token![=] = input.parse().map_err(|_| {
            let message = format!("expected `=` and the format of `{name}`, `-f {name}=Csr`");
            syn::Error::new(here(input), message)
        })?;
        let ty: Type = input.parse().map_err(|_| {
            let message = format!("expected the format of `{name}`, as in `-f {name}=Csr`");
            syn::Error::new(here(input), message)
        })?;
        let sizes = input.peek(syn::token::Bracket).then(|| input.parse()).transpose()?;
        if !input.is_empty() {
            return Err(input.error("expected nothing behind the format but sizes, `[n, m]`"));
        }
        Ok(Given { name, ty, sizes })
    };
    let mut given = read.parse2(tokens)?;
    given.ty = completed(given.ty, declarations);
    Ok(given)
}

/// `ty` with what it may leave out: `Tensor` around levels, a leaf, and `f64` as the type of values.
fn completed(mut ty: Type, declarations: &Declarations) -> Type {
    complete(&mut ty, declarations);
    let level = match &ty {
        Type::Path(p) => p.path.segments.last().map(|s| s.ident.clone()),
        _ => None,
    };
    match level {
        Some(name) if matches!(declarations.head(&name.to_string()), Some(Decl::Level(_))) => {
            parse_quote_spanned!(name.span()=> Tensor<#ty>)
        }
        _ => ty,
    }
}

fn complete(ty: &mut Type, declarations: &Declarations) {
    let Type::Path(path) = ty else { return };
    let Some(segment) = path.path.segments.last_mut() else { return };
    let span = segment.ident.span();
    if let PathArguments::AngleBracketed(all) = &mut segment.arguments {
        for arg in &mut all.args {
            if let GenericArgument::Type(inner) = arg {
                complete(inner, declarations);
            }
        }
        return;
    }
    let needs = |params: &[looplets_core::decl::Param]| params.iter().any(|p| p.default.is_none());
    let missing = match declarations.head(&segment.ident.to_string()) {
        Some(Decl::Alias(alias)) if needs(&alias.params) => quote!(f64),
        Some(Decl::Level(level)) if !needs(&level.params) => return,
        Some(Decl::Level(level)) if level.leaf.is_some() => quote!(f64),
        Some(Decl::Level(_)) => quote!(Element<f64>),
        _ => return,
    };
    segment.arguments = PathArguments::AngleBracketed(parse_quote_spanned!(span=> <#missing>));
}
