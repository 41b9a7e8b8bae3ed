//! Digits: indices that are quotients and remainders of a loop index, side by side or written out.

use super::views::Driven;
use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::kernel::*;

impl Resolver<'_> {
    /// The loop whose index is divided in `e`, a digit.
    pub(super) fn divided(&self, e: &ast::Expr) -> Option<VarId> {
        match e {
            ast::Expr::Call { op, args } if matches!(op.op, Op::Div | Op::Rem) => {
                self.divided(&args[0])
            }
            e => self.driver(e),
        }
    }

    /// `e` as a digit of the index `v`.
    pub(super) fn digit(&mut self, e: &ast::Expr, v: VarId) -> Option<Digit> {
        let (quotient, modulo) = match e {
            ast::Expr::Call { op, args } if op.op == Op::Rem => (&args[0], Some(&args[1])),
            e => (e, None),
        };
        let (moved, by) = match quotient {
            ast::Expr::Call { op, args } if op.op == Op::Div => (&args[0], Some(&args[1])),
            e => (e, None),
        };
        let Driven { stride: None, rest: shift } = self.driven(moved, v)? else { return None };
        let by = match by {
            Some(by) => self.index_expr(by),
            None => Expr::int(1),
        };
        let modulo = modulo.map(|m| self.index_expr(m));
        let sizes = [&by].into_iter().chain(&modulo);
        let fixed = sizes.into_iter().all(|size| self.kernel.fixed(size));
        fixed.then_some(Digit { shift, by, modulo })
    }

    /// `e`, which a program writes, as a digit of a loop index, if it is one.
    pub(super) fn written_digit(&mut self, e: &ast::Expr) -> Option<(Digit, VarId)> {
        let ast::Expr::Call { op, .. } = e else { return None };
        if !matches!(op.op, Op::Div | Op::Rem) || op.path.is_some() || !self.errors.is_empty() {
            return None;
        }
        let v = self.divided(e)?;
        let mark = self.kernel.prelude.len();
        let positive = |e: &Expr| !matches!(e, Expr::Lit(Lit::Int(n)) if *n < 1);
        let digit = self.digit(e, v).filter(|d| {
            let sizes = positive(&d.by) && d.modulo.as_ref().is_none_or(positive);
            sizes && matches!(d.shift, Expr::Lit(_))
        });
        if digit.is_none() {
            self.kernel.prelude.truncate(mark);
        }
        let digit = digit.map(|Digit { shift, by, modulo }| {
            let (by, modulo) = (self.first_held(by), modulo.map(|m| self.first_held(m)));
            Digit { shift, by, modulo }
        });
        digit.map(|digit| (digit, v))
    }

    /// The first variable that holds the same size as `size`.
    pub(super) fn first_held(&self, size: Expr) -> Expr {
        let value = |e: &Expr| match e {
            Expr::Var(v) => self.kernel.prelude.iter().find(|(w, _)| w == v).map(|(_, e)| e),
            _ => None,
        };
        let Some(own) = value(&size) else { return size };
        match self.kernel.prelude.iter().find(|(_, e)| e == own) {
            Some((first, _)) => Expr::Var(*first),
            None => size,
        }
    }

    /// The digits that a program writes out are of levels that are located where they leave the dimensions:
    /// others are computed indices.
    pub(super) fn digits_of(&self, t: TensorId, mut indices: Vec<Index>) -> Vec<Index> {
        let levels = &self.kernel.tensor(t).levels;
        let reached = |(index, level): (&Index, &Level)| {
            index.view.written.is_none()
                || index.protocol.is_none() && level.format.level().read("locate").is_some()
        };
        // What is read at two quotients is checked at both, whether the first finds something or not.
        let first = |i: &&Index| matches!(&i.kind, IndexKind::Digit(_, d) if d.modulo.is_none() && i.view.written.is_some());
        let one = indices.iter().filter(first).count() <= 1;
        if !one || !indices.iter().zip(levels).all(reached) {
            for index in &mut indices {
                index.view.checked &= index.view.written.is_none();
                if let Some(written) = index.view.written.take() {
                    index.kind = IndexKind::Opaque(written);
                }
            }
        }
        indices
    }

    /// `indices` with the digits that do not stand side by side as computed indices.
    pub fn digits_in_order(&mut self, mut indices: Vec<Index>) -> Vec<Index> {
        let mut above: Option<(VarId, Digit)> = None;
        for place in 0..indices.len() {
            let around = |v: VarId| self.loops.iter().position(|l| *l == v);
            let outer = indices[..place].iter().all(|i| match &i.kind {
                IndexKind::Affine(w, _) => {
                    indices[place].kind.loop_of().is_some_and(|v| around(*w) < around(v))
                }
                IndexKind::Digit(w, _) => {
                    indices[place].kind.loop_of().is_some_and(|v| around(*w) <= around(v))
                }
                IndexKind::Opaque(_) => true,
            });
            let index = &mut indices[place];
            let IndexKind::Digit(v, digit) = &index.kind else {
                above = None;
                continue;
            };
            let next = match (&digit.modulo, &above) {
                (None, _) => true,
                (Some(modulo), Some((w, above))) => {
                    v == w
                        && digit.shift == above.shift
                        && self.is_product(&above.by, &digit.by, modulo)
                }
                (Some(_), None) => false,
            };
            let (v, digit) = (*v, digit.clone());
            let plain = index.view.written.is_none() && index.view.clips.is_empty();
            // A level is not read time and again as a whole where a higher digit stands further in.
            let lower = |i: &Index| match &i.kind {
                IndexKind::Digit(_, digit) => digit.modulo.is_some(),
                kind => kind.loop_of() != Some(v),
            };
            let plain = plain && indices[place + 1..].iter().all(lower);
            let repeats = match &digit.modulo {
                Some(modulo) if plain && !next => {
                    let group = self.product(&digit.by, modulo);
                    Some(group).filter(|group| *group != Expr::int(1))
                }
                _ => None,
            };
            if (next || repeats.is_some()) && outer {
                indices[place].view.repeats = repeats;
                above = Some((v, digit));
            } else {
                let index = &mut indices[place];
                let written = index.view.written.take();
                index.view.checked &= written.is_none();
                index.view.groups.clear();
                index.kind =
                    IndexKind::Opaque(written.unwrap_or_else(|| index.coordinate(&Expr::Var(v))));
                above = None;
            }
        }
        indices
    }
}

/// The index that `e` is a digit of.
pub(super) fn divided_by(e: &ast::Expr) -> Option<&ast::Expr> {
    let ast::Expr::Call { op, args } = e else { return None };
    match op.op {
        Op::Rem => Some(divided_by(&args[0]).unwrap_or(&args[0])),
        Op::Div => Some(&args[0]),
        _ => None,
    }
}
