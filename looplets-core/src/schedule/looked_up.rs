//! Sparse operands that are read within sums, calls and conditions, beside one that leads: they are spread, and looked up where
//! that has entries.
//!
//! In `y[i] += a[i, j] * (x[j] - s[j])` nothing is to be done where `a` has nothing, whatever `s` has there. To go through both
//! would take all of `s` for each row of `a`.

use super::indices::Use;
use super::laws::compares;
use super::products::factors;
use super::spread::{same, ways_to_meet, Spread};
use super::turn::accesses;
use super::{guards, Scheduler};
use crate::ast::{Expr, Stmt};
use crate::cin::Op;
use crate::formats::fill_literal;
use crate::methods::Zero;
use proc_macro2::Ident;

impl Scheduler<'_> {
    /// What of `stmt` is to be looked up within `loops`, beside what is `spread` and `merged` already; `in_front`: of what is copied in
    /// front of all loops alone.
    pub(super) fn looked_up(
        &mut self,
        stmt: &Stmt,
        loops: &[Ident],
        uses: &[Use<'_>],
        (spread, merged): (&[Spread], &[Expr]),
        in_front: bool,
    ) -> Vec<Spread> {
        let Some(Stmt::Assign { value, span, .. }) = guards::assignment(stmt) else {
            return Vec::new();
        };
        // What is not stored takes part there.
        if self.strict {
            return Vec::new();
        }
        let conds = guards::conditions(stmt);
        let mut leaders = Vec::new();
        self.leaders(value, &mut leaders);
        for cond in &conds {
            let mut all = Vec::new();
            factors(cond, &Op::And, &mut all);
            leaders.extend(all.into_iter().filter_map(|e| self.asked(e)));
        }
        let mut read = Vec::new();
        conds.into_iter().for_each(|cond| accesses(cond, &mut read));
        accesses(value, &mut read);
        let mut out: Vec<Spread> = Vec::new();
        for operand in read {
            let copied = |e: &Expr| spread.iter().chain(&out).any(|s| s.is_of(e));
            let done = copied(operand) || merged.iter().any(|e| same(e, operand));
            let Expr::Access { name, .. } = operand else { continue };
            let Some((index, outside, paid)) = self.again(operand, (loops, &[]), uses) else {
                continue;
            };
            if in_front && outside > 0 {
                continue;
            }
            // One operand is left to lead.
            let left = |e: &&&Expr| !same(e, operand) && !copied(e);
            let led = leaders.iter().filter(left).any(|e| self.leads(e, &index));
            if done || !led || (self.choices.choose(ways_to_meet(name, paid)) == 0) != paid {
                continue;
            }
            out.extend(self.copied_to(operand, index, outside, None, *span));
        }
        out
    }

    /// What the condition `e` reads, if it holds nowhere where that stores nothing: an access, or a comparison of one with a number.
    fn asked<'a>(&self, e: &'a Expr) -> Option<&'a Expr> {
        let (op, args) = match e {
            Expr::Call { op, args } => (&op.op, &args[..]),
            _ => return Some(e).filter(|e| self.annihilator(e, &Op::And).is_some()),
        };
        let fill = |e: &Expr| {
            let Expr::Access { name, .. } = e else { return None };
            let chain = self.chain(name)?;
            fill_literal(chain.fill.as_ref()?, chain.value.to_string() == "bool")
        };
        let (access, holds) = match args {
            [a @ Expr::Access { .. }, Expr::Lit(b, ..)] => (a, compares(op, &fill(a)?, b)),
            [Expr::Lit(a, ..), b @ Expr::Access { .. }] => (b, compares(op, a, &fill(b)?)),
            _ => return None,
        };
        (holds == Some(false)).then_some(access)
    }

    /// The accesses in `e` that make it 0 where they store nothing; of the arguments of another operator, those that make it the
    /// fill that annihilates it.
    pub(super) fn leaders<'a>(&self, e: &'a Expr, out: &mut Vec<&'a Expr>) {
        match e {
            Expr::Access { .. } if self.annihilator(e, &Op::Mul).is_some() => out.push(e),
            Expr::Call { op, args } => match &op.op {
                Op::Mul | Op::And | Op::BitAnd => args.iter().for_each(|a| self.leaders(a, out)),
                Op::Neg | Op::Div | Op::Rem | Op::Shl | Op::Shr | Op::As(_) => {
                    self.leaders(&args[0], out);
                }
                Op::Method(method) => match method.row().zero {
                    Zero::Kept => self.leaders(&args[0], out),
                    Zero::Product => args.iter().for_each(|a| self.leaders(a, out)),
                    Zero::Power | Zero::Sum | Zero::Other => {}
                },
                op => out.extend(args.iter().filter(|a| self.annihilator(a, op).is_some())),
            },
            _ => {}
        }
    }
}
