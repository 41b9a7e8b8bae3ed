//! Speed of compiled kernels beside the same algorithms by hand: `cargo bench -p looplets-benches --bench kernels`.
//!
//! Results are compared before anything is timed. The options are those of `looplets_benches`.

mod compiled;
mod hand;

use looplets::prelude::*;
use looplets_benches::matrices::{self, Case, Random};
use looplets_benches::timing::{race, Row, Table};
use looplets_benches::{options, Options};
use std::hint::black_box;

fn main() {
    let Some(options) = options() else { return };
    if options.list("made") {
        let mut table = Table::new("made matrices");
        for case in matrices::made() {
            measure(&case, &options, &mut table);
        }
        drop(table);
        vectors(&options);
    }
    if options.list("real") {
        let files = matrices::files();
        if files.is_empty() {
            println!("\nno real matrices: LOOPLETS_DATA names no directory with them");
            return;
        }
        let mut table = Table::new("real matrices");
        for path in files {
            match matrices::read(&path) {
                Ok(case) => measure(&case, &options, &mut table),
                Err(error) => println!("{error}"),
            }
        }
    }
}

fn measure(case: &Case, options: &Options, table: &mut Table) {
    let Case { name, matrix } = case;
    let columns = matrix.shape()[1];
    let mut random = Random::new(columns as u64);
    if options.wants(&["spmv", name]) {
        let x = random.dense(columns);
        table.row("spmv", name, matrix.stored(), &["1 sum", "4 sums"], &spmv(options, matrix, &x));
    }
    for (count, told) in [(columns.div_ceil(10), "10%"), (10, "10")] {
        let x = random.vector(columns, count);
        let steps = merge_steps(hand::rows(matrix), hand::vector(&x));
        if steps > options.work {
            println!(
                "{:<22} {name:<24} {:>9} left out: {steps:.1e} merge steps",
                format!("spmspv {told}"),
                matrix.stored()
            );
            continue;
        }
        for method in spmspv_methods() {
            let kernel = format!("spmspv_{} {told}", method.name);
            if options.wants(&[&kernel, name]) {
                table.row(
                    &kernel,
                    name,
                    matrix.stored(),
                    method.names,
                    &spmspv(options, matrix, &x, &method),
                );
            }
        }
    }
    if options.wants(&["triangles_walk", "triangles_gallop", name]) {
        triangles(case, options, table);
    }
}

fn spmv(options: &Options, matrix: &Csr<f64>, x: &DenseVec<f64>) -> Row {
    let (a, v) = (hand::rows(matrix), hand::dense(x));
    let ours = compiled::spmv(matrix, x);
    close(hand::dense(&ours), &hand::spmv(a, v));
    close(hand::dense(&ours), &hand::spmv_4(a, v));
    race(
        options.budget,
        &mut [
            &mut || drop(black_box(compiled::spmv(black_box(matrix), black_box(x)))),
            &mut || drop(black_box(hand::spmv(black_box(a), black_box(v)))),
            &mut || drop(black_box(hand::spmv_4(black_box(a), black_box(v)))),
        ],
    )
}

type Lists<'a> = hand::Lists<'a, f64>;
type ByHand = fn(Lists<'_>, Lists<'_>) -> Vec<f64>;

/// One protocol for the product with a sparse vector.
struct Method {
    name: &'static str,
    compiled: fn(&Csr<f64>, &SparseVec<f64>) -> DenseVec<f64>,
    hand: &'static [ByHand],
    names: &'static [&'static str],
}

fn spmspv_methods() -> [Method; 4] {
    [
        Method {
            name: "walk",
            compiled: compiled::spmspv_walk,
            hand: &[hand::spmspv_walk, hand::spmspv_walk_3],
            names: &["merge", "3 ways"],
        },
        Method {
            name: "lead",
            compiled: compiled::spmspv_lead,
            hand: &[hand::spmspv_lead],
            names: &["look"],
        },
        Method {
            name: "follow",
            compiled: compiled::spmspv_follow,
            hand: &[hand::spmspv_follow],
            names: &["look"],
        },
        Method {
            name: "gallop",
            compiled: compiled::spmspv_gallop,
            hand: &[hand::spmspv_gallop],
            names: &["gallop"],
        },
    ]
}

fn spmspv(options: &Options, matrix: &Csr<f64>, x: &SparseVec<f64>, method: &Method) -> Row {
    let (a, v) = (hand::rows(matrix), hand::vector(x));
    let ours = (method.compiled)(matrix, x);
    for hand in method.hand {
        close(hand::dense(&ours), &hand(a, v));
    }
    let mut compiled = || drop(black_box((method.compiled)(black_box(matrix), black_box(x))));
    let mut by_hand: Vec<_> = method
        .hand
        .iter()
        .map(|hand| move || drop(black_box(hand(black_box(a), black_box(v)))))
        .collect();
    let mut ways: Vec<&mut dyn FnMut()> = vec![&mut compiled];
    ways.extend(by_hand.iter_mut().map(|way| way as &mut dyn FnMut()));
    race(options.budget, &mut ways)
}

/// The steps of merging each row with `x`, up to the row's last entry.
fn merge_steps(a: Lists<'_>, x: Lists<'_>) -> f64 {
    let row = |i: usize| &a.crd[a.pos[i]..a.pos[i + 1]];
    let steps =
        |row: &[u32]| row.len() + row.last().map_or(0, |last| x.crd.partition_point(|c| c <= last));
    (0..a.pos.len() - 1).map(|i| steps(row(i)) as f64).sum()
}

fn triangles(case: &Case, options: &Options, table: &mut Table) {
    let name = &case.name;
    let Some(graph) = matrices::lower(&case.matrix) else { return };
    let a = hand::neighbours(&graph);
    let degree = |i: usize| (a.pos[i + 1] - a.pos[i]) as f64;
    let row = |i: usize| &a.crd[a.pos[i]..a.pos[i + 1]];
    let work: f64 = (0..a.len)
        .map(|i| row(i).iter().map(|&j| degree(i) + degree(j as usize)).sum::<f64>())
        .sum();
    if work > options.work {
        println!(
            "{:<22} {name:<24} {:>9} left out: {work:.1e} merge steps",
            "triangles",
            graph.stored()
        );
        return;
    }
    let count = |kernel: fn(&Graph, &mut u64)| {
        let mut t = 0;
        kernel(&graph, &mut t);
        t
    };
    let known = hand::triangles_walk(a);
    if let Some(expected) = matrices::expected(name) {
        assert_eq!(known, expected, "{name}: triangles");
    }
    assert_eq!(hand::triangles_walk_3(a), known, "{name}");
    assert_eq!(hand::triangles_gallop(a), known, "{name}");
    assert_eq!(count(compiled::triangles_walk), known, "{name}");
    assert_eq!(count(compiled::triangles_gallop), known, "{name}");
    let time = |kernel: fn(&Graph, &mut u64),
                hand: &mut dyn FnMut() -> u64,
                other: &mut dyn FnMut() -> u64| {
        race(
            options.budget,
            &mut [
                &mut || {
                    let mut t = 0;
                    kernel(black_box(&graph), black_box(&mut t));
                },
                &mut || {
                    black_box(hand());
                },
                &mut || {
                    black_box(other());
                },
            ],
        )
    };
    let timed =
        time(compiled::triangles_walk, &mut || hand::triangles_walk(black_box(a)), &mut || {
            hand::triangles_walk_3(black_box(a))
        });
    table.row("triangles_walk", name, graph.stored(), &["merge", "3 ways"], &timed);
    let mut walk = || {
        let mut t = 0;
        compiled::triangles_walk(black_box(&graph), &mut t);
        t
    };
    let timed =
        time(compiled::triangles_gallop, &mut || hand::triangles_gallop(black_box(a)), &mut walk);
    table.row("triangles_gallop", name, graph.stored(), &["gallop", "walk"], &timed);
}

/// Products of two sparse vectors of equal and of very different lengths.
fn vectors(options: &Options) {
    let mut table = Table::new("pairs of sparse vectors");
    for size in [1_000_000, 20_000_000] {
        for (short, long) in [
            (1_000, 100_000),
            (100_000, 1_000),
            (100, 10_000),
            (10_000, 10_000),
            (100_000, 100_000),
        ] {
            let mut random = Random::new((short + size) as u64);
            let (x, y) = (random.vector(size, short), random.vector(size, long));
            dots(
                &format!("{short} x {long} of {}M", size / 1_000_000),
                options,
                &x,
                &y,
                &mut table,
            );
        }
    }
    // Clustered: long stretches that only one side has, and stretches that both have.
    let mut random = Random::new(7);
    let mut clusters = |count: usize| -> SparseVec<f64> {
        let starts = random.places(10_000, count);
        let entries = starts.iter().flat_map(|s| (s * 100..s * 100 + 100).map(|i| ([i], 1.0)));
        Tensor::from_triplets([1_000_000], entries, Refuse).expect("inside, and each once")
    };
    let (x, y) = (clusters(1_000), clusters(1_000));
    dots("clusters", options, &x, &y, &mut table);
    dots("same", options, &x, &x.clone(), &mut table);
}

fn dots(name: &str, options: &Options, x: &SparseVec<f64>, y: &SparseVec<f64>, table: &mut Table) {
    let (a, b) = (hand::vector(x), hand::vector(y));
    let run = |kernel: fn(&SparseVec<f64>, &SparseVec<f64>, &mut f64)| {
        let mut s = 0.0;
        kernel(black_box(x), black_box(y), &mut s);
        black_box(s)
    };
    let known = [hand::dot_walk(a, b)];
    for other in [
        run(compiled::dot_walk),
        run(compiled::dot_gallop),
        hand::dot_walk_3(a, b),
        hand::dot_gallop(a, b),
    ] {
        close(&[other], &known);
    }
    let stored = x.stored() + y.stored();
    if options.wants(&["dot_walk", name]) {
        let row = race(
            options.budget,
            &mut [
                &mut || _ = run(compiled::dot_walk),
                &mut || _ = black_box(hand::dot_walk(black_box(a), black_box(b))),
                &mut || _ = black_box(hand::dot_walk_3(black_box(a), black_box(b))),
            ],
        );
        table.row("dot_walk", name, stored, &["merge", "3 ways"], &row);
    }
    if options.wants(&["dot_gallop", name]) {
        let row = race(
            options.budget,
            &mut [
                &mut || _ = run(compiled::dot_gallop),
                &mut || _ = black_box(hand::dot_gallop(black_box(a), black_box(b))),
                &mut || _ = run(compiled::dot_walk),
                &mut || _ = black_box(hand::dot_walk(black_box(a), black_box(b))),
            ],
        );
        table.row("dot_gallop", name, stored, &["gallop", "walk", "merge"], &row);
    }
}

/// Equal but for the order of additions.
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let size = f.abs().max(e.abs()).max(1e-300);
        assert!(
            (f - e).abs() <= 1e-6 * size || (f - e).abs() < 1e-9,
            "element {i}: {f}, by hand {e}"
        );
    }
}
