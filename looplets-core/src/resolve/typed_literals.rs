//! Literals that say their type, `1u8`, and constants of Rust: tokens, of which rules know the value where what they meet has
//! their type.

use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The type of a constant that a primitive type has, `u8::MAX`, `f64::consts::PI`, as far as its path tells.
fn type_of_constant(path: &syn::Path) -> Ty {
    let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match &names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [.., ty, "MIN" | "MAX"] | [.., ty, "consts", _] if primitive(ty) => Ty::named(ty),
        [.., ty @ ("f32" | "f64"), "EPSILON" | "MIN_POSITIVE"] => Ty::named(ty),
        _ => Ty::Unknown,
    }
}

/// The number that `path` names, if it is a limit of an integer type as wide everywhere.
fn limit(path: &syn::Path, ty: &Ty) -> Option<Lit> {
    let (least, most) = ty.limits().filter(|_| !super::expr::is_size(ty))?;
    match path.segments.last()?.ident.to_string().as_str() {
        "MAX" => Some(Lit::Int(most)),
        "MIN" => Some(Lit::Int(least)),
        _ => None,
    }
}

impl Resolver<'_> {
    /// A constant of Rust.
    pub(super) fn constant(&mut self, path: &syn::Path) -> Expr {
        let ty = type_of_constant(path);
        let raw = self.kernel.raw(path.to_token_stream(), Vec::new(), ty.clone());
        let lit = limit(path, &ty);
        self.knows_literal(raw, lit, ty)
    }

    /// A literal with a minus sign: `-128i8` is one number, and so is `-0.0`.
    pub(super) fn negative(&mut self, op: &ast::OpRef, args: &[ast::Expr]) -> Option<Expr> {
        let (Op::Neg, [ast::Expr::Lit(lit, Some(suffix), span)]) = (&op.op, args) else {
            return None;
        };
        let negated = match lit {
            Lit::Int(0) if suffix.starts_with('f') => Lit::Float((-0.0f64).to_bits()),
            Lit::Int(n) => Lit::Int(-n),
            Lit::Float(bits) => Lit::Float((-f64::from_bits(*bits)).to_bits()),
            _ => return None,
        };
        Some(match suffix.as_str() {
            "float" => Expr::Lit(negated),
            suffix => self.suffixed(&negated, suffix, *span),
        })
    }

    pub(super) fn suffixed(&mut self, lit: &Lit, suffix: &str, span: proc_macro2::Span) -> Expr {
        let ty = Ty::Named(suffix.to_owned());
        if ty.value(lit).is_err() {
            let shown = lit.text();
            self.errors.error(span, format!("`{shown}` does not fit `{suffix}`, the type that its suffix says: write another suffix, or a number that fits"));
            return Expr::int(0);
        }
        let mut token = match lit {
            Lit::Int(n) => format!("{n}{suffix}").parse::<TokenStream>(),
            Lit::Float(bits) => format!("{}{suffix}", ty.digits(f64::from_bits(*bits))).parse(),
            _ => "0".parse(),
        }
        .unwrap_or_default();
        token = token
            .into_iter()
            .map(|mut t| {
                t.set_span(span);
                t
            })
            .collect();
        let raw = self.kernel.raw(token, Vec::new(), ty.clone());
        self.knows_literal(raw, Some(lit.clone()), ty)
    }

    /// Notes that `raw` is the literal `lit` of the type `ty`.
    fn knows_literal(&mut self, raw: Expr, lit: Option<Lit>, ty: Ty) -> Expr {
        if let (Expr::Raw(r), Some(lit)) = (&raw, lit) {
            self.typed_literals.insert(*r, (lit, ty));
        }
        raw
    }

    /// The literal `e` where only rustc knows its type: one of floats has to look like one, and one that
    /// some types do not have has to stand at its token, for rustc to say so.
    pub(super) fn as_written(&mut self, e: &ast::Expr) -> Option<Expr> {
        let (lit, suffix, span, minus) = match e {
            ast::Expr::Lit(lit, suffix, span) => (lit, suffix, span, ""),
            ast::Expr::Call { op, args } => match (&op.op, &args[..]) {
                (Op::Neg, [ast::Expr::Lit(lit, suffix, span)]) => (lit, suffix, span, "-"),
                _ => return None,
            },
            _ => return None,
        };
        let text = match (lit, suffix.as_deref()) {
            (Lit::Int(n), Some("float")) => format!("{minus}{n}.0"),
            (Lit::Int(n), None) if *n > 127 => format!("{minus}{n}"),
            _ => return None,
        };
        let tokens = text.parse::<TokenStream>().unwrap_or_default().into_iter();
        let tokens = tokens.map(|mut t| {
            t.set_span(*span);
            t
        });
        Some(self.kernel.raw(tokens.collect(), Vec::new(), Ty::Unknown))
    }

    /// Makes literals with a suffix, and the limits of a type, literals like others where what they meet has their type: rules
    /// know nothing of Rust's, and would look at `x[i] != 0u32` where `x` stores nothing.
    pub(super) fn bare_literals(&self, values: &mut [Expr]) {
        // Laws of zeros leave signs away.
        if self.kernel.strict {
            return;
        }
        let typed = |e: &Expr| match e {
            Expr::Raw(r) => self.typed_literals.get(r).cloned(),
            _ => None,
        };
        for k in 0..values.len() {
            let Some((lit, ty)) = typed(&values[k]) else { continue };
            let others = values.iter().filter(|e| typed(e).is_none());
            let met = others.clone().any(|e| self.kernel.type_of(e).is_some());
            if met && others.filter_map(|e| self.kernel.type_of(e)).all(|t| t == ty) {
                values[k] = Expr::Lit(lit);
            }
        }
    }
}
