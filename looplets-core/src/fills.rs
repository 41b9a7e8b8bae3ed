//! What an expression is where nothing is stored: how the fill of an output is inferred when its
//! format leaves it open, and how a declared one is held against the program (SparseArrays section 3).

use crate::cin::*;
use crate::diagnostics::{Diagnostics, Errors};
use crate::kernel::*;
use crate::simplify::Simplifier;
use proc_macro2::TokenStream;
use quote::quote;

/// The value of `e` where every tensor in it is at its fill, if the compiler knows it: a literal or
/// the value of a fill marker. `None` also if a tensor in it stores everything.
pub fn at_fill(kernel: &Kernel, e: &Expr, simplifier: &mut Simplifier) -> Option<Expr> {
    declared_fill(kernel, e, simplifier).filter(|(_, left_out)| *left_out).map(|(value, _)| value)
}

/// The same by the fills that formats declare, also where everything is stored, with whether anything
/// may be left out.
pub fn declared_fill(
    kernel: &Kernel,
    e: &Expr,
    simplifier: &mut Simplifier,
) -> Option<(Expr, bool)> {
    let (mut whole, mut any) = (false, false);
    let filled = e.map(&mut |x| match x {
        Expr::Access(a) => {
            let tensor = kernel.tensor(kernel.get(*a).tensor);
            let clipped = kernel.get(*a).indices.iter().any(|i| !i.view.clips.is_empty());
            any = true;
            whole |= !tensor.leaves_out() || clipped;
            Some(tensor.fill.clone())
        }
        _ => None,
    });
    let value = simplifier.expr(&filled, kernel);
    is_value(&value).then_some((value, any && !whole))
}

/// Whether the compiler knows it: a literal, or the value of a fill marker.
pub fn is_value(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => *lit != Lit::Missing,
        Expr::Call(op, args) => args.is_empty() && op.name().starts_with("const:"),
        _ => false,
    }
}

/// Infers the fills that formats leave open, `Element<f64, _>`, and refuses declared ones that the
/// program contradicts.
pub fn settle(kernel: &mut Kernel, simplifier: &mut Simplifier) -> Result<(), Errors> {
    let mut errors = Diagnostics::new();
    let mut assigned = Vec::new();
    collect(&kernel.body, false, &kernel.explicit, &mut assigned);
    for k in 0..kernel.tensors.len() {
        let id = TensorId(k as u32);
        let of: Vec<&Assigned> = assigned
            .iter()
            .filter(|a| matches!(&a.target, Expr::Access(t) if kernel.get(*t).tensor == id))
            .collect();
        let tensor = kernel.tensor(id);
        let open = tensor.chain.open_fill();
        let single = match &of[..] {
            [one] if !one.partly && one.plain => Some(*one),
            _ => None,
        };
        if !open {
            let Some(one) = single else { continue };
            if tensor.role == Role::InOut || !tensor.leaves_out() || !tensor.chain.has_choice() {
                continue;
            }
            let Some(value) = at_fill(kernel, &one.value, simplifier) else { continue };
            let (Expr::Lit(is), Expr::Lit(declared)) = (&value, &tensor.fill) else { continue };
            let bool = tensor.value == Ty::Bool;
            if number(is, bool) != number(declared, bool) {
                let (name, is, declared) =
                    (&tensor.name, crate::algebra::literal(is), crate::algebra::literal(declared));
                let at = kernel.assigned_at.get(&name.to_string()).copied().unwrap_or(name.span());
                errors.error(at, format!(
                    "`{name}` is declared with fill {declared}, but what is assigned is {is} where nothing is stored: declare that fill, leave it open, `Element<.., _>`, or use a format that stores everything"));
            }
            continue;
        }
        let inferred = match single {
            Some(one) => at_fill(kernel, &one.value, simplifier),
            // What reductions do not touch stays as it started.
            None if of.iter().all(|a| !a.plain) => Some(Expr::int(0)),
            None => None,
        };
        match inferred.and_then(|v| marker(&v, &tensor.value, &kernel.krate)) {
            Some((fill, ty)) => kernel.tensors[k].set_fill(fill, &ty),
            None => {
                let name = &tensor.name;
                errors.error(name.span(), format!(
                    "the fill of `{name}` is left open, `_`, and the compiler does not know what is assigned where nothing is stored: name it, as in `Element<f64, Zero>`; your own by `fill!`"));
            }
        }
    }
    errors.check(())
}

fn number(lit: &Lit, bool: bool) -> Lit {
    match lit {
        Lit::Bool(b) if !bool => Lit::Int(i128::from(*b)),
        Lit::Int(n @ (0 | 1)) if bool => Lit::Bool(*n == 1),
        other => other.clone(),
    }
}

/// The fill and the marker type that names it.
fn marker(value: &Expr, ty: &Ty, krate: &TokenStream) -> Option<(Expr, TokenStream)> {
    let Expr::Lit(lit) = value else { return None };
    let lit = number(lit, *ty == Ty::Bool);
    let name = match &lit {
        Lit::Int(0) | Lit::Bool(false) => quote!(#krate::Zero),
        Lit::Bool(true) => quote!(#krate::True),
        Lit::Int(n) => {
            let n = proc_macro2::Literal::i64_unsuffixed(i64::try_from(*n).ok()?.checked_abs()?);
            let minus = matches!(&lit, Lit::Int(n) if *n < 0).then(|| quote!(-));
            quote!(#krate::Const<{ #minus #n }>)
        }
        Lit::Float(bits) if f64::from_bits(*bits) == f64::INFINITY => quote!(#krate::Inf),
        Lit::Float(bits) if f64::from_bits(*bits) == f64::NEG_INFINITY => quote!(#krate::NegInf),
        Lit::Float(_) | Lit::Missing => return None,
    };
    Some((Expr::Lit(lit), name))
}

struct Assigned {
    target: Expr,
    value: Expr,
    /// It overwrites.
    plain: bool,
    /// It does not reach every element.
    partly: bool,
}

fn collect(s: &Stmt, partly: bool, explicit: &[VarId], out: &mut Vec<Assigned>) {
    match s {
        Stmt::Assign { target, op, value } => out.push(Assigned {
            target: target.clone(),
            value: value.clone(),
            plain: op.is_none(),
            partly,
        }),
        Stmt::Loop { index, body, .. } => {
            collect(body, partly || explicit.contains(index), explicit, out)
        }
        Stmt::Let { body, .. } => collect(body, partly, explicit, out),
        Stmt::Sieve { then, otherwise, .. } => {
            collect(then, true, explicit, out);
            collect(otherwise, true, explicit, out);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| collect(s, partly, explicit, out)),
        Stmt::Where { consumer, producer, .. } => {
            collect(consumer, partly, explicit, out);
            collect(producer, partly, explicit, out);
        }
        Stmt::Pass => {}
    }
}
