//! Makes room once for all the entries that a stretch of code appends, where what it reads tells how many
//! they are at most: each is then written where the last one ended, and nothing is looked at in between.
//!
//! Appending one at a time asks two vectors whether they have room, stores the fill, then the value; by hand
//! one would know that a row of a sum has no more entries than the two rows it is the sum of. So it is here:
//! every way through a loop that appends an entry also moves a cursor of an input, and a cursor moves no
//! further than to the end of its fiber; or the loop is over a range, and appends in each step.

use crate::cin::*;
use crate::kernel::*;
use crate::kir::{Each, Kir};
use crate::runtime::Runtime;
use std::collections::{BTreeSet, HashSet};

pub(super) fn append(kernel: &mut Kernel, mut code: Vec<Kir>) -> Vec<Kir> {
    if kernel.safe {
        return code;
    }
    // Also what nothing read, and was left out: the end of a cursor may be one of these.
    let mut defined: HashSet<VarId> =
        kernel.cursors.values().flat_map(|e| kernel.depends(e)).collect();
    code.iter().for_each(|k| k.walk(&mut |k| defined.extend(definition(k))));
    let mut found = BTreeSet::new();
    code.iter().for_each(|k| {
        k.walk(&mut |k| match k {
            Kir::Commit(c) if c.each.is_some() => drop(found.insert(c.of)),
            _ => {}
        })
    });
    for of in found {
        let mut pass = Pass {
            kernel: &mut *kernel,
            of,
            unknown: defined.clone(),
            rows: Vec::new(),
            first: true,
            fresh: None,
            distinct: None,
            advancing: BTreeSet::new(),
        };
        code = pass.block(code);
    }
    code
}

fn definition(k: &Kir) -> Option<VarId> {
    match k {
        Kir::Let { var, .. } | Kir::For { var, .. } => Some(*var),
        Kir::Begin(b) => Some(b.at),
        _ => None,
    }
}

pub(super) struct Pass<'a> {
    pub(super) kernel: &'a mut Kernel,
    /// The level whose entries they are.
    pub(super) of: (TensorId, usize),
    /// Variables that are not defined yet where the pass stands.
    pub(super) unknown: HashSet<VarId>,
    /// For each loop around whose iterations are counted, what differs from one to the next.
    pub(super) rows: Vec<BTreeSet<VarId>>,
    /// Whether no entry of the stretch was put yet.
    first: bool,
    /// If the fiber was opened before, and nothing has been written to it since: what is 0, where its coordinates begin.
    pub(super) fresh: Option<Vec<Expr>>,
    /// If the stretch looks for entries of one fiber before it makes them: as many as it has coordinates are new at most.
    pub(super) distinct: Option<Expr>,
    /// Cursors of which the capacity bound of the stretch asks how much they have left.
    pub(super) advancing: BTreeSet<VarId>,
}

impl Pass<'_> {
    fn block(&mut self, code: Vec<Kir>) -> Vec<Kir> {
        let sites: Vec<usize> = (0..code.len()).filter(|&n| self.appends(&code[n..=n])).collect();
        let (Some(&first), Some(&last)) = (sites.first(), sites.last()) else { return code };
        let before = self.unknown.clone();
        let (whole, fresh) = (first..last + 1, self.fresh.clone());
        code[..first].iter().for_each(|k| self.define(k));
        code[..first].iter().for_each(|k| self.pass(k));
        let mut out;
        if let Some(stretch) = self.stretch(&code[whole.clone()]) {
            out = code[..first].to_vec();
            out.extend(stretch);
            out.extend_from_slice(&code[whole.end..]);
        } else {
            self.unknown = before.clone();
            self.fresh = fresh.clone();
            out = Vec::new();
            for mut k in code {
                let alone = self.appends(std::slice::from_ref(&k));
                match alone.then(|| self.stretch(std::slice::from_ref(&k))).flatten() {
                    Some(stretch) => {
                        self.fresh = None;
                        out.extend(stretch);
                    }
                    None => {
                        let (outside, fresh) = (self.unknown.clone(), self.fresh.clone());
                        self.define(&k);
                        // What one iteration writes is there in the next.
                        let repeats = matches!(k, Kir::For { .. } | Kir::While { .. });
                        for block in k.blocks_mut() {
                            self.fresh = fresh.clone().filter(|_| !repeats);
                            *block = self.block(std::mem::take(block));
                        }
                        self.fresh = fresh.filter(|_| !alone);
                        self.pass(&k);
                        if !matches!(k, Kir::Let { .. } | Kir::Begin(_)) {
                            self.unknown = outside;
                        }
                        out.push(k);
                        continue;
                    }
                }
            }
        }
        self.unknown = before;
        self.fresh = fresh;
        out
    }

    pub(super) fn define(&mut self, k: &Kir) {
        if let Some(var) = definition(k) {
            self.unknown.remove(&var);
        }
    }

    /// `code`, with room made before it for all that it appends.
    fn stretch(&mut self, code: &[Kir]) -> Option<Vec<Kir>> {
        self.advancing.clear();
        let joins = self.joins(code);
        if joins && self.fresh.is_none() {
            return None;
        }
        self.distinct = None;
        let looks_for = self.looks_for(code);
        if looks_for {
            if !self.one_fiber(code) {
                return None;
            }
            self.distinct = Some(self.coordinates());
        }
        let mut capacity = self.capacity(code)?;
        let name = self.kernel.tensor(self.of.0).name.clone();
        let count = self.kernel.var(&format!("{name}_n"), VarKind::State, Ty::Index);
        let mut inner = code.to_vec();
        self.first = true;
        let mut arrays = Vec::new();
        let (mut front, mut before, mut first) = (Vec::new(), Vec::new(), Expr::int(0));
        if joins {
            let put = self.put_runs(&mut inner, count, &mut arrays)?;
            (front, before) = (put.front, put.before);
            capacity.extend((put.gaps > 0).then(|| Expr::int(put.gaps as i128)));
        } else if looks_for {
            let (from, value) = self.insert(&mut inner, count, &mut arrays)?;
            first = Expr::Var(from);
            front = vec![Kir::Let { var: from, mutable: false, value }];
        } else if !self.put(&mut inner, count, &mut arrays) {
            return None;
        }
        if self.appends(&inner) {
            return None;
        }
        self.share(&mut inner, count, &mut arrays);
        self.advance_only(&mut inner);
        let lengths = match looks_for {
            true => Vec::new(),
            false => self.lengths(&mut inner, &arrays, count),
        };
        if self.touches(&inner, &arrays, looks_for) {
            return None;
        }
        let all = self.kernel.var(&format!("{name}_most"), VarKind::Local, Ty::Index);
        let mut out = front;
        out.extend(lengths);
        out.push(Kir::Let { var: all, mutable: false, value: self.most(capacity) });
        let (of, room) = (self.of, arrays.clone());
        out.push(Kir::Room { of, arrays: room, capacity: all, count, first });
        out.extend(before);
        out.extend(inner);
        out.push(Kir::Filled { arrays, count });
        // What the stretch defines may be read behind it, so that it is no block then.
        if looks_for && !code.iter().any(|k| matches!(k, Kir::Let { .. })) {
            out.splice(0..0, self.borrowed(&out));
            out = vec![Kir::Block(out)];
        }
        Some(out)
    }

    /// No more than `terms` all together, nor than there are coordinates for.
    fn most(&mut self, terms: Vec<Expr>) -> Expr {
        let all = self.sum(terms);
        match self.distinct.take() {
            Some(len) => Expr::call(Op::Min, [all, len]),
            None => all,
        }
    }

    /// The sum of `terms`, none of which is below 0.
    fn sum(&mut self, mut terms: Vec<Expr>) -> Expr {
        if terms.len() < 2 {
            return terms.pop().unwrap_or(Expr::int(0));
        }
        self.kernel.call(Runtime::Sum, terms, Ty::Index)
    }

    /// Whether `k` ends an entry that is an element in each of the arrays.
    pub(super) fn commits(&self, k: &Kir) -> bool {
        matches!(k, Kir::Commit(c) if c.of == self.of && c.each.is_some())
    }

    pub(super) fn appends(&self, code: &[Kir]) -> bool {
        super::guards::any(code, &|k| match k {
            Kir::Begin(b) => b.of == self.of,
            k => self.commits(k),
        })
    }

    /// Writes the entries of `code` where there is room for them, in `arrays`; `false` if one may be given back.
    fn put(&mut self, code: &mut Vec<Kir>, count: VarId, arrays: &mut Vec<ArrayId>) -> bool {
        let mut at = 0;
        while at < code.len() {
            let q = match &code[at] {
                Kir::Begin(b) if b.of == self.of => b.at,
                _ => {
                    let k = &mut code[at];
                    if !k.blocks_mut().into_iter().all(|b| self.put(b, count, arrays)) {
                        return false;
                    }
                    at += 1;
                    continue;
                }
            };
            let mut ends = code.iter().enumerate().skip(at).filter_map(|(n, k)| match k {
                Kir::Commit(c) if c.of == self.of => Some((n, c.each.clone()?)),
                _ => None,
            });
            let Some((end, Each { elements, values, .. })) = ends.next() else { return false };
            if arrays.is_empty() {
                arrays.extend(elements.iter().map(|(a, _)| *a).chain(values));
            }
            let mut entry: Vec<Kir> = code[at + 1..end].to_vec();
            if let Some(array) = values {
                let fill = self.kernel.tensor(self.of.0).fill.clone();
                let place = Expr::Load(array, Box::new(Expr::Var(q)));
                if !put_for_store(&mut entry, &place, &fill, Expr::Var(count)) {
                    return false;
                }
            }
            let own: Vec<Kir> = elements
                .iter()
                .map(|(a, e)| Kir::Put { array: *a, at: Expr::Var(count), value: e.clone() })
                .collect();
            // LLVM would have ways that end alike share their ends, and the first, which is the most frequent
            // one, jump there.
            let mut to = entry.len();
            if std::mem::take(&mut self.first) {
                let of: Vec<VarId> =
                    elements.iter().flat_map(|(_, e)| self.kernel.depends(e)).collect();
                let needed = |k: &Kir| matches!(k, Kir::Let { var, .. } if of.contains(var));
                to = entry.iter().rposition(needed).map_or(0, |n| n + 1);
            }
            entry.splice(to..to, own);
            entry.push(Kir::Set { var: count, value: Expr::Var(count).plus(1) });
            let used = entry.iter().any(|k| {
                let mut found = false;
                k.walk(&mut |k| {
                    let raw = if let Kir::Code(r) = k { Some(Expr::Raw(*r)) } else { None };
                    let mut exprs = k.exprs();
                    exprs.extend(&raw);
                    found |= exprs.into_iter().any(|e| self.kernel.depends(e).contains(&q));
                });
                found
            });
            if used {
                return false;
            }
            let length = entry.len();
            code.splice(at..=end, entry);
            at += length;
        }
        true
    }

    /// Whether `code` does anything with one of `arrays` but to put elements into them, and, if entries are looked for, to store to those
    /// that are found.
    fn touches(&self, code: &[Kir], arrays: &[ArrayId], looks_for: bool) -> bool {
        let mut found = false;
        code.iter().for_each(|k| {
            k.walk(&mut |k| {
                let raw = if let Kir::Code(r) = k { Some(Expr::Raw(*r)) } else { None };
                let mut exprs = match k {
                    Kir::Store { target: Expr::Load(_, at), value, .. } if looks_for => {
                        vec![&**at, value]
                    }
                    k => k.exprs(),
                };
                exprs.extend(&raw);
                found |= matches!(k, Kir::Take(_) | Kir::Parallel(_))
                    || exprs.iter().any(|e| arrays.iter().any(|a| self.kernel.mentions(e, *a)));
            })
        });
        found || leaves_all(code)
    }
}

/// Whether `code` may be left for something outside of it.
fn leaves_all(code: &[Kir]) -> bool {
    let (mut labels, mut breaks) = (HashSet::new(), HashSet::new());
    code.iter().for_each(|k| {
        k.walk(&mut |k| match k {
            Kir::Labeled(label, _) => drop(labels.insert(*label)),
            Kir::Break(label) => drop(breaks.insert(*label)),
            _ => {}
        })
    });
    !breaks.is_subset(&labels)
}

/// Writes at `at`, where nothing is yet, what the one store to `place` in `entry` stores; what is read there
/// before is `fill`. `false` if something else stores to it, or reads it after.
pub(super) fn put_for_store(entry: &mut [Kir], place: &Expr, fill: &Expr, at: Expr) -> bool {
    let Expr::Load(array, _) = place else { return false };
    let read = |e: &Expr| e.map(&mut |e| (e == place).then(|| fill.clone()));
    for k in entry {
        let done = match k {
            Kir::Store { target, op, value } if target == place => {
                let value = match op.take() {
                    Some(op) => Expr::Call(op, vec![fill.clone(), read(value)]),
                    None => read(value),
                };
                *k = Kir::Put { array: *array, at: at.clone(), value };
                true
            }
            Kir::Let { value, .. } | Kir::Set { value, .. } => {
                *value = read(value);
                false
            }
            Kir::Block(body) => put_for_store(body, place, fill, at.clone()),
            _ => false,
        };
        if done {
            return true;
        }
    }
    false
}
