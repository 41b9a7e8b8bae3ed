//! A kernel as an item or an expression. Where its loops take elements side by side, a function has its body once more, for
//! the registers that most processors have and that programs are not built for unless they say so.
//!
//! The body is written out again, since what rustc compiles for a feature is a function and the closures within it: a
//! chunk of a parallel loop is such a closure, which others call. Both bodies do the same in the same order, so the results
//! have the same bits, except for products that `#![contract]` rounds if the processor cannot help it.

use super::function::body;
use super::{Emit, Reader};
use crate::ast::{Form, Passing};
use crate::kernel::*;
use crate::kir::Kir;
use proc_macro2::TokenStream;
use quote::quote;
use syn::GenericParam;

/// The kernel, for `reader`.
pub(super) fn assemble(k: &Kernel, code: &[Kir], reader: Reader) -> TokenStream {
    let (body, result) = body(&Emit::new(k, reader), code);
    let Form::Function { attrs, vis, name, .. } = &k.form else {
        return match reader {
            Reader::Rustc => quote!({ #body #result }),
            Reader::Person => quote!(#body #result),
        };
    };
    let signature = signature(k);
    let again = (reader == Reader::Rustc && !k.portable && !k.safe && k.vectors)
        .then(|| wide(k, code, &signature));
    let allow =
        (reader == Reader::Rustc).then(|| quote!(#[allow(unused, clippy::all, clippy::pedantic)]));
    let result = ok(k, &result);
    quote!(#(#attrs)* #allow #vis fn #name #signature { #again #body #result })
}

/// Puts `lines` behind what a function has for documentation.
pub fn document(form: &mut Form, lines: &[String]) {
    let Form::Function { attrs, .. } = form else { return };
    let told = attrs.iter().any(|a| a.path().is_ident("doc"));
    if told && !lines.is_empty() {
        attrs.push(syn::parse_quote!(#[doc = ""]));
    }
    attrs.extend(lines.iter().map(|line| -> syn::Attribute { syn::parse_quote!(#[doc = #line]) }));
}

/// `<..> (a: &A) -> Y where ..`
pub(super) fn signature(k: &Kernel) -> TokenStream {
    let Form::Function { generics, .. } = &k.form else { return TokenStream::new() };
    let params: Vec<TokenStream> = passed(k).map(param).collect();
    let returned = returned(k);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    quote!(#impl_generics (#(#params),*) -> #returned #where_clause)
}

/// The type that the function returns.
pub fn returned(k: &Kernel) -> TokenStream {
    let types = k.results.iter().map(|result| match result {
        ResultIs::Tensor(id) => &k.tensor(*id).ty,
        ResultIs::Scalar(_, ty) => &**ty,
    });
    let types: Vec<&syn::Type> = types.collect();
    let made = match types.as_slice() {
        [] => quote!(()),
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    };
    match &k.form {
        Form::Function { fallible: Some(error), .. } => {
            quote!(::core::result::Result<#made, #error>)
        }
        _ => made,
    }
}

/// The parameters that the function has.
pub(super) fn passed(
    k: &Kernel,
) -> impl Iterator<Item = &(syn::Ident, Passing, syn::Type, ParamIs)> {
    k.params.iter().filter(|p| p.1 != Passing::Made)
}

fn param((name, passing, ty, _): &(syn::Ident, Passing, syn::Type, ParamIs)) -> TokenStream {
    match passing {
        Passing::Value | Passing::Made => quote!(#name: #ty),
        Passing::Shared => quote!(#name: &#ty),
        Passing::Mutable | Passing::Thinned => quote!(#name: &mut #ty),
    }
}

/// `result` as what the function returns.
fn ok(k: &Kernel, result: &TokenStream) -> TokenStream {
    match &k.form {
        Form::Function { fallible: Some(_), .. } => quote!(::core::result::Result::Ok(#result)),
        _ => result.clone(),
    }
}

/// The kernel compiled for x86-64-v3, and a call of it where the processor is one.
///
/// Builds with debug assertions leave it out, which are not made for speed and are to be made soon.
fn wide(k: &Kernel, code: &[Kir], signature: &TokenStream) -> TokenStream {
    let (body, result) = body(&Emit { wide: true, ..Emit::new(k, Reader::Rustc) }, code);
    let (krate, result) = (&k.krate, ok(k, &result));
    let names = passed(k).map(|(name, ..)| name);
    let generic = generic_arguments(k);
    quote! {
        #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2"), not(debug_assertions)))]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt")]
            fn __looplets_v3 #signature { #body #result }
            if #krate::rt::x86_64_v3() {
                // SAFETY: the processor has the features that the function is compiled for.
                return unsafe { __looplets_v3 #generic (#(#names),*) };
            }
        }
    }
}

/// `::<A, N>`, by which the kernel is called from within.
pub(super) fn generic_arguments(k: &Kernel) -> Option<TokenStream> {
    let generics = match &k.form {
        Form::Function { generics, .. } => generics.params.iter().collect(),
        Form::Inline => Vec::new(),
    };
    // Lifetimes follow from the arguments.
    let generic: Vec<TokenStream> = generics
        .into_iter()
        .filter_map(|p| match p {
            GenericParam::Type(p) => Some(&p.ident),
            GenericParam::Const(p) => Some(&p.ident),
            GenericParam::Lifetime(_) => None,
        })
        .map(|name| quote!(#name))
        .collect();
    (!generic.is_empty()).then(|| quote!(::<#(#generic),*>))
}
