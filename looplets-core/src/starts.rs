//! Warns of results that are reduced from a value that takes part: the greatest of negative numbers is not 0, and no
//! product that starts at 0 is anything else.

use crate::ast::Passing;
use crate::cin::*;
use crate::decl::identity::shown;
use crate::fills::identity;
use crate::kernel::*;
use std::collections::BTreeSet;

/// What is reduced into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Into {
    Tensor(TensorId),
    Scalar(VarId),
}

/// Looks at the first assignment to each tensor and scalar that is made new.
pub fn check(kernel: &mut Kernel) {
    let mut seen: BTreeSet<Into> = BTreeSet::new();
    let mut found = Vec::new();
    kernel.body.walk_assignments(&mut |target, op, value| {
        // `m = max(m, x)` is `m <<max>>= x`.
        let op = op.or(match value {
            Expr::Call(own, args) if args.contains(target) => Some(own),
            _ => None,
        });
        let into = match target {
            Expr::Access(a) => Into::Tensor(kernel.get(*a).tensor),
            Expr::Var(v) => Into::Scalar(*v),
            _ => return,
        };
        if seen.insert(into) {
            found.extend(op.and_then(|op| warning(kernel, into, op)));
        }
    });
    for warning in found {
        kernel.warn(warning);
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
            let zero = if ty == Ty::Bool { Expr::bool(false) } else { Expr::int(0) };
            (zero, ty, kernel.info(v).name.clone())
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
            let open = kernel.tensor(t).chain.opened();
            format!("leave the fill in its format open, `{open}`, for what `{op}` leaves as it is")
        }
        Into::Scalar(v) => {
            format!("say what `{0}` starts at, `{0}: {of} = ..`", kernel.called(v))
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
    let op = op.name();
    let note = format!("what `{op}` reduces into starts with zeros, which take part: say what `{0}` starts at, `{0}: {of} = (.., ..)`, with what every first part is better than", kernel.called(v));
    Some(Warning { span, name: "reduced_from_a_value_that_takes_part", note })
}
