//! The cursor over the nodes of a fiber: an explicit stack, since a tree may be as deep as it has nodes (DynamicSparse
//! section 4.2.2: what is left of a node is a tail call, and nodes are inlined into one loop).
//!
//! A *point* is a place in the order of a type of node; 0 is the end of any. What is left to be met once a node is left
//! is a frame on the stack.

use super::*;
use proc_macro2::TokenStream;
use quote::quote;

/// Where a point is.
pub(super) struct Point<'a> {
    pub(super) number: u32,
    pub(super) def: usize,
    pub(super) place: Place<'a>,
    /// The point behind it; 0 for the end of the node.
    pub(super) next: u32,
}

/// What stands at a point.
pub(super) enum Place<'a> {
    Entries,
    Link(&'a Ident, &'a Ident),
    /// The entry at the slot of a frame, before the link beside it.
    Entry,
    /// The link beside the entry at the slot of a frame.
    Beside(&'a Ident, &'a Ident),
}

impl Schema {
    /// What the nodes of a type lead to, in order: a type without `seq` has one field that leads anywhere.
    pub(super) fn order(d: &Def) -> Vec<Item> {
        if let Some(seq) = &d.seq {
            return seq.clone();
        }
        let met = |f: &&Part| matches!(f.kind, PartKind::Elem(_) | PartKind::Link { .. });
        d.fields.iter().filter(met).map(|f| Item::Part(f.name.clone())).collect()
    }

    fn points<'a>(&'a self, orders: &'a [Vec<Item>]) -> Vec<Point<'a>> {
        let mut all: Vec<Point<'a>> = Vec::new();
        for (def, order) in orders.iter().enumerate() {
            let d = &self.defs[def];
            let first = all.len();
            for item in order {
                let mut push = |place| {
                    let number = all.len() as u32 + 1;
                    all.push(Point { number, def, place, next: number + 1 });
                };
                match item {
                    Item::Part(name) => match &d.part(name).expect("checked").kind {
                        PartKind::Link { to, .. } => push(Place::Link(name, to)),
                        _ => push(Place::Entries),
                    },
                    Item::Mixed(_, c) => {
                        let PartKind::Link { to, .. } = &d.part(c).expect("checked").kind else {
                            unreachable!("checked")
                        };
                        push(Place::Entry);
                        push(Place::Beside(c, to));
                    }
                }
            }
            if let Some(last) = all[first..].last_mut() {
                last.next = 0;
            }
        }
        all
    }

    /// The functions of the level's own type that its reads call.
    pub fn walks(&self) -> TokenStream {
        let orders: Vec<Vec<Item>> = self.defs.iter().map(Schema::order).collect();
        let points = self.points(&orders);
        let (ix, li) = (self.ix(), self.li());
        let arrays = self.arrays();
        let params = quote!(#(#arrays: &[#li],)* crd: &[#ix]);
        let given = quote!(#(#arrays,)* crd);
        let start = self.start(&points, 0);
        let path = self.path();
        let steps = points.iter().map(|p| self.step(&points, p, false));
        let searches = match self.ordered() {
            true => self.searches(&points, &orders),
            false => self.look_through(),
        };
        let vacant = self.vacant(&points);
        quote! {
            #[inline(always)]
            fn __word(words: &[#li], at: usize) -> usize {
                __looplets::Index::to_i64(words[at]) as usize
            }
            /// Before fiber `p`.
            #[inline(always)]
            fn __start(p: i64) -> #path {
                #path::new(p as usize, #start)
            }
            /// At what is met first in fiber `p`.
            #[inline(always)]
            fn __first(#params, p: i64) -> #path {
                let mut at = Self::__start(p);
                Self::__arrive(#given, &mut at, p);
                at
            }
            /// Goes to what is met first, from before fiber `p`.
            #[inline(always)]
            fn __arrive(#params, at: &mut #path, p: i64) {
                // Rows of graphs are often empty, which is not worth a call.
                match #vacant {
                    true => at.end(),
                    false => Self::__onto(#given, at),
                }
            }
            /// Goes on to the next block of entries.
            #[inline(always)]
            fn __advance(#params, at: &mut #path) {
                match at.last() {
                    true => at.end(),
                    false => Self::__onto(#given, at),
                }
            }
            /// Goes on to the next block of entries, of which there may be some.
            #[inline]
            fn __onto(#params, at: &mut #path) {
                let (mut node, mut point, mut slot) = (at.frame.node, at.frame.point, at.frame.slot as usize);
                loop {
                    match point {
                        #(#steps)*
                        _ => match at.stack.pop() {
                            ::core::option::Option::Some(f) => (node, point, slot) = (f.node, f.point, f.slot as usize),
                            ::core::option::Option::None => return at.end(),
                        },
                    }
                }
            }
            #searches
        }
    }

    /// The first point of a type of node.
    pub(super) fn start(&self, points: &[Point<'_>], def: usize) -> u32 {
        points.iter().find(|p| p.def == def).map_or(0, |p| p.number)
    }

    /// Goes to the node that `link` leads to. Of a node without links the entries are met here and now: to go on by its
    /// point would be an indirect jump, which processors predict badly.
    fn enter(&self, points: &[Point<'_>], to: &Ident, seek: bool) -> TokenStream {
        let targets = self.targets(to);
        let goes = targets.iter().map(|def| {
            let mut own = points.iter().filter(|q| q.def == *def);
            match (own.next(), own.next()) {
                (Some(q), None) if matches!(q.place, Place::Entries) => {
                    let entries = self.step_entries(points, q, seek);
                    quote!({ #entries })
                }
                (first, _) => {
                    let start = first.map_or(0, |q| q.number);
                    quote!((point, slot) = (#start, 0))
                }
            }
        });
        let goes: Vec<TokenStream> = goes.collect();
        if let [only] = &goes[..] {
            return quote! {
                node = link - 1;
                #only
            };
        }
        let kinds = targets.len();
        let (last, others) = goes.split_last().expect("there are several");
        let which = others.iter().enumerate().map(|(k, go)| quote!(#k => #go,));
        quote! {
            node = (link - 1) / #kinds;
            match (link - 1) % #kinds { #(#which)* _ => #last }
        }
    }

    /// Stands at the entries of a node, if there are any that are not before what is sought.
    fn step_entries(&self, points: &[Point<'_>], p: &Point<'_>, seek: bool) -> TokenStream {
        let d = &self.defs[p.def];
        let (node, next) = (quote!(node), p.next);
        let (first, count) = (self.first_of(d, &node), self.count_of(d, &node));
        let done = self.done(points, p, &node);
        if self.coded() {
            return self.coded_entries(d, next, &done, seek);
        }
        let passed = seek.then(|| match d.sized() {
            false => quote! {
                let lo = lo + usize::from(__looplets::Index::to_i64(crd[lo]) < i);
            },
            true => quote! {
                let lo = __looplets::search::lower_bound(crd, lo as i64, hi as i64, i) as usize;
            },
        });
        quote! {
            let lo = #first;
            let hi = lo + #count;
            #passed
            if lo < hi {
                let next = if #done { 0 } else { #next };
                return at.stand(lo, hi, node, next, 0);
            }
            point = #next;
        }
    }

    /// Whether fiber `p` is empty, as far as its root tells.
    fn vacant(&self, points: &[Point<'_>]) -> TokenStream {
        let Some(first) = points.iter().find(|q| q.def == 0) else { return quote!(false) };
        let own = match first.place {
            Place::Link(name, _) => self.leads_nowhere(0, name, &quote!(p as usize)),
            _ => quote!(false),
        };
        let rest = self.done(points, first, &quote!(p as usize));
        quote!(#own && #rest)
    }

    /// Whether the link `name` of a node leads nowhere.
    fn leads_nowhere(&self, def: usize, name: &Ident, node: &TokenStream) -> TokenStream {
        let l = self.layout(&self.defs[def]);
        let (array, stride, word) = (&l.array, &l.stride, l.word(name));
        quote!(Self::__word(#array, (#node) * #stride + #word) == 0)
    }

    /// Whether all that is left of a node behind a point are links that lead nowhere: then nothing is left for later.
    /// Blocks of entries are not looked into.
    fn done(&self, points: &[Point<'_>], p: &Point<'_>, node: &TokenStream) -> TokenStream {
        let behind = points.iter().filter(|q| q.def == p.def && q.number > p.number);
        let links = behind.map(|q| match q.place {
            Place::Link(name, _) => Some(self.leads_nowhere(q.def, name, node)),
            _ => None,
        });
        match links.collect::<Option<Vec<_>>>() {
            Some(links) => quote!((true #(&& #links)*)),
            None => quote!(false),
        }
    }

    /// What is done at a point; if `seek`, of what is not before `i`.
    pub(super) fn step(&self, points: &[Point<'_>], p: &Point<'_>, seek: bool) -> TokenStream {
        let d = &self.defs[p.def];
        let l = self.layout(d);
        let (array, stride, number, next) = (&l.array, &l.stride, p.number, p.next);
        let node = quote!(node);
        let (first, count) = (
            d.elem().map(|_| self.first_of(d, &node)).unwrap_or_default(),
            self.count_of(d, &node),
        );
        let done = self.done(points, p, &node);
        let code = match &p.place {
            Place::Entries => self.step_entries(points, p, seek),
            Place::Link(name, to) => {
                let word = l.word(name);
                let push = (p.next != 0).then(|| quote!(if !(#done) { at.push(node, #next, 0); }));
                let enter = self.enter(points, to, seek);
                // What comes before an entry that is itself before `i` is passed by.
                let behind = points.iter().find(|q| {
                    q.def == p.def
                        && q.number > p.number
                        && matches!(q.place, Place::Entries | Place::Entry)
                });
                let passed = behind.filter(|_| seek).map(|q| {
                    let (number, next) = (q.number, q.next);
                    let (last, past) = match q.place {
                        Place::Entries => (self.last_of(d, &node), quote!(point = #next)),
                        _ => {
                            (self.first_coordinate(d, &node), quote!((point, slot) = (#number, 0)))
                        }
                    };
                    quote! {
                        let count = #count;
                        if count > 0 && #last < i {
                            #past;
                            continue;
                        }
                    }
                });
                quote! {
                    #passed
                    let link = Self::__word(#array, node * #stride + #word);
                    if link == 0 {
                        point = #next;
                        continue;
                    }
                    #push
                    #enter
                }
            }
            Place::Entry => {
                let beside = p.number + 1;
                let after = points.iter().find(|q| q.number == beside).map_or(0, |q| q.next);
                let most = l.most.clone().unwrap_or(quote!(usize::MAX));
                let passed = seek.then(|| quote! {
                    let past = __looplets::search::lower_bound(crd, (first + slot) as i64, (first + count) as i64, i) as usize - first;
                    if past > slot {
                        (point, slot) = (#beside, past - 1);
                        continue;
                    }
                });
                quote! {
                    const { assert!(#most <= u32::MAX as usize, "a node has more entries than can be counted") };
                    let (first, count) = (#first, #count);
                    if slot >= count {
                        (point, slot) = (#after, 0);
                        continue;
                    }
                    #passed
                    return at.stand(first + slot, first + slot + 1, node, #beside, slot);
                }
            }
            Place::Beside(name, to) => {
                let (word, entry) = (l.word(name), p.number - 1);
                let enter = self.enter(points, to, seek);
                let passed = seek.then(|| quote! {
                    let first = #first;
                    let past = __looplets::search::lower_bound(crd, (first + slot + 1) as i64, (first + count) as i64, i) as usize - first;
                    slot = past - 1;
                });
                quote! {
                    let count = #count;
                    #passed
                    let link = Self::__word(#array, node * #stride + #word + slot);
                    if slot + 1 < count {
                        at.push(node, #entry, slot + 1);
                    } else if #next != 0 {
                        at.push(node, #next, 0);
                    }
                    if link == 0 {
                        point = 0;
                        continue;
                    }
                    #enter
                }
            }
        };
        quote!(#number => { #code })
    }
}
