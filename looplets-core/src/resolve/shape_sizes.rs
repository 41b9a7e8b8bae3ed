//! Sizes of what shape operators take away and make, and what they ask of them (Root et al., section 4.2): a
//! [`Check`] at the top of the kernel where names alone do not tell.

use super::shape::called;
use super::{Meaning, Resolver};
use crate::ast::{self, Shape, ShapeOp, Sized};
use crate::cin::*;
use crate::kernel::*;
use proc_macro2::Ident;

impl Resolver<'_> {
    /// The sizes of the indices that `s` takes away; `tell` reports what is wrong.
    pub(super) fn sizes_from(&mut self, s: &Shape, tell: bool) -> Option<Vec<Expr>> {
        let mut sizes = Vec::new();
        for (k, Sized { name, size }) in s.from.iter().enumerate() {
            let mut found = Vec::new();
            if let Some(size) = size {
                found.push((self.written_size(size, tell)?, "the size that is written".to_owned()));
            }
            // Each operand of `concat` has an index of its own.
            let operand = if s.op == ShapeOp::Concat { &s.operands[k] } else { &s.operands[0] };
            self.sizes_in(operand, name, &mut found);
            let Some((first, from)) = found.first().cloned() else {
                if tell {
                    let message = format!("the operand of `{}` has no dimension that `{name}` alone runs over: write its size, `{name}: n`", s.op.name());
                    self.errors.error(name.span(), message);
                }
                return None;
            };
            if tell {
                for (other, of) in found[1..].iter().filter(|(other, _)| *other != first) {
                    let cond = Expr::call(Op::Eq, [first.clone(), other.clone()]);
                    self.kernel.checks.push(Check::Holds {
                        operator: called(s),
                        text: format!(
                            "`{name}` is of size {{}} by {from}, and of size {{}} by {of}"
                        ),
                        values: vec![first.clone(), other.clone()],
                        then: vec![cond.clone()],
                        cond,
                    });
                }
            }
            sizes.push(first);
        }
        Some(sizes)
    }

    /// A size as written.
    fn written_size(&mut self, size: &ast::Expr, tell: bool) -> Option<Expr> {
        let value = self.given(size, tell)?;
        if tell {
            self.not_below_zero(&value, size);
        }
        Some(value)
    }

    /// A size or bound as written, known before all loops.
    fn given(&mut self, size: &ast::Expr, tell: bool) -> Option<Expr> {
        let value = self.index_expr(size);
        if self.kernel.fixed(&value) {
            return Some(value);
        }
        if tell {
            self.errors.error(size.span(), "sizes and bounds of shape operators are known before all loops: write literals and Rust variables");
        }
        None
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
                            found.push((Expr::Var(len), format!("dimension {dim} of `{tensor}`")));
                        }
                        (other, _) => self.sizes_in(other, name, found),
                    }
                }
            }
            ast::Expr::Call { op, args } => match (op.op.key(), &args[..]) {
                (Some("window"), [lo, hi, ast::Expr::Name(n)]) if n == name => {
                    let (lo, hi) = (self.index_expr(lo), self.index_expr(hi));
                    let size = difference(&hi, &lo);
                    if self.kernel.fixed(&size) {
                        found.push((size, "its window".to_owned()));
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
                    found.push((sizes[place].clone(), called(inner)));
                }
            }
            _ => {}
        }
    }

    /// The sizes of the indices that `s` makes of those of sizes `from`.
    pub(super) fn sizes_to(&mut self, s: &Shape, from: &[Expr], tell: bool) -> Option<Vec<Expr>> {
        match s.op {
            ShapeOp::Concat => {
                Some(vec![from.iter().fold(Expr::int(0), |all, size| sum(&all, size))])
            }
            ShapeOp::Slice => self.slice(s, &from[0], tell).map(|size| vec![size]),
            _ => {
                let mut all = Expr::int(1);
                for size in from {
                    all = self.product(&all, size);
                }
                let all = self.held_size(all);
                if tell && from.len() > 1 {
                    let limit = Expr::int(1 << 61);
                    let times = Expr::Call(Op::Mul, from.to_vec());
                    self.kernel.checks.push(Check::Holds {
                        operator: called(s),
                        cond: Expr::call(Op::Lt, [all.clone(), limit]),
                        text: format!(
                            "{} are more elements than an index can count",
                            vec!["{}"; from.len()].join(" times ")
                        ),
                        values: from.to_vec(),
                        then: vec![Expr::call(Op::Eq, [all.clone(), times])],
                    });
                }
                if s.to.len() == 1 && s.to[0].size.is_none() {
                    return Some(vec![all]);
                }
                self.parted(s, &all, tell)
            }
        }
    }

    /// The size of a slice of a dimension of size `whole`.
    fn slice(&mut self, s: &Shape, len: &Expr, tell: bool) -> Option<Expr> {
        let (start, end, step) = s.cut.as_ref()?;
        let (lo, hi) = (self.given(start, tell)?, self.given(end, tell)?);
        let by = match step {
            Some(step) => self.given(step, tell)?,
            None => Expr::int(1),
        };
        if let (Expr::Lit(Lit::Int(n)), Some(step)) = (&by, step) {
            if *n < 1 {
                if tell {
                    self.errors.error(step.span(), format!("a slice has a step of 1 or more, not {n}: read backwards by an index of your own, `a[n - 1 - i]`"));
                }
                return None;
            }
        }
        if tell {
            let zero = Expr::int(0);
            let le = |a: &Expr, b: &Expr| Expr::call(Op::Le, [a.clone(), b.clone()]);
            let inside = [le(&zero, &lo), le(&lo, &hi), le(&hi, len)];
            self.kernel.checks.push(Check::Holds {
                operator: called(s),
                cond: Expr::Call(Op::And, inside.to_vec()),
                text: "{}..{} is no part of a dimension of size {}".to_owned(),
                values: vec![lo.clone(), hi.clone(), len.clone()],
                then: inside.to_vec(),
            });
            if !matches!(by, Expr::Lit(_)) {
                let cond = le(&Expr::int(1), &by);
                self.kernel.checks.push(Check::Holds {
                    operator: called(s),
                    text: "its step is {}, and a slice has a step of 1 or more".to_owned(),
                    values: vec![by.clone()],
                    then: vec![cond.clone()],
                    cond,
                });
            }
        }
        let size = difference(&hi, &lo);
        Some(match by {
            Expr::Lit(Lit::Int(1)) => size,
            // A step of 0 is refused, but only once the sizes are there.
            by => {
                let by = Expr::call(Op::Max, [Expr::int(1), by]);
                Expr::call(Op::CeilDiv, [size, by])
            }
        })
    }

    /// The sizes of the indices that `all` elements are split into, of which one may be open.
    fn parted(&mut self, s: &Shape, all: &Expr, tell: bool) -> Option<Vec<Expr>> {
        let mut sizes: Vec<Option<Expr>> = Vec::new();
        for Sized { name, size } in &s.to {
            sizes.push(match size {
                Some(size) => Some(self.written_size(size, tell)?),
                None => self.known_size(name),
            });
        }
        // One that the others tell: the first, if all are known.
        let open: Vec<usize> = (0..sizes.len()).filter(|k| sizes[*k].is_none()).collect();
        if open.len() > 1 {
            if tell {
                let name = &s.to[open[1]].name;
                let message =
                    format!("the size of `{name}` is not known here: write it, `{name}: n`");
                self.errors.error(name.span(), message);
            }
            return None;
        }
        let mut rest = Expr::int(1);
        for size in sizes.iter().flatten() {
            rest = self.product(&rest, size);
        }
        let known: Vec<Expr> = sizes.iter().flatten().cloned().collect();
        let times = vec!["{}"; known.len()].join(" times ");
        let eq = |a: &Expr, b: &Expr| Expr::call(Op::Eq, [a.clone(), b.clone()]);
        let divisor = Expr::call(Op::Max, [Expr::int(1), rest.clone()]);
        let quotient = Expr::call(Op::Div, [all.clone(), divisor.clone()]);
        let (cond, text, then) = match open.first() {
            Some(_) => {
                let left = Expr::call(Op::Rem, [all.clone(), divisor]);
                let some = Expr::call(Op::Le, [Expr::int(1), rest.clone()]);
                let cond = Expr::call(Op::And, [some.clone(), eq(&left, &Expr::int(0))]);
                (cond, format!("{{}} elements cannot be parted by {times}"), vec![some])
            }
            None => {
                let cond = eq(all, &rest);
                (cond.clone(), format!("{{}} elements are not {times}"), vec![cond])
            }
        };
        if tell {
            let values = [all].into_iter().chain(&known).cloned().collect();
            let operator = called(s);
            self.kernel.checks.push(Check::Holds { operator, cond, text, values, then });
        }
        if let Some(k) = open.first() {
            let quotient = self.held_size(quotient);
            if let (true, Some(Check::Holds { then, .. })) = (tell, self.kernel.checks.last_mut()) {
                then.push(eq(all, &Expr::call(Op::Mul, [quotient.clone(), rest])));
            }
            sizes[*k] = Some(quotient);
        }
        Some(sizes.into_iter().flatten().collect())
    }

    /// The size of an index that a loop has by now: written, or that of a tensor of known size.
    fn known_size(&self, name: &Ident) -> Option<Expr> {
        let Some(Meaning::Var(v)) = self.lookup(name) else { return None };
        if let Some((lo, hi)) = self.extents.get(&v) {
            return (*lo == Expr::int(0) && self.kernel.fixed(hi)).then(|| hi.clone());
        }
        if let Some(range) = self.ranges.iter().find(|r| r.index == v) {
            return Some(range.size.clone());
        }
        self.kernel.accesses.iter().find_map(|a| {
            let tensor = self.kernel.tensor(a.tensor);
            let input = matches!(tensor.role, Role::Input | Role::InOut);
            a.indices.iter().enumerate().find_map(|(dim, i)| {
                let plain = i.kind == IndexKind::Affine(v, Expr::int(0)) && i.view == View::plain();
                let size = if input {
                    Some(Expr::Var(tensor.lens[dim]))
                } else {
                    tensor.sizes.get(dim).cloned()
                };
                size.filter(|size| plain && self.kernel.fixed(size))
            })
        })
    }
}
