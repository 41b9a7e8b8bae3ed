//! Coded entries: what differs where coordinates are bytes, differences of variable length (DynamicSparse figure 6f).
//!
//! The coordinates of a node are at bytes `first..first + room`, its children at positions `first..first + n`: `n`
//! coordinates take `n` bytes at least. A loop over a block has the coordinate, and the byte of the next number, in variables
//! of its own (`nodes::coded` of the run-time library).

use super::*;
use crate::decl::CRATE;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, Result};

/// Refuses what has no meaning where entries are coded. The one type that such a schema names is that of links.
pub fn check(s: &mut Schema) -> Result<()> {
    let parts = || s.defs.iter().flat_map(|d| d.fields.iter().map(move |f| (d, f)));
    let Some(at) = parts().find_map(|(_, f)| f.coded) else { return Ok(()) };
    // The variables of the walk.
    let taken = |d: &&Def| ["b", "c", "most"].iter().any(|name| d.name == name);
    if let Some(d) = s.defs.iter().find(taken) {
        let message = format!(
            "`{}` means something in the code made of a schema: choose another name",
            d.name
        );
        return Err(Error::new(d.name.span(), message));
    }
    let entries = |f: &Part| matches!(f.kind, PartKind::Elem(_));
    if let Some(at) = parts().filter(|(_, f)| !entries(f)).find_map(|(_, f)| f.coded) {
        return Err(Error::new(at, "only entries are coded: `elem coded`"));
    }
    if !s.ordered() {
        return Err(Error::new(
            at,
            "coded coordinates ascend: say in which order entries and links are met, `seq = ..`",
        ));
    }
    for (d, f) in parts().filter(|(_, f)| entries(f)) {
        if f.coded.is_none() {
            let message = format!(
                "all entries of a schema are coded or none are: `{}` of `{}` is not",
                f.name, d.name
            );
            return Err(Error::new(at, message));
        }
        if let (Some(_), Some(at)) = (f.coded, f.holes) {
            return Err(Error::new(at, "coded entries have no holes"));
        }
    }
    for item in s.defs.iter().flat_map(|d| d.seq.iter().flatten()) {
        if let Item::Mixed(_, c) = item {
            return Err(Error::new(c.span(), "entries between which links stand are not coded"));
        }
    }
    match (s.coordinates.take(), s.links.take()) {
        (Some(_), Some(second)) => Err(Error::new(
            second.span(),
            "coded coordinates are bytes: the one type that is named is that of links, `nodes<Link>`",
        )),
        (links, _) => {
            s.links = links;
            Ok(())
        }
    }
}

impl Schema {
    /// The type of cursors.
    pub(super) fn path(&self) -> TokenStream {
        match self.coded() {
            true => quote!(__looplets::nodes::CodedPath),
            false => quote!(__looplets::nodes::Path),
        }
    }

    /// The coordinate of the first entry of a node that has one.
    pub(super) fn first_coordinate(&self, d: &Def, node: &TokenStream) -> TokenStream {
        let first = self.first_of(d, node);
        match self.coded() {
            true => quote!(__looplets::nodes::coded::first(crd, #first)),
            false => quote!(__looplets::Index::to_i64(crd[#first])),
        }
    }

    /// The coordinate of the last entry of a node that has one; `count` is how many.
    pub(super) fn last_of(&self, d: &Def, node: &TokenStream) -> TokenStream {
        let first = self.first_of(d, node);
        match self.coded() {
            true => quote!(__looplets::nodes::coded::last(crd, #first, count)),
            false => quote!(__looplets::Index::to_i64(crd[#first + count - 1])),
        }
    }

    /// Stands at the entries of a node, if there are any that are not before what is sought.
    pub(super) fn coded_entries(
        &self,
        d: &Def,
        next: u32,
        done: &TokenStream,
        seek: bool,
    ) -> TokenStream {
        let node = quote!(node);
        let (first, count, last) =
            (self.first_of(d, &node), self.count_of(d, &node), self.last_of(d, &node));
        let sought = seek.then(|| quote!(&& #last >= i));
        let reach = seek.then(|| quote!(at.reach(crd, i);));
        quote! {
            let (lo, count) = (#first, #count);
            if count > 0 #sought {
                at.begin(crd, lo, lo + count, node, if #done { 0 } else { #next });
                #reach
                return;
            }
            point = #next;
        }
    }

    /// Whether a cursor that has looked for coordinate `i` has found it.
    pub(super) fn found(&self) -> TokenStream {
        match self.coded() {
            true => quote!(at.coordinate() == i),
            false => quote!(__looplets::Index::to_i64(crd[at.lo]) == i),
        }
    }

    /// What a search in the block at hand knows of it besides the position `q`: its coordinate, and the byte of the next number.
    pub(super) fn known_of_entry(&self) -> Option<TokenStream> {
        self.coded().then(|| quote!(c: i64, b: i64,))
    }

    /// The search for the first entry at or after coordinate `i`, if it is in the block at hand.
    pub(super) fn seek_in_block(&self) -> TokenStream {
        match self.coded() {
            true => quote! {
                if q < at.hi() && at.end_of_block() >= i {
                    at.stay(q, c, b);
                    at.reach(crd, i);
                    return;
                }
            },
            false => quote! {
                if q < at.hi() && __looplets::Index::to_i64(crd[at.hi - 1]) >= i {
                    at.lo = __looplets::search::lower_bound(crd, q, at.hi(), i) as usize;
                    return;
                }
            },
        }
    }

    /// How a loop over a block goes on.
    pub(super) fn behind(&self) -> TokenStream {
        let ix = self.ix();
        match self.coded() {
            true => quote! {
                /// The coordinate of the entry behind that at `q`, of coordinate `c`, in a block that ends at `hi` with coordinate
                /// `last`; `b` is the byte of the next number.
                #[inline(always)]
                fn __behind(crd: &[u8], q: i64, hi: i64, c: i64, b: i64, last: i64) -> i64 {
                    __looplets::nodes::coded::behind(crd, q, hi, c, b, last)
                }
                /// The byte of the number behind that at byte `b`.
                #[inline(always)]
                fn __past(crd: &[u8], b: i64) -> i64 {
                    __looplets::nodes::coded::past(crd, b)
                }
            },
            false => quote! {
                /// The position of the entry behind that at `q` in a block that ends at `hi`, past holes; `hi` if there is none.
                #[inline(always)]
                fn __behind(crd: &[#ix], q: i64, hi: i64) -> i64 {
                    let (mut at, hi) = (q as usize + 1, hi as usize);
                    while at < hi && crd[at] == crd[q as usize] {
                        at += 1;
                    }
                    at as i64
                }
            },
        }
    }

    /// The walk over blocks: what is read of the bytes is in variables, which a loop over a block has in registers.
    pub(super) fn coded_walk(&self, given: &TokenStream) -> TokenStream {
        let path = Ident::new(CRATE, Span::call_site());
        let block = quote!(q = at.lo(); hi = at.hi(); c = at.coordinate(); b = at.byte(); most = at.end_of_block(););
        quote! {
            let mut at: #path::nodes::CodedPath = Self::__start(p);
            Self::__arrive(#given, at, p);
            let mut q = at.lo();
            let mut hi = at.hi();
            let mut c = at.coordinate();
            let mut b = at.byte();
            let mut most = at.end_of_block();
            pipeline {
                ..end => stepper {
                    while q < hi,
                    seek(i): { Self::__seek(#given, at, q, c, b, i); #block },
                    stop: c + 1,
                    body: spike(fill, child[q]),
                    next: {
                        c = Self::__behind(crd, q, hi, c, b, most);
                        b = Self::__past(crd, b);
                        q += 1;
                        if q >= hi { Self::__advance(#given, at); #block }
                    },
                },
                .. => run(fill),
            }
        }
    }

    /// The functions of an author for the coordinates of any node.
    pub(super) fn coordinates_of_nodes(&self) -> TokenStream {
        if !self.coded() {
            return quote! {
                /// The coordinate of the entry at position `q`.
                #[inline]
                pub fn at(&self, q: usize) -> usize {
                    __looplets::Index::to_i64(self.crd[q]) as usize
                }
                /// The entry that comes is that at position `q`, with coordinate `i`.
                #[inline]
                pub fn put(&mut self, q: usize, i: usize) {
                    self.crd[q] = <Ix as __looplets::Index>::from_i64(i as i64);
                    self.exchange(0, q);
                }
                /// Makes an entry at position `q`, whose child is not there yet.
                #[inline]
                pub fn place(&mut self, q: usize, i: usize) {
                    self.crd[q] = <Ix as __looplets::Index>::from_i64(i as i64);
                }
                /// The entry that goes is that at position `q`.
                #[inline]
                pub fn take(&mut self, q: usize) {
                    self.exchange(q, 0);
                }
                /// Moves `n` entries from position `from` on to position `to` on, which they may overlap.
                #[inline]
                pub fn shift(&mut self, from: usize, to: usize, n: usize) {
                    self.crd.copy_within(from..from + n, to);
                    self.shift_children(from, to, n);
                }
            };
        }
        quote! {
            /// How many bytes these coordinates take, which ascend.
            #[inline]
            pub fn bytes(all: &[usize]) -> usize {
                __looplets::nodes::coded::size(all)
            }
            /// The child that comes is that at position `q`.
            #[inline]
            pub fn put(&mut self, q: usize) {
                self.exchange(0, q);
            }
            /// The child that goes is that at position `q`.
            #[inline]
            pub fn take(&mut self, q: usize) {
                self.exchange(q, 0);
            }
            /// Moves `n` children from position `from` on to position `to` on, which they may overlap: no coordinates.
            #[inline]
            pub fn shift(&mut self, from: usize, to: usize, n: usize) {
                self.shift_children(from, to, n);
            }
        }
    }

    /// The functions of an author for the coordinates of the nodes of a type.
    pub(super) fn coordinates_of(&self, d: &Def, l: &layout::Layout) -> Option<TokenStream> {
        let (Some(start), Some(room), true) = (&l.start, &l.room, self.coded()) else {
            return None;
        };
        let (array, stride) = (&l.array, &l.stride);
        let [first, last, read, write] =
            ["first", "last", "read", "write"].map(|what| format_ident!("{what}_{}", d.name));
        let word = |at: &TokenStream| quote!(Self::word(self.#array, node * #stride + #at));
        let (start, room) = (word(start), word(room));
        let count = l.size(d).map_or(quote!(1usize), word);
        let sized = l.size(d).map_or_else(
            || quote! {
                if all.len() != 1 {
                    return ::core::result::Result::Err(::std::format!("a node of one entry does not have {}", all.len()));
                }
            },
            |size| quote!(Self::set(self.#array, node * #stride + #size, all.len());),
        );
        Some(quote! {
            /// The coordinate of the node's first entry; it has one.
            #[inline]
            pub fn #first(&self, node: usize) -> usize {
                __looplets::nodes::coded::first(self.crd, #start) as usize
            }
            /// The coordinate of the node's last entry; it has one.
            #[inline]
            pub fn #last(&self, node: usize) -> usize {
                __looplets::nodes::coded::last(self.crd, #start, #count) as usize
            }
            /// Puts the coordinates of the node's entries behind those in `into`.
            pub fn #read(&self, node: usize, into: &mut ::std::vec::Vec<usize>) {
                __looplets::nodes::coded::read(self.crd, #start, #count, into)
            }
            /// Makes these, which ascend, the coordinates of the node, and their number that of its entries. Children stay where
            /// they are.
            ///
            /// # Errors
            /// The node has less room than they take; nothing has changed then.
            pub fn #write(&mut self, node: usize, all: &[usize]) -> ::core::result::Result<(), ::std::string::String> {
                let (start, room): (usize, usize) = (#start, #room);
                __looplets::nodes::coded::write(&mut self.crd[start..start + room], all)?;
                #sized
                ::core::result::Result::Ok(())
            }
        })
    }
}
