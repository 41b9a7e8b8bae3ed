//! Entries come into a B-tree.

use super::{before, Trees, Way};

/// The way to where an entry at coordinate `i` belongs, in a leaf.
pub fn descend<N: Trees>(nodes: &N, p: usize, i: usize) -> Way {
    let mut way = Way::new();
    let mut next = nodes.top(p);
    while let Some(node) = next {
        let k = before(|q| nodes.coordinate(q), nodes.first(node), nodes.count(node), i);
        way.push((node, k));
        next = nodes.child(node, k);
    }
    way
}

/// Makes room for what an entry at the end of the way splits.
///
/// # Errors
/// There is none yet; nothing has changed.
pub fn want<N: Trees>(nodes: &mut N, way: &Way) -> Result<(), String> {
    let full = way.iter().rev().take_while(|(node, _)| nodes.count(*node) == N::MOST).count();
    match (full == way.len(), full) {
        (true, 0) => nodes.want(1, 0, 0),
        (false, 0) => Ok(()),
        (root, _) => nodes.want(1, full - 1 + usize::from(root), 0),
    }
}

/// Makes the entry at position 0 the one at the end of the way.
///
/// # Errors
/// No room was wanted before.
pub fn enter<N: Trees>(nodes: &mut N, p: usize, way: &Way) -> Result<(), String> {
    // The nodes at whose right end it comes.
    let ends = way.iter().take_while(|(node, k)| *k == nodes.count(*node)).count();
    // The node behind the entry, which goes up with it.
    let mut behind = None;
    for (depth, (node, k)) in way.iter().copied().enumerate().rev() {
        if nodes.count(node) < N::MOST {
            open(nodes, node, k, behind);
            return Ok(());
        }
        // What comes next comes at the end, too: the node that is left stays nearly full.
        let keep = if depth < ends { N::MOST - 1 } else { N::MOST / 2 };
        behind = Some(split(nodes, node, k, behind, keep)?);
    }
    let old = nodes.top(p);
    let root = nodes.make(old.is_none())?;
    nodes.set_child(root, 0, old);
    open(nodes, root, 0, behind);
    nodes.set_top(p, Some(root));
    Ok(())
}

/// Makes the entry at position 0 entry `k` of a node that has room, with a child behind it.
fn open<N: Trees>(nodes: &mut N, node: usize, k: usize, behind: Option<usize>) {
    let (first, n) = (nodes.first(node), nodes.count(node));
    nodes.carry(first + k, first + k + 1, n - k);
    nodes.carry(0, first + k, 1);
    nodes.set_count(node, n + 1);
    adopt(nodes, node, k + 1, n + 1, behind);
}

/// Makes `behind` child `at` of an internal node; those up to child `last - 1` move on by one.
fn adopt<N: Trees>(nodes: &mut N, node: usize, at: usize, last: usize, behind: Option<usize>) {
    if nodes.leaf(node) {
        return;
    }
    for k in (at..last).rev() {
        nodes.set_child(node, k + 1, nodes.child(node, k));
    }
    nodes.set_child(node, at, behind);
}

/// Splits a full node of which the entry at position 0 is to be entry `k`, with a child behind it: `keep` entries stay,
/// the next one goes to position 0, the rest into a new node.
fn split<N: Trees>(
    nodes: &mut N,
    node: usize,
    k: usize,
    behind: Option<usize>,
    keep: usize,
) -> Result<usize, String> {
    let most = N::MOST;
    let new = nodes.make(nodes.leaf(node))?;
    let (a, b) = (nodes.first(node), nodes.first(new));
    if k < keep {
        nodes.carry(a + keep, b, most - keep);
        nodes.carry(a + k, a + k + 1, keep - k);
        nodes.carry(0, a + k, 1);
        nodes.carry(a + keep, 0, 1);
    } else if k == keep {
        nodes.carry(a + keep, b, most - keep);
    } else {
        nodes.carry(a + keep + 1, b, k - keep - 1);
        nodes.carry(0, b + k - keep - 1, 1);
        nodes.carry(a + k, b + k - keep, most - k);
        nodes.carry(a + keep, 0, 1);
    }
    if !nodes.leaf(node) {
        // Of `most + 2` children, with the one behind the entry.
        for n in keep + 1..most + 2 {
            let child = match n.cmp(&(k + 1)) {
                std::cmp::Ordering::Less => nodes.child(node, n),
                std::cmp::Ordering::Equal => behind,
                std::cmp::Ordering::Greater => nodes.child(node, n - 1),
            };
            nodes.set_child(new, n - keep - 1, child);
        }
        if k < keep {
            adopt(nodes, node, k + 1, keep, behind);
        }
    }
    nodes.set_count(node, keep);
    nodes.set_count(new, most - keep);
    Ok(new)
}
