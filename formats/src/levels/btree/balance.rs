//! Whether a B-tree is balanced.

use crate::Index;

/// The words of a leaf: where its entries are, and how many there are.
const LEAF: usize = 2;
/// The words of an internal node before its links but the first: where its entries are, the first link, how many there are.
const INTERNAL: usize = 3;

/// A word of a node; 0 if there is none.
pub fn word<Li: Index>(words: &[Li], at: usize) -> usize {
    words.get(at).map_or(0, |w| w.to_i64() as usize)
}

/// Whether all leaves of each tree are at one depth, and nodes that are not at the right end hold half of `most` or more.
/// The nodes are known to be trees; `tops` are links to their roots.
///
/// # Errors
/// What does not hold, and of which node.
pub fn balanced<Li: Index>(
    most: usize,
    tops: impl Iterator<Item = usize>,
    internal: &[Li],
    leaf: &[Li],
) -> Result<(), String> {
    // Links that are left, the depth of what they lead to, and whether that is at the right end.
    let mut left = Vec::new();
    for (p, top) in tops.enumerate() {
        let mut bottom = None;
        left.push((top, 0usize, true));
        while let Some((link, depth, end)) = left.pop() {
            let Some(reference) = link.checked_sub(1) else { continue };
            let (node, is_leaf) = (reference / 2, reference % 2 == 1);
            let (name, n) = match is_leaf {
                true => ("btree_leaf", word(leaf, node * LEAF + 1)),
                false => ("btree_internal", word(internal, node * (INTERNAL + most) + 2)),
            };
            if !end && n < most / 2 {
                return Err(format!("`{name}` {node} has {n} entries, fewer than half of {most}"));
            }
            if is_leaf {
                if *bottom.get_or_insert(depth) != depth {
                    return Err(format!("the leaves of fiber {p} are not all at one depth"));
                }
                continue;
            }
            let base = node * (INTERNAL + most);
            for k in 0..=n.min(most) {
                let at = if k == 0 { base + 1 } else { base + INTERNAL + k - 1 };
                match word(internal, at) {
                    0 => {
                        return Err(format!(
                            "`{name}` {node} has no node before or behind an entry"
                        ))
                    }
                    link => left.push((link, depth + 1, end && k == n)),
                }
            }
        }
    }
    Ok(())
}
