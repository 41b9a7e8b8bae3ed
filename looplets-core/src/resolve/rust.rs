//! Rust expressions in a program, `$(..)`, and their types as far as names of the kernel and casts tell them:
//! a number beside one needs a type, and rustc is asked too late to give it.

use super::expr::Position;
use super::{Meaning, Resolver};
use crate::cin::{self, Op};
use crate::kernel::Ty;
use crate::types::primitive;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Expr, Lit, UnOp};

impl Resolver<'_> {
    /// The value of `$(tokens)`.
    pub(super) fn rust(&mut self, tokens: &TokenStream) -> cin::Expr {
        if let Some(size) = self.size_in_rust(tokens) {
            let counts = self.position.is_coordinate() || self.position == Position::Compared;
            // By itself it is what it is in Rust.
            let usize = Op::Cast(Ty::named("usize"));
            return if counts { size } else { cin::Expr::call(usize, [size]) };
        }
        let ty = self.rust_type(tokens);
        let (tokens, names) = self.embedded(tokens);
        self.kernel.raw(quote!((#tokens)), names, ty)
    }

    /// The type of the expression `tokens`: unknown unless it is one of Rust's own. Sizes stay unknown too,
    /// since a sum of sizes that Rust makes is not cut as ours are.
    fn rust_type(&self, tokens: &TokenStream) -> Ty {
        let rust = syn::parse2::<Expr>(tokens.clone());
        rust.ok().and_then(|e| self.type_in_rust(&e)).unwrap_or(Ty::Unknown)
    }

    fn type_in_rust(&self, e: &Expr) -> Option<Ty> {
        match e {
            Expr::Paren(e) => self.type_in_rust(&e.expr),
            Expr::Group(e) => self.type_in_rust(&e.expr),
            Expr::Cast(cast) => {
                let syn::Type::Path(path) = &*cast.ty else { return None };
                own(Ty::named(&path.path.get_ident()?.to_string()))
            }
            Expr::Path(path) => match self.lookup(path.path.get_ident()?)? {
                Meaning::Var(v) => own(self.kernel.info(v).ty.clone()),
                _ => None,
            },
            Expr::Unary(e) => match e.op {
                UnOp::Neg(_) | UnOp::Not(_) => self.type_in_rust(&e.expr),
                _ => None,
            },
            Expr::Binary(e) => match &e.op.to_token_stream().to_string()[..] {
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||" => Some(Ty::Bool),
                // Operators may be overloaded: two numbers of one type give another, and nothing else does.
                "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" => {
                    match (self.type_in_rust(&e.left), self.type_in_rust(&e.right)) {
                        (Some(left), Some(right)) => (left == right).then_some(left),
                        (Some(left), None) => is_number(&e.right).then_some(left),
                        (None, right) => right.filter(|_| is_number(&e.left)),
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether `e` is a number that takes the type of what is beside it.
fn is_number(e: &Expr) -> bool {
    let Expr::Lit(lit) = e else { return false };
    match &lit.lit {
        Lit::Int(lit) => lit.suffix().is_empty(),
        Lit::Float(lit) => lit.suffix().is_empty(),
        _ => false,
    }
}

/// `ty`, if it is one of Rust's own and no size.
fn own(ty: Ty) -> Option<Ty> {
    let known = match &ty {
        Ty::Bool => true,
        Ty::Named(name) => primitive(name) && !super::expr::is_size(&ty),
        Ty::Index | Ty::Own | Ty::Unknown => false,
    };
    known.then_some(ty)
}
