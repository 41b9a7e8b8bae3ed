//! What the iterations of a parallel loop share, and what must not be: two iterations write the same
//! element only to reduce it, by an operator whose order does not matter.
//!
//! Each tensor and scalar that outlives the loop and is written in it is parted by the index, made in
//! parts that are joined, or reduced into a copy per chunk. Anything else is a race.

use super::Resolver;
use crate::cin::*;
use crate::decl::Order;
use crate::fills::identity;
use crate::kernel::*;
use proc_macro2::Span;

/// What happens between the loops of a body and the parallel loop around it.
pub(super) struct Body<'a> {
    /// The index of the loop.
    index: VarId,
    /// Tensors and scalars whose life is within the body.
    pub local: (Vec<TensorId>, Vec<VarId>),
    /// Targets and operators.
    pub writes: Vec<(&'a Expr, Option<&'a Op>)>,
    /// Everything that is read.
    pub reads: Vec<&'a Expr>,
}

impl Resolver<'_> {
    /// Decides for each parallel loop what becomes of what it writes.
    pub fn check_races(&mut self) {
        let body = self.kernel.body.clone();
        self.races(&body, &[]);
    }

    fn races(&mut self, s: &Stmt, around: &[VarId]) {
        match s {
            Stmt::Loop { index, parallel, body, .. } => {
                if *parallel {
                    let mut inside = Body::of(*index, body);
                    // The sizes of workspaces are read where these are declared.
                    let sizes: Vec<Expr> = inside
                        .local
                        .0
                        .iter()
                        .flat_map(|t| self.kernel.tensor(*t).sizes.clone())
                        .collect();
                    inside.reads.extend(&sizes);
                    let shares = self.shares(&inside, around);
                    self.kernel.shares.insert(*index, shares);
                }
                self.races(body, &[around, &[*index]].concat());
            }
            Stmt::Let { body, .. } => self.races(body, around),
            Stmt::Sieve { then, otherwise, .. } => {
                self.races(then, around);
                self.races(otherwise, around);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.races(s, around)),
            Stmt::Where { consumer, producer, .. } => {
                self.races(producer, around);
                self.races(consumer, around);
            }
            Stmt::Assign { .. } | Stmt::Pass => {}
        }
    }

    fn shares(&mut self, body: &Body<'_>, around: &[VarId]) -> Vec<Share> {
        let mut shares: Vec<Share> = Vec::new();
        let (mut tensors, mut scalars) = (Vec::new(), Vec::new());
        for (target, op) in &body.writes {
            match target {
                Expr::Var(v) if !body.local.1.contains(v) && !scalars.contains(v) => {
                    scalars.push(*v);
                    shares.extend(self.scalar(body, *v, *op));
                }
                Expr::Access(a) => {
                    let t = self.kernel.get(*a).tensor;
                    if !body.local.0.contains(&t) && !tensors.contains(&t) {
                        tensors.push(t);
                        shares.extend(self.tensor(body, t, around));
                    }
                }
                Expr::Call(Op::Place, args) => self.refuse_in_parallel(body.index, &args[0]),
                _ => {}
            }
        }
        if let Some(v) = self.kernel.steps {
            // Every iteration adds to the counter.
            let plus = Op::Add;
            let counted = (&Expr::Var(v), Some(&plus));
            let written = body.writes.iter().copied().filter(|(target, _)| *target == counted.0);
            let all = written.chain([counted]).collect();
            let body = Body {
                writes: all,
                reads: body.reads.clone(),
                local: Default::default(),
                index: body.index,
            };
            if self.scalar(&body, v, Some(&plus)).is_none() {
                return shares;
            }
        }
        if let Some(v) = self.kernel.steps.filter(|v| !scalars.contains(v)) {
            shares.push(Share::Scalar { var: v, op: Op::Add, identity: Expr::int(0) });
        }
        shares
    }

    /// A scalar: reduced by one operator, and not looked at meanwhile.
    fn scalar(&mut self, body: &Body<'_>, v: VarId, op: Option<&Op>) -> Option<Share> {
        let name = self.kernel.called(v);
        let i = self.kernel.called(body.index);
        let at = self.kernel.assigned_at.get(&self.kernel.info(v).name).copied();
        let at = at.unwrap_or_else(|| self.parallel_at(body.index));
        let Some(op) = op else {
            self.errors.error(at, format!("the iterations of `parallel for {i}` race for `{name}`: each assigns it; reduce, as in `{name} += ..`, declare it inside of the loop, or write `for {i}`"));
            return None;
        };
        let one =
            |(target, other): &(&Expr, Option<&Op>)| **target != Expr::Var(v) || *other == Some(op);
        if !body.writes.iter().all(one) {
            self.errors.error(at, format!("the iterations of `parallel for {i}` race for `{name}`: they reduce it by more than one operator; use one, or write `for {i}`"));
            return None;
        }
        if body.reads.iter().any(|e| self.kernel.depends(e).contains(&v)) {
            self.errors.error(at, format!("the iterations of `parallel for {i}` race for `{name}`: one reads it while others reduce it; read it after the loop, or write `for {i}`"));
            return None;
        }
        let ty = self.kernel.info(v).ty.clone();
        let (op, identity) = self.combined(op, &ty, &name, &i, at)?;
        Some(Share::Scalar { var: v, op, identity })
    }

    /// What combines the copies of chunks, and what each starts at.
    fn combined(&mut self, op: &Op, ty: &Ty, name: &str, i: &str, at: Span) -> Option<(Op, Expr)> {
        if self.kernel.strict && ty.is_float() && matches!(op, Op::Add | Op::Sub | Op::Mul) {
            self.errors.error(at, format!("`parallel for {i}` combines `{name}` chunk by chunk, which rounds in another order, and `#![strict]` forbids that: write `for {i}`, or leave `#![strict]` out"));
            return None;
        }
        if *ty == Ty::Unknown {
            self.errors.error(at, format!("each chunk of `parallel for {i}` has a `{name}` of its own, whose type is not said: declare it, `let mut {name}: f64;`"));
            return None;
        }
        let unsigned = matches!(ty, Ty::Named(n) if n.starts_with('u'));
        let known = match op {
            Op::Sub if !unsigned => Some((Op::Add, Expr::int(0))),
            // Of NaN and a number they give the number: nothing else leaves a NaN what it is.
            Op::Min | Op::Max if ty.is_float() => Some((op.clone(), Expr::call(Op::Nan, []))),
            Op::Add
            | Op::Mul
            | Op::BitOr
            | Op::BitXor
            | Op::Or
            | Op::And
            | Op::Min
            | Op::Max
            | Op::BitAnd => {
                let start = identity(op, ty).or_else(|| self.limit_of(op, ty));
                start.map(|start| (op.clone(), start))
            }
            other => self
                .kernel
                .identities
                .get(other.key().unwrap_or(""))
                .map(|start| (op.clone(), start.clone())),
        };
        if known.is_none() {
            let op = crate::decl::identity::shown(&op.name());
            let of = match ty.is_opaque() && *ty != Ty::Unknown {
                true => format!(" of `{}`, a type that is not known here by its name", ty.text()),
                false => String::new(),
            };
            self.errors.error(at, format!("`parallel for {i}` cannot combine what chunks reduce into `{name}`: `{op}`{of} is not known to be associative with an identity; use `+`, `*`, `min`, `max` or an operator that declares both, or write `for {i}`"));
        }
        known
    }

    /// What `op` starts at in an integer type whose limits are no literals, as they differ between machines or have too many bits.
    fn limit_of(&mut self, op: &Op, ty: &Ty) -> Option<Expr> {
        let Ty::Named(name) = ty else { return None };
        let limit = match op {
            _ if !ty.is_integer() => return None,
            Op::Min => "MAX",
            Op::Max => "MIN",
            Op::BitAnd if ty.is_unsigned() => "MAX",
            Op::BitAnd => return Some(Expr::int(-1)),
            _ => return None,
        };
        let tokens = format!("::core::primitive::{name}::{limit}").parse().ok()?;
        Some(self.kernel.raw(tokens, Vec::new(), ty.clone()))
    }

    fn tensor(&mut self, body: &Body<'_>, t: TensorId, around: &[VarId]) -> Option<Share> {
        let (name, i) = (self.kernel.tensor(t).name.to_string(), self.kernel.called(body.index));
        let of = |e: &Expr| matches!(e, Expr::Access(a) if self.kernel.get(*a).tensor == t);
        let mut read = Vec::new();
        body.reads.iter().for_each(|e| self.accesses_in(e, &mut read));
        read.retain(|a| self.kernel.get(*a).tensor == t);
        let written: Vec<(AccessId, Option<&Op>)> = body
            .writes
            .iter()
            .filter(|(target, _)| of(target))
            .filter_map(|(target, op)| match target {
                Expr::Access(a) => Some((*a, *op)),
                _ => None,
            })
            .collect();
        let parted = |a: &AccessId| {
            let access = self.kernel.get(*a);
            access.indices.first().is_some_and(|i| {
                i.kind == IndexKind::Affine(body.index, Expr::int(0)) && i.view == View::plain()
            })
        };
        let dense = self.plainly_dense(t);
        let all: Vec<AccessId> =
            written.iter().map(|(a, _)| *a).chain(read.iter().copied()).collect();
        let astray = all.iter().find(|a| !parted(a)).copied();
        let first = written[0].0;
        let Some(astray) = astray else {
            if dense {
                return Some(Share::Part(t));
            }
            let elsewhere =
                self.kernel.accesses.iter().filter(|a| a.tensor == t && a.write).count();
            let created = self.kernel.tensor(t).role == Role::Output;
            if created && read.is_empty() && around.is_empty() && elsewhere == written.len() {
                return Some(Share::Made(t));
            }
            let at = self.kernel.get(first).span.0;
            let format = crate::diagnostics::text(&self.kernel.tensor(t).ty);
            self.errors.error(at, format!("`parallel for {i}` makes `{name}` in parts that are joined, so it is an output that this loop alone writes, with no loop around it (a tensor may be updated too if all its levels say `join(len: sum)`, unlike those of `{format}`): write `for {i}`"));
            return None;
        };
        let access = self.kernel.get(astray).clone();
        let at = access.span.0;
        if access.indices.is_empty() {
            let ty = self.kernel.tensor(t).value.tokens();
            self.errors.error(at, format!("the iterations of `parallel for {i}` race for `{name}`, which has no dimensions: all of them would write its one element; reduce into a scalar that is declared before the loop, `let mut t: {ty};`, and store it in `{name}[]` after the loop, or write `for {i}`"));
            return None;
        }
        let op = written[0]
            .1
            .filter(|op| read.is_empty() && written.iter().all(|(_, o)| *o == Some(op)));
        match op {
            Some(op) if dense => {
                let ty = self.kernel.tensor(t).value.clone();
                let (op, identity) = self.combined(op, &ty, &name, &i, at)?;
                Some(Share::Copies { tensor: t, op, identity })
            }
            Some(_) => {
                self.errors.error(at, format!("the iterations of `parallel for {i}` race for `{name}`: `{i}` is not its first index, and only tensors whose levels all say `join(len: sum)` are reduced into copies; write `for {i}`, or put `{i}` first"));
                None
            }
            None => {
                let what = if access.write { "writes" } else { "reads" };
                self.errors.error(at, format!("the iterations of `parallel for {i}` race for `{name}`: this one {what} elements that `{i}` does not index first and others write; put `{i}` first, reduce (`+=`), or write `for {i}`"));
                None
            }
        }
    }

    /// Whether the elements of a tensor are one array, an equal share of it for each outermost index.
    pub(super) fn plainly_dense(&self, t: TensorId) -> bool {
        let tensor = self.kernel.tensor(t);
        let Some((leaf, levels)) = tensor.levels.split_last() else { return false };
        let arrays =
            |l: &Level| l.fields.iter().filter(|(_, b)| matches!(b, Binding::Array(_))).count();
        let located = |l: &Level| {
            let write = l.format.level().write.as_ref();
            write
                .is_some_and(|w| w.order == Order::Locate && w.commit.is_none() && w.fold.is_none())
        };
        let sums = |l: &Level| l.format.level().joins_by_size();
        let place = leaf.format.level().write.as_ref().is_some_and(|w| w.place.is_some());
        !levels.is_empty()
            && levels.iter().all(|l| arrays(l) == 0 && located(l) && sums(l))
            && place
            && arrays(leaf) == 1
    }

    pub(super) fn accesses_in(&self, e: &Expr, out: &mut Vec<AccessId>) {
        e.walk(&mut |x| match x {
            Expr::Access(a) => {
                out.push(*a);
                for part in self.kernel.get(*a).indices.iter().flat_map(Index::parts) {
                    self.accesses_in(part, out);
                }
            }
            Expr::Raw(r) => {
                let names = &self.kernel.raws[r.0 as usize].names;
                names.iter().for_each(|(_, e)| self.accesses_in(e, out));
            }
            _ => {}
        });
    }

    fn parallel_at(&self, index: VarId) -> Span {
        self.bound_at.get(&index).copied().unwrap_or_else(Span::call_site)
    }
}

impl<'a> Body<'a> {
    /// What the body `s` of the loop over `index` does.
    pub fn of(index: VarId, s: &'a Stmt) -> Self {
        let local = (Vec::new(), Vec::new());
        let mut body = Body { index, local, writes: Vec::new(), reads: Vec::new() };
        body.collect(s);
        body
    }

    fn collect(&mut self, s: &'a Stmt) {
        match s {
            Stmt::Loop { lo, hi, body, .. } => {
                self.reads.extend([lo, hi]);
                self.collect(body);
            }
            Stmt::Assign { target, op, value } => {
                self.writes.push((target, op.as_ref()));
                self.reads.push(value);
            }
            Stmt::Sieve { cond, then, otherwise } => {
                self.reads.push(cond);
                self.collect(then);
                self.collect(otherwise);
            }
            Stmt::Seq(all) => all.iter().for_each(|s| self.collect(s)),
            Stmt::Where { consumer, producer, local } => {
                self.local.0.extend(local);
                self.collect(producer);
                self.collect(consumer);
            }
            Stmt::Let { var, value, body } => {
                self.local.1.push(*var);
                self.reads.push(value);
                self.collect(body);
            }
            Stmt::Pass => {}
        }
    }
}
