//! The heads of a C-tree: a treap.

use super::{priority, CTreeNodes};
use crate::Index;
use std::cmp::Ordering;

/// A link to a head: the root of a fiber, or a child of another head.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Root(usize),
    Left(usize),
    Right(usize),
}

impl<Ix: Index, Li: Index, const B: usize> CTreeNodes<'_, Ix, Li, B> {
    /// The head at a place.
    pub(super) fn linked(&self, place: Place) -> Option<usize> {
        match place {
            Place::Root(p) => self.ctree_r(p),
            Place::Left(head) => self.tree_l(head),
            Place::Right(head) => self.tree_r(head),
        }
    }

    fn link(&mut self, place: Place, to: Option<usize>) {
        match place {
            Place::Root(p) => self.set_ctree_r(p, to),
            Place::Left(head) => self.set_tree_l(head, to),
            Place::Right(head) => self.set_tree_r(head, to),
        }
    }

    fn rank(&self, head: usize) -> u64 {
        priority(self.coordinate(head))
    }

    /// The last head of fiber `p` before coordinate `i`.
    pub(super) fn head_before(&self, p: usize, i: usize) -> Option<usize> {
        let (mut last, mut below) = (None, self.ctree_r(p));
        while let Some(head) = below {
            below = match self.coordinate(head) < i {
                true => {
                    last = Some(head);
                    self.tree_r(head)
                }
                false => self.tree_l(head),
            };
        }
        last
    }

    /// Where the head of fiber `p` at coordinate `i` is.
    pub(super) fn find(&self, p: usize, i: usize) -> Option<Place> {
        let mut place = Place::Root(p);
        loop {
            let head = self.linked(place)?;
            match self.coordinate(head).cmp(&i) {
                Ordering::Equal => return Some(place),
                Ordering::Less => place = Place::Right(head),
                Ordering::Greater => place = Place::Left(head),
            }
        }
    }

    /// Makes `new`, whose coordinate is `i`, a head of fiber `p`.
    pub(super) fn hang(&mut self, p: usize, new: usize, i: usize) {
        let own = priority(i);
        let mut place = Place::Root(p);
        let mut below = self.linked(place);
        while let Some(head) = below.filter(|head| self.rank(*head) > own) {
            let left = i < self.coordinate(head);
            place = if left { Place::Left(head) } else { Place::Right(head) };
            below = self.linked(place);
        }
        self.link(place, Some(new));
        // What was there is split into what is before the head and what is behind it.
        let (mut before, mut behind) = (Place::Left(new), Place::Right(new));
        while let Some(head) = below {
            if self.coordinate(head) < i {
                self.link(before, Some(head));
                before = Place::Right(head);
                below = self.linked(before);
            } else {
                self.link(behind, Some(head));
                behind = Place::Left(head);
                below = self.linked(behind);
            }
        }
        self.link(before, None);
        self.link(behind, None);
    }

    /// Makes `new` the last head of fiber `p`; `spine` are the heads from the root on to the right.
    pub(super) fn hang_last(&mut self, p: usize, spine: &mut Vec<usize>, new: usize) {
        let own = self.rank(new);
        let mut below = None;
        while let Some(last) = spine.pop_if(|head| self.rank(*head) < own) {
            below = Some(last);
        }
        self.set_tree_l(new, below);
        let place = spine.last().map_or(Place::Root(p), |head| Place::Right(*head));
        self.link(place, Some(new));
        spine.push(new);
    }

    /// Takes `gone`, which is at `place`, out of the tree: of what is below it, the greater priority stands above.
    pub(super) fn unhang(&mut self, mut place: Place, gone: usize) {
        let (mut before, mut behind) = (self.tree_l(gone), self.tree_r(gone));
        loop {
            match (before, behind) {
                (Some(l), Some(r)) if self.rank(l) > self.rank(r) => {
                    self.link(place, Some(l));
                    place = Place::Right(l);
                    before = self.linked(place);
                }
                (Some(_), Some(r)) => {
                    self.link(place, Some(r));
                    place = Place::Left(r);
                    behind = self.linked(place);
                }
                (one, None) | (None, one) => break self.link(place, one),
            }
        }
    }
}
