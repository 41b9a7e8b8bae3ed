//! By hand: levels of runs.

use super::{at, lower_bound, part, put, ByHand, Entries};
use looplets::prelude::*;

impl ByHand for RunList<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, pos, last, child) = self.__fields();
        let mut done = 0;
        for q in at!(pos, p)..at!(pos, p + 1) {
            let stop = at!(last, q) as usize + 1;
            part!(mut out, done..stop).fill(at!(child.__fields().0, q));
            done = stop;
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, pos, last, child) = self.__fields();
        let (mut sum, mut q) = (0.0, at!(pos, p));
        for k in 0..x.crd.len() {
            // The runs cover the row, so one ends behind any coordinate.
            while at!(last, q) < at!(x.crd, k) {
                q += 1;
            }
            sum += at!(child.__fields().0, q) * at!(x.val, k);
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, pos, last, child) = self.__fields();
        let q = lower_bound(last, at!(pos, p), at!(pos, p + 1), i);
        Some(at!(child.__fields().0, q))
    }
}

impl ByHand for SparseRunList<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, pos, first, last, child) = self.__fields();
        let (mut done, len) = (0, out.len());
        for q in at!(pos, p)..at!(pos, p + 1) {
            let (begin, stop) = (at!(first, q) as usize, at!(last, q) as usize + 1);
            part!(mut out, done..begin).fill(0.0);
            part!(mut out, begin..stop).fill(at!(child.__fields().0, q));
            done = stop;
        }
        part!(mut out, done..len).fill(0.0);
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, pos, first, last, child) = self.__fields();
        let (mut sum, mut k) = (0.0, 0);
        for q in at!(pos, p)..at!(pos, p + 1) {
            let (begin, end, value) = (at!(first, q), at!(last, q), at!(child.__fields().0, q));
            while k < x.crd.len() && at!(x.crd, k) < begin {
                k += 1;
            }
            while k < x.crd.len() && at!(x.crd, k) <= end {
                sum += value * at!(x.val, k);
                k += 1;
            }
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, pos, first, last, child) = self.__fields();
        let end = at!(pos, p + 1);
        let q = lower_bound(last, at!(pos, p), end, i);
        (q < end && at!(first, q) as usize <= i).then(|| at!(child.__fields().0, q))
    }
}

impl ByHand for SparseInterval<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, pos, first, last, child) = self.__fields();
        let (q, len) = (at!(pos, p), out.len());
        if q == at!(pos, p + 1) {
            return out.fill(0.0);
        }
        let (begin, stop) = (at!(first, q) as usize, at!(last, q) as usize + 1);
        part!(mut out, 0..begin).fill(0.0);
        part!(mut out, begin..stop).fill(at!(child.__fields().0, q));
        part!(mut out, stop..len).fill(0.0);
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, pos, first, last, child) = self.__fields();
        let q = at!(pos, p);
        if q == at!(pos, p + 1) {
            return 0.0;
        }
        let mut k = lower_bound(x.crd, 0, x.crd.len(), at!(first, q) as usize);
        let (end, value) = (at!(last, q), at!(child.__fields().0, q));
        let mut sum = 0.0;
        while k < x.crd.len() && at!(x.crd, k) <= end {
            sum += value * at!(x.val, k);
            k += 1;
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, pos, first, last, child) = self.__fields();
        let q = at!(pos, p);
        let inside =
            q < at!(pos, p + 1) && at!(first, q) as usize <= i && i <= at!(last, q) as usize;
        inside.then(|| at!(child.__fields().0, q))
    }
}

impl ByHand for PackBits<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, pos, last, ofs, child) = self.__fields();
        let val = child.__fields().0;
        let mut done = 0;
        for q in at!(pos, p)..at!(pos, p + 1) {
            let (at, behind) = (at!(ofs, q), at!(ofs, q + 1));
            let stop = at!(last, q) as usize + 1;
            match behind - at {
                0 => part!(mut out, done..stop).fill(0.0),
                1 => part!(mut out, done..stop).fill(at!(val, at)),
                _ => {
                    for i in done..stop {
                        put!(out, i, at!(val, at + (i - done)));
                    }
                }
            }
            done = stop;
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, pos, last, ofs, child) = self.__fields();
        let val = child.__fields().0;
        let (mut sum, mut k) = (0.0, 0);
        for q in at!(pos, p)..at!(pos, p + 1) {
            let (at, behind) = (at!(ofs, q), at!(ofs, q + 1));
            let stop = at!(last, q) as usize + 1;
            while k < x.crd.len() && (at!(x.crd, k) as usize) < stop {
                match behind - at {
                    0 => {}
                    1 => sum += at!(val, at) * at!(x.val, k),
                    _ => {
                        let back = stop - at!(x.crd, k) as usize;
                        sum += at!(val, behind - back) * at!(x.val, k);
                    }
                }
                k += 1;
            }
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, pos, last, ofs, child) = self.__fields();
        let q = lower_bound(last, at!(pos, p), at!(pos, p + 1), i);
        let (at, behind) = (at!(ofs, q), at!(ofs, q + 1));
        match behind - at {
            0 => None,
            1 => Some(at!(child.__fields().0, at)),
            _ => Some(at!(child.__fields().0, behind - (at!(last, q) as usize + 1 - i))),
        }
    }
}
