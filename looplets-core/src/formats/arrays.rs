//! Arrays of Rust as operands: a slice `[T]`, which a kernel borrows, and a vector `Vec<T>`, which it makes.
//!
//! Either is all elements of one dimension. The run-time library has a format for that, so that no stage but the one that
//! frames a kernel knows of arrays that no tensor holds.

use super::named::bare;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned as _;

/// The type of the elements, if `ty` is a slice or a vector.
pub fn elements(ty: &syn::Type) -> Option<&syn::Type> {
    match bare(ty) {
        syn::Type::Slice(slice) => Some(&slice.elem),
        syn::Type::Path(path) if path.qself.is_none() => vector(&path.path),
        _ => None,
    }
}

/// Whether `ty` is a slice.
pub fn is_slice(ty: &syn::Type) -> bool {
    matches!(bare(ty), syn::Type::Slice(_))
}

/// The type of the elements of anything in Rust that holds elements one behind the other, which can be borrowed as a slice.
pub fn held(ty: &syn::Type) -> Option<&syn::Type> {
    if let Some(elements) = elements(ty) {
        return Some(elements);
    }
    match bare(ty) {
        syn::Type::Array(array) => Some(&array.elem),
        syn::Type::Reference(to) => held(&to.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Box")?;
            argument(last).filter(|inner| is_slice(inner)).and_then(elements)
        }
        _ => None,
    }
}

/// `T` of `Vec<T>`, as the standard library has it.
fn vector(path: &syn::Path) -> Option<&syn::Type> {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let known = matches!(names[..], ["Vec"] | ["vec", "Vec"] | ["std" | "alloc", "vec", "Vec"]);
    path.segments.last().filter(|_| known).and_then(argument)
}

/// The only argument of a name.
fn argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(ty)) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}

/// The format of arrays of these elements.
pub(super) fn format(krate: &TokenStream, elements: &syn::Type) -> TokenStream {
    // What is wrong with the elements is told where they stand.
    let at = Span::call_site().located_at(elements.span());
    let name = format_ident!("Elements{}", 1_usize, span = at);
    match krate.is_empty() {
        true => quote!(#name<#elements>),
        false => quote!(#krate::#name<#elements>),
    }
}
