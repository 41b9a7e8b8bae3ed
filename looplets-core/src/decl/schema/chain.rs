//! Nodes that one link each leads through: lists, and trees with threads, which are walked without a stack. And where
//! a fiber ends.

use super::*;
use proc_macro2::TokenStream;
use quote::quote;

/// Nodes that a walk goes through by one link each, without a stack: a list, or a tree with threads.
pub struct Chain<'a> {
    /// Their type.
    pub def: &'a Def,
    /// The field of the root with the first.
    pub first: &'a Ident,
    /// The field with the next.
    pub next: &'a Ident,
    /// Whether there is no other way to them.
    pub list: bool,
}

impl Chain<'_> {
    /// The walk, whose state is the link.
    pub(super) fn walk(&self, s: &Schema, given: &TokenStream) -> TokenStream {
        let (root, l) = (s.layout(&s.defs[0]), s.layout(self.def));
        let (fibers, from, first) = (&root.array, &root.stride, root.word(self.first));
        let (nodes, stride, next) = (&l.array, &l.stride, l.word(self.next));
        // The entry of the node behind link `q` is at position `q`.
        quote! {
            let mut q = #fibers[p * #from + #first];
            pipeline {
                ..end => stepper {
                    while q > 0,
                    seek(i): q = Self::__onward(#given, p, q, i),
                    stop: crd[q] + 1,
                    body: spike(fill, child[q]),
                    next: q = #nodes[(q - 1) * #stride + #next],
                },
                .. => run(fill),
            }
        }
    }
}

impl Schema {
    /// The chain of its nodes, if they are one.
    pub fn chain(&self) -> Option<Chain<'_>> {
        if !self.ordered() {
            return None;
        }
        let root = &self.defs[0];
        let mut with = self.defs.iter().filter(|d| d.elem().is_some());
        let (def, None) = (with.next()?, with.next()) else { return None };
        if def.name == root.name || self.pooled() || def.sized() {
            return None;
        }
        let threads = |d: &'_ Def| {
            let next = d.fields.iter().find(|f| matches!(f.kind, PartKind::Next(_)));
            next.map(|f| f.name.clone())
        };
        let first =
            root.fields.iter().find(|f| matches!(&f.kind, PartKind::First(to) if *to == def.name));
        if let (Some(first), Some(next)) = (first, threads(def)) {
            let next = &def.part(&next)?.name;
            return Some(Chain { def, first: &first.name, next, list: false });
        }
        // A list: entries, then the rest.
        let [Item::Part(e), Item::Part(next)] = def.seq.as_deref()? else { return None };
        let link = |d: &Def, name: &Ident| matches!(&d.part(name).map(|f| &f.kind), Some(PartKind::Link { to, count: Count::One }) if *to == def.name);
        let links = root.fields.iter().filter(|f| matches!(f.kind, PartKind::Link { .. }));
        let [head] = links.collect::<Vec<_>>()[..] else { return None };
        let is = def.elem()?.0 == e && link(def, next) && link(root, &head.name);
        (is && self.defs.len() == 2).then_some(Chain { def, first: &head.name, next, list: true })
    }
}

impl Schema {
    /// How a walk along a chain goes on at coordinate `i`: a few nodes on, or from the root.
    pub(super) fn along_chain(&self) -> TokenStream {
        let Some(chain) = self.chain() else { return TokenStream::new() };
        let (ix, li) = (self.ix(), self.li());
        let arrays = self.arrays();
        let l = self.layout(chain.def);
        let (array, stride, next) = (&l.array, &l.stride, l.word(chain.next));
        // The entry of the node behind link `q` is at position `q`.
        let before = quote!(q != 0 && __looplets::Index::to_i64(crd[q]) < i);
        let on = quote!(q = Self::__word(#array, (q - 1) * #stride + #next););
        let rest = match chain.list {
            true => quote! {
                while #before {
                    #on
                }
                q as i64
            },
            false => quote! {
                for _ in 0..4 {
                    if !(#before) {
                        return q as i64;
                    }
                    #on
                }
                let mut at = Self::__start(p);
                Self::__descend(#(#arrays,)* crd, &mut at, i);
                at.lo()
            },
        };
        quote! {
            /// The position of the first entry at or after coordinate `i`, from position `q` on; 0 if there is none.
            fn __onward(#(#arrays: &[#li],)* crd: &[#ix], p: i64, q: i64, i: i64) -> i64 {
                let mut q = q as usize;
                #rest
            }
        }
    }

    /// One past the last coordinate of a fiber.
    pub(super) fn last(&self, orders: &[Vec<Item>]) -> TokenStream {
        let (ix, li) = (self.ix(), self.li());
        let arrays = self.arrays();
        let kinds = self.defs.len();
        let arms = self.defs.iter().zip(orders).enumerate().map(|(k, (d, order))| {
            let l = self.layout(d);
            let (array, stride, node) = (&l.array, &l.stride, quote!(node));
            let go = |to: &Ident, link: TokenStream| {
                let targets = self.targets(to);
                let several = targets.len();
                let which = targets.iter().enumerate().map(|(n, t)| quote!(#n => #t,));
                quote! {
                    let link = #link;
                    if link != 0 {
                        node = (link - 1) / #several;
                        kind = match (link - 1) % #several { #(#which)* _ => #kinds };
                        continue;
                    }
                }
            };
            let entries = d.elem().map(|_| {
                let (last, count) = (self.last_of(d, &node), self.count_of(d, &node));
                quote! {
                    let count = #count;
                    if count > 0 {
                        return #last + 1;
                    }
                }
            });
            let ends = d.fields.iter().filter_map(|f| match &f.kind {
                PartKind::Last(to) => {
                    let word = l.word(&f.name);
                    Some(go(to, quote!(Self::__word(#array, node * #stride + #word))))
                }
                _ => None,
            });
            let parts = order.iter().rev().map(|item| match item {
                Item::Part(name) => match &d.part(name).expect("checked").kind {
                    PartKind::Link { to, .. } => {
                        let word = l.word(name);
                        go(to, quote!(Self::__word(#array, node * #stride + #word)))
                    }
                    _ => quote!(#entries),
                },
                Item::Mixed(_, c) => {
                    let PartKind::Link { to, .. } = &d.part(c).expect("checked").kind else {
                        unreachable!("checked")
                    };
                    let (word, count) = (l.word(c), self.count_of(d, &node));
                    let go =
                        go(to, quote!(Self::__word(#array, node * #stride + #word + count - 1)));
                    quote! {
                        let count = #count;
                        if count > 0 { #go }
                        #entries
                    }
                }
            });
            quote!(#k => { #(#ends)* #(#parts)* })
        });
        let end = match self.coded() {
            true => quote!(at.end_of_block()),
            false => quote!(__looplets::Index::to_i64(crd[at.hi - 1])),
        };
        quote! {
            fn __last(#(#arrays: &[#li],)* crd: &[#ix], p: i64) -> i64 {
                let (mut node, mut kind) = (p as usize, 0usize);
                loop {
                    match kind {
                        #(#arms)*
                        _ => {}
                    }
                    break;
                }
                if kind == 0 {
                    return 0;
                }
                // A node at the end has no entry: what is before it is met from the start.
                let mut at = Self::__first(#(#arrays,)* crd, p);
                let mut end = 0;
                while at.lo < at.hi {
                    end = #end + 1;
                    Self::__advance(#(#arrays,)* crd, &mut at);
                }
                end
            }
        }
    }
}
