//! Room for nodes: what is free, what is taken, and how much may be.

use super::coded::LONGEST;
use super::{release, Kind, Step};
use crate::level::{grow, Index};
use std::ops::RangeInclusive;

/// The number in word `at`.
pub(super) fn word<Li: Index>(words: &[Li], at: usize) -> usize {
    words[at].to_i64() as usize
}

/// The greatest number that a link may be.
pub(super) fn greatest<Li: Index>() -> usize {
    usize::try_from(Li::MAX.unsigned_abs() - 1).unwrap_or(usize::MAX)
}

/// Ends what may not fail, as room was found for it before.
///
/// # Panics
/// If it failed: there is no memory.
#[inline]
#[track_caller]
pub fn done(result: Result<usize, Short>) {
    if let Err(reason) = result {
        panic!("{}", String::from(reason));
    }
}

/// Refuses one more entry where links may not count that many nodes or positions.
///
/// # Errors
/// Links of this type cannot.
pub fn room<Li: Index>(
    schema: &[Kind],
    arrays: &[&[Li]],
    free: &[&[Li]],
    entries: usize,
) -> Result<(), String> {
    // An insertion makes a few nodes, and room for a block that grows.
    const MARGIN: usize = 64;
    let most = Li::MAX.unsigned_abs() as usize;
    let mut positions = Some(1);
    for (k, (kind, words)) in schema.iter().zip(arrays).enumerate() {
        // What is free is taken again before there is more.
        let unused = k.checked_sub(1).map_or(0, |k| free[k].len());
        let nodes = (words.len() / kind.stride.max(1)).saturating_sub(unused);
        // Where a node does not say which position its entries begin at, that follows from its number.
        positions = match kind.entries {
            Some(e) if e.start.is_some() => None,
            Some(e) => positions.map(|n: usize| n.saturating_add(nodes.saturating_mul(e.most))),
            None => positions,
        };
        if nodes.saturating_add(MARGIN).saturating_mul(schema.len()) >= most {
            return Err(format!(
                "there are {nodes} nodes `{}` in use, and links of type {} count no more",
                kind.name,
                std::any::type_name::<Li>()
            ));
        }
    }
    let entries = positions.map_or(entries, |n| n.min(entries));
    // Nodes of bounded size that an insertion makes, by a quarter more than are needed.
    let size = |e: super::Entries| e.most.saturating_mul(if e.coded { LONGEST } else { 1 });
    let blocks = schema.iter().filter_map(|kind| kind.entries).map(size);
    let block = blocks.filter(|most| *most != usize::MAX).max().unwrap_or(1);
    let grown = entries.saturating_add(block.saturating_mul(4));
    // A block that grows is moved. Where an entry comes, it and its neighbours take other numbers.
    let coded = schema.iter().filter_map(|kind| kind.entries).any(|e| e.coded);
    let moved = entries.saturating_add(if coded { 4 * LONGEST } else { 0 });
    match moved.saturating_mul(2) >= most || grown.saturating_add(grown / 4) >= most {
        true => Err(format!(
            "there is room for {entries} entries, and links of type {} count no more",
            std::any::type_name::<Li>()
        )),
        false => Ok(()),
    }
}

/// Why a function of the author's did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Short {
    /// Positions up to this one are needed: once there is a child for each, it is to be called again.
    Wanted(usize),
    /// The reason.
    Refused(String),
}

impl From<Short> for String {
    fn from(short: Short) -> String {
        match short {
            Short::Wanted(n) => format!("there is no room for {n} entries"),
            Short::Refused(reason) => reason,
        }
    }
}

/// The greatest number that links count to, if `positions` is none beyond it.
///
/// # Errors
/// It is.
pub fn counted<Li: Index>(positions: usize) -> Result<usize, String> {
    let most = greatest::<Li>();
    match positions > most {
        true => Err(format!(
            "there is no room for {positions} entries: links of type {} count no more",
            std::any::type_name::<Li>()
        )),
        false => Ok(most),
    }
}

/// Makes nodes free, in the order in which they are then taken: as many of `more` as links count. A node has `stride` words, and
/// is numbered among those of `types` types.
///
/// # Errors
/// There is no memory, or links do not count the fewest of `more`.
pub fn add<Li: Index>(
    words: &mut Vec<Li>,
    free: &mut Vec<Li>,
    (stride, types): (usize, usize),
    more: RangeInclusive<usize>,
) -> Result<(), String> {
    let nodes = words.len() / stride.max(1);
    // A link is one more than the number of a node, times that of types, with the type.
    let most = greatest::<Li>() / types.max(1);
    if nodes.saturating_add(*more.start()) > most {
        return Err(format!(
            "there is no room for {} nodes: links of type {} count no more",
            nodes.saturating_add(*more.start()),
            std::any::type_name::<Li>()
        ));
    }
    let more = (*more.end()).clamp(*more.start(), most - nodes);
    crate::level::room(free, more)?;
    grow(words, (nodes + more) * stride, Li::from_i64(0))?;
    let added = (nodes..nodes + more).rev().map(|node| Li::from_i64(node as i64));
    // What was free before is taken first.
    let before = free.len();
    free.extend(added);
    free.rotate_left(before);
    Ok(())
}

/// Takes all nodes out of fiber `p`; gives the positions of the entries.
pub fn erase<Li: Index>(
    schema: &[Kind],
    arrays: &mut [&mut Vec<Li>],
    free: &mut [&mut Vec<Li>],
    mut spare: Option<&mut Vec<Li>>,
    p: usize,
) -> Vec<usize> {
    let mut entries = Vec::new();
    let mut left = vec![(0, p)];
    while let Some((k, node)) = left.pop() {
        let kind = &schema[k];
        let words = &mut arrays[k];
        let base = node * kind.stride;
        if let Some(e) = &kind.entries {
            let first = e.start.map_or_else(|| 1 + node * e.most, |at| word(words, base + at));
            let count = e.size.map_or(1, |at| word(words, base + at));
            entries.extend(first..first + count);
            if let (Some(spare), true) = (&mut spare, first > 0) {
                let room = e.room.map_or(e.most, |at| word(words, base + at));
                release(spare, first, room);
            }
        }
        for step in kind.steps {
            let (at, to, several) = match *step {
                Step::Entries => continue,
                Step::Link(at, to) => (at, to, 1),
                Step::Mixed(at, to) => {
                    let size =
                        kind.entries.and_then(|e| e.size).map_or(0, |s| word(words, base + s));
                    (at, to, size)
                }
            };
            for at in at..at + several {
                if let Some(link) = word(words, base + at).checked_sub(1) {
                    left.push((to[link % to.len()], link / to.len()));
                }
            }
        }
        words[base..base + kind.stride].fill(Li::from_i64(0));
        if k > 0 {
            free[k - 1].push(Li::from_i64(node as i64));
        }
    }
    entries
}
