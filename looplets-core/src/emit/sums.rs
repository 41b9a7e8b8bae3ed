//! Sums of coordinates: in `i64` where no sum can be beyond it, else in `i128`, cut to the range of coordinates
//! as a whole, so that what is beyond it on the way does no harm.

use super::{Emit, Reader};
use crate::cin::*;
use crate::index::SMALL;
use crate::kernel::*;
use proc_macro2::TokenStream;
use quote::quote;

/// The limit of coordinates.
const LIMIT: i128 = 1 << 61;
/// How many of them can be added up in an `i64`.
const ADD_UP: i128 = 3;
/// The limit of what is added up in an `i128`: of so many numbers as a program may write no sum overflows.
const WIDE: i128 = 1 << 100;

impl Emit<'_> {
    /// The sum or difference of `args`.
    pub(super) fn total(&self, op: &Op, args: &[Expr]) -> TokenStream {
        let mut terms = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            summands(arg, *op == Op::Add || k == 0, &mut terms);
        }
        let plain = self.adds_up(&terms) && !self.cut_apart(&terms);
        if plain || self.reader == Reader::Person {
            return self.infix(op, args, &Ty::Index);
        }
        let krate = &self.kernel.krate;
        let sum = self.wide_sum(&terms);
        quote!(#krate::rt::index(#sum))
    }

    /// The position `i` in `array`. Where the array is trusted it exists, so that sums modulo 2^64 come to it.
    pub(super) fn position(&self, array: ArrayId, i: &Expr) -> TokenStream {
        match self.kernel.arrays[array.0 as usize].trusted {
            true => self.wrapping(i),
            false => self.expr(i, &Ty::Index),
        }
    }

    /// `e`, of which only the value modulo 2^64 matters.
    pub(super) fn wrapping(&self, e: &Expr) -> TokenStream {
        let mut terms = Vec::new();
        summands(e, true, &mut terms);
        if self.reader == Reader::Person || self.cut_apart(&terms) || self.adds_up(&terms) {
            return self.expr(e, &Ty::Index);
        }
        terms.sort_by_key(|(_, added)| !added);
        let sum = terms.iter().fold(None, |sum: Option<TokenStream>, (e, added)| {
            let e = self.expr(e, &Ty::Index);
            Some(match (sum, added) {
                (None, true) => e,
                (None, false) => quote!(::core::primitive::i64::wrapping_neg(#e)),
                (Some(sum), true) => quote!(::core::primitive::i64::wrapping_add(#sum, #e)),
                (Some(sum), false) => quote!(::core::primitive::i64::wrapping_sub(#sum, #e)),
            })
        });
        sum.expect("a sum has terms")
    }

    /// Whether two of `terms` may have been cut. One number that was cut to the limit of coordinates is outside of all dimensions,
    /// whatever index is added; the difference of two may be any coordinate.
    fn cut_apart(&self, terms: &[(&Expr, bool)]) -> bool {
        terms.iter().filter(|(e, _)| self.far(e)).count() > 1
    }

    /// Whether no sum of `terms` is beyond an `i64`.
    fn adds_up(&self, terms: &[(&Expr, bool)]) -> bool {
        let reach = terms.iter().fold(0i128, |sum, (e, _)| sum.saturating_add(self.reach(e)));
        // A small number beside them changes nothing.
        reach <= ADD_UP * LIMIT + SMALL
    }

    /// The sum of `terms`, not cut.
    fn wide_sum(&self, terms: &[(&Expr, bool)]) -> TokenStream {
        let sum = terms.iter().fold(None, |sum: Option<TokenStream>, (e, added)| {
            let e = self.wide(e);
            Some(match (sum, added) {
                (None, true) => e,
                (None, false) => quote!(-#e),
                (Some(sum), true) => quote!(#sum + #e),
                (Some(sum), false) => quote!(#sum - #e),
            })
        });
        sum.expect("a sum has terms")
    }

    /// A number, a product or a sum in an `i128`, not cut to the range of coordinates.
    fn wide(&self, e: &Expr) -> TokenStream {
        match e {
            Expr::Lit(Lit::Int(n)) => {
                let n = (*n).clamp(-WIDE, WIDE);
                self.literal(&Lit::Int(n), &Ty::Named("i128".into()))
            }
            Expr::Call(op, args) if *op == Op::Mul => {
                let mut factors = args.iter().map(|a| self.wide(a));
                let first = factors.next().expect("a product has factors");
                clamped(
                    factors.fold(
                        first,
                        |a, b| quote!(::core::primitive::i128::saturating_mul(#a, #b)),
                    ),
                )
            }
            Expr::Call(Op::Add | Op::Sub | Op::Neg, _) => {
                let mut terms = Vec::new();
                summands(e, true, &mut terms);
                let sum = self.wide_sum(&terms);
                clamped(quote!((#sum)))
            }
            e => match self.number(e) {
                Some((inner, ty)) => {
                    let inner = self.expr(inner, &ty);
                    match ty.text() {
                        "i128" => clamped(inner),
                        "u128" => {
                            quote!((::core::cmp::Ord::min(#inner, 1u128 << 100) as ::core::primitive::i128))
                        }
                        _ => quote!(((#inner) as ::core::primitive::i128)),
                    }
                }
                None => {
                    let inner = self.expr(e, &Ty::Index);
                    quote!(::core::primitive::i128::from(#inner))
                }
            },
        }
    }

    /// A number of a type that holds more than coordinates: also one that a local of the kernel has cut.
    fn number<'e>(&'e self, e: &'e Expr) -> Option<(&'e Expr, Ty)> {
        let local = |e: &Expr| match e {
            Expr::Var(v) => self.kernel.prelude.iter().find(|(var, _)| var == v),
            _ => None,
        };
        let whole = local(e).map_or(e, |(_, value)| value);
        let inner = match whole {
            Expr::Call(op, args) if *op == Op::Index => &args[0],
            e => e,
        };
        // An expression that a local holds is not computed a second time.
        if local(e).is_some() && !matches!(inner, Expr::Var(_)) {
            return None;
        }
        let ty = self.kernel.type_of(inner)?;
        let wide = matches!(ty.text(), "i64" | "u64" | "isize" | "usize" | "i128" | "u128");
        wide.then_some((inner, ty))
    }

    /// Whether a summand may be beyond the limit of coordinates before it is cut.
    fn far(&self, e: &Expr) -> bool {
        match e {
            Expr::Call(op, args) if *op == Op::Mul => {
                let small =
                    |e: &Expr| matches!(e, Expr::Lit(Lit::Int(n)) if n.saturating_abs() <= SMALL);
                args.iter().filter(|a| !small(a)).count() > 1
                    || !args.iter().any(small)
                    || args.iter().any(|a| self.far(a))
            }
            Expr::Call(Op::Add | Op::Sub | Op::Neg, args) => args.iter().any(|a| self.far(a)),
            e => self.number(e).is_some(),
        }
    }

    /// The greatest size that the value of a summand can have.
    fn reach(&self, e: &Expr) -> i128 {
        match e {
            Expr::Lit(Lit::Int(n)) => n.saturating_abs(),
            Expr::Call(op, args) => match (op, &args[..]) {
                (Op::Index | Op::Cast(Ty::Index), [a]) => self.reach(a),
                (Op::Add | Op::Sub, _) => {
                    args.iter().fold(0, |sum, a| sum.saturating_add(self.reach(a)))
                }
                (Op::Neg, [a]) => self.reach(a),
                (Op::Min | Op::Max, _) => args.iter().map(|a| self.reach(a)).max().unwrap_or(0),
                // Only its value modulo 2^64 matters.
                (Op::WrappingMul, _) => 0,
                _ => self.widest(e),
            },
            _ => self.widest(e),
        }
    }

    fn widest(&self, e: &Expr) -> i128 {
        match self.kernel.type_of(e) {
            Some(Ty::Bool) => 1,
            ty => {
                let limits = ty.and_then(|ty| ty.limits());
                limits.map_or(LIMIT, |(least, most)| most.max(-least).min(LIMIT))
            }
        }
    }
}

/// `e`, an `i128`, as one that others can be added to.
fn clamped(e: TokenStream) -> TokenStream {
    quote!(::core::cmp::Ord::clamp(#e, -(1i128 << 100), 1i128 << 100))
}

/// The summands of a sum, with whether each is added.
fn summands<'e>(e: &'e Expr, added: bool, out: &mut Vec<(&'e Expr, bool)>) {
    match e {
        Expr::Call(op, args) => match (op, &args[..]) {
            (Op::Add, _) => args.iter().for_each(|a| summands(a, added, out)),
            (Op::Sub, [a, b]) => {
                summands(a, added, out);
                summands(b, !added, out);
            }
            (Op::Neg, [a]) => summands(a, !added, out),
            _ => out.push((e, added)),
        },
        _ => out.push((e, added)),
    }
}
