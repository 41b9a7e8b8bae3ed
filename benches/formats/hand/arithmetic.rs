//! By hand: levels that know by arithmetic where an element is.

use super::{at, lower_bound, part, put, ByHand, Entries};
use looplets::prelude::*;

/// The product of `row`, whose first coordinate is `first`, and `x`.
#[inline(always)]
fn stretch(row: &[f64], first: usize, x: Entries<'_>) -> f64 {
    let stop = first + row.len();
    let mut k = if first == 0 { 0 } else { lower_bound(x.crd, 0, x.crd.len(), first) };
    let mut sum = 0.0;
    while k < x.crd.len() {
        let i = at!(x.crd, k) as usize;
        if i >= stop {
            break;
        }
        sum += at!(row, i - first) * at!(x.val, k);
        k += 1;
    }
    sum
}

/// `row` from coordinate `first` on, and zeros elsewhere.
#[inline(always)]
fn spread(row: &[f64], first: usize, out: &mut [f64]) {
    let (stop, len) = (first + row.len(), out.len());
    part!(mut out, 0..first).fill(0.0);
    part!(mut out, first..stop).copy_from_slice(row);
    part!(mut out, stop..len).fill(0.0);
}

macro_rules! stretches {
    ($(#[$doc:meta])* $level:ty, |$this:ident, $p:ident| $row:expr) => {
        $(#[$doc])*
        impl ByHand for $level {
            #[inline(always)]
            fn copy(&self, $p: usize, out: &mut [f64]) {
                let $this = self;
                let (row, first): (&[f64], usize) = $row;
                spread(row, first, out);
            }
            #[inline(always)]
            fn dot(&self, $p: usize, x: Entries<'_>) -> f64 {
                let $this = self;
                let (row, first): (&[f64], usize) = $row;
                stretch(row, first, x)
            }
            #[inline(always)]
            fn look(&self, $p: usize, i: usize) -> Option<f64> {
                let $this = self;
                let (row, first): (&[f64], usize) = $row;
                (first <= i && i < first + row.len()).then(|| at!(row, i - first))
            }
        }
    };
}

/// Elements of the rows before `n` of a triangle with a diagonal.
#[inline(always)]
fn triangle(n: usize) -> usize {
    n * (n + 1) / 2
}

stretches!(Dense<Element<f64>>, |a, p| {
    let (len, child) = a.__fields();
    (part!(child.__fields().0, p * len..(p + 1) * len), 0)
});
stretches!(SparseBand<Element<f64>>, |a, p| {
    let (_, pos, start, child) = a.__fields();
    (part!(child.__fields().0, at!(pos, p)..at!(pos, p + 1)), at!(start, p) as usize)
});
stretches!(Ragged<Element<f64>>, |a, p| {
    let (_, pos, child) = a.__fields();
    (part!(child.__fields().0, at!(pos, p)..at!(pos, p + 1)), 0)
});
// There is one matrix, so a fiber is a row.
stretches!(LowerTriangular<Element<f64>>, |a, p| {
    let (_, child) = a.__fields();
    (part!(child.__fields().0, triangle(p)..triangle(p + 1)), 0)
});
stretches!(StrictLowerTriangular<Element<f64>>, |a, p| {
    let (_, child) = a.__fields();
    let first = triangle(p) - p;
    (part!(child.__fields().0, first..first + p), 0)
});
stretches!(UpperTriangular<Element<f64>>, |a, p| {
    let (len, child) = a.__fields();
    let first = p * (len + 1) - triangle(p);
    (part!(child.__fields().0, first..first + len - p), p)
});
stretches!(StrictUpperTriangular<Element<f64>>, |a, p| {
    let (len, child) = a.__fields();
    let first = p * len - triangle(p);
    (part!(child.__fields().0, first..first + len - 1 - p), p + 1)
});

impl ByHand for Symmetric<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (len, child) = self.__fields();
        let val = child.__fields().0;
        let first = triangle(p);
        part!(mut out, 0..p + 1).copy_from_slice(part!(val, first..first + p + 1));
        let mut q = triangle(p + 1) + p;
        for i in p + 1..len {
            put!(out, i, at!(val, q));
            q += i + 1;
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let val = self.__fields().1.__fields().0;
        let first = triangle(p);
        let (mut sum, mut k) = (0.0, 0);
        while k < x.crd.len() && at!(x.crd, k) as usize <= p {
            sum += at!(val, first + at!(x.crd, k) as usize) * at!(x.val, k);
            k += 1;
        }
        while k < x.crd.len() {
            sum += at!(val, triangle(at!(x.crd, k) as usize) + p) * at!(x.val, k);
            k += 1;
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let val = self.__fields().1.__fields().0;
        Some(at!(val, triangle(p.max(i)) + p.min(i)))
    }
}
