//! What the loops of a program cost: how often each of them runs, and what that takes.
//!
//! Entries are taken to lie anywhere, each coordinate as likely as another. A loop along one sparse operand takes as many
//! steps as that has entries there; a loop along several of a product goes through all of them, and a loop along several
//! of a sum too (Ahrens et al., *Autoscheduling for Sparse Tensor Algebra with an Asymptotic Cost Model*, PLDI 2022, counts so; the
//! estimate of how many are stored is the uniform one of Deeds et al., *Galley*, SIGMOD 2025, section 6).

use super::chance::Part;
use super::cost::{Atom, Cost};
use super::guards;
use super::indices::{names, uses};
use super::sizes;
use super::stretches;
use super::visit::{accesses, exprs, has_loop};
use super::visited::Visited;
use super::weights;
use super::whole_copy::is_number;
use crate::algebra::Algebra;
use crate::ast::{Block, Expr, Index, Passing, Program, Stmt};
use crate::cin::Op;
use crate::decl::LevelDecl;
use crate::diagnostics::text;
use crate::formats::{Chain, Library};
use crate::kernel::LoopWalk;
use crate::types::Ty;
use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};

/// A loop, and how often it runs.
pub struct Loop {
    /// How many stand around it.
    pub depth: usize,
    /// Its index.
    pub index: String,
    /// How often its body runs, all together.
    pub steps: Cost,
    /// Where the program names the index.
    pub span: Span,
    /// What has every coordinate visited that these tensors do not store, if they do not keep it from that.
    pub in_vain: Vec<String>,
}

/// What a program costs.
#[derive(Default)]
pub struct Count {
    /// Its loops, in order.
    pub loops: Vec<Loop>,
    /// About how many nanoseconds it takes.
    pub time: Cost,
    /// Whether all sizes are known when the kernel is called.
    pub known: bool,
    /// The sizes of the operands.
    pub dims: Vec<(String, Vec<Cost>)>,
    /// What each index runs over.
    pub indices: Vec<(String, Cost)>,
    /// The entries of operands, and of results that store everything.
    pub entries: Vec<(String, Cost)>,
    /// What it takes to make each result and each workspace, and to remove entries.
    pub made: Vec<(Ident, Cost)>,
    /// What is not known, and where that stands.
    pub unknown: Vec<(Span, String)>,
}

/// Counts the loops of `program`, whose tensors have the formats `chains`, with whether they are results that start empty. Where
/// it is known what loops go through, that is `walks`.
pub fn count(
    program: &Program,
    chains: HashMap<String, (Option<Chain>, bool)>,
    (library, algebra): (&Library, &Algebra),
    generics: &[String],
    walks: Option<&[LoopWalk]>,
) -> Count {
    // Memory that is passed by value for a result has sizes and entries of its own.
    let inputs = program.params.iter().filter(|p| p.passing != Passing::Value);
    let inputs: Vec<String> = inputs.map(|p| p.name.to_string()).collect();
    let lens = sizes::sizes(&program.body.stmts, &inputs);
    let outputs = || program.outputs.iter().map(|o| o.name.to_string());
    let mut counter = Counter {
        inputs,
        chains,
        library,
        algebra,
        generics,
        lens,
        stored: outputs().map(|name| (name, Cost::zero())).collect(),
        declared: outputs().map(|name| (name, Cost::number(1.0))).collect(),
        sizes: Vec::new(),
        skews: Vec::new(),
        shares: Vec::new(),
        reached: Vec::new(),
        within: Vec::new(),
        scalars: Vec::new(),
        visits: walks.map(|walks| Visited::new(program, walks)),
        words: false,
        in_vain: false,
        types: HashMap::new(),
        named: program.outputs.iter().map(|o| (o.name.to_string(), o.name.clone())).collect(),
        out: Count {
            loops: Vec::new(),
            time: Cost::zero(),
            known: true,
            dims: Vec::new(),
            indices: Vec::new(),
            entries: Vec::new(),
            made: Vec::new(),
            unknown: Vec::new(),
        },
    };
    if counter.visits.is_some() {
        counter.shapes(&program.body);
    }
    let params = program.params.iter().map(|p| (&p.name, &p.ty));
    for (name, ty) in params.chain(program.outputs.iter().map(|o| (&o.name, &o.ty))) {
        counter.typed(name, ty);
    }
    counter.nameless(&program.body);
    counter.block(&program.body, &mut Vec::new(), &Cost::number(1.0), &mut Vec::new());
    counter.tell_entries();
    let Counter { inputs, chains, lens, mut out, .. } = counter;
    for name in inputs {
        let mut dims: Vec<Cost> =
            (0..).map_while(|d| lens.get(&(name.clone(), d)).cloned()).collect();
        if chains.get(&name).is_some_and(|(c, _)| c.as_ref().is_some_and(|c| c.by_columns)) {
            dims.reverse();
        }
        out.dims.push((name, dims));
    }
    out
}

pub(super) struct Counter<'a> {
    pub(super) inputs: Vec<String>,
    pub(super) chains: HashMap<String, (Option<Chain>, bool)>,
    pub(super) library: &'a Library,
    pub(super) algebra: &'a Algebra,
    pub(super) generics: &'a [String],
    /// The size of each dimension that has been met.
    pub(super) lens: HashMap<(String, usize), Cost>,
    /// How many entries each workspace and each result has.
    pub(super) stored: HashMap<String, Cost>,
    /// How often each of them is made.
    pub(super) declared: HashMap<String, Cost>,
    /// The size that each loop around runs over.
    pub(super) sizes: Vec<Cost>,
    /// How many times the steps that chance says each of them takes.
    skews: Vec<Cost>,
    /// Which share of each of them conditions on its index leave.
    shares: Vec<Cost>,
    /// How often the body of each loop around runs.
    pub(super) reached: Vec<Cost>,
    /// Workspaces that are made in the loop that is looked at, and leave something out.
    pub(super) within: Vec<String>,
    /// Scalars that are made in it: what is written to them is nothing to the loop by itself.
    pub(super) scalars: Vec<String>,
    /// What loops go through, where that is known.
    pub(super) visits: Option<Visited>,
    /// Whether the loop around takes words of bits, each of which is computed and written at once.
    words: bool,
    /// Whether some loop around visits what nothing stores, so that chances say nothing.
    in_vain: bool,
    /// The types of scalars.
    types: HashMap<String, Ty>,
    /// Where results and workspaces are named.
    pub(super) named: HashMap<String, Ident>,
    pub(super) out: Count,
}

impl<'a> Counter<'a> {
    /// Statements that are reached `entered` times, in the loops `bound`, where all of `conds` hold.
    fn block(
        &mut self,
        block: &'a Block,
        bound: &mut Vec<String>,
        entered: &Cost,
        conds: &mut Vec<&'a Expr>,
    ) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, bound, entered, conds));
    }

    fn stmt(
        &mut self,
        stmt: &'a Stmt,
        bound: &mut Vec<String>,
        entered: &Cost,
        conds: &mut Vec<&'a Expr>,
    ) {
        match stmt {
            Stmt::For { indices, body, extent, .. } => {
                self.nest((indices, extent.as_ref()), body, bound, entered, conds);
            }
            Stmt::Assign { target, value, .. } => {
                let mut takes = entered.times(&Cost::number(weights::COMPUTE));
                // What inner loops do not choose is held while they run.
                let mut each = |by: &[Index], time: f64| {
                    let named: HashSet<String> = by.iter().flat_map(|i| names(&i.expr)).collect();
                    let last = bound.iter().rposition(|i| named.contains(i));
                    let often = last.and_then(|d| self.reached.get(d)).unwrap_or(entered);
                    takes = std::mem::take(&mut takes).plus(&often.times(&Cost::number(time)));
                };
                weights::looked_up(self, value, &mut each);
                weights::written(self, target, &mut each);
                if !self.words {
                    self.takes(&takes);
                }
                self.written(target, entered);
            }
            Stmt::If { cond, then, otherwise } => {
                conds.push(cond);
                self.block(then, bound, entered, conds);
                conds.pop();
                let never = Cost::zero();
                let entered = if is_number(cond) { &never } else { entered };
                otherwise.iter().for_each(|b| self.block(b, bound, entered, conds));
            }
            Stmt::Where { consumer, producer } => {
                self.block(producer, bound, entered, conds);
                self.block(consumer, bound, entered, conds);
            }
            Stmt::Block(block) => self.block(block, bound, entered, conds),
            Stmt::Workspace { name, ty, .. } => {
                let chain = self.library.resolved(ty, self.generics).ok();
                self.chains.insert(name.to_string(), (chain, true));
                self.typed(name, ty);
                self.stored.insert(name.to_string(), Cost::zero());
                self.declared.insert(name.to_string(), entered.clone());
                self.named.insert(name.to_string(), name.clone());
            }
            Stmt::Remove { target, .. } => self.removed(target),
            Stmt::Let { .. } | Stmt::Pass(_) => {}
        }
    }

    fn nest(
        &mut self,
        (indices, extent): (&[Ident], Option<&(Expr, Expr)>),
        body: &'a Block,
        bound: &mut Vec<String>,
        entered: &Cost,
        conds: &mut Vec<&'a Expr>,
    ) {
        let (outside, around) = (bound.len(), self.in_vain);
        let mut entered = entered.clone();
        for (n, index) in indices.iter().enumerate() {
            let i = index.to_string();
            let len = self.len(&i, body, conds);
            let len = self.extent(index, extent, len, bound);
            self.within.clear();
            self.scalars.clear();
            body.stmts.iter().for_each(|stmt| self.workspaces(stmt));
            let walked = self.walked(body, &i, bound, conds);
            let words = n + 1 == indices.len() && stretches::by_words(self, body, &i);
            let visit = self.visit(index, bound);
            let (walked, in_vain) = match visit {
                Some(visit) if !words => visit.beside(walked),
                _ => (walked, Vec::new()),
            };
            self.in_vain |= !in_vain.is_empty();
            let found = self.visits.is_some() && walked.is_some() && !words;
            // A run is written at once, and so are the bits of a word.
            let at_once = words
                || walked.is_some()
                    && stretches::read_runs(self, body, &i) > 0
                    && stretches::written_at_once(self, body, &i);
            let along = weights::walk(self, body, &i, walked.as_ref().map_or(0, |(_, many)| *many));
            let len_steps = || if words { len.over(&Cost::number(64.0)) } else { len.clone() };
            let skew = walked.as_ref().filter(|_| !words).and_then(|(steps, many)| {
                let all = self.shares.iter().fold(entered.clone(), |all, share| all.over(share));
                self.skew(body, &i, bound, &all, (steps, *many), conds)
            });
            let share = self.share(body, &i, bound, conds).filter(|_| !words);
            let share = share.unwrap_or(Cost::number(1.0));
            let steps = entered.times(&share).times(&match walked {
                Some((steps, _)) if !words => steps,
                _ => len_steps(),
            });
            self.takes(&entered.times(&Cost::number(weights::ENTER)));
            if body.stmts.iter().any(|stmt| self.sorts(stmt, &i)) {
                self.takes(&entered.times(&Cost::number(weights::SORT)));
            }
            let inner = n + 1 == indices.len() && !body.stmts.iter().any(has_loop);
            let skew = skew.unwrap_or(Cost::number(1.0));
            let each = if words { weights::WORD } else { along.of(inner) };
            self.takes(&steps.times(&skew).times(&Cost::number(each)));
            if inner && !words {
                self.asks(body, &i, &steps.times(&skew));
            }
            self.out.loops.push(Loop {
                depth: bound.len(),
                index: i.clone(),
                steps: steps.clone(),
                span: index.span(),
                in_vain,
            });
            bound.push(i);
            self.sizes.push(len.clone());
            self.skews.push(skew.clone());
            self.shares.push(share.clone());
            let all = self.sizes.iter().chain(&self.skews).chain(&self.shares);
            let all = all.fold(Cost::number(1.0), |all, one| all.times(one));
            entered = match self.chance(body, bound, conds) {
                _ if at_once => steps.times(&skew),
                Some(chance) if !self.in_vain => all.times(&chance),
                // What is met along the way has one execution for each step.
                None if found => steps,
                _ => entered.times(&len).times(&skew).times(&share),
            };
            self.reached.push(entered.clone());
        }
        self.words =
            indices.last().is_some_and(|i| stretches::by_words(self, body, &i.to_string()));
        self.block(body, bound, &entered, conds);
        self.words = false;
        bound.truncate(outside);
        self.in_vain = around;
        self.sizes.truncate(outside);
        self.skews.truncate(outside);
        self.shares.truncate(outside);
        self.reached.truncate(outside);
    }

    /// Takes what the conditions in `body` look up by `i` in each of `steps`.
    fn asks(&mut self, body: &Block, i: &str, steps: &Cost) {
        let mut time = 0.0;
        for stmt in &body.stmts {
            for cond in guards::conditions(stmt).into_iter().chain(asked(stmt)) {
                weights::looked_up(self, cond, &mut |by, _| {
                    let own = by.last().filter(|at| names(&at.expr).contains(i));
                    time += own.map_or(0.0, |_| weights::ASK);
                });
            }
        }
        self.takes(&steps.times(&Cost::number(time)));
    }

    /// Whether a loop over `i` around `stmt` goes along the entries of a workspace, which may have to be put in order first.
    fn sorts(&self, stmt: &Stmt, i: &str) -> bool {
        uses(stmt).iter().any(|u| {
            let Some(name) =
                u.name.filter(|n| !u.write && self.declared.contains_key(&n.to_string()))
            else {
                return false;
            };
            let along = |(names, located): &(Vec<String>, bool)| !located && names[..] == [i];
            let levels = self.chain(name).map_or(&[][..], |chain| &chain.levels);
            let sorts = |l: &LevelDecl| l.write.as_ref().is_some_and(|w| w.sort.is_some());
            u.dims.iter().zip(levels).any(|(dim, level)| along(dim) && sorts(level.level()))
        })
    }

    pub(super) fn takes(&mut self, time: &Cost) {
        self.out.time = std::mem::take(&mut self.out.time).plus(time);
    }

    /// Notes how many entries a workspace or a result gets.
    fn written(&mut self, target: &Expr, entered: &Cost) {
        let Expr::Access { name, indices, .. } = target else { return };
        let name = name.to_string();
        let Some(declared) = self.declared.get(&name) else { return };
        let each = entered.over(declared);
        let dims: Vec<Part> =
            (0..indices.len()).map(|d| self.lens.get(&(name.clone(), d)).cloned()).collect();
        let most = dims.into_iter().try_fold(Cost::number(1.0), |a, b| Some(a.times(&b?)));
        if self.stored.get(&name).is_some_and(|stored| *stored == Cost::zero()) {
            self.makes(&name);
        }
        let stored = self.stored.remove(&name).unwrap_or_default().plus(&each);
        let stored = Cost::least(std::iter::once(stored).chain(most));
        self.stored.insert(name, stored);
    }

    /// Takes what it costs to make a result or a workspace: that has a place for all coordinates of the levels that have one for each,
    /// once, or each time if it is not cleared by what was written to it.
    fn makes(&mut self, name: &str) {
        let Some((Some(chain), _)) = self.chains.get(name) else { return };
        if self.visits.is_some() {
            return self.makes_room(name);
        }
        let (mut places, mut each, mut dims) = (Cost::number(1.0), weights::MAKE, 0);
        for (d, level) in chain.levels[..chain.levels.len() - 1].iter().enumerate() {
            let Some(len) = self.lens.get(&(name.to_owned(), d)) else { return };
            if !level.level().has_places() {
                break;
            }
            places = places.times(len);
            each = weights::made(level.level());
            dims += 1;
        }
        if dims > 0 {
            let often = self.often(name, places);
            self.takes(&often.times(&Cost::number(each)));
        }
    }

    /// How many places of the tensor `name`, which has so many, are made.
    pub(super) fn often(&self, name: &str, places: Cost) -> Cost {
        let Some((Some(chain), _)) = self.chains.get(name) else { return places };
        let first = chain.levels[0].level().write.as_ref();
        let cleared = chain.levels.len() == 2 && first.is_some_and(|w| w.clear.is_some());
        match self.declared.get(name).filter(|_| !cleared) {
            Some(declared) => places.times(declared),
            None => places,
        }
    }

    /// The size of the dimensions that `i` runs over within `body`.
    fn len(&mut self, i: &str, body: &Block, conds: &[&Expr]) -> Cost {
        let mut dims: Vec<(String, usize)> = Vec::new();
        let mut note = |name: &str, dim: usize, expr: &Expr| {
            if matches!(expr, Expr::Name(index) if index == i) {
                dims.push((name.to_owned(), dim));
            }
        };
        body.stmts.iter().for_each(|s| exprs(s, &mut |e| accesses(e, &mut note)));
        conds.iter().for_each(|e| accesses(e, &mut note));
        let known = dims.iter().find_map(|at| self.lens.get(at)).cloned();
        let of = |(tensor, dim): &(String, usize)| {
            let (tensor, dim, index) = (tensor.clone(), *dim, i.to_owned());
            Cost::atom(Atom::Len { tensor, dim, index })
        };
        let first = || dims.iter().find(|(name, _)| self.inputs.contains(name)).map(of);
        let len = known.or_else(first).unwrap_or_else(|| {
            // Some extent that is no operand's.
            self.out.known = false;
            let (tensor, index) = (String::new(), i.to_owned());
            Cost::atom(Atom::Len { tensor, dim: 0, index })
        });
        for at in dims {
            self.lens.entry(at).or_insert_with(|| len.clone());
        }
        len
    }

    /// Notes the type of `name`, if that has no format.
    fn typed(&mut self, name: &Ident, ty: &syn::Type) {
        if self.chain(name).is_none() {
            self.types.insert(name.to_string(), Ty::named(&text(ty)));
        }
    }

    /// The chain of a tensor, if it is one.
    pub(super) fn chain(&self, name: &Ident) -> Option<&Chain> {
        self.chains.get(&name.to_string())?.0.as_ref()
    }
}

/// What weights ask of tensors.
pub trait Formats {
    /// The format of the tensor `name`.
    fn format(&self, name: &Ident) -> Option<&Chain>;
    /// The type of the scalar `name`.
    fn scalar(&self, name: &Ident) -> Option<Ty>;
}

impl Formats for Counter<'_> {
    fn format(&self, name: &Ident) -> Option<&Chain> {
        self.chain(name)
    }

    fn scalar(&self, name: &Ident) -> Option<Ty> {
        self.types.get(&name.to_string()).cloned()
    }
}

/// The value of `stmt`, if it says whether anything is written.
fn asked(stmt: &Stmt) -> Option<&Expr> {
    let Stmt::Assign { op, value, .. } = guards::assignment(stmt)? else { return None };
    op.as_ref().is_some_and(|op| matches!(op.op, Op::Or | Op::BitOr)).then_some(value)
}
