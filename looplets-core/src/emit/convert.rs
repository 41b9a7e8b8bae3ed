//! Literals in the type of their place, and values of one type where another is wanted.

use super::{Emit, Reader};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Emit<'_> {
    /// NaN, which has no type of its own either.
    pub fn not_a_number(&self, want: &Ty) -> TokenStream {
        let krate = &self.kernel.krate;
        match want {
            Ty::Named(t) if primitive(t) => {
                let t = Ident::new(t, Span::mixed_site());
                quote!(::core::primitive::#t::NAN)
            }
            Ty::Named(t) => {
                let ty = type_tokens(t);
                quote!(<#ty as #krate::Value>::from_float(::core::primitive::f64::NAN))
            }
            _ => quote!(::core::primitive::f64::NAN),
        }
    }

    /// A literal of type `want`.
    pub fn literal(&self, lit: &Lit, want: &Ty) -> TokenStream {
        let krate = &self.kernel.krate;
        match (lit, want) {
            (Lit::Missing, _) => quote!(::core::unreachable!("`missing` is never stored")),
            (Lit::Bool(b), Ty::Bool | Ty::Unknown) => quote!(#b),
            (Lit::Bool(b), _) => self.literal(&Lit::Int(i128::from(*b)), want),
            (Lit::Int(n), Ty::Bool) => {
                let b = *n != 0;
                quote!(#b)
            }
            (Lit::Int(n), Ty::Index | Ty::Own | Ty::Unknown) => number(&n.to_string()),
            // What arithmetic of literals came to.
            (Lit::Int(n), Ty::Named(t))
                if want.value(lit).is_err() && self.reader == Reader::Rustc =>
            {
                let (ty, n) = (type_tokens(t), number(&n.to_string()));
                quote!(#krate::rt::overflowed::<#ty>(#n))
            }
            (Lit::Int(n), Ty::Named(t)) if primitive(t) => {
                if self.reader == Reader::Person && t.starts_with('f') {
                    number(&format!("{n}.0"))
                } else if self.reader == Reader::Person {
                    number(&n.to_string())
                } else {
                    number(&format!("{n}{t}"))
                }
            }
            (Lit::Int(n), Ty::Named(t)) => {
                let (ty, n) = (type_tokens(t), number(&n.to_string()));
                match self.reader {
                    Reader::Rustc if want.is_opaque() => quote!(#krate::rt::whole::<#ty, #n>()),
                    _ => quote!(<#ty as #krate::Value>::from_int(#n)),
                }
            }
            (Lit::Float(bits), want) => {
                let x = f64::from_bits(*bits);
                let special = if x == f64::INFINITY {
                    Some("INFINITY")
                } else if x == f64::NEG_INFINITY {
                    Some("NEG_INFINITY")
                } else {
                    None
                };
                match (special, want) {
                    (Some(name), Ty::Named(t)) if t == "f32" || t == "f64" => {
                        let (t, name) = (
                            Ident::new(t, Span::mixed_site()),
                            Ident::new(name, Span::mixed_site()),
                        );
                        quote!(::core::primitive::#t::#name)
                    }
                    (Some(name), Ty::Unknown) => {
                        let name = Ident::new(name, Span::mixed_site());
                        quote!(::core::primitive::f64::#name)
                    }
                    (None, Ty::Named(t))
                        if primitive(t) && self.reader == Reader::Rustc && t.starts_with('f') =>
                    {
                        number(&format!("{}{t}", want.digits(x)))
                    }
                    (None, Ty::Named(t)) if primitive(t) => number(&want.digits(x)),
                    (_, Ty::Named(t)) => {
                        let ty = type_tokens(t);
                        let x = match special {
                            Some(name) => {
                                let name = Ident::new(name, Span::mixed_site());
                                quote!(::core::primitive::f64::#name)
                            }
                            None => number(&format!("{x:?}f64")),
                        };
                        match self.reader {
                            Reader::Rustc if want.is_opaque() => {
                                quote!(#krate::rt::fraction::<#ty>(#x))
                            }
                            _ => quote!(<#ty as #krate::Value>::from_float(#x)),
                        }
                    }
                    _ => number(&format!("{x:?}")),
                }
            }
        }
    }

    /// A value of type `is` where `want` is wanted: bools and coordinates become numbers, numbers widen.
    pub fn convert(&self, tokens: TokenStream, is: &Ty, want: &Ty) -> TokenStream {
        let krate = &self.kernel.krate;
        if is == want || self.reader == Reader::Person && *is != Ty::Bool {
            return tokens;
        }
        match (is, want) {
            (Ty::Bool, Ty::Index) => quote!(i64::from(#tokens)),
            (Ty::Bool, Ty::Named(_)) => {
                let (one, zero) =
                    (self.literal(&Lit::Int(1), want), self.literal(&Lit::Int(0), want));
                quote!((if #tokens { #one } else { #zero }))
            }
            (Ty::Index, Ty::Named(t)) if primitive(t) => {
                let small = matches!(t.as_str(), "u8" | "i8" | "u16" | "i16" | "u32" | "i32");
                let t = Ident::new(t, Span::mixed_site());
                match small {
                    true => quote!(#krate::rt::narrow::<#t>(#tokens)),
                    false => quote!(((#tokens) as #t)),
                }
            }
            (Ty::Index, Ty::Named(t)) => {
                let t = type_tokens(t);
                quote!(<#t as #krate::Value>::from_index(#tokens))
            }
            (Ty::Index, Ty::Unknown) => quote!(((#tokens) as usize)),
            (Ty::Index, Ty::Bool) => quote!(((#tokens) != 0)),
            // Wider integers are cut to the range of coordinates.
            (Ty::Named(t), Ty::Index)
                if ["u8", "i8", "u16", "i16", "u32", "i32"].contains(&t.as_str()) =>
            {
                quote!(((#tokens) as i64))
            }
            (Ty::Named(_) | Ty::Unknown, Ty::Index) => {
                let at = super::places::place_of(&tokens);
                quote_spanned!(at=> #krate::rt::index(#tokens))
            }
            (Ty::Named(a), Ty::Named(b))
                if primitive(a) && primitive(b) && join(is, want) == *want =>
            {
                let b = Ident::new(b, Span::mixed_site());
                quote!(((#tokens) as #b))
            }
            _ => tokens,
        }
    }
}

/// A number, with the minus sign as a token of its own.
fn number(text: &str) -> TokenStream {
    let (minus, digits) = match text.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, text),
    };
    let literal = digits.parse::<Literal>();
    let mut literal = literal.unwrap_or_else(|_| unreachable!("{digits} is a literal"));
    literal.set_span(Span::mixed_site());
    if minus {
        quote!(-#literal)
    } else {
        quote!(#literal)
    }
}

fn type_tokens(text: &str) -> TokenStream {
    text.parse().expect("types were tokens")
}
