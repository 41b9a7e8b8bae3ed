//! VarBlockList: a linked list of blocks of any size a fiber.

use crate::Index;

crate::level! {
    /// A linked list of blocks of any size of the stored coordinates of each fiber (DynamicSparse figure 6c), with a link
    /// to its end.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5         h             t       vblist_head = [h, t] a fiber
    ///             .  *  .  *  .  *         │             │       vblist = [first, room, n, l] a node
    ///             └run┘*└─r─┘*└r┘*        [1 3] ──▶ [5 .]        crd = [-, 1, 3, 5, -]
    ///
    ///                                      the entries of a node are at positions first .. first + n, of first + room
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once, their coordinates ascend and are below `len`, `t` leads to the last
    /// of them, and no block is empty. Each position but 0 is the room of one node, or is in `spare`. Nodes that are free
    /// are those in `vblist_free`.
    ///
    /// What is built is one block, whose room is exact. A block of fewer than `B` entries grows, by doubling its room; one
    /// of `B` or more that gets an entry in its midst is split in two halves, and so is one of more than `B` that loses
    /// one. Entries behind such a block are put in a new one. Of what is taken out of, blocks are made one with a neighbour
    /// that has room, if both are at most half of `B`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of blocks, which are such of spikes,
    /// then a run. Costs: `walk` is linear in the entries; `locate` is linear in the blocks before the coordinate, and
    /// logarithmic in the size of its block; an insertion and a deletion are linear in these blocks and in `B`, amortized,
    /// but an insertion at the end takes constant time; `gallop` goes from block to block; `build` is linear. A
    /// coordinate an entry, four words a block; what was built and never changed has no room to spare. Written in any order.
    pub struct VarBlockList<Child, Ix: Index = u32, const B: usize = 64, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            vblist_head { h: vblist, t: last vblist }
            vblist { e: elem[n] nonempty, n: size, l: vblist, seq = {e}, l }
        }
        child: Child,
    }
    invariant(fibers) { crate::levels::var_block_list_filled(fibers, vblist_head, vblist) }
    insert(p, i) { crate::levels::var_block_list_insert(nodes, p, i) }
    remove(p, i) { crate::levels::var_block_list_remove(nodes, p, i) }
    build(p, all) { crate::levels::var_block_list_build(nodes, p, all) }
}

/// That no block is empty, of lists that are otherwise checked.
#[doc(hidden)]
pub fn var_block_list_filled<Li: Index>(
    fibers: usize,
    heads: &[Li],
    nodes: &[Li],
) -> Result<(), String> {
    let to = |words: &[Li], at: usize| words[at].to_i64() as usize;
    for p in 0..fibers {
        let mut link = to(heads, 3 * p);
        while let Some(node) = link.checked_sub(1) {
            if to(nodes, 4 * node + 2) == 0 {
                return Err(format!("`vblist` {node} has no entries"));
            }
            link = to(nodes, 4 * node + 3);
        }
    }
    Ok(())
}

impl<Ix: Index, Li: Index, const B: usize> VarBlockListNodes<'_, Ix, Li, B> {
    /// The room for a block of so many entries: twice as much as before, up to `B`.
    fn fitting(count: usize) -> usize {
        count.next_power_of_two().max(4).min(B).max(count)
    }

    /// Whether the node's last entry is before coordinate `i`.
    fn passed(&self, node: usize, i: usize) -> bool {
        self.at(self.vblist_e(node) + self.vblist_n(node) - 1) < i
    }

    /// How many of the node's entries are before coordinate `i`.
    fn slot(&self, node: usize, i: usize) -> usize {
        let first = self.vblist_e(node);
        let (mut lo, mut hi) = (0, self.vblist_n(node));
        while lo < hi {
            let mid = (lo + hi) / 2;
            match self.at(first + mid) < i {
                true => lo = mid + 1,
                false => hi = mid,
            }
        }
        lo
    }

    /// The node behind `before`, or the first.
    fn behind(&self, p: usize, before: Option<usize>) -> Option<usize> {
        before.map_or(self.vblist_head_h(p), |node| self.vblist_l(node))
    }

    /// Makes `to` the node behind `before`, or the first; and `before` the last, if there is none.
    fn lead(&mut self, p: usize, before: Option<usize>, to: Option<usize>) {
        match before {
            Some(node) => self.set_vblist_l(node, to),
            None => self.set_vblist_head_h(p, to),
        }
        if to.is_none() {
            self.set_vblist_head_t(p, before);
        }
    }

    /// The last node of fiber `p` all of which is before coordinate `i`.
    fn before(&self, p: usize, i: usize) -> Option<usize> {
        let tail = self.vblist_head_t(p);
        if tail.is_some_and(|node| self.passed(node, i)) {
            return tail;
        }
        let mut before = None;
        while let Some(node) = self.behind(p, before).filter(|n| self.passed(*n, i)) {
            before = Some(node);
        }
        before
    }

    /// Makes a node behind `before` with so much room, both of which were wanted.
    fn add(&mut self, p: usize, before: Option<usize>, room: usize) -> Result<usize, String> {
        let new = self.new_vblist()?;
        self.resize_vblist(new, room)?;
        let behind = self.behind(p, before);
        self.set_vblist_l(new, behind);
        self.lead(p, before, Some(new));
        if behind.is_none() {
            self.set_vblist_head_t(p, Some(new));
        }
        Ok(new)
    }

    /// Makes the entry that comes the one of the node behind `slot` others; there is room.
    fn enter(&mut self, node: usize, slot: usize, i: usize) {
        let (first, count) = (self.vblist_e(node), self.vblist_n(node));
        self.shift(first + slot, first + slot + 1, count - slot);
        self.set_vblist_n(node, count + 1);
        self.put(first + slot, i);
    }

    /// Makes the entry that comes the one of the node behind `slot` others, the node having fewer than `B`.
    fn grow(&mut self, node: usize, slot: usize, i: usize) -> Result<(), String> {
        let count = self.vblist_n(node);
        if count == self.room_vblist(node) {
            let room = Self::fitting(count + 1);
            self.want_room(room)?;
            self.resize_vblist(node, room)?;
        }
        self.enter(node, slot, i);
        Ok(())
    }

    /// Splits the node in two halves, and gives the second; each has room for one more.
    fn split(&mut self, p: usize, node: usize) -> Result<usize, String> {
        let count = self.vblist_n(node);
        let (half, rest) = (count / 2, count - count / 2);
        let rooms = [Self::fitting(half + 1), Self::fitting(rest + 1)];
        self.want_vblist(1)?;
        self.want_room(rooms[0] + rooms[1])?;
        let new = self.add(p, Some(node), rooms[1])?;
        self.shift(self.vblist_e(node) + half, self.vblist_e(new), rest);
        self.set_vblist_n(node, half);
        self.set_vblist_n(new, rest);
        self.resize_vblist(node, rooms[0])?;
        Ok(new)
    }

    /// Makes the node and the one behind it one, if they hold few entries and there is room.
    fn unite(&mut self, p: usize, node: usize) {
        let Some(behind) = self.vblist_l(node) else { return };
        let (count, more) = (self.vblist_n(node), self.vblist_n(behind));
        if count + more > self.room_vblist(node).min(B / 2) {
            return;
        }
        self.shift(self.vblist_e(behind), self.vblist_e(node) + count, more);
        self.set_vblist_n(node, count + more);
        self.lead(p, Some(node), self.vblist_l(behind));
        self.set_vblist_n(behind, 0);
        self.free_vblist(behind);
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn var_block_list_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut VarBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    let before = nodes.before(p, i);
    let node = nodes.behind(p, before);
    let slot = node.map_or(0, |node| nodes.slot(node, i));
    // Between two blocks, it goes to the end of the first, so that those that ascend fill blocks.
    if let Some(small) = before.filter(|n| slot == 0 && nodes.vblist_n(*n) < B) {
        return nodes.grow(small, nodes.vblist_n(small), i);
    }
    if let Some(small) = node.filter(|n| nodes.vblist_n(*n) < B) {
        return nodes.grow(small, slot, i);
    }
    let Some(large) = node.filter(|_| slot > 0) else {
        let room = VarBlockListNodes::<'_, Ix, Li, B>::fitting(1);
        nodes.want_vblist(1)?;
        nodes.want_room(room)?;
        let new = nodes.add(p, before, room)?;
        nodes.enter(new, 0, i);
        return Ok(());
    };
    let new = nodes.split(p, large)?;
    let half = nodes.vblist_n(large);
    match slot > half {
        true => nodes.enter(new, slot - half, i),
        false => nodes.enter(large, slot, i),
    }
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn var_block_list_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut VarBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let mut before = nodes.before(p, i);
    let Some(mut node) = nodes.behind(p, before) else { return Ok(()) };
    // What is behind the entry moves: of a large block no more than half, and less each time.
    if nodes.vblist_n(node) > B {
        let new = nodes.split(p, node)?;
        if nodes.passed(node, i) {
            (before, node) = (Some(node), new);
        }
    }
    let (first, count) = (nodes.vblist_e(node), nodes.vblist_n(node));
    let slot = nodes.slot(node, i);
    nodes.take(first + slot);
    nodes.shift(first + slot + 1, first + slot, count - slot - 1);
    nodes.set_vblist_n(node, count - 1);
    if count == 1 {
        nodes.lead(p, before, nodes.vblist_l(node));
        nodes.free_vblist(node);
    } else {
        nodes.unite(p, node);
    }
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: they are one block.
#[doc(hidden)]
pub fn var_block_list_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut VarBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    if all.is_empty() {
        return Ok(());
    }
    nodes.want_vblist(1)?;
    nodes.want_room(all.len())?;
    let new = nodes.add(p, None, all.len())?;
    for (k, &i) in all.iter().enumerate() {
        nodes.place(nodes.vblist_e(new) + k, i);
    }
    nodes.set_vblist_n(new, all.len());
    Ok(())
}
