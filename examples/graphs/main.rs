//! Algorithms on graphs, each some kernels over a semiring and the loop around them, run on the karate
//! club that is embedded here: `cargo run --release --example graphs`.

mod centrality;
mod cohesion;
mod paths;
mod search;

use looplets::mtx::{self, Matrix};
use looplets::prelude::*;
use paths::Lengths;
use std::process::ExitCode;

fn main() -> ExitCode {
    match club().and_then(|graph| show(&graph)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Who meets whom outside of the club, both ways.
fn club() -> Result<Graph, Error> {
    let matrix: Matrix = mtx::parse("karate.mtx", include_str!("../data/karate.mtx"))?;
    let entries = matrix.row_indices().iter().zip(matrix.col_indices());
    let mut edges: Vec<[usize; 2]> = entries.flat_map(|(&i, &j)| [[i, j], [j, i]]).collect();
    edges.sort();
    edges.dedup();
    Tensor::from_triplets([matrix.rows(); 2], edges.into_iter().map(|e| (e, true)), Refuse)
}

fn show(graph: &Graph) -> Result<(), Error> {
    let edges = graph.stored() / 2;
    println!("{} members, {edges} friendships", graph.shape()[0]);

    let away = search::push(graph, 0)?;
    let asked = search::pull(&search::turned(graph)?, 0)?;
    let farthest = away.iter().max().copied().unwrap_or_default();
    let at = |d: u32| away.iter().filter(|v| **v == d).count();
    println!("\nFrom member 0, by steps: {:?}", (0..=farthest).map(at).collect::<Vec<_>>());
    println!("The same by asking: {}", away == asked);

    // A friendship is the longer, the further apart the numbers are.
    let lengths = graph.triplets().into_iter().map(|(at, _)| {
        let length = at[0].abs_diff(at[1]) as f64 / 8.0;
        ([at[0], at[1]], length)
    });
    let lengths: Lengths = Tensor::from_triplets(graph.shape(), lengths, Refuse)?;
    let (member, far) = greatest(&paths::shortest(&lengths, 0)?);
    println!("Farthest from member 0 by length: {member}, {far}");

    let mut parts = search::components(graph)?;
    parts.sort_unstable();
    parts.dedup();
    println!("Parts that are connected: {}", parts.len());

    println!("\nTriangles: {}", cohesion::triangles(graph)?);
    for k in 3..=6 {
        let truss = cohesion::truss(graph, k)?;
        println!("Friendships of the {k}-truss: {}", truss.stored() / 2);
    }

    let (member, rank) = greatest(&centrality::pagerank(graph, 0.85, 1e-12)?);
    println!("\nFirst by PageRank: {member}, {rank:.6}");
    let (member, share) = greatest(&centrality::betweenness(graph, 0)?);
    println!("Most often between member 0 and others: {member}, {share:.6}");
    Ok(())
}

/// The greatest value, and where.
fn greatest(values: &[f64]) -> (usize, f64) {
    let pairs = values.iter().copied().enumerate();
    pairs.reduce(|a, b| if b.1 > a.1 { b } else { a }).unwrap_or_default()
}
