//! Entries in the order they are given, and the same sorted and without duplicates. Coordinates
//! are kept by dimension: sorting moves only a permutation, and levels read one column each.

use super::{Conflict, Duplicates};
use crate::error::Error;

/// Entries inside a shape; entry `e` is at `columns[d][e]` in dimension `d`, and in the last one it
/// reaches to `stops[e]`.
// Nobody outside can name it: it is public as operands of `concat` give it.
pub struct Entries<V> {
    pub shape: Vec<usize>,
    pub columns: Vec<Vec<usize>>,
    pub stops: Vec<usize>,
    pub values: Vec<V>,
}

/// Why entries do not make a tensor.
#[derive(Debug)]
pub(crate) enum Fault {
    /// Two entries at these coordinates; the later one's number in the order of input.
    Conflict(Conflict, Vec<usize>, usize),
    Other(Error),
}

impl Fault {
    /// What callers are told that did not number their entries.
    pub(crate) fn told(self) -> Error {
        match self {
            Fault::Conflict(Conflict::Refused, coords, _) => Error::Duplicate { coords },
            Fault::Conflict(Conflict::Overflow, coords, _) => Error::Overflow { coords },
            Fault::Other(error) => error,
        }
    }
}

impl<V: Clone> Entries<V> {
    pub fn new(shape: &[usize]) -> Self {
        Entries {
            shape: shape.to_vec(),
            columns: vec![Vec::new(); shape.len()],
            stops: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Entries inside the shape, one for each coordinate.
    pub fn from_columns(shape: Vec<usize>, columns: Vec<Vec<usize>>, values: Vec<V>) -> Self {
        let stops = match columns.last() {
            Some(last) => last.iter().map(|c| c + 1).collect(),
            None => vec![0; values.len()],
        };
        Entries { shape, columns, stops, values }
    }

    /// Adds a run of equal entries inside the shape, after all others: from `coords` to `stop` in
    /// the last dimension.
    pub fn push_run(&mut self, coords: &[usize], stop: usize, value: V) {
        for (column, &c) in self.columns.iter_mut().zip(coords) {
            column.push(c);
        }
        self.stops.push(stop);
        self.values.push(value);
    }

    /// The same entries, one for each coordinate, with the dimensions the other way round.
    pub fn turned(mut self) -> Self {
        self.shape.reverse();
        self.columns.reverse();
        Entries::from_columns(self.shape, self.columns, self.values)
    }

    /// The entries whose value `keep` holds for.
    pub fn only(&self, keep: impl Fn(&V) -> bool) -> Self {
        let kept: Vec<usize> = (0..self.values.len()).filter(|&e| keep(&self.values[e])).collect();
        self.gather(&kept)
    }

    /// The entries with these numbers.
    pub(super) fn gather(&self, kept: &[usize]) -> Self {
        let gather = |column: &Vec<usize>| kept.iter().map(|&e| column[e]).collect();
        Entries {
            shape: self.shape.clone(),
            columns: self.columns.iter().map(gather).collect(),
            stops: gather(&self.stops),
            values: kept.iter().map(|&e| self.values[e].clone()).collect(),
        }
    }

    /// The coordinates of entry `e`, the first ones of a run.
    pub(super) fn at(&self, e: usize) -> Vec<usize> {
        self.columns.iter().map(|c| c[e]).collect()
    }

    /// The coordinates and value of each element of each entry.
    pub fn singles(&self) -> impl Iterator<Item = (Vec<usize>, &V)> {
        (0..self.values.len()).flat_map(move |e| {
            let first = self.at(e);
            let stops = first.last().map_or(0..1, |&c| c..self.stops[e]);
            stops.map(move |c| {
                let mut at = first.clone();
                if let Some(last) = at.last_mut() {
                    *last = c;
                }
                (at, &self.values[e])
            })
        })
    }

    /// How many coordinates have an entry, or `usize::MAX` if they are more than that.
    pub fn coordinates(&self) -> usize {
        let Some(firsts) = self.columns.last() else { return self.values.len() };
        let lengths = firsts.iter().zip(&self.stops).map(|(first, stop)| stop - first);
        lengths.fold(0, usize::saturating_add)
    }

    /// Makes room for so many entries more.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if there is no memory for them.
    pub fn room(&mut self, entries: usize) -> Result<(), Error> {
        let columns = self.columns.iter_mut().try_for_each(|c| c.try_reserve(entries));
        columns
            .and_then(|()| self.stops.try_reserve(entries))
            .and_then(|()| self.values.try_reserve(entries))
            .map_err(|_| Error::TooLarge { shape: self.shape.clone() })
    }

    /// Adds equal entries inside the shape, one by one and after all others: from `coords` to `stop` in
    /// `dimension`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if there is no memory for them.
    pub fn push_each(
        &mut self,
        coords: &mut [usize],
        dimension: usize,
        stop: usize,
        value: &V,
    ) -> Result<(), Error> {
        let first = coords[dimension];
        self.room(stop - first)?;
        for c in first..stop {
            coords[dimension] = c;
            self.push_run(coords, coords[coords.len() - 1] + 1, value.clone());
        }
        Ok(())
    }

    /// Takes away those entries from number `from` on whose value `goes` holds for.
    pub fn forget(&mut self, from: usize, goes: impl Fn(&V) -> bool) {
        let mut kept = from;
        for e in from..self.values.len() {
            if !goes(&self.values[e]) {
                self.columns.iter_mut().for_each(|column| column.swap(kept, e));
                self.stops.swap(kept, e);
                self.values.swap(kept, e);
                kept += 1;
            }
        }
        self.columns.iter_mut().for_each(|column| column.truncate(kept));
        self.stops.truncate(kept);
        self.values.truncate(kept);
    }

    /// The same entries in ascending order of coordinates, if those that are alike in the first
    /// `leading` dimensions are in it already.
    ///
    /// Linear if `leading` is 0, if they are in order, or as in [`Entries::order`].
    pub fn in_order(self, leading: usize) -> Self {
        match leading == 0 || self.ascends() {
            true => self,
            false => self.gather(&self.order(leading)),
        }
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// If it is not inside the shape.
    pub fn push(&mut self, coords: &[usize], value: V) -> Result<(), Error> {
        if coords.len() != self.shape.len() {
            return Err(Error::Rank { expected: self.shape.len(), found: coords.len() });
        }
        if let Some(dimension) = coords.iter().zip(&self.shape).position(|(c, n)| c >= n) {
            return Err(Error::Index {
                coords: coords.to_vec(),
                dimension,
                size: self.shape[dimension],
            });
        }
        self.push_run(coords, coords.last().map_or(0, |c| c + 1), value);
        Ok(())
    }

    /// The same entries in ascending order of coordinates, each once.
    ///
    /// # Errors
    /// The first conflict in ascending order of coordinates.
    pub(crate) fn sorted(self, mut duplicates: impl Duplicates<V>) -> Result<Self, Fault> {
        if self.ascends() {
            return Ok(self);
        }
        let order = self.order(self.shape.len());
        let mut kept: Vec<usize> = Vec::with_capacity(order.len());
        let mut values: Vec<V> = Vec::with_capacity(order.len());
        for e in order {
            let value = self.values[e].clone();
            match (kept.last(), values.last_mut()) {
                (Some(&last), Some(sum)) if self.same(last, e) => {
                    if let Err(conflict) = duplicates.combine(sum, value) {
                        let coords = self.columns.iter().map(|c| c[e]).collect();
                        return Err(Fault::Conflict(conflict, coords, e));
                    }
                }
                _ => {
                    kept.push(e);
                    values.push(value);
                }
            }
        }
        let gather = |column: &Vec<usize>| kept.iter().map(|&e| column[e]).collect();
        Ok(Entries {
            columns: self.columns.iter().map(gather).collect(),
            stops: gather(&self.stops),
            shape: self.shape,
            values,
        })
    }

    /// Whether each entry's coordinates are after those of the one before.
    fn ascends(&self) -> bool {
        (1..self.values.len()).all(|e| {
            let before = self.columns.iter().map(|c| c[e - 1]);
            before.lt(self.columns.iter().map(|c| c[e]))
        })
    }

    pub(super) fn same(&self, e: usize, f: usize) -> bool {
        self.columns.iter().all(|c| c[e] == c[f])
    }

    /// The numbers of the entries in ascending order of coordinates in the first `leading` dimensions,
    /// those that are alike there in the order of input.
    pub(super) fn order(&self, leading: usize) -> Vec<usize> {
        let n = self.values.len();
        // A counting pass costs n + size: worth it unless the sizes dwarf the entries.
        let countable = |&size: &usize| size <= n.saturating_mul(4).saturating_add(1024);
        if self.shape[..leading].iter().all(countable) {
            return (0..leading).rev().fold((0..n).collect(), |order, d| {
                counting_pass(&order, &self.columns[d], self.shape[d])
            });
        }
        let mut order: Vec<usize> = (0..n).collect();
        let columns = &self.columns[..leading];
        order.sort_by(|&e, &f| columns.iter().map(|c| c[e]).cmp(columns.iter().map(|c| c[f])));
        order
    }
}

/// `order` sorted stably by `column`, whose coordinates are below `size`.
fn counting_pass(order: &[usize], column: &[usize], size: usize) -> Vec<usize> {
    let mut next = vec![0usize; size + 1];
    for &c in column {
        next[c + 1] += 1;
    }
    for c in 1..size {
        next[c + 1] += next[c];
    }
    let mut sorted = vec![0; order.len()];
    for &e in order {
        let slot = &mut next[column[e]];
        sorted[*slot] = e;
        *slot += 1;
    }
    sorted
}
