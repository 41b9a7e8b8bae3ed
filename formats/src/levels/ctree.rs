//! CTree: a tree of chunks a fiber.

mod heads;
mod shape;

pub(super) use heads::{Heads, Place};
pub use shape::ctree_shape;
pub(super) use shape::{shape, Words};

use super::btree::before;
use crate::Index;

crate::level! {
    /// A C-tree of the stored coordinates of each fiber (Dhulipala, Blelloch and Shun, *Low-latency graph streaming using
    /// compressed purely-functional trees*, 2019; DynamicSparse figure 6f). `B` is the expected size of a chunk.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5  6  7                          [0 1]   the prefix: entries before the first head
    ///             *  *  .  h  .  *  h  *              6 [7]
    ///             └*┘└*└r┘└h┘└r┘└*┘└h┘└*             /                    a head, and the chunk of tail entries behind it
    ///                                               3 [5]
    /// crd = [-, 0, 1, 3, 5, 6, 7]       tree = [position of the head, chunk, l, r], chunk = [first, room, n] a node
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once, their entries in order and below `len`. An entry is a head if a
    /// hash of its coordinate is divisible by `B`, and only then; no chunk is empty; no head's priority, which is another
    /// hash of its coordinate, is above that of its parent. So the shape follows from the coordinates alone: not from the
    /// order in which they came, nor from what has been there. (Which numbers nodes have, where their entries are, and how
    /// much room there is, does depend on that.) Each position but 0 is the room of one node, or is in `spare`. Nodes that
    /// are free are those in `tree_free` and `chunk_free`.
    ///
    /// A chunk that is full grows by a quarter. A head that comes splits the chunk that it falls in; the chunk of one that
    /// goes is put behind the one before.
    ///
    /// What differs from Aspen: trees are changed in place, where Aspen copies the path to a change, so that readers keep
    /// the version that they have; the heads are a treap, there a tree that is split and joined; coordinates in chunks are words
    /// of `Ix`, there differences of a byte or more, as in [`PackedCTree`](crate::PackedCTree);
    /// entries come one by one or all at once, there in batches, in parallel.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of steppers of spikes, a head or
    /// a chunk each, then a run; the state is a path. Costs, for coordinates that are not chosen against the hashes, and
    /// `h` heads, one in `B` entries: `walk` is linear in the entries; `locate` takes `log h` steps down the tree, each of
    /// which may look into a chunk, in `log B` steps; an insertion and a deletion take `log h + log B` steps and move the
    /// entries of a chunk that are behind, none if the entry is the last; `gallop` is logarithmic in the heads that it
    /// skips; `build` is linear, and gives chunks no more room than they need. A coordinate an entry and seven words a
    /// head; in what was inserted one by one, room for up to a quarter more entries, and more where many have gone. Written
    /// in any order. A deletion is refused if links do not count the positions for two chunks that become one.
    pub struct CTree<Child, Ix: Index = u32, const B: usize = 128, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            ctree { p: chunk, r: tree, seq = p, r }
            tree { h: elem nonempty, t: chunk, l: tree, r: tree, seq = l, h, t, r }
            chunk { e: elem[n] nonempty, n: size, seq = {e} }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::ctree_insert(nodes, p, i) }
    remove(p, i) { crate::levels::ctree_remove(nodes, p, i) }
    build(p, all) { crate::levels::ctree_build(nodes, p, all) }
    invariant(fibers) { crate::levels::ctree_shape::<_, _, B>(fibers, ctree, tree, chunk, crd) }
}

/// A bijection of words in which each bit depends on all (Stafford's variant 13 of the finalizer of MurmurHash3).
fn mixed(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Whether an entry at this coordinate is a head.
pub(super) fn is_head<const B: usize>(i: usize) -> bool {
    const { assert!(B > 0, "a chunk holds an entry at least") };
    mixed((i as u64).wrapping_add(0x9e37_79b9_7f4a_7c15)).is_multiple_of(B as u64)
}

/// What chunks these coordinates come to: those before the first head, then each head and those behind it.
pub(super) fn chunks<const B: usize>(all: &[usize]) -> (&[usize], Vec<(usize, &[usize])>) {
    let heads: Vec<usize> = (0..all.len()).filter(|k| is_head::<B>(all[*k])).collect();
    let first = heads.first().copied().unwrap_or(all.len());
    let ends = heads.iter().skip(1).copied().chain([all.len()]);
    let behind = heads.iter().zip(ends).map(|(k, end)| (all[*k], &all[k + 1..end])).collect();
    (&all[..first], behind)
}

/// The priority of a head, the one with the greatest of which is the root; no two have the same.
fn priority(i: usize) -> u64 {
    mixed(i as u64 ^ 0x6a09_e667_f3bc_c909)
}

/// The links between heads, and between heads and chunks, of a type of nodes.
macro_rules! linked {
    ($Nodes:ident<$($Ix:ident)?>, $coordinate:expr, $root:ident $set_root:ident, $prefix:ident $set_prefix:ident) => {
        impl<$($Ix: Index,)? Li: Index, const B: usize> Heads for $Nodes<'_, $($Ix,)? Li, B> {
            fn coordinate(&self, head: usize) -> usize {
                $coordinate(self, head)
            }

            fn linked(&self, place: Place) -> Option<usize> {
                match place {
                    Place::Root(p) => self.$root(p),
                    Place::Left(head) => self.tree_l(head),
                    Place::Right(head) => self.tree_r(head),
                }
            }

            fn link(&mut self, place: Place, to: Option<usize>) {
                match place {
                    Place::Root(p) => self.$set_root(p, to),
                    Place::Left(head) => self.set_tree_l(head, to),
                    Place::Right(head) => self.set_tree_r(head, to),
                }
            }
        }

        impl<$($Ix: Index,)? Li: Index, const B: usize> $Nodes<'_, $($Ix,)? Li, B> {
            /// The chunk behind a head; without one, the prefix.
            fn behind(&self, p: usize, head: Option<usize>) -> Option<usize> {
                head.map_or(self.$prefix(p), |head| self.tree_t(head))
            }

            fn set_behind(&mut self, p: usize, head: Option<usize>, to: Option<usize>) {
                match head {
                    Some(head) => self.set_tree_t(head, to),
                    None => self.$set_prefix(p, to),
                }
            }

            /// The room for so many entries, or bytes, of a chunk: a quarter more, unless links count little further.
            fn fitting(&self, n: usize) -> usize {
                match self.crd.len() > Li::MAX.unsigned_abs() as usize / 4 {
                    true => n,
                    false => n + n / 4 + 1,
                }
            }

            /// A chunk with so much room, which was wanted.
            fn add(&mut self, p: usize, head: Option<usize>, room: usize) -> Result<usize, String> {
                let chunk = self.new_chunk()?;
                self.resize_chunk(chunk, room)?;
                self.set_behind(p, head, Some(chunk));
                Ok(chunk)
            }
        }
    };
}
pub(super) use linked;

linked!(CTreeNodes<Ix>, |nodes: &Self, head| nodes.at(nodes.tree_h(head)), ctree_r set_ctree_r, ctree_p set_ctree_p);

impl<Ix: Index, Li: Index, const B: usize> CTreeNodes<'_, Ix, Li, B> {
    /// How many of the chunk's entries are before coordinate `i`.
    fn slot(&self, chunk: usize, i: usize) -> usize {
        before(|q| self.at(q), self.chunk_e(chunk), self.chunk_n(chunk), i)
    }

    /// Makes the chunk, which is new and has room, hold entries at these coordinates.
    fn fill(&mut self, chunk: usize, all: &[usize]) {
        for (k, &i) in all.iter().enumerate() {
            self.place(self.chunk_e(chunk) + k, i);
        }
        self.set_chunk_n(chunk, all.len());
    }

    /// Gives most of the chunk's room back if it holds few entries and there is a smaller place.
    fn shrink(&mut self, chunk: usize) -> Result<(), String> {
        let (n, room) = (self.chunk_n(chunk), self.room_chunk(chunk));
        let less = self.fitting(n);
        if room / 4 > less && self.want_room(less).is_ok() {
            self.resize_chunk(chunk, less)?;
        }
        Ok(())
    }

    /// Makes the tail entry that comes one of fiber `p`.
    fn tail_enters(&mut self, p: usize, i: usize) -> Result<(), String> {
        let head = self.head_before(p, i);
        let chunk = match self.behind(p, head) {
            Some(chunk) => {
                let n = self.chunk_n(chunk);
                if n == self.room_chunk(chunk) {
                    let room = self.fitting(n + 1);
                    self.want_room(room)?;
                    self.resize_chunk(chunk, room)?;
                }
                chunk
            }
            None => {
                let room = self.fitting(1);
                self.want_chunk(1)?;
                self.want_room(room)?;
                self.add(p, head, room)?
            }
        };
        let (slot, n) = (self.slot(chunk, i), self.chunk_n(chunk));
        let q = self.chunk_e(chunk) + slot;
        self.shift(q, q + 1, n - slot);
        self.set_chunk_n(chunk, n + 1);
        self.put(q, i);
        Ok(())
    }

    /// Takes a tail entry out of fiber `p`.
    fn tail_leaves(&mut self, p: usize, i: usize) -> Result<(), String> {
        let head = self.head_before(p, i);
        let Some(chunk) = self.behind(p, head) else { return Ok(()) };
        let (slot, n) = (self.slot(chunk, i), self.chunk_n(chunk));
        let q = self.chunk_e(chunk) + slot;
        self.take(q);
        self.shift(q + 1, q, n - slot - 1);
        self.set_chunk_n(chunk, n - 1);
        if n > 1 {
            return self.shrink(chunk);
        }
        self.set_behind(p, head, None);
        self.free_chunk(chunk);
        Ok(())
    }

    /// Makes the head that comes one of fiber `p`, and splits the chunk that it falls in.
    fn head_enters(&mut self, p: usize, i: usize) -> Result<(), String> {
        let before = self.head_before(p, i);
        let split = self.behind(p, before).map(|c| (c, self.slot(c, i), self.chunk_n(c)));
        self.want_tree(1)?;
        let tail = match split {
            Some((chunk, slot, n)) if 0 < slot && slot < n => {
                let (less, rest) = (self.fitting(slot), self.fitting(n - slot));
                let shrinks = self.room_chunk(chunk) / 2 > less;
                self.want_chunk(1)?;
                self.want_room(1 + rest + if shrinks { less } else { 0 })?;
                let tail = self.new_chunk()?;
                self.resize_chunk(tail, rest)?;
                self.shift(self.chunk_e(chunk) + slot, self.chunk_e(tail), n - slot);
                self.set_chunk_n(tail, n - slot);
                self.set_chunk_n(chunk, slot);
                if shrinks {
                    self.resize_chunk(chunk, less)?;
                }
                Some(tail)
            }
            Some((chunk, 0, _)) => {
                self.want_room(1)?;
                self.set_behind(p, before, None);
                Some(chunk)
            }
            _ => {
                self.want_room(1)?;
                None
            }
        };
        let head = self.new_tree()?;
        self.set_tree_t(head, tail);
        self.hang(p, head, i);
        self.put(self.tree_h(head), i);
        Ok(())
    }

    /// Takes a head out of fiber `p`, and puts its chunk behind the one before.
    fn head_leaves(&mut self, p: usize, i: usize) -> Result<(), String> {
        let before = self.head_before(p, i);
        let Some(place) = self.find(p, i) else { return Ok(()) };
        let Some(gone) = self.linked(place) else { return Ok(()) };
        match (self.behind(p, before), self.tree_t(gone)) {
            (Some(chunk), Some(tail)) => self.unite(p, before, chunk, tail)?,
            (None, tail) => self.set_behind(p, before, tail),
            (Some(_), None) => {}
        }
        self.unhang(place, gone);
        self.take(self.tree_h(gone));
        self.free_tree(gone);
        Ok(())
    }

    /// Makes the chunk behind the head `before` and the one behind that one, in whichever has room.
    fn unite(
        &mut self,
        p: usize,
        before: Option<usize>,
        chunk: usize,
        tail: usize,
    ) -> Result<(), String> {
        let (n, more) = (self.chunk_n(chunk), self.chunk_n(tail));
        if n + more > self.room_chunk(chunk) && n + more <= self.room_chunk(tail) {
            let first = self.chunk_e(tail);
            self.shift(first, first + n, more);
            self.shift(self.chunk_e(chunk), first, n);
            self.set_chunk_n(tail, n + more);
            self.set_behind(p, before, Some(tail));
            self.free_chunk(chunk);
            return Ok(());
        }
        if n + more > self.room_chunk(chunk) {
            let room = self.fitting(n + more);
            self.want_room(room)?;
            self.resize_chunk(chunk, room)?;
        }
        self.shift(self.chunk_e(tail), self.chunk_e(chunk) + n, more);
        self.set_chunk_n(chunk, n + more);
        self.free_chunk(tail);
        Ok(())
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn ctree_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut CTreeNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    match is_head::<B>(i) {
        true => nodes.head_enters(p, i),
        false => nodes.tail_enters(p, i),
    }
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn ctree_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut CTreeNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    match is_head::<B>(i) {
        true => nodes.head_leaves(p, i),
        false => nodes.tail_leaves(p, i),
    }
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: heads and chunks are next to each other in
/// the order of a walk, without room to spare.
#[doc(hidden)]
pub fn ctree_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut CTreeNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    let (prefix, heads) = chunks::<B>(all);
    let tails = heads.iter().filter(|(_, tail)| !tail.is_empty()).count();
    nodes.want_tree(heads.len())?;
    nodes.want_chunk(tails + usize::from(!prefix.is_empty()))?;
    nodes.want_room(all.len())?;
    if !prefix.is_empty() {
        let chunk = nodes.add(p, None, prefix.len())?;
        nodes.fill(chunk, prefix);
    }
    let mut spine = Vec::new();
    for (i, tail) in heads {
        let head = nodes.new_tree()?;
        nodes.place(nodes.tree_h(head), i);
        nodes.hang_last(p, &mut spine, head);
        if !tail.is_empty() {
            let chunk = nodes.add(p, Some(head), tail.len())?;
            nodes.fill(chunk, tail);
        }
    }
    Ok(())
}
