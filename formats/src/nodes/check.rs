//! The invariant of every schema: entries in order, or none twice, nodes linked once, and what is free free.

use super::arena::word;
use super::{coded, Entries, Kind, Step};
use crate::level::{grow, Index};

/// What is left of a node: its type, its number, the step to go on with, and the entry where links stand between.
type Left = (usize, usize, usize, usize);

/// Checks arrays of any content, in time linear in their length.
///
/// # Errors
/// What does not hold, and of which node.
#[allow(clippy::too_many_arguments)]
pub fn check<Ix: Index, Li: Index>(
    schema: &'static [Kind],
    len: usize,
    fibers: usize,
    arrays: &[&[Li]],
    free: &[&[Li]],
    crd: &[Ix],
    spare: Option<&[Li]>,
    moves: &[Li],
) -> Result<usize, String> {
    let root = &schema[0];
    if fibers.checked_mul(root.stride) != Some(arrays[0].len()) {
        return Err(format!(
            "`{}` has {} words for {fibers} fibers of {}",
            root.name,
            arrays[0].len(),
            root.stride
        ));
    }
    if !moves.is_empty() {
        return Err("`moves` is not empty".to_owned());
    }
    let mut c = Check {
        schema,
        arrays,
        crd,
        seen: Vec::new(),
        taken: Vec::new(),
        room: Vec::new(),
        decoded: Vec::new(),
        unordered: Vec::new(),
    };
    for (kind, words) in schema.iter().zip(arrays) {
        if kind.stride > 0 && !words.len().is_multiple_of(kind.stride) {
            return Err(format!(
                "`{}` has {} words, {} a node",
                kind.name,
                words.len(),
                kind.stride
            ));
        }
        let mut seen = Vec::new();
        grow(&mut seen, words.len() / kind.stride.max(1), false)?;
        c.seen.push(seen);
    }
    grow(&mut c.taken, crd.len(), false)?;
    for p in 0..fibers {
        c.fiber(p, len)?;
    }
    for (k, free) in free.iter().enumerate() {
        let (kind, seen) = (&schema[k + 1], &mut c.seen[k + 1]);
        for node in free.iter() {
            match seen.get_mut(node.to_i64() as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    return Err(format!(
                        "`{}` {node:?} is free, but there is none or it is linked",
                        kind.name
                    ))
                }
            }
        }
        if let Some(node) = seen.iter().position(|s| !s) {
            return Err(format!("`{}` {node} is neither linked nor free", kind.name));
        }
    }
    match spare {
        Some(spare) => c.pool(spare)?,
        None => c.implied()?,
    }
    Ok(crd.len())
}

struct Check<'a, Ix, Li> {
    schema: &'static [Kind],
    arrays: &'a [&'a [Li]],
    crd: &'a [Ix],
    /// Which nodes have been met.
    seen: Vec<Vec<bool>>,
    /// Which positions some node has room at.
    taken: Vec<bool>,
    /// The bytes and the coordinates of the node at hand, where these are coded.
    room: Vec<u8>,
    decoded: Vec<i64>,
    /// The coordinates met in a fiber, if they are in no order.
    unordered: Vec<i64>,
}

impl<Ix: Index, Li: Index> Check<'_, Ix, Li> {
    /// Everything that fiber `p` leads to.
    fn fiber(&mut self, p: usize, len: usize) -> Result<(), String> {
        let (mut free, mut met) = (0i64, 0);
        let mut left: Vec<Left> = vec![(0, p, 0, 0)];
        // The nodes that have entries and are met first and last, for links to them.
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let (mut first, mut last) = (None, None);
        self.arrive(0, p, None)?;
        while let Some((k, node, step, slot)) = left.pop() {
            let kind = &self.schema[k];
            let (words, base) = (self.arrays[k], node * kind.stride);
            if step == 0 && slot == 0 && !(kind.lasts.is_empty() && kind.firsts.is_empty()) {
                ends.push((k, node));
            }
            let Some(what) = kind.steps.get(step) else { continue };
            match *what {
                Step::Entries => {
                    let (start, count) = self.entries(k, node);
                    let holes = kind.entries.is_some_and(|e| e.holes);
                    met += match kind.entries.filter(|e| e.coded) {
                        Some(e) => {
                            self.decode((k, node), e, start, count)?;
                            let all = self.decoded.iter().copied();
                            ascend(p, len, all, false, &mut free)?
                        }
                        None => self.ascend(p, len, start..start + count, holes, &mut free)?,
                    };
                    if k > 0 {
                        self.threaded(last, Some((k, node)))?;
                        first = first.or(Some((k, node)));
                        last = Some((k, node));
                    }
                    left.push((k, node, step + 1, 0));
                }
                Step::Link(at, to) => {
                    left.push((k, node, step + 1, 0));
                    if let Some(next) = self.follow(words, base + at, to) {
                        self.arrive(next.0, next.1, Some((k, node)))?;
                        left.push((next.0, next.1, 0, 0));
                    }
                }
                Step::Mixed(at, to) => {
                    let (first, count) = self.entries(k, node);
                    if slot == count {
                        left.push((k, node, step + 1, 0));
                        continue;
                    }
                    let at_slot = first + slot;
                    met += self.ascend(p, len, at_slot..at_slot + 1, false, &mut free)?;
                    left.push((k, node, step, slot + 1));
                    if let Some(next) = self.follow(words, base + at + slot, to) {
                        self.arrive(next.0, next.1, Some((k, node)))?;
                        left.push((next.0, next.1, 0, 0));
                    }
                }
            }
        }
        self.threaded(last, None)?;
        self.apart(p)?;
        let root = &self.schema[0];
        let counted = root.count.map(|at| word(self.arrays[0], p * root.stride + at));
        if let Some(counted) = counted.filter(|n| *n != met) {
            return Err(format!("`{}` {p} counts {counted} entries, but has {met}", root.name));
        }
        for (k, node) in ends {
            let kind = &self.schema[k];
            let all = kind.firsts.iter().map(|f| (f, first, "first"));
            for ((at, to), end, which) in all.chain(kind.lasts.iter().map(|l| (l, last, "last"))) {
                if self.follow(self.arrays[k], node * kind.stride + at, to) != end {
                    return Err(format!(
                        "`{}` {node} does not lead to the {which} node",
                        kind.name
                    ));
                }
            }
        }
        Ok(())
    }

    /// The thread of a node leads to the one that is met next.
    fn threaded(
        &self,
        from: Option<(usize, usize)>,
        to: Option<(usize, usize)>,
    ) -> Result<(), String> {
        let Some((k, node)) = from else { return Ok(()) };
        let kind = &self.schema[k];
        let Some((at, targets)) = kind.next else { return Ok(()) };
        match self.follow(self.arrays[k], node * kind.stride + at, targets) == to {
            true => Ok(()),
            false => Err(format!("the thread of `{}` {node} leads elsewhere", kind.name)),
        }
    }

    /// Where the link in a word leads, which may be nowhere that there is a node.
    fn follow(&self, words: &[Li], at: usize, to: &[usize]) -> Option<(usize, usize)> {
        let link = word(words, at).checked_sub(1)?;
        Some((to[link % to.len()], link / to.len()))
    }

    /// Notes a node, and what it has room for.
    fn arrive(
        &mut self,
        k: usize,
        node: usize,
        from: Option<(usize, usize)>,
    ) -> Result<(), String> {
        let kind = &self.schema[k];
        match self.seen[k].get_mut(node) {
            Some(seen) if *seen => return Err(format!("`{}` {node} is linked twice", kind.name)),
            Some(seen) => *seen = true,
            None => {
                return Err(format!("a link leads to `{}` {node}, which is not there", kind.name))
            }
        }
        let (words, base) = (self.arrays[k], node * kind.stride);
        if let Some(at) = kind.parent {
            let parent = from.filter(|(from, _)| *from == k).map(|(_, node)| node);
            if word(words, base + at).checked_sub(1) != parent {
                return Err(format!("`{}` {node} has the wrong parent", kind.name));
            }
        }
        let Some(e) = &kind.entries else { return Ok(()) };
        let count = e.size.map_or(1, |at| word(words, base + at));
        if count < e.least || count > e.most {
            return Err(format!(
                "`{}` {node} has {count} entries, not {} to {}",
                kind.name, e.least, e.most
            ));
        }
        let start = match e.start {
            Some(at) => word(words, base + at),
            None => node.checked_mul(e.most).map_or(usize::MAX, |n| n.saturating_add(1)),
        };
        let room = match e.room {
            Some(at) => word(words, base + at),
            None if start == 0 => 0,
            None => e.most,
        };
        if count > room {
            return Err(format!("`{}` {node} has {count} entries and room for {room}", kind.name));
        }
        if room == 0 {
            return Ok(());
        }
        let places = start.checked_add(room).and_then(|end| self.taken.get_mut(start..end));
        let Some(places) = places.filter(|_| start > 0) else {
            return Err(format!("`{}` {node} has entries where there is no room", kind.name));
        };
        if places.iter().any(|t| *t) {
            return Err(format!("`{}` {node} has entries where another node has", kind.name));
        }
        places.fill(true);
        Ok(())
    }

    /// The first position of a node's entries, and how many there are.
    fn entries(&self, k: usize, node: usize) -> (usize, usize) {
        let kind = &self.schema[k];
        let (words, base) = (self.arrays[k], node * kind.stride);
        let Some(e) = &kind.entries else { return (0, 0) };
        let first = e.start.map_or_else(|| 1 + node * e.most, |at| word(words, base + at));
        (first, e.size.map_or(1, |at| word(words, base + at)))
    }

    /// Gives how many entries there are.
    fn ascend(
        &mut self,
        p: usize,
        len: usize,
        entries: std::ops::Range<usize>,
        holes: bool,
        free: &mut i64,
    ) -> Result<usize, String> {
        let all = self.crd[entries].iter().map(|i| i.to_i64());
        if self.schema[0].ordered {
            return ascend(p, len, all, holes, free);
        }
        for i in all.clone() {
            within(p, len, i)?;
        }
        let before = self.unordered.len();
        self.unordered.extend(all);
        Ok(self.unordered.len() - before)
    }

    /// Reads the coordinates of a node that are bytes.
    fn decode(
        &mut self,
        (k, node): (usize, usize),
        e: Entries,
        start: usize,
        count: usize,
    ) -> Result<(), String> {
        let kind = &self.schema[k];
        let room = e.room.map_or(0, |at| word(self.arrays[k], node * kind.stride + at));
        // Where there is no entry, there may be no room.
        let places = if count > 0 { start..start + room } else { 0..0 };
        self.room.clear();
        self.room.extend(self.crd[places].iter().map(|byte| byte.to_i64() as u8));
        self.decoded.clear();
        coded::check(&self.room, count, &mut self.decoded)
            .map_err(|reason| format!("`{}` {node}: {reason}", kind.name))
    }

    /// No coordinate comes twice in fiber `p`, where that does not follow from the order.
    fn apart(&mut self, p: usize) -> Result<(), String> {
        self.unordered.sort_unstable();
        let twice = self.unordered.windows(2).find(|w| w[0] == w[1]).map(|w| w[0]);
        self.unordered.clear();
        match twice {
            Some(i) => Err(format!("fiber {p} has two entries at {i}")),
            None => Ok(()),
        }
    }

    /// Each position but 0 is some node's or spare.
    fn pool(&mut self, spare: &[Li]) -> Result<(), String> {
        if !spare.len().is_multiple_of(2) {
            return Err("`spare` has half a pair".to_owned());
        }
        for (k, pair) in spare.chunks_exact(2).enumerate() {
            let (start, room) = (word(pair, 0), word(pair, 1));
            let end = start.checked_add(room);
            // The first pair is what is left at the end, which may be nothing.
            if k == 0 && end != Some(self.crd.len()) {
                return Err(format!(
                    "the {room} positions from {start} on are not those at the end"
                ));
            }
            let places = end.and_then(|end| self.taken.get_mut(start..end));
            match places.filter(|p| start > 0 && p.iter().all(|t| !*t)) {
                Some(places) => places.fill(true),
                None => return Err(format!("the {room} positions from {start} on are not spare")),
            }
        }
        match self.taken.iter().skip(1).position(|t| !t) {
            Some(q) => Err(format!("position {} is neither some node's nor spare", q + 1)),
            None => Ok(()),
        }
    }

    /// Positions follow from nodes: there are as many as nodes need.
    fn implied(&self) -> Result<(), String> {
        let kinds = self.schema.iter().zip(self.arrays);
        let needed = kinds.filter_map(|(kind, words)| {
            Some((words.len() / kind.stride.max(1)).saturating_mul(kind.entries?.most))
        });
        let needed: usize = needed.sum();
        match self.crd.len() {
            0 if needed == 0 => Ok(()),
            n if n == needed.saturating_add(1) => Ok(()),
            n => Err(format!("there are {n} coordinates, not one and {needed}")),
        }
    }
}

/// That coordinates ascend, from `free` on and below `len`; gives how many entries there are.
fn ascend(
    p: usize,
    len: usize,
    entries: impl Iterator<Item = i64>,
    holes: bool,
    free: &mut i64,
) -> Result<usize, String> {
    let (mut before, mut met) = (None, 0);
    for i in entries {
        if holes && before == Some(i) {
            continue;
        }
        before = Some(i);
        if i < *free {
            return Err(format!("the coordinates of fiber {p} do not ascend at {i}"));
        }
        within(p, len, i)?;
        *free = i.saturating_add(1);
        met += 1;
    }
    Ok(met)
}

fn within(p: usize, len: usize, i: i64) -> Result<(), String> {
    match (i as u64) < len as u64 {
        true => Ok(()),
        false => Err(format!("fiber {p} has coordinate {i}, but its size is {len}")),
    }
}
