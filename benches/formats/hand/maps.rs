//! By hand: levels that say for each coordinate whether it is stored, and tables.

use super::{at, put, ByHand, Entries};
use looplets::prelude::*;
use looplets::search::home;

impl ByHand for Bitmap<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (len, tbl, child) = self.__fields();
        let (words, val) = (len.div_ceil(64), child.__fields().0);
        out.fill(0.0);
        for w in 0..words {
            let mut word = at!(tbl, p * words + w);
            while word != 0 {
                let i = w * 64 + word.trailing_zeros() as usize;
                put!(out, i, at!(val, p * len + i));
                word &= word - 1;
            }
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (len, tbl, child) = self.__fields();
        let (words, val) = (len.div_ceil(64), child.__fields().0);
        let (mut sum, mut k) = (0.0, 0);
        for w in 0..words {
            let mut word = at!(tbl, p * words + w);
            while word != 0 {
                let i = w * 64 + word.trailing_zeros() as usize;
                while k < x.crd.len() && (at!(x.crd, k) as usize) < i {
                    k += 1;
                }
                if k == x.crd.len() {
                    return sum;
                }
                if at!(x.crd, k) as usize == i {
                    sum += at!(val, p * len + i) * at!(x.val, k);
                }
                word &= word - 1;
            }
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (len, tbl, child) = self.__fields();
        let word = at!(tbl, p * len.div_ceil(64) + i / 64);
        (word >> (i % 64) & 1 != 0).then(|| at!(child.__fields().0, p * len + i))
    }
}

impl ByHand for ByteMap<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (len, tbl, child) = self.__fields();
        let val = child.__fields().0;
        for i in 0..len {
            let value = if at!(tbl, p * len + i) != 0 { at!(val, p * len + i) } else { 0.0 };
            put!(out, i, value);
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (len, tbl, child) = self.__fields();
        let val = child.__fields().0;
        let (mut sum, mut k) = (0.0, 0);
        for i in 0..len {
            if at!(tbl, p * len + i) != 0 {
                while k < x.crd.len() && (at!(x.crd, k) as usize) < i {
                    k += 1;
                }
                if k == x.crd.len() {
                    return sum;
                }
                if at!(x.crd, k) as usize == i {
                    sum += at!(val, p * len + i) * at!(x.val, k);
                }
            }
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (len, tbl, child) = self.__fields();
        let q = p * len + i;
        (at!(tbl, q) != 0).then(|| at!(child.__fields().0, q))
    }
}

impl ByHand for Hash<Element<f64>> {
    #[inline(always)]
    fn copy(&self, p: usize, out: &mut [f64]) {
        let (_, _, _, crd, pos, ord, child) = self.__fields();
        out.fill(0.0);
        for k in at!(pos, p)..at!(pos, p + 1) {
            let q = at!(ord, k);
            put!(out, at!(crd, q) as usize, at!(child.__fields().0, q));
        }
    }
    #[inline(always)]
    fn dot(&self, p: usize, x: Entries<'_>) -> f64 {
        let (_, _, _, crd, pos, ord, child) = self.__fields();
        let (mut sum, mut k) = (0.0, 0);
        let (mut m, end) = (at!(pos, p), at!(pos, p + 1));
        while m < end && k < x.crd.len() {
            let q = at!(ord, m);
            let (i, j) = (at!(crd, q), at!(x.crd, k));
            if i == j {
                sum += at!(child.__fields().0, q) * at!(x.val, k);
                m += 1;
                k += 1;
            } else if i < j {
                m += 1;
            } else {
                k += 1;
            }
        }
        sum
    }
    #[inline(always)]
    fn look(&self, p: usize, i: usize) -> Option<f64> {
        let (_, tbl, fib, crd, _, _, child) = self.__fields();
        if tbl.is_empty() {
            return None;
        }
        let mask = tbl.len() - 1;
        let mut slot = home(p as u64, i as u64) & mask;
        loop {
            let entry = at!(tbl, slot);
            if entry == 0 {
                return None;
            }
            if at!(crd, entry - 1) as usize == i && at!(fib, entry - 1) == p {
                return Some(at!(child.__fields().0, entry - 1));
            }
            slot = (slot + 1) & mask;
        }
    }
}
