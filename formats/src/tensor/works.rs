//! How much is stored before coordinates of the outermost dimension: what parallel loops are cut by.

use crate::level::Level;

/// The most coordinates that are kept of a tree: a loop is cut into far fewer parts.
const MOST: usize = 1 << 13;

/// How much is stored before any coordinate.
pub struct Works<'a, L> {
    root: &'a L,
    how: How,
}

enum How {
    /// As the levels say.
    Levels,
    /// The levels say how many fibers of a level made of nodes are before; sums of what these store.
    Fibers(Vec<usize>),
    /// The outermost level is made of nodes.
    Entries(Spread),
}

impl<'a, L: Level> Works<'a, L> {
    pub(super) fn of(root: &'a L) -> Works<'a, L> {
        let how = match (L::NODES, root.spread()) {
            (false, _) => How::Levels,
            (true, Some(spread)) => How::Entries(spread),
            (true, None) => root.heaps().map_or(How::Levels, How::Fibers),
        };
        Works { root, how }
    }

    /// How much is stored before coordinate `i`, which is at most the size of the dimension.
    ///
    /// Of a tree that has more than a few thousand entries it is exact only where parts are cut: between two
    /// coordinates of which it is, less is stored than a few thousandths of all, or one entry.
    pub fn before(&self, i: usize) -> usize {
        match &self.how {
            How::Levels => self.root.work(0, i),
            How::Fibers(sums) => sums[self.root.work(0, i).min(sums.len() - 1)],
            How::Entries(spread) => spread.before(i),
        }
    }
}

/// What the entries of a fiber store, which come in the order of their coordinates.
///
/// Few coordinates are kept, so that a large tree takes no more memory than a small one. Which those are follows from what is
/// stored alone.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Spread {
    /// Coordinates, and how much is stored before them.
    kept: Vec<(usize, usize)>,
    all: usize,
    /// One past the last entry.
    end: usize,
    /// Between two coordinates that are kept less is stored than twice this, or one entry.
    step: usize,
}

impl Spread {
    /// The entry at coordinate `i`, which is behind those before, stores as much as `weight`.
    pub fn note(&mut self, i: usize, weight: usize) {
        let step = self.step.max(1);
        let last = self.kept.last().map_or(0, |k| k.1);
        if weight >= step && last < self.all {
            self.kept.push((i, self.all));
        }
        let before = self.kept.last().map_or(0, |k| k.1);
        self.all += weight;
        self.end = i + 1;
        if self.all - before >= step {
            self.kept.push((i + 1, self.all));
        }
        if self.kept.len() > MOST {
            self.thin();
        }
    }

    /// Keeps half as many, or fewer.
    fn thin(&mut self) {
        while self.kept.len() > MOST / 2 {
            self.step = 2 * self.step.max(1);
            let (mut last, mut to) = (0, 0);
            for k in 0..self.kept.len() {
                let here = self.kept[k];
                let next = self.kept.get(k + 1).map_or(self.all, |next| next.1);
                // What lies between two that are next to each other may be one entry, which has its ends.
                if here.1 - last >= self.step || next - here.1 >= self.step {
                    self.kept[to] = here;
                    (last, to) = (here.1, to + 1);
                }
            }
            self.kept.truncate(to);
        }
    }

    /// How much is stored before coordinate `i`.
    pub fn before(&self, i: usize) -> usize {
        if i >= self.end {
            return self.all;
        }
        let behind = self.kept.partition_point(|k| k.0 <= i);
        behind.checked_sub(1).map_or(0, |k| self.kept[k].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(weights: impl Iterator<Item = usize>) -> Spread {
        let mut spread = Spread::default();
        weights.enumerate().for_each(|(i, weight)| spread.note(3 * i, weight));
        spread
    }

    #[test]
    fn few_entries_are_told_apart() {
        let s = spread([5, 0, 1, 7].into_iter());
        let before: Vec<usize> = (0..12).map(|i| s.before(i)).collect();
        assert_eq!(before, [0, 5, 5, 5, 5, 5, 5, 6, 6, 6, 13, 13]);
        assert_eq!(spread([].into_iter()).before(3), 0);
    }

    /// Of many, what is said is never far off, and little is kept.
    #[test]
    fn many_entries_are_kept_in_groups() {
        let n = 100_000;
        let kinds: [fn(usize) -> usize; 4] = [
            |_| 1,
            |i| i % 7,
            |i| if i % 1000 == 0 { 50_000 } else { 1 },
            |i| usize::from(i > 99_990),
        ];
        for weight in kinds {
            let s = spread((0..n).map(weight));
            assert!(s.kept.len() <= MOST);
            let all: usize = (0..n).map(weight).sum();
            let mut exact = 0;
            for i in 0..n {
                let said = s.before(3 * i);
                assert!(said <= exact && exact - said <= all / 500, "{i}: {said} of {exact}");
                exact += weight(i);
            }
            assert_eq!((s.before(3 * n), exact), (all, all));
        }
    }
}
