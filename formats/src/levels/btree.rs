//! BTree: a B-tree a fiber.

mod balance;
mod build;
mod enter;
mod leave;

pub(super) use balance::{balanced, word};
pub(super) use build::{grow, needed};
pub(super) use enter::{descend, enter, want};
pub(super) use leave::{find, leave};

use crate::Index;
use smallvec::SmallVec;

crate::level! {
    /// A B-tree of the stored coordinates of each fiber (Bayer and McCreight, *Organization and maintenance of large
    /// ordered indices*, 1972; DynamicSparse figure 6g). `B` is the most entries a node holds, two or more.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5  6          [ 3 ]           the root: an internal node, of which
    ///             .  *  .  *  .  *  *         /     \          each entry stands between two nodes
    ///             └run┘*└─r─┘*└r┘**      [ 1 ]       [ 5 6 ]   leaves, all at one depth
    ///
    /// B = 2: crd = [-, 1 ., 5 6, 3 .]                          each node has room for B entries at its start
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once, their entries in order and below `len`, one to `B` a node; all
    /// leaves are at one depth; a node holds `B / 2` entries or more unless it is at the right end of its depth (the root
    /// is). Nodes that are free are those in `btree_internal_free` and `btree_leaf_free`.
    ///
    /// A full node is split in two halves; at the right end the left one keeps all but the entry that goes up, so that
    /// entries which are appended leave `B - 1` in each node. A node that becomes too small is merged with the one
    /// beside it if both fit, else entries move until both hold as many.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of steppers of spikes, a block
    /// of entries each, then a run; the state is a path. Costs: `walk` is linear in the entries; `locate`, an insertion
    /// and a deletion are logarithmic in them, and the latter two move up to `B` entries in each node that they change,
    /// mostly one; an entry that is appended moves no other, or a few a `B`-th of the time; `gallop` is logarithmic in
    /// what it skips; `build` is linear and fills nodes. A coordinate and a tenth of a link an entry where nodes are
    /// full, twice that, and children for as many, where they are half full; a fiber that has entries has room for `B`.
    /// Written in any order.
    pub struct BTree<Child, Ix: Index = u32, const B: usize = 32, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            supertype btree;
            btree_root { r: btree }
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
    insert(p, i) { crate::levels::btree_insert(nodes, p, i) }
    remove(p, i) { crate::levels::btree_remove(nodes, p, i) }
    build(p, all) { crate::levels::btree_build(nodes, p, all) }
    invariant(fibers) {
        // Behind each is the number of entries.
        let tops = btree_root.iter().step_by(2).map(|top| crate::Index::to_i64(*top) as usize);
        crate::levels::btree_balanced(B, tops.take(fibers), btree_internal, btree_leaf)
    }
}

/// Nodes of which some are a B-tree a fiber: the generated functions under names that do not depend on the level. A node
/// is what a link leads to, an internal node or a leaf; child `k` of an internal node is what is before its entry `k`.
pub(super) trait Trees {
    /// The most entries of a node.
    const MOST: usize;
    /// The root of the tree of fiber `p`.
    fn top(&self, p: usize) -> Option<usize>;
    /// Makes `to` the root of the tree of fiber `p`.
    fn set_top(&mut self, p: usize, to: Option<usize>);
    /// Makes room for new nodes, and for this many entries besides theirs.
    fn want(&mut self, leaves: usize, internals: usize, entries: usize) -> Result<(), String>;
    /// A new node: a leaf, or an internal one.
    fn make(&mut self, leaf: bool) -> Result<usize, String>;
    /// Gives a node back.
    fn free(&mut self, node: usize);
    /// Whether it is a leaf.
    fn leaf(&self, node: usize) -> bool;
    /// The position of its first entry.
    fn first(&self, node: usize) -> usize;
    /// How many entries it has.
    fn count(&self, node: usize) -> usize;
    /// Sets how many it has.
    fn set_count(&mut self, node: usize, n: usize);
    /// A child of an internal node; none of a leaf.
    fn child(&self, node: usize, k: usize) -> Option<usize>;
    /// Sets a child of an internal node.
    fn set_child(&mut self, node: usize, k: usize, to: Option<usize>);
    /// The coordinate of the entry at position `q`.
    fn coordinate(&self, q: usize) -> usize;
    /// Sets it.
    fn set_coordinate(&mut self, q: usize, i: usize);
    /// Moves `n` entries from position `from` on to position `to` on.
    fn carry(&mut self, from: usize, to: usize, n: usize);
}

/// Nodes from a root downwards, each with the child that leads on; in the last one, an entry.
pub(super) type Way = SmallVec<[(usize, usize); 8]>;

/// How many of the `n` entries from position `first` on are before coordinate `i`.
pub(super) fn before(at: impl Fn(usize) -> usize, first: usize, n: usize, i: usize) -> usize {
    // Entries are appended more often than not.
    if n > 0 && at(first + n - 1) < i {
        return n;
    }
    let (mut lo, mut hi) = (0, n);
    while lo < hi {
        let mid = lo.midpoint(hi);
        match at(first + mid) < i {
            true => lo = mid + 1,
            false => hi = mid,
        }
    }
    lo
}

/// Implements [`Trees`] for the nodes of a level with the types `btree_internal` and `btree_leaf`, and a field of the root
/// that leads to them; the last parameter is the most entries of a node.
macro_rules! trees {
    ($nodes:ident<$($before:ident,)* ; $most:ident>, $top:ident, $set_top:ident) => {
        impl<Ix: Index, Li: Index, $(const $before: usize,)* const $most: usize> $crate::levels::btree::Trees
            for $nodes<'_, Ix, Li, $($before,)* $most>
        {
            const MOST: usize = {
                assert!($most >= 2, "a node of a B-tree has room for two entries or more");
                $most
            };
            fn top(&self, p: usize) -> Option<usize> {
                self.$top(p)
            }
            fn set_top(&mut self, p: usize, to: Option<usize>) {
                self.$set_top(p, to);
            }
            fn want(&mut self, leaves: usize, internals: usize, entries: usize) -> Result<(), String> {
                self.want_btree_leaf(leaves)?;
                self.want_btree_internal(internals)?;
                self.want_room((leaves + internals) * $most + entries)
            }
            fn make(&mut self, leaf: bool) -> Result<usize, String> {
                Ok(match leaf {
                    true => Self::of_btree_leaf(self.new_btree_leaf()?),
                    false => Self::of_btree_internal(self.new_btree_internal()?),
                })
            }
            fn free(&mut self, node: usize) {
                if let Some(leaf) = Self::btree_leaf_of(node) {
                    self.free_btree_leaf(leaf);
                } else if let Some(internal) = Self::btree_internal_of(node) {
                    self.free_btree_internal(internal);
                }
            }
            fn leaf(&self, node: usize) -> bool {
                Self::btree_leaf_of(node).is_some()
            }
            fn first(&self, node: usize) -> usize {
                let internal = Self::btree_internal_of(node).map(|n| self.btree_internal_e(n));
                internal.or(Self::btree_leaf_of(node).map(|n| self.btree_leaf_e(n))).unwrap_or(0)
            }
            fn count(&self, node: usize) -> usize {
                let internal = Self::btree_internal_of(node).map(|n| self.btree_internal_n(n));
                internal.or(Self::btree_leaf_of(node).map(|n| self.btree_leaf_n(n))).unwrap_or(0)
            }
            fn set_count(&mut self, node: usize, n: usize) {
                if let Some(leaf) = Self::btree_leaf_of(node) {
                    self.set_btree_leaf_n(leaf, n);
                } else if let Some(internal) = Self::btree_internal_of(node) {
                    self.set_btree_internal_n(internal, n);
                }
            }
            fn child(&self, node: usize, k: usize) -> Option<usize> {
                let internal = Self::btree_internal_of(node)?;
                match k.checked_sub(1) {
                    Some(k) => self.btree_internal_c(internal, k),
                    None => self.btree_internal_cf(internal),
                }
            }
            fn set_child(&mut self, node: usize, k: usize, to: Option<usize>) {
                match (Self::btree_internal_of(node), k.checked_sub(1)) {
                    (Some(internal), Some(k)) => self.set_btree_internal_c(internal, k, to),
                    (Some(internal), None) => self.set_btree_internal_cf(internal, to),
                    (None, _) => {}
                }
            }
            fn coordinate(&self, q: usize) -> usize {
                self.at(q)
            }
            fn set_coordinate(&mut self, q: usize, i: usize) {
                self.place(q, i);
            }
            fn carry(&mut self, from: usize, to: usize, n: usize) {
                self.shift(from, to, n);
            }
        }
    };
}
pub(super) use trees;

trees!(BTreeNodes<; B>, btree_root_r, set_btree_root_r);

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn btree_insert<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut BTreeNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let way = descend(nodes, p, i);
    want(nodes, &way)?;
    nodes.place(0, i);
    enter(nodes, p, &way)
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn btree_remove<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut BTreeNodes<'_, Ix, Li, B>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    if let Some((q, way)) = find(nodes, p, i) {
        nodes.take(q);
        leave(nodes, p, way);
    }
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend.
#[doc(hidden)]
pub fn btree_build<Ix: Index, Li: Index, const B: usize>(
    nodes: &mut BTreeNodes<'_, Ix, Li, B>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    let (leaves, internals) = needed(B, all.len());
    nodes.want(leaves, internals, 0)?;
    grow(nodes, p, all)
}

/// Whether B-trees with these roots are balanced.
#[doc(hidden)]
pub fn btree_balanced<Li: Index>(
    most: usize,
    tops: impl Iterator<Item = usize>,
    internal: &[Li],
    leaf: &[Li],
) -> Result<(), String> {
    balanced(most, tops, internal, leaf)
}
