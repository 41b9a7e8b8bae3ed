//! Room for nodes and entries: what is free, what is taken, and how much may be.

use super::{Kind, Step};
use crate::level::{grow, Index};

/// The number in word `at`.
pub(super) fn word<Li: Index>(words: &[Li], at: usize) -> usize {
    words[at].to_i64() as usize
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
pub fn room<Li: Index>(schema: &[Kind], arrays: &[&[Li]], entries: usize) -> Result<(), String> {
    // An insertion makes a few nodes, and room for a block that grows.
    const MARGIN: usize = 64;
    let most = Li::MAX.unsigned_abs() as usize;
    for (kind, words) in schema.iter().zip(arrays) {
        let nodes = words.len() / kind.stride.max(1);
        if nodes.saturating_add(MARGIN).saturating_mul(schema.len()) >= most {
            return Err(format!(
                "there are {nodes} nodes `{}`, and links of type {} count no more",
                kind.name,
                std::any::type_name::<Li>()
            ));
        }
    }
    // Nodes of bounded size that an insertion makes, by a quarter more than are needed.
    let blocks = schema.iter().filter_map(|kind| kind.entries).map(|e| e.most);
    let block = blocks.filter(|most| *most != usize::MAX).max().unwrap_or(1);
    let grown = entries.saturating_add(block.saturating_mul(4));
    match entries.saturating_mul(2) >= most || grown.saturating_add(grown / 4) >= most {
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

/// Makes the first pair of `spare`, which is the room at the end of `crd`, at least this large, unless there would be
/// more positions than `limit`; gives the number wanted then.
///
/// # Errors
/// There is no memory, or links do not count that many.
pub fn want<Ix: Index, Li: Index>(
    crd: &mut Vec<Ix>,
    spare: &mut Vec<Li>,
    room: usize,
    limit: usize,
) -> Result<Option<usize>, String> {
    if spare.is_empty() {
        spare.extend([crd.len(), 0].map(|n| Li::from_i64(n as i64)));
    }
    let (start, had) = (word(spare, 0), word(spare, 1));
    if had >= room {
        return Ok(None);
    }
    let (wanted, most) = (start.saturating_add(room), Li::MAX.unsigned_abs() as usize);
    if wanted > most {
        return Err(format!(
            "there is no room for {wanted} entries: links of type {} count no more",
            std::any::type_name::<Li>()
        ));
    }
    let more = wanted.saturating_add(wanted / 4).min(most);
    if wanted > limit {
        return Ok(Some(more));
    }
    let end = if limit == usize::MAX { more } else { limit };
    grow(crd, end, Ix::from_i64(0))?;
    spare[1] = Li::from_i64((end - start) as i64);
    Ok(None)
}

/// Room for this many entries, some that came free or some at the end; position 0 if there are none.
///
/// # Errors
/// There is not as much at the end as was wanted before.
pub fn allot<Li: Index>(spare: &mut Vec<Li>, room: usize) -> Result<usize, String> {
    if room == 0 {
        return Ok(0);
    }
    // The last that came free fits mostly, since nodes grow and shrink by steps; what fits nowhere waits for the arena to
    // be compacted.
    let pairs = spare.len() / 2;
    for k in (pairs.saturating_sub(16).max(1)..pairs).rev() {
        let (start, had) = (word(spare, 2 * k), word(spare, 2 * k + 1));
        if had < room {
            continue;
        }
        match had - room {
            0 => {
                let last = 2 * pairs - 2;
                spare.swap(2 * k, last);
                spare.swap(2 * k + 1, last + 1);
                spare.truncate(last);
            }
            rest => {
                spare[2 * k] = Li::from_i64((start + room) as i64);
                spare[2 * k + 1] = Li::from_i64(rest as i64);
            }
        }
        return Ok(start);
    }
    if pairs == 0 || word(spare, 1) < room {
        return Err(format!("no room was wanted for {room} entries"));
    }
    let (start, had) = (word(spare, 0), word(spare, 1));
    spare[0] = Li::from_i64((start + room) as i64);
    spare[1] = Li::from_i64((had - room) as i64);
    Ok(start)
}

/// Gives room back.
pub fn release<Li: Index>(spare: &mut Vec<Li>, start: usize, room: usize) {
    if room > 0 {
        spare.extend([start, room].map(|n| Li::from_i64(n as i64)));
    }
}

/// Gives the room at the end back that nothing was put in.
pub fn trim<Ix: Index, Li: Index>(crd: &mut Vec<Ix>, spare: &mut [Li]) {
    if spare.len() >= 2 {
        crd.truncate(word(spare, 0));
        spare[1] = Li::from_i64(0);
    }
}

/// Makes `more` nodes free, in the order in which they are then taken.
///
/// # Errors
/// There is no memory.
pub fn add<Li: Index>(
    words: &mut Vec<Li>,
    free: &mut Vec<Li>,
    stride: usize,
    more: usize,
) -> Result<(), String> {
    let nodes = words.len() / stride.max(1);
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
