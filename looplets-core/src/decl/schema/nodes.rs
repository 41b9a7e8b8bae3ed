//! What people who insert and delete call: the nodes of a level, with a function for each field of each.

use super::*;
use crate::decl::{substitute, LevelDecl, CRATE};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// The items that a schema comes to where a level is declared: the functions of its type, and its nodes.
pub fn items(krate: &TokenStream, l: &LevelDecl) -> TokenStream {
    let Some(s) = &l.schema else { return TokenStream::new() };
    let name = &l.name;
    let params: Vec<&TokenStream> = l.params.iter().map(|p| &p.decl).collect();
    let names: Vec<&Ident> = l.params.iter().map(|p| &p.name).collect();
    let (walks, schema, changes) = (s.walks(), s.described(), s.changes(l));
    let nodes = s.nodes(l);
    let items = quote! {
        #[allow(unused, non_snake_case, clippy::all, clippy::pedantic)]
        impl<#(#params),*> #name<#(#names),*> {
            #walks
            #schema
            #changes
        }
        #nodes
    };
    substitute(items, &[(Ident::new(CRATE, Span::call_site()), krate.clone())])
}

/// The type of the nodes of a level.
pub(super) fn nodes_name(level: &Ident) -> Ident {
    format_ident!("{level}Nodes")
}

impl Schema {
    /// The nodes of a level, for those who insert and delete.
    fn nodes(&self, l: &LevelDecl) -> TokenStream {
        let (level, vis) = (&l.name, &l.vis);
        let name = nodes_name(level);
        // How many entries a node may hold may be a parameter of the level.
        let counts: Vec<_> = l.params.iter().filter(|p| p.constant.is_some()).collect();
        let numbers: Vec<&Ident> = counts.iter().map(|p| &p.name).collect();
        let decls: Vec<&TokenStream> = counts.iter().map(|p| &p.decl).collect();
        let defaults = counts.iter().map(|p| {
            let (decl, default) = (&p.decl, p.default.as_ref().map(|d| quote!(= #d)));
            quote!(#decl #default)
        });
        let fields = self.all_arrays().into_iter().map(|(name, ty)| {
            let ty = match ty.to_string() {
                t if self.coordinates.as_ref().is_some_and(|c| *c == t) => quote!(Ix),
                t if self.links.as_ref().is_some_and(|c| *c == t) => quote!(Li),
                _ if name == "crd" && self.coded() => quote!(u8),
                _ if name == "crd" => quote!(Ix),
                _ => quote!(Li),
            };
            quote!(#name: &'a mut ::std::vec::Vec<#ty>)
        });
        let (coordinates, coded) = (self.coordinates_of_nodes(), self.coded());
        let ix = (!coded).then(|| quote!(Ix: __looplets::Index = u32,));
        let (ix_decl, ix_name) = match coded {
            true => (None, None),
            false => (Some(quote!(Ix: __looplets::Index,)), Some(quote!(Ix,))),
        };
        let doc = format!("The nodes of a [`{level}`], for functions that insert and delete.");
        let functions = self.defs.iter().enumerate().map(|(k, d)| self.functions(k, d));
        let (kinds, want) = (self.kinds(), self.pooled().then(|| quote! {
            /// Makes room for this many entries, or bytes of coded ones, for nodes that are new or grow, before anything is changed.
            ///
            /// # Errors
            /// There is none yet, or no memory: give the error on, with nothing changed.
            pub fn want_room(&mut self, entries: usize) -> ::core::result::Result<(), ::std::string::String> {
                match __looplets::nodes::want(self.crd, self.spare, entries, self.limit)? {
                    ::core::option::Option::Some(wanted) => {
                        self.again = wanted;
                        ::core::result::Result::Err(::std::string::String::new())
                    }
                    ::core::option::Option::None => ::core::result::Result::Ok(()),
                }
            }
        }));
        quote! {
            #[doc = #doc]
            #[allow(unused, non_snake_case)]
            #vis struct #name<'a, #ix Li: __looplets::Index = u32, #(#defaults),*> {
                #(#fields,)*
                limit: usize,
                again: usize,
                came: usize,
            }
            #[allow(unused, missing_docs, non_snake_case, clippy::all, clippy::pedantic)]
            impl<#ix_decl Li: __looplets::Index, #(#decls),*> #name<'_, #ix_name Li, #(#numbers),*> {
                #(#functions)*
                #kinds
                #want
                #coordinates
                #[inline]
                fn shift_children(&mut self, from: usize, to: usize, n: usize) {
                    for k in 0..n {
                        let k = if to > from { n - 1 - k } else { k };
                        self.exchange(from + k, to + k);
                    }
                }
                #[inline]
                fn exchange(&mut self, a: usize, b: usize) {
                    if a != b {
                        // Where what is below the entry that comes has got to, from position 0 on.
                        if self.came == a {
                            self.came = b;
                        } else if self.came == b {
                            self.came = a;
                        }
                        self.moves.extend([a, b].map(|q| <Li as __looplets::Index>::from_i64(q as i64)));
                    }
                }
                #[inline]
                fn word(words: &[Li], at: usize) -> usize {
                    __looplets::Index::to_i64(words[at]) as usize
                }
                #[inline]
                fn set(words: &mut [Li], at: usize, value: usize) {
                    words[at] = <Li as __looplets::Index>::from_i64(value as i64);
                }
            }
        }
    }

    /// What references to nodes of several types are.
    fn kinds(&self) -> TokenStream {
        let mut all = TokenStream::new();
        let mut seen: Vec<&Ident> = Vec::new();
        for name in self.defs.iter().filter_map(|d| d.supertype.as_ref()) {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let targets = self.targets(name);
            let several = targets.len();
            for (k, t) in targets.iter().enumerate() {
                let of = &self.defs[*t].name;
                let (get, make) = (format_ident!("{of}_of"), format_ident!("of_{of}"));
                all.extend(quote! {
                    /// The node that a reference is to, if it is of this type.
                    #[inline]
                    pub fn #get(reference: usize) -> ::core::option::Option<usize> {
                        if reference % #several == #k { ::core::option::Option::Some(reference / #several) } else { ::core::option::Option::None }
                    }
                    /// A reference to a node of this type.
                    #[inline]
                    pub fn #make(node: usize) -> usize {
                        node * #several + #k
                    }
                });
            }
        }
        all
    }

    fn functions(&self, k: usize, d: &Def) -> TokenStream {
        let l = self.layout(d);
        let (array, stride) = (&l.array, &l.stride);
        let mut all = TokenStream::new();
        let name = |what: &Ident| format_ident!("{}_{}", d.name, what);
        for f in &d.fields {
            let (get, set) = (name(&f.name), format_ident!("set_{}_{}", d.name, f.name));
            if matches!(f.kind, PartKind::Elem(_)) {
                let first = self.nodes_first(d);
                all.extend(quote! {
                    /// The position of the node's first entry.
                    #[inline]
                    pub fn #get(&self, node: usize) -> usize { #first }
                });
                continue;
            }
            let word = l.word(&f.name);
            let several = matches!(&f.kind, PartKind::Link { count: Count::Sized(_), .. });
            let (param, index) = match several {
                true => (quote!(k: usize,), quote!(#word + k)),
                false => (quote!(), quote!(#word)),
            };
            all.extend(match f.kind {
                PartKind::Size(_) | PartKind::Meta => quote! {
                    #[inline]
                    pub fn #get(&self, node: usize) -> usize { Self::word(self.#array, node * #stride + #index) }
                    #[inline]
                    pub fn #set(&mut self, node: usize, value: usize) { Self::set(self.#array, node * #stride + #index, value) }
                },
                _ => quote! {
                    #[inline]
                    pub fn #get(&self, node: usize, #param) -> ::core::option::Option<usize> {
                        Self::word(self.#array, node * #stride + #index).checked_sub(1)
                    }
                    #[inline]
                    pub fn #set(&mut self, node: usize, #param to: ::core::option::Option<usize>) {
                        Self::set(self.#array, node * #stride + #index, to.map_or(0, |to| to + 1))
                    }
                },
            });
        }
        all.extend(self.coordinates_of(d, &l));
        all.extend(self.making(k, d, &l));
        all
    }

    fn nodes_first(&self, d: &Def) -> TokenStream {
        let l = self.layout(d);
        let (array, stride) = (&l.array, &l.stride);
        match (&l.start, &l.most) {
            (Some(start), _) => quote!(Self::word(self.#array, node * #stride + #start)),
            (None, most) => quote!(1 + node * #most),
        }
    }

    /// How nodes are made and given back.
    fn making(&self, k: usize, d: &Def, l: &layout::Layout) -> TokenStream {
        let types = self.defs.len();
        let (array, stride, free) = (&l.array, &l.stride, self.free(d));
        let (new, give, room) = (
            format_ident!("new_{}", d.name),
            format_ident!("free_{}", d.name),
            format_ident!("resize_{}", d.name),
        );
        let mut all = TokenStream::new();
        if let Some(start) = &l.start {
            let (had, noted) = match (&l.room, &l.most) {
                (Some(room), _) => (
                    quote!(Self::word(self.#array, node * #stride + #room)),
                    quote!(Self::set(self.#array, node * #stride + #room, room);),
                ),
                (None, most) => (
                    quote!(if Self::word(self.#array, node * #stride + #start) == 0 { 0 } else { #most }),
                    quote!(),
                ),
            };
            let count = match l.size(d) {
                Some(size) => quote!(Self::word(self.#array, node * #stride + #size)),
                None => quote!(usize::from(had > 0)),
            };
            let has = format_ident!("room_{}", d.name);
            // Bytes and children move each in their number.
            let moved = match self.coded() {
                true => quote! {
                    let kept = had.min(room);
                    self.crd.copy_within(old..old + kept, new);
                    self.shift(old, new, count.min(room));
                },
                false => quote!(self.shift(old, new, count.min(room));),
            };
            all.extend(quote! {
                /// How many entries the node has room for, or bytes of coded ones.
                #[inline]
                pub fn #has(&self, node: usize) -> usize { #had }
                /// Gives the node room for this many entries, to which those that it has are moved; without any room,
                /// what it had is free.
                ///
                /// # Errors
                /// Less room was wanted before.
                pub fn #room(&mut self, node: usize, room: usize) -> ::core::result::Result<(), ::std::string::String> {
                    let had: usize = #had;
                    let (old, count) = (Self::word(self.#array, node * #stride + #start), #count);
                    let new = __looplets::nodes::allot(self.spare, room)?;
                    #moved
                    __looplets::nodes::release(self.spare, old, had);
                    Self::set(self.#array, node * #stride + #start, new);
                    #noted
                    ::core::result::Result::Ok(())
                }
            });
        }
        if k == 0 {
            return all;
        }
        let want = format_ident!("want_{}", d.name);
        let entries = match (&l.start, &l.room, &l.most) {
            (Some(_), None, most) if d.elem().is_some() => quote!(self.#room(node, #most)?;),
            _ => quote!(),
        };
        let wanted = match (d.elem().is_some(), &l.start, &l.most) {
            (true, None, most) => quote! {
                let nodes = self.#array.len() / #stride + more;
                let positions = 1 + nodes * #most;
                // Links count positions, too.
                let counted = __looplets::nodes::counted::<Li>(positions)?;
                if positions > self.limit {
                    self.again = (1 + (nodes + nodes / 4) * #most).min(counted);
                    return ::core::result::Result::Err(::std::string::String::new());
                }
                // Where there are children for more, there are nodes.
                let more = match self.limit {
                    usize::MAX => more,
                    limit => (limit.min(counted) - 1) / #most - self.#array.len() / #stride,
                };
                let positions = 1 + (self.#array.len() / #stride + more) * #most;
                __looplets::level::grow(self.crd, positions, <Ix as __looplets::Index>::from_i64(0))?;
            },
            _ => quote!(),
        };
        let back = match &l.start {
            Some(_) => quote! {
                // What it had was moved elsewhere, or is free.
                let _ = self.#room(node, 0);
            },
            None => quote!(),
        };
        all.extend(quote! {
            /// Makes room for this many new nodes, before anything is changed.
            ///
            /// # Errors
            /// There is none yet, or no memory: give the error on, with nothing changed.
            pub fn #want(&mut self, count: usize) -> ::core::result::Result<(), ::std::string::String> {
                let more = count.saturating_sub(self.#free.len());
                if more == 0 {
                    return ::core::result::Result::Ok(());
                }
                let least = more;
                #wanted
                __looplets::nodes::add(self.#array, self.#free, (#stride, #types), least..=more)
            }
            /// A node of which nothing is set.
            ///
            /// # Errors
            /// It was not wanted before.
            pub fn #new(&mut self) -> ::core::result::Result<usize, ::std::string::String> {
                let node = self.#free.pop().ok_or("a new node was not wanted before")?;
                let node = __looplets::Index::to_i64(node) as usize;
                #entries
                ::core::result::Result::Ok(node)
            }
            /// Gives back a node that nothing leads to, whose entries are elsewhere or gone.
            pub fn #give(&mut self, node: usize) {
                #back
                self.#array[node * #stride..(node + 1) * #stride].fill(<Li as __looplets::Index>::from_i64(0));
                self.#free.push(<Li as __looplets::Index>::from_i64(node as i64));
            }
        });
        all
    }
}
