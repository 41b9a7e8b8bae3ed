//! Fibers whose entries came in order: where each begins, whether they can all be built, and what follows them where a
//! built fiber has them elsewhere.
//!
//! A kernel that writes a tensor in ascending order appends entries from position 1 on and links them when its loops have
//! ended. `level!` makes that `__link` of the author's `build`, and what does not depend on the schema is here.

use super::Kind;
use crate::level::{grow, push, Index};

/// Makes `starts` hold the starts of the fibers `0..=p`, the last of which is at position `count`. As of levels that are
/// appended to, starts behind `p` are those of fibers that were opened for entries which then were not written.
///
/// # Errors
/// There is no memory, or links do not count that many positions.
#[inline]
pub fn begin<Li: Index>(starts: &mut Vec<Li>, p: usize, count: usize) -> Result<(), String> {
    if count as u64 >= Li::MAX as u64 {
        return Err(few::<Li>(count));
    }
    let start = Li::from_i64(count as i64);
    // One fiber after the other, nearly always.
    if starts.len() == p && p < starts.capacity() {
        push(starts, start);
        return Ok(());
    }
    starts.truncate(p + 1);
    grow(starts, p + 1, start)
}

#[cold]
fn few<Li: Index>(count: usize) -> String {
    let entries = count.saturating_sub(1);
    format!(
        "there are {entries} entries, and links of type {} count no more",
        std::any::type_name::<Li>()
    )
}

/// The positions of the entries of fiber `p`, of all that end at `end`.
#[inline]
pub fn fiber<Li: Index>(starts: &[Li], p: usize, end: usize) -> std::ops::Range<usize> {
    let start = |p: usize| starts.get(p).map_or(end, |s| s.to_i64() as usize);
    start(p)..start(p + 1)
}

/// Whether links count all nodes and positions that `more` entries could need, however few of them a block has. Where they
/// may not, entries are inserted one by one, each as far as there is room.
pub fn ample<Li: Index>(schema: &[Kind], arrays: &[&[Li]], positions: usize, more: usize) -> bool {
    // A fiber has a few nodes even without entries, and blocks have room for more than they hold.
    const MARGIN: usize = 64;
    let most = Li::MAX.unsigned_abs() as usize;
    let made = more.saturating_add(MARGIN);
    let mut needed = positions;
    for (kind, words) in schema.iter().zip(arrays) {
        let nodes = words.len() / kind.stride.max(1);
        // Links to several types of node count all of them.
        if nodes.saturating_add(made).saturating_mul(schema.len()) >= most {
            return false;
        }
        let room = match kind.entries {
            Some(e) if e.most == usize::MAX => made.saturating_mul(4),
            Some(e) => made.saturating_mul(e.most),
            None => 0,
        };
        needed = needed.saturating_add(room);
    }
    needed < most
}

/// Where entries come to be that were appended from position 1 on.
pub struct Seats {
    /// How many there are.
    all: usize,
    /// How many have been met.
    met: usize,
    /// Where each is from position 1 on, once one is not where it was.
    to: Vec<usize>,
}

impl Seats {
    /// None of `all` entries has been met.
    pub fn new(all: usize) -> Seats {
        Seats { all, met: 0, to: Vec::new() }
    }

    /// The next entry is at position `q`.
    ///
    /// # Errors
    /// There is no memory.
    #[inline(always)]
    pub fn put(&mut self, q: usize) -> Result<(), String> {
        self.met += 1;
        if self.to.is_empty() {
            if q == self.met {
                return Ok(());
            }
            self.apart()?;
        }
        push(&mut self.to, q);
        Ok(())
    }

    /// From now on entries are not where they were.
    #[cold]
    fn apart(&mut self) -> Result<(), String> {
        crate::level::room(&mut self.to, self.all)?;
        self.to.extend(1..self.met);
        Ok(())
    }

    /// How many have been met.
    #[inline]
    pub fn met(&self) -> usize {
        self.met
    }

    /// Adds to `moves` the exchanges by which what is below each of `positions` follows its entry. Each exchange is the
    /// last of one child, so there are no more than entries; positions where none is get what is empty.
    ///
    /// # Errors
    /// There is no memory, or links do not count the positions.
    pub fn follow<Li: Index>(self, positions: usize, moves: &mut Vec<Li>) -> Result<(), String> {
        let Seats { met, mut to, .. } = self;
        if to.is_empty() {
            return Ok(());
        }
        if positions as u64 >= Li::MAX as u64 {
            return Err(few::<Li>(positions));
        }
        // Of position `s`: where its child belongs, 0 if it is none of an entry.
        let more = positions.saturating_sub(to.len());
        crate::level::room(&mut to, more)?;
        to.resize(positions - 1, 0);
        crate::level::room(moves, met.saturating_mul(2))?;
        // From the end on: blocks that have room push what is behind them on, to where it was vacated.
        for s in (1..=met).rev() {
            loop {
                let t = to[s - 1];
                if t == 0 || t == s {
                    break;
                }
                push(moves, Li::from_i64(s as i64));
                push(moves, Li::from_i64(t as i64));
                to.swap(s - 1, t - 1);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exchanges bring each child where its entry is, whichever way entries went.
    #[test]
    fn children_follow() {
        let mut state = 1u64;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % n
        };
        for round in 0..300 {
            let entries = below(20);
            let positions = 1 + entries + below(20);
            let mut to: Vec<usize> = (1..positions).collect();
            if round % 3 > 0 {
                (1..to.len()).rev().for_each(|k| to.swap(k, below(k + 1)));
            }
            to.truncate(entries);
            if round % 3 == 1 {
                to.sort_unstable();
            }
            let mut seats = Seats::new(entries);
            to.iter().for_each(|q| seats.put(*q).unwrap());
            let mut moves = Vec::<u32>::new();
            seats.follow(positions, &mut moves).unwrap();
            assert!(moves.len() <= 2 * entries, "{} moves of {entries}", moves.len() / 2);
            assert!(round % 3 > 0 || moves.is_empty());
            let mut children: Vec<usize> =
                (0..positions).map(|q| if q > entries { 0 } else { q }).collect();
            moves
                .as_chunks::<2>()
                .0
                .iter()
                .for_each(|m| children.swap(m[0] as usize, m[1] as usize));
            for (k, q) in to.iter().enumerate() {
                assert_eq!(children[*q], k + 1, "{to:?}");
            }
            assert_eq!(children.iter().filter(|c| **c == 0).count(), positions - entries);
        }
    }

    /// Fibers that were opened and got nothing, and fibers that never were.
    #[test]
    fn fibers_begin() {
        let mut starts = Vec::<u8>::new();
        begin(&mut starts, 1, 1).unwrap();
        begin(&mut starts, 4, 3).unwrap();
        begin(&mut starts, 2, 3).unwrap();
        begin(&mut starts, 3, 5).unwrap();
        let all: Vec<_> = (0..6).map(|p| fiber(&starts, p, 7)).collect();
        assert_eq!(all, [1..1, 1..3, 3..5, 5..7, 7..7, 7..7]);
        assert_eq!(begin(&mut starts, 4, 255), Ok(()));
        assert!(begin(&mut starts, 4, 256).is_err());
    }
}
