//! The simplifier around the rules: determinism, memory, limits, and rules of third parties.

mod common;

use common::{show, term, Names, Term};
use looplets_core::cin::{Expr, Op, Stmt, VarId};
use looplets_core::simplify::{
    family, Binding, Graph, Limits, NoFacts, RuleSet, Simplifier, Statistics,
};
use looplets_rewrites::{all, standard};

fn run(s: &mut Simplifier, text: &str) -> String {
    match term(text) {
        Term::Expr(e) => show(&Term::Expr(s.expr(&e, &Names))),
        Term::Stmt(t) => show(&Term::Stmt(s.stmt(&t, &Names))),
    }
}

/// Terms of the size and kind that lowering makes.
const TYPICAL: &[&str] = &[
    "(* x (+ 0 (* 1 y)))",
    "(min (+ n 1) m k)",
    "(max 0 (- (+ n m) n))",
    "(and (< n (+ n 1)) (<= m k) true)",
    "(assign + A (* 0 B))",
    "(assign + A (* B C x))",
    "(loop i n m (assign + A (* 0 B@i)))",
    "(loop i n m (assign + A (* x B)))",
    "(sieve (== n m) (assign + A (* x B)) pass)",
    "(seq (loop i 0 n (assign + A (* 0 B@i))) (loop j n m (assign + A (* x B@j))) pass)",
    "(loop i n m (loop j 0 k (assign + A@i (* B@i (load v j)))))",
    "(sieve (and (< n m) (< m k)) (seq (assign + A x) (assign min B y)) (assign = C 0))",
];

#[test]
fn a_fresh_simplifier_gives_the_same() {
    let mut first = Simplifier::new(standard());
    let once: Vec<String> = TYPICAL.iter().map(|t| run(&mut first, t)).collect();
    // Neither what came before nor a rule set parsed anew makes a difference.
    let mut second = Simplifier::new(RuleSet::new(all()).unwrap());
    let mut again: Vec<String> = TYPICAL.iter().rev().map(|t| run(&mut second, t)).collect();
    again.reverse();
    assert_eq!(once, again);
    assert_eq!(first.statistics(), second.statistics());
}

#[test]
fn terms_are_remembered_up_to_names() {
    let mut s = Simplifier::new(standard());
    assert_eq!(run(&mut s, "(loop i n m (assign + A (* 0 B@i)))"), "pass");
    assert_eq!(run(&mut s, "(* x 1)"), "x");
    assert_eq!(s.statistics().memo_hits, 0);
    assert_eq!(run(&mut s, "(* y 1)"), "y");
    assert_eq!(run(&mut s, "(loop j n k (assign + A (* 0 C@j)))"), "pass");
    assert_eq!(s.statistics().memo_hits, 2);
    // Other facts, another term: a bool times one is a number.
    assert_eq!(run(&mut s, "(* p 1)"), "(* p 1)");
    assert_eq!(s.statistics().memo_hits, 2);
    // One place or two is a fact too.
    assert_eq!(
        run(&mut s, "(loop i n m (assign + A B))"),
        "(sieve (< n m) (assign + A (* B (- m n))) pass)"
    );
    assert_eq!(run(&mut s, "(loop i n m (assign + A A))"), "(loop i n m (assign + A A))");
    assert_eq!(s.statistics().memo_hits, 2);
}

#[test]
fn leaves_cost_nothing() {
    let mut s = Simplifier::new(standard());
    for e in [Expr::int(3), Expr::Var(VarId(7)), Expr::bool(true)] {
        assert_eq!(s.expr(&e, &NoFacts), e);
    }
    assert_eq!(s.stmt(&Stmt::Pass, &NoFacts), Stmt::Pass);
    assert_eq!(s.statistics().terms, 0);
}

#[test]
fn limits_are_kept() {
    let text = "(+ (* (+ n m) (+ m k)) (min n m k u h) (- (max n m k) (* 2 (+ n (- m k)))))";
    let limits = Limits { nodes: 60, ..Limits::default() };
    let mut s = Simplifier::new(standard()).with_limits(limits);
    let _ = run(&mut s, text);
    // The limit is checked before each application, which may add a right side.
    assert!(s.statistics().max_nodes < 60 + 20, "{:?}", s.statistics());
    let grows = family! { "grows"; more: "(f ?x)" => "(f (g (f (h ?x))))"; };
    let limits = Limits { iterations: 100, nodes: 500, matches: 10 };
    let mut s = Simplifier::new(RuleSet::new(grows).unwrap()).with_limits(limits);
    assert_eq!(run(&mut s, "(f x)"), "(f x)");
    assert!((500..540).contains(&s.statistics().max_nodes), "{:?}", s.statistics());
}

#[test]
fn terms_come_back_as_they_were() {
    let mut s = Simplifier::new(RuleSet::new(vec![]).unwrap());
    for text in [
        "(loop i 0 n (seq (assign + A@i (* x B@i)) (assign = (load v i) $e)))",
        "(where (assign + A W) (loop i n m (assign + W B@i)) W)",
        "(let n (+ m k) (sieve (and p (< n m) q) (assign min A x) pass))",
        "(g (f x y) x)",
        "(+ x y z)",
        "(- n m)",
        "(/ (f) 2.5)",
        "(coalesce w (ifelse p x y) 0)",
    ] {
        assert_eq!(run(&mut s, text), text);
    }
    // A function may be called like a statement, and is still a function.
    let e = Expr::call(
        Op::function("seq"),
        [Expr::call(Op::function("pass"), []), Expr::call(Op::function("load"), [Expr::int(1)])],
    );
    let mut s = Simplifier::new(standard());
    assert_eq!(s.expr(&e, &NoFacts), e);
}

#[test]
fn literals_whose_product_is_none_are_both_kept() {
    let mut s = Simplifier::new(standard());
    let value = |text: &str| {
        let memory = [('n', 3), ('m', 7)].map(|(n, v)| ((n, 0), common::eval::Value::Int(v)));
        let memory = memory.into_iter().collect();
        let mut state = common::eval::State { memory, written: vec![], raw: 0.0 };
        common::eval::run(&term(text), &mut state).unwrap().unwrap().float()
    };
    for text in ["(+ n (* 5000 5000))", "(+ n (* 5000 5000 m))", "(+ (* 5000 5000 m) n 1)"] {
        let found = run(&mut s, text);
        assert!(value(&found) == value(text), "{text} is not {found}");
    }
}

#[test]
fn floats_are_not_reassociated() {
    let mut s = Simplifier::new(standard());
    for text in ["(+ x y z)", "(+ x (+ y z))", "(* x (* y z))", "(- (+ x y) x)", "(+ x 1 2)"] {
        let found = run(&mut s, text);
        let (a, b) = (term(text), term(&found));
        let values: [[f64; 3]; 3] = [[1e300, -1e300, 1.0], [0.1, 0.2, 0.3], [1e-300, 1e300, 1e300]];
        for [x, y, z] in values {
            let value = |t: &Term| {
                let memory = [('x', x), ('y', y), ('z', z)]
                    .map(|(n, v)| ((n, 0), common::eval::Value::Float(v)))
                    .into_iter()
                    .collect();
                let mut state = common::eval::State { memory, written: vec![], raw: 0.0 };
                common::eval::run(t, &mut state).unwrap().unwrap().float()
            };
            assert!(value(&a).to_bits() == value(&b).to_bits(), "{text} is not {found}");
        }
    }
}

#[test]
fn a_bad_rule_is_refused_by_name() {
    let refuse = |lhs: &'static str, rhs: &'static str| {
        let mut rules = family! { "mine"; my_rule: "(f ?x)" => "?x"; };
        rules[0].lhs = lhs.into();
        rules[0].rhs = rhs.into();
        standard().with(rules).err().unwrap().to_string()
    };
    for (lhs, rhs, reason) in [
        ("(f ?x", "?x", "a `(` is not closed"),
        ("(f ?x))", "?x", "after the end"),
        ("(f ?x)", "?y", "`?y` is not on the left side"),
        ("?x", "?x", "must be a call"),
        ("(loop ?i ?x)", "pass", "`loop` takes 4 arguments, not 2"),
        ("(+ ?a... ?b...)", "0", "one rest only"),
        ("(f ?a...)", "?a", "both as one term and as a rest"),
        ("(f ?)", "0", "not a variable's name"),
        ("()", "0", "needs a name"),
    ] {
        let error = refuse(lhs, rhs);
        assert!(error.contains("`my_rule`") && error.contains(reason), "{error}");
    }
    let twice = standard().with(family! { "mine"; add_zero: "(f ?x)" => "?x"; });
    assert!(twice.err().unwrap().to_string().contains("another rule has this name"));
    fn never(_: &Graph, _: &[&Binding]) -> bool {
        false
    }
    let unknown = standard().with(family! { "mine"; r: "(f ?x)" => "?x" if never(y); });
    assert!(unknown.err().unwrap().to_string().contains("no variable `?y`"));
}

/// A max-plus semiring, as its author would write it outside this repository.
mod tropical {
    use super::*;

    fn integer(g: &Graph, b: &[&Binding]) -> bool {
        b.iter().all(|b| b.ids().iter().all(|id| g.is_exact(*id)))
    }

    #[test]
    fn rules_of_others_work_like_our_own() {
        let rules = family! { "tropical";
            relu_relu:  "(relu (relu ?x))"             => "(relu ?x)";
            relu_int:   "(relu ?x)"                    => "(max 0 ?x)"       if integer(x);
            oplus_none: "(assign oplus ?t (bottom_v))" => "pass";
            oplus_loop: "(loop ?i ?lo ?hi (assign oplus ?t 7))" => "(assign oplus ?t 7)";
        };
        let mut s = Simplifier::new(standard().with(rules).unwrap());
        assert_eq!(run(&mut s, "(relu (relu x))"), "(relu x)");
        assert_eq!(run(&mut s, "(relu (relu u))"), "u");
        assert_eq!(run(&mut s, "(loop i n m (assign oplus A 7))"), "(assign oplus A 7)");
    }
}

#[test]
fn rules_that_contradict_each_other_change_nothing() {
    let rules = family! { "wrong"; two_is_three: "(f 2)" => "3"; two_is_four: "(f 2)" => "4"; };
    let mut s = Simplifier::new(RuleSet::new(rules).unwrap());
    assert_eq!(run(&mut s, "(f 2)"), "(f 2)");
    assert_eq!(s.statistics().refused, 1);
}

/// Not a benchmark, which belongs elsewhere, but what one would be alarmed by.
#[test]
fn a_term_is_cheap_unoptimised() {
    let rules = standard();
    for text in TYPICAL {
        let mut s = Simplifier::new(rules.clone());
        let start = std::time::Instant::now();
        let found = run(&mut s, text);
        let Statistics { max_nodes, iterations, applied, .. } = s.statistics();
        assert!(max_nodes < 120, "{text}: {max_nodes} nodes");
        let took = start.elapsed();
        println!(
            "{took:?} {max_nodes} nodes {iterations} rounds {applied} applied\t{text}\t{found}"
        );
    }
    let mut s = Simplifier::new(rules.clone());
    let start = std::time::Instant::now();
    let rounds = 20;
    for _ in 0..rounds {
        s = Simplifier::new(rules.clone());
        for text in TYPICAL {
            let _ = run(&mut s, text);
        }
    }
    let terms = s.statistics().terms;
    let each = start.elapsed().as_secs_f64() * 1e3 / f64::from(rounds) / terms as f64;
    println!("{each:.3} ms a term, {:?}", s.statistics());
    let start = std::time::Instant::now();
    for _ in 0..rounds {
        for text in TYPICAL {
            let _ = run(&mut s, text);
        }
    }
    let again = start.elapsed().as_secs_f64() * 1e3 / f64::from(rounds) / terms as f64;
    println!("{again:.3} ms a remembered term");
    let start = std::time::Instant::now();
    let rules = RuleSet::new(all()).unwrap();
    println!("{} rules parsed in {:?}", rules.rules().len(), start.elapsed());
}
