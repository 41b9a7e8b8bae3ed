//! Sizes of what shape operators take away and make, and what they ask of them (Root et al., section 4.2): a
//! [`Check`] at the top of the kernel where names alone do not tell.

use super::names::{stands_in, visit_expr};
use super::shape::called;
use super::shape_checks::{countable, eq, folded, le, Asked};
use super::told::Told;
use super::{Meaning, Resolver};
use crate::ast::{self, Shape, ShapeOp, Sized};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Ident;

/// Where a size comes from that is the difference of two bounds, and may be below 0.
const ITS_WINDOW: &str = "its window";

impl Resolver<'_> {
    /// The sizes of the indices that `s` takes away; `tell` reports what is wrong.
    pub(super) fn sizes_from(&mut self, s: &Shape, tell: bool) -> Option<Vec<Expr>> {
        let mut sizes = Vec::new();
        for (k, Sized { name, size }) in s.from.iter().enumerate() {
            let mut found = Vec::new();
            if let Some(size) = size {
                let size = self.written_size(s, name, size, tell)?;
                found.push((size, "the size that is written".to_owned()));
            }
            // Each operand of `concat` has an index of its own.
            let operand = if s.op == ShapeOp::Concat { &s.operands[k] } else { &s.operands[0] };
            self.sizes_in(operand, name, &mut found);
            let Some((first, from)) = found.first().cloned() else {
                if tell {
                    self.no_dimension(s, k, operand);
                }
                return None;
            };
            if tell {
                if from == ITS_WINDOW {
                    let text =
                        format!("`{name}` is of size {{}} by {from}, which ends before it starts");
                    let (cond, values) = (le(&Expr::int(0), &first), vec![first.clone()]);
                    let then = vec![cond.clone()];
                    self.ask(name.span(), Asked { operator: called(s), cond, text, values, then });
                }
                for (other, of) in found[1..].iter().filter(|(other, _)| *other != first) {
                    let text =
                        format!("`{name}` is of size {{}} by {from}, and of size {{}} by {of}");
                    let values = vec![first.clone(), other.clone()];
                    let (cond, then) = (eq(&first, other), vec![eq(&first, other)]);
                    self.ask(name.span(), Asked { operator: called(s), cond, text, values, then });
                }
            }
            sizes.push(first);
        }
        Some(sizes)
    }

    /// Reports that `operand` has no dimension that the index at `k` runs over; what is wrong with the operand by
    /// itself is all there is to say, if anything is.
    fn no_dimension(&mut self, s: &Shape, k: usize, operand: &ast::Expr) {
        let (name, op) = (&s.from[k].name, s.op.name());
        if self.is_wrong_by_itself(s, operand) {
            return;
        }
        let message = if stands_in(operand, name) {
            format!("the operand of `{op}` has no dimension that `{name}` alone runs over: write its size, `{name}: n`")
        } else if let ast::Expr::Name(tensor) = operand {
            let indices = match s.op {
                ShapeOp::Concat => name.to_string(),
                _ => s.from.iter().map(|i| i.name.to_string()).collect::<Vec<_>>().join(", "),
            };
            let message = format!("`{tensor}` has no index `{name}`: write `{tensor}[{indices}]`, or how many there are, `{name}: n`");
            return self.errors.error(tensor.span(), message);
        } else if s.operands.iter().any(|e| stands_in(e, name)) {
            format!("operand {k} of `{op}` has no index `{name}`: indices stand in the order of their operands")
        } else {
            format!("the operand of `{op}` has no index `{name}`: name one that it has, or write how many there are, `{name}: n`")
        };
        self.errors.error(name.span(), message);
    }

    /// Reports what is wrong with an operand of `s` whatever its indices are; whether that is or was reported.
    fn is_wrong_by_itself(&mut self, s: &Shape, operand: &ast::Expr) -> bool {
        let mut known = false;
        visit_expr(operand, &mut |e| {
            if let ast::Expr::Access { name, .. } = e {
                let broken = matches!(self.lookup(name), Some(Meaning::Broken));
                known |= broken || self.unknown.contains(&name.to_string());
            }
        });
        let (errors, scope) = (self.errors.count(), self.scope.len());
        let accesses = self.kernel.accesses.len();
        self.scope.extend(s.from.iter().map(|i| (i.name.to_string(), Meaning::Broken)));
        self.expr(operand);
        self.scope.truncate(scope);
        // Of indices that mean nothing.
        self.kernel.accesses.truncate(accesses);
        self.loops_of.retain(|id, _| (id.0 as usize) < accesses);
        known || self.errors.count() > errors
    }

    /// The size of the index `name` of `s` as written.
    pub(super) fn written_size(
        &mut self,
        s: &Shape,
        name: &Ident,
        size: &ast::Expr,
        tell: bool,
    ) -> Option<Expr> {
        let value = self.given(size, "", tell)?;
        if !tell {
            return Some(value);
        }
        let errors = self.errors.count();
        self.not_below_zero(&value, size);
        if self.errors.count() > errors {
            return None;
        }
        let mut all = Vec::new();
        if !self.kernel.is_unsigned(self.value_of(&value)) {
            all.push(le(&Expr::int(0), &value));
        }
        if matches!(value, Expr::Lit(_)) || self.may_be_cut(&value) {
            all.push(countable(&value));
        }
        let text = format!("`{name}` is of size {{}}, and sizes lie within 0..2^61");
        let (cond, values) = (Expr::Call(Op::And, all.clone()), vec![value.clone()]);
        self.ask(size.span(), Asked { operator: called(s), cond, text, values, then: all });
        Some(value)
    }

    /// A size or bound as written, known before all loops; `advice` is for one that is not.
    fn given(&mut self, size: &ast::Expr, advice: &str, tell: bool) -> Option<Expr> {
        let errors = self.errors.count();
        let value = self.size_expr(size);
        if self.errors.count() > errors {
            return None;
        }
        if self.kernel.may_be_missing(self.value_of(&value)) {
            if tell {
                self.errors.error(size.span(), "this may be missing, and sizes and bounds are not: say what it is then, `coalesce(.., 0)`");
            }
            return None;
        }
        if self.kernel.fixed(&value) {
            return Some(value);
        }
        if tell {
            self.errors.error(size.span(), format!("this may change while the kernel runs, and sizes and bounds of shape operators are known before all loops: write literals and what is passed by value{advice}"));
        }
        None
    }

    /// A size or bound, which is one whether it is asked once or twice.
    fn size_expr(&mut self, size: &ast::Expr) -> Expr {
        let mark = self.kernel.prelude.len();
        let value = self.index_expr(size);
        let first = self.first_held(value.clone());
        if first != value {
            self.kernel.prelude.truncate(mark);
        }
        first
    }

    /// The sizes that the accesses in `e` give to the index `name`, each with its origin.
    fn sizes_in(&mut self, e: &ast::Expr, name: &Ident, found: &mut Vec<(Expr, String)>) {
        match e {
            ast::Expr::Access { name: tensor, indices, .. } => {
                let of = match self.lookup(tensor) {
                    Some(Meaning::Tensor(t)) => Some(t),
                    _ => None,
                };
                for (dim, index) in indices.iter().enumerate() {
                    let len = of.and_then(|t| self.kernel.tensor(t).lens.get(dim).copied());
                    match (&index.expr, len) {
                        (ast::Expr::Name(n), Some(len)) if n == name => {
                            let dim = of.map_or(dim, |t| self.kernel.tensor(t).dimension(dim));
                            found.push((Expr::Var(len), format!("dimension {dim} of `{tensor}`")));
                        }
                        (other, _) => self.sizes_in(other, name, found),
                    }
                }
            }
            ast::Expr::Call { op, args } => match (op.op.key(), &args[..]) {
                // What operators further in take away is not there yet.
                (Some("window"), [lo, hi, ast::Expr::Name(n)])
                    if n == name && self.is_there(lo) && self.is_there(hi) =>
                {
                    let (lo, hi) = (self.size_expr(lo), self.size_expr(hi));
                    let size = difference(&hi, &lo);
                    if self.kernel.fixed(&size) {
                        found.push((size, ITS_WINDOW.to_owned()));
                    }
                }
                _ => args.iter().for_each(|a| self.sizes_in(a, name, found)),
            },
            ast::Expr::Shape(inner) => {
                if inner.from.iter().any(|i| i.name == *name) {
                    return;
                }
                let to = inner.to.iter().position(|i| i.name == *name);
                let Some(place) = to else {
                    inner.operands.iter().for_each(|e| self.sizes_in(e, name, found));
                    return;
                };
                let sizes = self.sizes_from(inner, false);
                if let Some(sizes) = sizes.and_then(|from| self.sizes_to(inner, &from, false)) {
                    found.push((sizes[place].size.clone(), called(inner)));
                }
            }
            _ => {}
        }
    }

    /// Whether all names in an amount have a meaning.
    fn is_there(&self, e: &ast::Expr) -> bool {
        match e {
            ast::Expr::Name(name) => self.lookup(name).is_some(),
            ast::Expr::Call { args, .. } => args.iter().all(|a| self.is_there(a)),
            ast::Expr::Access { indices, .. } => indices.iter().all(|i| self.is_there(&i.expr)),
            ast::Expr::Shape(_) => false,
            _ => true,
        }
    }

    /// The sizes of the indices that `s` makes of those of sizes `from`.
    pub(super) fn sizes_to(&mut self, s: &Shape, from: &[Expr], tell: bool) -> Option<Vec<Told>> {
        match s.op {
            ShapeOp::Concat => {
                let all = from.iter().fold(Expr::int(0), |all, size| sum(&all, size));
                let all = self.held_size(all);
                self.counted(s, from, &all, Vec::new(), tell);
                self.agreeing(s, all, tell)
            }
            ShapeOp::Slice => {
                let size = self.slice(s, &from[0], tell)?;
                self.agreeing(s, size, tell)
            }
            _ => {
                let mut all = Expr::int(1);
                for size in from {
                    all = self.product(&all, size);
                }
                let all = self.held_size(all);
                let product = Expr::Call(Op::Mul, from.to_vec());
                self.counted(s, from, &all, vec![eq(&all, &product)], tell);
                if s.to.len() == 1 && s.to[0].size.is_none() {
                    return Some(vec![Told::of(all)]);
                }
                self.parted(s, &all, tell)
            }
        }
    }

    /// Elements of which there are `all`, made of those of sizes `from`, are as many as an index can count.
    fn counted(&mut self, s: &Shape, from: &[Expr], all: &Expr, then: Vec<Expr>, tell: bool) {
        if !tell || from.len() < 2 {
            return;
        }
        let by = if s.op == ShapeOp::Concat { " plus " } else { " times " };
        let parts = vec!["{}"; from.len()].join(by);
        let text = format!("{parts} are more elements than an index can count");
        let (cond, values) = (countable(all), from.to_vec());
        self.ask(s.span, Asked { operator: called(s), cond, text, values, then });
    }

    /// The size of the one index that `s` makes, which is the size that is written, if one is.
    fn agreeing(&mut self, s: &Shape, size: Expr, tell: bool) -> Option<Vec<Told>> {
        let Sized { name, size: written } = &s.to[0];
        if let Some(written) = written {
            let value = self.written_size(s, name, written, tell)?;
            if tell {
                let text = format!("`{name}` is of size {{}}, and {{}} is written");
                let (cond, then) = (eq(&size, &value), vec![eq(&size, &value)]);
                let values = vec![size.clone(), value];
                let asked = Asked { operator: called(s), cond, text, values, then };
                self.ask(written.span(), asked);
            }
        }
        Some(vec![Told::of(size)])
    }

    /// The size of a slice of a dimension of size `whole`.
    fn slice(&mut self, s: &Shape, len: &Expr, tell: bool) -> Option<Expr> {
        let (start, end, step) = s.cut.as_ref()?;
        let advice = "; a part that moves is a window, `a[window(lo, hi)[k]]`";
        let (lo, hi) = (self.given(start, advice, tell)?, self.given(end, advice, tell)?);
        let by = match step {
            Some(step) => self.given(step, "", tell)?,
            None => Expr::int(1),
        };
        if let (Expr::Lit(Lit::Int(n)), Some(step)) = (&by, step) {
            if *n < 1 {
                if tell {
                    let advice = match n {
                        0 => "leave it out to take each coordinate",
                        _ => "read backwards by an index of your own, `a[n - 1 - k]`",
                    };
                    let message = format!("a slice has a step of 1 or more, not {n}: {advice}");
                    self.errors.error(step.span(), message);
                }
                return None;
            }
        }
        if tell {
            let operator = called(s);
            let inside = [le(&Expr::int(0), &lo), le(&lo, &hi), le(&hi, len)];
            let mut all = inside.to_vec();
            if self.may_be_cut(&hi) {
                all.push(countable(&hi));
            }
            let below = matches!(&lo, Expr::Lit(Lit::Int(n)) if *n < 0);
            let cure = match below {
                true => ": what counts from the end is written with the size, as in `(n - 3, n)`",
                false => "",
            };
            let text = format!("{{}}..{{}} is no part of a dimension of size {{}}{cure}");
            let (cond, then) = (Expr::Call(Op::And, all), inside.to_vec());
            let values = vec![lo.clone(), hi.clone(), len.clone()];
            self.ask(start.span(), Asked { operator, cond, text, values, then });
            if !matches!(by, Expr::Lit(_)) {
                let text = "its step is {}, and a slice has a step of 1 or more".to_owned();
                let (operator, cond, values) =
                    (called(s), le(&Expr::int(1), &by), vec![by.clone()]);
                let then = vec![cond.clone()];
                self.ask(s.span, Asked { operator, cond, text, values, then });
            }
        }
        let size = difference(&hi, &lo);
        Some(match by {
            Expr::Lit(Lit::Int(1)) => size,
            // A step of 0 is refused, but only once the sizes are there.
            by => {
                let by = Expr::call(Op::Max, [Expr::int(1), by]);
                folded(Expr::call(Op::CeilDiv, [size, by]))
            }
        })
    }
}
