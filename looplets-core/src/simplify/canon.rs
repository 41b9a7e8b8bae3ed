//! Renumbering of leaves by rank, which is what makes two terms one for the memo.
//!
//! A kernel's terms repeat with other arrays and indices: every region of a merge is the same body
//! over new names. A result depends on the term's shape and on the facts of its leaves only, so it
//! is computed on numbered leaves and the names are put back. Numbers keep the order of the ids, as
//! arguments are written in that order: simplifying twice must not swap them.

use super::facts::{Facts, Kind, LeafFact, Set};
use crate::cin::{AccessId, ArrayId, Expr, RawId, Stmt, TensorId, VarId};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A term of either sort.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A value.
    Expr(Expr),
    /// A statement.
    Stmt(Stmt),
}

/// What a result depends on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// The renumbered term.
    pub term: Term,
    /// The facts of its leaves.
    pub leaves: Vec<LeafFact>,
}

/// Names to numbers and back.
#[derive(Default)]
pub struct Canon {
    numbers: Map<(u8, u32), u32>,
    /// Names by number; variables only facts mention come last.
    leaves: Vec<Expr>,
    tensors: Vec<TensorId>,
}

impl Canon {
    /// Numbers the leaves of a term.
    pub fn of_expr(e: &Expr) -> Canon {
        let mut keys = vec![];
        e.walk(&mut |e| keys.extend(key(e)));
        Canon::ranked(keys)
    }

    /// Numbers the leaves of a term, and the names it binds.
    pub fn of_stmt(s: &Stmt) -> Canon {
        let mut bound = vec![];
        binders(s, &mut bound);
        let mut keys: Vec<(u8, u32)> = bound.iter().map(|v| (0, v.0)).collect();
        s.walk(&mut |e| keys.extend(key(e)));
        Canon::ranked(keys)
    }

    fn ranked(mut keys: Vec<(u8, u32)>) -> Canon {
        keys.sort_unstable();
        keys.dedup();
        let mut canon = Canon::default();
        for key in keys {
            canon.numbers.insert(key, canon.leaves.len() as u32);
            canon.leaves.push(leaf(key));
        }
        canon
    }

    /// The renumbered expression.
    pub fn expr(&mut self, e: &Expr) -> Expr {
        e.map(&mut |e| match e {
            Expr::Var(_) | Expr::Array(_) | Expr::Access(_) | Expr::Raw(_) => {
                let n = self.number(e);
                Some(renumber(e, n))
            }
            // The array of a load is no subexpression to `map`, but is a leaf to the facts.
            Expr::Load(array, index) => {
                let n = self.number(&Expr::Array(*array));
                Some(Expr::Load(ArrayId(n), Box::new(self.expr(index))))
            }
            Expr::Lit(_) | Expr::Call(..) => None,
        })
    }

    /// The renumbered statement.
    pub fn stmt(&mut self, s: &Stmt) -> Stmt {
        match s {
            Stmt::Loop { index, parallel, lo, hi, body } => Stmt::Loop {
                index: self.var(*index),
                parallel: *parallel,
                lo: self.expr(lo),
                hi: self.expr(hi),
                body: Box::new(self.stmt(body)),
            },
            Stmt::Assign { target, op, value } => {
                Stmt::Assign { target: self.expr(target), op: op.clone(), value: self.expr(value) }
            }
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond: self.expr(cond),
                then: Box::new(self.stmt(then)),
                otherwise: Box::new(self.stmt(otherwise)),
            },
            Stmt::Seq(all) => Stmt::Seq(all.iter().map(|s| self.stmt(s)).collect()),
            Stmt::Where { consumer, producer, local } => Stmt::Where {
                local: local.iter().map(|t| self.tensor(*t)).collect(),
                consumer: Box::new(self.stmt(consumer)),
                producer: Box::new(self.stmt(producer)),
            },
            Stmt::Let { var, value, body } => Stmt::Let {
                value: self.expr(value),
                var: self.var(*var),
                body: Box::new(self.stmt(body)),
            },
            Stmt::Pass => Stmt::Pass,
        }
    }

    fn var(&mut self, v: VarId) -> VarId {
        VarId(self.number(&Expr::Var(v)))
    }

    fn tensor(&mut self, t: TensorId) -> TensorId {
        let n = self.tensors.iter().position(|x| *x == t).unwrap_or_else(|| {
            self.tensors.push(t);
            self.tensors.len() - 1
        });
        TensorId(n as u32)
    }

    fn number(&mut self, e: &Expr) -> u32 {
        let Some(key) = key(e) else { unreachable!("only leaves are numbered") };
        let leaves = &mut self.leaves;
        *self.numbers.entry(key).or_insert_with(|| {
            leaves.push(leaf(key));
            (leaves.len() - 1) as u32
        })
    }

    /// The facts of the leaves numbered so far. Variables that only facts mention are numbered too.
    pub fn facts(&mut self, facts: &dyn Facts) -> Vec<LeafFact> {
        let mut table = vec![];
        while table.len() < self.leaves.len() {
            let leaf = self.leaves[table.len()].clone();
            let mut depends = Set::default();
            for v in facts.depends(&leaf) {
                depends.insert(self.number(&Expr::Var(v)));
            }
            let kind = match () {
                () if facts.is_bool(&leaf) => Kind::Bool,
                () if facts.is_float(&leaf) => Kind::Other,
                () => Kind::Int,
            };
            table.push(LeafFact {
                depends,
                kind,
                wraps: kind == Kind::Int && facts.wraps(&leaf),
                missing: facts.may_be_missing(&leaf),
                range: if kind == Kind::Int { facts.range(&leaf) } else { None },
                tensor: facts.tensor(&leaf).map(|t| self.tensor(t)),
                raw: facts.is_opaque(&leaf),
                sort: facts.sort(&leaf),
                variable: matches!(leaf, Expr::Var(_)),
                array: matches!(leaf, Expr::Array(_)),
                access: matches!(leaf, Expr::Access(_)),
            });
        }
        table
    }

    /// An expression over numbers, with the names put back.
    pub fn restore(&self, e: &Expr) -> Expr {
        let name = |n: u32| self.leaves[n as usize].clone();
        e.map(&mut |e| match e {
            Expr::Var(VarId(n))
            | Expr::Array(ArrayId(n))
            | Expr::Access(AccessId(n))
            | Expr::Raw(RawId(n)) => Some(name(*n)),
            Expr::Load(ArrayId(n), index) => match name(*n) {
                Expr::Array(a) => Some(Expr::Load(a, Box::new(self.restore(index)))),
                _ => unreachable!("an array's number"),
            },
            Expr::Lit(_) | Expr::Call(..) => None,
        })
    }

    /// A statement over numbers, with the names put back.
    pub fn restore_stmt(&self, s: &Stmt) -> Stmt {
        let var = |v: &VarId| match &self.leaves[v.0 as usize] {
            Expr::Var(v) => *v,
            _ => unreachable!("a variable's number"),
        };
        let sub = |s: &Stmt| Box::new(self.restore_stmt(s));
        match s {
            Stmt::Loop { index, parallel, lo, hi, body } => Stmt::Loop {
                index: var(index),
                parallel: *parallel,
                lo: self.restore(lo),
                hi: self.restore(hi),
                body: sub(body),
            },
            Stmt::Assign { target, op, value } => Stmt::Assign {
                target: self.restore(target),
                op: op.clone(),
                value: self.restore(value),
            },
            Stmt::Sieve { cond, then, otherwise } => {
                Stmt::Sieve { cond: self.restore(cond), then: sub(then), otherwise: sub(otherwise) }
            }
            Stmt::Seq(all) => Stmt::Seq(all.iter().map(|s| self.restore_stmt(s)).collect()),
            Stmt::Where { consumer, producer, local } => Stmt::Where {
                consumer: sub(consumer),
                producer: sub(producer),
                local: local.iter().map(|t| self.tensors[t.0 as usize]).collect(),
            },
            Stmt::Let { var: v, value, body } => {
                Stmt::Let { var: var(v), value: self.restore(value), body: sub(body) }
            }
            Stmt::Pass => Stmt::Pass,
        }
    }
}

/// Kind and id of a leaf; of a load, its array's.
fn key(e: &Expr) -> Option<(u8, u32)> {
    Some(match e {
        Expr::Var(v) => (0, v.0),
        Expr::Raw(r) => (1, r.0),
        Expr::Access(a) => (2, a.0),
        Expr::Array(a) | Expr::Load(a, _) => (3, a.0),
        Expr::Lit(_) | Expr::Call(..) => return None,
    })
}

fn leaf((kind, n): (u8, u32)) -> Expr {
    match kind {
        0 => Expr::Var(VarId(n)),
        1 => Expr::Raw(RawId(n)),
        2 => Expr::Access(AccessId(n)),
        _ => Expr::Array(ArrayId(n)),
    }
}

/// The variables a statement binds.
pub fn binders(s: &Stmt, out: &mut Vec<VarId>) {
    match s {
        Stmt::Loop { index: v, body, .. } | Stmt::Let { var: v, body, .. } => {
            out.push(*v);
            binders(body, out);
        }
        Stmt::Sieve { then: a, otherwise: b, .. }
        | Stmt::Where { consumer: a, producer: b, .. } => {
            binders(a, out);
            binders(b, out);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| binders(s, out)),
        Stmt::Assign { .. } | Stmt::Pass => {}
    }
}

fn renumber(leaf: &Expr, n: u32) -> Expr {
    match leaf {
        Expr::Var(_) => Expr::Var(VarId(n)),
        Expr::Array(_) => Expr::Array(ArrayId(n)),
        Expr::Access(_) => Expr::Access(AccessId(n)),
        _ => Expr::Raw(RawId(n)),
    }
}

/// A hash map with a hash that is cheap where nothing is optimised.
pub type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// Multiply and rotate, a word at a time. There is no adversary in a program's own terms.
#[derive(Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = self.0.wrapping_add(n).wrapping_mul(0xf135_7aea_2e62_a9c5).rotate_left(5);
    }
    fn write_u8(&mut self, n: u8) {
        self.write_u64(n.into());
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(n.into());
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}
