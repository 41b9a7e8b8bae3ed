//! What snapshots cost those who make changes: `cargo bench -p looplets-benches --bench snapshots`.
//!
//! A graph of `2^LOOPLETS_SCALE` vertices (18) is given edges and loses them, so many and then a snapshot, while the one before is
//! held. In nanoseconds a change, the best of several runs: without snapshots, with those of `Versioned`, and with a clone
//! for each.

mod graph;

use looplets::prelude::*;
use looplets_benches::matrices::Random;
use looplets_benches::options;
use std::hint::black_box;
use std::time::Instant;

/// The shortest of some runs, in nanoseconds for each of `changes`.
fn best(runs: usize, changes: usize, mut f: impl FnMut()) -> f64 {
    let one = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64() * 1e9
    };
    (0..runs).map(|_| one(&mut f)).fold(f64::INFINITY, f64::min) / changes as f64
}

macro_rules! measured {
    ($size:ident, $edges:ident, $come:ident: $($name:ident: $Level:ident;)*) => {$({
        mod $name {
            use looplets::prelude::*;
            level! { pub type Rows = Tensor<Dense<$Level<Pattern>>>; }
        }
        let made = || $name::Rows::from_triplets([$size; 2], $edges.iter().map(|e| (e, true)), Refuse).expect("room");
        for batch in [1, 10, 100, 1_000, 10_000, 100_000] {
            let rounds = (100_000 / batch).min(1_000);
            let changes = || $come.chunks(batch).take(rounds);
            let count = 2 * batch * rounds;
            let mut plain = made();
            let alone = best(3, count, || for chunk in changes() {
                chunk.iter().for_each(|e| { plain.insert(e, true).expect("room"); });
                chunk.iter().for_each(|e| { plain.remove(e).expect("it goes"); });
            });
            let mut tensor = Versioned::new(made());
            let mut held = tensor.snapshot();
            let versions = best(3, count, || for chunk in changes() {
                chunk.iter().for_each(|e| { tensor.insert(e, true).expect("room"); });
                chunk.iter().for_each(|e| { tensor.remove(e).expect("it goes"); });
                held = black_box(tensor.snapshot());
            });
            assert!(*held == plain && tensor.copies() <= 2, "another result");
            let few = rounds.min(30);
            let clones = best(1, 2 * batch * few, || for chunk in changes().take(few) {
                chunk.iter().for_each(|e| { plain.insert(e, true).expect("room"); });
                chunk.iter().for_each(|e| { plain.remove(e).expect("it goes"); });
                drop(black_box(plain.clone()));
            });
            println!("{:<10}{:>9}{alone:>10.0}{versions:>10.0}{clones:>12.0}", stringify!($Level), 2 * batch);
        }
    })*};
}

fn main() {
    if options().is_none() {
        return;
    }
    let scale = std::env::var("LOOPLETS_SCALE").map_or(18, |s| s.parse().expect("a number"));
    let (size, mut edges) = (1 << scale, graph::edges(scale));
    edges.sort_unstable();
    edges.dedup();
    // Edges that come are none of those that are there, and no two of them are the same.
    let mut numbers = Random::new(5);
    let mut come: Vec<[usize; 2]> =
        (0..200_000).map(|_| [numbers.below(size), numbers.below(size)]).collect();
    come.sort_unstable();
    come.dedup();
    come.retain(|e| edges.binary_search(e).is_err());
    for k in (1..come.len()).rev() {
        come.swap(k, numbers.below(k + 1));
    }
    println!("{size} vertices, {} edges; ns a change", edges.len());
    println!("{:<10}{:>9}{:>10}{:>10}{:>12}", "", "changes", "alone", "Versioned", "clones");
    measured! {
        size, edges, come:
        c_tree: CTree;
        b_tree: BTree;
    }
}
