//! Entries that come in ascending order: they are appended, and become nodes by the author's `build` once all are there.
//!
//! To insert each would search for its place and balance the nodes around it, to have it thrown over by the next one.

use super::*;
use crate::decl::{Link, Write, CRATE};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::Result;

impl Schema {
    /// The protocol, if the author says how fibers are built. Coordinates are pushed onto `crd` from position 1 on, so
    /// that children are at positions one behind the other; `moves`, which is else empty meanwhile, has where fibers begin.
    pub(super) fn in_order(
        &self,
        write: impl Fn(syn::parse::ParseStream<'_>) -> Result<Write>,
    ) -> Result<Option<Write>> {
        // Coordinates that are coded are no array that one more could be pushed to.
        if self.clause(Change::Build).is_none() || self.coded() {
            return Ok(None);
        }
        let path = Ident::new(CRATE, Span::call_site());
        let all: Vec<Ident> = self.all_arrays().into_iter().map(|(name, _)| name).collect();
        let root = &self.defs[0].name;
        let coordinate = match &self.coordinates {
            Some(ix) => quote!(#ix::from_i64(i as i64)),
            None => quote!(<u32 as #path::Index>::from_i64(i as i64)),
        };
        let written = quote! {
            append(p, i) {
                open: { #path::nodes::begin(moves, p, crd.len()) },
                each { crd: #coordinate },
                reserve(fibers) { Self::__grow(#root, fibers) },
                finish(fibers) { drop(::core::mem::take(moves)); Self::__finish(#(#all,)* fibers) },
            }
        };
        let mut written = write.parse2(written)?;
        let ix = self.ix();
        written.link = Some(Link {
            // Position 0 is no entry's.
            start: quote!(#path::level::grow(crd, 1, <#ix as #path::Index>::from_i64(0))),
            code: (format_ident!("fibers"), quote!(Self::__link(#(#all,)* fibers))),
            moves: format_ident!("moves"),
        });
        Ok(Some(written))
    }

    /// The function that makes nodes of what was appended. It leaves in `moves` which children are to be exchanged so that
    /// each follows its entry.
    pub(super) fn linking(&self, name: &Ident, vecs: &[TokenStream]) -> Option<TokenStream> {
        self.clause(Change::Build)?;
        self.clause(Change::Insert)?;
        if self.coded() {
            return None;
        }
        let names: Vec<Ident> = self.all_arrays().into_iter().map(|(n, _)| n).collect();
        let arrays = self.arrays();
        let free: Vec<Ident> = self.defs[1..].iter().map(|d| self.free(d)).collect();
        let (walk, text) = (self.seated(), name.to_string());
        Some(quote! {
            fn __link(#(#vecs,)* fibers: usize) -> ::core::result::Result<(), ::std::string::String> {
                let starts = ::core::mem::take(moves);
                let all = ::core::mem::take(crd);
                let end = <[_]>::len(&all[..]);
                if end <= 1 {
                    return ::core::result::Result::Ok(());
                }
                // As many positions at the least.
                __looplets::level::room(crd, end)?;
                let mut seats = __looplets::nodes::Seats::new(end - 1);
                let mut coords: ::std::vec::Vec<usize> = ::std::vec::Vec::new();
                for p in 0..fibers {
                    let range = __looplets::nodes::fiber(&starts, p, end);
                    if range.start >= range.end {
                        continue;
                    }
                    let (entries, behind) = (range.end - range.start, range.end);
                    coords.clear();
                    __looplets::level::room(&mut coords, entries)?;
                    for i in &all[range] {
                        coords.push(__looplets::Index::to_i64(*i) as usize);
                    }
                    if __looplets::nodes::ample(Self::__SCHEMA, &[#(&#arrays[..]),*], <[_]>::len(&crd[..]), entries) {
                        Self::__build(#(&mut *#names,)* usize::MAX, p, &coords)?;
                    } else {
                        for i in &coords {
                            __looplets::nodes::room(Self::__SCHEMA, &[#(&#arrays[..]),*], &[#(&#free[..]),*], <[_]>::len(&crd[..]))?;
                            Self::__insert(#(&mut *#names,)* usize::MAX, p, *i)?;
                        }
                    }
                    // Children are not here yet, and it is found out below where each belongs.
                    moves.clear();
                    #walk
                    // As many have been met as were in front of what is behind the fiber.
                    if seats.met() + 1 != behind {
                        return ::core::result::Result::Err(::std::format!(
                            "`{}` was to build {entries} entries of fiber {p} and did not", #text
                        ));
                    }
                }
                seats.follow(<[_]>::len(&crd[..]), moves)
            }
        })
    }

    /// Tells `seats` the positions of the entries of fiber `p`, in order.
    fn seated(&self) -> TokenStream {
        let arrays = self.arrays();
        if let Some(chain) = self.chain() {
            let (root, l) = (self.layout(&self.defs[0]), self.layout(chain.def));
            let (fibers, from, first) = (&root.array, &root.stride, root.word(chain.first));
            let (nodes, stride, next) = (&l.array, &l.stride, l.word(chain.next));
            // The entry of the node behind link `q` is at position `q`.
            return quote! {
                let mut q = Self::__word(#fibers, p * #from + #first);
                while q > 0 {
                    seats.put(q)?;
                    q = Self::__word(#nodes, (q - 1) * #stride + #next);
                }
            };
        }
        let behind = match self.defs.iter().any(Def::holes) {
            true => quote!(Self::__behind(crd, q as i64, at.hi as i64) as usize),
            false => quote!(q + 1),
        };
        let each = |seat: TokenStream| {
            quote! {
                let mut at = Self::__first(#(#arrays,)* crd, p as i64);
                while at.lo < at.hi {
                    let mut q = at.lo;
                    while q < at.hi {
                        #seat
                        q = #behind;
                    }
                    Self::__advance(#(#arrays,)* crd, &mut at);
                }
            }
        };
        if self.ordered() {
            return each(quote!(seats.put(q)?;));
        }
        let collect = each(quote!(__looplets::level::push(&mut unordered, q);));
        quote! {
            let mut unordered: ::std::vec::Vec<usize> = ::std::vec::Vec::new();
            __looplets::level::room(&mut unordered, entries)?;
            #collect
            unordered.sort_unstable_by_key(|q| __looplets::Index::to_i64(crd[*q]));
            for q in unordered {
                seats.put(q)?;
            }
        }
    }
}
