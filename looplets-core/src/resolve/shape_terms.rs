//! What indices of shape operators come to as sums over loops: the loops of which each iteration reads a group of
//! elements that follow each other are known from their order.

use super::Resolver;
use crate::ast;
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Ident;

/// A loop index times what a step of it comes to.
struct Term {
    index: VarId,
    by: Expr,
}

/// An index as a sum over loops.
pub(super) struct Terms {
    /// The innermost loop.
    pub driver: VarId,
    /// How far apart the elements of two of its iterations are, if not 1.
    pub stride: Option<Expr>,
    /// All else that is added.
    pub shift: Expr,
    /// See [`View::groups`].
    pub groups: Vec<Group>,
}

/// Types whose numbers can be coordinates.
const INTEGERS: [&str; 10] =
    ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];

impl Resolver<'_> {
    /// The sum that the index `name` of a shape operator stands for: of one that no condition guards, it is known to lie
    /// in the dimension.
    pub(super) fn inside(&mut self, name: &Ident, of: &ast::Expr) -> Option<Terms> {
        let derived = self.derivation(name)?;
        let whole = derived.whole;
        let digit = matches!(of, ast::Expr::Call { op, .. } if matches!(op.op, Op::Div | Op::Rem));
        if digit {
            return None;
        }
        let mut terms = self.sum_over_loops(of, whole)?;
        if let Some(by) = terms.stride.take() {
            terms.stride = Some(match by {
                Expr::Lit(Lit::Int(n)) if !(1..=1 << 32).contains(&n) => return None,
                Expr::Lit(_) => by,
                // A step is checked to be positive, and where a size is 0 no element is read.
                by => self.kernel_local("step", Expr::call(Op::Max, [Expr::int(1), by])),
            });
        }
        Some(terms)
    }

    /// What `e`, which a program writes, is as a sum over loops, if some may read groups of elements.
    pub(super) fn written_groups(&mut self, e: &ast::Expr) -> Option<Terms> {
        let plain =
            matches!(e, ast::Expr::Call { op, .. } if op.op == Op::Add && op.path.is_none());
        if !plain || !self.errors.is_empty() {
            return None;
        }
        let (mark, products) = (self.kernel.prelude.len(), self.products.len());
        let terms = self.sum_over_loops(e, false).filter(|terms| {
            let first = terms.groups.first();
            let plain =
                |by: &Expr| matches!(by, Expr::Lit(Lit::Int(n)) if (1..=1 << 32).contains(n));
            first.is_some_and(|g| g.by != Expr::int(1) && self.kernel.fixed(&g.from))
                && terms.stride.as_ref().is_none_or(plain)
        });
        if terms.is_none() && self.products.len() == products {
            self.kernel.prelude.truncate(mark);
        }
        terms
    }

    fn sum_over_loops(&mut self, of: &ast::Expr, whole: bool) -> Option<Terms> {
        let mut terms = Vec::new();
        let start = self.terms_of(of, &Expr::int(1), &mut terms)?;
        let place = |r: &Self, t: &Term| r.loops.iter().position(|l| *l == t.index);
        let places: Vec<usize> = terms.iter().map(|t| place(self, t)).collect::<Option<_>>()?;
        let last = (0..terms.len()).max_by_key(|k| places[*k])?;
        let twice = (0..terms.len()).any(|k| places[..k].contains(&places[k]));
        let stride = Some(terms[last].by.clone()).filter(|by| *by != Expr::int(1));
        if twice {
            return None;
        }
        let (mut groups, mut from, mut shift) = (Vec::new(), start.clone(), start);
        for (k, Term { index, by }) in terms.iter().enumerate() {
            if k == last {
                continue;
            }
            // The terms before it are greater: they stay, and those behind it run through the group.
            let around = k == groups.len() && places[..k].iter().all(|p| *p < places[k]);
            if around && places[k + 1..].iter().all(|p| *p > places[k]) {
                let size = self.ranges.iter().find(|r| r.index == *index).map(|r| r.size.clone());
                let count = size.filter(|_| whole && k == 0);
                let (index, by, from) = (*index, by.clone(), from.clone());
                groups.push(Group { index, by, from, count, whole });
            }
            let term = scaled(&Expr::Var(*index), by);
            from = sum(&from, &term);
            shift = sum(&shift, &term);
        }
        Some(Terms { driver: terms[last].index, stride, shift, groups })
    }

    /// Of what programs write, groups stay where the loops within each are known to stay in it.
    pub(super) fn keep_groups(&mut self) {
        for k in 0..self.kernel.accesses.len() {
            for dim in 0..self.kernel.accesses[k].indices.len() {
                let index = &self.kernel.accesses[k].indices[dim];
                let view = &index.view;
                if view.exact.is_none() {
                    continue;
                }
                let (kind, groups) = (index.kind.clone(), view.groups.clone());
                let IndexKind::Affine(driver, _) = kind else { continue };
                let step = view.stride.clone().unwrap_or(Expr::int(1));
                let mut inner = vec![(driver, step)];
                inner.extend(groups.iter().skip(1).rev().map(|g| (g.index, g.by.clone())));
                let outer = groups.iter().rev().map(|g| g.by.clone());
                let kept = view.checked
                    && inner.iter().zip(outer).all(|((v, by), group)| self.stays(*v, by, &group));
                if !kept {
                    let view = &mut self.kernel.accesses[k].indices[dim].view;
                    (view.groups, view.exact) = (Vec::new(), None);
                }
            }
        }
    }

    /// Whether the loop over `v`, of which a step is `by`, stays within a group of so many.
    fn stays(&self, v: VarId, by: &Expr, group: &Expr) -> bool {
        let Some((lo, hi)) = self.extents.get(&v) else { return false };
        let [hi, by, group] = [hi, by, group].map(|e| self.first_held(e.clone()));
        let fits = match (&hi, &by, &group) {
            (Expr::Lit(Lit::Int(n)), Expr::Lit(Lit::Int(by)), Expr::Lit(Lit::Int(most))) => {
                n.saturating_sub(1).saturating_mul(*by) < *most
            }
            _ => self.is_product(&group, &by, &hi) || self.is_product(&group, &hi, &by),
        };
        fits && matches!(lo, Expr::Lit(Lit::Int(n)) if *n >= 0)
    }

    /// The terms of `e` times `by`, the greatest first; what is left of it.
    fn terms_of(&mut self, e: &ast::Expr, by: &Expr, terms: &mut Vec<Term>) -> Option<Expr> {
        let mut any = false;
        self.loops_in(e, &mut |_, _| any = true);
        if !any {
            let value = self.index_expr(e);
            return self.kernel.fixed(&value).then(|| scaled(&value, by));
        }
        match e {
            ast::Expr::Name(name) => {
                let index = self.loop_index(name)?;
                terms.push(Term { index, by: by.clone() });
                Some(Expr::int(0))
            }
            ast::Expr::Call { op, args } => match (&op.op, &args[..]) {
                (Op::Add, [a, b]) => {
                    let (a, b) = (self.terms_of(a, by, terms)?, self.terms_of(b, by, terms)?);
                    Some(sum(&a, &b))
                }
                (Op::Sub, [a, b]) => {
                    let mut right = false;
                    self.loops_in(b, &mut |_, _| right = true);
                    if right {
                        return None;
                    }
                    let (a, b) =
                        (self.terms_of(a, by, terms)?, self.terms_of(b, by, &mut Vec::new())?);
                    Some(difference(&a, &b))
                }
                (Op::Mul, [a, b]) => {
                    let mut left = false;
                    self.loops_in(a, &mut |_, _| left = true);
                    let (with, factor) = if left { (a, b) } else { (b, a) };
                    let factor = self.index_expr(factor);
                    let factor = self.first_held(factor);
                    if !self.kernel.fixed(&factor) {
                        return None;
                    }
                    let by = self.product(&factor, by);
                    self.terms_of(with, &by, terms)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `e`, which is made of indices and of amounts that do not change, as arithmetic of coordinates.
    pub(super) fn in_coordinates(&self, e: Expr) -> Expr {
        let (mut plain, mut amount) = (true, false);
        let arithmetic = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Min, Op::Max, Op::Neg];
        let far = |op: &Op| match op {
            Op::Cast(Ty::Named(ty)) => ["usize", "isize", "u64", "i64"].contains(&ty.as_str()),
            _ => false,
        };
        e.walk(&mut |e| match e {
            Expr::Lit(Lit::Int(_)) => {}
            Expr::Var(v) => match &self.kernel.info(*v).ty {
                Ty::Index => {}
                Ty::Named(name) if INTEGERS.contains(&name.as_str()) => amount = true,
                _ => plain = false,
            },
            Expr::Call(op, _) => plain &= *op == Op::Index || far(op) || arithmetic.contains(op),
            _ => plain = false,
        });
        if !plain || !amount {
            return e;
        }
        fn coordinates(kernel: &Kernel, far: &dyn Fn(&Op) -> bool, e: &Expr) -> Expr {
            match e {
                Expr::Var(v) if kernel.info(*v).ty != Ty::Index => {
                    Expr::call(Op::Index, [e.clone()])
                }
                Expr::Call(op, args) if far(op) => coordinates(kernel, far, &args[0]),
                Expr::Call(op, args) if *op != Op::Index => {
                    let args = args.iter().map(|e| coordinates(kernel, far, e));
                    Expr::Call(op.clone(), args.collect())
                }
                e => e.clone(),
            }
        }
        coordinates(&self.kernel, &far, &e)
    }
}
