//! Assignments: what they write to and how.

use super::expr::{E, SUM};
use super::flavor::Flavor;
use super::formats::{leaf, level, Format, Level, Ty, Write, DENSE};
use super::index::plus;
use super::{Dim, Gen, Range, Role, Scalar, Shared, Stmt, Tensor};

impl Gen<'_> {
    /// An assignment to a scalar or to a tensor.
    pub fn assignment(&mut self) -> Vec<Stmt> {
        // At times of nothing that a loop changes.
        let value = match self.chance(8) {
            true => {
                let reads = std::mem::take(&mut self.reads_left);
                let value = self.value(3);
                self.reads_left = reads;
                value
            }
            false => self.value(3),
        };
        self.entry = None;
        let mut out = vec![Stmt::Line(self.store(value))];
        out.extend(self.added());
        out
    }

    /// The assignment of a value to something.
    pub fn store(&mut self, value: E) -> String {
        // Each result is one more type to compile everything for.
        let results = self.tensors.iter().filter(|t| matches!(t.role, Role::Output | Role::InOut));
        if results.count() > 2 && self.chance(80) {
            return match self.store_written(&value) {
                Some(line) if self.chance(50) => line,
                _ => self.store_scalar(value),
            };
        }
        if self.flavor == Flavor::Plain && !self.open.is_empty() && self.chance(30) {
            return self.store_place(value);
        }
        match self.rng.u32(0..100) {
            0..5 if !self.open.is_empty() => self.store_best(),
            0..25 => self.store_scalar(value),
            _ if self.open.is_empty() => self.store_scalar(value),
            25..40 => match self.store_written(&value) {
                Some(line) => line,
                None => self.store_new(value),
            },
            40..52 => self.store_place(value),
            _ => self.store_new(value),
        }
    }

    /// An operator that leaves a target of that type as large as `bound` says.
    pub fn operator(&mut self, ty: Ty, value: &E, start: i64) -> (String, i64) {
        let bound = start.max(value.bound);
        if ty == Ty::Bool {
            return (self.pick(&["=", "=", "||=", "&&="]).to_string(), 1);
        }
        let whole = !self.ty.float() && value.typed && value.ty != Ty::Bool;
        if self.features.has("operators") && value.typed && value.ty == ty {
            let often = if self.flavor == Flavor::Operators { 40 } else { 3 };
            if self.chance(often) {
                let f = match whole {
                    true => *self.pick(&["wrapping", "both", "least", "either"]),
                    false => "either",
                };
                return (format!("<<{}>>=", self.brought(f)), bound);
            }
        }
        match self.rng.u32(0..100) {
            0..25 => ("=".into(), bound),
            25..32 if !ty.unsigned() => ("-=".into(), start + value.bound.saturating_mul(SUM)),
            25..48 if ty == Ty::U8 => {
                (self.pick(&["<<min>>=", "<<max>>=", "=", "|=", "^=", "&="]).to_string(), bound)
            }
            32..40 => ("<<min>>=".into(), bound),
            40..48 => ("<<max>>=".into(), bound),
            48..52 if whole => (self.pick(&["&=", "|=", "^="]).to_string(), 4 * bound + 4),
            52..54 if value.typed => ("<<choose>>=".into(), bound),
            52..55 => ("<<+>>=".into(), start + value.bound.saturating_mul(SUM)),
            55..60 if value.bound <= 2 && self.open.len() <= 2 => ("*=".into(), 1 << 40),
            _ => ("+=".into(), start + value.bound.saturating_mul(SUM)),
        }
    }

    fn store_scalar(&mut self, value: E) -> String {
        let ty = if value.ty == Ty::Bool && self.chance(60) { Ty::Bool } else { self.ty };
        let name = self.name("c");
        let argument = if ty == Ty::Bool { "case.flag()" } else { "case.number()" };
        self.scalars.push(Scalar {
            name: name.clone(),
            ty: ty.text().to_owned(),
            mutable: true,
            value: argument.into(),
        });
        let first = self.reduced_anywhere(&name, ty, value);
        // What one statement leaves in it the next one goes on from.
        if ty == Ty::Bool || !self.features.has("as_written") || !self.chance(20) {
            return first;
        }
        let value = self.typed_number(2);
        first + " " + &self.reduced_anywhere(&name, ty, value)
    }

    /// `name op value` of a scalar that outlives all loops.
    fn reduced_anywhere(&mut self, name: &str, ty: Ty, value: E) -> String {
        let (op, _) = self.operator(ty, &value, 3);
        self.shared.push(Shared {
            name: name.to_owned(),
            first: None,
            op: op.clone(),
            dense: true,
            anywhere: true,
        });
        let value = self.fit(value, ty);
        self.reduced(name, ty, &op, &value)
    }

    /// `name op value`, or the same as an assignment that reads `name`.
    pub fn reduced(&mut self, name: &str, ty: Ty, op: &str, value: &E) -> String {
        let same = value.typed && value.ty == ty;
        if !same || !self.features.has("as_written") || !self.chance(30) {
            return format!("{name} {op} {};", value.text);
        }
        // A scalar that is not declared has the type of what it is first reduced by.
        let declared = self.scalars.iter().any(|s| s.name == name);
        let (a, b) = match !declared || self.chance(50) {
            true => (name.to_owned(), value.text.clone()),
            false => (value.text.clone(), name.to_owned()),
        };
        match op {
            "+=" => format!("{name} = {a} + {b};"),
            "*=" => format!("{name} = {a} * {b};"),
            "||=" => format!("{name} = {a} || {b};"),
            "&&=" => format!("{name} = {a} && {b};"),
            "<<min>>=" => format!("{name} = min({a}, {b});"),
            "<<max>>=" => format!("{name} = max({a}, {b});"),
            "-=" => format!("{name} = {name} - {};", value.text),
            op => format!("{name} {op} {};", value.text),
        }
    }

    /// What is added to the entry that was assigned last, if that is one of which it may be said.
    fn added(&mut self) -> Option<Stmt> {
        let (t, target) = self.entry.take()?;
        let value = self.typed_number(2);
        self.tensors[t].bound += value.bound.saturating_mul(SUM);
        let line = Stmt::Line(format!("{target} += {};", value.text));
        match self.chance(40) {
            true => Some(Stmt::If(self.boolean(1).text, vec![line], None)),
            false => Some(line),
        }
    }

    /// The pair or triple with the best value, and where that is.
    fn store_best(&mut self) -> String {
        let value = self.typed_number(2);
        let (name, op) = (self.name("best"), *self.pick(&["minby", "maxby"]));
        let count = if self.open.len() > 1 && self.chance(40) { 2 } else { 1 };
        let (mut ty, mut start, mut parts) =
            (self.ty.text().to_owned(), "case.number()".to_owned(), value.text);
        for _ in 0..count {
            let v = *self.pick(&self.open.clone());
            ty.push_str(", usize");
            start.push_str(", 99");
            parts.push_str(&format!(", {}", self.loops[v].name));
        }
        let (ty, value) = (format!("({ty})"), format!("({start})"));
        self.shared.push(Shared {
            name: name.clone(),
            first: None,
            op: op.into(),
            dense: true,
            anywhere: true,
        });
        self.scalars.push(Scalar { name: name.clone(), ty, mutable: true, value });
        format!("{name} <<{op}>>= ({parts});")
    }

    /// A value of the kind that a target takes.
    fn fit(&mut self, value: E, ty: Ty) -> E {
        match (ty, value.ty) {
            (Ty::Bool, other) if other != Ty::Bool => {
                E { text: format!("({} > 0)", value.text), ty, bound: 1, typed: true }
            }
            _ => value,
        }
    }

    /// At times what assigns another value to the element that `then` assigns to, if that is all that it does.
    pub fn same_target(&mut self, then: &[Stmt]) -> Option<Vec<Stmt>> {
        let [Stmt::Line(line)] = then else { return None };
        let (target, _) = line.split_once(" = ")?;
        let (name, _) = target.split_once('[')?;
        let t = self.tensors.iter().position(|t| t.name == name)?;
        let ty = self.tensors[t].format.as_ref()?.leaf.ty;
        let target = target.to_owned();
        if !self.features.has("conditions") || ty != Ty::Bool && ty != self.ty || !self.chance(50) {
            return None;
        }
        let value = match ty {
            Ty::Bool => self.boolean(1),
            _ => self.typed_number(1),
        };
        self.tensors[t].bound = self.tensors[t].bound.max(value.bound);
        Some(vec![Stmt::Line(format!("{target} = {};", value.text))])
    }

    /// `t += ..` into a scalar of a name, and how large it can become.
    pub fn reduction_into(&mut self, name: &str) -> (String, i64) {
        let value = self.typed_number(2);
        let (op, bound) = self.operator(self.ty, &value, 0);
        (self.reduced(name, self.ty, &op, &value), bound)
    }

    /// A tensor that the nest at hand writes already, or that another wrote and may be written again.
    fn store_written(&mut self, value: &E) -> Option<String> {
        let again = |g: &Self, t: &usize| {
            let tensor = &g.tensors[*t];
            let format = tensor.format.as_ref().expect("results have formats");
            tensor.role != Role::Workspace
                && format.levels.iter().all(|l| l.write == Write::Anywhere)
                && format.leaf.valued
                && (!g.reading.contains(t) || g.features.has("ordered") && g.may_be_ordered(*t))
        };
        let both = [self.writing.clone(), self.finished.clone()].concat();
        let all: Vec<usize> = both.into_iter().filter(|t| again(self, t)).collect();
        if all.is_empty() {
            return None;
        }
        let t = *self.pick(&all);
        let slots = self.slots_of_plain(t)?;
        if self.reading.contains(&t) {
            self.order_matters(t);
        }
        Some(self.write(t, slots, value.clone()))
    }

    /// A tensor that the kernel updates in place.
    fn store_place(&mut self, value: E) -> String {
        let targets = self.targets();
        let ty = if value.ty == Ty::Bool && self.chance(60) { Ty::Bool } else { self.ty };
        let mut levels: Vec<&'static Level> = Vec::new();
        for _ in &targets {
            let anywhere = |l: &Level| l.write == Write::Anywhere && l.follows(&levels);
            let dense = self.flavor == Flavor::Plain && self.chance(60);
            levels.push(match dense {
                true => &DENSE,
                false => level(&mut self.rng, None, anywhere),
            });
        }
        // An entry that is written `false` has to be able to say so.
        let leaf = leaf(&mut self.rng, ty, &DENSE);
        let (mut dims, mut slots) = (Vec::new(), Vec::new());
        self.giving.clear();
        for v in targets {
            let (name, size) = (self.loops[v].name.clone(), self.loops[v].size);
            match self.loops[v].range.clone() {
                Range::Moved => {
                    slots.push((v, format!("{name} + 1")));
                    dims.push(Dim::Free(0));
                    self.giving.push(v);
                }
                Range::Whole if self.chance(15) => {
                    slots.push((v, format!("{name} + 1")));
                    dims.push(Dim::Loop(size, 1));
                }
                _ => {
                    self.giving.extend((self.loops[v].range == Range::Whole).then_some(v));
                    slots.push((v, name));
                    dims.push(Dim::Loop(size, 0));
                }
            }
        }
        let name = self.name("z");
        let format = Some(Format { levels, leaf });
        let bound = 4.max(leaf.bound);
        self.tensors.push(Tensor { name, format, role: Role::InOut, dims, sizes: None, bound });
        let t = self.tensors.len() - 1;
        let (of_value, own) = (value.text.clone(), self.with_own(t, &slots, value));
        let overwrites = own.text != of_value && self.chance(60);
        self.write_by(t, slots, own, overwrites.then_some("="))
    }

    /// `value`, or what is made of it and of the element that it is assigned to.
    fn with_own(&mut self, t: usize, slots: &[(usize, String)], value: E) -> E {
        let leaf = self.tensors[t].format.as_ref().expect("it has a format").leaf;
        let may = self.may_be_ordered(t) && leaf.ty == value.ty && value.typed;
        let often = if self.flavor == Flavor::Plain { 70 } else { 35 };
        if !may || !self.features.has("ordered") || !self.chance(often) {
            return value;
        }
        self.order_matters(t);
        let indices: Vec<&str> = slots.iter().map(|(_, text)| &text[..]).collect();
        let own =
            self.clamped(&format!("{}[{}]", self.tensors[t].name, indices.join(", ")), leaf.ty);
        // What is made of one read alone is what the simplest passes look for.
        let mut value = value;
        if self.flavor == Flavor::Plain && leaf.ty == self.ty && self.chance(50) {
            let giving = std::mem::take(&mut self.giving);
            self.zero_fill = true;
            value = self.fresh_access(leaf.ty).unwrap_or(value);
            self.zero_fill = false;
            self.giving = giving;
        }
        let of = value.text;
        let most = if self.flavor == Flavor::Plain && self.chance(60) { 2 } else { 4 };
        let text = match (leaf.ty, self.rng.u32(0..most)) {
            (Ty::Bool, 0) => format!("({of} && !{own})"),
            (Ty::Bool, 1) => format!("({own} && {of})"),
            (Ty::Bool, 2) => format!("({own} || {of})"),
            (Ty::Bool, _) => format!("({of} != {own})"),
            (_, 0) => format!("({of} * {own})"),
            (_, 1) => format!("({of} * ({own} + 1))"),
            (_, 2) => format!("max({own}, {of})"),
            (_, _) => format!("({own} + {of})"),
        };
        E { text, bound: value.bound.saturating_mul(4).saturating_add(3), ..value }
    }

    /// Some of the loops around, for the dimensions of a tensor written in any order.
    fn targets(&mut self) -> Vec<usize> {
        let mut by = self.open.clone();
        while by.len() > 1 && self.chance(35) {
            by.remove(self.rng.usize(0..by.len()));
        }
        if self.chance(20) {
            self.rng.shuffle(&mut by);
        }
        by
    }

    /// An output made for this assignment.
    fn store_new(&mut self, value: E) -> String {
        let ty = if value.ty == Ty::Bool && self.chance(70) { Ty::Bool } else { self.ty };
        let by = match self.chance(50) {
            // What is appended to takes the outermost loops in their order.
            true => self.open[..1 + self.rng.usize(0..self.open.len())].to_vec(),
            false => self.targets(),
        };
        let in_order = by.iter().zip(&self.open).take_while(|(a, b)| a == b).count();
        let last = if self.chance(60) { in_order } else { 0 };
        let mut levels: Vec<&'static Level> = Vec::new();
        for k in 0..by.len() {
            let will_do = |l: &Level| {
                let written = l.write == Write::Anywhere || l.write == Write::Append && k < last;
                written && l.follows(&levels)
            };
            let level = level(&mut self.rng, levels.last().copied(), will_do);
            levels.push(level);
        }
        let leaf = leaf(&mut self.rng, ty, levels.last().expect("a dimension"));
        let (mut dims, mut slots) = (Vec::new(), Vec::new());
        self.giving.clear();
        // Sizes that depend on other loops have to be written down.
        let mut given = by.iter().any(|v| matches!(self.loops[*v].range, Range::Inside(..)));
        given |= by.iter().all(|v| self.loops[*v].range != Range::Moved) && self.chance(20);
        given &= by.iter().all(|v| self.loops[*v].range != Range::Moved);
        for v in by {
            let (name, size) = (self.loops[v].name.clone(), self.loops[v].size);
            let least = if let Range::From(lo) = self.loops[v].range { -lo } else { 0 };
            let c = if self.chance(15) { self.rng.i64(least..2) } else { 0 };
            let text = match self.chance(20) && c != 0 {
                true => format!("offset({})[{name}]", -c),
                false => plus(&name, c),
            };
            // A size that is given makes a plain access like that of an input.
            let whole = self.loops[v].range == Range::Whole;
            self.giving.extend((given && whole && c == 0).then_some(v));
            slots.push((v, text));
            dims.push(match self.loops[v].range {
                Range::Moved => Dim::Unknown,
                _ => Dim::Loop(size, c),
            });
        }
        let inside = slots.iter().any(|(v, _)| matches!(self.loops[*v].range, Range::Inside(..)));
        if by_unknown(&dims, &slots, self) || inside && !given {
            return self.store_scalar(value);
        }
        let sizes = given.then(|| {
            let sizes = dims.iter().map(|d| match d {
                Dim::Loop(n, 0) => self.size_name(*n),
                Dim::Loop(n, c) => format!("{} + {}", self.size_name(*n), (*c).max(0)),
                _ => unreachable!("sizes are known"),
            });
            sizes.collect()
        });
        if given {
            for d in &mut dims {
                if let Dim::Loop(_, c) = d {
                    *c = (*c).max(0);
                }
            }
        }
        let name = self.name("y");
        let appended = levels.iter().any(|l| l.write == Write::Append);
        let each = slots.len() == self.open.len()
            && slots.iter().all(|(v, text)| *text == self.loops[*v].name);
        let plain = leaf.ty != Ty::Bool && leaf.bound == 0 && leaf.valued;
        let (bound, format) = (leaf.bound, Some(Format { levels, leaf }));
        self.tensors.push(Tensor { name, format, role: Role::Output, dims, sizes, bound });
        let t = self.tensors.len() - 1;
        let line = self.write(t, slots, value);
        let may = appended && each && plain && !self.strict && self.conditions == 0;
        if may && self.features.has("as_written") && self.chance(40) {
            let (target, rest) = line.split_once(']').expect("an element");
            if rest.starts_with(" = ") || rest.starts_with(" += ") {
                self.entry = Some((t, format!("{target}]")));
            }
        }
        line
    }

    fn write(&mut self, t: usize, slots: Vec<(usize, String)>, value: E) -> String {
        self.write_by(t, slots, value, None)
    }

    /// An assignment to `t`, by `with` if that is said.
    fn write_by(
        &mut self,
        t: usize,
        slots: Vec<(usize, String)>,
        value: E,
        with: Option<&str>,
    ) -> String {
        let leaf = self.tensors[t].format.as_ref().expect("results have formats").leaf;
        let value = self.fit(value, leaf.ty);
        let start = self.tensors[t].bound;
        let (mut op, bound) = match with {
            Some(op) => (op.to_owned(), start.max(value.bound)),
            None => self.operator(leaf.ty, &value, start),
        };
        if !leaf.valued && op != "||=" {
            // What was true once stays stored.
            op = if slots.len() == self.open.len() { "=" } else { "||=" }.into();
        }
        self.tensors[t].bound = bound;
        if !self.writing.contains(&t) {
            self.writing.push(t);
        }
        self.finished.retain(|f| *f != t);
        let first = slots[0].0;
        let first = (slots[0].1 == self.loops[first].name).then_some(first);
        let dense = self.tensors[t]
            .format
            .as_ref()
            .is_some_and(|f| f.levels.iter().all(|l| l.ty == DENSE.ty));
        let levels = &self.tensors[t].format.as_ref().expect("results have formats").levels;
        let anywhere = levels.iter().all(|l| l.write == Write::Anywhere);
        let indices: Vec<String> = slots.into_iter().map(|(_, text)| text).collect();
        let target = format!("{}[{}]", self.tensors[t].name, indices.join(", "));
        self.shared.push(Shared { name: target.clone(), first, op: op.clone(), dense, anywhere });
        for v in std::mem::take(&mut self.giving) {
            self.loops[v].given.push(target.clone());
        }
        format!("{target} {op} {};", value.text)
    }

    /// A workspace that one loop fills and another reads.
    pub fn workspace(&mut self) -> Vec<Stmt> {
        let name = self.name("w");
        // Some are written at the index of a loop around them, as well or alone.
        let whole =
            |v: &usize| self.loops[*v].range == super::Range::Whole && self.loops[*v].of.is_empty();
        let around: Vec<usize> = self.open.iter().copied().filter(whole).collect();
        let outer = (!around.is_empty() && self.chance(35)).then(|| *self.pick(&around));
        let size = match outer {
            Some(v) => self.loops[v].size,
            None => self.any_size(),
        };
        let length = self.size_name(size);
        let fits = |l: &Level| match outer {
            // No loop within its life goes over what is written.
            Some(_) => l.write == Write::Anywhere,
            None => l.write != Write::Never,
        };
        let level = level(&mut self.rng, None, |l| fits(l) && !l.looked_up());
        let leaf = leaf(&mut self.rng, self.ty, level);
        let format = Format { levels: vec![level], leaf };
        let declaration = format!("let mut {name}: {}[{length}];", format.text());
        let fill = self.open_over(size, &name);
        let value = self.typed_number(2);
        let (op, mut bound) = self.operator(self.ty, &value, leaf.bound);
        let index = self.loops[fill].name.clone();
        let line = Stmt::Line(format!("{name}[{index}] {op} {};", value.text));
        let line =
            if self.chance(25) { Stmt::If(self.boolean(1).text, vec![line], None) } else { line };
        self.open.pop();
        let mut producer = vec![Stmt::For(fill, vec![line])];
        if let Some(v) = outer {
            let point = self.typed_number(2);
            let (op, more) = self.operator(self.ty, &point, bound);
            let line = format!("{name}[{}] {op} {};", self.loops[v].name, point.text);
            bound = more;
            match self.chance(30) {
                true => producer = vec![Stmt::Line(line)],
                false => {
                    let at = self.rng.usize(0..2);
                    producer.insert(at, Stmt::Line(line));
                }
            }
        }
        let read = self.open_over(size, &name);
        let (index, protocol) = (self.loops[read].name.clone(), self.chance(40));
        let access = match protocol {
            true => format!("{name}[{index}::{}]", self.pick(level.reads)),
            false => format!("{name}[{index}]"),
        };
        self.locals.push(super::Local { name: access, ty: self.ty, bound, typed: true });
        let body = self.block();
        self.locals.pop();
        self.open.pop();
        let consumer = vec![Stmt::For(read, body)];
        let mut out = vec![Stmt::Line(declaration)];
        if self.chance(50) {
            out.push(Stmt::Where(consumer, producer));
        } else {
            out.extend(producer);
            out.extend(consumer);
        }
        out
    }

    /// Opens a loop over all of a workspace, which says its size wherever it is accessed.
    fn open_over(&mut self, size: usize, workspace: &str) -> usize {
        let name = self.name("i");
        let given = vec![format!("{workspace}[")];
        self.loops.push(super::Loop { given, ..super::Loop::new(name, size) });
        self.open.push(self.loops.len() - 1);
        self.loops.len() - 1
    }
}

/// Whether a dimension would take its size from a loop that takes its own from accesses alone and
/// has none.
fn by_unknown(dims: &[Dim], slots: &[(usize, String)], g: &Gen<'_>) -> bool {
    let unknown =
        |(d, (v, _)): (&Dim, &(usize, String))| *d == Dim::Unknown && g.loops[*v].given.is_empty();
    dims.iter().zip(slots).any(unknown)
}
