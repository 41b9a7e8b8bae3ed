//! How likely it is that a statement does something where some loops are, and how many steps the next loop takes there.

use super::cost::{Atom, Cost};
use super::count::Counter;
use super::indices::{along, names};
use super::laws::{self, Join};
use super::presence::{Fiber, Presence};
use super::stretches;
use super::turn::accesses;
use super::walk::{Along, Walk};
use crate::ast::{Block, Expr, Index, Stmt};
use crate::cin::{Lit, Op};
use crate::formats::fill_literal;
use crate::methods::Zero;
use crate::types::Ty;

/// A chance or a number of entries; none where nothing is left out.
pub(super) type Part = Option<Cost>;

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

    /// Where something is stored of `e`, as far as the indices `bound` say.
    fn presence<'e>(&self, e: &'e Expr, bound: &[String]) -> Presence<'e> {
        match e {
            Expr::Access { name, indices, .. } => {
                let given = |i: &&Index| names(&i.expr).iter().all(|n| bound.contains(n));
                let dims = indices.iter().take_while(given).count();
                let tensor = name.to_string();
                // What a workspace has is there where it was written.
                if self.within.contains(&tensor) {
                    return Presence::never();
                }
                if dims == 0 || !self.leaves_out(&tensor, dims) {
                    return Presence::Always;
                }
                let len = |d| self.lens.get(&(tensor.clone(), d));
                let all = self.fibers(&tensor, dims);
                let chance = (0..dims).try_fold(all, |chance, d| Some(Some(chance?.over(len(d)?))));
                match chance.flatten() {
                    Some(chance) => Presence::stored(name, &indices[..dims], chance),
                    None => Presence::Always,
                }
            }
            Expr::Call { op, args } => {
                let of = args.iter().map(|a| self.presence(a, bound));
                let all = match self.joins(&op.op, args) {
                    Join::Product => of.reduce(Presence::both),
                    Join::Sum => of.reduce(Presence::either),
                    Join::Of(n) => args.get(n).map(|a| self.presence(a, bound)),
                    Join::Nothing => None,
                };
                all.unwrap_or(Presence::Always)
            }
            _ => Presence::Always,
        }
    }

    /// How a loop over `i` goes along `e`.
    fn walk_of<'e>(&self, e: &'e Expr, i: &str, bound: &[String]) -> Walk<'e> {
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
                let tensor = name.to_string();
                let steps = || Some(self.fibers(&tensor, d + 1)?.over(&self.fibers(&tensor, d)?));
                match (level.level().leaves_out(), level.level().steps(), steps()) {
                    (true, _, Some(steps)) => Walk::along(Fiber::new(name, &indices[..=d]), steps),
                    (false, true, Some(steps)) => {
                        Walk::along_runs(Fiber::new(name, &indices[..=d]), steps)
                    }
                    _ => Walk::Whole,
                }
            }
            Expr::Call { op, args } => {
                // Each once: products of many operands are nested as deeply.
                let of: Vec<Walk<'e>> = args.iter().map(|a| self.walk_of(a, i, bound)).collect();
                let runs = || args.iter().map(|a| stretches::runs_in(self, a, i)).sum::<usize>();
                let together = |of: Vec<Walk<'e>>| of.into_iter().reduce(Walk::together);
                match self.joins(&op.op, args) {
                    // How runs meet is no matter of chance: each ends, wherever the others are.
                    Join::Product if runs() > 1 => {
                        of.into_iter().fold(Walk::Constant, Walk::together)
                    }
                    Join::Product if args.iter().any(|a| leaps(a, i)) => Walk::leaping(of),
                    Join::Product => {
                        let others = self.beside(args.iter().zip(of.iter().cloned()), i, bound);
                        Walk::beside(of, others)
                    }
                    Join::Sum => together(of).unwrap_or(Walk::Constant),
                    Join::Of(n) => match &of[n] {
                        along @ (Walk::Along(_) | Walk::Leaping(_)) => {
                            let mut others = Along::default();
                            let beside = args.iter().enumerate().filter(|(m, _)| *m != n);
                            beside.for_each(|(_, a)| self.steps_in(a, i, bound, &mut others));
                            Walk::beside(vec![along.clone()], others)
                        }
                        _ => of.into_iter().fold(Walk::Constant, Walk::together),
                    },
                    Join::Nothing => of.into_iter().fold(Walk::Runs(Vec::new()), Walk::together),
                }
            }
            Expr::Name(name) if name == i => Walk::Whole,
            _ => Walk::Constant,
        }
    }

    /// The steps along what is sparse in those of `factors` that are something where it is not stored, as `1 - s[j]` is.
    fn beside<'e>(
        &self,
        factors: impl Iterator<Item = (&'e Expr, Walk<'e>)>,
        i: &str,
        bound: &[String],
    ) -> Along<'e> {
        let mut steps = Along::default();
        for (factor, walk) in factors {
            match walk {
                Walk::Along(_) | Walk::Leaping(_) | Walk::Constant => {}
                Walk::Whole | Walk::Runs(_) => self.steps_in(factor, i, bound, &mut steps),
            }
        }
        steps
    }

    /// Adds the steps along all that is sparse in `e`.
    fn steps_in<'e>(&self, e: &'e Expr, i: &str, bound: &[String], steps: &mut Along<'e>) {
        match e {
            Expr::Access { .. } => steps.also(self.walk_of(e, i, bound)),
            Expr::Call { args, .. } => args.iter().for_each(|a| self.steps_in(a, i, bound, steps)),
            _ => {}
        }
    }

    /// How likely it is that a statement of `block` does something where `bound` are.
    pub(super) fn chance(&self, block: &Block, bound: &[String], conds: &[&Expr]) -> Part {
        let mut all: Option<Presence<'_>> = None;
        self.each(block, conds, &mut |e| {
            let of = e.iter().map(|e| self.presence(e, bound));
            let own = of.fold(Presence::Always, Presence::both);
            all = Some(match all.take() {
                None => own,
                Some(others) => others.either(own),
            });
        });
        all?.chance()
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
        let mut all: Option<Walk<'_>> = None;
        self.each(block, conds, &mut |e| {
            let walks: Vec<Walk<'_>> = e.iter().map(|e| self.walk_of(e, i, bound)).collect();
            let others = self.beside(e.iter().copied().zip(walks.clone()), i, bound);
            let walk = Walk::beside(walks, others);
            all = Some(match all.take() {
                Some(others) => others.together(walk),
                None => walk,
            });
        });
        match all? {
            Walk::Runs(steps) if steps.is_empty() => None,
            walk => walk.steps(),
        }
    }

    /// Calls `f` with what each assignment in `block` does nothing without: the conditions around it and its value.
    pub(super) fn each<'e>(
        &self,
        block: &'e Block,
        conds: &[&'e Expr],
        f: &mut dyn FnMut(&[&'e Expr]),
    ) {
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

    /// Whether `args` are made of elements that cannot be less than 0.
    fn unsigned(&self, args: &[Expr]) -> bool {
        let mut read = Vec::new();
        args.iter().for_each(|e| accesses(e, &mut read));
        let from_0 = |e: &&Expr| match e {
            Expr::Access { name, .. } => {
                let chain = self.chains.get(&name.to_string()).and_then(|(c, _)| c.as_ref());
                chain.and_then(|c| Ty::of(&c.value).limits()).is_some_and(|(least, _)| least == 0)
            }
            _ => false,
        };
        !read.is_empty() && read.iter().all(from_0)
    }

    /// What `e` is where none of its operands stores anything, or not all that it needs, if that is known.
    fn at_fill(&self, e: &Expr) -> Option<Lit> {
        let (None, Expr::Call { op, args }) = (literal(e), e) else {
            return literal(e).or_else(|| self.fill(e));
        };
        if let (true, [a, b]) = (op.op.is_comparison(), &args[..]) {
            return laws::compares(&op.op, &self.at_fill(a)?, &self.at_fill(b)?).map(Lit::Bool);
        }
        let mut fills = args.iter().map(|a| self.at_fill(a));
        match self.joins(&op.op, args) {
            Join::Product => {
                let unsigned = self.unsigned(args);
                fills.flatten().find(|f| laws::annihilates(self.algebra, &op.op, f, unsigned))
            }
            Join::Sum => {
                let first = fills.next()??;
                let none = matches!(first, Lit::Int(0) | Lit::Bool(false));
                if !none && !matches!(op.op, Op::Min | Op::Max) {
                    return None;
                }
                fills.all(|f| f.as_ref() == Some(&first)).then_some(first)
            }
            Join::Of(0) if keeps_zero(&op.op) => fills.next()?.filter(|f| *f == Lit::Int(0)),
            _ => None,
        }
    }

    /// How the arguments of the comparison `op` meet: where it does not hold of their fills, one of them has to be stored.
    fn compared(&self, op: &Op, args: &[Expr]) -> Join {
        let [a, b] = args else { return Join::Nothing };
        let fills = (self.at_fill(a), self.at_fill(b));
        match (fills, a, b) {
            ((Some(x), Some(y)), ..) if laws::compares(op, &x, &y) != Some(false) => Join::Nothing,
            ((Some(_), Some(_)), _, b) if literal(b).is_some() => Join::Of(0),
            ((Some(_), Some(_)), a, _) if literal(a).is_some() => Join::Of(1),
            ((Some(_), Some(_)), ..) => Join::Sum,
            _ if *op == Op::Ne => Join::Sum,
            _ => Join::Nothing,
        }
    }

    /// How what is stored of the arguments of `op` makes what is there of it.
    pub(super) fn joins(&self, op: &Op, args: &[Expr]) -> Join {
        match op {
            Op::Coalesce if matches!(&args[1..], [Expr::Lit(x, ..)] if self.fill(&args[0]).as_ref() == Some(x)) => {
                Join::Of(0)
            }
            Op::IfElse if matches!(args[2], Expr::Lit(Lit::Int(0), ..)) => Join::Of(0),
            op if op.is_comparison() => self.compared(op, args),
            Op::Method(method) if method.row().zero == Zero::Power && !is_positive(&args[1]) => {
                Join::Nothing
            }
            _ => {
                let fills: Vec<_> = args.iter().map(|e| self.fill(e)).collect();
                laws::joins(self.algebra, op, &fills, self.unsigned(args))
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

/// The value of a literal, or of one with a sign.
fn literal(e: &Expr) -> Option<Lit> {
    match e {
        Expr::Lit(lit, ..) => Some(lit.clone()),
        Expr::Call { op, args } if op.op == Op::Neg => match literal(args.first()?)? {
            Lit::Int(0) => Some(Lit::Float((-0.0f64).to_bits())),
            Lit::Int(n) => n.checked_neg().map(Lit::Int),
            Lit::Float(bits) => Some(Lit::float(-f64::from_bits(bits))),
            _ => None,
        },
        _ => None,
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
