//! Reads of tensors: which dimensions an access has, what stands in them, by which protocol.

use super::expr::E;
use super::formats::{leaf, level, Format, Holds, Level, Ty, DENSE, LEAVES, NAMESAKES, SQUARES};
use super::index::Slot;
use super::{Dim, Gen, Range, Role, Tensor};

/// What is not dense, along one loop and in one nest: reads and comparisons of indices, whose cases
/// multiply.
pub const STRUCTURED: (usize, usize) = (2, 4);

impl Gen<'_> {
    /// A read of a tensor of truth values, or of any.
    pub fn access(&mut self, ty: Option<Ty>) -> Option<E> {
        self.reads_left = self.reads_left.saturating_sub(1);
        if self.shapes > 0 && self.chance(self.shapes) {
            if let Some(e) = self.shaped(ty) {
                return Some(e);
            }
        }
        if self.features.has("ordered") && self.chance(20) {
            if let Some(e) = self.written_here(ty) {
                return Some(e);
            }
        }
        if self.chance(35) {
            if let Some(e) = self.known_tensor(ty) {
                return Some(e);
            }
        }
        let ty = ty.unwrap_or(if self.chance(20) { Ty::Bool } else { self.ty });
        self.fresh_access(ty)
    }

    /// A read of a new tensor.
    pub fn fresh_access(&mut self, ty: Ty) -> Option<E> {
        if self.zero_fill && self.shapes > 0 && self.chance(self.shapes) {
            if let Some(e) = self.shaped(Some(ty)) {
                return Some(e);
            }
        }
        let slots = self.slots();
        if slots.is_empty() || self.zero_fill && slots.iter().any(|s| s.missing) {
            return None;
        }
        let format = self.readable(&slots, ty);
        let name = self.name(if ty == Ty::Bool { "p" } else { "a" });
        let bound = format.leaf.bound.max(if ty == Ty::Bool { 1 } else { 4 });
        self.tensors.push(Tensor {
            name,
            format: Some(format),
            role: Role::Input,
            dims: slots.iter().map(|s| s.dim.clone()).collect(),
            sizes: None,
            bound,
        });
        let t = self.tensors.len() - 1;
        Some(self.read(t, slots))
    }

    /// A format that can be read by these indices.
    fn readable(&mut self, slots: &[Slot], ty: Ty) -> Format {
        let square = slots.len() == 2
            && matches!(slots[0].dim, Dim::Loop(..))
            && slots[0].dim == slots[1].dim;
        let mut levels: Vec<&'static Level> = Vec::new();
        if square && self.chance(35) {
            let all: Vec<&Level> = SQUARES.iter().chain(NAMESAKES).collect();
            levels.extend([&DENSE, all[self.rng.usize(0..all.len())]]);
        } else {
            for slot in slots {
                let (full, any) = (
                    slot.by.is_some_and(|v| self.full(v)),
                    levels.iter().all(|l| l.holds == Holds::Any),
                );
                levels.push(match full {
                    true => &DENSE,
                    false => level(&mut self.rng, levels.last().copied(), |l| {
                        (!slot.locate || l.locates()) && (any || l.holds == Holds::Any)
                    }),
                });
            }
        }
        let leaf = match self.zero_fill {
            true => LEAVES.iter().find(|l| l.ty == ty).expect("a leaf of each type"),
            false => leaf(&mut self.rng, ty, levels.last().expect("a dimension")),
        };
        Format { levels, leaf }
    }

    /// The access of a tensor with these indices.
    fn read(&mut self, t: usize, slots: Vec<Slot>) -> E {
        let (mut indices, mut missing) = (Vec::new(), false);
        let levels = self.tensors[t].format.iter().flat_map(|f| &f.levels);
        if slots.iter().any(|s| s.locate) || levels.into_iter().any(|l| l.looked_up()) {
            self.random.push(self.tensors[t].name.clone());
        }
        for (dim, slot) in slots.into_iter().enumerate() {
            let level =
                self.tensors[t].format.as_ref().expect("positions are read elsewhere").levels[dim];
            let protocol = match slot.locate {
                _ if level.looked_up() => Some("locate"),
                // Random access goes without saying where the format has nothing before it.
                true if slot.by.is_none() || slot.implied || level.reads[0] == "locate" => {
                    self.chance(30).then_some("locate")
                }
                true => Some("locate"),
                false => self.chance(40).then(|| *self.pick(level.reads)),
            };
            let random = slot.locate && (slot.implied || protocol == Some("locate"));
            if let (Some(v), false) = (slot.by, random || protocol == Some("locate")) {
                let cases = level.cases() + usize::from(slot.missing || slot.text.contains('*'));
                self.structure(v, cases);
            }
            missing |= slot.missing;
            let one = slot.text.ends_with(']') && !slot.text.contains(' ')
                || slot.text.chars().all(char::is_alphanumeric);
            indices.push(match protocol {
                Some(p) if one => format!("{}::{p}", slot.text),
                Some(p) => format!("({})::{p}", slot.text),
                None => slot.text,
            });
        }
        if !self.reading.contains(&t) {
            self.reading.push(t);
        }
        let tensor = &self.tensors[t];
        let ty = tensor.format.as_ref().expect("as above").leaf.ty;
        let (mut text, mut bound) =
            (format!("{}[{}]", tensor.name, indices.join(", ")), tensor.bound);
        for v in std::mem::take(&mut self.giving) {
            self.loops[v].given.push(text.clone());
        }
        if missing && self.chance(70) {
            let other = match ty {
                Ty::Bool => self.pick(&["true", "false"]).to_string(),
                _ => self.rng.i64(0..4).to_string(),
            };
            bound = bound.max(4);
            text = format!("coalesce({text}, {other})");
        }
        let e = E { text, ty, bound, typed: true };
        if self.tensors[t].role == Role::Input && !self.zero_fill {
            self.recent.push((e.clone(), self.open.clone()));
        }
        e
    }

    /// Whether enough is read along a loop.
    pub fn full(&self, v: usize) -> bool {
        let full = |v: &usize| self.loops[*v].structured >= STRUCTURED.0;
        self.structured >= STRUCTURED.1 || self.drivers(v).iter().any(full)
    }

    /// Counts the cases of what is read along a loop.
    pub fn structure(&mut self, v: usize, cases: usize) {
        for v in self.drivers(v) {
            self.loops[v].structured += cases;
        }
        self.structured += cases;
    }

    /// A read of a tensor that is there already, in any loops that fit.
    fn known_tensor(&mut self, ty: Option<Ty>) -> Option<E> {
        let fits = |g: &Self, t: usize| {
            let tensor = &g.tensors[t];
            let role = match tensor.role {
                Role::Input => true,
                Role::Workspace => false,
                _ => g.finished.contains(&t) && !g.writing.contains(&t),
            };
            let right = tensor.format.as_ref().is_some_and(|f| {
                ty.is_none_or(|ty| ty == f.leaf.ty) && (f.leaf.ty == Ty::Bool || f.leaf.ty == g.ty)
            });
            role && right && tensor.bound <= 1 << 20
        };
        let all: Vec<usize> = (0..self.tensors.len()).filter(|t| fits(self, *t)).collect();
        if all.is_empty() {
            return None;
        }
        let t = *self.pick(&all);
        let slots = self.slots_of(t)?;
        Some(self.read(t, slots))
    }

    /// Whether `t` may be read and written in one nest.
    pub(super) fn may_be_ordered(&self, t: usize) -> bool {
        let tensor = &self.tensors[t];
        let dense = |f: &Format| {
            let missing = f.leaf.text.contains("Missing");
            f.leaf.valued && !missing && f.levels.iter().all(|l| l.ty == DENSE.ty)
        };
        matches!(tensor.role, Role::Output | Role::InOut)
            && tensor.format.as_ref().is_some_and(dense)
    }

    /// A read of a dense tensor that the nest at hand writes.
    fn written_here(&mut self, ty: Option<Ty>) -> Option<E> {
        let fits = |g: &Self, t: usize| {
            let own = g.tensors[t].format.as_ref().map(|f| f.leaf.ty);
            let right = own.is_some_and(|own| {
                ty.is_none_or(|ty| ty == own) && (own == Ty::Bool || own == g.ty)
            });
            right && g.may_be_ordered(t)
        };
        let all: Vec<usize> = self.writing.iter().copied().filter(|t| fits(self, *t)).collect();
        if all.is_empty() {
            return None;
        }
        let t = *self.pick(&all);
        let slots = self.slots_of(t)?;
        let mut e = self.read(t, slots);
        self.order_matters(t);
        e.text = self.clamped(&e.text, e.ty);
        e.bound = e.bound.min(3);
        Some(e)
    }

    /// What an iteration finds and adds to, if it is a whole number: it grows without end otherwise.
    pub(super) fn clamped(&self, text: &str, ty: Ty) -> String {
        match ty.float() || ty == Ty::Bool {
            true => text.to_owned(),
            false if ty.unsigned() => format!("min({text}, 3)"),
            false => format!("max(min({text}, 3), -3)"),
        }
    }

    /// Notes that the nest at hand runs as it is written, as it reads and writes `t`.
    pub(super) fn order_matters(&mut self, t: usize) {
        self.ordered = true;
        // Its format stays as well.
        self.random.push(self.tensors[t].name.clone());
    }

    /// Loops that run inside the dimensions of a tensor.
    pub(super) fn slots_of_plain(&mut self, t: usize) -> Option<Vec<(usize, String)>> {
        let slots = self.slots_of(t)?;
        slots.into_iter().map(|s| Some((s.by?, s.text))).collect()
    }

    fn slots_of(&mut self, t: usize) -> Option<Vec<Slot>> {
        let (dims, role) = (self.tensors[t].dims.clone(), self.tensors[t].role);
        self.giving.clear();
        let mut slots: Vec<Slot> = Vec::new();
        let mut deepest = None;
        for (k, dim) in dims.iter().enumerate() {
            let Dim::Loop(size, room) = dim else { return None };
            let usable = |g: &Self, v: usize| {
                let l = &g.loops[v];
                let lo = if let Range::From(lo) = l.range { lo } else { 0 };
                l.size == *size && l.range != Range::Moved && *room >= -lo
            };
            let all: Vec<usize> = self.open.iter().copied().filter(|v| usable(self, *v)).collect();
            if all.is_empty() {
                return None;
            }
            let v = *self.pick(&all);
            let lo = if let Range::From(lo) = self.loops[v].range { lo } else { 0 };
            let shift =
                if *room < 0 || self.chance(30) { self.rng.i64(-lo..=*room.min(&2)) } else { 0 };
            let name = self.loops[v].name.clone();
            let text = match shift {
                0 => name,
                c if c > 0 => format!("{name} + {c}"),
                c => format!("{name} - {}", -c),
            };
            let (locate, implied) = self.order(v, &text, &mut deepest, &slots);
            let format = self.tensors[t].format.as_ref()?;
            if locate && !format.levels[k].locates() {
                return None;
            }
            // A larger dimension than the loop is no plain access.
            if shift == 0 && *room != 0 && self.loops[v].range == Range::Whole {
                return None;
            }
            let sized =
                matches!(role, Role::Input | Role::InOut) || self.tensors[t].sizes.is_some();
            if shift == 0 && sized && self.loops[v].range == Range::Whole {
                self.giving.push(v);
            }
            slots.push(Slot {
                text,
                dim: dim.clone(),
                by: Some(v),
                locate,
                implied,
                missing: false,
            });
        }
        Some(slots)
    }
}
