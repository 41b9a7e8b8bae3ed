//! Soundness against enumeration: small random systems, every assignment in a box.

use super::test_door::Known;
use crate::cin::{Expr, Op, VarId};
use std::collections::HashSet;

const LOW: i128 = -3;
const HIGH: i128 = 6;

/// A linear congruential generator, so that the systems are the same on every run.
struct Random {
    state: u64,
    /// Whether terms have quotients, remainders and products of unknowns in them.
    divides: bool,
}

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) % n
    }
    fn var(&mut self, vars: u32) -> Expr {
        Expr::Var(VarId(self.below(vars.into()) as u32))
    }
    fn constant(&mut self) -> Expr {
        Expr::int(self.below(8) as i128 - 3)
    }
    fn pick(&mut self, names: &[&'static str]) -> &'static str {
        names[self.below(names.len() as u64) as usize]
    }

    fn expr(&mut self, vars: u32, depth: u32) -> Expr {
        match self.below(if depth == 0 { 4 } else { 14 }) {
            0..=2 => self.var(vars),
            3 => self.constant(),
            4 => self.var(vars).plus(self.below(5) as i128 - 2),
            5 => Expr::call(Op::Sub, [self.expr(vars, depth - 1), self.var(vars)]),
            6 => Expr::call(Op::Add, [self.expr(vars, depth - 1), self.var(vars)]),
            7 => Expr::call(
                Op::Mul,
                [Expr::int(self.below(5) as i128 - 2), self.expr(vars, depth - 1)],
            ),
            8..=10 if self.divides => self.quotient(vars, depth - 1),
            11 if self.divides => Expr::call(Op::Mul, [self.expr(vars, depth - 1), self.var(vars)]),
            _ => self.extremum(vars, depth - 1),
        }
    }
    fn quotient(&mut self, vars: u32, depth: u32) -> Expr {
        let name = self.pick(&["/", "%", "/", "%", "ceil_div:"]);
        let divisor = match self.below(3) {
            0 if name != "ceil_div:" => self.var(vars),
            1 if name != "ceil_div:" => Expr::int(self.below(7) as i128 - 2),
            _ => Expr::int(1 + self.below(4) as i128),
        };
        Expr::call(Op::in_rules(name), [self.expr(vars, depth), divisor])
    }
    fn extremum(&mut self, vars: u32, depth: u32) -> Expr {
        let name = self.pick(&["min", "max"]);
        let count = 2 + self.below(2);
        let args: Vec<Expr> = (0..count).map(|_| self.expr(vars, depth)).collect();
        Expr::call(Op::in_rules(name), args)
    }
    fn comparison(&mut self, vars: u32, depth: u32) -> Expr {
        let name = self.pick(&["<", "<=", ">", ">=", "==", "!=", "!="]);
        Expr::call(Op::in_rules(name), [self.expr(vars, depth), self.expr(vars, depth)])
    }
    fn condition(&mut self, vars: u32) -> Expr {
        match self.below(8) {
            0 => Expr::call(Op::Not, [self.condition(vars)]),
            1 => Expr::call(Op::And, [self.comparison(vars, 1), self.comparison(vars, 1)]),
            2 => Expr::call(Op::Or, [self.comparison(vars, 1), self.comparison(vars, 1)]),
            _ => self.comparison(vars, 2),
        }
    }
    /// `x - y <= c` in one of its spellings, or a bound of one variable.
    fn difference(&mut self, vars: u32) -> Expr {
        let name = self.pick(&["<", "<=", ">", ">=", "=="]);
        let shift = self.below(9) as i128 - 4;
        match self.below(3) {
            0 => Expr::call(Op::in_rules(name), [self.var(vars), Expr::int(shift)]),
            1 => Expr::call(
                Op::in_rules(name),
                [Expr::call(Op::Sub, [self.var(vars), self.var(vars)]), Expr::int(shift)],
            ),
            _ => Expr::call(Op::in_rules(name), [self.var(vars).plus(shift), self.var(vars)]),
        }
    }
}

/// The value of a condition or index expression, a condition being 1 or 0.
fn value(e: &Expr, at: &[i128]) -> i128 {
    use crate::cin::Lit;
    match e {
        Expr::Lit(Lit::Int(n)) => *n,
        Expr::Var(v) => at[v.0 as usize],
        Expr::Call(op, args) => {
            let args: Vec<i128> = args.iter().map(|a| value(a, at)).collect();
            match (op, &args[..]) {
                (Op::Add, _) => args.iter().sum(),
                (Op::Sub, [a, b]) => a - b,
                (Op::Neg, [a]) => -a,
                (Op::Mul, _) => args.iter().product(),
                (Op::Min, _) => *args.iter().min().unwrap(),
                (Op::Max, _) => *args.iter().max().unwrap(),
                // Of what has no value, one that sums up as others do.
                (Op::Div, [_, 0]) => 0,
                (Op::Rem, [a, 0]) => *a,
                (Op::Div, [a, b]) => a / b,
                (Op::Rem, [a, b]) => a % b,
                (Op::CeilDiv, [a, b]) => (a + b - 1).div_euclid(*b),
                (Op::Lt, [a, b]) => i128::from(a < b),
                (Op::Le, [a, b]) => i128::from(a <= b),
                (Op::Gt, [a, b]) => i128::from(a > b),
                (Op::Ge, [a, b]) => i128::from(a >= b),
                (Op::Eq, [a, b]) => i128::from(a == b),
                (Op::Ne, [a, b]) => i128::from(a != b),
                (Op::Not, [a]) => 1 - a,
                (Op::And, _) => args.iter().product(),
                (Op::Or, _) => *args.iter().max().unwrap(),
                other => panic!("{other:?}"),
            }
        }
        other => panic!("{other:?}"),
    }
}

fn box_of(vars: u32) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..vars {
        all = all
            .into_iter()
            .flat_map(|at| (LOW..=HIGH).map(move |x| [&at[..], &[x]].concat()))
            .collect();
    }
    all
}

/// `cond` alone where the facts hold: one truth value, or both.
fn agreed(cond: &Expr, models: &[Vec<i128>]) -> Option<bool> {
    let seen: HashSet<i128> = models.iter().map(|at| value(cond, at)).collect();
    match (seen.contains(&1), seen.contains(&0)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

fn check(
    p: &Known,
    models: &[Vec<i128>],
    random: &mut Random,
    vars: u32,
    told: &dyn Fn() -> String,
) {
    if p.infeasible() {
        assert!(models.is_empty(), "{} has a model {:?}", told(), models[0]);
        return;
    }
    for _ in 0..6 {
        let cond = random.condition(vars);
        if let Some(answer) = p.decide(&cond) {
            let wrong = models.iter().find(|at| value(&cond, at) != i128::from(answer));
            assert!(wrong.is_none(), "{} decides {cond:?} as {answer} against {wrong:?}", told());
        }
    }
    for _ in 0..4 {
        let e = random.extremum(vars, 2);
        let bound = p.bound(&e);
        let wrong = models.iter().find(|at| value(&e, at) != value(&bound, at));
        assert!(wrong.is_none(), "{}: {e:?} becomes {bound:?} against {wrong:?}", told());
    }
}

#[test]
fn answers_hold_in_every_model() {
    let mut random = Random { state: 1, divides: true };
    for round in 0..400 {
        let vars = 3 + u32::from(round % 8 == 0);
        let mut models = box_of(vars);
        let mut p = Known::new();
        let mut told: Vec<Expr> = Vec::new();
        if round % 2 == 0 {
            for x in 0..vars {
                for c in [
                    Expr::call(Op::Le, [Expr::int(LOW), Expr::Var(VarId(x))]),
                    Expr::call(Op::Le, [Expr::Var(VarId(x)), Expr::int(HIGH)]),
                ] {
                    p.assume(&c);
                }
            }
        }
        if round % 3 > 0 {
            let e = random.extremum(vars - 1, 1);
            let last = VarId(vars - 1);
            p.define(last, &e);
            let fact = Expr::call(Op::Eq, [Expr::Var(last), e]);
            models.retain(|at| value(&fact, at) == 1);
            told.push(fact);
        }
        let outer = models.clone();
        p.push();
        for _ in 0..1 + random.below(5) {
            let fact = random.condition(vars);
            p.assume(&fact);
            models.retain(|at| value(&fact, at) == 1);
            told.push(fact);
        }
        check(&p, &models, &mut random, vars, &|| format!("round {round} {told:?}"));
        p.pop();
        check(&p, &outer, &mut random, vars, &|| format!("round {round} after pop {told:?}"));
    }
}

/// With the box itself among the facts, enumeration is the whole truth.
#[test]
fn differences_are_decided_completely() {
    let mut random = Random { state: 2, divides: false };
    let vars = 4;
    let all = box_of(vars);
    for _ in 0..60 {
        let mut p = Known::new();
        for x in 0..vars {
            p.assume(&Expr::call(Op::Le, [Expr::int(LOW), Expr::Var(VarId(x))]));
            p.assume(&Expr::call(Op::Le, [Expr::Var(VarId(x)), Expr::int(HIGH)]));
        }
        let facts: Vec<Expr> = (0..1 + random.below(5)).map(|_| random.difference(vars)).collect();
        facts.iter().for_each(|fact| p.assume(fact));
        let mut models = all.clone();
        models.retain(|at| facts.iter().all(|fact| value(fact, at) == 1));
        assert_eq!(p.infeasible(), models.is_empty(), "{facts:?}");
        for _ in 0..10 {
            let cond = random.difference(vars);
            if !models.is_empty() {
                assert_eq!(p.decide(&cond), agreed(&cond, &models), "{facts:?} on {cond:?}");
            }
        }
    }
}

/// Minima, sums and disequalities are not decided completely, but nearly.
#[test]
fn little_is_missed() {
    let mut random = Random { state: 5, divides: false };
    let vars = 3;
    let all = box_of(vars);
    let (mut decidable, mut decided) = (0, 0);
    for round in 0..300 {
        let mut p = Known::new();
        let mut facts: Vec<Expr> = Vec::new();
        for x in 0..vars {
            facts.push(Expr::call(Op::Le, [Expr::int(LOW), Expr::Var(VarId(x))]));
            facts.push(Expr::call(Op::Le, [Expr::Var(VarId(x)), Expr::int(HIGH)]));
        }
        if round % 2 == 0 {
            facts.push(Expr::call(Op::Eq, [Expr::Var(VarId(2)), random.extremum(2, 1)]));
        }
        facts.extend((0..3).map(|_| random.comparison(vars, 1)));
        facts.iter().for_each(|fact| p.assume(fact));
        let mut models = all.clone();
        models.retain(|at| facts.iter().all(|fact| value(fact, at) == 1));
        if models.is_empty() {
            continue;
        }
        for _ in 0..6 {
            let cond = random.comparison(vars, 1);
            if agreed(&cond, &models).is_some() {
                decidable += 1;
                decided += u32::from(p.decide(&cond).is_some());
            }
        }
    }
    assert!(decidable > 300 && decided * 100 > decidable * 97, "{decided} of {decidable}");
}

/// Quotients and remainders by constants and by a variable, products of sums and of what is bounded: every
/// answer about them against every assignment, dividends below 0 included.
#[test]
fn quotients_and_products_hold_in_every_model() {
    let mut random = Random { state: 9, divides: true };
    let vars = 3;
    let all = box_of(vars);
    let mut decided = 0;
    for round in 0..600 {
        let mut p = Known::new();
        let mut facts: Vec<Expr> = Vec::new();
        for x in 0..vars {
            let low = [LOW, 0, 1][random.below(3) as usize];
            facts.push(Expr::call(Op::Le, [Expr::int(low), Expr::Var(VarId(x))]));
            if round % 2 == 0 {
                facts.push(Expr::call(Op::Le, [Expr::Var(VarId(x)), Expr::int(HIGH)]));
            }
        }
        let term = |random: &mut Random| match random.below(3) {
            0 => random.quotient(vars, 1),
            1 => Expr::call(Op::Mul, [random.expr(vars, 0), random.expr(vars, 1)]),
            _ => random.expr(vars, 1),
        };
        for _ in 0..2 {
            let name = random.pick(&["<", "<=", "=="]);
            facts.push(Expr::call(Op::in_rules(name), [term(&mut random), term(&mut random)]));
        }
        facts.iter().for_each(|fact| p.assume(fact));
        let mut models = all.clone();
        models.retain(|at| facts.iter().all(|fact| value(fact, at) == 1));
        check(&p, &models, &mut random, vars, &|| format!("round {round} {facts:?}"));
        if p.infeasible() {
            continue;
        }
        for _ in 0..6 {
            let name = random.pick(&["<", "<=", "==", "!="]);
            let cond = Expr::call(Op::in_rules(name), [term(&mut random), term(&mut random)]);
            if let Some(answer) = p.decide(&cond) {
                let wrong = models.iter().find(|at| value(&cond, at) != i128::from(answer));
                assert!(
                    wrong.is_none(),
                    "{facts:?} decides {cond:?} as {answer} against {wrong:?}"
                );
                decided += 1;
            }
        }
    }
    assert!(decided > 300, "{decided}");
}
