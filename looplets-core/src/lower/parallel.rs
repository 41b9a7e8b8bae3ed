//! Parallel loops: the body is lowered once, for one chunk of the extent, and what chunks make is put
//! together in their order.
//!
//! What a chunk writes of a tensor is a tensor of its own: a part of the arrays where all levels are
//! dense, else one that is assembled from nothing and joined. Scalars, and elements that any iteration
//! may write, are reduced into copies.

use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::{Kir, Parallel, Piece};

impl Lower<'_> {
    /// Lowers the loop over `r`, whose iterations run in parallel. A chunk of it is a loop that is not.
    pub(super) fn parallel(&mut self, r: &Region, body: &Stmt) -> Vec<Kir> {
        let from = self.kernel.var("from", VarKind::Local, Ty::Index);
        let to = self.kernel.var("to", VarKind::Local, Ty::Index);
        let work = self.worked_by(r.index, body);
        // A loop in the loop over an input's entries is taken for eight steps.
        let weight = 8usize.pow(depth(body).saturating_sub(1).min(3));
        let (mut pieces, mut first, mut last) = (Vec::new(), Vec::new(), Vec::new());
        let exits = std::mem::take(&mut self.exits);
        let backdrops = std::mem::take(&mut self.backdrops);
        let outside = std::mem::take(&mut self.outside);
        // What loops inside share is of this chunk while it is lowered.
        let inner_shares = self.kernel.shares.clone();
        let shares = inner_shares.get(&r.index).cloned().unwrap_or_default();
        let code = self.scoped(|l| {
            let [a, b] = [from, to].map(Expr::Var);
            l.assume(&Expr::call(Op::Le, [r.lo.clone(), a.clone()]));
            l.assume(&Expr::call(Op::Le, [a.clone(), b.clone()]));
            l.assume(&Expr::call(Op::Le, [b.clone(), r.hi.clone()]));
            l.bound.extend([from, to]);
            let mut body = l.unresumed(body);
            for share in shares {
                match share {
                    Share::Scalar { var, op, identity } => {
                        let info = l.kernel.info(var).clone();
                        let part =
                            l.kernel.var(&format!("{}_part", info.name), VarKind::Scalar, info.ty);
                        l.kernel.assigned_like(part, &info.name);
                        first.push(Kir::Let { var, mutable: true, value: identity });
                        pieces.push(Piece::Scalar { var, part, op });
                    }
                    Share::Copies { tensor, op, identity } => {
                        let array = l.values(tensor);
                        let info = l.kernel.arrays[array.0 as usize].clone();
                        let name = format!("{}_part", info.name);
                        l.kernel.arrays.push(Array { name, ..info });
                        let part = ArrayId(l.kernel.arrays.len() as u32 - 1);
                        let at = l.kernel.var("q", VarKind::Index, Ty::Index);
                        pieces.push(Piece::Copy { array, part, at, op, identity });
                    }
                    Share::Part(tensor) => {
                        let part = l.part_of(tensor, &a, &b, true, &mut first);
                        body = l.moved(&body, tensor, part, Some(&a));
                        pieces.push(Piece::Part { whole: tensor, part });
                    }
                    Share::Made(tensor) => {
                        let levels = &l.kernel.tensor(tensor).levels;
                        // What a level below makes of the number of a fiber is known only of one that
                        // joins: a triangle has rows of its own.
                        let below = levels.iter().skip(1).map(|l| l.format.level());
                        let moved = levels[0].format.level().joins_by_size()
                            && below.into_iter().all(|l| l.join.is_some() || l.leaf.is_some());
                        let part = l.part_of(tensor, &a, &b, moved, &mut first);
                        body = l.moved(&body, tensor, part, moved.then_some(&a));
                        first.extend(l.kernel.create_code(part));
                        pieces.push(Piece::Made { whole: tensor, part, moved });
                    }
                }
            }
            let chunk = Region { index: r.index, lo: a, hi: b };
            // What a chunk writes is its own.
            let code = l.in_loop(&body, |l| l.looped(chunk, &body));
            for piece in &pieces {
                if let Piece::Made { part, .. } = piece {
                    last.extend(l.kernel.finish_code(*part));
                }
            }
            code
        });
        let code = self.with_outside(outside, code);
        (self.exits, self.backdrops) = (exits, backdrops);
        self.kernel.shares = inner_shares;
        [from, to].iter().for_each(|v| _ = self.bound.remove(v));
        if code.iter().all(Kir::is_idle) {
            return Vec::new();
        }
        first.extend(code);
        first.extend(last);
        let (lo, hi) = (r.lo.clone(), r.hi.clone());
        vec![Kir::Parallel(Box::new(Parallel {
            index: r.index,
            from,
            to,
            lo,
            hi,
            work,
            weight,
            pieces,
            body: first,
        }))]
    }

    /// `body`, whose loops share no state with those around it.
    fn unresumed(&mut self, body: &Stmt) -> Stmt {
        let mut body = body.clone();
        for id in self.accesses(&body) {
            let access = self.kernel.get(id);
            if access.resumed.is_some() {
                let access = Access { resumed: None, ..access.clone() };
                let new = self.kernel.access(access);
                body = self.replace(&body, id, &new);
            }
        }
        body
    }

    /// The array of values of a tensor of dense levels.
    fn values(&self, t: TensorId) -> ArrayId {
        *self.kernel.arrays_of(t).last().expect("checked by `resolve`: a leaf with values")
    }

    /// Inputs whose outermost dimension the index runs through: what they store is the work.
    fn worked_by(&self, index: VarId, body: &Stmt) -> Vec<TensorId> {
        let mut out = Vec::new();
        for id in self.accesses(body) {
            let access = self.kernel.get(id);
            let along = access.indices.first().is_some_and(|i| {
                i.kind == IndexKind::Affine(index, Expr::int(0)) && i.view == View::plain()
            });
            let input = self.kernel.tensor(access.tensor).role == Role::Input;
            if along && input && access.level == 0 && !out.contains(&access.tensor) {
                out.push(access.tensor);
            }
        }
        out
    }

    /// A tensor of the format of `t` for the chunk `from..to`: of its size, if coordinates in it are
    /// `moved`.
    fn part_of(
        &mut self,
        t: TensorId,
        from: &Expr,
        to: &Expr,
        moved: bool,
        code: &mut Vec<Kir>,
    ) -> TensorId {
        let mut tensor = self.kernel.tensor(t).clone();
        let id = TensorId(self.kernel.tensors.len() as u32);
        // They are known in the chunk only.
        tensor.sizes.clear();
        // The chunk's own, though the whole be an output or updated in place: no parameter to take apart
        // and put together again is behind it.
        tensor.role = Role::Workspace;
        for level in &mut tensor.levels {
            for (_, binding) in &mut level.fields {
                match binding {
                    Binding::Scalar(v) => {
                        let name = format!("{}_part", self.kernel.info(*v).name);
                        let new = self.kernel.var(&name, VarKind::Local, Ty::Index);
                        if let Some(k) = tensor.lens.iter().position(|l| l == v) {
                            let whole = Expr::Var(*v);
                            let size = if k == 0 && moved {
                                Expr::call(Op::Sub, [to.clone(), from.clone()])
                            } else {
                                whole
                            };
                            code.push(Kir::Let { var: new, mutable: false, value: size.clone() });
                            self.define(new, &size);
                            tensor.lens[k] = new;
                        }
                        *binding = Binding::Scalar(new);
                    }
                    Binding::Array(a) => {
                        let info = self.kernel.arrays[a.0 as usize].clone();
                        let name = format!("{}_part", info.name);
                        self.kernel.arrays.push(Array { name, tensor: id, ..info });
                        *binding = Binding::Array(ArrayId(self.kernel.arrays.len() as u32 - 1));
                    }
                    Binding::Child => {}
                }
            }
        }
        self.kernel.tensors.push(tensor);
        id
    }

    /// `s` with the accesses of `whole` as accesses of `part`, whose coordinates count from `from`.
    fn moved(&mut self, s: &Stmt, whole: TensorId, part: TensorId, from: Option<&Expr>) -> Stmt {
        // A parallel loop inside shares the part.
        for share in self.kernel.shares.values_mut().flatten() {
            match share {
                Share::Part(t) | Share::Made(t) | Share::Copies { tensor: t, .. }
                    if *t == whole =>
                {
                    *t = part;
                }
                _ => {}
            }
        }
        let mut s = s.clone();
        for id in self.accesses(&s) {
            let mut access = self.kernel.get(id).clone();
            if access.tensor != whole {
                continue;
            }
            access.tensor = part;
            let kind = &mut access.indices[0].kind;
            if let (Some(from), IndexKind::Affine(_, shift)) = (from, kind) {
                *shift = difference(shift, from);
            }
            let with = self.kernel.access(access);
            s = self.replace(&s, id, &with);
        }
        s
    }
}

/// How deep loops are nested in `s`.
fn depth(s: &Stmt) -> u32 {
    match s {
        Stmt::Loop { body, .. } => 1 + depth(body),
        Stmt::Let { body, .. } => depth(body),
        Stmt::Sieve { then, otherwise, .. } => depth(then).max(depth(otherwise)),
        Stmt::Seq(all) => all.iter().map(depth).max().unwrap_or(0),
        Stmt::Where { consumer, producer, .. } => depth(producer).max(depth(consumer)),
        Stmt::Assign { .. } | Stmt::Pass => 0,
    }
}
