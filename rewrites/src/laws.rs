//! What the declared properties of an operator come to: rules over its calls, its reductions and the
//! loops around them (SparseArrays section 4, for any operator).

use crate::conditions::{invariant, present, untouched};
use looplets_core::simplify::{condition, Condition, Law, Operator, Rule, Test};

/// The rules of `operator`; their names begin with its own.
pub fn rules(operator: &Operator) -> Vec<Rule> {
    let mut table = Table { operator, rules: Vec::new(), inexact: false };
    table.idempotent();
    for (law, inexact) in &operator.laws {
        table.inexact = *inexact;
        match law {
            Law::Identity(e, at) => table.identity(e, *at),
            Law::Annihilator(z, at) => table.annihilator(z, *at),
            Law::Inverse(g) => table.inverse(g),
            Law::Distributes(h) => table.distributes(h),
            Law::Repeated(g) => table.repeated(g),
            Law::Case(args, body) => table.case(args, body),
        }
    }
    table.rules
}

struct Table<'a> {
    operator: &'a Operator,
    rules: Vec<Rule>,
    inexact: bool,
}

impl Table<'_> {
    fn rule(&mut self, law: &str, lhs: String, rhs: String, conditions: Vec<Condition>) {
        let name = &self.operator.name;
        let number = self.rules.len();
        self.rules.push(Rule {
            name: format!("{name}::{law}_{number}").into(),
            family: name.clone().into(),
            lhs: lhs.into(),
            rhs: rhs.into(),
            conditions,
            inexact: self.inexact,
            after: 0,
        });
    }

    /// Held as a flattened list, with arguments in any order.
    fn shape(&self) -> (bool, bool) {
        (self.operator.traits.associative, self.operator.traits.commutative)
    }

    fn idempotent(&mut self) {
        if !self.operator.traits.idempotent {
            return;
        }
        let f = &self.operator.name;
        let (lhs, rhs) = match self.shape() {
            // Repeats are dropped where the list is made.
            (true, true) => return self.itself(),
            (true, false) => (format!("({f} ?a... ?x ?x ?b...)"), format!("({f} ?a... ?x ?b...)")),
            (false, _) => (format!("({f} ?x ?x)"), "?x".to_owned()),
        };
        self.rule("idempotent", lhs, rhs, vec![]);
        self.itself();
    }

    fn itself(&mut self) {
        let f = &self.operator.name;
        self.rule("itself", format!("(assign {f} ?t ?t)"), "pass".into(), vec![]);
    }

    fn identity(&mut self, e: &str, at: Option<usize>) {
        let f = self.operator.name.clone();
        let (associative, commutative) = self.shape();
        let mut both = |lhs: String, rhs: &str| self.rule("identity", lhs, rhs.to_owned(), vec![]);
        match (associative, commutative || at.is_none(), at) {
            (true, _, None) if commutative => {
                both(format!("({f} {e} ?r...)"), &format!("({f} ?r...)"))
            }
            (true, _, None) => {
                both(format!("({f} ?a... {e} ?b...)"), &format!("({f} ?a... ?b...)"))
            }
            (true, _, Some(0)) => {
                both(format!("({f} ?a... {e} ?x ?b...)"), &format!("({f} ?a... ?x ?b...)"));
            }
            (true, _, Some(_)) => {
                both(format!("({f} ?a... ?x {e} ?b...)"), &format!("({f} ?a... ?x ?b...)"));
            }
            (false, _, at) => {
                if at != Some(1) {
                    both(format!("({f} {e} ?x)"), "?x");
                }
                if at != Some(0) && !commutative {
                    both(format!("({f} ?x {e})"), "?x");
                }
            }
        }
        if at != Some(0) || commutative {
            self.rule("reduce_identity", format!("(assign {f} ?t {e})"), "pass".into(), vec![]);
        }
    }

    fn annihilator(&mut self, z: &str, at: Option<usize>) {
        let f = self.operator.name.clone();
        let are = |names: &[&str]| vec![condition("present", names, present as Test)];
        match (self.shape(), at) {
            ((true, true), _) => {
                self.rule("annihilator", format!("({f} {z} ?r...)"), z.into(), are(&["r"]));
            }
            ((true, false), None) => {
                self.rule(
                    "annihilator",
                    format!("({f} ?a... {z} ?b...)"),
                    z.into(),
                    are(&["a", "b"]),
                );
            }
            ((true, false), Some(0)) => {
                let (lhs, rhs) = (format!("({f} ?a... {z} ?x ?b...)"), format!("({f} ?a... {z})"));
                self.rule("annihilator", lhs, rhs, are(&["x", "b"]));
            }
            ((true, false), Some(_)) => {
                let (lhs, rhs) = (format!("({f} ?a... ?x {z} ?b...)"), format!("({f} {z} ?b...)"));
                self.rule("annihilator", lhs, rhs, are(&["a", "x"]));
            }
            ((false, _), at) => {
                let places = at.map_or(0..self.operator.arity, |k| k..k + 1);
                for k in places {
                    let names: Vec<String> =
                        (0..self.operator.arity).map(|n| format!("x{n}")).collect();
                    let others: Vec<&str> = names
                        .iter()
                        .enumerate()
                        .filter(|(n, _)| *n != k)
                        .map(|(_, x)| x.as_str())
                        .collect();
                    let args: Vec<String> = names
                        .iter()
                        .enumerate()
                        .map(|(n, x)| if n == k { z.to_owned() } else { format!("?{x}") })
                        .collect();
                    let lhs = format!("({f} {})", args.join(" "));
                    self.rule("annihilator", lhs, z.into(), are(&others));
                }
            }
        }
        if self.operator.arity == 2 && (at != Some(0) || self.shape().1) {
            let set = format!("(assign = ?t {z})");
            self.rule("reduce_annihilator", format!("(assign {f} ?t {z})"), set, are(&["t"]));
        }
    }

    fn inverse(&mut self, g: &str) {
        let f = self.operator.name.clone();
        let Some(e) = self.operator.laws.iter().find_map(|(law, _)| match law {
            Law::Identity(e, None) => Some(e.clone()),
            _ => None,
        }) else {
            return;
        };
        let are = || vec![condition("present", &["x"], present as Test)];
        match self.shape() {
            (true, true) => {
                let (lhs, rhs) = (format!("({f} ?x ({g} ?x) ?r...)"), format!("({f} {e} ?r...)"));
                self.rule("inverse", lhs, rhs, are());
            }
            // What is said is `f(x, g(x))`, and nothing of `f(g(x), x)`.
            (true, false) => {
                let lhs = format!("({f} ?a... ?x ({g} ?x) ?b...)");
                self.rule("inverse", lhs, format!("({f} ?a... {e} ?b...)"), are());
            }
            (false, _) => self.rule("inverse", format!("({f} ?x ({g} ?x))"), e, are()),
        }
    }

    fn distributes(&mut self, h: &str) {
        let f = self.operator.name.clone();
        self.rule(
            "distributes",
            format!("({h} ({f} ?x ?a) ({f} ?x ?b))"),
            format!("({f} ?x ({h} ?a ?b))"),
            vec![],
        );
    }

    fn repeated(&mut self, g: &str) {
        let f = self.operator.name.clone();
        let conditions = vec![
            condition("invariant", &["i", "t", "v"], invariant as Test),
            condition("untouched", &["t", "v"], untouched as Test),
        ];
        let lhs = format!("(loop ?i ?lo ?hi (assign {f} ?t ?v))");
        let rhs = format!("(sieve (< ?lo ?hi) (assign {f} ?t ({g} ?v (+ ?hi (neg ?lo)))) pass)");
        self.rule("repeated", lhs, rhs, conditions);
    }

    fn case(&mut self, args: &[String], body: &str) {
        let f = self.operator.name.clone();
        let variables: Vec<&String> = args.iter().filter(|a| a.starts_with('?')).collect();
        // Of a longer list the variable is all the others.
        if let ((true, true), [x]) = (self.shape(), &variables[..]) {
            let fixed: Vec<&str> = args.iter().filter(|a| a != x).map(String::as_str).collect();
            let lhs = format!("({f} {} {x}...)", fixed.join(" "));
            let whole = format!("({f} {x}...)");
            self.rule("case", lhs, words(body, x, &whole), vec![]);
            return;
        }
        self.rule("case", format!("({f} {})", args.join(" ")), body.to_owned(), vec![]);
    }
}

/// `text` with the word `from` replaced.
fn words(text: &str, from: &str, to: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(|w| if w == from { to } else { w }).collect::<Vec<_>>().join(" ")
}
