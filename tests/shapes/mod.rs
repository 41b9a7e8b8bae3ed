//! What the tests of shape operators share: elements, and comparisons.
#![allow(dead_code)]

/// Elements of `rows` rows of `columns`, by a seed.
pub type Of = fn(usize, usize, u64) -> Vec<f64>;

/// Numbers, the same for the same seed.
pub fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 8
    }
}

/// Fractions, an infinity, a NaN, a zero below zero, and stretches that are alike.
pub fn some(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    let (mut next, mut value) = (numbers(seed), 0.0);
    let one = |_| {
        value = match next() % 13 {
            0..4 => 0.0,
            4..8 => value,
            8 => 0.25,
            9 => -1.5,
            10 => 1.0,
            11 if seed % 2 == 1 => f64::NAN,
            12 if seed % 2 == 1 => f64::INFINITY,
            _ => 3.0,
        };
        value
    };
    (0..rows * columns).map(one).collect()
}

/// In each row one element beside `fill`, or none.
pub fn points(rows: usize, columns: usize, seed: u64, fill: f64) -> Vec<f64> {
    let mut next = numbers(seed);
    let mut all = vec![fill; rows * columns];
    for r in 0..rows {
        if columns > 0 && !next().is_multiple_of(4) {
            all[r * columns + next() as usize % columns] = 2.5;
        }
    }
    all
}

/// In each row one stretch of elements that are alike beside `fill`, or none.
pub fn intervals(rows: usize, columns: usize, seed: u64, fill: f64) -> Vec<f64> {
    let mut next = numbers(seed);
    let mut all = vec![fill; rows * columns];
    for r in 0..rows {
        let (a, b) = (next() as usize % (columns + 1), next() as usize % (columns + 1));
        all[r * columns + a.min(b)..r * columns + a.max(b)].fill(2.5);
    }
    all
}

pub fn point(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    points(rows, columns, seed, 0.0)
}

pub fn point_in_ones(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    points(rows, columns, seed, 1.0)
}

pub fn interval(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    intervals(rows, columns, seed, 0.0)
}

pub fn interval_in_ones(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    intervals(rows, columns, seed, 1.0)
}

/// That two slices are the same to the last bit; a NaN is one.
#[track_caller]
pub fn same(a: &[f64], b: &[f64]) {
    let one = |a: &f64, b: &f64| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| one(a, b)), "{a:?}\nis not\n{b:?}");
}

/// That two slices are the same but for rounding.
#[track_caller]
pub fn close(a: &[f64], b: &[f64]) {
    let one =
        |a: &f64, b: &f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * b.abs();
    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| one(a, b)), "{a:?}\nis not\n{b:?}");
}

/// One row beside zeros, or none.
pub fn one_row(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    let all = some(rows, columns, seed);
    let row = seed as usize % (rows + 1);
    made([rows, columns], |k| if k / columns == row { all[k] } else { 0.0 })
}

/// The elements of an array, by their place in it.
pub fn made<const N: usize>(shape: [usize; N], of: impl FnMut(usize) -> f64) -> Vec<f64> {
    (0..shape.iter().product()).map(of).collect()
}

/// What divides `n`.
pub fn divisors(n: usize) -> impl Iterator<Item = usize> {
    (1..=n.max(1)).filter(move |d| n.is_multiple_of(*d))
}

/// Of a square the part where `keep` says so; nothing of what is no square.
fn part(rows: usize, columns: usize, seed: u64, keep: fn(usize, usize) -> bool) -> Vec<f64> {
    let all = some(rows, columns, seed);
    let stays = |k: usize| rows == columns && keep(k / columns, k % columns);
    made([rows, columns], |k| if stays(k) { all[k] } else { 0.0 })
}

pub fn lower(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    part(rows, columns, seed, |i, j| j <= i)
}

pub fn upper(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    part(rows, columns, seed, |i, j| j >= i)
}

pub fn strictly_lower(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    part(rows, columns, seed, |i, j| j < i)
}

pub fn strictly_upper(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    part(rows, columns, seed, |i, j| j > i)
}

/// A square that is its own mirror image.
pub fn mirrored(rows: usize, columns: usize, seed: u64) -> Vec<f64> {
    let half = lower(rows, columns, seed);
    made([rows, columns], |k| {
        let (i, j) = (k / columns, k % columns);
        if rows == columns {
            half[i.max(j) * columns + i.min(j)]
        } else {
            0.0
        }
    })
}
