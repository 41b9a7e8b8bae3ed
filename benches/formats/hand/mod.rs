//! The same kernels written by hand over the same arrays: a row at a time, as plain Rust as can be
//! with unchecked indexing.

mod arithmetic;
mod coo;
mod lists;
mod maps;
mod runs;

use looplets::prelude::*;

/// The coordinates and values of a sparse vector.
#[derive(Clone, Copy)]
pub struct Entries<'a> {
    /// Coordinates.
    pub crd: &'a [u32],
    /// Values.
    pub val: &'a [f64],
}

/// The arrays of a vector.
pub fn vector(x: &SparseVec<f64>) -> Entries<'_> {
    let (_, _, crd, child) = x.root().__fields();
    Entries { crd, val: child.__fields().0 }
}

/// A level of rows, by hand.
pub trait ByHand: Level {
    /// Writes every element of row `p`.
    fn copy(&self, p: usize, out: &mut [f64]);
    /// The product of row `p` and `x`, by going through what the row stores.
    fn dot(&self, p: usize, x: Entries<'_>) -> f64;
    /// Element `i` of row `p`, if it is stored.
    fn look(&self, p: usize, i: usize) -> Option<f64>;
}

macro_rules! at {
    ($array:expr, $index:expr) => {{
        let (array, index): (&[_], usize) = (&$array, $index);
        debug_assert!(index < array.len());
        // SAFETY: the tensor's invariants cover its arrays, and the vector is as long as a row.
        *unsafe { array.get_unchecked(index) }
    }};
}
use at;

macro_rules! put {
    ($array:expr, $index:expr, $value:expr) => {{
        let (array, index, value): (&mut [_], usize, _) = (&mut *$array, $index, $value);
        debug_assert!(index < array.len());
        // SAFETY: the array is as long as the rows, whose coordinates are below their length.
        *unsafe { array.get_unchecked_mut(index) } = value;
    }};
}
use put;

macro_rules! part {
    ($array:expr, $range:expr) => {{
        let (array, range): (&[_], std::ops::Range<usize>) = (&$array, $range);
        debug_assert!(range.start <= range.end && range.end <= array.len());
        // SAFETY: as for a single element.
        unsafe { array.get_unchecked(range) }
    }};
    (mut $array:expr, $range:expr) => {{
        let (array, range): (&mut [_], std::ops::Range<usize>) = (&mut *$array, $range);
        debug_assert!(range.start <= range.end && range.end <= array.len());
        // SAFETY: as for a single element.
        unsafe { array.get_unchecked_mut(range) }
    }};
}
use part;

/// A matrix, by hand.
pub trait Matrix: Level {
    /// Writes every element.
    fn copy(&self, b: &mut [f64], columns: usize);
    /// Adds the product of each row and `x` to `y`.
    fn dot(&self, x: Entries<'_>, y: &mut [f64]);
    /// Does the same by looking the entries of `x` up.
    fn locate(&self, x: Entries<'_>, y: &mut [f64]);
}

impl<L: ByHand> Matrix for Dense<L> {
    #[inline(always)]
    fn copy(&self, b: &mut [f64], columns: usize) {
        let (rows, level) = self.__fields();
        for p in 0..rows {
            level.copy(p, part!(mut b, p * columns..(p + 1) * columns));
        }
    }
    #[inline(always)]
    fn dot(&self, x: Entries<'_>, y: &mut [f64]) {
        let level = self.__fields().1;
        for (p, y) in y.iter_mut().enumerate() {
            *y = level.dot(p, x);
        }
    }
    #[inline(always)]
    fn locate(&self, x: Entries<'_>, y: &mut [f64]) {
        let level = self.__fields().1;
        for (p, y) in y.iter_mut().enumerate() {
            let mut sum = 0.0;
            for k in 0..x.crd.len() {
                if let Some(value) = level.look(p, at!(x.crd, k) as usize) {
                    sum += value * at!(x.val, k);
                }
            }
            *y = sum;
        }
    }
}

/// Every element of a matrix.
#[inline(never)]
pub fn copy<M: Matrix>(a: &Tensor<M>, b: &mut [f64], columns: usize) {
    a.root().copy(b, columns);
}

/// The product of each row and `x`.
#[inline(never)]
pub fn dot<M: Matrix>(a: &Tensor<M>, x: Entries<'_>, rows: usize) -> Vec<f64> {
    let mut y = vec![0.0; rows];
    a.root().dot(x, &mut y);
    y
}

/// The product of each row and `x`, by looking the entries of `x` up.
#[inline(never)]
pub fn locate<M: Matrix>(a: &Tensor<M>, x: Entries<'_>, rows: usize) -> Vec<f64> {
    let mut y = vec![0.0; rows];
    a.root().locate(x, &mut y);
    y
}

/// The first of `lo..hi` whose coordinate is not below `i`, by halving.
#[inline(always)]
fn lower_bound(crd: &[u32], lo: usize, hi: usize, i: usize) -> usize {
    let (mut base, mut n) = (lo, hi - lo);
    while n > 1 {
        let half = n / 2;
        base += if (at!(crd, base + half - 1) as usize) < i { half } else { 0 };
        n -= half;
    }
    base + usize::from(n == 1 && (at!(crd, base) as usize) < i)
}
