//! Expressions: numbers and truth values, with a bound that keeps results exact.

use super::flavor::Flavor;
use super::formats::Ty;
use super::{Dim, Gen, Range, Role, Tensor};

/// An expression.
#[derive(Clone)]
pub struct E {
    pub text: String,
    pub ty: Ty,
    /// Values are at most so large.
    pub bound: i64,
    /// Its type does not depend on what it meets: it is no literal and no index.
    pub typed: bool,
}

/// What a sum over all loops multiplies a bound by at most.
pub const SUM: i64 = 4096;

impl Gen<'_> {
    /// A number or a truth value.
    pub fn value(&mut self, depth: u32) -> E {
        if self.chance(12) {
            self.boolean(depth)
        } else {
            self.number(depth)
        }
    }

    /// A number that has a type.
    pub fn typed_number(&mut self, depth: u32) -> E {
        let e = self.number(depth);
        if e.typed && e.ty != Ty::Bool {
            return e;
        }
        E {
            text: format!("({} + 1{})", e.text, self.ty.text()),
            ty: self.ty,
            bound: e.bound + 1,
            typed: true,
        }
    }

    /// A number; a truth value counts as one.
    pub fn number(&mut self, depth: u32) -> E {
        if depth == 0 || self.chance(25) {
            return self.atom();
        }
        let e = match self.flavor == Flavor::Plain && self.chance(85) {
            true => self.plain(depth.min(2) - 1),
            false => self.compound(depth - 1),
        };
        if e.bound > self.ty.limit() {
            return self.atom();
        }
        e
    }

    /// A sum or a product of a few reads, most of them of tensors with a fill of zero.
    fn plain(&mut self, depth: u32) -> E {
        let part = |g: &mut Self| {
            if depth > 0 && g.chance(35) {
                return g.plain(depth - 1);
            }
            g.zero_fill = g.chance(80);
            let read = if g.chance(75) { g.fresh_access(g.ty) } else { None };
            g.zero_fill = false;
            read.unwrap_or_else(|| g.atom())
        };
        let (a, b) = (part(self), part(self));
        let minus = if self.ty.unsigned() { "+" } else { "-" };
        let op = *self.pick(&["*", "*", "*", "+", minus]);
        let bound = match op {
            "*" => a.bound.saturating_mul(b.bound),
            _ => a.bound.saturating_add(b.bound),
        };
        let typed = [&a, &b].iter().any(|e| e.typed && e.ty != Ty::Bool);
        E { text: format!("({} {op} {})", a.text, b.text), ty: self.ty, bound, typed }
    }

    /// A sum of many reads, of which some are left where a condition does not hold: `ifelse(i < n, a * x + b + c + d, a * x)`.
    fn of_fewer(&mut self) -> E {
        let cond = if self.chance(60) { self.index_comparison() } else { self.boolean(1).text };
        let first = self.plain(1);
        let others: Vec<E> = (0..3).map(|_| self.plain(0)).collect();
        let sum = others.iter().fold(first.text.clone(), |sum, e| format!("{sum} + {}", e.text));
        let bound = others.iter().fold(first.bound, |sum, e| sum.saturating_add(e.bound));
        let text = match self.chance(70) {
            true => format!("ifelse({cond}, ({sum}), {})", first.text),
            false => format!("ifelse({cond}, {}, ({sum}))", first.text),
        };
        E { text, ty: self.ty, bound, typed: first.typed && first.ty != Ty::Bool }
    }

    fn compound(&mut self, depth: u32) -> E {
        let ty = self.ty;
        if self.flavor == Flavor::Operators && self.chance(50) {
            if let Some(e) = self.operated(depth) {
                return e;
            }
        }
        if self.features.has("methods") && self.chance(9) {
            return self.of_type(depth);
        }
        if self.chance(4) {
            if let Some(d) = self.may_divide() {
                let n = self.rng.u32(0..4);
                let text = format!("ifelse({d} != 0, 12 / {d}, {n})");
                return E { text, ty, bound: 12, typed: true };
            }
        }
        if self.features.has("chosen") && self.chance(2) {
            return self.of_fewer();
        }
        let join = |parts: &[&E], bound: i64, text: String| E {
            text,
            ty,
            bound,
            typed: parts.iter().any(|e| e.typed && e.ty != Ty::Bool),
        };
        match self.rng.u32(0..100) {
            0..55 => {
                let (a, b) = (self.number(depth), self.number(depth));
                let minus = if ty.unsigned() { "+" } else { "-" };
                let op = *self.pick(&["+", "+", minus, "*", "*", "*"]);
                let bound = if op == "*" {
                    a.bound.saturating_mul(b.bound)
                } else {
                    a.bound.saturating_add(b.bound)
                };
                let text = if self.chance(15) && op != "-" {
                    let c = self.atom();
                    let bound = if op == "*" { bound * c.bound } else { bound + c.bound };
                    let text = format!("({} {op} {} {op} {})", a.text, b.text, c.text);
                    return join(&[&a, &b, &c], bound, text);
                } else {
                    format!("({} {op} {})", a.text, b.text)
                };
                join(&[&a, &b], bound, text)
            }
            55..67 => {
                let (a, b) = (self.number(depth), self.number(depth));
                let op = *self.pick(&["min", "max"]);
                join(&[&a, &b], a.bound.max(b.bound), format!("{op}({}, {})", a.text, b.text))
            }
            67..72 => {
                let a = self.typed_number(depth);
                let divisor = *self.pick(&[2, 4]);
                let op = *self.pick(&["/", "%"]);
                join(&[&a], a.bound, format!("({} {op} {divisor})", a.text))
            }
            72..76 => {
                let a = self.typed_number(depth);
                let text = match ty.float() {
                    true => {
                        let f = *self.pick(&["abs", "floor", "ceil", "trunc", "round"]);
                        format!("{f}({})", a.text)
                    }
                    _ => {
                        let (op, n) = (*self.pick(&["&", "|", "^", ">>"]), self.rng.u32(1..4));
                        format!("({} {op} {n})", a.text)
                    }
                };
                join(&[&a], a.bound + 4, text)
            }
            76..81 if !ty.unsigned() => {
                let a = self.number(depth);
                join(&[&a], a.bound, format!("-{}", a.text))
            }
            76..90 => {
                let (c, a, b) = (self.boolean(depth), self.number(depth), self.number(depth));
                let text = format!("ifelse({}, {}, {})", c.text, a.text, b.text);
                join(&[&a, &b], a.bound.max(b.bound), text)
            }
            90..95 => {
                let (a, b) = (self.perhaps(depth), self.number(depth));
                let bound = a.bound.max(b.bound);
                join(&[&a, &b], bound, format!("coalesce({}, {})", a.text, b.text))
            }
            95..97 => self.perhaps(depth),
            _ => {
                let (a, b) = (self.boolean(depth), self.typed_number(depth));
                let op = *self.pick(&["*", "+", if ty.unsigned() { "+" } else { "-" }]);
                join(&[&b], b.bound + 1, format!("({} {op} {})", b.text, a.text))
            }
        }
    }

    /// A number that is missing at times.
    fn perhaps(&mut self, depth: u32) -> E {
        let (c, a) = (self.boolean(depth), self.typed_number(depth));
        let sides = match self.chance(50) {
            true => format!("{}, missing", a.text),
            false => format!("missing, {}", a.text),
        };
        E { text: format!("ifelse({}, {sides})", c.text), ..a }
    }

    pub fn atom(&mut self) -> E {
        let around: Vec<E> = self
            .recent
            .iter()
            .filter(|(e, open)| e.ty != Ty::Bool && self.open.starts_with(open))
            .map(|(e, _)| e.clone())
            .collect();
        if !around.is_empty() && self.chance(25) {
            return self.pick(&around).clone();
        }
        if self.reads_left > 0 && self.chance(75) {
            if let Some(e) = self.access(None) {
                return e;
            }
        }
        let numbers: Vec<_> = self
            .locals
            .iter()
            .filter(|l| l.ty != Ty::Bool && l.bound <= self.ty.limit())
            .cloned()
            .collect();
        if !numbers.is_empty() && self.chance(60) {
            let l = self.pick(&numbers).clone();
            // Only rustc knows the type of its tokens. What stands for an element is none of their names.
            let rust = self.features.has("rust") && l.typed && !l.name.contains('[');
            if rust && self.chance(25) {
                return E {
                    text: format!("$({})", l.name),
                    ty: l.ty,
                    bound: l.bound,
                    typed: false,
                };
            }
            return E { text: l.name, ty: l.ty, bound: l.bound, typed: l.typed };
        }
        if matches!(self.ty, Ty::I64 | Ty::F64) && !self.open.is_empty() && self.chance(30) {
            let open = self.open.clone();
            let v = *self.pick(&open);
            let text = self.loops[v].name.clone();
            return E { text, ty: self.ty, bound: 16, typed: false };
        }
        let (text, bound) = match self.rng.u32(0..10) {
            0..5 => (self.literal(), 3),
            _ => {
                let n = self.rng.i64(0..4);
                (n.to_string(), n)
            }
        };
        E { text, ty: self.ty, bound, typed: false }
    }

    /// An operator that the kernel brings in, by its name without the type.
    pub fn brought(&mut self, stem: &str) -> String {
        let name = format!("{stem}_{}", self.ty.text());
        if !self.uses.contains(&name) {
            self.uses.push(name.clone());
        }
        name
    }

    /// A call of an operator with laws.
    fn operated(&mut self, depth: u32) -> Option<E> {
        let ty = self.ty;
        // Where a space is stated it is one of what is stored: what is read has a fill of zero.
        if self.chance(35) {
            let (f, count) = if self.chance(50) { ("kept", 2) } else { ("part", 3) };
            let (mut args, mut bound) = (Vec::new(), 0);
            for _ in 0..count {
                self.zero_fill = true;
                let e = self.fresh_access(ty);
                self.zero_fill = false;
                let e = e?;
                bound = e.bound.max(bound);
                args.push(e.text);
            }
            let text = format!("{}({})", self.brought(f), args.join(", "));
            return Some(E { text, ty, bound: 2 * bound, typed: true });
        }
        let f = match ty.float() {
            true => "either",
            false => *self.pick(&["wrapping", "both", "least", "without", "either"]),
        };
        let (a, b) = (self.typed_number(depth), self.typed_number(depth));
        let bound = a.bound.saturating_add(b.bound);
        let text = format!("{}({}, {})", self.brought(f), a.text, b.text);
        Some(E { text, ty, bound, typed: true })
    }

    /// A truth value.
    pub fn boolean(&mut self, depth: u32) -> E {
        let guards = self.flavor == Flavor::Plain && self.chance(25);
        let guarded = if guards { self.guarded() } else { None };
        if let Some(text) = guarded {
            return E { text, ty: Ty::Bool, bound: 1, typed: true };
        }
        let text = match self.rng.u32(0..100) {
            0..20 if self.open.len() > 1 || self.chance(50) => self.index_comparison(),
            20..35 if self.reads_left > 0 => match self.access(Some(Ty::Bool)) {
                Some(e) => e.text,
                None => self.comparison(depth),
            },
            35..60 if depth > 0 => {
                let op = *self.pick(&["&&", "||", "&&", "||", "==", "!="]);
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                format!("({} {op} {})", a.text, b.text)
            }
            60..68 if depth > 0 => format!("!{}", self.boolean(depth - 1).text),
            68..73 => self.guarded().unwrap_or_else(|| self.comparison(depth)),
            _ => self.comparison(depth),
        };
        E { text, ty: Ty::Bool, bound: 1, typed: true }
    }

    /// What may be 0, and divides where it is not.
    fn may_divide(&mut self) -> Option<String> {
        if self.ty.float() || !self.features.has("guarded") {
            return None;
        }
        Some(self.fresh_access(self.ty)?.text)
    }

    /// A condition of which a part divides by what those in front of it say is not 0. They read another element as well, which may
    /// be one that is looked up.
    fn guarded(&mut self) -> Option<String> {
        let (d, n) = (self.may_divide()?, self.rng.u32(0..9));
        let other = if self.ty == Ty::U8 { None } else { self.may_divide() };
        Some(match (other, self.chance(50)) {
            (Some(other), true) => format!("({other} * {d} != 0 && 12 / {d} > {n})"),
            (Some(other), false) => format!("({d} * {other} == 0 || 12 % {d} < {n})"),
            (None, true) => format!("({d} != 0 && 12 / {d} > {n})"),
            (None, false) => format!("({d} == 0 || 12 % {d} < {n})"),
        })
    }

    pub fn comparison(&mut self, depth: u32) -> String {
        let (a, b) = (self.typed_number(depth), self.number(depth.saturating_sub(1)));
        let op = *self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({} {op} {})", a.text, b.text)
    }

    /// A new vector of coordinates, which is read along a loop of that size.
    fn positions(&mut self, size: usize) -> String {
        let (name, dims) = (self.name("at"), vec![Dim::Loop(size, 0)]);
        let role = Role::Input;
        let tensor = Tensor { name: name.clone(), format: None, role, dims, sizes: None, bound: 0 };
        self.tensors.push(tensor);
        name
    }

    /// `i < j + 1`, or a comparison of an index with a number.
    pub fn index_comparison(&mut self) -> String {
        let open: Vec<usize> = self.open.iter().copied().filter(|v| !self.full(*v)).collect();
        if open.is_empty() {
            return self.comparison(0);
        }
        let v = *self.pick(&open);
        self.structure(v, 1);
        let a = self.loops[v].name.clone();
        let op = *self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let others: Vec<usize> = open.into_iter().filter(|w| *w != v).collect();
        let b = if others.is_empty() || self.chance(35) {
            match self.loops[v].range != Range::Moved && self.chance(30) {
                true => self.size_name(self.loops[v].size),
                false => self.rng.u32(0..4).to_string(),
            }
        } else {
            let w = *self.pick(&others);
            let b = self.loops[w].name.clone();
            let fixed = matches!(self.loops[w].range, Range::Whole) && self.loops[w].of.is_empty();
            if fixed && self.features.has("as_written") && self.chance(25) {
                let at = self.positions(self.loops[w].size);
                return format!("({a} {op} {at}[{b}])");
            }
            match self.rng.u32(0..4) {
                0 => format!("{b} + 1"),
                1 => format!("{b} - 1"),
                _ => b,
            }
        };
        format!("({a} {op} {b})")
    }
}
