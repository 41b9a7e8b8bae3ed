//! How likely it is that a statement does something where some loops are, and how many steps the next loop takes there.

use super::cost::{Atom, Cost};
use super::count::Counter;
use super::indices::{along, names};
use super::laws::{self, Join};
use super::stretches;
use super::walk::Walk;
use crate::ast::{Block, Expr, Index, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::fill_literal;
use crate::methods::Zero;

/// A chance or a number of steps; none where nothing is left out.
pub(super) type Part = Option<Cost>;

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

impl Counter<'_> {
    /// Notes the workspaces that are made in `stmt` and leave something out, and the scalars.
    pub(super) fn workspaces(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Workspace { name, ty, .. } => match self.library.resolved(ty, self.generics) {
                Ok(c) if c.levels.iter().any(|l| l.level().leaves_out()) => {
                    self.within.push(name.to_string());
                }
                Ok(_) => {}
                Err(_) => self.scalars.push(name.to_string()),
            },
            Stmt::For { body, .. } | Stmt::Block(body) => {
                body.stmts.iter().for_each(|s| self.workspaces(s));
            }
            Stmt::If { then, otherwise, .. } => {
                let all = then.stmts.iter().chain(otherwise.iter().flat_map(|b| &b.stmts));
                all.for_each(|s| self.workspaces(s));
            }
            Stmt::Where { consumer, producer } => {
                let all = producer.stmts.iter().chain(&consumer.stmts);
                all.for_each(|s| self.workspaces(s));
            }
            _ => {}
        }
    }

    /// How many fibers or entries the first `dims` dimensions of a tensor have.
    pub(super) fn fibers(&self, name: &str, dims: usize) -> Part {
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
                // What a workspace has is there where it was written.
                if self.within.contains(&name) {
                    return Some(Cost::zero());
                }
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
                let Some(d) = indices.iter().position(|x| along(x, i)) else {
                    let moved = names(e).contains(i);
                    return if moved { Walk::Whole } else { Walk::Constant };
                };
                let located = indices[d].protocol.as_ref().is_some_and(|p| p == "locate");
                let given = |x: &Index| names(&x.expr).iter().all(|n| bound.contains(n));
                let level = self.chain(name).and_then(|c| c.levels.get(d));
                // What is found by coordinate alone is asked for at each of them.
                let goes =
                    |l: &&crate::formats::LevelUse| l.level().reads.iter().any(|r| !r.is_locate());
                let level = level.filter(goes);
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
                // Each once: products of many operands are nested as deeply.
                let of: Vec<Walk> = args.iter().map(|a| self.walk_of(a, i, bound)).collect();
                let runs = || args.iter().map(|a| stretches::runs_in(self, a, i)).sum::<usize>();
                let together = |of: Vec<Walk>| of.into_iter().reduce(Walk::together);
                match self.joins(&op.op, args) {
                    // How runs meet is no matter of chance: each ends, wherever the others are.
                    Join::Product if runs() > 1 => {
                        of.into_iter().fold(Walk::Constant, Walk::together)
                    }
                    Join::Product if args.iter().any(|a| leaps(a, i)) => Walk::leaping(of),
                    Join::Product => {
                        let others = self.beside(args.iter().zip(&of), i, bound);
                        Walk::beside(of, others)
                    }
                    Join::Sum => together(of).unwrap_or(Walk::Constant),
                    Join::First => match &of[0] {
                        along @ Walk::Along(..) => {
                            let mut others = Cost::zero();
                            args[1..].iter().for_each(|a| self.steps_in(a, i, bound, &mut others));
                            Walk::beside(vec![along.clone()], others)
                        }
                        _ => of.into_iter().fold(Walk::Constant, Walk::together),
                    },
                    Join::Nothing => of.into_iter().fold(Walk::Runs(Cost::zero()), Walk::together),
                }
            }
            Expr::Name(name) if name == i => Walk::Whole,
            _ => Walk::Constant,
        }
    }

    /// The steps along what is sparse in those of `factors` that are something where it is not stored, as `1 - s[j]` is.
    fn beside<'e>(
        &self,
        factors: impl Iterator<Item = (&'e Expr, &'e Walk)>,
        i: &str,
        bound: &[String],
    ) -> Cost {
        let mut steps = Cost::zero();
        for (factor, walk) in factors {
            match walk {
                Walk::Along(..) | Walk::Constant => {}
                Walk::Whole | Walk::Runs(_) => self.steps_in(factor, i, bound, &mut steps),
            }
        }
        steps
    }

    /// Adds the steps along all that is sparse in `e`.
    fn steps_in(&self, e: &Expr, i: &str, bound: &[String], steps: &mut Cost) {
        match e {
            Expr::Access { .. } => {
                if let Walk::Along(own, _) = self.walk_of(e, i, bound) {
                    *steps = std::mem::take(steps).plus(&own);
                }
            }
            Expr::Call { args, .. } => args.iter().for_each(|a| self.steps_in(a, i, bound, steps)),
            _ => {}
        }
    }

    /// How likely it is that a statement of `block` does something where `bound` are.
    pub(super) fn chance(&self, block: &Block, bound: &[String], conds: &[&Expr]) -> Part {
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
    pub(super) fn walked(
        &self,
        block: &Block,
        i: &str,
        bound: &[String],
        conds: &[&Expr],
    ) -> Option<(Cost, usize)> {
        let mut all: Option<Walk> = None;
        self.each(block, conds, &mut |e| {
            let walks: Vec<Walk> = e.iter().map(|e| self.walk_of(e, i, bound)).collect();
            let others = self.beside(e.iter().copied().zip(&walks), i, bound);
            let walk = Walk::beside(walks, others);
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
                Stmt::Assign { target: Expr::Name(name), .. }
                    if self.scalars.iter().any(|s| name == s) => {}
                Stmt::Assign { target, op, value, .. } => {
                    let mut all = conds.to_vec();
                    let new = match target {
                        Expr::Access { name, .. } => {
                            let (name, chains) = (name.to_string(), &self.chains);
                            self.within.contains(&name)
                                || chains.get(&name).is_some_and(|(_, new)| *new)
                        }
                        _ => false,
                    };
                    // An assignment writes the fill too, unless that is there, and a reduction all that is not idle.
                    let writes = match (op.as_ref(), self.at_fill(value), self.fill(target)) {
                        (None, Some(value), Some(held)) => !new || value != held,
                        (None, ..) => !new,
                        (Some(_), None, _) => false,
                        (Some(op), Some(value), held) => {
                            let held = new && held.as_ref() == Some(&value);
                            !(laws::idle(self.algebra, &op.op, &value)
                                || held && laws::idempotent(self.algebra, &op.op))
                        }
                    };
                    if !writes {
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

    /// What `e` is where none of its operands stores anything, or not all that it needs, if that is known.
    fn at_fill(&self, e: &Expr) -> Option<Lit> {
        let Expr::Call { op, args } = e else {
            return match e {
                Expr::Lit(lit, ..) => Some(lit.clone()),
                _ => self.fill(e),
            };
        };
        let mut fills = args.iter().map(|a| self.at_fill(a));
        match self.joins(&op.op, args) {
            Join::Product => fills.flatten().find(|f| laws::annihilates(self.algebra, &op.op, f)),
            Join::Sum => {
                let first = fills.next()??;
                fills.all(|f| f.as_ref() == Some(&first)).then_some(first)
            }
            Join::First if keeps_zero(&op.op) => fills.next()?.filter(|f| *f == Lit::Int(0)),
            _ => None,
        }
    }

    /// How what is stored of the arguments of `op` makes what is there of it.
    pub(super) fn joins(&self, op: &Op, args: &[Expr]) -> Join {
        match op {
            Op::Coalesce if matches!(&args[1..], [Expr::Lit(x, ..)] if self.fill(&args[0]).as_ref() == Some(x)) => {
                Join::First
            }
            Op::IfElse if matches!(args[2], Expr::Lit(Lit::Int(0), ..)) => Join::First,
            Op::Gt if matches!(args[1], Expr::Lit(..)) => Join::First,
            Op::Method(method) if method.row().zero == Zero::Power && !is_positive(&args[1]) => {
                Join::Nothing
            }
            _ => {
                let fills: Vec<_> = args.iter().map(|e| self.fill(e)).collect();
                laws::joins(self.algebra, op, &fills)
            }
        }
    }
}

/// Whether `op` makes 0 of 0, whatever else it takes.
fn keeps_zero(op: &Op) -> bool {
    match op {
        Op::Neg | Op::Div | Op::Rem | Op::Shl | Op::Shr | Op::Cast(_) | Op::As(_) => true,
        Op::Method(method) => !op.is_predicate() && method.row().zero != Zero::Other,
        _ => false,
    }
}

fn is_positive(e: &Expr) -> bool {
    match e {
        Expr::Lit(Lit::Int(n), ..) => *n > 0,
        Expr::Lit(Lit::Float(bits), ..) => f64::from_bits(*bits) > 0.0,
        _ => false,
    }
}

/// Whether the access `e` is gone through along `i` by leaps.
fn leaps(e: &Expr, i: &str) -> bool {
    let Expr::Access { indices, .. } = e else { return false };
    let own = |x: &Index| matches!(&x.expr, Expr::Name(n) if n == i);
    indices.iter().any(|x| own(x) && x.protocol.as_ref().is_some_and(|p| p == "gallop"))
}
