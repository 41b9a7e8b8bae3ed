//! Floats of the oracle: what a kernel must give to the last bit, and how far it may be from that where
//! the documentation leaves it open. A zero that is a literal or not stored has no sign; times NaN it is
//! zero or NaN; a sum whose terms are rounded depends on their order.

use super::{Fail, Oracle, Val};

/// What a reduction has gone through: whether another order would have given the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    kind: Kind,
    /// Of a sum, the exponent of the lowest bit of all terms; of a product, how many bits all factors have.
    bits: i32,
    /// Of a sum, all terms as if they were positive; of a product, the binary logarithms likewise.
    mass: f64,
    /// How far the terms themselves may be off.
    by: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Kind {
    #[default]
    None,
    Sum,
    Product,
}

/// A float and how far it may be off, if it may.
type Off = (f64, Option<f64>);

/// The exponents of the lowest and of the highest bit.
fn ends(x: f64) -> (i32, i32) {
    let (bits, exponent) = (x.to_bits() & ((1 << 52) - 1), ((x.to_bits() >> 52) & 0x7ff) as i32);
    let (digits, least) = match exponent {
        0 => (bits, -1074),
        e => (bits | 1 << 52, e - 1075),
    };
    (least + digits.trailing_zeros() as i32, least + 63 - digits.leading_zeros() as i32)
}

fn off(v: &Val) -> Off {
    match v {
        Val::Loose(x, by) => (*x, Some(*by)),
        // As a float it is a literal, or might be one.
        Val::Int(_) | Val::Bool(_) => (v.float(), Some(0.0)),
        v => (v.float(), None),
    }
}

fn anything(x: f64) -> Val {
    Val::Loose(x, f64::INFINITY)
}

/// Whether it is a zero without a sign.
fn signless((x, by): Off) -> bool {
    x == 0.0 && by == Some(0.0)
}

impl Oracle<'_> {
    fn rounded(&self, x: f64) -> f64 {
        if self.single {
            f64::from(x as f32)
        } else {
            x
        }
    }

    /// How far a sum of more terms may be off where these two of them are added in another order: the
    /// bits that the larger one leaves no room for, if they are more than a comparison allows.
    fn of_another_order(&self, x: f64, y: f64) -> f64 {
        let (large, epsilon) = match self.single {
            true => (16.0, f64::from(f32::EPSILON)),
            false => (1e9, f64::EPSILON),
        };
        let mass = x.abs() + y.abs();
        match self.free && mass.is_finite() && mass > large {
            true => 2.0 * epsilon * mass,
            false => 0.0,
        }
    }

    /// `a op b` of floats.
    pub fn floats(&self, op: &str, a: &Val, b: &Val) -> Val {
        let (a, b) = (off(a), off(b));
        let ((x, dx), (y, dy)) = (a, b);
        let by = dx.unwrap_or(0.0) + dy.unwrap_or(0.0);
        let zero = |z: f64| if z == 0.0 { Val::Loose(0.0, 0.0) } else { Val::Float(z) };
        match op {
            "+" | "-" => {
                let z = self.rounded(if op == "+" { x + y } else { x - y });
                let by = by + self.of_another_order(x, y);
                match by > 0.0 {
                    true if by.is_finite() && z.is_finite() => Val::Loose(z, by * 1.001),
                    true => anything(z),
                    // What literals come to is one.
                    false if dx.is_some() && dy.is_some() => Val::Loose(z, 0.0),
                    false if signless(a) || signless(b) => zero(z),
                    false => Val::Float(z),
                }
            }
            "*" => {
                let z = self.rounded(x * y);
                let special = |x: f64| !x.is_finite();
                // In another order, some of the factors might come to more or to less than there is.
                let (least, most) = match self.single {
                    true => (1e-18, 1e18),
                    false => (1e-150, 1e150),
                };
                let extreme = |x: f64| x != 0.0 && !(least..=most).contains(&x.abs());
                if self.free && !special(x) && !special(y) && (extreme(x) || extreme(y)) {
                    return anything(z);
                }
                // In front of a sum, an infinite factor meets what the terms come to, not each of them.
                if self.free && (x.is_infinite() || y.is_infinite()) {
                    return anything(z);
                }
                match by > 0.0 {
                    true => {
                        let (dx, dy) = (dx.unwrap_or(0.0), dy.unwrap_or(0.0));
                        let by = x.abs() * dy + y.abs() * dx + dx * dy;
                        Val::Loose(z, if by.is_nan() { f64::INFINITY } else { by * 1.001 })
                    }
                    false if signless(a) && special(y) || signless(b) && special(x) => {
                        if self.strict {
                            Val::Float(z)
                        } else {
                            anything(z)
                        }
                    }
                    false if dx.is_some() && dy.is_some() => Val::Loose(z, 0.0),
                    false if signless(a) || signless(b) => zero(z),
                    false => Val::Float(z),
                }
            }
            "/" | "%" => {
                let z = self.rounded(if op == "/" { x / y } else { x % y });
                let (divided, by_zero) = (signless(a), signless(b));
                match () {
                    () if by > 0.0 => anything(z),
                    () if z.is_nan() && divided && !self.strict => anything(z),
                    () if z.is_nan() => Val::Float(z),
                    () if by_zero => anything(z),
                    () if divided => zero(z),
                    () => Val::Float(z),
                }
            }
            _ => {
                let (z, identity) = match op {
                    "min" => (x.min(y), f64::INFINITY),
                    _ => (x.max(y), f64::NEG_INFINITY),
                };
                // The identity may leave the other as it is.
                let one = x.is_nan() && y == identity || y.is_nan() && x == identity;
                let signs = x.to_bits() != y.to_bits() || dx.is_some() || dy.is_some();
                match () {
                    () if one && !self.strict => anything(z),
                    () if by > 0.0 => Val::Loose(z, by),
                    () if x == 0.0 && y == 0.0 && signs => Val::Loose(0.0, 0.0),
                    () if z == 0.0 && (x == 0.0 && dx.is_some() || y == 0.0 && dy.is_some()) => {
                        zero(z)
                    }
                    () => Val::Float(z),
                }
            }
        }
    }

    pub fn negated(&self, a: &Val) -> Val {
        match off(a) {
            // A difference may be turned around.
            (0.0, None) if !self.strict => Val::Loose(0.0, 0.0),
            (x, None) => Val::Float(-x),
            (x, Some(by)) => Val::Loose(if x == 0.0 { 0.0 } else { -x }, by),
        }
    }

    /// A function of floats, at one.
    pub fn method(&self, a: &Val, f: fn(f64) -> f64) -> Val {
        match off(a) {
            (x, None | Some(0.0)) if x != 0.0 => Val::Float(self.rounded(f(x))),
            (x, None) => Val::Float(self.rounded(f(x))),
            (x, Some(0.0)) => match f(x) {
                0.0 => Val::Loose(0.0, 0.0),
                z => Val::Float(self.rounded(z)),
            },
            (x, Some(_)) => anything(f(x)),
        }
    }

    /// Whether a comparison of floats is decided.
    pub fn decided(&self, a: &Val, b: &Val) -> Result<(), Fail> {
        let ((x, dx), (y, dy)) = (off(a), off(b));
        let by = dx.unwrap_or(0.0) + dy.unwrap_or(0.0);
        match by == 0.0 || (x - y).abs() > by {
            true => Ok(()),
            false => Err(Fail::Vague),
        }
    }

    /// What `+=`, `-=` or `*=` make of a float: exact if it is so in every order.
    pub fn accumulated(&self, op: &str, old: &Val, value: &Val, terms: &mut Terms) -> Val {
        let result = self.floats(op, old, value);
        if self.strict {
            return result;
        }
        let kind = if op == "*" { Kind::Product } else { Kind::Sum };
        if terms.kind != kind {
            let (bits, mass) = (if kind == Kind::Sum { i32::MAX } else { 0 }, 0.0);
            *terms = Terms { kind, bits, mass, by: 0.0 };
            terms.add(old);
        }
        terms.add(value);
        let (x, room) = (result.float(), if self.single { 24 } else { 53 });
        let (most, unit) = match self.single {
            true => (f64::from(f32::MAX), 1e-4),
            false => (f64::MAX, 1e-12),
        };
        if matches!(result, Val::Loose(_, by) if by == f64::INFINITY) || terms.by.is_nan() {
            return anything(x);
        }
        let (exact, overflows, size) = match kind {
            Kind::Product => {
                let all = terms.mass > if self.single { 120.0 } else { 1000.0 };
                (terms.bits <= room, all, x.abs())
            }
            _ => {
                let exact =
                    terms.mass == 0.0 || ends(terms.mass).1 < terms.bits.saturating_add(room);
                (exact, terms.mass >= most / 2.0, terms.mass)
            }
        };
        match () {
            () if overflows => anything(x),
            () if exact && terms.by == 0.0 && x == 0.0 => Val::Loose(0.0, 0.0),
            () if exact && terms.by == 0.0 => Val::Float(x),
            () if !x.is_finite() => Val::Float(x),
            () if kind == Kind::Product && terms.by > 0.0 => anything(x),
            () => Val::Loose(x, terms.by + size * unit),
        }
    }

    /// That the order of a reduction of whole numbers does not decide whether one is too large.
    pub fn counted(&self, op: &str, old: i128, value: i128, terms: &mut Terms) -> Result<(), Fail> {
        let Some((_, most)) = self.range else { return Ok(()) };
        let kind = if op == "*" { Kind::Product } else { Kind::Sum };
        let size = |n: i128| match kind {
            Kind::Product => (n.unsigned_abs().max(1) as f64).log2(),
            _ => n.unsigned_abs() as f64,
        };
        if terms.kind != kind {
            *terms = Terms { kind, mass: size(old), ..Terms::default() };
        }
        terms.mass += size(value);
        match terms.mass < 0.999 * size(most) {
            true => Ok(()),
            false => Err(Fail::Vague),
        }
    }
}

impl Terms {
    fn add(&mut self, value: &Val) {
        let (x, by) = off(value);
        self.by += by.unwrap_or(0.0);
        if x == 0.0 || !x.is_finite() {
            return;
        }
        let (low, high) = ends(x);
        match self.kind {
            Kind::Product => {
                self.bits += high - low;
                self.mass += f64::from(high.abs().max(low.abs()) + 1);
            }
            _ => {
                self.bits = self.bits.min(low);
                self.mass += x.abs();
            }
        }
    }
}
