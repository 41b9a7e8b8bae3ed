//! Simplifies the bounds of an extent: drops what another argument of `min` or `max` makes idle.

use super::affine::{flatten, Affine};
use super::difference::{Node, NONE, ZERO};
use super::facts::Facts;
use crate::cin::{Expr, Lit, Op};

/// An argument of `min` or `max`: how to write it, and its node plus an offset.
struct Argument {
    expr: Expr,
    place: Option<(Node, i64)>,
}

impl Facts {
    /// An expression equal to `e` wherever the facts hold.
    pub fn bound(&mut self, e: &Expr) -> Expr {
        let simple = match e {
            Expr::Lit(_) => return e.clone(),
            Expr::Call(op, args) => match op {
                Op::Min | Op::Max if !args.is_empty() => self.bound_extremum(op, args),
                Op::Add | Op::Sub | Op::Neg | Op::Mul => {
                    let args: Vec<Expr> = args.iter().map(|arg| self.bound(arg)).collect();
                    Affine::of(&Expr::Call(op.clone(), args)).to_expr()
                }
                _ => return e.clone(),
            },
            Expr::Load(..) => Affine::of(e).to_expr(),
            _ => e.clone(),
        };
        match self.value(&simple) {
            Some(n) => Expr::int(n.into()),
            None => simple,
        }
    }

    /// The one value an expression over known atoms can have.
    fn value(&self, e: &Expr) -> Option<i64> {
        if self.differences.contradiction() {
            return None;
        }
        let (x, y, scale, offset) = match e {
            Expr::Var(_) | Expr::Load(..) | Expr::Access(_) | Expr::Raw(_) => {
                (self.known(e)?, ZERO, 1, 0)
            }
            Expr::Call(..) => {
                let (terms, constant) = self.known_terms(&Affine::of(e))?;
                let constant = i64::try_from(constant).ok()?;
                match terms[..] {
                    [(x, c)] => (x, ZERO, c, constant),
                    [(x, c), (y, d)] if c == -d => (x, y, c, constant),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let (above, below) = (self.differences.get(x, y), self.differences.get(y, x));
        if above == NONE || below == NONE || above != -below {
            return None;
        }
        above.checked_mul(scale)?.checked_add(offset)
    }

    fn bound_extremum(&mut self, op: &Op, args: &[Expr]) -> Expr {
        let least = *op == Op::Min;
        let args: Vec<Expr> = args.iter().map(|arg| self.bound(arg)).collect();
        let mut flat = Vec::new();
        flatten(op, &args, &mut flat);
        let mut distinct: Vec<Expr> = Vec::new();
        let mut constant: Option<(usize, i128)> = None;
        for arg in flat {
            match arg {
                Expr::Lit(Lit::Int(n)) => {
                    constant = Some(match constant {
                        None => (distinct.len(), *n),
                        Some((at, m)) => (at, if least { m.min(*n) } else { m.max(*n) }),
                    });
                }
                _ if distinct.contains(arg) => {}
                _ => distinct.push(arg.clone()),
            }
        }
        if let Some((at, n)) = constant {
            distinct.insert(at, Expr::int(n));
        }
        if distinct.len() > 1 && !self.differences.contradiction() {
            distinct = self.scoped(|facts| facts.undominated(distinct, least));
        }
        if let [a, b] = &distinct[..] {
            if let Some(first) = self.is_less_beside(a, b) {
                let kept = usize::from(first != least);
                return distinct.swap_remove(kept);
            }
        }
        match distinct.len() {
            1 => distinct.remove(0),
            _ => Expr::Call(op.clone(), distinct),
        }
    }

    /// Whether `a <= b`, of sums that have terms in common: what is left without these may be known.
    fn is_less_beside(&mut self, a: &Expr, b: &Expr) -> Option<bool> {
        let (a, b) = (Affine::of(a), Affine::of(b));
        let rest = a.clone().minus(&b)?;
        if rest.terms().len() > a.terms().len() + b.terms().len() {
            return None;
        }
        self.decide(&Expr::call(Op::Le, [rest.to_expr(), Expr::int(0)]))
    }

    /// The arguments that can be the least (or greatest) alone.
    fn undominated(&mut self, exprs: Vec<Expr>, least: bool) -> Vec<Expr> {
        let mut kept: Vec<Argument> = exprs
            .into_iter()
            .map(|expr| Argument { place: self.part(&Affine::expanded(&expr)), expr })
            .collect();
        self.infer();
        // Of equals the simpler stays, and of those the earlier.
        let mut order: Vec<usize> = (0..kept.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse((size(&kept[*at].expr), *at)));
        let mut dropped = vec![false; kept.len()];
        for &at in &order {
            dropped[at] = (0..kept.len()).any(|other| {
                other != at && !dropped[other] && self.dominates(&kept[other], &kept[at], least)
            });
        }
        if !self.plain() {
            for &at in &order {
                let Some((node, c)) = kept[at].place else { continue };
                // Jointly idle: it cannot be strictly beyond all others at once.
                let beyond: Vec<(Node, Node, i64)> = (0..kept.len())
                    .filter(|other| *other != at && !dropped[*other])
                    .filter_map(|other| kept[other].place)
                    .map(|(other, d)| match least {
                        true => (node, other, d - c - 1),
                        false => (other, node, c - d - 1),
                    })
                    .collect();
                if !dropped[at] && !beyond.is_empty() && self.refutes(&beyond) {
                    dropped[at] = true;
                }
            }
        }
        let mut dropped = dropped.into_iter();
        kept.retain(|_| dropped.next() == Some(false));
        kept.into_iter().map(|argument| argument.expr).collect()
    }

    fn dominates(&self, a: &Argument, b: &Argument, least: bool) -> bool {
        let (Some((x, c)), Some((y, d))) = (a.place, b.place) else { return false };
        match least {
            true => self.differences.entails(x, y, d - c),
            false => self.differences.entails(y, x, c - d),
        }
    }
}

fn size(e: &Expr) -> usize {
    let mut size = 0;
    e.walk(&mut |_| size += 1);
    size
}
