//! A graph that changes while it is asked: edges come and go in batches, and PageRank, triangles and components are kept
//! up to date on snapshots, by another thread.
//!
//! `cargo run --release --example stream -- FILE.mtx` takes any Matrix Market file; without one, a graph is made by
//! the recursive method (R-MAT, Chakrabarti et al., SDM 2004).

use looplets::mtx::{self, Matrix};
use looplets::prelude::*;
use std::process::ExitCode;
use std::sync::mpsc::{sync_channel, Receiver};
use std::sync::Arc;
use std::time::{Duration, Instant};

level! {
    /// The neighbours of each vertex in a B-tree.
    type Stream = Tensor<Dense<BTree<Pattern>>>;
}

/// What is asked of a snapshot, written once for the graph that changes and once for rows in arrays: the tensor is all
/// that differs.
macro_rules! questions {
    ($of:ident: $Graph:ty) => {
        mod $of {
            use super::*;

            finch! {
                use looplets::semiring::{pair, second};

                fn degrees(a: &$Graph) -> (d: DenseVec<f64>) { for i, j { d[i] += a[i, j] } }

                /// Each vertex is passed its neighbours' shares.
                fn passed(a: &$Graph, share: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                    for i, j { y[i] += second(a[i, j], share[j]) }
                }

                fn ranked(y: &DenseVec<f64>, n: f64) -> (r: DenseVec<f64>) {
                    for i { r[i] = 0.15 / n + 0.85 * y[i] }
                }

                fn shares(r: &DenseVec<f64>, d: &DenseVec<f64>) -> (s: DenseVec<f64>) {
                    for i { if d[i] > 0 { s[i] = r[i] / d[i] } }
                }

                /// Each triangle from its greatest vertex to its least.
                fn closed(a: &$Graph, t: &mut u64) {
                    for i, j { if j < i { if a[i, j] { for k { if k < j { t += pair(a[i, k], a[j, k]) } } } } }
                }

                fn least(a: &$Graph, label: &Tensor<Dense<Element<u32>>>) -> (y: Tensor<Dense<Element<u32>>>) {
                    for i { y[i] = label[i]; for j { y[i] <<min>>= ifelse(a[i, j], label[j], label[i]) } }
                }
            }

            /// Answers to all questions.
            pub fn answer(graph: &$Graph) -> Result<Answer, Error> {
                let size = graph.shape()[0];
                let degree = degrees(graph);
                let mut rank: DenseVec<f64> = Tensor::from_dense([size], &vec![1.0 / size as f64; size])?;
                for _ in 0..10 {
                    rank = ranked(&passed(graph, &shares(&rank, &degree)), size as f64);
                }
                let mut triangles = 0;
                closed(graph, &mut triangles);
                let own: Vec<u32> = (0..size as u32).collect();
                let mut label = Tensor::from_dense([size], &own)?;
                loop {
                    let next = least(graph, &label);
                    if next == label {
                        break;
                    }
                    label = next;
                }
                let components = label.to_dense().iter().zip(&own).filter(|(l, o)| l == o).count();
                Ok(Answer { edges: graph.stored() / 2, rank: rank.to_dense(), triangles, components })
            }
        }
    };
}

questions!(changing: Stream);
questions!(fixed: Graph);

/// What is known of a snapshot.
#[derive(Debug)]
pub struct Answer {
    edges: usize,
    rank: Vec<f64>,
    triangles: u64,
    components: usize,
}

impl Answer {
    /// Whether it is the same as another; ranks are, but for the order in which shares were added.
    fn is(&self, other: &Answer) -> bool {
        let counts = |a: &Answer| (a.edges, a.triangles, a.components, a.rank.len());
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs();
        counts(self) == counts(other) && self.rank.iter().zip(&other.rank).all(close)
    }
}

fn main() -> ExitCode {
    let edges = match std::env::args_os().nth(1) {
        Some(path) => mtx::read::<Matrix>(path).map(|m| of_matrix(&m)),
        None => Ok(made(13, 8 << 13)),
    };
    match edges.and_then(|(size, edges)| stream(size, &edges)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The edges of a matrix, as they come, without those of a vertex to itself.
fn of_matrix(matrix: &Matrix) -> (usize, Vec<[usize; 2]>) {
    let entries = matrix.row_indices().iter().zip(matrix.col_indices());
    let edges = entries.map(|(&i, &j)| [i, j]).filter(|[i, j]| i != j).collect();
    (matrix.rows().max(matrix.cols()), edges)
}

/// Edges among `2^scale` vertices, the most of them among few.
fn made(scale: u32, count: usize) -> (usize, Vec<[usize; 2]>) {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 40
    };
    let mut edge = || {
        let corner = |[i, j]: [usize; 2], dice: u64| match dice % 100 {
            0..=49 => [2 * i, 2 * j],
            50..=64 => [2 * i, 2 * j + 1],
            65..=79 => [2 * i + 1, 2 * j],
            _ => [2 * i + 1, 2 * j + 1],
        };
        (0..scale).fold([0, 0], |at, _| corner(at, next()))
    };
    let edges = (0..count).map(|_| edge()).filter(|[i, j]| i != j).collect();
    (1 << scale, edges)
}

/// Half of the edges stand at first. In each of ten batches a twentieth comes and a tenth of what came before goes.
fn stream(size: usize, edges: &[[usize; 2]]) -> Result<(), Error> {
    let both = |edges: &[[usize; 2]]| -> Vec<[usize; 2]> {
        edges.iter().flat_map(|&[i, j]| [[i, j], [j, i]]).collect()
    };
    let (first, rest) = edges.split_at(edges.len() / 2);
    let mut graph = Versioned::new(Stream::new([size; 2])?);
    graph.extend(both(first).into_iter().map(|e| (e, true)))?;
    println!("{size} vertices, {} edges at first", graph.stored() / 2);

    // One snapshot waits at most: who asks always has one that is recent.
    let (send, snapshots) = sync_channel::<Arc<Stream>>(1);
    let asking = std::thread::spawn(move || ask(&snapshots));
    let (mut changed, mut changes) = (Duration::ZERO, 0usize);
    for (k, batch) in rest.chunks(rest.len().div_ceil(10).max(1)).enumerate() {
        let start = Instant::now();
        let gone: Vec<[usize; 2]> = first.iter().copied().skip(k).step_by(10).collect();
        let (come, go) = (both(batch), both(&gone));
        changes += come.len() + go.len();
        graph.extend(come.into_iter().map(|e| (e, true)))?;
        for edge in go {
            graph.remove(edge)?;
        }
        changed += start.elapsed();
        if send.send(graph.snapshot()).is_err() {
            break;
        }
    }
    drop(send);
    let (answers, last) = asking.join().expect("who asks does not panic")?;
    let rate = changes as f64 / changed.as_secs_f64() / 1e6;
    println!("{changes} changes of one direction, {rate:.2} million a second");
    println!("{answers} snapshots asked, {} copies of the graph", graph.copies());

    // The last answers against those of rows in arrays, made of the edges that are left.
    let fixed: Graph = graph.convert()?;
    let expected = fixed::answer(&fixed)?;
    let last = last.unwrap_or(changing::answer(&graph)?);
    println!("edges {}, triangles {}, components {}", last.edges, last.triangles, last.components);
    println!("as from scratch: {}", last.is(&expected));
    Ok(())
}

/// Answers all questions of each snapshot; gives how many there were, and the last answer.
fn ask(snapshots: &Receiver<Arc<Stream>>) -> Result<(usize, Option<Answer>), Error> {
    let (mut count, mut last) = (0, None);
    for snapshot in snapshots {
        let start = Instant::now();
        let answer = changing::answer(&snapshot)?;
        let time = start.elapsed().as_secs_f64() * 1e3;
        let most = answer.rank.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let most = most.map_or(0, |(i, _)| i);
        println!(
            "  {} edges: highest rank {most}, {} triangles, {} components, in {time:.1} ms",
            answer.edges, answer.triangles, answer.components
        );
        count += 1;
        last = Some(answer);
    }
    Ok((count, last))
}
