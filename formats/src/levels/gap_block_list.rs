//! GapBlockList: a linked list of blocks with holes a fiber.

use crate::Index;

crate::level! {
    /// A linked list of blocks of up to `B` stored coordinates each, in which any slot but the first may be empty
    /// (DynamicSparse figures 7a and 7b), with a link to its end.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5         h                 t       B = 3
    ///             .  *  .  *  .  *         │                 │       gblist_head = [h, t] a fiber
    ///             └run┘*└─r─┘*└r┘*        [1 - 3] ──▶ [5 . .]        gblist = [n, l] a node: slots in use, link
    ///                                                                crd = [-, 1, 1, 3, 5, -, -]
    ///
    ///                                      the slots of node k are at positions 1 + k * B ..; one that repeats the
    ///                                      coordinate before it is a hole
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once, their coordinates ascend but for holes and are below `len`, and `t`
    /// leads to the last of them. No block is empty, and its last slot in use is an entry. Two blocks beside each other hold
    /// more than three quarters of `B` entries together. Nodes that are free are those in `gblist_free`.
    ///
    /// An entry that goes leaves a hole; only if it was the first of its block, the next one takes its place. One that comes
    /// takes the nearest hole, and what is between moves by a slot. A block without holes is split in two halves, whose
    /// entries are put at every other slot; at the end of a fiber a new one is made. Blocks beside each other that hold no
    /// more than three quarters of `B` entries are made one.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of blocks, which are such of spikes,
    /// then a run. Costs: `walk` is linear in the slots; `locate` is linear in the blocks before the coordinate, and
    /// logarithmic in `B`; an insertion and a deletion are linear in these blocks, look at up to `B` slots, and move those
    /// up to the nearest hole, or none; an insertion at the end takes constant time; `gallop` goes from block to block;
    /// `build` is linear and leaves no holes. A coordinate a slot, two links a block; at least about three eighths of the
    /// room is used. Made for entries that are heavy to move, as those of many levels below, and for fibers that change
    /// more than they are read. Written in any order.
    pub struct GapBlockList<Child, Ix: Index = u32, const B: usize = 16, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            gblist_head { h: gblist, t: last gblist }
            gblist { e: elem[n] holes, n: size in 1..=B, l: gblist, seq = {e}, l }
        }
        child: Child,
    }
    invariant(fibers) {
        crate::levels::gap_block_list_apart(fibers, B, gblist_head, gblist, crd)
    }
    insert(p, i) { crate::levels::gap_block_list_insert(nodes, p, i) }
    remove(p, i) { crate::levels::gap_block_list_remove(nodes, p, i) }
    build(p, all) { crate::levels::gap_block_list_build(nodes, p, all) }
}

/// How many entries two blocks beside each other hold if they are to be one.
const fn few(most: usize) -> usize {
    most / 4 * 3 + most % 4 * 3 / 4
}

/// That blocks end with an entry, and no two beside each other could be one, of lists that are otherwise checked.
#[doc(hidden)]
pub fn gap_block_list_apart<Ix: Index, Li: Index>(
    fibers: usize,
    most: usize,
    heads: &[Li],
    nodes: &[Li],
    crd: &[Ix],
) -> Result<(), String> {
    let to = |words: &[Li], at: usize| words[at].to_i64() as usize;
    for p in 0..fibers {
        let (mut link, mut before) = (to(heads, 3 * p), most);
        while let Some(node) = link.checked_sub(1) {
            let slots = &crd[1 + node * most..][..to(nodes, 2 * node)];
            if slots.last_chunk().is_some_and(|[a, b]| a == b) {
                return Err(format!("the last slot in use of `gblist` {node} is a hole"));
            }
            let count = 1 + slots.windows(2).filter(|w| w[0] != w[1]).count();
            if before + count <= few(most) {
                return Err(format!(
                    "`gblist` {node} has {count} entries and the one before {before}: they are to be one"
                ));
            }
            (before, link) = (count, to(nodes, 2 * node + 1));
        }
    }
    Ok(())
}

impl<Ix: Index, Li: Index, const B: usize> GapBlockListNodes<'_, Ix, Li, B> {
    /// Whether the node's last entry is before coordinate `i`.
    fn passed(&self, node: usize, i: usize) -> bool {
        self.at(self.gblist_e(node) + self.gblist_n(node) - 1) < i
    }

    /// How many of the node's slots are before coordinate `i`.
    fn slot(&self, node: usize, i: usize) -> usize {
        super::btree::before(|q| self.at(q), self.gblist_e(node), self.gblist_n(node), i)
    }

    /// Whether a slot in use is a hole.
    fn hole(&self, node: usize, slot: usize) -> bool {
        let q = self.gblist_e(node) + slot;
        slot > 0 && self.at(q) == self.at(q - 1)
    }

    /// How many entries a node has.
    fn entries(&self, node: usize) -> usize {
        (0..self.gblist_n(node)).filter(|slot| !self.hole(node, *slot)).count()
    }

    /// Makes these slots, which are behind another, holes.
    fn clear(&mut self, node: usize, slots: std::ops::Range<usize>) {
        let first = self.gblist_e(node);
        for slot in slots {
            self.place(first + slot, self.at(first + slot - 1));
        }
    }

    /// The node behind `before`, or the first.
    fn behind(&self, p: usize, before: Option<usize>) -> Option<usize> {
        before.map_or(self.gblist_head_h(p), |node| self.gblist_l(node))
    }

    /// Makes `to` the node behind `before`, or the first; and `before` the last, if there is none.
    fn lead(&mut self, p: usize, before: Option<usize>, to: Option<usize>) {
        match before {
            Some(node) => self.set_gblist_l(node, to),
            None => self.set_gblist_head_h(p, to),
        }
        if to.is_none() {
            self.set_gblist_head_t(p, before);
        }
    }

    /// The last node of fiber `p` all of which is before coordinate `i`.
    fn before(&self, p: usize, i: usize) -> Option<usize> {
        let tail = self.gblist_head_t(p);
        if tail.is_some_and(|node| self.passed(node, i)) {
            return tail;
        }
        let mut before = None;
        while let Some(node) = self.behind(p, before).filter(|n| self.passed(*n, i)) {
            before = Some(node);
        }
        before
    }

    /// Makes a node behind `before`, which was wanted.
    fn add(&mut self, p: usize, before: Option<usize>) -> Result<usize, String> {
        let new = self.new_gblist()?;
        let behind = self.behind(p, before);
        self.lead(p, before, Some(new));
        self.lead(p, Some(new), behind);
        Ok(new)
    }

    /// Makes the entry that comes one of the node, before the slot that `slot` others are before; says whether there was
    /// a hole, or room behind the last.
    fn enter(&mut self, node: usize, slot: usize, i: usize) -> bool {
        let (first, n) = (self.gblist_e(node), self.gblist_n(node));
        let left = (1..slot).rev().find(|k| self.hole(node, *k));
        // A slot that nothing is in yet is no nearer than a hole.
        let right = (slot + 1..n).find(|k| self.hole(node, *k)).or((n < B).then_some(n));
        let at = match (left, right) {
            (Some(hole), right) if right.is_none_or(|right| slot - 1 - hole <= right - slot) => {
                self.shift(first + hole + 1, first + hole, slot - 1 - hole);
                slot - 1
            }
            (_, Some(hole)) => {
                self.shift(first + slot, first + slot + 1, hole - slot);
                self.set_gblist_n(node, n.max(hole + 1));
                slot
            }
            _ => return false,
        };
        self.put(first + at, i);
        true
    }

    /// Moves the entries of a node from a slot on, up to another, to those of a node from slot `n` on, `step` slots apart.
    fn spread(&mut self, from: (usize, usize, usize), to: usize, n: usize, step: usize) {
        let (node, lo, hi) = from;
        let (old, new) = (self.gblist_e(node), self.gblist_e(to));
        let all: Vec<usize> = (lo..hi).filter(|slot| !self.hole(node, *slot)).collect();
        let last = all.len().saturating_sub(1) * step + n;
        let backwards = node == to && step > 1;
        for k in 0..all.len() {
            let k = if backwards { all.len() - 1 - k } else { k };
            self.shift(old + all[k], new + n + k * step, 1);
        }
        self.set_gblist_n(to, last + 1);
        if step > 1 {
            for k in 1..all.len() {
                self.clear(to, n + (k - 1) * step + 1..n + k * step);
            }
        }
    }

    /// Makes the node and the one behind it one, if they hold few entries.
    fn unite(&mut self, p: usize, node: usize) {
        let Some(behind) = self.gblist_l(node) else { return };
        let (count, more) = (self.entries(node), self.entries(behind));
        if count + more > few(B) {
            return;
        }
        // What is behind has to have room.
        if self.gblist_n(node) + more > B {
            self.spread((node, 0, self.gblist_n(node)), node, 0, 1);
        }
        let n = self.gblist_n(node);
        self.spread((behind, 0, self.gblist_n(behind)), node, n, 1);
        self.lead(p, Some(node), self.gblist_l(behind));
        self.free_gblist(behind);
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn gap_block_list_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut GapBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    let before = nodes.before(p, i);
    let node = nodes.behind(p, before);
    let slot = node.map_or(0, |node| nodes.slot(node, i));
    // Between two blocks, it goes to the end of the first, so that those that ascend fill blocks.
    let before_it = before.filter(|_| slot == 0);
    let ends = before_it.filter(|n| nodes.gblist_n(*n) < B);
    if ends.is_some_and(|n| nodes.enter(n, nodes.gblist_n(n), i))
        || node.is_some_and(|n| nodes.enter(n, slot, i))
        || before_it.is_some_and(|n| nodes.enter(n, nodes.gblist_n(n), i))
    {
        return Ok(());
    }
    nodes.want_gblist(1)?;
    let Some(full) = node.filter(|_| slot > 0) else {
        let new = nodes.add(p, before)?;
        nodes.set_gblist_n(new, 1);
        nodes.put(nodes.gblist_e(new), i);
        return Ok(());
    };
    let (half, new) = (B.div_ceil(2), nodes.add(p, Some(full))?);
    nodes.spread((full, half, B), new, 0, 2);
    nodes.spread((full, 0, half), full, 0, 2);
    match nodes.passed(full, i) && slot > half {
        true => nodes.enter(new, nodes.slot(new, i), i),
        false => nodes.enter(full, nodes.slot(full, i), i),
    };
    nodes.unite(p, new);
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn gap_block_list_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut GapBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let before = nodes.before(p, i);
    let Some(node) = nodes.behind(p, before) else { return Ok(()) };
    let (first, n, slot) = (nodes.gblist_e(node), nodes.gblist_n(node), nodes.slot(node, i));
    // The next entry.
    let next = (slot + 1..n).find(|k| !nodes.hole(node, *k));
    nodes.take(first + slot);
    match next {
        None if slot == 0 => {
            nodes.lead(p, before, nodes.gblist_l(node));
            nodes.free_gblist(node);
        }
        // What is a hole at the end is not in use.
        None => {
            let last = (0..slot).rev().find(|k| !nodes.hole(node, *k));
            nodes.set_gblist_n(node, last.map_or(1, |k| k + 1));
        }
        Some(next) if slot > 0 => nodes.clear(node, slot..next),
        Some(next) => {
            let end = (next + 1..n).find(|k| !nodes.hole(node, *k));
            nodes.shift(first + next, first, 1);
            match end {
                Some(end) => nodes.clear(node, 1..end),
                None => nodes.set_gblist_n(node, 1),
            }
        }
    }
    if next.is_some() || slot > 0 {
        nodes.unite(p, node);
    }
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: all blocks but the last are full.
#[doc(hidden)]
pub fn gap_block_list_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut GapBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    nodes.want_gblist(all.len().div_ceil(B))?;
    let mut last = None;
    for block in all.chunks(B) {
        let new = nodes.add(p, last)?;
        for (k, &i) in block.iter().enumerate() {
            nodes.place(nodes.gblist_e(new) + k, i);
        }
        nodes.set_gblist_n(new, block.len());
        last = Some(new);
    }
    Ok(())
}
