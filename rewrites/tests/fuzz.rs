//! All rules together on terms nobody thought of: what comes out does what went in did.

mod common;

use common::sample::{agree, Random};
use common::{show, term, Names, Term, FINITE_ONLY, NOT_NAN};
use looplets_core::simplify::{RuleSet, Simplifier};
use looplets_rewrites::{all, standard};

/// Terms by sort, as text; `index` says which loop indices are in scope.
struct Maker {
    random: Random,
    index: Vec<&'static str>,
}

impl Maker {
    fn int(&mut self, depth: u32) -> String {
        let mut leaves = vec!["n", "m", "k", "u", "h", "l", "s", "0", "1", "-1", "2", "D"];
        leaves.extend(&self.index);
        if depth == 0 {
            return self.random.pick(&leaves).to_string();
        }
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        match self.random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
            0 | 1 => format!("(+ {a} {b} {})", self.int(0)),
            2 => format!("(- {a} {b})"),
            3 => format!("(* {a} {b})"),
            4 => format!("(min {a} {b} {})", self.int(0)),
            5 => format!("(max {a} {b})"),
            6 => format!("(neg {a})"),
            7 => format!("(ifelse {} {a} {b})", self.bool(depth - 1)),
            8 => format!("(+ {a} {})", self.bool(0)),
            _ => format!("(load a {})", self.random.pick(&["0", "1", "2", "u", "k"])),
        }
    }

    fn float(&mut self, depth: u32) -> String {
        let leaves = ["x", "y", "z", "w", "A", "B", "0", "1", "0.5", "-2"];
        if depth == 0 {
            let at = self.index.first().filter(|_| self.random.pick(&[true, false, false]));
            return at.map_or(self.random.pick(&leaves).to_string(), |i| format!("B@{i}"));
        }
        let (a, b) = (self.float(depth - 1), self.float(depth - 1));
        match self.random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8]) {
            0 | 1 => format!("(+ {a} {b})"),
            2 => format!("(- {a} {b})"),
            3 | 4 => format!("(* {a} {b} {})", self.float(0)),
            5 => format!("(neg {a})"),
            6 => format!("(ifelse {} {a} {b})", self.bool(depth - 1)),
            7 => format!("(coalesce {a} {b})"),
            _ => format!("(* {a} {})", self.bool(depth - 1)),
        }
    }

    fn bool(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.random.pick(&["p", "q", "r", "P", "true", "false"]).to_string();
        }
        let (a, b) = (self.bool(depth - 1), self.bool(depth - 1));
        let (i, j) = (self.int(depth - 1), self.int(depth - 1));
        let op = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        match self.random.pick(&[0, 1, 2, 3, 4, 5, 6]) {
            0 => format!("(and {a} {b} {})", self.bool(0)),
            1 => format!("(or {a} {b})"),
            2 => format!("(not {a})"),
            3 | 4 => format!("({op} {i} {j})"),
            5 => format!("({} {a} {b})", self.random.pick(&["&", "|", "^", "==", "!="])),
            _ => format!("({op} {} {})", self.float(depth - 1), self.random.pick(&["x", "0.5"])),
        }
    }

    fn assign(&mut self, depth: u32) -> String {
        match self.random.pick(&[0, 1, 2, 3, 4]) {
            0 => format!(
                "(assign {} {} {})",
                self.random.pick(&["or", "and", "|", "&", "^", "="]),
                self.random.pick(&["P", "p"]),
                self.bool(depth)
            ),
            1 => format!(
                "(assign {} {} {})",
                self.random.pick(&["+", "-", "*", "min", "max", "=", "|", "&"]),
                self.random.pick(&["s", "D", "(load a 1)", "(load a u)"]),
                self.int(depth)
            ),
            _ => {
                let at = self.index.first().filter(|_| self.random.pick(&[true, false]));
                let target = at.map_or("A".to_string(), |i| format!("A@{i}"));
                let ops = ["+", "+", "-", "*", "min", "max", "="];
                format!("(assign {} {target} {})", self.random.pick(&ops), self.float(depth))
            }
        }
    }

    fn stmt(&mut self, depth: u32) -> String {
        if depth == 0 {
            let depth = self.random.pick(&[0, 1, 2]);
            return self.assign(depth);
        }
        match self.random.pick(&[0, 1, 2, 3, 4, 5, 6]) {
            0 | 1 if self.index.len() < 2 => {
                let index = ["i", "j"][self.index.len()];
                let (lo, hi) = (self.int(0), self.int(self.random.0 as u32 % 2));
                self.index.insert(0, index);
                let body = self.stmt(depth - 1);
                self.index.remove(0);
                format!("(loop {index} {lo} {hi} {body})")
            }
            2 => format!("(seq {} {} pass)", self.stmt(depth - 1), self.stmt(depth - 1)),
            3 => format!("(sieve {} {} pass)", self.bool(1), self.stmt(depth - 1)),
            4 => format!(
                "(sieve {} {} {})",
                self.bool(2),
                self.stmt(depth - 1),
                self.random.pick(&["pass", "(assign = A 0)", "(assign + A x)"])
            ),
            _ => self.stmt(depth - 1),
        }
    }
}

fn try_terms(seed: u64, rules: RuleSet, special: u8) {
    let mut maker = Maker { random: Random(seed), index: vec![] };
    let mut s = Simplifier::new(rules);
    let (mut meant, mut smaller) = (0, 0);
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(120);
    for round in 0..rounds {
        let text = match round % 6 {
            0 => maker.int(3),
            1 => maker.float(3),
            2 => maker.bool(3),
            _ => maker.stmt(3),
        };
        let start = term(&text);
        let found = match &start {
            Term::Expr(e) => Term::Expr(s.expr(e, &Names)),
            Term::Stmt(t) => Term::Stmt(s.stmt(t, &Names)),
        };
        meant += agree(&start, &found, special).unwrap_or_else(|e| panic!("round {round}: {e}"));
        smaller += usize::from(show(&found).len() < text.len());
    }
    println!("{meant} states, {smaller} of {rounds} terms smaller, {:?}", s.statistics());
    assert!(meant > 0 && smaller > rounds / 3);
    assert_eq!(s.statistics().refused, 0);
    assert!(s.statistics().max_nodes < 200, "{:?}", s.statistics());
}

#[test]
fn simplified_terms_mean_the_same() {
    try_terms(3, standard(), 0);
}

/// With infinities and NaN about, save for the rules that say they are not true of them.
#[test]
fn simplified_terms_mean_the_same_of_special_values() {
    let strict = all()
        .into_iter()
        .filter(|r| !FINITE_ONLY.contains(&&*r.name) && !NOT_NAN.contains(&&*r.name))
        .collect();
    try_terms(5, RuleSet::new(strict).unwrap(), 2);
}

/// With all values about, by the rules that a strict kernel has.
#[test]
fn strictly_simplified_terms_mean_the_same_of_all_values() {
    try_terms(7, standard().strict(), 3);
}
