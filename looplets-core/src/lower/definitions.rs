//! Definitions that come to a literal: it is put in place of the name. Where an operand is fill, what is made of it by way of a
//! name is then as little a reason to visit a coordinate as what is made of it at once.
//!
//! One walk down settles a chain of definitions, each of which is simplified once.

use super::Lower;
use crate::cin::*;
use crate::kernel::*;
use std::collections::HashMap;

impl Lower<'_> {
    /// `s` without the definitions that come to a literal, if it has any.
    pub(super) fn without_definitions(&mut self, s: &Stmt) -> Option<Stmt> {
        self.without_those(s, false)
    }

    /// The same of what is only looked at, and not run: zeros that have no sign as well.
    pub(super) fn without_any_definitions(&mut self, s: &Stmt) -> Option<Stmt> {
        self.without_those(s, true)
    }

    /// Zeros of types without a sign are literals too if `unsigned`.
    fn without_those(&mut self, s: &Stmt, unsigned: bool) -> Option<Stmt> {
        let mut some = false;
        self.look_for_literals(s, unsigned, &mut some);
        if !some {
            return None;
        }
        let mut known = HashMap::new();
        let settled = self.with_literals(s.clone(), unsigned, &mut known);
        (!known.is_empty()).then_some(settled)
    }

    fn look_for_literals(&self, s: &Stmt, unsigned: bool, some: &mut bool) {
        if let Stmt::Let { var, value, .. } = s {
            *some |= self.settled(*var, value, unsigned).is_some();
        }
        if !*some {
            s.children().into_iter().for_each(|s| self.look_for_literals(s, unsigned, some));
        }
    }

    fn with_literals(&mut self, s: Stmt, unsigned: bool, known: &mut HashMap<VarId, Expr>) -> Stmt {
        let with = |known: &HashMap<VarId, Expr>, e: &Expr| {
            e.map(&mut |x| match x {
                Expr::Var(v) => known.get(v).cloned(),
                _ => None,
            })
        };
        match s {
            Stmt::Let { var, value, body } => {
                let put = with(known, &value);
                let value = match put == value {
                    true => value,
                    false => self.simplifier.expr(&put, &*self.kernel),
                };
                if let Some(lit) = self.settled(var, &value, unsigned) {
                    let apart = self.is_named_apart(&body, var);
                    if !apart || names(&body, var) {
                        known.insert(var, Expr::Lit(lit));
                    }
                    if !apart {
                        return self.with_literals(*body, unsigned, known);
                    }
                }
                Stmt::Let { var, value, body: Box::new(self.with_literals(*body, unsigned, known)) }
            }
            Stmt::Loop { index, parallel, lo, hi, body } => {
                let body = Box::new(self.with_literals(*body, unsigned, known));
                Stmt::Loop { index, parallel, lo: with(known, &lo), hi: with(known, &hi), body }
            }
            Stmt::Sieve { cond, then, otherwise } => {
                let cond = with(known, &cond);
                let then = Box::new(self.with_literals(*then, unsigned, known));
                let otherwise = Box::new(self.with_literals(*otherwise, unsigned, known));
                Stmt::Sieve { cond, then, otherwise }
            }
            Stmt::Where { consumer, producer, local } => {
                let producer = Box::new(self.with_literals(*producer, unsigned, known));
                let consumer = Box::new(self.with_literals(*consumer, unsigned, known));
                Stmt::Where { consumer, producer, local }
            }
            Stmt::Seq(all) => {
                Stmt::Seq(all.into_iter().map(|s| self.with_literals(s, unsigned, known)).collect())
            }
            Stmt::Assign { target, op, value } => {
                Stmt::Assign { target: with(known, &target), op, value: with(known, &value) }
            }
            Stmt::Pass => Stmt::Pass,
        }
    }

    /// The literal that the definition `var` comes to, if that is one which any type of numbers has as it is.
    fn settled(&self, var: VarId, value: &Expr, unsigned: bool) -> Option<Lit> {
        let Expr::Lit(lit) = value else { return None };
        let info = self.kernel.info(var);
        let same = match lit {
            // Arithmetic of literals has no type: of 0 it stays within one that has a sign.
            Lit::Int(0) => {
                info.ty.is_float() || info.ty.is_integer() && (unsigned || !info.ty.is_unsigned())
            }
            Lit::Float(bits) => info.ty.is_float() && f64::from_bits(*bits).is_infinite(),
            Lit::Bool(_) => info.ty == Ty::Bool,
            _ => false,
        };
        (same && info.kind == VarKind::Let).then(|| lit.clone())
    }

    /// Whether something names `var` that nothing is put in place of, which the definition is kept for.
    fn is_named_apart(&self, s: &Stmt, var: VarId) -> bool {
        let names =
            |raw: &Raw| raw.names.iter().any(|(_, e)| self.kernel.depends(e).contains(&var));
        self.opaquely(s, names) || self.named_beyond(s, var)
    }
}

/// Whether an expression of `s` is `var`, or has it as a part other than within Rust tokens and indices.
fn names(s: &Stmt, var: VarId) -> bool {
    let mut found = false;
    s.walk(&mut |e| found |= *e == Expr::Var(var));
    found
}
