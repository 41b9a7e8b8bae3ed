//! The functions of a level's own type that check its nodes, and that insert, remove and build by the author's.

use super::nodes::nodes_name;
use super::*;
use crate::decl::LevelDecl;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Schema {
    /// The schema as data, for what the library does with any.
    pub(super) fn described(&self) -> TokenStream {
        let ordered = self.ordered();
        let kinds = self.defs.iter().map(|d| {
            let l = self.layout(d);
            let (name, stride) = (d.name.to_string(), &l.stride);
            let some = |at: Option<&TokenStream>| match at {
                Some(at) => quote!(::core::option::Option::Some(#at)),
                None => quote!(::core::option::Option::None),
            };
            let entries = d.elem().map(|_| {
                let (start, room, size) = (some(l.start.as_ref()), some(l.room.as_ref()), some(l.size(d)));
                let (least, most) = (&l.least, l.most.clone().unwrap_or(quote!(usize::MAX)));
                let (holes, coded) = (d.holes(), self.coded());
                quote!(__looplets::nodes::Entries { start: #start, room: #room, size: #size, least: #least, most: #most, holes: #holes, coded: #coded })
            });
            let entries = some(entries.as_ref());
            let steps = Schema::order(d).into_iter().map(|item| match item {
                Item::Part(part) => match &d.part(&part).expect("checked").kind {
                    PartKind::Link { to, .. } => {
                        let (word, to) = (l.word(&part), self.targets(to));
                        quote!(__looplets::nodes::Step::Link(#word, &[#(#to),*]))
                    }
                    _ => quote!(__looplets::nodes::Step::Entries),
                },
                Item::Mixed(_, c) => {
                    let PartKind::Link { to, .. } = &d.part(&c).expect("checked").kind else {
                        unreachable!("checked")
                    };
                    let (word, to) = (l.word(&c), self.targets(to));
                    quote!(__looplets::nodes::Step::Mixed(#word, &[#(#to),*]))
                }
            });
            let count = some(l.count.as_ref());
            let parent = d.fields.iter().find(|f| matches!(f.kind, PartKind::Parent));
            let parent = some(parent.map(|f| l.word(&f.name)));
            let firsts = d.fields.iter().filter_map(|f| match &f.kind {
                PartKind::First(to) => Some((l.word(&f.name).clone(), self.targets(to))),
                _ => None,
            });
            let firsts = firsts.map(|(word, to)| quote!((#word, &[#(#to),*] as &[usize])));
            let next = d.fields.iter().find_map(|f| match &f.kind {
                PartKind::Next(to) => Some((l.word(&f.name).clone(), self.targets(to))),
                _ => None,
            });
            let next = next.map(|(word, to)| quote!((#word, &[#(#to),*] as &[usize])));
            let next = some(next.as_ref());
            let lasts = d.fields.iter().filter_map(|f| match &f.kind {
                PartKind::Last(to) => Some((l.word(&f.name).clone(), self.targets(to))),
                _ => None,
            });
            let lasts = lasts.map(|(word, to)| quote!((#word, &[#(#to),*] as &[usize])));
            quote! {
                __looplets::nodes::Kind {
                    name: #name, stride: #stride, entries: #entries, ordered: #ordered, steps: &[#(#steps),*], parent: #parent,
                    count: #count,
                    firsts: &[#(#firsts),*], lasts: &[#(#lasts),*], next: #next,
                }
            }
        });
        quote!(const __SCHEMA: &'static [__looplets::nodes::Kind] = &[#(#kinds),*];)
    }

    /// A parameter for each array, as `hold` has them.
    fn params(&self, hold: impl Fn(&TokenStream) -> TokenStream) -> Vec<TokenStream> {
        let all = self.all_arrays();
        all.iter()
            .map(|(name, ty)| {
                let ty = hold(ty);
                quote!(#name: #ty)
            })
            .collect()
    }

    /// The functions that check, insert, delete and build.
    pub(super) fn changes(&self, l: &LevelDecl) -> TokenStream {
        let (ix, li) = (self.ix(), self.li());
        let nodes = nodes_name(&l.name);
        let counts = l.params.iter().filter(|p| p.constant.is_some()).map(|p| &p.name);
        let of_ix = (!self.coded()).then(|| quote!(#ix,));
        let nodes = quote!(#nodes::<#of_ix #li, #(#counts),*>);
        let shared = self.params(|ty| quote!(&[#ty]));
        let vecs = self.params(|ty| quote!(&mut ::std::vec::Vec<#ty>));
        let names: Vec<Ident> = self.all_arrays().into_iter().map(|(n, _)| n).collect();
        let arrays = self.arrays();
        let free: Vec<Ident> = self.defs[1..].iter().map(|d| self.free(d)).collect();
        let spare = match self.pooled() {
            true => quote!(::core::option::Option::Some(spare)),
            false => quote!(::core::option::Option::None),
        };
        let spare_of = match self.pooled() {
            true => quote!(::core::option::Option::Some(&mut *spare)),
            false => quote!(::core::option::Option::None),
        };
        let trim = self.pooled().then(|| quote!(__looplets::nodes::trim(crd, spare);));
        let root = &self.defs[0].name;
        let layout = self.layout(&self.defs[0]);
        let (stride, count) = (&layout.stride, layout.count.as_ref().expect("a root counts"));
        // What cannot be done is said before anything is: nothing has changed then.
        let change = |which: Change, fallback: TokenStream| match self.clause(which) {
            Some((_, args, code)) => {
                let (p, i) = (&args[0], &args[1]);
                // With the author's hygiene.
                let bound = crate::decl::named(code, "nodes").unwrap_or(format_ident!("nodes"));
                quote! {{
                    let (#p, #i) = (p, i);
                    let mut own = #nodes { #(#names: &mut *#names,)* limit, again: 0, came: 0 };
                    let result: ::core::result::Result<(), ::std::string::String> = {
                        let #bound = &mut own;
                        (|| { #code })()
                    };
                    match (result, own.again) {
                        (::core::result::Result::Err(reason), 0) => ::core::result::Result::Err(__looplets::nodes::Short::Refused(reason)),
                        (::core::result::Result::Err(_), n) => ::core::result::Result::Err(__looplets::nodes::Short::Wanted(n)),
                        (::core::result::Result::Ok(()), _) => ::core::result::Result::Ok(own.came),
                    }
                }}
            }
            None => fallback,
        };
        let text = l.name.to_string();
        let cannot = |what: &str| {
            let message = format!("`{text}` does not say how {what}");
            quote!(::core::result::Result::Err(__looplets::nodes::Short::Refused(::std::string::String::from(#message))))
        };
        let insert = change(Change::Insert, cannot("entries are inserted"));
        let remove = change(Change::Remove, cannot("entries are removed"));
        let build = self.clause(Change::Build).map(|_| {
            let build = change(Change::Build, TokenStream::new());
            quote! {
                fn __build(#(#vecs,)* limit: usize, p: usize, i: &[usize]) -> ::core::result::Result<usize, __looplets::nodes::Short> {
                    Self::__begin(#(&mut *#names,)* p).map_err(__looplets::nodes::Short::Refused)?;
                    let (fiber, entries) = (p, <[usize]>::len(i));
                    if entries as i64 >= <#li as __looplets::Index>::MAX {
                        return ::core::result::Result::Err(__looplets::nodes::Short::Refused(::std::format!(
                            "links of type {} do not count {entries} entries", ::core::any::type_name::<#li>()
                        )));
                    }
                    let built: ::core::result::Result<usize, __looplets::nodes::Short> = #build;
                    if ::core::result::Result::is_ok(&built) {
                        #root[fiber * #stride + #count] = <#li as __looplets::Index>::from_i64(entries as i64);
                    }
                    built
                }
            }
        });
        let linking = self.linking(&l.name, &vecs);
        quote! {
            fn __check(len: usize, fibers: usize, #(#shared),*) -> ::core::result::Result<usize, ::std::string::String> {
                __looplets::nodes::check(Self::__SCHEMA, len, fibers, &[#(#arrays),*], &[#(#free),*], crd, #spare, moves)
            }
            /// Refuses an entry for which there may be no link.
            fn __room(#(#shared),*) -> ::core::result::Result<(), ::std::string::String> {
                __looplets::nodes::room(Self::__SCHEMA, &[#(#arrays),*], &[#(#free),*], crd.len())
            }
            fn __grow(words: &mut ::std::vec::Vec<#li>, fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                let words_of = fibers.checked_mul(#stride).ok_or("the number of fibers exceeds what can be addressed")?;
                __looplets::level::grow(words, words_of, <#li as __looplets::Index>::from_i64(0))
            }
            /// As many fibers as there are: one that an entry was begun in and not kept is none.
            fn __finish(#(#vecs,)* fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                Self::__grow(#root, fibers)?;
                #root.truncate(fibers * #stride);
                #trim
                ::core::result::Result::Ok(())
            }
            fn __begin(#(#vecs,)* p: usize) -> ::core::result::Result<(), ::std::string::String> {
                Self::__grow(#root, p + 1)?;
                // Entries that come or go pass through position 0.
                __looplets::level::grow(crd, 1, <#ix as __looplets::Index>::from_i64(0))
            }
            /// Makes an entry; gives its position.
            fn __insert(#(#vecs,)* limit: usize, p: usize, i: usize) -> ::core::result::Result<usize, __looplets::nodes::Short> {
                Self::__begin(#(&mut *#names,)* p).map_err(__looplets::nodes::Short::Refused)?;
                let fiber = p;
                let made: ::core::result::Result<usize, __looplets::nodes::Short> = #insert;
                // Where the author says of no entry there is none.
                if let ::core::result::Result::Ok(1..) = made {
                    let entries = Self::__word(#root, fiber * #stride + #count) as i64 + 1;
                    #root[fiber * #stride + #count] = <#li as __looplets::Index>::from_i64(entries);
                }
                made
            }
            /// How many entries fiber `p` has; none if there is no such fiber.
            #[inline]
            fn __count(#root: &[#li], p: usize) -> usize {
                match p < <[#li]>::len(#root) / #stride {
                    true => Self::__word(#root, p * #stride + #count),
                    false => 0,
                }
            }
            #[inline]
            fn __fibers(#root: &[#li]) -> usize {
                <[#li]>::len(#root) / #stride
            }
            fn __remove(#(#vecs,)* limit: usize, p: usize, i: usize) -> ::core::result::Result<usize, __looplets::nodes::Short> {
                let fiber = p;
                let gone: ::core::result::Result<usize, __looplets::nodes::Short> = #remove;
                if let ::core::result::Result::Ok(1..) = gone {
                    let entries = Self::__word(#root, fiber * #stride + #count) as i64 - 1;
                    #root[fiber * #stride + #count] = <#li as __looplets::Index>::from_i64(entries);
                }
                gone
            }
            #build
            #linking
            fn __vacant(&self, p: usize) -> bool {
                let at = Self::__first(#(&self.#arrays,)* &self.crd, p as i64);
                at.lo == at.hi
            }
            /// Takes all nodes out of fiber `p`, and gives the positions of its entries.
            fn __erase(#(#vecs,)* p: usize) -> ::std::vec::Vec<usize> {
                __looplets::nodes::erase(Self::__SCHEMA, &mut [#(&mut *#arrays),*], &mut [#(&mut *#free),*], #spare_of, p)
            }
            fn __swap(words: &mut [#li], a: usize, b: usize) {
                for k in 0..#stride {
                    words.swap(a * #stride + k, b * #stride + k);
                }
            }
        }
    }
}
