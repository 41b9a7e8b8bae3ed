//! TTree: a binary tree of blocks a fiber.

use crate::Index;
use std::cmp::Ordering;

crate::level! {
    /// A T-tree (Lehman and Carey, *A study of index structures for main memory database management systems*, 1986;
    /// DynamicSparse figure 6d): a binary search tree of blocks of up to `B` stored coordinates of a fiber, balanced as a
    /// treap (Seidel and Aragon, *Randomized search trees*, 1996).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5           [3 .]        B = 2; ttree_root = [r, f, t] a fiber: root, first, last
    ///             *  *  .  *  .  *          /     \       ttree = [n, l, r, q] a node: entries, left, right, next
    ///             *  *  r  *  r  *      [0 1]     [5 .]   crd = [-, 0, 1, 3, -, 5, -]
    ///
    ///                                      the entries of node k are at positions 1 + k * B ..
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once and in order, their coordinates are below `len`, and each leads to
    /// the one that is met next. No node's priority, which is a hash of its number, is above that of its parent. No block
    /// is empty, and two that are met one after the other hold more than three quarters of `B` entries together. Nodes that
    /// are free are those in `ttree_free`.
    ///
    /// Nodes are numbered as they are made, which has nothing to do with where they stand: the tree is of logarithmic height
    /// unless entries come and go as chosen against the hash. A full block that gets an entry in its midst is split in two
    /// halves; a new block is made for an entry between full ones, or at an end.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of blocks, which are such of spikes,
    /// then a run. Costs: `walk` is linear in the entries; `locate`, an insertion and a deletion are logarithmic in the
    /// blocks and linear in `B`, an insertion at the end takes constant time unless the last block is full; `gallop` is
    /// logarithmic; `build` is linear. A coordinate an entry, four words a block; at least about three eighths of the
    /// room is used. Written in any order.
    pub struct TTree<Child, Ix: Index = u32, const B: usize = 16, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            ttree_root { r: ttree, f: first ttree, t: last ttree }
            ttree { e: elem[n] nonempty, n: size in 1..=B, l: ttree, r: ttree, q: next ttree, seq = l, {e}, r }
        }
        child: Child,
    }
    invariant(fibers) { crate::levels::t_tree_balanced(fibers, B, ttree_root, ttree) }
    insert(p, i) { crate::levels::t_tree_insert(nodes, p, i) }
    remove(p, i) { crate::levels::t_tree_remove(nodes, p, i) }
    build(p, all) { crate::levels::t_tree_build(nodes, p, all) }
}

/// The priority of a node: a hash of its number, which no other has; the greatest is that of the root.
fn priority(node: usize) -> u64 {
    let mixed = (node as u64 ^ 0x51_7cc1_b727_220a).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

/// How many entries two blocks beside each other hold if they are to be one.
const fn few(most: usize) -> usize {
    most / 4 * 3 + most % 4 * 3 / 4
}

/// That the priorities of trees that are otherwise checked are those of heaps, and that no two blocks beside each other
/// could be one.
#[doc(hidden)]
pub fn t_tree_balanced<Li: Index>(
    fibers: usize,
    most: usize,
    roots: &[Li],
    nodes: &[Li],
) -> Result<(), String> {
    let to = |words: &[Li], at: usize| words[at].to_i64() as usize;
    for node in 0..nodes.len() / 4 {
        let below = [1, 2].map(|k| to(nodes, 4 * node + k));
        for child in below.iter().filter_map(|link| link.checked_sub(1)) {
            if priority(child) > priority(node) {
                return Err(format!("`ttree` {child} is of higher priority than {node} above it"));
            }
        }
    }
    for p in 0..fibers {
        let (mut link, mut before) = (to(roots, 4 * p + 1), most);
        while let Some(node) = link.checked_sub(1) {
            let count = to(nodes, 4 * node);
            if before + count <= few(most) {
                return Err(format!(
                    "`ttree` {node} has {count} entries and the one before {before}: they are to be one"
                ));
            }
            (before, link) = (count, to(nodes, 4 * node + 3));
        }
    }
    Ok(())
}

/// A link to a node: the root of a fiber, or a child of another node.
#[derive(Clone, Copy)]
enum Place {
    Root(usize),
    Left(usize),
    Right(usize),
}

/// Where an entry is or would be.
struct Found {
    /// The last block of which all is before the coordinate.
    before: Option<usize>,
    /// The block whose first entry is not behind the coordinate and whose last is not before.
    within: Option<usize>,
    /// The first block of which all is behind, if there is none.
    behind: Option<usize>,
}

impl<Ix: Index, Li: Index, const B: usize> TTreeNodes<'_, Ix, Li, B> {
    fn linked(&self, place: Place) -> Option<usize> {
        match place {
            Place::Root(p) => self.ttree_root_r(p),
            Place::Left(node) => self.ttree_l(node),
            Place::Right(node) => self.ttree_r(node),
        }
    }

    fn link(&mut self, place: Place, to: Option<usize>) {
        match place {
            Place::Root(p) => self.set_ttree_root_r(p, to),
            Place::Left(node) => self.set_ttree_l(node, to),
            Place::Right(node) => self.set_ttree_r(node, to),
        }
    }

    /// The node that is met behind `before`, or first.
    fn follows(&self, p: usize, before: Option<usize>) -> Option<usize> {
        before.map_or(self.ttree_root_f(p), |node| self.ttree_q(node))
    }

    /// Makes `to` the node that is met behind `before`, or first; and `before` the last, if there is none.
    fn thread(&mut self, p: usize, before: Option<usize>, to: Option<usize>) {
        match before {
            Some(node) => self.set_ttree_q(node, to),
            None => self.set_ttree_root_f(p, to),
        }
        if to.is_none() {
            self.set_ttree_root_t(p, before);
        }
    }

    /// The coordinate of the node's first entry.
    fn start(&self, node: usize) -> usize {
        self.at(self.ttree_e(node))
    }

    /// The coordinate of the node's last entry.
    fn end(&self, node: usize) -> usize {
        self.at(self.ttree_e(node) + self.ttree_n(node) - 1)
    }

    /// How many of the node's entries are before coordinate `i`.
    fn slot(&self, node: usize, i: usize) -> usize {
        let (first, count) = (self.ttree_e(node), self.ttree_n(node));
        (0..count).find(|k| self.at(first + k) >= i).unwrap_or(count)
    }

    /// Where an entry at `i` is or would be.
    fn find(&self, p: usize, i: usize) -> Found {
        let mut found = Found { before: None, within: None, behind: None };
        let mut node = self.ttree_root_r(p);
        while let Some(n) = node {
            if i < self.start(n) {
                (found.behind, node) = (Some(n), self.ttree_l(n));
            } else if i > self.end(n) {
                (found.before, node) = (Some(n), self.ttree_r(n));
            } else {
                found.within = Some(n);
                let mut left = self.ttree_l(n);
                while let Some(n) = left {
                    (found.before, left) = (Some(n), self.ttree_r(n));
                }
                break;
            }
        }
        found
    }

    /// Puts the node, which has no entry yet, behind `before` into the tree; its first entry will be at `i`.
    fn enlink(&mut self, p: usize, before: Option<usize>, new: usize, i: usize) {
        let mut place = Place::Root(p);
        let mut below = self.linked(place);
        while let Some(node) = below.filter(|n| priority(*n) > priority(new)) {
            place = if i < self.start(node) { Place::Left(node) } else { Place::Right(node) };
            below = self.linked(place);
        }
        self.link(place, Some(new));
        // What was there is split into what is before the node and what is behind it.
        let (mut left, mut right) = (Place::Left(new), Place::Right(new));
        while let Some(node) = below {
            if self.start(node) < i {
                self.link(left, Some(node));
                left = Place::Right(node);
                below = self.linked(left);
            } else {
                self.link(right, Some(node));
                right = Place::Left(node);
                below = self.linked(right);
            }
        }
        self.link(left, None);
        self.link(right, None);
        let behind = self.follows(p, before);
        self.set_ttree_q(new, behind);
        self.thread(p, before, Some(new));
        if behind.is_none() {
            self.set_ttree_root_t(p, Some(new));
        }
    }

    /// Takes the node behind `before`, whose first entry is or was at `i`, out of the tree.
    fn unlink(&mut self, p: usize, before: Option<usize>, gone: usize, i: usize) {
        let mut place = Place::Root(p);
        while let Some(node) = self.linked(place).filter(|n| *n != gone) {
            place = match self.start(node).cmp(&i) {
                Ordering::Less => Place::Right(node),
                _ => Place::Left(node),
            };
        }
        self.thread(p, before, self.ttree_q(gone));
        let (mut left, mut right) = (self.ttree_l(gone), self.ttree_r(gone));
        // The greater priority of the two stands above the other.
        loop {
            match (left, right) {
                (Some(l), Some(r)) if priority(l) > priority(r) => {
                    self.link(place, Some(l));
                    place = Place::Right(l);
                    left = self.linked(place);
                }
                (Some(_), Some(r)) => {
                    self.link(place, Some(r));
                    place = Place::Left(r);
                    right = self.linked(place);
                }
                (one, None) | (None, one) => break self.link(place, one),
            }
        }
        self.free_ttree(gone);
    }

    /// Makes the entry that comes the one of the node behind `slot` others; there is room.
    fn enter(&mut self, node: usize, slot: usize, i: usize) {
        let (first, count) = (self.ttree_e(node), self.ttree_n(node));
        self.shift(first + slot, first + slot + 1, count - slot);
        self.set_ttree_n(node, count + 1);
        self.put(first + slot, i);
    }

    /// Makes the node and the one that is met behind it one, if they hold few entries.
    fn unite(&mut self, p: usize, node: usize) {
        let Some(behind) = self.ttree_q(node) else { return };
        let (count, more) = (self.ttree_n(node), self.ttree_n(behind));
        if count + more > few(B) {
            return;
        }
        let i = self.start(behind);
        self.shift(self.ttree_e(behind), self.ttree_e(node) + count, more);
        self.set_ttree_n(node, count + more);
        self.unlink(p, Some(node), behind, i);
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn t_tree_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut TTreeNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    let room = |nodes: &TTreeNodes<'_, Ix, Li, B>, node: &usize| nodes.ttree_n(*node) < B;
    let at_end = |n: &usize| room(nodes, n) && nodes.end(*n) < i;
    if let Some(last) = nodes.ttree_root_t(p).filter(at_end) {
        nodes.enter(last, nodes.ttree_n(last), i);
        return Ok(());
    }
    let Found { before, within, behind } = nodes.find(p, i);
    let Some(node) = within else {
        // Between two blocks, it goes to the end of the first, so that those that ascend fill blocks.
        if let Some(node) = before.filter(|n| room(nodes, n)) {
            nodes.enter(node, nodes.ttree_n(node), i);
        } else if let Some(node) = behind.filter(|n| room(nodes, n)) {
            nodes.enter(node, 0, i);
        } else {
            nodes.want_ttree(1)?;
            let new = nodes.new_ttree()?;
            nodes.enlink(p, before, new, i);
            nodes.enter(new, 0, i);
        }
        return Ok(());
    };
    let slot = nodes.slot(node, i);
    if room(nodes, &node) {
        nodes.enter(node, slot, i);
        return Ok(());
    }
    nodes.want_ttree(1)?;
    let (half, new) = (B.div_ceil(2), nodes.new_ttree()?);
    let first = nodes.ttree_e(node);
    nodes.enlink(p, Some(node), new, nodes.at(first + half));
    nodes.shift(first + half, nodes.ttree_e(new), B - half);
    nodes.set_ttree_n(node, half);
    nodes.set_ttree_n(new, B - half);
    match slot > half {
        true => nodes.enter(new, slot - half, i),
        false => nodes.enter(node, slot, i),
    }
    nodes.unite(p, new);
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn t_tree_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut TTreeNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let Found { before, within: Some(node), .. } = nodes.find(p, i) else { return Ok(()) };
    let (first, count, slot) = (nodes.ttree_e(node), nodes.ttree_n(node), nodes.slot(node, i));
    nodes.take(first + slot);
    if count == 1 {
        nodes.unlink(p, before, node, i);
    } else {
        nodes.shift(first + slot + 1, first + slot, count - slot - 1);
        nodes.set_ttree_n(node, count - 1);
        nodes.unite(p, node);
    }
    if let Some(before) = before {
        nodes.unite(p, before);
    }
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: all blocks but the last are full, and in
/// order, so that a walk goes through memory as through a list.
#[doc(hidden)]
pub fn t_tree_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut TTreeNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    nodes.want_ttree(all.len().div_ceil(B))?;
    // The nodes from the root on to the right, to the last of which the next one is added.
    let mut spine: Vec<usize> = Vec::new();
    for block in all.chunks(B) {
        let new = nodes.new_ttree()?;
        nodes.thread(p, spine.last().copied(), Some(new));
        for (k, &i) in block.iter().enumerate() {
            nodes.place(nodes.ttree_e(new) + k, i);
        }
        nodes.set_ttree_n(new, block.len());
        let mut below = None;
        while let Some(last) = spine.pop_if(|n| priority(*n) < priority(new)) {
            below = Some(last);
        }
        nodes.set_ttree_l(new, below);
        let place = spine.last().map_or(Place::Root(p), |n| Place::Right(*n));
        nodes.link(place, Some(new));
        spine.push(new);
    }
    nodes.set_ttree_root_t(p, spine.last().copied());
    Ok(())
}
