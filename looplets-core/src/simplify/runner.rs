//! Saturation under limits, with a memory.
//!
//! A kernel simplifies hundreds of terms inside rustc, in an unoptimised proc macro. So: rules are
//! parsed once and indexed by root operator; a term seen before, up to names, costs a look-up; and
//! the limits are iterations and nodes, never the clock, so that the result is always the same.

use super::analysis::Leaves;
use super::canon::{binders, Canon, Key, Map, Term};
use super::convert::{add_expr, add_stmt};
use super::extract::Extractor;
use super::facts::{Facts, LeafFact, Sort};
use super::graph::Graph;
use super::index_terms::IndexTerms;
use super::language::{Node, Sym};
use super::matcher::{instantiate, matches, Binding};
use super::rule::{Rule, RuleSet};
use crate::cin::{AccessId, ArrayId, Expr, Lit, Op, RawId, Stmt, VarId};
use egg::Id;
use std::collections::BTreeMap;

/// The number of subterms from which on a statement is simplified piece by piece.
const LARGE: usize = 500;

/// When to stop looking.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Rounds of matching all rules.
    pub iterations: usize,
    /// Nodes in the e-graph, checked before each application.
    pub nodes: usize,
    /// Matches of one rule at one node.
    pub matches: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { iterations: 12, nodes: 4_000, matches: 32 }
    }
}

/// What a [`Simplifier`] has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Terms asked for that are not a leaf or a literal.
    pub terms: usize,
    /// Of those, the ones remembered.
    pub memo_hits: usize,
    /// The most nodes one term needed.
    pub max_nodes: usize,
    /// The nodes of all terms not remembered.
    pub total_nodes: usize,
    /// The iterations of all terms not remembered.
    pub iterations: usize,
    /// Applications of rules that found something new, in all terms not remembered.
    pub applied: usize,
    /// Terms left as they were because the rules contradict each other on them.
    pub refused: usize,
}

/// A result, and the watched rules that acted on the way to it.
struct Found {
    term: Term,
    watched: Vec<usize>,
}

/// What is wrong with rules that were brought in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Their names.
    pub rules: Vec<String>,
    /// They contradict each other or the standard rules; else they come to no end.
    pub contradiction: bool,
}

/// Simplifies terms by a set of rules.
pub struct Simplifier {
    rules: RuleSet,
    limits: Limits,
    memo: Map<Key, Found>,
    complaint: Option<Complaint>,
    fired: BTreeMap<usize, usize>,
    statistics: Statistics,
    variants: Map<u128, Box<Simplifier>>,
    /// Goes by the rules that no user brought in, if there are others.
    standard: Option<Box<Simplifier>>,
}

impl Simplifier {
    /// A simplifier that remembers nothing yet.
    pub fn new(rules: RuleSet) -> Simplifier {
        let standard = rules.unwatched().map(|rules| Box::new(Simplifier::new(rules)));
        Simplifier {
            standard,
            rules,
            limits: Limits::default(),
            memo: Map::default(),
            complaint: None,
            fired: BTreeMap::new(),
            statistics: Statistics::default(),
            variants: Map::default(),
        }
    }
    /// Forgets what [`complaint`](Self::complaint) and [`fired`](Self::fired) tell, before a kernel.
    pub fn begin(&mut self) {
        self.fired.clear();
        if self.complaint.take().is_some() {
            self.memo.clear();
        }
    }
    /// What is wrong with the watched rules, if terms since [`begin`](Self::begin) have shown it.
    /// Nothing is simplified any more then.
    pub fn complaint(&self) -> Option<&Complaint> {
        self.complaint.as_ref()
    }
    /// The watched rules, and in how many terms since [`begin`](Self::begin) each acted.
    pub fn fired(&self) -> impl Iterator<Item = (&Rule, usize)> {
        let rules = self.rules.rules().iter().enumerate();
        rules
            .filter(|(i, _)| self.rules.is_watched(*i))
            .map(|(i, rule)| (rule, self.fired.get(&i).copied().unwrap_or(0)))
    }
    /// Whether each watched rule that acted since [`begin`](Self::begin) leaves what is read and written
    /// where and when the program says.
    pub fn kept_guards(&self) -> bool {
        self.fired.keys().all(|rule| self.rules.keeps_guards(*rule))
    }
    /// The rules it goes by.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }
    /// The simplifier, kept under `key`, that goes by the rules which `make` makes of this one's.
    pub fn variant<E>(
        &mut self,
        key: u128,
        make: impl FnOnce(&RuleSet) -> Result<RuleSet, E>,
    ) -> Result<&mut Simplifier, E> {
        if !self.variants.contains_key(&key) {
            let new = Simplifier::new(make(&self.rules)?).with_limits(self.limits);
            self.variants.insert(key, Box::new(new));
        }
        Ok(self.variants.get_mut(&key).expect("inserted above"))
    }
    /// Whether the operator takes any number of arguments, as sums do.
    pub fn is_flat(&self, op: &Op) -> bool {
        Sym::of(op, self.rules.operators()).is_nary()
    }
    /// The same with other limits.
    pub fn with_limits(mut self, limits: Limits) -> Simplifier {
        self.limits = limits;
        if let Some(standard) = &mut self.standard {
            standard.limits = limits;
        }
        self
    }
    /// What it has done so far.
    pub fn statistics(&self) -> Statistics {
        let own = self.statistics;
        let Some(standard) = &self.standard else { return own };
        let other = standard.statistics();
        Statistics {
            terms: own.terms + other.terms,
            memo_hits: own.memo_hits + other.memo_hits,
            max_nodes: own.max_nodes.max(other.max_nodes),
            total_nodes: own.total_nodes + other.total_nodes,
            iterations: own.iterations + other.iterations,
            applied: own.applied + other.applied,
            refused: own.refused + other.refused,
        }
    }

    /// The simplest expression found equal to `e`.
    pub fn expr(&mut self, e: &Expr, facts: &dyn Facts) -> Expr {
        if !matches!(e, Expr::Call(..) | Expr::Load(..)) {
            return e.clone();
        }
        let Some(standard) = &mut self.standard else { return self.expr_by_all(e, facts) };
        let first = standard.expr(e, facts);
        if !self.rules.may_act(|f| first.walk(&mut |e| operator(e, f))) {
            return first;
        }
        let mut places = IndexTerms::new(facts);
        let values = places.expr(&first);
        let found = places.restore(&self.expr_by_all(&values, &places));
        match &mut self.standard {
            Some(standard) if found != first => standard.expr(&found, facts),
            _ => first,
        }
    }

    fn expr_by_all(&mut self, e: &Expr, facts: &dyn Facts) -> Expr {
        if !matches!(e, Expr::Call(..) | Expr::Load(..)) {
            return e.clone();
        }
        let mut canon = Canon::of_expr(e);
        let term = Term::Expr(canon.expr(e));
        let leaves = canon.facts(facts);
        match self.term(Key { term, leaves }) {
            Some(Term::Expr(found)) => canon.restore(found),
            _ => e.clone(),
        }
    }

    /// The simplest statement found to do what `s` does.
    pub fn stmt(&mut self, s: &Stmt, facts: &dyn Facts) -> Stmt {
        if *s == Stmt::Pass {
            return Stmt::Pass;
        }
        if s.size(LARGE) >= LARGE {
            if let Some(found) = self.pieces(s, facts) {
                return found;
            }
        }
        let Some(standard) = &mut self.standard else { return self.stmt_by_all(s, facts) };
        let first = standard.stmt(s, facts);
        let named = |f: &mut dyn FnMut(&str)| {
            first.walk(&mut |e| operator(e, f));
            first.assignments(&mut |_, op| op.into_iter().for_each(|op| f(&op.name())));
        };
        if !self.rules.may_act(named) {
            return first;
        }
        let mut places = IndexTerms::new(facts);
        let values = places.stmt(&first);
        let found = places.restore_stmt(&self.stmt_by_all(&values, &places));
        match &mut self.standard {
            Some(standard) if found != first => standard.stmt(&found, facts),
            _ => first,
        }
    }

    fn stmt_by_all(&mut self, s: &Stmt, facts: &dyn Facts) -> Stmt {
        if *s == Stmt::Pass {
            return Stmt::Pass;
        }
        let mut canon = Canon::of_stmt(s);
        let term = Term::Stmt(canon.stmt(s));
        let leaves = canon.facts(facts);
        match self.term(Key { term, leaves }) {
            Some(Term::Stmt(found)) => canon.restore_stmt(found),
            _ => s.clone(),
        }
    }

    /// A large statement with what is directly in it simplified, each for itself: an e-graph of all of it would
    /// be full before any rule was tried. `None` if it holds no others.
    fn pieces(&mut self, s: &Stmt, facts: &dyn Facts) -> Option<Stmt> {
        Some(match s {
            Stmt::Seq(all) => {
                let mut out = Vec::new();
                for s in all {
                    match self.stmt(s, facts) {
                        Stmt::Pass => {}
                        Stmt::Seq(inner) => out.extend(inner),
                        other => out.push(other),
                    }
                }
                match out.len() {
                    0 => Stmt::Pass,
                    1 => out.remove(0),
                    _ => Stmt::Seq(out),
                }
            }
            Stmt::Let { .. } => {
                // A chain of definitions is as deep as it is long.
                let (mut chain, mut rest) = (Vec::new(), s);
                while let Stmt::Let { var, value, body } = rest {
                    chain.push((*var, self.expr(value, facts)));
                    rest = body;
                }
                let rest = self.stmt(rest, facts);
                if rest == Stmt::Pass {
                    return Some(rest);
                }
                let define = |body, (var, value)| Stmt::Let { var, value, body: Box::new(body) };
                chain.into_iter().rev().fold(rest, define)
            }
            Stmt::Loop { index, parallel, lo, hi, body } => match self.stmt(body, facts) {
                Stmt::Pass => Stmt::Pass,
                body => {
                    let (lo, hi) = (self.expr(lo, facts), self.expr(hi, facts));
                    let body = Box::new(body);
                    Stmt::Loop { index: *index, parallel: *parallel, lo, hi, body }
                }
            },
            Stmt::Sieve { cond, then, otherwise } => {
                let cond = self.expr(cond, facts);
                let (then, otherwise) = (self.stmt(then, facts), self.stmt(otherwise, facts));
                match cond {
                    Expr::Lit(Lit::Bool(true)) => then,
                    Expr::Lit(Lit::Bool(false)) => otherwise,
                    _ if then == Stmt::Pass && otherwise == Stmt::Pass => Stmt::Pass,
                    cond => {
                        let (then, otherwise) = (Box::new(then), Box::new(otherwise));
                        Stmt::Sieve { cond, then, otherwise }
                    }
                }
            }
            Stmt::Where { consumer, producer, local } => {
                let consumer = Box::new(self.stmt(consumer, facts));
                let producer = Box::new(self.stmt(producer, facts));
                Stmt::Where { consumer, producer, local: local.clone() }
            }
            Stmt::Assign { .. } | Stmt::Pass => return None,
        })
    }

    fn term(&mut self, key: Key) -> Option<&Term> {
        self.statistics.terms += 1;
        if self.complaint.is_some() {
            return None;
        }
        if self.memo.contains_key(&key) {
            self.statistics.memo_hits += 1;
        } else {
            let found = self.saturate(&key);
            self.memo.insert(key.clone(), found);
        }
        let found = self.memo.get(&key)?;
        for rule in &found.watched {
            *self.fired.entry(*rule).or_default() += 1;
        }
        Some(&found.term)
    }

    fn saturate(&mut self, key: &Key) -> Found {
        let (mut last, mut watched) = (Vec::new(), Vec::new());
        let term = self.saturated(key, &mut last, &mut watched);
        watched.sort_unstable();
        watched.dedup();
        Found { term, watched }
    }

    fn complain(&mut self, of: &[usize], contradiction: bool) {
        let mut rules: Vec<String> =
            of.iter().map(|i| self.rules.rules()[*i].name.to_string()).collect();
        rules.sort();
        rules.dedup();
        if !rules.is_empty() {
            self.complaint = Some(Complaint { rules, contradiction });
        }
    }

    /// `last` holds the watched rules that acted in the last round.
    fn saturated(&mut self, key: &Key, last: &mut Vec<usize>, watched: &mut Vec<usize>) -> Term {
        let guarded = self.standard.is_some();
        let leaves = Leaves { table: key.leaves.clone(), guarded, contradiction: false };
        let mut g = Graph::new(leaves, self.rules.operators().clone());
        let root = match &key.term {
            Term::Expr(e) => add_expr(&mut g, e),
            Term::Stmt(s) => add_stmt(&mut g, s),
        };
        g.rebuild();
        let mut hits = vec![];
        let mut settled = false;
        let mut after = 0;
        for iteration in 0..self.limits.iterations {
            self.statistics.iterations += 1;
            let unions = g.unions;
            if iteration > 0 {
                let ids: Vec<Id> = g.classes().collect();
                ids.into_iter().for_each(|id| g.renormalise(id));
                if g.unions != unions {
                    g.rebuild();
                }
            }
            self.search(&g, after, &mut hits);
            last.clear();
            for (rule, class, bindings) in hits.drain(..) {
                if g.size() >= self.limits.nodes {
                    break;
                }
                let rhs = &self.rules.compiled()[rule].rhs;
                let own = self.rules.is_watched(rule);
                if own && g[class].sort == Sort::Index {
                    continue;
                }
                if let Some(new) = instantiate(&mut g, rhs, &bindings) {
                    if own && g[new].sort == Sort::Index {
                        continue;
                    }
                    let acted = g.union(class, new);
                    self.statistics.applied += usize::from(acted);
                    if acted && own {
                        last.push(rule);
                        watched.push(rule);
                    }
                }
            }
            settled = g.unions == unions;
            let next = self.next(&g, after).filter(|_| settled);
            if settled && next.is_none() || g.size() >= self.limits.nodes {
                break;
            }
            after = next.unwrap_or(after);
            g.rebuild();
        }
        g.rebuild();
        self.statistics.max_nodes = self.statistics.max_nodes.max(g.size());
        self.statistics.total_nodes += g.size();
        if !settled {
            self.complain(last, false);
        }
        if g.contradiction() {
            self.complain(watched, true);
            self.statistics.refused += 1;
            return key.term.clone();
        }
        let extractor = Extractor::new(&g);
        match &key.term {
            Term::Expr(_) => Term::Expr(extractor.expr(root)),
            Term::Stmt(s) => {
                let found = extractor.stmt(root);
                let mut bound = vec![];
                binders(s, &mut bound);
                if scoped(&found, &mut bound, &key.leaves) {
                    Term::Stmt(found)
                } else {
                    self.statistics.refused += 1;
                    key.term.clone()
                }
            }
        }
    }

    /// The number that the next rules to be tried wait for, if any of them may match.
    fn next(&self, g: &Graph, after: usize) -> Option<usize> {
        let compiled = self.rules.compiled();
        if self.rules.last() <= after {
            return None;
        }
        let waiting = |i: &usize| compiled[*i].after > after;
        g.classes()
            .flat_map(|class| g.nodes(class))
            .filter_map(|node| match node {
                Node::Call(sym, _) => {
                    self.rules.rooted(sym).filter(waiting).map(|i| compiled[i].after).min()
                }
                _ => None,
            })
            .min()
    }

    fn search(&self, g: &Graph, after: usize, hits: &mut Vec<(usize, Id, Vec<Binding>)>) {
        let compiled = self.rules.compiled();
        let able: Vec<bool> = compiled
            .iter()
            .map(|r| r.needs.iter().all(|lit| g.has(&Node::Lit(lit.clone()))))
            .collect();
        let mut found = vec![];
        for class in g.classes() {
            for node in g.nodes(class) {
                let Node::Call(sym, _) = node else { continue };
                for i in self.rules.rooted(sym).filter(|i| able[*i] && compiled[*i].after <= after)
                {
                    let rule = &compiled[i];
                    matches(g, &rule.lhs, node, rule.variables, self.limits.matches, &mut found);
                    for bindings in found.drain(..) {
                        let holds = rule.conditions.iter().all(|(test, args)| {
                            let args: Vec<&Binding> =
                                args.iter().map(|a| &bindings[*a as usize]).collect();
                            test(g, &args)
                        });
                        if holds {
                            hits.push((i, class, bindings));
                        }
                    }
                }
            }
        }
    }
}

/// Calls `f` with the name of the function that `e` is a call of.
fn operator(e: &Expr, f: &mut dyn FnMut(&str)) {
    if let Expr::Call(op, _) = e {
        f(&op.name());
    }
}

/// Whether nothing that depends on a variable of `bound` is outside the statement that binds it.
/// Facts are about values; that the cheapest way to write one is in scope is checked, not assumed.
fn scoped(s: &Stmt, bound: &mut Vec<VarId>, leaves: &[LeafFact]) -> bool {
    let closed = |e: &Expr, bound: &[VarId]| {
        let mut ok = true;
        e.walk(&mut |e| {
            let n = match e {
                Expr::Var(VarId(n))
                | Expr::Array(ArrayId(n))
                | Expr::Load(ArrayId(n), _)
                | Expr::Access(AccessId(n))
                | Expr::Raw(RawId(n)) => *n,
                Expr::Lit(_) | Expr::Call(..) => return,
            };
            ok &= !bound.iter().any(|v| leaves[n as usize].depends.contains(v.0));
        });
        ok
    };
    let inside = |v: &VarId, body: &Stmt, bound: &mut Vec<VarId>| {
        let before = bound.clone();
        bound.retain(|b| b != v);
        let ok = scoped(body, bound, leaves);
        *bound = before;
        ok
    };
    match s {
        Stmt::Loop { index, lo, hi, body, .. } => {
            closed(lo, bound) && closed(hi, bound) && inside(index, body, bound)
        }
        Stmt::Let { var, value, body } => closed(value, bound) && inside(var, body, bound),
        Stmt::Assign { target, value, .. } => closed(target, bound) && closed(value, bound),
        Stmt::Sieve { cond, then, otherwise } => {
            closed(cond, bound) && scoped(then, bound, leaves) && scoped(otherwise, bound, leaves)
        }
        Stmt::Where { consumer, producer, .. } => {
            scoped(consumer, bound, leaves) && scoped(producer, bound, leaves)
        }
        Stmt::Seq(all) => all.iter().all(|s| scoped(s, bound, leaves)),
        Stmt::Pass => true,
    }
}
