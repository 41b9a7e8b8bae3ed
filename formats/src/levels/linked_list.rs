//! LinkedList: a singly linked list a fiber.

use crate::Index;

crate::level! {
    /// A linked list of the stored coordinates of each fiber (DynamicSparse figure 6a), with a link to its end.
    ///
    /// ```text
    /// coordinate  0  1  2  3  4  5         h                t
    ///             .  *  .  *  .  *         │                │      list_head = [h, t] a fiber
    ///             └run┘*└─r─┘*└r┘*         1 ──▶ 3 ──▶ 5 ◀──┘      list = [n] a node, crd = [-, 1, 5, 3]
    ///
    ///                                      the entry of node k is at position 1 + k
    /// ```
    ///
    /// Invariant: the nodes of a fiber are linked once and in order, their coordinates are below `len`, and `t` leads to
    /// the last of them. Nodes that are free are those in `list_free`.
    ///
    /// Looplets: a pipeline of a stepper (`walk`, `follow`) or jumper (`gallop`, `lead`) of spikes, then a run. Costs:
    /// `walk` is linear in the entries; `locate`, an insertion and a deletion are linear in the entries before the
    /// coordinate, but an insertion at the end takes constant time; `gallop` is no faster than `walk`; `build` is linear.
    /// A link and a coordinate an entry. Written in any order.
    pub struct LinkedList<Child, Ix: Index = u32, Link: Index = u32> {
        len: usize,
        unsafe nodes<Ix, Link> {
            list_head { h: list, t: last list }
            list { e: elem nonempty, n: list, seq = e, n }
        }
        child: Child,
    }
    insert(p, i) { crate::levels::linked_list_insert(nodes, p, i) }
    remove(p, i) { crate::levels::linked_list_remove(nodes, p, i) }
    build(p, all) { crate::levels::linked_list_build(nodes, p, all) }
}

impl<Ix: Index, Li: Index> LinkedListNodes<'_, Ix, Li> {
    fn coordinate(&self, node: usize) -> usize {
        self.at(self.list_e(node))
    }

    /// The node behind `before`, or the first.
    fn behind(&self, p: usize, before: Option<usize>) -> Option<usize> {
        before.map_or(self.list_head_h(p), |node| self.list_n(node))
    }

    /// Makes `to` the node behind `before`, or the first; and `before` the last, if there is none.
    fn lead(&mut self, p: usize, before: Option<usize>, to: Option<usize>) {
        match before {
            Some(node) => self.set_list_n(node, to),
            None => self.set_list_head_h(p, to),
        }
        if to.is_none() {
            self.set_list_head_t(p, before);
        }
    }

    /// The last node of fiber `p` before coordinate `i`.
    fn before(&self, p: usize, i: usize) -> Option<usize> {
        let tail = self.list_head_t(p);
        if tail.is_some_and(|node| self.coordinate(node) < i) {
            return tail;
        }
        let mut before = None;
        while let Some(node) = self.behind(p, before).filter(|n| self.coordinate(*n) < i) {
            before = Some(node);
        }
        before
    }
}

/// Makes an entry of fiber `p` at `i`, where there is none.
#[doc(hidden)]
pub fn linked_list_insert<Ix: Index, Li: Index>(
    nodes: &mut LinkedListNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    nodes.want_list(1)?;
    let new = nodes.new_list()?;
    let before = nodes.before(p, i);
    let behind = nodes.behind(p, before);
    nodes.set_list_n(new, behind);
    nodes.lead(p, before, Some(new));
    if behind.is_none() {
        nodes.set_list_head_t(p, Some(new));
    }
    nodes.put(nodes.list_e(new), i);
    Ok(())
}

/// Takes the entry of fiber `p` at `i` out.
#[doc(hidden)]
pub fn linked_list_remove<Ix: Index, Li: Index>(
    nodes: &mut LinkedListNodes<'_, Ix, Li>,
    p: usize,
    i: usize,
) -> Result<(), String> {
    let before = nodes.before(p, i);
    let Some(gone) = nodes.behind(p, before) else { return Ok(()) };
    nodes.lead(p, before, nodes.list_n(gone));
    nodes.take(nodes.list_e(gone));
    nodes.free_list(gone);
    Ok(())
}

/// Makes the entries of fiber `p`, which has none, at coordinates that ascend.
#[doc(hidden)]
pub fn linked_list_build<Ix: Index, Li: Index>(
    nodes: &mut LinkedListNodes<'_, Ix, Li>,
    p: usize,
    all: &[usize],
) -> Result<(), String> {
    nodes.want_list(all.len())?;
    let mut last = None;
    for &i in all {
        let new = nodes.new_list()?;
        nodes.place(nodes.list_e(new), i);
        nodes.lead(p, last, Some(new));
        last = Some(new);
    }
    nodes.set_list_head_t(p, last);
    Ok(())
}
