//! Conditions that put indices in order: of the pairs of two loops, `i < j` leaves a half, and of triples `i < j && j < k` a
//! sixth.

use super::chance::Part;
use super::cost::Cost;
use super::count::Counter;
use crate::ast::{Block, Expr};
use crate::cin::Op;
use std::collections::BTreeSet;

impl Counter<'_> {
    /// Which share of what it goes along a loop over `i` around `block` is left by comparisons with the indices of loops
    /// around it, taken to run over the same; none if all of it is.
    pub(super) fn share(&self, block: &Block, i: &str, bound: &[String], conds: &[&Expr]) -> Part {
        let mut sides: Vec<[BTreeSet<String>; 2]> = Vec::new();
        self.each(block, conds, &mut |all| {
            let mut pairs = Vec::new();
            all.iter().for_each(|e| ordered(e, &mut pairs));
            let less = chained(&pairs, i, bound, |(a, b)| (b, a));
            let more = chained(&pairs, i, bound, |(a, b)| (a, b));
            let own = [less, more];
            if !sides.contains(&own) {
                sides.push(own);
            }
        });
        // Statements on different sides share the steps of the loop.
        let left =
            |[less, more]: &[BTreeSet<String>; 2]| 1.0 / (1 + less.len() + more.len()) as f64;
        let all: f64 = sides.iter().map(left).sum();
        (all > 0.0 && all < 1.0).then(|| Cost::number(all))
    }
}

/// Those of `bound` that are known to be on one side of `i`: what `step` leads to from it, one pair after the other.
fn chained(
    pairs: &[(String, String)],
    i: &str,
    bound: &[String],
    step: fn(&(String, String)) -> (&String, &String),
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut from: Vec<&str> = vec![i];
    while let Some(here) = from.pop() {
        for (at, next) in pairs.iter().map(step) {
            if at == here && bound.contains(next) && found.insert(next.clone()) {
                from.push(next);
            }
        }
    }
    found
}

/// Adds the pairs of indices of which the condition `e` says that the first is less, or no more.
fn ordered(e: &Expr, out: &mut Vec<(String, String)>) {
    let Expr::Call { op, args } = e else { return };
    let index = |e: &Expr| match e {
        Expr::Name(name) => Some(name.to_string()),
        // Moved by a number.
        Expr::Call { op, args } if matches!(op.op, Op::Add | Op::Sub) => match &args[..] {
            [Expr::Name(name), Expr::Lit(..)] => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    };
    match (&op.op, &args[..]) {
        (Op::And, all) => all.iter().for_each(|e| ordered(e, out)),
        (Op::Lt | Op::Le | Op::Gt | Op::Ge, [a, b]) => {
            if let (Some(a), Some(b)) = (index(a), index(b)) {
                let less = matches!(op.op, Op::Lt | Op::Le);
                out.push(if less { (a, b) } else { (b, a) });
            }
        }
        _ => {}
    }
}
