//! Comparisons of indices cut a loop where their value changes, so that nothing is tested inside.
//!
//! To a loop, `i < e` is a fiber of its own: true up to `e`, false from there on (Looplets section 7
//! has masks as tensors of that shape). What is cut away vanishes with the sieve or product it is in.

use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::prove::Affine;

/// A comparison with the first coordinates at which its value changes.
pub(super) struct Mask {
    cond: Expr,
    /// Consecutive parts: where each ends (the last one has no end) and the value there.
    parts: Vec<(Option<Expr>, bool)>,
}

impl Lower<'_> {
    /// The loop over `r` cut by a comparison in `body`; `None` if there is none to cut by.
    pub(super) fn masked(&mut self, r: &Region, body: &Stmt) -> Option<Vec<Kir>> {
        let mask = self.mask(r, body)?;
        Some(self.parted(r, mask, body, |l, part, body| l.region(part, body)))
    }

    /// The parts of `r` that a comparison has, each with its value in place of it.
    pub(super) fn parted(
        &mut self,
        r: &Region,
        mask: Mask,
        body: &Stmt,
        mut inner: impl FnMut(&mut Self, Region, Stmt) -> Vec<Kir>,
    ) -> Vec<Kir> {
        let mut code = Vec::new();
        let mut lo = r.lo.clone();
        let mut idle = true;
        for (stop, value) in mask.parts {
            let hi = match stop {
                None => r.hi.clone(),
                Some(stop) => {
                    let inside = Expr::call(Op::Max, [lo.clone(), stop]);
                    let hi = Expr::call(Op::Min, [inside, r.hi.clone()]);
                    let hi = self.bound(&hi);
                    self.bounded("cut", hi, &mut code)
                }
            };
            let cond = &mask.cond;
            let part = with_value(body, cond, value);
            let region = Region { index: r.index, lo: lo.clone(), hi: hi.clone() };
            let part = self.scoped_facts(|l| inner(l, region, part));
            if !part.iter().all(Kir::is_idle) {
                idle = false;
                code.push(Kir::Comment(format!("{} is {value}", self.kernel.text(cond))));
                code.extend(part);
            }
            lo = hi;
        }
        if idle {
            return Vec::new();
        }
        code
    }

    /// A comparison in `body` that cuts the loop over `r`.
    pub(super) fn mask(&self, r: &Region, body: &Stmt) -> Option<Mask> {
        let mut inner = Vec::new();
        definitions(body, &mut inner);
        let mut found = None;
        body.walk(&mut |e| {
            if found.is_none() {
                found = self.cut(r, e, &inner);
            }
        });
        found
    }

    /// `e` as a comparison of the loop's index with what is known before the loop.
    fn cut(&self, r: &Region, e: &Expr, inner: &[VarId]) -> Option<Mask> {
        let Expr::Call(op, args) = e else { return None };
        let [a, b] = args.as_slice() else { return None };
        if !matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge) {
            return None;
        }
        let (a, b) = (self.as_index(a)?, self.as_index(b)?);
        let form = Affine::of(&Expr::call(Op::Sub, [a, b]));
        let own = Expr::Var(r.index);
        let coefficient = form.terms().iter().find(|(atom, _)| *atom == own)?.1;
        let rest = form.minus(&Affine::of(&Expr::call(Op::Mul, [Expr::int(coefficient), own])))?;
        let known = self.kernel.depends(&rest.to_expr()).iter().all(|v| {
            !inner.contains(v)
                && match self.kernel.info(*v).kind {
                    VarKind::Index => self.bound.contains(v),
                    VarKind::Outer | VarKind::Local | VarKind::Let => true,
                    VarKind::State | VarKind::Scalar => false,
                }
        });
        if !known {
            return None;
        }
        // `i op at`, turned round if the index was subtracted.
        let (at, op) = match coefficient {
            1 => (rest.scale(-1)?, op.clone()),
            -1 => (rest, op.turned()),
            _ => return None,
        };
        let at = at.to_expr();
        let after = at.plus(1);
        let parts = match op {
            Op::Lt => vec![(Some(at), true), (None, false)],
            Op::Le => vec![(Some(after), true), (None, false)],
            Op::Gt => vec![(Some(after), false), (None, true)],
            Op::Ge => vec![(Some(at), false), (None, true)],
            Op::Eq => vec![(Some(at), false), (Some(after), true), (None, false)],
            _ => vec![(Some(at), true), (Some(after), false), (None, true)],
        };
        Some(Mask { cond: e.clone(), parts })
    }

    /// An integer expression as one of coordinates, if its value is fixed within one iteration. A sum of a type
    /// with limits is none: it wraps or panics, and where it is not evaluated, it does not.
    fn as_index(&self, e: &Expr) -> Option<Expr> {
        match self.kernel.type_of(e) {
            None | Some(Ty::Index) => {}
            Some(ty) if super::is_integer(&ty) => {
                return self.is_held(e).then(|| Expr::call(Op::Index, [e.clone()]))
            }
            Some(_) => return None,
        }
        match e {
            Expr::Lit(Lit::Int(_)) | Expr::Var(_) => Some(e.clone()),
            Expr::Call(op, args) => match op {
                Op::Index | Op::Cast(Ty::Index) => self.as_index(&args[0]),
                Op::Add | Op::Sub | Op::Mul | Op::Neg => {
                    let parts: Option<Vec<Expr>> = args.iter().map(|a| self.as_index(a)).collect();
                    Some(Expr::Call(op.clone(), parts?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it is a variable, or an element of an operand at a place that is one, converted or as it is: nothing in the loop
    /// changes it.
    fn is_held(&self, e: &Expr) -> bool {
        match e {
            Expr::Var(_) => true,
            Expr::Call(Op::Cast(_), args) => self.is_held(&args[0]),
            Expr::Load(array, at) => {
                let tensor = self.kernel.arrays[array.0 as usize].tensor;
                let mut looked_up = false;
                at.walk(&mut |e| looked_up |= matches!(e, Expr::Load(..) | Expr::Raw(_)));
                !looked_up && self.kernel.tensor(tensor).role == Role::Input
            }
            _ => false,
        }
    }

    /// Runs `inner` for one of several parts: what it assumes is forgotten, where state stands is not.
    fn scoped_facts<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.prover.push();
        let out = inner(self);
        self.prover.pop();
        out
    }
}

impl Mask {
    /// `body` with each of the values that the comparison has in place of it.
    pub(super) fn cases(&self, body: &Stmt) -> [Stmt; 2] {
        [false, true].map(|value| with_value(body, &self.cond, value))
    }
}

fn with_value(body: &Stmt, cond: &Expr, value: bool) -> Stmt {
    body.map(&mut |e| (e == cond).then(|| Expr::bool(value)))
}

/// Variables that `s` defines.
pub(super) fn definitions(s: &Stmt, out: &mut Vec<VarId>) {
    match s {
        Stmt::Let { var, body, .. } => {
            out.push(*var);
            definitions(body, out);
        }
        Stmt::Loop { index, body, .. } => {
            out.push(*index);
            definitions(body, out);
        }
        Stmt::Sieve { then, otherwise, .. } => {
            definitions(then, out);
            definitions(otherwise, out);
        }
        Stmt::Seq(all) => all.iter().for_each(|s| definitions(s, out)),
        Stmt::Where { consumer, producer, .. } => {
            definitions(producer, out);
            definitions(consumer, out);
        }
        Stmt::Assign { .. } | Stmt::Pass => {}
    }
}
