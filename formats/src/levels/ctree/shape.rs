//! That the shape of a C-tree follows from what it holds.

use super::{is_head, priority};
use crate::Index;

/// That heads are the entries whose hash says so, that they are in the order of their priorities, and that no chunk is
/// empty, of nodes that are otherwise checked.
#[doc(hidden)]
pub fn ctree_shape<Ix: Index, Li: Index, const B: usize>(
    fibers: usize,
    roots: &[Li],
    trees: &[Li],
    chunks: &[Li],
    crd: &[Ix],
) -> Result<(), String> {
    // A root is [p, r], a head [position, t, l, r], a chunk [first, room, n].
    let word = |words: &[Li], at: usize| words[at].to_i64() as usize;
    let at = |q: usize| crd[q].to_i64() as usize;
    let coordinate = |head: usize| at(word(trees, 4 * head));
    let tail = |link: usize| {
        let Some(chunk) = link.checked_sub(1) else { return Ok(()) };
        let (first, n) = (word(chunks, 3 * chunk), word(chunks, 3 * chunk + 2));
        if n == 0 {
            return Err(format!("`chunk` {chunk} has no entries"));
        }
        match (first..first + n).map(at).find(|i| is_head::<B>(*i)) {
            Some(i) => Err(format!("`chunk` {chunk} has an entry at {i}, which is a head")),
            None => Ok(()),
        }
    };
    let mut left = Vec::new();
    for p in 0..fibers {
        tail(word(roots, 3 * p))?;
        left.extend(word(roots, 3 * p + 1).checked_sub(1));
        while let Some(head) = left.pop() {
            let i = coordinate(head);
            if !is_head::<B>(i) {
                return Err(format!("`tree` {head} has an entry at {i}, which is no head"));
            }
            tail(word(trees, 4 * head + 1))?;
            for below in [2, 3].into_iter().filter_map(|k| word(trees, 4 * head + k).checked_sub(1))
            {
                if priority(coordinate(below)) > priority(i) {
                    return Err(format!(
                        "the priority of `tree` {below} is above that of {head}, its parent"
                    ));
                }
                left.push(below);
            }
        }
    }
    Ok(())
}
