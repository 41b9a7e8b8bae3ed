//! Shift: moves the declared extents of its body; pushed inwards as soon as it is seen.

use crate::cin::*;
use crate::kernel::Raw;
use crate::kir::map_code;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Entries, Looplet, Stepper};
use std::rc::Rc;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, mut body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    for id in ids {
        let Looplet::Shift(delta, inner) = l.unfurled(id).nest else {
            unreachable!("kind checked")
        };
        let nest = l.shift(&delta, *inner);
        body = l.with_nest(&body, id, nest, None);
    }
    l.region(r, body)
}

impl Lower<'_> {
    /// `nest` with every extent it declares moved by `delta`.
    pub(super) fn shift(&mut self, delta: &Expr, nest: Looplet) -> Looplet {
        let moved = |l: &Self, e: &Expr| l.bound(&Expr::call(Op::Add, [e.clone(), delta.clone()]));
        let wrap = |n: Looplet| Looplet::Shift(delta.clone(), Box::new(n));
        match nest {
            // A value that does not mention coordinates is where it was.
            Looplet::Run(_) | Looplet::Spike(..) | Looplet::Union(_) => nest,
            Looplet::Thunk { defs, before, body, after } => {
                Looplet::Thunk { defs, before, body: Box::new(wrap(*body)), after }
            }
            Looplet::Switch(cases) => {
                Looplet::Switch(cases.into_iter().map(|(c, n)| (c, wrap(n))).collect())
            }
            Looplet::Pipeline(phases) => Looplet::Pipeline(
                phases
                    .into_iter()
                    .map(|(stop, n)| (stop.map(|s| moved(self, &s)), wrap(n)))
                    .collect(),
            ),
            Looplet::Stepper(s) => Looplet::Stepper(Rc::new(self.shift_stepper(delta, &s))),
            Looplet::Jumper(s) => Looplet::Jumper(Rc::new(self.shift_stepper(delta, &s))),
            Looplet::Unordered(all) => {
                let steps = self.shift_stepper(delta, &all.steps);
                Looplet::Unordered(Rc::new(Entries { steps, defs: all.defs.clone() }))
            }
            Looplet::Lookup(i, body) => {
                let back = self.bound(&Expr::call(Op::Sub, [Expr::Var(i), delta.clone()]));
                let body = self.substitute(*body, i, &back);
                Looplet::Lookup(i, Box::new(wrap(body)))
            }
            Looplet::Stride { by, from, stop, body } => {
                // Element `k` was element `k - delta`.
                let back = Expr::call(Op::Mul, [by.clone(), delta.clone()]);
                let from = self.bound(&Expr::call(Op::Sub, [from, back]));
                Looplet::Stride { by, from, stop, body }
            }
            Looplet::Stretch(..) => {
                let Looplet::Stretch(by, body) = nest else { unreachable!("matched above") };
                let body = self.stretch(&by, *body);
                self.shift(delta, body)
            }
            Looplet::Groups(by, body) => {
                let body = self.group(&by, *body);
                self.shift(delta, body)
            }
            Looplet::Permit { outside, lo, hi, body } => Looplet::Permit {
                outside,
                lo: moved(self, &lo),
                hi: moved(self, &hi),
                body: Box::new(wrap(*body)),
            },
            Looplet::Shift(inner, body) => {
                let sum = moved(self, &inner);
                Looplet::Shift(sum, body)
            }
        }
    }

    fn shift_stepper(&mut self, delta: &Expr, s: &Stepper) -> Stepper {
        let seek = s.seek.as_ref().map(|(i, code)| {
            let back = self.bound(&Expr::call(Op::Sub, [Expr::Var(*i), delta.clone()]));
            let at = *i;
            (at, map_code(code, &mut |e| self.substituted(e, at, &back)))
        });
        Stepper {
            seek,
            start: s
                .start
                .as_ref()
                .map(|start| self.bound(&Expr::call(Op::Add, [start.clone(), delta.clone()]))),
            stop: self.bound(&Expr::call(Op::Add, [s.stop.clone(), delta.clone()])),
            body: Looplet::Shift(delta.clone(), Box::new(s.body.clone())),
            ..s.clone()
        }
    }

    /// `nest` with `var` replaced by `with`, in opaque parts as well.
    pub fn substitute(&mut self, nest: Looplet, var: VarId, with: &Expr) -> Looplet {
        nest.map(&mut |e| self.substituted(e, var, with))
    }

    /// The replacement of `e` in a substitution, for [`Expr::map`].
    pub fn substituted(&mut self, e: &Expr, var: VarId, with: &Expr) -> Option<Expr> {
        match e {
            Expr::Var(v) if *v == var => Some(with.clone()),
            Expr::Raw(r) => {
                let raw = self.kernel.raws[r.0 as usize].clone();
                if !self.kernel.depends(e).contains(&var) {
                    return None;
                }
                let names = raw
                    .names
                    .into_iter()
                    .map(|(n, e)| (n, e.map(&mut |e| self.substituted(e, var, with))))
                    .collect();
                self.kernel.raws.push(Raw { names, ..raw });
                Some(Expr::Raw(RawId(self.kernel.raws.len() as u32 - 1)))
            }
            _ => None,
        }
    }
}
