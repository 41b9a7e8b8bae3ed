//! Expressions of an operator's cases as patterns: `case gcd(x, 0) = abs(x);`.

use super::{Algebra, Own};
use crate::cin::{Lit, Method, Op};
use crate::formats::{Library, Stop};
use crate::kernel::Ty;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;
use syn::{BinOp, Error, Expr, UnOp};

/// What the names of a case mean.
pub(super) struct Names<'a> {
    /// Variables of the left side.
    pub variables: Vec<String>,
    pub algebra: &'a mut Algebra,
    pub origin: &'a str,
    /// The law it is of.
    pub own: Own,
}

/// Functions of the language that are no infix operators.
pub fn language(name: &str) -> bool {
    let word = |op: &Op| !op.is_private();
    matches!(name, "=" | "missing")
        || Op::built_in(name).as_ref().is_some_and(word)
        || Method::by_name(name).is_some()
}

/// An argument on the left side: a new variable or a value.
pub(super) fn pattern(e: &Expr, names: &mut Names<'_>, library: &Library) -> Result<String, Stop> {
    if let Expr::Path(p) = e {
        if let Some(name) = p.path.get_ident().filter(|n| starts_small(&n.to_string())) {
            if !is_value(&name.to_string()) {
                names.variables.push(name.to_string());
                return Ok(format!("?{name}"));
            }
        }
    }
    expression(e, names, library)
}

fn is_value(name: &str) -> bool {
    matches!(name, "inf" | "nan" | "missing")
}

fn starts_small(name: &str) -> bool {
    name.starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// The literal that `e` is, and where it stands.
pub(super) fn literal(e: &Expr) -> Option<(Lit, Span)> {
    let (e, minus) = match e {
        Expr::Paren(p) => return literal(&p.expr),
        Expr::Group(g) => return literal(&g.expr),
        Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => (&*u.expr, true),
        e => (e, false),
    };
    match e {
        Expr::Lit(l) => Some((crate::decl::literal(&l.lit, minus)?, l.lit.span())),
        Expr::Path(p) if p.path.is_ident("inf") => {
            let x = if minus { f64::NEG_INFINITY } else { f64::INFINITY };
            Some((Lit::float(x), p.path.span()))
        }
        _ => None,
    }
}

/// Checks that the body of a case has no names but those of its left side, where it is declared.
pub(super) fn bound(args: &[Expr], body: &Expr) -> Result<(), Error> {
    let name = |e: &Expr| match e {
        Expr::Path(p) => p.path.get_ident().map(ToString::to_string).filter(|n| starts_small(n)),
        _ => None,
    };
    let names: Vec<String> = args.iter().filter_map(name).collect();
    bound_in(body, &names)
}

fn bound_in(e: &Expr, names: &[String]) -> Result<(), Error> {
    match e {
        Expr::Paren(p) => bound_in(&p.expr, names),
        Expr::Group(g) => bound_in(&g.expr, names),
        Expr::Unary(u) => bound_in(&u.expr, names),
        Expr::Binary(b) => bound_in(&b.left, names).and_then(|()| bound_in(&b.right, names)),
        Expr::Call(c) => c.args.iter().try_for_each(|a| bound_in(a, names)),
        Expr::MethodCall(m) => bound_in(&m.receiver, names),
        Expr::Path(p) => match p.path.get_ident().map(ToString::to_string) {
            Some(n) if starts_small(&n) && !names.contains(&n) && n != "inf" && n != "missing" => {
                Err(unbound(e, &n, names))
            }
            _ => Ok(()),
        },
        // Whatever else there is is refused where the case is used.
        _ => Ok(()),
    }
}

fn unbound(e: &Expr, name: &str, names: &[String]) -> Error {
    let has = match names {
        [] => "has no names".to_owned(),
        all => format!("has `{}`", all.join("`, `")),
    };
    Error::new_spanned(e, format!("`{name}` is not on the left side, which {has}"))
}

/// An expression over the variables.
pub(super) fn expression(
    e: &Expr,
    names: &mut Names<'_>,
    library: &Library,
) -> Result<String, Stop> {
    let wrong = || {
        Stop::Error(Error::new_spanned(e, "expected an expression of the language over the arguments: names, numbers, fill markers, infix operators and calls"))
    };
    Ok(match e {
        Expr::Paren(p) => expression(&p.expr, names, library)?,
        Expr::Group(g) => expression(&g.expr, names, library)?,
        Expr::Lit(l) => crate::decl::literal(&l.lit, false).ok_or_else(wrong)?.text(),
        Expr::Unary(u) => match (&u.op, &*u.expr) {
            (UnOp::Neg(_), Expr::Lit(l)) => {
                crate::decl::literal(&l.lit, true).ok_or_else(wrong)?.text()
            }
            (UnOp::Neg(_), Expr::Path(p)) if p.path.is_ident("inf") => "-inf".to_owned(),
            (UnOp::Neg(_), x) => format!("(neg {})", expression(x, names, library)?),
            (UnOp::Not(_), x) => format!("(not {})", expression(x, names, library)?),
            _ => return Err(wrong()),
        },
        Expr::Path(p) => match p.path.get_ident().map(ToString::to_string) {
            Some(name) if names.variables.contains(&name) => format!("?{name}"),
            Some(name) if is_value(&name) => name,
            Some(name) if starts_small(&name) => {
                return Err(Stop::Error(unbound(e, &name, &names.variables)));
            }
            _ => {
                let path = &p.path;
                names.algebra.marker(&quote!(#path), names.origin, &Ty::Unknown, library)?
            }
        },
        Expr::Binary(b) => {
            let (left, right) =
                (expression(&b.left, names, library)?, expression(&b.right, names, library)?);
            format!("({} {left} {right})", infix(&b.op).ok_or_else(wrong)?)
        }
        Expr::Call(c) => {
            let Expr::Path(f) = &*c.func else { return Err(wrong()) };
            let f = names.algebra.function(&f.path, names.origin, Some(names.own), library)?;
            let args = c
                .args
                .iter()
                .map(|a| expression(a, names, library))
                .collect::<Result<Vec<_>, _>>()?;
            format!("({f} {})", args.join(" "))
        }
        Expr::MethodCall(m) if m.args.is_empty() && language(&m.method.to_string()) => {
            format!("({} {})", m.method, expression(&m.receiver, names, library)?)
        }
        _ => return Err(wrong()),
    })
}

fn infix(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "+",
        BinOp::Sub(_) => "-",
        BinOp::Mul(_) => "*",
        BinOp::Div(_) => "/",
        BinOp::Rem(_) => "%",
        BinOp::And(_) => "and",
        BinOp::Or(_) => "or",
        BinOp::BitAnd(_) => "&",
        BinOp::BitOr(_) => "|",
        BinOp::BitXor(_) => "^",
        BinOp::Shl(_) => "<<",
        BinOp::Shr(_) => ">>",
        BinOp::Eq(_) => "==",
        BinOp::Ne(_) => "!=",
        BinOp::Lt(_) => "<",
        BinOp::Le(_) => "<=",
        BinOp::Gt(_) => ">",
        BinOp::Ge(_) => ">=",
        _ => return None,
    })
}
