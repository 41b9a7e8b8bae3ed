//! Indices beside what only rustc knows the type of: they are numbers of that type, whichever it is.
//!
//! `h(i) + i` is of floats if `h` gives floats. The compiler does not see what `h` gives, so the run-time library is
//! asked with the value at hand. Tokens stand where that value does in the program, as it is the one place at which
//! rustc can say what is wrong with its type.

use super::call::has_fraction;
use super::places::place_of;
use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

impl Emit<'_> {
    /// `op` on `args`, if an index is among them and a value of which only rustc knows the type. What is neither
    /// is computed in `ty`.
    pub(super) fn beside(&self, op: &Op, args: &[Expr], ty: &Ty) -> Option<TokenStream> {
        let is = |e: &Expr, ty: Ty| self.kernel.type_of(e) == Some(ty);
        let opaque = |e: &Expr| self.kernel.type_of(e).is_some_and(|ty| ty.is_opaque());
        let counts =
            |a: &Expr| index_of(self.kernel, a).is_some() || is(a, Ty::Bool) && !op.is_comparison();
        let unknown = args.iter().position(|a| opaque(a) && !counts(a))?;
        let of = self.kernel.type_of(&args[unknown])?;
        if self.reader == Reader::Person || !args.iter().any(counts) {
            return None;
        }
        let krate = &self.kernel.krate;
        let value = self.expr(&args[unknown], &of);
        let at = place_of(&value);
        if op.is_comparison() {
            // A coordinate is compared as one: few types hold them all.
            let op = if unknown == 0 { op.clone() } else { op.turned() };
            let name = Ident::new(name_of(&op)?, Span::mixed_site());
            let index = index_of(self.kernel, &args[1 - unknown])?;
            let index = self.expr(index, &Ty::Index);
            return Some(quote_spanned!(at=> #krate::rt::compared::#name(&#value, #index)));
        }
        let own = Ident::new("__own", Span::mixed_site());
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let mut parts = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            if k == unknown {
                parts.push(quote!(#own));
            } else if counts(arg) {
                let name = format_ident!("__i{k}", span = Span::mixed_site());
                let index = self.expr(index_of(self.kernel, arg).unwrap_or(arg), &Ty::Index);
                values.push(quote_spanned!(at=> #krate::rt::beside(&#own, #index)));
                parts.push(quote!(#name));
                names.push(name);
            } else {
                parts.push(self.operand(arg, ty));
            }
        }
        let first = parts.remove(0);
        let all = parts.into_iter().fold(first, |acc, part| match op {
            Op::Min | Op::Max => {
                let name = Ident::new(op.row().name, Span::mixed_site());
                match of {
                    Ty::Unknown => quote_spanned!(at=> #acc.#name(#part)),
                    _ => quote_spanned!(at=> #krate::rt::#name(#acc, #part)),
                }
            }
            _ => {
                let sign = super::infix::operator(op, at);
                quote!(#acc #sign #part)
            }
        });
        Some(quote_spanned!(at=> ({
            let #own = #value;
            let (#(#names,)*) = (#(#values,)*);
            #all
        })))
    }

    /// What only rustc knows the type of, added up as often as an extent says.
    pub(super) fn repeated(&self, args: &[Expr]) -> Option<TokenStream> {
        let index = |e: &Expr| self.kernel.type_of(e) == Some(Ty::Index);
        let opaque = |e: &Expr| self.kernel.type_of(e).is_some_and(|ty| ty.is_opaque());
        let (value, times) = match args {
            [a, b] if index(a) && opaque(b) => (b, a),
            [a, b] if opaque(a) && index(b) => (a, b),
            _ => return None,
        };
        let of = self.kernel.type_of(value)?;
        if self.reader == Reader::Person {
            return None;
        }
        let (krate, value) = (&self.kernel.krate, self.expr(value, &of));
        let (at, times) = (place_of(&value), self.expr(times, &Ty::Index));
        Some(quote_spanned!(at=> #krate::Value::repeat(#value, #times)))
    }

    /// An arm of a choice, the other arm of which only rustc knows the type of.
    pub(super) fn arm(&self, e: &Expr, ty: &Ty) -> TokenStream {
        let index = self.kernel.type_of(e) == Some(Ty::Index) && self.reader == Reader::Rustc;
        match ty {
            Ty::Unknown if index => {
                let (krate, index) = (&self.kernel.krate, self.expr(e, &Ty::Index));
                quote!(#krate::Value::from_index(#index))
            }
            ty => self.expr(e, ty),
        }
    }
}

/// The function that compares.
fn name_of(op: &Op) -> Option<&'static str> {
    Some(match op {
        Op::Eq => "eq",
        Op::Ne => "ne",
        Op::Lt => "lt",
        Op::Le => "le",
        Op::Gt => "gt",
        Op::Ge => "ge",
        _ => return None,
    })
}

/// The index that `e` is, or is made a number of that only rustc knows the type of.
fn index_of<'e>(kernel: &Kernel, e: &'e Expr) -> Option<&'e Expr> {
    match e {
        Expr::Call(Op::Cast(ty), args) if ty.is_opaque() => index_of(kernel, args.first()?),
        // A fill that is no whole number, as often as an extent says, is none.
        e => (kernel.type_of(e) == Some(Ty::Index) && !has_fraction(e)).then_some(e),
    }
}
