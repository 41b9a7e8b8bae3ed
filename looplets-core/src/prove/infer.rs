//! Inference beyond differences: least and greatest of several, disequalities, longer sums.

use super::difference::{Changes, Node, NONE, ZERO};
use super::facts::Facts;
use super::sums::{Composite, Relation, Terms};

/// Rounds of inference after an assertion. Each adds only sound bounds, so stopping early costs
/// strength alone; a chain of definitions needs one round per link.
const ROUNDS: usize = 12;
/// Longer sums are bounded term by term only.
const PAIRING_LIMIT: usize = 5;

impl Facts {
    /// Draws conclusions until nothing changes.
    pub fn infer(&mut self) {
        if self.plain() {
            self.differences.settle();
            return;
        }
        for _ in 0..ROUNDS {
            if self.differences.contradiction() {
                break;
            }
            let Some(changes) = self.differences.take_changes() else { return };
            for at in 0..self.distinct.len() {
                let (x, y, c) = self.distinct[at];
                if self.differences.get(x, y) == c {
                    self.differences.add(x, y, c - 1);
                }
                if self.differences.get(y, x) == -c {
                    self.differences.add(y, x, -c - 1);
                }
            }
            for at in 0..self.choices.len() {
                let choice = &mut self.choices[at];
                let concerned = std::mem::take(&mut choice.pending)
                    || choice.parts.iter().any(|(p, _)| match choice.least {
                        true => changes.column(*p),
                        false => changes.row(*p),
                    });
                if concerned {
                    self.infer_choice(at);
                }
            }
            for at in 0..self.composites.len() {
                let pending = std::mem::take(&mut self.composites[at].pending);
                let Composite { node, terms, .. } = &self.composites[at];
                if pending || self.tightened(*node, terms, &changes) {
                    self.infer_composite(at);
                }
            }
            for at in 0..self.relations.len() {
                let pending = std::mem::take(&mut self.relations[at].pending);
                let Relation { that, rest, .. } = &self.relations[at];
                if pending || self.tightened(*that, rest, &changes) {
                    self.infer_relation(at);
                }
            }
            self.infer_products();
        }
        self.differences.settle();
    }

    /// The value is one of the parts that are not excluded: whatever bounds each bounds it.
    /// With one part left that makes the two equal, with none it is a contradiction.
    fn infer_choice(&mut self, at: usize) {
        let choice = &self.choices[at];
        let (node, least) = (choice.node, choice.least);
        let known = &self.differences;
        let live: Vec<(Node, i64)> = choice
            .parts
            .iter()
            .copied()
            .filter(|(part, c)| match least {
                true => known.get(node, *part) >= *c,
                false => known.get(*part, node) >= -*c,
            })
            .collect();
        if live.is_empty() {
            self.differences.contradict();
            return;
        }
        self.differences.count(self.differences.nodes() as usize * live.len());
        for other in 0..self.differences.nodes() {
            let mut bound = i64::MIN;
            for &(part, c) in &live {
                let (known, c) = match least {
                    true => (self.differences.get(other, part), -c),
                    false => (self.differences.get(part, other), c),
                };
                if known == NONE {
                    bound = NONE;
                    break;
                }
                bound = bound.max(known + c);
            }
            if bound != NONE {
                match least {
                    true => self.differences.add(other, node, bound),
                    false => self.differences.add(node, other, bound),
                }
            }
        }
    }

    /// Whether a bound of `node`, or one that [`Facts::upper`] reads for `terms`, was tightened.
    fn tightened(&self, node: Node, terms: &Terms, changes: &Changes) -> bool {
        let changed = |x: Node, y: Node| self.differences.changed(changes, x, y);
        changed(node, ZERO)
            || terms.iter().enumerate().any(|(at, (x, _))| {
                changed(*x, ZERO) || terms[..at].iter().any(|(y, _)| changed(*x, *y))
            })
    }

    /// Bounds a sum by its terms, and each term or pair of terms by the sum less the others.
    fn infer_composite(&mut self, at: usize) {
        let Composite { node, terms, .. } = &self.composites[at];
        let (node, terms) = (*node, terms.clone());
        for sign in [1, -1] {
            let signed: Terms = terms.iter().map(|(n, c)| (*n, sign * c)).collect();
            if let Some(bound) = self.upper(&signed) {
                self.add_wide(node, ZERO, sign, bound);
            }
            let known = match sign {
                1 => self.differences.get(node, ZERO),
                _ => self.differences.get(ZERO, node),
            };
            if known == NONE || terms.len() > PAIRING_LIMIT {
                continue;
            }
            for i in 0..signed.len() {
                for j in i..signed.len() {
                    let ((x, c), (y, d)) = (signed[i], signed[j]);
                    if i != j && c != -d {
                        continue;
                    }
                    let rest: Terms = (0..signed.len())
                        .filter(|k| *k != i && *k != j)
                        .map(|k| (signed[k].0, -signed[k].1))
                        .collect();
                    let Some(rest) = self.upper(&rest) else { continue };
                    let bound = (i128::from(known) + rest).div_euclid(i128::from(c.abs()));
                    let y = if i == j { ZERO } else { y };
                    self.add_wide(x, y, c.signum(), bound);
                }
            }
        }
    }

    /// Asserts `sign * (x - y) <= bound`.
    fn add_wide(&mut self, x: Node, y: Node, sign: i64, bound: i128) {
        let Ok(bound) = i64::try_from(bound) else { return };
        match sign > 0 {
            true => self.differences.add(x, y, bound),
            false => self.differences.add(y, x, bound),
        }
    }

    /// Bounds one sum by another with which it shares most terms.
    fn infer_relation(&mut self, at: usize) {
        let Relation { this, that, sign, rest, .. } = &self.relations[at];
        let (this, that, sign, rest) = (*this, *that, *sign, rest.clone());
        for direction in [1, -1] {
            let known = match sign * direction {
                1 => self.differences.get(that, ZERO),
                _ => self.differences.get(ZERO, that),
            };
            if known == NONE {
                continue;
            }
            let signed: Terms = rest.iter().map(|(n, c)| (*n, direction * c)).collect();
            if let Some(bound) = self.upper(&signed) {
                self.add_wide(this, ZERO, direction, bound + i128::from(known));
            }
        }
    }

    /// The best known bound of a sum, over all ways to pair terms of opposite coefficients.
    fn upper(&self, terms: &[(Node, i64)]) -> Option<i128> {
        let Some(((x, c), rest)) = terms.split_first() else { return Some(0) };
        let known = match *c > 0 {
            true => self.differences.get(*x, ZERO),
            false => self.differences.get(ZERO, *x),
        };
        let scaled = |bound: i64| i128::from(bound) * i128::from(c.abs());
        let mut best = None;
        if known != NONE {
            best = self.upper(rest).map(|r| r + scaled(known));
        }
        if terms.len() > PAIRING_LIMIT {
            return best;
        }
        for (at, (y, d)) in rest.iter().enumerate() {
            if *d != -*c {
                continue;
            }
            let known = match *c > 0 {
                true => self.differences.get(*x, *y),
                false => self.differences.get(*y, *x),
            };
            if known != NONE {
                let mut others = rest.to_vec();
                others.remove(at);
                best = smaller(best, self.upper(&others).map(|r| r + scaled(known)));
            }
        }
        best
    }
}

fn smaller(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
