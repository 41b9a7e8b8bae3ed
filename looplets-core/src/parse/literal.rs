//! Literals: numbers with and without a suffix, `true`, `false` and infinities.

use crate::ast::Expr;
use crate::cin::Lit;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Error, Result};

/// `f64::INFINITY` and its like: literals, although Rust has them as constants, and typed as literals
/// are, by what they meet.
pub(super) fn infinity(path: &syn::Path) -> Option<f64> {
    let last: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let [.., ty, name] = &last[..] else { return None };
    let value = match name.as_str() {
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        _ => return None,
    };
    matches!(ty.as_str(), "f32" | "f64").then_some(value)
}

/// A literal.
pub(super) fn literal(input: ParseStream<'_>) -> Result<Expr> {
    let lit: syn::Lit = input.parse()?;
    let span = lit.span();
    let error = |message: String| Err(Error::new(span, message));
    let (value, suffix) = match &lit {
        syn::Lit::Bool(b) => (Lit::Bool(b.value), ""),
        syn::Lit::Int(n) if n.suffix() == "f32" => {
            (Lit::float(f64::from(n.base10_parse::<f32>()?)), n.suffix())
        }
        syn::Lit::Int(n) if n.suffix() == "f64" => (Lit::float(n.base10_parse()?), n.suffix()),
        syn::Lit::Int(n) => match n.base10_digits().parse() {
            Ok(value) => (Lit::Int(value), n.suffix()),
            Err(_) => {
                return error(format!(
                    "the integer literal `{n}` is too large: it must \
                fit in an i128"
                ))
            }
        },
        syn::Lit::Float(x) => {
            // Digits are rounded once.
            let (value, ty) = match x.suffix() {
                "f32" => (f64::from(x.base10_parse::<f32>()?), "f32"),
                _ => (x.base10_parse::<f64>()?, "f64"),
            };
            if !value.is_finite() {
                return error(format!(
                    "the literal `{x}` is too large: it must fit in an {ty}; \
                infinity is `{ty}::INFINITY`"
                ));
            }
            (Lit::float(value), x.suffix())
        }
        syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_) => {
            return error("a string is not a number: write Rust expressions as `$(..)`".into());
        }
        _ => {
            return error(
                "only numbers, `true`, `false` and `missing` are literals: write \
            Rust expressions as `$(..)`"
                    .into(),
            )
        }
    };
    let floats = ["f32", "f64"];
    let integers =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    let known = suffix.is_empty()
        || floats.contains(&suffix)
        || (integers.contains(&suffix) && matches!(lit, syn::Lit::Int(_)));
    if !known {
        let letters = suffix.starts_with(char::is_alphabetic)
            && suffix.len() < 3
            && !crate::types::primitive(suffix);
        if letters {
            let imaginary = match suffix {
                "j" | "i" => {
                    ", and an imaginary number is one of Rust, `$(Complex::new(0.0, 2.0))`"
                }
                _ => "",
            };
            return error(format!("`{suffix}` is no suffix of a number, such as that of `1u32` or `1.0f64`: a product is written `{} * {suffix}`{imaginary}", lit.to_token_stream().to_string().trim_end_matches(suffix)));
        }
        return error(format!(
            "`{suffix}` is no suffix of a number: write one such as `1u32` or `1.0f64`, or none"
        ));
    }
    let suffix = match &lit {
        // Whole numbers are one literal however written; that this one was a float is kept for
        // places whose type only rustc knows.
        syn::Lit::Float(_) if suffix.is_empty() => Some("float".to_string()),
        _ => (!suffix.is_empty()).then(|| suffix.to_string()),
    };
    Ok(Expr::Lit(value, suffix, span))
}
