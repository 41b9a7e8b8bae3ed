//! Quotients, remainders and products of terms, by what their factors and divisors are known to be.
//!
//! `a / d` and `a % d` are those of Rust: the quotient is cut towards 0, and the remainder has the sign of `a`.
//! Only positive divisors are reasoned about: then `a == a / d * d + a % d`, and `-d < a % d < d`; of an `a` that
//! is not negative both are not, and they are what flooring division gives. `ceil_div(a, d)` is rounded up, also
//! below 0. A sum of products is a sum: `(i + 1) * n` is `i * n + n`.

use super::affine::{monomial, Affine};
use super::difference::{Node, NONE, ZERO};
use super::facts::Facts;
use super::sums::{Composite, Terms};
use crate::cin::{Expr, Lit, Op};

/// `value == quotient * divisor + remainder`, wherever the divisor is not 0.
pub struct Quotient {
    value: (Node, i64),
    divisor: (Node, i64),
    quotient: Node,
    remainder: Node,
    /// What the value is equal to but for its offset: the product and the remainder, and a constant.
    parts: (Terms, i128),
}

/// A node equal to `x * factor`.
pub struct Product {
    node: Node,
    x: Node,
    factor: Node,
}

impl Facts {
    /// Says what a new node for `atom` is, if that is a quotient, a remainder or a product.
    pub(super) fn define_atom(&mut self, atom: &Expr, node: Node) {
        let Expr::Call(op, args) = atom else { return };
        match (op, &args[..]) {
            (Op::Div | Op::Rem, [a, d]) => self.define_quotient(op, a, d, node),
            (Op::CeilDiv, [a, d]) => self.define_ceiling(a, d, atom),
            (Op::Mul, _) if args.len() <= 3 && !args.iter().any(literal) => {
                for k in 0..args.len() {
                    let mut rest = args.clone();
                    let factor = self.node(&rest.remove(k));
                    let x = self.node(&monomial(rest));
                    self.products.push(Product { node, x, factor });
                }
                self.differences.touch();
            }
            _ => {}
        }
    }

    fn define_quotient(&mut self, op: &Op, a: &Expr, d: &Expr, node: Node) {
        let other =
            Expr::call(if *op == Op::Div { Op::Rem } else { Op::Div }, [a.clone(), d.clone()]);
        if self.known(&other).is_some() {
            // It said what both are.
            return;
        }
        if matches!(d, Expr::Lit(Lit::Int(n)) if *n <= 0) {
            return;
        }
        let other = self.node(&other);
        let (quotient, remainder) = if *op == Op::Div { (node, other) } else { (other, node) };
        let (whole, part) = (
            Expr::call(Op::Div, [a.clone(), d.clone()]),
            Expr::call(Op::Rem, [a.clone(), d.clone()]),
        );
        let product = Affine::expanded(&Expr::call(Op::Mul, [whole, d.clone()]));
        let value = Affine::expanded(a);
        let equation = value.clone().minus(&product).and_then(|e| e.minus(&Affine::of(&part)));
        if let Some(equation) = equation {
            self.assert_equal(&equation);
        }
        let (value, divisor) = (self.part(&value), self.part(&Affine::expanded(d)));
        let parts = product.plus(&Affine::of(&part)).and_then(|parts| self.terms(&parts));
        if let (Some(value), Some(divisor), Some(parts)) = (value, divisor, parts) {
            self.quotients.push(Quotient { value, divisor, quotient, remainder, parts });
            self.differences.touch();
        }
    }

    /// `a <= d * ceil_div(a, d) < a + d`.
    fn define_ceiling(&mut self, a: &Expr, d: &Expr, atom: &Expr) {
        let Expr::Lit(Lit::Int(n)) = d else { return };
        if *n <= 0 {
            return;
        }
        let product = Affine::expanded(&Expr::call(Op::Mul, [atom.clone(), d.clone()]));
        let value = Affine::expanded(a);
        let below = value.clone().minus(&product);
        let above = product.minus(&value).and_then(|e| e.plus_constant(1 - n));
        [below, above].into_iter().flatten().for_each(|form| self.assert_form(&form));
    }

    /// Draws the conclusions from signs and sizes that are known now.
    pub(super) fn infer_products(&mut self) {
        for at in 0..self.quotients.len() {
            self.infer_quotient(at);
            self.take_apart(at);
        }
        for at in 0..self.products.len() {
            self.infer_product(at);
            for other in 0..at {
                self.infer_pair(at, other);
                self.infer_pair(other, at);
            }
        }
    }

    fn infer_quotient(&mut self, at: usize) {
        let Quotient { value: (a, c), divisor: (d, e), quotient, remainder, .. } =
            self.quotients[at];
        // Of `d + e`.
        let (Some(least), greatest) = (self.least(d), self.greatest(d)) else { return };
        if least + i128::from(e) < 1 {
            return;
        }
        self.differences.add(remainder, d, e - 1);
        if let Some(greatest) = greatest {
            // -d < a % d
            self.at_least(remainder, 1 - greatest - i128::from(e));
        }
        let at_least = self.least(a).map(|n| n + i128::from(c));
        let at_most = self.greatest(a).map(|n| n + i128::from(c));
        if at_least.is_some_and(|n| n >= 0) {
            for part in [quotient, remainder] {
                self.differences.add(ZERO, part, 0);
                self.differences.add(part, a, c);
            }
            if self.differences.entails(a, d, e - c - 1) {
                // 0 <= a < d
                self.differences.add(quotient, ZERO, 0);
                self.differences.add(a, remainder, -c);
            }
        }
        if at_most.is_some_and(|n| n <= 0) {
            for part in [quotient, remainder] {
                self.differences.add(part, ZERO, 0);
                self.differences.add(a, part, -c);
            }
        }
    }

    /// What is known of sums with the value in them is known of them with its parts.
    fn take_apart(&mut self, at: usize) {
        let Quotient { value: (a, c), parts: (parts, constant), .. } = &self.quotients[at];
        let (a, parts, shift) = (*a, parts.clone(), constant - i128::from(*c));
        for at in 0..self.composites.len() {
            let Composite { node, terms, .. } = &self.composites[at];
            let Some(sign) = terms.iter().find(|(n, c)| *n == a && c.abs() == 1).map(|t| t.1)
            else {
                continue;
            };
            let mut whole: Terms = terms.iter().copied().filter(|(n, _)| *n != a).collect();
            for (n, c) in &parts {
                match whole.iter().position(|(m, _)| m == n) {
                    Some(k) => whole[k].1 += sign * c,
                    None => whole.push((*n, sign * c)),
                }
            }
            whole.retain(|(_, c)| *c != 0);
            whole.sort_unstable();
            let shift = i128::from(sign) * shift;
            let (least, greatest) = (self.least(*node), self.greatest(*node));
            if let Some(greatest) = greatest {
                self.assert_at_most(&whole, shift - greatest);
            }
            if let Some(least) = least {
                let negated: Terms = whole.iter().map(|(n, c)| (*n, -c)).collect();
                self.assert_at_most(&negated, least - shift);
            }
        }
    }

    /// A product of factors that are not negative.
    fn infer_product(&mut self, at: usize) {
        let Product { node, x, factor } = self.products[at];
        let (Some(f), Some(least)) = (self.least(factor), self.least(x)) else { return };
        if f < 0 || least < 0 {
            return;
        }
        self.at_least(node, least.saturating_mul(f));
        if f >= 1 {
            self.differences.add(x, node, 0);
        }
        if let (Some(x), Some(f)) = (self.greatest(x), self.greatest(factor)) {
            self.at_most(node, x.saturating_mul(f));
        }
    }

    /// `x * f` against `y * f`, for a positive `f`.
    fn infer_pair(&mut self, one: usize, other: usize) {
        let Product { node: xf, x, factor } = self.products[one];
        let Product { node: yf, x: y, factor: same } = self.products[other];
        let Some(least) = self.least(factor).filter(|f| factor == same && *f >= 1) else { return };
        let greatest = self.greatest(factor);
        // x - y <= c: of a `c` below 0 the least `f` gives the bound, of one above the greatest.
        let c = self.differences.get(x, y);
        if c != NONE {
            let by = if c <= 0 { Some(least) } else { greatest };
            if let Some(bound) = by.and_then(|f| f.checked_mul(c.into())) {
                self.differ(xf, yf, bound);
            }
            if c < 0 {
                // x * f <= y * f - f
                let mut rows = vec![(xf, 1), (yf, -1), (factor, 1)];
                rows.sort_unstable();
                self.assert_at_most(&rows, 0);
            }
        }
        // (x - y) * f <= c.
        let c = self.differences.get(xf, yf);
        if c != NONE {
            let bound = match (c < 0, greatest) {
                (false, _) => i128::from(c) / least,
                (true, Some(greatest)) => i128::from(c).div_euclid(greatest),
                (true, None) => -1,
            };
            self.differ(x, y, bound);
        }
    }

    fn least(&self, x: Node) -> Option<i128> {
        let bound = self.differences.get(ZERO, x);
        (bound != NONE).then(|| -i128::from(bound))
    }

    fn greatest(&self, x: Node) -> Option<i128> {
        let bound = self.differences.get(x, ZERO);
        (bound != NONE).then(|| bound.into())
    }

    fn at_least(&mut self, x: Node, n: i128) {
        self.differ(ZERO, x, -n);
    }

    fn at_most(&mut self, x: Node, n: i128) {
        self.differ(x, ZERO, n);
    }

    fn differ(&mut self, x: Node, y: Node, bound: i128) {
        // Bounds beyond what a program has are left out, so that sums of them do not overflow.
        if bound.abs() < 1 << 60 {
            self.differences.add(x, y, bound as i64);
        }
    }
}

fn literal(e: &Expr) -> bool {
    matches!(e, Expr::Lit(_))
}
