//! Graphs made by the recursive method (R-MAT).

use looplets_benches::matrices::Random;

/// The edges of a graph of `2^scale` vertices: 16 a vertex, of which some come several times.
pub fn edges(scale: u32) -> Vec<[usize; 2]> {
    let mut numbers = Random::new(1);
    let mut edge = || {
        (0..scale).fold([0, 0], |[i, j], _| match numbers.unit() {
            x if x < 0.5 => [2 * i, 2 * j],
            x if x < 0.6 => [2 * i, 2 * j + 1],
            x if x < 0.7 => [2 * i + 1, 2 * j],
            _ => [2 * i + 1, 2 * j + 1],
        })
    };
    (0..16 << scale).map(|_| edge()).collect()
}
