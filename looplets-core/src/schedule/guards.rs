//! Assignments under conditions, as `if m[i, j] { c[i, j] += a[i, k] * b[k, j] }`: whether the loops that the condition lacks can
//! stand around it, and those that the assignment lacks within it, or all have to stand around both.

use super::choices::Choices;
use super::indices::{uses, Use};
use super::Scheduler;
use crate::ast::{Block, Expr, Stmt};
use proc_macro2::Ident;

/// The one assignment that `stmt` is, or that its conditions guard.
pub fn assignment(stmt: &Stmt) -> Option<&Stmt> {
    match stmt {
        Stmt::Assign { .. } => Some(stmt),
        Stmt::If { then, .. } => guarded(stmt).then(|| assignment(&then.stmts[0]))?,
        _ => None,
    }
}

/// As [`assignment`].
pub fn assignment_mut(stmt: &mut Stmt) -> Option<&mut Stmt> {
    let alone = guarded(stmt);
    match stmt {
        Stmt::Assign { .. } => Some(stmt),
        Stmt::If { then, .. } if alone => assignment_mut(&mut then.stmts[0]),
        _ => None,
    }
}

/// The conditions that guard the assignment in `stmt`, outermost first.
pub fn conditions(stmt: &Stmt) -> Vec<&Expr> {
    match stmt {
        Stmt::If { cond, then, .. } if guarded(stmt) => {
            let within = conditions(&then.stmts[0]);
            std::iter::once(cond).chain(within).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether `stmt` is a condition around one statement.
fn guarded(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If { then: Block { stmts, .. }, otherwise: None, .. } if stmts.len() == 1)
}

impl Scheduler<'_> {
    /// Whether loops over `outer` can stand around the condition of `stmt`, and the others within it.
    pub(super) fn nests(&mut self, stmt: &Stmt, outer: &[Ident]) -> bool {
        // What is appended to is written once for each of its coordinates.
        let all = uses(stmt);
        let named =
            |u: &Use<'_>, i: &Ident| u.dims.iter().any(|(names, _)| names.iter().any(|n| i == n));
        let appended = |u: &&Use<'_>| u.write && (0..u.dims.len()).any(|q| self.goes_along(u, q));
        if all.iter().filter(appended).any(|u| !outer.iter().all(|i| named(u, i))) {
            return false;
        }
        // A result whose fibers are written one behind the other needs the loops over them around all others.
        let begun = |u: &&Use<'_>| {
            let own = u.dims[..self.ordered(u)].iter().flat_map(|(names, _)| names);
            u.write && own.into_iter().any(|n| !outer.iter().any(|i| i == n))
        };
        if all.iter().any(|u| begun(&u)) {
            return false;
        }
        // What is chosen here is chosen again where loops are written.
        let choices = std::mem::replace(&mut self.choices, Choices::new(&[], Vec::new()));
        let (open, bound) = (self.open.len(), self.scope.mark());
        let nests = self.plan(stmt, outer).is_ok_and(|plan| plan.workspace.is_none()) && {
            self.open.extend(outer.iter().cloned());
            self.scope.bind(outer);
            let Stmt::If { then, .. } = stmt else { unreachable!("a condition has a body") };
            let inner = &then.stmts[0];
            let left = self.scope.unbound(inner);
            left.is_empty() || self.plan(inner, &left).is_ok()
        };
        self.open.truncate(open);
        self.scope.forget(bound);
        self.choices = choices;
        nests
    }
}
