//! Calls of functions that the Rust around the kernel or a declaration defines.

use super::places::place_of;
use super::{Emit, Reader};
use crate::cin::*;
use crate::decl::substitute;
use crate::kernel::*;
use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{quote, ToTokens};

impl Emit<'_> {
    /// State of a declaration's own type that a function of the declaration moves where it is: what the function
    /// says of it, as a statement.
    pub(super) fn moved(&self, var: VarId, key: &str, args: &[Expr]) -> TokenStream {
        let f = &self.kernel.functions[key];
        if let Some(shown) = self.shown_of(f, args) {
            return quote!(#shown;);
        }
        let state = self.ident(var);
        let args = args.iter().map(|a| match a {
            Expr::Var(v) if *v == var => quote!(&mut #state),
            other => self.expr(other, &Ty::Index),
        });
        let call = called(&f.path, quote!(#(#args),*));
        quote!(#call;)
    }

    /// State that starts as one function of the declaration gives it, and that another then moves: the start, and the
    /// statement that moves it.
    pub(super) fn started(&self, var: VarId, value: &Expr) -> Option<(Expr, TokenStream)> {
        let Expr::Call(Op::Function(key), args) = value else { return None };
        let own = |e: &Expr| matches!(e, Expr::Call(Op::Function(key), _) if self.kernel.functions[&**key].gives == Ty::Own);
        if self.kernel.info(var).ty != Ty::Own {
            return None;
        }
        let start = args.iter().position(own)?;
        let mut given = args.to_vec();
        let start = std::mem::replace(&mut given[start], Expr::Var(var));
        Some((start, self.moved(var, key, &given)))
    }

    /// What people are shown of a function that was made of code: that code, of what the function is given.
    fn shown_of(&self, f: &Function, args: &[Expr]) -> Option<TokenStream> {
        let shown = f.shown.as_ref().filter(|_| self.reader == Reader::Person)?;
        let given = f.names.iter().cloned().zip(args.iter().map(|a| match a {
            Expr::Array(a) => self.array(*a).to_token_stream(),
            other => self.expr(other, &Ty::Index),
        }));
        (!f.names.is_empty()).then(|| substitute(shown.clone(), &given.collect::<Vec<_>>()))
    }

    /// A call of a function of the surrounding Rust, whose result is `own` if it is like an argument.
    pub(super) fn function(&self, f: &Function, args: &[Expr], own: Ty) -> (TokenStream, Ty) {
        if let Some(shown) = self.shown_of(f, args) {
            return (quote!((#shown)), f.gives.clone());
        }
        let gives = if f.like.is_some() { own } else { f.gives.clone() };
        let path = match (&f.shown, self.reader) {
            (Some(shown), Reader::Person) => shown,
            _ => &f.path,
        };
        if f.usizes {
            let usize = Ty::Named("usize".into());
            let args = args.iter().map(|a| self.expr(a, &usize));
            let call = called(path, quote!(#(#args),*));
            let plain = self.reader == Reader::Person;
            return (if plain { call } else { quote!((#call as i64)) }, gives);
        }
        let argument = |k: usize, a: &Expr| {
            let takes = f.takes.get(k).filter(|ty| **ty != Ty::Unknown);
            let tokens = match (&f.gives, a, takes) {
                (Ty::Index, ..) => self.expr(a, &Ty::Index),
                (_, Expr::Lit(_), Some(ty)) => self.expr(a, ty),
                (.., Some(ty)) if f.declared => self.expr(a, ty),
                // A literal beside a value of the operator's own type.
                (_, Expr::Lit(_), None) if f.like.is_some() => self.expr(a, &gives),
                _ => self.expr(a, &Ty::Unknown),
            };
            let judged = !f.declared && matches!(f.gives, Ty::Named(_) | Ty::Bool | Ty::Unknown);
            let tokens = match self.kernel.type_of(a) {
                Some(Ty::Named(_) | Ty::Bool) | None if judged => {
                    self.shown_at(place_of(path), a, tokens)
                }
                _ => tokens,
            };
            if f.by_ref.get(k) == Some(&true) {
                self.borrowed(a).unwrap_or_else(|| quote!(&#tokens))
            } else {
                tokens
            }
        };
        if !f.folds || args.len() <= 2 {
            let args = args.iter().enumerate().map(|(k, a)| argument(k, a));
            return (called(path, quote!(#(#args),*)), gives);
        }
        let amp = (f.by_ref.first() == Some(&true)).then(|| quote!(&));
        let first = argument(0, &args[0]);
        let bare = if amp.is_some() { self.expr(&args[0], &f.takes[0]) } else { first };
        let all = args[1..].iter().fold(bare, |acc, a| {
            let a = argument(1, a);
            quote!(#path(#amp #acc, #a))
        });
        (all, gives)
    }
}

/// A call, whose parentheses rustc shows where the function is named.
fn called(path: &TokenStream, args: TokenStream) -> TokenStream {
    let mut parentheses = Group::new(Delimiter::Parenthesis, args);
    if let Some(last) = path.clone().into_iter().last() {
        parentheses.set_span(last.span());
    }
    quote!(#path #parentheses)
}
