//! What a competitor computed, and whether two of them computed the same.

use crate::problem::Sparse;
use looplets::prelude::*;

/// A result.
pub enum Answer {
    /// Every value, row major.
    Dense(Vec<f64>),
    /// Rows in any order of columns.
    Sparse(Sparse),
}

/// What can be compared as a float.
pub trait Number: Copy {
    /// The value.
    fn float(self) -> f64;
}

macro_rules! numbers {
    ($($T:ty)*) => {$(
        impl Number for $T {
            fn float(self) -> f64 {
                self as f64
            }
        }
    )*};
}
numbers!(f32 f64 u8 u64 usize);

impl Number for bool {
    fn float(self) -> f64 {
        f64::from(u8::from(self))
    }
}

/// Every value of a tensor.
pub fn dense<L: Level>(tensor: Tensor<L>) -> Answer
where
    L::Value: Number,
{
    values(tensor.to_dense())
}

/// These values.
pub fn values<T: Number>(values: Vec<T>) -> Answer {
    Answer::Dense(values.into_iter().map(Number::float).collect())
}

/// What a matrix, or a vector as its only row, stores.
pub fn sparse<L: Level>(tensor: Tensor<L>) -> Answer
where
    L::Value: Number,
{
    let shape = tensor.shape();
    let (rows, cols) = if shape.len() == 1 { (1, shape[0]) } else { (shape[0], shape[1]) };
    let mut entries = Vec::new();
    tensor.for_each(|at, v| {
        let at = if at.len() == 1 { [0, at[0]] } else { [at[0], at[1]] };
        entries.push((at, v.float()));
    });
    Answer::Sparse(Sparse::sorted(rows, cols, &entries))
}

/// Errors of rounding are relative to the values and, where terms cancel, to the largest of them.
fn close(a: f64, b: f64, precision: f64, largest: f64) -> bool {
    a == b || (a - b).abs() <= precision * a.abs().max(b.abs()) + 1e-2 * precision * largest
}

impl Answer {
    fn flat(&self) -> Vec<f64> {
        match self {
            Answer::Dense(values) => values.clone(),
            Answer::Sparse(s) => {
                let mut values = vec![0.0; s.rows * s.cols];
                for i in 0..s.rows {
                    for q in s.row(i) {
                        values[i * s.cols + s.crd[q] as usize] = s.val[q];
                    }
                }
                values
            }
        }
    }

    /// Whether they are the same, or the first coordinate at which they are not.
    pub fn compare(&self, other: &Answer, precision: f64) -> Result<(), String> {
        if let (Answer::Sparse(a), Answer::Sparse(b)) = (self, other) {
            return same_entries(&a.tidy(), &b.tidy(), precision);
        }
        let (a, b) = (self.flat(), other.flat());
        if a.len() != b.len() {
            return Err(format!("{} values, not {}", b.len(), a.len()));
        }
        let largest = scale(&a);
        match a.iter().zip(&b).position(|(a, b)| !close(*a, *b, precision, largest)) {
            Some(k) => Err(format!("{} at {k}, not {}", b[k], a[k])),
            None => Ok(()),
        }
    }
}

fn scale(values: &[f64]) -> f64 {
    values.iter().copied().filter(|v| v.is_finite()).fold(0.0, |m, v| m.max(v.abs()))
}

fn same_entries(a: &Sparse, b: &Sparse, precision: f64) -> Result<(), String> {
    if [a.rows, a.cols] != [b.rows, b.cols] {
        return Err(format!("{} x {}, not {} x {}", b.rows, b.cols, a.rows, a.cols));
    }
    let largest = scale(&a.val);
    for i in 0..a.rows {
        let (mut p, mut q) = (a.row(i), b.row(i));
        while !(p.is_empty() && q.is_empty()) {
            let column = |s: &Sparse, at: &std::ops::Range<usize>| {
                if at.is_empty() {
                    u32::MAX
                } else {
                    s.crd[at.start]
                }
            };
            let j = column(a, &p).min(column(b, &q));
            // What one has and the other lacks may have cancelled to no zero exactly.
            let take = |s: &Sparse, at: &mut std::ops::Range<usize>| {
                if column(s, at) == j {
                    s.val[at.next().expect("an entry at `j`")]
                } else {
                    0.0
                }
            };
            let (v, w) = (take(a, &mut p), take(b, &mut q));
            if !close(v, w, precision, largest) {
                return Err(format!("{w} at ({i}, {j}), not {v}"));
            }
        }
    }
    Ok(())
}
