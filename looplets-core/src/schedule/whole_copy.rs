//! Copies of sparse operands that have every coordinate, with a zero where nothing is stored, so that one look at an
//! element is enough: no flag says whether it is stored.
//!
//! In a sum of products of whole numbers such a zero adds nothing. In one of floats it adds a zero, or NaN where another factor
//! is infinite or NaN. So a sum that is NaN is taken once more, of the operand itself, and all others are what they would
//! have been: the result starts at 0, to which a zero of either sign adds nothing.

use super::gallop::leap;
use super::indices::names;
use super::products::factors;
use super::workspace::whole;
use super::{around, Scheduler};
use crate::ast::{Block, Expr, OpRef, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::{fill_literal, Chain};
use crate::types::Ty;
use proc_macro2::Ident;

/// A copy with every coordinate.
pub struct Whole {
    /// Its format.
    pub ty: syn::Type,
    /// How sums are seen to be numbers; those of whole numbers always are.
    pub check: Option<Check>,
}

/// What holds a sum until it is known to be a number.
pub struct Check {
    /// Its name, and its type.
    sum: (Ident, syn::Type),
    /// What leaps where the sum is taken once more.
    leaping: Vec<Expr>,
}

impl Scheduler<'_> {
    /// Whether `operand`, copied once before all of `loops`, may have every coordinate of `index`.
    pub(super) fn whole_copy(
        &mut self,
        stmt: &Stmt,
        loops: &[Ident],
        (operand, index): (&Expr, &Ident),
    ) -> Option<Whole> {
        let Stmt::Assign { target, op: Some(plus), value, span } = stmt else { return None };
        let Expr::Access { name, indices, .. } = target else { return None };
        let Expr::Access { name: own, .. } = operand else { return None };
        let (last, outer) = loops.split_last()?;
        let innermost = last == index && !names(target).contains(&index.to_string());
        if plus.op != Op::Add || !innermost || !self.open.is_empty() || outer.is_empty() {
            return None;
        }
        let (chain, new) = self.formats.get(&name.to_string())?;
        let (chain, copied) = (chain.as_ref()?, self.chain(own)?);
        let zero = |c: &Chain| {
            let fill = c.fill.as_ref().and_then(|fill| fill_literal(fill, false));
            fill == Some(Lit::Int(0))
        };
        let levels = chain.levels.iter().take(indices.len());
        let dense = levels.clone().all(|l| l.level().has_children_alone());
        let mut all = Vec::new();
        factors(value, &Op::Mul, &mut all);
        let alike = |e: &&Expr| match e {
            Expr::Access { name, .. } => {
                self.chain(name).is_some_and(|c| c.value.to_string() == chain.value.to_string())
            }
            _ => false,
        };
        if !dense || !zero(copied) || !all.iter().all(alike) || !matches!(value, Expr::Call { .. })
        {
            return None;
        }
        let ty = self.known(whole(self.krate, 1, Some(&copied.levels.last()?.home())))?;
        let of = Ty::of(&chain.value);
        if of.is_integer() {
            return Some(Whole { ty, check: None });
        }
        // What is held until it is known is written whatever a loop outside goes along.
        let along = outer.iter().any(|i| all.iter().any(|e| self.leads(e, i)));
        // Behind another statement it may be at -0.0, to which a zero adds something.
        let starts_at_zero = *new && zero(chain) && !self.assigned.contains(&name.to_string());
        if !of.is_float() || !starts_at_zero || along {
            return None;
        }
        let value = syn::parse2(chain.value.clone()).ok()?;
        let leaping = all.into_iter().filter(|e| self.leaps(e, index, &Op::Mul)).cloned().collect();
        let sum = (self.fresh(target, "sum", *span), value);
        Some(Whole { ty, check: Some(Check { sum, leaping }) })
    }
}

/// `stmt`, which reads a copy, in a loop over `index` that holds its sum; if that is NaN, `exact` is done instead.
pub fn checked(stmt: Stmt, mut exact: Stmt, check: &Check, index: &Ident) -> Stmt {
    let Check { sum: (sum, ty), leaping } = check;
    leaping.iter().for_each(|e| leap(&mut exact, e, index));
    let Stmt::Assign { target, op, value, span } = stmt else {
        unreachable!("copies are read by assignments")
    };
    let name = || Expr::Name(sum.clone());
    let assign = |target, value| Stmt::Assign { target, op: op.clone(), value, span };
    let mut held = assign(name(), value);
    around(&mut held, std::slice::from_ref(index));
    let equal = OpRef { op: Op::Eq, path: None, span };
    let number = Expr::Call { op: equal, args: vec![name(), name()] };
    let block = |stmt| Block { stmts: vec![stmt], span };
    around(&mut exact, std::slice::from_ref(index));
    let known = Stmt::If {
        cond: number,
        then: block(assign(target, name())),
        otherwise: Some(block(exact)),
    };
    let declared = Stmt::Workspace { name: sum.clone(), ty: ty.clone(), dims: None, of: None };
    Stmt::Block(Block { stmts: vec![declared, held, known], span })
}

/// Whether `cond` asks of a scalar whether it is a number, which it is taken to be where costs are counted.
pub fn is_number(cond: &Expr) -> bool {
    match cond {
        Expr::Call { op, args } if op.op == Op::Eq => {
            matches!(&args[..], [Expr::Name(a), Expr::Name(b)] if a == b)
        }
        _ => false,
    }
}
