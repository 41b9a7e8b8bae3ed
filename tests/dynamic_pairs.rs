//! Every level made of nodes beside levels of every other sort, and beside each other: sums, products, contractions and
//! searches, against the oracle.

#[macro_use]
extern crate looplets_oracle as oracle;
use looplets::prelude::*;
use oracle::*;

macro_rules! pair {
    ($name:ident, $A:ident, $B:ident) => {
        mod $name {
            use super::*;
            kernels! {
                fn join(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: DenseMat<f64>) {
                    for i, j { y[i, j] = a[i, j] - b[i, j] }
                };;
                fn meet(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>) -> (y: Tensor<Dense<$A<Element<f64>>>>) {
                    for i, j { y[i, j] = a[i, j] * b[i, j] }
                };;
                fn product(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<$B<$B<Element<f64>>>>) -> (y: DenseMat<f64>) {
                    for i, k, j { y[i, j] += a[i, k] * b[k, j] }
                };;
                fn sought(a: &Tensor<Dense<$A<Element<f64>>>>, b: &Tensor<Dense<$B<Element<f64>>>>, s: &mut f64) {
                    for i, j { s += a[i, j::gallop] * b[i, j] + a[i, j::locate] * 2 }
                }
            }
            #[test]
            fn agree() {
                for n in [0, 1, 6, 11] {
                    for kind in 0..KINDS {
                        let other = (kind * 3 + 1) % KINDS;
                        let (a, b, c) = (matrix(kind, [n, n]), matrix(other, [n, n]), matrix(other, [n, n]));
                        let mut s = 0.25;
                        agree!(join(&a, &b));
                        agree!(meet(&a, &b));
                        agree!(product(&a, &c));
                        agree!(sought(&a, &b, &mut s));
                    }
                }
            }
        }
    };
}

macro_rules! against {
    ($($name:ident: $A:ident;)*) => {$(
        mod $name {
            use super::*;
            pair!(list, $A, SparseList);
            pair!(runs, $A, RunList);
            pair!(band, $A, SparseBand);
            pair!(blocks, $A, SparseBlockList);
            pair!(bits, $A, Bitmap);
            pair!(packed, $A, PackBits);
            pair!(table, $A, Hash);
            pair!(dense, $A, Dense);
        }
    )*};
}

against! {
    bst: Bst;
    linked: LinkedList;
    blocks: BlockList;
    var_blocks: VarBlockList;
    t_tree: TTree;
    b_tree: BTree;
    hybrid: HybridBTree;
    c_tree: CTree;
    packed: PackedCTree;
    red_black: RedBlack;
    gaps: GapBlockList;
}

mod each_other {
    use super::*;
    pair!(bst_bst, Bst, Bst);
    pair!(bst_linked, Bst, LinkedList);
    pair!(bst_blocks, Bst, BlockList);
    pair!(bst_var_blocks, Bst, VarBlockList);
    pair!(bst_t_tree, Bst, TTree);
    pair!(bst_b_tree, Bst, BTree);
    pair!(bst_hybrid, Bst, HybridBTree);
    pair!(bst_c_tree, Bst, CTree);
    pair!(bst_red_black, Bst, RedBlack);
    pair!(bst_gaps, Bst, GapBlockList);
    pair!(linked_linked, LinkedList, LinkedList);
    pair!(linked_blocks, LinkedList, BlockList);
    pair!(linked_var_blocks, LinkedList, VarBlockList);
    pair!(linked_t_tree, LinkedList, TTree);
    pair!(linked_b_tree, LinkedList, BTree);
    pair!(linked_hybrid, LinkedList, HybridBTree);
    pair!(linked_c_tree, LinkedList, CTree);
    pair!(linked_red_black, LinkedList, RedBlack);
    pair!(linked_gaps, LinkedList, GapBlockList);
    pair!(blocks_blocks, BlockList, BlockList);
    pair!(blocks_var_blocks, BlockList, VarBlockList);
    pair!(blocks_t_tree, BlockList, TTree);
    pair!(blocks_b_tree, BlockList, BTree);
    pair!(blocks_hybrid, BlockList, HybridBTree);
    pair!(blocks_c_tree, BlockList, CTree);
    pair!(blocks_red_black, BlockList, RedBlack);
    pair!(blocks_gaps, BlockList, GapBlockList);
    pair!(var_blocks_var_blocks, VarBlockList, VarBlockList);
    pair!(var_blocks_t_tree, VarBlockList, TTree);
    pair!(var_blocks_b_tree, VarBlockList, BTree);
    pair!(var_blocks_hybrid, VarBlockList, HybridBTree);
    pair!(var_blocks_c_tree, VarBlockList, CTree);
    pair!(var_blocks_red_black, VarBlockList, RedBlack);
    pair!(var_blocks_gaps, VarBlockList, GapBlockList);
    pair!(t_tree_t_tree, TTree, TTree);
    pair!(t_tree_b_tree, TTree, BTree);
    pair!(t_tree_hybrid, TTree, HybridBTree);
    pair!(t_tree_c_tree, TTree, CTree);
    pair!(t_tree_red_black, TTree, RedBlack);
    pair!(t_tree_gaps, TTree, GapBlockList);
    pair!(b_tree_b_tree, BTree, BTree);
    pair!(b_tree_hybrid, BTree, HybridBTree);
    pair!(b_tree_c_tree, BTree, CTree);
    pair!(b_tree_red_black, BTree, RedBlack);
    pair!(b_tree_gaps, BTree, GapBlockList);
    pair!(hybrid_hybrid, HybridBTree, HybridBTree);
    pair!(hybrid_c_tree, HybridBTree, CTree);
    pair!(hybrid_red_black, HybridBTree, RedBlack);
    pair!(hybrid_gaps, HybridBTree, GapBlockList);
    pair!(c_tree_c_tree, CTree, CTree);
    pair!(c_tree_packed, CTree, PackedCTree);
    pair!(packed_packed, PackedCTree, PackedCTree);
    pair!(c_tree_red_black, CTree, RedBlack);
    pair!(c_tree_gaps, CTree, GapBlockList);
    pair!(red_black_red_black, RedBlack, RedBlack);
    pair!(red_black_gaps, RedBlack, GapBlockList);
    pair!(gaps_gaps, GapBlockList, GapBlockList);
}
