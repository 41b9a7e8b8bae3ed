//! What the levels of a tensor store before a coordinate, which parallel loops are cut by: from `split`, and of levels made
//! of nodes from what their roots count.

use super::runtime::bind_fields;
use crate::decl::*;
use proc_macro2::TokenStream;
use quote::quote;

/// How much is stored before a coordinate; of nodes, how much in each fiber, or at each entry.
pub(super) fn work(krate: &TokenStream, l: &LevelDecl, child: &syn::Type) -> Option<TokenStream> {
    if let Some(s) = &l.schema {
        let root = &s.defs[0].name;
        return Some(quote! {
            const NODES: bool = true;
            fn weight(&self, p: usize) -> usize {
                if <#child as #krate::Level>::FULL {
                    // Each child stores the same.
                    let one = #krate::Level::work(&self.child, 1, 0);
                    let each = one.saturating_sub(#krate::Level::work(&self.child, 0, 0));
                    return Self::__count(&self.#root, p) * each;
                }
                let mut all = 0;
                self.__visit(p, |_, _, q, _| all += #krate::Level::weight(&self.child, q));
                all
            }
            fn heaps(&self) -> ::core::option::Option<::std::vec::Vec<usize>> {
                let fibers = Self::__fibers(&self.#root);
                let mut sums = ::std::vec::Vec::with_capacity(fibers + 1);
                let mut all = 0;
                sums.push(all);
                for p in 0..fibers {
                    all += #krate::Level::weight(self, p);
                    sums.push(all);
                }
                ::core::option::Option::Some(sums)
            }
            fn spread(&self) -> ::core::option::Option<#krate::level::Spread> {
                let mut spread = <#krate::level::Spread as ::core::default::Default>::default();
                self.__visit(0, |i, _, q, _| spread.note(i, #krate::Level::weight(&self.child, q)));
                ::core::option::Option::Some(spread)
            }
        });
    }
    let counted = counted(krate, l, child);
    let Some((p, i, code)) = l.split.as_ref() else { return counted };
    let bind = bind_fields(l, false);
    // Who is named by two positions cannot be told by one.
    let visit_at = (!l.ranges()).then(|| {
        quote! {
            fn visit_at(&self, #p: usize, at: &[usize], each: &mut dyn FnMut(usize)) {
                let ::core::option::Option::Some((&#i, rest)) = at.split_first() else {
                    return self.__visit(#p, |lo, _, _, _| each(lo));
                };
                #bind
                let q: usize = { #code };
                #krate::Level::visit_at(&self.child, q, rest, each);
            }
        }
    });
    Some(quote! {
        const NODES: bool = <#child as #krate::Level>::NODES;
        fn weight(&self, p: usize) -> usize {
            if !<#child as #krate::Level>::NODES {
                let end = #krate::Level::work(self, p + 1, 0);
                return end.saturating_sub(#krate::Level::work(self, p, 0));
            }
            let from = { let (#p, #i): (usize, usize) = (p, 0); #bind { #code } };
            let to = { let (#p, #i): (usize, usize) = (p + 1, 0); #bind { #code } };
            (from..to).map(|q| #krate::Level::weight(&self.child, q)).sum()
        }
        fn heaps(&self) -> ::core::option::Option<::std::vec::Vec<usize>> {
            #krate::Level::heaps(&self.child)
        }
        fn work(&self, #p: usize, #i: usize) -> usize {
            #bind
            let q: usize = { #code };
            #krate::Level::work(&self.child, q, 0)
        }
        fn work_at(&self, #p: usize, at: &[usize]) -> ::core::option::Option<usize> {
            let (&#i, rest) = at.split_first()?;
            if <Self as #krate::Level>::NODES {
                return ::core::option::Option::None;
            }
            if rest.is_empty() {
                return ::core::option::Option::Some(#krate::Level::work(self, #p, #i));
            }
            #bind
            let q: usize = { #code };
            #krate::Level::work_at(&self.child, q, rest)
        }
        #visit_at
        #counted
    })
}

/// About how many entries there are, where bits say which: by a sample, or as a level below says.
fn counted(krate: &TokenStream, l: &LevelDecl, child: &syn::Type) -> Option<TokenStream> {
    let counted = match &l.words {
        Some(words) => {
            let array = &words.array;
            quote! {
                if !<#child as #krate::Level>::FULL {
                    return ::core::option::Option::None;
                }
                let one = #krate::Level::work(&self.child, 1, 0);
                let each = one.saturating_sub(#krate::Level::work(&self.child, 0, 0));
                ::core::option::Option::Some(#krate::rt::bits(&self.#array).saturating_mul(each))
            }
        }
        None if l.split.is_some() => quote!(#krate::Level::counted(&self.child)),
        None => return None,
    };
    Some(quote! {
        fn counted(&self) -> ::core::option::Option<usize> { #counted }
    })
}
