//! Operands whose order makes loops come again and again to what is stored, though some order goes along all of them: they are
//! copied once, turned. `c[i, j] += a[i, k] * b[j, k]` would look at each pair of rows.

use super::choices::{Choice, Choices};
use super::indices::{names, uses, Use};
use super::order::Plan;
use super::spread::plain;
use super::turn::{accesses, Turned};
use super::{guards, Scheduler};
use crate::ast::{Block, Expr, Stmt};
use crate::cin::Op;
use proc_macro2::Ident;

/// A matrix that may be turned.
struct Candidate<'a> {
    name: String,
    operand: &'a Expr,
    /// Its indices in the order of the copy.
    turned: Vec<Ident>,
    formats: Turned,
}

/// What an assignment reads, under its conditions.
struct Reads<'a> {
    all: Vec<Use<'a>>,
    /// The names in conditions that hold where nothing is stored: these do not say which pairs are wanted.
    negated: Vec<&'a Ident>,
}

impl<'a> Reads<'a> {
    fn of(stmt: &'a Stmt) -> Self {
        let mut negated = Vec::new();
        guards::conditions(stmt).into_iter().for_each(|cond| in_negations(cond, &mut negated));
        Reads { all: uses(stmt).into_iter().filter(|u| !u.write).collect(), negated }
    }

    fn is_negated(&self, u: &Use<'_>) -> bool {
        u.name.is_some_and(|name| self.negated.iter().any(|n| std::ptr::eq(*n, name)))
    }
}

impl Scheduler<'_> {
    /// `stmt` with an operand turned, if some pay where its loops are as `plan` says.
    pub(super) fn turned_for_less(&mut self, stmt: &Stmt, plan: &Plan) -> Option<Block> {
        let Some(Stmt::Assign { op: Some(op), .. }) = guards::assignment(stmt) else { return None };
        // Which of equals is the first one is a matter of the order.
        let first_counts = matches!(op.op, Op::MinBy | Op::MaxBy | Op::Choose);
        if first_counts || !self.open.is_empty() || self.choices.orders(&plan.all()) {
            return None;
        }
        let mut found = self.candidates(stmt, plan);
        if found.is_empty() {
            return None;
        }
        let turns = found.iter().map(|one| Choice::Turn(one.name.clone()));
        let options = turns.chain([Choice::AsStored]).collect();
        let taken = self.choices.choose(options);
        (taken < found.len()).then(|| {
            let Candidate { name, operand, turned, formats } = found.swap_remove(taken);
            self.copied(stmt, (name, operand, turned, formats))
        })
    }

    /// The same for a condition around an assignment that has loops within: they would look at each pair for which it holds,
    /// where loops around both go along what is stored. `indices` are all that the statement lacks.
    pub(super) fn turned_under(&mut self, stmt: &Stmt, indices: &[Ident]) -> Option<Block> {
        // What is chosen for these loops is chosen again once they are written.
        let choices = std::mem::replace(&mut self.choices, Choices::new(&[], Vec::new()));
        let plan = self.plan(stmt, indices);
        self.choices = choices;
        self.turned_for_less(stmt, &plan.ok()?)
    }

    /// The matrices in `stmt` that come again and again to what is stored, the last one first.
    fn candidates<'a>(&self, stmt: &'a Stmt, plan: &Plan) -> Vec<Candidate<'a>> {
        let Some(Stmt::Assign { target, value, .. }) = guards::assignment(stmt) else {
            return Vec::new();
        };
        let loops = plan.all();
        let left = names(target);
        let summed = |i: &Ident| !left.contains(&i.to_string());
        let written =
            |name: &Ident| matches!(target, Expr::Access { name: result, .. } if result == name);
        let first = match target {
            Expr::Access { indices, .. } => indices.first().and_then(plain),
            _ => None,
        };
        let reads = Reads::of(stmt);
        let mut operands = Vec::new();
        guards::conditions(stmt).into_iter().for_each(|e| accesses(e, &mut operands));
        accesses(value, &mut operands);
        let mut found: Vec<Candidate<'_>> = Vec::new();
        for operand in operands.into_iter().rev() {
            let Expr::Access { name, indices: given, .. } = operand else { continue };
            let own: Option<Vec<&Ident>> = given.iter().map(plain).collect();
            let Some([outer, inner]) = own.as_deref() else { continue };
            let bound = outer != inner && loops.contains(outer) && loops.contains(inner);
            let text = name.to_string();
            let again = self.made.contains(&text) || found.iter().any(|one| one.name == text);
            let sparse = self.chain(name).is_some_and(|c| c.levels[1].level().leaves_out());
            if !bound || again || !sparse || written(name) {
                continue;
            }
            // Sums over several loops have an order that strict kernels keep.
            if self.strict && summed(outer) && summed(inner) {
                continue;
            }
            // The rows of the result come one after the other where this one has rows for them.
            let rows = plan.gathers() > 1 && first == Some(*inner) && summed(outer);
            if !(rows || summed(inner) && self.comes_again(&reads, outer, inner)) {
                continue;
            }
            let Some(formats) = self.formats_turned(name, 2) else { continue };
            let turned = vec![(*inner).clone(), (*outer).clone()];
            found.push(Candidate { name: text, operand, turned, formats });
        }
        found
    }

    /// Whether another operand is gone through along `inner` as well, for each of coordinates that have nothing to do with
    /// `outer`.
    fn comes_again(&self, reads: &Reads<'_>, outer: &Ident, inner: &Ident) -> bool {
        reads.all.iter().any(|u| {
            let Some((last, outside)) = u.dims.split_last() else { return false };
            let along = matches!(&last.0[..], [i] if inner == i);
            let others = outside.iter().flat_map(|(names, _)| names);
            let apart = others.clone().all(|y| outer != y && !self.meet(reads, outer, y));
            along && apart && others.count() > 0 && self.goes_along(u, u.dims.len() - 1)
        })
    }

    /// Whether something that leaves pairs of `x` and `y` out says which are wanted, as a mask does.
    fn meet(&self, reads: &Reads<'_>, x: &Ident, y: &String) -> bool {
        let has = |u: &Use<'_>, is: &dyn Fn(&String) -> bool| {
            u.dims.iter().any(|(names, _)| names.iter().any(is))
        };
        let sparse = |u: &Use<'_>| {
            let chain = u.name.and_then(|name| self.chain(name));
            chain.is_none_or(|c| c.levels.iter().any(|l| l.level().leaves_out()))
        };
        reads.all.iter().any(|u| {
            has(u, &|n| x == n) && has(u, &|n| n == y) && sparse(u) && !reads.is_negated(u)
        })
    }
}

/// The names of the tensors that stand under a negation in `cond`.
fn in_negations<'a>(cond: &'a Expr, out: &mut Vec<&'a Ident>) {
    let Expr::Call { op, args } = cond else { return };
    if op.op != Op::Not {
        return args.iter().for_each(|a| in_negations(a, out));
    }
    let mut all = Vec::new();
    args.iter().for_each(|a| accesses(a, &mut all));
    let name = |e: &'a Expr| if let Expr::Access { name, .. } = e { Some(name) } else { None };
    out.extend(all.into_iter().filter_map(name));
}
