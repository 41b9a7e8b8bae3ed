//! The words of nodes, and the arrays that hold them.

use super::*;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Where the fields of a type of node are.
pub struct Layout {
    /// The array of its words.
    pub array: Ident,
    /// How many words a node has.
    pub stride: TokenStream,
    /// Where its first entry is among all, if that is a word of it.
    pub start: Option<TokenStream>,
    /// The word that says how many entries, or bytes, there is room for, if that is not the same for all.
    pub room: Option<TokenStream>,
    /// The most entries it has, if that is bounded.
    pub most: Option<TokenStream>,
    /// The least.
    pub least: TokenStream,
    /// The word of a root that counts the entries of its fiber. Authors neither see nor keep it.
    pub count: Option<TokenStream>,
    words: Vec<(Ident, TokenStream)>,
}

impl Layout {
    /// The word of a field, counted from the first of the node.
    pub fn word(&self, field: &Ident) -> &TokenStream {
        let found = self.words.iter().find(|(name, _)| name == field);
        &found.expect("a field of the node").1
    }
    /// The word that says how many entries it has, if one does.
    pub fn size(&self, d: &Def) -> Option<&TokenStream> {
        match d.elem() {
            Some((_, Count::Sized(size))) => Some(self.word(size)),
            _ => None,
        }
    }
}

impl Schema {
    /// Where the fields of the node `d` are.
    pub fn layout(&self, d: &Def) -> Layout {
        let mut next = 0usize;
        let mut word = || {
            next += 1;
            let at = next - 1;
            quote!(#at)
        };
        let bounded = d.bounds().is_some() || !d.sized();
        let entries = d.elem().is_some() && self.pooled();
        let start = entries.then(&mut word);
        let room = (entries && (!bounded || self.coded())).then(&mut word);
        let mut words = Vec::new();
        for f in &d.fields {
            let several = matches!(&f.kind, PartKind::Link { count: Count::Sized(_), .. });
            if !several && !matches!(f.kind, PartKind::Elem(_)) {
                words.push((f.name.clone(), word()));
            }
        }
        let count = (d.name == self.defs[0].name).then(&mut word);
        let most = match d.bounds() {
            Some([_, most]) => Some(quote!((#most))),
            None => (!d.sized()).then(|| quote!(1usize)),
        };
        let least = match d.bounds() {
            Some([least, _]) => quote!((#least)),
            None => match d.sized() {
                true => quote!(0usize),
                false => quote!(1usize),
            },
        };
        let mut stride = quote!(#next);
        for f in &d.fields {
            if matches!(&f.kind, PartKind::Link { count: Count::Sized(_), .. }) {
                words.push((f.name.clone(), stride.clone()));
                stride = quote!(#stride + #most);
            }
        }
        let stride = quote!((#stride));
        Layout { array: d.name.clone(), stride, start, room, most, least, count, words }
    }

    /// The type of coordinates.
    pub fn ix(&self) -> TokenStream {
        match (&self.coordinates, self.coded()) {
            (Some(name), _) => quote!(#name),
            (None, false) => quote!(u32),
            (None, true) => quote!(u8),
        }
    }

    /// The type of links.
    pub fn li(&self) -> TokenStream {
        self.links.as_ref().map_or(quote!(u32), |name| quote!(#name))
    }

    /// The arrays of words, one for each type of node.
    pub fn arrays(&self) -> Vec<Ident> {
        self.defs.iter().map(|d| d.name.clone()).collect()
    }

    /// The array of the nodes of a type that are free.
    pub fn free(&self, d: &Def) -> Ident {
        format_ident!("{}_free", d.name)
    }

    /// Every array that a level has instead of its own, with its type of element.
    pub fn all_arrays(&self) -> Vec<(Ident, TokenStream)> {
        let (ix, li) = (self.ix(), self.li());
        let mut all = Vec::new();
        for (k, d) in self.defs.iter().enumerate() {
            all.push((d.name.clone(), li.clone()));
            if k > 0 {
                all.push((self.free(d), li.clone()));
            }
        }
        all.push((format_ident!("crd"), ix));
        if self.pooled() {
            all.push((format_ident!("spare"), li.clone()));
        }
        all.push((format_ident!("moves"), li));
        all
    }

    /// The first position of the entries of the node `d` whose number is `node`.
    pub fn first_of(&self, d: &Def, node: &TokenStream) -> TokenStream {
        let l = self.layout(d);
        let (array, stride) = (&l.array, &l.stride);
        match (&l.start, &l.most) {
            (Some(start), _) => quote!(Self::__word(#array, #node * #stride + #start)),
            (None, Some(most)) => quote!((1 + #node * #most)),
            (None, None) => unreachable!("nodes of any size are pooled"),
        }
    }

    /// How many entries the node `d` has.
    pub fn count_of(&self, d: &Def, node: &TokenStream) -> TokenStream {
        let l = self.layout(d);
        let (array, stride) = (&l.array, &l.stride);
        match l.size(d) {
            Some(size) => quote!(Self::__word(#array, #node * #stride + #size)),
            None => quote!(1usize),
        }
    }
}
