//! Calls of helpers: what they take in kernels, and the functions that call them.

use super::terms::gives;
use super::*;
use syn::{BinOp, Expr, UnOp};

impl Home {
    /// What a helper takes for `arg` in a kernel; `None` if only rustc knows.
    pub(super) fn parameter(&self, arg: &Expr) -> Option<Parameter> {
        Some(match arg {
            Expr::Paren(p) => self.parameter(&p.expr)?,
            Expr::Group(g) => self.parameter(&g.expr)?,
            Expr::Lit(_) => Parameter::Here(arg.to_token_stream()),
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                let constant =
                    |(n, ty): &&(String, Option<TokenStream>)| *n == name && ty.is_some();
                if let Some(ty) = self.state_type(&name) {
                    return Some(Parameter::Array(quote!(&#ty)));
                }
                match (self.array(&name), self.params.iter().find(constant)) {
                    (Some(elem), _) => Parameter::Array(quote!(&[#elem])),
                    (None, _) if self.is_number(&name) => Parameter::Term(quote!(i64), false),
                    (None, Some((_, Some(ty)))) if ty.to_string() == "bool" => {
                        Parameter::Here(arg.to_token_stream())
                    }
                    (None, Some(_)) => Parameter::Here(quote!((#p as i64))),
                    (None, None) => return None,
                }
            }
            Expr::Index(x) if self.is_array(&x.expr) => {
                let Expr::Path(p) = &*x.expr else { return None };
                let elem = self.array(&p.path.get_ident()?.to_string())?;
                match elem.to_token_stream().to_string().as_str() {
                    ty @ ("bool" | "f32" | "f64" | "char") => {
                        let ty = format_ident!("{ty}");
                        Parameter::Term(quote!(#ty), false)
                    }
                    _ => Parameter::Term(quote!(i64), false),
                }
            }
            Expr::Cast(c) if self.means_one_thing(c.to_token_stream()) => {
                Parameter::Term(c.ty.to_token_stream(), false)
            }
            Expr::Call(c) if least_or_greatest(c) => Parameter::Term(quote!(i64), false),
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => Parameter::Term(quote!(i64), false),
            Expr::Binary(b) => match b.op {
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                    Parameter::Term(quote!(i64), false)
                }
                BinOp::And(_)
                | BinOp::Or(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
                | BinOp::Eq(_)
                | BinOp::Ne(_) => Parameter::Term(quote!(bool), true),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// A call of a helper.
    pub(super) fn helper(
        &mut self,
        c: &mut syn::ExprCall,
        parameters: Vec<Parameter>,
        condition: bool,
    ) -> Result<()> {
        let (mut params, mut inside) = (Vec::new(), Vec::new());
        let mut args = syn::punctuated::Punctuated::new();
        for (k, (mut arg, parameter)) in
            std::mem::take(&mut c.args).into_iter().zip(parameters).enumerate()
        {
            let name = format_ident!("a{k}", span = Span::mixed_site());
            let ty = match parameter {
                Parameter::Here(code) => {
                    inside.push(code);
                    continue;
                }
                Parameter::Array(ty) => ty,
                Parameter::Term(ty, condition) => {
                    self.term(&mut arg, condition)?;
                    ty
                }
            };
            params.push(quote!(#name: #ty));
            inside.push(name.to_token_stream());
            args.push(arg);
        }
        c.args = args;
        let (_, gives) = gives(condition);
        self.called(c, &params, &inside, &gives)
    }

    pub(super) fn called(
        &mut self,
        c: &mut syn::ExprCall,
        params: &[TokenStream],
        inside: &[TokenStream],
        gives: &TokenStream,
    ) -> Result<()> {
        let path = c.func.to_token_stream();
        let hint = match &*c.func {
            Expr::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        let hint = hint.unwrap_or_else(|| "helper".to_owned());
        let body = quote!(#path(#(#inside),*));
        let call = self.function(hint.trim_start_matches("r#"), params, gives, &body, path);
        *c.func = syn::parse2(call)?;
        Ok(())
    }
}

/// Whether it is a call of `min` or `max`, which are the compiler's own.
pub(super) fn least_or_greatest(c: &syn::ExprCall) -> bool {
    matches!(c.func.to_token_stream().to_string().as_str(), "min" | "max")
}

/// What a helper takes for an argument.
pub(super) enum Parameter {
    /// What means the same in the function: a literal, a constant.
    Here(TokenStream),
    /// An array, as this.
    Array(TokenStream),
    /// A term of this type, and whether that is a condition.
    Term(TokenStream, bool),
}
