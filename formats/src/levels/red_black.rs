//! RedBlack: a red-black tree a fiber.

use crate::Index;
use std::cmp::Ordering;

crate::level! {
    /// A red-black tree of the stored coordinates of each fiber (Guibas and Sedgewick, *A dichromatic framework for balanced
    /// trees*, 1978; DynamicSparse figure 6e), with threads.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5            3          the root of fiber 0 is node 1, which is black
    ///             .  *  .  *  .  *          /   \
    ///             └run┘*└─r─┘*└r┘*        1       5      both red; rbtree = [l, r, p, n, c] a node, c = 1 if it is red
    ///
    /// crd = [-, 1, 3, 5]                                 the entry of node k is at position 1 + k
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once and in order, their coordinates are below `len`, and each leads to
    /// its parent and to the next. The root is black, no child of a red node is red, and from the root to wherever a link
    /// leads nowhere there are as many black nodes: so no path is more than twice as long as another. Nodes that are free
    /// are those in `rbtree_free`.
    ///
    /// Unlike a `Bst`, it is of logarithmic height whatever the coordinates are, and what it looks like depends on the
    /// order in which they came. An insertion turns two nodes at most, a deletion three.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a run; the state
    /// is a link. Costs: `walk` is linear in the entries; `locate`, an insertion and a deletion are logarithmic in them, but
    /// an insertion at the end takes constant time, amortized; `gallop` takes a few steps along the threads, then one down
    /// the tree, logarithmic in the entries; `build` is linear. Five words and a coordinate an entry. Written in any order.
    pub struct RedBlack<Child, Ix: Index = u32, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            rbtree_root { r: rbtree, f: first rbtree, t: last rbtree }
            rbtree {
                e: elem nonempty,
                l: rbtree,
                r: rbtree,
                p: parent,
                n: next rbtree,
                c: bool,
                seq = l, e, r
            }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::red_black_insert(nodes, p, i) }
    remove(p, i) { crate::levels::red_black_remove(nodes, p, i) }
    build(p, all) { crate::levels::red_black_build(nodes, p, all) }
    invariant(fibers) { crate::levels::red_black_balanced(fibers, rbtree_root, rbtree) }
}

/// That colours are as they should be, of trees that are otherwise checked.
#[doc(hidden)]
pub fn red_black_balanced<Li: Index>(
    fibers: usize,
    roots: &[Li],
    trees: &[Li],
) -> Result<(), String> {
    // A root is [r, f, t], a node [l, r, p, n, c].
    let word = |words: &[Li], at: usize| words[at].to_i64() as usize;
    let mut left = Vec::new();
    for p in 0..fibers {
        // The number of black nodes on the way to where a link leads nowhere.
        let mut height = None;
        // A link, whether it is in a red node, and the black nodes above it. What is above the root may be red.
        left.push((word(roots, 4 * p), true, 0usize));
        while let Some((link, below_red, blacks)) = left.pop() {
            let Some(node) = link.checked_sub(1) else {
                if *height.get_or_insert(blacks) != blacks {
                    return Err(format!(
                        "there are {blacks} black nodes above a link in fiber {p}, and not above others"
                    ));
                }
                continue;
            };
            let red = match word(trees, 5 * node + 4) {
                0 => false,
                1 => true,
                c => return Err(format!("`rbtree` {node} is of the colour {c}")),
            };
            if red && below_red {
                return Err(format!(
                    "`rbtree` {node} is red, and so is its parent, or it has none"
                ));
            }
            let blacks = blacks + usize::from(!red);
            left.extend([0, 1].map(|k| (word(trees, 5 * node + k), red, blacks)));
        }
    }
    Ok(())
}

impl<Ix: Index, Li: Index> RedBlackNodes<'_, Ix, Li> {
    fn coordinate(&self, node: usize) -> usize {
        self.at(self.rbtree_e(node))
    }

    /// Whether there is a red node: where there is none, it is as if there were a black one.
    fn red(&self, node: Option<usize>) -> bool {
        node.is_some_and(|node| self.rbtree_c(node) == 1)
    }

    fn paint(&mut self, node: usize, red: bool) {
        self.set_rbtree_c(node, usize::from(red));
    }

    /// The child of a node at its right, or at its left.
    fn side(&self, node: usize, right: bool) -> Option<usize> {
        match right {
            true => self.rbtree_r(node),
            false => self.rbtree_l(node),
        }
    }

    /// Whether a node is the child of another at its right.
    fn is_right(&self, parent: usize, node: usize) -> bool {
        self.rbtree_r(parent) == Some(node)
    }

    /// Makes `to` the child of a node.
    fn hang(&mut self, node: usize, right: bool, to: Option<usize>) {
        match right {
            true => self.set_rbtree_r(node, to),
            false => self.set_rbtree_l(node, to),
        }
        if let Some(to) = to {
            self.set_rbtree_p(to, Some(node));
        }
    }

    /// Makes `new` what `old` is to its parent, or to fiber `p`.
    fn replace(&mut self, p: usize, old: usize, new: Option<usize>) {
        let parent = self.rbtree_p(old);
        match parent {
            Some(parent) => self.hang(parent, self.is_right(parent, old), new),
            None => self.set_rbtree_root_r(p, new),
        }
        if let Some(new) = new {
            self.set_rbtree_p(new, parent);
        }
    }

    /// Turns the tree at a node, which goes down to its right, or to its left, and whose other child comes up.
    fn turn(&mut self, p: usize, node: usize, right: bool) {
        let Some(up) = self.side(node, !right) else { return };
        self.hang(node, !right, self.side(up, right));
        self.replace(p, node, Some(up));
        self.hang(up, right, Some(node));
    }

    /// Makes `to` the node that is met behind `last`, or first; and `last` the last, if there is none.
    fn thread(&mut self, p: usize, last: Option<usize>, to: Option<usize>) {
        match last {
            Some(node) => self.set_rbtree_n(node, to),
            None => self.set_rbtree_root_f(p, to),
        }
        if to.is_none() {
            self.set_rbtree_root_t(p, last);
        }
    }

    /// Restores the colours above a node that has become red.
    fn reddened(&mut self, p: usize, mut node: usize) {
        while let Some(mut parent) = self.rbtree_p(node).filter(|n| self.red(Some(*n))) {
            let Some(above) = self.rbtree_p(parent) else { break };
            let right = self.is_right(above, parent);
            if let Some(other) = self.side(above, !right).filter(|n| self.red(Some(*n))) {
                self.paint(parent, false);
                self.paint(other, false);
                self.paint(above, true);
                node = above;
                continue;
            }
            if self.is_right(parent, node) != right {
                self.turn(p, parent, right);
                parent = node;
            }
            self.paint(parent, false);
            self.paint(above, true);
            self.turn(p, above, !right);
            break;
        }
        if let Some(root) = self.rbtree_root_r(p) {
            self.paint(root, false);
        }
    }

    /// Restores the colours where a black node is gone: `node` stands there, if any does, below `parent`, at its right or
    /// at its left.
    fn blackened(
        &mut self,
        p: usize,
        mut node: Option<usize>,
        mut parent: Option<usize>,
        mut right: bool,
    ) {
        while let Some(above) = parent.filter(|_| !self.red(node)) {
            let Some(mut other) = self.side(above, !right) else { break };
            if self.red(Some(other)) {
                self.paint(other, false);
                self.paint(above, true);
                self.turn(p, above, right);
                let Some(next) = self.side(above, !right) else { break };
                other = next;
            }
            let (near, far) = (self.side(other, right), self.side(other, !right));
            if !self.red(near) && !self.red(far) {
                self.paint(other, true);
                (node, parent) = (Some(above), self.rbtree_p(above));
                right = parent.is_some_and(|parent| self.is_right(parent, above));
                continue;
            }
            if let Some(near) = near.filter(|_| !self.red(far)) {
                self.paint(near, false);
                self.paint(other, true);
                self.turn(p, other, !right);
                other = near;
            }
            self.paint(other, self.red(Some(above)));
            self.paint(above, false);
            if let Some(far) = self.side(other, !right) {
                self.paint(far, false);
            }
            self.turn(p, above, right);
            return;
        }
        if let Some(node) = node {
            self.paint(node, false);
        }
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn red_black_insert<Ix: Index, Li: Index>(
    nodes: &mut RedBlackNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    nodes.want_rbtree(1)?;
    let new = nodes.new_rbtree()?;
    // The node above the new one, the side of it, and the last node before the new one.
    let (mut parent, mut right, mut last) = (None, false, None);
    let end = nodes.rbtree_root_t(p).filter(|node| nodes.coordinate(*node) < i);
    let mut below = match end {
        Some(_) => {
            (parent, right, last) = (end, true, end);
            None
        }
        None => nodes.rbtree_root_r(p),
    };
    while let Some(node) = below {
        right = nodes.coordinate(node) < i;
        if right {
            last = Some(node);
        }
        parent = Some(node);
        below = nodes.side(node, right);
    }
    match parent {
        Some(parent) => nodes.hang(parent, right, Some(new)),
        None => nodes.set_rbtree_root_r(p, Some(new)),
    }
    let behind = last.map_or(nodes.rbtree_root_f(p), |node| nodes.rbtree_n(node));
    nodes.thread(p, last, Some(new));
    nodes.thread(p, Some(new), behind);
    nodes.put(nodes.rbtree_e(new), i);
    nodes.paint(new, true);
    nodes.reddened(p, new);
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn red_black_remove<Ix: Index, Li: Index>(
    nodes: &mut RedBlackNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let (mut below, mut last) = (nodes.rbtree_root_r(p), None);
    let gone = loop {
        let Some(node) = below else { return Ok(()) };
        match nodes.coordinate(node).cmp(&i) {
            Ordering::Equal => break node,
            Ordering::Less => (below, last) = (nodes.rbtree_r(node), Some(node)),
            Ordering::Greater => below = nodes.rbtree_l(node),
        }
    };
    let mut before = nodes.rbtree_l(gone);
    while let Some(node) = before {
        (last, before) = (Some(node), nodes.rbtree_r(node));
    }
    let behind = nodes.rbtree_n(gone);
    nodes.thread(p, last, behind);
    let (left, right) = (nodes.rbtree_l(gone), nodes.rbtree_r(gone));
    // What comes where a node was, its parent, and its side; and whether the node was red.
    let (node, parent, side, red);
    match behind.filter(|_| left.is_some() && right.is_some()) {
        // The next node, which has no child at its left, takes the place of the one that goes.
        Some(next) => {
            (node, red) = (nodes.rbtree_r(next), nodes.red(Some(next)));
            if right == Some(next) {
                (parent, side) = (Some(next), true);
            } else {
                (parent, side) = (nodes.rbtree_p(next), false);
                nodes.replace(p, next, node);
                nodes.hang(next, true, right);
            }
            nodes.replace(p, gone, Some(next));
            nodes.hang(next, false, left);
            nodes.paint(next, nodes.red(Some(gone)));
        }
        None => {
            (node, red) = (left.or(right), nodes.red(Some(gone)));
            parent = nodes.rbtree_p(gone);
            side = parent.is_some_and(|parent| nodes.is_right(parent, gone));
            nodes.replace(p, gone, node);
        }
    }
    if !red {
        nodes.blackened(p, node, parent, side);
    }
    nodes.take(nodes.rbtree_e(gone));
    nodes.free_rbtree(gone);
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend: the nodes are in order, so that a walk goes
/// through memory as through a list. All depths but the last are full, and black.
#[doc(hidden)]
pub fn red_black_build<Ix: Index, Li: Index>(
    nodes: &mut RedBlackNodes<'_, Ix, Li>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    nodes.want_rbtree(all.len())?;
    let mut made: Vec<usize> = Vec::with_capacity(all.len());
    for &i in all {
        let new = nodes.new_rbtree()?;
        nodes.place(nodes.rbtree_e(new), i);
        nodes.thread(p, made.last().copied(), Some(new));
        made.push(new);
    }
    nodes.set_rbtree_root_t(p, made.last().copied());
    let full = (all.len() + 1).ilog2();
    let middle = |range: &std::ops::Range<usize>| range.start + range.len() / 2;
    // Nodes of which the one in the middle is in the tree, and its depth.
    let mut left = vec![(0..all.len(), 0)];
    nodes.set_rbtree_root_r(p, made.get(middle(&left[0].0)).copied());
    while let Some((range, depth)) = left.pop() {
        if range.is_empty() {
            continue;
        }
        let at = middle(&range);
        nodes.paint(made[at], depth >= full);
        for (half, right) in [(range.start..at, false), (at + 1..range.end, true)] {
            if !half.is_empty() {
                nodes.hang(made[at], right, Some(made[middle(&half)]));
            }
            left.push((half, depth + 1));
        }
    }
    Ok(())
}
