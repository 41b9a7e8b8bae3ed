//! The implementation of the run-time library's `Level` trait from the declaration of a leaf, which has values and no child.

use super::runtime::{bind_fields, bounded, check, clause, empty_fields, joins};
use crate::decl::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

pub(super) fn implement(
    krate: &TokenStream,
    l: &LevelDecl,
    leaf: &Leaf,
    print: Fingerprint,
) -> TokenStream {
    let name = &l.name;
    let text = name.to_string();
    let (value, marker) = (&leaf.value, &leaf.fill);
    let fill = quote!(<#marker as #krate::Fill<#value>>::VALUE);
    let params = bounded(krate, l);
    let names = l.arguments();
    let check = check(l);
    let fields = empty_fields(l);
    let read = &l.reads[0];
    let (p, shown) = match &read.nest {
        Nest::Run(Payload::Value(e)) => (&read.p, quote!(#e)),
        _ => (&read.p, quote!(::core::compile_error!("a leaf reads one value"))),
    };
    let bind = bind_fields(l, false);
    let bind_mut = bind_fields(l, true);
    let (mut reserve, mut write) = (quote!(), quote!());
    let (mut values, mut values_mut) =
        (quote!(::core::option::Option::None), quote!(::core::option::Option::None));
    let mut storable = quote!(!#krate::value::identical(value, &#fill));
    let mut finish = quote!();
    let completed = [(quote::format_ident!("fill"), fill.clone())];
    if let Some(w) = &l.write {
        let grown = |which: Clause, (fibers, code): &(Ident, TokenStream)| {
            // `fill` in the declaration has the author's hygiene, so it is filled in rather than bound.
            let code = crate::formats::substitute(code.clone(), &completed);
            let value = clause(krate, l, which, quote!(let #fibers: usize = fibers;), &code);
            quote! {
                let grown: ::core::result::Result<(), ::std::string::String> = #value;
                grown?;
            }
        };
        reserve = w.reserve.as_ref().map_or(reserve, |r| grown(Clause::Reserve, r));
        finish = w.finish.as_ref().map_or(finish, |f| grown(Clause::Finish, f));
        if let Some(place) = &w.place {
            let at = &w.p;
            write = quote!({ let #at = p; #bind_mut #place = value; });
            storable = quote!(true);
            if let syn::Expr::Index(x) = place {
                let array = &x.expr;
                values = quote!({ #bind ::core::option::Option::Some(&#array[..]) });
                values_mut = quote!({ #bind_mut ::core::option::Option::Some(&mut #array[..]) });
            }
        }
    }
    if let (Nest::Run(Payload::Value(syn::Expr::Index(x))), None, true) =
        (&read.nest, &l.write, l.borrows())
    {
        let array = &x.expr;
        values = quote!({ #bind ::core::option::Option::Some(&#array[..]) });
        storable = quote!(true);
    }
    let (joins, swaps) = (joins(krate, l, None), super::moves::swaps(krate, l));
    quote! {
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<#(#params),*> #krate::Level for #name<#(#names),*> {
            type Value = #value;
            type Position = usize;
            const RANGES: bool = false;
            fn position(first: usize, _: usize) -> usize { first }
            fn check_ranges(&self, _: usize) -> ::core::result::Result<(), ::std::string::String> { ::core::result::Result::Ok(()) }
            #joins
            #swaps
            const RANK: usize = 0;
            const NAME: &'static str = #text;
            const PRINT: u128 = #print;
            fn shape_into(&self, _: &mut ::std::vec::Vec<usize>) {}
            fn empty(shape: &[usize]) -> ::core::result::Result<Self, ::std::string::String> {
                ::core::result::Result::Ok(Self::__new(#(#fields),*))
            }
            fn check(&self, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                #check
                ::core::result::Result::Ok(())
            }
            fn reserve(&mut self, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                #reserve
                ::core::result::Result::Ok(())
            }
            fn open(&mut self, _: usize) -> ::core::result::Result<(), ::std::string::String> { ::core::result::Result::Ok(()) }
            fn entry(&mut self, p: usize, _: usize) -> ::core::result::Result<usize, ::std::string::String> { ::core::result::Result::Ok(p) }
            fn commit(&mut self, _: usize, _: usize, _: usize) -> ::core::result::Result<(), ::std::string::String> { ::core::result::Result::Ok(()) }
            fn below(&self, fibers: usize) -> usize { fibers }
            fn finish(&mut self, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                #finish
                ::core::result::Result::Ok(())
            }
            fn each(&self, #p: usize, coords: &mut ::std::vec::Vec<usize>, f: &mut dyn FnMut(&[usize], usize, &Self::Value)) {
                #bind
                f(coords, 0, &#shown);
            }
            fn build(
                &mut self, p: usize, _: &[::std::vec::Vec<usize>], _: &[usize], values: &[Self::Value],
                range: ::core::ops::Range<usize>,
            ) -> ::core::result::Result<(), ::std::string::String> {
                if let ::core::option::Option::Some(value) = <[_]>::first(&values[range]) {
                    let value = ::core::clone::Clone::clone(value);
                    #write
                }
                ::core::result::Result::Ok(())
            }
            fn values_mut(&mut self) -> ::core::option::Option<&mut [Self::Value]> { #values_mut }
            fn values(&self) -> ::core::option::Option<&[Self::Value]> { #values }
            const FULL: bool = true;
            const WHOLE: bool = true;
            fn stored(&self, fibers: usize) -> usize { fibers }
            fn fill() -> Self::Value { #fill }
            fn storable(value: &Self::Value) -> bool { #storable }
        }
    }
}
