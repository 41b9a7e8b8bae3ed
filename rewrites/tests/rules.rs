//! Every rule of the tables, one by one: it does what it says, only where it may, and what it
//! says is true.

mod common;

use common::sample::agree;
use common::{show, term, Names, Term, FINITE_ONLY, NOT_NAN};
use looplets_core::cin::Stmt;
use looplets_core::simplify::{Rule, RuleSet, Simplifier};
use looplets_rewrites::{all, standard};

/// A rule, a term, and what the standard rules make of it. Lines `rule ~ start ~ goal`, and for what
/// a condition forbids `rule ~ start ~ !`: that rule alone leaves the term as it is.
const CASES: &str = include_str!("cases.txt");

struct Case {
    rule: &'static str,
    start: &'static str,
    /// `None`: the rule must not fire.
    goal: Option<&'static str>,
}

fn cases() -> Vec<Case> {
    CASES
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(|line| {
            let fields: Vec<&str> = line.split('~').map(str::trim).collect();
            let [rule, start, goal] = fields[..] else { panic!("`{line}`") };
            Case { rule, start, goal: (goal != "!").then_some(goal) }
        })
        .collect()
}

fn simplify(rules: RuleSet, t: &Term) -> Term {
    applied(rules, t).0
}

/// The result, and how often a rule found something new.
fn applied(rules: RuleSet, t: &Term) -> (Term, usize) {
    let mut s = Simplifier::new(rules);
    let found = match t {
        Term::Expr(e) => Term::Expr(s.expr(e, &Names)),
        Term::Stmt(t) => Term::Stmt(s.stmt(t, &Names)),
    };
    assert_eq!(s.statistics().refused, 0, "{}", show(t));
    (found, s.statistics().applied)
}

fn alone(rule: &Rule) -> RuleSet {
    RuleSet::new(vec![rule.clone()]).unwrap()
}

#[test]
fn every_rule_has_an_instance_and_every_condition_an_exception() {
    let cases = cases();
    for rule in all() {
        let of = |goal: bool| cases.iter().any(|c| c.rule == rule.name && c.goal.is_some() == goal);
        assert!(of(true), "no instance of {rule}");
        assert!(rule.conditions.is_empty() || of(false), "no exception to {rule}");
    }
    for case in cases {
        assert!(all().iter().any(|r| r.name == case.rule), "no rule `{}`", case.rule);
    }
}

#[test]
fn rules_do_what_they_say() {
    let rules = all();
    let mut wrong = vec![];
    for case in cases() {
        let Some(rule) = rules.iter().find(|r| r.name == case.rule) else {
            continue;
        };
        let start = term(case.start);
        let (by_rule, times) = applied(alone(rule), &start);
        let fires = times > 0;
        if fires != case.goal.is_some() {
            wrong.push(format!("{}: `{}` alone gives `{}`", rule.name, case.start, show(&by_rule)));
        }
        let Some(goal) = case.goal else { continue };
        let found = show(&simplify(standard(), &start));
        if found != goal {
            wrong.push(format!("{}: `{}` gives `{found}`, not `{goal}`", rule.name, case.start));
        }
    }
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
}

#[test]
fn rules_are_true() {
    let rules = all();
    for case in cases() {
        let Some(rule) = rules.iter().find(|r| r.name == case.rule) else {
            continue;
        };
        let special = match &rule.name {
            name if FINITE_ONLY.contains(&&**name) => 0,
            name if NOT_NAN.contains(&&**name) => 1,
            // Pairs are one number here, in which large and small ones do not find room.
            _ if rule.inexact || case.start.contains("tuple") => 2,
            _ => 3,
        };
        let start = term(case.start);
        let by_rule = simplify(alone(rule), &start);
        let meant = agree(&start, &by_rule, special).unwrap_or_else(|e| panic!("{rule}: {e}"));
        assert!(
            meant > 0 || case.goal.is_none(),
            "{}: `{}` never means anything",
            rule.name,
            case.start
        );
        // Other rules may act on the same term, with their own exceptions.
        let found = simplify(standard(), &start);
        agree(&start, &found, 0).unwrap_or_else(|e| panic!("all rules, for {rule}: {e}"));
        // Simplifying again changes nothing.
        let again = simplify(standard(), &found);
        assert_eq!(show(&again), show(&found), "{} twice", rule.name);
    }
}

#[test]
fn the_exceptions_are_exceptions() {
    // A rule listed as not true of special values must really not be, or the list is stale.
    for (name, special) in
        FINITE_ONLY.iter().map(|n| (*n, 1)).chain(NOT_NAN.iter().map(|n| (*n, 2)))
    {
        let rule = all().into_iter().find(|r| r.name == name).unwrap();
        let fails = cases().iter().filter(|c| c.rule == name).any(|case| {
            let start = term(case.start);
            agree(&start, &simplify(alone(&rule), &start), special).is_err()
        });
        assert!(fails, "{name} holds for all values");
    }
}

#[test]
fn what_floats_break_is_said_so() {
    // One rounding in place of many: no special values, but another last digit.
    let rounding = ["loop_mul", "loop_add", "loop_sub", "loop_add_max", "loop_sub_max"];
    // The sign of a zero that is computed, which no case looks at.
    let sign = ["neg_sub"];
    for rule in all() {
        let name = &*rule.name;
        let listed = sign.contains(&name)
            || FINITE_ONLY.contains(&name)
            || NOT_NAN.contains(&name)
            || rounding.contains(&name);
        assert_eq!(rule.inexact, listed, "{rule}");
        assert_eq!(standard().strict().rules().iter().any(|r| r.name == name), !listed, "{rule}");
    }
}

/// All loops of a statement as parallel ones, and how many there are that are not.
fn parallel(s: &mut Stmt) -> usize {
    match s {
        Stmt::Loop { parallel: said, body, .. } => {
            usize::from(!std::mem::replace(said, true)) + parallel(body)
        }
        Stmt::Let { body, .. } => parallel(body),
        Stmt::Sieve { then: a, otherwise: b, .. }
        | Stmt::Where { consumer: a, producer: b, .. } => parallel(a) + parallel(b),
        Stmt::Seq(all) => all.iter_mut().map(parallel).sum(),
        Stmt::Assign { .. } | Stmt::Pass => 0,
    }
}

/// What is left of a parallel loop is no loop, or a parallel one.
#[test]
fn parallel_loops_stay_parallel() {
    let mut loops = 0;
    for case in cases() {
        let Term::Stmt(mut t) = term(case.start) else { continue };
        loops += parallel(&mut t);
        let Term::Stmt(mut found) = simplify(standard(), &Term::Stmt(t)) else { unreachable!() };
        assert_eq!(parallel(&mut found), 0, "{}", case.start);
    }
    assert!(loops > 0);
}
