//! What a loop over entries in no order may do: nothing whose result depends on the order. Two iterations write the same
//! element only to reduce it, by one operator of which the order does not matter; what is written is not read by others.
//!
//! Whether the entries are the one sparse operand, and whether there is nothing to do elsewhere, is seen once all that can
//! be simplified is (`lower/passes/unordered.rs`).

use super::races::Body;
use super::Resolver;
use crate::cin::*;
use crate::decl::identity::shown;
use crate::decl::Order;
use crate::kernel::*;

/// A loop over entries in no order.
struct Scan<'a> {
    index: VarId,
    body: Body<'a>,
}

impl Resolver<'_> {
    /// Refuses loops over entries in no order that ask for one.
    pub fn check_unordered(&mut self) {
        let body = self.kernel.body.clone();
        for k in 0..self.kernel.accesses.len() {
            let access = self.kernel.accesses[k].clone();
            let loops = self.loops_of.get(&AccessId(k as u32)).cloned().unwrap_or_default();
            for index in self.unordered_along(&access, &loops) {
                let mut found = Vec::new();
                loops_over(&body, index, &mut found);
                for (parallel, body) in found {
                    let body = Body::of(index, body);
                    if let Some(why) = self.order_of(parallel, &Scan { index, body }) {
                        let (a, i) =
                            (&self.kernel.tensor(access.tensor).name, self.kernel.called(index));
                        self.errors.error(access.span.0, format!("entries of `{a}` are in no order along `{i}`, and {why}, or convert `{a}` to a format that is in order"));
                        break;
                    }
                }
            }
        }
    }

    /// The loops over entries in no order.
    pub(super) fn loops_in_no_order(&self) -> Vec<VarId> {
        let along = |(k, access): (usize, &Access)| {
            let loops = self.loops_of.get(&AccessId(k as u32))?;
            Some(self.unordered_along(access, loops))
        };
        self.kernel.accesses.iter().enumerate().filter_map(along).flatten().collect()
    }

    /// The loops along which an access goes through entries in no order.
    fn unordered_along(&self, access: &Access, loops: &[VarId]) -> Vec<VarId> {
        let mut along = Vec::new();
        let mut deepest = None::<usize>;
        for (depth, index) in access.indices.iter().enumerate() {
            let Some(v) = index.kind.loop_of().filter(|_| !access.write) else { continue };
            let decl = self.kernel.tensor(access.tensor).levels[depth].format.level();
            let at = loops.iter().position(|l| *l == v);
            let digit = matches!(index.kind, IndexKind::Digit(..));
            let in_order = digit || at.is_some_and(|a| deepest.is_none_or(|d| a > d));
            deepest = deepest.max(at);
            let read = match &index.protocol {
                Some(name) => decl.read(name),
                None if in_order => decl.reads.first(),
                None => decl.read("locate"),
            };
            if read.is_some_and(|read| read.nest.is_unordered()) && !along.contains(&v) {
                along.push(v);
            }
        }
        along
    }

    /// What depends on the order in a loop, with advice, if anything does.
    fn order_of(&self, parallel: bool, scan: &Scan<'_>) -> Option<String> {
        let i = self.kernel.called(scan.index);
        if parallel {
            return Some(format!("`parallel for {i}` cuts the loop at coordinates: write `for {i}`, make an outer loop parallel"));
        }
        for (target, op) in &scan.body.writes {
            let why = match target {
                Expr::Var(v) if !scan.body.local.1.contains(v) => {
                    self.order_of_scalar(scan, *v, *op)
                }
                Expr::Access(a) => {
                    let t = self.kernel.get(*a).tensor;
                    match scan.body.local.0.contains(&t) {
                        true => None,
                        false => self.order_of_tensor(scan, t),
                    }
                }
                _ => None,
            };
            if why.is_some() {
                return why;
            }
        }
        None
    }

    fn order_of_scalar(&self, scan: &Scan<'_>, v: VarId, op: Option<&Op>) -> Option<String> {
        let (name, i) = (self.kernel.called(v), self.kernel.called(scan.index));
        let same =
            |(target, other): &(&Expr, Option<&Op>)| **target != Expr::Var(v) || *other == op;
        if !scan.body.writes.iter().all(same) {
            return Some(format!("`{name}` is written by more than one operator, of which the order matters: use one"));
        }
        if scan.body.reads.iter().any(|e| self.kernel.depends(e).contains(&v)) {
            return Some(format!("what is read of `{name}` depends on which came before: read it behind the loop over `{i}`"));
        }
        self.order_of_operator(op, &self.kernel.info(v).ty.clone(), &name)
    }

    /// Whether the order matters in which `name` is reduced by an operator, or assigned.
    fn order_of_operator(&self, op: Option<&Op>, ty: &Ty, name: &str) -> Option<String> {
        let Some(op) = op else {
            return Some(format!("what is left in `{name}` depends on which is assigned last: reduce, as in `{name} += ..`"));
        };
        let sized = matches!(ty, Ty::Named(n) if n == "usize" || n == "isize");
        let whole = matches!(ty, Ty::Bool | Ty::Index) || sized || ty.limits().is_some();
        if self.kernel.strict && !whole && matches!(op, Op::Add | Op::Sub | Op::Mul) {
            return Some(format!("`#![strict]` forbids to round what `{name}` is in another order: leave `#![strict]` out"));
        }
        let free = match op {
            Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max | Op::And | Op::Or => true,
            Op::BitAnd | Op::BitOr | Op::BitXor => true,
            other => other.key().is_some_and(|name| self.kernel.order_free.contains(name)),
        };
        (!free).then(|| {
            let op = shown(&op.name());
            format!("`{op}` is not known to be commutative and associative: reduce `{name}` by `+`, `*`, `min`, `max` or an operator that declares both")
        })
    }

    fn order_of_tensor(&self, scan: &Scan<'_>, t: TensorId) -> Option<String> {
        let (name, i) = (self.kernel.tensor(t).name.to_string(), self.kernel.called(scan.index));
        let of = |a: &AccessId| self.kernel.get(*a).tensor == t;
        let mut read = Vec::new();
        scan.body.reads.iter().for_each(|e| self.accesses_in(e, &mut read));
        read.retain(of);
        let mut written: Vec<(AccessId, Option<&Op>)> = Vec::new();
        for (target, op) in &scan.body.writes {
            if let Expr::Access(a) = target {
                // What stands in the indices of a target is read.
                let mut inner = Vec::new();
                self.accesses_in(target, &mut inner);
                read.extend(inner.into_iter().filter(|b| b != a && of(b)));
                written.extend(of(a).then_some((*a, *op)));
            }
        }
        let levels = &self.kernel.tensor(t).levels;
        let write = |depth: usize| levels[depth].format.level().write.as_ref();
        for (a, _) in &written {
            let access = self.kernel.get(*a);
            let mut last = None;
            for depth in 0..access.indices.len() {
                let Some(w) = write(depth) else { continue };
                if w.order == Order::Append {
                    last = Some((depth, depth, "is appended to in order"));
                } else if let (true, Some(above)) = (w.opens_in_order(), depth.checked_sub(1)) {
                    last = Some((above, depth, "has fibers that are written in order"));
                }
            }
            let moves = |x: &Index| {
                let depends = |e: &Expr| self.kernel.depends(e).contains(&scan.index);
                x.kind.loop_of() == Some(scan.index) || x.parts().into_iter().any(depends)
            };
            if let Some((_, by, how)) =
                last.filter(|(last, ..)| access.indices[..=*last].iter().any(moves))
            {
                let level = &levels[by].format.level().name;
                return Some(format!("`{name}` {how} (`{level}`): make `{name}` of a format that is written in any order, gather into a workspace of such a format"));
            }
        }
        let all: Vec<AccessId> =
            written.iter().map(|(a, _)| *a).chain(read.iter().copied()).collect();
        let folds = (0..levels.len()).any(|d| write(d).is_some_and(|w| w.fold.is_some()));
        if !folds && self.has_own(scan.index, &all) {
            return None;
        }
        if !read.is_empty() {
            return Some(format!("what is read of `{name}` depends on which came before: read it behind the loop over `{i}`"));
        }
        let (_, op) = written[0];
        if !written.iter().all(|(_, other)| *other == op) {
            return Some(format!("elements of `{name}` are written by more than one operator, of which the order matters: use one"));
        }
        self.order_of_operator(op, &self.kernel.tensor(t).value.clone(), &format!("{name}[..]"))
    }

    /// Whether each iteration of the loop over `index` has elements of its own: one dimension has the index in all
    /// accesses, the same way.
    fn has_own(&self, index: VarId, all: &[AccessId]) -> bool {
        let first = self.kernel.get(all[0]);
        let own = |d: usize| {
            let at = &first.indices[d];
            let affine = matches!(&at.kind, IndexKind::Affine(v, _) if *v == index);
            let same = |a: &AccessId| {
                let x = &self.kernel.get(*a).indices[d];
                x.kind == at.kind && x.view == at.view
            };
            affine && at.view.groups.is_empty() && at.view.exact.is_none() && all.iter().all(same)
        };
        (0..first.indices.len()).any(own)
    }
}

/// The bodies of the loops over `index`, and whether each is parallel.
fn loops_over<'a>(s: &'a Stmt, index: VarId, out: &mut Vec<(bool, &'a Stmt)>) {
    if let Stmt::Loop { index: own, parallel, body, .. } = s {
        if *own == index {
            out.push((*parallel, body));
        }
    }
    s.children().into_iter().for_each(|s| loops_over(s, index, out));
}
