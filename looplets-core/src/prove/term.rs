//! The one door to the prover: expressions become integer terms and conditions over numbered values,
//! each of which has one value from one write of what it reads to the next.
//!
//! A [`Term`] holds whole numbers, values by number, and arithmetic that does not wrap; a [`Condition`]
//! holds comparisons of such terms and conditions by number. Neither can be made in any other way, so that
//! floats, sums that wrap and what is assigned in between never meet the rules of integers.

use super::affine::canonical;
use crate::cin::{ArrayId, Expr, Lit, Op, VarId};
use crate::types::Ty;
use std::collections::HashMap;

/// What kind of number an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A coordinate or position: its arithmetic is that of the integers.
    Index,
    /// An integer of a type with limits, at which its arithmetic wraps or panics.
    Integer,
    /// A literal, which takes the type of what it meets.
    Literal,
    /// `true` or `false`, a float, or whatever else: no integer.
    Other,
}

/// What the tables of the caller say of expressions, at the point of the program that is being lowered.
pub trait Meaning {
    /// What kind of number `e` is.
    fn sort(&self, e: &Expr) -> Sort;
    /// The last write of what `e` reads, as a number that grows from write to write; 0 if nothing writes it.
    /// `None` if two evaluations without a write in between may differ, or if that is not known.
    fn since(&self, e: &Expr) -> Option<u32>;
    /// Whether an integer fits an index, so that `index(e)` is `e`.
    fn fits_index(&self, e: &Expr) -> bool;
}

/// An integer term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Term(Expr);

/// A condition: comparisons of terms, conditions by number, and connectives of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition(Expr);

impl Term {
    /// The number `n`.
    pub fn int(n: i128) -> Term {
        Term(Expr::int(n))
    }
    /// It over numbered values.
    pub(super) fn numbered(&self) -> &Expr {
        &self.0
    }
}

impl Condition {
    /// `a op b`, of `<`, `<=`, `==`.
    pub(super) fn compare(op: Op, a: &Term, b: &Term) -> Condition {
        Condition(Expr::call(op, [a.0.clone(), b.0.clone()]))
    }
    /// It over numbered values.
    pub(super) fn numbered(&self) -> &Expr {
        &self.0
    }
}

/// What a number stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// A variable since a write.
    Var(VarId, u32),
    /// An element, its position over numbered values, since a write.
    Load(ArrayId, Expr, u32),
    /// Any other expression since a write.
    Other(Expr, u32),
}

/// The numbers that were given so far, and what they stand for.
///
/// A coordinate that is never assigned has its own number, doubled, everything else an odd one.
#[derive(Default)]
pub struct Numbers {
    known: HashMap<Key, VarId>,
    expressions: Vec<Expr>,
}

impl Numbers {
    /// `e`, an expression of integers; `None` if it is none.
    pub fn term(&mut self, e: &Expr, meaning: &dyn Meaning) -> Option<Term> {
        match meaning.sort(e) {
            Sort::Index => Some(Term(self.index(e, meaning))),
            Sort::Integer => Some(Term(self.value(e, meaning))),
            Sort::Literal => match e {
                Expr::Lit(Lit::Int(_)) => Some(Term(e.clone())),
                Expr::Call(..) if whole(e) => Some(Term(self.index(e, meaning))),
                _ => None,
            },
            Sort::Other => None,
        }
    }

    /// An index over numbered values.
    fn index(&mut self, e: &Expr, meaning: &dyn Meaning) -> Expr {
        match e {
            Expr::Lit(Lit::Int(_)) => e.clone(),
            Expr::Lit(Lit::Bool(b)) => Expr::int(i128::from(*b)),
            Expr::Call(op, args) => match (op, &args[..]) {
                (Op::Add | Op::Mul | Op::Min | Op::Max, [_, ..])
                | (Op::Sub | Op::Div | Op::Rem | Op::CeilDiv, [_, _])
                | (Op::Neg, [_]) => {
                    let args = args.iter().map(|a| self.index(a, meaning)).collect();
                    Expr::Call(op.clone(), args)
                }
                (Op::Index | Op::Cast(Ty::Index), [a]) | (Op::During, [a, _]) => {
                    match meaning.sort(a) {
                        Sort::Index | Sort::Literal => self.index(a, meaning),
                        Sort::Integer if meaning.fits_index(a) => self.value(a, meaning),
                        _ => self.value(e, meaning),
                    }
                }
                _ => self.value(e, meaning),
            },
            _ => self.value(e, meaning),
        }
    }

    /// A value by its number.
    fn value(&mut self, e: &Expr, meaning: &dyn Meaning) -> Expr {
        if matches!(e, Expr::Lit(Lit::Int(_))) {
            return e.clone();
        }
        // Terms are written as indices.
        let converted = meaning.sort(e) == Sort::Integer;
        let written = |e: Expr| if converted { Expr::call(Op::Index, [e]) } else { e };
        let key = match (e, meaning.since(e)) {
            (_, None) => return self.number(written(e.clone())),
            (Expr::Var(v), Some(0)) if !converted => return Expr::Var(VarId(2 * v.0)),
            (Expr::Var(v), Some(since)) => Key::Var(*v, since),
            (Expr::Load(a, i), Some(since)) => {
                Key::Load(*a, canonical(&self.index(i, meaning)), since)
            }
            (_, Some(since)) => Key::Other(e.clone(), since),
        };
        if let Some(number) = self.known.get(&key) {
            return Expr::Var(*number);
        }
        let number = self.number(written(match &key {
            // Its position in the spelling that all of its kind have.
            Key::Load(a, i, _) => Expr::Load(*a, Box::new(self.expression(i))),
            _ => e.clone(),
        }));
        if let Expr::Var(n) = number {
            self.known.insert(key, n);
        }
        number
    }

    /// A number for `e` that nothing else has.
    fn number(&mut self, e: Expr) -> Expr {
        self.expressions.push(e);
        Expr::Var(VarId(2 * self.expressions.len() as u32 - 1))
    }

    /// `e` as a condition; where nothing can be known of it, by a number that nothing else has.
    pub fn condition(&mut self, e: &Expr, meaning: &dyn Meaning) -> Condition {
        Condition(self.truth(e, meaning))
    }

    fn truth(&mut self, e: &Expr, meaning: &dyn Meaning) -> Expr {
        let Expr::Call(op, args) = e else {
            return match e {
                Expr::Lit(Lit::Bool(_)) => e.clone(),
                _ => self.opaque(e, meaning),
            };
        };
        match (op, &args[..]) {
            (Op::And | Op::Or, _) => {
                Expr::Call(op.clone(), args.iter().map(|a| self.truth(a, meaning)).collect())
            }
            // Of an integer it is that of its bits.
            (Op::Not, [a]) if !matches!(meaning.sort(a), Sort::Integer | Sort::Literal) => {
                Expr::call(Op::Not, [self.truth(a, meaning)])
            }
            (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, [a, b]) => {
                self.comparison(op, a, b, meaning).unwrap_or_else(|| self.opaque(e, meaning))
            }
            _ => self.opaque(e, meaning),
        }
    }

    /// A comparison of integers of one type.
    fn comparison(&mut self, op: &Op, a: &Expr, b: &Expr, meaning: &dyn Meaning) -> Option<Expr> {
        match (meaning.sort(a), meaning.sort(b)) {
            (Sort::Index | Sort::Literal, Sort::Index | Sort::Literal)
            | (Sort::Integer | Sort::Literal, Sort::Integer | Sort::Literal) => {}
            _ => return None,
        }
        let (a, b) = (self.term(a, meaning)?, self.term(b, meaning)?);
        Some(Expr::Call(op.clone(), vec![a.0, b.0]))
    }

    /// A condition that is no comparison of integers, by its number: that of the one spelling of it and of
    /// what holds exactly where it does, NaN or not.
    fn opaque(&mut self, e: &Expr, meaning: &dyn Meaning) -> Expr {
        let Expr::Call(op, args) = e else { return self.value(e, meaning) };
        let turned = |op: Op| Expr::call(op, [args[1].clone(), args[0].clone()]);
        match op {
            Op::Gt => self.value(&turned(Op::Lt), meaning),
            Op::Ge => self.value(&turned(Op::Le), meaning),
            Op::Ne => {
                let equal = self.opaque(&Expr::call(Op::Eq, args.clone()), meaning);
                Expr::call(Op::Not, [equal])
            }
            Op::Eq if args[1] < args[0] => self.value(&turned(Op::Eq), meaning),
            _ => self.value(e, meaning),
        }
    }

    /// A term over numbered values as an expression again.
    pub fn expression(&self, numbered: &Expr) -> Expr {
        numbered.map(&mut |e| match e {
            Expr::Var(n) if n.0 % 2 == 0 => Some(Expr::Var(VarId(n.0 / 2))),
            Expr::Var(n) => Some(self.expressions[n.0 as usize / 2].clone()),
            _ => None,
        })
    }
}

/// Whether an expression of literals alone has whole numbers and their sums in it only, so that it is the same
/// integer in every type.
fn whole(e: &Expr) -> bool {
    match e {
        Expr::Lit(lit) => matches!(lit, Lit::Int(_)),
        Expr::Call(op, args) => {
            matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Min | Op::Max)
                && args.iter().all(whole)
        }
        _ => false,
    }
}
