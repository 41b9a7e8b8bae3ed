//! Room for entries: which positions are free.
//!
//! `spare` holds pairs of a start and a room. The first is what is left at the end. The others came free; they are a heap
//! with the largest on top, the pair at 1, and the children of the one at `k` at `2 * k` and `2 * k + 1`. So small ones are
//! behind, and the one that came last mostly too. The order is no invariant: if it is lost, room is found later.

use super::arena::{greatest, word};
use crate::level::{grow, Index};
use std::cmp::Reverse;

/// How many of the last pairs are looked at before the largest.
const NEAR: usize = 8;

/// Makes sure that this much room can be taken, at once or in parts, unless there would be more positions than `limit`;
/// gives the number wanted then.
///
/// # Errors
/// There is no memory, or links do not count that many.
pub fn want<Ix: Index, Li: Index>(
    crd: &mut Vec<Ix>,
    spare: &mut Vec<Li>,
    room: usize,
    limit: usize,
) -> Result<Option<usize>, String> {
    let most = greatest::<Li>();
    if spare.is_empty() {
        spare.extend([crd.len().min(most), 0].map(|n| Li::from_i64(n as i64)));
    }
    if limit != usize::MAX && limit > crd.len() {
        // Where there are children for more, there are positions.
        lengthen(crd, spare, limit)?;
    }
    if fits(spare, room) {
        return Ok(None);
    }
    // What is next to each other becomes one. If that is half of the pairs, each of them has been free only since the last
    // time, and pays for it. If not, the end grows, by a share of all positions, and pays.
    let fewer = unite(spare);
    let wanted = word(spare, 0).saturating_add(room);
    if fits(spare, room) && (fewer || wanted > most) {
        return Ok(None);
    }
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
    lengthen(crd, spare, more.min(limit))?;
    Ok(None)
}

/// Makes this many positions, of which there are fewer: what is new is at the end.
fn lengthen<Ix: Index, Li: Index>(
    crd: &mut Vec<Ix>,
    spare: &mut [Li],
    end: usize,
) -> Result<(), String> {
    grow(crd, end, Ix::from_i64(0))?;
    // Where the last entry ends is counted, too.
    let end = end.min(greatest::<Li>());
    spare[1] = Li::from_i64(end.saturating_sub(word(spare, 0)) as i64);
    Ok(())
}

/// Whether this much is free, at the end or elsewhere.
fn fits<Li: Index>(spare: &[Li], room: usize) -> bool {
    word(spare, 1) >= room || spare.len() > 2 && word(spare, 3) >= room
}

/// Room for this many entries, some that came free or some at the end; position 0 if there are none.
///
/// # Errors
/// There is not as much as was wanted before.
pub fn allot<Li: Index>(spare: &mut Vec<Li>, room: usize) -> Result<usize, String> {
    if room == 0 {
        return Ok(0);
    }
    let pairs = spare.len() / 2;
    let fit = |k: &usize| word(spare, 2 * k + 1) >= room;
    let near = (pairs.saturating_sub(NEAR).max(1)..pairs).rev().filter(fit);
    let near = near.min_by_key(|k| word(spare, 2 * k + 1));
    if let Some(k) = near.or((pairs > 1).then_some(1).filter(fit)) {
        let (start, had) = (word(spare, 2 * k), word(spare, 2 * k + 1));
        if had == room {
            let last = 2 * pairs - 2;
            spare.swap(2 * k, last);
            spare.swap(2 * k + 1, last + 1);
            spare.truncate(last);
        } else {
            spare[2 * k] = Li::from_i64((start + room) as i64);
            spare[2 * k + 1] = Li::from_i64((had - room) as i64);
        }
        rise(spare, k);
        sink(spare, k);
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
        let last = spare.len() / 2 - 1;
        rise(spare, last);
    }
}

/// Gives the room at the end back that nothing was put in.
pub fn trim<Ix: Index, Li: Index>(crd: &mut Vec<Ix>, spare: &mut [Li]) {
    if spare.len() >= 2 {
        crd.truncate(word(spare, 0));
        spare[1] = Li::from_i64(0);
    }
}

/// Moves the pair at `k` up, as long as those above are smaller.
fn rise<Li: Index>(spare: &mut [Li], mut k: usize) {
    let pairs = spare.as_chunks_mut::<2>().0;
    while k > 1 && k < pairs.len() && word(&pairs[k / 2], 1) < word(&pairs[k], 1) {
        pairs.swap(k, k / 2);
        k /= 2;
    }
}

/// Moves the pair at `k` down, as long as one below is larger.
fn sink<Li: Index>(spare: &mut [Li], mut k: usize) {
    let pairs = spare.as_chunks_mut::<2>().0;
    loop {
        let below = (2 * k..pairs.len().min(2 * k + 2)).max_by_key(|c| word(&pairs[*c], 1));
        let Some(c) = below.filter(|c| word(&pairs[*c], 1) > word(&pairs[k], 1)) else { return };
        pairs.swap(k, c);
        k = c;
    }
}

/// Makes what is next to each other one pair; says whether there are half as many pairs then, or fewer.
fn unite<Li: Index>(spare: &mut Vec<Li>) -> bool {
    let pairs = spare.as_chunks_mut::<2>().0;
    let before = pairs.len();
    let Some((end, free)) = pairs.split_first_mut() else { return false };
    let past = |pair: &[Li; 2]| word(pair, 0) + word(pair, 1);
    let join = |before: &[Li; 2], behind: &[Li; 2]| {
        [before[0], Li::from_i64((word(before, 1) + word(behind, 1)) as i64)]
    };
    free.sort_unstable_by_key(|pair| word(pair, 0));
    let mut kept = 0;
    for k in 0..free.len() {
        let pair = free[k];
        match kept > 0 && past(&free[kept - 1]) == word(&pair, 0) {
            true => free[kept - 1] = join(&free[kept - 1], &pair),
            false => {
                free[kept] = pair;
                kept += 1;
            }
        }
    }
    if kept > 0 && past(&free[kept - 1]) == word(end, 0) {
        kept -= 1;
        *end = join(&free[kept], end);
    }
    free[..kept].sort_unstable_by_key(|pair| Reverse(word(pair, 1)));
    spare.truncate(2 * (1 + kept));
    2 * kept < before
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks that come, grow and go at random take no more than a few times the room that they need.
    #[test]
    fn what_came_free_is_used_again() {
        let (mut crd, mut spare) = (vec![0u32], Vec::<u32>::new());
        let (mut blocks, mut state) = (Vec::new(), 1u64);
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n
        };
        for step in 0..300_000 {
            if blocks.len() < 500 {
                let room = 1 + below(40);
                let wanted = want(&mut crd, &mut spare, room, usize::MAX).unwrap();
                assert_eq!(wanted, None);
                blocks.push((allot(&mut spare, room).unwrap(), room));
            } else {
                let (start, room) = blocks.swap_remove(below(500));
                release(&mut spare, start, room);
            }
            if step % 10_000 == 0 {
                let free = spare.as_chunks::<2>().0.iter().map(|p| (p[0] as usize, p[1] as usize));
                let mut all: Vec<_> =
                    blocks.iter().copied().chain(free.filter(|p| p.1 > 0)).collect();
                all.sort_unstable();
                let end =
                    all.iter().try_fold(1, |at, (start, room)| (at == *start).then_some(at + room));
                assert_eq!(end, Some(crd.len()), "positions are taken twice or lost");
            }
        }
        let taken: usize = blocks.iter().map(|b| b.1).sum();
        assert!(crd.len() < 4 * taken, "{} positions for {taken}", crd.len());
    }

    /// What was wanted can be taken in parts.
    #[test]
    fn parts_of_what_was_wanted() {
        let (mut crd, mut spare) = (vec![0u32; 41], vec![41u32, 0, 1, 10, 21, 20]);
        assert_eq!(want(&mut crd, &mut spare, 20, 41), Ok(None));
        for _ in 0..3 {
            allot(&mut spare, 5).unwrap();
        }
        allot(&mut spare, 5).unwrap();
        assert_eq!(crd.len(), 41);
        // Next to each other, and to the end.
        let mut spare = vec![31u32, 10, 11, 10, 1, 10, 21, 10];
        assert_eq!(want(&mut crd, &mut spare, 35, 41), Ok(None));
        assert_eq!(spare, [1, 40]);
    }
}
