//! A function whose operands may have one of several formats: a kernel for each, behind a trait that nobody else implements, so
//! that which one runs is settled where the function is called.

use crate::ast::{Form, Param, Passing};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, ToTokens};
use syn::{GenericParam, Generics, Type};

/// The kernel for some formats.
pub struct Alternative {
    /// Those of the operands that may have several, in order.
    pub types: Vec<Type>,
    /// The function.
    pub tokens: TokenStream,
    /// What it returns.
    pub returned: TokenStream,
    /// What is said of it, such as what it costs.
    pub documented: Vec<String>,
}

/// The function `form` with parameters `params`, of which `all` are the kernels.
pub fn dispatch(form: &Form, params: &[Param], all: &[Alternative]) -> TokenStream {
    let Form::Function { attrs, vis, name, generics, .. } = form else { return TokenStream::new() };
    let conditions: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
    // A second one would be a warning of rustc.
    let inline = attrs.iter().all(|a| !a.path().is_ident("inline")).then(|| quote!(#[inline]));
    let plain = name.to_string();
    let plain = plain.trim_start_matches("r#");
    let of = format_ident!("__looplets_{plain}", span = name.span());
    let sealed = format_ident!("__looplets_sealed_{plain}", span = name.span());
    let varying: Vec<&Param> = params.iter().filter(|p| !p.others.is_empty()).collect();
    let formats: Vec<Ident> = varying.iter().map(|p| type_name(p, generics)).collect();
    let (own, others) = (&formats[0], &formats[1..]);
    let given = |types: &[TokenStream]| {
        let all = arguments(generics).into_iter().chain(types.iter().cloned());
        let all: Vec<TokenStream> = all.collect();
        (!all.is_empty()).then(|| quote!(<#(#all),*>))
    };
    let named: Vec<TokenStream> = others.iter().map(ToTokens::to_token_stream).collect();
    let (path, whole) = (given(&named), with_types(generics, others));
    let bare = bare(&whole);
    let (trait_generics, _, conditioned) = whole.split_for_impl();
    let (own_generics, _, _) = generics.split_for_impl();
    let alike = all.iter().all(|a| a.returned.to_string() == all[0].returned.to_string());
    let out = (!alike).then(|| {
        quote!(
            type Out;
        )
    });
    let (returned, outside) = match alike {
        true => (all[0].returned.clone(), all[0].returned.clone()),
        false => (quote!(Self::Out), quote!(<#own as #of #path>::Out)),
    };
    let taken = |types: &[TokenStream]| -> Vec<TokenStream> {
        let mut next = types.iter();
        let ty = |p: &Param| match p.others.is_empty() {
            true => p.ty.to_token_stream(),
            false => next.next().cloned().unwrap_or_default(),
        };
        params.iter().zip(params.iter().map(ty)).map(|(p, ty)| parameter(p, &ty)).collect()
    };
    let inside: Vec<TokenStream> = std::iter::once(quote!(Self)).chain(named.clone()).collect();
    let outer: Vec<TokenStream> = formats.iter().map(ToTokens::to_token_stream).collect();
    let (inner, outer) = (taken(&inside), taken(&outer));
    let names: Vec<&Ident> = params.iter().map(|p| &p.name).collect();
    let turbofish = turbofish(generics);
    let implemented = all.iter().map(|one| {
        let types: Vec<TokenStream> = one.types.iter().map(ToTokens::to_token_stream).collect();
        let (of_it, params) = (given(&types[1..]), taken(&types));
        let (first, tokens, gives) = (&types[0], &one.tokens, &one.returned);
        let out = (!alike).then(|| quote!(type Out = #gives;));
        let conditioned = &generics.where_clause;
        quote! {
            #(#conditions)*
            impl #own_generics #sealed::Sealed #of_it for #first #conditioned {}
            #(#conditions)*
            #[allow(clippy::all, clippy::pedantic)]
            impl #own_generics #of #of_it for #first #conditioned {
                #out
                #[inline]
                fn call(#(#params),*) -> #gives {
                    #tokens
                    #name #turbofish (#(#names),*)
                }
            }
        }
    });
    let implemented: TokenStream = implemented.collect();
    let lines = lines(&varying, all);
    let made = made_for(&varying, all);
    let message = format!("`{plain}` has no kernel for operands of these formats");
    let label = format!("`{}` is `{{Self}}`", varying[0].name);
    let mut function = with_types(generics, &formats);
    for p in function.params.iter_mut() {
        if let GenericParam::Type(p) = p {
            if p.ident == *own {
                p.bounds.push(syn::parse_quote!(#of #path));
            }
        }
    }
    let (function_generics, _, function_where) = function.split_for_impl();
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_snake_case)]
        mod #sealed { pub trait Sealed #bare {} }
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #made)]
        #vis trait #of #trait_generics: #sealed::Sealed #path #conditioned {
            #out
            fn call(#(#inner),*) -> #returned;
        }
        #implemented
        #(#attrs)*
        #(#[doc = #lines])*
        #[allow(clippy::all, clippy::pedantic)]
        #inline
        #vis fn #name #function_generics (#(#outer),*) -> #outside #function_where {
            <#own as #of #path>::call(#(#names),*)
        }
    }
}

fn parameter(p: &Param, ty: &TokenStream) -> TokenStream {
    let name = &p.name;
    match p.passing {
        Passing::Value | Passing::Made => quote!(#name: #ty),
        Passing::Shared => quote!(#name: &#ty),
        Passing::Mutable | Passing::Thinned => quote!(#name: &mut #ty),
    }
}

/// The type parameter for the format of `p`: `A` for `a`.
fn type_name(p: &Param, generics: &Generics) -> Ident {
    let plain = p.name.to_string();
    let mut letters = plain.trim_start_matches("r#").chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let mut name = format_ident!("{first}{}", letters.as_str(), span = p.name.span());
    while generics.params.iter().any(|g| name == named(g).to_string()) {
        name = format_ident!("{name}_");
    }
    name
}

fn named(p: &GenericParam) -> TokenStream {
    match p {
        GenericParam::Type(p) => p.ident.to_token_stream(),
        GenericParam::Const(p) => p.ident.to_token_stream(),
        GenericParam::Lifetime(p) => p.lifetime.to_token_stream(),
    }
}

fn arguments(generics: &Generics) -> Vec<TokenStream> {
    generics.params.iter().map(named).collect()
}

/// `::<T, N>`; lifetimes follow from the arguments.
fn turbofish(generics: &Generics) -> Option<TokenStream> {
    let plain = |p: &&GenericParam| !matches!(p, GenericParam::Lifetime(_));
    let all: Vec<TokenStream> = generics.params.iter().filter(plain).map(named).collect();
    (!all.is_empty()).then(|| quote!(::<#(#all),*>))
}

/// `generics` with more type parameters.
fn with_types(generics: &Generics, types: &[Ident]) -> Generics {
    let mut all = generics.clone();
    // A slice is one, and has no size.
    all.params.extend(
        types
            .iter()
            .map(|name| -> GenericParam { syn::parse_quote!(#name: ?::core::marker::Sized) }),
    );
    all
}

/// The same without bounds, of types without a size too.
fn bare(generics: &Generics) -> Option<TokenStream> {
    let all = generics.params.iter().map(|p| match p {
        GenericParam::Const(p) => {
            let (name, ty) = (&p.ident, &p.ty);
            quote!(const #name: #ty)
        }
        GenericParam::Type(p) => {
            let name = &p.ident;
            quote!(#name: ?::core::marker::Sized)
        }
        other => named(other),
    });
    let all: Vec<TokenStream> = all.collect();
    (!all.is_empty()).then(|| quote!(<#(#all),*>))
}

fn shown(ty: &Type) -> String {
    crate::types::type_name(&crate::kernel::Ty::Named(ty.to_token_stream().to_string()))
}

/// What documentation says of each kernel.
fn lines(varying: &[&Param], all: &[Alternative]) -> Vec<String> {
    let mut lines = vec![String::new()];
    for one in all {
        let pairs = varying.iter().zip(&one.types);
        let formats: Vec<String> =
            pairs.map(|(p, ty)| format!("`{}: {}`", p.name, shown(ty))).collect();
        let told = one.documented.iter().filter(|line| !line.is_empty());
        let told: Vec<&str> = told.map(String::as_str).collect();
        lines.push(match told.is_empty() {
            true => format!("- {}", formats.join(", ")),
            false => format!("- {}: {}", formats.join(", "), told.join(" ")),
        });
    }
    lines
}

fn made_for(varying: &[&Param], all: &[Alternative]) -> String {
    let each = all.iter().map(|one| {
        let pairs = varying.iter().zip(&one.types);
        let formats: Vec<String> =
            pairs.map(|(p, ty)| format!("{}: {}", p.name, shown(ty))).collect();
        format!("`{}`", formats.join(", "))
    });
    format!("there is one for {}", each.collect::<Vec<_>>().join("; "))
}
