//! A B-tree of entries that are all known.

use super::Trees;

/// How many entries there are that go up from the leaves, from there, and so on: of `most + 1` one goes up.
fn levels(most: usize, entries: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(entries), move |n| Some(n / (most + 1))).take_while(|n| *n > 0)
}

/// How many leaves and internal nodes a tree of this many entries has.
pub fn needed(most: usize, entries: usize) -> (usize, usize) {
    let mut each = levels(most, entries).map(|n| n / (most + 1) + 1);
    (each.next().unwrap_or(0), each.sum())
}

/// Whether entry `t` of the `n` at a depth goes up: one behind each full node, but for one before the last, so that there
/// is one for the last node.
fn rises(most: usize, n: usize, t: usize) -> bool {
    match n.is_multiple_of(most + 1) && t + 2 >= n {
        true => t + 2 == n,
        false => t % (most + 1) == most,
    }
}

/// Makes the entries of a tree, which has none, at coordinates that ascend: nodes are made in the order in which they
/// are met, and full ones but for those at the right end.
///
/// # Errors
/// No room was wanted before.
pub fn grow<N: Trees>(nodes: &mut N, p: usize, all: &[usize]) -> Result<(), String> {
    // From the leaves upwards: how many entries there are to be, how many there are, and the last node.
    let totals: Vec<usize> = levels(N::MOST, all.len()).collect();
    let mut met = vec![0; totals.len()];
    let mut last: Vec<usize> = Vec::new();
    for &i in all {
        let mut level = 0;
        while rises(N::MOST, totals[level], met[level]) {
            met[level] += 1;
            level += 1;
        }
        met[level] += 1;
        if level == last.len() {
            let root = nodes.make(level == 0)?;
            nodes.set_child(root, 0, nodes.top(p));
            nodes.set_top(p, Some(root));
            last.push(root);
        }
        let (mut above, mut k) = (last[level], nodes.count(last[level]) + 1);
        nodes.set_coordinate(nodes.first(above) + k - 1, i);
        nodes.set_count(above, k);
        // Behind it a node begins at each depth below.
        for below in (0..level).rev() {
            let new = nodes.make(below == 0)?;
            nodes.set_child(above, k, Some(new));
            last[below] = new;
            (above, k) = (new, 0);
        }
    }
    Ok(())
}
