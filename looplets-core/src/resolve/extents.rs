//! Extents: where each loop runs from and to, and which sizes must agree.
//!
//! A plain access `A[i]` of a tensor whose size is known sets the extent of `i` to that dimension;
//! all such dimensions must agree. If only moved accesses `A[i + c]` are there, `i` runs over the
//! coordinates at which all of them are inside. An explicit extent must lie inside every dimension.

use super::Resolver;
use crate::cin::*;
use crate::kernel::*;

/// A use of an index in a dimension.
struct Use {
    tensor: TensorId,
    dim: usize,
    shift: Expr,
}

impl Resolver<'_> {
    pub fn infer_extents(&mut self) {
        let indices: Vec<VarId> = self.bound_at.keys().copied().collect();
        let mut found: Vec<(VarId, Expr, Expr)> = Vec::new();
        for &index in &indices {
            let (sized, unsized_) = self.uses(index);
            let plain: Vec<&Use> = sized.iter().filter(|u| u.shift == Expr::int(0)).collect();
            let name = self.kernel.info(index).name.clone();
            let len = |r: &Self, u: &Use| Expr::Var(r.kernel.tensor(u.tensor).lens[u.dim]);
            let (lo, hi) = if let Some((lo, hi)) = self.extents.get(&index).cloned() {
                for u in &sized {
                    self.within(index, u, &lo, &hi);
                }
                (lo, hi)
            } else if let Some(first) = plain.first() {
                let hi = len(self, first);
                for u in &plain[1..] {
                    if (u.tensor, u.dim) != (first.tensor, first.dim) {
                        self.agree(index, first, u);
                    }
                }
                for u in sized.iter().filter(|u| u.shift != Expr::int(0)) {
                    self.within(index, u, &Expr::int(0), &hi);
                }
                (Expr::int(0), hi)
            } else if !sized.is_empty() {
                let mut lo = vec![Expr::int(0)];
                let mut hi = Vec::new();
                for u in &sized {
                    lo.push(Expr::call("neg", [u.shift.clone()]));
                    hi.push(Expr::call("-", [len(self, u), u.shift.clone()]));
                }
                let lo = self.kernel_local(&format!("{name}_lo"), Expr::call("max", lo));
                hi.push(lo.clone());
                let hi = if hi.len() == 2 {
                    Expr::call("max", hi)
                } else {
                    let least = Expr::call("min", hi[..hi.len() - 1].to_vec());
                    Expr::call("max", [least, lo.clone()])
                };
                (lo, self.kernel_local(&format!("{name}_hi"), hi))
            } else {
                let what = if unsized_.is_empty() {
                    "no tensor is indexed by it"
                } else {
                    "only outputs of unknown size are indexed by it"
                };
                self.errors.error(self.bound_at[&index], format!(
                    "the extent of `{name}` cannot be inferred: {what}; write `for {name} in 0..n`, or give the output's size, `y: Format[n]`"));
                continue;
            };
            found.push((index, lo, hi));
        }
        for (index, lo, hi) in &found {
            self.extents.insert(*index, (lo.clone(), hi.clone()));
        }
        let body = std::mem::replace(&mut self.kernel.body, Stmt::Pass);
        self.kernel.body = self.place(body);
        self.output_sizes();
    }

    fn kernel_local(&mut self, name: &str, value: Expr) -> Expr {
        let var = self.kernel.var(name, VarKind::Local, Ty::Index);
        self.kernel.prelude.push((var, value));
        Expr::Var(var)
    }

    /// Uses of `index` in dimensions of known size, and of unknown size.
    fn uses(&self, index: VarId) -> (Vec<Use>, Vec<Use>) {
        let (mut sized, mut rest) = (Vec::new(), Vec::new());
        for access in &self.kernel.accesses {
            for (dim, i) in access.indices.iter().enumerate() {
                if let IndexKind::Affine(v, shift) = &i.kind {
                    if *v == index {
                        let tensor = self.kernel.tensor(access.tensor);
                        let known = !tensor.sizes.is_empty()
                            || matches!(tensor.role, Role::Input | Role::InOut);
                        let u = Use { tensor: access.tensor, dim, shift: shift.clone() };
                        if known {
                            sized.push(u)
                        } else {
                            rest.push(u)
                        }
                    }
                }
            }
        }
        (sized, rest)
    }

    fn agree(&mut self, index: VarId, a: &Use, b: &Use) {
        let literal = |r: &Self, u: &Use| match r.kernel.tensor(u.tensor).sizes.get(u.dim) {
            Some(Expr::Lit(Lit::Int(n))) => Some(*n),
            _ => None,
        };
        let name = self.kernel.info(index).name.clone();
        if let (Some(x), Some(y)) = (literal(self, a), literal(self, b)) {
            if x != y {
                let (ta, tb) = (
                    self.kernel.tensor(a.tensor).name.clone(),
                    self.kernel.tensor(b.tensor).name.clone(),
                );
                self.errors.error(self.bound_at[&index], format!(
                    "the extent of `{name}` conflicts: dimension {} of `{ta}` has size {x}, dimension {} of `{tb}` has size {y}; make them equal or loop over `{name} in lo..hi`", a.dim, b.dim));
            }
            return;
        }
        let check = Check::Equal { index: name, from: (a.tensor, a.dim), with: (b.tensor, b.dim) };
        self.kernel.checks.push(check);
    }

    /// An explicit extent, moved by the access's shift, must lie inside the dimension.
    fn within(&mut self, index: VarId, u: &Use, lo: &Expr, hi: &Expr) {
        let name = self.kernel.info(index).name.clone();
        if let (Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(b)), Expr::Lit(Lit::Int(c))) =
            (lo, hi, &u.shift)
        {
            let size = match self.kernel.tensor(u.tensor).sizes.get(u.dim) {
                Some(Expr::Lit(Lit::Int(n))) => Some(*n),
                _ => None,
            };
            let outside = a + c < 0 || size.is_some_and(|n| b + c > n);
            if a < b && outside {
                let t = self.kernel.tensor(u.tensor).name.clone();
                self.errors.error(
                    self.bound_at[&index],
                    format!(
                        "the extent of `{name}` conflicts: {}..{} is outside dimension {} of `{t}`",
                        a + c,
                        b + c,
                        u.dim
                    ),
                );
                return;
            }
        }
        let shifted = |e: &Expr| match (e, &u.shift) {
            (_, Expr::Lit(Lit::Int(c))) => e.plus(*c),
            _ => Expr::call("+", [e.clone(), u.shift.clone()]),
        };
        let check =
            Check::Within { index: name, of: (u.tensor, u.dim), lo: shifted(lo), hi: shifted(hi) };
        let fixed = [lo, hi, &u.shift].iter().all(|e| {
            self.kernel.depends(e).iter().all(|v| self.kernel.info(*v).kind == VarKind::Local)
        });
        let local = matches!(self.kernel.tensor(u.tensor).role, Role::Workspace);
        if fixed && !local {
            self.kernel.checks.push(check);
        } else {
            self.kernel.loop_checks.push((index, check));
        }
    }

    /// Puts the extents into the loops.
    fn place(&self, stmt: Stmt) -> Stmt {
        match stmt {
            Stmt::Loop { index, lo, hi, body } => {
                let (lo, hi) = self.extents.get(&index).cloned().unwrap_or((lo, hi));
                Stmt::Loop { index, lo, hi, body: Box::new(self.place(*body)) }
            }
            Stmt::Sieve { cond, then, otherwise } => Stmt::Sieve {
                cond,
                then: Box::new(self.place(*then)),
                otherwise: Box::new(self.place(*otherwise)),
            },
            Stmt::Seq(all) => Stmt::Seq(all.into_iter().map(|s| self.place(s)).collect()),
            Stmt::Where { consumer, producer, local } => Stmt::Where {
                consumer: Box::new(self.place(*consumer)),
                producer: Box::new(self.place(*producer)),
                local,
            },
            Stmt::Let { var, value, body } => {
                Stmt::Let { var, value, body: Box::new(self.place(*body)) }
            }
            other => other,
        }
    }

    /// Sizes of outputs and workspaces that the header leaves open: as far as the loops reach.
    fn output_sizes(&mut self) {
        for t in 0..self.kernel.tensors.len() {
            let id = TensorId(t as u32);
            let tensor = self.kernel.tensor(id);
            let open =
                matches!(tensor.role, Role::Output | Role::Workspace) && tensor.sizes.is_empty();
            if !open {
                continue;
            }
            let (rank, name) = (tensor.lens.len(), tensor.name.clone());
            let mut sizes = Vec::new();
            for dim in 0..rank {
                match self.reach(id, dim) {
                    Some(size) => sizes.push(size),
                    None => {
                        self.errors.error(name.span(), format!(
                            "the size of dimension {dim} of `{name}` cannot be inferred: give it, `{name}: Format[..]`"));
                        break;
                    }
                }
            }
            if sizes.len() == rank {
                self.kernel.tensors[t].sizes = sizes;
            }
        }
    }

    /// One past the largest coordinate that loops give in dimension `dim`.
    fn reach(&mut self, id: TensorId, dim: usize) -> Option<Expr> {
        let mut ends: Vec<Expr> = Vec::new();
        for access in &self.kernel.accesses {
            if access.tensor != id {
                continue;
            }
            let IndexKind::Affine(v, shift) = &access.indices[dim].kind else { return None };
            let (_, hi) = self.extents.get(v)?;
            let fixed = |e: &Expr| {
                self.kernel.depends(e).iter().all(|v| self.kernel.info(*v).kind == VarKind::Local)
            };
            if !fixed(hi) || !fixed(shift) {
                return None;
            }
            let end = match shift {
                Expr::Lit(Lit::Int(c)) => hi.plus(*c),
                _ => Expr::call("+", [hi.clone(), shift.clone()]),
            };
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
        match ends.len() {
            0 => None,
            1 => ends.pop(),
            _ => Some(Expr::call("max", ends)),
        }
    }
}
