//! Graphs that change, in the layouts of other systems: the same kernels over each, beside rows in arrays.

use looplets::prelude::*;

macro_rules! layouts {
    ($($name:ident: $Graph:ty;)*) => {$(
        mod $name {
            use super::*;

            finch! {
                use looplets::semiring::{pair, second};

                /// Ranks passed on, in rows that begin, end and are empty in each way.
                pub fn passed(a: &$Graph, x: &DenseVec<f64>) -> (y: DenseVec<f64>) { for i, j { y[i] += second(a[i, j], x[j]) } }
                pub fn common(a: &$Graph, t: &mut u64) { for i, j { if a[i, j] { for k { t += pair(a[i, k], a[j, k]) } } } }
                pub fn from(a: &$Graph, lo: i64, n: &mut u64) { for i { for j in lo..9 { n += a[i, j] } } }
            }

            pub fn made(edges: &[[usize; 2]], size: usize) -> $Graph {
                let mut a: $Graph = Tensor::from_triplets([size; 2], edges.iter().map(|e| (e, true)), Last).unwrap();
                // What was built is changed: blocks are split, and left half empty.
                let (gone, stay): (Vec<_>, Vec<_>) = edges.iter().enumerate().partition(|(k, _)| k % 3 == 0);
                gone.iter().for_each(|(_, e)| { a.remove(e).unwrap(); });
                stay.iter().chain(&gone).for_each(|(_, e)| { a.insert(e, true).unwrap(); });
                a
            }
        }
    )*};
}

layouts! {
    arrays_of_lists: BlockGraph;
    arrays_of_hybrids: HybridGraph;
    trees_of_trees: TreeGraph;
    trees_of_chunks: ChunkGraph;
    wide: TreeGraph<u64>;
}

/// Rows of 0, 1, a few and many hundred neighbours: one block, several, trees of some depth.
fn edges(size: usize) -> Vec<[usize; 2]> {
    let row = |i: usize| {
        (0..size).filter(move |j| i % 3 != 1 && (i * 31 + j * 17).is_multiple_of(1 + i % 7 * 9))
    };
    (0..size).flat_map(|i| row(i).map(move |j| [i, j])).collect()
}

#[test]
fn layouts_agree() {
    for size in [9, 40, 700] {
        let edges = edges(size);
        let graph: Graph =
            Tensor::from_triplets([size; 2], edges.iter().map(|e| (e, true)), Refuse).unwrap();
        let special = [0.1, -0.0, 1e-310, 3.5, 0.75, -7.25];
        let x: Vec<f64> = (0..size).map(|k| special[k % 6]).collect();
        let mut plain = vec![0.0; size];
        edges.iter().for_each(|[i, j]| plain[*i] += x[*j]);
        let x: DenseVec<f64> = Tensor::from_dense([size], &x).unwrap();
        // The order of additions differs between layouts: sums are close.
        let close = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * size as f64)
        };
        macro_rules! beside {
            ($($name:ident)*) => {$(
                let a = $name::made(&edges, size);
                assert_eq!(a.stored(), edges.len());
                assert!(close(&$name::passed(&a, &x).to_dense(), &plain), "{} {size}", stringify!($name));
                let (mut n, mut m) = (0, 0);
                if size < 100 {
                    $name::common(&a, &mut n);
                    for &[i, j] in &edges {
                        m += (0..size).filter(|k| graph.get([i, *k]) == Some(true) && graph.get([j, *k]) == Some(true)).count() as u64;
                    }
                    assert_eq!(n, m, "{} {size}", stringify!($name));
                }
                for least in 0..9usize {
                    let mut n = 0;
                    $name::from(&a, least as i64, &mut n);
                    assert_eq!(n, edges.iter().filter(|e| (least..9).contains(&e[1])).count() as u64);
                }
            )*};
        }
        beside!(arrays_of_lists arrays_of_hybrids trees_of_trees trees_of_chunks wide);
    }
}
