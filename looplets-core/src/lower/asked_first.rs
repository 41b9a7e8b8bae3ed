//! Conditions that say where elements are read: in `if k[i] > i && a[i + 1] > 0` and in `ifelse(p[i] > 0, a[p[i] - 1], 0)`, `a` is not
//! asked before the first comparison holds. Positions are checked before the statement that has them, so the conditions in front of
//! what has one come to stand around the statement. Those behind stay behind: they may divide by what is asked in front of them.

use super::presence::has_missing;
use super::Lower;
use crate::cin::*;
use crate::index::Index;
use crate::types::Ty;

impl Lower<'_> {
    /// Whether `e` reads an element that may lie outside, whose position is checked when it is read.
    fn is_checked(&self, e: &Expr) -> bool {
        let mut checked = false;
        e.walk(&mut |e| {
            if let Expr::Access(a) = e {
                checked |= self.kernel.get(*a).indices.iter().any(Index::refuses);
            }
        });
        checked
    }

    /// The condition `cond`, as a choice: what is asked in front of an element that may lie outside, and where that holds, or
    /// does not, the rest.
    fn asked_first(&self, cond: &Expr) -> Option<[Expr; 3]> {
        let (op, parts) = match cond {
            Expr::Call(op @ (Op::And | Op::Or), parts) => (op, parts),
            _ => return None,
        };
        // What stands behind may itself be guarded by what is checked.
        let checked = parts.iter().skip(1).position(|e| self.is_checked(e))?;
        let (first, last) = parts.split_at(checked + 1);
        let all = |parts: &[Expr]| match parts {
            [one] => one.clone(),
            many => Expr::call(op.clone(), many.to_vec()),
        };
        let (first, last) = (all(first), all(last));
        Some(match op {
            Op::And => [first, last, Expr::bool(false)],
            _ => [first, Expr::bool(true), last],
        })
    }

    /// The choice in `e` that says where an element is read which may lie outside: its condition, and `e` with each of both sides.
    /// `is_condition` says that a statement asks whether `e` holds, and nothing more.
    fn chosen_first(&self, e: &Expr, is_condition: bool) -> Option<[Expr; 3]> {
        let may_be_missing = |e: &Expr| has_missing(e) || self.kernel.may_be_missing(e);
        let mut found = None;
        e.walk(&mut |x| {
            if found.is_some() {
                return;
            }
            let choice = match x {
                Expr::Call(Op::IfElse, args) => match &args[..] {
                    [cond, a, b] if self.is_checked(a) || self.is_checked(b) => {
                        Some([cond.clone(), a.clone(), b.clone()])
                    }
                    _ => None,
                },
                x => {
                    // `true || missing` is missing, and so is `false && missing`: as a condition that does not hold, either is one.
                    let fails = is_condition && x == e && matches!(x, Expr::Call(Op::And, _));
                    let alike =
                        |[_, a, b]: &[Expr; 3]| fails || !may_be_missing(a) && !may_be_missing(b);
                    self.asked_first(x).filter(alike)
                }
            };
            // What is missing is decided first: it is no condition that does not hold.
            let choice = choice.filter(|[cond, ..]| !may_be_missing(cond));
            found = choice.map(|choice| (x.clone(), choice));
        });
        let (whole, [cond, a, b]) = found?;
        let with = |side: &Expr| e.map(&mut |x| (*x == whole).then(|| side.clone()));
        Some([cond, with(&a), with(&b)])
    }

    /// `s` under the condition that says where it reads elements that may lie outside.
    pub(super) fn under_what_is_asked_first(&self, s: &Stmt) -> Option<Stmt> {
        match s {
            Stmt::Assign { target, op, value } => {
                let [cond, a, b] = self.chosen_first(value, false)?;
                let ty = self.kernel.type_of(target);
                let with = |value: Expr| {
                    // What a choice gives is stored, the fill too, which is not by itself.
                    let value = match (&value, &ty) {
                        (Expr::Lit(Lit::Int(_) | Lit::Float(_)), Some(ty @ Ty::Named(_)))
                            if op.is_none() =>
                        {
                            Expr::call(Op::Own(ty.clone()), [value])
                        }
                        _ => value,
                    };
                    Box::new(Stmt::Assign { target: target.clone(), op: op.clone(), value })
                };
                Some(Stmt::Sieve { cond, then: with(a), otherwise: with(b) })
            }
            Stmt::Sieve { cond, then, otherwise } => {
                let [first, a, b] = self.chosen_first(cond, true)?;
                // What stands under both sides would be there twice.
                let under =
                    |never: bool| [&a, &b].iter().filter(|s| ***s != Expr::bool(never)).count();
                if under(false) > 1 && has_loops(then) || under(true) > 1 && has_loops(otherwise) {
                    return None;
                }
                let with = |cond: Expr| match cond {
                    Expr::Lit(Lit::Bool(true)) => then.clone(),
                    Expr::Lit(Lit::Bool(false)) => otherwise.clone(),
                    cond => {
                        let (then, otherwise) = (then.clone(), otherwise.clone());
                        Box::new(Stmt::Sieve { cond, then, otherwise })
                    }
                };
                Some(Stmt::Sieve { cond: first, then: with(a), otherwise: with(b) })
            }
            _ => None,
        }
    }
}

/// Whether a loop is in `s`.
fn has_loops(s: &Stmt) -> bool {
    matches!(s, Stmt::Loop { .. }) || s.children().into_iter().any(has_loops)
}
