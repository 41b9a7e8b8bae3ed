//! Warns of results that are reduced from a value that takes part: the greatest of negative numbers is not 0, and no
//! product that starts at 0 is anything else.

use crate::ast::Passing;
use crate::cin::*;
use crate::decl::identity::shown;
use crate::diagnostics::text;
use crate::fills::identity;
use crate::kernel::*;
use crate::methods::Method;
use std::collections::{BTreeMap, BTreeSet};

/// What is reduced into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Into {
    Tensor(TensorId),
    Scalar(VarId),
}

/// Looks at the first assignment to each tensor and scalar that is made new.
pub fn check(kernel: &mut Kernel) {
    let mut seen: BTreeSet<Into> = BTreeSet::new();
    let mut set: BTreeMap<Into, &Expr> = BTreeMap::new();
    leading(kernel, &kernel.body, &mut set);
    let mut found = Vec::new();
    let mut defined = BTreeMap::new();
    definitions(&kernel.body, &mut defined);
    let positive = positive(kernel, &defined);
    reductions(kernel, &kernel.body, None, &mut |target, op, value| {
        let into = match target {
            Expr::Access(a) => Into::Tensor(kernel.get(*a).tensor),
            Expr::Var(v) => Into::Scalar(*v),
            _ => return,
        };
        let new = seen.insert(into);
        match op {
            None if set.get(&into).is_some_and(|start| std::ptr::eq(*start, value)) => {}
            None => drop(set.remove(&into)),
            Some(op) => {
                let start = set.remove(&into).cloned();
                let (start, new) = match start {
                    Some(start) => (Some(start), false),
                    None => (started(kernel, into).filter(|_| new), new),
                };
                let known = Known { kernel, defined: &defined, positive: &positive };
                let recurs = matches!(into, Into::Tensor(t) if reads(kernel, value, t));
                let counts = new && (*op != Op::Max || !known.is_from_zero_on(value) && !recurs);
                let takes_part = counts.then(|| warning(kernel, into, op)).flatten();
                let stays = || absorbed(kernel, into, op, &start?);
                found.extend(takes_part.or_else(stays));
            }
        }
    });
    for warning in found {
        kernel.warn(warning);
    }
}

/// What the first statements of `stmt` assign, where these are literals; whether that is all of it.
fn leading<'a>(kernel: &Kernel, stmt: &'a Stmt, out: &mut BTreeMap<Into, &'a Expr>) -> bool {
    match stmt {
        Stmt::Assign { target, op: None, value: value @ Expr::Lit(_) } => {
            let into = match target {
                Expr::Access(a) => Into::Tensor(kernel.get(*a).tensor),
                Expr::Var(v) => Into::Scalar(*v),
                _ => return false,
            };
            out.insert(into, value);
            true
        }
        Stmt::Seq(all) => all.iter().all(|s| leading(kernel, s, out)),
        Stmt::Pass => true,
        _ => false,
    }
}

/// What `into` is before anything is assigned to it, if the kernel makes it.
fn started(kernel: &Kernel, into: Into) -> Option<Expr> {
    match into {
        Into::Tensor(t) => {
            let tensor = kernel.tensor(t);
            let made = matches!(tensor.role, Role::Output | Role::Workspace);
            made.then(|| tensor.fill.clone())
        }
        Into::Scalar(v) => {
            let passed =
                |p: &(_, Passing, _, ParamIs)| p.3 == ParamIs::Scalar(v) && p.1 == Passing::Mutable;
            let made = !kernel.params.iter().any(passed);
            made.then(|| zero(&kernel.info(v).ty))
        }
    }
}

fn zero(ty: &Ty) -> Expr {
    if *ty == Ty::Bool {
        Expr::bool(false)
    } else {
        Expr::int(0)
    }
}

/// The warning if nothing that `op` reduces into `start` changes that, or each value of an unsigned type leads below 0.
fn absorbed(kernel: &Kernel, into: Into, op: &Op, start: &Expr) -> Option<Warning> {
    let (name, ty) = match into {
        Into::Tensor(t) => (kernel.tensor(t).name.to_string(), kernel.tensor(t).value.clone()),
        Into::Scalar(v) => (kernel.info(v).name.clone(), kernel.info(v).ty.clone()),
    };
    let Expr::Lit(lit) = start else { return None };
    let is = |x: f64| *lit == Lit::float(x);
    let unsigned = ty.is_unsigned() || ty == Ty::Index || ty.text() == "usize";
    let none = matches!(lit, Lit::Int(0) | Lit::Bool(false)) || is(0.0) || is(-0.0);
    let limit = |n: &dyn Fn((i128, i128)) -> i128| {
        ty.limits().is_some_and(|limits| *lit == Lit::Int(n(limits)))
    };
    let keeps = match op {
        Op::Min => is(f64::NEG_INFINITY) || unsigned && none || limit(&|(least, _)| least),
        Op::Max => is(f64::INFINITY) || limit(&|(_, greatest)| greatest),
        Op::Add | Op::Sub => is(f64::INFINITY) || is(f64::NEG_INFINITY),
        Op::Mul | Op::And | Op::BitAnd => none,
        Op::Or => *lit == Lit::Bool(true),
        _ => false,
    };
    let below = *op == Op::Sub && unsigned && none;
    if !keeps && !below {
        return None;
    }
    let span = kernel.assigned_at.get(&name).copied()?;
    let (of, by) = (type_name(&ty), shown(&op.name()));
    let size = (of == "usize" && *op == Op::Min).then(|| "usize::MAX".to_owned());
    let start = match (written(start, &ty), lit) {
        (Some(start), _) => start,
        (None, lit) => lit.text(),
    };
    let neutral = size.or_else(|| written(&identity(op, &ty)?, &ty));
    let cure = match (into, neutral) {
        _ if below => "declare it signed, or start at what it is taken from".to_owned(),
        (Into::Scalar(v), Some(neutral)) => {
            format!("say what `{0}` starts at, `{0}: {of} = {neutral}`", kernel.called(v))
        }
        (Into::Tensor(t), _) => {
            let open = kernel.gathered_for(kernel.tensor(t)).chain.opened();
            match of == "usize" {
                // What the greatest `usize` is depends on where the kernel runs.
                true => format!("declare it with `u64` and leave the fill in its format open, `{}`, for what `{by}` leaves as it is", open.replace("usize", "u64")),
                false => format!("leave the fill in its format open, `{open}`, for what `{by}` leaves as it is"),
            }
        }
        (_, None) => format!("start at what `{by}` leaves as it is"),
    };
    let note = match below {
        true => format!("`{name}` starts at 0, and `{of}` has nothing below: {cure}"),
        false => format!(
            "what `{by}` reduces into starts at `{start}`, which it stays, whatever comes: {cure}"
        ),
    };
    Some(Warning { span, name: "reduced_from_what_stays", note })
}

/// The target of each assignment in `stmt`, in order, with the operator that it reduces by. `cond`: the condition that it
/// stands under.
fn reductions<'a>(
    kernel: &Kernel,
    stmt: &'a Stmt,
    cond: Option<&'a Expr>,
    f: &mut dyn FnMut(&'a Expr, Option<&'a Op>, &'a Expr),
) {
    match stmt {
        // `m = max(m, x)` is `m <<max>>= x`.
        Stmt::Assign { target, op, value } => f(
            target,
            op.as_ref().or_else(|| match value {
                Expr::Call(own, args) if args.contains(target) => Some(own),
                _ => cond.and_then(|cond| chosen(kernel, cond, [target, value])),
            }),
            value,
        ),
        Stmt::Sieve { cond, then, otherwise } => {
            reductions(kernel, then, Some(cond), f);
            reductions(kernel, otherwise, None, f);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| reductions(kernel, s, cond, f)),
        other => other.children().into_iter().for_each(|s| reductions(kernel, s, None, f)),
    }
}

/// What `if cond { target = value }` reduces by: `if x > m { m = x }` keeps the greatest.
fn chosen<'a>(kernel: &Kernel, cond: &Expr, [target, value]: [&Expr; 2]) -> Option<&'a Op> {
    let Expr::Call(op, args) = cond else { return None };
    let [a, b] = &args[..] else { return None };
    let greater = match op {
        Op::Gt | Op::Ge => true,
        Op::Lt | Op::Le => false,
        _ => return None,
    };
    let is = |x: &Expr, y: &Expr| same(kernel, x, target) && same(kernel, y, value);
    let greatest = match (is(b, a), is(a, b)) {
        (true, _) => greater,
        (_, true) => !greater,
        _ => return None,
    };
    Some(if greatest { &Op::Max } else { &Op::Min })
}

/// What the definitions in `stmt` are.
fn definitions<'a>(stmt: &'a Stmt, out: &mut BTreeMap<VarId, &'a Expr>) {
    if let Stmt::Let { var, value, .. } = stmt {
        out.insert(*var, value);
    }
    stmt.children().into_iter().for_each(|s| definitions(s, out));
}

/// What is known of numbers.
struct Known<'a> {
    kernel: &'a Kernel,
    /// What definitions are.
    defined: &'a BTreeMap<VarId, &'a Expr>,
    /// What begins at 0 and is made of nothing below.
    positive: &'a BTreeSet<Into>,
}

impl Known<'_> {
    /// Whether `value` is known to be 0 or more, so that the greatest may start at 0.
    fn is_from_zero_on(&self, value: &Expr) -> bool {
        match value {
            Expr::Lit(Lit::Int(n)) => *n >= 0,
            Expr::Lit(Lit::Float(bits)) => f64::from_bits(*bits) >= 0.0,
            Expr::Call(Op::Max, args) => args.iter().any(|a| self.is_from_zero_on(a)),
            Expr::Call(Op::Cast(_) | Op::Fit(_) | Op::Own(_) | Op::As(_), args) => {
                self.is_from_zero_on(&args[0])
            }
            // A square.
            Expr::Call(Op::Mul, args) if matches!(&args[..], [a, b] if same(self.kernel, a, b)) => {
                true
            }
            Expr::Call(Op::Add | Op::Mul | Op::Div | Op::Min, args) => {
                args.iter().all(|a| self.is_from_zero_on(a))
            }
            Expr::Call(Op::Method(Method::Powi), args) => {
                matches!(&args[1], Expr::Lit(Lit::Int(n)) if n % 2 == 0)
            }
            Expr::Call(Op::Method(Method::Abs | Method::Exp | Method::Sqrt), _) => true,
            Expr::Var(v) => {
                self.defined.get(v).is_some_and(|e| self.is_from_zero_on(e))
                    || self.positive.contains(&Into::Scalar(*v))
            }
            Expr::Access(a) => self.positive.contains(&Into::Tensor(self.kernel.get(*a).tensor)),
            _ => false,
        }
    }
}

/// What the kernel makes of 0 and numbers that are not below.
fn positive(kernel: &Kernel, defined: &BTreeMap<VarId, &Expr>) -> BTreeSet<Into> {
    let mut all = Vec::new();
    reductions(kernel, &kernel.body, None, &mut |target, op, value| match target {
        Expr::Access(a) => all.push((Into::Tensor(kernel.get(*a).tensor), op, value)),
        Expr::Var(v) => all.push((Into::Scalar(*v), op, value)),
        _ => {}
    });
    let zero = |into: &Into| started(kernel, *into).is_some_and(|start| start == Expr::int(0));
    let mut positive: BTreeSet<Into> = all.iter().map(|(into, ..)| *into).filter(zero).collect();
    loop {
        let known = Known { kernel, defined, positive: &positive };
        let below = all.iter().find(|(into, op, value)| {
            let keeps = matches!(op, None | Some(Op::Add | Op::Max | Op::Mul));
            positive.contains(into) && !(keeps && known.is_from_zero_on(value))
        });
        match below.map(|(into, ..)| *into) {
            Some(into) => _ = positive.remove(&into),
            None => return positive,
        }
    }
}

/// Whether `e` reads `t`.
fn reads(kernel: &Kernel, e: &Expr, t: TensorId) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Access(a) if kernel.get(*a).tensor == t));
    found
}

/// Whether both are one element or number, in whatever type and by whatever protocol.
fn same(kernel: &Kernel, a: &Expr, b: &Expr) -> bool {
    match (a, b) {
        (Expr::Call(Op::Cast(_), args), b) => same(kernel, &args[0], b),
        (a, Expr::Call(Op::Cast(_), args)) => same(kernel, a, &args[0]),
        (Expr::Access(a), Expr::Access(b)) => {
            let (a, b) = (kernel.get(*a), kernel.get(*b));
            let kinds = a.indices.iter().map(|i| &i.kind).eq(b.indices.iter().map(|i| &i.kind));
            a.tensor == b.tensor && kinds
        }
        (a, b) => a == b,
    }
}

fn warning(kernel: &Kernel, into: Into, op: &Op) -> Option<Warning> {
    let (start, ty, name) = match into {
        Into::Tensor(t) => {
            let tensor = kernel.tensor(t);
            if !matches!(tensor.role, Role::Output | Role::Workspace) {
                return None;
            }
            (tensor.fill.clone(), tensor.value.clone(), tensor.name.to_string())
        }
        Into::Scalar(v) => {
            let passed =
                |p: &(_, Passing, _, ParamIs)| p.3 == ParamIs::Scalar(v) && p.1 == Passing::Mutable;
            if kernel.params.iter().any(passed) {
                return None;
            }
            let ty = kernel.info(v).ty.clone();
            (zero(&ty), ty, kernel.info(v).name.clone())
        }
    };
    if matches!(op, Op::MinBy | Op::MaxBy) {
        return pair(kernel, into, op, (&ty, &name));
    }
    let same = |op: &Op| identity(op, &ty);
    let neutral = same(op).or_else(|| kernel.identities.get(op.key()?).cloned())?;
    let number = |e: &Expr| match e {
        Expr::Lit(Lit::Bool(b)) => Expr::int(i128::from(*b)),
        other => other.clone(),
    };
    // Another fill than zero is chosen.
    let zero = number(&start) == Expr::int(0);
    if !zero || number(&neutral) == Expr::int(0) {
        return None;
    }
    let span = kernel.assigned_at.get(&name).copied()?;
    let shown_start = match &start {
        Expr::Lit(lit) => lit.text(),
        _ => "the fill".to_owned(),
    };
    let (op, of) = (shown(&op.name()), type_name(&ty));
    let cure = match into {
        Into::Tensor(t) => {
            let tensor = kernel.tensor(t);
            let open = kernel.gathered_for(tensor).chain.opened();
            let keeps = format!("for what `{op}` leaves as it is");
            match text(&tensor.ty).starts_with("Vec<") {
                true => {
                    let level = &tensor.levels[0].format.level().name;
                    format!("make it a tensor that leaves its fill open, `{name}: Tensor<{level}<{open}>>`, {keeps}")
                }
                false => format!("leave the fill in its format open, `{open}`, {keeps}"),
            }
        }
        Into::Scalar(v) => {
            let start = written(&neutral, &ty).unwrap_or_else(|| "..".to_owned());
            format!("say what `{0}` starts at, `{0}: {of} = {start}`", kernel.called(v))
        }
    };
    let note =
        format!("what `{op}` reduces into starts at {shown_start}, which takes part: {cure}");
    Some(Warning { span, name: "reduced_from_a_value_that_takes_part", note })
}

/// The same of the least or greatest of pairs, which start with zeros: no first part of an unsigned type is below.
fn pair(kernel: &Kernel, into: Into, op: &Op, (ty, name): (&Ty, &str)) -> Option<Warning> {
    let Into::Scalar(v) = into else { return None };
    let of = type_name(ty);
    let unsigned = of.starts_with("(u");
    if *op == Op::MaxBy && unsigned {
        return None;
    }
    let span = kernel.assigned_at.get(name).copied()?;
    let single = if *op == Op::MinBy { Op::Min } else { Op::Max };
    let starts = ty.parts()?.into_iter().enumerate().map(|(k, part)| {
        let worst = if k == 0 { identity(&single, &part) } else { Some(Expr::int(0)) };
        let plain = part.limits().is_some() || part.is_float() || part.text() == "usize";
        worst.filter(|_| plain).and_then(|e| written(&e, &part)).unwrap_or_else(|| "..".to_owned())
    });
    let start = starts.collect::<Vec<_>>().join(", ");
    let op = op.name();
    let note = format!("what `{op}` reduces into starts with zeros, which take part: say what `{0}` starts at, `{0}: {of} = ({start})`, with what every first part is better than", kernel.called(v));
    Some(Warning { span, name: "reduced_from_a_value_that_takes_part", note })
}

/// `value`, a literal of type `ty`, as one writes it in Rust.
fn written(value: &Expr, ty: &Ty) -> Option<String> {
    let Expr::Lit(lit) = value else { return None };
    let named = |what: &str| Some(format!("{}::{what}", type_name(ty)));
    let limit = |n| ty.limits().map(|(least, most)| (n == least && n != 0, n == most));
    match lit {
        Lit::Float(bits) if f64::from_bits(*bits) == f64::INFINITY => named("INFINITY"),
        Lit::Float(bits) if f64::from_bits(*bits) == f64::NEG_INFINITY => named("NEG_INFINITY"),
        Lit::Int(n) if limit(*n).is_some_and(|(least, _)| least) => named("MIN"),
        Lit::Int(n) if limit(*n).is_some_and(|(_, most)| most) => named("MAX"),
        Lit::Int(n) if ty.is_float() => Some(format!("{n}.0")),
        lit => Some(lit.text()),
    }
}
