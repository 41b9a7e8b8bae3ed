//! Operators between their operands, and numbers among these that the type at hand has the negation of only.

use super::places::place_of;
use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// `op` between `args`, each as a value of type `ty`.
    pub(super) fn infix(&self, op: &Op, args: &[Expr], ty: &Ty) -> TokenStream {
        if let [first, second, rest @ ..] = args {
            // A number that the type lacks comes last, where its negation takes its place.
            if matches!(op, Op::Add | Op::Sub) && negation_that_fits(first, ty).is_some() {
                let (start, end) = match (op, negation_that_fits(first, ty)) {
                    (Op::Sub, Some(negation)) => (Expr::call(Op::Neg, [second.clone()]), negation),
                    _ => (second.clone(), first.clone()),
                };
                let args: Vec<Expr> =
                    [start].into_iter().chain(rest.iter().cloned()).chain([end]).collect();
                return self.infix(op, &args, ty);
            }
        }
        let unknown = |e: &&Expr| self.kernel.type_of(e) == Some(Ty::Unknown);
        let known = args.iter().find(unknown).map(|e| place_of(&self.expr(e, &Ty::Unknown)));
        let judged = known.or_else(|| self.judged_at(args, ty));
        let sign = operator(op, judged.unwrap_or_else(Span::mixed_site));
        let other = match op {
            Op::Add => Some(Op::Sub),
            Op::Sub => Some(Op::Add),
            _ => None,
        };
        let turned = other.map(|op| operator(&op, judged.unwrap_or_else(Span::mixed_site)));
        let mut parts = args.iter().enumerate().map(|(k, a)| {
            let (sign, a) = match (&turned, negation_that_fits(a, ty)) {
                (Some(turned), Some(negation)) if k > 0 => (turned, &negation.clone()),
                _ => (&sign, a),
            };
            let part = self.operand(a, ty);
            let differs = || self.kernel.type_of(a).is_some_and(|own| own != *ty);
            match judged {
                Some(at) if differs() => (sign, self.shown_at(at, a, part)),
                _ => (sign, part),
            }
        });
        let first = parts.next().map(|(_, first)| first);
        let first = first.unwrap_or_else(|| self.literal(&Lit::Int(0), ty));
        parts.fold(first, |acc, (sign, b)| quote!(#acc #sign #b))
    }

    /// A product of indices by `op`, by a function of the run-time crate: one that is cut, or of which only the value modulo 2^64
    /// matters.
    pub(super) fn product(&self, op: &Op, args: &[Expr]) -> TokenStream {
        let krate = &self.kernel.krate;
        if self.reader == Reader::Person {
            return self.infix(&Op::Mul, args, &Ty::Index);
        }
        let wraps = *op == Op::WrappingMul;
        let by = Ident::new(if wraps { "place" } else { "times" }, Span::mixed_site());
        let mut parts = args.iter().map(|a| match wraps {
            true => self.wrapping(a),
            false => self.expr(a, &Ty::Index),
        });
        let first = parts.next().unwrap_or_else(|| quote!(1));
        parts.fold(first, |a, b| quote!(#krate::rt::#by(#a, #b)))
    }

    /// An operand, in parentheses if it needs them.
    pub(super) fn operand(&self, e: &Expr, ty: &Ty) -> TokenStream {
        let inner = self.expr(e, ty);
        let simple = match e {
            Expr::Var(_) | Expr::Load(..) => self.kernel.type_of(e).as_ref() == Some(ty),
            Expr::Lit(Lit::Int(n)) => *n >= 0,
            _ => false,
        };
        if simple {
            inner
        } else {
            in_parentheses(inner)
        }
    }
}

/// `tokens` at the head of a block, where a block with something behind it would end as a statement.
pub(super) fn at_head(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    let block =
        |tree: TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
    match trees.next().is_some_and(block) && trees.next().is_some() {
        true => quote!((#tokens)),
        false => tokens,
    }
}

/// In parentheses, unless it is one token tree already.
pub(super) fn in_parentheses(tokens: TokenStream) -> TokenStream {
    if tokens.clone().into_iter().nth(1).is_none() {
        tokens
    } else {
        quote!((#tokens))
    }
}

/// The negation of a whole number that is no value of `ty`, if it is one: `a - 128` of `i8` is `a + -128`.
fn negation_that_fits(e: &Expr, ty: &Ty) -> Option<Expr> {
    let Expr::Lit(lit @ Lit::Int(n)) = e else { return None };
    let negation = Lit::Int(n.checked_neg()?);
    let fits = |lit| ty.is_integer() && ty.value(lit).is_ok();
    (ty.is_integer() && !fits(lit) && fits(&negation)).then_some(Expr::Lit(negation))
}

/// The sign of an infix operator, which stands where rustc is to say that there is none for the types at hand.
pub(super) fn operator(op: &Op, at: Span) -> TokenStream {
    match op {
        Op::Add => quote_spanned!(at=> +),
        Op::Sub => quote_spanned!(at=> -),
        Op::Mul => quote_spanned!(at=> *),
        Op::Div => quote_spanned!(at=> /),
        Op::Rem => quote_spanned!(at=> %),
        Op::BitAnd => quote_spanned!(at=> &),
        Op::BitOr => quote_spanned!(at=> |),
        Op::BitXor => quote_spanned!(at=> ^),
        Op::Shl => quote_spanned!(at=> <<),
        Op::Shr => quote_spanned!(at=> >>),
        Op::Eq => quote_spanned!(at=> ==),
        Op::Ne => quote_spanned!(at=> !=),
        Op::Lt => quote_spanned!(at=> <),
        Op::Le => quote_spanned!(at=> <=),
        Op::Gt => quote_spanned!(at=> >),
        Op::Ge => quote_spanned!(at=> >=),
        Op::And => quote_spanned!(at=> &&),
        Op::Or => quote_spanned!(at=> ||),
        _ => unreachable!("`{op:?}` is not infix"),
    }
}
