//! The same kernels written by hand, as plain Rust as can be: room is asked for once, whole rows are copied
//! by `extend_from_slice`, and what is stacked below is appended whole. Rows are found without checks.

use crate::arrays::{Arrays, List, Rows, Triples};

/// Room for so many entries.
fn room(entries: usize, rows: usize) -> Arrays {
    let mut c = Arrays::default();
    c.crd.reserve_exact(entries);
    c.val.reserve_exact(entries);
    if rows > 0 {
        c.pos.reserve_exact(rows + 1);
        c.pos.push(0);
    }
    c
}

impl Rows<'_> {
    fn rows(&self) -> usize {
        self.pos.len() - 1
    }
    #[inline(always)]
    fn row(&self, i: usize) -> (&[u32], &[f64]) {
        debug_assert!(i + 1 < self.pos.len());
        // SAFETY: loops stay below the number of rows; in a tensor `pos` ascends to the length of `crd` and `val`.
        unsafe {
            let row = *self.pos.get_unchecked(i)..*self.pos.get_unchecked(i + 1);
            (self.crd.get_unchecked(row.clone()), self.val.get_unchecked(row))
        }
    }
}

/// Coordinates row by row, values whole.
#[inline(never)]
pub fn collapse(a: Rows<'_>) -> Arrays {
    let mut far = Vec::with_capacity(a.crd.len());
    for i in 0..a.rows() {
        let base = (i * a.columns) as u64;
        far.extend(a.row(i).0.iter().map(|j| base + u64::from(*j)));
    }
    Arrays { far, val: a.val.to_vec(), ..Arrays::default() }
}

/// One row of each in turn, by two cursors.
#[inline(never)]
pub fn hstack_coo(a: Triples<'_>, b: Triples<'_>) -> Arrays {
    let entries = a.rows.len() + b.rows.len();
    let mut c = room(entries, 0);
    c.rows.reserve_exact(entries);
    let (mut p, mut q) = (0, 0);
    while p < a.rows.len() || q < b.rows.len() {
        let left = a.rows.get(p).copied().unwrap_or(u32::MAX);
        let right = b.rows.get(q).copied().unwrap_or(u32::MAX);
        if left <= right {
            c.rows.push(left);
            c.crd.push(a.crd[p]);
            c.val.push(a.val[p]);
            p += 1;
        } else {
            c.rows.push(right);
            c.crd.push(b.crd[q] + a.shape[1] as u32);
            c.val.push(b.val[q]);
            q += 1;
        }
    }
    c
}

/// Each array whole, rows of the second moved.
#[inline(never)]
pub fn vstack_coo(a: Triples<'_>, b: Triples<'_>) -> Arrays {
    let mut rows = Vec::with_capacity(a.rows.len() + b.rows.len());
    rows.extend_from_slice(a.rows);
    rows.extend(b.rows.iter().map(|i| i + a.shape[0] as u32));
    Arrays { rows, crd: [a.crd, b.crd].concat(), val: [a.val, b.val].concat(), ..Arrays::default() }
}

/// One row of each in turn.
#[inline(never)]
pub fn hstack_csr(a: Rows<'_>, b: Rows<'_>) -> Arrays {
    let mut c = room(a.crd.len() + b.crd.len(), a.rows());
    for i in 0..a.rows() {
        let (left, right) = (a.row(i), b.row(i));
        c.crd.extend_from_slice(left.0);
        c.val.extend_from_slice(left.1);
        c.crd.extend(right.0.iter().map(|j| j + a.columns as u32));
        c.val.extend_from_slice(right.1);
        c.pos.push(c.crd.len());
    }
    c
}

/// Each array whole, places of the second moved.
#[inline(never)]
pub fn vstack_csr(a: Rows<'_>, b: Rows<'_>) -> Arrays {
    let mut pos = Vec::with_capacity(a.pos.len() + b.rows());
    pos.extend_from_slice(a.pos);
    pos.extend(b.pos[1..].iter().map(|p| p + a.crd.len()));
    Arrays { pos, crd: [a.crd, b.crd].concat(), val: [a.val, b.val].concat(), ..Arrays::default() }
}

/// Entries of every other row below `end`.
fn sliced(a: Rows<'_>, end: usize) -> usize {
    (0..end).step_by(2).map(|i| a.pos[i + 1] - a.pos[i]).sum()
}

/// Row by row.
#[inline(never)]
pub fn slice_csr(a: Rows<'_>, end: usize) -> Arrays {
    let mut c = room(sliced(a, end), end.div_ceil(2).max(1));
    for i in (0..end).step_by(2) {
        let (crd, val) = a.row(i);
        c.crd.extend_from_slice(crd);
        c.val.extend_from_slice(val);
        c.pos.push(c.crd.len());
    }
    c
}

/// Entry by entry, dividing where a row ends.
#[inline(never)]
pub fn split_to_coo(x: List<'_>, n: usize) -> Arrays {
    let n = n as u64;
    let (mut rows, mut crd) = (Vec::with_capacity(x.crd.len()), Vec::with_capacity(x.crd.len()));
    let (mut row, mut base) = (0, 0);
    for k in x.crd {
        if *k >= base + n {
            row = k / n;
            base = row * n;
        }
        rows.push(row as u32);
        crd.push((k - base) as u32);
    }
    Arrays { rows, crd, val: x.val.to_vec(), ..Arrays::default() }
}

/// Row by row.
#[inline(never)]
pub fn split_to_csr(x: List<'_>, n: usize) -> Arrays {
    let height = x.len / n;
    let (mut pos, mut crd) = (Vec::with_capacity(height + 1), Vec::with_capacity(x.crd.len()));
    pos.push(0);
    let mut q = 0;
    for i in 0..height {
        let base = (i * n) as u64;
        let end = base + n as u64;
        while q < x.crd.len() && x.crd[q] < end {
            crd.push((x.crd[q] - base) as u32);
            q += 1;
        }
        pos.push(q);
    }
    Arrays { pos, crd, val: x.val.to_vec(), ..Arrays::default() }
}

/// One row of each in turn, by two cursors.
#[inline(never)]
pub fn hstack_coo_to_csr(a: Triples<'_>, b: Triples<'_>) -> Arrays {
    let mut c = room(a.rows.len() + b.rows.len(), a.shape[0]);
    let (mut p, mut q) = (0, 0);
    for i in 0..a.shape[0] as u32 {
        while p < a.rows.len() && a.rows[p] == i {
            c.crd.push(a.crd[p]);
            c.val.push(a.val[p]);
            p += 1;
        }
        while q < b.rows.len() && b.rows[q] == i {
            c.crd.push(b.crd[q] + a.shape[1] as u32);
            c.val.push(b.val[q]);
            q += 1;
        }
        c.pos.push(p + q);
    }
    c
}

/// Columns and values whole; where rows begin is counted.
#[inline(never)]
pub fn vstack_coo_to_csr(a: Triples<'_>, b: Triples<'_>) -> Arrays {
    let mut pos = Vec::with_capacity(a.shape[0] + b.shape[0] + 1);
    pos.push(0);
    for (of, before) in [(a, 0), (b, a.rows.len())] {
        let mut q = 0;
        for i in 0..of.shape[0] as u32 {
            while q < of.rows.len() && of.rows[q] == i {
                q += 1;
            }
            pos.push(before + q);
        }
    }
    Arrays { pos, crd: [a.crd, b.crd].concat(), val: [a.val, b.val].concat(), ..Arrays::default() }
}

/// One row of each in turn.
#[inline(never)]
pub fn hstack_csr_to_coo(a: Rows<'_>, b: Rows<'_>) -> Arrays {
    let entries = a.crd.len() + b.crd.len();
    let mut c = room(entries, 0);
    c.rows.reserve_exact(entries);
    for i in 0..a.rows() {
        let (left, right) = (a.row(i), b.row(i));
        c.crd.extend_from_slice(left.0);
        c.val.extend_from_slice(left.1);
        c.crd.extend(right.0.iter().map(|j| j + a.columns as u32));
        c.val.extend_from_slice(right.1);
        c.rows.resize(c.crd.len(), i as u32);
    }
    c
}

/// Columns and values whole, rows one by one.
#[inline(never)]
pub fn vstack_csr_to_coo(a: Rows<'_>, b: Rows<'_>) -> Arrays {
    let mut rows = Vec::with_capacity(a.crd.len() + b.crd.len());
    for i in 0..a.rows() {
        rows.resize(a.pos[i + 1], i as u32);
    }
    for i in 0..b.rows() {
        rows.resize(a.crd.len() + b.pos[i + 1], (a.rows() + i) as u32);
    }
    Arrays { rows, crd: [a.crd, b.crd].concat(), val: [a.val, b.val].concat(), ..Arrays::default() }
}

/// Row by row.
#[inline(never)]
pub fn slice_csr_to_coo(a: Rows<'_>, end: usize) -> Arrays {
    let entries = sliced(a, end);
    let mut c = room(entries, 0);
    c.rows.reserve_exact(entries);
    for (r, i) in (0..end).step_by(2).enumerate() {
        let (crd, val) = a.row(i);
        c.crd.extend_from_slice(crd);
        c.val.extend_from_slice(val);
        c.rows.resize(c.crd.len(), r as u32);
    }
    c
}

/// Two fingers, through all rows.
#[inline(never)]
pub fn collapse_times(a: Rows<'_>, x: List<'_>) -> Arrays {
    let most = a.crd.len().min(x.crd.len());
    let (mut far, mut val) = (Vec::with_capacity(most), Vec::with_capacity(most));
    let mut q = 0;
    for i in 0..a.rows() {
        let base = (i * a.columns) as u64;
        for p in a.pos[i]..a.pos[i + 1] {
            let k = base + u64::from(a.crd[p]);
            while q < x.crd.len() && x.crd[q] < k {
                q += 1;
            }
            if q < x.crd.len() && x.crd[q] == k {
                far.push(k);
                val.push(a.val[p] * x.val[q]);
                q += 1;
            }
        }
    }
    Arrays { far, val, ..Arrays::default() }
}

/// The sum of a row by four accumulators, so that no addition waits for the one before.
#[inline(always)]
fn dot((crd, val): (&[u32], &[f64]), x: &[f64]) -> f64 {
    // SAFETY: a row has as many values as columns, which are below the length of the vector.
    let term = |q: usize| unsafe {
        *val.get_unchecked(q) * *x.get_unchecked(*crd.get_unchecked(q) as usize)
    };
    let whole = crd.len() / 4 * 4;
    let mut sums = [0.0; 4];
    for q in (0..whole).step_by(4) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += term(q + lane);
        }
    }
    let mut sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for q in whole..crd.len() {
        sum += term(q);
    }
    sum
}

/// Row by row of the first, then of the second.
#[inline(never)]
pub fn vstack_spmv(a: Rows<'_>, b: Rows<'_>, x: &[f64]) -> Arrays {
    assert!(x.len() == a.columns && x.len() == b.columns);
    let mut val = vec![0.0; a.rows() + b.rows()];
    let (first, second) = val.split_at_mut(a.rows());
    for (of, sums) in [(a, first), (b, second)] {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = dot(of.row(i), x);
        }
    }
    Arrays { val, ..Arrays::default() }
}

/// Two fingers a row.
#[inline(never)]
pub fn slice_times(a: Rows<'_>, end: usize, b: Rows<'_>) -> Arrays {
    let mut c = room(b.crd.len(), b.rows().max(1));
    for r in 0..b.rows() {
        let (left, right) = (a.row(2 * r), b.row(r));
        let (mut p, mut q) = (0, 0);
        while p < left.0.len() && q < right.0.len() {
            let (i, j) = (left.0[p], right.0[q]);
            if i == j {
                c.crd.push(i);
                c.val.push(left.1[p] * right.1[q]);
            }
            p += usize::from(i <= j);
            q += usize::from(j <= i);
        }
        c.pos.push(c.crd.len());
    }
    debug_assert_eq!(end.div_ceil(2), b.rows());
    c
}

/// Gustavson: a row of sums, the row in which each was last touched, and the list of those touched, sorted.
#[inline(never)]
pub fn slice_spgemm(a: Rows<'_>, end: usize, b: Rows<'_>) -> Arrays {
    let mut c = Arrays { pos: vec![0], ..Arrays::default() };
    let (mut sums, mut touched) = (vec![0.0; b.columns], vec![usize::MAX; b.columns]);
    let mut columns = Vec::new();
    for i in (0..end).step_by(2) {
        columns.clear();
        let (crd, val) = a.row(i);
        for (k, v) in crd.iter().zip(val) {
            let row = b.row(*k as usize);
            for (j, w) in row.0.iter().zip(row.1) {
                let at = *j as usize;
                if touched[at] == i {
                    sums[at] += v * w;
                } else {
                    touched[at] = i;
                    sums[at] = v * w;
                    columns.push(*j);
                }
            }
        }
        columns.sort_unstable();
        c.crd.extend_from_slice(&columns);
        c.val.extend(columns.iter().map(|j| sums[*j as usize]));
        c.pos.push(c.crd.len());
    }
    c
}
