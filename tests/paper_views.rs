//! Programs of SparseArrays section 8 that read parts of arrays, and reductions that leave out what a
//! tensor does not have: sums of windows and strides, edges of a region, and minimax.

use looplets::prelude::*;

level! { type Flags = Tensor<SparseList<SparseList<Pattern>>>; }

finch! {
    #![steps(n)]
    fn windows(
        a: &Csr<f64>, b: &Csr<f64>, at: usize, size: usize, n: &mut u64,
    ) -> (c: Csr<f64>) {
        for i, j {
            c[i, j] = a[window(at, at + size)[i], window(at, at + size)[j]]
                + b[window(at, at + size)[i], window(at, at + size)[j]]
        }
    }
    fn by_two(a: &Csr<f64>, b: &Csr<f64>, rows: usize, n: &mut u64) -> (c: Csr<f64>) {
        for i in 0..rows { for j in 0..rows { c[i, j] = a[2 * i, 2 * j] + b[2 * i, 2 * j] } }
    }
    fn by_eight(a: &Csr<f64>, b: &Csr<f64>, rows: usize, n: &mut u64) -> (c: Csr<f64>) {
        for i in 0..rows { for j in 0..rows { c[i, j] = a[8 * i, 8 * j] + b[8 * i, 8 * j] } }
    }
    fn edges_of(t2: &Flags, t1: &Flags, roi: &Flags, at: usize, size: usize, n: &mut u64) -> (e: Flags) {
        for i, j {
            e[i, j] = (t2[window(at, at + size)[i], window(at, at + size)[j]] & roi[i, j])
                ^ (t1[window(at, at + size)[i], window(at, at + size)[j]] & roi[i, j])
        }
    }
}

const SIZE: usize = 60;

struct Places(u64);

impl Places {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
    fn flags(&mut self, cells: usize, percent: usize) -> Vec<bool> {
        (0..cells).map(|_| self.below(100) < percent).collect()
    }
    fn matrix(&mut self, percent: usize) -> (Csr<f64>, Vec<f64>) {
        let cells = self.flags(SIZE * SIZE, percent);
        let values: Vec<f64> =
            cells.iter().enumerate().map(|(k, c)| if *c { k as f64 } else { 0.0 }).collect();
        (Tensor::from_dense([SIZE, SIZE], &values).unwrap(), values)
    }
}

/// Elements `at + step * k` along both dimensions of the sum of `a` and `b`.
fn part(a: &[f64], b: &[f64], at: usize, step: usize, size: usize) -> Vec<f64> {
    let cell = |k: usize| (at + step * (k / size)) * SIZE + at + step * (k % size);
    (0..size * size).map(|k| a[cell(k)] + b[cell(k)]).collect()
}

#[test]
fn sums_of_windows_and_strides_visit_what_is_in_them() {
    let mut random = Places(1);
    for percent in [0, 2, 10, 50, 100] {
        let ((a, x), (b, y)) = (random.matrix(percent), random.matrix(percent));
        for (at, size) in [(0, SIZE), (1, SIZE - 2), (20, 15), (59, 1), (30, 0)] {
            let (mut n, known) = (0, part(&x, &y, at, 1, size));
            let c = windows(&a, &b, at, size, &mut n);
            assert_eq!(c.to_dense(), known);
            // A step for each row, for each entry of either, and to notice that a row's next entry
            // lies behind the window.
            let entries = known.iter().filter(|v| **v != 0.0).count();
            assert!((size + entries..=2 * size + entries).contains(&(n as usize)), "{n}");
        }
        for (step, run) in [(2, by_two as fn(_, _, _, &mut u64) -> _), (8, by_eight)] {
            let rows = SIZE.div_ceil(step);
            let (mut n, known) = (0, part(&x, &y, 0, step, rows));
            let c: Csr<f64> = run(&a, &b, rows, &mut n);
            assert_eq!(c.to_dense(), known);
            let rows_of = |v: &[f64]| {
                let row = |i: usize| v[i * SIZE..][..SIZE].iter().filter(|v| **v != 0.0).count();
                (0..SIZE).step_by(step).map(row).sum::<usize>()
            };
            // Entries between the strides are stepped over, those of rows between them are not.
            assert!(n as usize <= rows + rows_of(&x) + rows_of(&y), "{n}");
        }
    }
}

#[test]
fn edges_of_a_window_are_looked_for_where_it_is_of_interest() {
    let mut random = Places(2);
    for (percent, of) in [(30, 40), (0, 50), (60, 3), (100, 100), (50, 0)] {
        let [p, q] = [0, 1].map(|_| random.flags(SIZE * SIZE, percent));
        let [t2, t1] = [&p, &q].map(|p| Flags::from_dense([SIZE, SIZE], p).unwrap());
        let (at, size) = (13, 20);
        let r = random.flags(size * size, of);
        let roi = Flags::from_dense([size, size], &r).unwrap();
        let mut n = 0;
        let e = edges_of(&t2, &t1, &roi, at, size, &mut n);
        let cell = |k: usize| (at + k / size) * SIZE + at + k % size;
        let known: Vec<bool> = (0..size * size).map(|k| (p[cell(k)] ^ q[cell(k)]) & r[k]).collect();
        assert_eq!(e.to_dense(), known);
        let any = |k: &usize| p[cell(*k)] | q[cell(*k)] | r[*k];
        let entries = (0..size * size).filter(any).count();
        assert!(n as usize <= size + entries, "{n} of {entries}");
        if of == 0 {
            assert_eq!(n, 0);
        }
    }
}

fill! {
    /// What was pruned is missing.
    fill Pruned = missing;
}
impl Fill<f64> for Pruned {
    const VALUE: f64 = f64::NAN;
}
level! { type Game3 = Tensor<SparseList<SparseList<SparseList<Element<f64, Pruned>>>>>; }
level! { type Game5 = Tensor<SparseList<SparseList<SparseList<SparseList<SparseList<Element<f64, Pruned>>>>>>>; }
level! { type Game7 = Tensor<SparseList<SparseList<SparseList<SparseList<SparseList<SparseList<SparseList<Element<f64, Pruned>>>>>>>>>; }

// Values lie between -1 and 1; a node none of whose moves are left is as good as pruned.
finch! {
    #![steps(n)]
    fn three(a: &Game3, best: &mut f64, n: &mut u64) {
        for i {
            let mut u: f64;
            u = 2;
            for j {
                let mut v: f64;
                v = -2;
                for k { v <<max>>= a[i, j, k] }
                u <<min>>= ifelse(v > -2, v, missing)
            }
            best <<max>>= ifelse(u < 2, u, missing)
        }
    }
    fn five(a: &Game5, best: &mut f64, n: &mut u64) {
        for i {
            let mut u: f64;
            u = 2;
            for j {
                let mut v: f64;
                v = -2;
                for k {
                    let mut w: f64;
                    w = 2;
                    for l {
                        let mut x: f64;
                        x = -2;
                        for m { x <<max>>= a[i, j, k, l, m] }
                        w <<min>>= ifelse(x > -2, x, missing)
                    }
                    v <<max>>= ifelse(w < 2, w, missing)
                }
                u <<min>>= ifelse(v > -2, v, missing)
            }
            best <<max>>= ifelse(u < 2, u, missing)
        }
    }
    fn seven(a: &Game7, best: &mut f64, n: &mut u64) {
        for i {
            let mut u: f64;
            u = 2;
            for j {
                let mut v: f64;
                v = -2;
                for k {
                    let mut w: f64;
                    w = 2;
                    for l {
                        let mut x: f64;
                        x = -2;
                        for m {
                            let mut y: f64;
                            y = 2;
                            for o {
                                let mut z: f64;
                                z = -2;
                                for p { z <<max>>= a[i, j, k, l, m, o, p] }
                                y <<min>>= ifelse(z > -2, z, missing)
                            }
                            x <<max>>= ifelse(y < 2, y, missing)
                        }
                        w <<min>>= ifelse(x > -2, x, missing)
                    }
                    v <<max>>= ifelse(w < 2, w, missing)
                }
                u <<min>>= ifelse(v > -2, v, missing)
            }
            best <<max>>= ifelse(u < 2, u, missing)
        }
    }
}

/// The value of the node at the end of `path`, and the nodes below it that are there.
fn minimax(leaves: &[(Vec<usize>, f64)], depth: usize, rank: usize) -> (f64, u64) {
    if depth == rank {
        return (leaves[0].1, 0);
    }
    let below: Vec<(f64, u64)> = leaves
        .chunk_by(|a, b| a.0[depth] == b.0[depth])
        .map(|moves| minimax(moves, depth + 1, rank))
        .collect();
    let pick = if depth & 1 == 0 { f64::max } else { f64::min };
    let value = below.iter().map(|b| b.0).reduce(pick).expect("a node has moves");
    (value, below.iter().map(|b| b.1 + 1).sum())
}

#[test]
fn minimax_visits_the_moves_that_are_left() {
    // The first moves of chess: 20 for each side, then 43 on average.
    let mut random = Places(3);
    for (rank, count) in [(3, 1), (3, 300), (5, 1), (5, 2000), (7, 1), (7, 2000)] {
        let mut shape = vec![43; rank];
        shape[..2].fill(20);
        let mut leaves: Vec<(Vec<usize>, f64)> = (0..count)
            .map(|_| {
                let path = shape.iter().map(|d| random.below(*d)).collect();
                (path, random.below(2001) as f64 / 1000.0 - 1.0)
            })
            .collect();
        leaves.sort_by(|a, b| a.0.cmp(&b.0));
        leaves.dedup_by(|a, b| a.0 == b.0);
        let (known, nodes) = minimax(&leaves, 0, rank);
        let (mut best, mut n) = (-1.0, 0);
        match rank {
            3 => three(&Tensor::from_triplets(shape, leaves, Refuse).unwrap(), &mut best, &mut n),
            5 => five(&Tensor::from_triplets(shape, leaves, Refuse).unwrap(), &mut best, &mut n),
            _ => seven(&Tensor::from_triplets(shape, leaves, Refuse).unwrap(), &mut best, &mut n),
        }
        assert_eq!((best, n), (known, nodes), "rank {rank}");
    }
}
