//! Splits and collapses that are written out: `a[n * i + j]` and `a[k / n, k % n]`.

use super::index::Slot;
use super::shape::Way;
use super::size::Size;
use super::{Dim, Gen, Range};

impl Gen<'_> {
    /// A dimension read at groups of elements along several loops, of which the innermost is that.
    pub fn written_sum(&mut self, v: usize) -> Option<Slot> {
        let (around, range) = (self.outside(v), self.loops[v].range.clone());
        let around = self.bounded(&around);
        if around.is_empty() || matches!(range, Range::Moved) {
            return None;
        }
        let mut all = vec![*self.pick(&around), v];
        let w = *self.pick(&around);
        if !all.contains(&w) && self.chance(30) {
            all.insert(0, w);
        }
        let place = |v: &usize| self.place(*v);
        all.sort_by_key(place);
        // The innermost loop may run over the groups.
        let inner = self.chance(75);
        if !inner {
            all.rotate_right(1);
        }
        let mut text = self.loops[all[0]].name.clone();
        let mut size = self.size(self.loops[all[0]].size);
        let mut known = true;
        for w in &all[1..] {
            let (index, number) = (self.loops[*w].name.clone(), self.loops[*w].size);
            let by = self.size_name(number);
            let around = if text.contains(' ') { format!("({text})") } else { text };
            let by_first = self.chance(50);
            let product =
                if by_first { format!("{by}*{around}") } else { format!("{around}*{by}") };
            text = match self.chance(80) {
                true => format!("{product} + {index}"),
                false => format!("{index} + {product}"),
            };
            let other = self.size(number);
            known &= other.known().is_some();
            size = size.times(&other);
        }
        let more = self.rng.i64(0..2);
        let dim = Dim::Loop(self.numbered(&size), more);
        let (way, simple) = (self.loops[v].way, inner || known && all.len() == 2);
        let locate = !simple || way != Way::Moved;
        Some(Slot { text, dim, by: Some(v), locate, implied: locate, missing: false })
    }

    /// Two dimensions or three read at the digits of an index.
    pub fn written_digits(&mut self, v: usize, deepest: &mut Option<usize>) -> Option<Vec<Slot>> {
        let range = matches!(self.loops[v].range, Range::Whole | Range::From(_));
        if self.shapes == 0 || !range || !self.chance(8) {
            return None;
        }
        let all = self.size(self.loops[v].size);
        let (mut sizes, name) = (Vec::new(), self.loops[v].name.clone());
        let (a, b) = self.factors(&all);
        sizes.extend([a, b]);
        if self.chance(25) {
            let (a, b) = self.factors(&sizes[0].clone());
            sizes.splice(0..1, [a, b]);
        }
        if sizes.iter().any(|size| size.known() == Some(0)) {
            return None;
        }
        *deepest = self.place(v).max(*deepest);
        let mut slots = Vec::new();
        for (k, size) in sizes.iter().enumerate() {
            let below = sizes[k + 1..].iter().fold(Size::number(1), |all, size| all.times(size));
            let mut text = name.clone();
            if below.known() != Some(1) {
                text = format!("{text} / {}", self.divisor(&below));
            }
            if k > 0 {
                text = format!("{text} % {}", self.divisor(size));
            }
            // A plain index gives its loop an extent.
            let more = if k == 0 && text != name { self.rng.i64(0..2) } else { 0 };
            let dim = Dim::Loop(self.numbered(size), more);
            slots.push(Slot {
                text,
                dim,
                by: Some(v),
                locate: true,
                implied: true,
                missing: false,
            });
        }
        Some(slots)
    }

    fn divisor(&mut self, size: &Size) -> String {
        let text = self.size_text(size);
        if text.contains('*') && !text.starts_with('(') {
            return format!("({text})");
        }
        text
    }
}
