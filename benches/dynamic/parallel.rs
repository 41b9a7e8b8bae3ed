//! Parallel loops over rows made of nodes: `cargo bench -p looplets-benches --bench parallel_nodes`.
//!
//! The sums of PageRank over a graph of `2^LOOPLETS_SCALE` vertices (18), on as many threads as `RAYON_NUM_THREADS` says: the
//! best of several runs in milliseconds, in order and in parallel; what gathering the work before coordinates takes of it;
//! and the bytes an edge that the arrays of the levels have.

mod graph;

use looplets::prelude::*;
use looplets_benches::options;
use std::hint::black_box;
use std::time::Instant;

/// The shortest of some runs, in milliseconds.
fn best(mut f: impl FnMut()) -> f64 {
    let one = |f: &mut dyn FnMut()| {
        let start = Instant::now();
        f();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..15).map(|_| one(&mut f)).fold(f64::INFINITY, f64::min)
}

fn bytes<T>(array: Vec<T>) -> usize {
    array.len() * size_of::<T>()
}

macro_rules! measured {
    ($size:ident, $edges:ident, $share:ident: $($name:ident: $Level:ident($($array:ident)*);)*) => {$({
        mod $name {
            use looplets::prelude::*;
            level! { pub type Rows = Tensor<Dense<$Level<Pattern>>>; }
            finch! {
                use looplets::semiring::second;
                pub fn parallel(a: &Rows, share: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                    parallel for i { for j { y[i] += second(a[i, j], share[j]) } }
                }
                pub fn in_order(a: &Rows, share: &DenseVec<f64>) -> (y: DenseVec<f64>) {
                    for i { for j { y[i] += second(a[i, j], share[j]) } }
                }
            }
        }
        let a = $name::Rows::from_triplets([$size; 2], $edges.iter().map(|e| (e, true)), Refuse).expect("room");
        assert_eq!($name::parallel(&a, &$share).to_dense(), $name::in_order(&a, &$share).to_dense());
        let in_order = best(|| { black_box($name::in_order(&a, &$share)); });
        let parallel = best(|| { black_box($name::parallel(&a, &$share)); });
        let gathered = best(|| { black_box(a.works().before($size)); });
        let (_, rows) = a.into_root().into_parts();
        let (_, $($array,)* _) = rows.into_parts();
        let all = 0 $(+ bytes($array))*;
        let each = all as f64 / $edges.len() as f64;
        println!("{:<12}{in_order:>10.2}{parallel:>10.2}{gathered:>10.2}{each:>10.2}", stringify!($Level));
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
    let share: DenseVec<f64> =
        Tensor::from_dense([size], &vec![1.0 / size as f64; size]).expect("sizes fit");
    println!("{size} vertices, {} edges", edges.len());
    println!("{:<12}{:>10}{:>10}{:>10}{:>10}", "", "in order", "parallel", "gathered", "bytes");
    measured! {
        size, edges, share:
        list: SparseList(pos crd);
        c_tree: CTree(root tree tree_free chunk chunk_free crd spare moves);
        packed: PackedCTree(root tree tree_free chunk chunk_free crd spare moves);
        b_tree: BTree(root internal internal_free leaf leaf_free crd spare moves);
        hybrid: HybridBTree(root internal internal_free leaf leaf_free crd spare moves);
        bst: Bst(root nodes free crd moves);
    }
}
