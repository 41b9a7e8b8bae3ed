//! Capacity bounds: at most how many entries a stretch of code appends, computed from what is known before it.
//! `append` makes that much room, and then appends without looking at the capacity of vectors.

use super::append::Pass;
use super::guards::{any, checks};
use crate::cin::*;
use crate::kir::Kir;
use std::collections::BTreeSet;

/// What one way through a loop's body does.
#[derive(Clone, PartialEq, Default)]
struct Way {
    /// How many entries it appends.
    entries: usize,
    /// The cursors it moves on.
    moves: BTreeSet<VarId>,
}

/// What bounds the number of entries that code appends: they are no more than the sum of all.
#[derive(Default)]
struct Terms {
    /// Cursors, as many as they have left.
    cursors: BTreeSet<VarId>,
    /// Loops that append one in each step, as many as they have.
    steps: Vec<Expr>,
    /// Loops over all neighbours of a position, as many as lie between where the first begin, which is known before
    /// the code, and where the last end.
    neighbors: Vec<(Expr, Expr)>,
    /// Other loops over ranges, as many as are counted.
    loops: Vec<Expr>,
    /// Those that are appended outside of loops.
    single: usize,
    /// How many conditions and blocks there are around.
    below: usize,
}

/// More ways than this are not looked at.
const MOST_WAYS: usize = 64;

impl Pass<'_> {
    /// Numbers by what is known before `code`, which appends at most as many entries as their sum.
    pub(super) fn capacity(&mut self, code: &[Kir]) -> Option<Vec<Expr>> {
        // Definitions between what appends may as well stand in front of it, where nothing checks them.
        let unchecked = (0..code.len()).find(|&n| checks(self.kernel, &code[..=n]));
        let free = &code[..unchecked.unwrap_or(code.len())];
        let lets: Vec<(VarId, Expr)> = free.iter().filter_map(|k| self.pure(k)).collect();
        let own = |k: &&Kir| !matches!(k, Kir::Let { var, .. } if lets.iter().any(|l| l.0 == *var));
        let code = &code.iter().filter(own).cloned().collect::<Vec<_>>()[..];
        let mut found = Terms::default();
        self.count(code, &mut found)?;
        let Terms { cursors, steps: mut terms, neighbors, loops, single, .. } = found;
        let first_stays = |e: &Expr| match e {
            // It moves on behind where it is asked.
            Expr::Var(q) if self.kernel.groups.contains_key(q) => true,
            e => self.stays(code, e),
        };
        if !terms.iter().all(|range| self.stays(code, range))
            || !neighbors.iter().all(|(first, end)| first_stays(first) && self.stays(code, end))
        {
            return None;
        }
        terms.extend(neighbors.iter().map(|(first, end)| steps(first, end)));
        for cursor in cursors {
            let end = self.kernel.cursors[&cursor].clone();
            if !self.only_advances(code, cursor) || !self.stays(code, &end) {
                return None;
            }
            self.advancing.insert(cursor);
            // An author's cursor may start behind its end.
            let left = Expr::call(Op::Sub, [end, Expr::Var(cursor)]);
            terms.push(Expr::call(Op::Max, [left, Expr::int(0)]));
        }
        terms.extend(loops);
        terms.extend((single > 0).then(|| Expr::int(single as i128)));
        for (var, value) in lets.iter().rev() {
            terms = terms.iter().map(|e| self.with(e, *var, value)).collect();
        }
        let known = |e: &Expr| self.kernel.depends(e).iter().all(|v| !self.unknown.contains(v));
        terms.iter().all(known).then_some(terms)
    }

    /// Whether `e`, and no element of an array, is the same throughout `code`.
    fn stays(&self, code: &[Kir], e: &Expr) -> bool {
        let (of, mut stays) = (self.kernel.depends(e), true);
        e.walk(&mut |e| stays &= !matches!(e, Expr::Load(..) | Expr::Raw(_) | Expr::Access(_)));
        code.iter()
            .for_each(|k| k.walk(&mut |k| stays &= !k.sets().is_some_and(|v| of.contains(&v))));
        stays
    }

    /// Counts what `code` appends: by moves of `cursors`, by steps of ranges, and one by one.
    fn count(&mut self, code: &[Kir], found: &mut Terms) -> Option<()> {
        for (n, k) in code.iter().enumerate() {
            if !self.appends(std::slice::from_ref(k)) {
                continue;
            }
            match k {
                Kir::For { var, lo, hi, body } if self.one_each(*var, body) => {
                    found.steps.push(steps(lo, hi));
                }
                // What is counted is read in front of all: nothing that may check it, or run it not at all, stands there.
                Kir::For { .. } if found.below == 0 && !checks(self.kernel, &code[..n]) => {
                    let all = self.iterations(k)?;
                    found.loops.push(all);
                }
                Kir::While { body, .. } => match self.ways(body) {
                    Some(ways) => self.counted(&ways, &mut found.cursors)?,
                    None => {
                        // In all iterations together a cursor moves no further than to its end.
                        let mut inner = Terms { below: 1, ..Terms::default() };
                        self.count(body, &mut inner)?;
                        if !inner.loops.is_empty() || inner.single > 0 {
                            return None;
                        }
                        let inner_most = inner.neighbors.iter().map(|(lo, hi)| steps(lo, hi));
                        for range in inner.steps.iter().cloned().chain(inner_most) {
                            found.neighbors.push(self.all_neighbors(&code[..n], body, &range)?);
                        }
                        found.cursors.extend(inner.cursors);
                    }
                },
                Kir::If { .. } | Kir::Block(_) => {
                    found.below += 1;
                    for block in k.blocks() {
                        self.count(block, found)?;
                    }
                    found.below -= 1;
                }
                Kir::Commit(_) => found.single += 1,
                Kir::Begin(_) => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// Where the neighbours of the first position begin and those of the last end, behind `before`, if `range` is as
    /// many as there are at one position and `body` goes on to the next.
    fn all_neighbors(&self, before: &[Kir], body: &[Kir], range: &Expr) -> Option<(Expr, Expr)> {
        let next = |k: &Kir| match k {
            Kir::Set { var, value: Expr::Var(after) } => {
                let of = self.kernel.groups.get(var)?;
                let own = *range == steps(&Expr::Var(*var), &Expr::Var(*after));
                (of.after == *after && own).then(|| (*var, of.clone()))
            }
            _ => None,
        };
        let (at, (q, of)) = body.iter().enumerate().find_map(|(n, k)| Some((n, next(k)?)))?;
        let elsewhere = |n: usize, k: &Kir| {
            let mut found = false;
            k.walk(&mut |k| {
                found |= k.sets() == Some(q) && n != at || k.sets() == Some(of.after) && n != at + 1
            });
            found
        };
        if body.iter().enumerate().any(|(n, k)| elsewhere(n, k)) {
            return None;
        }
        let set =
            before.iter().rposition(|k| any(std::slice::from_ref(k), &|k| k.sets() == Some(q)));
        let first = match set.map(|n| &before[n]) {
            None => Expr::Var(q),
            Some(Kir::Let { value, .. }) => value.clone(),
            Some(_) => return None,
        };
        Some((first, of.end))
    }

    /// Whether each way through the body of a loop over `index` appends one entry, or none does.
    fn one_each(&self, index: VarId, body: &[Kir]) -> bool {
        let mut set = BTreeSet::from([index]);
        body.iter().for_each(|k| k.walk(&mut |k| set.extend(k.sets())));
        let ways = self.ways(&self.unswitched(body, &set));
        ways.is_some_and(|ways| ways.iter().all(|w| w.entries == 1))
    }

    /// `code` where each condition holds in which there is none of the variables `set`, and no memory.
    fn unswitched(&self, code: &[Kir], set: &BTreeSet<VarId>) -> Vec<Kir> {
        let plain = |e: &Expr| {
            let moves = self.kernel.depends(e).iter().any(|v| set.contains(v));
            self.kernel.is_of_scalars(e) && !moves
        };
        let each = |k: &Kir| match k {
            Kir::If { cond, then, otherwise } if otherwise.is_empty() && plain(cond) => {
                Kir::Block(self.unswitched(then, set))
            }
            Kir::Block(inner) => Kir::Block(self.unswitched(inner, set)),
            other => other.clone(),
        };
        code.iter().map(each).collect()
    }

    /// Adds to `cursors` until each way that appends an entry moves one of them.
    fn counted(&self, ways: &[Way], cursors: &mut BTreeSet<VarId>) -> Option<()> {
        let mut open: Vec<&Way> = ways.iter().filter(|w| w.entries > 0).collect();
        open.sort_by_key(|w| w.moves.len());
        for way in open {
            if way.entries > 1 {
                return None;
            }
            if way.moves.is_disjoint(cursors) {
                cursors.insert(self.best(&way.moves)?);
            }
        }
        Some(())
    }

    /// A cursor that is there before the code, of which each of most of the loops around has its own: what others
    /// bound is as much in each.
    fn best(&self, cursors: &BTreeSet<VarId>) -> Option<VarId> {
        let own = |c: &VarId| {
            let end = self.kernel.depends(&self.kernel.cursors[c]);
            self.rows.iter().filter(|row| end.iter().any(|v| row.contains(v))).count()
        };
        cursors.iter().rev().max_by_key(|c| (!self.unknown.contains(c), own(c))).copied()
    }

    /// Whether `code` does nothing to `cursor` but to move it on, by one or to where it is sought.
    fn only_advances(&self, code: &[Kir], cursor: VarId) -> bool {
        let on = |k: &Kir| moved(k).is_some() || may_move(k) || sought(k).is_some();
        !any(code, &|k| k.sets() == Some(cursor) && !on(k))
    }

    /// Has cursors that bound what `code` appends stay where they are, should a search of an author's go back.
    pub(super) fn advance_only(&self, code: &mut [Kir]) {
        for k in code {
            k.blocks_mut().into_iter().for_each(|block| self.advance_only(block));
            let Some(var) = sought(k).filter(|v| self.advancing.contains(v)) else { continue };
            if let Kir::Set { value, .. } = k {
                *value = Expr::call(Op::Max, [Expr::Var(var), value.clone()]);
            }
        }
    }

    /// All ways through `code`; `None` if they are not known, or too many.
    fn ways(&self, code: &[Kir]) -> Option<Vec<Way>> {
        let mut ways = vec![Way::default()];
        for k in code {
            let next = match k {
                Kir::If { then, otherwise, .. } => {
                    let mut both = self.ways(then)?;
                    both.extend(self.ways(otherwise)?);
                    both
                }
                Kir::Block(body) => self.ways(body)?,
                // Which of them moved is not told apart: it is one of these.
                Kir::Set { var, .. } if self.kernel.unions.contains_key(var) => {
                    let one = |c: &VarId| Way { entries: 0, moves: BTreeSet::from([*c]) };
                    self.kernel.unions[var].iter().map(one).collect()
                }
                Kir::Set { .. } => {
                    let moves = moved(k).filter(|v| self.kernel.cursors.contains_key(v));
                    vec![Way { entries: 0, moves: moves.into_iter().collect() }]
                }
                Kir::Commit(_) => {
                    let entries = self.commits(k).into();
                    vec![Way { entries, ..Way::default() }]
                }
                Kir::Let { .. }
                | Kir::Store { .. }
                | Kir::Comment(_)
                | Kir::Code(_)
                | Kir::Begin(_)
                | Kir::GiveBack(_) => continue,
                Kir::For { .. } | Kir::While { .. } if !leaves(k) => {
                    if self.appends(std::slice::from_ref(k)) {
                        return None;
                    }
                    continue;
                }
                _ => return None,
            };
            let mut all: Vec<Way> = Vec::new();
            for a in &ways {
                for b in &next {
                    let moves = a.moves.union(&b.moves).copied().collect();
                    let way = Way { entries: a.entries + b.entries, moves };
                    // A cursor that bounds a way bounds those that move more.
                    let bounds =
                        |a: &Way, b: &Way| a.entries == b.entries && a.moves.is_subset(&b.moves);
                    if !all.iter().any(|other| bounds(other, &way)) {
                        all.retain(|other| !bounds(&way, other));
                        all.push(way);
                    }
                }
            }
            if all.len() > MOST_WAYS + next.len() {
                return None;
            }
            ways = all;
        }
        Some(ways)
    }
}

/// The variable that `k` moves to what code of a declaration finds.
fn sought(k: &Kir) -> Option<VarId> {
    let Kir::Set { var, value } = k else { return None };
    let mut found = false;
    value.walk(&mut |e| found |= matches!(e, Expr::Raw(_) | Expr::Call(Op::Function(_), _)));
    found.then_some(*var)
}

/// How many steps a loop from `lo` to `hi` has.
fn steps(lo: &Expr, hi: &Expr) -> Expr {
    let all = Expr::call(Op::Sub, [hi.clone(), lo.clone()]);
    Expr::call(Op::Max, [all, Expr::int(0)])
}

/// The variable that `k` adds a positive constant to.
pub(super) fn moved(k: &Kir) -> Option<VarId> {
    let Kir::Set { var, value: Expr::Call(op, args) } = k else { return None };
    match (op, args.as_slice()) {
        (Op::Add, [Expr::Var(v), Expr::Lit(Lit::Int(n))]) if v == var && *n > 0 => Some(*v),
        _ => None,
    }
}

/// Whether `k` moves a variable on by one if a condition holds.
fn may_move(k: &Kir) -> bool {
    let Kir::Set { var, value: Expr::Call(Op::Add, args) } = k else { return false };
    matches!(&args[..], [Expr::Var(v), Expr::Call(op, _)] if v == var && op.is_comparison())
}

/// Whether `k` may be left for something outside of it.
fn leaves(k: &Kir) -> bool {
    let mut found = false;
    k.walk(&mut |k| found |= matches!(k, Kir::Break(_)));
    found
}
