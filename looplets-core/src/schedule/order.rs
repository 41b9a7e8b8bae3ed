//! In which order loops run: one that goes along all levels as they are stored, and appends to results in order.
//!
//! What a level holds below a coordinate is known in the loops over it alone, so the index of a level runs inside those
//! of the levels above it, unless children are at positions that follow from coordinates. Of the orders that are left,
//! the one is taken that has indices inside which are last in most accesses: those run along memory. A dense tensor counts by the
//! square of its dimensions, so that `v[i] += x[i, j] * m[i]` goes along the rows of `x`. Ties go to what is written, and then to what
//! stands first, so that sums run inside.

use super::indices::{uses, Use};
use super::workspace::Work;
use super::Scheduler;
use crate::ast::{Expr, Stmt};
use crate::decl::{Order, Write};
use proc_macro2::{Ident, Span};

/// The loops around a statement, outermost first.
pub struct Plan {
    pub loops: Vec<Ident>,
    /// The workspace within them.
    pub workspace: Option<Work>,
}

impl Plan {
    /// All loops, those in which a workspace is gathered among them.
    pub fn all(&self) -> Vec<Ident> {
        let within = self.workspace.iter().flat_map(Work::loops);
        self.loops.iter().chain(within).cloned().collect()
    }
    /// How many dimensions the workspace has.
    pub fn gathers(&self) -> usize {
        self.workspace.as_ref().map_or(0, Work::rank)
    }
}

/// That the loop over `0` runs outside that over `1`, and the access that asks for it.
pub type Edge = (String, String, usize);

impl Scheduler<'_> {
    /// The loops over `indices` around `stmt`. If there are none, what asks for an order, and the indices that have none.
    pub(super) fn plan(
        &mut self,
        stmt: &Stmt,
        indices: &[Ident],
    ) -> Result<Plan, (Vec<Edge>, Vec<Ident>)> {
        let uses = uses(stmt);
        let stored = self.stored(&uses);
        let appended = self.appended(&uses, indices);
        let scatters = self.scatters(stmt, indices, &uses);
        let wished = if self.copies(stmt) { None } else { self.choices.order(indices) };
        if let Some((order, wish)) = wished {
            let pairs = order.windows(2);
            let wished = pairs.map(|w| (w[0].to_string(), w[1].to_string(), uses.len()));
            let wished: Vec<Edge> = stored.iter().cloned().chain(wished).collect();
            let all: Vec<Edge> = wished.iter().chain(&appended).cloned().collect();
            if scatters {
                if let Some(plan) = self.by_workspace(stmt, indices, &uses, &wished) {
                    return Ok(plan);
                }
            }
            if let Ok(loops) = self.sorted(indices, &uses, &all) {
                return Ok(Plan { loops, workspace: None });
            }
            if let Some(plan) = self.by_workspace(stmt, indices, &uses, &wished) {
                return Ok(plan);
            }
            // Operands in the way may be turned.
            if against(&stored, &order).is_some() {
                return Err((wished, indices.to_vec()));
            }
            self.errors.error(
                wish.span,
                "loops cannot run in this order: the result is not written so, and has no workspace",
            );
        }
        if scatters {
            if let Some(plan) = self.by_workspace(stmt, indices, &uses, &stored) {
                return Ok(plan);
            }
        }
        let all: Vec<Edge> = stored.iter().chain(&appended).cloned().collect();
        let found = self.sorted(indices, &uses, &all);
        let blocked = match found {
            Ok(loops) => return Ok(Plan { loops, workspace: None }),
            Err(blocked) => blocked,
        };
        self.by_workspace(stmt, indices, &uses, &stored).ok_or((all, blocked))
    }

    /// `indices` in an order that keeps all `edges`, or those for which there is none.
    pub(super) fn sorted(
        &self,
        indices: &[Ident],
        uses: &[Use<'_>],
        edges: &[Edge],
    ) -> Result<Vec<Ident>, Vec<Ident>> {
        let mut left: Vec<Ident> = indices.to_vec();
        // What stands around is there already.
        let around = |i: &str| self.open.iter().any(|o| o == i);
        if edges.iter().any(|(u, v, _)| around(v) && left.iter().any(|i| i == u)) {
            return Err(left);
        }
        let last = |u: &Use<'_>, i: &Ident| {
            u.dims.last().is_some_and(|(names, _)| names.iter().any(|n| i == n))
        };
        // A dense tensor of many dimensions has more elements to jump between than one of few.
        let weight = |u: &Use<'_>| match u.dims.len() {
            rank if rank > 0 && self.goes_along(u, rank - 1) => 1,
            rank => rank * rank,
        };
        let inside = |i: &Ident| uses.iter().filter(|u| last(u, i)).map(&weight).sum::<usize>();
        let mut out = Vec::new();
        while !left.is_empty() {
            let free = |i: &&Ident| {
                let held = |(u, v, _): &Edge| *i == v && left.iter().any(|o| o == u);
                !edges.iter().any(held)
            };
            let Some(next) = left.iter().filter(free).min_by_key(|i| inside(i)).cloned() else {
                return Err(left);
            };
            left.retain(|i| *i != next);
            out.push(next);
        }
        Ok(out)
    }

    /// What levels ask for as they are stored.
    pub(super) fn stored(&self, uses: &[Use<'_>]) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (k, access) in uses.iter().enumerate() {
            for (q, (inner, located)) in access.dims.iter().enumerate() {
                if *located || !self.goes_along(access, q) {
                    continue;
                }
                let outside = || access.dims[..q].iter().flat_map(|(names, _)| names);
                // What stands outside already is bound there: the rows and columns of a matrix that is cut anew both move.
                let bound_here = |i: &&String| !outside().any(|outer| outer == *i);
                for outer in outside() {
                    let pairs = inner.iter().filter(bound_here);
                    edges.extend(pairs.map(|i| (outer.clone(), i.clone(), k)));
                }
            }
        }
        edges
    }

    /// Whether the loop along a dimension needs those around it.
    pub(super) fn goes_along(&self, access: &Use<'_>, q: usize) -> bool {
        let Some(name) = access.name else { return true };
        let Some(level) = self.chain(name).and_then(|c| c.levels.get(q)) else { return false };
        match &level.level().write {
            Some(write) if access.write => write.order == Order::Append,
            _ => !access.write && !level.level().has_children_alone(),
        }
    }

    /// What results ask for that are appended to, or whose fibers are begun in order: no loop outside of those over the
    /// indices by which that goes.
    fn appended(&self, uses: &[Use<'_>], indices: &[Ident]) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (k, access) in uses.iter().enumerate().filter(|(_, access)| access.write) {
            let ordered = &access.dims[..self.ordered(access)];
            let own: Vec<&String> = ordered.iter().flat_map(|(names, _)| names).collect();
            // Fibers are begun one behind the other, the first dimension outermost.
            for (n, (inner, _)) in ordered.iter().enumerate() {
                let outer = || ordered[..n].iter().flat_map(|(names, _)| names);
                for i in inner.iter().filter(|i| !outer().any(|o| o == *i)) {
                    edges.extend(outer().map(|o| (o.clone(), i.clone(), k)));
                }
            }
            let others = indices.iter().filter(|i| !own.iter().any(|o| *i == *o));
            for r in others {
                edges.extend(own.iter().map(|i| ((*i).clone(), r.to_string(), k)));
            }
        }
        edges
    }

    /// How many dimensions of a result are written in order, the first ones.
    pub(super) fn ordered(&self, access: &Use<'_>) -> usize {
        let dims = || 0..access.dims.len();
        let appended = dims().rfind(|q| self.goes_along(access, *q)).map_or(0, |q| q + 1);
        let begun = dims().rfind(|q| self.begins_fibers(access, *q)).unwrap_or(0);
        appended.max(begun)
    }

    /// Whether entries of a fiber of dimension `q` come in any order, but one fiber after the other.
    fn begins_fibers(&self, access: &Use<'_>, q: usize) -> bool {
        let level = access.name.and_then(|name| self.chain(name)?.levels.get(q));
        level.and_then(|l| l.level().write.as_ref()).is_some_and(Write::opens_in_order)
    }

    /// Whether `stmt` copies an operand in another order: it goes along that as it is stored, whatever order is wished for.
    pub(super) fn copies(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Assign { target: Expr::Access { name, .. }, op: None, value, .. } => {
                matches!(value, Expr::Access { .. }) && self.made.contains(&name.to_string())
            }
            _ => false,
        }
    }

    /// Which accesses no order serves, and what to do.
    pub(super) fn discord(
        &mut self,
        stmt: &Stmt,
        edges: &[Edge],
        blocked: &[Ident],
    ) -> (Span, String) {
        let uses = uses(stmt);
        if let Some((order, wish)) = self.choices.order(blocked) {
            let stored = self.stored(&uses);
            if let Some((u, v, k)) = against(&stored, &order) {
                let called = called(&uses, *k);
                return (wish.span, format!("loops cannot run in this order: {called} has `{u}` outside `{v}`, and is not turned"));
            }
        }
        let is = |i: &String| blocked.iter().any(|b| b == i) || self.open.iter().any(|o| o == i);
        let among = edges.iter().filter(|(u, v, _)| is(u) && is(v));
        let mut asked: Vec<&Edge> = Vec::new();
        for edge in among {
            if !asked.iter().any(|(_, _, k)| *k == edge.2) {
                asked.push(edge);
            }
        }
        let called = |k: usize| called(&uses, k);
        let says: Vec<String> = asked
            .iter()
            .map(|(u, v, k)| format!("{} has `{u}` outside `{v}`", called(*k)))
            .collect();
        let span = asked
            .iter()
            .rev()
            .find_map(|(_, _, k)| uses[*k].name)
            .map_or_else(|| blocked.first().map_or_else(Span::call_site, Ident::span), Ident::span);
        let reads = || asked.iter().filter(|(_, _, k)| !uses[*k].write);
        // Two operands that contradict each other do so whatever the result is.
        let contradicts =
            |(u, v, _): &&&Edge| reads().any(|(outer, inner, _)| (outer, inner) == (v, u));
        let operand = reads().rfind(contradicts);
        let result = asked.iter().find(|(_, _, k)| uses[*k].write).map(|(_, _, k)| called(*k));
        let advice = match (operand, result) {
            (None, Some(result)) => format!("choose a format for {result} that takes entries in any order, or gather them in a workspace, by written loops and `where`"),
            (Some((_, inner, k)), _) => format!("read {} by `{inner}::locate`, which looks up each element, or convert it to a format in the other order before", called(*k)),
            (None, None) => "convert one to a format in another order, or read it by `::locate`".to_owned(),
        };
        let says = says.join(", ");
        // Within loops that are written nothing is copied in another order.
        let last = match self.open.last() {
            Some(open) => format!(", or leave out the loop over `{open}` as well"),
            None => String::new(),
        };
        (span, format!("no order of loops goes through all tensors as they are stored: {says}; {advice}{last}"))
    }
}

/// The first of `edges` that `order` does not keep.
pub fn against<'a>(edges: &'a [Edge], order: &[Ident]) -> Option<&'a Edge> {
    let place = |i: &String| order.iter().position(|o| o == i);
    edges.iter().find(|(u, v, _)| place(u) > place(v))
}

/// What people call the access `k`.
fn called(uses: &[Use<'_>], k: usize) -> String {
    uses[k].name.map_or("the shape operator".to_owned(), |n| format!("`{n}`"))
}
