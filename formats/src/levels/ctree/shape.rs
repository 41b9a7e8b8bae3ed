//! That the shape of a C-tree follows from what it holds.

use super::{is_head, priority};
use crate::Index;

/// The words of the nodes of a C-tree: a root is `[p, r, count]`, a chunk `[first, room, n]`.
pub struct Words<'a, Li> {
    pub roots: &'a [Li],
    /// A head is `[first, t, l, r]`, or `[first, room, t, l, r]`: `t` is word `tail`.
    pub trees: &'a [Li],
    pub tail: usize,
    pub chunks: &'a [Li],
}

/// That heads are the entries whose hash says so, that they are in the order of their priorities, and that no chunk is
/// empty, of nodes that are otherwise checked. `read` gives the coordinates of so many entries from a position on.
pub fn shape<Li: Index, const B: usize>(
    fibers: usize,
    words: &Words<'_, Li>,
    read: impl Fn(usize, usize) -> Vec<usize>,
) -> Result<(), String> {
    let word = |words: &[Li], at: usize| words[at].to_i64() as usize;
    let of_head = |head: usize, at: usize| word(words.trees, (words.tail + 3) * head + at);
    let coordinate = |head: usize| read(of_head(head, 0), 1)[0];
    let tail = |link: usize| {
        let Some(chunk) = link.checked_sub(1) else { return Ok(()) };
        let (first, n) = (word(words.chunks, 3 * chunk), word(words.chunks, 3 * chunk + 2));
        if n == 0 {
            return Err(format!("`chunk` {chunk} has no entries"));
        }
        match read(first, n).into_iter().find(|i| is_head::<B>(*i)) {
            Some(i) => Err(format!("`chunk` {chunk} has an entry at {i}, which is a head")),
            None => Ok(()),
        }
    };
    let mut left = Vec::new();
    for p in 0..fibers {
        tail(word(words.roots, 3 * p))?;
        left.extend(word(words.roots, 3 * p + 1).checked_sub(1));
        while let Some(head) = left.pop() {
            let i = coordinate(head);
            if !is_head::<B>(i) {
                return Err(format!("`tree` {head} has an entry at {i}, which is no head"));
            }
            tail(of_head(head, words.tail))?;
            for below in [1, 2].iter().filter_map(|k| of_head(head, words.tail + k).checked_sub(1))
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

/// [`shape`] of a C-tree whose coordinates are words.
#[doc(hidden)]
pub fn ctree_shape<Ix: Index, Li: Index, const B: usize>(
    fibers: usize,
    roots: &[Li],
    trees: &[Li],
    chunks: &[Li],
    crd: &[Ix],
) -> Result<(), String> {
    let read = |first: usize, n: usize| {
        crd[first..first + n].iter().map(|i| i.to_i64() as usize).collect()
    };
    shape::<Li, B>(fibers, &Words { roots, trees, tail: 1, chunks }, read)
}
