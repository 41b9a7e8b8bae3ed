//! Terms of indices, which the rules of users do not reach.
//!
//! A user's rule is true of the user's values. Bounds of loops, positions of elements and what else is
//! computed of indices alone is the compiler's, and unchecked indexing rests on it. So where rules of
//! users are tried, each bound and each position is one leaf that stands for it. What is computed of
//! indices among values has a sort of its own: a rule may look at it, as at the argument of a function of
//! the user's, but not put anything in its place.

use super::analysis::sorted;
use super::facts::{Facts, Sort};
use super::language::{Operators, Sym};
use crate::cin::{Expr, Lit, RawId, Stmt, TensorId, VarId};

/// The least number of a leaf that stands for a term; kernels have fewer opaque expressions.
const FIRST: u32 = 1 << 31;

/// The terms that leaves stand for, and the facts of these and of all other leaves.
pub(super) struct IndexTerms<'a> {
    facts: &'a dyn Facts,
    held: Vec<Expr>,
}

impl<'a> IndexTerms<'a> {
    pub fn new(facts: &'a dyn Facts) -> Self {
        IndexTerms { facts, held: Vec::new() }
    }

    /// `s` with leaves for the bounds and positions in it.
    pub fn stmt(&mut self, s: &Stmt) -> Stmt {
        match s {
            Stmt::Loop { index, parallel, lo, hi, body } => Stmt::Loop {
                index: *index,
                parallel: *parallel,
                lo: self.place(lo),
                hi: self.place(hi),
                body: Box::new(self.stmt(body)),
            },
            Stmt::Assign { target, op, value } => Stmt::Assign {
                target: self.target(target),
                op: op.clone(),
                value: self.expr(value),
            },
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond: self.expr(cond),
                then: Box::new(self.stmt(then)),
                otherwise: Box::new(self.stmt(otherwise)),
            },
            Stmt::Seq(all) => Stmt::Seq(all.iter().map(|s| self.stmt(s)).collect()),
            Stmt::Where { consumer, producer, local } => Stmt::Where {
                consumer: Box::new(self.stmt(consumer)),
                producer: Box::new(self.stmt(producer)),
                local: local.clone(),
            },
            Stmt::Let { var, value, body } => Stmt::Let {
                var: *var,
                value: match self.facts.is_index(&Expr::Var(*var)) {
                    true => self.place(value),
                    false => self.expr(value),
                },
                body: Box::new(self.stmt(body)),
            },
            Stmt::Pass => Stmt::Pass,
        }
    }

    /// `e`, a value, with leaves for the positions in it.
    pub fn expr(&mut self, e: &Expr) -> Expr {
        match e {
            Expr::Call(op, args) => {
                let index = self.sort_of(e) == Sort::Index;
                let args = args.iter().map(|a| match a {
                    // A number beside an index is no value either.
                    _ if index && self.sort_of(a) == Sort::Either => self.place(a),
                    _ => self.expr(a),
                });
                Expr::Call(op.clone(), args.collect())
            }
            other => self.target(other),
        }
    }

    /// An element by its position, or any leaf.
    fn target(&mut self, e: &Expr) -> Expr {
        match e {
            Expr::Load(a, position) => Expr::Load(*a, Box::new(self.place(position))),
            other => other.clone(),
        }
    }

    /// A bound or position.
    fn place(&mut self, e: &Expr) -> Expr {
        match e {
            Expr::Lit(_) => e.clone(),
            _ => {
                let known = self.held.iter().position(|held| held == e);
                let n = known.unwrap_or_else(|| {
                    self.held.push(e.clone());
                    self.held.len() - 1
                });
                Expr::Raw(RawId(FIRST + n as u32))
            }
        }
    }

    fn held(&self, leaf: &Expr) -> Option<&Expr> {
        match leaf {
            Expr::Raw(RawId(n)) if *n >= FIRST => self.held.get((n - FIRST) as usize),
            _ => None,
        }
    }

    fn sort_of(&self, e: &Expr) -> Sort {
        match e {
            Expr::Lit(Lit::Int(_) | Lit::Bool(_)) => Sort::Either,
            Expr::Lit(_) => Sort::Value,
            Expr::Load(a, _) => self.sort(&Expr::Array(*a)),
            Expr::Call(op, args) if sorted(&Sym::of(op, &Operators::new())) => {
                args.iter().map(|a| self.sort_of(a)).fold(Sort::Either, Sort::with)
            }
            Expr::Call(..) => Sort::Value,
            leaf => self.sort(leaf),
        }
    }

    /// `s` with the terms in place of the leaves that stand for them.
    pub fn restore_stmt(&self, s: &Stmt) -> Stmt {
        s.map(&mut |e| self.held(e).cloned())
    }

    /// `e` with the terms in place of the leaves that stand for them.
    pub fn restore(&self, e: &Expr) -> Expr {
        e.map(&mut |e| self.held(e).cloned())
    }

    /// The leaves of a term.
    fn leaves(term: &Expr) -> Vec<Expr> {
        let mut found = Vec::new();
        term.walk(&mut |e| match e {
            Expr::Load(a, _) => found.push(Expr::Array(*a)),
            Expr::Lit(_) | Expr::Call(..) => {}
            leaf => found.push(leaf.clone()),
        });
        found
    }
}

impl Facts for IndexTerms<'_> {
    fn depends(&self, leaf: &Expr) -> Vec<VarId> {
        let Some(term) = self.held(leaf) else { return self.facts.depends(leaf) };
        let mut all: Vec<VarId> =
            Self::leaves(term).iter().flat_map(|l| self.facts.depends(l)).collect();
        all.sort();
        all.dedup();
        all
    }
    fn is_bool(&self, leaf: &Expr) -> bool {
        self.held(leaf).is_none() && self.facts.is_bool(leaf)
    }
    fn is_float(&self, leaf: &Expr) -> bool {
        self.held(leaf).is_none() && self.facts.is_float(leaf)
    }
    fn wraps(&self, leaf: &Expr) -> bool {
        self.held(leaf).is_none() && self.facts.wraps(leaf)
    }
    // What is assigned is no array of coordinates, so writing it changes no bound or position.
    fn tensor(&self, leaf: &Expr) -> Option<TensorId> {
        self.held(leaf).is_none().then(|| self.facts.tensor(leaf)).flatten()
    }
    fn may_be_missing(&self, leaf: &Expr) -> bool {
        match self.held(leaf) {
            Some(term) => Self::leaves(term).iter().any(|l| self.facts.may_be_missing(l)),
            None => self.facts.may_be_missing(leaf),
        }
    }
    fn range(&self, leaf: &Expr) -> Option<(i128, i128)> {
        match self.held(leaf) {
            Some(term @ (Expr::Var(_) | Expr::Raw(_))) => self.facts.range(term),
            Some(_) => None,
            None => self.facts.range(leaf),
        }
    }
    fn is_opaque(&self, leaf: &Expr) -> bool {
        match self.held(leaf) {
            // Of variables, programs assign to those of their own types only.
            Some(term) => Self::leaves(term).iter().any(|l| !self.facts.is_index(l)),
            None => self.facts.is_opaque(leaf),
        }
    }
    fn sort(&self, leaf: &Expr) -> Sort {
        match leaf {
            _ if self.held(leaf).is_some() || self.facts.is_index(leaf) => Sort::Index,
            Expr::Var(_) | Expr::Raw(_) => {
                match self.facts.is_float(leaf) || self.facts.is_bool(leaf) {
                    true => Sort::Value,
                    false => Sort::Either,
                }
            }
            _ => Sort::Value,
        }
    }
}
