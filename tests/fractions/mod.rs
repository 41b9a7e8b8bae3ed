//! Matrices of small fractions, whose sums have no rounding: whatever the order, they are the same to the last bit.

use looplets::{Level, Refuse, Tensor};

/// Entries of which each row has another share of what there is room for.
pub fn entries(rows: usize, columns: usize, seed: usize) -> Vec<([usize; 2], f64)> {
    let mixed = |i: usize, j: usize| {
        (i * 7_919 + j * 104_729 + seed * 15_485_863).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
    };
    let places = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let stored = places.filter(|(i, j)| mixed(*i, *j) % 8 < i % 5);
    stored.map(|(i, j)| ([i, j], (mixed(j, i) % 17) as f64 / 4.0 - 2.0)).collect()
}

/// They as a matrix.
pub fn matrix<L: Level<Value = f64>>(rows: usize, columns: usize, seed: usize) -> Tensor<L> {
    Tensor::from_triplets([rows, columns], entries(rows, columns, seed), Refuse).expect("a matrix")
}

/// Every element, a zero without its sign: that of a sum of nothing is another one.
pub fn all<L: Level<Value = f64>>(t: &Tensor<L>) -> Vec<u64> {
    t.to_dense().iter().map(|x| (x + 0.0).to_bits()).collect()
}
