//! The implementation of the run-time library's `Level` trait from a declaration.

use crate::decl::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

pub(super) fn implement(krate: &TokenStream, l: &LevelDecl, print: Fingerprint) -> TokenStream {
    let grows = super::grows::implement(krate, l);
    let level = match &l.leaf {
        Some(leaf) => super::leaf::implement(krate, l, leaf, print),
        None => implement_level(krate, l, print),
    };
    let follow = super::moves::follow(krate, l);
    quote!(#level #follow #grows)
}

/// The parameters as they stand in an `impl<..>`, with what a level needs of them.
pub(super) fn bounded(krate: &TokenStream, l: &LevelDecl) -> Vec<TokenStream> {
    let child = l.fields.iter().find(|f| matches!(f.kind, FieldKind::Child)).map(|f| {
        let child = &f.ty;
        quote!(#child).to_string()
    });
    let leaf = l.leaf.as_ref().map(|leaf| {
        let (value, marker) = (&leaf.value, &leaf.fill);
        (quote!(#value), marker.to_string())
    });
    let bounded = |p: &Param| {
        let (decl, name) = (&p.decl, p.name.to_string());
        match &leaf {
            _ if child.as_ref() == Some(&name) => quote!(#decl: #krate::Level),
            Some((value, _)) if value.to_string() == name => {
                quote!(#decl: ::core::clone::Clone + ::core::cmp::PartialEq + 'static)
            }
            Some((value, marker)) if *marker == name => quote!(#decl: #krate::Fill<#value>),
            _ => quote!(#decl),
        }
    };
    let lifetimes = l.lifetimes.iter().map(|lifetime| quote!(#lifetime));
    lifetimes.chain(l.params.iter().map(bounded)).collect()
}

/// Binds the fields by reference, numbers by value.
pub(super) fn bind_fields(l: &LevelDecl, mutable: bool) -> TokenStream {
    l.fields
        .iter()
        .filter(|f| !matches!(f.kind, FieldKind::Child))
        .map(|f| {
            let n = &f.name;
            match (&f.kind, mutable) {
                (FieldKind::Array(_), true) => quote!(let #n = &mut self.#n;),
                (FieldKind::Array(_), false) => quote!(let #n = &self.#n;),
                _ => quote!(let #n = self.#n;),
            }
        })
        .collect()
}

pub(super) fn check(l: &LevelDecl) -> TokenStream {
    let (fibers, body) = l.invariant.as_ref().expect("validated");
    let bind = bind_fields(l, false);
    quote! {
        let #fibers: usize = fibers;
        #bind
        let below = (|| -> ::core::result::Result<usize, ::std::string::String> { #body })()?;
    }
}

/// Bounds on the coordinate types: `len` must fit them.
fn fits(krate: &TokenStream, l: &LevelDecl) -> TokenStream {
    l.params
        .iter()
        .filter(|p| l.counts_coordinates(p))
        .map(|p| {
            let ix = &p.name;
            quote! {
                if shape[0] as u64 > <#ix as #krate::Index>::MAX as u64 {
                    return ::core::result::Result::Err(::std::format!(
                        "size {} does not fit the coordinate type {}",
                        shape[0], ::core::any::type_name::<#ix>()
                    ));
                }
            }
        })
        .collect()
}

pub(super) fn empty_fields(l: &LevelDecl) -> Vec<TokenStream> {
    l.fields
        .iter()
        .map(|f| match &f.kind {
            FieldKind::Len => quote!(shape[0]),
            FieldKind::Scalar(_) => quote!(::core::default::Default::default()),
            FieldKind::Array(_) => quote!(::core::default::Default::default()),
            FieldKind::Child => quote!(),
        })
        .collect()
}

fn implement_level(krate: &TokenStream, l: &LevelDecl, print: Fingerprint) -> TokenStream {
    let name = &l.name;
    let child =
        &l.fields.iter().find(|f| matches!(f.kind, FieldKind::Child)).expect("validated").ty;
    let params = bounded(krate, l);
    let names = l.arguments();
    let text = name.to_string();
    let (check, fits) = (check(l), fits(krate, l));
    let fields = empty_fields(l).into_iter().zip(&l.fields).map(|(value, f)| match f.kind {
        FieldKind::Child => quote!(<#child as #krate::Level>::empty(&shape[1..])?),
        _ => value,
    });
    let runs = l.write.as_ref().is_some_and(|w| w.runs);
    // A run is one entry, with the equal neighbours that follow it; or one entry for each coordinate.
    let last_dimension = if runs {
        quote! {
            let mut stop = stops[e];
            end = e + 1;
            while end < range.end && columns[0][end] == stop && #krate::value::identical(&values[end], &values[e]) {
                stop = stops[end];
                end += 1;
            }
            let q = #krate::Level::entry(self, p, i)?;
            #krate::Level::build(&mut self.child, q, &columns[1..], stops, values, e..end)?;
            #krate::Level::commit(self, p, stop - 1, q)?;
        }
    } else {
        quote! {
            end = e + 1;
            for i in i..stops[e] {
                let q = #krate::Level::entry(self, p, i)?;
                #krate::Level::build(&mut self.child, q, &columns[1..], stops, values, e..end)?;
                #krate::Level::commit(self, p, i, q)?;
            }
        }
    };
    let ranges = l.ranges();
    let (position, named) = match ranges {
        true => (quote!((usize, usize)), quote!((first, end))),
        false => (quote!(usize), quote!(first)),
    };
    // Where there is room for more entries than there are, those that are there are counted.
    let counted = l.schema.as_ref().map(|s| {
        let root = &s.defs[0].name;
        quote! {
            if <#child as #krate::Level>::FULL {
                let count = (0..fibers).map(|p| Self::__count(&self.#root, p)).sum();
                return #krate::Level::stored(&self.child, count);
            }
            // There is a child at each position, an empty one where no entry is.
            return #krate::Level::stored(&self.child, <[_]>::len(&self.crd));
        }
    });
    // So are those of a level that has a child at each coordinate, and says which ones are there.
    let counted = counted.or_else(|| {
        (l.one_child_each() && l.leaves_out() && !ranges).then(|| {
            quote! {
                if <#child as #krate::Level>::FULL {
                    let mut count = 0;
                    (0..fibers).for_each(|p| self.__visit(p, |_, _, _, _| count += 1));
                    return #krate::Level::stored(&self.child, count);
                }
            }
        })
    });
    // What holds of nodes that are there need not be found out again.
    let below = l.schema.is_none().then(|| {
        quote! {
            let below = (|| -> ::core::result::Result<usize, ::std::string::String> { #check ::core::result::Result::Ok(below) })();
            #krate::Level::stored(&self.child, below.unwrap_or(0))
        }
    });
    let (full, whole) = (l.has_children_alone(), !l.leaves_out());
    let built = super::moves::build(krate, l, child);
    let bind = bind_fields(l, false);
    let fiber = l.fiber.as_ref().map(|(a, b, code)| {
        quote! {{
            let (#a, #b): (usize, usize) = p;
            #bind
            (|| -> ::core::result::Result<(), ::std::string::String> { #code })()?;
        }}
    });
    let fold = l.write.as_ref().and_then(|w| w.fold.as_ref());
    let folds = match fold {
        Some(_) => quote!(::core::option::Option::Some(#text)),
        None => quote!(<#child as #krate::Level>::FOLDS),
    };
    let fold = fold.map(|(at, code)| {
        quote! {{
            let #at: &mut [usize] = &mut coords[..=dimension];
            #bind
            #code;
        }}
    });
    let joins = joins(krate, l, Some(&quote!(#child)));
    let (work, swaps) = (super::work::work(krate, l, child), super::moves::swaps(krate, l));
    let assembly = match &l.write {
        Some(w) => assembly(krate, l, w),
        None => quote! {
            fn reserve(&mut self, _: usize) -> ::core::result::Result<(), ::std::string::String> { ::core::result::Result::Ok(()) }
            fn open(&mut self, _: usize) -> ::core::result::Result<(), ::std::string::String> {
                ::core::result::Result::Err(::std::format!("`{}` cannot be assembled from entries: build it from its parts", #text))
            }
            fn entry(&mut self, _: usize, _: usize) -> ::core::result::Result<usize, ::std::string::String> {
                ::core::result::Result::Err(::std::format!("`{}` cannot be assembled from entries: build it from its parts", #text))
            }
            fn commit(&mut self, _: usize, _: usize, _: usize) -> ::core::result::Result<(), ::std::string::String> { ::core::result::Result::Ok(()) }
            fn below(&self, fibers: usize) -> usize { fibers }
            fn finish(&mut self, _: usize) -> ::core::result::Result<(), ::std::string::String> { ::core::result::Result::Ok(()) }
        },
    };
    quote! {
        #[allow(unused, clippy::all, clippy::pedantic)]
        impl<#(#params),*> #krate::Level for #name<#(#names),*> {
            type Value = <#child as #krate::Level>::Value;
            type Position = #position;
            const BY_RANGE: bool = #ranges;
            const RANGES: bool = #ranges || <#child as #krate::Level>::RANGES;
            fn position(first: usize, end: usize) -> Self::Position { #named }
            fn check_ranges(&self, p: Self::Position) -> ::core::result::Result<(), ::std::string::String> {
                #fiber
                if !<#child as #krate::Level>::RANGES {
                    return ::core::result::Result::Ok(());
                }
                let mut checked = ::core::result::Result::Ok(());
                self.__visit(p, |_, _, q, end| {
                    if ::core::result::Result::is_ok(&checked) {
                        checked = #krate::Level::check_ranges(&self.child, <#child as #krate::Level>::position(q, end));
                    }
                });
                checked
            }
            const RANK: usize = 1 + <#child as #krate::Level>::RANK;
            const NAME: &'static str = #text;
            const PRINT: u128 = #print;
            fn shape_into(&self, shape: &mut ::std::vec::Vec<usize>) {
                shape.push(self.len);
                #krate::Level::shape_into(&self.child, shape);
            }
            fn empty(shape: &[usize]) -> ::core::result::Result<Self, ::std::string::String> {
                #fits
                ::core::result::Result::Ok(Self::__new(#(#fields),*))
            }
            fn check(&self, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                #check
                #krate::Level::check(&self.child, below)
            }
            fn at_fault(&self, fibers: usize) -> &'static str {
                let own = || -> ::core::result::Result<usize, ::std::string::String> {
                    #check
                    ::core::result::Result::Ok(below)
                };
                own().map_or(Self::NAME, |below| #krate::Level::at_fault(&self.child, below))
            }
            #assembly
            #joins
            #work
            #swaps
            const FOLDS: ::core::option::Option<&'static str> = #folds;
            fn fold(&self, coords: &mut [usize], dimension: usize) {
                #fold
                #krate::Level::fold(&self.child, coords, dimension + 1);
            }
            fn each(&self, p: Self::Position, coords: &mut ::std::vec::Vec<usize>, f: &mut dyn FnMut(&[usize], usize, &Self::Value)) {
                self.__visit(p, |lo, hi, q, end| {
                    let q = <#child as #krate::Level>::position(q, end);
                    if <#child as #krate::Level>::RANK == 0 {
                        coords.push(lo);
                        #krate::Level::each(&self.child, q, coords, &mut |coords, _, value| f(coords, hi, value));
                        coords.pop();
                        return;
                    }
                    for i in lo..hi {
                        coords.push(i);
                        #krate::Level::each(&self.child, q, coords, f);
                        coords.pop();
                    }
                });
            }
            fn descend(
                &self, p: Self::Position, depth: usize,
                f: &mut dyn FnMut(#krate::level::Seen<'_, Self::Value>) -> bool,
            ) {
                self.__visit(p, |lo, hi, q, end| {
                    let positions = ::core::option::Option::Some(q..end);
                    if f(#krate::level::Seen::Child { depth, coordinates: lo..hi, positions }) {
                        let q = <#child as #krate::Level>::position(q, end);
                        #krate::Level::descend(&self.child, q, depth + 1, f);
                    }
                });
            }
            fn names(names: &mut ::std::vec::Vec<&'static str>) {
                names.push(#text);
                <#child as #krate::Level>::names(names);
            }
            fn build(
                &mut self, p: usize, columns: &[::std::vec::Vec<usize>], stops: &[usize], values: &[Self::Value],
                range: ::core::ops::Range<usize>,
            ) -> ::core::result::Result<(), ::std::string::String> {
                #built
                let mut e = range.start;
                while e < range.end {
                    let i = columns[0][e];
                    let mut end;
                    if <#child as #krate::Level>::RANK == 0 {
                        #last_dimension
                    } else {
                        end = #krate::level::group(&columns[0], e..range.end);
                        let q = #krate::Level::entry(self, p, i)?;
                        #krate::Level::build(&mut self.child, q, &columns[1..], stops, values, e..end)?;
                        #krate::Level::commit(self, p, i, q)?;
                    }
                    e = end;
                }
                ::core::result::Result::Ok(())
            }
            fn values_mut(&mut self) -> ::core::option::Option<&mut [Self::Value]> {
                #krate::Level::values_mut(&mut self.child)
            }
            fn values(&self) -> ::core::option::Option<&[Self::Value]> {
                #krate::Level::values(&self.child)
            }
            const FULL: bool = #full && <#child as #krate::Level>::FULL;
            const WHOLE: bool = #whole && <#child as #krate::Level>::WHOLE;
            fn stored(&self, fibers: usize) -> usize {
                #counted
                #below
            }
            fn fill() -> Self::Value {
                <#child as #krate::Level>::fill()
            }
            fn storable(value: &Self::Value) -> bool {
                <#child as #krate::Level>::storable(value)
            }
            fn find(&self, p: Self::Position, coords: &[usize]) -> ::core::option::Option<Self::Value> {
                let mut found = ::core::option::Option::None;
                self.__locate(p, coords[0], |_, _, q, end| {
                    found = #krate::Level::find(&self.child, <#child as #krate::Level>::position(q, end), &coords[1..]);
                });
                found
            }
        }
    }
}

/// The fibers of two levels as those of one.
pub(super) fn joins(
    krate: &TokenStream,
    l: &LevelDecl,
    child: Option<&TokenStream>,
) -> Option<TokenStream> {
    let fields = l.join.as_ref()?;
    let along = l.joins_along();
    let room = fields.iter().filter(|(_, how)| *how != Joined::Sum).map(|(name, _)| {
        quote! {
            let mut more = 0usize;
            for next in &next {
                more += <[_]>::len(&next.#name[..]);
            }
            ::std::vec::Vec::reserve_exact(&mut self.#name, more);
        }
    });
    let each = fields.iter().map(|(name, how)| match how {
        Joined::Offsets => {
            quote!(#krate::level::join_offsets(&mut self.#name, &next.#name, along);)
        }
        Joined::Entries | Joined::Coordinates => {
            quote!(::core::iter::Extend::extend(&mut self.#name, next.#name);)
        }
        Joined::Sum => quote!(if along {
            self.len += next.len;
        }),
    });
    let (below, child, children) = match child {
        Some(child) => (
            quote!(<#child as #krate::Level>::JOINS),
            quote!(::std::vec::Vec::push(&mut children, next.child);),
            quote!(#krate::Level::join(&mut self.child, children, false);),
        ),
        None => (
            quote!(true),
            quote!(),
            quote!({
                let _: ::std::vec::Vec<()> = children;
            }),
        ),
    };
    Some(quote! {
        const JOINS: bool = #below;
        const JOINS_ALONG: bool = #along && #below;
        fn join(&mut self, next: ::std::vec::Vec<Self>, along: bool) {
            #(#room)*
            let mut children = ::std::vec::Vec::with_capacity(::std::vec::Vec::len(&next));
            for next in next {
                #(#each)*
                #child
            }
            #children
        }
    })
}

/// A clause of `write` as an expression, with its fields and `bound` names.
pub(super) fn clause(
    krate: &TokenStream,
    l: &LevelDecl,
    which: Clause,
    bound: TokenStream,
    code: &TokenStream,
) -> TokenStream {
    let hold = l.write.as_ref().map_or(Hold::Vecs, |w| w.hold(which));
    // The fiber and the coordinate come before a field of the same name.
    let fiber_or_coordinate =
        |n: &Ident| l.write.as_ref().is_some_and(|w| w.p == *n || w.i.as_ref() == Some(n));
    let fields = l.fields.iter().filter(|f| !fiber_or_coordinate(&f.name)).map(|f| {
        let n = &f.name;
        match f.kind {
            FieldKind::Array(_) => hold.borrow(n, &quote!(self.#n)),
            FieldKind::Child => TokenStream::new(),
            FieldKind::Len | FieldKind::Scalar(_) => quote!(let #n: usize = self.#n;),
        }
    });
    let path = Ident::new(super::CRATE, Span::call_site());
    let value = which.value(&crate::formats::substitute(code.clone(), &[(path, krate.clone())]));
    quote!({ #(#fields)* #bound #value })
}

/// Assembly, entry by entry, from the write protocol.
fn assembly(krate: &TokenStream, l: &LevelDecl, w: &Write) -> TokenStream {
    let p = &w.p;
    let i = w.i.clone().unwrap_or_else(|| quote::format_ident!("_i"));
    let child = w.child.as_ref().expect("validated");
    let of = |which: Clause, code: &TokenStream| clause(krate, l, which, TokenStream::new(), code);
    let counted = |which: Clause, (fibers, code): &(Ident, TokenStream)| {
        clause(krate, l, which, quote!(let #fibers: usize = fibers;), code)
    };
    let may = |value: TokenStream| {
        quote! {
            let may: ::core::result::Result<(), ::std::string::String> = #value;
            may?;
        }
    };
    let made = w.order != Order::Locate;
    let count = counted(Clause::Children, w.children.as_ref().expect("validated"));
    let children = quote! {
        let children: ::core::option::Option<usize> = #count;
        let children = children.ok_or("the number of fibers exceeds what can be addressed")?;
    };
    let own = w.reserve.as_ref().map(|r| may(counted(Clause::Reserve, r)));
    let reserve =
        (!made).then(|| quote!(#children #krate::Level::reserve(&mut self.child, children)?;));
    let reserve_entry = made.then(|| quote!(#krate::Level::reserve(&mut self.child, q + 1)?;));
    let open = w.open.as_ref().map(|code| may(of(Clause::Open, code)));
    let refuse = w.entry.as_ref().map(|code| may(of(Clause::Entry, code)));
    let child = of(Clause::Child, &quote!(#child));
    let commit = w.commit.as_ref().map(|code| {
        // `below` in the declaration has the author's hygiene.
        let below = named(code, "below").map(|name| quote!(let #name: usize = below;));
        let before = below
            .as_ref()
            .map(|_| quote!(let below: usize = #krate::Level::below(&self.child, q + 1);));
        let commit = clause(krate, l, Clause::Commit, quote!(#below), code);
        quote!(#before #commit)
    });
    let moved = w.moves.as_ref().map(|_| quote!(self.__follow()?;));
    let finish = w.finish.as_ref().map(|f| may(counted(Clause::Finish, f)));
    let sort = w.sort.as_ref().map(|s| may(counted(Clause::Sort, s)));
    quote! {
        fn reserve(&mut self, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
            #own
            #reserve
            ::core::result::Result::Ok(())
        }
        fn open(&mut self, #p: usize) -> ::core::result::Result<(), ::std::string::String> {
            #open
            ::core::result::Result::Ok(())
        }
        fn entry(&mut self, #p: usize, #i: usize) -> ::core::result::Result<usize, ::std::string::String> {
            #refuse
            let q: usize = #child;
            #reserve_entry
            #krate::Level::open(&mut self.child, q)?;
            ::core::result::Result::Ok(q)
        }
        fn commit(&mut self, #p: usize, #i: usize, q: usize) -> ::core::result::Result<(), ::std::string::String> {
            #refuse
            #commit
            #moved
            ::core::result::Result::Ok(())
        }
        fn below(&self, fibers: usize) -> usize {
            let children: ::core::option::Option<usize> = #count;
            children.unwrap_or(0)
        }
        fn finish(&mut self, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
            #sort
            #finish
            #children
            #krate::Level::reserve(&mut self.child, children)?;
            #krate::Level::finish(&mut self.child, children)
        }
    }
}
