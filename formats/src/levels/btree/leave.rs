//! Entries go out of a B-tree.

use super::{before, Trees, Way};

/// The position of the entry at coordinate `i`, and the way to it.
pub fn find<N: Trees>(nodes: &N, p: usize, i: usize) -> Option<(usize, Way)> {
    let mut way = Way::new();
    let mut next = nodes.top(p);
    while let Some(node) = next {
        let (first, n) = (nodes.first(node), nodes.count(node));
        let k = before(|q| nodes.coordinate(q), first, n, i);
        way.push((node, k));
        if k < n && nodes.coordinate(first + k) == i {
            return Some((first + k, way));
        }
        next = nodes.child(node, k);
    }
    None
}

/// Makes up for the entry at the end of the way, which was moved elsewhere.
pub fn leave<N: Trees>(nodes: &mut N, p: usize, mut way: Way) {
    let Some(&(node, k)) = way.last() else { return };
    if !nodes.leaf(node) {
        // The entry before it, which is in a leaf, comes to its place.
        let mut next = nodes.child(node, k);
        while let Some(below) = next {
            let n = nodes.count(below);
            next = nodes.child(below, n);
            way.push((below, if next.is_some() { n } else { n - 1 }));
        }
        if let Some(&(leaf, last)) = way.last() {
            nodes.carry(nodes.first(leaf) + last, nodes.first(node) + k, 1);
        }
    }
    if let Some(&(leaf, k)) = way.last() {
        close(nodes, leaf, k);
    }
    mend(nodes, p, way);
}

/// Closes the gap at entry `k` of a node.
fn close<N: Trees>(nodes: &mut N, node: usize, k: usize) {
    let (first, n) = (nodes.first(node), nodes.count(node));
    nodes.carry(first + k + 1, first + k, n - k - 1);
    nodes.set_count(node, n - 1);
}

/// Gives nodes of the way that have become too small the entries of those beside them, from the last one upwards.
fn mend<N: Trees>(nodes: &mut N, p: usize, mut way: Way) {
    while let Some((node, _)) = way.pop() {
        let n = nodes.count(node);
        let Some(&(parent, k)) = way.last() else {
            if n == 0 {
                nodes.set_top(p, nodes.child(node, 0));
                nodes.free(node);
            }
            return;
        };
        let end = way.iter().all(|(node, k)| *k == nodes.count(*node));
        if n >= if end { 1 } else { N::MOST / 2 } {
            return;
        }
        let between = k.saturating_sub(1);
        let pair = (nodes.child(parent, between), nodes.child(parent, between + 1));
        let (Some(left), Some(right)) = pair else { return };
        let both = nodes.count(left) + nodes.count(right);
        if both + 1 > N::MOST {
            // At the right end what is left stays nearly full: the next entry goes there, or comes there.
            let keep = if end { both - 1 } else { both / 2 };
            share(nodes, parent, between, left, right, keep);
            return;
        }
        merge(nodes, parent, between, left, right);
    }
}

/// Moves entry `between` of the parent and all of `right` into `left`.
fn merge<N: Trees>(nodes: &mut N, parent: usize, between: usize, left: usize, right: usize) {
    let (l, r) = (nodes.count(left), nodes.count(right));
    let (a, b) = (nodes.first(left), nodes.first(right));
    nodes.carry(nodes.first(parent) + between, a + l, 1);
    nodes.carry(b, a + l + 1, r);
    for k in 0..=r {
        nodes.set_child(left, l + 1 + k, nodes.child(right, k));
    }
    nodes.set_count(left, l + 1 + r);
    for k in between + 1..nodes.count(parent) {
        nodes.set_child(parent, k, nodes.child(parent, k + 1));
    }
    close(nodes, parent, between);
    nodes.free(right);
}

/// Moves entries through entry `between` of the parent so that `left` has `keep`.
fn share<N: Trees>(
    nodes: &mut N,
    parent: usize,
    between: usize,
    left: usize,
    right: usize,
    keep: usize,
) {
    let (l, r) = (nodes.count(left), nodes.count(right));
    let (a, b, q) = (nodes.first(left), nodes.first(right), nodes.first(parent) + between);
    if keep < l {
        let n = l - keep;
        nodes.carry(b, b + n, r);
        nodes.carry(q, b + n - 1, 1);
        nodes.carry(a + keep + 1, b, n - 1);
        nodes.carry(a + keep, q, 1);
        for k in (0..=r).rev() {
            nodes.set_child(right, k + n, nodes.child(right, k));
        }
        for k in 0..n {
            nodes.set_child(right, k, nodes.child(left, keep + 1 + k));
        }
    } else if keep > l {
        let n = keep - l;
        nodes.carry(q, a + l, 1);
        nodes.carry(b, a + l + 1, n - 1);
        nodes.carry(b + n - 1, q, 1);
        nodes.carry(b + n, b, r - n);
        for k in 0..n {
            nodes.set_child(left, l + 1 + k, nodes.child(right, k));
        }
        for k in n..=r {
            nodes.set_child(right, k - n, nodes.child(right, k));
        }
    }
    nodes.set_count(left, keep);
    nodes.set_count(right, l + r - keep);
}
