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
use super::language::Sym;
use super::matcher::Binding;
use super::pattern::{parse, Head, Names, Pattern};
use crate::cin::Lit;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The test of a condition: the graph, and what the condition's variables are bound to.
pub type Test = fn(&Graph, &[&Binding]) -> bool;

/// A named test of some of a rule's variables.
#[derive(Clone)]
pub struct Condition {
    /// Its name, for messages and listings.
    pub name: &'static str,
    /// The variables it looks at, with neither `?` nor dots.
    pub args: Vec<&'static str>,
    /// The test.
    pub test: Test,
}

/// A condition on the variables called `args`.
pub fn condition(name: &'static str, args: &[&'static str], test: Test) -> Condition {
    Condition { name, args: args.to_vec(), test }
}

/// A directed rewrite: what matches `lhs` may be replaced by `rhs` where all conditions hold.
#[derive(Clone)]
pub struct Rule {
    /// Its name, unique in a set.
    pub name: &'static str,
    /// The table it is in.
    pub family: &'static str,
    /// The pattern to find.
    pub lhs: &'static str,
    /// The pattern to put in its place; all its variables are in `lhs`.
    pub rhs: &'static str,
    /// What must hold.
    pub conditions: Vec<Condition>,
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

/// A table of rules: a family's name, then lines `name: lhs => rhs if condition(variables), ..;`.
#[macro_export]
macro_rules! family {
    ($family:literal; $($name:ident: $lhs:literal => $rhs:literal
        $(if $($cond:ident($($arg:ident),*)),+)?;)*) => {
        vec![$($crate::simplify::Rule {
            name: stringify!($name),
            family: $family,
            lhs: $lhs,
            rhs: $rhs,
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
}

struct Inner {
    rules: Vec<Rule>,
    compiled: Vec<Compiled>,
    by_root: HashMap<Sym, Vec<usize>>,
    any_root: Vec<usize>,
}

/// Rules, parsed and indexed. Cloning it is free.
#[derive(Clone)]
pub struct RuleSet(Arc<Inner>);

impl RuleSet {
    /// Parses every rule; the first one that cannot be used is named in the error.
    pub fn new(rules: Vec<Rule>) -> Result<RuleSet, RuleError> {
        let mut inner = Inner {
            rules: vec![],
            compiled: Vec::with_capacity(rules.len()),
            by_root: HashMap::new(),
            any_root: vec![],
        };
        for (i, rule) in rules.iter().enumerate() {
            let fail = |reason: String| RuleError { rule: rule.name.to_string(), reason };
            if rules[..i].iter().any(|r| r.name == rule.name) {
                return Err(fail("another rule has this name".into()));
            }
            let compiled = compile(rule).map_err(fail)?;
            match &compiled.lhs {
                Pattern::Call(Head::Sym(sym), _) => {
                    inner.by_root.entry(sym.clone()).or_default().push(i);
                }
                _ => inner.any_root.push(i),
            }
            inner.compiled.push(compiled);
        }
        inner.rules = rules;
        Ok(RuleSet(Arc::new(inner)))
    }
    /// This set and more rules.
    pub fn with(&self, more: Vec<Rule>) -> Result<RuleSet, RuleError> {
        let mut rules = self.0.rules.clone();
        rules.extend(more);
        RuleSet::new(rules)
    }
    /// The rules, in the order they were given.
    pub fn rules(&self) -> &[Rule] {
        &self.0.rules
    }
    pub(super) fn compiled(&self) -> &[Compiled] {
        &self.0.compiled
    }
    /// The rules, by number, whose left side may match a call of `sym`.
    pub(super) fn rooted(&self, sym: &Sym) -> impl Iterator<Item = usize> + '_ {
        let own = self.0.by_root.get(sym).map_or(&[][..], |v| v);
        own.iter().chain(&self.0.any_root).copied()
    }
}

fn compile(rule: &Rule) -> Result<Compiled, String> {
    let mut names = Names::default();
    let mut lhs = parse(rule.lhs, &mut names).map_err(|e| format!("left side: {e}"))?;
    lhs.check_lhs().map_err(|e| format!("left side: {e}"))?;
    let variables = names.0.len();
    let rhs = parse(rule.rhs, &mut names).map_err(|e| format!("right side: {e}"))?;
    if let Some(unknown) = names.0.get(variables) {
        return Err(format!("right side: `{unknown}` is not on the left side"));
    }
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
    lhs.arrange();
    let mut needs = vec![];
    lhs.walk(&mut |p| {
        if let Pattern::Lit(lit) = p {
            needs.push(lit.clone());
        }
    });
    Ok(Compiled { lhs, rhs, variables, conditions, needs })
}
