//! Programs on graphs as they are known, step by step and to the end: triangles, breadth-first search,
//! shortest paths. Each against the oracle and against plain Rust.

#[macro_use]
extern crate looplets_oracle as oracle;
#[macro_use]
mod known;
use known::*;
use looplets::prelude::*;

level! { type Set = Tensor<SparseList<Pattern>>; }
level! { type BitGraph = Tensor<Dense<Bitmap<Pattern>>>; }
level! { type FewRows = Tensor<SparseList<SparseList<Pattern>>>; }
level! { type Pairs = Tensor<Coo<Singleton<Pattern>>>; }
level! { type Flags = Tensor<Bitmap<Element<bool>>>; }
level! { type Distances = DenseVec<f64, Inf>; }
level! { type AllDistances = DenseMat<f64, Inf>; }
level! { type Far = Tensor<Dense<SparseList<Element<f64, Inf>>>>; }
level! { type FarBits = Tensor<Dense<Bitmap<Element<f64, Inf>>>>; }
level! { type FarPairs = Tensor<Coo<Singleton<Element<f64, Inf>>>>; }

/// Sizes, and edges of graphs of that size: none, one, a path, a ring, a star, all, and some.
fn graphs(mut f: impl FnMut(usize, &dyn Fn(usize, usize) -> bool)) {
    for n in [0, 1, 2, 5, 7] {
        f(n, &|_, _| false);
        f(n, &|i, j| i == 0 && j + 1 == n);
        f(n, &|i, j| i + 1 == j);
        f(n, &|i, j| (i + 1) % n == j || (j + 1) % n == i);
        f(n, &|i, j| (i == 2) != (j == 2));
        f(n, &|i, j| i != j);
        for seed in 3..6 {
            f(n, &|i, j| (i * 7 + j * j * 5 + i * j) % seed == 1);
        }
    }
}

/// The tensor that holds what `f` says.
fn of<L: Level>(shape: &[usize], f: impl Fn(&[usize]) -> L::Value) -> Tensor<L>
where
    L::Value: PartialEq,
{
    let entries: Vec<_> = build(shape, |at| (at.to_vec(), f(at)));
    let stored = entries.into_iter().filter(|(_, v)| *v != L::fill());
    Tensor::from_triplets(shape, stored, Refuse).unwrap()
}

macro_rules! triangles {
    ($($name:ident: $G:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn closed(a: &$G, t: &mut u64) { for i, j, k { t += a[i, j] && a[j, k] && a[i, k] } };;
                fn gallop(a: &$G, t: &mut u64) { for i, j, k { t += a[i, j] && a[j, k::gallop] && a[i, k::gallop] } };;
                fn ordered(a: &$G, t: &mut u64) {
                    for i, j { if j < i { for k { if k < j { t += a[i, j] && a[j, k] && a[i, k] } } } }
                };;
                fn multiplied(a: &$G, t: &mut u64) {
                    for i, j { if a[i, j] {
                        let mut s: u64;
                        for k { s += a[i, k] && a[j, k] }
                        t += s
                    } }
                };;
                fn of_each(a: &$G) -> (y: DenseVec<u64>) { for i, j, k { y[i] += a[i, j] && a[j, k] && a[i, k] } }
            }
            #[test]
            fn is_known() {
                graphs(|n, edge| {
                    let joined = |i, j| i != j && (edge(i, j) || edge(j, i));
                    let a = of(&[n, n], |at| joined(at[0], at[1]));
                    let each: Vec<u64> = (0..n).map(|i| {
                        let pairs = (0..n).flat_map(|j| (0..n).map(move |k| (j, k)));
                        pairs.filter(|&(j, k)| joined(i, j) && joined(j, k) && joined(i, k)).count() as u64
                    }).collect();
                    let all: u64 = each.iter().sum();
                    let (mut t, mut g, mut o) = (0, 0, 0);
                    agree!(closed(&a, &mut t));
                    agree!(gallop(&a, &mut g));
                    agree!(ordered(&a, &mut o));
                    let mut m = 0;
                    agree!(multiplied(&a, &mut m));
                    assert_eq!([t, g, m, 6 * o], [all; 4]);
                    known!(of_each(&a) => each);
                });
            }
        }
    )*};
}

triangles! {
    triangles_of_lists: Graph;
    triangles_of_few_rows: FewRows;
    triangles_of_bits: BitGraph;
}

kernels! {
    fn pairs_closed(a: &Pairs, b: &Graph, t: &mut u64) { for i, j, k { t += a[i, j] && b[j, k] && b[i, k] } };;
    fn walks(a: &Graph, t: &mut u64) {
        for i { let mut d: u64; for k { d += a[i, k] } t += d * d }
     };;
    fn degrees(a: &Graph) -> (d: DenseVec<u64>) { for i, j { d[i] += a[i, j] } };;
    fn in_degrees(a: &Graph) -> (d: DenseVec<u64>) { for i, j { d[j] += a[i, j] } }
}

#[test]
fn counts() {
    graphs(|n, edge| {
        let (a, b) = (of(&[n, n], |at| edge(at[0], at[1])), of(&[n, n], |at| edge(at[0], at[1])));
        let mut t = 0;
        agree!(pairs_closed(&a, &b, &mut t));
        let count = |f: &dyn Fn(usize) -> bool| (0..n).filter(|k| f(*k)).count() as u64;
        let want: u64 = build(&[n, n], |at| match edge(at[0], at[1]) {
            true => count(&|k| edge(at[1], k) && edge(at[0], k)),
            false => 0,
        })
        .iter()
        .sum();
        assert_eq!(t, want);
        let mut w = 0;
        agree!(walks(&b, &mut w));
        let degree = |i| count(&|j| edge(i, j));
        assert_eq!(w, (0..n).map(|i| degree(i) * degree(i)).sum());
        known!(degrees(&b) => (0..n).map(|i| count(&|j| edge(i, j))).collect::<Vec<_>>());
        known!(in_degrees(&b) => (0..n).map(|j| count(&|i| edge(i, j))).collect::<Vec<_>>());
    });
}

/// A step of a breadth-first search, from the front outwards and by asking each that was not seen.
macro_rules! searches {
    ($($name:ident: $G:ty, $F:ty => $Next:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn push(a: &$G, front: &$F, seen: &DenseVec<bool>) -> (next: $Next) {
                    for i, j { next[j] ||= front[i] && a[i, j] && !seen[j] }
                };;
                fn push_sieved(a: &$G, front: &$F, seen: &DenseVec<bool>) -> (next: $Next) {
                    for i { if front[i] { for j { if a[i, j] && !seen[j] { next[j] = true } } } }
                };;
                fn parents(a: &$G, front: &$F, p: &mut DenseVec<usize>) {
                    for i, j { if front[i] && a[i, j] { p[j] <<choose>>= i + 1 } }
                }
            }
            #[test]
            fn is_known() {
                graphs(|n, edge| {
                    if n == 0 {
                        return;
                    }
                    let a = of(&[n, n], |at| edge(at[0], at[1]));
                    let mut seen = vec![false; n];
                    let mut front = vec![false; n];
                    seen[n / 2] = true;
                    front[n / 2] = true;
                    while front.contains(&true) {
                        let next: Vec<bool> = (0..n).map(|j| !seen[j] && (0..n).any(|i| front[i] && edge(i, j))).collect();
                        let (f, s) = (of(&[n], |at| front[at[0]]), of(&[n], |at| seen[at[0]]));
                        known!(push(&a, &f, &s) => next);
                        known!(push_sieved(&a, &f, &s) => next);
                        let mut p: DenseVec<usize> = of(&[n], |at| if seen[at[0]] { n + 1 } else { 0 });
                        agree!(parents(&a, &f, &mut p));
                        let found = |j: usize| (0..n).find(|i| front[*i] && edge(*i, j)).map_or(0, |i| i + 1);
                        assert_eq!(p.to_dense(), (0..n).map(|j| if seen[j] { n + 1 } else { found(j) }).collect::<Vec<_>>());
                        seen.iter_mut().zip(&next).for_each(|(s, n)| *s |= n);
                        front = next;
                    }
                });
            }
        }
    )*};
}

searches! {
    search_of_lists: Graph, Set => DenseVec<bool>;
    search_of_lists_by_bits: Graph, Flags => Flags;
    search_of_few_rows: FewRows, Set => Flags;
    search_of_pairs: Pairs, DenseVec<bool> => DenseVec<bool>;
    search_of_bits: BitGraph, Flags => Flags;
}

kernels! {
    fn pull(a: &Graph, front: &Flags, seen: &DenseVec<bool>) -> (next: DenseVec<bool>) {
        for j { if !seen[j] {
            let mut t: bool;
            for i { t ||= a[j, i] && front[i] }
            next[j] = t
        } }
    }
}

#[test]
fn a_step_that_asks() {
    graphs(|n, edge| {
        let a = of(&[n, n], |at| edge(at[1], at[0]));
        let (f, s) = (of(&[n], |at| at[0] % 3 == 0), of(&[n], |at| at[0] % 2 == 0));
        let want = |j: usize| j % 2 == 1 && (0..n).any(|i| i % 3 == 0 && edge(i, j));
        known!(pull(&a, &f, &s) => (0..n).map(want).collect::<Vec<_>>());
    });
}

fn weight(i: usize, j: usize) -> f64 {
    ((i * 5 + j * 3) % 7 + 1) as f64
}

/// Distances between all, by Floyd and Warshall in plain Rust.
fn shortest(n: usize, edge: &dyn Fn(usize, usize) -> bool) -> Vec<f64> {
    let mut d = build(&[n, n], |at| match at[0] == at[1] {
        true => 0.0,
        false if edge(at[0], at[1]) => weight(at[0], at[1]),
        false => f64::INFINITY,
    });
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
    d
}

macro_rules! paths {
    ($($name:ident: $A:ty;)*) => {$(
        mod $name {
            use super::*;
            kernels! {
                fn relaxed(a: &$A, d: &Distances) -> (y: Distances) { for i, j { y[j] <<min>>= min(d[j], d[i] + a[i, j]) } };;
                fn in_place(a: &$A, d: &Distances, y: &mut Distances) { for i, j { y[j] <<min>>= d[i] + a[i, j] } };;
                fn floyd_warshall(a: &$A, d: &AllDistances) -> (y: AllDistances) {
                    for i, k, j { y[i, j] <<min>>= d[i, k] + a[k, j] }
                };;
                fn nearest(a: &$A, best: &mut (f64, usize, usize)) { for i, j { best <<minby>>= (a[i, j], i, j) } }
            }
            #[test]
            fn is_known() {
                graphs(|n, edge| {
                    let a = of(&[n, n], |at| if edge(at[0], at[1]) { weight(at[0], at[1]) } else { f64::INFINITY });
                    let want = shortest(n, edge);
                    let start = n / 2;
                    let mut d: Distances = of(&[n], |at| if at[0] == start { 0.0 } else { f64::INFINITY });
                    let mut y = d.clone();
                    for _ in 0..n {
                        let before = d.to_dense();
                        let after: Vec<f64> = (0..n).map(|j| {
                            let through = |i| before[i] + if edge(i, j) { weight(i, j) } else { f64::INFINITY };
                            (0..n).map(through).fold(before[j], f64::min)
                        }).collect();
                        agree!(in_place(&a, &d, &mut y));
                        assert_eq!(y.to_dense(), after);
                        d = known!(relaxed(&a, &d) => after);
                    }
                    assert_eq!(d.to_dense(), want.iter().skip(start * n).take(n).copied().collect::<Vec<_>>());
                    // Paths of one edge more each time.
                    let mut all: AllDistances = of(&[n, n], |at| if at[0] == at[1] { 0.0 } else { f64::INFINITY });
                    for _ in 0..n {
                        agree!(floyd_warshall(&a, &all));
                        let next = floyd_warshall(&a, &all).to_dense();
                        let kept: Vec<f64> = next.iter().zip(all.to_dense()).map(|(a, b)| a.min(b)).collect();
                        all = Tensor::from_dense([n, n], &kept).unwrap();
                    }
                    assert_eq!(all.to_dense(), want);
                    let mut best = (f64::INFINITY, n, n);
                    agree!(nearest(&a, &mut best));
                    let edges = build(&[n, n], |at| (at[0], at[1])).into_iter().filter(|(i, j)| edge(*i, *j));
                    let least = edges.map(|(i, j)| (weight(i, j), i, j)).fold((f64::INFINITY, n, n), |b, e| if e.0 < b.0 { e } else { b });
                    assert_eq!(best, least);
                });
            }
        }
    )*};
}

paths! {
    paths_of_lists: Far;
    paths_of_bits: FarBits;
    paths_of_pairs: FarPairs;
    paths_of_dense: AllDistances;
}

kernels! {
    fn through(d: &mut AllDistances, k: usize, n: usize) {
        let mut to: Distances[n];
        let mut from: Distances[n];
        for i { to[i] = d[i, k]; from[i] = d[k, i] }
        for i, j { d[i, j] <<min>>= to[i] + from[j] }
    };;
    fn through_new(d: &AllDistances, k: usize) -> (y: AllDistances) { for i, j { y[i, j] = min(d[i, j], d[i, k] + d[k, j]) } };;
    fn through_lists(d: &Far, column: &Tensor<SparseList<Element<f64, Inf>>>, k: usize) -> (y: Far) {
        for i, j { y[i, j] = min(d[i, j], column[i] + d[k, j]) }
    }
}

#[test]
fn shortest_paths_through_each() {
    graphs(|n, edge| {
        let want = shortest(n, edge);
        let at = |at: &[usize]| match at[0] == at[1] {
            true => 0.0,
            false if edge(at[0], at[1]) => weight(at[0], at[1]),
            false => f64::INFINITY,
        };
        let mut d: AllDistances = of(&[n, n], at);
        let mut lists: Far = of(&[n, n], at);
        for k in 0..n {
            let new = through_new(&d, k);
            agree!(through_new(&d, k));
            agree!(through(&mut d, k, n));
            assert_eq!(d.to_dense(), new.to_dense());
            let now = plainly(&lists);
            let column = of(&[n], |at| now.at(&[at[0], k]));
            lists = known!(through_lists(&lists, &column, k) => d.to_dense());
        }
        assert_eq!(d.to_dense(), want);
    });
}
