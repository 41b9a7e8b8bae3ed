//! Shape operators: which indices they take, and which they give to their operands.

use super::expr::E;
use super::formats::Ty;
use super::index::plus;
use super::size::Size;
use super::{Gen, Loop, Range};

/// How deep operators stand in each other.
const NESTED: usize = 3;

/// What an index is in terms of the loops around.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Way {
    /// The innermost of them, moved by others.
    Moved,
    /// A multiple of it, by so many factors.
    Strided(u32),
    /// A digit of it, below the one that another index is.
    Digit(Option<usize>),
    /// Whatever else.
    Computed,
}

/// An operator in the making.
struct Operator {
    name: &'static str,
    /// The indices that it takes of those around.
    to: Vec<usize>,
    /// What stands behind the arrow, and what cuts.
    end: String,
    /// Those it gives to each of its operands.
    from: Vec<Vec<usize>>,
}

impl Gen<'_> {
    /// An expression of indices that shape operators make of those around.
    pub fn shaped(&mut self, ty: Option<Ty>) -> Option<E> {
        let whole = |v: &usize| matches!(self.loops[*v].range, Range::Whole | Range::From(_));
        let all: Vec<usize> = self.open.iter().copied().filter(whole).collect();
        if all.is_empty() || self.nested == NESTED || self.operators_left == 0 {
            return None;
        }
        self.operators_left -= 1;
        self.nested += 1;
        if self.nested == 1 {
            self.around = self.open.clone();
        }
        let v = *self.pick(&all);
        // What is no product is cut first.
        let product = self.size(self.loops[v].size).is_product();
        let cut = if product { 15 } else { 40 };
        let operator = match self.rng.u32(0..100) {
            at if at < cut => self.slice(v),
            at if at < cut + 20 => self.concat(v),
            at if at < 65 => self.collapse(v),
            _ => self.split(all, v),
        };
        let e = self.applied(operator, ty);
        self.nested -= 1;
        if self.nested == 0 {
            self.around.clear();
        }
        let e = e?;
        if !self.zero_fill && self.chance(35) {
            self.recent.push((e.clone(), self.open.clone()));
        }
        Some(e)
    }

    /// The operator with operands.
    fn applied(&mut self, operator: Operator, ty: Option<Ty>) -> Option<E> {
        let Operator { name, to, end, from } = operator;
        let open = self.open.clone();
        let at = to.iter().filter_map(|v| open.iter().position(|w| w == v)).max()?;
        let cases =
            |g: &Self| (g.loops.iter().map(|l| l.structured).collect::<Vec<_>>(), g.structured);
        let before = cases(self);
        let mut most = before.clone();
        let (mut operands, mut names) = (Vec::new(), Vec::new());
        for given in from {
            // Operands of one choice do not meet.
            before.0.iter().zip(&mut self.loops).for_each(|(n, l)| l.structured = *n);
            self.structured = before.1;
            let mut inner = given.clone();
            if self.chance(25) {
                self.rng.shuffle(&mut inner);
            }
            let (outside, inside) = open.split_at(at);
            let kept = |v: &&usize| !to.contains(v);
            self.open = outside.iter().filter(kept).copied().collect();
            self.open.extend(inner);
            self.open.extend(inside.iter().filter(kept));
            let giving = std::mem::take(&mut self.giving);
            let e = self.operand(ty);
            self.giving = giving;
            self.open.clone_from(&open);
            let e = e?;
            for v in given {
                names.push(self.taken(v, &e.text));
            }
            let now = cases(self);
            most.0.iter_mut().zip(now.0).for_each(|(most, now)| *most = now.max(*most));
            most.1 = now.1.max(most.1);
            operands.push(e);
        }
        most.0.iter().zip(&mut self.loops).for_each(|(n, l)| l.structured = *n);
        self.structured = most.1;
        let list = |all: &[String]| match all {
            [one] => one.clone(),
            all => format!("({})", all.join(", ")),
        };
        let texts: Vec<String> = operands.iter().map(|e| e.text.clone()).collect();
        let text = format!("{name}({}, {} -> {end})", list(&texts), list(&names));
        for v in to {
            self.loops[v].given.push(text.clone());
        }
        let number = operands.iter().any(|e| e.ty != Ty::Bool);
        Some(E {
            text,
            ty: if number { self.ty } else { Ty::Bool },
            bound: operands.iter().map(|e| e.bound).max()?,
            typed: operands.iter().any(|e| e.typed && (!number || e.ty != Ty::Bool)),
        })
    }

    /// What an operator is applied to.
    fn operand(&mut self, ty: Option<Ty>) -> Option<E> {
        if self.chance(45) {
            if let Some(e) = self.shaped(ty) {
                return Some(e);
            }
        }
        self.reads_left = self.reads_left.max(1);
        if self.zero_fill {
            return self.fresh_access(ty.unwrap_or(self.ty));
        }
        let often = self.rng.u32(0..100);
        Some(match (ty, often) {
            (Some(Ty::Bool), _) => self.boolean(1),
            (None, 0..30) => {
                let e = self.access(None);
                e.unwrap_or_else(|| self.number(1))
            }
            (None, 30..40) => self.boolean(1),
            (None, 40..60) => self.number(2),
            (_, 60..80) => self.typed_number(2),
            _ => self.typed_number(1),
        })
    }

    /// An index that an operator gives to its operand.
    fn index(&mut self, of: &[usize], size: &Size, way: Way, guarded: bool) -> usize {
        let (name, size) = (self.name("x"), self.numbered(size));
        let mut loops: Vec<usize> = of.iter().flat_map(|v| self.drivers(*v)).collect();
        loops.sort();
        loops.dedup();
        let guarded = guarded || of.iter().any(|v| self.loops[*v].guarded);
        self.loops.push(Loop { of: loops, way, guarded, ..Loop::new(name, size) });
        self.loops.len() - 1
    }

    /// Such an index in front of the arrow: with its size, where the operand does not say it.
    fn taken(&mut self, v: usize, operand: &str) -> String {
        let name = self.loops[v].name.clone();
        if plain(operand, &name) && self.chance(75) {
            return name;
        }
        self.sized(v)
    }

    fn sized(&mut self, v: usize) -> String {
        let size = self.size_name(self.loops[v].size);
        self.loops[v].sized = true;
        format!("{}: {size}", self.loops[v].name)
    }

    /// A part of a dimension.
    fn slice(&mut self, v: usize) -> Operator {
        let size = self.size(self.loops[v].size);
        let start = match self.chance(25) {
            true => {
                let start = self.chosen("case.point()".into());
                self.size(start)
            }
            false => Size::number(self.rng.i64(0..3)),
        };
        let step = match self.rng.u32(0..100) {
            0..55 => Size::number(1),
            55..85 => Size::number(self.rng.i64(2..4)),
            _ => {
                let step = self.chosen("1 + case.point()".into());
                self.size(step)
            }
        };
        let (end, more) = (start.plus(&step.times(&size)), self.rng.i64(0..3));
        let mut whole = end.plus(&Size::number(more));
        if self.chance(40) {
            // So many equal parts, for what takes it apart.
            let parts = self.rng.i64(2..4);
            whole = whole.times(&Size::number(parts));
        }
        let way = match (self.loops[v].way, step.known()) {
            (way @ (Way::Moved | Way::Strided(_)), Some(1)) => way,
            (way, Some(_)) => self.strided(way, self.loops[v].guarded),
            _ => Way::Computed,
        };
        let x = self.index(&[v], &whole, way, false);
        let [lo, hi, by] = [&start, &end, &step].map(|size| self.size_text(size));
        // The last step may end behind the last element.
        let hi = match step.known() {
            Some(step) if size.least() > 0 => plus(&hi, -self.rng.i64(0..step)),
            _ => hi,
        };
        let cut = match (step.known(), self.rng.u32(0..3)) {
            (Some(1), 0) => format!("{lo}..{hi}"),
            (Some(1), 1) => format!("({lo}, {hi})"),
            _ => format!("({lo}, {hi}, {by})"),
        };
        let end = format!("{}, {cut}", self.loops[v].name);
        Operator { name: "slice", to: vec![v], end, from: vec![vec![x]] }
    }

    /// Two or three one behind the other.
    fn concat(&mut self, v: usize) -> Operator {
        let size = self.size(self.loops[v].size);
        let (a, b) = self.parts(&size);
        let mut sizes = vec![a, b];
        if self.chance(35) {
            let size = sizes.remove(1);
            let (a, b) = self.parts(&size);
            sizes.extend([a, b]);
        }
        let way = match self.loops[v].way {
            way @ (Way::Moved | Way::Strided(0..=1)) => way,
            _ => Way::Computed,
        };
        let from = sizes.iter().map(|size| vec![self.index(&[v], size, way, true)]).collect();
        Operator { name: "concat", to: vec![v], end: self.loops[v].name.clone(), from }
    }

    /// Two or three dimensions as one.
    fn collapse(&mut self, v: usize) -> Operator {
        let all = self.size(self.loops[v].size);
        let count = if self.chance(25) { 3 } else { 2 };
        let (sizes, way) = (self.sizes_of(&all, count), self.loops[v].way);
        let from = vec![self.digits(&[v], sizes, way)];
        let end = match self.chance(10) {
            true => self.sized(v),
            false => self.loops[v].name.clone(),
        };
        let name = if self.chance(10) { "reshape" } else { "collapse" };
        Operator { name, to: vec![v], end, from }
    }

    /// One dimension over two loops or three, or several over as many.
    fn split(&mut self, mut all: Vec<usize>, v: usize) -> Operator {
        if all.len() < 2 {
            return self.collapse(v);
        }
        let count = if all.len() > 2 && self.chance(30) { 3 } else { 2 };
        self.rng.shuffle(&mut all);
        let mut to = all[..count].to_vec();
        if self.chance(75) {
            to.sort_by_key(|v| self.open.iter().position(|w| w == v));
        }
        let sizes: Vec<Size> = to.iter().map(|v| self.size(self.loops[*v].size)).collect();
        let product = sizes.iter().fold(Size::number(1), |all, size| all.times(size));
        let way = self.sum_of(&to, &sizes);
        let (name, from) = match self.chance(75) {
            true => {
                let name = if self.chance(10) { "reshape" } else { "split" };
                (name, vec![self.index(&to, &product, way, false)])
            }
            false => {
                let sizes = self.sizes_of(&product, 2);
                ("reshape", self.digits(&to, sizes, way))
            }
        };
        // One that the others tell, if they are not zero.
        let open = self.rng.usize(0..to.len());
        let others = sizes.iter().enumerate().filter(|(k, _)| *k != open);
        let told = others.fold(Size::number(1), |all, (_, size)| all.times(size)).least() > 0;
        let told = told && self.loops[to[open]].range == Range::Whole && self.chance(70);
        if told {
            self.undivided.push(to[open]);
        }
        let ends: Vec<String> = (0..to.len())
            .map(|k| match told && k == open {
                true => self.loops[to[k]].name.clone(),
                false => self.sized(to[k]),
            })
            .collect();
        let end = format!("({})", ends.join(", "));
        Operator { name, to, end, from: vec![from] }
    }

    fn sizes_of(&mut self, all: &Size, count: usize) -> Vec<Size> {
        let mut sizes = vec![all.clone()];
        while sizes.len() < count {
            let at = self.rng.usize(0..sizes.len());
            let (a, b) = self.factors(&sizes[at].clone());
            sizes.splice(at..=at, [a, b]);
        }
        sizes
    }

    /// The digits of what lies that way.
    fn digits(&mut self, of: &[usize], sizes: Vec<Size>, way: Way) -> Vec<usize> {
        let follow = way == Way::Moved && sizes[1..].iter().all(|size| size.known() != Some(1));
        let mut above = None;
        for size in &sizes {
            let way = if follow { Way::Digit(above) } else { Way::Computed };
            above = Some(self.index(of, size, way, false));
        }
        let last = self.loops.len();
        (last - sizes.len()..last).collect()
    }

    /// What the sum of indices is that a split makes.
    fn sum_of(&self, to: &[usize], sizes: &[Size]) -> Way {
        let place = |k: &usize| self.place(to[*k]);
        let Some(last) = (0..to.len()).max_by_key(place) else { return Way::Computed };
        let apart = (0..to.len()).all(|k| k == last || place(&k) < place(&last));
        let below = sizes[last + 1..].iter().fold(Size::number(1), |all, size| all.times(size));
        let guarded = to.iter().any(|v| self.loops[*v].guarded);
        match (self.loops[to[last]].way, below.known()) {
            _ if !apart => Way::Computed,
            (way @ (Way::Moved | Way::Strided(_)), Some(1)) => way,
            (way, Some(_)) => self.strided(way, guarded),
            _ => Way::Computed,
        }
    }

    /// A multiple of what lies that way.
    fn strided(&self, way: Way, guarded: bool) -> Way {
        match way {
            Way::Moved => Way::Strided(1),
            Way::Strided(n) if !guarded => Way::Strided(n + 1),
            _ => Way::Computed,
        }
    }
}

/// Whether a dimension of a tensor is read at the index alone.
fn plain(text: &str, index: &str) -> bool {
    let mut found = false;
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices(index) {
        let (before, after) = (&text[..at], &text[at + index.len()..]);
        let first = before.ends_with('[') || before.ends_with(", ");
        let last = after.starts_with(']') || after.starts_with(", ") || after.starts_with("::");
        if !first || !last {
            continue;
        }
        // The bracket that it stands in.
        let mut depth = 0;
        let around = (0..at).rev().find(|k| {
            depth += match bytes[*k] {
                b')' | b']' => 1,
                b'(' | b'[' => -1,
                _ => 0,
            };
            depth < 0
        });
        let Some(around) = around.filter(|k| bytes[*k] == b'[') else { continue };
        let name = &text[..around];
        let tensor = name.ends_with(|c: char| c.is_alphanumeric()) && !name.ends_with("permit");
        found |= tensor;
    }
    found
}
