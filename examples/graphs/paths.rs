//! Shortest paths from one vertex, over min-plus: what is not stored is infinitely far.

use looplets::prelude::*;

level! {
    /// Lengths of edges.
    pub type Lengths = Tensor<Dense<SparseList<Element<f64, Inf>>>>;
}
level! { type Distances = Tensor<Dense<Element<f64, Inf>>>; }
level! { type Changed = Tensor<SparseList<Element<f64, Inf>>>; }

finch! {
    use looplets::semiring::min_plus;

    /// Distances by one edge more, from vertices whose own distance has just changed.
    fn relaxed(a: &Lengths, front: &Changed) -> (y: Distances) {
        for i, j { y[j] <<min>>= min_plus(front[i], a[i, j]) }
    }

    /// Those that are less than what was known.
    fn improved(y: &Distances, d: &Distances) -> (front: Changed) {
        for i { if y[i] < d[i] { front[i] = y[i] } }
    }

    fn settle(front: &Changed, d: &mut Distances) {
        for i { d[i] <<min>>= front[i] }
    }
}

/// The distance of each vertex from `source`, by Bellman and Ford.
///
/// Lengths may be negative, but no circle may be: then it stops after as many rounds as vertices.
pub fn shortest(lengths: &Lengths, source: usize) -> Result<Vec<f64>, Error> {
    let size = lengths.shape()[0];
    let mut distances: Distances = Tensor::from_dense([size], &vec![f64::INFINITY; size])?;
    let mut front: Changed = Tensor::from_triplets([size], [([source], 0.0)], Refuse)?;
    for _ in 0..size {
        if front.stored() == 0 {
            break;
        }
        settle(&front, &mut distances);
        front = improved(&relaxed(lengths, &front), &distances);
    }
    Ok(distances.to_dense())
}
