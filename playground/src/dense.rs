//! Small tensors of the evaluator: every element, and which of them are stored. Reads and writes know nothing of levels,
//! but what is stored follows from them.

use crate::value::Val;
use looplets_core::kernel::Tensor;

/// A dense, row-major tensor.
#[derive(Clone, Debug)]
pub struct Dense {
    /// The size of each dimension.
    pub shape: Vec<usize>,
    /// Elements.
    pub data: Vec<Val>,
    /// Which of them are stored.
    pub stored: Vec<bool>,
}

/// The most elements of a tensor in the page.
pub const MOST: usize = 100_000;

impl Dense {
    /// All fill, of which a format that leaves nothing out stores everything.
    pub fn filled(shape: Vec<usize>, fill: &Val, stored: bool) -> Result<Dense, String> {
        let count = shape.iter().try_fold(1_usize, |n, size| n.checked_mul(*size));
        let count = count.filter(|n| *n <= MOST).ok_or_else(|| {
            format!("a tensor of shape {shape:?} is more than this page evaluates, {MOST} elements")
        })?;
        Ok(Dense { shape, data: vec![fill.clone(); count], stored: vec![stored; count] })
    }

    /// The place of an element whose coordinates are in range.
    pub fn place(&self, at: &[usize]) -> usize {
        at.iter().zip(&self.shape).fold(0, |place, (i, size)| place * size + i)
    }

    /// The same elements with the dimensions the other way round.
    pub fn turned(&self) -> Dense {
        let shape: Vec<usize> = self.shape.iter().rev().copied().collect();
        let places = (0..self.data.len()).map(|place| {
            // The coordinates that this place has in the other order.
            let mut at = vec![0; shape.len()];
            let mut rest = place;
            for (c, size) in at.iter_mut().zip(&shape).rev() {
                *c = rest % size;
                rest /= size;
            }
            at.reverse();
            self.place(&at)
        });
        let places: Vec<usize> = places.collect();
        Dense {
            data: places.iter().map(|&p| self.data[p].clone()).collect(),
            stored: places.iter().map(|&p| self.stored[p]).collect(),
            shape,
        }
    }

    /// Marks what the levels of `tensor` store besides the entries that are given: a level that leaves nothing out has a child
    /// for each coordinate, and a block has all from its first to its last entry.
    pub fn close(&mut self, tensor: &Tensor) {
        let stored = close(tensor, 0, &self.shape, &self.stored);
        self.stored = stored;
    }

    /// What cannot be stored: the first element given where a triangle has none, or that differs from its mirror image.
    pub fn misfit(&self, tensor: &Tensor) -> Option<String> {
        let rank = self.shape.len();
        let square = |name: &str| {
            (self.shape[rank - 1] != self.shape[rank - 2])
                .then(|| format!("`{name}` is square, and the shape is {:?}", self.shape))
        };
        for (k, level) in tensor.levels.iter().enumerate().skip(1) {
            let name = level.format.level().name.to_string();
            let below = |i: usize, j: usize| match name.as_str() {
                "LowerTriangular" => Some(j <= i),
                "StrictLowerTriangular" => Some(j < i),
                "UpperTriangular" => Some(j >= i),
                "StrictUpperTriangular" => Some(j > i),
                _ => None,
            };
            if k + 1 != rank {
                continue;
            }
            if name == "Symmetric" {
                if let Some(why) = square(&name) {
                    return Some(why);
                }
                let n = self.shape[rank - 1];
                for (base, (i, j)) in self.pairs() {
                    let other = base + j * n + i;
                    let own = base + i * n + j;
                    if i < n && j < n && !self.data[own].identical(&self.data[other]) {
                        return Some(format!(
                            "`{name}` has one value for [{i}, {j}] and [{j}, {i}]"
                        ));
                    }
                }
            }
            for (base, (i, j)) in self.pairs() {
                let own = base + i * self.shape[rank - 1] + j;
                if self.stored[own] && below(i, j) == Some(false) {
                    return Some(format!("`{name}` has no place for an entry at [{i}, {j}]"));
                }
            }
        }
        None
    }

    /// The coordinates of the last two dimensions, with where each matrix begins.
    fn pairs(&self) -> Vec<(usize, (usize, usize))> {
        let rank = self.shape.len();
        let (m, n) = (self.shape[rank - 2], self.shape[rank - 1]);
        let count = self.data.len().checked_div(m * n).unwrap_or(0);
        let within = |b: usize| (0..m).flat_map(move |i| (0..n).map(move |j| (b * m * n, (i, j))));
        (0..count).flat_map(within).collect()
    }
}

/// Which elements of the fiber at `level` are stored, if it is, where `given` are.
fn close(tensor: &Tensor, level: usize, shape: &[usize], given: &[bool]) -> Vec<bool> {
    let Some((size, rest)) = shape.split_first() else { return vec![true] };
    let part: usize = rest.iter().product();
    let decl = tensor.levels[level].format.level();
    let part_of = |i: usize| &given[i * part..(i + 1) * part];
    let any = |i: usize| part_of(i).contains(&true);
    let first = (0..*size).find(|i| any(*i));
    let last = (0..*size).rev().find(|i| any(*i));
    let block = matches!(decl.name.to_string().as_str(), "SparseBand" | "SparseInterval");
    let triangle = decl.name.to_string().ends_with("Triangular");
    let mut out = Vec::with_capacity(given.len());
    for i in 0..*size {
        let within = first.is_some_and(|a| a <= i) && last.is_some_and(|b| i <= b);
        let there = match (decl.leaves_out(), block) {
            // Which places a triangle has is no matter of what is given: those without an entry are taken to be none.
            (true, _) if triangle => any(i),
            (true, true) => within,
            (true, false) => any(i),
            (false, _) => true,
        };
        match there {
            true => out.extend(close(tensor, level + 1, rest, part_of(i))),
            false => out.extend(std::iter::repeat_n(false, part)),
        }
    }
    out
}
