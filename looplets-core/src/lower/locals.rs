//! Locals that a region never reduces into: a read of one is the literal that it starts as. And locals
//! that it never reads: what is assigned to them is left out.
//!
//! Where an operand is fill, or `missing`, the loop that reduces it disappears, and what was to be
//! done with the result can be simplified in turn, up to a loop around both.

use super::Lower;
use crate::cin::*;
use crate::kernel::*;
use crate::opaque::Opaque;
use crate::runtime::Runtime;

/// A local that stays what it is.
enum Constant {
    /// A workspace without dimensions, at its fill.
    Workspace(TensorId),
    /// A scalar that is assigned a literal first.
    Scalar(VarId, Lit),
    /// A scalar that nothing is assigned to: the zero of its type.
    Untouched(VarId, Lit),
}

impl Lower<'_> {
    /// `s` without such locals, if it has any.
    pub fn without_constants(&self, s: &Stmt) -> Option<Stmt> {
        let mut found = Vec::new();
        self.constants(s, &mut found);
        if !found.is_empty() {
            return Some(self.inlined(s, &found));
        }
        let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
        self.unread(s, &mut tensors, &mut scalars);
        let none = tensors.is_empty() && scalars.is_empty();
        (!none).then(|| self.without_writes(s, &tensors, &scalars))
    }

    /// Locals of `s` that are assigned to, and that nothing reads.
    fn unread(&self, s: &Stmt, tensors: &mut Vec<TensorId>, scalars: &mut Vec<VarId>) {
        match s {
            Stmt::Loop { body, .. } => self.unread(body, tensors, scalars),
            Stmt::Let { var, body, .. } => {
                let own = Expr::Var(*var);
                let mut written = false;
                body.assignments(&mut |target, _| written |= *target == own);
                if written && !self.read(body, &|e| *e == own) {
                    scalars.push(*var);
                }
                self.unread(body, tensors, scalars);
            }
            Stmt::Sieve { then, otherwise, .. } => {
                self.unread(then, tensors, scalars);
                self.unread(otherwise, tensors, scalars);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.unread(s, tensors, scalars)),
            Stmt::Where { consumer, producer, local } => {
                for t in local {
                    let own = |e: &Expr| self.is_of(e, *t);
                    let mut written = false;
                    s.assignments(&mut |target, _| written |= own(target));
                    if written && !self.read(s, &own) {
                        tensors.push(*t);
                    }
                }
                self.unread(producer, tensors, scalars);
                self.unread(consumer, tensors, scalars);
            }
            Stmt::Assign { .. } | Stmt::Pass => {}
        }
    }

    /// Whether `e` is an element of `t`, named by its indices or by its place.
    fn is_of(&self, e: &Expr, t: TensorId) -> bool {
        match e {
            Expr::Access(a) => self.kernel.get(*a).tensor == t,
            other => self.element_of(other) == Some(t),
        }
    }

    /// Whether anything in `s` reads `own`, other than by assigning to it.
    fn read(&self, s: &Stmt, own: &dyn Fn(&Expr) -> bool) -> bool {
        let within = |e: &Expr| self.reads_of(e, own);
        match s {
            Stmt::Loop { lo, hi, body, .. } => within(lo) || within(hi) || self.read(body, own),
            Stmt::Assign { target, value, .. } => {
                let indices = match target {
                    Expr::Access(a) => {
                        let access = self.kernel.get(*a);
                        within(&access.pos)
                            || access.indices.iter().flat_map(Index::parts).any(within)
                    }
                    Expr::Load(_, at) => within(at),
                    _ => false,
                };
                // What may have an effect of its own stays where it is.
                let effects = own(target) && self.has_effects(value);
                indices || effects || within(value)
            }
            Stmt::Sieve { cond, then, otherwise } => {
                within(cond) || self.read(then, own) || self.read(otherwise, own)
            }
            Stmt::Seq(all) => all.iter().any(|s| self.read(s, own)),
            Stmt::Where { consumer, producer, .. } => {
                self.read(consumer, own) || self.read(producer, own)
            }
            Stmt::Let { value, body, .. } => within(value) || self.read(body, own),
            Stmt::Pass => false,
        }
    }

    fn reads_of(&self, e: &Expr, own: &dyn Fn(&Expr) -> bool) -> bool {
        let mut found = false;
        self.kernel.everywhere(e, &mut |e| found |= own(e));
        found
    }

    /// Whether evaluating `e` may do more than give a value: call a function, or refuse an index.
    fn has_effects(&self, e: &Expr) -> bool {
        let effects = self.kernel.effects(e);
        !effects.is_pure() || effects.refuses
    }

    /// `s` without what is assigned to these.
    fn without_writes(&self, s: &Stmt, tensors: &[TensorId], scalars: &[VarId]) -> Stmt {
        let boxed = |s: &Stmt| Box::new(self.without_writes(s, tensors, scalars));
        match s {
            Stmt::Assign { target, .. } => {
                let gone = match target {
                    Expr::Access(a) => tensors.contains(&self.kernel.get(*a).tensor),
                    Expr::Var(v) => scalars.contains(v),
                    _ => false,
                };
                if gone {
                    Stmt::Pass
                } else {
                    s.clone()
                }
            }
            Stmt::Loop { index, parallel, lo, hi, body } => Stmt::Loop {
                index: *index,
                parallel: *parallel,
                lo: lo.clone(),
                hi: hi.clone(),
                body: boxed(body),
            },
            Stmt::Let { var, body, .. } if scalars.contains(var) => {
                self.without_writes(body, tensors, scalars)
            }
            Stmt::Let { var, value, body } => {
                Stmt::Let { var: *var, value: value.clone(), body: boxed(body) }
            }
            Stmt::Sieve { cond, then, otherwise } => {
                Stmt::Sieve { cond: cond.clone(), then: boxed(then), otherwise: boxed(otherwise) }
            }
            Stmt::Seq(all) => {
                Stmt::Seq(all.iter().map(|s| self.without_writes(s, tensors, scalars)).collect())
            }
            Stmt::Where { consumer, producer, local } => {
                let local = local.iter().copied().filter(|t| !tensors.contains(t)).collect();
                Stmt::Where { consumer: boxed(consumer), producer: boxed(producer), local }
            }
            Stmt::Pass => Stmt::Pass,
        }
    }

    fn constants(&self, s: &Stmt, found: &mut Vec<Constant>) {
        match s {
            Stmt::Loop { body, .. } => self.constants(body, found),
            Stmt::Let { var, value, body } => {
                let own = Expr::Var(*var);
                let reads =
                    |raw: &Raw| raw.names.iter().any(|(_, e)| self.kernel.depends(e).contains(var));
                let mut candidates = Vec::new();
                if let Some(zero) = self.zero(*var, value) {
                    candidates
                        .push((Constant::Untouched(*var, zero), std::slice::from_ref(&**body)));
                }
                if let Some((lit, rest)) = starting(*var, body) {
                    candidates.push((Constant::Scalar(*var, lit), rest));
                }
                for (constant, rest) in candidates {
                    let mut writes = false;
                    rest.iter()
                        .for_each(|s| s.assignments(&mut |target, _| writes |= *target == own));
                    if !writes && !self.opaquely(body, reads) && !self.named_beyond(body, *var) {
                        found.push(constant);
                    }
                }
                self.constants(body, found);
            }
            Stmt::Sieve { then, otherwise, .. } => {
                self.constants(then, found);
                self.constants(otherwise, found);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.constants(s, found)),
            Stmt::Where { consumer, producer, local } => {
                for t in local {
                    let of = |e: &Expr| self.is_of(e, *t);
                    let reads = |raw: &Raw| raw.names.iter().any(|(_, e)| of(e));
                    let mut writes = false;
                    s.assignments(&mut |target, _| writes |= of(target));
                    // Outside of a dimension there is no fill, but an error or `missing`.
                    let inside = |a: &AccessId| {
                        let access = self.kernel.get(*a);
                        let plain = |i: &Index| {
                            i.view.clips.is_empty()
                                && !i.view.checked
                                && matches!(i.kind, IndexKind::Affine(..))
                        };
                        access.tensor != *t || access.indices.iter().all(plain)
                    };
                    let inside = self.accesses(s).iter().all(inside);
                    if !writes && inside && !self.opaquely(s, reads) {
                        found.push(Constant::Workspace(*t));
                    }
                }
                self.constants(producer, found);
                self.constants(consumer, found);
            }
            Stmt::Assign { .. } | Stmt::Pass => {}
        }
    }

    /// The literal that the scalar `var` begins with, if `value` says that it is the zero of a number's type.
    fn zero(&self, var: VarId, value: &Expr) -> Option<Lit> {
        let Expr::Raw(raw) = value else { return None };
        let code = &self.kernel.raws[raw.0 as usize].code;
        let ty = &self.kernel.info(var).ty;
        match (matches!(code, Opaque::Runtime(Runtime::Default)), ty) {
            (true, Ty::Bool) => Some(Lit::Bool(false)),
            (true, ty) if ty.is_integer() || ty.is_float() => Some(Lit::Int(0)),
            _ => None,
        }
    }

    /// Whether `s` names `var` where nothing is put in place of it: in the indices of accesses, the sizes of tensors that begin
    /// in it, and the checks of its loops.
    pub(super) fn named_beyond(&self, s: &Stmt, var: VarId) -> bool {
        let within = |e: &Expr| self.kernel.depends(e).contains(&var);
        let checked = |index: &VarId| {
            let own = self.kernel.loop_checks.iter().filter(|(v, _)| v == index);
            own.flat_map(|(_, check)| check.parts()).any(within)
        };
        let begun = |t: &TensorId| self.kernel.tensor(*t).sizes.iter().any(within);
        let here = match s {
            Stmt::Loop { index, .. } => checked(index),
            Stmt::Where { local, .. } => local.iter().any(begun),
            _ => false,
        };
        let indexed = |e: &&Expr| {
            let mut found = false;
            e.walk(&mut |x| found |= matches!(x, Expr::Access(_)) && within(x));
            found
        };
        here || s.exprs().iter().any(indexed)
            || s.children().into_iter().any(|s| self.named_beyond(s, var))
    }

    /// Whether Rust tokens of `s` do what cannot be rewritten.
    pub(super) fn opaquely(&self, s: &Stmt, reads: impl Fn(&Raw) -> bool) -> bool {
        let mut any = false;
        s.walk(&mut |e| {
            any |= matches!(e, Expr::Raw(id) if reads(&self.kernel.raws[id.0 as usize]))
        });
        any
    }

    fn inlined(&self, s: &Stmt, constants: &[Constant]) -> Stmt {
        let bare = dropped(s.clone(), constants);
        bare.map(&mut |e| {
            constants.iter().find_map(|one| match (e, one) {
                (Expr::Access(a), Constant::Workspace(t)) if self.kernel.get(*a).tensor == *t => {
                    Some(self.kernel.tensor(*t).fill.clone())
                }
                (Expr::Var(v), Constant::Scalar(var, lit) | Constant::Untouched(var, lit))
                    if v == var =>
                {
                    Some(Expr::Lit(lit.clone()))
                }
                _ => None,
            })
        })
    }
}

/// The literal that `var` is assigned first in `body`, and what follows.
fn starting(var: VarId, body: &Stmt) -> Option<(Lit, &[Stmt])> {
    let Stmt::Seq(all) = body else { return None };
    let (first, rest) = all.split_first()?;
    match first {
        Stmt::Assign { target, op: None, value: Expr::Lit(lit) }
            if *target == Expr::Var(var) && *lit != Lit::Missing =>
        {
            Some((lit.clone(), rest))
        }
        _ => None,
    }
}

/// `s` without the definitions and first assignments of the locals `still`.
fn dropped(s: Stmt, constants: &[Constant]) -> Stmt {
    let boxed = |s: Box<Stmt>| Box::new(dropped(*s, constants));
    match s {
        Stmt::Loop { index, parallel, lo, hi, body } => {
            Stmt::Loop { index, parallel, lo, hi, body: boxed(body) }
        }
        Stmt::Let { var, value, body } => {
            let untouched = |one: &Constant| matches!(one, Constant::Untouched(v, _) if *v == var);
            if constants.iter().any(untouched) {
                return dropped(*body, constants);
            }
            let here = |one: &Constant| matches!(one, Constant::Scalar(v, _) if *v == var);
            match *body {
                Stmt::Seq(mut all) if constants.iter().any(here) => {
                    all.remove(0);
                    dropped(Stmt::Seq(all), constants)
                }
                body => Stmt::Let { var, value, body: Box::new(dropped(body, constants)) },
            }
        }
        Stmt::Sieve { cond, then, otherwise } => {
            Stmt::Sieve { cond, then: boxed(then), otherwise: boxed(otherwise) }
        }
        Stmt::Seq(all) => Stmt::Seq(all.into_iter().map(|s| dropped(s, constants)).collect()),
        Stmt::Where { consumer, producer, mut local } => {
            let gone = |t: &TensorId| {
                constants.iter().any(|one| matches!(one, Constant::Workspace(of) if of == t))
            };
            local.retain(|t| !gone(t));
            let (consumer, producer) = (boxed(consumer), boxed(producer));
            match (&*producer, local.is_empty()) {
                (Stmt::Pass, true) => *consumer,
                _ => Stmt::Where { consumer, producer, local },
            }
        }
        other => other,
    }
}
