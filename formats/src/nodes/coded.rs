//! Coordinates of a block as bytes: differences of neighbours, each as short as it is small, as C-trees have them (Dhulipala,
//! Blelloch and Shun, *Low-latency graph streaming using compressed purely-functional trees*, 2019, section 3).
//!
//! ```text
//! coordinates 7, 9, 10, 300    numbers 7, 292, 1, 0    the first; the last less the first less one; then each but the
//!                                                      last, less the one before less one
//! ```
//!
//! So `n` coordinates are `n` numbers, and the last is known without those between, as a search and a merge ask for it. The
//! zeros at the end of the first byte of a number say how many bytes follow: 7 bits a byte, 64 behind a byte that is 0.
//! Where LEB128 has a bit in each byte, of which each is waited for, this takes one load and a shift, whatever the length.

use super::Path;
use std::ops::{Deref, DerefMut};

/// The most bytes that a number takes.
pub const LONGEST: usize = 9;

/// The number at byte `at`, and how many bytes it has; behind the end there are zeros.
#[inline(always)]
fn number(bytes: &[u8], at: usize) -> (u64, usize) {
    let word = word(bytes, at);
    let more = (word as u32 | 1 << 8).trailing_zeros() as usize;
    match more {
        8 => (self::word(bytes, at.wrapping_add(1)), LONGEST),
        _ => ((word >> (more + 1)) & ((1 << (7 * (more + 1))) - 1), more + 1),
    }
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        Some(all) => u64::from_le_bytes(*all),
        None => word_at_end(bytes, at),
    }
}

#[cold]
#[inline(never)]
fn word_at_end(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// How many bytes a number takes.
fn length(number: u64) -> usize {
    match 64 - number.leading_zeros() as usize {
        57.. => LONGEST,
        bits => bits.max(1).div_ceil(7),
    }
}

/// The coordinate that a difference leads to; no matter what, if it leads beyond all coordinates.
#[inline(always)]
fn beyond(i: i64, number: u64) -> i64 {
    i.wrapping_add(number as i64).wrapping_add(1)
}

/// The numbers that coordinates, which ascend, are coded by.
fn numbers(all: &[usize]) -> impl Iterator<Item = u64> + '_ {
    let less = |pair: [usize; 2]| (pair[1] - pair[0] - 1) as u64;
    let ends = all.first().copied().zip(all.last().copied().filter(|_| all.len() > 1));
    let inner = &all[..all.len().saturating_sub(1)];
    let between = inner.iter().zip(inner.iter().skip(1)).map(move |(a, b)| less([*a, *b]));
    all.first().map(|i| *i as u64).into_iter().chain(ends.map(|(a, b)| less([a, b]))).chain(between)
}

/// How many bytes these coordinates take, which ascend.
pub fn size(all: &[usize]) -> usize {
    numbers(all).map(length).sum()
}

/// Writes coordinates, which ascend, at the beginning of what there is room for.
///
/// # Errors
/// There is not as much room as they take; nothing is written then.
pub fn write(room: &mut [u8], all: &[usize]) -> Result<(), String> {
    let size = size(all);
    if size > room.len() {
        return Err(format!("coordinates of {size} bytes have room for {}", room.len()));
    }
    let mut at = 0;
    for number in numbers(all) {
        let n = length(number);
        match n {
            LONGEST => {
                room[at] = 0;
                room[at + 1..at + n].copy_from_slice(&number.to_le_bytes());
            }
            _ => {
                let word = (number << 1 | 1) << (n - 1);
                room[at..at + n].copy_from_slice(&word.to_le_bytes()[..n]);
            }
        }
        at += n;
    }
    Ok(())
}

/// Puts the `n` coordinates of the block at byte `at` behind those in `into`.
pub fn read(bytes: &[u8], at: usize, n: usize, into: &mut Vec<usize>) {
    let mut cursor = Block::new(bytes, at, n);
    for q in at..at + n {
        into.push(cursor.coordinate as usize);
        cursor.step(bytes, q, at + n);
    }
}

/// The first coordinate of the block at byte `at`.
#[inline(always)]
pub fn first(bytes: &[u8], at: usize) -> i64 {
    number(bytes, at).0 as i64
}

/// The last coordinate of the block of `n` at byte `at`.
#[inline(always)]
pub fn last(bytes: &[u8], at: usize, n: usize) -> i64 {
    Block::new(bytes, at, n).last
}

/// The coordinate of the entry behind that at position `q`, which is `i`, in a block that ends at `hi` with `last`.
#[inline(always)]
pub fn behind(bytes: &[u8], q: i64, hi: i64, i: i64, next: i64, last: i64) -> i64 {
    let between = beyond(i, number(bytes, next as usize).0);
    if q + 2 < hi {
        between
    } else {
        last
    }
}

/// Where the number behind the one at byte `at` is.
#[inline(always)]
pub fn past(bytes: &[u8], at: i64) -> i64 {
    at.wrapping_add(number(bytes, at as usize).1 as i64)
}

/// Refuses the block of `n` coordinates at the beginning of a room if its bytes are not those that [`write()`] makes of some; puts
/// the coordinates into `into`.
///
/// # Errors
/// What is wrong.
pub fn check(room: &[u8], n: usize, into: &mut Vec<i64>) -> Result<(), String> {
    let mut at = 0;
    let mut next = || {
        let (number, more) = self::number(room, at);
        if at + more > room.len() {
            return Err(format!("a number does not end in its room of {} bytes", room.len()));
        }
        if length(number) < more {
            return Err(format!(
                "the number {number} takes {more} bytes, of which some are superfluous"
            ));
        }
        at += more;
        Ok(number)
    };
    let sum = |i: i64, number: u64| {
        let sum = i64::try_from(number).ok().and_then(|n| n.checked_add(1)?.checked_add(i));
        sum.filter(|i| *i < i64::MAX).ok_or_else(|| format!("a coordinate overflows behind {i}"))
    };
    if n == 0 {
        return Ok(());
    }
    let first = sum(-1, next()?)?;
    into.push(first);
    if n == 1 {
        return Ok(());
    }
    let (mut i, last) = (first, sum(first, next()?)?);
    for _ in 2..n {
        i = sum(i, next()?)?;
        into.push(i);
    }
    into.push(last);
    match i < last {
        true => Ok(()),
        false => Err(format!("coordinate {i} is not below {last}, which is the last of the block")),
    }
}

/// A coordinate of a block that is read.
#[derive(Clone, Copy, Debug)]
struct Block {
    coordinate: i64,
    /// The byte of the number behind.
    next: usize,
    last: i64,
}

impl Block {
    #[inline(always)]
    fn new(bytes: &[u8], at: usize, n: usize) -> Block {
        let (first, more) = number(bytes, at);
        let (coordinate, next) = (first as i64, at + more);
        if n < 2 {
            return Block { coordinate, next, last: coordinate };
        }
        let (span, more) = number(bytes, next);
        Block { coordinate, next: next + more, last: beyond(coordinate, span) }
    }

    /// Goes from the entry at `q` to the one behind.
    #[inline(always)]
    fn step(&mut self, bytes: &[u8], q: usize, hi: usize) {
        let next = self.next as i64;
        self.coordinate = behind(bytes, q as i64, hi as i64, self.coordinate, next, self.last);
        self.next = past(bytes, next) as usize;
    }
}

/// A [`Path`] to a block whose coordinates are coded, and where it is being read.
#[derive(Clone, Debug)]
pub struct CodedPath {
    path: Path,
    block: Block,
}

impl CodedPath {
    /// Before all of a node, whose order starts at `point`.
    #[inline(always)]
    pub fn new(node: usize, point: u32) -> CodedPath {
        let block = Block { coordinate: 0, next: 0, last: 0 };
        CodedPath { path: Path::new(node, point), block }
    }

    /// Stands at the beginning of a block, behind which `point` of `node` is met.
    #[inline(always)]
    pub fn begin(&mut self, bytes: &[u8], lo: usize, hi: usize, node: usize, point: u32) {
        self.block = Block::new(bytes, lo, hi - lo);
        self.path.stand(lo, hi, node, point, 0);
    }

    /// Stands at the entry of the block at position `q`, of this coordinate, behind which the number at byte `next` stands.
    #[inline(always)]
    pub fn stay(&mut self, q: i64, coordinate: i64, next: i64) {
        self.path.lo = q as usize;
        (self.block.coordinate, self.block.next) = (coordinate, next as usize);
    }

    /// Goes on in the block to the first entry at or after coordinate `i`, which there is.
    #[inline]
    pub fn reach(&mut self, bytes: &[u8], i: i64) {
        while self.block.coordinate < i && self.path.lo + 1 < self.path.hi {
            self.block.step(bytes, self.path.lo, self.path.hi);
            self.path.lo += 1;
        }
    }

    /// The coordinate at hand.
    #[inline(always)]
    pub fn coordinate(&self) -> i64 {
        self.block.coordinate
    }

    /// The byte of the number behind.
    #[inline(always)]
    pub fn byte(&self) -> i64 {
        self.block.next as i64
    }

    /// The last coordinate of the block.
    #[inline(always)]
    pub fn end_of_block(&self) -> i64 {
        self.block.last
    }
}

impl Deref for CodedPath {
    type Target = Path;
    #[inline(always)]
    fn deref(&self) -> &Path {
        &self.path
    }
}

impl DerefMut for CodedPath {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Path {
        &mut self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [usize; 14] = [
        0,
        1,
        126,
        127,
        128,
        16_383,
        16_384,
        (1 << 21) - 1,
        1 << 21,
        1 << 32,
        (1 << 49) - 1,
        (1 << 56) - 1,
        1 << 56,
        (1 << 62) - 1000,
    ];

    #[test]
    fn what_is_written_is_read() {
        for (a, b, n) in EDGES.iter().flat_map(|a| EDGES.iter().map(move |b| (*a, *b, 1 + a % 7))) {
            let mut all = vec![a, a + b + 1];
            all.extend((1..n).map(|k| a + b + 1 + k * 100));
            for n in 0..=all.len() {
                let all = &all[..n];
                // At the end of the bytes, and before others.
                for behind in [0, 20] {
                    let size = size(all);
                    let mut bytes = vec![0xff; 3 + size + behind];
                    write(&mut bytes[3..3 + size], all).unwrap();
                    let mut found = Vec::new();
                    read(&bytes, 3, n, &mut found);
                    assert_eq!(found, all);
                    let mut checked = Vec::new();
                    check(&bytes[3..], n, &mut checked).unwrap();
                    assert!(checked.iter().map(|i| *i as usize).eq(all.iter().copied()));
                    if n > 0 {
                        assert_eq!(first(&bytes, 3) as usize, all[0]);
                        assert_eq!(last(&bytes, 3, n) as usize, all[n - 1]);
                        assert!(check(&bytes[3..2 + size], n, &mut checked).is_err());
                        assert!(write(&mut bytes[..size - 1], all).is_err());
                    }
                }
            }
        }
    }

    #[test]
    fn sizes_are_those_of_seven_bits_a_byte() {
        for (number, bytes) in [(0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (1 << 32, 5)]
        {
            assert_eq!(length(number), bytes, "{number}");
        }
        assert_eq!([(1 << 56) - 1, 1 << 56, u64::MAX].map(length), [8, 9, 9]);
    }

    /// Any bytes are read without a panic, and what is not refused is the only way to write what it says.
    #[test]
    fn any_bytes() {
        let mut state = 7u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let all = (state >> 3).to_le_bytes();
            let (n, room) = (1 + (state >> 60) as usize % 4, &all[..(state >> 40) as usize % 9]);
            let (mut read, mut found) = (Vec::new(), Vec::new());
            super::read(room, 0, n, &mut read);
            if check(room, n, &mut found).is_ok() {
                let found: Vec<usize> = found.into_iter().map(|i| i as usize).collect();
                let mut again = vec![0; size(&found)];
                write(&mut again, &found).unwrap();
                assert_eq!(again, room[..again.len()]);
                assert_eq!(read, found);
            }
        }
    }
}
