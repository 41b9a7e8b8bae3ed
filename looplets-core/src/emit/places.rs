//! Where rustc shows what only it can find: a type that lacks an operator, a function that takes another type.
//!
//! rustc shows an expression from its first to its last token, and the whole macro if these are not made by one
//! expansion. What the program wrote and what is made of it are made by two.

use super::{Emit, Reader};
use crate::cin::*;
use crate::types::{primitive, Ty};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// Where `tokens` begin in the program, for what is made of them.
pub(super) fn place_of(tokens: &TokenStream) -> Span {
    fn first(tokens: TokenStream) -> Option<Span> {
        tokens.into_iter().find_map(|tree| match tree {
            TokenTree::Group(g) => first(g.stream()),
            TokenTree::Ident(_) | TokenTree::Literal(_) => Some(tree.span()),
            TokenTree::Punct(_) => None,
        })
    }
    first(tokens.clone()).map_or_else(Span::mixed_site, |s| s.resolved_at(Span::mixed_site()))
}

/// `tokens` with the span `at` and the hygiene of the first of them.
pub(super) fn located(tokens: TokenStream, at: Span) -> TokenStream {
    let Some(made) = tokens.clone().into_iter().next().map(|first| first.span()) else {
        return tokens;
    };
    let at = at.resolved_at(made);
    let put = |mut tree: TokenTree| {
        tree.set_span(at);
        tree
    };
    tokens.into_iter().map(put).collect()
}

impl Emit<'_> {
    /// Where the first of `args` stands whose place in the program is known, if rustc has to judge their types or `ty`.
    pub(super) fn judged_at(&self, args: &[Expr], ty: &Ty) -> Option<Span> {
        let known = |ty: &Ty| match ty {
            Ty::Bool | Ty::Index => true,
            Ty::Named(name) => primitive(name) || ty.is_complex(),
            Ty::Own | Ty::Unknown => false,
        };
        let known =
            known(ty) && args.iter().all(|e| self.kernel.type_of(e).is_none_or(|ty| known(&ty)));
        (!known).then(|| args.iter().find_map(|e| self.source_of(e))).flatten()
    }

    /// Where `e` comes from: a variable of the program, a function of it, or the tensor of an element.
    fn source_of(&self, e: &Expr) -> Option<Span> {
        let mut found = None;
        e.walk(&mut |x| {
            let at = match x {
                Expr::Var(v) => self.kernel.info(*v).ident.as_ref().map(Ident::span),
                Expr::Load(a, _) => {
                    let tensor = self.kernel.arrays[a.0 as usize].tensor;
                    Some(self.kernel.tensor(tensor).name.span())
                }
                _ => None,
            };
            found = found.or(at);
        });
        found.map(|at| at.resolved_at(Span::mixed_site()))
    }

    /// `tokens`, which compute `e`, as one token at `at`.
    pub(super) fn shown_at(&self, at: Span, e: &Expr, tokens: TokenStream) -> TokenStream {
        if self.reader == Reader::Person {
            return tokens;
        }
        if matches!(e, Expr::Lit(_)) {
            return located(tokens, at);
        }
        let (value, shown) = (Ident::new("value", Span::mixed_site()), Ident::new("value", at));
        quote!({ let #value = #tokens; #shown })
    }
}
