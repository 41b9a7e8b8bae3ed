//! What the loops of a program cost: how often each of them runs, and what that takes.
//!
//! Entries are taken to lie anywhere, each coordinate as likely as another. A loop along one sparse operand takes as many
//! steps as that has entries there; a loop along several of a product goes through all of them, and a loop along several
//! of a sum too (Ahrens et al., *Autoscheduling for Sparse Tensor Algebra with an Asymptotic Cost Model*, PLDI 2022, counts so; the
//! estimate of how many are stored is the uniform one of Deeds et al., *Galley*, SIGMOD 2025, section 6).

use super::cost::{Atom, Cost};
use super::indices::names;
use super::visit::{accesses, exprs, has_loop};
use super::walk::Walk;
use super::weights;
use crate::ast::{Block, Expr, Index, Passing, Program, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::{fill_literal, Chain, Library};
use proc_macro2::Ident;
use std::collections::HashMap;

/// A loop, and how often it runs.
pub struct Loop {
    /// How many stand around it.
    pub depth: usize,
    /// Its index.
    pub index: String,
    /// How often its body runs, all together.
    pub steps: Cost,
}

/// What a program costs.
pub struct Count {
    /// Its loops, in order.
    pub loops: Vec<Loop>,
    /// About how many nanoseconds it takes.
    pub time: Cost,
    /// Whether all sizes are known when the kernel is called.
    pub known: bool,
    /// The sizes of the operands.
    pub dims: Vec<(String, Vec<Cost>)>,
}

/// Counts the loops of `program`, whose tensors have the formats `chains`, with whether they are results that start empty.
pub fn count(
    program: &Program,
    chains: HashMap<String, (Option<Chain>, bool)>,
    library: &Library,
    generics: &[String],
) -> Count {
    // Memory that is passed by value for a result has sizes and entries of its own.
    let inputs = program.params.iter().filter(|p| p.passing != Passing::Value);
    let inputs = inputs.map(|p| p.name.to_string()).collect();
    let outputs = || program.outputs.iter().map(|o| o.name.to_string());
    let mut counter = Counter {
        inputs,
        chains,
        library,
        generics,
        lens: HashMap::new(),
        stored: outputs().map(|name| (name, Cost::zero())).collect(),
        declared: outputs().map(|name| (name, Cost::number(1.0))).collect(),
        sizes: Vec::new(),
        reached: Vec::new(),
        out: Count { loops: Vec::new(), time: Cost::zero(), known: true, dims: Vec::new() },
    };
    counter.block(&program.body, &mut Vec::new(), &Cost::number(1.0), &mut Vec::new());
    let Counter { inputs, lens, mut out, .. } = counter;
    for name in inputs {
        let dims = (0..).map_while(|d| lens.get(&(name.clone(), d)).cloned()).collect();
        out.dims.push((name, dims));
    }
    out
}

/// A chance or a number of steps; none where nothing is left out.
type Part = Option<Cost>;

/// Of what is there where both are.
fn both(a: Part, b: Part) -> Part {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.times(&b)),
        (a, b) => a.or(b),
    }
}

/// Of what is there where either is.
fn either(a: Part, b: Part) -> Part {
    match (a, b) {
        (Some(a), Some(b)) if a == b => Some(a),
        (Some(a), Some(b)) => Some(a.plus(&b)),
        _ => None,
    }
}

struct Counter<'a> {
    inputs: Vec<String>,
    chains: HashMap<String, (Option<Chain>, bool)>,
    library: &'a Library,
    generics: &'a [String],
    /// The size of each dimension that has been met.
    lens: HashMap<(String, usize), Cost>,
    /// How many entries each workspace and each result has.
    stored: HashMap<String, Cost>,
    /// How often each of them is made.
    declared: HashMap<String, Cost>,
    /// The size that each loop around runs over.
    sizes: Vec<Cost>,
    /// How often the body of each loop around runs.
    reached: Vec<Cost>,
    out: Count,
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
            Stmt::For { indices, body, .. } => self.nest(indices, body, bound, entered, conds),
            Stmt::Assign { target, value, .. } => {
                self.takes(&entered.times(&Cost::number(weights::of(self, value))));
                // An element that inner loops reduce into is held while they run.
                let named = names(target);
                let last = bound.iter().rposition(|i| named.contains(i));
                let writes = last.and_then(|d| self.reached.get(d)).unwrap_or(entered);
                let writes = writes.times(&Cost::number(weights::written(self, target)));
                self.takes(&writes);
                self.written(target, entered);
            }
            Stmt::If { cond, then, otherwise } => {
                conds.push(cond);
                self.block(then, bound, entered, conds);
                conds.pop();
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
                self.stored.insert(name.to_string(), Cost::zero());
                self.declared.insert(name.to_string(), entered.clone());
            }
            Stmt::Remove { .. } | Stmt::Let { .. } | Stmt::Pass(_) => {}
        }
    }

    fn nest(
        &mut self,
        indices: &[Ident],
        body: &'a Block,
        bound: &mut Vec<String>,
        entered: &Cost,
        conds: &mut Vec<&'a Expr>,
    ) {
        let outside = bound.len();
        let mut entered = entered.clone();
        for (n, i) in indices.iter().map(Ident::to_string).enumerate() {
            let len = self.len(&i, body, conds);
            let walked = self.walked(body, &i, bound, conds);
            let along = weights::walk(self, body, &i, walked.as_ref().map_or(0, |(_, many)| *many));
            let steps = entered.times(&walked.map_or_else(|| len.clone(), |(steps, _)| steps));
            self.takes(&entered.times(&Cost::number(weights::ENTER)));
            let inner = n + 1 == indices.len() && !body.stmts.iter().any(has_loop);
            self.takes(&steps.times(&Cost::number(along.of(inner))));
            self.out.loops.push(Loop { depth: bound.len(), index: i.clone(), steps });
            bound.push(i);
            self.sizes.push(len.clone());
            let all = self.sizes.iter().fold(Cost::number(1.0), |all, len| all.times(len));
            entered = match self.chance(body, bound, conds) {
                Some(chance) => all.times(&chance),
                None => entered.times(&len),
            };
            self.reached.push(entered.clone());
        }
        self.block(body, bound, &entered, conds);
        bound.truncate(outside);
        self.sizes.truncate(outside);
        self.reached.truncate(outside);
    }

    fn takes(&mut self, time: &Cost) {
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
        let stored = self.stored.remove(&name).unwrap_or_default().plus(&each);
        let stored = Cost::least(std::iter::once(stored).chain(most));
        self.stored.insert(name, stored);
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
        let Some(len) = known.or_else(first) else {
            // Some extent that is no operand's.
            self.out.known = false;
            let (tensor, index) = (String::new(), i.to_owned());
            return Cost::atom(Atom::Len { tensor, dim: 0, index });
        };
        for at in dims {
            self.lens.entry(at).or_insert_with(|| len.clone());
        }
        len
    }

    /// How many fibers or entries the first `dims` dimensions of a tensor have.
    fn fibers(&self, name: &str, dims: usize) -> Part {
        let chain = self.chains.get(name)?.0.as_ref()?;
        let rank = chain.levels.len() - 1;
        let sparse = |d: usize| {
            let level = chain.levels[d].level();
            level.leaves_out() || level.steps()
        };
        let stored = || match self.stored.get(name) {
            Some(stored) => stored.clone(),
            None => Cost::atom(Atom::Stored(name.to_owned())),
        };
        let mut all = Cost::number(1.0);
        for d in 0..dims.min(rank) {
            all = all.times(self.lens.get(&(name.to_owned(), d))?);
            if sparse(d) && (d + 1 < rank) {
                all = Cost::least([all, stored()]);
            }
        }
        let whole = !(0..rank).any(sparse);
        Some(if dims == rank && !whole { stored() } else { all })
    }

    /// How likely it is that something is stored of `e` where `bound` are.
    fn chance_of(&self, e: &Expr, bound: &[String]) -> Part {
        match e {
            Expr::Access { name, indices, .. } => {
                let given = |i: &&Index| names(&i.expr).iter().all(|n| bound.contains(n));
                let dims = indices.iter().take_while(given).count();
                let name = name.to_string();
                if dims == 0 || !self.leaves_out(&name, dims) {
                    return None;
                }
                let mut chance = self.fibers(&name, dims)?;
                for d in 0..dims {
                    chance = chance.over(self.lens.get(&(name.clone(), d))?);
                }
                Some(chance)
            }
            Expr::Call { op, args } => {
                let of = args.iter().map(|a| self.chance_of(a, bound));
                match self.joins(&op.op, args) {
                    Join::Product => of.reduce(both)?,
                    Join::Sum => of.reduce(either)?,
                    Join::First => self.chance_of(&args[0], bound),
                    Join::Nothing => None,
                }
            }
            _ => None,
        }
    }

    /// How a loop over `i` goes along `e`.
    fn walk_of(&self, e: &Expr, i: &str, bound: &[String]) -> Walk {
        match e {
            Expr::Access { name, indices, .. } => {
                let is = |x: &Index| matches!(&x.expr, Expr::Name(n) if n == i);
                let Some(d) = indices.iter().position(is) else {
                    let moved = names(e).contains(i);
                    return if moved { Walk::Whole } else { Walk::Constant };
                };
                let located = indices[d].protocol.as_ref().is_some_and(|p| p == "locate");
                let given = |x: &Index| names(&x.expr).iter().all(|n| bound.contains(n));
                let level = self.chain(name).and_then(|c| c.levels.get(d));
                let Some(level) = level.filter(|_| !located && indices[..d].iter().all(given))
                else {
                    return Walk::Whole;
                };
                let name = name.to_string();
                let steps = || Some(self.fibers(&name, d + 1)?.over(&self.fibers(&name, d)?));
                match (level.level().leaves_out(), level.level().steps(), steps()) {
                    (true, _, Some(steps)) => Walk::Along(steps, 1),
                    (false, true, Some(steps)) => Walk::Runs(steps),
                    _ => Walk::Whole,
                }
            }
            Expr::Call { op, args } => {
                let of = args.iter().map(|a| self.walk_of(a, i, bound));
                match self.joins(&op.op, args) {
                    Join::Product => Walk::beside(of.collect()),
                    Join::Sum => of.fold(Walk::Constant, Walk::together),
                    Join::First => match self.walk_of(&args[0], i, bound) {
                        along @ Walk::Along(..) => along,
                        _ => of.fold(Walk::Constant, Walk::together),
                    },
                    Join::Nothing => of.fold(Walk::Runs(Cost::zero()), Walk::together),
                }
            }
            Expr::Name(name) if name == i => Walk::Whole,
            _ => Walk::Constant,
        }
    }

    /// How likely it is that a statement of `block` does something where `bound` are.
    fn chance(&self, block: &Block, bound: &[String], conds: &[&Expr]) -> Part {
        let mut all: Option<Part> = None;
        self.each(block, conds, &mut |e| {
            let chance = e.iter().map(|e| self.chance_of(e, bound)).fold(None, both);
            all = Some(match all.take() {
                None => chance,
                Some(others) => either(others, chance),
            });
        });
        all.flatten()
    }

    /// How many steps a loop over `i` around `block` takes in one run of it, and how many operands it goes along; none if it
    /// takes all that there are.
    fn walked(
        &self,
        block: &Block,
        i: &str,
        bound: &[String],
        conds: &[&Expr],
    ) -> Option<(Cost, usize)> {
        let mut all: Option<Walk> = None;
        self.each(block, conds, &mut |e| {
            let walk = Walk::beside(e.iter().map(|e| self.walk_of(e, i, bound)).collect());
            all = Some(match all.take() {
                // Statements that go along the same do so together.
                Some(others) if others == walk => others,
                Some(others) => others.together(walk),
                None => walk,
            });
        });
        match all? {
            Walk::Along(steps, many) => Some((steps, many)),
            Walk::Runs(steps) if steps != Cost::zero() => Some((steps, 1)),
            _ => None,
        }
    }

    /// Calls `f` with what each assignment in `block` does nothing without: the conditions around it and its value.
    fn each(&self, block: &Block, conds: &[&Expr], f: &mut dyn FnMut(&[&Expr])) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Assign { target, op, value, .. } => {
                    let mut all = conds.to_vec();
                    let new = match target {
                        Expr::Access { name, .. } => {
                            self.chains.get(&name.to_string()).is_some_and(|(_, new)| *new)
                        }
                        _ => false,
                    };
                    // An assignment writes the fill too, unless that is there.
                    if op.is_some() || new {
                        all.push(value);
                    }
                    f(&all);
                }
                Stmt::For { body, .. } | Stmt::Block(body) => self.each(body, conds, f),
                Stmt::If { cond, then, otherwise } => {
                    let mut within = conds.to_vec();
                    within.push(cond);
                    self.each(then, &within, f);
                    otherwise.iter().for_each(|b| self.each(b, conds, f));
                }
                Stmt::Where { consumer, producer } => {
                    self.each(producer, conds, f);
                    self.each(consumer, conds, f);
                }
                Stmt::Remove { .. } => f(conds),
                Stmt::Let { .. } | Stmt::Workspace { .. } | Stmt::Pass(_) => {}
            }
        }
    }

    /// Whether the first `dims` levels of a tensor leave something out.
    fn leaves_out(&self, name: &str, dims: usize) -> bool {
        let chain = self.chains.get(name).and_then(|(chain, _)| chain.as_ref());
        chain.is_some_and(|c| c.levels.iter().take(dims).any(|l| l.level().leaves_out()))
    }

    fn fill(&self, e: &Expr) -> Option<Lit> {
        let Expr::Access { name, .. } = e else { return None };
        let chain = self.chains.get(&name.to_string())?.0.as_ref()?;
        fill_literal(chain.fill.as_ref()?, chain.value.to_string() == "bool")
    }

    /// How what is stored of the arguments of `op` makes what is there of it.
    fn joins(&self, op: &Op, args: &[Expr]) -> Join {
        let infinite = |e: &Expr| {
            let fill = self.fill(e);
            fill == Some(Lit::float(f64::INFINITY)) || fill == Some(Lit::float(f64::NEG_INFINITY))
        };
        match op {
            Op::Mul | Op::And | Op::BitAnd => Join::Product,
            Op::Add if args.iter().any(infinite) => Join::Product,
            Op::Add | Op::Sub | Op::Or | Op::BitOr | Op::BitXor | Op::Min | Op::Max | Op::Ne => {
                Join::Sum
            }
            Op::Neg | Op::Div | Op::Cast(_) => Join::First,
            Op::IfElse if matches!(args[2], Expr::Lit(Lit::Int(0), ..)) => Join::First,
            Op::Gt if matches!(args[1], Expr::Lit(..)) => Join::First,
            _ => Join::Nothing,
        }
    }

    /// The chain of a tensor, if it is one.
    pub(super) fn chain(&self, name: &Ident) -> Option<&Chain> {
        self.chains.get(&name.to_string())?.0.as_ref()
    }
}

/// How the operands of an operator meet.
enum Join {
    /// Where one stores nothing, nothing is there.
    Product,
    /// Where none stores anything, nothing is there.
    Sum,
    /// As the first one.
    First,
    /// Something is there in any case.
    Nothing,
}

/// What weights ask of tensors.
pub trait Formats {
    /// The format of the tensor `name`.
    fn format(&self, name: &Ident) -> Option<&Chain>;
}

impl Formats for Counter<'_> {
    fn format(&self, name: &Ident) -> Option<&Chain> {
        self.chain(name)
    }
}
