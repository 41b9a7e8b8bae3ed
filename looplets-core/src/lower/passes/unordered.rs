//! Unordered: a loop over entries as they come, with the index of the loop at the coordinate of each.
//!
//! It is tried before the kinds that cut a region at coordinates, since nothing is known of where the next entry is. So
//! it must be the one operand that is not looked up, and where it is not stored there must be nothing to do; that the
//! result does not depend on the order was seen to by `resolve`.

use crate::cin::*;
use crate::kir::Kir;
use crate::lower::{Lower, Region};
use crate::nest::{Entries, Kind, Looplet, Payload};

pub(super) fn lower(l: &mut Lower<'_>, r: Region, body: Stmt, ids: Vec<AccessId>) -> Vec<Kir> {
    let id = ids[0];
    let Looplet::Unordered(all) = l.unfurled(id).nest else { unreachable!("kind checked") };
    if let Some(other) = l.beside(&r, &body, id) {
        let (a, b, i) = (l.named(id), l.named(other), l.kernel.called(r.index));
        let message = format!("entries of `{a}` are in no order along `{i}`, so that it may be the one sparse operand of the loop over `{i}`, and `{b}` is another: read one of them by random access, `{i}::locate`, or convert `{a}` to a format that is in order");
        l.refuse(id, message);
        return Vec::new();
    }
    let filled = l.with_nest(&body, id, Looplet::Run(Payload::Fill), None);
    let made = l.outside.len();
    let rest = l.scoped(|l| l.region(r.clone(), filled));
    l.outside.truncate(made);
    if !rest.iter().all(Kir::is_idle) {
        let (a, i) = (l.named(id), l.kernel.called(r.index));
        let message = format!("entries of `{a}` are in no order along `{i}`, so that the loop over `{i}` goes through them and nothing else, but where `{a}` stores nothing there is something to do: read it by random access, `{i}::locate`, convert it to a format that is in order, or give what it does everywhere a loop of its own");
        l.refuse(id, message);
        return Vec::new();
    }
    l.entries(&r, &body, id, &all)
}

impl Lower<'_> {
    /// Another access along the region than `id` that is not looked up.
    fn beside(&self, r: &Region, body: &Stmt, id: AccessId) -> Option<AccessId> {
        let along = |other: &AccessId| {
            let unfurled = self.kernel.get(*other).unfurled.as_ref();
            unfurled.is_some_and(|u| u.index == r.index && u.nest.kind() != Kind::Lookup)
        };
        self.accesses(body).into_iter().find(|other| *other != id && along(other))
    }

    fn named(&self, id: AccessId) -> String {
        self.kernel.tensor(self.kernel.get(id).tensor).name.to_string()
    }

    /// A loop over all entries, which does `body` at those that lie in the region.
    fn entries(&mut self, r: &Region, body: &Stmt, id: AccessId, all: &Entries) -> Vec<Kir> {
        let (u, s) = (self.unfurled(id), &all.steps);
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
                let child = l.with_nest(body, id, s.body.clone(), Some(&hi));
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
