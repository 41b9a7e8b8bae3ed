//! What formats are tried on: the same vectors and matrices on every machine, by pattern and size.

use super::values::Hostile;
use std::fmt;

/// The sizes of vectors: none, few, around a word of bits, and more than a byte counts.
const SIZES: [usize; 8] = [0, 1, 2, 3, 63, 64, 65, 300];

/// The shapes of matrices.
const SHAPES: [[usize; 2]; 8] = [[0, 0], [0, 3], [3, 0], [1, 1], [2, 1], [5, 2], [4, 65], [9, 20]];

/// The sizes of square matrices.
const SQUARES: [usize; 6] = [0, 1, 2, 3, 8, 33];

/// How many patterns there are.
pub(super) const PATTERNS: usize = 9;

/// The entries of a vector (a matrix of one row) or of a matrix, row by row; `None` is not stored.
pub struct Input {
    pattern: &'static str,
    pub(super) vector: bool,
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) entries: Vec<Option<f64>>,
}

/// What an input is of: the sizes that go with a format.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Vector,
    Matrix,
    Square,
}

impl Kind {
    /// The number of rows and columns of each input.
    pub(super) fn shapes(self) -> Vec<[usize; 2]> {
        match self {
            Kind::Vector => SIZES.iter().map(|&n| [1, n]).collect(),
            Kind::Matrix => SHAPES.to_vec(),
            Kind::Square => SQUARES.iter().map(|&n| [n, n]).collect(),
        }
    }
}

/// Which values inputs have.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Values {
    /// Fractions of which sums are exact, neither 0 nor 1: no fill that the suite uses.
    Exact,
    /// Everything: both zeros, subnormals, infinities and NaN too, which a copy keeps.
    All,
}

/// Numbers that look random (PCG without its permutation), for a fixed seed.
struct Random(u64, Values);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn value(&mut self) -> f64 {
        if self.1 == Values::All {
            return f64::hostile(self.below(1 << 20));
        }
        loop {
            let value = f64::small(self.below(1 << 20));
            if value != 0.0 && value != 1.0 {
                return value;
            }
        }
    }
}

impl Input {
    /// Pattern `k` of a shape. Entries that are stored though they are the fill hold `fill`.
    pub(super) fn new(vector: bool, shape: [usize; 2], k: usize, fill: f64) -> Input {
        Input::of(Values::Exact, vector, shape, k, fill)
    }

    /// The same with such values.
    pub(super) fn of(
        values: Values,
        vector: bool,
        [rows, cols]: [usize; 2],
        k: usize,
        fill: f64,
    ) -> Input {
        let n = rows * cols;
        let mut random = Random((n * PATTERNS + k) as u64, values);
        let mut entries = vec![None; n];
        let one_in = |of: usize, random: &mut Random, entries: &mut [Option<f64>]| {
            for e in entries {
                *e = (random.below(of) == 0).then(|| random.value());
            }
        };
        let pattern = match k % PATTERNS {
            0 => "nothing stored",
            1 => {
                one_in(1, &mut random, &mut entries);
                "all stored"
            }
            2 => {
                one_in(8, &mut random, &mut entries);
                "an eighth stored"
            }
            3 => {
                one_in(2, &mut random, &mut entries);
                "half stored"
            }
            k @ (4 | 5) => {
                let mut at = 0;
                while at < n {
                    let end = n.min(at + 1 + random.below(9));
                    let stored = random.below(2) == 0;
                    let value = random.value();
                    for e in &mut entries[at..end] {
                        *e = stored.then(|| if k == 4 { value } else { random.value() });
                    }
                    at = end;
                }
                if k == 4 {
                    "runs"
                } else {
                    "blocks"
                }
            }
            6 => {
                for row in entries.chunks_mut(cols.max(1)) {
                    let last = row.len() - 1;
                    row[0] = Some(random.value());
                    row[last] = Some(random.value());
                }
                "first and last stored"
            }
            7 => {
                one_in(2, &mut random, &mut entries);
                for e in entries.iter_mut().flatten() {
                    *e = if random.below(2) == 0 { fill } else { *e };
                }
                "fills stored"
            }
            _ => {
                if let Some(e) = entries.get_mut(n / 2) {
                    *e = Some(3.0);
                }
                "one stored"
            }
        };
        Input { pattern, vector, rows, cols, entries }
    }

    /// The sizes as a tensor has them.
    pub(super) fn shape(&self) -> Vec<usize> {
        if self.vector {
            vec![self.cols]
        } else {
            vec![self.rows, self.cols]
        }
    }

    /// What is stored, with coordinates.
    pub(super) fn triplets(&self) -> Vec<(Vec<usize>, f64)> {
        let stored = self.entries.iter().enumerate();
        let stored = stored.filter_map(|(k, e)| e.map(|value| (self.at(k), value)));
        stored.collect()
    }

    /// The coordinates of element `k`.
    pub(super) fn at(&self, k: usize) -> Vec<usize> {
        if self.vector {
            vec![k]
        } else {
            vec![k / self.cols, k % self.cols]
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} with {}:", self.shape(), self.pattern)?;
        for (at, value) in self.triplets() {
            write!(f, " {at:?} {value},")?;
        }
        Ok(())
    }
}
