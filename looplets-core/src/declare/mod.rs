//! What a declaration expands to: the type, the macro of its name, and the run-time library's view.
//!
//! The walk over stored entries that the run-time library needs is compiled from the declared
//! looplets by the compiler itself, so that a format says once how it is read.

mod checks;
mod grows;
mod leaf;
mod moves;
mod pictured;
mod runtime;
mod visit;
mod work;

use crate::decl::*;
use crate::diagnostics::Errors;
use crate::formats::{fill_literal, fill_of};
use crate::simplify::Simplifier;
use crate::types::Ty;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// Refuses names such as `r#in` where they are names of the declaration: in terms they have no `r#`. Names of `fields`
/// never stand in terms.
fn no_raw_names(tokens: TokenStream, fields: &[Field]) -> syn::Result<()> {
    tokens.into_iter().try_for_each(|tree| match tree {
        TokenTree::Group(group) => no_raw_names(group.stream(), fields),
        TokenTree::Ident(name)
            if name.to_string().starts_with("r#") && fields.iter().all(|f| f.name != name) =>
        {
            let message =
                "a declaration has no raw identifiers but for fields: choose another name";
            Err(syn::Error::new(name.span(), message))
        }
        _ => Ok(()),
    })
}

/// Expands the input of `level!`. `origin` names the crate it stands in.
pub fn expand(
    krate: TokenStream,
    origin: &str,
    tokens: TokenStream,
    s: &mut Simplifier,
) -> Result<TokenStream, Errors> {
    crate::nesting::check(&tokens)?;
    let decl: Decl = clause::within(&tokens, syn::parse::Parse::parse)?;
    match &decl {
        Decl::Operator(o) => {
            let (signature, clauses) = (&o.signature, &o.clauses);
            no_raw_names(quote!(#signature #clauses), &[])?;
        }
        Decl::Level(l) => no_raw_names(tokens.clone(), &l.fields)?,
        _ => {}
    }
    let (name, vis) = (decl.name(), decl.vis());
    let carried = match &decl {
        // The body is Rust's affair.
        Decl::Operator(o) => {
            let (signature, clauses) = (&o.signature, &o.clauses);
            relocated(quote!(#signature #clauses))
        }
        _ => relocated(bare(tokens.clone())),
    };
    let print = fingerprint(origin, &carried);
    let carrier = carrier(name, vis, origin, print, carried);
    let items = match &decl {
        Decl::Alias(a) => alias(a),
        Decl::Fill(f) => fill(&krate, f),
        Decl::Misnamed(_) => TokenStream::new(),
        Decl::Operator(o) => {
            crate::algebra::check_operator(o)?;
            let (item, others, helpers) =
                (&o.item, named(&krate, o), crate::algebra::helpers(&krate, o));
            quote!(#item #helpers #others)
        }
        Decl::Rules(r) => {
            crate::algebra::check(r, s)?;
            crate::algebra::of_rules(&krate, r)
        }
        Decl::Level(l) => {
            clause::syntax(l)?;
            let items = level(&krate, l, &tokens, print, s)?;
            let home = at_home(&krate, l, &tokens)?;
            let vouched = vouched(&krate, l, print);
            let nodes = schema::items(&krate, l);
            quote!(#items #home #vouched #nodes)
        }
    };
    Ok(quote!(#items #carrier))
}

/// The functions that kernels call by the type of the level.
fn at_home(krate: &TokenStream, l: &LevelDecl, tokens: &TokenStream) -> syn::Result<TokenStream> {
    let Decl::Level(mut settled) = syn::parse2(tokens.clone())? else {
        unreachable!("it was a level before")
    };
    let functions = home::settle(&mut settled, krate)?;
    if functions.is_empty() {
        return Ok(TokenStream::new());
    }
    let (name, params) = (&l.name, runtime::bounded(krate, l));
    let names = l.arguments();
    Ok(quote! {
        #[allow(unused, private_interfaces, clippy::all, clippy::pedantic)]
        impl<#(#params),*> #name<#(#names),*> {
            #(#functions)*
        }
    })
}

/// For `unsafe invariant`, the impl by which kernels know the type to be the one declared. Its
/// `unsafe` is the author's own, so that lints on unsafe code see it.
fn vouched(krate: &TokenStream, l: &LevelDecl, print: Fingerprint) -> TokenStream {
    let Some(span) = l.vouched else { return TokenStream::new() };
    let (name, params) = (&l.name, declared(&l.lifetimes, &l.params, false));
    let names = l.arguments();
    quote::quote_spanned! {span=>
        // SAFETY: the author of the declaration says so by `unsafe invariant`.
        #[allow(clippy::undocumented_unsafe_blocks)]
        unsafe impl<#(#params),*> #krate::Vouched for #name<#(#names),*> {
            const DECLARATION: u128 = #print;
        }
    }
}

/// Calls of the macros of all that the laws of an operator need declared, so that rustc looks their
/// names up here and not first in some program.
fn named(krate: &TokenStream, o: &operator::OperatorDecl) -> TokenStream {
    let distributes = o.laws.iter().filter_map(|(law, _)| match law {
        operator::Law::Distributes(path) => {
            let known = path.get_ident().is_some_and(|n| crate::algebra::language(&n.to_string()));
            (!known).then_some(path)
        }
        _ => None,
    });
    let paths = crate::algebra::declarations(o).into_iter().chain(distributes);
    paths.map(|path| quote!(#path ! { @looplets [#krate::__declared] })).collect()
}

/// What stands for the macro of a declaration that is wrong, so that nothing is said of its name as well: programs that ask it for the
/// declaration come to nothing.
pub fn stand_in(tokens: &TokenStream) -> TokenStream {
    let mut name = None;
    let mut exported = false;
    for tree in tokens.clone() {
        match tree {
            TokenTree::Ident(word)
                if ["pub", "struct", "type", "fill", "fn", "unsafe", "rules"]
                    .iter()
                    .any(|w| word == w) =>
            {
                exported |= word == "pub";
            }
            // Attributes, and which part of the crate may use it.
            TokenTree::Punct(p) if p.as_char() == '#' => {}
            TokenTree::Group(group)
                if matches!(
                    group.delimiter(),
                    proc_macro2::Delimiter::Bracket | proc_macro2::Delimiter::Parenthesis
                ) => {}
            TokenTree::Ident(word) => {
                name = Some(word);
                break;
            }
            _ => return TokenStream::new(),
        }
    }
    let Some(name) = name.filter(|name| !name.to_string().starts_with("r#")) else {
        return TokenStream::new();
    };
    let hidden = format_ident!("__looplets_wrong_{name}", span = Span::call_site());
    let vis = exported.then(|| quote!(pub(crate)));
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #hidden {
            ($($all:tt)*) => {};
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #hidden as #name;
    }
}

/// The macro that hands the declaration on.
fn carrier(
    name: &Ident,
    vis: &syn::Visibility,
    origin: &str,
    print: Fingerprint,
    decl: TokenStream,
) -> TokenStream {
    // Exported macros share one name space in a crate; modules may have formats of one name.
    let hidden = format_ident!("__looplets_{name}_{print:032x}", span = Span::call_site());
    let exported = matches!(vis, syn::Visibility::Public(_));
    let export = exported.then(|| quote!(#[macro_export]));
    let vis = match vis {
        syn::Visibility::Inherited => quote!(),
        other => quote!(#other),
    };
    quote! {
        #[doc(hidden)]
        #export
        macro_rules! #hidden {
            (@looplets [$($step:tt)*] $($state:tt)*) => {
                $($step)* ! { $($state)* #origin { #decl } }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #hidden as #name;
    }
}

/// The declaration without its attributes and visibility, which concern its own crate only.
fn bare(tokens: TokenStream) -> TokenStream {
    let strip = |input: syn::parse::ParseStream<'_>| {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<TokenStream>()
    };
    syn::parse::Parser::parse2(strip, tokens.clone()).unwrap_or(tokens)
}

/// `tokens` with `crate` as `$crate`, so that paths lead back to where they were written, and
/// without doc comments, which nobody downstream reads.
fn relocated(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(i) if i == "crate" => {
                out.extend(quote::quote_spanned!(i.span() => $crate))
            }
            TokenTree::Punct(p)
                if p.as_char() == '#' && matches!(trees.peek(), Some(TokenTree::Group(_))) =>
            {
                let Some(TokenTree::Group(g)) = trees.next() else { unreachable!("peeked") };
                if !g.stream().to_string().starts_with("doc") {
                    out.push(TokenTree::Punct(p));
                    out.push(TokenTree::Group(Group::new(g.delimiter(), relocated(g.stream()))));
                }
            }
            TokenTree::Group(g) => {
                let mut inner = Group::new(g.delimiter(), relocated(g.stream()));
                inner.set_span(g.span());
                out.push(TokenTree::Group(inner));
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

fn alias(a: &AliasDecl) -> TokenStream {
    let AliasDecl { attrs, vis, name, lifetimes, params, target } = a;
    let params = declared(lifetimes, params, true);
    quote!(#(#attrs)* #vis type #name<#(#params),*> = #target;)
}

fn fill(krate: &TokenStream, f: &FillDecl) -> TokenStream {
    let FillDecl { attrs, vis, name, params, types, value } = f;
    let (with_defaults, plain) = (declared(&[], params, true), declared(&[], params, false));
    let names: Vec<&Ident> = params.iter().map(|p| &p.name).collect();
    let text = value.to_string().replace(' ', "");
    if types.is_empty() && text.starts_with('(') {
        let message = format!("say of which tuples this is a fill, `{name}: (f64, usize) = ..`");
        return syn::Error::new_spanned(value, message).to_compile_error();
    }
    let constant = |ty: &syn::Type| {
        let of = Ty::of(&quote!(#ty));
        if of.parts().is_some() {
            return value.clone();
        }
        let literal = fill_literal(value, of == Ty::Bool).map(|lit| fill_of(&lit, &of, &text));
        if let Some(Err(message)) = literal {
            return syn::Error::new_spanned(value, message).to_compile_error();
        }
        if text == "nan" && !of.is_float() {
            let message = format!("no `{}` is NaN: write a value that it has", of.tokens());
            return syn::Error::new_spanned(value, message).to_compile_error();
        }
        let value = match text.as_str() {
            "inf" => quote!(<#ty>::INFINITY),
            "-inf" => quote!(<#ty>::NEG_INFINITY),
            "nan" => quote!(<#ty>::NAN),
            "true" | "false" => quote!(#value),
            "1" | "0" if of == Ty::Bool => quote!(#value == 1),
            // A parameter is known where the marker is used.
            _ if literal.is_none() && of.is_integer() => quote! {{
                let (given, value) = (#value, (#value) as #ty);
                #[allow(unused_comparisons)]
                let fits = value as i128 == given as i128 && (value < 0) == (given < 0);
                assert!(fits, "the fill does not fit the type of the values");
                value
            }},
            _ => quote!((#value) as #ty),
        };
        value
    };
    let impls = types.iter().map(|ty| {
        let value = constant(ty);
        quote! {
            impl<#(#plain),*> #krate::Fill<#ty> for #name<#(#names),*> {
                const VALUE: #ty = #value;
            }
        }
    });
    quote! {
        #(#attrs)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #vis struct #name<#(#with_defaults),*>;
        #(#impls)*
    }
}

fn declared(lifetimes: &[syn::Lifetime], params: &[Param], defaults: bool) -> Vec<TokenStream> {
    let lifetimes = lifetimes.iter().map(|lifetime| quote!(#lifetime));
    lifetimes
        .chain(params.iter().map(|p| {
            let decl = &p.decl;
            match (&p.default, defaults) {
                (Some(d), true) => quote!(#decl = #d),
                _ => quote!(#decl),
            }
        }))
        .collect()
}

/// Refuses a marker of a leaf that may be another one where kernels are.
fn marker_path(l: &LevelDecl, leaf: &Leaf) -> syn::Result<()> {
    let Ok(path) = syn::parse2::<syn::Path>(leaf.fill.clone()) else { return Ok(()) };
    let first = path.segments[0].ident.to_string();
    let same = path.leading_colon.is_some()
        || matches!(first.as_str(), "crate" | "$crate")
        || l.params.iter().any(|p| p.name == first);
    if same {
        return Ok(());
    }
    let message = format!("`{first}` may be another marker where kernels are: write its path from `crate::`, where the level is declared");
    Err(syn::Error::new_spanned(path, message))
}

fn level(
    krate: &TokenStream,
    l: &LevelDecl,
    tokens: &TokenStream,
    print: Fingerprint,
    s: &mut Simplifier,
) -> Result<TokenStream, Errors> {
    let LevelDecl { attrs, vis, name, lifetimes, params, fields, .. } = l;
    let (with_defaults, plain) =
        (declared(lifetimes, params, true), declared(lifetimes, params, false));
    let names = l.arguments();
    let field_names: Vec<&Ident> = fields.iter().map(|f| &f.name).collect();
    let field_types: Vec<&syn::Type> = fields.iter().map(|f| &f.ty).collect();
    let unused: Vec<&Ident> = params
        .iter()
        .filter(|p| {
            p.constant.is_none()
                && !fields
                    .iter()
                    .any(|f| mentions(&quote::ToTokens::to_token_stream(&f.ty), &p.name))
        })
        .map(|p| &p.name)
        .collect();
    let borrowed = fields.iter().map(|f| {
        let (n, t) = (&f.name, &f.ty);
        match &f.kind {
            FieldKind::Len | FieldKind::Scalar(_) => (quote!(#t), quote!(self.#n)),
            FieldKind::Array(e) => (quote!(&[#e]), quote!(&self.#n[..])),
            FieldKind::Child => (quote!(&#t), quote!(&self.#n)),
        }
    });
    let (borrowed_types, borrowed): (Vec<_>, Vec<_>) = borrowed.unzip();
    let parts = fields.iter().zip(&borrowed_types).zip(&borrowed).filter_map(|((f, ty), value)| {
        let n = &f.name;
        let doc = match &f.kind {
            FieldKind::Len => "The size of the dimension.".to_owned(),
            FieldKind::Scalar(_) => format!("The number `{n}`."),
            FieldKind::Array(_) => format!("The array `{n}`."),
            FieldKind::Child => "The next level.".to_owned(),
        };
        // Names of what every level has are taken.
        let taken = n == "new" || n == "into_parts";
        (!taken).then(|| {
            quote! {
                #[doc = #doc]
                #[inline]
                pub fn #n(&self) -> #ty { #value }
            }
        })
    });
    let stored = stored(krate, l);
    if let Some(leaf) = &l.leaf {
        marker_path(l, leaf)?;
    }
    let visit = visit::methods(krate, l, tokens, s)?;
    let protocols = pictured::protocols(krate, l, tokens)?;
    let (bounded, runtime) = (runtime::bounded(krate, l), runtime::implement(krate, l, print));
    Ok(quote! {
        #(#attrs)*
        #protocols
        #[derive(Clone, Debug, PartialEq)]
        #vis struct #name<#(#with_defaults),*> {
            #(#field_names: #field_types,)*
            __marker: ::core::marker::PhantomData<(#(#unused,)*)>,
        }
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<#(#plain),*> #name<#(#names),*> {
            /// The level with these parts, not checked; a tensor checks them when it is made.
            #[allow(clippy::too_many_arguments)]
            pub fn new(#(#field_names: #field_types),*) -> Self {
                Self { #(#field_names,)* __marker: ::core::marker::PhantomData }
            }
            #[doc(hidden)]
            #[inline(always)]
            pub fn __new(#(#field_names: #field_types),*) -> Self {
                Self { #(#field_names,)* __marker: ::core::marker::PhantomData }
            }
            #[doc(hidden)]
            #[inline(always)]
            pub fn __fields(&self) -> (#(#borrowed_types,)*) {
                (#(#borrowed,)*)
            }
            /// The parts.
            #[allow(clippy::type_complexity)]
            pub fn into_parts(self) -> (#(#field_types,)*) {
                (#(self.#field_names,)*)
            }
            #(#parts)*
        }
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<#(#bounded),*> #name<#(#names),*> {
            #visit
        }
        #runtime
        #stored
    })
}

/// What makes the level one that serde reads and writes: a call of a macro of the run-time library, which makes nothing
/// where that was built without. What is borrowed has no place to be read to.
fn stored(krate: &TokenStream, l: &LevelDecl) -> TokenStream {
    if l.borrows() {
        return TokenStream::new();
    }
    let (name, params) = (&l.name, declared(&[], &l.params, false));
    let names: Vec<&Ident> = l.params.iter().map(|p| &p.name).collect();
    let fields: Vec<&Ident> = l.fields.iter().map(|f| &f.name).collect();
    let types: Vec<&syn::Type> = l.fields.iter().map(|f| &f.ty).collect();
    quote!(#krate::__serde! { [#(#params),*] #name [#(#names),*] { #(#fields: #types,)* } })
}
