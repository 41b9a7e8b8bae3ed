//! Formats in which several entries are one, as in the two halves of a symmetric matrix: entries that
//! were given become those that are stored, if all that were given for one agree.

use super::{addressable, Entries, Tensor};
use crate::error::{Coords, Error};
use crate::level::Level;
use crate::value::{identical, shown};

/// What an entry is that was not given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// It is fill: all there is was given.
    Fill,
    /// It may be one with an entry that was given.
    Follow,
}

impl<L: Level> Tensor<L> {
    /// The entries that are stored for these, in their order; `level` is the one that folds.
    ///
    /// Linear in the coordinates that have an entry, where they can be sorted so.
    ///
    /// # Errors
    /// [`Error::Unstorable`], of `level`, for entries that are one and have two values.
    pub(super) fn folded(
        level: &'static str,
        given: &Entries<L::Value>,
    ) -> Result<Entries<L::Value>, Error> {
        let shape = &given.shape;
        addressable(shape)?;
        let unstorable = |reason| Error::Unstorable { level, shape: shape.clone(), reason };
        let root = L::empty(shape).map_err(|reason| Error::Unstorable {
            level: L::NAME,
            shape: shape.clone(),
            reason,
        })?;
        let (mut from, mut to) = (Entries::new(shape), Entries::new(shape));
        for (at, value) in given.singles() {
            let mut image = at.clone();
            root.fold(&mut image, 0);
            if to.push(&image, value.clone()).is_err() {
                let (at, image) = (Coords(&at), Coords(&image));
                let reason = format!("it stores entry {at} at {image}, which is outside");
                return Err(unstorable(reason));
            }
            from.push_run(&at, at.last().map_or(0, |c| c + 1), value.clone());
        }
        let mut order = to.order(shape.len());
        for pair in order.windows(2) {
            let [e, f] = [pair[0], pair[1]];
            if to.same(e, f) && !identical(&to.values[e], &to.values[f]) {
                let two = [e, f].map(|e| (from.at(e), &from.values[e]));
                return Err(unstorable(differ(two)));
            }
        }
        order.dedup_by(|f, e| to.same(*e, *f));
        Ok(to.gather(&order))
    }

    /// The tensor, if it holds these entries and everywhere else fill.
    ///
    /// Linear in what is stored.
    ///
    /// # Errors
    /// [`Error::Unstorable`], of `level`, if it holds an entry that was not given because it is one with
    /// another that was.
    pub(super) fn holds_no_more(
        self,
        level: &'static str,
        given: &Entries<L::Value>,
    ) -> Result<Self, Error> {
        let fill = L::fill();
        let mut ahead = given.singles().peekable();
        let mut more = None;
        self.for_each(|at, value| {
            while ahead.next_if(|(before, _)| before.as_slice() < at).is_some() {}
            let said = ahead.next_if(|(here, _)| here == at).map_or(&fill, |(_, value)| value);
            if more.is_none() && !identical(value, said) {
                more = Some((at.to_vec(), said.clone()));
            }
        });
        let Some((at, said)) = more else { return Ok(self) };
        let here = self.image(&at);
        let reason = match given.singles().find(|(other, _)| self.image(other) == here) {
            Some((other, value)) => differ([(at, &said), (other, value)]),
            None => format!("it holds more than fill at {}", Coords(&at)),
        };
        Err(Error::Unstorable { level, shape: self.shape(), reason })
    }

    /// Whether the entry at these coordinates is stored for itself.
    pub(super) fn is_stored_there(&self, at: &[usize]) -> bool {
        L::FOLDS.is_none() || self.image(at) == at
    }

    /// The coordinates of the entry that is stored for the one at `at`.
    fn image(&self, at: &[usize]) -> Vec<usize> {
        let mut image = at.to_vec();
        self.root.fold(&mut image, 0);
        image
    }
}

/// Two values of one entry, in the order of their coordinates.
fn differ<V: 'static>(mut two: [(Vec<usize>, &V); 2]) -> String {
    two.sort_by(|a, b| a.0.cmp(&b.0));
    let [(a, x), (b, y)] = &two;
    let values = match (shown(*x), shown(*y)) {
        (Some(x), Some(y)) => format!("the values {x} and {y}"),
        _ => "two values".to_owned(),
    };
    format!("{} and {} are one element, for which it was given {values}", Coords(a), Coords(b))
}
