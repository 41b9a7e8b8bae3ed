//! What to write instead of an assignment that a message refuses: the reductions that come to what it says.

use super::expr::symbol;
use super::written;
use crate::ast::visit::visit_expr;
use crate::ast::Expr;
use crate::cin::Op;

/// The statements that update `target` as `target = value` would, if that reads it: `y[i] /= n` for `y[i] = y[i] / n`,
/// `y[i] *= b; y[i] += x[i]` for `y[i] = b * y[i] + x[i]`.
pub fn update(target: &Expr, value: &Expr) -> Option<String> {
    let own = |e: &Expr| names(e, target);
    let terms = terms(value);
    if let [(true, whole)] = terms[..] {
        return reduction(target, whole);
    }
    let (mine, others): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(_, e)| own(e));
    let mut all = Vec::new();
    match mine[..] {
        [(true, e)] => all.extend(scaled(target, e)?),
        _ => return None,
    }
    all.push(added(target, &others)?);
    Some(all.join("; "))
}

/// The statements that come to `target = value` where the indices that `alone` finds in a part of it are summed over in
/// that part alone. `starts`: nothing is in `target` before. None if one reduction of the whole is as good, or if what is
/// summed is no term of its own.
pub fn apart(
    target: &Expr,
    value: &Expr,
    alone: &dyn Fn(&Expr) -> bool,
    starts: bool,
) -> Option<String> {
    let all = terms(value);
    if all.len() == 1 {
        return update(target, value);
    }
    let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(_, e)| names(e, target));
    let (summed, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|(_, e)| alone(e));
    let mut out = Vec::new();
    match mine[..] {
        [] => {}
        [(true, e)] if !alone(e) => out.extend(scaled(target, e)?),
        _ => return None,
    }
    match (mine.is_empty(), rest.is_empty()) {
        (true, true) if starts => {}
        (true, true) => out.push(format!("{} = 0", written(target)?)),
        (true, false) => out.push(format!("{} = {}", written(target)?, joined(&rest)?)),
        (false, true) => {}
        (false, false) => out.push(added(target, &rest)?),
    }
    // Each is summed over the indices that it has, and over no others.
    for one in summed {
        out.push(added(target, &[one])?);
    }
    Some(out.join("; "))
}

/// Whether what `alone` finds in a term of `value` is within one side of a sum that the term is a multiple of: summed as a
/// whole, the term would count the other side again and again.
pub fn hides_a_sum(value: &Expr, alone: &dyn Fn(&Expr) -> bool) -> bool {
    terms(value).into_iter().any(|(_, term)| hides(term, alone))
}

fn hides(e: &Expr, alone: &dyn Fn(&Expr) -> bool) -> bool {
    let Expr::Call { op, args } = e else { return false };
    let with: Vec<&Expr> = args.iter().filter(|a| alone(a)).collect();
    match (&op.op, &with[..]) {
        (Op::Add | Op::Sub, [_]) => true,
        (Op::Mul | Op::Div | Op::Neg, [one]) => hides(one, alone),
        _ => false,
    }
}

/// The terms of a sum, each with whether it is added.
fn terms(e: &Expr) -> Vec<(bool, &Expr)> {
    fn go<'a>(e: &'a Expr, plus: bool, out: &mut Vec<(bool, &'a Expr)>) {
        match e {
            Expr::Call { op, args } if op.path.is_none() => match (&op.op, &args[..]) {
                (Op::Add, [a, b]) => {
                    go(a, plus, out);
                    go(b, plus, out);
                }
                (Op::Sub, [a, b]) => {
                    go(a, plus, out);
                    go(b, !plus, out);
                }
                (Op::Neg, [a]) => go(a, !plus, out),
                _ => out.push((plus, e)),
            },
            _ => out.push((plus, e)),
        }
    }
    let mut out = Vec::new();
    go(e, true, &mut out);
    out
}

/// The factors of a product.
fn factors(e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Call { op, args } if op.op == Op::Mul && op.path.is_none() => {
            args.iter().flat_map(factors).collect()
        }
        _ => vec![e],
    }
}

/// Whether `e` reads what `target` writes, or another element of it.
fn names(e: &Expr, target: &Expr) -> bool {
    let (Expr::Name(of) | Expr::Access { name: of, .. }) = target else { return false };
    let mut found = false;
    visit_expr(e, &mut |e| {
        if let Expr::Name(name) | Expr::Access { name, .. } = e {
            found |= name == of;
        }
    });
    found
}

fn is(e: &Expr, target: &Expr) -> bool {
    written(e).is_some_and(|text| Some(text) == written(target))
}

/// What makes of `target` a multiple of itself: nothing if it is that already.
fn scaled(target: &Expr, term: &Expr) -> Option<Option<String>> {
    match is(term, target) {
        true => Some(None),
        false => Some(Some(reduction(target, term)?)),
    }
}

/// `target += terms`
fn added(target: &Expr, terms: &[(bool, &Expr)]) -> Option<String> {
    let target = written(target)?;
    Some(match terms {
        [(false, one)] => {
            // A sum is no term, so that nothing here needs parentheses.
            format!("{target} -= {}", written(one)?)
        }
        terms => format!("{target} += {}", joined(terms)?),
    })
}

fn joined(terms: &[(bool, &Expr)]) -> Option<String> {
    let mut out = String::new();
    for (n, (plus, e)) in terms.iter().enumerate() {
        out += match (n, plus) {
            (0, true) => "",
            (0, false) => "-",
            (_, true) => " + ",
            (_, false) => " - ",
        };
        out += &written(e)?;
    }
    Some(out)
}

/// `value`, an operator of `target` and something else, as a reduction.
fn reduction(target: &Expr, value: &Expr) -> Option<String> {
    let Expr::Call { op, args } = value else { return None };
    let to = written(target)?;
    let (at, rest) = match (&op.op, &args[..]) {
        (Op::Mul, _) if op.path.is_none() => {
            let all = factors(value);
            let at = all.iter().position(|e| is(e, target))?;
            let rest: Vec<&&Expr> =
                all.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, e)| e).collect();
            if rest.iter().any(|e| names(e, target)) {
                return None;
            }
            if let [one] = rest[..] {
                return Some(format!("{to} *= {}", written(one)?));
            }
            let rest: Option<Vec<String>> = rest.into_iter().map(|e| factor(e)).collect();
            return Some(format!("{to} *= {}", rest?.join(" * ")));
        }
        (_, [a, b]) if is(a, target) => (0, b),
        (_, [a, b]) if is(b, target) => (1, a),
        _ => return None,
    };
    let turns = op.op.is_commutative();
    if names(rest, target) || op.op.is_comparison() || at == 1 && !turns {
        return None;
    }
    let value = written(rest)?;
    match (symbol(&op.op), &op.op, &op.path) {
        (Some((symbol, _)), ..) => Some(format!("{to} {symbol}= {value}")),
        (None, Op::Min | Op::Max, _) => Some(format!("{to} <<{}>>= {value}", op.op.name())),
        (None, Op::Function(name), Some(_)) if at == 0 => Some(format!("{to} <<{name}>>= {value}")),
        _ => None,
    }
}

/// A factor, in parentheses where it is a sum.
fn factor(e: &Expr) -> Option<String> {
    let text = written(e)?;
    let loose = matches!(e, Expr::Call { op, .. }
        if op.path.is_none() && symbol(&op.op).is_some_and(|(_, binds)| binds < 9));
    Some(if loose { format!("({text})") } else { text })
}
