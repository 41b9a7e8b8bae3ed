//! How entries are looked for: seeking goes up the stack of a walk as long as what a frame goes on with is before the
//! coordinate sought, then down, a finger search; looking an entry up goes down from the root. Entries in no order are
//! looked through.

use super::walk::{Place, Point};
use super::*;
use proc_macro2::TokenStream;
use quote::quote;

impl Schema {
    /// How a fiber is searched whose entries are in no order: all of it.
    pub(super) fn look_through(&self) -> TokenStream {
        let (ix, li) = (self.ix(), self.li());
        let arrays = self.arrays();
        let given = quote!(#(#arrays,)* crd);
        let root = &self.defs[0].name;
        let stride = self.layout(&self.defs[0]).stride;
        quote! {
            /// The position of the entry of fiber `p` at coordinate `i`, or -1.
            fn __position(#(#arrays: &[#li],)* crd: &[#ix], p: i64, i: i64) -> i64 {
                if (p as usize + 1) * #stride > <[_]>::len(#root) {
                    return -1;
                }
                let mut at = Self::__first(#given, p);
                while at.lo < at.hi {
                    for q in at.lo..at.hi {
                        if __looplets::Index::to_i64(crd[q]) == i {
                            return q as i64;
                        }
                    }
                    Self::__advance(#given, &mut at);
                }
                -1
            }
        }
    }

    /// The functions by which a fiber is searched whose entries are in order.
    pub(super) fn searches(&self, points: &[Point<'_>], orders: &[Vec<Item>]) -> TokenStream {
        let (ix, li) = (self.ix(), self.li());
        let arrays = self.arrays();
        let params = quote!(#(#arrays: &[#li],)* crd: &[#ix]);
        let given = quote!(#(#arrays,)* crd);
        let path = self.path();
        let (seek_in_block, known, found) =
            (self.seek_in_block(), self.known_of_entry(), self.found());
        // A key is where the entry is, or its coordinate where that is coded.
        let key_before = match self.coded() {
            true => quote!((q as i64) < i),
            false => quote!(__looplets::Index::to_i64(crd[q]) < i),
        };
        let root = &self.defs[0].name;
        let stride = self.layout(&self.defs[0]).stride;
        let seeks = points.iter().map(|p| self.step(points, p, true));
        let keys = points.iter().filter_map(|p| self.key(p));
        let (last, chain) = (self.last(orders), self.along_chain());
        let behind = self.behind();
        let at_end = self.at_end();
        quote! {
            /// Goes on to the first entry at or after coordinate `i`.
            fn __seek(#params, at: &mut #path, q: i64, #known i: i64) {
                #seek_in_block
                Self::__climb(#given, at, i);
                Self::__descend(#given, at, i);
            }
            /// Leaves the nodes of which all that is left is before coordinate `i`, as far as entries tell.
            fn __climb(#params, at: &mut #path, i: i64) {
                let mut keep = ::core::option::Option::None;
                for k in (0..at.stack.len()).rev() {
                    let f = at.stack[k];
                    let (node, slot) = (f.node, f.slot as usize);
                    let key: ::core::option::Option<usize> = match f.point {
                        #(#keys)*
                        _ => ::core::option::Option::None,
                    };
                    match key {
                        ::core::option::Option::Some(q) if #key_before => {
                            keep = ::core::option::Option::Some(k);
                        }
                        ::core::option::Option::Some(_) => break,
                        ::core::option::Option::None => {}
                    }
                }
                if let ::core::option::Option::Some(k) = keep {
                    at.frame = at.stack[k];
                    at.stack.truncate(k);
                }
            }
            /// Goes on from the frame at hand, passing by what is before coordinate `i`.
            fn __descend(#params, at: &mut #path, i: i64) {
                let (mut node, mut point, mut slot) = (at.frame.node, at.frame.point, at.frame.slot as usize);
                loop {
                    match point {
                        #(#seeks)*
                        _ => match at.stack.pop() {
                            ::core::option::Option::Some(f) => (node, point, slot) = (f.node, f.point, f.slot as usize),
                            ::core::option::Option::None => return at.end(),
                        },
                    }
                }
            }
            #behind
            /// The position of the entry of fiber `p` at coordinate `i`, or -1.
            fn __position(#params, p: i64, i: i64) -> i64 {
                if (p as usize + 1) * #stride > <[_]>::len(#root) {
                    return -1;
                }
                #at_end
                let mut at = Self::__start(p);
                Self::__descend(#given, &mut at, i);
                match at.lo < at.hi && #found {
                    true => at.lo as i64,
                    false => -1,
                }
            }
            #last
            #chain
        }
    }

    /// What is behind the last entry is not there: where the root leads to the last node, that costs no search.
    fn at_end(&self) -> Option<TokenStream> {
        let root = &self.defs[0];
        let (field, to) = root.fields.iter().find_map(|f| match &f.kind {
            PartKind::Last(to) => Some((&f.name, to)),
            _ => None,
        })?;
        let [target] = self.targets(to)[..] else { return None };
        let (d, l) = (&self.defs[target], self.layout(root));
        d.elem()?;
        let (array, stride, word) = (&l.array, &l.stride, l.word(field));
        let (last, count) = (self.last_of(d, &quote!(node)), self.count_of(d, &quote!(node)));
        Some(quote! {
            if let ::core::option::Option::Some(node) = Self::__word(#array, p as usize * #stride + #word).checked_sub(1) {
                let count = #count;
                if count > 0 && #last < i {
                    return -1;
                }
            }
        })
    }

    /// The position of the first entry of what a frame goes on with, if that is known.
    fn key(&self, p: &Point<'_>) -> Option<TokenStream> {
        let d = &self.defs[p.def];
        let (node, number) = (quote!(node), p.number);
        match p.place {
            Place::Entries => {
                let (first, count) = (self.first_of(d, &node), self.count_of(d, &node));
                let key = match self.coded() {
                    true => {
                        let last = self.last_of(d, &node);
                        quote!(#last as usize)
                    }
                    false => quote!(#first + count - 1),
                };
                // The whole block is left only if its last entry is before what is sought.
                Some(
                    quote!(#number => { let count = #count; if count > 0 { ::core::option::Option::Some(#key) } else { ::core::option::Option::None } }),
                )
            }
            Place::Entry => {
                let first = self.first_of(d, &node);
                Some(quote!(#number => ::core::option::Option::Some(#first + slot),))
            }
            _ => None,
        }
    }
}
