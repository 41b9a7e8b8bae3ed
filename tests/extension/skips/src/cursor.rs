//! Where a loop over a skip list has come to.

use crate::lanes::{follows, height, Lanes, Node, LANES};
use looplets::Index;

/// An entry of a fiber, and the entries before it from which lanes lead on: a finger (Brown and Tarjan, 1980).
#[derive(Clone, Debug)]
pub struct Cursor {
    fiber: usize,
    now: Option<usize>,
    behind: [Option<usize>; LANES],
}

impl Cursor {
    /// Nowhere.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Cursor {
        Cursor { fiber: 0, now: None, behind: [None; LANES] }
    }

    /// Goes to the first entry of fiber `p`.
    pub fn begin(&mut self, head: &[Lanes], p: i64) {
        self.fiber = p as usize;
        self.now = head[self.fiber].next(0);
    }

    /// Whether there is an entry.
    pub fn more(&self) -> bool {
        self.now.is_some()
    }

    /// The position of the entry.
    pub fn position(&self) -> i64 {
        self.now.map_or(-1, |q| q as i64)
    }

    /// The coordinate of the entry.
    pub fn coordinate<Ix: Index>(&self, node: &[Node<Ix>]) -> i64 {
        self.now.map_or(i64::MAX - 1, |q| node[q].at.to_i64())
    }

    /// Goes on to the next entry.
    pub fn advance<Ix: Index>(&mut self, node: &[Node<Ix>]) {
        if let Some(q) = self.now {
            self.behind[..height(q)].fill(Some(q));
            self.now = node[q].next.next(0);
        }
    }

    /// Goes on to the first entry at or after coordinate `i`: up the lanes as far as they stay before it, then
    /// down again. Logarithmic in what is skipped.
    pub fn seek<Ix: Index>(&mut self, head: &[Lanes], node: &[Node<Ix>], i: i64) {
        let head = &head[self.fiber];
        let before =
            |behind, lane| follows(head, node, behind, lane).filter(|q| node[*q].at.to_i64() < i);
        let mut top = 0;
        while top + 1 < LANES && before(self.behind[top + 1], top + 1).is_some() {
            top += 1;
        }
        let mut behind = self.behind[top];
        for lane in (0..=top).rev() {
            while let Some(q) = before(behind, lane) {
                behind = Some(q);
            }
            self.behind[lane] = behind;
        }
        self.now = follows(head, node, behind, 0);
    }
}
