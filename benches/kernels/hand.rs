//! The same kernels written by hand, as plain Rust as can be with unchecked indexing.

use looplets::prelude::*;

/// Sorted coordinates and values, fiber by fiber: the arrays of a `Csr` or a `SparseVec`.
#[derive(Clone, Copy)]
pub struct Lists<'a, T> {
    /// Fiber `p` is `pos[p]..pos[p + 1]`.
    pub pos: &'a [usize],
    /// Coordinates.
    pub crd: &'a [u32],
    /// Values.
    pub val: &'a [T],
    /// Size of the dimension inside.
    pub len: usize,
}

/// The arrays of a matrix.
pub fn rows(a: &Csr<f64>) -> Lists<'_, f64> {
    let (len, pos, crd, child) = a.root().__fields().1.__fields();
    Lists { pos, crd, val: child.__fields().0, len }
}

/// The arrays of a graph.
pub fn neighbours(a: &Graph) -> Lists<'_, ()> {
    let (len, pos, crd, _) = a.root().__fields().1.__fields();
    Lists { pos, crd, val: &[], len }
}

/// The arrays of a vector.
pub fn vector(x: &SparseVec<f64>) -> Lists<'_, f64> {
    let (len, pos, crd, child) = x.root().__fields();
    Lists { pos, crd, val: child.__fields().0, len }
}

/// The values of a vector.
pub fn dense(x: &DenseVec<f64>) -> &[f64] {
    x.root().__fields().1.__fields().0
}

macro_rules! at {
    ($array:expr, $index:expr) => {{
        let (array, index) = (&$array, $index);
        // In a tensor `pos` ascends to the length of `crd` and `val`, and coordinates are in range.
        // SAFETY: the arrays come from one whose shape agrees, and the loops stay within `pos`.
        *unsafe { array.get_unchecked(index) }
    }};
}

/// For each row the sum that `row` makes of the bounds of its entries.
#[inline(always)]
fn each_row(a: Lists<'_, f64>, mut row: impl FnMut(usize, usize) -> f64) -> Vec<f64> {
    let mut y = vec![0.0; a.pos.len() - 1];
    for (i, y) in y.iter_mut().enumerate() {
        *y = row(at!(a.pos, i), at!(a.pos, i + 1));
    }
    y
}

/// One accumulator.
#[inline(never)]
pub fn spmv(a: Lists<'_, f64>, x: &[f64]) -> Vec<f64> {
    assert_eq!(x.len(), a.len);
    each_row(a, |start, end| {
        let mut sum = 0.0;
        for q in start..end {
            sum += at!(a.val, q) * at!(x, at!(a.crd, q) as usize);
        }
        sum
    })
}

/// Four accumulators.
#[inline(never)]
pub fn spmv_4(a: Lists<'_, f64>, x: &[f64]) -> Vec<f64> {
    assert_eq!(x.len(), a.len);
    each_row(a, |start, end| {
        let mut sum = [0.0; 4];
        let mut q = start;
        while q + 4 <= end {
            for (l, sum) in sum.iter_mut().enumerate() {
                *sum += at!(a.val, q + l) * at!(x, at!(a.crd, q + l) as usize);
            }
            q += 4;
        }
        let mut sum = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        for q in q..end {
            sum += at!(a.val, q) * at!(x, at!(a.crd, q) as usize);
        }
        sum
    })
}

/// Calls `hit` with the places of each common coordinate: a merge that branches three ways.
#[inline(always)]
fn merge_3(
    a: &[u32],
    (mut p, pe): (usize, usize),
    b: &[u32],
    (mut q, qe): (usize, usize),
    mut hit: impl FnMut(usize, usize),
) {
    while p < pe && q < qe {
        let (i, j) = (at!(a, p), at!(b, q));
        if i == j {
            hit(p, q);
            p += 1;
            q += 1;
        } else if i < j {
            p += 1;
        } else {
            q += 1;
        }
    }
}

/// Calls `hit` with the places of each common coordinate: a merge that branches on a hit only.
#[inline(always)]
fn merge(
    a: &[u32],
    (mut p, pe): (usize, usize),
    b: &[u32],
    (mut q, qe): (usize, usize),
    mut hit: impl FnMut(usize, usize),
) {
    while p < pe && q < qe {
        let (i, j) = (at!(a, p), at!(b, q));
        if i == j {
            hit(p, q);
        }
        p += usize::from(i <= j);
        q += usize::from(j <= i);
    }
}

/// The first of `lo..hi` whose coordinate is not below `i`, by halving.
#[inline(always)]
fn lower_bound(crd: &[u32], lo: usize, hi: usize, i: u32) -> usize {
    let (mut base, mut n) = (lo, hi - lo);
    while n > 1 {
        let half = n / 2;
        base = if at!(crd, base + half - 1) < i { base + half } else { base };
        n -= half;
    }
    base + usize::from(n == 1 && at!(crd, base) < i)
}

/// The first of `lo..hi` whose coordinate is not below `i`, by doubling and halving.
#[inline(always)]
fn leap(crd: &[u32], lo: usize, hi: usize, i: u32) -> usize {
    let (mut base, mut next, mut step) = (lo, lo, 1);
    while next < hi && at!(crd, next) < i {
        base = next + 1;
        next += step;
        step *= 2;
    }
    lower_bound(crd, base, next.min(hi).max(base), i)
}

/// Calls `hit` with the places of each common coordinate: whichever side is behind leaps.
#[inline(always)]
fn gallop(
    a: &[u32],
    (mut p, pe): (usize, usize),
    b: &[u32],
    (mut q, qe): (usize, usize),
    mut hit: impl FnMut(usize, usize),
) {
    while p < pe && q < qe {
        let (i, j) = (at!(a, p), at!(b, q));
        if i == j {
            hit(p, q);
            p += 1;
            q += 1;
        } else if i < j {
            p = leap(a, p + 1, pe, j);
        } else {
            q = leap(b, q + 1, qe, i);
        }
    }
}

/// Calls `hit` with the places of each common coordinate: each of `a` is looked for in `b`.
#[inline(always)]
fn look(
    a: &[u32],
    (p, pe): (usize, usize),
    b: &[u32],
    (mut q, qe): (usize, usize),
    mut hit: impl FnMut(usize, usize),
) {
    for p in p..pe {
        let i = at!(a, p);
        q = lower_bound(b, q, qe, i);
        if q == qe {
            break;
        }
        if at!(b, q) == i {
            hit(p, q);
            q += 1;
        }
    }
}

macro_rules! spmspv {
    ($(#[$doc:meta])* $name:ident, $by:ident) => {
        $(#[$doc])*
        #[inline(never)]
        pub fn $name(a: Lists<'_, f64>, x: Lists<'_, f64>) -> Vec<f64> {
            assert_eq!(x.len, a.len);
            each_row(a, |start, end| {
                let mut sum = 0.0;
                $by(a.crd, (start, end), x.crd, (0, x.crd.len()), |p, q| {
                    sum += at!(a.val, p) * at!(x.val, q);
                });
                sum
            })
        }
    };
}
spmspv!(/// Merge.
    spmspv_walk, merge);
spmspv!(/// Merge, three ways.
    spmspv_walk_3, merge_3);
spmspv!(/// Each entry of the matrix is looked for in the vector.
    spmspv_lead, look);
spmspv!(/// Gallop.
    spmspv_gallop, gallop);

/// Each entry of the vector is looked for in the matrix.
#[inline(never)]
pub fn spmspv_follow(a: Lists<'_, f64>, x: Lists<'_, f64>) -> Vec<f64> {
    assert_eq!(x.len, a.len);
    each_row(a, |start, end| {
        let mut sum = 0.0;
        look(x.crd, (0, x.crd.len()), a.crd, (start, end), |q, p| {
            sum += at!(a.val, p) * at!(x.val, q);
        });
        sum
    })
}

macro_rules! triangles {
    ($(#[$doc:meta])* $name:ident, $by:ident) => {
        $(#[$doc])*
        #[inline(never)]
        pub fn $name(a: Lists<'_, ()>) -> u64 {
            let mut count = 0;
            for i in 0..a.pos.len() - 1 {
                let row = (at!(a.pos, i), at!(a.pos, i + 1));
                for q in row.0..row.1 {
                    let j = at!(a.crd, q) as usize;
                    $by(a.crd, (at!(a.pos, j), at!(a.pos, j + 1)), a.crd, row, |_, _| count += 1);
                }
            }
            count
        }
    };
}
triangles!(/// Merge.
    triangles_walk, merge);
triangles!(/// Merge, three ways.
    triangles_walk_3, merge_3);
triangles!(/// Gallop.
    triangles_gallop, gallop);

macro_rules! dot {
    ($(#[$doc:meta])* $name:ident, $by:ident) => {
        $(#[$doc])*
        #[inline(never)]
        pub fn $name(x: Lists<'_, f64>, y: Lists<'_, f64>) -> f64 {
            let mut sum = 0.0;
            $by(x.crd, (0, x.crd.len()), y.crd, (0, y.crd.len()), |p, q| {
                sum += at!(x.val, p) * at!(y.val, q);
            });
            sum
        }
    };
}
dot!(/// Merge.
    dot_walk, merge);
dot!(/// Merge, three ways.
    dot_walk_3, merge_3);
dot!(/// Gallop.
    dot_gallop, gallop);
