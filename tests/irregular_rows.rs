//! Sums over rows of any length, whose last terms are computed three at a time and masked: they are those of the documented order
//! to the last bit, whatever stands in the rows that follow.

// What these kernels cost is on purpose.
#![allow(deprecated)]

mod bitwise;

use bitwise::{same, values};
use looplets::prelude::*;

level! { type Rows = Tensor<Dense<SparseList<Element<f32>>>>; }

finch! {
    fn product(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn scaled(a: &Csr<f64>, r: &DenseVec<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += r[i] * a[i, j] / x[j] }
    fn column(a: &Csr<f64>, d: &DenseMat<f64>, k: usize) -> (y: DenseVec<f64>) { y[i] += a[i, j] * d[j, $(k)] }
    fn ranks(a: &Csr<f64>, x: &DenseVec<f64>, d: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] = 0.15; y[i] += 0.85 * a[i, j] * x[j] / d[j] }
    fn residual(a: &Csr<f64>, x: &DenseVec<f64>, b: &DenseVec<f64>) -> (r: DenseVec<f64>) { r[i] = b[i]; r[i] -= a[i, j] * x[j] }
    fn spread(a: &Csr<f64>, x: &SparseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn own_row(a: &Csr<f64>, d: &DenseMat<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * d[i, j] }
    fn single_product(a: &Rows, x: &[f32]) -> (y: Tensor<Dense<Element<f32>>>) { y[i] += a[i, j] * x[j] }
    fn of_some_rows(a: &Dcsr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { y[i] += a[i, j] * x[j] }
    fn twice(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for i { for j { y[i] += a[i, j] * x[j] }; for j { z[i] -= a[i, j] } }
    }
    fn two(a: &Csr<f64>, b: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>, z: DenseVec<f64>) {
        for i { for j { y[i] += a[i, j] * x[j] }; for j { z[i] += b[i, j] * x[j] } }
    }
    fn shared(a: &Csr<f64>, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { parallel for i, j { y[i] += a[i, j] * x[j] } }
    fn onto(a: &Csr<f64>, x: &DenseVec<f64>, y: &mut DenseVec<f64>) { for i, j { y[i] += a[i, j] * x[j] } }
    fn of_blocks(a: &Csf<f64>, x: &DenseVec<f64>) -> (y: DenseMat<f64>) { y[i, j] += a[i, j, k] * x[k] }
}

/// The sum of `terms` onto `start`, in the order of `count` lanes: four, or eight where neighbours are read and nothing else.
fn sum_in(count: usize, start: f64, terms: &[f64]) -> f64 {
    let (whole, steps) = (terms.len() - terms.len() % 4, terms.len() - terms.len() % count);
    let mut lanes = [-0.0; 8];
    let lane = |n: usize| if n < steps { n % count } else { n % 4 };
    terms[..whole].iter().enumerate().for_each(|(n, t)| lanes[lane(n)] += t);
    if count == 8 {
        (0..4).for_each(|n| lanes[n] += lanes[n + 4]);
    }
    let sum = start + ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]));
    terms[whole..].iter().fold(sum, |sum, t| sum + t)
}

fn in_lanes(start: f64, terms: &[f64]) -> f64 {
    sum_in(4, start, terms)
}

/// How long row `i` is.
type Length = fn(usize) -> usize;

fn scattered(n: usize, of: usize) -> usize {
    (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) % of
}

/// The rows of a matrix: column and value.
fn rows(n: usize, columns: usize, seed: usize, length: Length) -> Vec<Vec<(usize, f64)>> {
    let of = values(n * 16, seed, 90);
    let one = |i: usize| {
        let first = scattered(i + seed, columns.saturating_sub(15).max(1));
        (0..length(i + seed).min(columns))
            .map(|k| (first.min(columns) + k, of[i * 16 + k]))
            .filter(|(j, _)| *j < columns)
            .collect()
    };
    (0..n).map(one).collect()
}

fn triplets(rows: &[Vec<(usize, f64)>]) -> impl Iterator<Item = ([usize; 2], f64)> + '_ {
    rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |(j, v)| ([i, *j], *v)))
}

fn by_hand(rows: &[Vec<(usize, f64)>], term: impl Fn(usize, usize, f64) -> f64) -> Vec<f64> {
    let sum = |(i, row): (usize, &Vec<(usize, f64)>)| {
        in_lanes(0.0, &row.iter().map(|(j, v)| term(i, *j, *v)).collect::<Vec<_>>())
    };
    rows.iter().enumerate().map(sum).collect()
}

/// Lengths of which most differ, and some that end in empty rows.
const LENGTHS: [Length; 4] = [
    |i| scattered(i, 14),
    |i| scattered(i, 4),
    |i| if i % 1_000 > 700 { 0 } else { scattered(i, 9) },
    |i| i % 16,
];

fn all(check: impl Fn(usize, usize, &[Vec<(usize, f64)>], &Csr<f64>, &[f64])) {
    for (seed, length) in LENGTHS.into_iter().enumerate() {
        for (n, columns, everywhere) in [
            (1, 3, true),
            (2, 0, true),
            (5, 40, true),
            (0, 4, true),
            (700, 50, true),
            (4_096, 40, false),
            (9_000, 200, false),
        ] {
            looplets::rt::all_irregular(everywhere);
            let rows = rows(n, columns, seed, length);
            let a = Tensor::from_triplets([n, columns], triplets(&rows), Refuse).expect("a matrix");
            check(n, columns, &rows, &a, &values(columns, seed + 7, 60));
        }
    }
}

fn dense(x: &[f64]) -> DenseVec<f64> {
    Tensor::from_dense([x.len()], x).expect("a vector")
}

fn matrix(n: usize, columns: usize, rows: &[Vec<(usize, f64)>]) -> Csr<f64> {
    Tensor::from_triplets([n, columns], triplets(rows), Refuse).expect("a matrix")
}

fn found(y: &DenseVec<f64>) -> &[f64] {
    y.values().expect("all are stored")
}

#[test]
fn sums_are_those_of_lanes_in_order() {
    all(|n, columns, rows, a, x| {
        let (xv, what) = (dense(x), (n, columns));
        let plain = by_hand(rows, |_, j, v| x[j] * v);
        same(found(&product(a, &xv)), &plain, what);
        same(found(&shared(a, &xv)), &plain, what);
        let listed: Dcsr<f64> = a.convert().expect("the same entries");
        same(found(&of_some_rows(&listed, &xv)), &plain, what);
        let r = values(n, 3, 40);
        let scaled = scaled(a, &dense(&r), &xv);
        same(found(&scaled), &by_hand(rows, |i, j, v| r[i] * v / x[j]), what);
        let (y, z) = twice(a, &xv);
        same(found(&y), &plain, what);
        let of_neighbours = |row: &Vec<(usize, f64)>| {
            sum_in(8, 0.0, &row.iter().map(|(_, v)| -v).collect::<Vec<_>>())
        };
        same(found(&z), &rows.iter().map(of_neighbours).collect::<Vec<_>>(), what);
        let others = self::rows(n, columns, 5, |i| scattered(i, 7));
        let (y, z) = two(a, &matrix(n, columns, &others), &xv);
        same(found(&y), &plain, what);
        same(found(&z), &by_hand(&others, |_, j, v| x[j] * v), what);
        let d = values(columns, 6, 40);
        let of_row = |(i, start): (usize, &f64), term: &dyn Fn(usize, f64) -> f64| {
            in_lanes(*start, &rows[i].iter().map(|(j, v)| term(*j, *v)).collect::<Vec<_>>())
        };
        let onto_each = |start: &[f64], term: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
            start.iter().enumerate().map(|row| of_row(row, term)).collect()
        };
        let ranks = ranks(a, &xv, &dense(&d));
        same(found(&ranks), &onto_each(&vec![0.15; n], &|j, v| v * 0.85 * x[j] / d[j]), what);
        let start = values(n, 11, 9);
        let residual = residual(a, &xv, &dense(&start));
        same(found(&residual), &onto_each(&start, &|j, v| -(x[j] * v)), what);
        let mut y = dense(&start);
        onto(a, &xv, &mut y);
        same(found(&y), &onto_each(&start, &|j, v| x[j] * v), what);
        // What is not stored is no term, were it infinity.
        let some = |j: &usize| j % 3 != 1;
        let sparse = (0..columns).filter(some).map(|j| ([j], x[j]));
        let sparse = SparseVec::from_triplets([columns], sparse, Refuse).expect("a vector");
        let numbers = |x: f64| if x.is_finite() { x } else { 1.0 };
        let met = |(_, row): (usize, &Vec<(usize, f64)>)| {
            let terms = row.iter().filter(|(j, _)| some(j)).map(|(j, v)| x[*j] * v);
            terms.fold(0.0, |sum: f64, t| sum + numbers(t))
        };
        let expected: Vec<f64> = rows.iter().enumerate().map(met).collect();
        for (y, near) in found(&spread(a, &sparse)).iter().zip(&expected) {
            assert!(!y.is_finite() || (y - near).abs() <= 1e-9 * near.abs().max(1e3), "{y} {near}");
        }
    });
}

#[test]
fn what_is_read_may_lie_in_columns_and_in_rows() {
    all(|n, columns, rows, a, _| {
        let what = (n, columns);
        let of = values(n.max(columns) * columns.max(3), 2, 60);
        let d = DenseMat::from_dense([columns, 3], &of[..columns * 3]).expect("a matrix");
        same(found(&column(a, &d, 2)), &by_hand(rows, |_, j, v| of[j * 3 + 2] * v), what);
        let d = DenseMat::from_dense([n, columns], &of[..n * columns]).expect("a matrix");
        same(found(&own_row(a, &d)), &by_hand(rows, |i, j, v| of[i * columns + j] * v), what);
    });
}

#[test]
fn floats_of_half_the_width_have_masks_of_their_own() {
    all(|n, columns, rows, _, x| {
        let single = |x: &f64| *x as f32;
        let entries = triplets(rows).map(|(at, v)| (at, v as f32));
        let a: Rows = Tensor::from_triplets([n, columns], entries, Refuse).expect("a matrix");
        let x: Vec<f32> = x.iter().map(single).collect();
        let y = single_product(&a, &x);
        let sum = |row: &Vec<(usize, f64)>| {
            let terms: Vec<f32> = row.iter().map(|(j, v)| x[*j] * *v as f32).collect();
            let whole = terms.len() - terms.len() % 4;
            let mut lanes = [-0.0_f32; 4];
            terms[..whole].iter().enumerate().for_each(|(n, t)| lanes[n % 4] += t);
            let sum = 0.0 + ((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]));
            f64::from(terms[whole..].iter().fold(sum, |sum, t| sum + t))
        };
        let y: Vec<f64> = y.values().expect("all").iter().map(|y| f64::from(*y)).collect();
        same(&y, &rows.iter().map(sum).collect::<Vec<_>>(), (n, columns));
    });
}

#[test]
fn rows_of_blocks_are_those_of_one_block() {
    all(|n, columns, rows, _, x| {
        // Three blocks, of which the middle one is empty.
        let entries = triplets(rows).map(|([i, j], v)| ([2 * (i % 2), i, j], v));
        let a: Csf<f64> =
            Tensor::from_triplets([3, n, columns], entries, Refuse).expect("a tensor");
        let y = of_blocks(&a, &dense(x));
        let plain = by_hand(rows, |_, j, v| x[j] * v);
        let mut expected = vec![0.0; 3 * n];
        plain.iter().enumerate().for_each(|(i, sum)| expected[2 * (i % 2) * n + i] = *sum);
        same(y.values().expect("all are stored"), &expected, (n, columns));
    });
}
