//! An access within the computed index of another, along one loop: both have a nest there, and what becomes of
//! the inner one makes another access of the outer one.

use looplets::prelude::*;

/// The elements of a matrix with rows and entries that are not stored.
fn matrix(rows: usize, columns: usize) -> Vec<f64> {
    let value = |k: usize| match (k / columns % 3, k % 4) {
        (1, _) | (_, 0 | 3) => 0.0,
        _ => 0.25 + k as f64,
    };
    (0..rows * columns).map(value).collect()
}

/// `n` indices below `below`, with runs and zeros.
fn indices(n: usize, below: usize) -> Vec<u32> {
    (0..n).map(|k| ((k / 2 * 3) % 4 % below) as u32).collect()
}

macro_rules! within {
    ($($name:ident: $a:ty, $b:ty;)*) => {$(
        // What a dense operand gives a sparse result is all stored.
        #[allow(deprecated)]
        #[test]
        fn $name() {
            type A = Tensor<$a>;
            type B = Tensor<$b>;
            finch! {
                fn rows(a: &Tensor<$a>, b: &Tensor<$b>) -> (y: DenseVec<f64>) { for i { y[i] = a[i, b[i]] } }
                fn summed(a: &Tensor<$a>, b: &Tensor<$b>, c: &Tensor<$b>, y: &mut f64) {
                    for i { y += a[i, b[i]] + c[i] }
                }
                fn united(a: &Tensor<$a>, b: &Tensor<$b>, c: &Tensor<$b>, d: &Tensor<$b>) -> (y: DenseVec<f64>) {
                    for i { y[i] = a[i, b[i]] + c[i] + d[i] + b[i] }
                }
                fn deep(a: &Tensor<$a>, b: &Tensor<$b>) -> (y: DenseVec<f64>) {
                    for i { y[i] = a[i, b[b[i]]] * b[i] }
                }
                fn outside(a: &Tensor<$a>, b: &Tensor<$b>) -> (y: DenseVec<f64>) {
                    for i { y[i] = coalesce(a[i, permit[b[i] + 1]], 0.5) }
                }
                fn grouped(a: &Tensor<$a>, b: &Tensor<$b>, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(b[i] * a[i, b[i]], (r: q, i) -> k) }
                }
                fn digits(a: &Tensor<$a>, b: &Tensor<$b>, q: usize) -> (y: DenseVec<f64>) {
                    for k { y[k] = collapse(b[j] + a[i::locate, b[j]], (r: q, j, i) -> k) }
                }
                fn copied(a: &Tensor<$a>, b: &Tensor<$b>) -> (y: SparseVec<f64>) {
                    for i { y[i] = a[i, b[i]] }
                }
                fn chosen(a: &Tensor<$a>, b: &Tensor<$b>) -> (y: DenseVec<f64>) {
                    for i { if a[i, b[i]] > b[i] { y[i] = a[i, b[i]] - b[i] } }
                }
            }
            for n in [0, 1, 2, 3, 7, 12] {
                let (values, at) = (matrix(n, 4), indices(n, n.clamp(1, 4)));
                let a = A::from_dense([n, 4], &values).unwrap();
                let b = B::from_dense([n], &at).unwrap();
                let c_values: Vec<u32> = at.iter().rev().copied().collect();
                let c = B::from_dense([n], &c_values).unwrap();
                let read = |i: usize, j: u32| values[4 * i + j as usize];
                let each: Vec<f64> = (0..n).map(|i| read(i, at[i])).collect();
                let with = |f: &dyn Fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
                assert_eq!(rows(&a, &b).to_dense(), each);
                let sum: f64 = (0..n).map(|i| each[i] + f64::from(c_values[i])).sum();
                let mut total = 0.0;
                summed(&a, &b, &c, &mut total);
                assert_eq!(total, sum);
                let all = with(&|i| each[i] + f64::from(c_values[i] + c_values[i] + at[i]));
                assert_eq!(united(&a, &b, &c, &c).to_dense(), all);
                let twice = with(&|i| read(i, at[at[i] as usize]) * f64::from(at[i]));
                assert_eq!(deep(&a, &b).to_dense(), twice);
                let beyond = with(&|i| match at[i] + 1 {
                    4 => 0.5,
                    j => read(i, j),
                });
                assert_eq!(outside(&a, &b).to_dense(), beyond);
                let weighed = with(&|i| f64::from(at[i]) * each[i]);
                for q in 0..3 {
                    assert_eq!(grouped(&a, &b, q).to_dense(), weighed.repeat(q));
                    let pairs = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
                    let pairs: Vec<f64> = pairs.map(|(i, j)| f64::from(at[j]) + read(i, at[j])).collect();
                    assert_eq!(digits(&a, &b, q).to_dense(), pairs.repeat(q));
                }
                let y = copied(&a, &b);
                assert_eq!(y.to_dense(), each);
                let more = with(&|i| (each[i] - f64::from(at[i])).max(0.0));
                assert_eq!(chosen(&a, &b).to_dense(), more);
            }
        }
    )*};
}

within! {
    dense_by_dense: Dense<Dense<Element<f64>>>, Dense<Element<u32>>;
    csr_by_sparse: Dense<SparseList<Element<f64>>>, SparseList<Element<u32>>;
    sparse_by_sparse: SparseList<Dense<Element<f64>>>, SparseList<Element<u32>>;
    sparse_by_dense: SparseList<SparseList<Element<f64>>>, Dense<Element<u32>>;
    sparse_by_runs: SparseList<SparseList<Element<f64>>>, RunList<Element<u32>>;
    runs_by_sparse: RunList<Dense<Element<f64>>>, SparseList<Element<u32>>;
    runs_by_runs: RunList<RunList<Element<f64>>>, SparseRunList<Element<u32>>;
    bitmap_by_bitmap: Bitmap<Dense<Element<f64>>>, Bitmap<Element<u32>>;
    hash_by_hash: Hash<Hash<Element<f64>>>, Hash<Element<u32>>;
    band_by_tree: SparseBand<Dense<Element<f64>>>, BitTree<Element<u32>>;
    block_by_block: SparseBlockList<Dense<Element<f64>>>, SparseBlockList<Element<u32>>;
    pack_by_pack: PackBits<Dense<Element<f64>>>, PackBits<Element<u32>>;
}

#[test]
fn two_lists_along_one_loop_are_walked_together() {
    finch! {
        #![steps(n)]
        fn both(a: &Tensor<SparseList<SparseList<Element<f64>>>>, b: &SparseVec<u32>, y: &mut f64, n: &mut u64) {
            for i { y += a[i, b[i]] * b[i] }
        }
        fn stored(a: &Tensor<SparseList<SparseList<Element<f64>>>>, b: &DenseVec<u32>, y: &mut f64, n: &mut u64) {
            for i { y += a[i, b[i]] }
        }
    }
    let size = 1 << 20;
    let a = Tensor::from_triplets(
        [size, 4],
        [([3, 2], 0.5), ([70_000, 1], 1.5), ([size - 1, 3], 2.5)],
        Sum,
    )
    .unwrap();
    let b = Tensor::from_triplets([size], [([3], 2), ([90_000], 1), ([size - 1], 3)], Sum).unwrap();
    let (mut y, mut n) = (0.0, 0);
    both(&a, &b, &mut y, &mut n);
    assert_eq!(y, 8.5);
    assert!(n <= 40, "{n} steps");
    let b = Tensor::from_dense([size], &vec![2; size]).unwrap();
    (y, n) = (0.0, 0);
    stored(&a, &b, &mut y, &mut n);
    assert_eq!(y, 0.5);
    assert!(n <= 40, "{n} steps of the rows that are stored");
}
