//! Counts of a program that has been compiled: what its loops go through is known then, whatever the chances say, and so is what
//! it takes to make what it writes.

use super::cost::{Atom, Cost};
use super::count::Counter;
use super::weights;
use crate::ast::visit::{all_exprs, visit_expr};
use crate::ast::{Block, Expr, Program, Stmt};
use crate::cin::Lit;
use crate::kernel::{Along, LoopWalk, Visits};
use proc_macro2::Ident;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// What the loops of each name go through, in order.
pub(super) struct Visited(HashMap<String, VecDeque<Visits>>);

/// What one loop goes through.
pub(super) enum Visit {
    /// All coordinates, whatever these tensors store.
    All(Vec<String>),
    /// What so many operands store: the steps of one run of the loop, if they are known.
    Entries(Option<Cost>, usize),
}

impl Visited {
    /// `walks` for the loops of `program`.
    pub fn new(program: &Program, walks: &[LoopWalk]) -> Visited {
        let mut all: HashMap<String, VecDeque<Visits>> = HashMap::new();
        for walk in walks {
            all.entry(walk.index.clone()).or_default().push_back(walk.visits.clone());
        }
        let mut written = HashMap::new();
        loops(&program.body, &mut written);
        for (name, visits) in &mut all {
            let many = written.get(name).copied().unwrap_or(0);
            if visits.len() == many {
                continue;
            }
            // Which is which is not known: each may be the worst of them.
            let worst = visits.iter().find(|v| matches!(v, Visits::All(_)));
            let worst = worst.cloned().unwrap_or(Visits::Unknown);
            *visits = std::iter::repeat_n(worst, many).collect();
        }
        Visited(all)
    }
}

/// How many loops of each name there are.
fn loops(block: &Block, out: &mut HashMap<String, usize>) {
    for stmt in &block.stmts {
        if let Stmt::For { indices, .. } = stmt {
            indices.iter().for_each(|i| *out.entry(i.to_string()).or_default() += 1);
        }
        crate::ast::visit::blocks(stmt, &mut |b| loops(b, out));
    }
}

impl Visit {
    /// The steps of one run of a loop, `walked` as chances say, and what it visits in vain.
    pub fn beside(self, walked: Option<(Cost, usize)>) -> (Option<(Cost, usize)>, Vec<String>) {
        match (self, walked) {
            (Visit::All(tensors), _) => (None, tensors),
            (Visit::Entries(_, many), Some((steps, known))) if known >= many => {
                (Some((steps, known)), Vec::new())
            }
            (Visit::Entries(Some(steps), many), _) => (Some((steps, many)), Vec::new()),
            (Visit::Entries(None, _), walked) => (walked, Vec::new()),
        }
    }
}

impl Counter<'_> {
    /// What the next loop over `index` goes through, within `bound`.
    pub(super) fn visit(&mut self, index: &Ident, bound: &[String]) -> Option<Visit> {
        let next = self.visits.as_mut()?.0.get_mut(&index.to_string())?.pop_front()?;
        match next {
            Visits::Unknown => None,
            Visits::All(tensors) => Some(Visit::All(tensors)),
            Visits::Entries(along) => {
                let mut steps = Some(Cost::zero());
                for one in &along {
                    let own = self.entries_of(one, bound);
                    if own.is_none() {
                        self.out.unknown.push((
                            index.span(),
                            format!("how much of `{}` there is for each `{index}`", one.tensor),
                        ));
                    }
                    steps = steps.and_then(|all| Some(all.plus(&own?)));
                }
                Some(Visit::Entries(steps, along.len()))
            }
        }
    }

    /// What a fiber of `along` stores.
    fn entries_of(&self, along: &Along, bound: &[String]) -> Option<Cost> {
        let first = *along.dims.first()?;
        let mut all = Cost::zero();
        for d in &along.dims {
            all = all.plus(&self.fibers(&along.tensor, d + 1)?);
        }
        let mut each = all.over(&self.fibers(&along.tensor, first)?);
        for outer in &along.outer {
            // Its parts are apart, so that all of them together are the whole.
            let at = bound.iter().rposition(|b| b == outer)?;
            let before = at.checked_sub(1).and_then(|at| self.reached.get(at)).cloned();
            let before = before.unwrap_or(Cost::number(1.0));
            each = each.over(&self.reached.get(at)?.over(&before));
        }
        Some(each)
    }

    /// What the loop over `index` runs over: `len`, or what the program says.
    pub(super) fn extent(
        &mut self,
        index: &Ident,
        extent: Option<&(Expr, Expr)>,
        len: Cost,
        bound: &[String],
    ) -> Cost {
        if self.visits.is_none() {
            return len;
        }
        let len = match extent {
            Some((Expr::Lit(Lit::Int(lo), ..), Expr::Lit(Lit::Int(hi), ..))) => {
                Cost::number((hi - lo).max(0) as f64)
            }
            Some((lo, hi)) => {
                let mut moves = false;
                let mut look = |e: &Expr| match e {
                    Expr::Access { .. } => moves = true,
                    Expr::Name(name) => moves |= bound.iter().any(|b| name == b),
                    _ => {}
                };
                visit_expr(lo, &mut look);
                visit_expr(hi, &mut look);
                let own =
                    |atom: &&Atom| matches!(atom, Atom::Len { tensor, .. } if tensor.is_empty());
                if moves && len.atoms().iter().any(own) {
                    self.out.unknown.push((
                        index.span(),
                        format!("how far `{index}` runs, which each iteration of other loops says"),
                    ));
                }
                len
            }
            None => len,
        };
        let known = (index.to_string(), len.clone());
        if !self.out.indices.contains(&known) {
            self.out.indices.push(known);
        }
        len
    }

    /// Notes the sizes of what shape operators read, by the names that they have there.
    pub(super) fn shapes(&mut self, block: &Block) {
        let mut found: Vec<(String, usize, String)> = Vec::new();
        let mut look = |e: &Expr| {
            let Expr::Shape(shape) = e else { return };
            let mut operand = |e: &Expr| {
                let Expr::Access { name, indices, .. } = e else { return };
                for (d, x) in indices.iter().enumerate() {
                    let Expr::Name(i) = &x.expr else { continue };
                    if shape.from.iter().any(|f| f.name == *i) {
                        found.push((name.to_string(), d, i.to_string()));
                    }
                }
            };
            shape.operands.iter().for_each(|e| visit_expr(e, &mut operand));
        };
        block.stmts.iter().for_each(|s| all_exprs(s, &mut look));
        for (tensor, dim, index) in found {
            if !self.inputs.contains(&tensor) || self.lens.contains_key(&(tensor.clone(), dim)) {
                continue;
            }
            let (of, name) = (tensor.clone(), index.clone());
            let len = Cost::atom(Atom::Len { tensor: of, dim, index });
            self.lens.insert((tensor, dim), len.clone());
            self.out.indices.push((name, len));
        }
    }

    /// Notes the sizes of dimensions that computed indices alone choose from, as those of the rows in `a[p[i], j]`: by what Rust calls
    /// them.
    pub(super) fn nameless(&mut self, block: &Block) {
        let (mut named, mut computed) = (HashSet::new(), BTreeSet::new());
        let mut look = |e: &Expr| {
            let Expr::Access { name, indices, .. } = e else { return };
            for (d, x) in indices.iter().enumerate() {
                let at = (name.to_string(), d);
                let _ = match &x.expr {
                    Expr::Name(_) => named.insert(at),
                    _ => computed.insert(at),
                };
            }
        };
        block.stmts.iter().for_each(|s| all_exprs(s, &mut look));
        for (tensor, dim) in computed {
            let at = (tensor.clone(), dim);
            if self.inputs.contains(&tensor) && !named.contains(&at) {
                let columns = self.chains.get(&tensor).and_then(|(c, _)| c.as_ref());
                let columns = columns.filter(|c| c.by_columns);
                let told = columns.map_or(dim, |c| c.levels.len() - 2 - dim);
                let index = format!("{tensor}.shape()[{told}]");
                let size = Cost::atom(Atom::Len { tensor, dim, index });
                self.lens.entry(at).or_insert(size);
            }
        }
    }

    /// Notes what it takes to remove entries of `target`, all of which are gone through for it.
    pub(super) fn removed(&mut self, target: &Expr) {
        let Expr::Access { name, indices, .. } = target else { return };
        if self.visits.is_none() {
            return;
        }
        let mut all = (1..=indices.len()).map(|dims| self.fibers(&name.to_string(), dims));
        match all.try_fold(Cost::zero(), |sum, own| Some(sum.plus(&own?))) {
            Some(all) => self.out.made.push((name.clone(), all)),
            None => self.out.unknown.push((name.span(), format!("what `{name}` stores"))),
        }
    }

    /// Notes what it takes to make a result or a workspace: a place for each coordinate of the levels that have one for each, once,
    /// or each time if it is not cleared by what was written to it.
    pub(super) fn makes_room(&mut self, name: &str) {
        let Some((Some(chain), _)) = self.chains.get(name) else { return };
        let rank = chain.levels.len() - 1;
        let dims = (0..rank).take_while(|d| chain.levels[*d].level().has_places()).count();
        if dims == 0 {
            return;
        }
        let mut lens = (0..dims).map(|d| self.lens.get(&(name.to_owned(), d)));
        let places = lens.try_fold(Cost::number(1.0), |all, len| Some(all.times(len?)));
        let dense = dims == rank && (0..rank).all(|d| !chain.levels[d].level().leaves_out());
        let Some(ident) = self.named.get(name).cloned() else { return };
        let places = match places {
            Some(places) => places,
            None if dense => Cost::atom(Atom::Stored(name.to_owned())),
            None => {
                self.out.unknown.push((ident.span(), format!("the sizes of `{name}`")));
                return;
            }
        };
        let often = self.often(name, places);
        let each = weights::made(chain.levels[dims - 1].level());
        let made = often.times(&Cost::number(each));
        self.takes(&made);
        self.out.made.push((ident, often));
    }

    /// Notes what operands, and results that store everything, have for entries.
    pub(super) fn tell_entries(&mut self) {
        let names: Vec<String> = self.inputs.iter().chain(self.named.keys()).cloned().collect();
        for name in names {
            let Some((Some(chain), _)) = self.chains.get(&name) else { continue };
            let rank = chain.levels.len() - 1;
            let level = |d: usize| chain.levels[d].level();
            let whole = (0..rank).all(|d| !level(d).leaves_out() && !level(d).steps());
            let mut lens = (0..rank).map(|d| self.lens.get(&(name.clone(), d)));
            let places = lens.try_fold(Cost::number(1.0), |all, len| Some(all.times(len?)));
            let stored = Cost::atom(Atom::Stored(name.clone()));
            let entries = match (whole, places) {
                (true, Some(places)) => places,
                (false, _) if !self.inputs.contains(&name) => continue,
                _ => stored,
            };
            self.out.entries.push((name, entries));
        }
    }
}
