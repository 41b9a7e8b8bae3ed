//! By hand: COO, whose rows are groups of entries with one coordinate.

use super::{at, lists::merge, lower_bound, put, Entries, Matrix};
use looplets::prelude::*;

type Triplets = Coo<Singleton<Element<f64>>>;

/// The coordinates of rows and columns, and the values.
#[inline(always)]
fn arrays(a: &Triplets) -> (&[u32], &[u32], &[f64]) {
    let (_, _, rows, below) = a.__fields();
    let (_, columns, child) = below.__fields();
    (rows, columns, child.__fields().0)
}

/// Calls `each` with each row and the bounds of its entries.
#[inline(always)]
fn groups(rows: &[u32], mut each: impl FnMut(usize, usize, usize)) {
    let mut start = 0;
    while start < rows.len() {
        let row = at!(rows, start);
        let mut end = start + 1;
        while end < rows.len() && at!(rows, end) == row {
            end += 1;
        }
        each(row as usize, start, end);
        start = end;
    }
}

impl Matrix for Triplets {
    #[inline(always)]
    fn copy(&self, b: &mut [f64], columns: usize) {
        let (rows, crd, val) = arrays(self);
        b.fill(0.0);
        for q in 0..rows.len() {
            put!(b, at!(rows, q) as usize * columns + at!(crd, q) as usize, at!(val, q));
        }
    }
    #[inline(always)]
    fn dot(&self, x: Entries<'_>, y: &mut [f64]) {
        let (rows, crd, val) = arrays(self);
        groups(rows, |row, start, end| {
            let mut sum = 0.0;
            merge(crd, (start, end), x.crd, |q, k| sum += at!(val, q) * at!(x.val, k));
            put!(y, row, sum);
        });
    }
    #[inline(always)]
    fn locate(&self, x: Entries<'_>, y: &mut [f64]) {
        let (rows, crd, val) = arrays(self);
        groups(rows, |row, start, end| {
            let mut sum = 0.0;
            for k in 0..x.crd.len() {
                let i = at!(x.crd, k) as usize;
                let q = lower_bound(crd, start, end, i);
                if q < end && at!(crd, q) as usize == i {
                    sum += at!(val, q) * at!(x.val, k);
                }
            }
            put!(y, row, sum);
        });
    }
}
