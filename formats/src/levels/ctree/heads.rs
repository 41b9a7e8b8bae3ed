//! The heads of a C-tree: a treap, whatever holds their coordinates.

use super::priority;
use std::cmp::Ordering;

/// A link to a head: the root of a fiber, or a child of another head.
#[derive(Clone, Copy)]
pub enum Place {
    Root(usize),
    Left(usize),
    Right(usize),
}

/// Nodes of a C-tree.
pub trait Heads {
    /// The coordinate of a head.
    fn coordinate(&self, head: usize) -> usize;

    /// The head at a place.
    fn linked(&self, place: Place) -> Option<usize>;

    /// Makes a head, or none, the one at a place.
    fn link(&mut self, place: Place, to: Option<usize>);

    /// The priority of a head.
    fn rank(&self, head: usize) -> u64 {
        priority(self.coordinate(head))
    }

    /// The last head of fiber `p` before coordinate `i`.
    fn head_before(&self, p: usize, i: usize) -> Option<usize> {
        let (mut last, mut below) = (None, self.linked(Place::Root(p)));
        while let Some(head) = below {
            below = match self.coordinate(head) < i {
                true => {
                    last = Some(head);
                    self.linked(Place::Right(head))
                }
                false => self.linked(Place::Left(head)),
            };
        }
        last
    }

    /// Where the head of fiber `p` at coordinate `i` is.
    fn find(&self, p: usize, i: usize) -> Option<Place> {
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
    fn hang(&mut self, p: usize, new: usize, i: usize) {
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
    fn hang_last(&mut self, p: usize, spine: &mut Vec<usize>, new: usize) {
        let own = self.rank(new);
        let mut below = None;
        while let Some(last) = spine.pop_if(|head| self.rank(*head) < own) {
            below = Some(last);
        }
        self.link(Place::Left(new), below);
        let place = spine.last().map_or(Place::Root(p), |head| Place::Right(*head));
        self.link(place, Some(new));
        spine.push(new);
    }

    /// Takes `gone`, which is at `place`, out of the tree: of what is below it, the greater priority stands above.
    fn unhang(&mut self, mut place: Place, gone: usize) {
        let (mut before, mut behind) =
            (self.linked(Place::Left(gone)), self.linked(Place::Right(gone)));
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
