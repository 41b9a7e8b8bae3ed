//! BlockList: a linked list of blocks a fiber.

use crate::Index;

crate::level! {
    /// A linked list of blocks of up to `B` stored coordinates each (DynamicSparse figure 6b), with a link to its end.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5         h             t       B = 2
    ///             .  *  .  *  .  *         │             │       blist_head = [h, t] a fiber
    ///             └run┘*└─r─┘*└r┘*        [1 3] ──▶ [5 .]        blist = [n, l] a node: entries, link
    ///                                                            crd = [-, 1, 3, 5, -]
    ///
    ///                                      the entries of node k are at positions 1 + k * B ..
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once, their coordinates ascend and are below `len`, and `t` leads to the
    /// last of them. No block is empty, and two blocks beside each other hold more than three quarters of `B` entries
    /// together. Nodes that are free are those in `blist_free`.
    ///
    /// A block that is full and gets an entry in its midst is split in two halves; a new block is made for an entry that
    /// comes between full blocks, or at an end. Blocks beside each other that hold no more than three quarters of `B` are
    /// made one.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of blocks, which are such of spikes,
    /// then a run. Costs: `walk` is linear in the entries; `locate`, an insertion and a deletion are linear in the blocks
    /// before the coordinate, and in `B`, but an insertion at the end takes constant time; `gallop` goes from block to
    /// block; `build` is linear. A coordinate an entry, two links a block; at least about three eighths of the room is used.
    /// Written in any order.
    pub struct BlockList<Child, Ix: Index = u32, const B: usize = 16, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            blist_head { h: blist, t: last blist }
            blist { e: elem[n] nonempty, n: size in 1..=B, l: blist, seq = {e}, l }
        }
        child: Child,
    }
    invariant(fibers) { crate::levels::block_list_apart(fibers, B, blist_head, blist) }
    insert(p, i) { crate::levels::block_list_insert(nodes, p, i) }
    remove(p, i) { crate::levels::block_list_remove(nodes, p, i) }
    build(p, all) { crate::levels::block_list_build(nodes, p, all) }
}

/// How many entries two blocks beside each other hold if they are to be one.
const fn few(most: usize) -> usize {
    most / 4 * 3 + most % 4 * 3 / 4
}

/// That no two blocks beside each other could be one, of lists that are otherwise checked.
#[doc(hidden)]
pub fn block_list_apart<Li: Index>(
    fibers: usize,
    most: usize,
    heads: &[Li],
    nodes: &[Li],
) -> Result<(), String> {
    let to = |words: &[Li], at: usize| words[at].to_i64() as usize;
    for p in 0..fibers {
        let (mut link, mut before) = (to(heads, 3 * p), most);
        while let Some(node) = link.checked_sub(1) {
            let count = to(nodes, 2 * node);
            if before + count <= few(most) {
                return Err(format!(
                    "`blist` {node} has {count} entries and the one before {before}: they are to be one"
                ));
            }
            (before, link) = (count, to(nodes, 2 * node + 1));
        }
    }
    Ok(())
}

impl<Ix: Index, Li: Index, const B: usize> BlockListNodes<'_, Ix, Li, B> {
    /// Whether the node's last entry is before coordinate `i`.
    fn passed(&self, node: usize, i: usize) -> bool {
        self.at(self.blist_e(node) + self.blist_n(node) - 1) < i
    }

    /// How many of the node's entries are before coordinate `i`.
    fn slot(&self, node: usize, i: usize) -> usize {
        let (first, count) = (self.blist_e(node), self.blist_n(node));
        (0..count).find(|k| self.at(first + k) >= i).unwrap_or(count)
    }

    /// The node behind `before`, or the first.
    fn behind(&self, p: usize, before: Option<usize>) -> Option<usize> {
        before.map_or(self.blist_head_h(p), |node| self.blist_l(node))
    }

    /// Makes `to` the node behind `before`, or the first; and `before` the last, if there is none.
    fn lead(&mut self, p: usize, before: Option<usize>, to: Option<usize>) {
        match before {
            Some(node) => self.set_blist_l(node, to),
            None => self.set_blist_head_h(p, to),
        }
        if to.is_none() {
            self.set_blist_head_t(p, before);
        }
    }

    /// The last node of fiber `p` all of which is before coordinate `i`.
    fn before(&self, p: usize, i: usize) -> Option<usize> {
        let tail = self.blist_head_t(p);
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
        let new = self.new_blist()?;
        let behind = self.behind(p, before);
        self.set_blist_l(new, behind);
        self.lead(p, before, Some(new));
        if behind.is_none() {
            self.set_blist_head_t(p, Some(new));
        }
        Ok(new)
    }

    /// Makes the entry that comes the one of the node behind `slot` others; there is room.
    fn enter(&mut self, node: usize, slot: usize, i: usize) {
        let (first, count) = (self.blist_e(node), self.blist_n(node));
        self.shift(first + slot, first + slot + 1, count - slot);
        self.set_blist_n(node, count + 1);
        self.put(first + slot, i);
    }

    /// Makes the node and the one behind it one, if they hold few entries.
    fn unite(&mut self, p: usize, node: usize) {
        let Some(behind) = self.blist_l(node) else { return };
        let (count, more) = (self.blist_n(node), self.blist_n(behind));
        if count + more > few(B) {
            return;
        }
        self.shift(self.blist_e(behind), self.blist_e(node) + count, more);
        self.set_blist_n(node, count + more);
        self.lead(p, Some(node), self.blist_l(behind));
        self.free_blist(behind);
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn block_list_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut BlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    let before = nodes.before(p, i);
    let node = nodes.behind(p, before);
    let slot = node.map_or(0, |node| nodes.slot(node, i));
    // Between two blocks, it goes to the end of the first, so that those that ascend fill blocks.
    if let Some(room) = before.filter(|n| slot == 0 && nodes.blist_n(*n) < B) {
        nodes.enter(room, nodes.blist_n(room), i);
        return Ok(());
    }
    if let Some(room) = node.filter(|n| nodes.blist_n(*n) < B) {
        nodes.enter(room, slot, i);
        return Ok(());
    }
    nodes.want_blist(1)?;
    let Some(full) = node.filter(|_| slot > 0) else {
        let new = nodes.add(p, before)?;
        nodes.enter(new, 0, i);
        return Ok(());
    };
    let (half, new) = (B.div_ceil(2), nodes.add(p, Some(full))?);
    nodes.shift(nodes.blist_e(full) + half, nodes.blist_e(new), B - half);
    nodes.set_blist_n(full, half);
    nodes.set_blist_n(new, B - half);
    match slot.checked_sub(half + 1) {
        Some(slot) => nodes.enter(new, slot + 1, i),
        None => nodes.enter(full, slot, i),
    }
    nodes.unite(p, new);
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn block_list_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut BlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let before = nodes.before(p, i);
    let Some(node) = nodes.behind(p, before) else { return Ok(()) };
    let (first, count, slot) = (nodes.blist_e(node), nodes.blist_n(node), nodes.slot(node, i));
    nodes.take(first + slot);
    nodes.shift(first + slot + 1, first + slot, count - slot - 1);
    nodes.set_blist_n(node, count - 1);
    if count == 1 {
        nodes.lead(p, before, nodes.blist_l(node));
        nodes.free_blist(node);
    } else {
        nodes.unite(p, node);
    }
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: all blocks but the last are full.
#[doc(hidden)]
pub fn block_list_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut BlockListNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    nodes.want_blist(all.len().div_ceil(B))?;
    let mut last = None;
    for block in all.chunks(B) {
        let new = nodes.add(p, last)?;
        for (k, &i) in block.iter().enumerate() {
            nodes.place(nodes.blist_e(new) + k, i);
        }
        nodes.set_blist_n(new, block.len());
        last = Some(new);
    }
    Ok(())
}
