//! Rules, and sets of them, as anyone may write them: the built-in families use nothing else.
//!
//! ```
//! use looplets_core::simplify::{family, Binding, Graph, RuleError, RuleSet};
//!
//! fn total(g: &Graph, bound: &[&Binding]) -> bool {
//!     g[bound[0].id()].total
//! }
//!
//! let mine = family! { "mine";
//!     relu_twice: "(relu (relu ?x))"  =>  "(relu ?x)";
//!     odd_square: "(sq (neg ?x))"     =>  "(sq ?x)"     if total(x);
//! };
//! assert_eq!(RuleSet::new(mine)?.rules()[1].name, "odd_square");
//! # Ok::<(), RuleError>(())
//! ```

use super::graph::Graph;
use super::language::{Operators, Sym, Traits};
use super::law::{Lawyer, Operator};
use super::matcher::Binding;
use super::pattern::{parse, Head, Item, Names, Pattern};
use crate::cin::Lit;
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The test of a condition: the graph, and what the condition's variables are bound to.
pub type Test = fn(&Graph, &[&Binding]) -> bool;

/// Text of a rule: of a table of this program, or read from somewhere.
pub type Text = Cow<'static, str>;

/// A named test of some of a rule's variables.
#[derive(Clone)]
pub struct Condition {
    /// Its name, for messages and listings.
    pub name: Text,
    /// The variables it looks at, with neither `?` nor dots.
    pub args: Vec<Text>,
    /// The test.
    pub test: Test,
}

/// A condition on the variables called `args`.
pub fn condition(name: &'static str, args: &[&str], test: Test) -> Condition {
    let args = args.iter().map(|a| Text::from(a.to_string())).collect();
    Condition { name: name.into(), args, test }
}

/// A directed rewrite: what matches `lhs` may be replaced by `rhs` where all conditions hold.
#[derive(Clone)]
pub struct Rule {
    /// Its name, unique in a set.
    pub name: Text,
    /// The table it is in.
    pub family: Text,
    /// The pattern to find.
    pub lhs: Text,
    /// The pattern to put in its place; all its variables are in `lhs`.
    pub rhs: Text,
    /// What must hold.
    pub conditions: Vec<Condition>,
    /// Whether it changes what floats give (NaN, infinities, rounding): strict kernels do without it.
    pub inexact: bool,
    /// It waits until the rules of all lower numbers have nothing more to do; at least 1 for a rule with
    /// the condition [`STORED`].
    pub after: usize,
}

/// The condition that a term is read from what a tensor stores. Unlike others it may hold no more
/// once the term has been simplified, so rules with it come last.
pub const STORED: &str = "stored";

impl Rule {
    /// The names of the variables of its left side, if that is a pattern.
    pub fn variables(&self) -> Option<Vec<String>> {
        let mut names = Names::default();
        parse(&self.lhs, &mut names, &Operators::new()).ok()?;
        let bare = |n: &String| n.trim_start_matches('?').trim_end_matches('.').to_owned();
        Some(names.0.iter().map(bare).collect())
    }
    /// The functions it names that are not of the language, on either side; or why it is no rule.
    pub fn functions(&self) -> Result<Vec<String>, String> {
        let compiled = compile(self, &Operators::new())?;
        let mut out = Vec::new();
        for side in [&compiled.lhs, &compiled.rhs] {
            side.walk(&mut |p| {
                let sym = match p {
                    Pattern::Call(Head::Sym(sym), _) | Pattern::Op(sym) => sym,
                    _ => return,
                };
                let language = match sym {
                    Sym::Form(_) => true,
                    Sym::Op(op) => !op.is_private(),
                    Sym::Own(..) => false,
                };
                if !language {
                    out.push(sym.name().into_owned());
                }
            });
        }
        Ok(out)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}: {} => {}", self.family, self.name, self.lhs, self.rhs)?;
        for (i, c) in self.conditions.iter().enumerate() {
            let word = if i == 0 { "if" } else { "and" };
            write!(f, " {word} {}({})", c.name, c.args.join(", "))?;
        }
        Ok(())
    }
}

/// A table of rules: a family's name, then lines `name: lhs => rhs if condition(variables), ..;`, and
/// `#[inexact]` in front of those that change what floats give.
#[macro_export]
macro_rules! family {
    ($family:literal; $($(#[$inexact:ident])? $name:ident: $lhs:literal => $rhs:literal
        $(if $($cond:ident($($arg:ident),*)),+)?;)*) => {
        vec![$($crate::simplify::Rule {
            name: stringify!($name).into(),
            family: $family.into(),
            lhs: $lhs.into(),
            rhs: $rhs.into(),
            inexact: [$(stringify!($inexact))?].contains(&"inexact"),
            after: 0,
            conditions: vec![$($($crate::simplify::condition(
                stringify!($cond), &[$(stringify!($arg)),*], $cond,
            )),+)?],
        }),*]
    };
}
pub use crate::family;

/// A rule that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The rule.
    pub rule: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`: {}", self.rule, self.reason)
    }
}

impl std::error::Error for RuleError {}

pub(super) struct Compiled {
    pub lhs: Pattern,
    pub rhs: Pattern,
    pub variables: usize,
    pub conditions: Vec<(Test, Vec<u8>)>,
    /// Literals without which the left side cannot match.
    pub needs: Vec<Lit>,
    /// Functions that are not of the language without which the left side cannot match.
    pub calls: Vec<String>,
    /// See [`Rule::after`].
    pub after: usize,
    /// See [`RuleSet::keeps_guards`].
    pub keeps_guards: bool,
}

#[derive(Clone, Default)]
struct Inner {
    rules: Vec<Rule>,
    compiled: Vec<Arc<Compiled>>,
    operators: Arc<Operators>,
    conditions: Vec<(&'static str, usize, Test)>,
    lawyer: Option<Lawyer>,
    /// The first rule of those that are watched.
    watched: Option<usize>,
    by_root: HashMap<Sym, Vec<usize>>,
    any_root: Vec<usize>,
    last: usize,
}

/// Rules, parsed and indexed. Cloning it is free.
#[derive(Clone)]
pub struct RuleSet(Arc<Inner>);

impl RuleSet {
    /// Parses every rule; the first one that cannot be used is named in the error.
    pub fn new(rules: Vec<Rule>) -> Result<RuleSet, RuleError> {
        let mut inner = Inner::default();
        inner.add(rules)?;
        Ok(RuleSet(Arc::new(inner)))
    }
    /// This set and more rules. The rules there are not parsed again.
    pub fn with(&self, more: Vec<Rule>) -> Result<RuleSet, RuleError> {
        let mut inner = Inner::clone(&self.0);
        inner.add(more)?;
        Ok(RuleSet(Arc::new(inner)))
    }
    /// This set for terms in which calls of these operators are held as their declarations allow.
    /// Rules about an operator are added after it.
    pub fn with_operators(&self, operators: impl IntoIterator<Item = (String, Traits)>) -> RuleSet {
        let mut inner = Inner::clone(&self.0);
        let mut all = Operators::clone(&inner.operators);
        all.extend(operators);
        inner.operators = Arc::new(all);
        RuleSet(Arc::new(inner))
    }
    /// This set without the rules that change what floats give.
    pub fn strict(&self) -> RuleSet {
        let mut inner = Inner {
            operators: self.0.operators.clone(),
            conditions: self.0.conditions.clone(),
            lawyer: self.0.lawyer,
            ..Inner::default()
        };
        for (rule, compiled) in self.0.rules.iter().zip(&self.0.compiled) {
            if !rule.inexact {
                inner.index(rule.clone(), compiled.clone());
            }
        }
        RuleSet(Arc::new(inner))
    }
    /// This set, with conditions that rules read from declarations may name: name, number of
    /// variables (0: any), test.
    pub fn with_conditions(&self, all: &[(&'static str, usize, Test)]) -> RuleSet {
        let mut inner = Inner::clone(&self.0);
        inner.conditions.extend_from_slice(all);
        RuleSet(Arc::new(inner))
    }
    /// The conditions that rules read from declarations may name.
    pub fn conditions(&self) -> &[(&'static str, usize, Test)] {
        &self.0.conditions
    }
    /// This set, with what makes the rules of declared operators.
    pub fn with_lawyer(&self, lawyer: Lawyer) -> RuleSet {
        RuleSet(Arc::new(Inner { lawyer: Some(lawyer), ..Inner::clone(&self.0) }))
    }
    /// This set, of which the rules added from now on are watched: a [`Simplifier`](super::Simplifier)
    /// tells where they acted, and complains if they come to no end or contradict others.
    pub fn watched(&self) -> RuleSet {
        RuleSet(Arc::new(Inner { watched: Some(self.0.rules.len()), ..Inner::clone(&self.0) }))
    }
    /// The rules that are not watched, if any is.
    pub(super) fn unwatched(&self) -> Option<RuleSet> {
        let first = self.0.watched.filter(|first| *first < self.0.rules.len())?;
        let mut inner = Inner { operators: self.0.operators.clone(), ..Inner::default() };
        for (rule, compiled) in self.0.rules[..first].iter().zip(&self.0.compiled) {
            inner.index(rule.clone(), compiled.clone());
        }
        Some(RuleSet(Arc::new(inner)))
    }
    /// Whether a term in which these functions are called may match a watched rule: one all of whose own
    /// functions are among them.
    pub(super) fn may_act(&self, named: impl FnOnce(&mut dyn FnMut(&str))) -> bool {
        let first = self.0.watched.unwrap_or(self.0.rules.len());
        let mut there = std::collections::BTreeSet::new();
        named(&mut |name| {
            if matches!(Sym::new(name, &self.0.operators), Sym::Own(..)) {
                there.insert(name.to_owned());
            }
        });
        self.0.compiled[first..].iter().any(|rule| rule.calls.iter().all(|f| there.contains(f)))
    }
    /// Whether a rule leaves loops, choices and elements as they are, but for the loop around one
    /// assignment, which may become one step if the loop is not empty: so nothing is read or written
    /// where the program would not, nor in another order.
    pub(super) fn keeps_guards(&self, rule: usize) -> bool {
        self.0.compiled[rule].keeps_guards
    }
    pub(super) fn is_watched(&self, rule: usize) -> bool {
        self.0.watched.is_some_and(|first| rule >= first)
    }
    /// The rules that the laws of an operator come to.
    pub fn laws_of(&self, operator: &Operator) -> Vec<Rule> {
        self.0.lawyer.map_or_else(Vec::new, |lawyer| lawyer(operator))
    }
    pub(super) fn operators(&self) -> &Arc<Operators> {
        &self.0.operators
    }
    /// The rules, in the order they were given.
    pub fn rules(&self) -> &[Rule] {
        &self.0.rules
    }
    /// What its last rules wait for.
    pub(super) fn last(&self) -> usize {
        self.0.last
    }
    pub(super) fn compiled(&self) -> &[Arc<Compiled>] {
        &self.0.compiled
    }
    /// The rules, by number, whose left side may match a call of `sym`.
    pub(super) fn rooted(&self, sym: &Sym) -> impl Iterator<Item = usize> + '_ {
        let own = self.0.by_root.get(sym).map_or(&[][..], |v| v);
        own.iter().chain(&self.0.any_root).copied()
    }
}

impl Inner {
    fn add(&mut self, rules: Vec<Rule>) -> Result<(), RuleError> {
        for rule in rules {
            let fail = |reason: String| RuleError { rule: rule.name.to_string(), reason };
            if self.rules.iter().any(|r| r.name == rule.name) {
                return Err(fail("another rule has this name".into()));
            }
            let compiled = compile(&rule, &self.operators).map_err(fail)?;
            self.index(rule, Arc::new(compiled));
        }
        Ok(())
    }
    fn index(&mut self, rule: Rule, compiled: Arc<Compiled>) {
        let number = self.rules.len();
        self.last = self.last.max(compiled.after);
        match &compiled.lhs {
            Pattern::Call(Head::Sym(sym), _) => {
                self.by_root.entry(sym.clone()).or_default().push(number);
            }
            _ => self.any_root.push(number),
        }
        self.rules.push(rule);
        self.compiled.push(compiled);
    }
}

fn compile(rule: &Rule, operators: &Operators) -> Result<Compiled, String> {
    let mut names = Names::default();
    let mut lhs = parse(&rule.lhs, &mut names, operators).map_err(|e| format!("left side: {e}"))?;
    lhs.check_lhs().map_err(|e| format!("left side: {e}"))?;
    let variables = names.0.len();
    let rhs = parse(&rule.rhs, &mut names, operators).map_err(|e| format!("right side: {e}"))?;
    if let Some(unknown) = names.0.get(variables) {
        return Err(format!("right side: `{unknown}` is not on the left side"));
    }
    super::sorts::check(&lhs, &rhs, &names)?;
    let mut conditions = vec![];
    for c in &rule.conditions {
        let args: Result<Vec<u8>, String> = c
            .args
            .iter()
            .map(|arg| {
                names
                    .number(&format!("?{arg}"))
                    .or_else(|| names.number(&format!("?{arg}...")))
                    .ok_or_else(|| format!("condition `{}`: no variable `?{arg}`", c.name))
            })
            .collect();
        conditions.push((c.test, args?));
    }
    let keeps_guards = keeps_guards(&lhs, &rhs);
    lhs.arrange();
    let (mut needs, mut calls) = (vec![], vec![]);
    lhs.walk(&mut |p| match p {
        Pattern::Lit(lit) => needs.push(lit.clone()),
        Pattern::Op(sym @ Sym::Own(..)) | Pattern::Call(Head::Sym(sym @ Sym::Own(..)), _) => {
            calls.push(sym.name().into_owned());
        }
        _ => {}
    });
    let last = rule.conditions.iter().any(|c| &*c.name == STORED);
    let after = rule.after.max(usize::from(last));
    Ok(Compiled { lhs, rhs, variables, conditions, needs, calls, after, keeps_guards })
}

/// See [`RuleSet::keeps_guards`].
fn keeps_guards(lhs: &Pattern, rhs: &Pattern) -> bool {
    // A choice guards what it chooses, and a head that is a variable may be one.
    let guards = |head: &Head| match head {
        Head::Sym(sym) => {
            let step = matches!(*sym, Sym::ASSIGN | Sym::PASS);
            let choice = matches!(*sym, Sym::IFELSE | Sym::COALESCE | Sym::AND | Sym::OR);
            sym.is_structure() && !step || choice
        }
        Head::Var(_) => true,
    };
    let plain = |p: &Pattern| {
        let mut plain = true;
        p.walk(&mut |p| plain &= !matches!(p, Pattern::Call(head, _) if guards(head)));
        plain
    };
    // What is assigned to stays what it is.
    let assigns = |lhs: &Pattern, rhs: &Pattern| match (target(lhs), target(rhs)) {
        (Some(there), Some(here)) => there == here,
        (_, here) => here.is_none(),
    };
    if plain(lhs) && plain(rhs) {
        return assigns(lhs, rhs);
    }
    let whole = arguments(lhs, &Sym::LOOP);
    let Some([_, lo, hi, body]) = whole.as_deref() else { return false };
    if arguments(rhs, &Sym::PASS).is_some() {
        return plain(body);
    }
    let guarded = arguments(rhs, &Sym::SIEVE);
    let Some([cond, step, no]) = guarded.as_deref() else { return false };
    let runs = arguments(cond, &Sym::LT).is_some_and(|sides| sides == [*lo, *hi]);
    if !runs || arguments(no, &Sym::PASS).is_none() {
        return false;
    }
    let bounds = [lo, hi].iter().all(|p| matches!(p, Pattern::Var(_)));
    bounds && plain(body) && plain(step) && assigns(body, step)
}

fn target(p: &Pattern) -> Option<&Pattern> {
    arguments(p, &Sym::ASSIGN).and_then(|args| args.get(1).copied())
}

/// The arguments of a call of `sym`, if it is one and none is a rest.
fn arguments<'a>(p: &'a Pattern, sym: &Sym) -> Option<Vec<&'a Pattern>> {
    let Pattern::Call(Head::Sym(head), items) = p else { return None };
    let one = |item: &'a Item| match item {
        Item::One(p) => Some(p),
        Item::Rest(_) => None,
    };
    (head == sym).then(|| items.iter().map(one).collect()).flatten()
}
