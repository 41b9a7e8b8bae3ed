//! Results of which the leaf has no values, in each level that kernels write: what nobody wrote is not there. Those that would store
//! it are in `tests/ui/pattern_over_gaps.rs`.

use looplets::prelude::*;

macro_rules! levels {
    ($($name:ident $level:ident)*) => { $(
        #[test]
        fn $name() {
            finch! {
                fn vector(a: &Tensor<SparseList<Pattern>>) -> (c: Tensor<$level<Pattern>>) { for i { c[i] = a[i] } }
                fn reduced(a: &Csr<f64>) -> (c: Tensor<$level<Pattern>>) { for i, j { c[i] ||= a[i, j] > 0 } }
                fn rows(a: &Csr<f64>, b: &Csr<f64>) -> (c: Tensor<Dense<$level<Pattern>>>) {
                    for i, j { c[i, j] = a[i, j] > 0 || b[i, j] < 0 }
                }
            }
            agrees(vector, reduced, rows);
        }
    )* };
}

type Matrix<L> = fn(&Csr<f64>, &Csr<f64>) -> Tensor<Dense<L>>;

fn agrees<L: Level<Value = bool>>(
    vector: fn(&Tensor<SparseList<Pattern>>) -> Tensor<L>,
    reduced: fn(&Csr<f64>) -> Tensor<L>,
    rows: Matrix<L>,
) where
    Dense<L>: Level<Value = bool>,
{
    for n in [0, 1, 2, 5, 63, 64, 65, 130] {
        for kind in 0..4 {
            let flags: Vec<bool> = (0..n).map(|k| (k * 7 + kind) % 5 < kind + 1).collect();
            let given = (0..n).filter(|k| flags[*k]).map(|k| ([k], true));
            let a = Tensor::from_triplets([n], given, Refuse).expect("they are inside");
            assert_eq!(vector(&a).to_dense(), flags);
            let value =
                |k: usize| [0.0, -0.0, 0.5, f64::NAN, -3.0, 5e-324][(k * (kind + 3) + kind) % 6];
            let numbers: Vec<f64> = (0..n * n).map(value).collect();
            let turned: Vec<f64> = (0..n * n).map(|k| value(k + 1)).collect();
            let m: Csr<f64> = Tensor::from_dense([n, n], &numbers).expect("as large");
            let t: Csr<f64> = Tensor::from_dense([n, n], &turned).expect("as large");
            let any = |i: usize| numbers[i * n..][..n].iter().any(|x| *x > 0.0);
            assert_eq!(reduced(&m).to_dense(), (0..n).map(any).collect::<Vec<bool>>());
            let both = (0..n * n).map(|k| numbers[k] > 0.0 || turned[k] < 0.0);
            assert_eq!(rows(&m, &t).to_dense(), both.collect::<Vec<bool>>());
        }
    }
}

levels! {
    sparse_list SparseList
    run_list SparseRunList
    bitmap Bitmap
    byte_map ByteMap
    bit_tree BitTree
    hash Hash
    blocks SparseBlockList
    blocks_of_any_length VarBlockList
    packed PackBits
    unordered UnorderedList
    linked LinkedList
    searched Bst
    balanced RedBlack
    wide BTree
    touched Spa
    stamped StampMap
    side_by_side Interleaved
    in_blocks BlockList
    in_blocks_with_gaps GapBlockList
    in_unsorted_blocks UnsortedBlockList
    in_leaves TTree
    compressed CTree
    packed_and_compressed PackedCTree
    of_two_kinds HybridBTree
}
