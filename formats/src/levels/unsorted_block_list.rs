//! UnsortedBlockList: a linked list of blocks a fiber, with entries in no order.

use crate::Index;

crate::level! {
    /// A linked list of blocks of up to `B` stored coordinates each, in any order (DynamicSparse figure 7c).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5         h                 B = 2
    ///             .  *  .  *  .  *         │                 ublist_head = [h] a fiber
    ///             entries, as they come   [3 .] ──▶ [5 1]    ublist = [n, l] a node: entries, link
    ///                                                        crd = [-, 5, 1, 3, -]
    ///
    ///                                      the entries of node k are at positions 1 + k * B ..
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once; its coordinates are below `len`, and none comes twice. No block is
    /// empty, and each but the first is full. Nodes that are free are those in `ublist_free`.
    ///
    /// An entry that comes is the last of the first block, in front of which a new one is made if it is full. Where one goes,
    /// that last entry comes in its place.
    ///
    /// Looplets: entries in no order (`scan`), which may be the one sparse operand of a loop whose result does not depend
    /// on the order. Costs: `scan` is linear in the entries; `locate`, an insertion and a deletion look through the entries of
    /// the fiber, behind which they take constant time; `build` is linear. A coordinate an entry, two links a block; less than
    /// one block a fiber is not used. Written in any order.
    pub struct UnsortedBlockList<Child, Ix: Index = u32, const B: usize = 16, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            ublist_head { h: ublist }
            ublist { e: elem[n] nonempty, n: size in 1..=B, l: ublist }
        }
        child: Child,
    }
    invariant(fibers) { crate::levels::unsorted_block_list_full(fibers, B, ublist_head, ublist) }
    insert(p, i) { crate::levels::unsorted_block_list_insert(nodes, p, i) }
    remove(p, i) { crate::levels::unsorted_block_list_remove(nodes, p, i) }
    build(p, all) { crate::levels::unsorted_block_list_build(nodes, p, all) }
}

/// That all blocks but the first of each fiber are full, of lists that are otherwise checked.
#[doc(hidden)]
pub fn unsorted_block_list_full<Li: Index>(
    fibers: usize,
    most: usize,
    heads: &[Li],
    nodes: &[Li],
) -> Result<(), String> {
    let to = |words: &[Li], at: usize| words[at].to_i64() as usize;
    for p in 0..fibers {
        let mut link = to(heads, 2 * p);
        while let Some(node) = link.checked_sub(1) {
            link = to(nodes, 2 * node + 1);
            if let Some(behind) = link.checked_sub(1) {
                let count = to(nodes, 2 * behind);
                if count < most {
                    return Err(format!(
                        "`ublist` {behind} has {count} entries, and is not the first block: it is to have {most}"
                    ));
                }
            }
        }
    }
    Ok(())
}

impl<Ix: Index, Li: Index, const B: usize> UnsortedBlockListNodes<'_, Ix, Li, B> {
    /// The position of the entry of fiber `p` at coordinate `i`.
    fn found(&self, p: usize, i: usize) -> Option<usize> {
        let mut link = self.ublist_head_h(p);
        while let Some(node) = link {
            let first = self.ublist_e(node);
            let mut block = first..first + self.ublist_n(node);
            if let Some(q) = block.find(|q| self.at(*q) == i) {
                return Some(q);
            }
            link = self.ublist_l(node);
        }
        None
    }

    /// Makes a node the first, which was wanted.
    fn add(&mut self, p: usize, count: usize) -> Result<usize, String> {
        let new = self.new_ublist()?;
        let behind = self.ublist_head_h(p);
        self.set_ublist_l(new, behind);
        self.set_ublist_n(new, count);
        self.set_ublist_head_h(p, Some(new));
        Ok(new)
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn unsorted_block_list_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut UnsortedBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    if let Some(first) = nodes.ublist_head_h(p) {
        let count = nodes.ublist_n(first);
        if count < B {
            nodes.set_ublist_n(first, count + 1);
            nodes.put(nodes.ublist_e(first) + count, i);
            return Ok(());
        }
    }
    nodes.want_ublist(1)?;
    let new = nodes.add(p, 1)?;
    nodes.put(nodes.ublist_e(new), i);
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn unsorted_block_list_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut UnsortedBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let (Some(q), Some(first)) = (nodes.found(p, i), nodes.ublist_head_h(p)) else {
        return Ok(());
    };
    let count = nodes.ublist_n(first);
    let last = nodes.ublist_e(first) + count - 1;
    nodes.take(q);
    if last != q {
        nodes.shift(last, q, 1);
    }
    nodes.set_ublist_n(first, count - 1);
    if count == 1 {
        nodes.set_ublist_head_h(p, nodes.ublist_l(first));
        nodes.free_ublist(first);
    }
    Ok(())
}

/// Makes the entries of fiber `p`, which has none: all blocks but the last that is made are full.
#[doc(hidden)]
pub fn unsorted_block_list_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut UnsortedBlockListNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    const { assert!(B > 0, "a block holds an entry at least") };
    nodes.want_ublist(all.len().div_ceil(B))?;
    for block in all.chunks(B) {
        let new = nodes.add(p, block.len())?;
        for (k, &i) in block.iter().enumerate() {
            nodes.place(nodes.ublist_e(new) + k, i);
        }
    }
    Ok(())
}
