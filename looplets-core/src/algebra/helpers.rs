//! The helpers that the laws of an operator name, where they were declared.
//!
//! A law travels to the kernels, where a name may mean another function than where the law stands, or
//! none. So a helper that is not named by a path from `crate::` is called by a function of a type that
//! bears the operator's name, as the operator itself is a function of that name.

use super::language;
use crate::decl::operator::{Law, OperatorDecl};
use crate::decl::rules::RulesDecl;
use crate::decl::Constant;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::Expr;

/// Whether `path` means something else elsewhere.
pub(super) fn is_relative(path: &syn::Path) -> bool {
    let first = path.segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
    path.leading_colon.is_none() && !matches!(first.as_str(), "crate" | "$crate")
}

/// The name of the function for the helper of a law.
pub(super) fn helper(law: usize) -> Ident {
    format_ident!("__law_{law}", span = Span::mixed_site())
}

/// The function by which `law` calls its helper: the helper's path, the types of its arguments and of what it
/// gives; `None` if it has no helper, or none whose types follow from the operator's.
pub(super) fn called<'a>(
    o: &'a OperatorDecl,
    law: &'a Law,
) -> Option<(&'a syn::Path, Vec<&'a TokenStream>, &'a TokenStream)> {
    let last = &o.args.last()?.ty;
    let (path, types, gives) = match law {
        Law::Repeated(path) => (path, vec![last], last),
        Law::Inverse(path) => (path, vec![&o.args[0].ty], last),
        Law::Case(left, body) => {
            let Expr::Call(call) = body else { return None };
            let Expr::Path(path) = &*call.func else { return None };
            let place =
                |arg: &Expr| left.iter().position(|l| matches!(l, Expr::Path(_)) && l == arg);
            let types: Option<Vec<&TokenStream>> =
                call.args.iter().map(|arg| place(arg).map(|k| &o.args[k].ty)).collect();
            (&path.path, types?, &o.gives)
        }
        _ => return None,
    };
    let known = path.get_ident().is_some_and(|name| language(&name.to_string()));
    (is_relative(path) && !known).then_some((path, types, gives))
}

/// The paths of an operator's laws by which other declarations are found.
pub fn declarations(o: &OperatorDecl) -> Vec<&syn::Path> {
    let paths = o.laws.iter().filter_map(|(law, _)| match law {
        Law::Identity(Constant::Marker(path), _) | Law::Annihilator(Constant::Marker(path), _) => {
            Some(path)
        }
        Law::Space(_, Some(value @ Constant::Marker(path))) => {
            value.argument_of(o).is_none().then_some(path)
        }
        _ => None,
    });
    paths.collect()
}

/// The name of the constant that tells what the declaration at a place of [`declarations`], or of the `use`s
/// of a set of rules, is known by where it was named.
pub(super) fn known(place: usize) -> Ident {
    format_ident!("__KNOWN_{place}", span = Span::mixed_site())
}

/// The type that bears the name of an operator, with a function for each helper that needs one.
pub fn helpers(krate: &TokenStream, o: &OperatorDecl) -> TokenStream {
    let mut functions = constants(krate, declarations(o).into_iter().cloned());
    let generics = syn::parse2::<syn::TraitItemFn>(o.signature.clone()).map(|f| f.sig.generics);
    let generics = generics.unwrap_or_default();
    let (_, _, bounds) = generics.split_for_impl();
    for (number, (law, _)) in o.laws.iter().enumerate() {
        let Some((path, types, gives)) = called(o, law) else { continue };
        let names: Vec<Ident> =
            (0..types.len()).map(|k| format_ident!("x{k}", span = Span::mixed_site())).collect();
        // How many there are is converted to whatever number the helper takes.
        let (count, times) = match law {
            Law::Repeated(_) => (quote!(times: usize), quote!(times as _)),
            _ => Default::default(),
        };
        let name = helper(number);
        functions.extend(quote! {
            #[doc(hidden)]
            #[inline(always)]
            pub fn #name #generics (#(#names: #types,)* #count) -> #gives #bounds {
                #path(#(#names,)* #times)
            }
        });
    }
    type_of(&o.vis, &o.name, functions)
}

/// The type that bears the name of a set of rules.
pub fn of_rules(krate: &TokenStream, r: &RulesDecl) -> TokenStream {
    let paths = r.uses.iter().map(|u| syn::parse2(u.path.clone()));
    // What is no path is refused where it is looked up.
    let paths: Vec<syn::Path> = paths.filter_map(Result::ok).collect();
    type_of(&r.vis, &r.name, constants(krate, paths))
}

fn constants(krate: &TokenStream, paths: impl IntoIterator<Item = syn::Path>) -> TokenStream {
    let relative = paths.into_iter().enumerate().filter(|(_, path)| is_relative(path));
    let constants = relative.map(|(place, path)| {
        let name = known(place);
        quote! {
            #[doc(hidden)]
            pub const #name: u128 = #path ! { @looplets [#krate::__private::print] };
        }
    });
    constants.collect()
}

fn type_of(vis: &syn::Visibility, name: &Ident, items: TokenStream) -> TokenStream {
    if items.is_empty() {
        return items;
    }
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}
        #[allow(unused, private_interfaces, clippy::all, clippy::pedantic)]
        impl #name { #items }
    }
}
