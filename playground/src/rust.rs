//! The little Rust that stands in kernels: bodies of declared operators, `$(..)`, and constants such as `f64::INFINITY`.
//!
//! Arithmetic, conditions, definitions and calls are evaluated; anything else is said not to be.

use crate::methods;
use crate::value::{apply, Val};
use looplets_core::cin::Op;
use looplets_core::ops::Method;
use looplets_core::types::{join, Ty};
use std::collections::HashMap;

/// Functions by their names.
pub type Functions = HashMap<String, syn::ItemFn>;

/// What names stand for, and how many calls are left: recursion that does not end is stopped.
pub struct Rust<'a> {
    /// The functions of the program.
    pub functions: &'a Functions,
    /// Calls that are left.
    pub left: u32,
}

type Scope = Vec<(String, Val)>;

impl Rust<'_> {
    /// What `function` gives; literals in it are of type `ty`, if they say no other.
    pub fn call(&mut self, function: &syn::ItemFn, args: &[Val]) -> Result<Val, String> {
        self.left = self.left.checked_sub(1).ok_or("the function calls itself again and again")?;
        let mut scope: Scope = Vec::new();
        let mut ty = Ty::Unknown;
        for (input, value) in function.sig.inputs.iter().zip(args) {
            let syn::FnArg::Typed(typed) = input else { return Err(unknown("self")) };
            let syn::Pat::Ident(name) = &*typed.pat else { return Err(unknown("a pattern")) };
            let of = written(&typed.ty);
            if ty == Ty::Unknown {
                ty = of.clone();
            }
            scope.push((name.ident.to_string(), value.clone().to(&of)?));
        }
        if ty == Ty::Unknown || !looplets_core::types::primitive(ty.text()) {
            ty = match args.first() {
                Some(Val::Float(_)) => Ty::named("f64"),
                Some(Val::Int(_)) => Ty::named("i64"),
                _ => Ty::Unknown,
            };
        }
        let value = self.block(&function.block, &mut scope, &ty)?;
        match &function.sig.output {
            syn::ReturnType::Type(_, gives) => value.to(&written(gives)),
            syn::ReturnType::Default => Ok(value),
        }
    }

    fn block(&mut self, block: &syn::Block, scope: &mut Scope, ty: &Ty) -> Result<Val, String> {
        let around = scope.len();
        let mut last = Val::Tuple(Vec::new());
        for stmt in &block.stmts {
            last = match stmt {
                syn::Stmt::Local(local) => {
                    let Some(init) = &local.init else { return Err(unknown("a definition")) };
                    let value = self.expr(&init.expr, scope, ty)?;
                    match &local.pat {
                        syn::Pat::Ident(name) => scope.push((name.ident.to_string(), value)),
                        syn::Pat::Wild(_) => {}
                        _ => return Err(unknown("a pattern")),
                    }
                    Val::Tuple(Vec::new())
                }
                syn::Stmt::Expr(e, _) => self.expr(e, scope, ty)?,
                _ => return Err(unknown("a statement")),
            };
        }
        scope.truncate(around);
        Ok(last)
    }

    /// The value of `e`, whose literals are of type `ty` where nothing says another.
    pub fn expr(&mut self, e: &syn::Expr, scope: &mut Scope, ty: &Ty) -> Result<Val, String> {
        match e {
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Int(n) => n.base10_parse().map(Val::Int).map_err(|e| e.to_string()),
                syn::Lit::Float(x) => x.base10_parse().map(Val::Float).map_err(|e| e.to_string()),
                syn::Lit::Bool(b) => Ok(Val::Bool(b.value)),
                _ => Err(unknown("a literal")),
            },
            syn::Expr::Paren(inner) => self.expr(&inner.expr, scope, ty),
            syn::Expr::Group(inner) => self.expr(&inner.expr, scope, ty),
            syn::Expr::Reference(inner) => self.expr(&inner.expr, scope, ty),
            syn::Expr::Block(block) => self.block(&block.block, scope, ty),
            syn::Expr::Tuple(all) => {
                let parts = all.elems.iter().map(|e| self.expr(e, scope, ty));
                Ok(Val::Tuple(parts.collect::<Result<_, _>>()?))
            }
            syn::Expr::Path(path) => name(&path.path, scope),
            syn::Expr::If(one) => {
                match (self.expr(&one.cond, scope, ty)?.truth(), &one.else_branch) {
                    (true, _) => self.block(&one.then_branch, scope, ty),
                    (false, Some((_, otherwise))) => self.expr(otherwise, scope, ty),
                    (false, None) => Ok(Val::Tuple(Vec::new())),
                }
            }
            syn::Expr::Cast(cast) => Ok(self.expr(&cast.expr, scope, ty)?.cast(&written(&cast.ty))),
            syn::Expr::Unary(one) => {
                let value = self.expr(&one.expr, scope, ty)?;
                let of = type_of(&value, ty);
                match one.op {
                    syn::UnOp::Neg(_) => apply(&Op::Neg, &[value], &of, &of),
                    syn::UnOp::Not(_) => apply(&Op::Not, &[value], &of, &of),
                    _ => Ok(value),
                }
            }
            syn::Expr::Binary(two) => self.binary(two, scope, ty),
            syn::Expr::MethodCall(call) => {
                let mut args = vec![self.expr(&call.receiver, scope, ty)?];
                for a in &call.args {
                    args.push(self.expr(a, scope, ty)?);
                }
                self.method(&call.method.to_string(), &args, ty)
            }
            syn::Expr::Call(call) => {
                let args = call.args.iter().map(|a| self.expr(a, scope, ty));
                let args = args.collect::<Result<Vec<_>, _>>()?;
                let syn::Expr::Path(path) = &*call.func else { return Err(unknown("a call")) };
                self.named(&path.path, &args, ty)
            }
            other => Err(unknown(&quote::quote!(#other).to_string())),
        }
    }

    fn named(&mut self, path: &syn::Path, args: &[Val], ty: &Ty) -> Result<Val, String> {
        let last = path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match self.functions.get(&last).cloned() {
            Some(function) => self.call(&function, args),
            None if path.segments.len() > 1 => {
                let of = &path.segments[path.segments.len() - 2].ident;
                let of = Ty::named(&of.to_string());
                self.method(
                    &last,
                    args,
                    if looplets_core::types::primitive(of.text()) { &of } else { ty },
                )
            }
            None => Err(format!("`{last}` is Rust that this page does not have")),
        }
    }

    fn method(&mut self, name: &str, args: &[Val], ty: &Ty) -> Result<Val, String> {
        let of = args.first().map_or(Ty::Unknown, |v| type_of(v, ty));
        match (name, args) {
            ("min", [_, _]) => apply(&Op::Min, args, &of, &of),
            ("max", [_, _]) => apply(&Op::Max, args, &of, &of),
            ("hypot", [a, b]) => Ok(Val::Float(a.float().hypot(b.float()))),
            ("clone", [a]) => Ok(a.clone()),
            ("clamp", [x, lo, hi]) => {
                let low = apply(&Op::Max, &[x.clone(), lo.clone()], &of, &of)?;
                apply(&Op::Min, &[low, hi.clone()], &of, &of)
            }
            _ => match Method::named(name, args.len()) {
                Some(method) => methods::call(method, args, &of),
                None => Err(format!("`{name}` is Rust that this page does not have")),
            },
        }
    }

    fn binary(&mut self, two: &syn::ExprBinary, scope: &mut Scope, ty: &Ty) -> Result<Val, String> {
        let a = self.expr(&two.left, scope, ty)?;
        match two.op {
            syn::BinOp::And(_) if !a.truth() => return Ok(Val::Bool(false)),
            syn::BinOp::Or(_) if a.truth() => return Ok(Val::Bool(true)),
            _ => {}
        }
        let b = self.expr(&two.right, scope, ty)?;
        let sign = two.op;
        let sign = quote::quote!(#sign).to_string();
        let op = match sign.as_str() {
            "&&" => Op::And,
            "||" => Op::Or,
            sign => Op::written(sign, 2).ok_or_else(|| unknown(sign))?,
        };
        let meet = join(&type_of(&a, ty), &type_of(&b, ty));
        apply(&op, &[a, b], &meet, &meet)
    }
}

fn unknown(what: &str) -> String {
    format!("`{what}` is Rust that this page does not evaluate")
}

fn type_of(value: &Val, ty: &Ty) -> Ty {
    match value {
        Val::Float(_) if ty.is_float() => ty.clone(),
        Val::Float(_) => Ty::named("f64"),
        Val::Bool(_) => Ty::Bool,
        Val::Int(_) if ty.is_integer() => ty.clone(),
        Val::Int(_) => Ty::named("i64"),
        Val::Missing | Val::Tuple(_) => Ty::Unknown,
    }
}

/// A type as written, without a reference in front.
fn written(ty: &syn::Type) -> Ty {
    match ty {
        syn::Type::Reference(inner) => written(&inner.elem),
        other => Ty::of(&quote::quote!(#other)),
    }
}

fn name(path: &syn::Path, scope: &Scope) -> Result<Val, String> {
    let words: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    if let [one] = &words[..] {
        if let Some((_, value)) = scope.iter().rev().find(|(name, _)| name == one) {
            return Ok(value.clone());
        }
    }
    let last = words.last().map_or("", String::as_str);
    let of = words.len().checked_sub(2).map_or("", |k| words[k].as_str());
    let float = |x: f64| Ok(Val::Float(x));
    match (of, last) {
        ("f32" | "f64", "INFINITY") => float(f64::INFINITY),
        ("f32" | "f64", "NEG_INFINITY") => float(f64::NEG_INFINITY),
        ("f32" | "f64", "NAN") => float(f64::NAN),
        ("f64", "MAX") => float(f64::MAX),
        ("f64", "MIN") => float(f64::MIN),
        ("f64", "EPSILON") => float(f64::EPSILON),
        ("f32", "MAX") => float(f32::MAX.into()),
        ("f32", "MIN") => float(f32::MIN.into()),
        ("consts", "PI") => float(std::f64::consts::PI),
        ("consts", "E") => float(std::f64::consts::E),
        (ty, "MAX" | "MIN") => match Ty::named(ty).integers() {
            Some((least, Some(most))) => Ok(Val::Int(if last == "MAX" { most } else { least })),
            _ => Err(unknown(&words.join("::"))),
        },
        _ => Err(format!(
            "`{}` is a name of the Rust around, which this page does not have",
            words.join("::")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_calls_itself() {
        let gcd = "fn gcd(a: u64, b: u64) -> u64 { if b == 0 { a } else { gcd(b, a % b) } }";
        let functions = Functions::from([("gcd".to_owned(), syn::parse_str(gcd).unwrap())]);
        let mut rust = Rust { functions: &functions, left: 1000 };
        let of = |e: &str| syn::parse_str::<syn::Expr>(e).unwrap();
        let e = of("gcd(48, 36) + u64::MAX.min(1)");
        assert_eq!(rust.expr(&e, &mut Vec::new(), &Ty::named("u64")), Ok(Val::Int(13)));
        let e = of("{ let x = -0.5f64; x.abs().max(f64::NEG_INFINITY) * 2.0 }");
        assert_eq!(rust.expr(&e, &mut Vec::new(), &Ty::Unknown), Ok(Val::Float(1.0)));
        assert!(rust.expr(&of("std::env::args()"), &mut Vec::new(), &Ty::Unknown).is_err());
    }
}
