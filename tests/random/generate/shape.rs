//! Reads through shape operators that come to the same index as without them, or to every other.

use super::expr::E;
use super::formats::Ty;
use super::index::{plus, Slot};
use super::{Dim, Gen, Range};

/// What stands around an access.
pub struct Around {
    before: String,
    after: String,
}

impl Around {
    /// The read with it.
    pub fn put(&self, e: E) -> E {
        E { text: format!("{}{}{}", self.before, e.text, self.after), ..e }
    }
}

impl Gen<'_> {
    /// Has an index taken away by a shape operator, and the dimension sized for it.
    pub fn shape(&mut self, slots: &mut Vec<Slot>, ty: Ty) -> Option<Around> {
        let fits = |s: &Slot| {
            let v = s.by?;
            let range = matches!(self.loops[v].range, Range::Whole | Range::From(_));
            let plain = s.text == self.loops[v].name && !s.locate && !s.missing;
            (range && plain && slots.len() < 3).then_some(v)
        };
        let all: Vec<(usize, usize)> =
            slots.iter().enumerate().filter_map(|(k, s)| Some((k, fits(s)?))).collect();
        if all.is_empty() {
            return None;
        }
        let (at, v) = *self.pick(&all);
        let (name, size) = (self.loops[v].name.clone(), self.loops[v].size);
        let n = self.size_name(size);
        let (x, y, z) = (self.name("x"), self.name("y"), self.name("z"));
        let (c, more) = (self.rng.i64(0..3), self.rng.i64(0..2));
        let hi = plus(&n, c);
        slots[at].text = x.clone();
        let (before, after) = match self.rng.u32(0..8) {
            0 | 1 => {
                slots[at].dim = Dim::Loop(size, c + more);
                ("slice(".into(), format!(", {x} -> {name}, {c}..{hi})"))
            }
            2 => {
                let s = self.rng.i64(2..4);
                slots[at].dim = Dim::Linear(vec![(s, size)], more);
                ("slice(".into(), format!(", {x} -> {name}, (0, {s}*{n}, {s}))"))
            }
            3 => {
                // As many elements as before, of which the last are others.
                let k = self.rng.i64(1..3);
                let other = match ty {
                    Ty::Bool => self.pick(&["true", "false"]).to_string(),
                    _ => self.rng.i64(0..3).to_string(),
                };
                slots[at].dim = Dim::Loop(size, -k);
                let last = format!(", {other}), ({x}, {y}: min({n}, {k})) -> {name})");
                ("concat((".into(), last)
            }
            4 => {
                slots[at].dim = Dim::Linear(vec![(2, size)], 0);
                slots[at].locate = true;
                let inner = format!(", {x} -> ({y}, {z}: 2)), ({y}, {z}) -> {x}2)");
                let after = format!("{inner}, {x}2 -> {name}, {n}..2*{n})");
                ("slice(collapse(split(".into(), after)
            }
            kind => {
                // A level more, and both as one.
                let r = self.rng.i64(1..4);
                slots[at].dim = Dim::Loop(size, more);
                let slot = Slot {
                    text: y.clone(),
                    dim: Dim::Free(r),
                    by: None,
                    locate: false,
                    implied: false,
                    missing: false,
                };
                slots.insert(at + 1, slot);
                let order = match kind {
                    5 => {
                        slots[at].locate = true;
                        slots[at + 1].locate = true;
                        format!("({y}, {x})")
                    }
                    _ => format!("({x}, {y})"),
                };
                let after =
                    format!(", {order} -> {z}), {z} -> {name}, {more}..{})", plus(&n, more));
                ("slice(collapse(".into(), after)
            }
        };
        Some(Around { before, after })
    }
}
