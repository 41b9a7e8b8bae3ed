//! Bst: a binary search tree a fiber.

use crate::Index;
use std::cmp::Ordering;

crate::level! {
    /// A binary search tree of the stored coordinates of each fiber (DynamicSparse figure 5), balanced as a treap
    /// (Seidel and Aragon, *Randomized search trees*, 1996).
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5           5        the root of fiber 0 is node 1
    ///             .  *  .  *  .  *         /
    ///             └run┘*└─r─┘*└r┘*        1           bst = [l, r, n] a node, crd = [-, 1, 5, 3]
    ///                                      \
    ///                                       3         the entry of node k is at position 1 + k
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once and in order, their coordinates are below `len`, and no node's
    /// priority is above that of its parent. The priority of an entry is a hash of its coordinate: what the tree looks
    /// like follows from what it holds, not from the order in which that came, and is of logarithmic height unless
    /// coordinates are chosen against the hash. Nodes that are free are those in `bst_free`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a run; the state
    /// is a link or, where it leaps, a path. Costs: `walk` is linear in the entries; `locate`, an insertion and a deletion are logarithmic in them,
    /// `gallop` in what it skips; `build` is linear. Two links and a coordinate an entry. Written in any order.
    pub struct Bst<Child, Ix: Index = u32, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            bst_root { r: bst, f: first bst }
            bst { e: elem nonempty, l: bst, r: bst, n: next bst, seq = l, e, r }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::bst_insert(nodes, p, i) }
    remove(p, i) { crate::levels::bst_remove(nodes, p, i) }
    build(p, all) { crate::levels::bst_build(nodes, p, all) }
}

/// The priority of an entry: a hash of its coordinate, the one with the greatest of which is the root.
fn priority(i: usize) -> u64 {
    let mixed = (i as u64 ^ 0x51_7cc1_b727_220a).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ i as u64
}

/// A link to a node: the root of a fiber, or a child of another node.
#[derive(Clone, Copy)]
enum Place {
    Root(usize),
    Left(usize),
    Right(usize),
}

impl<Ix: Index, Li: Index> BstNodes<'_, Ix, Li> {
    fn coordinate(&self, node: usize) -> usize {
        self.at(self.bst_e(node))
    }

    fn linked(&self, place: Place) -> Option<usize> {
        match place {
            Place::Root(p) => self.bst_root_r(p),
            Place::Left(node) => self.bst_l(node),
            Place::Right(node) => self.bst_r(node),
        }
    }

    /// The node that is met behind `last`, or first.
    fn follows(&self, p: usize, last: Option<usize>) -> Option<usize> {
        last.map_or(self.bst_root_f(p), |node| self.bst_n(node))
    }

    /// Makes `to` the node that is met behind `last`, or first.
    #[inline]
    fn thread(&mut self, p: usize, last: Option<usize>, to: Option<usize>) {
        match last {
            Some(node) => self.set_bst_n(node, to),
            None => self.set_bst_root_f(p, to),
        }
    }

    #[inline]
    fn link(&mut self, place: Place, to: Option<usize>) {
        match place {
            Place::Root(p) => self.set_bst_root_r(p, to),
            Place::Left(node) => self.set_bst_l(node, to),
            Place::Right(node) => self.set_bst_r(node, to),
        }
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn bst_insert<Ix: Index, Li: Index>(
    nodes: &mut BstNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    nodes.want_bst(1)?;
    let new = nodes.new_bst()?;
    let own = priority(i);
    let mut place = Place::Root(p);
    let mut below = nodes.linked(place);
    // The last entry before the new one that has been met.
    let mut last = None;
    while let Some(node) = below.filter(|n| priority(nodes.coordinate(*n)) > own) {
        place = match i < nodes.coordinate(node) {
            true => Place::Left(node),
            false => {
                last = Some(node);
                Place::Right(node)
            }
        };
        below = nodes.linked(place);
    }
    nodes.link(place, Some(new));
    // What was there is split into what is before the entry and what is behind it.
    let (mut before, mut behind) = (Place::Left(new), Place::Right(new));
    while let Some(node) = below {
        if nodes.coordinate(node) < i {
            last = Some(node);
            nodes.link(before, Some(node));
            before = Place::Right(node);
            below = nodes.linked(before);
        } else {
            nodes.link(behind, Some(node));
            behind = Place::Left(node);
            below = nodes.linked(behind);
        }
    }
    nodes.link(before, None);
    nodes.link(behind, None);
    nodes.set_bst_n(new, nodes.follows(p, last));
    nodes.thread(p, last, Some(new));
    nodes.put(nodes.bst_e(new), i);
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn bst_remove<Ix: Index, Li: Index>(
    nodes: &mut BstNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let (mut place, mut last) = (Place::Root(p), None);
    let gone = loop {
        let Some(node) = nodes.linked(place) else { return Ok(()) };
        match nodes.coordinate(node).cmp(&i) {
            Ordering::Equal => break node,
            Ordering::Less => (place, last) = (Place::Right(node), Some(node)),
            Ordering::Greater => place = Place::Left(node),
        }
    };
    let mut left = nodes.bst_l(gone);
    while let Some(node) = left {
        (last, left) = (Some(node), nodes.bst_r(node));
    }
    nodes.thread(p, last, nodes.bst_n(gone));
    let (mut before, mut behind) = (nodes.bst_l(gone), nodes.bst_r(gone));
    // The greater priority of the two stands above the other.
    loop {
        match (before, behind) {
            (Some(l), Some(r)) if priority(nodes.coordinate(l)) > priority(nodes.coordinate(r)) => {
                nodes.link(place, Some(l));
                place = Place::Right(l);
                before = nodes.linked(place);
            }
            (Some(_), Some(r)) => {
                nodes.link(place, Some(r));
                place = Place::Left(r);
                behind = nodes.linked(place);
            }
            (one, None) | (None, one) => break nodes.link(place, one),
        }
    }
    nodes.take(nodes.bst_e(gone));
    nodes.free_bst(gone);
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: the nodes are in order, so that a walk goes
/// through memory as through a list.
#[doc(hidden)]
pub fn bst_build<Ix: Index, Li: Index>(
    nodes: &mut BstNodes<'_, Ix, Li>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    nodes.want_bst(all.len())?;
    // The nodes from the root on to the right, to the last of which the next one is added, with their priorities.
    let mut spine: Vec<(usize, u64)> = Vec::new();
    let mut last = None;
    for &i in all {
        let (new, own) = (nodes.new_bst()?, priority(i));
        nodes.thread(p, last, Some(new));
        last = Some(new);
        nodes.place(nodes.bst_e(new), i);
        let mut below = None;
        while let Some((node, _)) = spine.pop_if(|(_, above)| *above < own) {
            below = Some(node);
        }
        nodes.set_bst_l(new, below);
        let place = spine.last().map_or(Place::Root(p), |(n, _)| Place::Right(*n));
        nodes.link(place, Some(new));
        spine.push((new, own));
    }
    Ok(())
}
