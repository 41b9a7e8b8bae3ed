//! HybridBTree: the first entries of a fiber in place, and a B-tree of what is more.

use super::btree::{
    balanced, before, descend, enter, find, grow, leave, needed, trees, want, word, Trees,
};
use crate::Index;

crate::level! {
    /// The first `A` entries of each fiber in place, and a B-tree of what is more (Pandey et al., *Terrace: a hierarchical
    /// graph container for skewed dynamic graphs*, 2021; DynamicSparse figure 6h). `B` is the most entries a node of the
    /// tree holds, two or more.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5  6        [ 1 3 ]           the root of the fiber, A = 2
    ///             .  *  .  *  .  *  *               \          what is more than the root holds
    ///             └run┘*└─r─┘*└r┘**                  [ 5 6 ]   a B-tree, as in BTree
    ///
    /// B = 2: crd = [-, 1 3, 5 6]                               a root has room for A entries, a node for B
    /// ```
    ///
    /// Invariant: that of [`BTree`](crate::BTree), with the entries of the root before those of the tree; where there is a
    /// tree, the root holds `A` entries. So entries move: one that comes among those of a full root drives its last one
    /// into the tree, and the first of the tree takes the place of one that goes.
    ///
    /// Looplets: as those of [`BTree`](crate::BTree); the root is one more block. Costs: in a fiber of at most `A` entries
    /// those of a sorted array of them: no link is followed, and there is none to store; `locate` is logarithmic, an
    /// insertion and a deletion move entries behind theirs. Elsewhere those of [`BTree`](crate::BTree), and up to `A`
    /// entries more are moved. A fiber that has entries has room for `A`; three links a fiber. Written in any order.
    pub struct HybridBTree<Child, Ix: Index = u32, const A: usize = 12, const B: usize = 32, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            supertype btree;
            hybrid { e: elem[n], r: btree, n: size in 0..=A, seq = {e}, r }
            btree_internal: btree {
                e: elem[n] nonempty,
                cf: btree nonempty,
                c: btree[n] nonempty,
                n: size in 1..=B,
                seq = cf, {e, c}
            }
            btree_leaf: btree { e: elem[n] nonempty, n: size in 1..=B, seq = {e} }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::hybrid_insert(nodes, p, i) }
    remove(p, i) { crate::levels::hybrid_remove(nodes, p, i) }
    build(p, all) { crate::levels::hybrid_build(nodes, p, all) }
    invariant(fibers) { crate::levels::hybrid_balanced(A, B, fibers, hybrid, btree_internal, btree_leaf) }
}

trees!(HybridBTreeNodes<A,; B>, hybrid_r, set_hybrid_r);

impl<Ix: Index, Li: Index, const A: usize, const B: usize> HybridBTreeNodes<'_, Ix, Li, A, B> {
    /// How many of the entries in place are before coordinate `i`.
    fn before(&self, p: usize, i: usize) -> usize {
        before(|q| self.at(q), self.hybrid_e(p), self.hybrid_n(p), i)
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn hybrid_insert<Ix: Index, Li: Index, const A: usize, const B: usize>(
    nodes: &mut HybridBTreeNodes<'_, Ix, Li, A, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let (n, k) = (nodes.hybrid_n(p), nodes.before(p, i));
    if n < A {
        if nodes.hybrid_e(p) == 0 {
            nodes.want_room(A)?;
            nodes.resize_hybrid(p, A)?;
        }
        let first = nodes.hybrid_e(p);
        nodes.shift(first + k, first + k + 1, n - k);
        nodes.put(first + k, i);
        nodes.set_hybrid_n(p, n + 1);
        return Ok(());
    }
    let first = nodes.hybrid_e(p);
    if k == n {
        let way = descend(nodes, p, i);
        want(nodes, &way)?;
        nodes.place(0, i);
        return enter(nodes, p, &way);
    }
    // The last one in place goes to the tree, and what came is at its place first.
    let last = first + n - 1;
    let way = descend(nodes, p, nodes.at(last));
    want(nodes, &way)?;
    nodes.shift(last, 0, 1);
    nodes.shift(first + k, first + k + 1, n - 1 - k);
    nodes.place(first + k, i);
    enter(nodes, p, &way)
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn hybrid_remove<Ix: Index, Li: Index, const A: usize, const B: usize>(
    nodes: &mut HybridBTreeNodes<'_, Ix, Li, A, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let (first, n, k) = (nodes.hybrid_e(p), nodes.hybrid_n(p), nodes.before(p, i));
    if k == n {
        if let Some((q, way)) = find(nodes, p, i) {
            nodes.take(q);
            leave(nodes, p, way);
        }
        return Ok(());
    }
    if nodes.at(first + k) != i {
        return Ok(());
    }
    nodes.take(first + k);
    nodes.shift(first + k + 1, first + k, n - 1 - k);
    // The first of the tree is before none of it.
    let way = descend(nodes, p, 0);
    if let Some(&(leaf, _)) = way.last() {
        nodes.shift(nodes.first(leaf), first + n - 1, 1);
        leave(nodes, p, way);
        return Ok(());
    }
    nodes.set_hybrid_n(p, n - 1);
    match n {
        1 => nodes.resize_hybrid(p, 0),
        _ => Ok(()),
    }
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend.
#[doc(hidden)]
pub fn hybrid_build<Ix: Index, Li: Index, const A: usize, const B: usize>(
    nodes: &mut HybridBTreeNodes<'_, Ix, Li, A, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    let (here, more) = all.split_at(all.len().min(A));
    let (leaves, internals) = needed(B, more.len());
    nodes.want(leaves, internals, A)?;
    if nodes.hybrid_e(p) == 0 {
        nodes.resize_hybrid(p, A)?;
    }
    for (k, &i) in here.iter().enumerate() {
        nodes.place(nodes.hybrid_e(p) + k, i);
    }
    nodes.set_hybrid_n(p, here.len());
    grow(nodes, p, more)
}

/// The words of a root: where its entries are, the link to the tree, how many there are, how many the fiber has in all.
const ROOT: usize = 4;

/// Whether roots with trees are full, and the trees balanced.
#[doc(hidden)]
pub fn hybrid_balanced<Li: Index>(
    here: usize,
    most: usize,
    fibers: usize,
    roots: &[Li],
    internal: &[Li],
    leaf: &[Li],
) -> Result<(), String> {
    for p in 0..fibers {
        let n = word(roots, p * ROOT + 2);
        if word(roots, p * ROOT + 1) > 0 && n < here {
            return Err(format!("fiber {p} has a tree, and in place {n} entries of {here}"));
        }
    }
    balanced(most, (0..fibers).map(|p| word(roots, p * ROOT + 1)), internal, leaf)
}
