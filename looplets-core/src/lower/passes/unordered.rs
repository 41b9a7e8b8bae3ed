//! Unordered: a loop over entries as they come, with the index of the loop at the coordinate of each.
//!
//! It is tried before the kinds that cut a region at coordinates, since nothing is known of where the next entry is. So
//! it must be the one operand that is not looked up, and where it is not stored there must be nothing to do; that the
//! result does not depend on the order was seen to by `resolve`.

use crate::cin::*;
use crate::kernel::{Access, IndexKind};
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Entries, Kind, Looplet, Payload};

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let id = ids[0];
    let Looplet::Unordered(all) = l.unfurled(id).nest else { unreachable!("kind checked") };
    // What is seen of the same entries: a tensor, and what is stored of it.
    let mut seen = vec![(id, all.steps.body.clone())];
    for other in &ids[1..] {
        seen.extend(l.twin(id, *other).map(|child| (*other, child)));
    }
    if let Some(other) = l.beside(&r, &body, &seen) {
        let (a, b, i) = (l.named(id), l.named(other), l.kernel.called(r.index));
        let message = format!("entries of `{a}` are in no order along `{i}`, so that it may be the one sparse operand of the loop over `{i}`, and `{b}` is another: read one of them by random access, `{i}::locate`, or convert `{a}` to a format that is in order");
        l.refuse(id, message);
        return Vec::new();
    }
    if l.is_part(&r, id) {
        let (a, i) = (l.named(id), l.kernel.called(r.index));
        let message = format!("entries of `{a}` are in no order along `{i}`, of which others take parts: read it by random access, `::locate`, or convert it to a format that is in order");
        l.refuse(id, message);
        return Vec::new();
    }
    let mut filled = body.clone();
    for (id, _) in &seen {
        filled = l.with_nest(&filled, *id, Looplet::Run(Payload::Fill), None);
    }
    let made = l.outside.len();
    let rest = l.scoped(|l| l.region(r.clone(), filled));
    l.outside.truncate(made);
    if !rest.iter().all(Kir::is_idle) {
        let (a, i) = (l.named(id), l.kernel.called(r.index));
        let message = format!("entries of `{a}` are in no order along `{i}`, so that the loop over `{i}` goes through them and nothing else, but where `{a}` stores nothing there is something to do: read it by random access, `{i}::locate`, convert it to a format that is in order, or give what it does everywhere a loop of its own");
        l.refuse(id, message);
        return Vec::new();
    }
    l.entries(&r, &body, &seen, &all)
}

impl Lower<'_> {
    /// The child that `other` has where `id` has its own, if both go through the same entries of one level.
    fn twin(&mut self, id: AccessId, other: AccessId) -> Option<Looplet> {
        let level = |l: &Self, a: &Access| l.kernel.tensor(a.tensor).levels[a.level].clone();
        let (a, b) = (self.kernel.get(id).clone(), self.kernel.get(other).clone());
        let (of_a, of_b) = (level(self, &a), level(self, &b));
        let (x, y) = (&a.indices[0], &b.indices[0]);
        let place = a.level == b.level && a.pos == b.pos && a.present == b.present;
        let index = x.kind == y.kind && x.view == y.view && x.protocol == y.protocol;
        if !place || !index || of_a.fields != of_b.fields {
            return None;
        }
        let [Looplet::Unordered(a), Looplet::Unordered(b)] =
            [id, other].map(|id| self.unfurled(id).nest)
        else {
            return None;
        };
        let mut child = b.steps.body.clone();
        for (own, theirs) in a.defs.iter().zip(&b.defs) {
            child = self.substitute(child, theirs.var, &Expr::Var(own.var));
        }
        Some(child)
    }

    /// Another access along the region than those in `seen` that is not looked up.
    fn beside(&self, r: &Region, body: &Stmt, seen: &[(AccessId, Looplet)]) -> Option<AccessId> {
        let along = |other: &AccessId| {
            let unfurled = self.kernel.get(*other).unfurled.as_ref();
            unfurled.is_some_and(|u| u.index == r.index && u.nest.kind() != Kind::Lookup)
        };
        let known = |other: &AccessId| seen.iter().any(|(id, _)| id == other);
        self.accesses(body).into_iter().find(|other| !known(other) && along(other))
    }

    /// Whether the region is a part of a fiber that is met as a digit: other operands may cut it before it is, so that
    /// all entries would be gone through for each part.
    fn is_part(&self, r: &Region, id: AccessId) -> bool {
        let access = self.kernel.get(id);
        let digit = matches!(access.indices[0].kind, IndexKind::Digit(..));
        let u = self.unfurled(id);
        digit && !(self.le(&r.lo, &u.start) && self.le(&u.stop, &r.hi))
    }

    fn named(&self, id: AccessId) -> String {
        self.kernel.tensor(self.kernel.get(id).tensor).name.to_string()
    }

    /// A loop over all entries, which does `body` at those that lie in the region.
    fn entries(
        &mut self,
        r: &Region,
        body: &Stmt,
        seen: &[(AccessId, Looplet)],
        all: &Entries,
    ) -> Vec<Kir> {
        let (u, s) = (self.unfurled(seen[0].0), &all.steps);
        let mut code = Vec::new();
        // A loop over a range says itself what its variable is.
        let counter = s.range.as_ref().map(|(q, ..)| *q);
        for d in all.defs.iter().filter(|d| Some(d.var) != counter) {
            self.wrote(crate::lower::Written::Var(d.var));
            code.push(Kir::Let { var: d.var, mutable: d.mutable, value: d.value.clone() });
        }
        let name = self.kernel.info(r.index).name.clone();
        let inner = self.scoped(|l| {
            let mut code = Vec::new();
            let at = l.bound(&s.stop.plus(-1));
            let at = l.local(&format!("{name}_at"), at, &mut code);
            if u.trusted {
                l.assume(&Expr::call(Op::Le, [u.start.clone(), at.clone()]));
                l.assume(&Expr::call(Op::Lt, [at.clone(), u.stop.clone()]));
            }
            // An extent that nothing vouches for is not relied upon, nor one that the region cuts.
            let inside = [
                Expr::call(Op::Le, [r.lo.clone(), at.clone()]),
                Expr::call(Op::Lt, [at.clone(), r.hi.clone()]),
            ];
            let open: Vec<Expr> =
                inside.into_iter().filter(|c| l.decide(c) != Some(true)).collect();
            let one = |l: &mut Self| {
                let (lo, hi) = (at.clone(), at.plus(1));
                let mut child = body.clone();
                for (id, nest) in seen {
                    child = l.with_nest(&child, *id, nest.clone(), Some(&hi));
                }
                l.region(Region { index: r.index, lo, hi }, child)
            };
            let part = match open.len() {
                0 => one(l),
                _ => {
                    let cond = Expr::Call(Op::And, open);
                    let then = l.under(&cond, one);
                    l.branch(cond, then, Vec::new())
                }
            };
            if part.iter().all(Kir::is_idle) {
                return Vec::new();
            }
            code.extend(part);
            if s.range.is_none() {
                l.moves_state();
                code.extend(s.next.clone());
            }
            code
        });
        if inner.is_empty() {
            return Vec::new();
        }
        code.push(match (&s.range, &s.more) {
            (Some((q, lo, hi)), _) => {
                Kir::For { var: *q, lo: lo.clone(), hi: hi.clone(), body: inner }
            }
            (None, more) => {
                let cond = more.clone().unwrap_or(Expr::bool(true));
                Kir::While { cond, body: inner }
            }
        });
        vec![Kir::Block(code)]
    }
}
