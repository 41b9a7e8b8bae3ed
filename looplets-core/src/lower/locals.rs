//! Locals that a region never reduces into: a read of one is the literal that it starts as.
//!
//! Where an operand is fill, or `missing`, the loop that reduces it disappears, and what was to be
//! done with the result can be simplified in turn, up to a loop around both.

use super::Lower;
use crate::cin::*;
use crate::kernel::Raw;

/// A local that stays what it is.
enum Still {
    /// A workspace without dimensions, at its fill.
    Workspace(TensorId),
    /// A scalar that is assigned a literal first.
    Scalar(VarId, Lit),
}

impl Lower<'_> {
    /// `s` without such locals, if it has any.
    pub fn without_still(&self, s: &Stmt) -> Option<Stmt> {
        let mut found = Vec::new();
        self.still(s, &mut found);
        (!found.is_empty()).then(|| self.inlined(s, &found))
    }

    fn still(&self, s: &Stmt, found: &mut Vec<Still>) {
        match s {
            Stmt::Loop { body, .. } => self.still(body, found),
            Stmt::Let { var, body, .. } => {
                if let Some((lit, rest)) = starting(*var, body) {
                    let reads = |raw: &Raw| raw.names.iter().any(|(_, e)| *e == Expr::Var(*var));
                    let mut writes = false;
                    rest.iter().for_each(|s| {
                        s.assignments(&mut |target, _| writes |= *target == Expr::Var(*var));
                    });
                    if !writes && !self.opaquely(body, reads) {
                        found.push(Still::Scalar(*var, lit));
                    }
                }
                self.still(body, found);
            }
            Stmt::Sieve { then, otherwise, .. } => {
                self.still(then, found);
                self.still(otherwise, found);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.still(s, found)),
            Stmt::Where { consumer, producer, local } => {
                for t in local.iter().filter(|t| self.kernel.tensor(**t).lens.is_empty()) {
                    let of =
                        |e: &Expr| matches!(e, Expr::Access(a) if self.kernel.get(*a).tensor == *t);
                    let reads = |raw: &Raw| raw.names.iter().any(|(_, e)| of(e));
                    let mut writes = false;
                    s.assignments(&mut |target, _| writes |= of(target));
                    if !writes && !self.opaquely(s, reads) {
                        found.push(Still::Workspace(*t));
                    }
                }
                self.still(producer, found);
                self.still(consumer, found);
            }
            Stmt::Assign { .. } | Stmt::Pass => {}
        }
    }

    /// Whether Rust tokens of `s` do what cannot be rewritten.
    fn opaquely(&self, s: &Stmt, reads: impl Fn(&Raw) -> bool) -> bool {
        let mut any = false;
        s.walk(&mut |e| {
            any |= matches!(e, Expr::Raw(id) if reads(&self.kernel.raws[id.0 as usize]))
        });
        any
    }

    fn inlined(&self, s: &Stmt, still: &[Still]) -> Stmt {
        let bare = dropped(s.clone(), still);
        bare.map(&mut |e| {
            still.iter().find_map(|one| match (e, one) {
                (Expr::Access(a), Still::Workspace(t)) if self.kernel.get(*a).tensor == *t => {
                    Some(self.kernel.tensor(*t).fill.clone())
                }
                (Expr::Var(v), Still::Scalar(var, lit)) if v == var => Some(Expr::Lit(lit.clone())),
                _ => None,
            })
        })
    }
}

/// The literal that `var` is assigned first in `body`, and what follows.
fn starting(var: VarId, body: &Stmt) -> Option<(Lit, &[Stmt])> {
    let Stmt::Seq(all) = body else { return None };
    let (first, rest) = all.split_first()?;
    match first {
        Stmt::Assign { target, op: None, value: Expr::Lit(lit) }
            if *target == Expr::Var(var) && *lit != Lit::Missing =>
        {
            Some((lit.clone(), rest))
        }
        _ => None,
    }
}

/// `s` without the definitions and first assignments of the locals `still`.
fn dropped(s: Stmt, still: &[Still]) -> Stmt {
    let boxed = |s: Box<Stmt>| Box::new(dropped(*s, still));
    match s {
        Stmt::Loop { index, lo, hi, body } => Stmt::Loop { index, lo, hi, body: boxed(body) },
        Stmt::Let { var, value, body } => {
            let here = |one: &Still| matches!(one, Still::Scalar(v, _) if *v == var);
            match *body {
                Stmt::Seq(mut all) if still.iter().any(here) => {
                    all.remove(0);
                    dropped(Stmt::Seq(all), still)
                }
                body => Stmt::Let { var, value, body: Box::new(dropped(body, still)) },
            }
        }
        Stmt::Sieve { cond, then, otherwise } => {
            Stmt::Sieve { cond, then: boxed(then), otherwise: boxed(otherwise) }
        }
        Stmt::Seq(all) => Stmt::Seq(all.into_iter().map(|s| dropped(s, still)).collect()),
        Stmt::Where { consumer, producer, mut local } => {
            let gone = |t: &TensorId| {
                still.iter().any(|one| matches!(one, Still::Workspace(of) if of == t))
            };
            local.retain(|t| !gone(t));
            let (consumer, producer) = (boxed(consumer), boxed(producer));
            match (&*producer, local.is_empty()) {
                (Stmt::Pass, true) => *consumer,
                _ => Stmt::Where { consumer, producer, local },
            }
        }
        other => other,
    }
}
