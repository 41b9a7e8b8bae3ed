//! Loops over runs by hand, in plain Rust: what programs on images by runs are timed beside. Operands are runs already.

use super::images::mix;
use crate::answer::Answer;

/// Runs of pixels that are alike, row by row.
pub(super) struct ByRuns<T> {
    pos: Vec<usize>,
    last: Vec<u32>,
    val: Vec<T>,
}

impl<T: Copy + PartialEq> ByRuns<T> {
    pub(super) fn of(pixels: &[T], cols: usize) -> Self {
        let mut all = ByRuns { pos: vec![0], last: Vec::new(), val: Vec::new() };
        for row in pixels.chunks(cols) {
            for (j, v) in row.iter().enumerate() {
                if j == 0 || row[j - 1] != *v {
                    all.last.push(0);
                    all.val.push(*v);
                }
                *all.last.last_mut().expect("pushed with the first pixel") = j as u32;
            }
            all.pos.push(all.last.len());
        }
        all
    }

    /// All pixels.
    pub(super) fn dense(&self) -> Answer
    where
        f64: From<T>,
    {
        let mut out = Vec::new();
        for p in 1..self.pos.len() {
            let from = out.len();
            for q in self.pos[p - 1]..self.pos[p] {
                out.resize(from + self.last[q] as usize + 1, f64::from(self.val[q]));
            }
        }
        Answer::Dense(out)
    }
}

/// A merge of runs, without a branch but for the end of a row.
pub(super) fn blend_runs_by_hand(p: &ByRuns<u8>, q: &ByRuns<u8>, alpha: u32) -> ByRuns<u8> {
    let room = p.last.len() + q.last.len();
    let (mut pos, mut last, mut val) = (vec![0], vec![0; room], vec![0; room]);
    let mut n = 0;
    for i in 1..p.pos.len() {
        let (mut a, mut b) = (at!(p.pos, i - 1), at!(q.pos, i - 1));
        let mut before = 256;
        while a < at!(p.pos, i) && b < at!(q.pos, i) {
            let (s, t) = (at!(p.last, a), at!(q.last, b));
            let v = mix(at!(p.val, a), at!(q.val, b), alpha);
            n += usize::from(u32::from(v) != before);
            before = u32::from(v);
            *place!(last, n - 1) = s.min(t);
            *place!(val, n - 1) = v;
            a += usize::from(s <= t);
            b += usize::from(t <= s);
        }
        pos.push(n);
    }
    last.truncate(n);
    val.truncate(n);
    ByRuns { pos, last, val }
}

/// Runs of pixels that are set: first and last, row by row.
pub(super) struct Set {
    cols: usize,
    pos: Vec<usize>,
    first: Vec<u32>,
    last: Vec<u32>,
}

impl Set {
    pub(super) fn of(pixels: &[bool], cols: usize) -> Self {
        let (mut pos, mut first, mut last) = (vec![0], Vec::new(), Vec::new());
        for row in pixels.chunks(cols) {
            for j in (0..cols).filter(|j| row[*j]) {
                if j == 0 || !row[j - 1] {
                    first.push(j as u32);
                }
                if j + 1 == cols || !row[j + 1] {
                    last.push(j as u32);
                }
            }
            pos.push(last.len());
        }
        Set { cols, pos, first, last }
    }

    /// All pixels.
    pub(super) fn dense(&self) -> Answer {
        let mut out = vec![0.0; (self.pos.len() - 1) * self.cols];
        for p in 1..self.pos.len() {
            for q in self.pos[p - 1]..self.pos[p] {
                let row = (p - 1) * self.cols;
                out[row + self.first[q] as usize..=row + self.last[q] as usize].fill(1.0);
            }
        }
        Answer::Dense(out)
    }
}

/// Meets the runs of three rows, of which those in the middle are one shorter at either end.
pub(super) fn erode_set_by_hand(a: &Set) -> Set {
    let room = 3 * a.last.len();
    let (mut pos, mut first, mut last) = (vec![0], vec![0; room], vec![0; room]);
    let mut n = 0;
    let rows = a.pos.len() - 1;
    for i in 0..rows {
        if i > 0 && i + 1 < rows {
            let [mut p, mut q, mut r] = [at!(a.pos, i - 1), at!(a.pos, i), at!(a.pos, i + 1)];
            while p < at!(a.pos, i) && q < at!(a.pos, i + 1) && r < at!(a.pos, i + 2) {
                let [s, t, u] =
                    [at!(a.last, p) as i32, at!(a.last, q) as i32 - 1, at!(a.last, r) as i32];
                let [f, g, h] =
                    [at!(a.first, p) as i32, at!(a.first, q) as i32 + 1, at!(a.first, r) as i32];
                let (from, to) = (f.max(g).max(h), s.min(t).min(u));
                *place!(first, n) = from as u32;
                *place!(last, n) = to as u32;
                n += usize::from(from <= to);
                p += usize::from(s == to);
                q += usize::from(t == to);
                r += usize::from(u == to);
            }
        }
        pos.push(n);
    }
    first.truncate(n);
    last.truncate(n);
    Set { cols: a.cols, pos, first, last }
}

/// Goes through the runs of the mask, and through those of the image that lie in each.
pub(super) fn histogram_runs_by_hand(p: &ByRuns<u8>, mask: &Set) -> Vec<u64> {
    let mut h = vec![0; 256];
    for i in 1..p.pos.len() {
        let mut a = at!(p.pos, i - 1);
        for b in at!(mask.pos, i - 1)..at!(mask.pos, i) {
            let (mut from, last) = (at!(mask.first, b), at!(mask.last, b));
            while at!(p.last, a) < from {
                a += 1;
            }
            loop {
                let end = at!(p.last, a);
                h[at!(p.val, a) as usize] += u64::from(end.min(last) + 1 - from);
                from = end + 1;
                if end >= last {
                    break;
                }
                a += 1;
            }
        }
    }
    h
}
