//! Extents: where each loop runs from and to, and which sizes must agree.
//!
//! A plain access `A[i]` of a tensor whose size is known (that of an input, one given in the program,
//! or of an output once other loops gave it one) sets the extent of `i` to that dimension;
//! all such dimensions must agree. If only moved accesses `A[i + c]` are there, `i` runs over the
//! coordinates at which all of them are inside. An explicit extent must lie inside every dimension.

use super::sizes::with_sizes;
use super::Resolver;
use crate::cin::*;
use crate::kernel::*;

/// A use of an index in a dimension.
#[derive(Clone)]
struct Use {
    tensor: TensorId,
    dim: usize,
    shift: Expr,
    write: bool,
}

impl Resolver<'_> {
    /// Finds the extent of every loop and the size of every output and workspace. A tensor that one
    /// loop gives its size gives in turn the extent of the loops that read it.
    pub fn infer_extents(&mut self) {
        let explicit: Vec<VarId> = self.extents.keys().copied().collect();
        let mut open: Vec<VarId> =
            self.bound_at.keys().copied().filter(|v| !explicit.contains(v)).collect();
        let given: Vec<bool> = self.kernel.tensors.iter().map(|t| !t.sizes.is_empty()).collect();
        loop {
            let before = open.len();
            open.retain(|index| !self.by_plain_access(*index));
            if open.len() == before {
                // Moved accesses decide only where no plain one does.
                if let Some(k) = open.iter().position(|index| self.by_moved_accesses(*index)) {
                    open.remove(k);
                }
            }
            let sized = self.output_sizes();
            if open.len() == before && !sized {
                break;
            }
        }
        self.report_open(&open);
        self.unsized_tensors(&open);
        let indices: Vec<VarId> = self.bound_at.keys().copied().collect();
        for index in indices {
            self.check_extent(index, &explicit, &given);
        }
        let body = std::mem::replace(&mut self.kernel.body, Stmt::Pass);
        self.kernel.body = self.place(body);
    }

    /// Reports the loops without an extent, but those that another error leaves without one.
    fn report_open(&mut self, open: &[VarId]) {
        for index in open.iter().copied() {
            if self.rebound.contains(&index) || self.doubtful.contains(&index) {
                continue;
            }
            let name = self.kernel.called(index);
            let uses = self.uses(index);
            let caused = |u: &Use| {
                // A tensor of unknown size that another index writes is reported there.
                self.unsure.contains(&u.tensor)
                    || self.kernel.accesses.iter().any(|a| {
                        let own = matches!(&a.indices.get(u.dim), Some(i) if matches!(&i.kind, IndexKind::Affine(v, _) if *v == index));
                        a.tensor == u.tensor && a.write && !own
                    })
            };
            if uses.iter().any(caused) {
                continue;
            }
            let message = match uses.first() {
                None => format!("no tensor is indexed by it; write `for {name} in 0..n`"),
                Some(u) => {
                    let tensor = self.kernel.tensor(u.tensor);
                    format!(
                        "only `{}`, of unknown size, is indexed by it; write `for {name} in 0..n`, or give the size, `{}`",
                        tensor.name, with_sizes(tensor))
                }
            };
            self.errors.error(
                self.bound_at[&index],
                format!("the extent of `{name}` cannot be inferred: {message}"),
            );
        }
    }

    fn len(&self, u: &Use) -> Expr {
        Expr::Var(self.kernel.tensor(u.tensor).lens[u.dim])
    }

    /// Takes the extent of `index` from the first plain access of known size.
    fn by_plain_access(&mut self, index: VarId) -> bool {
        let found = self.sized(index).into_iter().find(|u| u.shift == Expr::int(0));
        let Some(first) = found else { return false };
        let hi = self.len(&first);
        self.extents.insert(index, (Expr::int(0), hi));
        true
    }

    /// Takes for `index` the coordinates at which every moved access is inside.
    fn by_moved_accesses(&mut self, index: VarId) -> bool {
        let sized = self.sized(index);
        if sized.is_empty() {
            return false;
        }
        let name = self.kernel.called(index);
        let (mut lo, mut hi) = (vec![Expr::int(0)], Vec::new());
        for u in &sized {
            lo.push(Expr::call("neg", [u.shift.clone()]));
            hi.push(Expr::call("-", [self.len(u), u.shift.clone()]));
        }
        let lo = self.kernel_local(&format!("{name}_lo"), Expr::call("max", lo));
        let least = if hi.len() == 1 { hi.remove(0) } else { Expr::call("min", hi) };
        let hi = self.kernel_local(&format!("{name}_hi"), least);
        self.extents.insert(index, (lo, hi));
        true
    }

    /// Everything indexed by `index` must hold its extent.
    fn check_extent(&mut self, index: VarId, explicit: &[VarId], given: &[bool]) {
        if self.rebound.contains(&index) {
            return;
        }
        let Some((lo, hi)) = self.extents.get(&index).cloned() else { return };
        let mut first: Option<Use> = None;
        let sized = self.sized(index);
        let by_moved = !explicit.contains(&index) && sized.iter().all(|u| u.shift != Expr::int(0));
        for u in sized {
            let tensor = self.kernel.tensor(u.tensor);
            // A size that was taken from this loop holds its extent, but for what lies below zero.
            let own = u.write
                && !given[u.tensor.0 as usize]
                && matches!(tensor.role, Role::Output | Role::Workspace);
            let plain = u.shift == Expr::int(0);
            if explicit.contains(&index) || !plain {
                let below = matches!((&lo, &u.shift), (Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(c))) if a + c >= 0);
                if !(own && below || by_moved && !own) {
                    self.within(index, &u, &lo, &hi);
                }
            } else if !own {
                match &first {
                    None => first = Some(u),
                    Some(f) if (f.tensor, f.dim) != (u.tensor, u.dim) => {
                        self.agree(index, &f.clone(), &u)
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn kernel_local(&mut self, name: &str, value: Expr) -> Expr {
        let var = self.kernel.var(name, VarKind::Local, Ty::Index);
        self.kernel.prelude.push((var, value));
        Expr::Var(var)
    }

    /// Uses of `index`.
    fn uses(&self, index: VarId) -> Vec<Use> {
        let mut found = Vec::new();
        for access in &self.kernel.accesses {
            for (dim, i) in access.indices.iter().enumerate() {
                if let IndexKind::Affine(v, shift) = &i.kind {
                    if *v == index {
                        let (tensor, shift) = (access.tensor, shift.clone());
                        found.push(Use { tensor, dim, shift, write: access.write });
                    }
                }
            }
        }
        found
    }

    /// Uses of `index` in dimensions whose size is known; inputs first, as they say most.
    fn sized(&self, index: VarId) -> Vec<Use> {
        let mut found = self.uses(index);
        let input =
            |u: &Use| matches!(self.kernel.tensor(u.tensor).role, Role::Input | Role::InOut);
        found.retain(|u| input(u) || !self.kernel.tensor(u.tensor).sizes.is_empty());
        found.sort_by_key(|u| !input(u));
        found
    }

    fn agree(&mut self, index: VarId, a: &Use, b: &Use) {
        let literal = |r: &Self, u: &Use| match r.kernel.tensor(u.tensor).sizes.get(u.dim) {
            Some(Expr::Lit(Lit::Int(n))) => Some(*n),
            _ => None,
        };
        let name = self.kernel.called(index);
        if let (Some(x), Some(y)) = (literal(self, a), literal(self, b)) {
            if x != y {
                let (ta, tb) = (
                    self.kernel.tensor(a.tensor).name.clone(),
                    self.kernel.tensor(b.tensor).name.clone(),
                );
                self.errors.error(self.bound_at[&index], format!(
                    "the extent of `{name}` conflicts: dimension {} of `{ta}` has size {x}, dimension {} of `{tb}` has size {y}; make them equal, or write `for {name} in 0..{}`", a.dim, b.dim, x.min(y)));
            }
            return;
        }
        let check = Check::Equal { index, from: (a.tensor, a.dim), with: (b.tensor, b.dim) };
        self.kernel.checks.push(check);
    }

    /// An explicit extent, moved by the access's shift, must lie inside the dimension.
    fn within(&mut self, index: VarId, u: &Use, lo: &Expr, hi: &Expr) {
        let name = self.kernel.called(index);
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
                let moved = match c {
                    0 => format!("`{name}`"),
                    c if *c > 0 => format!("`{name} + {c}`"),
                    c => format!("`{name} - {}`", -c),
                };
                let (has, end) = match size {
                    Some(n) => (format!("has size {n} in dimension {}", u.dim), (*b).min(n - c)),
                    None => (format!("starts at 0 in dimension {}", u.dim), *b),
                };
                let start = (*a).max(-c);
                let advice = if start < end {
                    format!(": write `for {name} in {start}..{end}`")
                } else {
                    String::new()
                };
                self.errors.error(
                    self.bound_at[&index],
                    format!("`{t}` {has}, but {moved} runs over {}..{}{advice}", a + c, b + c),
                );
                return;
            }
        }
        let shifted = |e: &Expr| match (e, &u.shift) {
            (_, Expr::Lit(Lit::Int(c))) => e.plus(*c),
            _ => Expr::call("+", [e.clone(), u.shift.clone()]),
        };
        let check =
            Check::Within { index, of: (u.tensor, u.dim), lo: shifted(lo), hi: shifted(hi) };
        let fixed = [lo, hi, &u.shift].iter().all(|e| self.kernel.fixed(e));
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
}
