//! Which vertices matter: PageRank, and betweenness as seen from one vertex, both over plus-second.

use looplets::prelude::*;

finch! {
    use looplets::semiring::{first, second};

    fn degrees(a: &Graph) -> (d: DenseVec<u64>) { for i, j { d[i] += a[i, j] } }

    /// What each vertex passes along each of its edges, and what those without edges keep.
    fn shares(rank: &DenseVec<f64>, d: &DenseVec<u64>, kept: &mut f64) -> (share: DenseVec<f64>) {
        for i { if d[i] == 0 { kept += rank[i] } else { share[i] = rank[i] / d[i] } }
    }

    fn passed(a: &Graph, share: &DenseVec<f64>) -> (y: DenseVec<f64>) {
        for i, j { y[j] += second(a[i, j], share[i]) }
    }

    fn damped(y: &DenseVec<f64>, rank: &DenseVec<f64>, damping: f64, rest: f64, change: &mut f64)
        -> (next: DenseVec<f64>) {
        for i {
            next[i] = damping * y[i] + rest;
            change += abs(damping * y[i] + rest - rank[i])
        }
    }

    /// The number of shortest paths by one edge more, to where none has led.
    fn onwards(a: &Graph, front: &SparseVec<f64>, paths: &DenseVec<f64>) -> (next: DenseVec<f64>) {
        for i, j { if paths[j] == 0 { next[j] += first(front[i], a[i, j]) } }
    }

    fn found(front: &SparseVec<f64>, paths: &mut DenseVec<f64>) { for i { paths[i] += front[i] } }

    /// What each path that ends in the front passes back.
    fn credits(front: &SparseVec<f64>, credit: &DenseVec<f64>) -> (y: SparseVec<f64>) {
        for i { if front[i] != 0 { y[i] = (1 + credit[i]) / front[i] } }
    }

    fn back(a: &Graph, before: &SparseVec<f64>, y: &SparseVec<f64>, credit: &mut DenseVec<f64>) {
        for i { if before[i] != 0 { for j { credit[i] += before[i] * second(a[i, j], y[j]) } } }
    }
}

/// The share of time that a walker spends at each vertex who follows an edge with probability
/// `damping` and else starts anew anywhere, as at a vertex without edges; to a change below `enough`.
pub fn pagerank(graph: &Graph, damping: f64, enough: f64) -> Result<Vec<f64>, Error> {
    let size = graph.shape()[0];
    let degree = degrees(graph);
    let mut rank: DenseVec<f64> = Tensor::from_dense([size], &vec![1.0 / size as f64; size])?;
    loop {
        let (mut kept, mut change) = (0.0, 0.0);
        let share = shares(&rank, &degree, &mut kept);
        let rest = (1.0 - damping + damping * kept) / size as f64;
        rank = damped(&passed(graph, &share), &rank, damping, rest, &mut change);
        if change <= enough {
            return Ok(rank.to_dense());
        }
    }
}

/// For each vertex the sum, over all others, of the share of shortest paths there from `source` that
/// lead through it, by Brandes.
pub fn betweenness(graph: &Graph, source: usize) -> Result<Vec<f64>, Error> {
    let size = graph.shape()[0];
    let mut paths: DenseVec<f64> = Tensor::from_dense([size], &vec![0.0; size])?;
    let mut fronts: Vec<SparseVec<f64>> = Vec::new();
    let mut front: SparseVec<f64> = Tensor::from_triplets([size], [([source], 1.0)], Refuse)?;
    while front.stored() > 0 {
        found(&front, &mut paths);
        let next = onwards(graph, &front, &paths).convert()?;
        fronts.push(std::mem::replace(&mut front, next));
    }
    let mut credit: DenseVec<f64> = Tensor::from_dense([size], &vec![0.0; size])?;
    // Back to the neighbours of the source, which itself is between nothing.
    for pair in fronts.windows(2).skip(1).rev() {
        back(graph, &pair[0], &credits(&pair[1], &credit), &mut credit);
    }
    Ok(credit.to_dense())
}
