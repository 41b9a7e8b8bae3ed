//! Pipeline: one region per phase, in order.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region, Written};
use crate::nest::Looplet;

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, id: AccessId) -> Vec<Kir> {
    let u = l.unfurled(id);
    let Looplet::Pipeline(mut phases) = u.nest.clone() else { unreachable!("kind checked") };
    if l.is_unit(&r) {
        // One coordinate lies in one phase.
        let (stop, nest) = phases.remove(0);
        let Some(stop) = stop else {
            let body = l.with_nest(&body, id, nest, None);
            return l.region(r, body);
        };
        let inside = Expr::call(Op::Lt, [r.lo.clone(), stop.clone()]);
        let rest = Looplet::Pipeline(phases);
        return match l.decide(&inside) {
            Some(true) => {
                let body = l.with_nest(&body, id, nest, Some(&stop));
                l.region(r, body)
            }
            Some(false) => {
                let body = l.with_nest(&body, id, rest, None);
                l.region(r, body)
            }
            None => {
                let no = Expr::call(Op::Not, [inside.clone()]);
                let then = l.under(&inside, |l| {
                    let body = l.with_nest(&body, id, nest, Some(&stop));
                    l.region(r.clone(), body)
                });
                let otherwise = l.under(&no, |l| {
                    let body = l.with_nest(&body, id, rest, None);
                    l.region(r.clone(), body)
                });
                l.branch(inside, then, otherwise)
            }
        };
    }
    let mut code = Vec::new();
    let body = l.define_states(&r, body, id, &mut code);
    let mut lo = r.lo.clone();
    for (stop, nest) in phases {
        let (hi, own) = match &stop {
            None => (r.hi.clone(), u.stop.clone()),
            Some(stop) => {
                if u.trusted {
                    l.assume(&Expr::call(Op::Le, [u.start.clone(), stop.clone()]));
                    l.assume(&Expr::call(Op::Le, [stop.clone(), u.stop.clone()]));
                }
                let hi = l.least(stop, &r.hi);
                (l.bounded("stop", hi, &mut code), stop.clone())
            }
        };
        let phase = l.with_nest(&body, id, nest, Some(&own));
        let part = l.region(Region { index: r.index, lo: lo.clone(), hi: hi.clone() }, phase);
        if !part.iter().all(Kir::is_idle) {
            let text = format!(
                "{} in {}..{}",
                l.kernel.info(r.index).name,
                l.kernel.text(&lo),
                l.kernel.text(&hi)
            );
            code.push(Kir::Comment(text));
            code.extend(part);
        }
        let next = l.bound(&Expr::call(Op::Max, [lo, hi]));
        lo = l.bounded("start", next, &mut code);
    }
    code
}

/// Copies and sums: no memory is read, so that they may be computed for an empty fiber too.
fn plain(e: &Expr) -> bool {
    match e {
        Expr::Var(_) | Expr::Lit(_) => true,
        Expr::Call(op, args) => matches!(op, Op::Add | Op::Sub | Op::Neg) && args.iter().all(plain),
        _ => false,
    }
}

impl Lower<'_> {
    /// Defines the states of all steppers that begin the pipelines of other accesses than `id`, so that
    /// each phase goes on where the one before it stopped and does not look for its place.
    fn define_states(&mut self, r: &Region, body: Stmt, id: AccessId, code: &mut Vec<Kir>) -> Stmt {
        let mut body = body;
        for other in self.accesses(&body) {
            let Some(u) = self.kernel.get(other).unfurled.clone() else { continue };
            let Looplet::Pipeline(mut phases) = u.nest else { continue };
            let Some((_, first)) = phases.first_mut() else { continue };
            let Looplet::Thunk { defs, before, body: inner, after: None } = first else { continue };
            let steps = matches!(**inner, Looplet::Stepper(_) | Looplet::Jumper(_));
            let cheap = before.is_empty() && defs.iter().all(|d| plain(&d.value));
            if other == id || u.index != r.index || !steps || !cheap {
                continue;
            }
            defs.iter().for_each(|d| self.wrote(Written::Var(d.var)));
            code.extend(defs.iter().map(|d| Kir::Let {
                var: d.var,
                mutable: d.mutable,
                value: d.value.clone(),
            }));
            self.stand(inner, &u.start);
            *first = (**inner).clone();
            body = self.with_nest(&body, other, Looplet::Pipeline(phases), None);
        }
        body
    }

    /// The least of `a` and `b`. Where `b` is a least itself, of which `a` makes something idle, it is of what is left.
    fn least(&mut self, a: &Expr, b: &Expr) -> Expr {
        let plain = self.bound(&Expr::call(Op::Min, [a.clone(), b.clone()]));
        let of = match b {
            Expr::Var(v) => self.extrema.get(v),
            _ => None,
        };
        let Some(Expr::Call(Op::Min, args)) = of else { return plain };
        let args = args.clone();
        let left: Vec<Expr> = args.iter().filter(|e| !self.le(a, e)).cloned().collect();
        match matches!(plain, Expr::Call(Op::Min, _)) && left.len() < args.len() {
            true => self.bound(&Expr::Call(Op::Min, [std::slice::from_ref(a), &left[..]].concat())),
            false => plain,
        }
    }

    /// A bound of a region as a local the prover knows, unless it is simple.
    pub fn bounded(&mut self, name: &str, value: Expr, out: &mut Vec<Kir>) -> Expr {
        if let Expr::Call(op, _) = &value {
            if matches!(op, Op::Min | Op::Max) {
                let var = self.local(name, value.clone(), out);
                if let Expr::Var(v) = var {
                    self.define(v, &value);
                    // What it is of is the same later on, or it says nothing then.
                    if !self.reads_state(&value) {
                        self.extrema.insert(v, value);
                    }
                }
                return var;
            }
        }
        value
    }
}
