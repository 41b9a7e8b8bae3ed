//! By hand: levels of sorted coordinates and of blocks of them.

use super::{at, lower_bound, part, put, ByHand, Entries};
use looplets::prelude::*;

/// Calls `hit` with the places of each common coordinate of `crd[p..end]` and `x`.
#[inline(always)]
pub(super) fn merge(
    crd: &[u32],
    (mut p, end): (usize, usize),
    x: &[u32],
    mut hit: impl FnMut(usize, usize),
) {
    let mut k = 0;
    while p < end && k < x.len() {
        let (i, j) = (at!(crd, p), at!(x, k));
        if i == j {
            hit(p, k);
            p += 1;
            k += 1;
        } else if i < j {
            p += 1;
        } else {
            k += 1;
        }
    }
}

macro_rules! sorted {
    ($level:ty, |$this:ident| $fields:expr, |$child:ident, $q:ident| $value:expr) => {
        impl ByHand for $level {
            #[inline(always)]
            fn copy(&self, p: usize, out: &mut [f64]) {
                let $this = self;
                let (pos, crd, $child) = $fields;
                out.fill(0.0);
                for $q in at!(pos, p)..at!(pos, p + 1) {
                    put!(out, at!(crd, $q) as usize, $value);
                }
            }
            #[inline(always)]
            fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
                let $this = self;
                let (pos, crd, $child) = $fields;
                let mut sum = 0.0;
                merge(crd, (at!(pos, p), at!(pos, p + 1)), x.crd, |$q, k| {
                    sum += $value * at!(x.val, k);
                });
                sum
            }
            #[inline(always)]
            fn look(&self, p: usize, i: usize) -> Option<f64> {
                let $this = self;
                let (pos, crd, $child) = $fields;
                let end = at!(pos, p + 1);
                let $q = lower_bound(crd, at!(pos, p), end, i);
                ($q < end && at!(crd, $q) as usize == i).then(|| $value)
            }
        }
    };
}

sorted!(
    SparseList<Element<f64>>,
    |a| {
        let (_, pos, crd, child) = a.__fields();
        (pos, crd, child.__fields().0)
    },
    |val, q| at!(val, q)
);
sorted!(
    SparseList<Pattern>,
    |a| {
        let (_, pos, crd, _) = a.__fields();
        (pos, crd, ())
    },
    |val, q| {
        let () = (val, q).0;
        1.0
    }
);

impl ByHand for SparsePoint<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, pos, crd, child) = self.__fields();
        out.fill(0.0);
        let q = at!(pos, p);
        if q < at!(pos, p + 1) {
            put!(out, at!(crd, q) as usize, at!(child.__fields().0, q));
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, pos, crd, child) = self.__fields();
        let q = at!(pos, p);
        if q == at!(pos, p + 1) {
            return 0.0;
        }
        let i = at!(crd, q) as usize;
        let k = lower_bound(x.crd, 0, x.crd.len(), i);
        if k < x.crd.len() && at!(x.crd, k) as usize == i {
            at!(child.__fields().0, q) * at!(x.val, k)
        } else {
            0.0
        }
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, pos, crd, child) = self.__fields();
        let q = at!(pos, p);
        (q < at!(pos, p + 1) && at!(crd, q) as usize == i).then(|| at!(child.__fields().0, q))
    }
}

impl ByHand for SparseBlockList<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, pos, last, ofs, child) = self.__fields();
        let (val, len) = (child.__fields().0, out.len());
        let mut done = 0;
        for q in at!(pos, p)..at!(pos, p + 1) {
            let (at, behind) = (at!(ofs, q), at!(ofs, q + 1));
            let stop = at!(last, q) as usize + 1;
            let first = stop - (behind - at);
            part!(mut out, done..first).fill(0.0);
            // A plain loop: blocks are short, and a call of `memcpy` would cost more.
            for i in first..stop {
                put!(out, i, at!(val, at + (i - first)));
            }
            done = stop;
        }
        part!(mut out, done..len).fill(0.0);
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, pos, last, ofs, child) = self.__fields();
        let val = child.__fields().0;
        let (mut sum, mut k) = (0.0, 0);
        for q in at!(pos, p)..at!(pos, p + 1) {
            let (at, behind) = (at!(ofs, q), at!(ofs, q + 1));
            let stop = at!(last, q) as usize + 1;
            let first = stop - (behind - at);
            while k < x.crd.len() && (at!(x.crd, k) as usize) < first {
                k += 1;
            }
            while k < x.crd.len() && (at!(x.crd, k) as usize) < stop {
                sum += at!(val, at + (at!(x.crd, k) as usize - first)) * at!(x.val, k);
                k += 1;
            }
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, pos, last, ofs, child) = self.__fields();
        let end = at!(pos, p + 1);
        let q = lower_bound(last, at!(pos, p), end, i);
        if q == end {
            return None;
        }
        let (back, behind) = (at!(last, q) as usize - i, at!(ofs, q + 1));
        (back < behind - at!(ofs, q)).then(|| at!(child.__fields().0, behind - 1 - back))
    }
}
