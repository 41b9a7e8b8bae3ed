//! Extents: where each loop runs from and to, and which sizes must agree.
//!
//! A plain access `A[i]` of a tensor whose size is known (that of an input, one given in the program,
//! or of an output once other loops gave it one) sets the extent of `i` to that dimension;
//! all such dimensions must agree. If only moved accesses `A[i + c]` are there, `i` runs over the
//! coordinates at which all of them are inside. An explicit extent must lie inside every dimension.

use super::sizes::with_sizes;
use super::Resolver;
use crate::cin::*;
use crate::decl::Order;
use crate::kernel::*;
use crate::runtime::Runtime;

/// A use of an index in a dimension.
#[derive(Clone)]
struct Use {
    access: AccessId,
    tensor: TensorId,
    dim: usize,
    index: Index,
    write: bool,
}

impl Use {
    /// Whether it has a say in the extent of its loop.
    fn says(&self) -> bool {
        !self.index.view.derived
    }
    fn shift(&self) -> &Expr {
        match &self.index.kind {
            IndexKind::Affine(_, shift) | IndexKind::Opaque(shift) => shift,
            IndexKind::Digit(_, digit) => &digit.shift,
        }
    }
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
            open.retain(|index| !self.by_plain_access(*index) && !self.by_operator(*index));
            if open.len() == before {
                // Moved accesses decide only where no plain one does.
                if let Some(k) = open.iter().position(|index| self.by_moved_accesses(*index)) {
                    open.remove(k);
                }
            }
            // What some of the loops over it give is the size for those that nothing else has a size for.
            let sized = self.output_sizes(false) || open.len() == before && self.output_sizes(true);
            if open.len() == before && !sized {
                break;
            }
        }
        self.report_open(&open);
        self.unsized_tensors(&open);
        // Each of several loops over one tensor may have waited for another one to be reported.
        if let (Some(first), true) = (open.first(), self.errors.is_empty()) {
            let uses = self.uses(*first);
            self.report_extent(*first, &uses);
        }
        let indices: Vec<VarId> = self.bound_at.keys().copied().collect();
        for index in indices {
            self.check_extent(index, &explicit, &given);
        }
        self.check_ranges(&explicit);
        self.keep_groups();
        let body = std::mem::replace(&mut self.kernel.body, Stmt::Pass);
        self.kernel.body = self.place(body);
    }

    /// Reports the loops without an extent, but those that another error leaves without one.
    fn report_open(&mut self, open: &[VarId]) {
        for index in open.iter().copied() {
            let name = self.kernel.called(index);
            let reported = self.unknown.contains(&name);
            if self.rebound.contains(&index) || self.doubtful.contains(&index) || reported {
                continue;
            }
            let uses = self.uses(index);
            let caused = |u: &Use| {
                // A tensor of unknown size that another index writes is reported there.
                self.unsure.contains(&u.tensor)
                    || self.kernel.accesses.iter().any(|a| {
                        let own = matches!(&a.indices.get(u.dim), Some(i) if matches!(&i.kind, IndexKind::Affine(v, _) if *v == index));
                        a.tensor == u.tensor && a.write && !own
                    })
            };
            if !uses.iter().any(caused) {
                self.report_extent(index, &uses);
            }
        }
    }

    /// Reports that `index`, of those `uses`, has no extent.
    fn report_extent(&mut self, index: VarId, uses: &[Use]) {
        let name = self.kernel.called(index);
        let message = match uses.first() {
                None if self.left_out.contains(&index) => format!("no tensor is indexed by it alone; write its loop, `for {name} in 0..n {{ .. }}`"),
                None => format!("no tensor is indexed by it; leave it out, or write `for {name} in 0..n` for as many times"),
                // Parameters come with their sizes.
                Some(u) if is_passed(self.kernel.tensor(u.tensor)) => format!(
                    "`{}` is indexed by what is computed of it, which may be any part; write `for {name} in 0..n {{ .. }}`",
                    self.kernel.tensor(u.tensor).name
                ),
                // Loops that are left out are written all at once.
                Some(u) if self.left_out.contains(&index) => {
                    let tensor = self.kernel.tensor(u.tensor);
                    // Another statement has loops over another index of this name.
                    let elsewhere = self
                        .left_out
                        .iter()
                        .any(|other| *other != index && self.kernel.called(*other) == name);
                    let apart = match elsewhere {
                        true => format!("; each statement has loops of its own: what one computes for the other at each `{name}` stands with it in a loop that is written, `for {name} {{ .. }}`"),
                        false => String::new(),
                    };
                    format!(
                        "only `{}`, of unknown size, is indexed by it; give the size, {}{apart}",
                        tensor.name,
                        self.size_beside(tensor, index)
                    )
                }
                Some(u) => {
                    let tensor = self.kernel.tensor(u.tensor);
                    format!(
                        "only `{}`, of unknown size, is indexed by it; write `for {name} in 0..n`, or give the size, {}",
                        tensor.name, self.size_beside(tensor, index))
                }
            };
        self.errors.error(
            self.bound_at[&index],
            format!("the extent of `{name}` cannot be inferred: {message}"),
        );
    }

    /// `tensor` with a size in brackets: that of the operand, if there is one, that something computed of `index` reads.
    fn size_beside(&self, tensor: &Tensor, index: VarId) -> String {
        let mentions = |e: &Expr| {
            let mut found = false;
            e.walk(&mut |e| found |= *e == Expr::Var(index));
            found
        };
        let reads = |i: &Index| match &i.kind {
            IndexKind::Affine(v, shift) => {
                (*v == index && *shift != Expr::int(0)) || mentions(shift)
            }
            IndexKind::Opaque(e) => mentions(e),
            IndexKind::Digit(..) => false,
        };
        let computed = self.kernel.accesses.iter().filter(|a| !a.write).find_map(|a| {
            let of = self.kernel.tensor(a.tensor);
            let dim = a.indices.iter().position(reads)?;
            is_passed(of).then(|| (of.name.to_string(), of.dimension(dim)))
        });
        match computed.filter(|_| tensor.lens.len() == 1) {
            Some((of, dim)) => format!("`{}: {}[$({of}.shape()[{dim}])]`, and read what may be outside of `{of}` as `coalesce({of}[permit[..]], 0)`", tensor.name, crate::diagnostics::text(&tensor.ty)),
            None => format!("`{}`", with_sizes(tensor)),
        }
    }

    /// The part of the dimension that the index moves in; `None` through `permit`.
    fn domain(&self, u: &Use) -> Option<(Expr, Expr)> {
        u.index.view.part.bounds(&Expr::Var(self.kernel.tensor(u.tensor).lens[u.dim]))
    }

    /// The size of that part if the index runs over it from 0, one by one.
    fn plain(&self, u: &Use) -> Option<Expr> {
        let (lo, hi) = self.domain(u)?;
        let starts = difference(&lo, u.shift()) == Expr::int(0);
        (starts && u.index.view.stride.is_none()).then(|| difference(&hi, u.shift()))
    }

    /// Whether the size is known before the first loop.
    fn fixed_size(&self, size: &Expr) -> bool {
        self.kernel.fixed(size)
    }

    /// Takes the extent of `index` from the first plain access of known size.
    fn by_plain_access(&mut self, index: VarId) -> bool {
        let sized = self.sized(index);
        let sizes = sized.iter().filter(|u| u.says()).filter_map(|u| self.plain(u));
        let Some(hi) = sizes.into_iter().find(|n| self.fixed_size(n)) else { return false };
        let name = self.kernel.called(index);
        let hi = match hi {
            Expr::Call(..) => self.kernel_local(&format!("{name}_hi"), hi),
            simple => simple,
        };
        self.extents.insert(index, (Expr::int(0), hi));
        true
    }

    /// Takes for `index` the coordinates at which every moved access is inside.
    fn by_moved_accesses(&mut self, index: VarId) -> bool {
        let (mut los, mut his, mut decided) = (vec![Expr::int(0)], Vec::new(), Vec::new());
        for u in self.sized(index).iter().filter(|u| u.says()) {
            let Some((lo, hi)) = self.domain(u) else { continue };
            let (lo, hi) = (difference(&lo, u.shift()), difference(&hi, u.shift()));
            if !self.kernel.fixed(&lo) || !self.kernel.fixed(&hi) {
                continue;
            }
            los.push(divided(&lo, &u.index.view.stride));
            his.push(divided(&hi, &u.index.view.stride));
            decided.push((u.access, u.dim));
        }
        if his.is_empty() {
            return false;
        }
        self.moved.insert(index, decided);
        let name = self.kernel.called(index);
        let lo = self.kernel_local(&format!("{name}_lo"), Expr::call(Op::Max, los));
        let least = if his.len() == 1 { his.remove(0) } else { Expr::call(Op::Min, his) };
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
        let decided = self.moved.get(&index).cloned().unwrap_or_default();
        for u in sized {
            if u.index.view.inside {
                continue;
            }
            self.check_windows(index, &u);
            let tensor = self.kernel.tensor(u.tensor);
            // A size that was taken from this loop holds its extent, but for what lies below zero.
            let own = u.write
                && !given[u.tensor.0 as usize]
                && matches!(tensor.role, Role::Output | Role::Workspace)
                && u.index.view.part == Part::Whole;
            let plain = self.plain(&u).filter(|n| u.says() && self.fixed_size(n));
            if explicit.contains(&index) || plain.is_none() {
                let below = matches!((&lo, u.shift()), (Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(c))) if a + c >= 0);
                let decided = decided.contains(&(u.access, u.dim));
                if !(own && below || decided && !own) {
                    self.within(index, &u, &lo, &hi);
                }
            } else if !own {
                match &first {
                    None => first = Some(u),
                    Some(f)
                        if (f.tensor, f.dim) != (u.tensor, u.dim)
                            || self.plain(f) != self.plain(&u) =>
                    {
                        self.agree(index, &f.clone(), &u)
                    }
                    Some(_) => {}
                }
            }
        }
        // Behind those of tensors, which say more.
        if explicit.contains(&index) && self.is_cut_before_loops(&lo, &hi) == Some(true) {
            // A bound that is known later is an index of another loop, or no further than that.
            let bound = |e: &Expr, other| if self.kernel.fixed(e) { e.clone() } else { other };
            let last = (1 << 61) - 1;
            let (lo, hi) = (bound(&lo, Expr::int(-last)), bound(&hi, Expr::int(last)));
            self.kernel.checks.push(Check::Reach { index, lo, hi });
        }
    }

    /// The bounds of an explicit extent, of which one is a definition that checks both if they are computed in
    /// front of each run of the loop and may be beyond the range of coordinates. What the loop comes to without
    /// its index uses the definition, so that the check stays with it.
    pub fn within_reach(
        &mut self,
        index: VarId,
        (lo, hi): (Expr, Expr),
    ) -> ((Expr, Expr), Option<(VarId, Expr)>) {
        if self.is_cut_before_loops(&lo, &hi) != Some(false) {
            return ((lo, hi), None);
        }
        let last = self.may_be_cut(&hi);
        let bound = if last { &hi } else { &lo };
        let args = [bound, &lo, &hi].map(|e| Expr::call(Op::Index, [e.clone()]));
        let checked = self.kernel.call(Runtime::Reach { index }, args.to_vec(), Ty::Index);
        let var = self.kernel.var("bound", VarKind::Let, Ty::Index);
        self.let_depth.insert(var, self.loops.len());
        let bounds = if last { (lo, Expr::Var(var)) } else { (Expr::Var(var), hi) };
        (bounds, Some((var, checked)))
    }

    /// Whether each bound that may be beyond the range of coordinates is known before the first loop; `None` if there is
    /// no such bound.
    fn is_cut_before_loops(&self, lo: &Expr, hi: &Expr) -> Option<bool> {
        let cut: Vec<&Expr> = [lo, hi].into_iter().filter(|e| self.may_be_cut(e)).collect();
        (!cut.is_empty()).then(|| cut.iter().all(|e| self.kernel.fixed(e)))
    }

    /// Whether numbers that a bound is computed of may be beyond the range of coordinates.
    pub fn may_be_cut(&self, bound: &Expr) -> bool {
        let small = |e: &Expr| {
            let limits = self.kernel.type_of(e).and_then(|ty| ty.limits());
            limits.is_some_and(|(least, most)| least >= -(1 << 32) && most <= 1 << 32)
        };
        match bound {
            Expr::Lit(_) => false,
            e if small(e) => false,
            Expr::Var(v) => match self.kernel.info(*v).kind {
                VarKind::Index => false,
                VarKind::Local => {
                    let value = self.kernel.prelude.iter().find(|(var, _)| var == v);
                    value.is_some_and(|(_, value)| self.may_be_cut(value))
                }
                _ => true,
            },
            Expr::Call(Op::Index | Op::Add | Op::Sub | Op::Neg | Op::Min | Op::Max, args) => {
                args.iter().any(|a| self.may_be_cut(a))
            }
            _ => true,
        }
    }

    /// The windows that `u` looks through lie in what they are windows of.
    fn check_windows(&mut self, index: VarId, u: &Use) {
        let len = Expr::Var(self.kernel.tensor(u.tensor).lens[u.dim]);
        for (outer, (lo, hi)) in u.index.view.windows.clone() {
            let Some((start, stop)) = outer.bounds(&len) else { continue };
            let size = difference(&stop, &start);
            let (lo, hi) = (difference(&lo, &start), difference(&hi, &start));
            let only = u.index.view.only.clone();
            let check =
                Check::Within { index, of: (u.tensor, u.dim), size, lo, hi, run: None, only };
            self.check(index, u, check);
        }
    }

    /// A check at the top of the kernel if all of it is known there, else before the loop.
    fn check(&mut self, index: VarId, u: &Use, mut check: Check) {
        let Check::Within { size, lo, hi, run, .. } = &mut check else {
            unreachable!("extents are within")
        };
        let fixed = [size, lo, hi].into_iter().all(|e| self.kernel.fixed(e));
        *run = self.extents.get(&index).map(|(lo, hi)| [lo.clone(), hi.clone()]);
        // Behind a cancellation the check may be known before the bounds of the loop are.
        *run = run.take().filter(|run| !fixed || run.iter().all(|e| self.kernel.fixed(e)));
        let local = matches!(self.kernel.tensor(u.tensor).role, Role::Workspace);
        if fixed && !local {
            self.kernel.checks.push(check);
        } else {
            self.kernel.loop_checks.push((index, check));
        }
    }

    pub fn kernel_local(&mut self, name: &str, value: Expr) -> Expr {
        let var = self.kernel.var(name, VarKind::Local, Ty::Index);
        self.kernel.prelude.push((var, value));
        Expr::Var(var)
    }

    /// The dimension of size `hi` that gave the loop over `index` its extent.
    pub(super) fn origin(&self, index: VarId, hi: &Expr) -> Option<String> {
        let sized = self.sized(index);
        let u = sized.iter().find(|u| self.plain(u).as_ref() == Some(hi))?;
        let tensor = self.kernel.tensor(u.tensor);
        Some(format!("dimension {} of `{}`", tensor.dimension(u.dim), tensor.name))
    }

    /// Uses of `index`.
    fn uses(&self, index: VarId) -> Vec<Use> {
        let mut found = Vec::new();
        for (k, access) in self.kernel.accesses.iter().enumerate() {
            let id = AccessId(k as u32);
            for (dim, i) in access.indices.iter().enumerate() {
                if matches!(&i.kind, IndexKind::Affine(v, _) if *v == index) {
                    let (tensor, index) = (access.tensor, i.clone());
                    found.push(Use { access: id, tensor, dim, index, write: access.write });
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
        let windowed = |u: &Use| matches!(u.index.view.part, Part::Window(..));
        found.retain(|u| input(u) || !self.kernel.tensor(u.tensor).sizes.is_empty() || windowed(u));
        found.sort_by_key(|u| !input(u));
        found
    }

    fn agree(&mut self, index: VarId, a: &Use, b: &Use) {
        let literal = |r: &Self, u: &Use| match r.kernel.tensor(u.tensor).sizes.get(u.dim) {
            Some(Expr::Lit(Lit::Int(n))) if u.index.view.part == Part::Whole => Some(*n),
            _ => None,
        };
        let name = self.kernel.called(index);
        if let (Some(x), Some(y)) = (literal(self, a), literal(self, b)) {
            if x != y {
                let [(ta, da), (tb, db)] = [a, b].map(|u| {
                    let tensor = self.kernel.tensor(u.tensor);
                    (tensor.name.clone(), tensor.dimension(u.dim))
                });
                self.errors.error(self.bound_at[&index], format!(
                    "the extent of `{name}` conflicts: dimension {da} of `{ta}` has size {x}, dimension {db} of `{tb}` has size {y}; make them equal, or write `for {name} in 0..{}`", x.min(y)));
            }
            return;
        }
        let size = |u: &Use| self.plain(u).expect("only plain accesses must agree");
        let sizes = [size(a), size(b)];
        let check = Check::Equal { index, from: (a.tensor, a.dim), with: (b.tensor, b.dim), sizes };
        self.kernel.checks.push(check);
    }

    /// An explicit extent, moved by the access's shift, must lie inside the dimension.
    fn within(&mut self, index: VarId, u: &Use, lo: &Expr, hi: &Expr) {
        let name = self.kernel.called(index);
        let whole = u.index.view.part == Part::Whole && u.index.view.stride.is_none();
        let guarded = self.guards_of.get(&u.access).is_some_and(|guards| guards.contains(&index));
        let moved = *u.shift() != Expr::int(0) || u.index.view.stride.is_some();
        if guarded && u.index.view.part == Part::Whole && moved && !u.write && self.is_locatable(u)
        {
            // A condition on the index may keep it inside, as in `if i > 0 { y[i] = x[i - 1] }`.
            self.kernel.accesses[u.access.0 as usize].indices[u.dim].view.checked = true;
            return;
        }
        if let (Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(b)), Expr::Lit(Lit::Int(c)), true) =
            (lo, hi, u.shift(), whole)
        {
            let size = match self.kernel.tensor(u.tensor).sizes.get(u.dim) {
                Some(Expr::Lit(Lit::Int(n))) => Some(*n),
                _ => None,
            };
            let outside = a + c < 0 || size.is_some_and(|n| b + c > n);
            if a < b && outside {
                let tensor = self.kernel.tensor(u.tensor);
                let (t, dim) = (tensor.name.clone(), tensor.dimension(u.dim));
                let moved = match c {
                    0 => format!("`{name}`"),
                    c if *c > 0 => format!("`{name} + {c}`"),
                    c => format!("`{name} - {}`", -c),
                };
                let (has, end) = match size {
                    Some(n) => (format!("has size {n} in dimension {dim}"), (*b).min(n - c)),
                    None => (format!("starts at 0 in dimension {dim}"), *b),
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
        let tensor = self.kernel.tensor(u.tensor);
        let own = tensor.lens.get(u.dim).map(|len| Expr::Var(*len));
        // A result has the size of an operand.
        let all = own.as_ref() == Some(hi) || tensor.sizes.get(u.dim) == Some(hi);
        if let (Expr::Lit(Lit::Int(0)), true, Expr::Lit(Lit::Int(c)), true) =
            (lo, all, u.shift(), whole)
        {
            if *c != 0 {
                let t = tensor.name.clone();
                let given = match own.as_ref() == Some(hi) {
                    true => None,
                    false => self.kernel.tensors.iter().find_map(|t| {
                        let dim = t.lens.iter().position(|len| Expr::Var(*len) == *hi)?;
                        Some((t.name.to_string(), t.dimension(dim)))
                    }),
                };
                let (of, dim) = given.unwrap_or_else(|| (t.to_string(), tensor.dimension(u.dim)));
                let size = format!("$({of}.shape()[{dim}])");
                let (moved, range) = match c {
                    c if *c > 0 => (format!("{name} + {c}"), format!("0..{size} - {c}")),
                    c => (format!("{name} - {}", -c), format!("{}..{size}", -c)),
                };
                let span = self.kernel.get(u.access).indices[u.dim].span.0;
                // What the nest writes is not read through `permit`.
                let outside = match u.write || tensor.role != Role::Input {
                    true if !u.write && *c < 0 => {
                        format!(", which leaves the first of `{t}` as they are, or put it under `if {name} > {} {{ .. }}`, and what those first are in its `else`", -c - 1)
                    }
                    true => String::new(),
                    false => format!(", or read `{t}[permit[{moved}]]`, which is `missing` outside, with `coalesce`"),
                };
                let note = format!("`{name}` runs over all of `{t}`, so that `{moved}` leaves it, which is refused when the kernel is called: write `for {name} in {range} {{ .. }}`{outside}");
                self.kernel.warn(Warning { span, name: "always_outside", note });
            }
        }
        if let (Expr::Lit(Lit::Int(a)), Expr::Lit(Lit::Int(c)), true, false) =
            (lo, u.shift(), whole, all)
        {
            if a + c < 0 && !matches!(hi, Expr::Lit(_)) {
                let t = self.kernel.tensor(u.tensor).name.clone();
                let (span, from) = (self.bound_at[&index], -c);
                let note = format!("`{name}` runs from {a}, so that `{name} - {from}` is below 0 first, which `{t}` refuses when the kernel is called: let the loop begin at {from}, or read `{t}[permit[{name} - {from}]]`, which is `missing` outside, with `coalesce`");
                self.kernel.warn(Warning { span, name: "always_outside", note });
            }
        }
        let Some((start, stop)) = self.domain(u) else { return };
        let last = hi.plus(-1);
        let (lo, hi) = match u.index.view.stride {
            None => (u.index.coordinate(lo), u.index.coordinate(hi)),
            Some(_) => (u.index.coordinate(lo), u.index.coordinate(&last).plus(1)),
        };
        if !self.kernel.fixed(u.shift()) && self.is_locatable(u) {
            // Where an outer index moves the access, conditions may keep it inside.
            self.kernel.accesses[u.access.0 as usize].indices[u.dim].view.checked = true;
            return;
        }
        let size = difference(&stop, &start);
        let (lo, hi) = (difference(&lo, &start), difference(&hi, &start));
        let (run, only) = (None, Vec::new());
        let check = Check::Within { index, of: (u.tensor, u.dim), size, lo, hi, run, only };
        self.check(index, u, check);
    }

    /// Whether one element at a time of the dimension can be reached.
    fn is_locatable(&self, u: &Use) -> bool {
        let level = self.kernel.tensor(u.tensor).levels[u.dim].format.level();
        match &level.write {
            Some(w) if u.write => w.order != Order::Append,
            _ => level.read("locate").is_some(),
        }
    }

    /// Puts the extents into the loops.
    fn place(&self, stmt: Stmt) -> Stmt {
        match stmt {
            Stmt::Loop { index, parallel, lo, hi, body } => {
                let (lo, hi) = self.extents.get(&index).cloned().unwrap_or((lo, hi));
                Stmt::Loop { index, parallel, lo, hi, body: Box::new(self.place(*body)) }
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

/// The least number that is at least `e / stride`.
fn divided(e: &Expr, stride: &Option<Expr>) -> Expr {
    match (e, stride) {
        (_, None) => e.clone(),
        (Expr::Lit(Lit::Int(n)), Some(Expr::Lit(Lit::Int(s)))) => {
            Expr::int((n + s - 1).div_euclid(*s))
        }
        (_, Some(s)) => Expr::call(Op::CeilDiv, [e.clone(), s.clone()]),
    }
}

/// Whether the caller passes the tensor.
fn is_passed(tensor: &Tensor) -> bool {
    matches!(tensor.role, Role::Input | Role::InOut)
}
