//! Loops around blocks of statements.

use super::expr::E;
use super::flavor::Flavor;
use super::formats::Ty;
use super::{Dim, Gen, Local, Loop, Range, Role, Scalar, Shared, Stmt, Tensor};

impl Gen<'_> {
    /// Loops around a block.
    pub fn nest(&mut self) -> Vec<Stmt> {
        let room = self.depth - self.open.len();
        let count = 1 + self.rng.usize(0..room);
        let before = self.open.len();
        for _ in 0..count {
            let new = self.new_loop();
            self.open.push(new);
        }
        let mut body = self.block();
        while self.open.len() > before {
            let v = self.open.pop().expect("longer than before");
            body = vec![Stmt::For(v, body)];
        }
        body
    }

    fn new_loop(&mut self) -> usize {
        let at = self.loops.len();
        let name = match "ijklpqrsuvw".chars().nth(at) {
            Some(c) => c.to_string(),
            None => format!("i{at}"),
        };
        let outer: Vec<usize> = self
            .open
            .iter()
            .copied()
            .filter(|v| matches!(self.loops[*v].range, Range::Whole | Range::From(_)))
            .collect();
        let mut size = None;
        let range = match self.rng.u32(0..100) {
            0..70 => Range::Whole,
            70..80 => Range::From(self.rng.i64(1..3)),
            80..88 => Range::Moved,
            _ if !outer.is_empty() => {
                let v = *self.pick(&outer);
                let (outer, n) = (self.loops[v].name.clone(), self.loops[v].size);
                size = Some(n);
                let n = self.size_name(n);
                let at = self.name("at");
                let said = (format!("min({at}[{outer}], {n})"), n.clone());
                let whole = [("0".into(), outer.clone()), ("0".into(), format!("{outer} + 1"))];
                let rest = [(outer.clone(), n.clone()), (format!("{outer} + 1"), n), said.clone()];
                let (lo, hi) = self.pick(&[&whole[..], &rest].concat()).clone();
                if lo == said.0 {
                    // An element of a tensor says where the loop begins.
                    let dims = vec![Dim::Loop(self.loops[v].size, 0)];
                    let (role, format) = (Role::Input, None);
                    self.tensors.push(Tensor {
                        name: at,
                        format,
                        role,
                        dims,
                        sizes: None,
                        bound: 0,
                    });
                    self.giving.extend((self.loops[v].range == Range::Whole).then_some(v));
                }
                Range::Inside(lo, hi)
            }
            _ => Range::Whole,
        };
        // Loops of the same size can read the same dimension.
        let alike = if self.flavor == Flavor::Held { 80 } else { 40 };
        let real = self.loops.iter().filter(|l| l.of.is_empty());
        let known: Vec<usize> = real.map(|l| l.size).collect();
        let shared = (!known.is_empty() && self.chance(alike)).then(|| *self.pick(&known));
        let size = size.or(shared).unwrap_or_else(|| match self.shapes > 0 && self.chance(40) {
            true => self.composed_size(),
            false => self.any_size(),
        });
        self.loops.push(Loop { range, ..Loop::new(name, size) });
        at
    }

    pub fn block(&mut self) -> Vec<Stmt> {
        let locals = self.locals.len();
        let mut out = self.statement();
        while self.statements_left > 0 && self.chance(30) {
            out.extend(self.statement());
        }
        self.locals.truncate(locals);
        out
    }

    fn statement(&mut self) -> Vec<Stmt> {
        if let Some(out) = self.flavored() {
            self.statements_left = self.statements_left.saturating_sub(1);
            return out;
        }
        self.statements_left = self.statements_left.saturating_sub(1);
        let room = self.open.len() < self.depth;
        let often = if self.features.has("only_chosen") { 60 } else { 10 };
        if self.features.has("chosen") && self.open.len() > 1 && self.chance(often) {
            return self.chosen_outside(room);
        }
        if self.statements_left == 0 {
            return self.assignment();
        }
        match self.rng.u32(0..100) {
            0..20 if room => self.nest(),
            20..35 => {
                let cond = self.boolean(1).text;
                self.conditions += 1;
                let then = self.block();
                let otherwise = match self.chance(30) {
                    true => Some(self.same_target(&then).unwrap_or_else(|| self.block())),
                    false => None,
                };
                self.conditions -= 1;
                vec![Stmt::If(cond, then, otherwise)]
            }
            35..47 if room => self.scalar_where(),
            47..57 if room => self.workspace(),
            70..78 if self.features.has("carried") && !self.open.is_empty() => self.carried(),
            57..70 => {
                let name = self.name("t");
                let value = if self.chance(20) { self.boolean(2) } else { self.typed_number(2) };
                let line = format!("let {name} = {};", value.text);
                let ty = value.ty;
                self.locals.push(Local { name, ty, bound: value.bound, typed: value.typed });
                let mut out = vec![Stmt::Line(line)];
                out.extend(self.assignment());
                out
            }
            _ => self.assignment(),
        }
    }

    /// What is read depends on a condition that the innermost loop does not change, in front of that loop or inside.
    fn chosen_outside(&mut self, room: bool) -> Vec<Stmt> {
        let around = room && self.chance(50);
        let inner = if around { None } else { self.open.pop() };
        let cond = if self.chance(50) { self.comparison(0) } else { self.boolean(1).text };
        let inner = inner.unwrap_or_else(|| self.new_loop());
        self.open.push(inner);
        self.conditions += 1;
        let then = self.assignment();
        let otherwise = self.same_target(&then).unwrap_or_else(|| self.assignment());
        self.conditions -= 1;
        match around {
            true => {
                self.open.pop();
                let looped = |body| vec![Stmt::For(inner, body)];
                vec![Stmt::If(cond, looped(then), Some(looped(otherwise)))]
            }
            false => vec![Stmt::If(cond, then, Some(otherwise))],
        }
    }

    /// `r += ..; .. r ..`, or the other way round: what is read is what the iterations before left there.
    fn carried(&mut self) -> Vec<Stmt> {
        let truth = self.chance(30);
        let (name, ty) = (self.name("r"), if truth { Ty::Bool } else { self.ty });
        self.scalars.push(Scalar {
            name: name.clone(),
            ty: ty.text().to_owned(),
            mutable: true,
            value: if truth { "case.flag()" } else { "case.number()" }.into(),
        });
        // No loop around it runs in parallel.
        let (first, op) = (None, "=".to_owned());
        self.shared.push(Shared { name: name.clone(), first, op, dense: true, anywhere: true });
        let value = if truth { self.boolean(2) } else { self.typed_number(2) };
        let (op, bound) = self.operator(ty, &value, if truth { 1 } else { 3 });
        let mut write = Stmt::Line(self.reduced(&name, ty, &op, &value));
        if self.chance(30) {
            write = Stmt::If(self.boolean(1).text, vec![write], None);
        }
        self.locals.push(Local { name: name.clone(), ty, bound, typed: true });
        let mut read = match !truth && self.chance(50) && bound <= ty.limit() / 2 {
            true => {
                let other = self.atom();
                let text = format!("({name} + {})", other.text);
                let value = E { text, ty, bound: bound + other.bound, typed: true };
                vec![Stmt::Line(self.store(value))]
            }
            false if truth && self.chance(60) => {
                self.conditions += 1;
                let then = self.assignment();
                self.conditions -= 1;
                vec![Stmt::If(name.clone(), then, None)]
            }
            false => self.assignment(),
        };
        match self.chance(40) {
            true => read.push(write),
            false => read.insert(0, write),
        }
        // What was reached is left again.
        if self.chance(25) {
            let back = if truth { "false" } else { "1" };
            let line = Stmt::Line(format!("{name} = {back};"));
            read.push(Stmt::If(self.boolean(1).text, vec![line], None));
        }
        read
    }

    /// `{ .. t .. } where { for k { t += .. } }`
    fn scalar_where(&mut self) -> Vec<Stmt> {
        let name = self.name("t");
        let declared = self.chance(40);
        let before = self.open.len();
        let new = self.new_loop();
        self.open.push(new);
        let (line, bound) = self.reduction_into(&name);
        let mut producer = vec![Stmt::Line(line)];
        while self.open.len() > before {
            producer = vec![Stmt::For(self.open.pop().expect("one was opened"), producer)];
        }
        self.locals.push(Local { name: name.clone(), ty: self.ty, bound, typed: true });
        let consumer = self.block();
        self.locals.pop();
        if declared {
            let mut out = vec![Stmt::Line(format!("let mut {name}: {};", self.ty.text()))];
            out.extend(producer);
            out.extend(consumer);
            return out;
        }
        vec![Stmt::Where(consumer, producer)]
    }
}
