//! Conditions as facts and as questions: comparisons, connectives, and what is opaque to both.

use super::affine::Affine;
use super::difference::Node;
use super::facts::{Facts, Shape};
use super::sums::Terms;
use crate::cin::{Expr, Lit, Op};

/// A comparison as a question about `form` against zero.
enum Comparison {
    /// `form <= 0`.
    AtMost(Affine),
    /// `form == 0` or, if the flag is unset, `form != 0`.
    Equal(Affine, bool),
}

impl Facts {
    /// Assumes that `cond` has the value `truth`.
    pub fn assume(&mut self, cond: &Expr, truth: bool) {
        self.record(cond, truth);
        self.infer();
    }

    fn record(&mut self, cond: &Expr, truth: bool) {
        if let Expr::Call(op, args) = cond {
            match (op, &args[..]) {
                (Op::Not, [a]) => return self.record(a, !truth),
                (Op::And, _) if truth => return args.iter().for_each(|a| self.record(a, true)),
                (Op::Or, _) if !truth => return args.iter().for_each(|a| self.record(a, false)),
                (Op::And | Op::Or, _) => return self.record_clause(cond, args, truth),
                _ => {}
            }
        }
        match comparison(cond, truth) {
            Some(Comparison::AtMost(form)) => self.assert_form(&form),
            Some(Comparison::Equal(form, true)) => self.assert_equal(&form),
            Some(Comparison::Equal(form, false)) => self.assert_distinct(&form),
            None => match self.look_up(cond) {
                Some(known) if known != truth => self.differences.contradict(),
                Some(_) => {}
                None => self.truths.push((cond.clone(), truth)),
            },
        }
    }

    /// At least one of `args` has the value `truth`. What is known may single one out; if not,
    /// the disjunction is only remembered as a whole, to answer the same question later.
    fn record_clause(&mut self, cond: &Expr, args: &[Expr], truth: bool) {
        self.infer();
        let mut open = Vec::new();
        for arg in args {
            match self.decide(arg) {
                Some(b) if b == truth => return,
                Some(_) => {}
                None => open.push(arg),
            }
        }
        match open[..] {
            [] => self.differences.contradict(),
            [single] => self.record(single, truth),
            _ => self.truths.push((cond.clone(), truth)),
        }
    }

    /// Asserts `form == 0`, without drawing conclusions.
    pub fn assert_equal(&mut self, form: &Affine) {
        self.assert_form(form);
        if let Some(negated) = form.clone().scale(-1) {
            self.assert_form(&negated);
        }
    }

    fn assert_distinct(&mut self, form: &Affine) {
        let Some((terms, constant)) = self.terms(form) else { return };
        match self.both_shapes(&terms, constant) {
            Some((x, y, c)) => {
                self.distinct.push((x, y, c));
                self.differences.touch();
            }
            None if form.as_constant() == Some(0) => self.differences.contradict(),
            None => {}
        }
    }

    /// `terms + constant == 0` as `x - y == c`, if it has a solution and is not trivial.
    fn both_shapes(&mut self, terms: &Terms, constant: i128) -> Option<(Node, Node, i64)> {
        let negated: Terms = terms.iter().map(|(n, c)| (*n, -c)).collect();
        match (self.shape(terms, constant), self.shape(&negated, -constant)) {
            (Shape::Edge(x, y, c), Shape::Edge(_, _, d)) if c == -d => Some((x, y, c)),
            _ => None,
        }
    }

    fn look_up(&self, cond: &Expr) -> Option<bool> {
        let found = self.truths.iter().find(|(known, _)| known == cond)?;
        Some(found.1)
    }

    /// The value of `cond` in every assignment, if it is the same in all.
    pub fn decide(&mut self, cond: &Expr) -> Option<bool> {
        if self.differences.contradiction() {
            return Some(false);
        }
        if let Expr::Lit(Lit::Bool(b)) = cond {
            return Some(*b);
        }
        if let Expr::Call(op, args) = cond {
            match (op, &args[..]) {
                (Op::Not, [a]) => return self.decide(a).map(|b| !b),
                (Op::And, _) => return self.decide_all(cond, args, true),
                (Op::Or, _) => return self.decide_all(cond, args, false),
                _ => {}
            }
        }
        match comparison(cond, true) {
            Some(Comparison::AtMost(form)) => self.decide_at_most(&form),
            Some(Comparison::Equal(form, true)) => self.decide_equal(&form),
            Some(Comparison::Equal(form, false)) => self.decide_equal(&form).map(|b| !b),
            None => self.look_up(cond),
        }
    }

    /// Whether all of `args` have the value `truth`: `and` as it stands, `or` by De Morgan.
    fn decide_all(&mut self, cond: &Expr, args: &[Expr], truth: bool) -> Option<bool> {
        let mut open = 0;
        for arg in args {
            match self.decide(arg) {
                Some(b) if b == truth => {}
                Some(_) => return Some(!truth),
                None => open += 1,
            }
        }
        if open == 0 {
            return Some(truth);
        }
        if let Some(known) = self.look_up(cond) {
            return Some(known);
        }
        // None is decided alone, yet together they may contradict.
        let dead = open > 1
            && self.scoped(|facts| {
                args.iter().for_each(|arg| facts.record(arg, truth));
                facts.infer();
                facts.differences.contradiction()
            });
        dead.then_some(!truth)
    }

    /// An unknown that no fact and no other part of the question restrains decides nothing. (A
    /// multiple of it might: not every number is even.)
    fn unrestrained(&self, form: &Affine) -> bool {
        let defined = |e: &Expr| matches!(e, Expr::Call(op, _) if matches!(op, Op::Min | Op::Max | Op::Div | Op::Rem | Op::CeilDiv | Op::Mul));
        let mut free = false;
        for (atom, c) in form.terms() {
            if defined(atom) {
                return false;
            }
            free |= matches!(c, 1 | -1) && self.known(atom).is_none();
        }
        free
    }

    /// Whether `form <= 0`.
    pub fn decide_at_most(&mut self, form: &Affine) -> Option<bool> {
        if let Some(n) = form.as_constant() {
            return Some(n <= 0);
        }
        if self.unrestrained(form) {
            return None;
        }
        if let Some((terms, constant)) = self.known_terms(form) {
            let shape = self.known_shape(&terms, constant);
            if let Some(known) = self.decide_edge(shape) {
                return Some(known);
            }
            if self.plain() && matches!(shape, Shape::Edge(..)) {
                return None;
            }
        }
        self.scoped(|facts| {
            let (terms, constant) = facts.terms(form)?;
            let shape = facts.shape(&terms, constant);
            facts.infer();
            if let Some(known) = facts.decide_edge(shape) {
                return Some(known);
            }
            let Shape::Edge(x, y, c) = shape else { return None };
            if facts.plain() {
                return None;
            }
            if facts.refutes(&[(y, x, -c - 1)]) {
                return Some(true);
            }
            facts.refutes(&[(x, y, c)]).then_some(false)
        })
    }

    fn decide_edge(&self, shape: Shape) -> Option<bool> {
        match shape {
            Shape::Constant(b) => Some(b),
            Shape::Edge(x, y, c) if self.differences.entails(x, y, c) => Some(true),
            Shape::Edge(x, y, c) if self.differences.entails(y, x, -c - 1) => Some(false),
            _ => None,
        }
    }

    /// Whether the facts leave no room for these `x - y <= c` together.
    pub fn refutes(&mut self, edges: &[(Node, Node, i64)]) -> bool {
        self.scoped(|facts| {
            edges.iter().for_each(|&(x, y, c)| facts.differences.add(x, y, c));
            facts.infer();
            facts.differences.contradiction()
        })
    }

    fn decide_equal(&mut self, form: &Affine) -> Option<bool> {
        if let Some(n) = form.as_constant() {
            return Some(n == 0);
        }
        if self.unrestrained(form) {
            return None;
        }
        self.scoped(|facts| {
            let (terms, constant) = facts.terms(form)?;
            let Some((x, y, c)) = facts.both_shapes(&terms, constant) else {
                return Some(false);
            };
            facts.infer();
            if facts.differences.contradiction() {
                return Some(false);
            }
            if facts.differences.entails(x, y, c - 1) || facts.differences.entails(y, x, -c - 1) {
                return Some(false);
            }
            let (above, below) = ((y, x, -c - 1), (x, y, c - 1));
            let mut at_most = facts.differences.entails(x, y, c);
            let mut at_least = facts.differences.entails(y, x, -c);
            if !(facts.plain() || at_most && at_least) {
                if facts.refutes(&[(x, y, c), (y, x, -c)]) {
                    return Some(false);
                }
                at_most = at_most || facts.refutes(&[above]);
                at_least = at_least || (at_most && facts.refutes(&[below]));
            }
            (at_most && at_least).then_some(true)
        })
    }
}

/// `cond == truth` as a comparison of integers; `None` if it is none, or its numbers are out of range.
fn comparison(cond: &Expr, truth: bool) -> Option<Comparison> {
    let Expr::Call(op, args) = cond else {
        return match cond {
            Expr::Lit(Lit::Bool(b)) => {
                Some(Comparison::AtMost(Affine::constant(i128::from(*b != truth))))
            }
            _ => None,
        };
    };
    let [a, b] = &args[..] else { return None };
    let (op, a, b) = match op {
        Op::Lt | Op::Le | Op::Eq | Op::Ne => (op.clone(), a, b),
        Op::Gt | Op::Ge => (op.turned(), b, a),
        _ => return None,
    };
    let form = Affine::expanded(a).minus(&Affine::expanded(b))?;
    Some(match (op, truth) {
        (Op::Lt, true) => Comparison::AtMost(form.plus_constant(1)?),
        (Op::Lt, false) => Comparison::AtMost(form.scale(-1)?),
        (Op::Le, true) => Comparison::AtMost(form),
        (Op::Le, false) => Comparison::AtMost(form.scale(-1)?.plus_constant(1)?),
        (Op::Eq, _) => Comparison::Equal(form, truth),
        _ => Comparison::Equal(form, !truth),
    })
}
