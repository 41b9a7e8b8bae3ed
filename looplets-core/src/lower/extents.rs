//! Loops: what their extent must be, and what they run over.

use super::prewrite::Prewrite;
use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::Kir;
use crate::locals::tensors as locals;
use crate::nest::{Kind, Looplet};
use crate::unfurl;

impl Lower<'_> {
    /// A loop: its extent, what must hold of it, then the loop itself.
    pub(super) fn nest(
        &mut self,
        index: VarId,
        parallel: bool,
        lo: Expr,
        hi: Expr,
        body: &Stmt,
    ) -> Vec<Kir> {
        let mut code = Vec::new();
        self.prover.push();
        let lo = self.index_term(lo);
        let hi = self.index_term(hi);
        let lo = self.local("lo", lo, &mut code);
        let hi = self.local("hi", hi, &mut code);
        let own = self.kernel.loop_checks.iter().filter(|(v, _)| *v == index);
        let own: Vec<Check> = own.map(|(_, check)| check.clone()).collect();
        for mut check in own {
            // The index of an outer loop has no value where its iterations were folded into one: then no window that
            // moves with it is read.
            if !self.has_values(&check) {
                continue;
            }
            if let Check::Within { run, only, .. } = &mut check {
                *run = run.take().filter(|run| self.have_values(&run.each_ref()));
                // What tells of indices further in says nothing of the loop as a whole.
                only.retain(|e| self.have_values(&[e]));
            }
            let checked = self.kernel.check_code(&check);
            match check {
                Check::Within { only, .. } if !only.is_empty() => {
                    code.extend(self.branch(Expr::Call(Op::And, only), checked, Vec::new()));
                    continue;
                }
                _ => code.extend(checked),
            }
            match check {
                Check::Within { size, lo: a, hi: b, .. } => self.within(&a, &b, &size),
                Check::Holds { then, .. } => then.iter().for_each(|fact| self.assume(fact)),
                Check::Equal { .. } | Check::Reach { .. } => {}
            }
        }
        let within = self.kernel.checks.iter().filter_map(|check| match check {
            Check::Within { size, lo, hi, index: own, .. } if *own == index => Some([lo, hi, size]),
            _ => None,
        });
        let within: Vec<[Expr; 3]> = within.map(|all| all.map(Expr::clone)).collect();
        for [lo, hi, size] in within {
            self.within(&lo, &hi, &size);
        }
        let region = Region { index, lo, hi };
        code.extend(self.in_loop(body, |l| match parallel {
            true => l.parallel(&region, body),
            false => l.looped(region, body),
        }));
        self.prover.pop();
        code
    }

    /// The loop over `r`: unfurls what it indexes and lowers the region.
    pub(super) fn looped(&mut self, r: Region, body: &Stmt) -> Vec<Kir> {
        if let Some(code) = self.by_words(&r, body) {
            return code;
        }
        let (mut code, index) = (Vec::new(), r.index);
        let mut stmt = body.clone();
        // A workspace that begins in each iteration is not there yet: it is written at this index once it is.
        let local = locals(body);
        for id in self.accesses(body) {
            let mut access = self.kernel.get(id).clone();
            let Some(first) = access.indices.first() else { continue };
            if local.contains(&access.tensor) || self.opens_late(&access, body) {
                continue;
            }
            let grouped = first.view.groups.first().is_some_and(|g| g.index == index);
            if access.unfurled.is_none() && (grouped || first.along() == Some(index)) {
                // A stride seeks its next element, which may lie behind the group.
                let strides = first.view.stride.is_some() && !grouped;
                if access.resumed.as_ref().is_some_and(|(_, loops)| strides || *loops != self.loops)
                {
                    access.resumed = None;
                }
                let unfurled = unfurl::unfurl(self.kernel, &access, index);
                self.refuse_unordered(id, &unfurled.nest, index);
                self.refuse_parts_of_runs(id, &unfurled.nest, &r, body);
                if access.resumed.is_some() {
                    self.stand(&unfurled.nest, &unfurled.start);
                }
                // What a program writes out may leave the dimension, which is refused where it does.
                if grouped && first.view.inside {
                    self.assume(&Expr::call(Op::Le, [r.hi.clone(), unfurled.stop.clone()]));
                }
                let new = self.kernel.access(Access { unfurled: Some(unfurled), ..access });
                stmt = self.replace(&stmt, id, &new);
            }
        }
        self.loops += 1;
        let behind = self.prewrite(index, &stmt);
        if let (Some(Prewrite { value, .. }), Stmt::Assign { target, .. }) = (&behind, &stmt) {
            let first = Stmt::Assign { target: target.clone(), op: None, value: value.clone() };
            code.extend(self.region(r.clone(), first));
        }
        let known = self.backdrops.len();
        self.backdrops.extend(behind);
        code.extend(self.exiting(body, |l| l.united(r, stmt)));
        self.backdrops.truncate(known);
        self.loops -= 1;
        code
    }

    /// Refuses entries in no order that are seen otherwise than one by one.
    pub(super) fn refuse_unordered(&mut self, id: AccessId, nest: &Looplet, index: VarId) {
        let seen = match nest.unordered_behind() {
            Some(Kind::Stride) => "in strides",
            Some(_) => "in groups",
            None => return,
        };
        let access = self.kernel.get(id);
        let (a, i) = (&self.kernel.tensor(access.tensor).name, self.kernel.called(index));
        let message = format!("entries of `{a}` are in no order along `{i}`, and are seen {seen} here: read it by random access, `::locate`, or convert it to a format that is in order");
        self.refuse(id, message);
    }

    /// An extent as a coordinate: a variable of another type is converted.
    pub(super) fn index_term(&mut self, e: Expr) -> Expr {
        match self.kernel.type_of(&e) {
            None | Some(Ty::Index) => self.bound(&e),
            _ => Expr::call(Op::Index, [e]),
        }
    }

    /// Whether the loop indices that a check is of have values here.
    fn has_values(&self, check: &Check) -> bool {
        match check {
            Check::Equal { sizes, .. } => self.have_values(&sizes.each_ref()),
            Check::Within { size, lo, hi, .. } => self.have_values(&[size, lo, hi]),
            Check::Holds { values, .. } => self.have_values(&values.iter().collect::<Vec<_>>()),
            // It is checked before the first loop.
            Check::Reach { .. } => true,
        }
    }

    /// Whether the loop indices in all of `terms` have values here.
    pub(super) fn have_values(&self, terms: &[&Expr]) -> bool {
        let is_index = |v: &VarId| self.kernel.info(*v).kind == VarKind::Index;
        let mut indices = terms.iter().flat_map(|e| self.kernel.depends(e)).filter(is_index);
        indices.all(|v| self.bound.contains(&v))
    }

    /// A checked extent lies inside its dimension wherever it is not empty.
    fn within(&mut self, lo: &Expr, hi: &Expr, size: &Expr) {
        let [lo, hi, size] = [lo, hi, size].map(|e| self.index_term(e.clone()));
        self.assume(&Expr::call(Op::Le, [Expr::int(0), lo]));
        self.assume(&Expr::call(Op::Le, [hi, size]));
    }
}
