//! Sizes of the parts that elements are split into: of one that nothing else tells, the quotient by the others.

use super::shape::called;
use super::shape_checks::{eq, folded, le, Asked};
use super::told::{Asking, Told};
use super::Resolver;
use crate::ast::{Shape, Sized};
use crate::cin::*;

impl Resolver<'_> {
    /// The sizes of the indices that `all` elements are split into, of which one may be open.
    pub(super) fn parted(&mut self, s: &Shape, all: &Expr, tell: bool) -> Option<Vec<Told>> {
        let mut sizes: Vec<Option<Told>> = Vec::new();
        for Sized { name, size } in &s.to {
            sizes.push(match size {
                Some(size) => Some(Told::of(self.written_size(s, name, size, tell)?)),
                None => self.known_size(name),
            });
        }
        let open: Vec<usize> = (0..sizes.len()).filter(|k| sizes[*k].is_none()).collect();
        if open.len() > 1 {
            let doubtful = |k: &usize| {
                let v = self.loop_index(&s.to[*k].name);
                v.is_some_and(|v| self.doubtful.contains(&v))
            };
            if tell && !open.iter().any(doubtful) {
                let name = &s.to[open[1]].name;
                let message =
                    format!("the size of `{name}` is not known here: write it, `{name}: n`");
                self.errors.error(name.span(), message);
            }
            return None;
        }
        // One that nothing but the others tells, by a division in this operator.
        let open = open.first().copied().or_else(|| {
            (0..sizes.len()).find(|k| {
                let divided = sizes[*k].as_ref().and_then(|told| told.quotient.clone());
                divided
                    .is_some_and(|of| of == (all.clone(), self.product_without(&sizes, Some(*k))))
            })
        });
        if open.is_some() && self.asking == Asking::Known {
            return None;
        }
        let rest = self.product_without(&sizes, open);
        let known: Vec<Expr> = (0..sizes.len())
            .filter(|k| open != Some(*k))
            .filter_map(|k| Some(sizes[k].as_ref()?.size.clone()))
            .collect();
        match open {
            Some(k) => sizes[k] = Some(self.quotient(s, all, (k, &rest), known, tell)),
            None if tell => {
                let times = vec!["{}"; known.len()].join(" times ");
                let (cond, text) = (eq(all, &rest), format!("{{}} elements are not {times}"));
                let (values, then) = ([vec![all.clone()], known].concat(), vec![cond.clone()]);
                self.ask(s.span, Asked { operator: called(s), cond, text, values, then });
            }
            None => {}
        }
        sizes.into_iter().collect()
    }

    /// The product of the sizes, but for the one at `open`.
    fn product_without(&mut self, sizes: &[Option<Told>], open: Option<usize>) -> Expr {
        let others = sizes.iter().enumerate().filter(|(k, _)| open != Some(*k));
        let others = others.filter_map(|(_, told)| told.as_ref());
        others.fold(Expr::int(1), |rest, told| self.product(&rest, &told.size))
    }

    /// The size of the index at `k` of `s` of which `all` elements and the product `rest` of the others, `known`, tell.
    fn quotient(
        &mut self,
        s: &Shape,
        all: &Expr,
        (k, rest): (usize, &Expr),
        known: Vec<Expr>,
        tell: bool,
    ) -> Told {
        let divisor = Expr::call(Op::Max, [Expr::int(1), rest.clone()]);
        let size = folded(Expr::call(Op::Div, [all.clone(), divisor.clone()]));
        let size = self.held_size(size);
        let quotient = Some((all.clone(), rest.clone()));
        if tell {
            let (name, times) = (&s.to[k].name, vec!["{}"; known.len()].join(" times "));
            let values = [vec![all.clone()], known].concat();
            let some = le(&Expr::int(1), rest);
            // No elements are as many as any number of groups of none.
            let tells = match rest {
                Expr::Lit(_) => some.clone(),
                _ => Expr::call(Op::Or, [some.clone(), le(&Expr::int(1), all)]),
            };
            let text = format!("{{}} elements parted by {times} do not tell the size of `{name}`: write it, `{name}: n`");
            let asked = Asked {
                operator: called(s),
                cond: tells,
                text,
                values: values.clone(),
                then: Vec::new(),
            };
            self.ask(s.span, asked);
            let left = Expr::call(Op::Rem, [all.clone(), divisor]);
            let divides = Expr::call(Op::And, [some.clone(), eq(&left, &Expr::int(0))]);
            let text = format!("{{}} elements cannot be parted by {times}");
            let then = vec![some, eq(all, &Expr::call(Op::Mul, [size.clone(), rest.clone()]))];
            // Literals have told it.
            if *rest != Expr::int(0) {
                self.ask(s.span, Asked { operator: called(s), cond: divides, text, values, then });
            }
        }
        Told { size, quotient }
    }
}
