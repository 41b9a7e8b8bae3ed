//! What levels whose entries move have in the run-time library: exchanges of fibers, and fibers that are built at once.

use super::runtime::{bind_fields, bounded};
use crate::decl::*;
use proc_macro2::TokenStream;
use quote::quote;

/// The exchange of two fibers.
pub(super) fn swaps(krate: &TokenStream, l: &LevelDecl) -> Option<TokenStream> {
    let Some((a, b, code)) = &l.swap else {
        let child = l.fields.iter().find(|f| matches!(f.kind, FieldKind::Child))?;
        let child = l.has_children_alone().then_some(&child.ty)?;
        return Some(quote! {
            const SWAPS: bool = <#child as #krate::Level>::SWAPS;
            fn swap(&mut self, a: usize, b: usize) {
                for k in 0..self.len {
                    #krate::Level::swap(&mut self.child, a * self.len + k, b * self.len + k);
                }
            }
        });
    };
    let bind = bind_fields(l, true);
    Some(quote! {
        const SWAPS: bool = true;
        fn swap(&mut self, #a: usize, #b: usize) {
            #bind
            #code;
        }
    })
}

/// The entries of a fiber that are all known, if the schema says how these are made at once: their positions are those
/// in which a walk meets them.
pub(super) fn build(krate: &TokenStream, l: &LevelDecl, child: &syn::Type) -> Option<TokenStream> {
    let s = l.schema.as_ref()?;
    s.clause(schema::Change::Build)?;
    let all = s.all_arrays().into_iter().map(|(name, _)| name);
    Some(quote! {
        if range.start < range.end && self.__vacant(p) {
            let (mut starts, mut coords) = (::std::vec::Vec::new(), ::std::vec::Vec::new());
            let mut e = range.start;
            while e < range.end {
                let (first, start) = (columns[0][e], e);
                let mut stop = first + 1;
                if <#child as #krate::Level>::RANK == 0 {
                    stop = stops[e];
                    e += 1;
                } else {
                    e = #krate::level::group(&columns[0], e..range.end);
                }
                for i in first..stop {
                    starts.push((start, e));
                    coords.push(i);
                }
            }
            Self::__build(#(&mut self.#all,)* usize::MAX, p, &coords)?;
            self.__follow()?;
            let mut positions = ::std::vec::Vec::with_capacity(coords.len());
            self.__visit(p, |_, _, q, _| positions.push(q));
            let mut all: ::std::vec::Vec<(usize, (usize, usize))> = ::core::iter::Iterator::collect(
                ::core::iter::Iterator::zip(::core::iter::IntoIterator::into_iter(positions), starts)
            );
            // Fibers of a level that is appended to are opened in their order, which is not that of a tree.
            all.sort_unstable();
            for (q, (start, end)) in all {
                #krate::Level::open(&mut self.child, q)?;
                #krate::Level::build(&mut self.child, q, &columns[1..], stops, values, start..end)?;
            }
            return ::core::result::Result::Ok(());
        }
    })
}

/// The children of entries that have moved follow them.
pub(super) fn follow(krate: &TokenStream, l: &LevelDecl) -> Option<TokenStream> {
    let moves = l.write.as_ref()?.moves.as_ref()?;
    let (name, params) = (&l.name, bounded(krate, l));
    let names = l.arguments();
    let child = &l.fields.iter().find(|f| matches!(f.kind, FieldKind::Child))?.ty;
    let text = name.to_string();
    Some(quote! {
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<#(#params),*> #name<#(#names),*> {
            fn __follow(&mut self) -> ::core::result::Result<(), ::std::string::String> {
                let children = #krate::Level::below(self, 0);
                #krate::Level::reserve(&mut self.child, children)?;
                self.__exchange()
            }
            /// As `__follow`, where there is a child for each position: nothing of the program's own runs between the move
            /// of an entry and that of its child, no clone and no drop, so that a panic finds both moved or neither.
            fn __exchange(&mut self) -> ::core::result::Result<(), ::std::string::String> {
                if !<#child as #krate::Level>::SWAPS && !<[_]>::is_empty(&self.#moves[..]) {
                    return ::core::result::Result::Err(::std::format!(
                        "entries of `{}` move as others come, and those of `{}` below it cannot", #text, <#child as #krate::Level>::NAME
                    ));
                }
                let moves = ::core::mem::take(&mut self.#moves);
                for pair in <[_]>::chunks_exact(&moves[..], 2) {
                    let [a, b] = [pair[0], pair[1]].map(|q| #krate::Index::to_i64(q) as usize);
                    #krate::Level::swap(&mut self.child, a, b);
                }
                // What has room keeps it.
                self.#moves = moves;
                self.#moves.clear();
                ::core::result::Result::Ok(())
            }
        }
    })
}
