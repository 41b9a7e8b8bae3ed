//! What stands between the brackets of a read: loop indices moved, stretched, added and permitted to
//! leave, points, and computed positions.

use super::flavor::Flavor;
use super::shape::Way;
use super::{Dim, Gen, Range, Role, Tensor};

/// How many loops a read is driven by at most.
const MOST: usize = 4;

/// One index of a read.
pub struct Slot {
    pub text: String,
    pub dim: Dim,
    /// The loop that drives it.
    pub by: Option<usize>,
    /// Out of order or computed: only random access will do.
    pub locate: bool,
    /// Random access goes without saying.
    pub implied: bool,
    /// May be missing.
    pub missing: bool,
}

/// `text + c`
pub fn plus(text: &str, c: i64) -> String {
    match c {
        0 => text.to_owned(),
        c if c > 0 => format!("{text} + {c}"),
        c => format!("{text} - {}", -c),
    }
}

impl Gen<'_> {
    /// Indices of a tensor that does not exist yet.
    pub fn slots(&mut self) -> Vec<Slot> {
        self.giving.clear();
        let mut by: Vec<usize> = self.open.clone();
        while by.len() > 1 && (self.chance(35) || by.len() > MOST) {
            by.remove(self.rng.usize(0..by.len()));
        }
        if by.len() > 1 && self.chance(15) {
            self.rng.shuffle(&mut by);
        }
        let mut slots: Vec<Slot> = Vec::new();
        let mut deepest = None;
        for v in by {
            if let Some(digits) = self.written_digits(v, &mut deepest) {
                slots.extend(digits);
                continue;
            }
            let mut slot = self.driven(v, false);
            if !slot.locate {
                let (locate, implied) = self.order(v, &slot.text, &mut deepest, &slots);
                (slot.locate, slot.implied) = (locate, implied);
            }
            slots.push(slot);
        }
        if slots.len() == 1 && self.flavor == Flavor::Plain && self.chance(15) {
            return vec![self.computed()];
        }
        if slots.len() < 4 && self.chance(12) {
            let extra = match self.rng.u32(0..10) {
                0..3 if !slots.is_empty() => {
                    let v = *self.pick(&self.open.clone());
                    self.again(v, &slots)
                }
                3..7 if !self.open.is_empty() => Some(self.computed()),
                _ => Some(self.point()),
            };
            let at = self.rng.usize(0..=slots.len());
            // In front of what it repeats it would come first itself.
            match extra {
                Some(slot) if slot.by.is_some() => slots.push(slot),
                Some(slot) => slots.insert(at, slot),
                None => {}
            }
        }
        slots
    }

    /// The loops that an index is made of.
    pub fn drivers(&self, v: usize) -> Vec<usize> {
        match self.loops[v].of.is_empty() {
            true => vec![v],
            false => self.loops[v].of.clone(),
        }
    }

    /// How deep the innermost loop is that an index is made of.
    pub fn place(&self, v: usize) -> Option<usize> {
        let around = if self.around.is_empty() { &self.open } else { &self.around };
        self.drivers(v).iter().filter_map(|v| around.iter().position(|w| w == v)).max()
    }

    /// What changes outside of the loops that an index is made of.
    pub fn outside(&self, v: usize) -> Vec<usize> {
        self.open.iter().copied().filter(|w| self.place(*w) < self.place(v)).collect()
    }

    /// Whether only random access to `text`, of the index, will do behind `before`, and whether that goes
    /// without saying.
    pub fn order(
        &self,
        v: usize,
        text: &str,
        deepest: &mut Option<usize>,
        before: &[Slot],
    ) -> (bool, bool) {
        let (place, way) = (self.place(v), self.loops[v].way);
        let ordered = place > *deepest;
        *deepest = place.max(*deepest);
        let plain = text == self.loops[v].name;
        let follows = |above: usize| {
            let last = before.last();
            last.is_some_and(|s| {
                s.by == Some(above) && !s.locate && s.text == self.loops[above].name
            })
        };
        let free = match way {
            Way::Moved => ordered,
            Way::Strided(_) => ordered && plain,
            Way::Digit(None) => ordered && plain,
            Way::Digit(Some(above)) => plain && follows(above),
            Way::Computed => false,
        };
        (!free, !free && ordered && way != Way::Moved)
    }

    /// A dimension read along a loop.
    fn driven(&mut self, v: usize, locate: bool) -> Slot {
        let straight = self.flavor == Flavor::Plain && self.chance(85);
        let (text, dim, missing) = match !straight && self.chance(12) {
            true => self.permitted(v),
            false if straight && self.loops[v].range != Range::Moved => {
                let (text, dim) = self.straight(v);
                (text, dim, false)
            }
            false if self.shapes > 0 && self.chance(12) => {
                if let Some(slot) = self.written_sum(v) {
                    return Slot { locate: locate || slot.locate, ..slot };
                }
                let (text, dim) = match self.loops[v].range {
                    Range::Moved => self.moved(v),
                    _ => self.inside(v),
                };
                (text, dim, false)
            }
            false => {
                let (text, dim) = match self.loops[v].range {
                    Range::Moved => self.moved(v),
                    _ => self.inside(v),
                };
                (text, dim, false)
            }
        };
        Slot { text, dim, by: Some(v), locate, implied: false, missing }
    }

    /// An index that gives the loop its extent together with others like it.
    fn moved(&mut self, v: usize) -> (String, Dim) {
        self.giving.push(v);
        let name = self.loops[v].name.clone();
        match self.rng.u32(0..8) {
            0 => {
                let by = self.moving();
                match self.rng.u32(0..3) {
                    0 => (format!("{name} + {by}"), Dim::Free(0)),
                    1 => (format!("{by} + {name}"), Dim::Free(0)),
                    _ => (format!("{name} - ({by})"), Dim::Free(0)),
                }
            }
            1 | 2 => (format!("{name} - {}", self.rng.u32(1..3)), Dim::Free(0)),
            3 => (format!("{} + {name}", self.rng.u32(1..4)), Dim::Free(0)),
            4 => {
                let d = self.shift();
                (format!("offset({d})[{name}]"), Dim::Free(0))
            }
            5 => {
                let (s, c) = (self.rng.i64(2..4), self.rng.i64(-1..3));
                (plus(&format!("{s}*{name}"), c), Dim::Free(0))
            }
            6 => {
                let (lo, n, c) = (self.rng.i64(0..3), self.rng.i64(0..4), self.rng.i64(1..3));
                (format!("window({lo}, {})[{}]", lo + n, plus(&name, c)), Dim::Free(lo + n))
            }
            _ => (format!("{name} + {}", self.rng.u32(1..4)), Dim::Free(0)),
        }
    }

    /// An amount that is not 0, or a parameter that may be.
    fn shift(&mut self) -> String {
        if self.chance(40) {
            return self.moving();
        }
        self.pick(&["-2", "-1", "1", "2"]).to_string()
    }

    /// An amount of parameters: one, or what is left of two that may be beyond all coordinates.
    fn moving(&mut self) -> String {
        if self.chance(30) {
            self.parameter("high", "i64", "case.far()");
            self.parameter("low", "i64", "high - case.shift()");
            return self.pick(&["high - low", "(high - low)", "-low + high"]).to_string();
        }
        if self.chance(15) {
            let ty = *self.pick(&["usize", "u8"]);
            let name = format!("back_{ty}");
            self.parameter(&name, ty, &format!("case.point() as {ty}"));
            return format!("-{name}");
        }
        self.parameter("shift", "i64", "case.shift()");
        "shift".into()
    }

    /// An index that stays in the dimension wherever the loop is in `0..n`.
    fn inside(&mut self, v: usize) -> (String, Dim) {
        let (name, size) = (self.loops[v].name.clone(), self.loops[v].size);
        let whole = self.loops[v].range == Range::Whole;
        let lo = if let Range::From(lo) = self.loops[v].range { lo } else { 0 };
        let around = self.outside(v);
        let outer = self.bounded(&around);
        match self.rng.u32(0..100) {
            0..10 => {
                let c = self.rng.i64(1..3);
                (format!("{name} + {c}"), Dim::Loop(size, c))
            }
            10..40 if lo > 0 => {
                let c = self.rng.i64(1..=lo);
                let room = -c + self.rng.i64(0..2);
                let text = match self.chance(25) {
                    true => format!("offset({c})[{name}]"),
                    false => format!("{name} - {c}"),
                };
                (text, Dim::Loop(size, room))
            }
            40..47 => {
                let c = self.rng.i64(0..3);
                self.giving.extend(whole.then_some(v));
                let n = self.size_name(size);
                let hi = plus(&n, c);
                (format!("window({c}, {hi})[{name}]"), Dim::Loop(size, c + self.rng.i64(0..2)))
            }
            47..50 => {
                let (c, d) = (self.rng.i64(0..3), self.rng.i64(1..3));
                let hi = plus(&self.size_name(size), c + d);
                (format!("window({c}, {hi})[{name} + {d}]"), Dim::Loop(size, c + d))
            }
            50..53 => {
                let c = self.rng.i64(1..3);
                (format!("offset(-{c})[{name}]"), Dim::Loop(size, c))
            }
            53..58 => {
                let (s, c) = (self.rng.i64(2..4), self.rng.i64(0..2));
                (plus(&format!("{s}*{name}"), c), Dim::Linear(vec![(s, size)], c))
            }
            58..70 if !outer.is_empty() => {
                let w = *self.pick(&outer);
                let (other, m) = (self.loops[w].name.clone(), self.loops[w].size);
                match self.rng.u32(0..5) {
                    0 => {
                        let s = self.rng.i64(2..4);
                        (format!("{s}*{other} + {name}"), Dim::Linear(vec![(s, m), (1, size)], 0))
                    }
                    1 => {
                        // A window that moves with a loop gives no extent.
                        let hi = format!("{other} + {}", self.size_name(size));
                        (
                            format!("window({other}, {hi})[{name}]"),
                            Dim::Linear(vec![(1, m), (1, size)], 0),
                        )
                    }
                    2 => (
                        format!("offset(-{other})[{name}]"),
                        Dim::Linear(vec![(1, m), (1, size)], 0),
                    ),
                    _ => {
                        let c = self.rng.i64(0..2);
                        let sum = match self.chance(50) {
                            true => format!("{name} + {other}"),
                            false => format!("{other} + {name}"),
                        };
                        (plus(&sum, c), Dim::Linear(vec![(1, m), (1, size)], c))
                    }
                }
            }
            _ => self.straight(v),
        }
    }

    /// The index of the loop and nothing else.
    fn straight(&mut self, v: usize) -> (String, Dim) {
        let whole = self.loops[v].range == Range::Whole;
        self.giving.extend(whole.then_some(v));
        (self.loops[v].name.clone(), Dim::Loop(self.loops[v].size, 0))
    }

    /// Loops known to lie in `0..n`.
    pub fn bounded(&self, among: &[usize]) -> Vec<usize> {
        among.iter().copied().filter(|w| self.loops[*w].range != Range::Moved).collect()
    }

    /// An index that may leave the dimension, and whether it is missing there.
    fn permitted(&mut self, v: usize) -> (String, Dim, bool) {
        let (name, size) = (self.loops[v].name.clone(), self.loops[v].size);
        let outer = self.outside(v);
        let inner = match self.rng.u32(0..10) {
            0..2 => name.clone(),
            2..4 if !outer.is_empty() => {
                let w = *self.pick(&outer);
                let op = *self.pick(&["+", "-"]);
                let c = self.rng.i64(-1..2);
                plus(&format!("{name} {op} {}", self.loops[w].name), c)
            }
            4 => format!("2*{name} - 1"),
            5 => format!("offset({})[{name}]", self.shift()),
            6 => {
                let d = self.shift();
                format!("offset({d})[{name} + 1]")
            }
            _ => {
                let op = *self.pick(&["+", "-"]);
                let d = self.rng.i64(1..3);
                format!("{name} {op} {d}")
            }
        };
        let (lo, n) = (self.rng.i64(0..3), self.rng.i64(0..4));
        let hi = lo + n;
        match self.rng.u32(0..10) {
            // A window inside of `permit` must hold the loop; one outside of it cuts it off.
            0 if self.loops[v].range != Range::Moved => {
                self.giving.extend((self.loops[v].range == Range::Whole).then_some(v));
                let n = self.size_name(size);
                (format!("permit[window({lo}, {})[{name}]]", plus(&n, lo)), Dim::Free(0), true)
            }
            1 => (format!("window({lo}, {hi})[permit[{inner}]]"), Dim::Free(hi), true),
            2 => (format!("offset({})[permit[{inner}]]", self.shift()), Dim::Free(0), true),
            _ => (format!("permit[{inner}]"), Dim::Free(0), true),
        }
    }

    /// A dimension read along a loop that an earlier one is read along.
    fn again(&mut self, v: usize, slots: &[Slot]) -> Option<Slot> {
        let again = slots.iter().any(|s| s.by == Some(v));
        // The diagonal is looked up whether it says so or not.
        let implied = self.loops[v].of.is_empty();
        again.then(|| Slot { implied, ..self.driven(v, true) })
    }

    /// A dimension read at one coordinate.
    fn point(&mut self) -> Slot {
        let (text, least) = match self.chance(60) {
            true => {
                let n = self.rng.i64(0..3);
                (n.to_string(), n + 1)
            }
            false => {
                self.parameter("point", "usize", "case.point()");
                ("point".to_owned(), 3)
            }
        };
        Slot { text, dim: Dim::Free(least), by: None, locate: true, implied: false, missing: false }
    }

    /// A dimension read at positions that another tensor holds, or that are computed.
    fn computed(&mut self) -> Slot {
        let v = *self.pick(&self.open.clone());
        let (name, size) = (self.loops[v].name.clone(), self.loops[v].size);
        if self.loops[v].range == Range::Moved || self.chance(40) {
            let other = *self.pick(&self.open.clone());
            let other = self.loops[other].name.clone();
            let text = match self.rng.u32(0..3) {
                0 => format!("{name} % 3"),
                1 => format!("({name} + {other}) % 2"),
                _ => format!("max({name}, {other}) & 1"),
            };
            return Slot {
                text,
                dim: Dim::Free(3),
                by: None,
                locate: true,
                implied: false,
                missing: false,
            };
        }
        let at = self.name("at");
        self.tensors.push(Tensor {
            name: at.clone(),
            format: None,
            role: Role::Input,
            dims: vec![Dim::Loop(size, 0)],
            sizes: None,
            bound: 0,
        });
        self.giving.extend((self.loops[v].range == Range::Whole).then_some(v));
        Slot {
            text: format!("{at}[{name}]"),
            dim: Dim::Free(4),
            by: None,
            locate: true,
            implied: false,
            missing: false,
        }
    }
}
