//! Rust of declarations, in the frame that it stands in.

use super::Reader;
use crate::cin::TensorId;
use crate::decl::{with_length, Clause, CRATE};
use crate::formats::substitute;
use crate::kernel::*;
use crate::opaque::{Bind, Blank, Bound, Declared, Exchange, Frame, Numbers};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

impl Kernel {
    /// The tokens of code of a declaration: of a call of a function of the level's own type, people are shown what
    /// that function was made of.
    pub(super) fn declared(&self, d: &Declared, reader: Reader) -> TokenStream {
        let level = &self.tensor(d.of.0).levels[d.of.1].format;
        let code = match &d.frame {
            Frame::Clause(clause) | Frame::Growth(clause, _) | Frame::Count(clause, _) => {
                clause.value(&d.code)
            }
            Frame::Clear(_) => Clause::Clear.value(&d.code),
            _ => d.code.clone(),
        };
        let shown = match reader {
            Reader::Person => level.level().shown(&code),
            Reader::Rustc => None,
        };
        let told = |code, (of, name): &(Ident, Ident)| with_length(code, of, name);
        let written = || {
            let code = self.written(d.of, shown.as_ref().unwrap_or(&code));
            d.lengths.iter().fold(code, told)
        };
        let bindings = bindings(&d.bound);
        let block = || {
            let code = written();
            quote!({ #bindings #code })
        };
        match &d.frame {
            Frame::Number => valued(&bindings, &quote!(i64), &written()),
            Frame::Condition => valued(&bindings, &quote!(bool), &written()),
            Frame::Argument if bindings.is_empty() => written(),
            Frame::Argument => {
                // In parentheses, lest a block at the head of a statement end it.
                let block = block();
                quote!((#block))
            }
            Frame::Value => valued(&bindings, &self.tensor(d.of.0).chain.value.clone(), &written()),
            Frame::Item => written(),
            Frame::Clause(Clause::Child) => {
                let block = block();
                quote!((#block))
            }
            Frame::Cast => {
                let span = d
                    .code
                    .clone()
                    .into_iter()
                    .next()
                    .map_or_else(Span::call_site, |t: TokenTree| t.span());
                let ty = level.substitute(d.code.clone());
                quote_spanned!(span=> (__value as #ty))
            }
            Frame::Constant(ty) => {
                let value = &d.code;
                match ty.to_string().as_str() {
                    "bool" | "i64" => quote!((#value)),
                    _ => quote!(((#value) as i64)),
                }
            }
            Frame::Statements | Frame::Clause(_) => block(),
            Frame::Growth(_, sizes) => self.stored(d.of, &block(), sizes),
            Frame::Count(_, sizes) => {
                let (krate, name, children) =
                    (&self.krate, level.level().name.to_string(), block());
                let counted = quote!(#krate::rt::count(#name, &[#(#sizes as i64),*], children));
                let failing = self.failing(counted);
                quote!({ let children = #children; #failing })
            }
            Frame::Exchange(x) => self.exchange(x),
            Frame::Clear(blank) => {
                let (blank, block) = (blank.as_ref().map(|blank| self.blank(blank)), block());
                quote!({ #blank #block })
            }
        }
    }

    /// `may`, of which an error is the kernel's.
    pub(super) fn stored(
        &self,
        of: (TensorId, usize),
        may: &TokenStream,
        sizes: &[Ident],
    ) -> TokenStream {
        let (krate, level) = (&self.krate, &self.tensor(of.0).levels[of.1].format);
        let name = level.level().name.to_string();
        let failing = self.failing(quote!(#krate::rt::stored(#name, &[#(#sizes as i64),*], may)));
        quote!({ let may = #may; #failing; })
    }

    fn exchange(&self, x: &Exchange) -> TokenStream {
        let (krate, moves, [a, b]) = (&self.krate, &x.moves, &x.pair);
        let (bindings, code) = (bindings(&x.bound), self.written(x.of, &x.code));
        let swap = quote!({ let (#a, #b): (usize, usize) = (a, b); #bindings #code; });
        let swap = x.sizes.iter().rev().fold(swap, |inner, size| {
            quote!({
                let len: usize = #size;
                let (first, second) = (a * len, b * len);
                for k in 0..len {
                    let (a, b) = (first + k, second + k);
                    #inner
                }
            })
        });
        quote! {{
            let moves = &mut #moves;
            for pair in <[_]>::chunks_exact(&moves[..], 2) {
                let [a, b] = [pair[0], pair[1]].map(|q| #krate::Index::to_i64(q) as usize);
                #swap
            }
            moves.clear();
        }}
    }

    fn blank(&self, blank: &Blank) -> TokenStream {
        let (name, p) = (&blank.name, &blank.p);
        let place = blank.place.as_ref().map(|(bound, place)| {
            let (bindings, place) = (bindings(bound), self.written(blank.of, place));
            let fill = self.fill_value(blank.of.0);
            let krate = &self.krate;
            let place = match element(&place, p).filter(|_| self.trusts_all(blank.of.0)) {
                // SAFETY: `clear` takes out entries, each of which has a child by the checked invariant of its level.
                Some(array) => quote!(*unsafe { #krate::rt::get_mut(&mut *#array, q as i64) }),
                None => place,
            };
            quote!(let #p: usize = q; #bindings #place = #fill;)
        });
        quote!(let mut #name = |q: usize| { #place };)
    }

    /// Whether checked invariants cover all arrays of the tensor `id`.
    fn trusts_all(&self, id: TensorId) -> bool {
        self.arrays.iter().filter(|a| a.tensor == id).all(|a| a.trusted)
    }

    /// The fill of a tensor.
    fn fill_value(&self, of: TensorId) -> TokenStream {
        let (krate, chain) = (&self.krate, &self.tensor(of).chain);
        let (marker, value) = (&chain.fill_type, &chain.value);
        quote!(<#marker as #krate::Fill<#value>>::VALUE)
    }

    /// `code` of a declaration as it stands in kernels.
    fn written(&self, of: (TensorId, usize), code: &TokenStream) -> TokenStream {
        let level = &self.tensor(of.0).levels[of.1].format;
        let mut completed = vec![(Ident::new(CRATE, Span::call_site()), self.krate.clone())];
        if level.level().leaf.is_some() {
            completed.push((format_ident!("fill"), self.fill_value(of.0)));
        }
        substitute(level.substitute(code.clone()), &completed)
    }
}

/// The array of which `place` is the element `p`.
fn element(place: &TokenStream, p: &Ident) -> Option<syn::Path> {
    let syn::Expr::Index(place) = syn::parse2(place.clone()).ok()? else { return None };
    match (*place.expr, *place.index) {
        (syn::Expr::Path(array), syn::Expr::Path(at)) => at.path.is_ident(p).then_some(array.path),
        _ => None,
    }
}

/// A block with a value of the type `ty`. In parentheses, lest a block at the head of a statement end it.
fn valued(bindings: &TokenStream, ty: &TokenStream, code: &TokenStream) -> TokenStream {
    quote!(({ #bindings let value: #ty = #code; value }))
}

fn bindings(bound: &[Bound]) -> TokenStream {
    let bind = |Bound { name, to }: &Bound| match to {
        Bind::Array(hold, slot) => hold.borrow(name, &quote!(#slot)),
        Bind::Number(Numbers::Signed, slot) => quote!(let #name: i64 = #slot;),
        Bind::Number(Numbers::Unsigned, slot) => quote!(let #name: usize = #slot;),
        Bind::Parameter(ty, value) => quote!(let #name: #ty = #value;),
    };
    bound.iter().map(bind).collect()
}
