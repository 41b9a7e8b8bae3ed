//! Structures made of nodes beside rows in arrays and `BTreeMap`s: `cargo bench -p looplets-benches --bench dynamic`.
//!
//! The graph is made by the recursive method (R-MAT), of `2^LOOPLETS_SCALE` vertices (16) and 16 edges a vertex, or read
//! from the file `LOOPLETS_GRAPH`: a line with the numbers of vertices and edges, then a line for each edge. What is timed is the best of
//! several runs in milliseconds: PageRank (ten iterations, shares divided once each), a Boolean product with 64 columns
//! (a word a vertex), building from sorted edges, and every hundredth edge taken out, put in again one by one in the order of
//! the file and at random, and put in as one batch. Then come kernels with values, and a tree met by a short list.

mod graph;
mod kernels;

use looplets::prelude::*;
use looplets_benches::matrices::Random;
use looplets_benches::options;
use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Instant;

level! { type Words = Tensor<Dense<Element<u64>>>; }

/// A format of graphs and what is measured of it.
macro_rules! measured {
    ($($name:ident: $Graph:ty;)*) => {$(
        mod $name {
            use super::*;
            level! { pub type Rows = $Graph; }
            finch! {
                use looplets::semiring::second;
                pub fn passed(a: &Rows, share: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += second(a[i, j], share[j]) } }
                pub fn reached(a: &Rows, x: &Words) -> (y: Words) { for i, j { y[i] |= second(a[i, j], x[j]) } }
            }
        }
    )*};
}

measured! {
    rows: Tensor<Dense<SparseList<Pattern>>>;
    linked: Tensor<Dense<LinkedList<Pattern>>>;
    blocks: Tensor<Dense<BlockList<Pattern>>>;
    var_blocks: Tensor<Dense<VarBlockList<Pattern>>>;
    bst: Tensor<Dense<Bst<Pattern>>>;
    t_tree: Tensor<Dense<TTree<Pattern>>>;
    b_tree: Tensor<Dense<BTree<Pattern>>>;
    hybrid: Tensor<Dense<HybridBTree<Pattern>>>;
    red_black: Tensor<Dense<RedBlack<Pattern>>>;
    gap_blocks: Tensor<Dense<GapBlockList<Pattern>>>;
    unsorted: Tensor<Dense<UnsortedBlockList<Pattern>>>;
    c_tree: Tensor<Dense<CTree<Pattern>>>;
    packed: Tensor<Dense<PackedCTree<Pattern>>>;
    bst_of_c_trees: Tensor<Bst<CTree<Pattern>>>;
    bst_of_bsts: Tensor<Bst<Bst<Pattern>>>;
}

/// The shortest of some runs, in milliseconds.
fn best(runs: usize, mut f: impl FnMut()) -> f64 {
    let one = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..runs).map(|_| one(&mut f)).fold(f64::INFINITY, f64::min)
}

/// A graph by its sorted edges, and what all formats are asked.
struct Graph {
    size: usize,
    edges: Vec<[usize; 2]>,
    share: DenseVec<f64>,
    words: Words,
}

impl Graph {
    fn new(size: usize, mut edges: Vec<[usize; 2]>) -> Graph {
        edges.sort_unstable();
        edges.dedup();
        let mut numbers = Random::new(3);
        let words: Vec<u64> = (0..size).map(|_| numbers.bits()).collect();
        let share = vec![1.0 / size as f64; size];
        let made = "sizes fit";
        Graph {
            size,
            edges,
            share: Tensor::from_dense([size], &share).expect(made),
            words: Tensor::from_dense([size], &words).expect(made),
        }
    }

    /// Ten iterations, each of which divides the ranks once.
    fn ranked(
        &self,
        degrees: &[f64],
        mut step: impl FnMut(&DenseVec<f64>) -> DenseVec<f64>,
    ) -> DenseVec<f64> {
        let mut share = self.share.clone();
        for _ in 0..10 {
            let mut y = step(&share);
            let values = y.values_mut().expect("dense vectors have values");
            for (v, d) in values.iter_mut().zip(degrees) {
                *v = (0.15 / self.size as f64 + 0.85 * *v) / d;
            }
            share = y;
        }
        share
    }
}

macro_rules! run {
    ($graph:ident, $degrees:ident, $fixed:ident: $($name:ident)*) => {$({
        let entries = || $graph.edges.iter().map(|e| (e, true));
        let mut made = None;
        let build = best(3, || {
            made = Some($name::Rows::from_triplets([$graph.size; 2], entries(), Refuse).expect("room"));
        });
        let mut a = made.expect("it was built");
        let rank = best(5, || {
            black_box($graph.ranked(&$degrees, |share| $name::passed(&a, share)));
        });
        let reach = best(5, || {
            black_box($name::reached(&a, &$graph.words));
        });
        assert_eq!($name::reached(&a, &$graph.words), $fixed, "the product is another");
        let some: Vec<[usize; 2]> = $graph.edges.iter().copied().step_by(100).collect();
        let mut shuffled = some.clone();
        let mut numbers = Random::new(7);
        for k in (1..shuffled.len()).rev() {
            shuffled.swap(k, numbers.below(k + 1));
        }
        let mut times = Vec::new();
        for order in [&some, &shuffled] {
            let (mut gone, mut come) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..3 {
                gone = gone.min(best(1, || order.iter().for_each(|e| { a.remove(e).expect("it goes"); })));
                come = come.min(best(1, || order.iter().for_each(|e| { a.insert(e, true).expect("room"); })));
            }
            times.extend([gone, come]);
        }
        let mut batch = f64::INFINITY;
        for _ in 0..3 {
            some.iter().for_each(|e| { a.remove(e).expect("it goes"); });
            batch = batch.min(best(1, || a.extend(shuffled.iter().map(|e| (e, true))).expect("room")));
        }
        assert_eq!($name::reached(&a, &$graph.words), $fixed, "the product is another afterwards");
        let after = best(5, || {
            black_box($graph.ranked(&$degrees, |share| $name::passed(&a, share)));
        });
        print!("{:<12}{build:>9.1}{rank:>9.2}{reach:>9.2}", stringify!($name));
        times.iter().for_each(|t| print!("{t:>9.2}"));
        println!("{batch:>9.2}{after:>9.2}");
    })*};
}

fn main() {
    if options().is_none() {
        return;
    }
    let graph = match std::env::var_os("LOOPLETS_GRAPH") {
        Some(path) => read(&std::fs::read_to_string(path).expect("the graph can be read")),
        None => {
            let scale =
                std::env::var("LOOPLETS_SCALE").map_or(16, |s| s.parse().expect("a number"));
            Graph::new(1 << scale, graph::edges(scale))
        }
    };
    println!("{} vertices, {} edges", graph.size, graph.edges.len());
    let mut degrees = vec![0.0; graph.size];
    graph.edges.iter().for_each(|e| degrees[e[0]] += 1.0);
    degrees.iter_mut().filter(|d| **d == 0.0).for_each(|d| *d = 1.0);
    let entries = graph.edges.iter().map(|e| (e, true));
    let a = rows::Rows::from_triplets([graph.size; 2], entries, Refuse).expect("room");
    let fixed = rows::reached(&a, &graph.words);
    println!(
        "{:<12}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "", "build", "PageRank", "SpMM", "delete", "insert", "at random", "", "a batch", "PR after"
    );
    let rank = best(5, || {
        black_box(graph.ranked(&degrees, |share| rows::passed(&a, share)));
    });
    let reach = best(5, || {
        black_box(rows::reached(&a, &graph.words));
    });
    println!("{:<12}{:>9}{rank:>9.2}{reach:>9.2}", "CSR", "");
    maps(&graph, &degrees);
    run!(graph, degrees, fixed: linked blocks var_blocks bst t_tree b_tree hybrid red_black gap_blocks unsorted c_tree packed bst_of_c_trees bst_of_bsts);
    kernels::run(&graph.edges, graph.size);
}

/// A `BTreeSet` a row.
fn maps(graph: &Graph, degrees: &[f64]) {
    let mut sets = vec![BTreeSet::new(); graph.size];
    let build = best(1, || {
        graph.edges.iter().for_each(|e| {
            sets[e[0]].insert(e[1] as u32);
        })
    });
    let share = |share: &DenseVec<f64>| {
        let x = share.to_dense();
        let y: Vec<f64> = sets.iter().map(|row| row.iter().map(|j| x[*j as usize]).sum()).collect();
        Tensor::from_dense([graph.size], &y).expect("sizes fit")
    };
    let rank = best(5, || {
        black_box(graph.ranked(degrees, share));
    });
    let some: Vec<[usize; 2]> = graph.edges.iter().copied().step_by(100).collect();
    let gone = best(1, || {
        some.iter().for_each(|e| {
            sets[e[0]].remove(&(e[1] as u32));
        })
    });
    let come = best(1, || {
        some.iter().for_each(|e| {
            sets[e[0]].insert(e[1] as u32);
        })
    });
    println!("{:<12}{build:>9.1}{rank:>9.2}{:>9}{gone:>9.2}{come:>9.2}", "BTreeSet", "");
}

fn read(text: &str) -> Graph {
    let mut numbers = text.split_ascii_whitespace().map(|n| n.parse::<usize>().expect("a number"));
    let (size, count) = (numbers.next().expect("vertices"), numbers.next().expect("edges"));
    let mut next = || numbers.next().expect("a vertex");
    Graph::new(size, (0..count).map(|_| [next(), next()]).collect())
}
