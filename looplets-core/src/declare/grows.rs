//! The implementation of the run-time library's `Grows` trait: entries that come and go one by one.

use super::runtime::clause;
use crate::decl::schema::Change;
use crate::decl::*;
use proc_macro2::TokenStream;
use quote::quote;

/// The impl, of a leaf whose fibers are exchanged, of a level with a child for each coordinate, and of a level with a
/// schema that says how entries are inserted.
pub(super) fn implement(krate: &TokenStream, l: &LevelDecl) -> Option<TokenStream> {
    let name = &l.name;
    let child = l.fields.iter().find(|f| matches!(f.kind, FieldKind::Child)).map(|f| &f.ty);
    let (params, body) = match (&l.leaf, child, &l.schema) {
        (Some(_), ..) => (super::runtime::bounded(krate, l), leaf(krate, l)?),
        (_, Some(child), Some(_)) => (bounded(krate, l), nodes(krate, l, child)?),
        (_, Some(child), None) if l.has_children_alone() => {
            (bounded(krate, l), each(krate, child)?)
        }
        _ => return None,
    };
    let names = l.arguments();
    Some(quote! {
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<#(#params),*> #krate::Grows for #name<#(#names),*> { #body }
    })
}

/// The parameters with what such a level needs of its child.
fn bounded(krate: &TokenStream, l: &LevelDecl) -> Vec<TokenStream> {
    let is_child = |p: &&Param| {
        l.fields.iter().any(|f| {
            let ty = &f.ty;
            matches!(f.kind, FieldKind::Child) && p.name == quote!(#ty).to_string()
        })
    };
    let bounds = l.params.iter().map(|p| {
        let decl = &p.decl;
        match is_child(&p) {
            true => quote!(#decl: #krate::Grows),
            false => quote!(#decl),
        }
    });
    bounds.collect()
}

fn leaf(krate: &TokenStream, l: &LevelDecl) -> Option<TokenStream> {
    l.swap.as_ref()?;
    let leaf = l.leaf.as_ref()?;
    let (value, marker) = (&leaf.value, &leaf.fill);
    let write = l.write.as_ref()?;
    let erased = write.place.as_ref().map(|place| {
        let p = &write.p;
        let arrays = l.fields.iter().map(|f| {
            let n = &f.name;
            quote!(let #n = &mut self.#n;)
        });
        quote!({ let #p: usize = p; #(#arrays)* #place = <#marker as #krate::Fill<#value>>::VALUE; })
    });
    let taken = match &write.place {
        Some(place) => {
            let p = &write.p;
            let arrays = l.fields.iter().map(|f| {
                let n = &f.name;
                quote!(let #n = &mut self.#n;)
            });
            quote!({ let #p: usize = p; #(#arrays)* ::core::mem::replace(&mut #place, <#marker as #krate::Fill<#value>>::VALUE) })
        }
        None => quote! {
            #krate::Level::find(self, p, &[]).unwrap_or_else(<Self as #krate::Level>::fill)
        },
    };
    let room = l.fields.first().filter(|_| write.place.is_some()).map_or(quote!(0), |f| {
        let n = &f.name;
        quote!(<[_]>::len(&self.#n))
    });
    Some(quote! {
        const LINEAR: bool = false;
        const GOES: bool = false;
        fn make(&mut self, p: usize, _: &[usize]) -> ::core::result::Result<(usize, bool), ::std::string::String> {
            ::core::result::Result::Ok((p, false))
        }
        fn seat(&self, p: usize, _: &[usize]) -> ::core::option::Option<usize> { ::core::option::Option::Some(p) }
        fn unmake(&mut self, _: usize, _: &[usize]) -> ::core::result::Result<::core::option::Option<Self::Value>, ::std::string::String> {
            ::core::result::Result::Ok(::core::option::Option::None)
        }
        fn vacant(&self, _: usize) -> bool { false }
        fn erase(&mut self, p: usize) { #erased }
        fn room(&self) -> usize { #room }
        fn take(&mut self, p: usize) -> Self::Value { #taken }
    })
}

fn each(krate: &TokenStream, child: &syn::Type) -> Option<TokenStream> {
    Some(quote! {
        const LINEAR: bool = <#child as #krate::Grows>::LINEAR;
        const GOES: bool = <#child as #krate::Grows>::GOES;
        fn make(&mut self, p: usize, coords: &[usize]) -> ::core::result::Result<(usize, bool), ::std::string::String> {
            #krate::Grows::make(&mut self.child, p * self.len + coords[0], &coords[1..])
        }
        fn seat(&self, p: usize, coords: &[usize]) -> ::core::option::Option<usize> {
            #krate::Grows::seat(&self.child, p * self.len + coords[0], &coords[1..])
        }
        fn unmake(&mut self, p: usize, coords: &[usize]) -> ::core::result::Result<::core::option::Option<Self::Value>, ::std::string::String> {
            #krate::Grows::unmake(&mut self.child, p * self.len + coords[0], &coords[1..])
        }
        fn vacant(&self, p: usize) -> bool {
            (0..self.len).all(|i| #krate::Grows::vacant(&self.child, p * self.len + i))
        }
        fn erase(&mut self, p: usize) {
            for i in 0..self.len {
                #krate::Grows::erase(&mut self.child, p * self.len + i);
            }
        }
        fn room(&self) -> usize { #krate::Grows::room(&self.child) }
    })
}

fn nodes(krate: &TokenStream, l: &LevelDecl, child: &syn::Type) -> Option<TokenStream> {
    let s = l.schema.as_ref()?;
    s.clause(Change::Insert)?;
    let w = l.write.as_ref().filter(|w| w.moves.is_some())?;
    let arrays = s.arrays();
    let all: Vec<_> = s.all_arrays().into_iter().map(|(name, _)| name).collect();
    let refuse =
        w.entry.as_ref().map(|code| clause(krate, l, Clause::Entry, TokenStream::new(), code));
    let p = &w.p;
    let i = w.i.as_ref()?;
    let linear = !s.branches();
    Some(quote! {
        const GOES: bool = <#child as #krate::Level>::RANK == 0 || <#child as #krate::Grows>::GOES;
        const LINEAR: bool = #linear || <#child as #krate::Grows>::LINEAR;
        fn make(&mut self, p: usize, coords: &[usize]) -> ::core::result::Result<(usize, bool), ::std::string::String> {
            let found = Self::__position(#(&self.#arrays,)* &self.crd, p as i64, coords[0] as i64);
            if found > 0 {
                return #krate::Grows::make(&mut self.child, found as usize, &coords[1..]);
            }
            let (#p, #i) = (p, coords[0]);
            let may: ::core::result::Result<(), ::std::string::String> = #refuse;
            may?;
            // There is a child for each position before any entry moves: what children do may fail.
            let mut limit = <[_]>::len(&self.crd).max(1);
            let made = loop {
                #krate::Level::reserve(&mut self.child, limit)?;
                match Self::__insert(#(&mut self.#all,)* limit, p, coords[0]) {
                    ::core::result::Result::Ok(made) => break made,
                    ::core::result::Result::Err(#krate::nodes::Short::Wanted(n)) if n > limit => limit = n,
                    ::core::result::Result::Err(reason) => return ::core::result::Result::Err(reason.into()),
                }
            };
            self.__exchange()?;
            if made == 0 {
                return ::core::result::Result::Err(::std::format!(
                    "`{}` was to insert an entry at {} and said of none where it is", <Self as #krate::Level>::NAME, coords[0]
                ));
            }
            ::core::result::Result::Ok((#krate::Grows::make(&mut self.child, made, &coords[1..])?.0, true))
        }
        fn seat(&self, p: usize, coords: &[usize]) -> ::core::option::Option<usize> {
            let found = Self::__position(#(&self.#arrays,)* &self.crd, p as i64, coords[0] as i64);
            if found <= 0 {
                return ::core::option::Option::None;
            }
            #krate::Grows::seat(&self.child, found as usize, &coords[1..])
        }
        fn unmake(&mut self, p: usize, coords: &[usize]) -> ::core::result::Result<::core::option::Option<Self::Value>, ::std::string::String> {
            let found = Self::__position(#(&self.#arrays,)* &self.crd, p as i64, coords[0] as i64);
            if found <= 0 {
                return ::core::result::Result::Ok(::core::option::Option::None);
            }
            let mut gone = ::core::option::Option::None;
            if <#child as #krate::Level>::RANK > 0 {
                gone = #krate::Grows::unmake(&mut self.child, found as usize, &coords[1..])?;
                if ::core::option::Option::is_none(&gone) || !#krate::Grows::vacant(&self.child, found as usize) {
                    return ::core::result::Result::Ok(gone);
                }
            }
            // What goes may leave a block that is taken apart: as above, room for children comes first.
            let mut limit = <[_]>::len(&self.crd);
            loop {
                match Self::__remove(#(&mut self.#all,)* limit, p, coords[0]) {
                    ::core::result::Result::Ok(_) => break,
                    ::core::result::Result::Err(#krate::nodes::Short::Wanted(n)) if n > limit => limit = n,
                    ::core::result::Result::Err(reason) => return ::core::result::Result::Err(reason.into()),
                }
                #krate::Level::reserve(&mut self.child, limit)?;
            }
            self.__exchange()?;
            if <#child as #krate::Level>::RANK == 0 {
                return ::core::result::Result::Ok(::core::option::Option::Some(#krate::Grows::take(&mut self.child, 0)));
            }
            #krate::Grows::erase(&mut self.child, 0);
            ::core::result::Result::Ok(gone)
        }
        fn vacant(&self, p: usize) -> bool {
            self.__vacant(p)
        }
        fn erase(&mut self, p: usize) {
            for q in Self::__erase(#(&mut self.#all,)* p) {
                #krate::Grows::erase(&mut self.child, q);
            }
        }
        fn room(&self) -> usize { <[_]>::len(&self.crd).max(#krate::Grows::room(&self.child)) }
    })
}
