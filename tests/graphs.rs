//! The algorithms of the `graphs` example against loops over every vertex in plain Rust, on graphs that
//! are empty, in parts, sparse and dense.

#[path = "../examples/graphs/centrality.rs"]
mod centrality;
#[path = "../examples/graphs/cohesion.rs"]
mod cohesion;
#[path = "../examples/graphs/paths.rs"]
mod paths;
#[path = "../examples/graphs/search.rs"]
mod search;

use looplets::prelude::*;
use paths::Lengths;

/// A graph as a table: the length of each edge.
struct Table(Vec<Vec<Option<f64>>>);

impl Table {
    fn size(&self) -> usize {
        self.0.len()
    }

    fn has(&self, i: usize, j: usize) -> bool {
        self.0[i][j].is_some()
    }

    fn edges(&self) -> Vec<([usize; 2], f64)> {
        let pairs = (0..self.size()).flat_map(|i| (0..self.size()).map(move |j| (i, j)));
        pairs.filter_map(|(i, j)| Some(([i, j], self.0[i][j]?))).collect()
    }

    fn graph(&self) -> Graph {
        let edges = self.edges().into_iter().map(|(at, _)| (at, true));
        Tensor::from_triplets([self.size(); 2], edges, Refuse).unwrap()
    }

    fn lengths(&self) -> Lengths {
        Tensor::from_triplets([self.size(); 2], self.edges(), Refuse).unwrap()
    }

    /// Distances between all, by Floyd and Warshall; `length` of an edge.
    fn distances(&self, length: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        let n = self.size();
        let mut d: Vec<Vec<f64>> = self
            .0
            .iter()
            .map(|row| row.iter().map(|e| e.map_or(f64::INFINITY, &length)).collect())
            .collect();
        (0..n).for_each(|i| d[i][i] = 0.0);
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
                }
            }
        }
        d
    }
}

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A graph of `size` vertices in which of a hundred pairs `percent` are edges, none of them between the
/// vertices below `cut` and others.
fn random(dice: &mut Dice, size: usize, percent: u64, cut: usize, both_ways: bool) -> Table {
    let mut table = vec![vec![None; size]; size];
    for (i, j) in (0..size).flat_map(|i| (0..size).map(move |j| (i, j))) {
        let joined = i != j && (i < cut) == (j < cut) && dice.below(100) < percent;
        if joined && (!both_ways || i < j) {
            // Eighths add up without rounding.
            table[i][j] = Some((1 + dice.below(40)) as f64 / 8.0);
            if both_ways {
                table[j][i] = table[i][j];
            }
        }
    }
    Table(table)
}

/// One vertex, no edges, two parts, a ring, few edges, many, all.
fn graphs(both_ways: bool) -> Vec<Table> {
    let mut dice = Dice(7);
    let mut all = Vec::new();
    for (size, percent, cut) in [
        (1, 50, 0),
        (2, 100, 0),
        (6, 0, 0),
        (14, 40, 6),
        (20, 8, 10),
        (25, 5, 0),
        (25, 12, 0),
        (18, 60, 0),
        (9, 100, 0),
    ] {
        all.push(random(&mut dice, size, percent, cut, both_ways));
    }
    let mut ring = random(&mut dice, 11, 0, 0, both_ways);
    for i in 0..11 {
        ring.0[i][(i + 1) % 11] = Some(1.0);
        if both_ways {
            ring.0[(i + 1) % 11][i] = Some(1.0);
        }
    }
    all.push(ring);
    all
}

#[test]
fn searches_count_steps() {
    for table in graphs(true).into_iter().chain(graphs(false)) {
        let steps = table.distances(|_| 1.0);
        let (graph, back) = (table.graph(), search::turned(&table.graph()).unwrap());
        for source in [0, table.size() / 2, table.size() - 1] {
            let want: Vec<u32> = steps[source]
                .iter()
                .map(|d| if d.is_finite() { *d as u32 } else { search::UNREACHED })
                .collect();
            assert_eq!(search::push(&graph, source).unwrap(), want);
            assert_eq!(search::pull(&back, source).unwrap(), want);
        }
        assert!(search::push(&graph, table.size()).is_err());
    }
}

#[test]
fn components_are_named_by_their_least_vertex() {
    let mut most = 0;
    for table in graphs(true) {
        let steps = table.distances(|_| 1.0);
        let least = |i: usize| (0..table.size()).find(|j| steps[i][*j].is_finite()).unwrap() as u32;
        let want: Vec<u32> = (0..table.size()).map(least).collect();
        most = most.max((0..want.len()).filter(|i| want[*i] == *i as u32).count());
        assert_eq!(search::components(&table.graph()).unwrap(), want);
    }
    assert!(most >= 6, "no graph of the test is in parts");
    let none: Graph = Tensor::from_dense([0, 0], &[]).unwrap();
    assert_eq!(search::components(&none).unwrap(), []);
}

#[test]
fn paths_are_shortest() {
    for table in graphs(true).into_iter().chain(graphs(false)) {
        let want = table.distances(|length| length);
        for source in [0, table.size() / 2, table.size() - 1] {
            assert_eq!(paths::shortest(&table.lengths(), source).unwrap(), want[source]);
        }
    }
}

#[test]
fn paths_may_have_parts_below_zero_and_end_on_circles_that_are() {
    let edges = [([0, 1], 4.0), ([0, 2], 2.0), ([1, 2], -3.0), ([2, 3], 1.0)];
    let lengths = Tensor::from_triplets([5, 5], edges, Refuse).unwrap();
    assert_eq!(paths::shortest(&lengths, 0).unwrap(), [0.0, 4.0, 1.0, 2.0, f64::INFINITY]);
    let circle = Tensor::from_triplets([2, 2], [([0, 1], -1.0), ([1, 0], 0.5)], Refuse).unwrap();
    assert!(paths::shortest(&circle, 0).unwrap()[1] < 0.0);
}

#[test]
fn triangles_are_counted_once() {
    for table in graphs(true) {
        let n = table.size();
        let mut want = 0;
        for i in 0..n {
            for j in 0..i {
                want += (0..j)
                    .filter(|k| table.has(i, j) && table.has(j, *k) && table.has(i, *k))
                    .count();
            }
        }
        assert_eq!(cohesion::triangles(&table.graph()).unwrap(), want as u64);
    }
}

/// Takes edges away one by one, where the kernel takes all at once.
fn truss(table: &Table, k: usize) -> Vec<[usize; 2]> {
    let mut left = Table(table.0.clone());
    let n = left.size();
    while let Some(([i, j], _)) = left
        .edges()
        .into_iter()
        .find(|([i, j], _)| (0..n).filter(|c| left.has(*i, *c) && left.has(*j, *c)).count() + 2 < k)
    {
        (left.0[i][j], left.0[j][i]) = (None, None);
    }
    left.edges().into_iter().map(|(at, _)| at).collect()
}

#[test]
fn trusses_are_held_by_triangles() {
    let mut kept = [0; 7];
    for table in graphs(true) {
        for (k, kept) in kept.iter_mut().enumerate() {
            let part = cohesion::truss(&table.graph(), k as u64).unwrap();
            let found: Vec<[usize; 2]> =
                part.triplets().into_iter().map(|(at, _)| [at[0], at[1]]).collect();
            assert_eq!(found, truss(&table, k));
            *kept += found.len();
        }
    }
    assert!(kept[2] > kept[3] && kept[3] > kept[4] && kept[6] > 0, "{kept:?}");
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

#[test]
fn ranks_are_the_walk_they_describe() {
    for table in graphs(true).into_iter().chain(graphs(false)) {
        let n = table.size();
        let edges = |i: usize| (0..n).filter(|j| table.has(i, *j)).count();
        let mut rank = vec![1.0 / n as f64; n];
        for _ in 0..200 {
            let step = |j: usize| -> f64 {
                let from = |i: usize| match edges(i) {
                    0 => rank[i] / n as f64,
                    d if table.has(i, j) => rank[i] / d as f64,
                    _ => 0.0,
                };
                0.15 / n as f64 + 0.85 * (0..n).map(from).sum::<f64>()
            };
            rank = (0..n).map(step).collect();
        }
        let found = centrality::pagerank(&table.graph(), 0.85, 1e-13).unwrap();
        assert!(close(&found, &rank), "{found:?} {rank:?}");
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// How many shortest paths lead from each vertex to each other, edges counted.
fn counts(table: &Table, steps: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = table.size();
    let mut counts = vec![vec![0.0; n]; n];
    for s in 0..n {
        let mut order: Vec<usize> = (0..n).filter(|v| steps[s][*v].is_finite()).collect();
        order.sort_by(|a, b| steps[s][*a].total_cmp(&steps[s][*b]));
        counts[s][s] = 1.0;
        for v in order.into_iter().skip(1) {
            let before = |u: &usize| table.has(*u, v) && steps[s][*u] + 1.0 == steps[s][v];
            counts[s][v] = (0..n).filter(before).map(|u| counts[s][u]).sum();
        }
    }
    counts
}

#[test]
fn between_is_the_share_of_shortest_paths() {
    for table in graphs(true).into_iter().chain(graphs(false)) {
        let n = table.size();
        let steps = table.distances(|_| 1.0);
        let counts = counts(&table, &steps);
        for s in [0, n / 2, n - 1] {
            let through = |v: usize| -> f64 {
                let to = |t: &usize| v != s && v != *t && *t != s && steps[s][*t].is_finite();
                let on = |t: &usize| steps[s][v] + steps[v][*t] == steps[s][*t];
                let share = |t: usize| counts[s][v] * counts[v][t] / counts[s][t];
                (0..n).filter(to).filter(on).map(share).sum()
            };
            let want: Vec<f64> = (0..n).map(through).collect();
            let found = centrality::betweenness(&table.graph(), s).unwrap();
            assert!(close(&found, &want), "{found:?} {want:?}");
        }
    }
}
