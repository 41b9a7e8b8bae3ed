//! Warns of conditions that hold always or never, whatever is read, and of terms that come to nothing: `i == i`, `x < 0 && x > 1`,
//! the `else if` of a narrower condition, `x - x`, `1 / 1 + y`.

use super::{every, Names};
use crate::ast::visit::{own_exprs, top_exprs, visit_expr};
use crate::ast::{Block, Expr, Index, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::kernel::Warning;
use crate::methods::Method;
use crate::parse::{operand, written};
use proc_macro2::Span;

pub fn check(program: &Program, found: &mut Vec<Warning>) {
    let mut declared: Names = program.params.iter().map(|p| p.name.to_string()).collect();
    declared.extend(program.outputs.iter().map(|o| o.name.to_string()));
    every(&program.body, &mut |stmt| {
        if let Stmt::Let { name, .. } | Stmt::Workspace { name, .. } = stmt {
            declared.insert(name.to_string());
        }
    });
    every(&program.body, &mut |stmt| {
        own_exprs(stmt, &mut |e| {
            found.extend(
                itself(e, &declared)
                    .or_else(|| both(e))
                    .or_else(|| nothing(e))
                    .or_else(|| of_nothing(e)),
            );
        });
        top_exprs(stmt, &mut |e| {
            visit_expr(e, &mut |e| {
                if let Expr::Access { indices, .. } = e {
                    found.extend(indices.iter().find_map(ended_window));
                }
            });
        });
        match stmt {
            Stmt::Assign { target, op: Some(op), value, .. }
                if matches!(op.op, Op::Min | Op::Max) =>
            {
                let to = written(target);
                visit_expr(value, &mut |e| {
                    if matches!(e, Expr::Access { .. })
                        && written(e) == to
                        && !std::ptr::eq(e, value)
                    {
                        let to = to.clone().unwrap_or_default();
                        found.push(warning(e.span(), format!("`{to}` is what is reduced into, and is compared with what it is itself: read another element, or another tensor")));
                    }
                });
            }
            Stmt::Assign {
                target: Expr::Name(n),
                op: None,
                value: Expr::Call { op, args },
                ..
            } if op.op.is_comparison() => {
                if let [Expr::Call { op: plus, args: terms }, b] = &args[..] {
                    let own = |e: &Expr| matches!(e, Expr::Name(name) if name == n);
                    if let (Op::Add, [_, x], true, Some(b)) =
                        (&plus.op, &terms[..], terms.first().is_some_and(own), written(b))
                    {
                        let (x, by) = (written(x).unwrap_or_else(|| "x".to_owned()), op.op.name());
                        found.push(warning(op.span, format!("`+` binds more tightly than `{by}`, so that the sum is compared: write `{n} += {x} {by} {b}`")));
                    }
                }
            }
            Stmt::For { written: true, indices, extent: Some((lo, hi)), body, .. } => {
                let index = &indices[0].to_string();
                every(body, &mut |stmt| {
                    if let Stmt::If { cond, .. } = stmt {
                        found.extend(of_extent(cond, index, [lo, hi]));
                    }
                });
            }
            Stmt::If { cond, then, otherwise: Some(otherwise) } => {
                found.extend(told_before(cond, otherwise).or_else(|| same(cond, then, otherwise)));
            }
            _ => {}
        }
    });
}

fn warning(span: Span, note: String) -> Warning {
    Warning { span, name: "one_answer", note }
}

/// A root of a number below 0.
fn of_nothing(e: &Expr) -> Option<Warning> {
    let Expr::Call { op, args } = e else { return None };
    let (Op::Method(Method::Sqrt | Method::Ln), [Expr::Call { op: minus, args }]) =
        (&op.op, &args[..])
    else {
        return None;
    };
    let below = minus.op == Op::Neg && matches!(&args[..], [Expr::Lit(..)]);
    below.then(|| warning(op.span, format!("`{}` of a number below 0 is NaN: write what is meant, of `Complex` numbers if that is it", op.op.name())))
}

/// A comparison of an index with itself: a number that is `declared` may be NaN.
fn itself(e: &Expr, declared: &Names) -> Option<Warning> {
    let Expr::Call { op, args } = e else { return None };
    let [Expr::Name(a), Expr::Name(b)] = &args[..] else { return None };
    let holds = match op.op {
        Op::Eq | Op::Le | Op::Ge => "always",
        Op::Ne | Op::Lt | Op::Gt => "never",
        _ => return None,
    };
    (a == b && !declared.contains(&a.to_string())).then(|| {
        warning(
            op.span,
            format!("this {holds} holds, as both sides are `{a}`: compare it with what is meant"),
        )
    })
}

/// What is compared with a number: its text, the operator that stands behind it, and the number.
fn compared(e: &Expr) -> Option<(String, Op, f64)> {
    let Expr::Call { op, args } = e else { return None };
    let number = |e: &Expr| match e {
        Expr::Lit(Lit::Int(n), ..) => Some(*n as f64),
        Expr::Lit(Lit::Float(bits), ..) => Some(f64::from_bits(*bits)),
        _ => None,
    };
    let turned = match op.op {
        Op::Lt => Op::Gt,
        Op::Gt => Op::Lt,
        Op::Le => Op::Ge,
        Op::Ge => Op::Le,
        Op::Eq => Op::Eq,
        Op::Ne => Op::Ne,
        _ => return None,
    };
    let [a, b] = &args[..] else { return None };
    match (number(a), number(b)) {
        (None, Some(n)) => Some((written(a)?, op.op.clone(), n)),
        (Some(n), None) => Some((written(b)?, turned, n)),
        _ => None,
    }
}

/// The least and the greatest that a comparison leaves; beside each, whether it is one of them.
fn range(op: &Op, n: f64) -> Option<[(f64, bool); 2]> {
    let (below, above) = ((f64::NEG_INFINITY, true), (f64::INFINITY, true));
    Some(match op {
        Op::Lt => [below, (n, false)],
        Op::Le => [below, (n, true)],
        Op::Gt => [(n, false), above],
        Op::Ge => [(n, true), above],
        Op::Eq => [(n, true), (n, true)],
        _ => return None,
    })
}

/// Whether no number is in both ranges.
fn apart([a, b]: [[(f64, bool); 2]; 2]) -> bool {
    let behind = |low: (f64, bool), high: (f64, bool)| {
        low.0 > high.0 || low.0 == high.0 && !(low.1 && high.1)
    };
    behind(a[0], b[1]) || behind(b[0], a[1])
}

/// Two comparisons of one operand that cannot hold together, or of which one always holds.
fn both(e: &Expr) -> Option<Warning> {
    let Expr::Call { op, args } = e else { return None };
    let [a, b] = &args[..] else { return None };
    let ((x, first, n), (y, second, m)) = (compared(a)?, compared(b)?);
    if x != y {
        return None;
    }
    match op.op {
        Op::And if apart([range(&first, n)?, range(&second, m)?]) => {
            Some(warning(op.span, format!("no `{x}` meets both, so that this never holds: write `||` for one of both")))
        }
        Op::Or if first == Op::Ne && second == Op::Ne && n != m => {
            Some(warning(op.span, format!("every `{x}` differs from one of both, so that this always holds: write `&&` for neither")))
        }
        _ => None,
    }
}

/// A term that comes to nothing.
fn nothing(e: &Expr) -> Option<Warning> {
    let Expr::Call { op, args } = e else { return None };
    let [a, b] = &args[..] else { return None };
    if op.path.is_some() {
        return None;
    }
    let read = |e: &Expr| matches!(e, Expr::Access { .. }).then(|| written(e)).flatten();
    let quotient = |e: &Expr| match e {
        Expr::Call { op, args } if op.op == Op::Div && op.path.is_none() => match &args[..] {
            [Expr::Lit(a @ Lit::Int(_), ..), Expr::Lit(b @ Lit::Int(_), ..)] if a == b => {
                Some(a.clone())
            }
            _ => None,
        },
        _ => None,
    };
    match op.op {
        Op::Sub if read(a).is_some() && read(a) == read(b) => {
            Some(warning(op.span, format!("`{0}` is taken away from itself, which leaves 0: write what it is to be compared with", read(a)?)))
        }
        Op::Div => {
            let by = read(b)?;
            let Expr::Call { op: times, args: factors } = a else { return None };
            let again = times.op == Op::Mul && times.path.is_none() && read(factors.last()?).as_ref() == Some(&by);
            again.then(|| warning(op.span, format!("`{by}` is a factor that is divided out again: leave both out, or divide by what is meant, such as a sum")))
        }
        Op::Add => {
            let n = quotient(a)?.text();
            let rest = operand(b, &Op::Add)?;
            Some(warning(op.span, format!("`/` binds more tightly than `+`, so that `{n} / {n}` is 1: write `{n} / ({n} + {rest})`")))
        }
        _ => None,
    }
}

/// A window of literals that ends before it begins.
fn ended_window(index: &Index) -> Option<Warning> {
    let Expr::Call { op, args } = &index.expr else { return None };
    let ("window", [Expr::Lit(Lit::Int(lo), ..), hi @ Expr::Lit(Lit::Int(end), ..), _]) =
        (op.op.key()?, &args[..])
    else {
        return None;
    };
    (lo > end).then(|| {
        warning(hi.span(), format!("this window ends before it begins, and so has no place: write `window({end}, {lo})[..]`"))
    })
}

/// A condition on the index of a loop that its extent answers.
fn of_extent(cond: &Expr, index: &str, [lo, hi]: [&Expr; 2]) -> Option<Warning> {
    let Expr::Call { op, args } = cond else { return None };
    let [Expr::Name(i), bound] = &args[..] else { return None };
    if i != index {
        return None;
    }
    let zero = |e: &Expr| matches!(e, Expr::Lit(Lit::Int(0), ..));
    let holds = match op.op {
        Op::Lt if written(bound) == written(hi) && !matches!(hi, Expr::Lit(..)) => "always",
        Op::Ge if zero(bound) && zero(lo) => "always",
        Op::Lt if zero(bound) && zero(lo) => "never",
        _ => return None,
    };
    let (lo, hi) = (written(lo)?, written(hi)?);
    Some(warning(op.span, format!("this {holds} holds, as `{index}` runs over `{lo}..{hi}`: compare it with what is meant, such as `{index} + 1 < {hi}`")))
}

/// An `else if` that the condition before it leaves nothing.
fn told_before(cond: &Expr, otherwise: &Block) -> Option<Warning> {
    let [Stmt::If { cond: second, .. }] = &otherwise.stmts[..] else { return None };
    let ((x, first, n), (y, then, m)) = (compared(cond)?, compared(second)?);
    let left = match first {
        Op::Lt => Op::Ge,
        Op::Le => Op::Gt,
        Op::Gt => Op::Le,
        Op::Ge => Op::Lt,
        _ => return None,
    };
    let never = x == y && apart([range(&left, n)?, range(&then, m)?]);
    let at = second.span();
    never.then(|| {
        let (first, second) = (written(cond).unwrap_or_default(), written(second).unwrap_or_default());
        warning(at, format!("this never holds where `{first}` does not: ask for the narrower one first, `if {second} {{ .. }} else if {first} {{ .. }}`"))
    })
}

/// Both branches do one thing.
fn same(cond: &Expr, then: &Block, otherwise: &Block) -> Option<Warning> {
    let [Stmt::Assign { target: a, op: by, value: x, .. }] = &then.stmts[..] else { return None };
    let [Stmt::Assign { target: b, op: or, value: y, .. }] = &otherwise.stmts[..] else {
        return None;
    };
    let by = by.as_ref().map(|op| &op.op) == or.as_ref().map(|op| &op.op);
    let alike = |a: &Expr, b: &Expr| written(a).is_some() && written(a) == written(b);
    let one = by && alike(a, b) && alike(x, y);
    one.then(|| warning(cond.span(), "both branches do the same: leave the condition out, or write what is meant in one of them".to_owned()))
}
