//! Loops: what their extent must be, and what they run over.

use super::backdrop::Backdrop;
use super::{Lower, Region};
use crate::cin::*;
use crate::kernel::*;
use crate::kir::K;
use crate::unfurl;

impl Lower<'_> {
    /// The outermost calls of functions and pieces of opaque Rust in `exprs`, each with the local that holds its
    /// value. Where one is asked for under a condition only, the choice is held.
    fn called_once(&mut self, exprs: &[&Expr], code: &mut Vec<K>) -> Vec<(Expr, Expr)> {
        fn collect(kernel: &Kernel, e: &Expr, calls: &mut Vec<Expr>) {
            let opaque = |e: &Expr| match e {
                Expr::Call(op, _) => kernel.functions.contains_key(op.name()),
                other => matches!(other, Expr::Raw(_)),
            };
            let mut within = false;
            e.walk(&mut |e| within |= opaque(e));
            match e {
                _ if !within || calls.contains(e) => {}
                Expr::Call(op, args)
                    if !opaque(e) && !matches!(op.name(), "ifelse" | "and" | "or" | "coalesce") =>
                {
                    args.iter().for_each(|a| collect(kernel, a, calls));
                }
                _ => calls.push(e.clone()),
            }
        }
        let mut calls = Vec::new();
        exprs.iter().for_each(|e| collect(self.kernel, e, &mut calls));
        let hold = |call: Expr| {
            let ty = self.kernel.type_of(&call).unwrap_or(Ty::Unknown);
            let var = self.kernel.var("bound", VarKind::Local, ty);
            code.push(K::Let { var, mutable: false, value: call.clone() });
            (call, Expr::Var(var))
        };
        calls.into_iter().map(hold).collect()
    }

    /// A loop: its extent, what must hold of it, then the loop itself.
    pub(super) fn nest(&mut self, index: VarId, lo: Expr, hi: Expr, body: &Stmt) -> Vec<K> {
        let mut code = Vec::new();
        self.prover.push();
        // What the extent is checked by is what the loop runs over, also where a function says so.
        let once = self.called_once(&[&lo, &hi], &mut code);
        let mut known = |e: &Expr| once.iter().find(|(call, _)| call == e).map(|(_, v)| v.clone());
        let lo = self.index_term(lo.map(&mut known));
        let hi = self.index_term(hi.map(&mut known));
        let lo = self.local("lo", lo, &mut code);
        let hi = self.local("hi", hi, &mut code);
        for (_, check) in self.kernel.loop_checks.clone().into_iter().filter(|(v, _)| *v == index) {
            let check = match check {
                Check::Within { index, of, size, lo, hi } => {
                    let (lo, hi) = (lo.map(&mut known), hi.map(&mut known));
                    Check::Within { index, of, size, lo, hi }
                }
                equal => equal,
            };
            code.extend(self.kernel.check_code(&check));
            if let Check::Within { size, lo: a, hi: b, .. } = check {
                self.within(&a, &b, &size);
            }
        }
        for check in self.kernel.checks.clone() {
            if let Check::Within { size, lo: a, hi: b, index: name, .. } = check {
                if name == index {
                    self.within(&a, &b, &size);
                }
            }
        }
        let region = Region { index, lo, hi };
        match self.kernel.parallel.get(&index).cloned() {
            Some(shares) => {
                let chunk = |l: &mut Self, r, body| l.looped(r, &body);
                code.extend(self.parallel(&region, body.clone(), &shares, chunk));
            }
            None => code.extend(self.looped(region, body)),
        }
        self.prover.pop();
        code
    }

    /// The loop over `r`: unfurls what it indexes and lowers the region.
    fn looped(&mut self, r: Region, body: &Stmt) -> Vec<K> {
        let (mut code, index) = (Vec::new(), r.index);
        let mut stmt = body.clone();
        for id in self.accesses(body) {
            let access = self.kernel.get(id).clone();
            let Some(first) = access.indices.first() else { continue };
            if self.opens_late(&access, body) {
                continue;
            }
            if let (IndexKind::Affine(v, _), None) = (&first.kind, &access.unfurled) {
                if *v == index {
                    let unfurled = unfurl::unfurl(self.kernel, &access, index);
                    let new = self.kernel.access(Access { unfurled: Some(unfurled), ..access });
                    stmt = self.replace(&stmt, id, &new);
                }
            }
        }
        self.loops += 1;
        let behind = self.backdrop(index, &stmt);
        if let (Some(Backdrop { value, .. }), Stmt::Assign { target, .. }) = (&behind, &stmt) {
            let first = Stmt::Assign { target: target.clone(), op: None, value: value.clone() };
            code.extend(self.region(r.clone(), first));
        }
        let known = self.backdrops.len();
        self.backdrops.extend(behind);
        code.extend(self.exiting(body, |l| l.region(r, stmt)));
        self.backdrops.truncate(known);
        self.loops -= 1;
        code
    }

    /// An extent as a coordinate: a variable of another type is converted.
    fn index_term(&mut self, e: Expr) -> Expr {
        match self.kernel.type_of(&e) {
            None | Some(Ty::Index) => self.prover.bound(&e),
            _ => Expr::call("index", [e]),
        }
    }

    /// A checked extent lies inside its dimension wherever it is not empty.
    fn within(&mut self, lo: &Expr, hi: &Expr, size: &Expr) {
        self.prover.assume(&Expr::call("<=", [Expr::int(0), lo.clone()]));
        self.prover.assume(&Expr::call("<=", [hi.clone(), size.clone()]));
    }
}
