//! PackedCTree: a tree of chunks a fiber, whose coordinates are differences of a byte or more, for large sparse graphs.

use super::ctree::{chunks, is_head, linked, shape, Heads, Place, Words};
use crate::nodes::coded;
use crate::Index;

crate::level! {
    /// A C-tree with difference encoding (Dhulipala, Blelloch and Shun, *Low-latency graph streaming using compressed
    /// purely-functional trees*, 2019; DynamicSparse figure 6f): a [`CTree`](crate::CTree) whose coordinates are bytes.
    /// `B` is the expected size of a chunk.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5  6  7  8                       [0 1]   the prefix: entries before the first head
    ///             *  *  .  h  .  *  *  .  *              3             \
    ///             └*┘└*└r┘└h┘└r┘└*┘└*┘└r┘└*┘              \
    ///                                                      [5 6 8]       a head, and the chunk of tail entries behind it
    /// crd = [-,  0 0,  3,  5 2 0]       a first coordinate, then the last, less the first less one, then each but the last, less
    ///                                   the one before less one: numbers of 7 bits a byte
    /// tree = [first, room, chunk, l, r], chunk = [first, room, n] a node
    /// ```
    ///
    /// A node with `n` entries has its bytes from `first` on, and its children at `first..first + n`: `n` numbers take `n`
    /// bytes at least, so that any child can stand below. Where numbers take more bytes, positions are left that hold none.
    ///
    /// Invariant: that of [`CTree`](crate::CTree); the room of a node is counted in bytes, and the bytes of its entries are the
    /// shortest for their coordinates, whose numbers are those of `nodes::coded`.
    ///
    /// A chunk that is full grows by a quarter; one that an entry comes into or goes from is written anew, and children move.
    ///
    /// Looplets: those of [`CTree`](crate::CTree). Costs, for coordinates that are not chosen against the hashes, and `h` heads,
    /// one in `B` entries: `walk` is linear in the entries, and each waits for the one before; `locate` takes `log h` steps down
    /// the tree, each of which may ask for the last entry of a chunk, which is known at once, and reads one chunk, `B` steps; an
    /// insertion and a deletion take `log h + B` steps; `gallop` is logarithmic in the heads that it skips, and linear in the
    /// chunk that it ends in; `build` is linear, and gives chunks no more room than they need. A byte an entry and more for
    /// differences of 128 and above, two bytes a chunk or so, and eight words a head; in what was inserted one by one, room for
    /// up to a quarter more bytes, and more where many have gone. Values take as many elements as there are bytes. Written in any
    /// order. A deletion is refused if links do not count the bytes for two chunks that become one.
    pub struct PackedCTree<Child, const B: usize = 128, Link: Index = u32> {
        len: usize,
        unsafe nodes<Link> {
            packed { p: chunk, r: tree, seq = p, r }
            tree { h: elem coded nonempty, t: chunk, l: tree, r: tree, seq = l, h, t, r }
            chunk { e: elem[n] coded nonempty, n: size, seq = {e} }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::packed_insert(nodes, p, i) }
    remove(p, i) { crate::levels::packed_remove(nodes, p, i) }
    build(p, all) { crate::levels::packed_build(nodes, p, all) }
    invariant(fibers) { crate::levels::packed_shape::<_, B>(fibers, packed, tree, chunk, crd) }
}

linked!(PackedCTreeNodes<>, Self::first_tree, packed_r set_packed_r, packed_p set_packed_p);

impl<Li: Index, const B: usize> PackedCTreeNodes<'_, Li, B> {
    /// The coordinates of a chunk's entries.
    fn all(&self, chunk: usize) -> Vec<usize> {
        let mut all = Vec::with_capacity(self.chunk_n(chunk) + 1);
        self.read_chunk(chunk, &mut all);
        all
    }

    /// Gives most of the chunk's room back if it needs few of its bytes and there is a smaller place.
    fn shrink(&mut self, chunk: usize, bytes: usize) -> Result<(), String> {
        let less = self.fitting(bytes);
        if self.room_chunk(chunk) / 4 > less && self.want_room(less).is_ok() {
            self.resize_chunk(chunk, less)?;
        }
        Ok(())
    }

    /// Makes the tail entry that comes one of fiber `p`.
    fn tail_enters(&mut self, p: usize, i: usize) -> Result<(), String> {
        let head = self.head_before(p, i);
        let Some(chunk) = self.behind(p, head) else {
            let room = self.fitting(Self::bytes(&[i]));
            self.want_chunk(1)?;
            self.want_room(room)?;
            let chunk = self.add(p, head, room)?;
            self.write_chunk(chunk, &[i])?;
            self.put(self.chunk_e(chunk));
            return Ok(());
        };
        let mut all = self.all(chunk);
        let (slot, n) = (all.partition_point(|at| *at < i), all.len());
        all.insert(slot, i);
        let bytes = Self::bytes(&all);
        if bytes > self.room_chunk(chunk) {
            let room = self.fitting(bytes);
            self.want_room(room)?;
            self.resize_chunk(chunk, room)?;
        }
        self.write_chunk(chunk, &all)?;
        let q = self.chunk_e(chunk) + slot;
        self.shift(q, q + 1, n - slot);
        self.put(q);
        Ok(())
    }

    /// Takes a tail entry out of fiber `p`.
    fn tail_leaves(&mut self, p: usize, i: usize) -> Result<(), String> {
        let head = self.head_before(p, i);
        let Some(chunk) = self.behind(p, head) else { return Ok(()) };
        let mut all = self.all(chunk);
        let Ok(slot) = all.binary_search(&i) else { return Ok(()) };
        all.remove(slot);
        // What is left takes no more bytes: the sum of two differences is as long as the longer one, or a byte longer.
        self.write_chunk(chunk, &all)?;
        let q = self.chunk_e(chunk) + slot;
        self.take(q);
        self.shift(q + 1, q, all.len() - slot);
        if !all.is_empty() {
            return self.shrink(chunk, Self::bytes(&all));
        }
        self.set_behind(p, head, None);
        self.free_chunk(chunk);
        Ok(())
    }

    /// Makes the head that comes one of fiber `p`, and splits the chunk that it falls in.
    fn head_enters(&mut self, p: usize, i: usize) -> Result<(), String> {
        let own = Self::bytes(&[i]);
        let before = self.head_before(p, i);
        let split = self.behind(p, before).map(|chunk| (chunk, self.all(chunk)));
        let split = split.map(|(chunk, all)| (chunk, all.partition_point(|at| *at < i), all));
        self.want_tree(1)?;
        let tail = match split {
            Some((chunk, slot, all)) if 0 < slot && slot < all.len() => {
                let (some, others) = all.split_at(slot);
                let [less, rest] = [some, others].map(|all| self.fitting(Self::bytes(all)));
                let shrinks = self.room_chunk(chunk) / 2 > less;
                self.want_chunk(1)?;
                self.want_room(own + rest + if shrinks { less } else { 0 })?;
                let tail = self.new_chunk()?;
                self.resize_chunk(tail, rest)?;
                self.write_chunk(tail, others)?;
                self.write_chunk(chunk, some)?;
                self.shift(self.chunk_e(chunk) + slot, self.chunk_e(tail), others.len());
                if shrinks {
                    self.resize_chunk(chunk, less)?;
                }
                Some(tail)
            }
            Some((chunk, 0, _)) => {
                self.want_room(own)?;
                self.set_behind(p, before, None);
                Some(chunk)
            }
            _ => {
                self.want_room(own)?;
                None
            }
        };
        let head = self.new_head(i, own)?;
        self.set_tree_t(head, tail);
        self.hang(p, head, i);
        self.put(self.tree_h(head));
        Ok(())
    }

    /// A head of this coordinate, for which room was wanted.
    fn new_head(&mut self, i: usize, bytes: usize) -> Result<usize, String> {
        let head = self.new_tree()?;
        self.resize_tree(head, bytes)?;
        self.write_tree(head, &[i])?;
        Ok(head)
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
        let (mut all, more) = (self.all(chunk), self.chunk_n(tail));
        let n = all.len();
        self.read_chunk(tail, &mut all);
        let bytes = Self::bytes(&all);
        if bytes > self.room_chunk(chunk) && bytes <= self.room_chunk(tail) {
            let first = self.chunk_e(tail);
            self.write_chunk(tail, &all)?;
            self.shift(first, first + n, more);
            self.shift(self.chunk_e(chunk), first, n);
            self.set_behind(p, before, Some(tail));
            self.free_chunk(chunk);
            return Ok(());
        }
        if bytes > self.room_chunk(chunk) {
            let room = self.fitting(bytes);
            self.want_room(room)?;
            self.resize_chunk(chunk, room)?;
        }
        self.write_chunk(chunk, &all)?;
        self.shift(self.chunk_e(tail), self.chunk_e(chunk) + n, more);
        self.free_chunk(tail);
        Ok(())
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn packed_insert<Li: Index, const B: usize>(
    nodes: &mut PackedCTreeNodes<'_, Li, B>,
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
pub fn packed_remove<Li: Index, const B: usize>(
    nodes: &mut PackedCTreeNodes<'_, Li, B>,
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
pub fn packed_build<Li: Index, const B: usize>(
    nodes: &mut PackedCTreeNodes<'_, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    let bytes = PackedCTreeNodes::<Li, B>::bytes;
    let (prefix, heads) = chunks::<B>(all);
    let tails = heads.iter().filter(|(_, tail)| !tail.is_empty()).count();
    let each = heads.iter().map(|(i, tail)| bytes(&[*i]) + bytes(tail));
    let room = bytes(prefix) + each.sum::<usize>();
    nodes.want_tree(heads.len())?;
    nodes.want_chunk(tails + usize::from(!prefix.is_empty()))?;
    nodes.want_room(room)?;
    if !prefix.is_empty() {
        let chunk = nodes.add(p, None, bytes(prefix))?;
        nodes.write_chunk(chunk, prefix)?;
    }
    let mut spine = Vec::new();
    for (i, tail) in heads {
        let head = nodes.new_head(i, bytes(&[i]))?;
        nodes.hang_last(p, &mut spine, head);
        if !tail.is_empty() {
            let chunk = nodes.add(p, Some(head), bytes(tail))?;
            nodes.write_chunk(chunk, tail)?;
        }
    }
    Ok(())
}

/// [`shape`] of a C-tree whose coordinates are coded.
#[doc(hidden)]
pub fn packed_shape<Li: Index, const B: usize>(
    fibers: usize,
    roots: &[Li],
    trees: &[Li],
    chunks: &[Li],
    crd: &[u8],
) -> Result<(), String> {
    let read = |first: usize, n: usize| {
        let mut all = Vec::new();
        coded::read(crd, first, n, &mut all);
        all
    };
    shape::<Li, B>(fibers, &Words { roots, trees, tail: 2, chunks }, read)
}
