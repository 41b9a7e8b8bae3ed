//! What an expression is where nothing is stored: how the fill of an output is inferred when its
//! format leaves it open, and how a declared one is held against the program (SparseArrays section 3).

use crate::cin::*;
use crate::diagnostics::{Diagnostics, Errors};
use crate::kernel::*;
use crate::locals::{definitions, reached, Locals};
use crate::simplify::Simplifier;
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::BTreeMap;

/// The value of `e` where every tensor in it is at the fill that its format declares, whether or not it
/// stores everything, if the compiler knows it: a literal or the value of a fill marker.
pub fn at_fill(kernel: &Kernel, e: &Expr, simplifier: &mut Simplifier) -> Option<Expr> {
    at_fill_of(kernel, e, &Locals::new(), simplifier)
}

/// [`at_fill`] of what is made of `lets`, each of which is looked at once.
fn at_fill_of(
    kernel: &Kernel,
    e: &Expr,
    lets: &Locals,
    simplifier: &mut Simplifier,
) -> Option<Expr> {
    let mut known: BTreeMap<VarId, Expr> = BTreeMap::new();
    let filled = |e: &Expr, known: &BTreeMap<VarId, Expr>| {
        e.map(&mut |x| match x {
            Expr::Access(a) => Some(kernel.tensor(kernel.get(*a).tensor).fill.clone()),
            Expr::Var(v) => known.get(v).cloned(),
            _ => None,
        })
    };
    for v in reached(e, lets) {
        let value = simplifier.expr(&filled(&lets[&v], &known), kernel);
        if !value.is_larger(Expr::SHORT) {
            known.insert(v, value);
        }
    }
    let value = simplifier.expr(&filled(e, &known), kernel);
    is_value(&value).then_some(value)
}

/// Whether the compiler knows it: a literal, or the value of a fill marker.
pub fn is_value(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => *lit != Lit::Missing,
        Expr::Call(op, args) => args.is_empty() && matches!(op, Op::Constant(_) | Op::Nan),
        _ => false,
    }
}

/// Infers the fills that formats leave open, `Element<f64, _>`, and refuses declared ones that the
/// program contradicts.
pub fn settle(kernel: &mut Kernel, simplifier: &mut Simplifier) -> Result<(), Errors> {
    let mut errors = Diagnostics::new();
    let mut assigned = Vec::new();
    collect(&kernel.body, false, &kernel.explicit, &mut assigned);
    let lets = definitions(&kernel.body);
    let mut open: Vec<TensorId> = Vec::new();
    for k in 0..kernel.tensors.len() {
        let id = TensorId(k as u32);
        let tensor = kernel.tensor(id);
        if tensor.chain.open_fill() {
            open.push(id);
            continue;
        }
        let single = match &of(kernel, &assigned, id)[..] {
            [one] if !one.partly && one.plain => *one,
            _ => continue,
        };
        if tensor.role == Role::InOut || !tensor.leaves_out() || !tensor.chain.has_choice() {
            continue;
        }
        if let Some((is, declared)) = disagreement(kernel, &single.value, &lets, tensor, simplifier)
        {
            let at = kernel.assigned_at.get(&tensor.name.to_string()).copied();
            let (at, (name, _)) = (at.unwrap_or(tensor.name.span()), tensor.called(0));
            errors.error(at, format!(
                "`{name}` is declared with fill {declared}, but what is assigned is {is} where nothing is stored: declare that fill, leave it open, `{}`, assign where something is stored alone, `if .. != 0 {{ .. }}`, or use a format that stores everything", tensor.chain.opened()));
        }
    }
    // What a result is gathered in is known before the result is.
    loop {
        let before = open.len();
        open.retain(|&id| {
            let value = inferred(kernel, &of(kernel, &assigned, id), id, &lets, simplifier);
            let named = value.and_then(|v| marker(&v, &kernel.tensor(id).value, kernel));
            let found = named.is_some();
            if let Some((fill, ty)) = named {
                kernel.tensors[id.0 as usize].set_fill(fill, &ty);
            }
            !found
        });
        if open.is_empty() || open.len() == before {
            break;
        }
    }
    for id in open {
        // What is gathered is the result's.
        let tensor = kernel.tensor(id);
        let name = &tensor.name;
        if kernel.gathered_for(tensor).name == *name {
            errors.error(tensor.name.span(), format!(
                "the fill of `{name}` is left open, `_`, and the compiler does not know what is assigned where nothing is stored, or what reductions start from: name it in the leaf; your own by `fill!`"));
        }
    }
    errors.check(())
}

/// The assignments to the tensor `id`.
fn of<'a>(kernel: &Kernel, assigned: &'a [Assigned], id: TensorId) -> Vec<&'a Assigned> {
    let to = |a: &&Assigned| matches!(&a.target, Expr::Access(t) if kernel.get(*t).tensor == id);
    assigned.iter().filter(to).collect()
}

/// The fill of the tensor `id`, to which `of` is all that is assigned, if that says it.
fn inferred(
    kernel: &Kernel,
    of: &[&Assigned],
    id: TensorId,
    lets: &Locals,
    simplifier: &mut Simplifier,
) -> Option<Expr> {
    // What is written in part only is the same where nothing is stored.
    match of {
        [one, rest @ ..] if one.plain && rest.iter().all(|a| a.plain) => {
            let mut fill = |a: &Assigned| at_fill_of(kernel, &a.value, lets, simplifier);
            let value = fill(one);
            value.filter(|value| rest.iter().all(|a| fill(a).as_ref() == Some(value)))
        }
        [one, rest @ ..] if !one.plain && rest.iter().all(|a| a.op == one.op) => {
            one.op.as_ref().and_then(|op| identity(op, &kernel.tensor(id).value))
        }
        _ => None,
    }
}

/// What is assigned where nothing is stored and the declared fill, if they are known to differ.
fn disagreement(
    kernel: &Kernel,
    assigned: &Expr,
    lets: &Locals,
    tensor: &Tensor,
    simplifier: &mut Simplifier,
) -> Option<(String, String)> {
    let declared = match &tensor.fill {
        Expr::Lit(lit) => lit.text(),
        fill if *fill == Expr::call(Op::Nan, []) => "NaN".to_owned(),
        _ => return None,
    };
    let parts = reached(assigned, lets);
    if !leaves_out(kernel, parts.iter().map(|v| &lets[v]).chain([assigned])) {
        return None;
    }
    let value = at_fill_of(kernel, assigned, lets, simplifier);
    if let (Some(Expr::Lit(is)), Expr::Lit(lit)) = (&value, &tensor.fill) {
        let bool = tensor.value == Ty::Bool;
        let differ = number(is, bool) != number(lit, bool);
        return differ.then(|| (is.text(), declared));
    }
    // What rules do not compute, floats may tell; other last digits are no disagreement.
    if !tensor.value.is_float() {
        return None;
    }
    let mut floats = BTreeMap::new();
    for v in parts {
        floats.extend(float(kernel, &lets[&v], &floats).map(|x| (v, x)));
    }
    let (is, want) = (float(kernel, assigned, &floats)?, float(kernel, &tensor.fill, &floats)?);
    let close = is == want
        || (is.is_nan() && want.is_nan())
        || want.is_finite() && (is - want).abs() <= 1e-6 * want.abs();
    (!close).then(|| (format!("{is}"), declared))
}

/// Whether something in `parts` may be left out, and nothing is stored everywhere.
fn leaves_out<'a>(kernel: &Kernel, parts: impl Iterator<Item = &'a Expr>) -> bool {
    let (mut any, mut whole) = (false, false);
    parts.for_each(|e| {
        e.walk(&mut |x| {
            if let Expr::Access(a) = x {
                let clipped = kernel.get(*a).indices.iter().any(|i| i.view.may_be_missing());
                let leaves_out = kernel.tensor(kernel.get(*a).tensor).leaves_out();
                any = true;
                whole |= clipped || !leaves_out;
            }
        })
    });
    any && !whole
}

/// The value of `e` in floats where every tensor in it is at its fill, and locals are these.
fn float(kernel: &Kernel, e: &Expr, locals: &BTreeMap<VarId, f64>) -> Option<f64> {
    Some(match e {
        Expr::Var(v) => *locals.get(v)?,
        Expr::Lit(Lit::Int(n)) => *n as f64,
        Expr::Lit(Lit::Float(bits)) => f64::from_bits(*bits),
        Expr::Access(a) => {
            let tensor = kernel.tensor(kernel.get(*a).tensor);
            return tensor.value.is_float().then(|| float(kernel, &tensor.fill, locals)).flatten();
        }
        Expr::Call(op, args) => {
            let args: Option<Vec<f64>> = args.iter().map(|a| float(kernel, a, locals)).collect();
            match (op, &args?[..]) {
                (Op::Nan, _) => f64::NAN,
                (Op::Add, [a, rest @ ..]) => rest.iter().fold(*a, |a, b| a + b),
                (Op::Mul, [a, rest @ ..]) => rest.iter().fold(*a, |a, b| a * b),
                (Op::Sub, [a, b]) => a - b,
                (Op::Div, [a, b]) => a / b,
                (Op::Neg, [a]) => -a,
                (Op::Method(Method::Abs), [a]) => a.abs(),
                (Op::Method(Method::Sqrt), [a]) => a.sqrt(),
                (Op::Method(Method::Exp), [a]) => a.exp(),
                (Op::Min, [a, rest @ ..]) => rest.iter().fold(*a, |a, b| a.min(*b)),
                (Op::Max, [a, rest @ ..]) => rest.iter().fold(*a, |a, b| a.max(*b)),
                (Op::Cast(ty) | Op::As(ty), [a]) if ty.text() == "f64" => *a,
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn number(lit: &Lit, bool: bool) -> Lit {
    match lit {
        Lit::Bool(b) if !bool => Lit::Int(i128::from(*b)),
        Lit::Int(n @ (0 | 1)) if bool => Lit::Bool(*n == 1),
        other => other.clone(),
    }
}

/// What a reduction by `op` starts from: values of `ty` that are reduced into it stay what they are.
pub(crate) fn identity(op: &Op, ty: &Ty) -> Option<Expr> {
    let (least, greatest) = match (ty, ty.limits()) {
        (_, Some((least, greatest))) => (Expr::int(least), Expr::int(greatest)),
        (ty, None) if ty.is_float() => {
            (Expr::Lit(Lit::float(f64::NEG_INFINITY)), Expr::Lit(Lit::float(f64::INFINITY)))
        }
        _ => (Expr::bool(false), Expr::bool(true)),
    };
    let bounded = *ty == Ty::Bool || ty.is_float() || ty.limits().is_some();
    match op {
        Op::Add | Op::Sub | Op::BitOr | Op::BitXor | Op::Choose => Some(Expr::int(0)),
        Op::Mul | Op::Div => Some(Expr::int(1)),
        Op::Or => Some(Expr::bool(false)),
        Op::And => Some(Expr::bool(true)),
        Op::Min if bounded => Some(greatest),
        Op::Max if bounded => Some(least),
        Op::BitAnd if *ty == Ty::Bool => Some(Expr::bool(true)),
        // All bits set.
        Op::BitAnd => ty.limits().map(|(least, most)| Expr::int(if least < 0 { -1 } else { most })),
        _ => None,
    }
}

/// The fill and the marker type that names it.
fn marker(value: &Expr, ty: &Ty, kernel: &Kernel) -> Option<(Expr, TokenStream)> {
    let krate = &kernel.krate;
    let Expr::Lit(lit) = value else {
        // As another tensor of the program names it.
        let same = |t: &&Tensor| t.fill == *value && t.value == *ty && !t.chain.open_fill();
        let found = kernel.tensors.iter().find(same).map(|t| t.chain.fill_type.clone());
        let nan = (*value == Expr::call(Op::Nan, [])).then(|| quote!(#krate::NaN));
        return Some((value.clone(), found.or(nan)?));
    };
    let lit = ty.value(&number(lit, *ty == Ty::Bool)).ok()?;
    let name = match &lit {
        Lit::Int(0) | Lit::Bool(false) => quote!(#krate::Zero),
        Lit::Bool(true) => quote!(#krate::True),
        // There is a constant of each primitive type of numbers.
        Lit::Int(_) if ty.is_complex() => return None,
        Lit::Int(n) if *n == i128::from(u64::MAX) => quote!(#krate::semiring::MaxU64),
        Lit::Int(n) => {
            let n = i64::try_from(*n).ok()?.unsigned_abs();
            let n = proc_macro2::Literal::u64_unsuffixed(n);
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
    /// What it reduces by otherwise.
    op: Option<Op>,
    /// It does not reach every element.
    partly: bool,
}

fn collect(s: &Stmt, partly: bool, explicit: &[VarId], out: &mut Vec<Assigned>) {
    match s {
        Stmt::Assign { target, op, value } => out.push(Assigned {
            target: target.clone(),
            value: value.clone(),
            plain: op.is_none(),
            op: op.clone(),
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
